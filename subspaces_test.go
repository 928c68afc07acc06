package fft_test

import (
	"fmt"
	"hash/crc32"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	gf2 "github.com/galfft/fft/field/binary"
	"github.com/galfft/fft/internal/cpu"
	"github.com/galfft/fft/internal/testscale"
	"github.com/galfft/fft/poly"
)

// Options, drawn at random, over fields of all kinds and on every tier: values are those of the definition, by Horner's
// rule or by products, whatever the batch, the order, the workers and the zeros at the end of a polynomial.
func TestRandomSubspaces(t *testing.T) {
	for _, tier := range cpu.Present() {
		undo, err := cpu.Use(tier)
		require.NoError(t, err)
		t.Run(tier.String(), randomSubspaces)
		undo()
	}
	defer cpu.WithoutGFNI()()
	t.Run("without GFNI", randomSubspaces)
}

func randomSubspaces(t *testing.T) {
	randomCases(t, gf2.AES(), 8)
	randomCases(t, gf2.RAID6(), 8)
	randomCases(t, gf2.Leopard16(), 10)
	randomCases(t, gf2.GHASH(), 11)
	randomCases(t, gf2.POLYVAL(), 11)
	for _, m := range []int{2, 5} {
		randomCases(t, opened(gf2.New[uint8](m)), m)
	}
	for _, m := range []int{13, 16} {
		randomCases(t, opened(gf2.New[uint16](m)), 10)
	}
	randomCases(t, opened(gf2.New[uint32](32)), 12)
	for _, m := range []int{37, 64} {
		randomCases(t, opened(gf2.New[uint64](m)), 12)
	}
	dense, ok := new(big.Int).SetString("1c0000000000000d1", 16) // a modulus whose rest is long
	require.True(t, ok)
	for ; !gf2.Irreducible(dense); dense.Add(dense, big.NewInt(2)) {
	}
	randomCases(t, opened(gf2.NewModulus[uint64](dense)), 12)
	for _, m := range []int{95, 160, 176, 256} {
		randomCases(t, opened(gf2.New[gf2.Number](m)), 7)
	}
	randomCases(t, opened(gf2.NewTower[uint8](8)), 8)
	randomCases(t, opened(gf2.NewTower[uint16](16)), 10)
	randomCases(t, opened(gf2.NewTower[uint32](32)), 12)
	randomCases(t, opened(gf2.NewTower[uint64](64)), 12)
	randomCases(t, opened(gf2.NewTower[[2]uint64](128)), 11)
}

func opened[F any](f F, err error) F {
	if err != nil {
		panic(err)
	}
	return f
}

func randomCases[E gf2.Elements](t *testing.T, f *gf2.Field[E], most int) {
	t.Run(f.Name(), func(t *testing.T) {
		r := rand.New(rand.NewPCG(31, uint64(crc32.ChecksumIEEE([]byte(f.Name())))))
		for range 10 * testscale.Of(t) {
			c := randomCase[E]{f: f, r: r}
			c.draw(t, most)
			c.batch(t)
			c.vector(t)
			c.extension(t)
		}
	})
}

// randomCase is an affine domain and what goes with it.
type randomCase[E gf2.Elements] struct {
	f     *gf2.Field[E]
	r     *rand.Rand
	k, n  int
	basis []E
	shift E
	kind  fft.Coefficients
	what  string
	opts  []fft.Option
}

func (c *randomCase[E]) draw(t *testing.T, most int) {
	c.k = c.r.IntN(most + 1)
	c.n = 1 << c.k
	c.basis, c.shift = independent(c.f, c.k, c.r)
	own := c.r.IntN(2) == 0
	if own {
		require.NoError(t, c.f.Subspace(c.basis))
	}
	if c.r.IntN(3) == 0 {
		c.f.Sub(&c.shift, &c.shift, &c.shift)
	}
	c.kind = []fft.Coefficients{fft.Monomial, fft.LCH}[c.r.IntN(2)]
	order := []fft.Order{fft.Natural, fft.BitReversed, fft.Scheme}[c.r.IntN(3)]
	workers, cache := 1+c.r.IntN(3), c.r.IntN(2)<<c.r.IntN(10)
	c.opts = []fft.Option{fft.WithCoset(c.shift), fft.WithCoefficients(c.kind)}
	if !own || c.r.IntN(2) == 0 {
		c.opts = append(c.opts, fft.WithSubspace(c.basis...))
	}
	c.what = fmt.Sprintf("2^%d points, own %v, %v, order %v, %d workers, cache %d", c.k, own, c.kind, order, workers, cache)
	c.opts = append(c.opts, fft.WithOrder(order), fft.WithWorkers(workers), fft.WithGrain(1), fft.WithCache(cache))
}

func (c *randomCase[E]) random(n int) []E {
	x := make([]E, n)
	for i := range x {
		c.f.Random(&x[i], c.r)
	}
	return x
}

// head is a random number of coefficients, often few.
func (c *randomCase[E]) head() int { return c.r.IntN(c.n>>c.r.IntN(c.k+1) + 1) }

func (c *randomCase[E]) equal(x, y E) bool { return c.f.Equal(&x, &y) }

// horner is the value of a polynomial.
func (c *randomCase[E]) horner(x []E, at E) (z E) {
	for i := len(x) - 1; i >= 0; i-- {
		c.f.Mul(&z, &z, &at)
		c.f.Add(&z, &z, &x[i])
	}
	return z
}

// value is that of the polynomial of coefficients x at point j, by the definition.
func (c *randomCase[E]) value(x []E, j int) (z E) {
	var at E
	field.Affine[E]{Basis: c.basis, Shift: c.shift}.Point(c.f, &at, j)
	if c.kind == fft.Monomial {
		return c.horner(x, at)
	}
	factors := c.vanishing(at)
	for i := len(x) - 1; i >= 0; i-- { // X_i is a product over the bits of i
		var term E
		c.f.Set(&term, &x[i])
		for k := range c.k {
			if i>>k&1 == 1 {
				c.f.Mul(&term, &term, &factors[k])
			}
		}
		c.f.Add(&z, &z, &term)
	}
	return z
}

// vanishing returns W_k/c_k at x for each vector k: W_(k+1) = W_k² + c_k·W_k, and c_k is W_k at the vector.
func (c *randomCase[E]) vanishing(x E) []E {
	w := append(slices.Clone(c.basis), x)
	for k := range c.k {
		var one, top E
		_ = c.f.Inv(&one, &w[k])
		c.f.Set(&top, &w[k])
		for i := k; i < len(w); i++ {
			var y, z E
			c.f.Add(&y, &w[i], &top)
			c.f.Mul(&z, &y, &w[i])
			if i == k {
				c.f.Mul(&z, &w[c.k], &one)
			}
			w[i] = z
		}
	}
	return w[:c.k]
}

// batch transforms polynomials, some of which end in zeros, by rows or by columns with gaps between them.
func (c *randomCase[E]) batch(t *testing.T) {
	count, gap := 1+c.r.IntN(5), c.r.IntN(4)
	batch, size, at := fft.Rows(count, c.n+gap), (count-1)*(c.n+gap)+c.n, func(p, i int) int { return p*(c.n+gap) + i }
	if c.r.IntN(2) == 0 {
		batch, size = fft.Columns(count, count+gap), (c.n-1)*(count+gap)+count
		at = func(p, i int) int { return i*(count+gap) + p }
	}
	what := fmt.Sprint(c.what, ", batch ", batch)
	p, err := fft.NewPlan(c.f, c.n, append(slices.Clip(c.opts), fft.WithBatch(batch))...)
	require.NoError(t, err, what)
	require.Equal(t, size, p.Size(), what)
	in, out := c.random(size), c.random(size) // gaps have elements, which stay
	zero := *new(E)
	c.f.Sub(&zero, &in[0], &in[0])
	polynomials := make([][]E, count)
	inside := make([]bool, size)
	for i := range polynomials {
		head := c.head()
		hole := c.r.IntN(head + 1) // the last coefficient stays
		for j := range c.n {
			if j >= head || j >= hole && j < head-1 {
				c.f.Set(&in[at(i, j)], &zero)
			}
			inside[at(i, j)] = true
			polynomials[i] = append(polynomials[i], in[at(i, j)])
		}
	}
	before, coefficients := slices.Clone(out), slices.Clone(in)
	if c.r.IntN(2) == 0 {
		out, before = in, coefficients
	}
	require.NoError(t, p.Forward(out, in), what)
	places := p.Permutation()
	for i, x := range polynomials {
		for range min(c.n, 8) {
			place := c.r.IntN(c.n)
			require.True(t, c.equal(c.value(x, places[place]), out[at(i, place)]), "%s: value %d of %d", what, place, i)
		}
	}
	require.NoError(t, p.Inverse(out, out), what)
	for i, in := range inside {
		want := before[i]
		if in {
			want = coefficients[i]
		}
		require.True(t, c.equal(want, out[i]), "%s: back at %d, inside %v", what, i, in)
	}
}

// vector pads what Load gets, and truncates what Store gives; Coset moves the points.
func (c *randomCase[E]) vector(t *testing.T) {
	p, err := fft.NewPlan(c.f, c.n, c.opts...)
	require.NoError(t, err, c.what)
	var more, sum E
	c.f.Random(&more, c.r)
	c.f.Add(&sum, &c.shift, &more)
	c.shift = sum
	p, err = p.Coset(&more)
	require.NoError(t, err, c.what)
	v, err := p.NewVec()
	require.NoError(t, err, c.what)
	x, values := c.random(c.head()), make([]E, 1+c.r.IntN(c.n))
	padded := append(slices.Clone(x), make([]E, c.n-len(x))...)
	require.NoError(t, p.Load(v, x), c.what)
	require.NoError(t, p.ForwardVec(t.Context(), v), c.what)
	all := make([]E, c.n)
	require.NoError(t, p.Store(all, v), c.what)
	require.NoError(t, p.InverseVec(t.Context(), v), c.what)
	require.NoError(t, p.Store(values, v), c.what)
	require.True(t, slices.EqualFunc(padded[:len(values)], values, c.equal), c.what)
	whole := make([]E, c.n)
	require.NoError(t, p.Forward(whole, padded), c.what)
	for range min(c.n, 4) {
		j := c.r.IntN(c.n)
		require.True(t, c.equal(c.value(padded, p.Permutation()[j]), whole[j]), "%s: value %d", c.what, j)
	}
	if p.Order() == fft.Natural {
		require.True(t, slices.EqualFunc(whole, all, c.equal), c.what)
	}
}

// extension goes from values over the first vectors to a coset of the span of all, for some columns.
func (c *randomCase[E]) extension(t *testing.T) {
	columns, low := 1+c.r.IntN(4), c.r.IntN(min(c.k, 6)+1)
	n := 1 << low
	what := fmt.Sprintf("%s: from %d values, %d columns", c.what, n, columns)
	l, err := poly.NewSubspaceLDE(c.f, c.basis, n, columns, &c.shift)
	require.NoError(t, err, what)
	polynomials, v, dst := make([][]E, columns), make([]E, n*columns), c.random(c.n*columns)
	for i := range polynomials {
		polynomials[i] = c.random(n)
		for j := range n {
			var at E
			field.Affine[E]{Basis: c.basis}.Point(c.f, &at, j)
			v[j*columns+i] = c.horner(polynomials[i], at)
		}
	}
	require.NoError(t, l.ExtendTo(t.Context(), dst, v), what)
	kind := c.kind
	c.kind = fft.Monomial
	for i, x := range polynomials {
		for range min(c.n, 6) {
			j := c.r.IntN(c.n)
			require.True(t, c.equal(c.value(x, j), dst[j*columns+i]), "%s: value %d of %d", what, j, i)
		}
	}
	c.kind = kind
}

// Heads of columns are as long as one whole column where those are as many times fewer: they are columns still.
func TestHeadsOfColumns(t *testing.T) {
	f := opened(gf2.New[uint64](64))
	r := rand.New(rand.NewPCG(31, 8))
	for _, n := range []int{1 << 9, 1 << 12} {
		basis, shift := independent(f, bits.Len(uint(n))-1, r)
		opts := []fft.Option{fft.WithCoset(shift), fft.WithSubspace(basis...)}
		one, err := fft.NewPlan(f, n, opts...)
		require.NoError(t, err)
		for _, columns := range []int{2, 3, 8, 16} {
			p, err := fft.NewPlan(f, n, append(slices.Clip(opts), fft.WithBatch(fft.Columns(columns, columns)))...)
			require.NoError(t, err)
			for head := n; head >= 1<<4; head /= 2 {
				x, y, column := make([]uint64, n*columns), make([]uint64, n*columns), make([]uint64, n)
				for i := range head * columns {
					x[i] = r.Uint64()
				}
				require.NoError(t, p.Forward(y, x))
				for c := range columns {
					for i := range n {
						column[i] = x[i*columns+c]
					}
					require.NoError(t, one.Forward(column, column))
					for i := range n {
						require.True(t, column[i] == y[i*columns+c], "%d of %d, column %d of %d: value %d", head, n, c, columns, i)
					}
				}
			}
		}
	}
}
