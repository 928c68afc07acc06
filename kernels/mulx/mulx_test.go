package mulx

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/internal/testscale"
)

// moduli are odd numbers of k words at the ends of their range, and others: kernels do not ask for primes.
func moduli(r *rand.Rand, k int) [][]uint64 {
	number := func(low, middle, high uint64) []uint64 {
		p := make([]uint64, k)
		for i := range p {
			p[i] = middle
		}
		p[0], p[k-1] = low, high
		return p
	}
	const ones = 1<<64 - 1
	list := [][]uint64{number(ones, ones, ones), number(1, 0, 1<<63), number(ones, ones, 1<<63-1), number(1, 0, 1),
		number(ones, 0, 1<<62), number(1, ones, ones), number(ones-58, ones, ones)}
	for i := range 3 {
		p := make([]uint64, k)
		for j := range p {
			p[j] = r.Uint64()
		}
		p[0], p[k-1] = p[0]|1, p[k-1]>>(i%2)|1
		list = append(list, p)
	}
	return list
}

func bigOf(x []uint64) *big.Int {
	z := new(big.Int)
	for i := len(x) - 1; i >= 0; i-- {
		z.Lsh(z, 64).Add(z, new(big.Int).SetUint64(x[i]))
	}
	return z
}

func wordsOf(x *big.Int, k int) []uint64 {
	z, mask := make([]uint64, k), new(big.Int).SetUint64(1<<64-1)
	rest := new(big.Int).Set(x)
	for i := range z {
		z[i] = new(big.Int).And(rest, mask).Uint64()
		rest.Rsh(rest, 64)
	}
	return z
}

// draw returns n numbers below p, of which many are at the ends.
func draw(r *rand.Rand, p []uint64, n int) []uint64 {
	k, m := len(p), bigOf(p)
	var x []uint64
	for range n {
		t := make([]uint64, k)
		switch r.IntN(8) {
		case 0:
		case 1:
			t[0] = 1
		case 2:
			copy(t, p)
			t[0]-- // p is odd
		case 3:
			t = wordsOf(new(big.Int).Sub(m, big.NewInt(2)), k)
		case 4:
			for i := range t {
				t[i] = 1<<64 - 1
			}
		default:
			for i := range t {
				t[i] = r.Uint64()
			}
		}
		z := bigOf(t)
		x = append(x, wordsOf(z.Mod(z, m), k)...)
	}
	return x
}

// Kernels do what they say on all rows, and touch nothing between rows: each by its name, on numbers of its words.
func TestKernels(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	times, cross := map[string][]*Arithmetic{}, map[string][]*Arithmetic{}
	for k := range most + 1 {
		if !Words(k) {
			continue
		}
		for _, p := range moduli(rnd, k) {
			a := New(p)
			if a == nil {
				t.Skip("the processor has no MULX, ADCX and ADOX, or they are not to be used")
			}
			size, full := fmt.Sprint(k), ""
			if k > 10 {
				size = "Loop"
			} else if a.full {
				full = "Full"
			}
			times["times"+size+full], cross["cross"+size] = append(times["times"+size+full], a), append(cross["cross"+size], a)
		}
	}
	run := func(kernels map[string][]*Arithmetic, test func(t *testing.T, a *Arithmetic, rnd *rand.Rand)) {
		for name, list := range kernels {
			t.Run(name, func(t *testing.T) {
				for _, a := range list {
					for range 2 * testscale.Of(t) {
						test(t, a, rnd)
					}
				}
			})
		}
	}
	run(times, func(t *testing.T, a *Arithmetic, rnd *rand.Rand) {
		check(t, a, rnd, func(x, y, w []uint64, r Rows) { a.Times(x, y, w, r) },
			func(_, y, w *big.Int) (*big.Int, *big.Int) { return product(y, w), y })
		check(t, a, rnd, func(_, y, w []uint64, r Rows) { a.Times(y, y, w, r) },
			func(x, y, w *big.Int) (*big.Int, *big.Int) { return x, product(y, w) })
	})
	run(cross, func(t *testing.T, a *Arithmetic, rnd *rand.Rand) {
		check(t, a, rnd, func(x, y, _ []uint64, r Rows) { a.Cross(x, y, r) },
			func(x, y, _ *big.Int) (*big.Int, *big.Int) { return sum(x, y), difference(x, y) })
	})
}

// Butterflies join a product, a sum and a difference.
func TestButterflies(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for _, k := range []int{2, 5, 8, 12} {
		for _, p := range moduli(rnd, k) {
			a := New(p)
			if a == nil {
				t.Skip("the processor has no MULX, ADCX and ADOX, or they are not to be used")
			}
			check(t, a, rnd, a.Butterflies, func(x, y, w *big.Int) (*big.Int, *big.Int) {
				y = product(y, w)
				return sum(x, y), difference(x, y)
			})
			check(t, a, rnd, a.ButterfliesT, func(x, y, w *big.Int) (*big.Int, *big.Int) {
				return sum(x, y), product(difference(x, y), w)
			})
		}
	}
}

// More numbers than a call takes are those of calls for each, and a product may take the place of its factor.
func TestLong(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for _, k := range []int{2, 4, 10, 32, 128} {
		p := moduli(rnd, k)[0]
		a := New(p)
		if a == nil {
			t.Skip("the processor has no MULX, ADCX and ADOX, or they are not to be used")
		}
		n := 2*a.limit + 1
		for _, r := range []Rows{{n, 2, n + 1, 1}, {1, n, 1, 1}, {3, n/3 + 1, 3, 0}, {3, n/3 + 1, 4, 2}} {
			size := r.Count * r.Step
			x, y, w := draw(rnd, p, size), draw(rnd, p, size), draw(rnd, p, r.Count*max(1, r.Factor))
			u, v := slices.Clone(x), slices.Clone(y)
			a.Butterflies(x, y, w, r)
			for i := range r.Count {
				for j := range r.N {
					at := i*r.Step + j
					a.Times(of(v, k, at), of(v, k, at), of(w, k, i*r.Factor), Rows{1, 1, 1, 0})
					a.Cross(of(u, k, at), of(v, k, at), Rows{1, 1, 1, 0})
				}
			}
			require.Equal(t, u, x)
			require.Equal(t, v, y)
			if r.N == 1 && r.Step == 1 {
				a.Times(u, u, v, r)
				a.Times(v, x, v, r)
				require.Equal(t, u, v)
			}
		}
	}
}

// drawRows draws some, few where numbers are long, and their factors: none, one for all, or one for each.
func drawRows(rnd *rand.Rand, k int) Rows {
	r := Rows{N: 1 + rnd.IntN(4), Count: 1 + rnd.IntN(4), Factor: rnd.IntN(3)}
	if k > 16 {
		r.N, r.Count = 1+rnd.IntN(2), 1+rnd.IntN(2)
	}
	r.Step = r.N + rnd.IntN(3)
	return r
}

// of returns number i of x.
func of(x []uint64, k, i int) []uint64 { return x[i*k:][:k] }

// check compares an operation on rows of x and y, with factors w, with what do makes of each pair, x and y as they are
// and w less its factor R.
func check(t *testing.T, a *Arithmetic, rnd *rand.Rand, run func(x, y, w []uint64, r Rows),
	do func(x, y, w *big.Int) (a, b *big.Int)) {
	k, p := a.words, a.m[:a.words]
	m := bigOf(p)
	r := drawRows(rnd, k)
	n := (r.Count-1)*r.Step + r.N + 1
	x, y, w := draw(rnd, p, n), draw(rnd, p, n), draw(rnd, p, (r.Count-1)*r.Factor+1)
	inverse := new(big.Int).Lsh(big.NewInt(1), uint(64*k))
	inverse.ModInverse(inverse, m)
	for i := range r.Count { // products next to a multiple of p
		one := new(big.Int).Mul(bigOf(of(w, k, i*r.Factor)), inverse)
		if rnd.IntN(2) == 0 && one.ModInverse(one, m) != nil {
			for j := range r.N {
				small := big.NewInt(rnd.Int64N(9) - 4)
				copy(of(y, k, i*r.Step+j), wordsOf(small.Mod(small.Mul(small, one), m), k))
			}
		}
	}
	wantX, wantY := slices.Clone(x), slices.Clone(y)
	for i := range r.Count {
		factor := bigOf(of(w, k, i*r.Factor))
		factor.Mul(factor, inverse)
		for j := range r.N {
			at := i*r.Step + j
			a, b := do(bigOf(of(x, k, at)), bigOf(of(y, k, at)), factor)
			copy(of(wantX, k, at), wordsOf(a.Mod(a, m), k))
			copy(of(wantY, k, at), wordsOf(b.Mod(b, m), k))
		}
	}
	run(x, y, w, r)
	require.Equal(t, wantX, x, "%+v", r)
	require.Equal(t, wantY, y, "%+v", r)
}

func product(x, y *big.Int) *big.Int { return new(big.Int).Mul(x, y) }

func sum(x, y *big.Int) *big.Int { return new(big.Int).Add(x, y) }

func difference(x, y *big.Int) *big.Int { return new(big.Int).Sub(x, y) }
