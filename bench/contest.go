package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"time"

	"github.com/galfft/fft"
	"github.com/galfft/fft/crt"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/benchjson"
	"github.com/galfft/fft/internal/par"
	"github.com/galfft/fft/internal/pin"
)

// contest asks what the theses on generalized Fermat primes ask: whether one transform modulo a prime of k words is
// faster than transforms modulo small primes of at least as many bits together.
//
// The fair form takes integers below the prime, projects them to residues, transforms those modulo each small prime,
// and recombines the values by Garner's algorithm: primes of 50 and of 62 bits, the fewest that hold as many bits.
//
// Benchmarks 1 and 2 of D. Mohajerani's thesis (sections 7.2.1 and 7.2.2) take 2k primes below 2^30, so that the
// vectors of both sides have as many bytes. The second transforms alone. The first also combines values, but takes
// residues for digits in mixed radix, which is no ring isomorphism: what comes out is not the transform modulo the
// product.
//
// All transforms are in natural order.
type contest struct {
	w      io.Writer
	budget time.Duration
}

func runContest(w io.Writer, budget time.Duration, commit string, most int) error {
	fmt.Fprint(w, benchjson.Heading(commit))
	fmt.Fprintln(w, "natural order, least times; big: one transform modulo the prime; ratios: small primes over big, above 1 the big prime wins")
	c := &contest{w: w, budget: budget}
	for workers := 1; workers <= 2; workers++ {
		r, err := pin.New(workers)
		if err != nil {
			return err
		}
		var failed error
		err = r.Do(func() {
			if failed = contestField(c, gfpf.P3(), 2, most, r, workers); failed == nil {
				failed = contestField(c, gfpf.P4(), 2, most, r, workers)
			}
		})
		r.Close()
		if err := cmp.Or(err, failed); err != nil {
			return err
		}
	}
	return nil
}

// contestField goes from K^least to K^e ≤ 2^most, K = 2k.
func contestField[E gfpf.Digits](c *contest, f *gfpf.Field[E], least, most int, r *pin.Runner, workers int) error {
	log := bits.Len64(f.ShiftOrder()) - 1
	fmt.Fprintf(c.w, "\n%s, %d bits, workers %d\n", f.Name(), f.Characteristic().BitLen(), workers)
	fmt.Fprintf(c.w, "%-6s %9s | %-8s %9s %9s %9s %9s %7s | %-8s %9s %7s %9s %7s\n", "n", "big",
		"primes", "project", "images", "Garner", "total", "ratio", "primes", "images", "bench 2", "+ mixed", "bench 1")
	for e := least; e*log <= most; e++ {
		if err := c.round(1<<(e*log), workers, newBig(f, 1<<(e*log), r, workers), r); err != nil {
			return err
		}
	}
	return nil
}

// bigSide is the transform modulo the big prime.
type bigSide struct {
	run     func() error
	prime   *big.Int
	integer func(i int) *big.Int // element i of the input
	words   int
	err     error
}

func newBig[E gfpf.Digits](f *gfpf.Field[E], n int, r *pin.Runner, workers int) bigSide {
	p, err := fft.NewPlan[E](f, n, fft.WithWorkers(workers), fft.WithRunner(r))
	x, rnd := make([]E, n), rand.New(rand.NewPCG(1, uint64(n)))
	for i := range x {
		f.Random(&x[i], rnd)
	}
	return bigSide{func() error { return p.Forward(x, x) }, f.Characteristic(),
		func(i int) *big.Int { return f.Big(new(big.Int), &x[i]) }, int(f.ShiftOrder() / 2), err}
}

// smallSide is transforms modulo small primes.
type smallSide struct {
	*crt.System
	plans    []*fft.Plan[uint64]
	residues [][]uint64
	in, out  []*big.Int
	r        *pin.Runner
	workers  int
}

// newSmall takes the fewest primes of that many bits whose product is above x.
func newSmall(bitLen, n int, x *big.Int, in []*big.Int, r *pin.Runner, workers int) (*smallSide, error) {
	adicity := max(20, bits.Len(uint(n))-1)
	product, count := big.NewInt(1), 0
	for product.Cmp(x) <= 0 {
		count++
		primes, err := crt.Primes(context.Background(), bitLen, adicity, count)
		if err != nil {
			return nil, err
		}
		product.Mul(product, new(big.Int).SetUint64(primes[count-1]))
	}
	primes, err := crt.Primes(context.Background(), bitLen, adicity, count)
	if err != nil {
		return nil, err
	}
	s := &smallSide{in: in, r: r, workers: workers}
	if s.System, err = crt.New(context.Background(), primes, crt.WithWorkers(workers), crt.WithRunner(r)); err != nil {
		return nil, err
	}
	if s.residues, err = s.NewResidues(n); err != nil {
		return nil, err
	}
	if s.out, err = s.NewInts(n); err != nil {
		return nil, err
	}
	for _, p := range primes {
		f, err := smallprime.New64(p)
		if err != nil {
			return nil, err
		}
		plan, err := fft.NewPlan(f, n)
		if err != nil {
			return nil, err
		}
		s.plans = append(s.plans, plan)
	}
	return s, nil
}

func (s *smallSide) project() error { return s.Residues(context.Background(), s.residues, s.in) }

// images shares the primes among the workers.
func (s *smallSide) images() error {
	return shared(s.r, s.workers, len(s.plans), func(i int) error {
		return s.plans[i].Forward(s.residues[i],
			s.residues[i])
	})
}

func (s *smallSide) combine() error { return s.Garner(context.Background(), s.out, s.residues) }

// shared runs f(0), …, f(n−1) on the workers.
func shared(r *pin.Runner, workers, n int, f func(i int) error) error {
	errs := make([]error, workers)
	r.Run(workers, func(task int) {
		for i, end := par.Share(task, workers, n); i < end && errs[task] == nil; i++ {
			errs[task] = f(i)
		}
	})
	return cmp.Or(errs...)
}

// half is the side of Benchmarks 1 and 2: primes below 2^30, as many as an element of the other side has half-words.
type half struct {
	primes  []uint64
	plans   []*fft.Plan[uint32]
	v       [][]uint32
	out     []uint64 // words of the combined values
	words   int
	r       *pin.Runner
	workers int
}

func newHalf(count, n int, r *pin.Runner, workers int) (*half, error) {
	primes, err := crt.Primes(context.Background(), 30, 20, count)
	if err != nil {
		return nil, err
	}
	h := &half{primes: primes, words: count / 2, out: make([]uint64, n*count/2), r: r, workers: workers}
	rnd := rand.New(rand.NewPCG(2, uint64(n)))
	for _, p := range primes {
		f, err := smallprime.New32(uint32(p))
		if err != nil {
			return nil, err
		}
		plan, err := fft.NewPlan(f, n)
		if err != nil {
			return nil, err
		}
		v := make([]uint32, n)
		for i := range v {
			f.Random(&v[i], rnd)
		}
		h.plans, h.v = append(h.plans, plan), append(h.v, v)
	}
	return h, nil
}

func (h *half) images() error {
	return shared(h.r, h.workers, len(h.plans), func(i int) error { return h.plans[i].Forward(h.v[i], h.v[i]) })
}

// mixed sets the words of coefficient j to b₁ + b₂·p₁ + b₃·p₁p₂ + …, with the residues b for digits, by Horner's rule.
func (h *half) mixed() error {
	const step = 256
	n := len(h.v[0])
	return shared(h.r, h.workers, (n+step-1)/step, func(s int) error {
		for j := s * step; j < min(n, (s+1)*step); j++ {
			z := h.out[j*h.words:][:h.words]
			clear(z)
			for i := len(h.primes) - 1; i >= 0; i-- {
				carry := uint64(h.v[i][j])
				for w := range z[:min(len(z), (len(h.primes)-i+1)/2)] {
					hi, lo := bits.Mul64(z[w], h.primes[i])
					var c uint64
					z[w], c = bits.Add64(lo, carry, 0)
					carry = hi + c
				}
			}
		}
		return nil
	})
}

// round measures all sides in turn.
func (c *contest) round(n, workers int, b bigSide, r *pin.Runner) error {
	if b.err != nil {
		return b.err
	}
	in := make([]*big.Int, n)
	for i := range in {
		in[i] = b.integer(i)
	}
	sides := make([]*smallSide, 2)
	for i, length := range []int{50, 62} {
		var err error
		if sides[i], err = newSmall(length, n, b.prime, in, r, workers); err != nil {
			return err
		}
	}
	h, err := newHalf(2*b.words, n, r, workers)
	if err != nil {
		return err
	}
	best, err := inTurn(c.budget, max(1, 1<<14/n), b.run, sides[0].project, sides[0].images, sides[0].combine,
		sides[1].project, sides[1].images, sides[1].combine, h.images, h.mixed)
	if err != nil {
		return err
	}
	whole := best[0]
	for i, s := range sides {
		t := best[1+3*i:][:3]
		total := t[0] + t[1] + t[2]
		fmt.Fprintf(c.w, "%-6s %9s | %-8s %9s %9s %9s %9s %7.2f |", "2^"+fmt.Sprint(bits.Len(uint(n))-1), nanos(whole),
			fmt.Sprintf("%d × %d", len(s.plans), []int{50, 62}[i]), nanos(t[0]), nanos(t[1]), nanos(t[2]),
			nanos(total), total/whole)
		if i == 0 {
			fmt.Fprintf(c.w, " %-8s %9s %7.2f %9s %7.2f", fmt.Sprintf("%d × 30", len(h.primes)), nanos(best[7]),
				best[7]/whole, nanos(best[7]+best[8]), (best[7]+best[8])/whole)
		}
		fmt.Fprintln(c.w)
	}
	return nil
}
