package testfields_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/fieldtest"
	"github.com/galfft/fft/internal/testfields"
)

// primes for BigInt: the smallest, two small, one of a word, one of two words, and that of Word256.
var primes = []string{
	"2", "3", "97", "998244353", "18446744069414584321", "340282366920938463463374557953744961537",
	"52435875175126190479447740508185965837690552500527637822603658699938581184513",
}

func TestBigInt(t *testing.T) {
	for _, text := range primes {
		t.Run(text, func(t *testing.T) {
			p, _ := new(big.Int).SetString(text, 10)
			f, err := testfields.NewBigInt(p)
			require.NoError(t, err)
			fieldtest.Run(t, f, fieldtest.Config[testfields.Int]{})
			fieldtest.RunBulk(t, field.Slices[testfields.Int]{Field: f}, fieldtest.Config[testfields.Int]{})
		})
	}
}

func TestWord256(t *testing.T) {
	f := testfields.NewWord256()
	fieldtest.Run(t, f, fieldtest.Config[[4]uint64]{RootOrders: []uint64{1 << 32, 3, 11 << 20}})
	b := field.Plain[[4]uint64]{Slices: field.Slices[[4]uint64]{Field: f}}
	fieldtest.RunBulk(t, b, fieldtest.Config[[4]uint64]{Random: f.Random})
}

func TestTile256(t *testing.T) {
	f := testfields.NewTile256()
	fieldtest.Run(t, f, fieldtest.Config[[4]uint64]{RootOrders: []uint64{1 << 32, 3, 11 << 20}})
	fieldtest.RunBulk(t, field.Slices[[4]uint64]{Field: f}, fieldtest.Config[[4]uint64]{Random: f.Random})
	fieldtest.RunBulk(t, f.Tile(), fieldtest.Config[testfields.Tile]{Random: func(z *testfields.Tile, r *rand.Rand) {
		a := make([][4]uint64, field.Lanes)
		for i := range a {
			f.Random(&a[i], r)
		}
		f.LoadTile(z, a)
	}})
}

func TestFermat(t *testing.T) {
	f := testfields.NewFermat()
	fieldtest.Run(t, f, fieldtest.Config[uint32]{RootOrders: []uint64{1 << 16}})
	fieldtest.RunBulk(t, field.Plain[uint32]{Slices: field.Slices[uint32]{Field: f}}, fieldtest.Config[uint32]{Random: f.Random})
}

func TestCounting(t *testing.T) {
	f := testfields.NewFermat()
	fieldtest.Run(t, testfields.NewCounting(f), fieldtest.Config[uint32]{Random: f.Random})
	fieldtest.Run(t, testfields.NewCounting(f).Field(), fieldtest.Config[uint32]{Random: f.Random})
}

var _ = fmt.Sprint
