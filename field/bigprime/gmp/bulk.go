//go:build cgo && gmp

package gmp

/*
#cgo LDFLAGS: -lgmp
#cgo noescape galfft_down
#cgo nocallback galfft_down
#cgo noescape galfft_up
#cgo nocallback galfft_up
#cgo noescape galfft_scale
#cgo nocallback galfft_scale
#cgo noescape galfft_mul
#cgo nocallback galfft_mul
#cgo noescape galfft_mul_add
#cgo nocallback galfft_mul_add
#cgo noescape galfft_add
#cgo nocallback galfft_add
#cgo noescape galfft_sub
#cgo nocallback galfft_sub
#cgo noescape mpn_mul_n
#cgo nocallback mpn_mul_n
#include "mpn.h"
*/
import "C"

import (
	"math/big"
	"unsafe"

	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/arith"
)

// Available says whether this program was built with GMP.
const Available = true

// bulk is slices of elements as they stand, with loops in C.
type bulk[E bigprime.Words] struct {
	bulks.Plain[E]
	m    C.modulus
	r2   E   // R² mod p for R = 2^(64n), which brings multipliers into Montgomery's form
	most int // butterflies of a call
}

// leastDivided is the number of words from which on a division takes less time than Montgomery's reduction.
const leastDivided = 96

func newBulk[E bigprime.Words](f *bigprime.Field[E]) (*bulk[E], error) {
	p := f.Characteristic()
	b, n := new(bulk[E]), (p.BitLen()+63)/64
	b.m.words, b.m.n = C.size_t(len(b.r2)), C.size_t(n)
	if n >= leastDivided {
		b.m.divide = 1
	}
	one := big.NewInt(1)
	var e E
	if err := f.SetBig(&e, one.Sub(p, one)); err != nil {
		return nil, err
	}
	for i, d := range words(&e) {
		b.m.p[i] = C.mp_limb_t(d)
	}
	b.m.p[0]++ // which was even
	b.m.inverse = C.mp_limb_t(-arith.Newton(uint64(b.m.p[0])))
	r := new(big.Int).Lsh(big.NewInt(1), uint(128*n))
	if err := f.SetBig(&b.r2, r.Mod(r, p)); err != nil {
		return nil, err
	}
	const nanoseconds = 1e5 // of a call
	b.most = max(1, int(nanoseconds/butterfly(n)))
	return b, nil
}

// butterfly is about what one of n words takes, in nanoseconds.
func butterfly(n int) float64 { return 50 + 2*float64(n*n) }

// init ends a bulk with the field whose plans have it.
func (b *bulk[E]) init(f *Field[E]) { b.Field = f }

func (b *bulk[E]) Traits() bulks.Traits {
	form := "packed elements; GMP " + C.GoString(C.gmp_version) + ", Montgomery products"
	if b.m.divide != 0 {
		form = "packed elements; GMP " + C.GoString(C.gmp_version) + ", products and divisions"
	}
	return bulks.Traits{InPlace: true, Passes: bulks.Passes{Layers: maxLayers}, Butterfly: butterfly(int(b.m.n)),
		Form: form}
}

// words returns the words of x.
func words[E bigprime.Words](x *E) []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(x)), len(*x))
}

// limbs returns the first word of elements, or of words, as C takes it.
func limbs[E any](x []E) *C.mp_limb_t {
	return (*C.mp_limb_t)(unsafe.Pointer(unsafe.SliceData(x)))
}

func (b *bulk[E]) VecMul(z, x, y bulks.View) {
	b.vectors(bulks.SliceOf[E](z), bulks.SliceOf[E](x), bulks.SliceOf[E](y), products)
}

// operation is one on vectors.
type operation int

const (
	products operation = iota
	productSums
	sums
	differences
)

// vectors runs op, a part of the vectors in each call. It panics where x or y is shorter than z.
func (b *bulk[E]) vectors(z, x, y []E, op operation) {
	x, y = x[:len(z)], y[:len(z)]
	for len(z) > 0 {
		n := min(b.most, len(z))
		to, one, other, count := limbs(z), limbs(x), limbs(y), C.size_t(n)
		switch op {
		case products:
			C.galfft_mul(&b.m, to, one, other, count)
		case productSums:
			C.galfft_mul_add(&b.m, to, one, other, count)
		case sums:
			C.galfft_add(&b.m, to, one, other, count)
		case differences:
			C.galfft_sub(&b.m, to, one, other, count)
		}
		z, x, y = z[n:], x[n:], y[n:]
	}
}

// integers returns the product of integers of as many words each.
func integers() (mul func(z, x, y []uint64), err error) {
	return func(z, x, y []uint64) {
		C.mpn_mul_n(limbs(z), limbs(x), limbs(y), C.mp_size_t(len(x)))
	}, nil
}
