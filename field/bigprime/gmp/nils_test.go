//go:build cgo && gmp

package gmp

import (
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/internal/nils"
	"github.com/stretchr/testify/require"
)

// Nil and zero arguments and receivers of everything exported; promoted methods are those of package bigprime.
func TestNils(t *testing.T) {
	type F = Field[[2]uint64]
	f, err := Of(bigprime.P2())
	require.NoError(t, err)
	zero, none, x := new(F), (*F)(nil), make([][2]uint64, 1)
	table := nils.Table{
		"New": {nils.Is(field.ErrModulus, func() error { _, err := New[[2]uint64](nil); return err })},
		"Of": {nils.Is(field.ErrSpec, func() error { _, err := Of[[2]uint64](nil); return err },
			func() error { _, err := Of(new(bigprime.Field[[2]uint64])); return err })},
		"GFPF": {nils.Is(field.ErrSpec, func() error { _, err := GFPF[[2]uint64](nil); return err },
			func() error { _, err := GFPF(new(gfpf.Field[[2]uint64])); return err })},
		"Field.Check": {nils.Is(field.ErrSpec, zero.Check, none.Check)},
		"Field.Plan": {nils.Is(field.ErrSpec,
			func() error { _, err := zero.Plan(field.Cyclic[[2]uint64]{N: 2}, field.Spec{}); return err },
			func() error { _, err := none.Plan(field.Cyclic[[2]uint64]{N: 2}, field.Spec{}); return err })},
		"Field.Name": {nils.Panics(func() { zero.Name() }, func() { none.Name() })},
		"Field.Mul": {nils.Panics(func() { f.Mul(nil, &x[0], &x[0]) }, func() { f.Mul(&x[0], nil, &x[0]) },
			func() { zero.Mul(&x[0], &x[0], &x[0]) })},
	}
	for name, call := range map[string]func(f *F, z, x, y [][2]uint64){
		"AddVec": (*F).AddVec, "SubVec": (*F).SubVec, "MulVec": (*F).MulVec, "MulAddVec": (*F).MulAddVec,
	} {
		table["Field."+name] = []nils.Case{nils.Quiet(func() { call(f, nil, nil, nil) }),
			nils.Panics(func() { call(f, x, nil, nil) }, func() { call(none, x, x, x) })}
	}
	for name, call := range map[string]func(f *F, x, y [][2]uint64, w *[2]uint64){
		"Butterflies": (*F).Butterflies, "ButterfliesT": (*F).ButterfliesT,
	} {
		table["Field."+name] = []nils.Case{nils.Quiet(func() { call(f, nil, nil, &x[0]) }),
			nils.Panics(func() { call(f, x, nil, &x[0]) }, func() { call(f, x, x, nil) },
				func() { call(none, x, x, &x[0]) })}
	}
	nils.Run(t, table)
}
