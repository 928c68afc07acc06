package nccl

import (
	"context"
	"testing"

	"github.com/galfft/fft/dist"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/gpu"
	"github.com/galfft/fft/internal/nils"
)

// Nil and zero arguments of everything exported.
func TestNils(t *testing.T) {
	var noContext context.Context
	ends, err := dist.Local(1)
	if err != nil {
		t.Fatal(err)
	}
	d := new(gpu.Device) // never reached
	nils.Run(t, nils.Table{
		"Available": {nils.Quiet(func() { _, _ = Available() })},
		"Local": {nils.Is(field.ErrSpec, func() error { _, err := Local(noContext, d); return err },
			func() error { _, err := Local(t.Context()); return err },
			func() error { _, err := Local(t.Context(), nil); return err })},
		"Over": {nils.Is(field.ErrSpec, func() error { _, err := Over(noContext, ends[0], d); return err },
			func() error { _, err := Over(t.Context(), nil, d); return err },
			func() error { _, err := Over(t.Context(), ends[0], nil); return err })},
		"Start": {nils.Is(field.ErrSpec, func() error { _, err := Start(noContext, d); return err },
			func() error { _, err := Start(t.Context(), nil); return err })},
	})
}
