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
	var ranks *additive.Ranks
	nils.Run(t, nils.Table{
		"New":           {nils.Panics(func() { additive.New(nil, engine.Domain{}) })},
		"Basis.Enter":   {nils.Panics(func() { none.Enter(nil, engine.View{}, 0, 0) })},
		"Basis.Joins":   {nils.Panics(func() { none.Joins(1) })},
		"Basis.Room":    {nils.Panics(func() { none.Room(1) })},
		"Basis.Joined":  {nils.Panics(func() { none.Joined(nil, engine.View{}, nil, false) })},
		"Basis.Leave":   {nils.Panics(func() { none.Leave(nil, engine.View{}, 0) })},
		"Basis.Phases":  {nils.Panics(func() { none.Phases(nil, false) })},
		"Basis.Passes":  {nils.Quiet(func() { none.Passes() })},
		"Basis.Bytes":   {nils.Panics(func() { none.Bytes() })},
		"Basis.Scratch": {nils.Panics(func() { none.Scratch(0, 1) })},
		"NewRanks":      {nils.Panics(func() { additive.NewRanks(nil, engine.Domain{}, 0, 0) })},
		"Ranks.Visits":  {nils.Panics(func() { ranks.Visits() })},
		"Ranks.Visit":   {nils.Panics(func() { ranks.Visit(nil, engine.View{}, 0, false) })},
		"Ranks.Bytes":   {nils.Panics(func() { ranks.Bytes() })},
		"Ranks.Scratch": {nils.Panics(func() { ranks.Scratch() })},
	})
}
