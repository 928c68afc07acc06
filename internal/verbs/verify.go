package verbs

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/erased"
)

// Check is the outcome of one check.
type Check struct {
	Name string
	Err  error // nil when the check passed
	Time time.Duration
}

// verifier is one plan under test.
type verifier struct {
	*hidden
	ctx     context.Context
	options Options
	plan    *erased.Plan
	domain  *subspace       // of the plan; nil: its points are roots of unity
	index   func(j int) int // of the value at point j
	rand    *rand.Rand
}

// check is one of Verify.
type check struct {
	name string
	run  func() error
}

func (h *hidden) VerifyTransforms(n int) int {
	const linearity, impulse, shift, basis, roundTrip, randomPoints, convolution = 3, 3, 2, 2, 4, 1, 3
	all := linearity + impulse + shift + roundTrip + randomPoints + convolution
	if h.f.Subspaces() && n&(n-1) == 0 {
		all += basis
	}
	return all
}

// verifyVectors is the number of vectors that a check holds at once.
const verifyVectors = 8

func (h *hidden) Verify(ctx context.Context, n int, seed uint64, opt Options, report func(Check)) error {
	if err := h.needSampler(); err != nil {
		return err
	}
	p, err := h.plan(ctx, n, opt)
	if err != nil {
		return err
	}
	if err := h.fit(verifyVectors, 1, n); err != nil {
		return err
	}
	v := &verifier{h, ctx, opt, p, h.subspaceOf(p), indexOf(p), newRand(seed, uint64(n))}
	failed := 0
	shift := []check{{"shift", v.shift}}
	if v.domain != nil {
		shift = v.affineChecks()
	}
	checks := slices.Concat([]check{{"linearity", v.linearity}, {"impulse", v.impulse}}, shift,
		[]check{{"round trip", v.roundTrip}, {"random points", v.randomPoints}, {"convolution", v.convolution}})
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

func (v *verifier) vector() (bulks.View, error) { return v.random(v.ctx, v.rand, v.plan.N) }

// forward returns the transform of x, which stays.
func (v *verifier) forward(x bulks.View) (bulks.View, error) {
	y := v.f.Make(x.N)
	return y, v.plan.Bind(false, y, x)(v.ctx)
}

// transformed returns a vector and its transform.
func (v *verifier) transformed() (x, y bulks.View, err error) {
	if x, err = v.vector(); err == nil {
		y, err = v.forward(x)
	}
	return x, y, err
}

// F(ax + y) = aF(x) + F(y).
func (v *verifier) linearity() error {
	a := v.zero()
	v.f.Random(a, v.rand)
	combine := func(x, y bulks.View) (bulks.View, error) {
		z := v.f.Make(x.N)
		return z, each(v.ctx, z.N, func(i int) error {
			e := v.f.At(z, i)
			v.f.Mul(e, v.f.At(x, i), a)
			v.f.Add(e, e, v.f.At(y, i))
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
	return v.differVec(v.ctx, "value", got, want)
}

// F(xᵏ) at point j is pointⱼᵏ, for the first, the last and a random k.
func (v *verifier) impulse() error {
	n := v.plan.N
	if v.domain != nil {
		return v.impulseAffine()
	}
	w, _ := v.f.Cyclic(&v.plan.Domain)
	for _, k := range []int{0, n - 1, v.rand.IntN(n)} {
		x := v.f.Make(n)
		v.f.One(v.f.At(x, k))
		y, err := v.forward(x)
		if err != nil {
			return err
		}
		root, want := v.zero(), v.zero()
		v.f.Pow(root, w, uint64(k))
		v.f.One(want)
		err = each(v.ctx, n, func(j int) error {
			i := v.index(j)
			if err := v.differ("value", i, v.f.At(y, i), want); err != nil {
				return fmt.Errorf("of x^%d: %w", k, err)
			}
			v.f.Mul(want, want, root)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// F(x·a mod xⁿ−1) at point j is pointⱼ·F(a).
func (v *verifier) shift() error {
	x, y, err := v.transformed()
	if err != nil {
		return err
	}
	n := x.N
	moved := v.f.Make(n)
	v.f.Copy(moved.Slice(1, n), x.Slice(0, n-1))
	v.f.Copy(moved.Slice(0, 1), x.Slice(n-1, n))
	got, err := v.forward(moved)
	if err != nil {
		return err
	}
	root, point := v.f.Cyclic(&v.plan.Domain)
	return each(v.ctx, n, func(j int) error {
		i := v.index(j)
		want := v.f.At(y, i)
		v.f.Mul(want, want, point)
		v.f.Mul(point, point, root)
		return v.differ("value", i, v.f.At(got, i), want)
	})
}

// The inverse undoes the transform, in place and out of place.
func (v *verifier) roundTrip() error {
	x, y, err := v.transformed()
	if err != nil {
		return err
	}
	z := v.f.Make(x.N)
	if err := v.plan.Bind(true, z, y)(v.ctx); err != nil {
		return err
	}
	if err := v.differVec(v.ctx, "coefficient", z, x); err != nil {
		return err
	}
	if err := v.plan.Bind(false, z, z)(v.ctx); err != nil {
		return err
	}
	if err := v.differVec(v.ctx, "value", z, y); err != nil {
		return fmt.Errorf("in place: %w", err)
	}
	if err := v.plan.Bind(true, z, z)(v.ctx); err != nil {
		return err
	}
	if err := v.differVec(v.ctx, "coefficient", z, x); err != nil {
		return fmt.Errorf("in place: %w", err)
	}
	return nil
}

// Values at random points are those of Horner's rule, and all together belong to the polynomial.
func (v *verifier) randomPoints() error {
	x, y, err := v.transformed()
	if err != nil {
		return err
	}
	return v.checkValues(v.ctx, v.plan, v.rand, y, x)
}

// The product of transforms in working form is that of the polynomials modulo the one that vanishes on the domain: both
// are the same at its points.
func (v *verifier) convolution() error {
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
	z := v.f.Make(x.N)
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
	at := func(t element) { v.plan.Point(t, v.rand.IntN(x.N)) }
	return v.checkProduct(v.ctx, v.domain, spotChecks, at, z, x, y)
}
