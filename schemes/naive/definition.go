package naive

import (
	"fmt"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine"
)

// Build makes the scheme of a problem, for packages of this module: it does not check it. It computes with the methods
// of elements, and takes none of the passes of a bulk.
func Build(p *engine.Problem) (engine.Scheme, error) {
	s := &scheme{f: p.F, host: p.D.Host(), points: p.D.Exponents, n: p.D.N}
	if p.S.Base != 0 || p.S.Strip != 0 || p.S.Radix != 0 || p.S.Cache != 0 || p.S.Twiddles != field.AutoTwiddles {
		s.ignored = "base, strip, radix, cache and twiddles: the definition has none"
	}
	if err := p.Take(3*float64(s.n), 0); err != nil { // the powers, and the scratch of a call
		return nil, err
	}
	var err error
	for i, d := range []engine.Domain{p.D, p.D.Inverse()} {
		over := 1 + i*(s.n-1) // 1/n of the inverse
		if s.roots[i], err = s.powers(p, engine.Factor{Root: d.Root}, 1); err != nil {
			return nil, err
		}
		if s.shifts[i], err = s.powers(p, engine.Factor{Shift: d.Shift}, over); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// powers returns c^0/over … c^(n−1)/over.
func (s *scheme) powers(p *engine.Problem, c engine.Factor, over int) (engine.View, error) {
	z, err := s.host.Make(s.n)
	if err != nil {
		return z, err
	}
	list, err := s.points.Elements(engine.Factor{Over: over}, c)
	if err != nil {
		return z, err
	}
	one := bulks.Copy{Rows: 1, Width: 1}
	s.host.Copy(z, list, one)
	for i := range s.n - 1 {
		if err := p.M.Every(i); err != nil {
			return z, err
		}
		s.host.VecMul(z.Slice(i+1, i+2), z.Slice(i, i+1), list.Slice(1, 2))
	}
	return z, nil
}

type scheme struct {
	f, host bulks.Bulk
	points  engine.Exponents
	n       int
	ignored string
	roots   [2]engine.View // w^e and w^−e
	shifts  [2]engine.View // s^i, and s^−i/n
}

func (s *scheme) Cheapest() field.Order { return field.Natural }

// rowsInStep is how many values one step computes.
const rowsInStep = 16

func (s *scheme) Steps() int { return (s.n + rowsInStep - 1) / rowsInStep }

func (s *scheme) Bind(c *engine.Call, o field.Order) (forward, inverse []engine.Phase, err error) {
	var x, y, t engine.View
	for _, v := range []struct {
		v *engine.View
		n int
	}{{&x, s.n}, {&y, s.n}, {&t, c.Tasks}} {
		if *v.v, err = s.host.Make(v.n); err != nil {
			return nil, nil, err
		}
	}
	order := bulks.Copy{Rows: s.n, Width: 1, Dst: 1, Src: 1} // between natural order and o, an involution
	if o == field.BitReversed {
		order.RowPerm = engine.Revs(s.n)
	}
	load := engine.Phase{Steps: 1, Do: func(int, int) {
		s.f.Unpack(x, c.In)
		s.host.VecMul(x, x, s.shifts[0])
	}}
	loadValues := engine.Phase{Steps: 1, Do: func(int, int) {
		s.f.Unpack(y, c.In)
		s.host.Copy(x, y, order)
	}}
	sums := func(inverse int) engine.Phase {
		return engine.Phase{Steps: s.Steps(), Do: func(step, task int) {
			for j := step * rowsInStep; j < min(s.n, (step+1)*rowsInStep); j++ {
				s.points.Sum(y, x, s.roots[inverse], j, t.Slice(task, task+1))
			}
		}}
	}
	store := engine.Phase{Steps: 1, Do: func(int, int) {
		s.host.Copy(x, y, order)
		s.f.Pack(c.Out, x)
	}}
	storeElements := engine.Phase{Steps: 1, Do: func(int, int) {
		s.host.VecMul(y, y, s.shifts[1])
		s.f.Pack(c.Out, y)
	}}
	return []engine.Phase{load, sums(0), store}, []engine.Phase{loadValues, sums(1), storeElements}, nil
}

func (s *scheme) Report(r *field.Report, o field.Order) {
	r.Algorithm, r.Split, r.Base = field.Naive, []int{s.n}, s.n
	r.Passes = []string{fmt.Sprintf("the definition, %d² products", s.n)}
	r.Tables = 4 * s.host.Bytes(s.n)
	r.Scratch = 2 * s.host.Bytes(s.n) // two vectors
	if o == field.BitReversed {
		r.Scratch += 4 * s.n
	}
	r.Ignored = s.ignored
}
