package testfields_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/field/fieldtest"
	"github.com/galfft/fft/internal/testfields"
)

// scalars is the prime of Word256 and Plain256, the order of the BLS12-381 groups.
const scalars = "73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001"

func TestBigInt(t *testing.T) {
	for _, text := range []string{"2", "61", "ffffffff00000001", scalars} {
		t.Run(text, func(t *testing.T) {
			p, ok := new(big.Int).SetString(text, 16)
			require.True(t, ok)
			f, err := testfields.NewBigInt(p)
			require.NoError(t, err)
			fieldtest.Run(t, f, fieldtest.Config[testfields.Int]{})
			fieldtest.RunBulk(t, f, &bulks.Slices[testfields.Int]{Field: f},
				fieldtest.Config[testfields.Int]{Random: f.Random})
		})
	}
}

func TestModulus(t *testing.T) {
	for _, n := range []int64{-7, 0, 1, 4, 561, 65535} {
		_, err := testfields.NewBigInt(big.NewInt(n))
		require.ErrorIs(t, err, field.ErrModulus, "%d", n)
	}
	p := big.NewInt(97)
	f, err := testfields.NewBigInt(p)
	require.NoError(t, err)
	p.SetInt64(0)
	require.Equal(t, "97", f.Order().String())
}

// orders are those of roots modulo scalars: the largest power of two, and products with other primes.
var orders = []uint64{1 << 32, 3, 11 << 20, 906349 * 906349, 1 << 31 * 3 * 11}

func TestWord256(t *testing.T) {
	f := testfields.NewWord256()
	fieldtest.Run(t, f, fieldtest.Config[[4]uint64]{RootOrders: orders})
	b := &bulks.Plain[[4]uint64]{Slices: bulks.Slices[[4]uint64]{Field: f}}
	fieldtest.RunBulk(t, f, b, fieldtest.Config[[4]uint64]{Random: f.Random})
}

func TestPlain256(t *testing.T) {
	f := testfields.NewPlain256()
	fieldtest.Run(t, f, fieldtest.Config[[4]uint64]{RootOrders: orders})
	fieldtest.RunBulk(t, f, f.Bulk(), fieldtest.Config[[4]uint64]{})
}

func TestFermat(t *testing.T) {
	f := testfields.NewFermat()
	fieldtest.Run(t, f, fieldtest.Config[uint32]{Edge: []uint32{1 << 8, 1 << 15, 1<<16 - 1},
		RootOrders: []uint64{1 << 16}})
	b := &bulks.Plain[uint32]{Slices: bulks.Slices[uint32]{Field: f}}
	fieldtest.RunBulk(t, f, b, fieldtest.Config[uint32]{Random: f.Random})
}

func TestCounting(t *testing.T) {
	f := testfields.NewFermat()
	c := testfields.NewCounting(f)
	fieldtest.Run(t, c, fieldtest.Config[uint32]{Random: f.Random})
	fieldtest.Run(t, c.Field(), fieldtest.Config[uint32]{Random: f.Random})
	fieldtest.RunBulk(t, c, &bulks.Slices[uint32]{Field: c}, fieldtest.Config[uint32]{Random: f.Random})
}

func TestBinary8(t *testing.T) {
	f := testfields.Binary8{}
	fieldtest.Run(t, f, fieldtest.Config[uint8]{})
	for _, affine := range []bool{false, true} {
		fieldtest.RunBulk(t, f, &bulks.Slices[uint8]{Field: f, Affine: affine}, fieldtest.Config[uint8]{})
	}
}
