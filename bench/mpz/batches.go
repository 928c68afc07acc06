//go:build cgo && gmp

package mpz

/*
#include <gmp.h>
#include <string.h>

enum { ADD, SIX_ADD, LOW, WIDE, SQUARE, POLY };

// batch goes through integers of n limbs, each result of n, or of 2n where it is a wide product or square. t has 6n.
static void batch(int op, mp_limb_t *z, const mp_limb_t *x, const mp_limb_t *y, mp_size_t n, size_t count,
		mp_limb_t *t) {
	mp_limb_t *u = t + 2 * n, *v = t + 4 * n;
	for (size_t i = 0; i < count; i++, x += n, y += n) {
		switch (op) {
		case ADD:
			mpn_add_n(z, x, y, n);
			break;
		case SIX_ADD:
			mpn_add_n(t, x, y, n);
			mpn_add_n(t, t, t, n);
			mpn_add_n(t, t, y, n);
			mpn_add_n(u, t, t, n);
			mpn_add_n(t, u, t, n);
			mpn_add_n(z, t, y, n);
			break;
		case LOW:
			mpn_mul_n(t, x, y, n);
			memcpy(z, t, n * sizeof *z);
			break;
		case WIDE:
			mpn_mul_n(z, x, y, n);
			z += n;
			break;
		case SQUARE:
			mpn_sqr(z, x, n);
			z += n;
			break;
		case POLY:
			mpn_sqr(t, x, n);
			mpn_add_n(t, t, y, n);
			mpn_sqr(u, y, n);
			mpn_add_n(u, u, y, n);
			mpn_mul_n(v, t, u, n);
			mpn_mul_n(t, x, y, n);
			mpn_add_n(z, v, t, n);
		}
		z += n;
	}
}
*/
import "C"

import "unsafe"

// batchOps are the operations of Batch.
var batchOps = map[string]C.int{"add": C.ADD, "sixadd": C.SIX_ADD, "mullow": C.LOW, "mulwide": C.WIDE, "sqr": C.SQUARE,
	"poly": C.POLY}

// Batches says whether Batch has the operation.
func Batches(op string) bool { _, ok := batchOps[op]; return ok }

// Batch sets integers z to those of an operation that Batches has on integers x and y of limbs of 64 bits each, side by
// side: sums modulo 2^(64·limbs), 6x + 10y by six of them, low products, whole ones and squares, and
// (x² + y)(y² + y) + xy. It is one call of C.
func Batch(op string, z, x, y []uint32, limbs int) {
	t := make([]uint64, 6*limbs)
	word := func(x []uint32) *C.mp_limb_t { return (*C.mp_limb_t)(unsafe.Pointer(unsafe.SliceData(x))) }
	C.batch(batchOps[op], word(z), word(x), word(y), C.mp_size_t(limbs), C.size_t(len(x)/2/limbs),
		(*C.mp_limb_t)(unsafe.Pointer(unsafe.SliceData(t))))
}

// Version is the version of GMP.
func Version() string { return C.GoString(C.gmp_version) }
