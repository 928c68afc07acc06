package verbs

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
)

// Check is the outcome of one check.
type Check struct {
	Name string
	Err  error // nil when the check passed
	Time time.Duration
}

// verifier is one plan under test.
type verifier[E any] struct {
	k       *known[E]
	ctx     context.Context
	plan    *fft.Plan[E]
	index   func(j int) int // of the value at point j
	sampler field.Sampler[E]
	rand    *rand.Rand
}

// VerifyTransforms is the number of transforms in the checks of Verify together.
const VerifyTransforms = 3 + 3 + 2 + 4 + 1 + 3

// verifyVectors is the number of vectors that a check holds at once.
const verifyVectors = 8

func (h *hidden[E]) Verify(ctx context.Context, n int, seed uint64, opt Options, report func(Check)) error {
	s, err := h.known.sampler()
	if err != nil {
		return err
	}
	p, err := fft.NewPlanContext(ctx, h.known.field(), n, opt.plan()...)
	if err != nil {
		return err
	}
	if err := h.known.fit(verifyVectors, 1, n); err != nil {
		return err
	}
	v := &verifier[E]{h.known, ctx, p, indexOf(p), s, newRand(seed, uint64(n))}
	failed := 0
	checks := []struct {
		name string
		run  func() error
	}{
		{"linearity", v.linearity}, {"impulse", v.impulse}, {"shift", v.shift},
		{"round trip", v.roundTrip}, {"random points", v.randomPoints}, {"convolution", v.convolution},
	}
	for _, c := range checks {
		start := time.Now()
		err := c.run()
		if err != nil && !errors.Is(err, ErrWrong) {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		if err != nil {
			failed++
		}
		report(Check{c.name, err, time.Since(start)})
	}
	if failed > 0 {
		return fmt.Errorf("galfft: %w: %d of %d checks of %s at length %d failed", ErrWrong, failed, len(checks),
			h.Name(), n)
	}
	return nil
}

func (v *verifier[E]) vector() ([]E, error) { return random(v.ctx, v.sampler, v.rand, v.plan.Len()) }

// forward returns the transform of x, which stays.
func (v *verifier[E]) forward(x []E) ([]E, error) {
	y := make([]E, len(x))
	return y, v.plan.ForwardContext(v.ctx, y, x)
}

// transformed returns a vector and its transform.
func (v *verifier[E]) transformed() (x, y []E, err error) {
	if x, err = v.vector(); err == nil {
		y, err = v.forward(x)
	}
	return x, y, err
}

// F(ax + y) = aF(x) + F(y).
func (v *verifier[E]) linearity() error {
	var a E
	v.sampler.Random(&a, v.rand)
	combine := func(x, y []E) ([]E, error) {
		z := make([]E, len(x))
		return z, each(v.ctx, len(z), func(i int) error {
			v.k.f.Mul(&z[i], &x[i], &a)
			v.k.f.Add(&z[i], &z[i], &y[i])
			return nil
		})
	}
	x, fx, err := v.transformed()
	if err != nil {
		return err
	}
	y, fy, err := v.transformed()
	if err != nil {
		return err
	}
	z, err := combine(x, y)
	if err != nil {
		return err
	}
	got, err := v.forward(z)
	if err != nil {
		return err
	}
	want, err := combine(fx, fy)
	if err != nil {
		return err
	}
	return v.k.differVec(v.ctx, "value", got, want)
}

// F(xᵏ) at point j is pointⱼᵏ, for the first, the last and a random k.
func (v *verifier[E]) impulse() error {
	n, d := v.plan.Len(), v.plan.Domain()
	for _, k := range []int{0, n - 1, v.rand.IntN(n)} {
		x := make([]E, n)
		v.k.f.One(&x[k])
		y, err := v.forward(x)
		if err != nil {
			return err
		}
		var root, want E
		field.PowUint(v.k.field(), &root, &d.Root, uint64(k))
		v.k.f.One(&want)
		err = each(v.ctx, n, func(j int) error {
			i := v.index(j)
			if err := v.k.differ("value", i, &y[i], &want); err != nil {
				return fmt.Errorf("of x^%d: %w", k, err)
			}
			v.k.f.Mul(&want, &want, &root)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// F(x·a mod xⁿ−1) at point j is pointⱼ·F(a).
func (v *verifier[E]) shift() error {
	x, y, err := v.transformed()
	if err != nil {
		return err
	}
	n := len(x)
	moved := make([]E, n)
	v.k.copy(moved[1:], x[:n-1])
	v.k.copy(moved[:1], x[n-1:])
	got, err := v.forward(moved)
	if err != nil {
		return err
	}
	d := v.plan.Domain()
	var point E
	v.k.f.Set(&point, &d.Shift)
	return each(v.ctx, n, func(j int) error {
		i := v.index(j)
		v.k.f.Mul(&y[i], &y[i], &point)
		v.k.f.Mul(&point, &point, &d.Root)
		return v.k.differ("value", i, &got[i], &y[i])
	})
}

// The inverse undoes the transform, in place and out of place.
func (v *verifier[E]) roundTrip() error {
	x, y, err := v.transformed()
	if err != nil {
		return err
	}
	z := make([]E, len(x))
	if err := v.plan.InverseContext(v.ctx, z, y); err != nil {
		return err
	}
	if err := v.k.differVec(v.ctx, "coefficient", z, x); err != nil {
		return err
	}
	if err := v.plan.ForwardContext(v.ctx, z, z); err != nil {
		return err
	}
	if err := v.k.differVec(v.ctx, "value", z, y); err != nil {
		return fmt.Errorf("in place: %w", err)
	}
	if err := v.plan.InverseContext(v.ctx, z, z); err != nil {
		return err
	}
	if err := v.k.differVec(v.ctx, "coefficient", z, x); err != nil {
		return fmt.Errorf("in place: %w", err)
	}
	return nil
}

// Values at random points are those of Horner's rule, and all together belong to the polynomial.
func (v *verifier[E]) randomPoints() error {
	x, y, err := v.transformed()
	if err != nil {
		return err
	}
	return v.k.checkValues(v.ctx, v.plan, v.sampler, v.rand, y, x)
}

// The product of transforms in working form is that of the cyclic convolution, at points of the domain.
func (v *verifier[E]) convolution() error {
	x, err := v.vector()
	if err != nil {
		return err
	}
	y, err := v.vector()
	if err != nil {
		return err
	}
	a, err := v.plan.NewVec()
	if err != nil {
		return err
	}
	b, err := v.plan.NewVec()
	if err != nil {
		return err
	}
	z := make([]E, len(x))
	for _, step := range []func() error{
		func() error { return v.plan.Load(a, x) },
		func() error { return v.plan.Load(b, y) },
		func() error { return v.plan.ForwardVec(v.ctx, a) },
		func() error { return v.plan.ForwardVec(v.ctx, b) },
		func() error { return v.plan.MulVec(a, a, b) },
		func() error { return v.plan.InverseVec(v.ctx, a) },
		func() error { return v.plan.Store(z, a) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return v.k.checkProduct(v.ctx, spotChecks, func(t *E) { v.plan.Point(t, v.rand.IntN(len(x))) }, z, x, y)
}
