package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/binary"
	"github.com/galfft/fft/kernels/clmul"
	"github.com/galfft/fft/schemes"
	"github.com/galfft/fft/schemes/literal"
)

// The experiments of M. Hamilis' thesis on processors, all over GF(2^64). As the thesis does, they take five runs of
// each contender, drop the best one and the worst one, and have the mean of the others and its deviation.

// gapped is GF(2^64) with the products of Algorithm 4.2.
type gapped struct{ *binary.Field[uint64] }

func (f gapped) Mul(z, x, y *uint64) { clmul.Active().Mul(z, x, y, 1) }

func (f gapped) MulVec(z, x, y []uint64) {
	const most = 1 << 12 // of a call: assembly cannot be preempted
	for s := clmul.Active(); len(z) > 0; {
		n := min(most, len(z))
		s.Mul(&z[0], &x[0], &y[0], n)
		z, x, y = z[n:], x[n:], y[n:]
	}
}

// splitMix fills x with the outputs of SplitMix64, as rivals do.
func splitMix(x []uint64, state uint64) {
	for i := range x {
		state += 0x9e3779b97f4a7c15
		z := (state ^ state>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		x[i] = z ^ z>>31
	}
}

// hashed is the hash of results of binary.h.
func hashed(x []uint64) (sum uint64) {
	for _, w := range x {
		sum = (sum^w)*0x9e3779b97f4a7c15 + sum>>32
	}
	return sum
}

// long is from where the first run of a contender is a sample.
const long = 100 * time.Millisecond

// five takes so many samples of the contenders in turn, fiveRuns for the thesis' way, or until one has enough, and
// prints a line of each. Where a first run was long it is a sample; it is spent then.
func (s *session) five(samples int, all ...contender) error {
	const sample = 10 * time.Millisecond
	runs, times := make([]int, len(all)), make([][]float64, len(all))
	for range samples {
		for i := range all {
			c := &all[i]
			switch {
			case runs[i] > 0:
			case c.spent > 0:
				runs[i], times[i] = 1, append(times[i], float64(c.spent))
				continue
			case samples > 1: // the first run is none of the five
				took, err := c.sample(1)
				for n := 1; err == nil && took < time.Millisecond && n < 1<<10; n *= 2 {
					took, err = c.sample(n)
					took /= time.Duration(n)
				}
				if err != nil {
					return err
				}
				runs[i] = max(1, int(sample/max(1, took)))
			default:
				runs[i] = 1
			}
			if s.limit > 0 && c.spent >= s.limit {
				continue
			}
			took, err := c.sample(runs[i])
			if err != nil {
				return err
			}
			c.spent += took
			times[i] = append(times[i], float64(took)/float64(runs[i]))
		}
	}
	for i, c := range all {
		l := c.line
		l.Samples = len(times[i])
		l.NsMin, l.NsMean, l.Deviation = statistics(times[i])
		if err := s.print(l); err != nil {
			return err
		}
	}
	return nil
}

// statistics are the least time, and without the best and the worst one the mean, and the standard deviation over it.
func statistics(times []float64) (least, mean, deviation float64) {
	slices.Sort(times)
	least = times[0]
	if len(times) > 2 {
		times = times[1 : len(times)-1]
	}
	for _, t := range times {
		mean += t / float64(len(times))
	}
	for _, t := range times {
		deviation += (t - mean) * (t - mean) / float64(len(times))
	}
	return least, mean, math.Sqrt(deviation) / mean
}

// binaryRivals starts those programs of -peer that have an operation on n elements, and compares their results with
// want. Each is a contender in line l.
func (s *session) binaryRivals(l line, op string, seed uint64, list []uint64, want uint64) (all []contender,
	end func(), err error) {
	var running []*rival
	end = func() {
		for _, r := range running {
			r.close()
		}
	}
	open := fmt.Sprintf("open %s %d", op, l.N)
	for _, x := range list {
		open += fmt.Sprintf(" %x", x)
	}
	for _, p := range s.peers {
		var first time.Duration
		r, err := startRival(p, max(1, l.Workers))
		if err == nil {
			running = append(running, r)
			var has bool
			if has, first, err = r.binary(open, seed, want); err == nil && !has {
				continue
			}
		}
		if err != nil {
			end()
			return nil, func() {}, fmt.Errorf("%s, %s of %d elements: %w", p.name, op, l.N, err)
		}
		l.Contender, l.Peer, l.Tier = p.name, true, ""
		c := contender{line: l, own: func(runs int) (d time.Duration, err error) {
			for range runs {
				took, err := r.time()
				if err != nil {
					return 0, err
				}
				d += took
			}
			return d, nil
		}}
		if first > long {
			c.spent = first
		}
		all = append(all, c)
	}
	return all, end, nil
}

// binary opens an operation of a rival and has it run once, in the time that it returns.
func (r *rival) binary(open string, seed, want uint64) (has bool, first time.Duration, err error) {
	answer, err := r.ask(open)
	switch {
	case err != nil:
		return false, 0, err
	case answer == "no" || strings.HasPrefix(answer, "no "):
		return false, 0, nil
	case !strings.HasPrefix(answer, "ok "):
		return false, 0, fmt.Errorf("it answers %q, want ok and its name, or no", answer)
	}
	if _, err = r.ask(fmt.Sprintf("fill %x", seed)); err != nil {
		return false, 0, err
	}
	if first, err = r.time(); err != nil {
		return false, 0, err
	}
	if answer, err = r.ask("hash"); err == nil && answer != strconv.FormatUint(want, 16) {
		err = fmt.Errorf("the hash of its results is %.40s, want %x", answer, want)
	}
	return true, first, err
}

// time has the operation run, and returns the time that the rival tells.
func (r *rival) time() (time.Duration, error) {
	answer, err := r.ask("run")
	if err != nil {
		return 0, err
	}
	ns, err := strconv.ParseFloat(answer, 64)
	if err != nil {
		return 0, fmt.Errorf("a rival answers %.40q, want its time", answer)
	}
	return time.Duration(ns), nil
}

// pairs times products of pairs of GF(2^64): Algorithm 4.2, what is for use, slices without and with their
// transpositions, and rivals.
func pairs(s *session) error {
	f, err := binary.New[uint64](64)
	if err != nil {
		return err
	}
	const seed = 1
	return s.pinned(1, func() error {
		for e := max(10, s.least&^3); e <= min(24, max(10, s.most)); e += 4 {
			if !s.takes(e) {
				continue
			}
			n := 1 << e
			x := make([]uint64, 2*n)
			splitMix(x, seed)
			x, y := x[:n], x[n:]
			z, want := make([]uint64, n), make([]uint64, n)
			f.MulVec(want, x, y)
			b := clmul.ActiveBits()
			if n%b.Lanes != 0 {
				return fmt.Errorf("slices of %d elements", b.Lanes)
			}
			room, u, v, w := make([]uint64, 2*b.Lanes), make([]uint64, n), make([]uint64, n), make([]uint64, n)
			slices := func(to, from []uint64) {
				for i := 0; i < n; i += b.Lanes {
					b.Slice(&to[i], &from[i])
				}
			}
			slices(u, x)
			slices(v, y)
			l := line{Field: f.Name(), What: "products", N: n}
			l.Contender = gappedName
			all := []contender{{line: l, run: func() error { gapped{f}.MulVec(z, x, y); return nil }}}
			l.Contender = shipped
			all = append(all, contender{line: l, run: func() error { f.MulVec(z, x, y); return nil }})
			l.Contender = sliced
			products := func() error {
				for i := 0; i < n; i += b.Lanes {
					b.Mul(&w[i], &u[i], &v[i], &room[0])
				}
				return nil
			}
			all = append(all, contender{line: l, run: products})
			l.What = "transpositions"
			all = append(all, contender{line: l, run: func() error {
				slices(u, x)
				slices(v, y)
				slices(z, w)
				return nil
			}})
			if err := errors.Join(all[2].run(), all[3].run()); err != nil || !equal(z, want) {
				return fmt.Errorf("products of slices: other values; %w", err)
			}
			if err := all[0].run(); err != nil || !equal(z, want) {
				return fmt.Errorf("products of Algorithm 4.2: other values; %w", err)
			}
			l.What = "products"
			others, end, err := s.binaryRivals(l, "multiply", seed, nil, hashed(want))
			if err != nil {
				return err
			}
			err = s.five(fiveRuns, append(all, others...)...)
			end()
			if err != nil {
				return err
			}
		}
		return nil
	})
}

const (
	fiveRuns   = 5
	gappedName = "Algorithm 4.2"
	sliced     = "slices"
	literally  = "literal"
)

func equal(x, y []uint64) bool { return slices.Equal(x, y) }

// anyBasis returns a subspace of 2^e points with a random basis and a random shift.
func anyBasis(e int) field.Affine[uint64] {
	r := rand.New(rand.NewPCG(1, uint64(e)))
	d := field.Affine[uint64]{Shift: r.Uint64()}
	var tops [64]uint64 // by the highest bit: sums of vectors
	for len(d.Basis) < e {
		v := r.Uint64()
		left := v
		for left != 0 && tops[bits.Len64(left)-1] != 0 {
			left ^= tops[bits.Len64(left)-1]
		}
		if left != 0 { // else it is a sum of others
			tops[bits.Len64(left)-1] = left
			d.Basis = append(d.Basis, v)
		}
	}
	return d
}

// literalLog is the longest length that the literal form and its rivals take five times, and onceLog that which they
// take once; what is for use goes on to longestLog.
const (
	literalLog = 24
	onceLog    = 26
	longestLog = 30
)

// literalGrain is the turns of a task in the literal form, by its own numbers of them: rows as long as its loops take
// with one worker.
const literalGrain = 1 << 8

// additives times transforms of GF(2^64) over subspaces of any basis, both ways: the thesis' form with products of
// Algorithm 4.2, what is for use, and rivals; the latter two over the field's own subspace too, where they have it.
func additives(s *session) error {
	f, err := binary.New[uint64](64)
	if err != nil {
		return err
	}
	return s.additives(f, max(10, s.least&^1), min(max(s.most, 10), onceLog), false)
}

// longest times what is for use alone, once, at lengths whose vectors take gigabytes. It prints each time as soon as
// it has it.
func longest(s *session) error {
	f, err := binary.New[uint64](64)
	if err != nil {
		return err
	}
	return s.additives(f, max(onceLog+2, s.least&^1), min(s.most, longestLog), true)
}

func (s *session) additives(f *binary.Field[uint64], least, most int, alone bool) error {
	return s.pinned(s.mostWorkers(), func() error {
		for e := least; e <= most; e += 2 {
			if !s.takes(e) {
				continue
			}
			for i, workers := range s.workers {
				if i > 0 && i < len(s.workers)-1 {
					continue // one and all
				}
				if err := additive(s, f, e, workers, alone); err != nil {
					return fmt.Errorf("length 2^%d, %d workers: %w", e, workers, err)
				}
			}
		}
		return nil
	})
}

// additive times the transforms of one length; alone is what longest does.
func additive(s *session, f *binary.Field[uint64], e, workers int, alone bool) error {
	const seed = 1000
	debug.FreeOSMemory() // of the length before
	n, count := 1<<e, fiveRuns
	if e > literalLog || alone {
		count = 1
	}
	d := anyBasis(e)
	own, err := field.NewAffine(f, n)
	if err != nil {
		return err
	}
	x, y := make([]uint64, n), make([]uint64, n)
	splitMix(x, seed)
	splitMix(y, seed) // its pages are there before the first run, which may be the only one
	spec := field.Spec{Workers: workers}
	if workers > 1 {
		spec.Runner = s.runner
	}
	l := line{Field: f.Name(), N: n, Workers: workers}
	var forward, inverse uint64 // hashes of the results
	type made struct {
		name string
		make func() (field.Transform[uint64], error)
	}
	list := []made{
		{shipped, func() (field.Transform[uint64], error) { return schemes.New(f, d, spec) }},
		{shipped + ", own subspace", func() (field.Transform[uint64], error) { return schemes.New(f, own, spec) }},
		{literally, func() (field.Transform[uint64], error) {
			return literal.Over(gapped{f}, d, spec, literal.Options{Grain: literalGrain})
		}},
	}
	if alone {
		list = []made{list[1], list[0]} // the shorter one first
	}
	for _, c := range list {
		start := time.Now()
		p, err := c.make()
		if err != nil {
			return err
		}
		l.Contender, l.What = c.name, "plan"
		l.NsMin, l.NsMean, l.Deviation, l.Samples = float64(time.Since(start)), float64(time.Since(start)), 0, 1
		if err := s.print(l); err != nil {
			return err
		}
		l.NsMin, l.NsMean, l.Samples = 0, 0, 0
		l.What = "forward"
		there := contender{line: l, run: func() error { return p.Forward(context.Background(), y, x) }}
		l.What = "inverse"
		back := contender{line: l, run: func() error { return p.Inverse(context.Background(), y, x) }}
		for i, hash := range []*uint64{&forward, &inverse} {
			c := []*contender{&there, &back}[i]
			start := time.Now()
			if err := c.run(); err != nil {
				return err
			}
			if took := time.Since(start); took > long {
				c.spent = took
			}
			if alone {
				if err := s.five(count, *c); err != nil {
					return err
				}
				continue
			}
			switch h := hashed(y); {
			case there.Contender == shipped:
				*hash = h
			case there.Contender == literally && h != *hash:
				return errors.New("the literal form has other values")
			}
		}
		if !alone {
			if err := s.five(count, there, back); err != nil {
				return err
			}
		}
		p = nil
		runtime.GC()
	}
	if alone {
		return nil
	}
	x, y = nil, nil
	debug.FreeOSMemory()
	for i, op := range []string{"forward", "inverse"} {
		l.What = op
		others, end, err := s.binaryRivals(l, op, seed, append(slices.Clone(d.Basis), d.Shift),
			[]uint64{forward, inverse}[i])
		if err != nil {
			return err
		}
		err = s.five(count, others...)
		end()
		if err != nil {
			return err
		}
	}
	return nil
}

// phases times the thesis' form by its phases, and a copy of as many bytes, with each number of workers.
func phases(s *session) error {
	f, err := binary.New[uint64](64)
	if err != nil {
		return err
	}
	return s.pinned(s.mostWorkers(), func() error {
		for e := max(12, s.least&^3); e <= min(24, max(12, s.most)); e += 4 {
			if !s.takes(e) {
				continue
			}
			for _, workers := range s.workers {
				if err := phasesOf(s, f, e, workers); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

func phasesOf(s *session, f *binary.Field[uint64], e, workers int) error {
	d := anyBasis(e)
	n, c := 1<<e, new(clock)
	spec := field.Spec{Workers: workers}
	if workers > 1 {
		spec.Runner = s.runner
	}
	p, err := literal.Over(gapped{f}, d, spec, literal.Options{Grain: literalGrain, Mark: c.mark})
	if err != nil {
		return err
	}
	ours, err := schemes.New(f, d, spec)
	if err != nil {
		return err
	}
	x, y := make([]uint64, n), make([]uint64, n)
	splitMix(x, 1)
	parts := map[string][]float64{}
	var names []string
	add := func(name string, d time.Duration) {
		if _, ok := parts[name]; !ok {
			names = append(names, name)
		}
		parts[name] = append(parts[name], float64(d))
	}
	for i := range fiveRuns + 1 {
		*c = clock{part: literal.Done}
		if err := p.Forward(context.Background(), y, x); err != nil {
			return err
		}
		start := time.Now()
		if err := ours.Forward(context.Background(), y, x); err != nil {
			return err
		}
		whole := time.Since(start)
		start = time.Now()
		if workers == 1 {
			copy(y, x)
		} else {
			s.runner.Run(workers, func(i int) { copy(y[i*n/workers:(i+1)*n/workers], x[i*n/workers:]) })
		}
		took := time.Since(start)
		if i == 0 {
			continue // the first run is none of the five
		}
		for part, d := range c.spent {
			if d > 0 {
				add(literal.Part(part).String(), d)
			}
		}
		add(literally, c.all())
		add(shipped, whole)
		add("copy", took)
	}
	missed, uncounted := s.missed(func() error { return p.Forward(context.Background(), y, x) }, c)
	for _, name := range names {
		l := line{Field: f.Name(), Contender: literally, What: name, N: n, Workers: workers, Samples: fiveRuns}
		switch name {
		case shipped, "copy":
			l.Contender, l.What = name, "forward"
		case literally:
			l.What, l.Uncounted = "forward", uncounted
		}
		l.Misses = missed[l.What]
		if l.Contender != literally {
			l.Misses = 0
		}
		l.NsMin, l.NsMean, l.Deviation = statistics(parts[name])
		if err := s.print(l); err != nil {
			return err
		}
	}
	return nil
}

// missed counts the misses of the last cache by phase, in runs that are not timed, or says why it cannot.
func (s *session) missed(run func() error, c *clock) (list map[string]float64, uncounted string) {
	m, err := openMisses()
	if err != nil {
		return nil, err.Error()
	}
	*c = clock{part: literal.Done, count: func() uint64 {
		n, e := m.read()
		if e != nil {
			err = e
		}
		return n
	}}
	for range fiveRuns {
		if e := run(); e != nil {
			err = e
		}
	}
	if err = errors.Join(err, m.close()); err != nil {
		return nil, err.Error()
	}
	list = map[string]float64{}
	for part, n := range c.missed {
		list[literal.Part(part).String()] = float64(n) / fiveRuns
		list["forward"] += float64(n) / fiveRuns
	}
	return list, ""
}
