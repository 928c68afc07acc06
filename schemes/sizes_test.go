package schemes_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/schemes"
	"github.com/galfft/fft/schemes/naive"
	"github.com/stretchr/testify/require"
)

// Twenty lengths above 128 of each kind equal the definition, in all schemes: with factors 3, 5 and 7, and with prime
// factors that go by Bluestein's algorithm. Schemetest has the lengths up to 128.
func TestOtherLengths(t *testing.T) {
	p998, err := smallprime.New32(998244353)
	require.NoError(t, err)
	otherLengths(t, smallprime.P1(), 5, 25, 125, 625)
	otherLengths(t, p998, 7, 17, 119)
	otherLengths(t, smallprime.Goldilocks(), 3, 5, 15, 17, 51, 255, 257, 771)
	otherLengths(t, smallprime.Covanov(), 29)
	otherLengths(t, smallprime.KoalaBear(), 127)
}

// otherLengths takes twenty of odd·2^j above 128, and other cosets of the same lengths where there are fewer below
// 2^10, or 2^12.
func otherLengths[E any](t *testing.T, f interface {
	field.Rooted[E]
	field.Sampler[E]
}, odd ...int) {
	most := all(t, 1<<10, 1<<12)
	r := rand.New(rand.NewPCG(1, uint64(odd[0])))
	var list []int
	for j := 0; len(list) < 20 && j < 14; j++ {
		for _, m := range odd {
			if n := m << j; n > 128 && n <= most && len(list) < 20 {
				list = append(list, n)
			}
		}
	}
	for n := odd[0]; len(list) < 20; n *= 2 { // other cosets of the lengths that there are
		if n > 128 {
			list = append(list, n)
		}
		if n > most/2 {
			n = odd[0]
		}
	}
	for i, n := range list {
		d, err := field.NewCyclic[E](f, n)
		require.NoError(t, err)
		f.Random(&d.Shift, r)
		x, want, got := make([]E, n), make([]E, n), make([]E, n)
		for k := range x {
			f.Random(&x[k], r)
		}
		judge, err := naive.Over(f, d, field.Spec{Workers: 2})
		require.NoError(t, err)
		require.NoError(t, judge.Forward(context.Background(), want, x))
		s := field.Spec{Algorithm: []field.Algorithm{field.Auto, field.SixStep, field.SixStepMerged,
			field.FourStep}[i%4], Base: []int{0, 0, 16}[i%3]}
		p, err := schemes.New(f, d, s)
		if errors.Is(err, field.ErrScheme) { // a prime length
			s.Algorithm = field.Auto
			p, err = schemes.New(f, d, s)
		}
		require.NoError(t, err)
		require.NoError(t, p.Forward(context.Background(), got, x))
		require.Equal(t, want, got, "n %d, %+v", n, s)
		require.NoError(t, p.Inverse(context.Background(), got, got))
		require.Equal(t, x, got, "inverse, n %d, %+v", n, s)
	}
	p, err := field.NewCyclic[E](f, 11*odd[0]) // 11 divides none of the p − 1
	require.ErrorIs(t, err, field.ErrNoRoot, "%+v", p)
}

// rootsAlone is a field without what it offers beside roots.
type rootsAlone struct{ field.Rooted[uint64] }

// Factors of a definition that would fill the memory are refused before they are made; a prime length needs none.
func TestPrimeLengthMemory(t *testing.T) {
	f, err := smallprime.New64(10007) // 2·5003 + 1
	require.NoError(t, err)
	_, err = fft.NewPlan[uint64](rootsAlone{f}, 10006, fft.WithMemoryLimit(1<<24))
	require.ErrorIs(t, err, field.ErrMemory)
	p, err := fft.NewPlan[uint64](rootsAlone{f}, 5003, fft.WithMemoryLimit(1<<20))
	require.NoError(t, err)
	require.Equal(t, field.Naive, p.Report().Algorithm)
	require.Empty(t, p.Report().Ignored)
}

// A length without a power of two that is longer than a base case has the values of strips of one column, which share
// cases with it, and those of the definition at some points.
func TestNarrow(t *testing.T) {
	const n = 65535
	f, r := smallprime.Goldilocks(), rand.New(rand.NewPCG(1, n))
	d, err := field.NewCyclic(f, n)
	require.NoError(t, err)
	f.Random(&d.Shift, r)
	x, want, got := make([]uint64, n), make([]uint64, n), make([]uint64, n)
	for i := range x {
		f.Random(&x[i], r)
	}
	strips, err := schemes.New(f, d, field.Spec{Algorithm: field.SixStepMerged})
	require.NoError(t, err)
	p, err := schemes.New(f, d, field.Spec{})
	require.NoError(t, err)
	require.Equal(t, field.MixedRadix, p.Report().Algorithm)
	require.NoError(t, strips.Forward(context.Background(), want, x))
	require.NoError(t, p.Forward(context.Background(), got, x))
	require.Equal(t, want, got)
	for _, j := range []int{0, 1, 3, 5, 17, 257, n / 2, n - 1, r.IntN(n), r.IntN(n)} {
		var at, value uint64
		d.Point(f, &at, j)
		for _, c := range slices.Backward(x) {
			f.Mul(&value, &value, &at)
			f.Add(&value, &value, &c)
		}
		require.Equal(t, value, got[j], "value %d", j)
	}
	require.NoError(t, p.Inverse(context.Background(), got, got))
	require.Equal(t, x, got)
}
