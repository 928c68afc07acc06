package poly

import (
	"context"
	"fmt"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
)

// sum adds products of elements, and watches a context while it does.
type sum struct {
	elements *elements
	ctx      context.Context
	t        bulks.View // an element
	done     int        // products since the context was last asked
	buf      bulks.View
}

// rows are parts of a vector x, each of which is multiplied by one element and added to a vector z: r.n elements of x
// from r.x on to those of z from r.z on. From one row to the next they grow by r.dn, r.dx and r.dz.
type rows struct {
	z, dz int
	x, dx int
	n, dn int
}

// watchEvery is the most products between two looks at the context: about 100 µs of work where elements are slow, as a
// big.Int (200 ns a product), and little against the work where they are words (3 ns).
const watchEvery = 512

// every is the products between two looks: fewer where elements are long.
func (s *sum) every() int {
	const long = 64 // bytes
	return min(watchEvery, max(1, watchEvery*long/max(1, s.elements.size)))
}

func (r *ring) sum(ctx context.Context) *sum {
	s := r.sums.Get().(*sum)
	s.ctx = ctx
	return s
}

func (r *ring) release(s *sum) {
	s.ctx = nil
	r.sums.Put(s)
}

// scratch returns n elements of s, of any value.
func (s *sum) scratch(n int) bulks.View {
	if s.buf.N < n {
		s.buf = s.elements.make(n)
	}
	return s.buf.Slice(0, n)
}

// watch counts n products, and returns the error of a context that has ended.
func (s *sum) watch(n int) error {
	if s.done += n; s.done < s.every() {
		return nil
	}
	s.done = 0
	return stopped(s.ctx)
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
func (r *ring) short(ctx context.Context, dst, a, b bulks.View) error {
	if same(a, b) {
		return r.shortSquare(ctx, dst, a)
	}
	s := r.sum(ctx)
	defer r.release(s)
	r.elements.zero(dst)
	return r.elements.addMul(s, dst, a, b, rows{dz: 1, n: a.N})
}

// shortSquare sets dst to a²: each product of two different coefficients once, doubled in the end.
func (r *ring) shortSquare(ctx context.Context, dst, a bulks.View) error {
	s := r.sum(ctx)
	defer r.release(s)
	r.elements.zero(dst)
	if err := r.elements.addMul(s, dst, a, a, rows{z: 1, dz: 2, x: 1, dx: 1, n: a.N - 1, dn: -1}); err != nil {
		return err
	}
	r.elements.add(dst, dst)
	return r.elements.addMul(s, dst, a, a, rows{dz: 2, dx: 1, n: 1})
}

// shortMiddle sets dst to the coefficients from b.N − 1 to a.N − 1 of a·b by the definition.
func (r *ring) shortMiddle(ctx context.Context, dst, a, b bulks.View) error {
	s := r.sum(ctx)
	defer r.release(s)
	r.elements.zero(dst)
	return r.elements.addMul(s, dst, a, b, rows{x: b.N - 1, dx: -1, n: dst.N})
}

// unwrap turns dst[:n] from a·b modulo x^n − 1 into a·b, where dst has the length of the product, at most 2n: the
// coefficients from n on are few, and computed by the definition.
func (r *ring) unwrap(ctx context.Context, dst, a, b bulks.View, n int) error {
	if dst.N <= n {
		return nil
	}
	s := r.sum(ctx)
	defer r.release(s)
	top := dst.Slice(n, dst.N)
	r.elements.zero(top)
	// a[i]·b[j] counts where i + j ≥ n: for i < n with the last coefficients of b, from there on with all.
	first, last := max(0, n-b.N+1), min(n, a.N)
	err := r.elements.addMul(s, top, b, a.Slice(first, last), rows{x: n - first, dx: -1, n: b.N - n + first, dn: 1})
	if err == nil {
		err = r.elements.addMul(s, top, b, a.Slice(last, a.N), rows{dz: 1, n: b.N})
	}
	if err != nil {
		return err
	}
	r.elements.sub(dst.Slice(0, top.N), top)
	return nil
}
