package depthfirst

import (
	"slices"

	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine"
)

// Multiplies reports whether the case is layers, and takes coefficients of powers.
func (a *alone) Multiplies() bool { return a.l != nil && a.basis == nil }

// BindProduct goes from factors to their product by the steps of the transform: the first pass by columns of both
// factors, which need no zeros behind them, parts, and the last pass, which moves the product to where it is to be.
func (a *alone) BindProduct(p *engine.Product) ([]engine.Phase, error) {
	zeros, err := a.f.Make(a.l.Zeros())
	if err != nil {
		return nil, err
	}
	if len(a.cut.Levels) == 0 {
		return []engine.Phase{{Steps: 1, Do: func(int, int) { a.l.Multiply(p, zeros, a.scale) }}}, nil
	}
	two := func() bool { return p.Way == engine.Two }
	var phases []engine.Phase
	for k := range a.cut.Levels {
		l := &a.cut.Levels[k]
		steps := l.Steps()
		down := func(v, of engine.View, step int) {
			part, i, from, to := ofStep(l, v, step)
			if k == 0 {
				a.l.Enter(v, of, zeros, l.Top, from, to)
			} else {
				a.l.Columns(part, l.Top, i, l.Parts, from, to)
			}
		}
		phases = append(phases,
			engine.Phase{Steps: steps, Do: func(step, _ int) { down(p.X, p.A, step) }},
			engine.Phase{Steps: steps, Do: func(step, _ int) { down(p.Y, p.B, step) }, If: two})
	}
	phases = append(phases,
		engine.Phase{Steps: a.cut.Parts, Do: func(i, _ int) { a.l.MultiplyPart(p, i, a.cut.Parts) }})
	for k := range slices.Backward(a.cut.Levels) {
		l := &a.cut.Levels[k]
		phases = append(phases, engine.Phase{Steps: l.Steps(), Do: func(step, _ int) {
			part, i, from, to := ofStep(l, p.X, step)
			if k > 0 {
				a.l.ColumnsInverse(part, l.Top, i, l.Parts, from, to, nil, false)
				return
			}
			a.l.ColumnsInverse(part, l.Top, i, l.Parts, from, to, a.scale, true)
			a.leave(p, from, to)
		}})
	}
	return phases, nil
}

// leave moves columns from to to of the product to where they are to be.
func (a *alone) leave(p *engine.Product, from, to int) {
	row := a.cut.Levels[0].Row
	for r := from; r < a.n; r += row {
		first, end := max(r, p.From), min(r+to-from, p.From+p.Dst.N)
		if first < end {
			one := bulks.Copy{Rows: 1, Width: end - first}
			a.f.Copy(p.Dst.Slice(first-p.From, end-p.From), p.X.Slice(first, end), one)
		}
	}
}
