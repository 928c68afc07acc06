package midint

import (
	"github.com/galfft/fft/internal/arith"
	"github.com/galfft/fft/kernels/batch"
)

const lanes = 8 // integers of a tile

// form is how tiles multiply integers of one width.
//
// Above mostClassical limbs a product is Karatsuba's: (x0 + x1·B)(y0 + y1·B) by x0·y0, x1·y1 and
// (x0 + x1)(y0 + y1). Sums are not carried: each level leaves a bit of the 52 free. With k levels a column of n limbs
// is below n(2^52 + 2^(52+k)), which is to fit in 63 bits; behind the classical products carries go once, so that what
// joins stays short. Limbs of 28 bits need neither: their products are whole words, so that what joins is the columns
// of the classical product, modulo 2^64, whatever stands on the way. Of 48·2^k limbs of 28 − k bits they are below
// 48·2^(56−k), and the sum of two of them, which a Montgomery product has, fits in 63 bits with its carry.
type form struct {
	set              *batch.Set
	words            int // of 32 bits, of a factor
	bits, levels     int
	base             int // limbs of classical products
	rows, low        []uint64
	constants        *batch.Form
	x, y, z, scratch []uint64
	padX, padY, padZ []uint32
}

// mostClassical is the most limbs of classical products (BenchmarkOperations).
const mostClassical = 48

// productSet is the kernels for products of integers of so many words; nil where those are taken one by one.
func productSet(words int) *batch.Set {
	if s := batch.Active(); s != nil && words >= s.LeastWords {
		return s
	}
	return nil
}

// newForm returns how tiles multiply integers of so many words and bits above them, or one whose set is nil.
func newForm(set *batch.Set, words, spare int) *form {
	f := &form{words: words}
	if set == nil {
		return f
	}
	for ; ; f.levels++ {
		f.bits = set.Bits - f.levels
		limbs := (words*wordBits + spare + f.bits - 1) / f.bits
		f.base = (limbs + 1<<f.levels - 1) >> f.levels
		if set.Bits == batch.LimbBits && f.base*(1+1<<f.levels) >= 1<<(63-batch.LimbBits) {
			return f
		}
		if f.base <= mostClassical {
			break
		}
	}
	f.set, f.constants = set, batch.NewForm(f.bits)
	f.rows, f.low = batch.Rows(f.base, false), batch.Rows(f.base, true)
	n := f.base << f.levels
	vectors := func(n int) []uint64 { return arith.Aligned(lanes * n) }
	f.x, f.y, f.z, f.scratch = vectors(n+lanes), vectors(n+lanes), vectors(2*n+lanes), vectors(4*n+lanes)
	f.padX, f.padY = make([]uint32, lanes*words), make([]uint32, lanes*words)
	f.padZ = make([]uint32, 2*lanes*words)
	return f
}

// groups is the groups of eight limbs of so many words.
func (f *form) groups(words int) int { return (words*wordBits + lanes*f.bits - 1) / (lanes * f.bits) }

// mul sets at most eight integers z to x·y, or to their low words, where z is as short as x. z may be x or y.
func (f *form) mul(z, x, y []uint32, same bool) {
	const bytes = wordBits / 8
	n := f.base << f.levels
	out := len(z) / (len(x) / f.words)
	to := z
	if len(x) < lanes*f.words {
		copy(f.padX, x)
		x = f.padX
		if !same {
			copy(f.padY, y)
			y = f.padY
		}
		to = f.padZ
	}
	f.set.Load(&f.x[0], &x[0], f.constants, bytes*f.words, bytes*f.words, f.groups(f.words))
	v := f.x
	if !same {
		f.set.Load(&f.y[0], &y[0], f.constants, bytes*f.words, bytes*f.words, f.groups(f.words))
		v = f.y
	}
	if out > f.words {
		f.wide(f.z, f.x, v, f.scratch, n)
	} else {
		f.short(f.z, f.x, v, f.scratch, n)
	}
	f.set.Store(&to[0], &f.z[0], f.constants, bytes*out, bytes*out, f.groups(out))
	if &to[0] != &z[0] {
		copy(z, to)
	}
}

// wide sets 2n limbs of z to the product of n of x and of y.
func (f *form) wide(z, x, y, scratch []uint64, n int) {
	if n == f.base {
		f.set.Product(&z[0], &x[0], &y[0], f.rows, f.levels)
		if f.levels > 0 && f.set.Settle != nil {
			f.set.Settle(&z[0], f.bits, 2*n)
		}
		return
	}
	h := n / 2
	at := lanes * h
	a, b, t, rest := scratch, scratch[at:], scratch[2*at:], scratch[4*at:]
	f.set.Add(&a[0], &x[0], &x[at], h)
	f.set.Add(&b[0], &y[0], &y[at], h)
	f.wide(z, x, y, rest, h)
	f.wide(z[2*at:], x[at:], y[at:], rest, h)
	f.wide(t, a, b, rest, h)
	f.set.Join(&z[0], &t[0], h)
}

// short sets n limbs of z to the low ones of that product, with any content in n behind them.
func (f *form) short(z, x, y, scratch []uint64, n int) {
	if n == f.base {
		f.set.Product(&z[0], &x[0], &y[0], f.low, f.levels)
		if f.levels > 0 && f.set.Settle != nil {
			f.set.Settle(&z[0], f.bits, n)
		}
		return
	}
	h := n / 2
	at := lanes * h
	t, rest := scratch, scratch[2*at:]
	f.wide(z, x, y, rest, h)
	f.short(t, x, y[at:], rest, h)
	f.set.Add(&z[at], &z[at], &t[0], h)
	f.short(t, x[at:], y, rest, h)
	f.set.Add(&z[at], &z[at], &t[0], h)
}
