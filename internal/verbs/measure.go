package verbs

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/gpu"
	"github.com/galfft/fft/internal/benchjson"
)

// operation is one thing to measure, as often as the measurement likes.
type operation struct {
	reset    func() error                    // restores the input; nil where run keeps it
	run      func(ctx context.Context) error // once
	check    func() error                    // of the result of one run after reset, where there is one
	elements int                             // that share the time of one run; 1 for whole operations
	ignored  string                          // by the plan
	ran      string                          // the scheme of the plan
	products field.Products
	device   bool // a plan runs on the device of the place
	resident bool // on vectors that lie there, whatever the case says
	// As in Measurement.
	subspace, coefficients string
}

const (
	leastReps  = 3
	leastTime  = 100 * time.Microsecond // of a sample: a thousand times what reading the clock takes
	warmUpPart = 10                     // one part in so many of the time is warm-up
)

// measure warms op up, and times as many samples as fit the budget and at least leastReps, or exactly reps where that
// is not 0. Then it checks the result. It tells progress, which may be nil, how far the samples are.
func (op operation) measure(ctx context.Context, reps int, budget time.Duration,
	progress func(done, total int)) ([]benchjson.Sample, error) {
	runtime.GC() // what preparations left shall not be collected during a sample
	one := time.Duration(0)
	for start := time.Now(); one == 0 || time.Since(start) < budget/warmUpPart; {
		t, err := op.sample(ctx, 1)
		if err != nil {
			return nil, err
		}
		if one == 0 || t < one {
			one = max(t, 1)
		}
	}
	runs := int((leastTime + one - 1) / one)
	var samples []benchjson.Sample
	last := time.Duration(0) // what a sample takes, with what is around it
	start := time.Now()
	more := func() bool {
		if reps > 0 {
			return len(samples) < reps
		}
		return len(samples) < leastReps || time.Since(start)+last < budget
	}
	for more() {
		begin := time.Now()
		t, err := op.sample(ctx, runs)
		if err != nil {
			return nil, err
		}
		ops := runs * op.elements
		samples = append(samples, benchjson.Sample{Ops: ops, Ns: float64(t) / float64(ops)})
		switch last = time.Since(begin); {
		case progress == nil:
		case reps > 0:
			progress(len(samples), reps)
		default:
			progress(int(time.Since(start).Milliseconds()), int(budget.Milliseconds()))
		}
	}
	if op.reset != nil && runs > 1 { // what is there is the result of many runs in a row
		if _, err := op.sample(ctx, 1); err != nil {
			return nil, err
		}
	}
	if err := op.check(); err != nil {
		return nil, fmt.Errorf("galfft: the measured operation fails its check: %w", err)
	}
	return samples, nil
}

func (op operation) sample(ctx context.Context, runs int) (time.Duration, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	if op.reset != nil {
		if err := op.reset(); err != nil {
			return 0, err
		}
	}
	start := time.Now()
	for range runs {
		if err := op.run(ctx); err != nil {
			return 0, err
		}
	}
	return time.Since(start), nil
}

// Measurement is what Bench found.
type Measurement struct {
	N       int // elements of a vector, where the case left it open
	Samples benchjson.Samples
	Ran     string // the scheme of a transform
	// Products is how polynomials were multiplied; AutoProducts where none were, or by the schoolbook.
	Products field.Products
	Device   *gpu.Info // on which transforms ran; nil is the processor
	Resident bool      // the operation is on vectors that lie there in any case
	Ignored  string    // parameters that the plan did not honour, and why
	// Subspace says which one an affine domain is on, own or given, and whether there is a shift; Coefficients is the
	// basis of polynomials. Both are empty for other domains.
	Subspace, Coefficients string
}
