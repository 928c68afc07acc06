package main

import (
	"context"

	"github.com/galfft/fft/internal/benchjson"
	"github.com/galfft/fft/internal/verbs"
)

// measured lists what bench measures: fields, or the machine in their place, and the operations.
func (b *benchFlags) measured() (fields []string, ops []word) {
	fields, ops = []string{b.field}, []word{b.op}
	if b.field == "" {
		fields = defaultFields
	}
	if !b.opGiven {
		ops = defaultOps
	}
	if b.machine {
		fields, ops, b.opGiven = []string{benchjson.Machine}, nil, true
		for _, op := range verbs.MachineOps(b.Backend) {
			ops = append(ops, word(op))
		}
	}
	return fields, ops
}

// openMeasured returns the field of a name, or the machine.
func (a *app) openMeasured(ctx context.Context, b benchFlags, name string) (verbs.Field, error) {
	if b.machine {
		return verbs.Machine{}, nil
	}
	return a.open(ctx, name)
}
