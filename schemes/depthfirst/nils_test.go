package depthfirst_test

import (
	"testing"

	"github.com/galfft/fft/internal/engine"
	"github.com/galfft/fft/internal/nils"
	"github.com/galfft/fft/schemes/depthfirst"
)

// What takes types of the engine is for packages of this module, and does not check them.
func TestNils(t *testing.T) {
	nils.Run(t, nils.Table{
		"New":       {nils.Panics(func() { depthfirst.New(nil, engine.Domain{}, nil) })},
		"Build":     {nils.Panics(func() { depthfirst.Build(nil) })},
		"Nears":     {nils.Panics(func() { depthfirst.Nears(nil) })},
		"BuildNear": {nils.Panics(func() { depthfirst.BuildNear(nil, depthfirst.Near{}) })},
		"Alone":     {nils.Panics(func() { depthfirst.Alone(nil, nil) })},
	})
}
