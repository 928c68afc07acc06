package main

import (
	"fmt"

	"github.com/galfft/fft/bench/midliteral"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/gpu"
	"github.com/galfft/fft/midint/literal"
)

// midintFFTOnCard is the column of the paper's products by FFT modulo one prime on a device. fused is its polynomial in
// one launch; else that is by launches of their own. Digits are made before, and words of them after the time.
func midintFFTOnCard[W literal.Word](f literal.Field[W], fused bool) func(c *midintCase) (*midintCall, error) {
	return func(c *midintCase) (*midintCall, error) {
		card, err := cardFor(c)
		switch {
		case err != nil:
			return nil, err
		case !fused && c.op != "poly":
			return nil, fmt.Errorf("%w: the polynomial alone has calls of its own", errAbsent)
		case c.op == cyclicOp(f):
			return cyclicOnCard(card, f, c)
		case c.op != "mullow" && c.op != "mulwide" && c.op != "poly":
			return nil, fmt.Errorf("%w: no such operation", errAbsent)
		}
		fit, err := fitting(f, c.bits)
		if err != nil {
			return nil, err
		}
		return digitsOnCard(card, f, fit, fused, c)
	}
}

// addresses are those of vectors on the device.
func addresses(list []field.Vec) (at []uint64, err error) {
	for _, v := range list {
		p, err := gpu.Pointer(v)
		if err != nil {
			return nil, err
		}
		at = append(at, uint64(p))
	}
	return at, nil
}

// cyclicOnCard is the paper's transforms with halves of words for digits, as which the device reads words, and as many
// points: not a product.
func cyclicOnCard[W literal.Word](card *midintCard, f literal.Field[W], c *midintCase) (*midintCall, error) {
	m := c.bits / halfBits(f)
	_, q, err := cyclicTransforms(f, m, 2)
	if err != nil {
		return nil, err
	}
	t, err := midliteral.NewFFT(card.literal, f, m, q)
	if err != nil {
		return nil, err
	}
	v, err := card.vectors(c, c.wide())
	if err != nil {
		return nil, err
	}
	at, err := addresses(v)
	if err != nil {
		return nil, err
	}
	call := card.call(fmt.Sprintf("Q = %d, not a product", q), card.stream, v, func() error {
		return t.CyclicModP(card.stream, at[0], at[1], at[2], c.x.Len())
	})
	return closing(call, t.Close), nil
}

// closing is a call that closes more at its end.
func closing(call *midintCall, more ...func() error) *midintCall {
	before := call.close
	call.close = func() {
		before()
		for _, step := range more {
			if err := step(); err != nil {
				panic(err) // of a device that is lost, which calls have said before
			}
		}
	}
	return call
}

// digitsOnCard is a product or the polynomial of a case.
func digitsOnCard[W literal.Word](card *midintCard, f literal.Field[W], fit fit[W], fused bool,
	c *midintCase) (*midintCall, error) {
	t, err := midliteral.NewFFT(card.literal, f, fit.m, fit.q)
	if err != nil {
		return nil, err
	}
	v, err := card.vectors(c, c.wide())
	if err != nil {
		return nil, err
	}
	n, d, m := c.x.Len(), fit.d, c.bits/32
	ends := []func() error{t.Close}
	for _, widths := range []int{c.wide(), 1, 1, 1} { // digits of the result, of x, of y, and more for the polynomial
		digits, err := card.integers.NewVecIn(card.queue, (widths*n*d.Count*halfBits(f)+31)/32)
		if err != nil {
			return nil, err
		}
		v, ends = append(v, digits), append(ends, digits.Close)
	}
	at, err := addresses(v)
	if err != nil {
		return nil, err
	}
	on, z, x, y, u := card.stream, at[4], at[5], at[6], at[7]
	for i, digits := range []uint64{x, y} {
		if err := t.Cut(on, digits, at[1+i], d, m, n); err != nil {
			return nil, err
		}
	}
	do := func() error { return t.Mul(on, z, x, y, d, n, c.wide() == 2) }
	switch {
	case c.op == "poly" && fused:
		do = func() error { return t.Poly(on, z, x, y, d, n) }
	case c.op == "poly":
		steps := []struct {
			add     bool
			z, x, y uint64
		}{{false, z, x, x}, {true, z, z, y}, {false, u, y, y}, {true, u, u, y}, {false, z, z, u}, {false, u, x, y},
			{true, z, z, u}} // (x² + y)(y² + y) + xy
		do = func() error {
			for _, s := range steps {
				var err error
				if s.add {
					err = t.Add(on, s.z, s.x, s.y, d, n)
				} else {
					err = t.Mul(on, s.z, s.x, s.y, d, n, false)
				}
				if err != nil {
					return err
				}
			}
			return nil
		}
	}
	call := card.call(fmt.Sprintf("%d digits of %d bits, %d points, Q = %d", d.Count, d.Bits, fit.m, fit.q), on, v, do)
	words := call.result
	call.result = func() ([]uint32, error) {
		of := literal.Digits{Count: c.wide() * d.Count, Bits: d.Bits}
		if err := t.Join(on, at[0], z, of, c.wide()*m, n); err != nil {
			return nil, err
		}
		return words()
	}
	return closing(call, ends...), nil
}
