//go:build cgo && gmp

package mpz

/*
#include <gmp.h>

typedef struct {
	const mp_limb_t *p;
	mp_limb_t inverse; // of -p modulo 2^64
	mp_size_t n;
} modulus;

enum { most = 128 };

// montgomery sets z = xy/2^(64n) mod p, element by element.
static void montgomery(modulus m, mp_limb_t *z, const mp_limb_t *x, const mp_limb_t *y, size_t count) {
	mp_limb_t t[2 * most], less[most];
	for (size_t i = 0; i < count; i++, z += m.n, x += m.n, y += m.n) {
		mpn_mul_n(t, x, y, m.n);
		for (mp_size_t j = 0; j < m.n; j++)
			t[j] = mpn_addmul_1(t + j, m.p, m.n, t[j] * m.inverse);
		mp_limb_t carry = mpn_add_n(z, t + m.n, t, m.n), below = mpn_sub_n(less, z, m.p, m.n);
		mpn_cnd_sub_n(carry | !below, z, z, m.p, m.n);
	}
}

// divided sets z = xy mod p.
static void divided(modulus m, mp_limb_t *z, const mp_limb_t *x, const mp_limb_t *y, size_t count) {
	mp_limb_t t[2 * most], quotient[most + 1];
	for (size_t i = 0; i < count; i++, z += m.n, x += m.n, y += m.n) {
		mpn_mul_n(t, x, y, m.n);
		mpn_tdiv_qr(quotient, z, 0, t, 2 * m.n, m.p, m.n);
	}
}
*/
import "C"

import "unsafe"

// Products multiplies vectors of elements of 2 to 128 words, packed one behind the other, with one call of C for each
// vector: as GMP's low-level functions do best, without integers that own memory.
type Products struct {
	p       []uint64
	inverse uint64
}

// NewProducts makes the products modulo p, which is odd and whose highest word is not 0.
func NewProducts(p []uint64) Products {
	x := p[0] // of three bits, which each step doubles
	for range 5 {
		x *= 2 - p[0]*x
	}
	return Products{p, -x}
}

func (m Products) modulus() C.modulus {
	return C.modulus{limbs(m.p), C.mp_limb_t(m.inverse), C.mp_size_t(len(m.p))}
}

func limbs(x []uint64) *C.mp_limb_t { return (*C.mp_limb_t)(unsafe.Pointer(unsafe.SliceData(x))) }

// Montgomery sets z = xy/2^(64w) for elements of w words.
func (m Products) Montgomery(z, x, y []uint64) {
	C.montgomery(m.modulus(), limbs(z), limbs(x), limbs(y), C.size_t(len(z)/len(m.p)))
}

// Plain sets z = xy, by divisions.
func (m Products) Plain(z, x, y []uint64) {
	C.divided(m.modulus(), limbs(z), limbs(x), limbs(y), C.size_t(len(z)/len(m.p)))
}
