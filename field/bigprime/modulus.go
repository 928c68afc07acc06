package bigprime

import (
	"math/big"
	"math/bits"

	"github.com/galfft/fft/internal/arith"
	"github.com/galfft/fft/kernels/mulx"
)

// modulus is the arithmetic modulo an odd p on slices of w words, canonical in and out; p need not be prime. R is
// 2^(64w).
type modulus struct {
	w   int
	p   []uint64
	inv uint64   // −1/p mod 2^64
	one []uint64 // R mod p
	r2  []uint64 // R² mod p
	n   *big.Int // p

	kernels *mulx.Arithmetic // nil: Go
}

func newModulus(p *big.Int, w int) modulus {
	f := modulus{w: w, p: make([]uint64, w), one: make([]uint64, w), r2: make([]uint64, w), n: new(big.Int).Set(p)}
	setWords(f.p, p)
	f.inv, f.kernels = -arith.Newton(f.p[0]), mulx.New(f.p)
	r := new(big.Int).Lsh(big.NewInt(1), uint(64*w))
	setWords(f.one, r.Mod(r, p))
	setWords(f.r2, r.Mul(r, r).Mod(r, p))
	return f
}

// add sets z = x + y; z may be x or y.
func (f *modulus) add(z, x, y []uint64) {
	p := f.p
	z, x, y = z[:len(p)], x[:len(p)], y[:len(p)]
	var c, b uint64
	for i := range p {
		s, over := bits.Add64(x[i], y[i], c)
		_, b = bits.Sub64(s, p[i], b)
		z[i], c = s, over
	}
	f.subtract(z, -(c | (1 - b))) // where the sum has a word more, or is p or more
}

// subtract subtracts p from z where mask is all ones; it is 0 otherwise.
func (f *modulus) subtract(z []uint64, mask uint64) {
	var b uint64
	z = z[:len(f.p)]
	for i, d := range f.p {
		z[i], b = bits.Sub64(z[i], d&mask, b)
	}
}

// sub sets z = x − y; z may be x or y.
func (f *modulus) sub(z, x, y []uint64) {
	p := f.p
	z, x, y = z[:len(p)], x[:len(p)], y[:len(p)]
	var b, c uint64
	for i := range p {
		z[i], b = bits.Sub64(x[i], y[i], b)
	}
	for i := range p {
		z[i], c = bits.Add64(z[i], p[i]&-b, c)
	}
}

var zeros [most]uint64

func (f *modulus) neg(z, x []uint64) { f.sub(z, zeros[:], x) }

// mul sets z = xy; z may be x or y.
func (f *modulus) mul(z, x, y []uint64) {
	f.mont(z, x, y)
	f.mont(z, z, f.r2)
}

// inverse sets z = 1/x for x ≠ 0 by Euclid's algorithm; z may be x.
func (f *modulus) inverse(z, x []uint64) {
	var t big.Int
	setWords(z, t.ModInverse(setBig(&t, x), f.n))
}

// valid reports whether x is below p.
func (f *modulus) valid(x []uint64) bool {
	for i := len(f.p) - 1; i >= 0; i-- {
		if x[i] != f.p[i] {
			return x[i] < f.p[i]
		}
	}
	return false
}

func isZero(x []uint64) bool {
	for _, d := range x {
		if d != 0 {
			return false
		}
	}
	return true
}

// setWords sets z to the words of x, which has no more.
func setWords(z []uint64, x *big.Int) {
	clear(z)
	for i, d := range x.Bits() {
		z[i*bits.UintSize/64] |= uint64(d) << (i * bits.UintSize % 64)
	}
}

// setBig sets z to the number of words x, and returns it.
func setBig(z *big.Int, x []uint64) *big.Int {
	d := make([]big.Word, len(x)*64/bits.UintSize)
	for i := range d {
		d[i] = big.Word(x[i*bits.UintSize/64] >> (i * bits.UintSize % 64))
	}
	return z.SetBits(d)
}
