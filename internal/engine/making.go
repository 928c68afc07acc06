package engine

import (
	"cmp"
	"context"
	"fmt"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine/choice"
	"github.com/galfft/fft/internal/par"
)

// Making is the making of one plan: its context, which stops it, and the memory that the plan has taken so far.
type Making struct {
	ctx   context.Context
	n     int     // the length of the plan
	limit int     // bytes
	held  float64 // bytes that stay
}

// NewMaking begins the making of a plan of length n.
func NewMaking(n int, s field.Spec) *Making {
	m := &Making{ctx: s.Context, n: n, limit: s.MemoryLimit}
	if m.ctx == nil {
		m.ctx = context.Background()
	}
	return m
}

// Err is the error of the context, or nil. What takes long asks about every 100 µs of work.
func (m *Making) Err() error {
	if err := m.ctx.Err(); err != nil {
		return fmt.Errorf("fft: plan stopped: %w", err)
	}
	return nil
}

// Context is what Err asks.
func (m *Making) Context() context.Context { return m.ctx }

// Every asks for the error at every 4096th of the turns i of a loop over products.
func (m *Making) Every(i int) error {
	if i%(1<<12) != 0 {
		return nil
	}
	return m.Err()
}

// Watch is that of transforms that the making needs.
func (m *Making) Watch() *Watch { return &Watch{ctx: m.ctx} }

// take counts bytes that stay, and bytes that do not, before either is allocated. It fails where they do not fit.
func (m *Making) take(stay, pass float64) error {
	if m.held+stay+pass > float64(m.limit) {
		return memoryError(m.n, m.held+stay+pass, m.limit)
	}
	m.held += stay
	return m.Err()
}

// Add counts bytes that stay, of what made itself within what was Left.
func (m *Making) Add(bytes int) error { return m.take(float64(bytes), 0) }

// Left is the part of the memory limit that is left, at least 1, for plans below.
func (m *Making) Left() int { return max(1, m.limit-int(m.held)) }

// Take counts tables of so many multipliers, which stay, and vectors or slices of so many elements, which are needed
// while they are made, before anything is allocated. The error is field.ErrMemory, or that of the context.
//
// A multiplier takes at most twice a vector's element and four bytes, or what the bulk says.
func (p *Problem) Take(multipliers, elements float64) error {
	vector := vectorBytes(p.F)
	multiplier := max(2*vector+4, float64(p.T.Multiplier))
	return p.M.take(multipliers*multiplier, elements*max(vector, float64(p.D.Host().Bytes(1))))
}

// vectorBytes returns the bytes of an element of a long vector: those of devices end at multiples of some KiB.
func vectorBytes(f bulks.Bulk) float64 {
	const many = 1 << 12
	return float64(f.Bytes(many)) / many
}

// shares reports whether workers are to share what takes n elements so many ns each.
func (p *Problem) shares(n int, ns float64) bool {
	_, runsOn := p.F.(bulks.Device)
	return !runsOn && par.Tasks(p.S.Workers, p.S.Grain, n, ns) > 1
}

// share does something to n elements, of so many ns each, on the workers of the plan until its context ends.
func (p *Problem) share(n int, ns float64, do func(from, to int)) error {
	m, part := p.M, p.between(ns, 1<<12)
	loops := par.Loops[struct{}]{Workers: p.S.Workers, Grain: p.S.Grain, Runner: p.S.Runner}
	loops.Run(loops.Get(), n, 1, ns, part, func(_ *struct{}, from, to int) {
		for ; from < to && m.Err() == nil; from += part {
			do(from, min(from+part, to))
		}
	})
	return m.Err()
}

// between is how many elements, of so many ns each, are worked on between two looks at the context, up to most: a
// multiple of what working forms cut.
func (p *Problem) between(ns float64, most int) int {
	const cut = 8 * bulks.Lanes
	return choice.Between(ns, cut, most)
}

// Table is that of the bulk, which the workers of the plan share where it is long, and which stops with the context.
func (p *Problem) Table(w View) (bulks.Table, error) {
	const least = 4
	ns := max(least, p.T.Butterfly)
	if _, runsOn := p.F.(bulks.Device); runsOn || w.N <= p.between(ns, w.N) {
		return p.F.Table(w, bulks.Alone)
	}
	var stopped error
	t, err := p.F.Table(w, func(n int, do func(from, to int)) { stopped = p.share(n, ns, do) })
	return t, cmp.Or(err, stopped)
}
