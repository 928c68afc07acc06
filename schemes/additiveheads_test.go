package schemes_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/binary"
	"github.com/galfft/fft/schemes"
)

// heads are numbers of coefficients: all where every is set, and else some around powers of two.
func heads(m int, every bool) (list []int) {
	for n := range 1<<m + 1 {
		if every {
			list = append(list, n)
		}
	}
	for k := m; k >= 0 && !every; k -= 1 + k%3 {
		list = append(list, 1<<k-1, 1<<k)
	}
	return list
}

// testHeads compares polynomials that end in zeros with those whose last coefficient hides them: x^(N−1) is added,
// and its values are taken away again.
func testHeads[E interface {
	comparable
	binary.Elements
}](t *testing.T, f *binary.Field[E], s field.Spec, every bool, logs ...int) {
	ctx := context.Background()
	for _, m := range logs {
		for name, d := range subspaces(t, f, m) {
			for _, s.Coefficients = range []field.Coefficients{field.Monomial, field.LCH} {
				t.Run(fmt.Sprint(f.Name(), "/", name, "/", m, "/", s.Coefficients, "/", s.Workers), func(t *testing.T) {
					p, err := schemes.New(f, d, s)
					require.NoError(t, err)
					n := 1 << m
					v, err := p.NewVec()
					require.NoError(t, err)
					last, full, want, got := make([]E, n), random(f, n), make([]E, n), make([]E, n)
					f.One(&last[n-1])
					require.NoError(t, p.Forward(ctx, last, last))
					for _, head := range heads(m, every) {
						x := make([]E, n)
						copy(x, full[:head])
						hidden := slices.Clone(x)
						var one E
						f.One(&one)
						f.Add(&hidden[n-1], &hidden[n-1], &one)
						require.NoError(t, p.Forward(ctx, want, hidden))
						for i := range want {
							f.Add(&want[i], &want[i], &last[i])
						}
						copy(got, full) // what an output held before means nothing
						require.NoError(t, p.Forward(ctx, got, x))
						require.True(t, slices.Equal(want, got), "%d coefficients", head)
						copy(got, x)
						require.NoError(t, p.Forward(ctx, got, got))
						require.True(t, slices.Equal(want, got), "%d coefficients in place", head)
						require.NoError(t, p.Load(v, full[:head]))
						require.NoError(t, p.ForwardVec(ctx, v))
						require.NoError(t, p.Store(got, v))
						if p.Report().Order == field.Natural {
							require.True(t, slices.Equal(want, got), "%d coefficients of a vector", head)
						}
						require.NoError(t, p.Inverse(ctx, got, want))
						require.True(t, slices.Equal(x, got), "%d coefficients back", head)
					}
				})
			}
		}
	}
}

func TestHeads(t *testing.T) {
	f32, err := binary.New[uint32](32)
	require.NoError(t, err)
	f64, err := binary.New[uint64](64)
	require.NoError(t, err)
	tower, err := binary.NewTower[[2]uint64](128)
	require.NoError(t, err)
	testHeads(t, f64, field.Spec{}, true, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
	for _, s := range []field.Spec{{}, {Workers: 3, Grain: 1}} {
		testHeads(t, f32, s, false, 9, 17)
		testHeads(t, f64, s, false, 16)
		testHeads(t, binary.GHASH(), s, false, 10, 15)
		testHeads(t, tower, s, false, 10)
	}
	testHeads(t, f64, field.Spec{NoPlanner: true}, false, 5, 8)
	testHeads(t, f64, field.Spec{Order: field.BitReversed}, false, 10, 14)
	s := field.Spec{Cache: 1 << 9}
	testHeads(t, f64, s, false, 10, 15)
	s.Workers, s.Grain = 2, 1
	testHeads(t, binary.GHASH(), s, false, 10, 15)
}
