package schemes_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/binary"
	"github.com/galfft/fft/schemes"
)

// subspaces are the own one, and a random basis with a random shift.
func subspaces[E binary.Elements](t *testing.T, f *binary.Field[E], m int) map[string]field.Affine[E] {
	own, err := field.NewAffine(f, 1<<m)
	require.NoError(t, err)
	other, r := own, rand.New(rand.NewPCG(31, uint64(m)))
	other.Basis = make([]E, m)
	for i := range other.Basis {
		f.Random(&other.Basis[i], r)
	}
	f.Random(&other.Shift, r)
	return map[string]field.Affine[E]{"own": own, "any": other}
}

func random[E binary.Elements](f *binary.Field[E], n int) []E {
	x, r := make([]E, n), rand.New(rand.NewPCG(1, 2))
	for i := range x {
		f.Random(&x[i], r)
	}
	return x
}

// testWorkers compares vectors that do not fit in the parts of the change of basis, and some that do, for a first-level
// cache of so many elements; 0 is as it comes.
func testWorkers[E interface {
	comparable
	binary.Elements
}](t *testing.T, f *binary.Field[E], cache int, logs ...int) {
	ctx := context.Background()
	for _, m := range logs {
		for name, d := range subspaces(t, f, m) {
			t.Run(fmt.Sprint(f.Name(), "/", name, "/", m), func(t *testing.T) {
				x := random(f, 1<<m)
				one, err := schemes.New(f, d, field.Spec{Cache: cache})
				require.NoError(t, err)
				values, back := make([]E, len(x)), make([]E, len(x))
				require.NoError(t, one.Forward(ctx, values, x))
				for _, j := range []int{len(x) - 1, len(x) * 2 / 3} {
					require.Equal(t, value(f, d, x, j), values[j], "value %d", j)
				}
				require.NoError(t, one.Inverse(ctx, back, values))
				require.True(t, slices.Equal(x, back), "the inverse of one worker")
				for _, workers := range []int{2, 3, 64} {
					many, err := schemes.New(f, d, field.Spec{Workers: workers, Grain: 1, Cache: cache})
					require.NoError(t, err)
					require.Greater(t, many.Report().Workers, 1)
					got := make([]E, len(x))
					require.NoError(t, many.Forward(ctx, got, x))
					require.True(t, slices.Equal(values, got), "%d workers", workers)
					require.NoError(t, many.Inverse(ctx, got, got))
					require.True(t, slices.Equal(x, got), "%d workers back", workers)
				}
			})
		}
	}
}

// value is that of the polynomial x at point j, by Horner's rule.
func value[E binary.Elements](f *binary.Field[E], d field.Affine[E], x []E, j int) (z E) {
	at := d.Shift
	for i := range d.Basis {
		if j>>i&1 == 1 {
			f.Add(&at, &at, &d.Basis[i])
		}
	}
	for i := range x {
		f.Mul(&z, &z, &at)
		f.Add(&z, &z, &x[len(x)-1-i])
	}
	return z
}

func TestWorkers(t *testing.T) {
	f32, err := binary.New[uint32](32)
	require.NoError(t, err)
	f64, err := binary.New[uint64](64)
	require.NoError(t, err)
	testWorkers(t, f32, 0, 18)
	testWorkers(t, f64, 0, 14, 18)
	testWorkers(t, binary.GHASH(), 0, 17)
}

// Where caches are small, short vectors have as many bands as long ones have otherwise.
func TestBands(t *testing.T) {
	f64, err := binary.New[uint64](64)
	require.NoError(t, err)
	testWorkers(t, f64, 1, 14, 16, 18) // the last one is long enough for steps of some strips
	testWorkers(t, binary.GHASH(), 1, 13, 15)
}

// A call stops behind the part of the change of basis in which its context ends, and there are many.
func TestStops(t *testing.T) {
	f, err := binary.New[uint64](64)
	require.NoError(t, err)
	const m = 18
	x := random(f, 1<<m)
	for name, d := range subspaces(t, f, m) {
		for _, workers := range []int{1, 4} {
			total := 2
			for at := 1; at < total; at += 1 + total/5 {
				ctx, cancel := context.WithCancel(context.Background())
				last := 0
				p, err := schemes.New(f, d, field.Spec{Workers: workers, Grain: 1, Progress: func(done, all int) {
					if last, total = done, all; done == at {
						cancel()
					}
				}})
				require.NoError(t, err)
				require.ErrorIs(t, p.Forward(ctx, make([]uint64, 1<<m), x), context.Canceled)
				require.Greater(t, total, 32, name)
				require.Less(t, last, at+workers, "%s, %d workers: steps after step %d of %d", name, workers, at, total)
				cancel()
			}
		}
	}
}
