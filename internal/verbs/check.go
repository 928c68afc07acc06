package verbs

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
)

// spotChecks is the number of random places at which a result of n elements is compared with its definition, at
// a cost of n products each, where one is not enough: because there are few places, or for what the message then says.
const spotChecks = 3

// wide reports whether elements are more than words. One random element of the field tells two polynomials of n
// coefficients apart then, but for a chance of n in 2^64, and products take so long that more checks would take longer
// than what is checked.
func (k *known[E]) wide() bool { return k.f.Order().BitLen() > 64 }

// differ is the error of z where x was wanted, or nil.
func (k *known[E]) differ(what string, i int, z, x *E) error {
	if k.f.Equal(z, x) {
		return nil
	}
	return fmt.Errorf("%w: %s %d is %s, want %s", ErrWrong, what, i, k.text(z), k.text(x))
}

func (k *known[E]) differVec(ctx context.Context, what string, z, x []E) error {
	return each(ctx, len(x), func(i int) error { return k.differ(what, i, &z[i], &x[i]) })
}

// eval sets z to the value of the polynomial a at x, by Horner's rule.
func (k *known[E]) eval(ctx context.Context, z *E, a []E, x *E) error {
	var v E
	err := each(ctx, len(a), func(i int) error {
		k.f.Mul(&v, &v, x)
		k.f.Add(&v, &v, &a[len(a)-1-i])
		return nil
	})
	k.f.Set(z, &v)
	return err
}

// indexOf returns where a plan stores the value at its point j.
func indexOf[E any](p *fft.Plan[E]) func(j int) int {
	switch p.Order() {
	case field.Natural:
		return func(j int) int { return j }
	case field.BitReversed:
		m := bits.Len(uint(p.Len())) - 1
		return func(j int) int { return field.Rev(j, m) }
	default:
		index := make([]int, p.Len())
		for i, j := range p.Permutation() {
			index[j] = i
		}
		return func(j int) int { return index[j] }
	}
}

// checkValues compares y with the values of the polynomial x over p's points: all together by what y says about the
// polynomial elsewhere, and where elements are words at random points one by one.
func (k *known[E]) checkValues(ctx context.Context, p *fft.Plan[E], s field.Sampler[E], r *rand.Rand, y, x []E) error {
	index := indexOf(p)
	for range spotChecks {
		if k.wide() {
			break
		}
		var point, want E
		j := r.IntN(len(x))
		p.Point(&point, j)
		if err := k.eval(ctx, &want, x, &point); err != nil {
			return err
		}
		if err := k.differ("value", index(j), &y[index(j)], &want); err != nil {
			return err
		}
	}
	var z E
	s.Random(&z, r)
	return k.checkAt(ctx, p, &z, y, x, index)
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
func (k *known[E]) checkAt(ctx context.Context, p *fft.Plan[E], z *E, y, x []E, index func(j int) int) error {
	d, v, m := p.Domain(), y, len(y)
	w, s := &d.Root, &d.Shift
	var at, wInverse, sInverse E
	k.f.Set(&at, z)
	if err := errors.Join(k.f.Inv(&wInverse, w), k.f.Inv(&sInverse, s)); err != nil {
		return err
	}
	for m%2 == 0 {
		m /= 2
		half := make([]E, m)
		var factor, difference E
		k.f.Mul(&factor, &at, &sInverse) // z/tⱼ
		err := each(ctx, m, func(j int) error {
			a, b := &v[index(j)], &v[index(j+m)]
			k.f.Sub(&difference, a, b)
			k.f.Mul(&difference, &difference, &factor)
			k.f.Add(&half[j], a, b)
			k.f.Add(&half[j], &half[j], &difference)
			k.f.Mul(&factor, &factor, &wInverse)
			return nil
		})
		if err != nil {
			return err
		}
		for _, e := range []*E{&at, w, s, &wInverse, &sInverse} {
			k.f.Mul(e, e, e)
		}
		v, index = half, func(j int) int { return j }
	}
	var t, got, others, gap, term, want, scale E
	k.f.Set(&t, s)
	k.f.One(&others) // the product of z − tᵢ for i < j
	err := each(ctx, m, func(j int) error {
		k.f.Sub(&gap, &at, &t)
		k.f.Mul(&term, &v[index(j)], &t)
		k.f.Mul(&term, &term, &others)
		k.f.Mul(&got, &got, &gap)
		k.f.Add(&got, &got, &term)
		k.f.Mul(&others, &others, &gap)
		k.f.Mul(&t, &t, w)
		return nil
	})
	if err != nil {
		return err
	}
	if err := k.eval(ctx, &want, x, z); err != nil {
		return err
	}
	k.integer(&scale, len(x))
	k.f.Mul(&want, &want, &scale)
	field.PowUint(k.field(), &scale, s, uint64(m))
	k.f.Mul(&want, &want, &scale)
	if !k.f.Equal(&got, &want) {
		return fmt.Errorf("%w: the polynomial through the values is not the one transformed: they differ at %s",
			ErrWrong, k.text(z))
	}
	return nil
}

// integer sets z to n·1.
func (k *known[E]) integer(z *E, n int) {
	var one, v E
	k.f.One(&one)
	for i := bits.Len(uint(n)) - 1; i >= 0; i-- {
		k.f.Add(&v, &v, &v)
		if n>>i&1 == 1 {
			k.f.Add(&v, &v, &one)
		}
	}
	k.f.Set(z, &v)
}

// checkProduct compares the polynomial z with the product of x and y at so many elements that at gives.
func (k *known[E]) checkProduct(ctx context.Context, points int, at func(z *E), z, x, y []E) error {
	for range points {
		var t, fz, fx, fy E
		at(&t)
		if err := errors.Join(k.eval(ctx, &fz, z, &t), k.eval(ctx, &fx, x, &t), k.eval(ctx, &fy, y, &t)); err != nil {
			return err
		}
		k.f.Mul(&fx, &fx, &fy)
		if !k.f.Equal(&fz, &fx) {
			return fmt.Errorf("%w: product at %s is %s, want %s", ErrWrong, k.text(&t), k.text(&fz), k.text(&fx))
		}
	}
	return nil
}
