package main

import (
	"fmt"
	"math/big"
	"math/bits"
	"runtime"

	"github.com/galfft/fft/midint/literal"
)

// mostTransform is the most words of 32 bits of an operand for which the paper's transforms run on a processor.
const mostTransform = 1 << 20

// midintFFT is the column of the paper's products by FFT modulo one prime. fused is its polynomial in one kernel; else
// that is by calls of its own.
func midintFFT[W literal.Word](f literal.Field[W], fused bool) func(c *midintCase) (*midintCall, error) {
	return func(c *midintCase) (*midintCall, error) {
		switch {
		case c.workers > 1:
			return nil, fmt.Errorf("%w: one worker alone", errAbsent)
		case len(c.x.Words()) > mostTransform:
			return nil, fmt.Errorf("%w: too long for a processor", errAbsent)
		case !fused && c.op != "poly":
			return nil, fmt.Errorf("%w: the polynomial alone has calls of its own", errAbsent)
		case c.op == cyclicOp(f):
			return cyclicCall(f, c)
		case c.op != "mullow" && c.op != "mulwide" && c.op != "poly":
			return nil, fmt.Errorf("%w: no such operation", errAbsent)
		}
		fit, err := fitting(f, c.bits)
		if err != nil {
			return nil, err
		}
		return digitsCall(fit.t, fit.d, fused, c), nil
	}
}

// halfBits is the bits of half a word, which the paper counts for a digit.
func halfBits[W literal.Word](literal.Field[W]) int {
	if ^W(0)>>31 == 1 {
		return 16
	}
	return 32
}

// cyclicOp is the operation that is no product.
func cyclicOp[W literal.Word](f literal.Field[W]) string {
	return fmt.Sprintf("cyclic%d", 2*halfBits(f))
}

// cyclicTransforms is transforms of m points, with the fewest points a thread from q on that a block has threads for:
// so many.
func cyclicTransforms[W literal.Word](f literal.Field[W], m, q int) (*literal.FFT[W], int, error) {
	for ; ; q *= 2 {
		t, err := literal.NewFFT(f, m, q)
		if err == nil {
			return t, q, nil
		}
		if q >= 16 {
			return nil, 0, fmt.Errorf("%w: no block has %d points", errAbsent, m)
		}
	}
}

// fit is digits, and transforms of m points, q of a thread, by which their products are exact.
type fit[W literal.Word] struct {
	t    *literal.FFT[W]
	m, q int
	d    literal.Digits
}

// fitting is the longest digits of integers of so many bits whose products are exact, in the fewest points and the
// fewest of a thread.
func fitting[W literal.Word](f literal.Field[W], width int) (fit[W], error) {
	for each := halfBits(f) - 1; each > 0; each-- {
		d := literal.Digits{Count: (width + each - 1) / each, Bits: each}
		high, low := bits.Mul64(uint64(d.Count)*(1<<each-1), 1<<each-1)
		if high != 0 || low >= uint64(f.P) {
			continue
		}
		m := 2
		for m < 2*d.Count-1 {
			m *= 2
		}
		for q := 2; q <= min(m, 16); q *= 2 {
			t, least, err := cyclicTransforms(f, m, q)
			if err != nil {
				return fit[W]{}, fmt.Errorf("%w for %d digits of %d bits, which are the longest whose sums of products stay "+
					"below the prime", err, d.Count, d.Bits)
			}
			if q = least; t.Check(d) == nil {
				return fit[W]{t, m, q, d}, nil
			}
		}
	}
	return fit[W]{}, fmt.Errorf("%w: no digits are exact", errAbsent)
}

// digitsCall is a product or the polynomial of a case. Digits are made before, and the result is taken from them after
// the time.
func digitsCall[W literal.Word](t *literal.FFT[W], d literal.Digits, fused bool, c *midintCase) *midintCall {
	n, wide := c.x.Len(), c.wide()
	x, y := cut[W](c.x.Words(), c.bits/32, d), cut[W](c.y.Words(), c.bits/32, d)
	z, u := make([]W, wide*n*d.Count), make([]W, n*d.Count)
	do := func() error { return t.Mul(z, x, y, d) }
	if c.op == "poly" {
		do = func() error { return t.Poly(z, x, y, d) }
	}
	if !fused {
		do = func() error {
			for _, step := range []func() error{
				func() error { return t.Mul(z, x, x, d) }, func() error { return t.Add(z, z, y, d) },
				func() error { return t.Mul(u, y, y, d) }, func() error { return t.Add(u, u, y, d) },
				func() error { return t.Mul(z, z, u, d) }, func() error { return t.Mul(u, x, y, d) },
				func() error { return t.Add(z, z, u, d) },
			} {
				if err := step(); err != nil {
					return err
				}
			}
			return nil
		}
	}
	call := hostCall(runtime.Version(), do, nil)
	call.version += fmt.Sprintf(", %d digits of %d bits", d.Count, d.Bits)
	call.result = func() ([]uint32, error) { return joined(z, wide*d.Count, d.Bits, wide*c.bits/32), nil }
	return call
}

// cut is the digits of integers of m words.
func cut[W literal.Word](words []uint32, m int, d literal.Digits) []W {
	z := make([]W, len(words)/m*d.Count)
	for i := range z {
		integer, at := i/d.Count*m, i%d.Count*d.Bits
		var v uint64
		for k := min(at/32+1, m-1); k >= at/32; k-- {
			v = v<<32 | uint64(words[integer+k])
		}
		z[i] = W(v >> (at % 32) & (uint64(1)<<d.Bits - 1))
	}
	return z
}

// joined is the low m words of integers of so many digits.
func joined[W literal.Word](x []W, count, each, m int) []uint32 {
	z := make([]uint32, len(x)/count*m)
	for i, v := range x {
		at := i % count * each
		for k, w := at/32, uint64(v)<<(at%32); w != 0 && k < m; k, w = k+1, w>>32 {
			z[i/count*m+k] |= uint32(w)
		}
	}
	return z
}

// cyclicCall is the paper's transforms with halves of words for digits and as many points: not a product.
func cyclicCall[W literal.Word](f literal.Field[W], c *midintCase) (*midintCall, error) {
	m := c.bits / halfBits(f)
	t, _, err := cyclicTransforms(f, m, 2)
	if err != nil {
		return nil, err
	}
	x, y := halves[W](c.x.Words()), halves[W](c.y.Words())
	z := make([]W, len(x))
	call := hostCall(runtime.Version(), func() error { return t.CyclicModP(z, x, y) }, nil)
	call.version += ", not a product"
	call.result = func() ([]uint32, error) { return plainWords(z), nil }
	return call, nil
}

// halves is the halves of words that the paper has for digits, each in a word.
func halves[W literal.Word](words []uint32) (z []W) {
	for _, w := range words {
		if ^W(0)>>31 == 1 {
			z = append(z, W(w&0xffff), W(w>>16))
		} else {
			z = append(z, W(w))
		}
	}
	return z
}

// plainWords is x in words of 32 bits.
func plainWords[W literal.Word](x []W) (z []uint32) {
	for _, w := range x {
		z = append(z, uint32(w))
		if ^W(0)>>31 != 1 {
			z = append(z, uint32(uint64(w)>>32))
		}
	}
	return z
}

// cyclicWant sets integer i of z, of twice the width, to the cyclic convolution modulo the prime: the sums of products
// of which it consists lie side by side in one product of integers, in places that hold the largest.
func cyclicWant[W literal.Word](f literal.Field[W], z, x, y []uint32) {
	a, b := halves[W](x), halves[W](y)
	each := (2*halfBits(f) + bits.Len(uint(len(a))) + 63) / 64 // words of a sum
	apart := func(v []W) *big.Int {
		words := make([]big.Word, each*len(v))
		for i, w := range v {
			words[each*i] = big.Word(w)
		}
		return new(big.Int).SetBits(words)
	}
	all := new(big.Int).Mul(apart(a), apart(b)).Bits()
	c := make([]W, len(a))
	for k := range 2 * len(a) {
		var rest uint64 // of the sum modulo the prime
		for j := each - 1; j >= 0; j-- {
			var w uint64
			if at := each*k + j; at < len(all) {
				w = uint64(all[at])
			}
			rest = bits.Rem64(rest, w, uint64(f.P))
		}
		c[k%len(a)] = f.Add(c[k%len(a)], W(rest))
	}
	copy(z, plainWords(c))
}
