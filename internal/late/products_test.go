package late

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/testfields"
	"github.com/galfft/fft/poly"
)

// padded is a field of a word in elements as long as those of 8192 bits, for which work is cut as for these.
type padded struct{ f *smallprime.Field64 }

func (p padded) Set(z, x *[128]uint64)        { *z = *x }
func (p padded) Add(z, x, y *[128]uint64)     { p.f.Add(&z[0], &x[0], &y[0]) }
func (p padded) Sub(z, x, y *[128]uint64)     { p.f.Sub(&z[0], &x[0], &y[0]) }
func (p padded) Neg(z, x *[128]uint64)        { p.f.Neg(&z[0], &x[0]) }
func (p padded) Mul(z, x, y *[128]uint64)     { p.f.Mul(&z[0], &x[0], &y[0]) }
func (p padded) Inv(z, x *[128]uint64) error  { return p.f.Inv(&z[0], &x[0]) }
func (p padded) One(z *[128]uint64)           { *z = [128]uint64{}; p.f.One(&z[0]) }
func (p padded) Equal(x, y *[128]uint64) bool { return p.f.Equal(&x[0], &y[0]) }

func (p padded) RootOfUnity(z *[128]uint64, n uint64) error {
	*z = [128]uint64{}
	return p.f.RootOfUnity(&z[0], n)
}

// No function over long elements does more products between two looks at its context than take a few milliseconds:
// one of 8192 bits takes up to 50 µs.
func TestLateLong(t *testing.T) {
	const (
		making = 200 // of plans, or one column of a pass
		step   = 96  // of a transform by strips
	)
	f := testfields.NewCounting[[128]uint64](padded{smallprime.P62()})
	calls, err := OverField(f.Field(), 1<<10)
	require.NoError(t, err)
	muls := func() int64 { return f.Muls.Load() }
	for _, c := range calls {
		if strings.HasPrefix(c.Name, "tune.") {
			continue // which measures
		}
		f.Reset()
		w := &watched{Context: context.Background(), work: muls, left: math.MaxInt}
		require.NoError(t, c.Run(w), c.Name)
		_ = w.Err()
		t.Logf("%-32s %8d products, %6d looks, at most %6d between two", c.Name, w.last, w.asks, w.most)
		most := making
		if strings.HasPrefix(c.Name, "fft.Plan.") {
			most = step
		}
		require.LessOrEqual(t, w.most, int64(most), "%s: products between two looks", c.Name)
	}
}

// Products of long elements look at their context while values are multiplied, about as often as in the phases of
// their transforms. Plans are made before.
func TestLateProducts(t *testing.T) {
	const n = 1 << 12
	f := testfields.NewCounting[[128]uint64](padded{smallprime.P62()})
	r, err := poly.New[[128]uint64](f.Field())
	require.NoError(t, err)
	a := make([][128]uint64, n/2)
	for i := range a {
		f.One(&a[i])
	}
	x, err := r.Prepare(context.Background(), a, n-1)
	require.NoError(t, err)
	z := make([][128]uint64, n-1)
	muls := func() int64 { return f.Muls.Load() }
	for name, do := range map[string]func(ctx context.Context) error{
		"MulTo":         func(ctx context.Context) error { return r.MulTo(ctx, z[:n-2], a, a[:n/2-1]) },
		"MulOperandsTo": func(ctx context.Context) error { return r.MulOperandsTo(ctx, z, x, x) },
	} {
		require.NoError(t, do(context.Background()))
		f.Reset()
		w := &watched{Context: context.Background(), work: muls, left: math.MaxInt}
		require.NoError(t, do(w), name)
		_ = w.Err()
		t.Logf("%s: %d products, %d looks, at most %d between two", name, w.last, w.asks, w.most)
		require.LessOrEqual(t, w.most, int64(1024), "%s: products between two looks", name)
		for left := 0; left < w.asks-1; left += 8 {
			again := &watched{Context: context.Background(), work: muls, left: left}
			require.ErrorIs(t, do(again), context.Canceled, "%s, end %d of %d", name, left, w.asks)
		}
	}
}
