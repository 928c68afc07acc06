package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/binary"
	"github.com/galfft/fft/internal/benchjson"
	"github.com/galfft/fft/internal/cpu"
	"github.com/galfft/fft/internal/pin"
	"github.com/galfft/fft/schemes"
)

// gf2Result is a line of gf2.
type gf2Result struct {
	Field        string  `json:"field"`
	Op           string  `json:"op"`
	N            int     `json:"n"`
	Coefficients string  `json:"coefficients"` // monomial, lch
	Subspace     string  `json:"subspace"`     // own, coset: own and a shift, any: a random basis and a random shift
	Tier         string  `json:"tier"`
	Form         string  `json:"form"`
	Workers      int     `json:"workers"`
	NsMin        float64 `json:"ns_min"`
	NsMedian     float64 `json:"ns_median"`
	NsButterfly  float64 `json:"ns_butterfly"` // the least time over N/2·log2 N
	Reps         int     `json:"reps"`
	Tables       int     `json:"tables"` // bytes
	Go           string  `json:"go"`
	CPU          string  `json:"cpu"`
	Features     string  `json:"features"`
	Commit       string  `json:"commit"`
	Date         string  `json:"date"`
}

// gf2Element is the types of elements of the cases.
type gf2Element interface {
	uint16 | uint32 | uint64 | [2]uint64
}

// gf2Case is transforms of a binary field over one kind of subspace.
type gf2Case struct {
	field, subspace string
	bits            int
	measure         func(log int, with field.Spec, budget time.Duration) ([]gf2Result, error)
}

func gf2Cases(filter string) ([]gf2Case, error) {
	var list []gf2Case
	for _, subspace := range []string{"own", "coset", "any"} {
		list = append(list, newGF2Case(binary.Leopard16(), subspace))
		f32, err := binary.New[uint32](32)
		if err != nil {
			return nil, err
		}
		f64, err := binary.New[uint64](64)
		if err != nil {
			return nil, err
		}
		tower, err := binary.NewTower[[2]uint64](128)
		if err != nil {
			return nil, err
		}
		list = append(list, newGF2Case(f32, subspace), newGF2Case(f64, subspace), newGF2Case(binary.GHASH(), subspace),
			newGF2Case(tower, subspace))
	}
	other := func(c gf2Case) bool { return !strings.Contains(c.field+" "+c.subspace, filter) }
	return slices.DeleteFunc(list, other), nil
}

func newGF2Case[E gf2Element](f *binary.Field[E], subspace string) gf2Case {
	c := gf2Case{field: f.Name(), subspace: subspace, bits: f.Degree()}
	c.measure = func(log int, with field.Spec, budget time.Duration) ([]gf2Result, error) {
		return gf2Measure(f, subspace, log, with, budget)
	}
	return c
}

// gf2Pinned is gf2 with pinned workers.
func gf2Pinned(w io.Writer, s *settings, workers int) error {
	if workers == 1 {
		return pinned(func() error { return gf2(w, s, field.Spec{Workers: 1}) })
	}
	r, err := pin.New(workers)
	if err != nil {
		return err
	}
	defer r.Close()
	return gf2(w, s, field.Spec{Workers: workers, Runner: r})
}

// gf2 prints what transforms take, whole and in working vectors, from coefficients of the powers and from those in
// which layers compute, and what the change between them takes. Long ones, which leave room for one vector, are run
// once, in place.
func gf2(w io.Writer, s *settings, with field.Spec) error {
	least, most := s.least, s.most
	if least < 1 || most > 30 || least > most {
		return fmt.Errorf("lengths 2^%d to 2^%d, want 2^1 to 2^30 at most", least, most)
	}
	cases, err := gf2Cases(s.filter)
	if err != nil {
		return err
	}
	out := json.NewEncoder(w)
	for _, c := range cases {
		for log := least; log <= min(most, c.bits); log++ {
			list, err := c.measure(log, with, s.budget)
			if err != nil {
				return fmt.Errorf("%s, %s subspace, 2^%d: %w", c.field, c.subspace, log, err)
			}
			for _, r := range list {
				r.Field, r.Subspace, r.N, r.Workers = c.field, c.subspace, 1<<log, with.Workers
				r.NsButterfly = r.NsMin / (float64(r.N) / 2 * float64(log))
				r.Tier, r.Features = cpu.Active().String(), benchjson.Features()
				r.Go, r.CPU, r.Commit, r.Date = runtime.Version(), benchjson.CPU(), s.commit, benchjson.Now()
				if err := out.Encode(r); err != nil {
					return err
				}
			}
			runtime.GC()
		}
	}
	return nil
}

// gf2Plan is a transform over 2^log points of the field's own subspace, or of a random basis and a random shift.
func gf2Plan[E gf2Element](f *binary.Field[E], subspace string, log int, s field.Spec) (field.Transform[E],
	error) {
	d, err := field.NewAffine(f, 1<<log)
	if err != nil || subspace == "own" {
		return gf2New(f, d, s, err)
	}
	if subspace == "coset" { // by an element of the subfield of 2^16
		beside, err := field.NewAffine(f, 1<<16)
		if err != nil {
			return nil, err
		}
		d.Shift = beside.Basis[15]
		return gf2New(f, d, s, nil)
	}
	r := rand.New(rand.NewPCG(1, uint64(log)))
	f.Random(&d.Shift, r)
	for {
		for i := range d.Basis {
			f.Random(&d.Basis[i], r)
		}
		t, err := gf2New(f, d, s, nil)
		if !errors.Is(err, field.ErrSpec) { // vectors that depend on others are drawn again
			return t, err
		}
	}
}

func gf2New[E gf2Element](f *binary.Field[E], d field.Affine[E], s field.Spec, err error) (field.Transform[E],
	error) {
	if err != nil {
		return nil, err
	}
	return schemes.New(f, d, s)
}

// gf2Short is log2 of the longest transforms that are run more than once.
const gf2Short = 26

// gf2Op is an operation of a plan.
type gf2Op struct {
	name, coefficients string
	report             field.Report
	alone              bool // is timed by itself, as its peers are: what others leave in the caches counts
	do                 func() error
}

// gf2Progress returns what prints the seconds since the first step and the steps done, at most once in a second: phases
// have steps of their own lengths, and a run that is cut says how far it came.
func gf2Progress(w io.Writer) func(done, total int) {
	var first, last time.Time
	return func(done, total int) {
		now := time.Now()
		if first.IsZero() {
			first = now
		}
		if done == total || now.Sub(last) > time.Second {
			last = now
			fmt.Fprintf(w, "%.2f s: step %d of %d\n", now.Sub(first).Seconds(), done, total)
		}
	}
}

// gf2Ops are those of plans for both bases of polynomials, which were seen to be inverses.
func gf2Ops[E gf2Element](f *binary.Field[E], subspace string, log int, with field.Spec) ([]gf2Op, error) {
	ctx, n := context.Background(), 1<<log
	if log > gf2Short {
		with.Progress = gf2Progress(os.Stderr)
		t, err := gf2Plan(f, subspace, log, with)
		if err != nil {
			return nil, err
		}
		x := random(f, n)
		return []gf2Op{{"forward in place", "monomial", t.Report(), false, func() error { return t.Forward(ctx, x, x) }}}, nil
	}
	x, y, z := random(f, n), make([]E, n), make([]E, n)
	short := slices.Clone(x)
	clear(short[max(1, n/8):])
	var list []gf2Op
	for _, c := range []field.Coefficients{field.Monomial, field.LCH} {
		with.Coefficients = c
		t, err := gf2Plan(f, subspace, log, with)
		if err != nil {
			return nil, err
		}
		if err := t.Forward(ctx, y, x); err != nil {
			return nil, err
		}
		if err := t.Inverse(ctx, z, y); err != nil {
			return nil, err
		}
		if !slices.Equal(x, z) {
			return nil, errors.New("the inverse does not undo the transform")
		}
		v, err := t.NewVec()
		if err != nil {
			return nil, err
		}
		if err := t.Load(v, x); err != nil {
			return nil, err
		}
		name, report := strings.ToLower(c.String()), t.Report()
		list = append(list,
			gf2Op{"forward", name, report, false, func() error { return t.Forward(ctx, y, x) }},
			gf2Op{"forward in place", name, report, false, func() error { return t.Forward(ctx, z, z) }},
			gf2Op{"inverse", name, report, false, func() error { return t.Inverse(ctx, y, x) }},
			gf2Op{"forward, working vector", name, report, false, func() error { return t.ForwardVec(ctx, v) }},
			gf2Op{"forward, 1/8 of the coefficients", name, report, false, func() error { return t.Forward(ctx, y, short) }})
	}
	with.Order = field.Scheme
	t, err := gf2Plan(f, subspace, log, with)
	if err != nil {
		return nil, err
	}
	return append(list,
		gf2Op{"forward, scheme order", "lch", t.Report(), false, func() error { return t.Forward(ctx, y, x) }},
		gf2Op{"products", "", field.Report{}, true, func() error { f.MulVec(y, x, z); return nil }}), nil
}

// gf2Measure times operations in turn, until each had its time, and at least three samples, and some alone. In working
// vectors LCH coefficients take the layers alone, so that the rest of what the others take is the change of basis.
func gf2Measure[E gf2Element](f *binary.Field[E], subspace string, log int, with field.Spec,
	budget time.Duration) ([]gf2Result, error) {
	ops, err := gf2Ops(f, subspace, log, with)
	if err != nil {
		return nil, err
	}
	times := make([]benchjson.Samples, len(ops))
	calls, least := max(1, 1<<12>>log), 3
	if log > gf2Short {
		least, budget = 1, 0
	}
	sample := func(i, calls int) error {
		begin := time.Now()
		for range calls {
			if err := ops[i].do(); err != nil {
				return err
			}
		}
		times[i] = append(times[i], benchjson.Sample{Ops: calls, Ns: float64(time.Since(begin)) / float64(calls)})
		return nil
	}
	for start, round := time.Now(), 0; round < least || time.Since(start) < budget*time.Duration(len(ops)); round++ {
		for i := range ops {
			if ops[i].alone {
				continue
			}
			if err := sample(i, calls); err != nil {
				return nil, err
			}
		}
	}
	for i := range ops {
		if !ops[i].alone {
			continue
		}
		for start, round := time.Now(), 0; round < 2*least || time.Since(start) < budget; round++ {
			if err := sample(i, max(1, 1<<16>>log)); err != nil {
				return nil, err
			}
		}
	}
	var list []gf2Result
	for i, op := range ops {
		list = append(list, gf2Result{Op: op.name, Coefficients: op.coefficients, Form: op.report.Form,
			Tables: op.report.Tables, NsMin: times[i].Min(), NsMedian: times[i].Median(), Reps: len(times[i])})
	}
	if log > gf2Short {
		return list, nil
	}
	const vec, layers = 3, 8 // transforms of working vectors, of both bases
	change := gf2Result{Op: "change of basis, working vector", Coefficients: "monomial", Form: ops[vec].report.Form,
		Tables: ops[vec].report.Tables - ops[layers].report.Tables, Reps: len(times[vec]),
		NsMin: list[vec].NsMin - list[layers].NsMin, NsMedian: list[vec].NsMedian - list[layers].NsMedian}
	return append(list, change), nil
}
