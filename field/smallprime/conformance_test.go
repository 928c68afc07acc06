package smallprime

import (
	"testing"

	"github.com/galfft/fft/field/fieldtest"
)

func TestConformance(t *testing.T) {
	eachTier(t, testConformance)
}

func testConformance(t *testing.T) {
	each(t, func(t *testing.T, f *Field32) {
		cfg := fieldtest.Config[uint32]{RootOrders: []uint64{1, 2, f.m.p - 1}}
		fieldtest.Run(t, f, cfg)
		fieldtest.RunBulk(t, f, f.bulk(), cfg)
	}, func(t *testing.T, f *Field64) {
		cfg := fieldtest.Config[uint64]{RootOrders: []uint64{1, 2}}
		fieldtest.Run(t, f, cfg)
		fieldtest.RunBulk(t, f, f.bulk(), cfg)
	})
	t.Run("goldilocks", func(t *testing.T) {
		fieldtest.Run(t, Goldilocks(), fieldtest.Config[uint64]{RootOrders: []uint64{192, 1 << 32,
			3 * 5 * 17 * 257 * 65537}})
	})
}
