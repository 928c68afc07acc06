package poly

import (
	"context"
	"errors"
	"math/bits"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
)

// maxParts bounds the number of transforms that serve one truncated product: each halves what is computed for nothing.
const maxParts = 3

// truncated is the transforms of products that have fewer coefficients than the next power of two 2n: modulo
//
//	M₁·M₂·…·M_j = (x^n₁ + 1)·(x^n₂ + 1)·…·(x^n_j + 1),  n = n₁ > n₂ > … > n_j powers of two,
//
// of degree n₁ + … + n_j, with one transform for each factor. x^n_i is 1 modulo every later factor, so that M_i is 2
// there, and the product is t₁ + M₁·(t₂ + M₂·(t₃ + …)) where t_i comes from its residue u_i by u_l ← (u_l − t_i)/2 for
// all l > i: sums and halves alone. The residues are the values at the points that a truncated Fourier transform takes
// (J. van der Hoeven, ISSAC 2004).
type truncated struct {
	parts [maxParts]*transform
	count int // 0: one whole transform costs less
}

// resident is a field whose transforms of n points may run in the memory of a device.
type resident interface{ Resident(n int) bool }

// truncated returns the transforms for total coefficients, where a whole transform would have length n ≥ total. On a
// device there are none: parts are folded and joined by the host, so that more is copied than is computed less.
func (r *ring) truncated(ctx context.Context, total, n int) (truncated, error) {
	if d, ok := r.elements.f.(resident); ok && d.Resident(n) {
		return truncated{}, nil
	}
	return r.parts(ctx, partLens(total, n, r.joint))
}

// parts returns transforms of lengths l.
func (r *ring) parts(ctx context.Context, l [maxParts]int) (t truncated, err error) {
	for i := 0; i < maxParts && l[i] > 0 && r.plans.halves().N > 0; i++ {
		t.parts[i], err = r.plans.get(ctx, negacyclic, l[i])
		if errors.Is(err, field.ErrNoRoot) {
			return truncated{}, nil // a field with few roots has those of the whole transform, or none
		}
		if err != nil {
			return truncated{}, err
		}
		t.count++
	}
	return t, nil
}

// Weights of what products cost, in units of n in the n·log2(n) of a transform, measured by BenchmarkTruncated:
// products of 9/8, 5/4, 3/2 and 13/8 of a power of two take 0.6, 0.7, 0.8 and 0.9 of those of twice as much from 2^13
// coefficients on, and those of 7/4 and more gain nothing.
const (
	perPoint      = 3    // of a transform, for moving coefficients
	perJoint      = 3    // of a coefficient of the result, for each transform after the first
	perJointWords = 7    // the same for elements of several words that go through other primes
	joint         = 3000 // for each of these, whatever the length
	shortPart     = 64   // no part is shorter
)

// partLens are the lengths of the parts that cost least for total coefficients, longest first, or none where a single
// transform of length n costs less. A joint has the weight perJoint for each coefficient.
func partLens(total, n, perJoint int) (best [maxParts]int) {
	cost := func(n int) int64 { return int64(n) * int64(bits.Len(uint(n))+perPoint) }
	least := cost(n)
	var l [maxParts]int
	var cover func(i, rest, most int, sum int64)
	cover = func(i, rest, most int, sum int64) {
		if i == maxParts || most < shortPart {
			return
		}
		last := max(shortPart, ceilPow2(rest))
		if c := sum + cost(last); i > 0 && last <= most && c < least {
			least, best = c, l
			best[i] = last
		}
		if part := last / 2; part < rest && part <= most {
			l[i] = part
			cover(i+1, rest-part, part/2, sum+cost(part)+joint+int64(perJoint)*int64(total))
			l[i] = 0
		}
	}
	cover(0, total, n/2, 0)
	return best
}

// partials are the work of all parts of a running product.
type partials [maxParts]*work

func (t *truncated) work() (p partials, err error) {
	for i := range t.count {
		if p[i], err = t.parts[i].work(); err != nil {
			return p, err
		}
	}
	return p, nil
}

func (p *partials) release() {
	for _, w := range p {
		if w != nil {
			w.release()
		}
	}
}

// times sets dst to a·b.
func (t *truncated) times(ctx context.Context, dst, a, b bulks.View) error {
	p, err := t.work()
	if err != nil {
		return err
	}
	defer p.release()
	for _, w := range p[:t.count] {
		if err := w.times(ctx, w.room(), 0, a, b, nil); err != nil {
			return err
		}
	}
	p.join(dst)
	return nil
}

// timesValues sets dst to the product of a and the operand with values y.
func (t *truncated) timesValues(ctx context.Context, dst, a bulks.View, y *[maxParts]fft.Vec) error {
	p, err := t.work()
	if err != nil {
		return err
	}
	defer p.release()
	for i, w := range p[:t.count] {
		if err := w.times(ctx, w.room(), 0, a, bulks.View{}, y[i]); err != nil {
			return err
		}
	}
	p.join(dst)
	return nil
}

// multiply sets dst to the product of the operands with values x and y.
func (t *truncated) multiply(ctx context.Context, dst bulks.View, x, y *[maxParts]fft.Vec) error {
	p, err := t.work()
	if err != nil {
		return err
	}
	defer p.release()
	for i, w := range p[:t.count] {
		if err := w.multiply(ctx, w.room(), 0, x[i], y[i]); err != nil {
			return err
		}
	}
	p.join(dst)
	return nil
}

// join sets dst to the product whose residues are in the bufs, which it uses up. Coefficients beyond dst are 0.
func (p *partials) join(dst bulks.View) {
	var from [maxParts]int // of t_i
	count := 0
	for ; count < maxParts && p[count] != nil; count++ {
		if count > 0 {
			from[count] = from[count-1] + p[count-1].n
		}
		for _, w := range p[:count] {
			u := p[count]
			u.elements.subtractHalf(u.buf, w.buf, u.halves)
		}
	}
	for i := count - 1; i >= 0; i-- {
		if from[i] >= dst.N {
			continue
		}
		w := p[i]
		end := min(dst.N, from[i]+w.n)
		part, rest := dst.Slice(from[i], end), dst.Slice(end, dst.N) // rest is t_(i+1) + M_(i+1)·(…)
		w.elements.copyAdd(part, w.buf, rest)
	}
}
