package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"math/big"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/galfft/fft"
	"github.com/galfft/fft/crt"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/benchjson"
	"github.com/galfft/fft/internal/cpu"
	"github.com/galfft/fft/internal/pin"
	"github.com/galfft/fft/poly"
)

// coreCase is what cores measures with several workers.
type coreCase struct {
	field, op, order string
	log              int // of the length
	batch            int
	each             bool // worker does all of the work, rather than a share
	plan             func(workers int, r field.Runner) (*corePlan, error)
}

func (c *coreCase) name() string {
	s := fmt.Sprintf("%s %s 2^%d", c.field, c.op, c.log)
	if c.order != "" {
		s += " " + c.order
	}
	if c.batch > 1 {
		s += fmt.Sprintf(" × %d", c.batch)
	}
	return s
}

// corePlan is a case with some workers.
type corePlan struct {
	reset func() // of the input, by one processor; nil where calls leave it as it is
	call  func(ctx context.Context) error
	sum   func() uint64 // of the values of the last call
}

// coreCases are the cases up to 2^most points whose names contain the filter.
func coreCases(most int, filter string) []coreCase {
	var list []coreCase
	add := func(c coreCase) {
		if c.log <= most && strings.Contains(c.name(), filter) {
			list = append(list, c)
		}
	}
	for _, log := range []int{12, 14, 16, 18, 20, 24} {
		for _, order := range []fft.Order{fft.BitReversed, fft.Natural} {
			add(forwardCase(smallprime.Goldilocks(), log, 1, order))
			add(forwardCase(smallprime.P62(), log, 1, order))
			add(forwardCase(smallprime.P50(), log, 1, order))
			add(forwardCase(smallprime.BabyBear(), log, 1, order))
		}
	}
	add(forwardCase(smallprime.Goldilocks(), 14, 64, fft.BitReversed))
	add(forwardCase(smallprime.P62(), 14, 64, fft.BitReversed))
	add(forwardCase(smallprime.P50(), 14, 64, fft.BitReversed))
	add(forwardCase(smallprime.BabyBear(), 14, 64, fft.BitReversed))
	for _, log := range []int{12, 14, 16, 20} {
		add(forwardCase(gfpf.K8(), log, 1, fft.Natural))
		add(forwardCase(gfpf.K32(), log, 1, fft.Natural))
	}
	for _, log := range []int{12, 14, 16, 20} {
		add(polyCase(smallprime.P62(), log))
		add(polyCase(gfpf.K8(), log))
		add(crtCase(log))
	}
	return list
}

// ceilingCases are transforms of which each worker does one of its own: what sharing could reach at best on the
// machine.
func ceilingCases(filter string) []coreCase {
	list := []coreCase{ceilingCase(smallprime.Goldilocks(), 14, fft.BitReversed),
		ceilingCase(smallprime.P62(), 14, fft.BitReversed), ceilingCase(gfpf.K8(), 12, fft.Natural),
		ceilingCase(gfpf.K32(), 12, fft.Natural), ceilingCase(gfpf.K8(), 16, fft.Natural)}
	return slices.DeleteFunc(list, func(c coreCase) bool { return !strings.Contains(c.name(), filter) })
}

var seed = maphash.MakeSeed()

func hash[E comparable](x []E) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	for _, v := range x {
		maphash.WriteComparable(&h, v)
	}
	return h.Sum64()
}

func random[E any](f ours[E], n int) []E {
	x, r := make([]E, n), rand.New(rand.NewPCG(1, uint64(n)))
	for i := range x {
		f.Random(&x[i], r)
	}
	return x
}

// forwardCase is a transform in place, or a batch of them by rows.
func forwardCase[E comparable](f ours[E], log, batch int, order fft.Order) coreCase {
	c := coreCase{field: f.Name(), op: "forward", order: order.String(), log: log, batch: batch}
	c.plan = func(workers int, r field.Runner) (*corePlan, error) {
		p, err := fft.NewPlan[E](f, 1<<log, fft.WithWorkers(workers), fft.WithRunner(r), fft.WithOrder(order),
			fft.WithBatch(fft.Rows(batch, 0)))
		if err != nil {
			return nil, err
		}
		input := random(f, batch<<log)
		x := slices.Clone(input)
		return &corePlan{reset: func() { copy(x, input) }, sum: func() uint64 { return hash(x) },
			call: func(ctx context.Context) error { return p.ForwardContext(ctx, x, x) }}, nil
	}
	return c
}

// ceilingCase is a transform in place for each worker.
func ceilingCase[E comparable](f ours[E], log int, order fft.Order) coreCase {
	one := forwardCase(f, log, 1, order)
	c := one
	c.op, c.each = "forward, one each", true
	c.plan = func(workers int, r field.Runner) (*corePlan, error) {
		plans := make([]*corePlan, workers)
		for i := range plans {
			var err error
			if plans[i], err = one.plan(1, nil); err != nil {
				return nil, err
			}
		}
		failed := make([]error, workers)
		var ctx context.Context
		task := func(i int) { failed[i] = plans[i].call(ctx) }
		return &corePlan{sum: plans[0].sum, reset: func() {
			for _, p := range plans {
				p.reset()
			}
		}, call: func(of context.Context) error {
			ctx = of
			r.Run(workers, task)
			return errors.Join(failed...)
		}}, nil
	}
	return c
}

// polyCase is a product of two polynomials.
func polyCase[E comparable](f ours[E], log int) coreCase {
	c := coreCase{field: f.Name(), op: "poly.Mul", log: log, batch: 1}
	c.plan = func(workers int, r field.Runner) (*corePlan, error) {
		ring, err := poly.New[E](f, fft.WithWorkers(workers), fft.WithRunner(r))
		if err != nil {
			return nil, err
		}
		x := random(f, 2<<log)
		var z []E
		return &corePlan{sum: func() uint64 { return hash(z) },
			call: func(ctx context.Context) (err error) {
				z, err = ring.Mul(ctx, x[:1<<log], x[1<<log:])
				return err
			}}, nil
	}
	return c
}

// crtCase is a product of two polynomials with coefficients of 64 bits and a sign.
func crtCase(log int) coreCase {
	c := coreCase{field: "integers", op: "crt.Mul", log: log, batch: 1}
	c.plan = func(workers int, r field.Runner) (*corePlan, error) {
		x, rng := make([]*big.Int, 2<<log), rand.New(rand.NewPCG(1, 2))
		for i := range x {
			x[i] = new(big.Int).SetUint64(rng.Uint64())
			if rng.IntN(2) == 1 {
				x[i].Neg(x[i])
			}
		}
		var z []*big.Int
		return &corePlan{call: func(ctx context.Context) (err error) {
			z, err = crt.Mul(ctx, x[:1<<log], x[1<<log:], crt.WithWorkers(workers), crt.WithRunner(r))
			return err
		}, sum: func() uint64 {
			var h maphash.Hash
			h.SetSeed(seed)
			for _, v := range z {
				maphash.WriteComparable(&h, v.Sign())
				_, _ = h.Write(v.Bytes())
			}
			return h.Sum64()
		}}, nil
	}
	return c
}

// coreResult is a line of cores.
type coreResult struct {
	Field    string  `json:"field"`
	Op       string  `json:"op"`
	N        int     `json:"n"`
	Batch    int     `json:"batch"`
	Order    string  `json:"order,omitempty"`
	Data     state   `json:"data,omitempty"`
	Tier     string  `json:"tier"`
	Workers  int     `json:"workers"`
	CPUs     []int   `json:"cpus"` // of the workers
	NsMin    float64 `json:"ns_min"`
	NsMedian float64 `json:"ns_median"`
	Speedup  float64 `json:"speedup"` // least time of one worker over this, as often as there is a transform for each
	Reps     int     `json:"reps"`
	Go       string  `json:"go"`
	CPU      string  `json:"cpu"`
	Commit   string  `json:"commit"`
	Date     string  `json:"date"`
}

// state is where the data of a call lie when it begins.
type state string

const (
	written state = "written" // one processor wrote them just before: all others pull them out of its cache
	left    state = "left"    // where the call before left them
)

// states are those in which a case is measured, which matter only where calls change data in place.
func (p *corePlan) states() []state {
	if p.reset == nil {
		return []state{""}
	}
	return []state{written, left}
}

// cores prints what each number of workers takes, pinned to as many processors, in turn; one JSON object a line. The
// values of all are compared.
func cores(w io.Writer, cases []coreCase, workers []int, budget time.Duration, commit string) error {
	for _, c := range cases {
		if err := c.measure(w, workers, budget, commit); err != nil {
			return fmt.Errorf("%s: %w", c.name(), err)
		}
		runtime.GC()
	}
	return nil
}

func (c *coreCase) measure(w io.Writer, workers []int, budget time.Duration, commit string) error {
	plans, runners := make([]*corePlan, len(workers)), make([]*pin.Runner, len(workers))
	for i, n := range workers {
		var err error
		if runners[i], err = pin.New(n); err != nil {
			return err
		}
		defer runners[i].Close()
		if plans[i], err = c.plan(n, runners[i]); err != nil {
			return err
		}
	}
	for _, s := range plans[0].states() {
		if err := c.compare(w, workers, plans, runners, s, budget, commit); err != nil {
			return err
		}
	}
	return nil
}

// compare measures all plans in turn, in one state of the data.
func (c *coreCase) compare(w io.Writer, workers []int, plans []*corePlan, runners []*pin.Runner, s state,
	budget time.Duration, commit string) error {
	times := make([][]float64, len(workers))
	var want uint64
	for round, start := 0, time.Now(); round < 2 || time.Since(start) < budget*time.Duration(len(workers)); round++ {
		for i, p := range plans {
			took, err := p.times(runners[i], s)
			if err != nil {
				return err
			}
			if round == 0 && s != left {
				got := p.sum()
				if i == 0 {
					want = got
				}
				if got != want {
					return fmt.Errorf("the values of %d workers differ from those of %d", workers[i], workers[0])
				}
			}
			times[i] = append(times[i], took...)
		}
	}
	out := json.NewEncoder(w)
	var one float64
	for i, n := range workers {
		slices.Sort(times[i])
		least := times[i][0]
		if i == 0 {
			one = least
		}
		speedup := one / least
		if c.each {
			speedup *= float64(n)
		}
		if err := out.Encode(coreResult{Field: c.field, Op: c.op, N: 1 << c.log, Batch: c.batch,
			Order: c.order, Data: s, Tier: cpu.Active().String(), Workers: n, CPUs: runners[i].CPUs(), NsMin: least,
			NsMedian: times[i][len(times[i])/2], Speedup: float64(int(100*speedup+0.5)) / 100, Reps: len(times[i]),
			Go: runtime.Version(), CPU: benchjson.CPU(), Commit: commit,
			Date: benchjson.Now()}); err != nil {
			return err
		}
	}
	return nil
}

// times times some calls in a row, once the workers of other plans sleep and those of this one are awake.
func (p *corePlan) times(r *pin.Runner, s state) (times []float64, err error) {
	const quiet, warm, timed = 2 * time.Millisecond, time.Millisecond, 5 * time.Millisecond
	time.Sleep(quiet)
	doErr := r.Do(func() {
		for start := time.Now(); err == nil && (len(times) == 0 || time.Since(start) < warm+timed); {
			if s == written {
				p.reset()
			}
			call := time.Now()
			err = p.call(context.Background())
			if call.Sub(start) > warm {
				times = append(times, float64(time.Since(call).Nanoseconds()))
			}
		}
	})
	return times, cmp.Or(doErr, err)
}

// powers lists the powers of two up to n.
func powers(n int) []int {
	list := []int{1}
	for 2*list[len(list)-1] <= n {
		list = append(list, 2*list[len(list)-1])
	}
	return list
}
