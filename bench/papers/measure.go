package main

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"time"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/benchjson"
	"github.com/galfft/fft/internal/cpu"
	"github.com/galfft/fft/internal/pin"
	"github.com/galfft/fft/schemes"
	"github.com/galfft/fft/schemes/literal"
)

// line is one measurement.
type line struct {
	Experiment string  `json:"experiment"`
	Field      string  `json:"field"`
	Contender  string  `json:"contender"` // shipped, or what stands against it
	What       string  `json:"what"`      // of these the time is: forward, plan, preshuffle, …
	N          int     `json:"n"`
	Rows       int     `json:"rows,omitempty"` // of a matrix of n elements
	Base       int     `json:"base"`           // 0: the plan's choice
	Workers    int     `json:"workers"`
	NsMin      float64 `json:"ns_min,omitempty"`
	NsMean     float64 `json:"ns_mean,omitempty"`   // of the samples but the best one and the worst one, where five are taken
	Deviation  float64 `json:"deviation,omitempty"` // of these, over their mean
	Samples    int     `json:"samples,omitempty"`   // behind it
	Counts     *counts `json:"counts,omitempty"`
	Misses     float64 `json:"misses,omitempty"`    // of the last cache, by a counter of the processor
	Uncounted  string  `json:"uncounted,omitempty"` // why they are not counted
	Peer       bool    `json:"peer,omitempty"`      // the contender is a rival's program
	Tier       string  `json:"tier"`
	Go         string  `json:"go"`
	CPU        string  `json:"cpu"`
	Features   string  `json:"features"`
	Caches     string  `json:"caches"`
	Commit     string  `json:"commit"`
	Date       string  `json:"date"`
}

// butterflies is the number of butterflies of radix 2 in a transform of l.N points.
func (l line) butterflies() float64 { return float64(l.N) / 2 * math.Log2(float64(l.N)) }

// session runs an experiment.
type session struct {
	w          io.Writer
	experiment string
	budget     time.Duration // for each contender at each length
	rounds     int           // samples of each at least
	limit      time.Duration // of samples, from which on one has enough; 0: none
	least      int           // log2 of the shortest length
	most       int           // log2 of the longest one
	only       []int         // logarithms of the lengths; nil: all
	mostNCW    int           // the same with an integer of GMP for each element
	workers    []int         // numbers of them to measure, ascending
	kernels    []int         // base cases of literal schemes
	peers      []peer
	commit     string
	runner     *pin.Runner
}

// mostWorkers is the greatest number of workers.
func (s *session) mostWorkers() int { return s.workers[len(s.workers)-1] }

// enough reports whether so many samples, which took so long together, are as many as there have to be.
func (s *session) enough(samples int, spent time.Duration) bool {
	return samples >= s.rounds || samples > 0 && s.limit > 0 && spent >= s.limit
}

// contender is what is timed: run, which is there to be called many times.
type contender struct {
	line
	run   func() error
	spent time.Duration // in samples
	// own, where it is not nil, is in place of run: so many runs by a program that takes its time by itself, in all.
	own func(runs int) (time.Duration, error)
}

// pinned runs f on a pinned thread, with a runner of so many.
func (s *session) pinned(workers int, f func() error) error {
	r, err := pin.New(workers)
	if err != nil {
		return err
	}
	defer r.Close()
	s.runner = r
	var failed error
	if err := r.Do(func() { failed = f() }); err != nil {
		return err
	}
	return failed
}

// measure takes samples of the contenders in turn until their time is over, and enough of each, and prints a line of
// each. Short ones run many times in a sample, and once before it, so that what the others left in the caches does not
// count. The first run of a long one is a sample.
func (s *session) measure(all ...contender) error {
	const sample, long = 50 * time.Microsecond, 100 * time.Millisecond
	runs := make([]int, len(all))
	for i := range all {
		c := &all[i]
		c.NsMin = math.Inf(1)
		took, err := c.sample(1) // the first run is slow: a second one follows where that matters
		for runs[i] = 1; err == nil && (took < sample || runs[i] == 1 && took < 20*sample); {
			if took, err = c.sample(runs[i]); took < sample {
				runs[i] *= 2
			} else {
				break
			}
		}
		if err != nil {
			return err
		}
		if took >= long {
			c.NsMin, c.Samples, c.spent = float64(took), 1, took
		}
	}
	end := time.Now().Add(time.Duration(len(all)) * s.budget)
	for again := true; again; {
		again = time.Now().Before(end)
		for i := range all {
			c := &all[i]
			if s.enough(c.Samples, c.spent) && (!again || c.NsMin > float64(s.budget)) {
				continue // for another sample there is no time
			}
			if c.NsMin < 1e6 {
				if _, err := c.sample(1); err != nil {
					return err
				}
			}
			took, err := c.sample(runs[i])
			if err != nil {
				return err
			}
			c.NsMin = min(c.NsMin, float64(took)/float64(runs[i]))
			c.Samples++
			c.spent += took
		}
		again = again || slices.ContainsFunc(all, func(c contender) bool { return !s.enough(c.Samples, c.spent) })
	}
	for _, c := range all {
		c.NsMin = math.Round(c.NsMin*1000) / 1000
		if err := s.print(c.line); err != nil {
			return err
		}
	}
	return nil
}

// sample is the time of so many runs.
func (c *contender) sample(runs int) (time.Duration, error) {
	if c.own != nil {
		return c.own(runs)
	}
	start := time.Now()
	for range runs {
		if err := c.run(); err != nil {
			return 0, err
		}
	}
	return time.Since(start), nil
}

func (s *session) print(l line) error {
	l.Experiment, l.Go, l.CPU = s.experiment, runtime.Version(), benchjson.CPU()
	l.Features, l.Caches = benchjson.Features(), benchjson.Caches()
	l.Tier = cmp.Or(l.Tier, cpu.Active().String())
	l.Commit, l.Date = s.commit, benchjson.Now()
	l.Workers = max(1, l.Workers)
	return json.NewEncoder(s.w).Encode(l)
}

// rooted is a field of which transforms are measured.
type rooted[E any] interface {
	field.Rooted[E]
	field.Sampler[E]
	field.Info
}

// data is the input and the output of the transforms of one length.
type data[E any] struct {
	f    rooted[E]
	d    field.Cyclic[E]
	x, y []E
}

func newData[E any](f rooted[E], n int) (*data[E], error) {
	d, err := field.NewCyclic[E](f, n)
	if err != nil {
		return nil, err
	}
	t := &data[E]{f, d, make([]E, n), make([]E, n)}
	r := rand.New(rand.NewPCG(1, uint64(n)))
	for i := range t.x {
		f.Random(&t.x[i], r)
	}
	return t, nil
}

// forward is a contender that transforms, in natural order, out of place.
func (t *data[E]) forward(s *session, name string, spec form) (contender, error) {
	if spec.Workers > 1 {
		spec.Runner = s.runner
	}
	p, err := t.transform(spec)
	l := line{Field: t.f.Name(), Contender: name, What: "forward", N: t.d.N, Base: spec.Base, Workers: spec.Workers}
	return contender{line: l, run: func() error { return p.Forward(context.Background(), t.y, t.x) }}, err
}

// planned is a contender that makes the plan of such a transform.
func (t *data[E]) planned(name string, spec form) contender {
	l := line{Field: t.f.Name(), Contender: name, What: "plan", N: t.d.N, Base: spec.Base}
	return contender{line: l, run: func() error { _, err := t.transform(spec); return err }}
}

// form is a transform that is for use, or one in its literal form.
type form struct {
	field.Spec
	literal *literal.Options
}

func (t *data[E]) transform(s form) (field.Transform[E], error) {
	if s.literal != nil {
		return literal.Over[E](t.f, t.d, s.Spec, *s.literal)
	}
	return schemes.New[E](t.f, t.d, s.Spec)
}

// The three schemes of the thesis, from its slowest to its fastest, and what they are compared with.
var literals = []field.Algorithm{field.SixStep, field.SixStepMerged, field.FourStep}

const shipped = "shipped"

func literalOf(a field.Algorithm, base, workers int) form {
	return form{field.Spec{Algorithm: a, Base: base, Workers: workers}, new(literal.Options)}
}

var kernels = []int{2, 4, 8, 16, 32, 64} // base cases of the thesis
