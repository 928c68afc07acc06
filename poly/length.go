package poly

import (
	"errors"
	"math"
	"math/bits"

	"github.com/galfft/fft/field"
)

// transform returns the transform for a product with an operand of m coefficients that takes l others in one
// block or several: n − m + 1 in each, n its length. It prefers the length that costs least; where the field has
// no root for that, it takes the longest that there is, as long as blocks are not shorter than the operand.
func (r *Ring[E]) transform(m, l, wrap int) (*transform[E], error) {
	t, err := r.plans.get(products, transformLen(m, l, wrap, math.MaxInt))
	if errors.Is(err, field.ErrNoRoot) {
		t, err = r.plans.get(products, transformLen(m, l, wrap, r.plans.longest()))
	}
	return t, err
}

// transformLen is the length up to limit that costs least, or the least possible one if that is above limit. One
// block may wrap around by at most wrap coefficients.
func transformLen(m, l, wrap, limit int) int {
	total := m + l - 1
	n := cyclicLen(m+min(m, l)-1, total, wrap)
	best, least := n, int64(math.MaxInt64)
	for {
		blocks := 1
		if total-n > wrap {
			blocks = (l + n - m) / (n - m + 1)
		}
		if c := int64(1+2*blocks) * int64(n) * int64(bits.Len(uint(n))); c < least {
			best, least = n, c
		}
		if blocks == 1 || n > limit/2 {
			return best
		}
		n *= 2
	}
}

// cyclicLen is the power of two from need on, or half of it where that leaves total at most wrap coefficients
// above.
func cyclicLen(need, total, wrap int) int {
	n := ceilPow2(need)
	if total-n/2 <= wrap {
		n /= 2
	}
	return n
}

func ceilPow2(n int) int { return 1 << bits.Len(uint(n-1)) }
