package verbs

import (
	"fmt"
	"math/bits"
	"math/rand/v2"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
)

// spotChecks is the number of random places at which a result of n elements is compared with its definition, at
// a cost of n products each.
const spotChecks = 3

// differ is the error of z where x was wanted, or nil.
func (k known[E]) differ(what string, i int, z, x *E) error {
	if k.Equal(z, x) {
		return nil
	}
	return fmt.Errorf("%w: %s %d is %s, want %s", ErrWrong, what, i, k.text(z), k.text(x))
}

func (k known[E]) differVec(what string, z, x []E) error {
	for i := range x {
		if err := k.differ(what, i, &z[i], &x[i]); err != nil {
			return err
		}
	}
	return nil
}

// eval sets z to the value of the polynomial a at x, by Horner's rule.
func (k known[E]) eval(z *E, a []E, x *E) {
	var v E
	for i := len(a) - 1; i >= 0; i-- {
		k.Mul(&v, &v, x)
		k.Add(&v, &v, &a[i])
	}
	k.Set(z, &v)
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

// checkValues compares y with the values of the polynomial x over p's points: at random points one by one, and
// all together by what y says about the polynomial elsewhere.
func (k known[E]) checkValues(p *fft.Plan[E], s field.Sampler[E], r *rand.Rand, y, x []E) error {
	index := indexOf(p)
	for range spotChecks {
		var point, want E
		j := r.IntN(len(x))
		p.Point(&point, j)
		k.eval(&want, x, &point)
		if err := k.differ("value", index(j), &y[index(j)], &want); err != nil {
			return err
		}
	}
	return k.checkElsewhere(p, s, r, y, x, index)
}

// checkElsewhere compares the polynomial through the values y with the polynomial x at a random element z. A
// wrong y passes at fewer than n elements of the field. With the n points tⱼ = s·wʲ, the barycentric formula is
//
//	n·sⁿ·f(z) = (zⁿ − sⁿ)·Σⱼ yⱼ·tⱼ / (z − tⱼ)
func (k known[E]) checkElsewhere(p *fft.Plan[E], s field.Sampler[E], r *rand.Rand, y, x []E, index func(j int) int) error {
	n, d := len(x), p.Domain()
	var z, zn, sn, diff E
	s.Random(&z, r)
	field.PowUint(k.field(), &zn, &z, uint64(n))
	field.PowUint(k.field(), &sn, &d.Shift, uint64(n))
	k.Sub(&diff, &zn, &sn) // 0 where z is a point: then there is nothing to compare

	var zero, t, sum, inverse E
	if k.Equal(&diff, &zero) {
		return nil
	}
	// One inversion for all z − tⱼ: first[j] is the product of those before j, inverse that of 1/(z − tⱼ) up to j.
	first, gap := make([]E, n), make([]E, n)
	var product E
	k.One(&product)
	k.Set(&t, &d.Shift)
	for j := range n {
		k.Set(&first[j], &product)
		k.Sub(&gap[j], &z, &t)
		k.Mul(&product, &product, &gap[j])
		k.Mul(&t, &t, &d.Root)
	}
	if err := k.Inv(&inverse, &product); err != nil {
		return err
	}
	for j := n - 1; j >= 0; j-- {
		var q E
		k.Mul(&q, &first[j], &inverse)
		k.Mul(&inverse, &inverse, &gap[j])
		k.Sub(&t, &z, &gap[j])
		k.Mul(&q, &q, &t)
		k.Mul(&q, &q, &y[index(j)])
		k.Add(&sum, &sum, &q)
	}
	k.Mul(&sum, &sum, &diff)

	var want, nn E
	k.eval(&want, x, &z)
	k.integer(&nn, n)
	k.Mul(&want, &want, &nn)
	k.Mul(&want, &want, &sn)
	if !k.Equal(&sum, &want) {
		return fmt.Errorf("%w: the polynomial through the values is not the one transformed: they differ at %s", ErrWrong, k.text(&z))
	}
	return nil
}

// integer sets z to n·1.
func (k known[E]) integer(z *E, n int) {
	var one, v E
	k.One(&one)
	for i := bits.Len(uint(n)) - 1; i >= 0; i-- {
		k.Add(&v, &v, &v)
		if n>>i&1 == 1 {
			k.Add(&v, &v, &one)
		}
	}
	k.Set(z, &v)
}

// checkProduct compares the polynomial z with the product of x and y at elements that at gives.
func (k known[E]) checkProduct(at func(z *E), z, x, y []E) error {
	for range spotChecks {
		var t, fz, fx, fy E
		at(&t)
		k.eval(&fz, z, &t)
		k.eval(&fx, x, &t)
		k.eval(&fy, y, &t)
		k.Mul(&fx, &fx, &fy)
		if !k.Equal(&fz, &fx) {
			return fmt.Errorf("%w: product at %s is %s, want %s", ErrWrong, k.text(&t), k.text(&fz), k.text(&fx))
		}
	}
	return nil
}
