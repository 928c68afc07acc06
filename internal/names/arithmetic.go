package names

import (
	"fmt"
	mathbig "math/big"
	"strings"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/bigprime/gmp"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/literal"
	"github.com/galfft/fft/internal/integer"
	"github.com/galfft/fft/internal/verbs"
)

// arithmetic is one that takes the place of a field's own, for comparison. Its prefix stands before the field's name.
type arithmetic struct{ prefix, about string }

var arithmetics = []arithmetic{
	{gmp.Prefix, "a field of more than 64 bits with products by GMP"},
	{literal.NCWPrefix, "the prime of a field of more than 64 bits, with an integer of GMP (ncw/gmp) for each element"},
	{literal.BigPrefix, "the same, with an integer of math/big for each element"},
}

// lookupArithmetic finds the field of a name that starts with the prefix of an arithmetic.
func lookupArithmetic(name string) (e Entry, ok bool, err error) {
	for _, a := range arithmetics {
		of, ok := strings.CutPrefix(name, a.prefix)
		if !ok {
			continue
		}
		if _, err := Lookup(of); err != nil {
			return Entry{}, true, err
		}
		return Entry{name, a.about, func() (verbs.Field, error) { return a.open(of) }}, true, nil
	}
	return Entry{}, false, nil
}

// open returns the field of the prime of another field.
func (a arithmetic) open(of string) (verbs.Field, error) {
	if a.prefix != literal.BigPrefix && !gmp.Available {
		return nil, gmp.ErrUnavailable
	}
	if text, ok := digitsOf(of); ok && a.prefix == gmp.Prefix {
		return openGFPF(text, ofDigitsGMP)
	}
	p, err := modulus(of)
	if err != nil {
		return nil, err
	}
	words, err := bigprime.Size(p)
	if err != nil {
		return nil, err
	}
	return ofWords[words](p, a.prefix)
}

// digitsOf returns r:k for the name of a field of package gfpf.
func digitsOf(name string) (text string, ok bool) {
	text, ok = strings.CutPrefix(name, gfpf.Prefix)
	for _, p := range gfpf.Presets() {
		if p.Name == text && ok {
			return fmt.Sprintf("%d:%d", p.Radix, p.K), true
		}
	}
	return text, ok
}

// ofDigitsGMP is ofDigits with GMP's products.
var ofDigitsGMP = map[int]func(r uint64) (verbs.Field, error){
	2: newGFPFWithGMP[[2]uint64], 4: newGFPFWithGMP[[4]uint64], 8: newGFPFWithGMP[[8]uint64],
	16: newGFPFWithGMP[[16]uint64], 32: newGFPFWithGMP[[32]uint64], 64: newGFPFWithGMP[[64]uint64],
	128: newGFPFWithGMP[[128]uint64],
}

func newGFPFWithGMP[E gfpf.Digits](r uint64) (verbs.Field, error) {
	f, err := gfpf.New[E](r)
	if err != nil {
		return nil, err
	}
	return hide[E](gmp.GFPF(f))
}

// modulus returns the prime of a name.
func modulus(name string) (*mathbig.Int, error) {
	for _, p := range bigprime.Presets() {
		if strings.EqualFold(p.Name, name) {
			return p.Prime(), nil
		}
	}
	if text, ok := strings.CutPrefix(name, PrimePrefix); ok {
		p, ok := integer.Parse(text)
		if !ok {
			return nil, fmt.Errorf("%w: %.60q, want an odd prime: decimal, hexadecimal after 0x, or as 2^61-1",
				field.ErrModulus, text)
		}
		return p, nil
	}
	e, err := Lookup(name)
	if err != nil {
		return nil, err
	}
	f, err := e.Open()
	if err != nil {
		return nil, err
	}
	return f.Characteristic(), nil
}

// ofWords makes fields of primes by the words of elements.
var ofWords = map[int]func(p *mathbig.Int, prefix string) (verbs.Field, error){
	2: with[[2]uint64], 3: with[[3]uint64], 4: with[[4]uint64], 5: with[[5]uint64], 6: with[[6]uint64],
	8: with[[8]uint64], 10: with[[10]uint64], 12: with[[12]uint64], 16: with[[16]uint64], 20: with[[20]uint64],
	24: with[[24]uint64], 32: with[[32]uint64], 48: with[[48]uint64], 64: with[[64]uint64], 96: with[[96]uint64],
	128: with[[128]uint64],
}

// with returns the field of p with the arithmetic of a prefix.
func with[E bigprime.Words](p *mathbig.Int, prefix string) (verbs.Field, error) {
	f, err := bigprime.New[E](p)
	if err != nil {
		return nil, err
	}
	if prefix == literal.BigPrefix {
		return hide[literal.BigInt](literal.Big(f))
	}
	return withGMP(f, prefix)
}

// hide is verbs.Of of a field, where there is one.
func hide[E any, F verbs.Described[E]](f F, err error) (verbs.Field, error) {
	if err != nil {
		return nil, err
	}
	return verbs.Of[E](f), nil
}
