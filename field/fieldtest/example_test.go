package fieldtest_test

import (
	"testing"

	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/field/fieldtest"
	"github.com/galfft/fft/field/smallprime"
)

// The test of a field. The example is compiled and not run, as t belongs to a test.
func ExampleRun() {
	var t *testing.T
	fieldtest.Run(t, smallprime.BabyBear(), fieldtest.Config[uint32]{RootOrders: []uint64{1 << 27, 15}})
}

// The test of bulk operations: here those that every field has.
func ExampleRunBulk() {
	var t *testing.T
	f := smallprime.BabyBear()
	fieldtest.RunBulk(t, f, &bulks.Slices[uint32]{Field: f}, fieldtest.Config[uint32]{})
}
