// Package naive makes the scheme of package schemes/naive.
package naive

import (
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/schemes/internal/core"
)

// Build makes the scheme of p.
func Build[E, V any](p *core.Problem[E, V]) (core.Scheme[V], error) {
	s := &scheme[E, V]{f: p.F, n: p.D.N}
	if p.S.Base != 0 || p.S.Strip != 0 || p.S.Cache != 0 || p.S.Twiddles != field.AutoTwiddles {
		s.ignored = "base, strip, cache and twiddles: the definition has none"
	}
	if err := p.Take(3*float64(s.n), 0); err != nil { // the powers, and the scratch of a call
		return nil, err
	}
	inv, err := core.InvertDomain[E](p.F, p.D)
	if err != nil {
		return nil, err
	}
	for i, d := range []*field.Domain[E]{&p.D, &inv} {
		if s.roots[i], err = core.Powers[E](p.M, p.F, &d.Root, s.n); err != nil {
			return nil, err
		}
		if s.shifts[i], err = core.Powers[E](p.M, p.F, &d.Shift, s.n); err != nil {
			return nil, err
		}
	}
	n := core.Int[E](p.F, s.n)
	if err := p.F.Inv(&n, &n); err != nil {
		return nil, err
	}
	for i := range s.n {
		p.F.Mul(&s.shifts[1][i], &s.shifts[1][i], &n)
	}
	return s, nil
}

type scheme[E, V any] struct {
	f       field.Bulk[E, V]
	n       int
	ignored string
	roots   [2][]E // w^e and w^−e
	shifts  [2][]E // s^i, and s^−i/n
}

func (s *scheme[E, V]) Cheapest() field.Order { return field.Natural }

// rowsInStep is how many values one step computes.
const rowsInStep = 16

func (s *scheme[E, V]) Steps() int { return (s.n + rowsInStep - 1) / rowsInStep }

func (s *scheme[E, V]) Bind(c *core.Call[V], o field.Order) (forward, inverse []core.Phase) {
	x, y := make([]E, s.n), make([]E, s.n)
	t := make([]E, c.Tasks)
	at := core.Permutation(s.n, o) // an involution
	phases := func(inverse int) []core.Phase {
		load := core.Phase{Steps: 1, Do: func(int, int) {
			s.f.Unpack(x, c.In)
			for i := range x {
				if inverse == 0 {
					s.f.Mul(&x[i], &x[i], &s.shifts[0][i])
				} else if j := at[i]; i < j {
					x[i], x[j] = x[j], x[i]
				}
			}
		}}
		sum := core.Phase{Steps: s.Steps(), Do: func(step, task int) {
			for j := step * rowsInStep; j < min(s.n, (step+1)*rowsInStep); j++ {
				z := &y[j]
				if inverse == 0 {
					z = &y[at[j]]
				}
				s.sum(z, x, s.roots[inverse], j, &t[task])
				if inverse == 1 {
					s.f.Mul(z, z, &s.shifts[1][j])
				}
			}
		}}
		store := core.Phase{Steps: 1, Do: func(int, int) { s.f.Pack(c.Out, y) }}
		return []core.Phase{load, sum, store}
	}
	return phases(0), phases(1)
}

// sum sets z = Σᵢ x[i]·w^(ij).
func (s *scheme[E, V]) sum(z *E, x, w []E, j int, t *E) {
	s.f.Set(z, &x[0])
	for i, e := 1, j; i < s.n; i++ {
		s.f.Mul(t, &x[i], &w[e])
		s.f.Add(z, z, t)
		if e += j; e >= s.n {
			e -= s.n
		}
	}
}

func (s *scheme[E, V]) Report(r *field.Report, o field.Order) {
	r.Algorithm, r.Split, r.Base = field.Naive, []int{s.n}, s.n
	r.Tables = 4 * s.f.VecBytes(s.n)
	r.Scratch = r.Tables/2 + 8*s.n // two vectors and the order
	r.Ignored = s.ignored
}
