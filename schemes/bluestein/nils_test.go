package bluestein_test

import (
	"testing"

	"github.com/galfft/fft/internal/engine"
	"github.com/galfft/fft/internal/nils"
	"github.com/galfft/fft/schemes/bluestein"
)

// What takes types of the engine is for packages of this module, and does not check them.
func TestNils(t *testing.T) {
	nils.Run(t, nils.Table{
		"New":   {nils.Panics(func() { bluestein.New(nil, engine.Domain{}) })},
		"Build": {nils.Panics(func() { bluestein.Build(nil, nil) })},
	})
}
