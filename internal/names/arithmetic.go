package names

import (
	"fmt"
	mathbig "math/big"
	"strings"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/bigprime/gmp"
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
	if a.prefix != literal.BigPrefix {
		return openGMP(a.prefix, of)
	}
	f, err := anyOf(of)
	if err != nil {
		return nil, err
	}
	return hide[literal.BigInt](literal.Big(f))
}

// anyOf returns the field of the prime of a name, with elements of one type for all primes.
func anyOf(name string) (*bigprime.Any, error) {
	p, err := modulus(name)
	if err != nil {
		return nil, err
	}
	return bigprime.Open(p)
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

// hide is verbs.Of of a field, where there is one.
func hide[E any, F verbs.Described[E]](f F, err error) (verbs.Field, error) {
	if err != nil {
		return nil, err
	}
	return verbs.Of[E](f), nil
}
