package additive_test

import (
	"testing"

	"github.com/galfft/fft/internal/engine"
	"github.com/galfft/fft/internal/nils"
	"github.com/galfft/fft/schemes/additive"
)

// What takes types of the engine is for packages of this module, and does not check them.
func TestNils(t *testing.T) {
	var none *additive.Basis
	nils.Run(t, nils.Table{
		"New":           {nils.Panics(func() { additive.New(nil, engine.Domain{}) })},
		"Basis.Enter":   {nils.Panics(func() { none.Enter(nil, engine.View{}, 0, 0) })},
		"Basis.Leave":   {nils.Panics(func() { none.Leave(nil, engine.View{}, 0) })},
		"Basis.Phases":  {nils.Panics(func() { none.Phases(nil, false) })},
		"Basis.Passes":  {nils.Quiet(func() { none.Passes() })},
		"Basis.Bytes":   {nils.Panics(func() { none.Bytes() })},
		"Basis.Scratch": {nils.Panics(func() { none.Scratch(0, 1) })},
	})
}
