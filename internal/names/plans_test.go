package names_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/cpu"
	"github.com/galfft/fft/internal/factor"
	"github.com/galfft/fft/internal/testscale"
	"github.com/galfft/fft/poly"
)

// Random plans with every option that no flag of the command has (strips, twiddles, radices, caches, batches), and
// random products, over each kind of arithmetic on every tier: values at random points and coefficients are sums of
// element methods. Each run has others.
func TestAttackPlans(t *testing.T) {
	scale, seed := testscale.Of(t), rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 1))
	attacks := []func(r *rand.Rand) (string, error){
		attackOf[uint32](smallprime.P30), attackOf[uint32](smallprime.BabyBear), attackOf[uint32](smallprime.P32),
		attackOf[uint32](smallprime.Mersenne31), attackOf[uint64](smallprime.P50), attackOf[uint64](smallprime.P62),
		attackOf[uint64](smallprime.P63), attackOf[uint64](smallprime.P64), attackOf[uint64](smallprime.Goldilocks),
		attackOf[[4]uint64](bigprime.BN254), attackOf[[4]uint64](gfpf.K4),
	}
	tiers, ran := cpu.Present(), 0
	const plans = 100
	for i := range plans * scale {
		tier := tiers[r.IntN(len(tiers))]
		undo, err := cpu.Use(tier)
		if err != nil {
			t.Fatal(err)
		}
		what, err := attacks[i%len(attacks)](r)
		undo()
		if err != nil {
			t.Fatalf("seed %d, plan %d, tier %v, %s: %v", seed, i, tier, what, err)
		}
		if what != "" {
			ran++
		}
	}
	if ran < plans*scale/4 {
		t.Errorf("seed %d: %d of %d plans ran", seed, ran, plans*scale)
	}
}

// attacked is a field with what attacks need.
type attacked[E any] interface {
	field.Rooted[E]
	field.Sampler[E]
	field.Info
}

// attackOf returns the attack of a field, opened on the tier of the time. It tells what ran, "" where it was refused.
func attackOf[E any, F attacked[E]](open func() F) func(r *rand.Rand) (string, error) {
	return func(r *rand.Rand) (string, error) {
		a := planAttack[E]{open(), r}
		if r.IntN(3) == 0 {
			return a.product()
		}
		return a.plan()
	}
}

type planAttack[E any] struct {
	f attacked[E]
	r *rand.Rand
}

func (a *planAttack[E]) elements(n int) []E {
	x := make([]E, n)
	for i := range x {
		switch a.r.IntN(8) {
		case 0:
		case 1:
			a.f.One(&x[i])
		case 2:
			a.f.One(&x[i])
			a.f.Neg(&x[i], &x[i])
		default:
			a.f.Random(&x[i], a.r)
		}
	}
	return x
}

// pick is one of a list, its first element half of the time.
func pick[T any](r *rand.Rand, list ...T) T {
	if r.IntN(2) == 0 {
		return list[0]
	}
	return list[r.IntN(len(list))]
}

// prime is one up to 400 that is the order of a root.
func (a *planAttack[E]) prime() int {
	var list []int
	for q := 3; q <= 400; q += 2 {
		if factor.IsPrime(uint64(q)) && field.HasRoot[E](a.f, uint64(q)) {
			list = append(list, q)
		}
	}
	if list == nil {
		return 1
	}
	return list[a.r.IntN(len(list))]
}

// plan transforms a batch there and back.
func (a *planAttack[E]) plan() (string, error) {
	r := a.r
	n, algorithm := 1<<r.IntN(11)*pick(r, 1, 3, 5, 15, 17), pick(r, field.Auto, field.SixStep, field.SixStepMerged,
		field.FourStep, field.DepthFirst, field.MixedRadix, field.Bluestein, field.Codelet)
	if a.f.Name() == "mersenne31" {
		n = pick(r, 2, 3, 6, 7, 9, 11, 14, 18, 22, 31, 42, 63, 93, 151, 302, 331, 662, 1057)
	}
	switch r.IntN(4) {
	case 0: // a prime, or a small multiple of one
		n, algorithm = a.prime()*pick(r, 1, 2, 8), pick(r, field.Bluestein, field.Auto)
	case 1: // a length that the schemes of strips take
		n, algorithm = 1<<(2+r.IntN(8)), pick(r, field.SixStepMerged, field.SixStep, field.FourStep)
	}
	b := field.Batch{Count: pick(r, 1, 2, 3, 8, 33), Columns: r.IntN(2) == 0}
	if b.Stride = n; b.Columns {
		b.Stride = b.Count
	}
	b.Stride += pick(r, 0, 1, 5)
	s := field.Spec{Order: pick(r, field.Natural, field.BitReversed, field.Scheme), Base: pick(r, 0, 2, 4, 16, 64),
		Algorithm: algorithm, Strip: pick(r, 0, 1, 2, 4, 8, 16, 64), Cache: pick(r, 0, 16, 64, 1024),
		Radix: pick(r, 0, 2, 4, 8, 16), Twiddles: pick(r, field.AutoTwiddles, field.FullTwiddles, field.TwoLevel),
		Workers: pick(r, 1, 2, 3, 5), Grain: pick(r, 0, 1, 100), Batch: b}
	opts := []fft.Option{fft.WithOrder(s.Order), fft.WithBase(s.Base), fft.WithAlgorithm(s.Algorithm),
		fft.WithStrip(s.Strip), fft.WithCache(s.Cache), fft.WithRadix(s.Radix), fft.WithTwiddles(s.Twiddles),
		fft.WithWorkers(s.Workers), fft.WithGrain(s.Grain), fft.WithBatch(b)}
	kind := r.IntN(3)
	if kind == 1 {
		opts = append(opts, fft.WithNegacyclic())
	} else if kind == 2 {
		var shift E
		for a.f.Random(&shift, r); a.f.Inv(new(E), &shift) != nil; a.f.Random(&shift, r) {
		}
		opts = append(opts, fft.WithCoset(shift))
	}
	what := fmt.Sprintf("%s, length %d, kind %d, %+v", a.f.Name(), n, kind, s)
	p, err := fft.NewPlan[E](a.f, n, opts...)
	if errors.Is(err, field.ErrNoRoot) || errors.Is(err, field.ErrSpec) || errors.Is(err, field.ErrLength) {
		return "", nil
	} else if err != nil {
		return what, err
	}
	x := a.elements(p.Size())
	y := a.elements(p.Size())
	if r.IntN(2) == 0 {
		copy(y, x)
		err = p.Forward(y, y)
	} else {
		err = p.Forward(y, x)
	}
	if err != nil {
		return what, err
	}
	at := func(t, i int) int {
		if b.Columns {
			return i*b.Stride + t
		}
		return t*b.Stride + i
	}
	points := p.Permutation()
	for range 4 {
		t, i := r.IntN(b.Count), r.IntN(n)
		var point, sum E
		p.Point(&point, points[i])
		for k := n - 1; k >= 0; k-- {
			a.f.Mul(&sum, &sum, &point)
			a.f.Add(&sum, &sum, &x[at(t, k)])
		}
		if !a.f.Equal(&sum, &y[at(t, i)]) {
			return what, fmt.Errorf("value %d of transform %d is %v, want %v", i, t, y[at(t, i)], sum)
		}
	}
	if err := p.Inverse(y, y); err != nil {
		return what, err
	}
	for t := range b.Count {
		for i := range n {
			if !a.f.Equal(&x[at(t, i)], &y[at(t, i)]) {
				return what, fmt.Errorf("there and back: element %d of transform %d", i, t)
			}
		}
	}
	return what, nil
}

// product multiplies polynomials by either way.
func (a *planAttack[E]) product() (string, error) {
	r := a.r
	products, workers := pick(r, field.AutoProducts, field.NativeProducts, field.CRTProducts), pick(r, 1, 2, 3)
	x, y := a.elements(1+r.IntN(1<<r.IntN(11))), a.elements(1+r.IntN(1<<r.IntN(11)))
	what := fmt.Sprintf("%s, product of %d and %d, %v, %d workers", a.f.Name(), len(x), len(y), products, workers)
	ring, err := poly.New[E](a.f, fft.WithProducts(products), fft.WithWorkers(workers))
	if errors.Is(err, field.ErrSpec) {
		return "", nil
	} else if err != nil {
		return what, err
	}
	kept := slices.Clone(x)
	z, err := ring.Mul(context.Background(), x, y)
	if errors.Is(err, field.ErrNoRoot) || errors.Is(err, field.ErrSpec) {
		return "", nil
	} else if err != nil {
		return what, err
	}
	if len(z) != len(x)+len(y)-1 {
		return what, fmt.Errorf("%d coefficients", len(z))
	}
	for range 4 {
		k := r.IntN(len(z))
		var sum, t E
		for i := max(0, k-len(y)+1); i <= min(k, len(x)-1); i++ {
			a.f.Mul(&t, &kept[i], &y[k-i])
			a.f.Add(&sum, &sum, &t)
		}
		if !a.f.Equal(&sum, &z[k]) {
			return what, fmt.Errorf("coefficient %d is %v, want %v", k, z[k], sum)
		}
	}
	return what, nil
}
