package names

import (
	"fmt"
	"strings"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/bigprime/gmp"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/literal"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/verbs"
)

// arithmetic is one that takes the place of a field's own, for comparison. Its prefix stands before the field's name.
type arithmetic struct{ prefix, about string }

var arithmetics = []arithmetic{
	{gmp.Prefix, "a field of more than 64 bits with products by GMP" + tag},
	{literal.NCWPrefix, "its prime with an integer of GMP for each element" + tag},
	{literal.BigPrefix, "its prime with an integer of math/big for each element"},
	{smallprime.MontgomeryPrefix, "a prime below 2^64 with transforms in Montgomery's form"},
}

// Arithmetics returns what may stand before a name, and what it asks for.
func Arithmetics() (list []Entry) {
	for _, a := range arithmetics {
		list = append(list, Entry{Name: a.prefix + "<name>", About: a.about})
	}
	return list
}

// lookupArithmetic finds the field of a name that starts with the prefix of an arithmetic.
func lookupArithmetic(name string) (e Entry, ok bool, err error) {
	for _, a := range arithmetics {
		if of, ok := strings.CutPrefix(name, a.prefix); ok {
			inner, err := Lookup(of)
			return Entry{name, a.about, func() (verbs.Field, error) { return a.open(inner) }}, true, err
		}
	}
	return Entry{}, false, nil
}

// open returns a field with the arithmetic, which has the prime of another field, or digits.
func (a arithmetic) open(of Entry) (verbs.Field, error) {
	switch a.prefix {
	case literal.BigPrefix:
	case smallprime.MontgomeryPrefix:
		return montgomery(of)
	default:
		if !gmp.Available {
			return nil, gmp.ErrUnavailable
		}
	}
	if text, ok := strings.CutPrefix(of.Name, gfpf.Prefix); ok && a.prefix == gmp.Prefix {
		r, k, err := radix(text)
		if err != nil {
			return nil, err
		}
		return ofDigitsGMP(r, k)
	}
	f, err := of.Open()
	if err != nil {
		return nil, err
	}
	p := f.Characteristic()
	var g verbs.Field
	if a.prefix == gmp.Prefix {
		g, err = ofWordsGMP(p)
	} else {
		var b *bigprime.Any
		if b, err = bigprime.Open(p); err == nil {
			g, err = a.literal(b)
		}
	}
	if err != nil {
		return nil, err
	}
	return verbs.Named(g, a.prefix+f.Name()), nil
}

// literal returns a field of integers for elements.
func (a arithmetic) literal(f *bigprime.Any) (verbs.Field, error) {
	if a.prefix == literal.NCWPrefix {
		return ncw(f)
	}
	g, err := literal.Big(f)
	if err != nil {
		return nil, err
	}
	return verbs.Of(g), nil
}

// montgomery returns the field of a prime below 2^64 in Montgomery's form.
func montgomery(of Entry) (verbs.Field, error) {
	f, err := of.Open()
	if err != nil {
		return nil, err
	}
	p := f.Order()
	if !p.IsUint64() {
		return nil, fmt.Errorf("galfft: %w: %s has %d bits, want a prime below 2^64 after %s", field.ErrModulus, f.Name(),
			p.BitLen(), smallprime.MontgomeryPrefix)
	}
	g, err := smallprime.Montgomery(p.Uint64())
	if err != nil {
		return nil, err
	}
	return verbs.Of(g), nil
}
