package gpu

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/emulator"
	"github.com/stretchr/testify/require"
)

// operands are n elements: edges beside edges, edges beside others, and others. Edges are 0, 1, −1, −2, and their
// products by powers of the field's root for shifts.
func operands[E any](f field.Rooted[E], r *rand.Rand, n int) (x, y []E) {
	var edges [12]E
	f.One(&edges[1])
	f.Neg(&edges[2], &edges[1])
	f.Sub(&edges[3], &edges[2], &edges[1])
	for i := 4; i < len(edges); i++ {
		edges[i] = edges[i%4]
		if s, ok := f.(field.Shifter[E]); ok {
			s.Shift(&edges[i], &edges[i], r.Uint64())
		}
	}
	x, y = make([]E, n), make([]E, n)
	for i := range x {
		for _, z := range []*E{&x[i], &y[i]} {
			if f.(field.Sampler[E]).Random(z, r); r.IntN(2) == 0 {
				*z = edges[r.IntN(len(edges))]
			}
		}
	}
	for i := range min(n, len(edges)*len(edges)) {
		x[i], y[i] = edges[i%len(edges)], edges[i/len(edges)]
	}
	return x, y
}

// likeElements compares sums, differences, products and shifts of vectors on a device with those of elements.
func likeElements[E any](t *testing.T, f field.Rooted[E]) {
	emulator.Need(t)
	g, err := Field(f)
	require.NoError(t, err)
	r := rand.New(rand.NewPCG(3, 2))
	shifter, shifts := f.(field.Shifter[E])
	n := 128
	if s, ok := f.(field.Shifter[E]); ok && s.ShiftOrder() >= 64 && s.ShiftOrder() != 192 { // many digits take long
		n = 16
	}
	for _, rows := range []int{1, 3} {
		p, err := fft.NewPlan[E](g, n, fft.WithBatch(fft.Rows(rows, 0)))
		require.NoError(t, err)
		x, y := operands(f, r, rows*n)
		var s uint64
		for name, op := range map[string]struct {
			vectors  func(z, x, y fft.Vec) error
			elements func(z, x, y *E)
		}{
			"sum":        {AddVec, f.Add},
			"difference": {SubVec, f.Sub},
			"product":    {p.MulVec, f.Mul},
			"shift": {func(z, x, _ fft.Vec) error { return ShiftVec(z, x, s) },
				func(z, x, _ *E) { shifter.Shift(z, x, s) }},
		} {
			for same := range 4 { // z is one of its own, x, y, or all are one
				var exponents []uint64
				if name == "shift" {
					if !shifts {
						continue
					}
					k := shifter.ShiftOrder() / 2
					exponents = []uint64{0, 1, k - 1, k, k + 1, 2*k - 1, 2 * k, math.MaxUint64, r.Uint64()}
				} else {
					exponents = []uint64{0}
				}
				for _, s = range exponents {
					a, b := newVecOf(t, p, x), newVecOf(t, p, y)
					z, right := newVecOf(t, p, make([]E, len(x))), y
					switch same {
					case 1:
						z = a
					case 2:
						z = b
					case 3:
						z, b, right = a, a, x
					}
					require.NoError(t, op.vectors(z, a, b))
					got, want := make([]E, len(x)), make([]E, len(x))
					require.NoError(t, p.Store(got, z))
					for i := range want {
						op.elements(&want[i], &x[i], &right[i])
					}
					require.True(t, slicesEqual(f, got, want), "%s, %d rows, z is %d, s = %d", name, rows, same, s)
				}
			}
		}
		if !shifts {
			v := newVecOf(t, p, x)
			require.ErrorIs(t, ShiftVec(v, v, 1), fft.ErrSpec)
		}
	}
}

func TestVectors(t *testing.T) {
	t.Run("P1", func(t *testing.T) { likeElements(t, gfpf.P1()) })
	t.Run("P2", func(t *testing.T) { likeElements(t, gfpf.P2()) })
	t.Run("P3", func(t *testing.T) { likeElements(t, gfpf.P3()) })
	t.Run("P4", func(t *testing.T) { likeElements(t, gfpf.P4()) })
	t.Run("P5", func(t *testing.T) { likeElements(t, gfpf.P5()) })
	t.Run("P6", func(t *testing.T) { likeElements(t, gfpf.P6()) })
	t.Run("P7", func(t *testing.T) { likeElements(t, gfpf.P7()) })
	t.Run("goldilocks", func(t *testing.T) { likeElements[uint64](t, smallprime.Goldilocks()) })
	t.Run("p62", func(t *testing.T) { likeElements(t, smallprime.P62()) })
	t.Run("p64", func(t *testing.T) { likeElements(t, smallprime.P64()) })
	t.Run("p30", func(t *testing.T) { likeElements(t, smallprime.P30()) })
	t.Run("babybear", func(t *testing.T) { likeElements(t, smallprime.BabyBear()) })
	p32, err := smallprime.New32(3221225473)
	require.NoError(t, err)
	t.Run("p32", func(t *testing.T) { likeElements(t, p32) })
}

// The operations follow transforms, on values of the plan's order and of schemes pass by pass, and allocate nothing.
func TestVectorsOfPlans(t *testing.T) {
	emulator.Need(t)
	f := smallprime.Goldilocks()
	g, err := Field[uint64](f)
	require.NoError(t, err)
	x, y := operands[uint64](f, rand.New(rand.NewPCG(5, 5)), 64)
	want := make([]uint64, 64)
	f.AddVec(want, x, y)
	for _, s := range []fft.Algorithm{fft.Auto, fft.FourStep} {
		p, err := fft.NewPlan[uint64](g, 64, fft.WithAlgorithm(s))
		require.NoError(t, err)
		a, b := newVecOf(t, p, x), newVecOf(t, p, y)
		for _, v := range []fft.Vec{a, b} {
			require.NoError(t, p.ForwardVec(t.Context(), v))
		}
		require.NoError(t, AddVec(a, a, b))
		require.NoError(t, p.InverseVec(t.Context(), a))
		got := make([]uint64, 64)
		require.NoError(t, p.Store(got, a))
		require.Equal(t, want, got)
		require.Zero(t, testing.AllocsPerRun(10, func() { _ = AddVec(a, a, b) }))
		require.Zero(t, testing.AllocsPerRun(10, func() { _ = ShiftVec(a, a, 3) }))
	}
}

func newVecOf[E any](t *testing.T, p *fft.Plan[E], a []E) fft.Vec {
	v, err := p.NewVec()
	require.NoError(t, err)
	require.NoError(t, p.Load(v, a))
	return v
}

// strange is no vector of any plan.
type strange struct{}

func (strange) Len() int     { return 8 }
func (strange) Close() error { return nil }

// What is no vector of the plan of the others, nil and closed ones too, is field.ErrVec, in each place.
func TestVectorErrors(t *testing.T) {
	emulator.Need(t)
	f := smallprime.Goldilocks()
	g, err := Field[uint64](f)
	require.NoError(t, err)
	p, err := fft.NewPlan[uint64](g, 8)
	require.NoError(t, err)
	other, err := fft.NewPlan[uint64](g, 8)
	require.NoError(t, err)
	here, err := fft.NewPlan[uint64](f, 8)
	require.NoError(t, err)
	v := newVecOf(t, p, nil)
	closed := newVecOf(t, p, nil)
	require.NoError(t, closed.Close())
	h := newVecOf(t, here, nil)
	const foreign = 3 // of another plan, for which it is right
	for i, bad := range []fft.Vec{nil, strange{}, closed, newVecOf(t, other, nil), h} {
		for place := range 3 {
			o := [3]fft.Vec{v, v, v}
			o[place] = bad
			name := fmt.Sprint(i, " ", place)
			require.ErrorIs(t, AddVec(o[0], o[1], o[2]), fft.ErrVec, name)
			require.ErrorIs(t, SubVec(o[0], o[1], o[2]), fft.ErrVec, name)
			if place < 2 {
				require.ErrorIs(t, ShiftVec(o[0], o[1], 1), fft.ErrVec, name)
			}
		}
		if i != foreign {
			require.ErrorIs(t, AddVec(bad, bad, bad), fft.ErrVec, i)
		}
	}
	require.NoError(t, AddVec(v, v, v))
}
