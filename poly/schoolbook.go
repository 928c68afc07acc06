package poly

import (
	"context"
	"fmt"

	"github.com/galfft/fft/field"
)

// sum adds products of elements, and watches a context while it does.
type sum[E any] struct {
	f    field.Field[E]
	ctx  context.Context
	t    E
	done int // products since the context was last asked
	buf  []E
}

// watchEvery is the number of products between two looks at the context: about 100 µs of work where elements are
// slow, as a big.Int (200 ns a product), and little against the work where they are words (3 ns).
const watchEvery = 512

func (r *Ring[E]) sum(ctx context.Context) *sum[E] {
	s := r.sums.Get().(*sum[E])
	s.ctx = ctx
	return s
}

func (r *Ring[E]) release(s *sum[E]) {
	s.ctx = nil
	r.sums.Put(s)
}

// scratch returns n elements of s, of any value.
func (s *sum[E]) scratch(n int) []E {
	if len(s.buf) < n {
		s.buf = make([]E, n)
	}
	return s.buf[:n]
}

// addMul adds c·x to z, of the same length. c is not in z.
func (s *sum[E]) addMul(z, x []E, c *E) error {
	f, t := s.f, &s.t
	for len(x) > 0 {
		n := min(len(x), watchEvery)
		zs := z[:n]
		for i := range zs {
			f.Mul(t, &x[i], c)
			f.Add(&zs[i], &zs[i], t)
		}
		z, x = z[n:], x[n:]
		if s.done += n; s.done >= watchEvery {
			s.done = 0
			if err := stopped(s.ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// stopped returns the error of a context that has ended, or is nil.
func stopped(ctx context.Context) error {
	if ctx == nil {
		return fmt.Errorf("poly: %w: the context is nil", field.ErrSpec)
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("poly: product stopped: %w", err)
	}
	return nil
}

// short sets dst to a·b by the definition; b is the shorter one.
func (r *Ring[E]) short(ctx context.Context, dst, a, b []E) error {
	if same(a, b) {
		return r.shortSquare(ctx, dst, a)
	}
	s := r.sum(ctx)
	defer r.release(s)
	r.elements.zero(dst)
	for i := range b {
		if err := s.addMul(dst[i:][:len(a)], a, &b[i]); err != nil {
			return err
		}
	}
	return nil
}

// shortSquare sets dst to a²: each product of two different coefficients once, doubled in the end.
func (r *Ring[E]) shortSquare(ctx context.Context, dst, a []E) error {
	s := r.sum(ctx)
	defer r.release(s)
	r.elements.zero(dst)
	for i := range a {
		if err := s.addMul(dst[2*i+1:][:len(a)-i-1], a[i+1:], &a[i]); err != nil {
			return err
		}
	}
	r.elements.add(dst, dst)
	for i := range a {
		s.f.Mul(&s.t, &a[i], &a[i])
		s.f.Add(&dst[2*i], &dst[2*i], &s.t)
	}
	return nil
}

// shortMiddle sets dst to the coefficients from len(b) − 1 to len(a) − 1 of a·b by the definition.
func (r *Ring[E]) shortMiddle(ctx context.Context, dst, a, b []E) error {
	s := r.sum(ctx)
	defer r.release(s)
	r.elements.zero(dst)
	for j := range b {
		if err := s.addMul(dst, a[len(b)-1-j:][:len(dst)], &b[j]); err != nil {
			return err
		}
	}
	return nil
}

// unwrap turns dst[:n] from a·b modulo x^n − 1 into a·b, where dst has the length of the product, at most 2n: the
// coefficients from n on are few, and computed by the definition.
func (r *Ring[E]) unwrap(ctx context.Context, dst, a, b []E, n int) error {
	if len(dst) <= n {
		return nil
	}
	s := r.sum(ctx)
	defer r.release(s)
	top := dst[n:]
	r.elements.zero(top)
	for i := max(0, n-len(b)+1); i < len(a); i++ {
		from := max(0, n-i) // a[i]·b[j] counts where i + j ≥ n
		if err := s.addMul(top[i+from-n:][:len(b)-from], b[from:], &a[i]); err != nil {
			return err
		}
	}
	r.elements.sub(dst[:len(top)], top)
	return nil
}
