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
	"github.com/galfft/fft/midint"
	"github.com/galfft/fft/poly"
)

// coreCase is what cores measures with several workers.
type coreCase struct {
	field, op, order string
	log              int // of the length
	batch            int
	each             bool      // worker does all of the work, rather than a share
	machine          *coreCase // what the machine gives, measured in turn with it; nil: that is not asked
	plan             func(workers int, r field.Runner) (*corePlan, error)
	drop             func() // gives up the data that plans share
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
	sum   func() uint64                          // of the values of the last call; nil: it has none to compare
	own   func() func(ctx context.Context) error // call on data of its own, which the caller writes
	long  bool                                   // the last call was, which is not repeated to be warm in later rounds
	rate  func() float64                         // of each worker in the last call, in a nanosecond; nil: of the call
	work  *clocked                               // by which its tasks run; nil: each worker has its own clock
}

// clocked is a Runner that adds up the time that tasks take, for one call at a time.
type clocked struct {
	*pin.Runner
	spent []ownTime // of each task
	f     func(i int)
	one   func(i int) // runs f, made once
}

// ownTime has lines of cache of its own.
type ownTime struct {
	time.Duration
	_ [120]byte
}

func newClocked(r *pin.Runner, tasks int) *clocked {
	c := &clocked{Runner: r, spent: make([]ownTime, tasks)}
	c.one = func(i int) {
		start := time.Now()
		c.f(i)
		c.spent[i].Duration += time.Since(start)
	}
	return c
}

// Run runs tasks as the pinned workers do. It is not called from inside a task.
func (c *clocked) Run(tasks int, f func(i int)) {
	c.f = f
	c.Runner.Run(tasks, c.one)
}

// take is the time of all tasks since the last take.
func (c *clocked) take() (sum time.Duration) {
	for i := range c.spent {
		sum += c.spent[i].Duration
		c.spent[i].Duration = 0
	}
	return sum
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

// sharedCases are the rows of docs/cores.md, up to 2^most points, whose names contain the filter, each with what the
// machine gives: one of its transforms, or products, for each worker.
func sharedCases(most int, filter string) []coreCase {
	goldilocks, p62, p50, babyBear := smallprime.Goldilocks(), smallprime.P62(), smallprime.P50(), smallprime.BabyBear()
	rows := [][2]coreCase{
		{rowsCase(p62, 14, 64), forwardCase(p62, 14, 1, fft.BitReversed)},
		{rowsCase(babyBear, 14, 64), forwardCase(babyBear, 14, 1, fft.BitReversed)},
	}
	for _, c := range []coreCase{forwardCase(goldilocks, 20, 1, fft.BitReversed),
		forwardCase(goldilocks, 24, 1, fft.BitReversed), forwardCase(p62, 24, 1, fft.BitReversed),
		forwardCase(p50, 24, 1, fft.BitReversed), forwardCase(babyBear, 20, 1, fft.BitReversed),
		forwardCase(babyBear, 24, 1, fft.BitReversed), forwardCase(gfpf.K8(), 16, 1, fft.Natural),
		forwardCase(gfpf.K8(), 20, 1, fft.Natural), forwardCase(gfpf.K32(), 16, 1, fft.Natural), crtCase(20),
		forwardCase(goldilocks, 16, 1, fft.BitReversed), forwardCase(p62, 16, 1, fft.BitReversed),
		forwardCase(p50, 16, 1, fft.BitReversed), forwardCase(babyBear, 16, 1, fft.BitReversed)} {
		rows = append(rows, [2]coreCase{c, c})
	}
	for log := 9; log <= 13; log++ {
		c := batchCase(log)
		rows = append(rows, [2]coreCase{c, c})
	}
	var list []coreCase
	for _, c := range rows {
		if c[0].log <= most && strings.Contains(c[0].name(), filter) {
			each := eachCase(c[1])
			c[0].machine = &each
			list = append(list, c[0])
		}
	}
	return list
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

// forwardCase is a transform in place, or a batch of them by rows. All plans of a case have one vector.
func forwardCase[E comparable](f ours[E], log, batch int, order fft.Order) coreCase {
	c := coreCase{field: f.Name(), op: "forward", order: order.String(), log: log, batch: batch}
	var input, x []E
	c.plan = func(workers int, r field.Runner) (*corePlan, error) {
		var work *clocked
		if pinned, ok := r.(*pin.Runner); ok {
			work = newClocked(pinned, workers)
			r = work
		}
		p, err := fft.NewPlan[E](f, 1<<log, fft.WithWorkers(workers), fft.WithRunner(r), fft.WithOrder(order),
			fft.WithBatch(fft.Rows(batch, 0)))
		if err != nil {
			return nil, err
		}
		if input == nil {
			input = random(f, batch<<log)
			x = slices.Clone(input)
		}
		return &corePlan{work: work, reset: func() { copy(x, input) }, sum: func() uint64 { return hash(x) },
			call: func(ctx context.Context) error { return p.ForwardContext(ctx, x, x) },
			own: func() func(context.Context) error {
				x := slices.Clone(input)
				return func(ctx context.Context) error { return p.ForwardContext(ctx, x, x) }
			}}, nil
	}
	c.drop = func() { input, x = nil, nil }
	return c
}

func rowsCase[E comparable](f ours[E], log, batch int) coreCase {
	return forwardCase(f, log, batch, fft.BitReversed)
}

// eachCase is what the machine gives: each worker does all of a case of one worker, on data that it has written, again
// and again, by its own clock, so that neither how soon a call begins and ends on all workers nor the slowest of them
// is in the figure.
func eachCase(one coreCase) coreCase {
	const long = time.Millisecond // of a call
	c := one
	c.op, c.each = one.op+", one each", true
	var plan *corePlan
	var own []func(ctx context.Context) error // of each worker
	again := 0
	c.plan = func(workers int, r field.Runner) (_ *corePlan, err error) {
		if plan == nil {
			if plan, err = one.plan(1, nil); err != nil {
				return nil, err
			}
		}
		before := len(own)
		own = append(own, make([]func(context.Context) error, max(0, workers-before))...)
		failed := make([]error, workers)
		r.Run(workers, func(i int) {
			if i >= before {
				own[i] = plan.own()
				failed[i] = own[i](context.Background())
			}
		})
		if again == 0 {
			start := time.Now()
			failed[0] = own[0](context.Background())
			again = max(1, int(long/time.Since(start)))
		}
		var ctx context.Context
		took := make([]time.Duration, workers)
		task := func(i int) {
			start := time.Now()
			for range again {
				failed[i] = cmp.Or(failed[i], own[i](ctx))
			}
			took[i] = time.Since(start)
		}
		rate := func() float64 {
			sum := 0.0
			for _, t := range took {
				sum += float64(again) / float64(t)
			}
			return sum / float64(workers)
		}
		return &corePlan{rate: rate, call: func(of context.Context) error {
			ctx = of
			r.Run(workers, task)
			return errors.Join(failed...)
		}}, errors.Join(failed...)
	}
	c.drop = func() {
		one.drop()
		plan, own = nil, nil
	}
	return c
}

// polyCase is a product of two polynomials.
func polyCase[E comparable](f ours[E], log int) coreCase {
	c := coreCase{field: f.Name(), op: "poly.Mul", log: log, batch: 1, drop: func() {}}
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
	var input []*big.Int
	c.drop = func() { input = nil }
	c.plan = func(workers int, r field.Runner) (*corePlan, error) {
		if input == nil {
			input = signedIntegers(2 << log)
		}
		x := input
		var z []*big.Int
		call := func(ctx context.Context) (err error) {
			z, err = crt.Mul(ctx, x[:1<<log], x[1<<log:], crt.WithWorkers(workers), crt.WithRunner(r))
			return err
		}
		return &corePlan{call: call, own: func() func(context.Context) error {
			x := signedIntegers(2 << log)
			return func(ctx context.Context) error {
				_, err := crt.Mul(ctx, x[:1<<log], x[1<<log:], crt.WithWorkers(1))
				return err
			}
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

// batchCase is 4096 whole products of integers of 2^log bits.
func batchCase(log int) coreCase {
	c := coreCase{field: "midint", op: "mulwide", log: log, batch: 4096}
	operand := func(i int) (*midint.Batch, error) {
		b, err := midint.NewBatch(1<<log, c.batch)
		if err == nil {
			midintWords(i, b.Words())
		}
		return b, err
	}
	type batches struct{ x, y, z *midint.Batch }
	fresh := func() (b batches, err error) {
		var errs [3]error
		b.x, errs[0] = operand(0)
		b.y, errs[1] = operand(1)
		b.z, errs[2] = midint.NewBatch(2<<log, c.batch)
		return b, errors.Join(errs[:]...)
	}
	var input, b batches
	c.drop = func() { input, b = batches{}, batches{} }
	c.plan = func(workers int, r field.Runner) (*corePlan, error) {
		e, err := midint.New(midint.WithWorkers(workers), midint.WithRunner(r))
		if err != nil {
			return nil, err
		}
		if b.x == nil {
			var errs [2]error
			input, errs[0] = fresh()
			b, errs[1] = fresh()
			if err := errors.Join(errs[:]...); err != nil {
				return nil, err
			}
		}
		reset := func() {
			copy(b.x.Words(), input.x.Words())
			copy(b.y.Words(), input.y.Words())
			clear(b.z.Words())
		}
		return &corePlan{reset: reset, sum: func() uint64 { return hash(b.z.Words()) },
			call: func(ctx context.Context) error { return e.MulWide(ctx, b.z, b.x, b.y) },
			own: func() func(context.Context) error {
				b, err := fresh()
				return func(ctx context.Context) error { return cmp.Or(err, e.MulWide(ctx, b.z, b.x, b.y)) }
			}}, nil
	}
	return c
}

// signedIntegers are random, of 64 bits and a sign.
func signedIntegers(n int) []*big.Int {
	x, rng := make([]*big.Int, n), rand.New(rand.NewPCG(1, 2))
	for i := range x {
		x[i] = new(big.Int).SetUint64(rng.Uint64())
		if rng.IntN(2) == 1 {
			x[i].Neg(x[i])
		}
	}
	return x
}

// coreResult is a line of cores.
type coreResult struct {
	Field    string  `json:"field"`
	Op       string  `json:"op"`
	N        int     `json:"n"`
	Batch    int     `json:"batch"`
	Order    string  `json:"order,omitempty"`
	Data     state   `json:"data"`
	Tier     string  `json:"tier"`
	Workers  int     `json:"workers"`
	CPUs     []int   `json:"cpus"`   // of the workers
	NsMin    float64 `json:"ns_min"` // of each worker's work where that is one each
	NsMedian float64 `json:"ns_median"`
	Speedup  float64 `json:"speedup"`           // least time of one worker over this, as often as there is a transform for each
	Machine  float64 `json:"machine,omitempty"` // speed-up by as many workers with one each, in the same rounds
	Share    float64 `json:"share,omitempty"`   // speed-up over what the machine gives
	Work     float64 `json:"work,omitempty"`    // time of all tasks of the least call over the call of one worker
	Waiting  float64 `json:"waiting,omitempty"` // part of the workers' time in that call in which they had no task
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
	left    state = "left"    // where the workers of the call before left them
	own     state = "own"     // in the cache of the worker that wrote them, and alone reads them
	fresh   state = "fresh"   // operands stay, and results are new
)

// states are those in which a case is measured.
func (c *coreCase) states(p *corePlan) []state {
	switch {
	case c.each:
		return []state{own}
	case p.reset == nil:
		return []state{fresh}
	}
	return []state{written, left}
}

// cores prints what each number of workers takes, pinned to as many processors, in turn with what the machine gives;
// one JSON object a line. The values of all are compared.
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
	runners := make([]*pin.Runner, len(workers))
	for i, n := range workers {
		var err error
		if runners[i], err = pin.New(n); err != nil {
			return err
		}
		defer runners[i].Close()
	}
	defer c.drop()
	list, err := c.series(workers, runners)
	if err != nil {
		return err
	}
	if c.machine != nil {
		defer c.machine.drop()
		each, err := c.machine.series(workers, runners)
		if err != nil {
			return err
		}
		list = append(each, list...)
	}
	if err := takeTurns(list, runners, budget); err != nil {
		return err
	}
	var machine []float64
	for _, s := range list {
		speedups, err := s.print(w, runners, machine, commit)
		if err != nil {
			return err
		}
		if s.of.each {
			machine = speedups
		}
	}
	return nil
}

// coreSeries are the times of a case in one state of its data.
type coreSeries struct {
	of      *coreCase
	data    state
	workers []int
	plans   []*corePlan // of each number of workers
	times   [][]coreTime
}

// coreTime is a call.
type coreTime struct {
	ns, work float64 // of the call, and of all its tasks; 0 where those have no clock
}

// series are those of a case in all its states, without times.
func (c *coreCase) series(workers []int, runners []*pin.Runner) (list []*coreSeries, err error) {
	plans := make([]*corePlan, len(workers))
	for i, n := range workers {
		if plans[i], err = c.plan(n, runners[i]); err != nil {
			return nil, err
		}
	}
	for _, s := range c.states(plans[0]) {
		list = append(list, &coreSeries{c, s, workers, plans, make([][]coreTime, len(workers))})
	}
	return list, nil
}

// takeTurns measures all plans of the series in turn, until each series has used the budget for each number of workers:
// what changes on the machine meanwhile changes all of them.
func takeTurns(list []*coreSeries, runners []*pin.Runner, budget time.Duration) error {
	const least = 3 // rounds
	for round, start := 0, time.Now(); round < least ||
		time.Since(start) < budget*time.Duration(len(list)*len(runners)); round++ {
		for _, s := range list {
			if err := s.round(runners, round == 0); err != nil {
				return err
			}
		}
	}
	return nil
}

// round measures each plan once. In the first one, the values of all are compared.
func (s *coreSeries) round(runners []*pin.Runner, first bool) error {
	var want uint64
	for i, p := range s.plans {
		took, err := p.measure(runners[i], s.data)
		if err != nil {
			return err
		}
		s.times[i] = append(s.times[i], took...)
		if !first || s.data == left || p.sum == nil {
			continue
		}
		got := p.sum()
		if i == 0 {
			want = got
		}
		if got != want {
			return fmt.Errorf("the values of %d workers differ from those of %d", s.workers[i], s.workers[0])
		}
	}
	return nil
}

// print writes a line for each number of workers, beside the speed-ups of the machine where there are any.
func (s *coreSeries) print(w io.Writer, runners []*pin.Runner, machine []float64, commit string) ([]float64, error) {
	round := func(v float64) float64 { return float64(int(100*v+0.5)) / 100 }
	c, out := s.of, json.NewEncoder(w)
	speedups := make([]float64, len(s.plans))
	var one float64
	for i, n := range s.workers {
		slices.SortFunc(s.times[i], func(a, b coreTime) int { return cmp.Compare(a.ns, b.ns) })
		least, tasks := s.times[i][0].ns, s.times[i][0].work
		if i == 0 {
			one = least
		}
		speedups[i] = one / least
		if c.each {
			speedups[i] *= float64(n)
		}
		line := coreResult{Field: c.field, Op: c.op, N: 1 << c.log, Batch: c.batch, Order: c.order, Data: s.data,
			Tier: cpu.Active().String(), Workers: n, CPUs: runners[i].CPUs(), NsMin: least,
			NsMedian: s.times[i][len(s.times[i])/2].ns, Speedup: round(speedups[i]), Reps: len(s.times[i]),
			Go: runtime.Version(), CPU: benchjson.CPU(), Commit: commit, Date: benchjson.Now()}
		if machine != nil {
			line.Machine, line.Share = round(machine[i]), round(speedups[i]/machine[i])
		}
		if tasks > 0 {
			line.Work, line.Waiting = round(tasks/one), round(1-tasks/least/float64(n))
		}
		if err := out.Encode(line); err != nil {
			return nil, err
		}
	}
	return speedups, nil
}

// measure times some calls in a row, once the workers of other plans sleep and those of this one are awake. Of long
// calls there are several: the first one finds its data where other plans left them, and many have a collection of
// garbage beside them.
func (p *corePlan) measure(r *pin.Runner, s state) (times []coreTime, err error) {
	const quiet, timed, long = 2 * time.Millisecond, 5 * time.Millisecond, 20 * time.Millisecond
	const several, most = 4, 100 * time.Millisecond
	warm := time.Millisecond
	if p.long {
		warm = -1
	}
	time.Sleep(quiet)
	doErr := r.Do(func() {
		for start := time.Now(); err == nil && (len(times) == 0 || time.Since(start) < warm+timed ||
			len(times) < several && time.Since(start) < most); {
			if s == written {
				p.reset()
			}
			if p.work != nil {
				p.work.take() // what making the plan took
			}
			call := time.Now()
			err = p.call(context.Background())
			took := coreTime{ns: p.took(call)}
			p.long = time.Since(call) > long
			if p.work != nil {
				took.work = float64(p.work.take())
			}
			if call.Sub(start) > warm {
				times = append(times, took)
			}
		}
	})
	return times, cmp.Or(doErr, err)
}

// took is the nanoseconds of the call that has begun then, or the mean of all workers' by their rates.
func (p *corePlan) took(begun time.Time) float64 {
	if p.rate != nil {
		return 1 / p.rate()
	}
	return float64(time.Since(begun).Nanoseconds())
}

// powers lists the powers of two up to n.
func powers(n int) []int {
	list := []int{1}
	for 2*list[len(list)-1] <= n {
		list = append(list, 2*list[len(list)-1])
	}
	return list
}
