package literal

import (
	"fmt"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
)

func code(c Carry) (code uint32) {
	if c.Overflow {
		code |= overflow
	}
	if c.Max {
		code |= highest
	}
	return code
}

// The three operators are associative, on all triples; the second is the first in bits; neutral elements are neutral.
func TestOperators(t *testing.T) {
	var all []Carry
	for _, o := range []bool{false, true} {
		for _, m := range []bool{false, true} {
			all = append(all, Carry{o, m})
		}
	}
	for _, a := range all {
		require.Equal(t, a, a.Then(Neutral()))
		require.Equal(t, a, Neutral().Then(a))
		for _, b := range all {
			require.Equal(t, code(a.Then(b)), Combine(code(a), code(b)))
			for _, c := range all {
				require.Equal(t, a.Then(b).Then(c), a.Then(b.Then(c)))
			}
		}
	}
	require.EqualValues(t, neutral, code(Neutral()))
	for a := range uint32(8) {
		require.Equal(t, a, CombineSegments(a, neutral))
		require.Equal(t, a, CombineSegments(neutral, a))
		for b := range uint32(8) {
			if a < 4 && b < 4 {
				require.Equal(t, Combine(a, b), CombineSegments(a, b))
			}
			for c := range uint32(8) {
				require.Equal(t, CombineSegments(CombineSegments(a, b), c), CombineSegments(a, CombineSegments(b, c)))
			}
		}
	}
}

// The two steps of a sum are what a sum of a word with a carry is.
func TestSteps(t *testing.T) {
	values := []uint32{0, 1, 2, 1 << 31, 1<<32 - 2, 1<<32 - 1}
	for _, a := range values {
		for _, b := range values {
			for _, first := range []bool{false, true} {
				p, c := Sum(a, b, first)
				require.Equal(t, first, c&start != 0)
				for carry := range uint32(2) {
					z, out := bits.Add32(a, b, carry)
					require.Equal(t, z, Resolve(p, carry))
					require.Equal(t, out, Combine(carry, c)&overflow)
				}
			}
		}
	}
}

// Scans of any length, by blocks of all numbers of threads, are folds, also for an operator that does not commute.
func TestScans(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 33))
	for n := range 1025 {
		codes, want := make([]uint32, n), make([]uint32, n)
		fold := uint32(neutral)
		for i := range codes {
			codes[i] = uint32(r.IntN(8))
			if r.IntN(4) > 0 {
				codes[i] = highest // long ways of a carry
			}
			want[i] = fold
			fold = CombineSegments(fold, codes[i])
		}
		got := make([]uint32, n)
		ExclusiveScan(got, codes, neutral, CombineSegments)
		require.Equal(t, want, got)
		BlockScan(codes, codes, neutral, CombineSegments) // in place
		require.Equal(t, want, codes, "%d threads", n)
	}
	got := make([]string, 5)
	BlockScan(got, []string{"a", "b", "c", "d", "e"}, "", func(x, y string) string { return x + y })
	require.Equal(t, []string{"", "a", "ab", "abc", "abcd"}, got)
}

// As printed a sum gives the carry out of an integer to the next one of its block; the corrected form does not. It is
// FF FF | FF 00 + 01 00 | 01 00 in words of the machine.
func TestPrintedScanLeaks(t *testing.T) {
	const all = 1<<32 - 1
	for q := 1; q <= 2; q++ {
		b := newBlock[uint32](Shape{M: 2, Q: q, Instances: 2}, q)
		x, y := []uint32{all, all, all, 0}, []uint32{1, 0, 1, 0}
		require.Equal(t, []uint32{0, 0, 1, 1}, b.add(x, y, true))
		require.Equal(t, []uint32{0, 0, 0, 1}, b.add(x, y, false))
	}
}

// Each thread of a product has the same number of products; together they have each pair of a column once, and each
// column.
func TestPartition(t *testing.T) {
	for _, c := range [][2]int{{8, 2}, {16, 2}, {32, 4}, {64, 8}, {16, 1}, {2, 1}, {4, 2}, {96, 3}, {32, 16}} {
		m, q := c[0], c[1]
		seen, columns := map[[2]int]int{}, make([]int, m)
		a := make([]uint32, m)
		for thread := range m / (2 * q) {
			pairs := 0
			lower, upper := runs(thread, q, m)
			for _, k := range []int{lower, upper} {
				for i := range q {
					columns[k+i]++
				}
				convolution(a, a, k, q, func(i, j int) {
					seen[[2]int{i, j}]++
					require.True(t, k <= i+j && i+j < k+q, "a column of another run")
					pairs++
				})
			}
			require.Equal(t, (m-q+2)*q+q*(q-1), pairs)
		}
		require.Len(t, seen, m*(m+1)/2)
		for pair, times := range seen {
			require.Equal(t, 1, times, pair)
			require.Less(t, pair[0]+pair[1], m)
		}
		for k, times := range columns {
			require.Equal(t, 1, times, k)
		}
	}
}

// The words of a run keep the value of its columns, and are put where they count: low ones in place, those above them
// in the next run, none above the highest, and zeros between.
func TestPlaces(t *testing.T) {
	const m, q, w = 12, 3, 32
	r := rand.New(rand.NewPCG(5, 33))
	low, high := make([]uint32, m), slices.Repeat([]uint32{7}, m)
	for thread := range m / (2 * q) {
		lower, upper := runs(thread, q, m)
		for _, k := range []int{lower, upper} {
			columns, want := make([]accumulator[uint32], q), new(big.Int)
			for i := range columns {
				columns[i] = accumulator[uint32]{r.Uint32() | 1<<31, r.Uint32() | 1<<31, r.Uint32() >> 1}
				x := new(big.Int).SetUint64(uint64(columns[i].high)<<w | uint64(columns[i].low))
				x.Add(x, new(big.Int).Lsh(big.NewInt(int64(columns[i].carry)), 2*w))
				want.Add(want, x.Lsh(x, uint(w*i)))
			}
			words := combine(columns)
			require.Zero(t, want.Cmp(number(words)))
			publish(low, high, words, k, q, m)
			require.Equal(t, words[:q], low[k:k+q])
			if k+q < m {
				require.Equal(t, words[q:], high[k+q:k+q+2])
			}
			require.Zero(t, high[k+2])
		}
	}
	require.Equal(t, []uint32{0, 0}, high[:2])
}

// number is the value of words.
func number[W Word](x []W) *big.Int {
	z := new(big.Int)
	for _, w := range slices.Backward(x) {
		z.Lsh(z, uint(wordBits[W]())).Add(z, new(big.Int).SetUint64(uint64(w)))
	}
	return z
}

// Kernels are right for all words, sequentialisations, lengths that are no multiple of them, blocks of several
// integers and batches that do not fill the last one.
func TestKernels(t *testing.T) {
	kernels[uint32](t)
	kernels[uint64](t)
}

func kernels[W Word](t *testing.T) {
	r := rand.New(rand.NewPCG(6, uint64(wordBits[W]())))
	modulus, w := new(big.Int), uint(wordBits[W]())
	add := func(z, a, b *big.Int) { z.Add(a, b) }
	six := func(z, a, b *big.Int) {
		z.Mul(a, big.NewInt(6)).Add(z, new(big.Int).Mul(b, big.NewInt(10)))
	}
	mul := func(z, a, b *big.Int) { z.Mul(a, b) }
	poly := func(z, a, b *big.Int) {
		u, v := new(big.Int).Mul(a, a), new(big.Int).Mul(b, b)
		z.Mul(u.Add(u, b), v.Add(v, b)).Add(z, new(big.Int).Mul(a, b))
	}
	for q := 1; q <= maxQ; q++ {
		for _, m := range []int{1, 2, 3, q, 2*q + 1, 33} {
			for _, instances := range []int{1, 2, 5} {
				for _, n := range []int{instances - 1, instances, instances + 1, 2*instances + 1} {
					if n == 0 {
						continue
					}
					a, b := operands[W](r, m, n), operands[W](r, m, n)
					s := Shape{M: m, Q: q, Instances: instances}
					modulus.Lsh(big.NewInt(1), w*uint(m))
					for i, k := range []struct {
						run   func(z, a, b []W, s Shape) error
						least int
						want  func(z, a, b *big.Int)
					}{{Add[W], 1, add}, {SixAdd[W], 1, six}, {Tiled[W], 1, mul}, {Mul[W], 2, mul}, {Poly[W], 2, poly}} {
						z := slices.Clone(b)
						if q < k.least {
							require.ErrorIs(t, k.run(z, a, z, s), field.ErrSpec)
							continue
						}
						require.NoError(t, k.run(z, a, z, s))
						for j := 0; j < n*m; j += m {
							want := new(big.Int)
							k.want(want, number(a[j:j+m]), number(b[j:j+m]))
							want.Mod(want, modulus)
							if want.Cmp(number(z[j:j+m])) != 0 {
								require.Fail(t, fmt.Sprintf("kernel %d, %d bits, %+v, %d integers", i, w, s, n))
							}
						}
					}
				}
			}
		}
	}
}

// operands are words of random integers, of all ones and of long ways of a carry.
func operands[W Word](r *rand.Rand, m, n int) []W {
	x := make([]W, m*n)
	kind := 0
	for i := range x {
		if i%m == 0 {
			kind = r.IntN(4)
		}
		switch kind {
		case 0:
			x[i] = W(r.Uint64())
		case 1:
			x[i] = ^W(0)
		case 2:
			x[i] = W(r.IntN(3)) - 1
		case 3:
			if i%m == 0 {
				x[i] = 1
			}
		}
	}
	return x
}

// Shapes that are none, and operands of other lengths, are errors.
func TestShapes(t *testing.T) {
	x := make([]uint32, 12)
	for _, s := range []Shape{{}, {M: 4, Instances: 1}, {M: 4, Q: 17, Instances: 1}, {M: 4, Q: 2},
		{Q: 2, Instances: 1}} {
		require.ErrorIs(t, Add(x, x, x, s), field.ErrSpec)
		require.ErrorIs(t, Mul(x, x, x, s), field.ErrSpec)
		require.ErrorIs(t, Poly(x, x, x, s), field.ErrSpec)
	}
	s := Shape{M: 4, Q: 2, Instances: 1}
	require.ErrorIs(t, Add(x, x, x[:8], s), field.ErrLength)
	require.ErrorIs(t, Add(x[:9], x[:9], x[:9], s), field.ErrLength)
}
