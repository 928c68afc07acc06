//go:build cgo && gmp

// Arithmetic on vectors of residues modulo p, canonical in and out, in mpn.c.

#include <gmp.h>
#include <stddef.h>
#include <stdint.h>

#if GMP_NUMB_BITS != 64
#error "GMP has no words of 64 bits here"
#endif

enum { most = 128 }; // words of a number

// modulus is p with its constants; R is 2^(64n).
typedef struct {
	size_t words;        // of an element
	size_t n;            // of p, the words of an element that may be other than 0
	int divide;          // products by multipliers are divided by p; otherwise they are Montgomery's
	mp_limb_t inverse;   // -1/p mod 2^64
	mp_limb_t p[most];
} modulus;

// pass is rows of elements: block b has its rows from b*step on, stride elements apart, of width elements. It takes the
// multiplier w[b], and none where ones[b].
typedef struct {
	size_t blocks, step, rows, stride, width;
} pass;

// galfft_down sets (x, y) = (x + wy, x - wy), galfft_up (x + y, w(x - y)). galfft_scale sets x = wx.
void galfft_down(const modulus *m, pass r, mp_limb_t *x, mp_limb_t *y, const mp_limb_t *w, const uint8_t *ones);
void galfft_up(const modulus *m, pass r, mp_limb_t *x, mp_limb_t *y, const mp_limb_t *w, const uint8_t *ones);
void galfft_scale(const modulus *m, pass r, mp_limb_t *x, const mp_limb_t *w, const uint8_t *ones);

// Of count elements; z may be x or y.
void galfft_mul(const modulus *m, mp_limb_t *z, const mp_limb_t *x, const mp_limb_t *y, size_t count);    // xy
void galfft_mul_add(const modulus *m, mp_limb_t *z, const mp_limb_t *x, const mp_limb_t *y, size_t count); // z + xy
void galfft_add(const modulus *m, mp_limb_t *z, const mp_limb_t *x, const mp_limb_t *y, size_t count);
void galfft_sub(const modulus *m, mp_limb_t *z, const mp_limb_t *x, const mp_limb_t *y, size_t count);
