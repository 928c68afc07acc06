package poly

import (
	"context"
	"errors"
	"math"
	"math/bits"

	"github.com/galfft/fft/field"
)

// transform returns the transform for a product with an operand of m coefficients that takes l others in one block or
// several: n − m + 1 in each, n its length. It prefers the length that costs least. Where the field has no root for
// that, it takes the longest that there is, as long as blocks are not shorter than the operand, and as that costs less
// than going through other primes, which some fields offer.
func (r *ring) transform(ctx context.Context, m, l, schoolbook int) (*transform, error) {
	n, cost := transformLen(m, l, schoolbook, math.MaxInt)
	if r.elements.through && r.plans.products == field.AutoProducts && n > r.plans.longest() {
		short, blocks := transformLen(m, l, schoolbook, r.plans.longest())
		if short <= r.plans.longest() && float64(blocks) <= r.elements.cost(n)*float64(cost) {
			n = short
		}
	}
	t, err := r.plans.get(ctx, products, n)
	if errors.Is(err, field.ErrNoRoot) {
		n, _ = transformLen(m, l, schoolbook, r.plans.longest())
		t, err = r.plans.get(ctx, products, n)
	}
	return t, err
}

// transformLen is the length up to limit that costs least, or the least possible one if that is above limit, and what
// it costs: n·log2(n) for each transform. One block may wrap around.
func transformLen(m, l, schoolbook, limit int) (best int, least int64) {
	total := m + l - 1
	n := cyclicLen(m+min(m, l)-1, total, schoolbook)
	best, least = n, math.MaxInt64
	for {
		blocks := 1
		if !wraps(n, total, schoolbook) {
			blocks = (l + n - m) / (n - m + 1)
		}
		// One transform of the operand, and two for each block.
		if c := int64(1+2*blocks) * int64(n) * int64(bits.Len(uint(n))); c < least {
			best, least = n, c
		}
		if blocks == 1 || n > limit/2 {
			return best, least
		}
		n *= 2
	}
}

// cyclicLen is the power of two from need on, or half of it where total coefficients may wrap around that.
func cyclicLen(need, total, schoolbook int) int {
	n := ceilPow2(need)
	if wraps(n/2, total, schoolbook) {
		return n / 2
	}
	return n
}

// wraps reports whether a product of total coefficients is made by transforms of length n: it has no more, or the
// e above n are so few that computing them by the definition, in e²/2 products of elements, costs less than
// transforms of twice the length. With a crossover c, c² products cost three transforms of length 2c, so that
// theory allows e² = n·c and more. Measured by BenchmarkLengths: half of the time just above n, 0.7 of it at the
// edge for n = 2048; no loss there for n = 64.
func wraps(n, total, schoolbook int) bool {
	e := float64(total - n)
	return e <= 0 || 2*e*e <= float64(n)*float64(schoolbook)
}

func ceilPow2(n int) int { return 1 << bits.Len(uint(n-1)) }
