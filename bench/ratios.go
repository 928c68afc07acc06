package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"time"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/benchjson"
	"github.com/galfft/fft/poly"
)

// ratios prints what orders, directions and domains cost: times of transforms of one length in turn, over that of the
// forward transform in bit-reversed order; products over three of these; 4096 transforms of 16 points, for each
// butterfly, over one of 2^10; and other lengths, for each butterfly, over powers of two.
func ratios(w io.Writer, budget time.Duration, commit string) error {
	fmt.Fprint(w, benchjson.Heading(commit))
	fmt.Fprintln(w, "forward, bit-reversed order: ns a value; all others: times of that")
	fmt.Fprintf(w, "\n%-10s %-5s %9s %8s %8s %8s\n", "field", "n", "forward", "natural", "inverse", "coset")
	err := errors.Join(
		fieldRatios(w, budget, smallprime.BabyBear()), fieldRatios(w, budget, smallprime.P30()),
		fieldRatios(w, budget, smallprime.P50()),
		fieldRatios(w, budget, smallprime.P62()), fieldRatios(w, budget, smallprime.P63()),
		fieldRatios(w, budget, smallprime.P64()),
		fieldRatios(w, budget, smallprime.Goldilocks()))
	fmt.Fprintf(w, "products of two operands of n/2: times of three forward transforms of n\n%-10s %8s %8s %8s\n", "field",
		"2^10", "2^16", "2^20")
	err = errors.Join(err,
		productRatios(w, budget, smallprime.P30()), productRatios(w, budget, smallprime.P50()),
		productRatios(w, budget, smallprime.P62()), productRatios(w, budget, smallprime.P63()))
	fmt.Fprintln(w, "\nother lengths, natural order: time of a butterfly over that of the nearest power of two")
	fmt.Fprintln(w, "a transform of n points has n/2·log2 n butterflies")
	f31, err31 := smallprime.New32(factors31)
	f50, err50 := smallprime.New64(factors50)
	f62, err62 := smallprime.New64(factors62)
	err = errors.Join(err, err31, err50, err62, lengthRatios(w, budget, f31), lengthRatios(w, budget, f50),
		lengthRatios(w, budget, f62), lengthRatios(w, budget, smallprime.Goldilocks()))
	fmt.Fprintf(w, "\ncheck of operands: the forward transform with it over that without\n%-10s %8s %8s %8s\n", "field",
		"2^10", "2^16", "2^20")
	return errors.Join(err,
		checkRatios(w, budget, smallprime.BabyBear(), 20), checkRatios(w, budget, smallprime.P30(), 20),
		checkRatios(w, budget, smallprime.P50(), 20), checkRatios(w, budget, smallprime.P62(), 20),
		checkRatios(w, budget, smallprime.P63(), 20), checkRatios(w, budget, smallprime.P64(), 20),
		checkRatios(w, budget, smallprime.Goldilocks(), 20), checkRatios(w, budget, gfpf.K4(), 20),
		checkRatios(w, budget, gfpf.K8(), 16), checkRatios(w, budget, gfpf.K32(), 16))
}

// Primes that are 1 more than a multiple of 2^13·3^3·5^3·7·11, and of 2^20·3^4·5^2·7·11·13.
const (
	factors31 = 2128896001
	factors50 = 1118007617126401
	factors62 = 4611647514791116801
)

// otherLengths are m·2^k, by their odd parts, and products of odd primes alone.
var otherLengths = []struct{ odd, least, most int }{
	{3, 8, 20}, {5, 8, 18}, {7, 8, 18}, {9, 8, 16}, {11, 8, 16}, {13, 8, 16}, {15, 8, 16}, {17, 8, 16}, {27, 8, 14},
	{81, 8, 12}, {77, 8, 10}, {255, 6, 12}, {225, 0, 0}, {675, 0, 0}, {1001, 0, 0}, {2025, 0, 0},
}

// lengthRatios are those of the lengths of which f has a root of unity.
func lengthRatios[E comparable](w io.Writer, budget time.Duration, f ours[E]) error {
	_, err := fmt.Fprintf(w, "%s\n", f.Name())
	for _, l := range otherLengths {
		for k := l.least; k <= l.most && err == nil; k += 4 {
			n := l.odd << k
			plan, noRoot := fft.NewPlan[E](f, n)
			if noRoot != nil {
				break // nor is there one for more factors 2
			}
			near := 1 << int(math.Round(math.Log2(float64(n))))
			power, refused := fft.NewPlan[E](f, near)
			for ; refused != nil; power, refused = fft.NewPlan[E](f, near) {
				near /= 2
			}
			v, u := random(f, n), random(f, near)
			var best []float64
			best, err = inTurn(budget/8, max(1, 1<<14/n),
				func() error { return plan.Forward(v, v) }, func() error { return power.Forward(u, u) })
			if err == nil {
				butterflies := func(n int) float64 { return float64(n) * math.Log2(float64(n)) }
				ratio := best[0] / butterflies(n) / (best[1] / butterflies(near))
				_, err = fmt.Fprintf(w, "  %4d·2^%-3d %8.2f\n", l.odd, k, ratio)
			}
		}
	}
	return err
}

// checkRatios are those of the check that operands are canonical, in natural order, up to 2^most.
func checkRatios[E comparable](w io.Writer, budget time.Duration, f ours[E], most int) error {
	fmt.Fprintf(w, "%-10s", f.Name())
	r := rand.New(rand.NewPCG(1, 2))
	for _, k := range []int{10, 16, 20} {
		if k > most {
			break
		}
		v := make([]E, 1<<k)
		for i := range v {
			f.Random(&v[i], r)
		}
		checked, free := fft.Must(fft.NewPlan[E](f, len(v))),
			fft.Must(fft.NewPlan[E](f, len(v), fft.WithoutRangeCheck()))
		best, err := inTurn(budget, max(1, 1<<14/len(v)),
			func() error { return checked.Forward(v, v) }, func() error { return free.Forward(v, v) })
		if err != nil {
			return err
		}
		fmt.Fprintf(w, " %8.3f", best[0]/best[1])
	}
	fmt.Fprintln(w)
	return nil
}

// productRatios are those of products of different operands, and of squares, to transforms in bit-reversed order.
func productRatios[E comparable](w io.Writer, budget time.Duration, f ours[E]) error {
	ring, err := poly.New[E](f)
	if err != nil {
		return err
	}
	products, squares := fmt.Sprintf("%-10s", f.Name()), fmt.Sprintf("%-10s", "  squares")
	for _, k := range []int{10, 16, 20} {
		n := 1 << k
		a, b, z, ctx := random(f, n/2), random(f, n/2), make([]E, n-1), context.Background()
		v, plan := random(f, n), fft.Must(fft.NewPlan[E](f, n, fft.WithOrder(fft.BitReversed)))
		best, err := inTurn(budget, max(1, 1<<14/n),
			func() error { return ring.MulTo(ctx, z, a, b) }, func() error { return ring.SquareTo(ctx, z, a) },
			func() error { return plan.Forward(v, v) })
		if err != nil {
			return err
		}
		products += fmt.Sprintf(" %8.3f", best[0]/best[2]/3)
		squares += fmt.Sprintf(" %8.3f", best[1]/best[2]/3)
	}
	_, err = fmt.Fprintf(w, "%s\n%s\n", products, squares)
	return err
}

func fieldRatios[E comparable](w io.Writer, budget time.Duration, f ours[E]) error {
	r := rand.New(rand.NewPCG(1, 2))
	var shift E
	f.Random(&shift, r)
	plan := func(n int, opts ...fft.Option) *fft.Plan[E] { return fft.Must(fft.NewPlan[E](f, n, opts...)) }
	bitrev := fft.WithOrder(fft.BitReversed)
	for _, k := range []int{10, 16, 20, 22} {
		n := 1 << k
		v := make([]E, n)
		for i := range v {
			f.Random(&v[i], r)
		}
		p, natural, coset := plan(n, bitrev), plan(n), plan(n, bitrev, fft.WithCoset(shift))
		best, err := inTurn(budget, max(1, 1<<14/n),
			func() error { return p.Forward(v, v) }, func() error { return natural.Forward(v, v) },
			func() error { return p.Inverse(v, v) }, func() error { return coset.Forward(v, v) })
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%-10s 2^%-3d %9.3f %8.2f %8.2f %8.2f\n", f.Name(), k, best[0]/float64(n), best[1]/best[0],
			best[2]/best[0], best[3]/best[0])
	}
	const rows, short, long = 4096, 16, 1 << 10
	v := make([]E, rows*short)
	for i := range v {
		f.Random(&v[i], r)
	}
	one, batch := plan(long, bitrev), plan(short, bitrev, fft.WithBatch(fft.Batch{Count: rows, Stride: short}))
	best, err := inTurn(budget, 1, func() error {
		var failed error
		for i := 0; i < len(v); i += long {
			failed = errors.Join(failed, one.Forward(v[i:i+long], v[i:i+long]))
		}
		return failed
	}, func() error { return batch.Forward(v, v) })
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%-10s 4096 × 16 points: %.2f of 2^10, for each butterfly\n\n", f.Name(), best[1]/4/(best[0]/10))
	return nil
}

// inTurn runs all in turn until the budget is spent, each reps times together, and returns the least times of one call.
func inTurn(budget time.Duration, reps int, all ...func() error) ([]float64, error) {
	best := make([]float64, len(all))
	for start, round := time.Now(), 0; round < 5 || time.Since(start) < budget; round++ {
		for i, f := range all {
			t := time.Now()
			for range reps {
				if err := f(); err != nil {
					return nil, err
				}
			}
			if ns := float64(time.Since(t).Nanoseconds()) / float64(reps); round == 0 || ns < best[i] {
				best[i] = ns
			}
		}
	}
	return best, nil
}
