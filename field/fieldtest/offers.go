package fieldtest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/galfft/fft/field"
)

// ranges checks that the first of the elements which are none is found.
func (s *suite) ranges(r *rand.Rand, f rangeChecker) error {
	bad, some := s.invalid()
	for range 20 * s.scale {
		x, want := s.f.Make(r.IntN(40)), -1
		for i := range x {
			s.f.Set(x[i], s.draw(r))
		}
		for i := len(x) - 1; some && i >= 0; i-- {
			if r.IntN(30) == 0 {
				s.f.Assign(x[i], bad)
				want = i
			}
		}
		if got := f.FirstInvalid(x); got != want {
			return fmt.Errorf("FirstInvalid of %d elements is %d, want %d", len(x), got, want)
		}
	}
	return nil
}

// lateRoots checks that a root is the same with a context, and that one which ended gives no other values.
func (s *suite) lateRoots(_ *rand.Rand, f contextRoots) error {
	roots := s.has.rooted
	if roots == nil {
		return errNotOffered
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	for _, n := range append([]uint64{0, 1, 2, 3, 4, 8, 64}, s.orders...) {
		want, got, mark := s.f.New(), s.one(), s.one()
		err := roots.RootOfUnity(want, n)
		if e := f.RootOfUnityContext(context.Background(), got, n); (e == nil) != (err == nil) ||
			errors.Is(e, field.ErrNoRoot) != errors.Is(err, field.ErrNoRoot) {
			return fmt.Errorf("the error for a root of order %d is %v, without a context %v", n, e, err)
		}
		if err != nil {
			want = mark
		}
		if !s.same(want, got) {
			return fmt.Errorf("root of order %d with a context %s, want %s", n, s.show(got), s.show(want))
		}
		got = s.one()
		switch e := f.RootOfUnityContext(ended, got, n); {
		case err != nil && !errors.Is(e, field.ErrNoRoot), e != nil && err == nil && !errors.Is(e, context.Canceled):
			return fmt.Errorf("after the end of its context, the error for a root of order %d is %v", n, e)
		case e == nil && !s.same(want, got), e != nil && !s.same(mark, got):
			return fmt.Errorf("after the end of its context, root of order %d is %s, error %v", n, s.show(got), e)
		}
	}
	return nil
}

// subspace checks that the points of the field's own basis are distinct, and that a longer basis begins with it.
func (s *suite) subspace(_ *rand.Rand, f subspaces) error {
	const most = 4096 // more dimensions than are tried
	var last elements
	for k := range 8 {
		b := s.f.Make(k)
		if err := f.Subspace(b); errors.Is(err, field.ErrLength) && k > 0 {
			break
		} else if err != nil {
			return fmt.Errorf("subspace of %d dimensions: %w", k, err)
		}
		for i := range last {
			if !s.same(last[i], b[i]) {
				return fmt.Errorf("vector %d of %d is %s, and of fewer %s", i, k, s.show(b[i]), s.show(last[i]))
			}
		}
		last = b
	}
	points := s.f.Make(1 << len(last))
	for j := range points {
		s.f.Affine(points[j], last, j)
		if j > 0 && s.isZero(points[j]) { // a sum of vectors, so that none other is
			return fmt.Errorf("vectors of a subspace of %d dimensions depend on each other", len(last))
		}
	}
	long := s.f.Make(most)
	if err := f.Subspace(long); !errors.Is(err, field.ErrLength) || !s.isZero(long[0]) {
		return fmt.Errorf("subspace of %d dimensions: error %v and first vector %s, want ErrLength and nothing", most,
			err, s.show(long[0]))
	}
	return nil
}

// convolver checks products modulo x^n − 1 and x^n + 1 against their definition, in steps and by a Multiplier, and that
// their cost is a number.
func (s *suite) convolver(r *rand.Rand, f convolver) error {
	for _, n := range []int{1, 2, 16} {
		if a, b := f.ConvolutionCost(n), f.ConvolutionCost(n); !(a > 0) || a != b {
			return fmt.Errorf("cost of convolutions of length %d: %v, then %v", n, a, b)
		}
		for _, negacyclic := range []bool{false, true} {
			c, err := f.Convolution(n, negacyclic, field.Spec{})
			if errors.Is(err, field.ErrNoRoot) {
				return errNotOffered // a wrapper of a field without convolutions
			}
			if err != nil {
				return fmt.Errorf("convolution of length %d: %w", n, err)
			}
			if err := s.convolution(r, c, n, negacyclic); err != nil {
				return fmt.Errorf("convolution of length %d, negacyclic %t: %w", n, negacyclic, err)
			}
		}
	}
	return nil
}

func (s *suite) convolution(r *rand.Rand, c convolution, n int, negacyclic bool) error {
	ctx := context.Background()
	a, b, want, got := s.f.Make(n), s.f.Make(n), s.f.Make(n), s.f.Make(n)
	for i := range n {
		s.f.Set(a[i], s.draw(r))
		s.f.Set(b[i], s.draw(r))
	}
	for i := range n {
		for j := range n {
			x, z := s.mul(a[i], b[j]), want[(i+j)%n]
			if i+j >= n && negacyclic {
				s.f.Sub(z, z, x)
			} else {
				s.f.Add(z, z, x)
			}
		}
	}
	x, err := c.NewVec()
	y, other := c.NewVec()
	if err = errors.Join(err, other); err != nil {
		return err
	}
	if err := errors.Join(c.Load(x, a), c.Load(y, b), c.ForwardVec(ctx, x), c.ForwardVec(ctx, y), c.MulVec(x, x, y),
		c.InverseVec(ctx, x), c.Store(got, x)); err != nil {
		return err
	}
	if err := s.agree(want, got); err != nil {
		return fmt.Errorf("in steps: %w", err)
	}
	m := c.Multiplier()
	for _, second := range []elements{b, nil} { // y keeps the values of b
		if m == nil {
			break
		}
		from := r.IntN(n)
		part := s.f.Make(n - from)
		if err := m.Multiply(ctx, part, from, a, second, x, y); err != nil {
			return err
		}
		if err := s.agree(want[from:], part); err != nil {
			return fmt.Errorf("Multiply from coefficient %d on, %d of the second factor: %w", from, len(second), err)
		}
	}
	return errors.Join(x.Close(), y.Close())
}
