package fft_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/smallprime"
)

// A value that is no element is an error with its index, wherever it stands, for every call that takes elements, and
// nothing is written; values in gaps of a batch are nobody's.
func TestRange(t *testing.T) {
	ranges(t, smallprime.P50(), 1<<12, smallprime.P50().Modulus(), ^uint64(0))
	ranges(t, smallprime.P62(), 1<<12, smallprime.P62().Modulus(), ^uint64(0))
	ranges(t, smallprime.Goldilocks(), 1<<7, smallprime.Goldilocks().Modulus(), ^uint64(0))
	ranges(t, smallprime.P64(), 8, smallprime.P64().Modulus(), ^uint64(0))
	ranges(t, smallprime.P30(), 1<<12, smallprime.P30().Modulus(), ^uint32(0))
	ranges(t, smallprime.P32(), 1<<12, smallprime.P32().Modulus(), ^uint32(0))
	ranges(t, smallprime.P1(), 625, smallprime.P1().Modulus(), 1<<31)
	k4, p7 := gfpf.K4(), gfpf.P7()
	r4, r7 := k4.Radix(), p7.Radix()
	ranges(t, k4, 1<<10, [4]uint64{0, 0, 0, r4 + 1}, [4]uint64{r4}, [4]uint64{1, 0, 0, r4}, [4]uint64{0, 0, r4, r4})
	open, err := gfpf.Open(r4, 4)
	require.NoError(t, err)
	ranges(t, open, 1<<10, gfpf.Number{0, 0, 0, r4 + 1}, gfpf.Number{r4, 0, 0, 0}, gfpf.Number{1, 0, 0, r4},
		gfpf.Number{1})
	ranges(t, p7, 4, [128]uint64{5: r7}, [128]uint64{126: 1, 127: r7})
}

type sampled[E any] interface {
	field.Field[E]
	field.Sampler[E]
}

func ranges[E any](t *testing.T, f sampled[E], n int, wrong ...E) {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	ctx := context.Background()
	var minus E
	f.One(&minus)
	f.Neg(&minus, &minus)
	for _, b := range []fft.Batch{{}, fft.Rows(3, n+2), fft.Columns(3, 5), fft.Columns(2, 0)} {
		p, err := fft.NewPlan[E](f, n, fft.WithBatch(b))
		require.NoError(t, err)
		require.True(t, p.Report().Checked)
		free, err := fft.NewPlan[E](f, n, fft.WithBatch(b), fft.WithoutRangeCheck())
		require.NoError(t, err)
		require.False(t, free.Report().Checked)
		layout, size, err := b.Layout(n)
		require.NoError(t, err)
		x := make([]E, size)
		for i := range x {
			if f.Random(&x[i], r); i%3 == 0 {
				x[i] = minus // which some fields write with a digit like no other element
			}
		}
		dst, src := make([]E, size), slices.Clone(x)
		require.NoError(t, p.Forward(dst, src))
		require.Equal(t, x, src)
		want := make([]E, size)
		for i := range want {
			f.Set(&want[i], &dst[i])
		}
		for _, at := range []int{0, 1, n / 2, size / 2, size - 1} {
			row, column := at/layout.Stride, at%layout.Stride
			inside := column < n
			if layout.Columns {
				inside = row < n && column < layout.Count
			}
			for _, w := range wrong {
				src[at] = w
				for name, call := range map[string]func() error{
					"forward": func() error { return p.Forward(dst, src) },
					"inverse": func() error { return p.InverseContext(ctx, dst, src) },
				} {
					err := call()
					if !inside {
						require.NoError(t, err, "a gap, %s, %+v", name, b)
						for i := range dst {
							f.Set(&dst[i], &want[i])
						}
						continue
					}
					var place *fft.RangeError
					require.ErrorIs(t, err, fft.ErrRange, "%v at %d, %s, %+v", w, at, name, b)
					require.ErrorAs(t, err, &place)
					require.Equal(t, fft.RangeError{What: "src", Index: at}, *place)
					require.Equal(t, want, dst, "written")
				}
				if b == (fft.Batch{}) {
					v := newVec(t, p)
					require.NoError(t, p.Load(v, x))
					require.ErrorIs(t, p.Load(v, src[:at+1]), fft.ErrRange)
					require.NoError(t, p.Load(v, src[:at]), "what stands behind is not looked at")
				}
				require.NoError(t, free.Forward(make([]E, size), src))
				copy(src, x)
			}
		}
	}
}
