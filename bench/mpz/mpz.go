//go:build cgo && gmp

package mpz

/*
#cgo LDFLAGS: -lgmp
#include <gmp.h>
#include <stdlib.h>

typedef struct {
	size_t n;
	mpz_t p, t, *x;
	mpz_t *y; // scratch
	mpz_t *w; // level by level: n/2 powers of the root, n/4 of its square, and so on
} transform;

static mpz_t *integers(size_t n) {
	mpz_t *x = calloc(n, sizeof *x);
	for (size_t i = 0; i < n; i++)
		mpz_init(x[i]);
	return x;
}

static void set(mpz_t z, const unsigned char *b, size_t length) { mpz_import(z, length, 1, 1, 1, 0, b); }

static transform *create(size_t n, const unsigned char *p, size_t lengthOfP, const unsigned char *root, size_t length) {
	transform *f = malloc(sizeof *f);
	f->n = n;
	mpz_init(f->p);
	mpz_init(f->t);
	set(f->p, p, lengthOfP);
	f->x = integers(n);
	f->y = integers(n);
	f->w = integers(n);
	mpz_t r;
	mpz_init(r);
	set(r, root, length);
	mpz_t *w = f->w;
	for (size_t h = n / 2; h > 0; w += h, h /= 2) {
		mpz_set_ui(w[0], 1);
		for (size_t i = 1; i < h; i++) {
			mpz_mul(w[i], w[i - 1], r);
			mpz_mod(w[i], w[i], f->p);
		}
		mpz_mul(r, r, r);
		mpz_mod(r, r, f->p);
	}
	mpz_clear(r);
	return f;
}

static void destroy(transform *f) {
	for (size_t i = 0; i < f->n; i++)
		mpz_clears(f->x[i], f->y[i], f->w[i], NULL);
	free(f->x);
	free(f->y);
	free(f->w);
	mpz_clears(f->p, f->t, NULL);
	free(f);
}

static void put(transform *f, size_t i, const unsigned char *b, size_t length) { set(f->x[i], b, length); }

static void get(transform *f, size_t i, unsigned char *b, size_t length) {
	size_t used = (mpz_sizeinbase(f->x[i], 2) + 7) / 8, count;
	for (size_t k = 0; k < length - used; k++)
		b[k] = 0;
	if (mpz_sgn(f->x[i]) == 0)
		b[length - 1] = 0;
	else
		mpz_export(b + (length - used), &count, 1, 1, 1, 0, f->x[i]);
}

#define ADD(z, a, b) (mpz_add(z, a, b), mpz_mod(z, z, f->p))
#define SUB(z, a, b) (mpz_sub(z, a, b), mpz_mod(z, z, f->p))
#define MUL(z, a, b) (mpz_mul(z, a, b), mpz_mod(z, z, f->p))

static void copyBack(transform *f) {
	for (size_t i = 0; i < f->n; i++)
		mpz_set(f->x[i], f->y[i]);
}

// transpose is that of each block of rows × columns.
static void transpose(transform *f, size_t rows, size_t columns) {
	for (size_t b = 0; b < f->n; b += rows * columns)
		for (size_t i = 0; i < rows; i++)
			for (size_t j = 0; j < columns; j++)
				mpz_set(f->y[b + j * rows + i], f->x[b + i * columns + j]);
	copyBack(f);
}

// pairs is DFT_2 of neighbours.
static void pairs(transform *f) {
	for (mpz_t *x = f->x; x < f->x + f->n; x += 2) {
		mpz_set(f->t, x[1]);
		SUB(x[1], x[0], f->t);
		ADD(x[0], x[0], f->t);
	}
}

// butterflies is a level of blocks of 2h: sums and differences of x[z] and x[h+z]·w[z] go to places z and h+z of to,
// which is x or y.
static void butterflies(transform *f, mpz_t *to, size_t h, mpz_t *w) {
	mpz_t *x = f->x;
	for (size_t b = 0; b < f->n; b += 2 * h, x += 2 * h, to += 2 * h)
		for (size_t z = 0; z < h; z++) {
			if (z == 0)
				mpz_set(f->t, x[h]);
			else
				MUL(f->t, x[h + z], w[z]);
			SUB(to[h + z], x[z], f->t);
			ADD(to[z], x[z], f->t);
		}
}

// explicit is a level in four loops: twiddles, the shuffle that brings pairs together, DFT_2, and the sort back.
static void explicit(transform *f, size_t h, mpz_t *w) {
	for (mpz_t *x = f->x; x < f->x + f->n; x += 2 * h)
		for (size_t z = 1; z < h; z++)
			MUL(x[h + z], x[h + z], w[z]);
	transpose(f, 2, h);
	pairs(f);
	transpose(f, h, 2);
}

enum { FOUR_STEP, MERGED, SIX_STEP };

// forward transforms x, which is in bit-reversed order.
static void forward(transform *f, int scheme) {
	mpz_t *w = f->w + (f->n - 2);
	pairs(f);
	for (size_t h = 2; h < f->n; h *= 2) {
		w -= h;
		switch (scheme) {
		case SIX_STEP:
			explicit(f, h, w);
			break;
		case MERGED:
			butterflies(f, f->y, h, w);
			copyBack(f);
			break;
		default:
			butterflies(f, f->x, h, w);
		}
	}
}
*/
import "C"

import (
	"math/big"
	"math/bits"
	"unsafe"

	"github.com/galfft/fft/field"
)

// Transform is one of n points, n ≥ 2 a power of two, on integers that it holds.
type Transform struct {
	f      *C.transform
	scheme C.int
	n      int
	size   int // bytes of p
}

// New makes the transform of n points modulo p with a root of order n, by the six-step, the merged six-step, or else
// the four-step.
func New(p, root *big.Int, n int, scheme field.Algorithm) *Transform {
	b, r := p.Bytes(), root.Bytes()
	f := C.create(C.size_t(n), first(b), C.size_t(len(b)), first(r), C.size_t(len(r)))
	t := &Transform{f, C.FOUR_STEP, n, len(b)}
	switch scheme {
	case field.SixStep:
		t.scheme = C.SIX_STEP
	case field.SixStepMerged:
		t.scheme = C.MERGED
	}
	return t
}

func first(b []byte) *C.uchar { return (*C.uchar)(unsafe.SliceData(b)) }

// place is where input i stands: the program takes its input sorted, and does not count that as time.
func (t *Transform) place(i int) C.size_t {
	return C.size_t(bits.Reverse64(uint64(i)) >> (64 - bits.Len(uint(t.n-1))))
}

// Load sets input i to x.
func (t *Transform) Load(i int, x *big.Int) {
	b := x.FillBytes(make([]byte, t.size))
	C.put(t.f, t.place(i), first(b), C.size_t(t.size))
}

// Forward replaces the inputs by the values, in their natural order.
func (t *Transform) Forward() { C.forward(t.f, t.scheme) }

// Value returns value j.
func (t *Transform) Value(j int) *big.Int {
	b := make([]byte, t.size)
	C.get(t.f, C.size_t(j), first(b), C.size_t(t.size))
	return new(big.Int).SetBytes(b)
}

// Close frees the memory.
func (t *Transform) Close() { C.destroy(t.f) }
