package schemetest_test

import (
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/schemes"
	"github.com/galfft/fft/schemes/schemetest"
)

// The test of a field that plans its own transforms. The example is compiled and not run, as t belongs to a test.
func ExampleRun() {
	var t *testing.T
	schemetest.Run(t, smallprime.BabyBear(), schemetest.Config[uint32]{Large: []int{1 << 14, 1 << 17}})
}

// New says what is under test: here the transforms of element methods alone.
func ExampleConfig() {
	var t *testing.T
	f := smallprime.BabyBear()
	schemetest.Run(t, f, schemetest.Config[uint32]{
		New: func(d field.Domain[uint32], s field.Spec) (field.Transform[uint32], error) {
			s.NoPlanner = true
			return schemes.New(f, d, s)
		},
	})
}
