package literal

import "github.com/galfft/fft/internal/engine"

// program is the phases of a call of one direction, loop by loop as the texts print them.
type program struct {
	c       *engine.Call
	options Options
	list    []engine.Phase
}

// Grain sizes of the thesis, in turns of a loop.
const (
	grain8 = 8
	grain4 = 4
	grain2 = 2
	serial = 1 << 10 // where one task runs: grains are of the parallel loops
)

// loop appends a parallel loop of n turns, which do takes in ranges.
func (t *program) loop(n, grain int, do func(from, to, task int)) {
	if t.c.Tasks == 1 {
		grain = serial
	} else if t.options.Grain > 0 {
		grain *= t.options.Grain
	}
	t.list = append(t.list, engine.Phase{Steps: (n + grain - 1) / grain, Do: func(step, task int) {
		do(step*grain, min(n, (step+1)*grain), task)
	}})
}

// mark appends a call of the option Mark.
func (t *program) mark(p Part) {
	if t.options.Mark != nil {
		t.one(func() { t.options.Mark(p) })
	}
}

// one appends what is not parallel.
func (t *program) one(do func()) {
	t.list = append(t.list, engine.Phase{Steps: 1, Do: func(int, int) { do() }})
}
