package verbs

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/erased"
)

// spotChecks is the number of random places at which a result of n elements is compared with its definition, at
// a cost of n products each, where one is not enough: because there are few places, or for what the message then says.
const spotChecks = 3

// wide reports whether elements are more than words. One random element of the field tells two polynomials of n
// coefficients apart then, but for a chance of n in 2^64, and products take so long that more checks would take longer
// than what is checked.
func (h *hidden) wide() bool { return h.Order().BitLen() > 64 }

// differ is the error of z where x was wanted, or nil.
func (h *hidden) differ(what string, i int, z, x element) error {
	if h.f.Equal(z, x) {
		return nil
	}
	return fmt.Errorf("%w: %s %d is %s, want %s", ErrWrong, what, i, h.text(z), h.text(x))
}

func (h *hidden) differVec(ctx context.Context, what string, z, x bulks.View) error {
	return each(ctx, x.N, func(i int) error { return h.differ(what, i, h.f.At(z, i), h.f.At(x, i)) })
}

// eval returns the value of the polynomial a at x, by Horner's rule.
func (h *hidden) eval(ctx context.Context, a bulks.View, x element) (element, error) {
	v := h.zero()
	return v, blocks(ctx, a.N, func(i, j int) error {
		h.f.Horner(v, a.Slice(a.N-j, a.N-i), x)
		return nil
	})
}

// indexOf returns where a plan stores the value at its point j.
func indexOf(p *erased.Plan) func(j int) int {
	switch p.Order() {
	case field.Natural:
		return func(j int) int { return j }
	case field.BitReversed:
		m := bits.Len(uint(p.N)) - 1
		return func(j int) int { return bulks.Rev(j, m) }
	default:
		index := make([]int, p.N)
		for i, j := range p.Permutation() {
			index[j] = i
		}
		return func(j int) int { return index[j] }
	}
}

// checkValues compares y with the values of the polynomial x over p's points: all together by what y says about the
// polynomial elsewhere, and where elements are words at random points one by one.
func (h *hidden) checkValues(ctx context.Context, p *erased.Plan, r *rand.Rand, y, x bulks.View) error {
	index, domain := indexOf(p), h.subspaceOf(p)
	for range spotChecks {
		if h.wide() {
			break
		}
		point, j := h.zero(), r.IntN(x.N)
		p.Point(point, j)
		want, err := h.polynomial(ctx, domain, x, point)
		if err != nil {
			return err
		}
		if err := h.differ("value", index(j), h.f.At(y, index(j)), want); err != nil {
			return err
		}
	}
	z := h.zero()
	h.f.Random(z, r)
	if domain != nil {
		return h.checkAffine(ctx, p, domain, z, y, x, index)
	}
	return h.checkAt(ctx, p, z, y, x, index)
}

// checkAt compares the polynomial through the values y with the polynomial x at z. A wrong y passes at fewer than n
// elements of the field. While the number of the points tⱼ = s·wʲ is even, n = 2m, half as many values tell as much:
// with f(X) = e(X²) + X·o(X²), and tⱼ₊ₘ = −tⱼ, the polynomial 2(e + z·o), of which f(z) is half the value at z², is at
// tⱼ²
//
//	yⱼ + yⱼ₊ₘ + (z/tⱼ)·(yⱼ − yⱼ₊ₘ)
//
// The barycentric formula is for what is left, without its divisions:
//
//	n·sⁿ·f(z) = Σⱼ yⱼ·tⱼ·Π (z − tᵢ) over i ≠ j
//
// In all that takes two products for each value, and Horner's rule one for each coefficient.
func (h *hidden) checkAt(ctx context.Context, p *erased.Plan, z element, y, x bulks.View, index func(j int) int) error {
	f, v, m := h.f, y, y.N
	w, s := f.Cyclic(&p.Domain)
	at, wInverse, sInverse := h.zero(), h.zero(), h.zero()
	f.Set(at, z)
	if err := errors.Join(f.Inv(wInverse, w), f.Inv(sInverse, s)); err != nil {
		return err
	}
	for m%2 == 0 {
		m /= 2
		half := f.Make(m)
		factor, difference := h.zero(), h.zero()
		f.Mul(factor, at, sInverse) // z/tⱼ
		err := each(ctx, m, func(j int) error {
			a, b, sum := f.At(v, index(j)), f.At(v, index(j+m)), f.At(half, j)
			f.Sub(difference, a, b)
			f.Mul(difference, difference, factor)
			f.Add(sum, a, b)
			f.Add(sum, sum, difference)
			f.Mul(factor, factor, wInverse)
			return nil
		})
		if err != nil {
			return err
		}
		for _, e := range []element{at, w, s, wInverse, sInverse} {
			f.Mul(e, e, e)
		}
		v, index = half, func(j int) int { return j }
	}
	t, got, others, gap, term := h.zero(), h.zero(), h.zero(), h.zero(), h.zero()
	f.Set(t, s)
	f.One(others) // the product of z − tᵢ for i < j
	err := each(ctx, m, func(j int) error {
		f.Sub(gap, at, t)
		f.Mul(term, f.At(v, index(j)), t)
		f.Mul(term, term, others)
		f.Mul(got, got, gap)
		f.Add(got, got, term)
		f.Mul(others, others, gap)
		f.Mul(t, t, w)
		return nil
	})
	if err != nil {
		return err
	}
	want, err := h.eval(ctx, x, z)
	if err != nil {
		return err
	}
	f.Mul(want, want, h.integer(x.N))
	f.Pow(s, s, uint64(m))
	f.Mul(want, want, s)
	if !f.Equal(got, want) {
		return h.otherPolynomial(z)
	}
	return nil
}

func (h *hidden) otherPolynomial(z element) error {
	return fmt.Errorf("%w: the polynomial through the values is not the one transformed: they differ at %s", ErrWrong,
		h.text(z))
}

// integer returns n·1.
func (h *hidden) integer(n int) element {
	one, v := h.zero(), h.zero()
	h.f.One(one)
	for i := bits.Len(uint(n)) - 1; i >= 0; i-- {
		h.f.Add(v, v, v)
		if n>>i&1 == 1 {
			h.f.Add(v, v, one)
		}
	}
	return v
}

// checkProduct compares the polynomial z with the product of x and y at so many elements that at gives. All three are
// in the basis of polynomials of s, nil for powers of x.
func (h *hidden) checkProduct(ctx context.Context, s *subspace, points int, at func(z element), z, x,
	y bulks.View) error {
	for range points {
		t := h.zero()
		at(t)
		fz, errZ := h.polynomial(ctx, s, z, t)
		fx, errX := h.polynomial(ctx, s, x, t)
		fy, errY := h.polynomial(ctx, s, y, t)
		if err := errors.Join(errZ, errX, errY); err != nil {
			return err
		}
		h.f.Mul(fx, fx, fy)
		if !h.f.Equal(fz, fx) {
			return fmt.Errorf("%w: product at %s is %s, want %s", ErrWrong, h.text(t), h.text(fz), h.text(fx))
		}
	}
	return nil
}
