//go:build cgo && gmp

#include "mpn.h"

// add sets z = x + y. Whether p is subtracted is no branch: it would be foretold half of the time.
static inline void add(const modulus *m, mp_limb_t *z, const mp_limb_t *x, const mp_limb_t *y) {
	mp_limb_t less[most];
	mp_limb_t carry = mpn_add_n(z, x, y, m->n);
	mp_limb_t below = mpn_sub_n(less, z, m->p, m->n);
	mpn_cnd_sub_n(carry | !below, z, z, m->p, m->n);
}

static inline void sub(const modulus *m, mp_limb_t *z, const mp_limb_t *x, const mp_limb_t *y) {
	mpn_cnd_add_n(mpn_sub_n(z, x, y, m->n), z, z, m->p, m->n);
}

static inline void multiply(const modulus *m, mp_limb_t *t, const mp_limb_t *x, const mp_limb_t *y) {
	if (x == y)
		mpn_sqr(t, x, m->n);
	else
		mpn_mul_n(t, x, y, m->n);
}

// mul sets z = xy.
static inline void mul(const modulus *m, mp_limb_t *z, const mp_limb_t *x, const mp_limb_t *y) {
	mp_limb_t t[2 * most], quotient[most + 1];
	multiply(m, t, x, y);
	mpn_tdiv_qr(quotient, z, 0, t, 2 * m->n, m->p, m->n);
}

// montgomery sets z = xw/R: what is added for each word clears it, and its carry is kept there.
static inline void montgomery(const modulus *m, mp_limb_t *z, const mp_limb_t *x, const mp_limb_t *w) {
	mp_limb_t t[2 * most];
	multiply(m, t, x, w);
	for (size_t i = 0; i < m->n; i++)
		t[i] = mpn_addmul_1(t + i, m->p, m->n, t[i] * m->inverse);
	add(m, z, t + m->n, t);
}

// by sets z = xw for a multiplier w of a table.
static inline void by(const modulus *m, mp_limb_t *z, const mp_limb_t *x, const mp_limb_t *w) {
	if (m->divide)
		mul(m, z, x, w);
	else
		montgomery(m, z, x, w);
}

static inline void down(const modulus *m, mp_limb_t *x, mp_limb_t *y, const mp_limb_t *w, uint8_t one) {
	mp_limb_t t[most];
	if (one)
		mpn_copyi(t, y, m->n);
	else
		by(m, t, y, w);
	sub(m, y, x, t);
	add(m, x, x, t);
}

static inline void up(const modulus *m, mp_limb_t *x, mp_limb_t *y, const mp_limb_t *w, uint8_t one) {
	mp_limb_t t[most];
	sub(m, t, x, y);
	add(m, x, x, y);
	if (one)
		mpn_copyi(y, t, m->n);
	else
		by(m, y, t, w);
}

void galfft_down(const modulus *m, pass r, mp_limb_t *x, mp_limb_t *y, const mp_limb_t *w, const uint8_t *ones) {
	for (size_t b = 0; b < r.blocks; b++)
		for (size_t j = 0; j < r.rows; j++)
			for (size_t at = b * r.step + j * r.stride, i = at; i < at + r.width; i++)
				down(m, x + i * m->words, y + i * m->words, w + b * m->words, ones[b]);
}

void galfft_up(const modulus *m, pass r, mp_limb_t *x, mp_limb_t *y, const mp_limb_t *w, const uint8_t *ones) {
	for (size_t b = 0; b < r.blocks; b++)
		for (size_t j = 0; j < r.rows; j++)
			for (size_t at = b * r.step + j * r.stride, i = at; i < at + r.width; i++)
				up(m, x + i * m->words, y + i * m->words, w + b * m->words, ones[b]);
}

void galfft_scale(const modulus *m, pass r, mp_limb_t *x, const mp_limb_t *w, const uint8_t *ones) {
	for (size_t b = 0; b < r.blocks; b++)
		for (size_t i = b * r.step; !ones[b] && i < b * r.step + r.width; i++)
			by(m, x + i * m->words, x + i * m->words, w + b * m->words);
}

// clear sets the words of an element to 0 that no number has, which may hold anything in a destination.
static inline void clear(const modulus *m, mp_limb_t *z) {
	for (size_t i = m->n; i < m->words; i++)
		z[i] = 0;
}

void galfft_mul(const modulus *m, mp_limb_t *z, const mp_limb_t *x, const mp_limb_t *y, size_t count) {
	for (size_t i = 0; i < count; i++, z += m->words, x += m->words, y += m->words) {
		mul(m, z, x, y);
		clear(m, z);
	}
}

void galfft_mul_add(const modulus *m, mp_limb_t *z, const mp_limb_t *x, const mp_limb_t *y, size_t count) {
	for (size_t i = 0; i < count; i++, z += m->words, x += m->words, y += m->words) {
		mp_limb_t t[most];
		mul(m, t, x, y);
		add(m, z, z, t);
	}
}

void galfft_add(const modulus *m, mp_limb_t *z, const mp_limb_t *x, const mp_limb_t *y, size_t count) {
	for (size_t i = 0; i < count; i++, z += m->words, x += m->words, y += m->words) {
		add(m, z, x, y);
		clear(m, z);
	}
}

void galfft_sub(const modulus *m, mp_limb_t *z, const mp_limb_t *x, const mp_limb_t *y, size_t count) {
	for (size_t i = 0; i < count; i++, z += m->words, x += m->words, y += m->words) {
		sub(m, z, x, y);
		clear(m, z);
	}
}
