package binary

import (
	"context"
	"encoding/binary"
	"errors"
	"math/big"
	"slices"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/schemes"
)

// FuzzModulus opens fields modulo any polynomial: what opens is a field, and the rest is ErrModulus.
func FuzzModulus(f *testing.F) {
	for _, b := range [][]byte{nil, {0}, {7}, {0x1, 0x1b}, {0x1, 0x1d}, {0x1, 0x00}, {0x1, 0, 0, 0, 0, 0, 0, 0, 0x1b}} {
		f.Add(b, uint64(3))
	}
	f.Fuzz(func(t *testing.T, b []byte, seed uint64) {
		p := new(big.Int).SetBytes(b[:min(len(b), 24)])
		k, err := NewModulus[Number](p)
		if err != nil {
			if !errors.Is(err, field.ErrModulus) {
				t.Fatalf("%x: an error of another kind: %v", p, err)
			}
			return
		}
		m := p.BitLen() - 1
		var x, y, z Number
		if err := k.SetBig(&x, new(big.Int).SetUint64(seed&(1<<min(m, 63)-1))); err != nil {
			t.Fatal(err)
		}
		k.Set(&y, &x)
		for range m { // Frobenius: x^(2^m) = x
			k.Mul(&y, &y, &y)
		}
		if !k.Equal(&x, &y) {
			t.Fatalf("%x: x^(2^%d) is not x", p, m)
		}
		var one Number
		k.One(&one)
		if err := k.Inv(&z, &x); errors.Is(err, field.ErrNotInvertible) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
		if k.Mul(&z, &z, &x); !k.Equal(&z, &one) {
			t.Fatalf("%x: x·(1/x) is not 1", p)
		}
	})
}

// FuzzBasis makes transforms over any vectors: those that do not depend on each other have the values of Horner's rule
// and an inverse, and the rest is ErrSpec or, where they are no elements, ErrRange.
func FuzzBasis(f *testing.F) {
	f.Add([]byte{1, 0, 2, 0, 4, 0}, uint16(5), false)
	f.Add([]byte{3, 0, 5, 0, 6, 0}, uint16(0), true)
	f.Add([]byte{1, 0x10, 2, 0}, uint16(1<<12), false)
	k := must(New[uint16](12))
	f.Fuzz(func(t *testing.T, b []byte, shift uint16, lch bool) {
		d := field.Affine[uint16]{Shift: shift}
		for ; len(b) >= 2 && len(d.Basis) < 7; b = b[2:] {
			d.Basis = append(d.Basis, binary.LittleEndian.Uint16(b))
		}
		spanned := []uint16{0}
		dependent, outside := false, shift>>12 != 0
		for _, v := range d.Basis {
			dependent = dependent || slices.Contains(spanned, v)
			outside = outside || v>>12 != 0
			for _, u := range spanned[:len(spanned):len(spanned)] {
				spanned = append(spanned, u^v)
			}
		}
		s := field.Spec{}
		if lch {
			s.Coefficients = field.LCH
		}
		p, err := schemes.New(k, d, s)
		if outside || dependent {
			if !(outside && errors.Is(err, field.ErrRange) || dependent && errors.Is(err, field.ErrSpec)) {
				t.Fatalf("%x + %x: error %v", d.Basis, shift, err)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		x, y := make([]uint16, len(spanned)), make([]uint16, len(spanned))
		for i := range x {
			x[i] = uint16(i*i*31+i+7) & (1<<12 - 1)
		}
		if err := p.Forward(context.Background(), y, x); err != nil {
			t.Fatal(err)
		}
		for j := range y {
			var point, want uint16
			d.Point(k, &point, j)
			for i := len(x) - 1; i >= 0 && !lch; i-- {
				k.Mul(&want, &want, &point)
				k.Add(&want, &want, &x[i])
			}
			if !lch && want != y[j] {
				t.Fatalf("%x + %x: value %d is %x, want %x", d.Basis, shift, j, y[j], want)
			}
		}
		if err := p.Inverse(context.Background(), y, y); err != nil || !slices.Equal(x, y) {
			t.Fatalf("%x + %x: there and back: error %v", d.Basis, shift, err)
		}
	})
}
