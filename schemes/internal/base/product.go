package base

import "github.com/galfft/fft/schemes/internal/core"

// Multiplies reports whether the case is layers that go in one step. What does not fit in cache gains nothing: columns
// of a power of two rows stand that far apart, and a copy of them costs more than it saves.
func (a *alone) Multiplies() bool { return a.l != nil && len(a.levels) == 0 }

// BindProduct goes from factors to their product in one step.
func (a *alone) BindProduct(p *core.Product) ([]core.Phase, error) {
	zeros, err := a.f.Make(a.n)
	return []core.Phase{{Steps: 1, Do: func(int, int) { a.l.Multiply(p, zeros, a.scale) }}}, err
}
