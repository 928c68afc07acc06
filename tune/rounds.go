package tune

import (
	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
)

// change is one step from a choice to another.
type change func(t *field.Tuned)

// rounds lists what is tried, round after round: each starts from the best of those before it. What does not run for a
// length is refused when its plan is made, and what comes to the same is tried once.
func (m *meter) rounds(own fft.Report) [][]change {
	schemes, bases, strips, radices, twiddles := m.schemes(), m.bases(), strips(), radices(), twiddles()
	var list [][]change
	switch m.o.Effort {
	case Estimate:
		list = [][]change{schemes}
	case Thorough:
		// A change of anything else than the scheme is of a scheme with a name.
		named := func(c change) change {
			return func(t *field.Tuned) {
				if t.Algorithm == field.Auto {
					t.Algorithm = own.Algorithm
				}
				c(t)
			}
		}
		list = [][]change{schemes}
		for _, round := range [][]change{bases, strips, radices, twiddles} {
			for i, c := range round {
				round[i] = named(c)
			}
			list = append(list, round)
		}
	case Exhaustive:
		all := schemes
		for _, round := range [][]change{bases, strips, radices, twiddles} {
			all = times(all, round)
		}
		list = [][]change{all}
	}
	return append(list, m.tasks())
}

// times is every change of a with every one of b, and a alone.
func times(a, b []change) []change {
	list := a
	for _, x := range a {
		for _, y := range b {
			list = append(list[:len(list):len(list)], func(t *field.Tuned) { x(t); y(t) })
		}
	}
	return list
}

func (m *meter) schemes() (list []change) {
	for _, a := range []field.Algorithm{field.DepthFirst, field.SixStepMerged, field.FourStep, field.SixStep,
		field.Codelet, field.MixedRadix} {
		list = append(list, func(t *field.Tuned) { *t = field.Tuned{Algorithm: a, Tasks: t.Tasks} })
	}
	return list
}

// bases are powers of four, and of two with all effort, below the length.
func (m *meter) bases() (list []change) {
	step := 2
	if m.o.Effort == Exhaustive {
		step = 1
	}
	for k := 2; k <= 16 && 1<<k < m.n; k += step {
		list = append(list, func(t *field.Tuned) { t.Base = 1 << k })
	}
	return list
}

func strips() (list []change) {
	for _, s := range []int{4, 8, 16, 32, 64} {
		list = append(list, func(t *field.Tuned) { t.Strip = s })
	}
	return list
}

func radices() (list []change) {
	for _, r := range []int{2, 4, 8} { // 16 is the highest
		list = append(list, func(t *field.Tuned) { t.Radix = r })
	}
	return list
}

func twiddles() (list []change) {
	for _, w := range []field.Twiddles{field.FullTwiddles, field.TwoLevel} {
		list = append(list, func(t *field.Tuned) { t.Twiddles = w })
	}
	return list
}

// tasks are powers of two up to the workers, and all of them.
func (m *meter) tasks() (list []change) {
	workers := m.key.Workers
	for k := 1; k < workers; k *= 2 {
		list = append(list, func(t *field.Tuned) { t.Tasks = k })
	}
	if workers > 1 {
		list = append(list, func(t *field.Tuned) { t.Tasks = workers })
	}
	return list
}
