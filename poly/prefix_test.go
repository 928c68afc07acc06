package poly_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/binary"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/poly"
)

// The first values are those of the whole transform: over the field's own subspace and any basis, with and without a
// shift, from both kinds of coefficients, for all lengths.
func testPrefix[E binary.Elements](t *testing.T, f *binary.Field[E], logs ...int) {
	r := rand.New(rand.NewPCG(31, 80))
	for _, m := range logs {
		n := 1 << m
		src := make([]E, n)
		for i := range src {
			f.Random(&src[i], r)
		}
		basis := make([]E, m)
		for i := range basis {
			f.Random(&basis[i], r)
		}
		var shift E
		f.Random(&shift, r)
		if _, err := fft.NewPlan(f, n, fft.WithSubspace(basis...)); err != nil { // vectors depend on others
			basis = nil
		}
		for variant := range 8 {
			var opts []fft.Option
			if variant&1 != 0 {
				opts = append(opts, fft.WithCoset(shift))
			}
			if variant&2 != 0 && basis != nil {
				opts = append(opts, fft.WithSubspace(basis...))
			}
			if variant&4 != 0 {
				opts = append(opts, fft.WithCoefficients(fft.LCH))
			}
			want := make([]E, n)
			require.NoError(t, fft.Must(fft.NewPlan(f, n, opts...)).Forward(want, src))
			for k := range m + 1 {
				p, err := poly.NewPrefix(f, n, 1<<k, opts...)
				require.NoError(t, err)
				require.Equal(t, 1<<k, p.Values())
				got := make([]E, 1<<k)
				for range 2 { // with what the first call left
					require.NoError(t, p.Forward(t.Context(), got, src))
					for i := range got {
						require.True(t, f.Equal(&want[i], &got[i]), "%s, variant %d: value %d of %d of %d", f.Name(),
							variant, i, 1<<k, n)
					}
				}
			}
		}
	}
}

func TestPrefix(t *testing.T) {
	f64, err := binary.New[uint64](64)
	require.NoError(t, err)
	f95, err := binary.New[[2]uint64](95)
	require.NoError(t, err)
	tower, err := binary.NewTower[uint32](32)
	require.NoError(t, err)
	testPrefix(t, f64, 0, 1, 2, 3, 4, 5, 6, 7, 10, 13)
	testPrefix(t, f95, 0, 1, 5)
	testPrefix(t, tower, 3, 8)
	testPrefix(t, binary.GHASH(), 4, 9, 12)
}

func TestPrefixRefuses(t *testing.T) {
	f, err := binary.New[uint16](16)
	require.NoError(t, err)
	for _, c := range []struct {
		n, values int
		opt       fft.Option
		want      error
	}{
		{8, 0, nil, field.ErrLength}, {8, 3, nil, field.ErrLength}, {8, 16, nil, field.ErrLength},
		{8, -8, nil, field.ErrLength}, {15, 1, nil, field.ErrSpec}, {7, 1, nil, field.ErrNoRoot},
		{8, 4, fft.WithBatch(fft.Rows(2, 0)), field.ErrSpec}, {8, 4, fft.WithOrder(fft.BitReversed), field.ErrSpec},
		{8, 2, fft.WithSubspace[uint16](1, 2, 3), field.ErrSpec},
		{8, 8, fft.WithSubspace[uint16](1, 2), field.ErrLength},
	} {
		p, err := poly.NewPrefix(f, c.n, c.values, c.opt)
		require.ErrorIs(t, err, c.want, "%+v", c)
		require.Nil(t, p)
	}
	_, err = poly.NewPrefix(smallprime.Goldilocks(), 8, 4)
	require.ErrorIs(t, err, field.ErrSpec)
	f12, err := binary.New[uint16](12)
	require.NoError(t, err)
	_, err = poly.NewPrefix(f12, 8, 2, fft.WithSubspace[uint16](1, 2, 1<<12))
	require.ErrorIs(t, err, field.ErrRange)

	p, err := poly.NewPrefix(f12, 8, 4)
	require.NoError(t, err)
	src, dst := make([]uint16, 8), make([]uint16, 4)
	require.ErrorIs(t, p.Forward(t.Context(), dst[:3], src), field.ErrLength)
	require.ErrorIs(t, p.Forward(t.Context(), dst, src[:7]), field.ErrLength)
	require.ErrorIs(t, p.Forward(t.Context(), src[:4], src), field.ErrOverlap)
	src[7] = 1 << 12
	var out *field.RangeError
	require.ErrorAs(t, p.Forward(t.Context(), dst, src), &out)
	require.Equal(t, field.RangeError{What: "src", Index: 7}, *out)
	src[7] = 1
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, p.Forward(ctx, dst, src), context.Canceled)
}

func TestPrefixExplains(t *testing.T) {
	f, err := binary.New[uint64](64)
	require.NoError(t, err)
	for want, opts := range map[string][]fft.Option{
		"prefix   256 values of 4096: remainders modulo a polynomial of 2 terms\n": nil,
		"prefix   256 values of 4096: the first block of LCH coefficients\n":       {fft.WithCoefficients(fft.LCH)},
		"prefix   256 values of 4096: sums of 16 blocks of LCH coefficients\n": {fft.WithCoefficients(fft.LCH),
			fft.WithCoset[uint64](1 << 60)},
	} {
		p, err := poly.NewPrefix(f, 4096, 256, opts...)
		require.NoError(t, err)
		var s strings.Builder
		require.NoError(t, p.Explain(&s))
		require.True(t, strings.HasPrefix(s.String(), want), s.String())
		require.Contains(t, s.String(), "256")
		require.Error(t, p.Explain(full{}))
	}
}

// full is a writer that takes nothing.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

func TestPrefixAllocates(t *testing.T) {
	if raceEnabled {
		t.Skip("pools drop what they get under the race detector")
	}
	for _, c := range []fft.Coefficients{fft.Monomial, fft.LCH} {
		shift := fft.WithCoset([2]uint64{5, 1 << 40})
		p, err := poly.NewPrefix(binary.GHASH(), 1<<10, 1<<7, fft.WithCoefficients(c), shift)
		require.NoError(t, err)
		src, dst := make([][2]uint64, 1<<10), make([][2]uint64, 1<<7)
		require.Zero(t, testing.AllocsPerRun(100, func() {
			if err := p.Forward(context.Background(), dst, src); err != nil {
				panic(err)
			}
		}))
	}
}

func ExamplePrefix() {
	f := binary.GHASH()
	p, err := poly.NewPrefix(f, 1<<12, 1<<8)
	if err != nil {
		panic(err)
	}
	coefficients, values := make([][2]uint64, 1<<12), make([][2]uint64, p.Values())
	f.One(&coefficients[1<<12-1])
	if err := p.Forward(context.Background(), values, coefficients); err != nil {
		panic(err)
	}
	fmt.Println(values[0], values[1])
	// Output: [0 0] [1 0]
}

// BenchmarkPrefix is the time of an eighth of the values of 2^16 and of 2^20 coefficients over that of all, least times
// of calls in turn: over the own subspace and any basis, the latter with a shift too.
func BenchmarkPrefix(b *testing.B) {
	f64, err := binary.New[uint64](64)
	require.NoError(b, err)
	benchmarkPrefix(b, f64)
	benchmarkPrefix(b, binary.GHASH())
}

func benchmarkPrefix[E binary.Elements](b *testing.B, f *binary.Field[E]) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, m := range []int{16, 20} {
		n := 1 << m
		basis, src, all, few := make([]E, m), make([]E, n), make([]E, n), make([]E, n/8)
		for i := range basis {
			f.Random(&basis[i], r)
		}
		for i := range src {
			f.Random(&src[i], r)
		}
		var shift E
		f.Random(&shift, r)
		for _, c := range []fft.Coefficients{fft.Monomial, fft.LCH} {
			for name, opts := range map[string][]fft.Option{"own": nil, "any": {fft.WithSubspace(basis...)},
				"shifted": {fft.WithSubspace(basis...), fft.WithCoset(shift)}} {
				b.Run(fmt.Sprintf("%s/%v/%s/%d", f.Name(), c, name, m), func(b *testing.B) {
					opts := append(opts, fft.WithCoefficients(c))
					whole := fft.Must(fft.NewPlan(f, n, opts...))
					p, err := poly.NewPrefix(f, n, n/8, opts...)
					require.NoError(b, err)
					least := [2]time.Duration{1 << 62, 1 << 62}
					for b.Loop() {
						begin := time.Now()
						err := whole.Forward(all, src)
						between := time.Now()
						if err == nil {
							err = p.Forward(b.Context(), few, src)
						}
						least[0] = min(least[0], between.Sub(begin))
						least[1] = min(least[1], time.Since(between))
						require.NoError(b, err)
					}
					b.ReportMetric(float64(least[0]), "ns-whole")
					b.ReportMetric(float64(least[1])/float64(least[0]), "of-whole")
				})
			}
		}
	}
}
