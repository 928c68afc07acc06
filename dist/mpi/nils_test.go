package mpi

import (
	"context"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/nils"
)

// Nil and zero arguments and receivers of everything exported.
func TestNils(t *testing.T) {
	var noContext context.Context
	is := func(call func(w *World) error) []nils.Case {
		return []nils.Case{nils.Is(field.ErrSpec, func() error { return call(nil) },
			func() error { return call(new(World)) })}
	}
	quiet := func(call func(w *World)) []nils.Case {
		return []nils.Case{nils.Quiet(func() { call(nil) }, func() { call(new(World)) })}
	}
	nils.Run(t, nils.Table{
		"Available":  {nils.Quiet(func() { _, _ = Available() })},
		"Start":      {nils.Is(field.ErrSpec, func() error { _, err := Start(noContext); return err })},
		"World.Rank": quiet(func(w *World) { w.Rank() }), "World.Size": quiet(func(w *World) { w.Size() }),
		"World.Library": quiet(func(w *World) { w.Library() }), "World.String": quiet(func(w *World) { _ = w.String() }),
		"World.Abort": quiet(func(w *World) { w.Abort(1) }),
		"World.Agree": is(func(w *World) error { return w.Agree(noContext, 0, nil) }),
		"World.Exchange": is(func(w *World) error {
			return w.Exchange(noContext, nil, bulks.View{}, bulks.View{})
		}),
		"World.Close": is((*World).Close),
	})
}
