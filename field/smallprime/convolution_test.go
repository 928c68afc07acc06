package smallprime

import (
	"context"
	"errors"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/engine/choice"
	"github.com/galfft/fft/internal/factor"
	"github.com/galfft/fft/internal/testscale"
	"github.com/stretchr/testify/require"
)

// Moduli of fields without large powers of two among the orders of their roots: of every size of words.
var (
	narrow32 = []uint32{3, 5, 10007, 2147483647, 4294967291}
	narrow64 = []uint64{1000003, 1<<61 - 1, 18446744073709551557}
)

func TestConvolution(t *testing.T) {
	for _, p := range narrow32 {
		testConvolution(t, field32(t, p), p)
	}
	for _, p := range narrow64 {
		testConvolution(t, field64(t, p), p)
	}
	testConvolution(t, Goldilocks(), Goldilocks().Modulus())
}

func testConvolution[W word](t *testing.T, f interface {
	field.Field[W]
	field.Sampler[W]
	field.Convolver[W]
}, p W) {
	r := rand.New(rand.NewPCG(1, uint64(p)))
	ctx := context.Background()
	for _, n := range []int{1, 2, 4, 32, 128} {
		for _, negacyclic := range []bool{false, true} {
			c, err := f.Convolution(n, negacyclic, field.Spec{})
			require.NoError(t, err)
			require.Positive(t, c.Report().Tables)
			x, y := newVec(t, c), newVec(t, c)
			require.Equal(t, n, x.Len())
			for round := range 4 {
				// Coefficients of greatest absolute value, and prefixes of vectors.
				a, b, got, want := make([]W, n), make([]W, n-n/3), make([]W, n), make([]W, n)
				for i := range a {
					if a[i] = p - 1; round < 2 {
						f.Random(&a[i], r)
					}
				}
				for i := range b {
					if b[i] = p - 1; round%2 == 0 {
						f.Random(&b[i], r)
					}
				}
				for i := range a {
					for j := range b {
						var v W
						f.Mul(&v, &a[i], &b[j])
						if negacyclic && i+j >= n {
							f.Neg(&v, &v)
						}
						f.Add(&want[(i+j)%n], &want[(i+j)%n], &v)
					}
				}
				require.NoError(t, c.Load(x, a))
				require.NoError(t, c.Load(y, b))
				require.NoError(t, c.ForwardVec(ctx, x))
				require.NoError(t, c.ForwardVec(ctx, y))
				require.NoError(t, c.MulVec(x, x, y))
				require.NoError(t, c.InverseVec(ctx, x))
				require.NoError(t, c.Store(got, x))
				require.Equal(t, want, got, "p %d, length %d, negacyclic %t", p, n, negacyclic)
				require.NoError(t, c.Store(got[:n/2], x))
				require.Equal(t, want, got, "prefix")
			}
			other, err := f.Convolution(n, negacyclic, field.Spec{})
			require.NoError(t, err)
			require.ErrorIs(t, c.Load(newVec(t, other), nil), field.ErrVec)
			require.ErrorIs(t, c.ForwardVec(ctx, nil), field.ErrVec)
			require.ErrorIs(t, c.MulVec(x, x, newVec(t, other)), field.ErrVec)
			require.ErrorIs(t, c.Load(x, make([]W, n+1)), field.ErrLength)
			require.ErrorIs(t, c.Store(make([]W, n+1), x), field.ErrLength)
			ended, cancel := context.WithCancel(ctx)
			cancel()
			require.ErrorIs(t, c.ForwardVec(ended, x), context.Canceled)
		}
	}
	for _, n := range []int{-4, 0, 3, 12} {
		_, err := f.Convolution(n, false, field.Spec{})
		require.ErrorIs(t, err, field.ErrLength)
	}
	_, err := f.Convolution(1<<20, false, field.Spec{MemoryLimit: 1 << 20})
	require.ErrorIs(t, err, field.ErrMemory)
	for _, n := range []int{1 << 30, bits.UintSize / 64 << 40, bits.UintSize / 64 << 60} {
		_, err = f.Convolution(max(n, 1<<20), true, field.Spec{MemoryLimit: 1 << 28})
		require.ErrorIs(t, err, field.ErrMemory)
	}
	_, err = f.Convolution(8, false, field.Spec{Batch: field.Batch{Count: -3}})
	require.ErrorIs(t, err, field.ErrSpec)
	ended, cancel := context.WithCancel(ctx)
	cancel()
	_, err = f.Convolution(1<<20, false, field.Spec{Context: ended})
	require.ErrorIs(t, err, context.Canceled)
}

// Lengths with large prime factors, in fields without the powers of two that Bluestein's algorithm would take.
func TestLargePrimeLengths(t *testing.T) {
	if testscale.Of(t) >= testscale.Full {
		testLengths(t, field32(t, 10007), 5003)
	}
	testLengths(t, field32(t, 2*53+1), 53, 106)
	testLengths(t, field32(t, 3*2*257+1), 257, 2*257, 3*257, 6*257)
	testLengths(t, field64(t, 1<<61-1), 331, 2*331, 9*331, 1321)
	testLengths(t, field64(t, 18446744073709551557), 4*547, 547)
}

// Prime lengths whose values come at once, and in two parts, by roots of the field and without them, over words of
// every class: over cosets, by columns, and by several workers, the values are those of the definition.
func TestPrimeParts(t *testing.T) {
	for _, n := range []int{211, 257} {
		c := choice.ConvolutionOf(n)
		require.Equal(t, n == 257, c.Parts == 2)
		for _, bits := range []int{30, 31, 32, 50, 62, 63, 64} {
			for _, roots := range []bool{false, true} {
				for q := range factor.PrimesBelow(bits, uint64(n)) {
					if (q-1)%uint64(c.Len) == 0 != roots {
						continue
					}
					if bits > 32 {
						testLengths(t, field64(t, q), n)
					} else {
						testLengths(t, field32(t, uint32(q)), n)
					}
					break
				}
			}
		}
	}
}

func testLengths[W word](t *testing.T, f interface {
	field.Rooted[W]
	field.Sampler[W]
	field.Planner[W]
}, lengths ...int) {
	r := rand.New(rand.NewPCG(2, 3))
	for _, n := range lengths {
		d, err := field.NewCyclic[W](f, n)
		require.NoError(t, err)
		f.Random(&d.Shift, r)
		for _, b := range []field.Batch{{}, {Count: 3, Columns: true}} {
			_, size, err := b.Layout(n)
			require.NoError(t, err)
			x, got, want := make([]W, size), make([]W, size), make([]W, size)
			for i := range x {
				f.Random(&x[i], r)
			}
			naive, err := f.Plan(d, field.Spec{Algorithm: field.Naive, Batch: b})
			require.NoError(t, err)
			require.NoError(t, naive.Forward(context.Background(), want, x))
			for _, s := range []field.Spec{{Batch: b}, {Batch: b, Algorithm: field.FourStep, Workers: 2, Grain: 1},
				{Batch: b, Workers: 2, Grain: 1}} {
				p, err := f.Plan(d, s)
				if errors.Is(err, field.ErrScheme) {
					continue
				}
				require.NoError(t, err)
				require.NoError(t, p.Forward(context.Background(), got, x))
				require.Equal(t, want, got, "length %d, %+v", n, s)
				require.NoError(t, p.Inverse(context.Background(), got, got))
				require.Equal(t, x, got, "inverse of length %d, %+v", n, s)
			}
		}
	}
}

// BenchmarkPrimeLengths sets convolutions over the integers against the definition.
func BenchmarkPrimeLengths(b *testing.B) {
	for _, p := range []uint64{2*131 + 1, 2*191 + 1, 2*251 + 1, 2*359 + 1, 2*491 + 1, 2*1013 + 1, 2*5003 + 1} {
		f, err := New64(p)
		if err != nil {
			b.Fatal(err)
		}
		n := int(p / 2)
		d, err := field.NewCyclic[uint64](f, n)
		if err != nil {
			b.Fatal(err)
		}
		x := make([]uint64, n)
		for i := range x {
			f.Random(&x[i], rand.New(rand.NewPCG(1, uint64(i))))
		}
		for name, roots := range map[string]field.Rooted[uint64]{"integers": d.Roots, "definition": nil} {
			d.Roots = roots
			t, err := f.Plan(d, field.Spec{})
			if err != nil {
				b.Fatal(err)
			}
			b.Run(name+"/"+f.Name(), func(b *testing.B) {
				for b.Loop() {
					if err := t.Forward(context.Background(), x, x); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func newVec[W word](t *testing.T, c field.Convolution[W]) field.Vec {
	t.Helper()
	v, err := c.NewVec()
	require.NoError(t, err)
	return v
}
