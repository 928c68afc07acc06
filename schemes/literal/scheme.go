package literal

import (
	"fmt"
	"math/bits"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine"
	"github.com/galfft/fft/schemes/internal/base"
	"github.com/galfft/fft/schemes/internal/cases"
)

const (
	mostBase    = 64 // of straight-line code
	defaultBase = 32
)

// build makes the scheme of p, whose vectors are slices of elements of f.
func build[E any](p *engine.Problem, f field.Field[E], o Options) (engine.Scheme, error) {
	n := p.D.N
	if n&(n-1) != 0 {
		return nil, fmt.Errorf("fft: %w: literal schemes of length %d, want a power of two", field.ErrSpec, n)
	}
	a, b := p.S.Algorithm, p.S.Base
	switch a {
	case field.Auto:
		a = field.FourStep
	case field.SixStep, field.SixStepMerged, field.FourStep:
	default:
		return nil, fmt.Errorf("fft: %w: scheme %v in its literal form, want %v, %v or %v", field.ErrSpec, a,
			field.SixStep, field.SixStepMerged, field.FourStep)
	}
	if b == 0 {
		b = defaultBase
	}
	if b > mostBase {
		return nil, fmt.Errorf("fft: %w: base %d of a literal scheme, want at most %d", field.ErrSpec, b, mostBase)
	}
	s := &scheme[E]{f: f, bulk: p.F, n: n, b: min(n, b), algorithm: a, o: o}
	s.levels = bits.Len(uint(n/s.b)) - 1
	if p.S.Strip != 0 || p.S.Radix != 0 || p.S.Cache != 0 || p.S.Twiddles != field.AutoTwiddles {
		s.ignored = "strip, cache and twiddles: the literal form has none"
	}
	if err := engine.CheckMemory(n, p.F.Bytes(1), p.S.MemoryLimit, 5*n); err != nil {
		return nil, err
	}
	s.rev = engine.Revs(s.b)
	for i, d := range []engine.Domain{p.D, p.D.Inverse()} {
		var err error
		if s.direction[i], err = newDirection(p, s, d); err != nil {
			return nil, err
		}
	}
	if p.D.Shifted() {
		v, err := engine.Powers(p, p.D.Exponents, engine.Factor{Shift: p.D.Shift}, n)
		if err != nil {
			return nil, err
		}
		s.shift = bulks.SliceOf[E](v)
	}
	last, err := engine.Powers(p, p.D.Exponents, engine.Factor{Shift: -p.D.Shift}, n)
	if err != nil {
		return nil, err
	}
	over, err := p.D.Factors(engine.Factor{Over: n})
	if err != nil {
		return nil, err
	}
	by, err := p.F.Table(over, bulks.Alone)
	if err != nil {
		return nil, err
	}
	by.Scale(last, 0, 1, n, n)
	s.last = bulks.SliceOf[E](last)
	return s, nil
}

type scheme[E any] struct {
	f         field.Field[E]
	bulk      bulks.Bulk
	n, b      int
	levels    int
	algorithm field.Algorithm
	o         Options
	ignored   string
	rev       []int32
	direction [2]direction[E]
	shift     []E // s^i of the forward transform; nil: s is 1
	last      []E // s^−i/N of the inverse
}

// direction is the tables of a root.
type direction[E any] struct {
	kernel   cases.Case
	twiddles [][]E // w^(2^i·z) for level i, of blocks of N/2^i, and z below half of it; nil with online twiddles
	roots    []E   // w^(2^i)
}

func newDirection[E any](p *engine.Problem, s *scheme[E], d engine.Domain) (t direction[E], err error) {
	u := d
	u.N, u.Root, u.Shift = s.b, d.Root*int64(s.n/s.b), 0
	q := *p
	q.C.Base, q.C.Cache, q.C.Codelet = s.b, 1<<30, mostBase
	if t.kernel, err = base.Cases(&q).New(u); err != nil {
		return t, err
	}
	for i := range s.levels {
		c := engine.Factor{Root: d.Root << i}
		root, err := d.Elements(c)
		if err != nil {
			return t, err
		}
		t.roots = append(t.roots, bulks.SliceOf[E](root)...)
		if !s.o.Online {
			powers, err := engine.Powers(p, d.Exponents, c, s.n>>i/2)
			if err != nil {
				return t, err
			}
			t.twiddles = append(t.twiddles, bulks.SliceOf[E](powers))
		}
	}
	return t, nil
}

const temps = 3 // elements that a task computes with: a product, and a power and its square

// Cheapest is natural order.
func (s *scheme[E]) Cheapest() field.Order { return field.Natural }

func (s *scheme[E]) Steps() int { return max(1, s.n/2) }

// call is the state of one call.
type call[E any] struct {
	*scheme[E]
	*direction[E]
	program
	y    []E // scratch
	temp []E // temps of each task: local variables would escape
}

// out is the output of the call.
func (t *call[E]) out() []E { return bulks.SliceOf[E](t.c.Out) }

func (s *scheme[E]) Bind(c *engine.Call, o field.Order) (forward, inverse []engine.Phase, err error) {
	y, temp := make([]E, s.n), make([]E, temps*c.Tasks)
	for i := range s.direction {
		t := &call[E]{scheme: s, direction: &s.direction[i], program: program{c: c, options: s.o}, y: y, temp: temp}
		t.mark(Permutations)
		t.input(i == 0, o)
		t.preshuffle()
		t.mark(BaseCases)
		t.kernels()
		for level := s.levels - 1; level >= 0; level-- {
			switch s.algorithm {
			case field.SixStep:
				t.explicit(level)
			case field.SixStepMerged:
				t.merged(level)
			default:
				t.fourStep(level)
			}
		}
		if i == 0 {
			if o == field.BitReversed {
				t.mark(Permutations)
				t.one(func() { s.bulk.Reorder(c.Out, 1, 0, 1) })
			}
			t.mark(Done)
			forward = t.list
			continue
		}
		t.mark(Scaling)
		t.loop(s.n, grain8, func(k, end, _ int) {
			for z := t.out(); k < end; k++ {
				s.f.Mul(&z[k], &z[k], &s.last[k])
			}
		})
		t.mark(Done)
		inverse = t.list
	}
	return forward, inverse, nil
}

// halves is a range of turns over the second halves, of h elements, of blocks in x: do takes one block after the other,
// and those of its places z that belong to the range.
func halves[E any](x []E, h, from, to int, do func(block []E, z, end int)) {
	for from < to {
		z := from % h
		end := min(h, z+to-from)
		do(x[from/h*2*h:][:2*h], z, end)
		from += end - z
	}
}

// input moves the input to where the pre-shuffle wants it: into scratch for the closed form, to the output for the
// others. A forward transform over a coset has its products here, and an inverse one of values in bit-reversed order
// sorts them.
func (t *call[E]) input(forward bool, o field.Order) {
	f, c := t.f, t.c
	to := func() []E {
		if t.o.Preshuffle == ClosedForm {
			return t.y
		}
		return t.out()
	}
	t.loop(t.n, grain8, func(k, end, _ int) {
		x, z := bulks.SliceOf[E](c.In)[k:end], to()[k:end]
		switch {
		case forward && t.shift != nil:
			for i := range z {
				f.Mul(&z[i], &x[i], &t.shift[k+i])
			}
		case &z[0] != &x[0]:
			copyTo(f, z, x)
		}
	})
	if !forward && o == field.BitReversed {
		t.one(func() { t.bulk.Reorder(bulks.ViewOf(to()), 1, 0, 1) })
	}
}

func (t *call[E]) kernels() {
	b := t.b
	t.loop(t.n/b, grain8, func(k, end, _ int) {
		for ; k < end; k++ {
			t.kernel.Forward(nil, t.c.Out.Slice(k*b, (k+1)*b), 1, true)
			x := t.out()[k*b:][:b]
			for i, j := range t.rev {
				if i < int(j) {
					x[i], x[j] = x[j], x[i]
				}
			}
		}
	})
}

// power sets z to w^k, w the root of a level.
func (t *call[E]) power(z *E, level, k, task int) {
	f, square := t.f, &t.temp[temps*task+2]
	f.One(z)
	f.Set(square, &t.roots[level])
	for ; k > 0; k >>= 1 {
		if k&1 == 1 {
			f.Mul(z, z, square)
		}
		f.Mul(square, square, square)
	}
}

// twiddle returns w^z: of the table, or the task's own.
func (t *call[E]) twiddle(level, z, task int) *E {
	if !t.o.Online {
		return &t.twiddles[level][z]
	}
	p := &t.temp[temps*task+1]
	t.power(p, level, z, task)
	return p
}

// butterflies sets y[z], y[z+h] to x[z] ± w^z·x[z+h] for places z of a block of 2h elements, x or another.
func (t *call[E]) butterflies(y, x []E, level, z, end, task int) {
	f, h, p := t.f, len(x)/2, &t.temp[temps*task]
	for ; z < end; z++ {
		if z == 0 {
			f.Set(p, &x[h])
		} else {
			f.Mul(p, &x[z+h], t.twiddle(level, z, task))
		}
		f.Sub(&y[z+h], &x[z], p)
		f.Add(&y[z], &x[z], p)
	}
}

// explicit is a level of procedure 9.
func (t *call[E]) explicit(level int) {
	h := t.n >> level / 2
	t.mark(Twiddles)
	t.loop(t.n/2, grain8, func(from, to, task int) {
		halves(t.out(), h, from, to, func(x []E, z, end int) {
			for z = max(z, 1); z < end; z++ {
				t.f.Mul(&x[h+z], &x[h+z], t.twiddle(level, z, task))
			}
		})
	})
	t.mark(Permutations)
	t.permute(1<<level, 2, h) // the shuffle L_h
	t.mark(Butterflies)
	t.loop(t.n/2, grain4, func(k, end, task int) {
		p := &t.temp[temps*task]
		for ; k < end; k++ {
			x, y := &t.out()[2*k], &t.out()[2*k+1]
			t.f.Sub(p, x, y)
			t.f.Add(x, x, y)
			t.f.Set(y, p)
		}
	})
	t.mark(Permutations)
	t.permute(1<<level, h, 2) // the sort L_2
}

// merged is a level of procedure 10, with its copy back.
func (t *call[E]) merged(level int) {
	h := t.n >> level / 2
	t.mark(Butterflies)
	t.loop(t.n/2, grain2, func(from, to, task int) {
		y := t.y[from/h*2*h:]
		halves(t.out(), h, from, to, func(x []E, z, end int) {
			t.butterflies(y[:2*h], x, level, z, end, task)
			y = y[2*h:]
		})
	})
	t.mark(Permutations)
	t.copyBack()
}

// fourStep is a level of procedure 11.
func (t *call[E]) fourStep(level int) {
	h := t.n >> level / 2
	t.mark(Butterflies)
	t.loop(t.n/2, grain2, func(from, to, task int) {
		halves(t.out(), h, from, to, func(x []E, z, end int) { t.butterflies(x, x, level, z, end, task) })
	})
}

func (t *call[E]) copyBack() {
	t.loop(t.n, grain8, func(k, end, _ int) { copyTo(t.f, t.out()[k:end], t.y[k:end]) })
}

func (s *scheme[E]) Report(r *field.Report, o field.Order) {
	r.Algorithm, r.Base, r.Ignored = s.algorithm, s.b, s.ignored
	r.Passes = []string{"pre-shuffle", fmt.Sprintf("base cases of %d", s.b), fmt.Sprintf("%d levels", s.levels)}
	for range s.levels {
		r.Split = append(r.Split, 2)
	}
	r.Split = append(r.Split, s.b)
	elements := len(s.shift) + len(s.last)
	for i := range s.direction {
		r.Tables += s.direction[i].kernel.Bytes()
		elements += len(s.direction[i].roots)
		for _, t := range s.direction[i].twiddles {
			elements += len(t)
		}
	}
	r.Tables += s.bulk.Bytes(elements)
	r.Scratch = s.bulk.Bytes(s.n)
	r.Form += ", the literal form of the scheme"
}
