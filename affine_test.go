package fft_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	gf2 "github.com/galfft/fft/field/binary"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/testscale"
)

// Over a binary field powers of two up to the number of elements are subspaces, odd divisors of the number of units are
// cyclic, and there is nothing else. Products take no subspace in silence.
func TestBinaryLengths(t *testing.T) {
	f, err := gf2.New[uint8](8)
	require.NoError(t, err)
	for n := 1; n <= 600; n++ {
		p, err := fft.NewPlan(f, n)
		c, products := fft.NewConvolution(t.Context(), f, n)
		switch {
		case n&(n-1) == 0 && n <= 256:
			require.NoError(t, err, "%d", n)
			own, err := field.NewAffine[uint8](f, n)
			require.NoError(t, err)
			require.Equal(t, own, p.Domain())
		case 255%n == 0:
			require.NoError(t, err, "%d", n)
			require.IsType(t, fft.Cyclic[uint8]{}, p.Domain(), "%d", n)
		default:
			require.ErrorIs(t, err, fft.ErrNoRoot, "%d", n)
		}
		if 255%n != 0 {
			require.ErrorIs(t, products, fft.ErrNoRoot, "%d", n)
			require.Nil(t, c)
			continue
		}
		require.NoError(t, products, "%d", n)
	}
	_, err = fft.NewPlan(f, 512)
	require.ErrorIs(t, err, fft.ErrLength)
}

// What is no affine domain is an error of its kind, and so are operands over one, before anything is written.
func TestSubspaceErrors(t *testing.T) {
	f, err := gf2.New[uint16](12)
	require.NoError(t, err)
	basis, p := fft.WithSubspace[uint16](1, 2, 4), smallprime.P62()
	for what, c := range map[string]struct {
		n    int
		opts []fft.Option
		is   error
	}{
		"dependent":           {8, []fft.Option{fft.WithSubspace[uint16](3, 5, 6)}, fft.ErrSpec},
		"a vector 0":          {2, []fft.Option{fft.WithSubspace[uint16](0)}, fft.ErrSpec},
		"no element":          {2, []fft.Option{fft.WithSubspace[uint16](1 << 12)}, fft.ErrRange},
		"shift no element":    {8, []fft.Option{basis, fft.WithCoset[uint16](1 << 12)}, fft.ErrRange},
		"shift of the own":    {8, []fft.Option{fft.WithCoset[uint16](1 << 12)}, fft.ErrRange},
		"too short":           {4, []fft.Option{basis}, fft.ErrLength},
		"too long":            {16, []fft.Option{basis}, fft.ErrLength},
		"no power of two":     {7, []fft.Option{basis}, fft.ErrLength},
		"more than the field": {1 << 13, []fft.Option{fft.WithSubspace(make([]uint16, 13)...)}, fft.ErrSpec},
		"more than an int":    {8, []fft.Option{fft.WithSubspace(make([]uint16, 63)...)}, fft.ErrLength},
		"another type":        {8, []fft.Option{fft.WithSubspace(1, 2, 4)}, fft.ErrSpec},
		"a root as well":      {8, []fft.Option{basis, fft.WithRoot[uint16](1)}, fft.ErrSpec},
		"negacyclic":          {8, []fft.Option{basis, fft.WithNegacyclic()}, fft.ErrSpec},
		"a scheme of roots":   {8, []fft.Option{basis, fft.WithAlgorithm(fft.SixStep)}, fft.ErrScheme},
		"no coefficients":     {8, []fft.Option{basis, fft.WithCoefficients(2)}, fft.ErrSpec},
		"LCH, cyclic":         {5, []fft.Option{fft.WithCoefficients(fft.LCH)}, fft.ErrSpec},
	} {
		_, err := fft.NewPlan(f, c.n, c.opts...)
		require.ErrorIs(t, err, c.is, what)
	}
	_, err = fft.NewPlan(p, 8, fft.WithSubspace[uint64](1, 2, 4))
	require.ErrorIs(t, err, fft.ErrSpec, "another characteristic")
	for _, o := range []fft.Option{basis, fft.WithCoefficients(fft.LCH)} {
		_, err := fft.NewConvolution(t.Context(), f, 8, o)
		require.ErrorIs(t, err, fft.ErrSpec, "a convolution")
	}
	plan := fft.Must(fft.NewPlan(f, 8, basis))
	src, dst := []uint16{1, 2, 3, 4, 5, 6, 1 << 12, 8}, make([]uint16, 8)
	for _, call := range []func(dst, src []uint16) error{plan.Forward, plan.Inverse} {
		err := call(dst, src)
		require.ErrorIs(t, err, fft.ErrRange)
		require.Equal(t, &fft.RangeError{What: "src", Index: 6}, err)
		require.Equal(t, make([]uint16, 8), dst)
	}
}

// The basis is the plan's own: what the caller does with it later changes nothing.
func TestSubspaceIsCopied(t *testing.T) {
	f, err := gf2.New[gf2.Number](70)
	require.NoError(t, err)
	basis := make([]gf2.Number, 3)
	require.NoError(t, f.Subspace(basis))
	o := fft.WithSubspace(basis...)
	want := fft.Must(fft.NewPlan(f, 8, o)).Domain()
	p := fft.Must(fft.NewPlan(f, 8, o))
	basis[0] = basis[1]
	require.Equal(t, want, p.Domain())
	require.Equal(t, want, fft.Must(fft.NewPlan(f, 8, o)).Domain())
}

// subspaceField is what tests of subspaces need of a field.
type subspaceField[E any] interface {
	field.Subspaces[E]
	field.Sampler[E]
}

// independent returns k random vectors that do not depend on each other, and a shift.
func independent[E any](f subspaceField[E], k int, r *rand.Rand) (basis []E, shift E) {
	basis = make([]E, k)
	for {
		for i := range basis {
			f.Random(&basis[i], r)
		}
		f.Random(&shift, r)
		if _, err := fft.NewPlan[E](f, 1<<k, fft.WithSubspace(basis...)); err == nil {
			return basis, shift
		}
	}
}

// lch returns the polynomials of the basis LCH at x, by the products of the definition.
func lch[E any](f field.Field[E], basis []E, x E) []E {
	w := func(k int, x E) (z E) { // W_k(x) from the points of the span
		f.One(&z)
		for j := range 1 << k {
			var v E
			field.Affine[E]{Basis: basis[:k]}.Point(f, &v, j)
			f.Sub(&v, &x, &v)
			f.Mul(&z, &z, &v)
		}
		return z
	}
	all := make([]E, 1, 1<<len(basis))
	f.One(&all[0])
	for k, b := range basis {
		at, c := w(k, x), w(k, b)
		_ = f.Inv(&c, &c)
		f.Mul(&at, &at, &c)
		for i := range 1 << k {
			var p E
			f.Mul(&p, &all[i], &at)
			all = append(all, p)
		}
	}
	return all
}

// Values are those of the definition in both bases, over random subspaces and shifts, at all points, and the inverse
// undoes the transform.
func TestSubspaces(t *testing.T) {
	subspaces[uint8](t, 8, 8)
	subspaces[uint16](t, 16, 10)
	subspaces[uint64](t, 64, 10)
	subspaces[uint64](t, 37, 7)
	subspaces[[2]uint64](t, 128, 7)
	subspaces[gf2.Number](t, 95, 5)
}

func subspaces[E gf2.Elements](t *testing.T, m, most int) {
	f, err := gf2.New[E](m)
	require.NoError(t, err)
	r := rand.New(rand.NewPCG(31, uint64(m)))
	equal := func(x, y E) bool { return f.Equal(&x, &y) }
	for k := 0; k <= most; k++ {
		basis, shift := independent[E](f, k, r)
		x, y := make([]E, 1<<k), make([]E, 1<<k)
		for i := range x {
			f.Random(&x[i], r)
		}
		for _, c := range []fft.Coefficients{fft.Monomial, fft.LCH} {
			p, err := fft.NewPlan(f, 1<<k, fft.WithSubspace(basis...), fft.WithCoset(shift), fft.WithCoefficients(c))
			require.NoError(t, err)
			require.Equal(t, c, p.Report().Coefficients)
			require.NoError(t, p.Forward(y, x))
			for j := range y {
				if c == fft.LCH && j%(1<<max(0, k-4)) != 0 {
					continue
				}
				var point, want, term E
				p.Point(&point, j)
				if c == fft.Monomial {
					for i := len(x) - 1; i >= 0; i-- {
						f.Mul(&want, &want, &point)
						f.Add(&want, &want, &x[i])
					}
				} else {
					f.Add(&term, &point, &shift)
					f.Add(&term, &term, &shift)
					for i, b := range lch(f, basis, term) {
						f.Mul(&b, &b, &x[i])
						f.Add(&want, &want, &b)
					}
				}
				require.True(t, equal(want, y[j]), "2^%d points of GF(2^%d), %v, value %d", k, m, c, j)
			}
			require.NoError(t, p.Inverse(y, y))
			require.True(t, slices.EqualFunc(x, y, equal), "2^%d points of GF(2^%d), %v", k, m, c)
		}
	}
}

// Fields of some degrees up to 2048, and at full scale of all, have transforms over any basis and shift.
func TestEveryDegree(t *testing.T) {
	step := 61
	if testscale.Of(t) >= testscale.Full {
		step = 1
	}
	r := rand.New(rand.NewPCG(31, 2048))
	for m := 2048; m > 1; m -= step {
		f, err := gf2.New[gf2.Number](m)
		require.NoError(t, err)
		k := min(3, m)
		basis, shift := independent[gf2.Number](f, k, r)
		p, err := fft.NewPlan(f, 1<<k, fft.WithSubspace(basis...), fft.WithCoset(shift))
		require.NoError(t, err)
		x, y := make([]gf2.Number, 1<<k), make([]gf2.Number, 1<<k)
		for i := range x {
			f.Random(&x[i], r)
		}
		require.NoError(t, p.Forward(y, x))
		for j := range y {
			var point, want gf2.Number
			p.Point(&point, j)
			for i := len(x) - 1; i >= 0; i-- {
				f.Mul(&want, &want, &point)
				f.Add(&want, &want, &x[i])
			}
			require.True(t, f.Equal(&want, &y[j]), "degree %d, value %d", m, j)
		}
		require.NoError(t, p.Inverse(y, y))
		require.True(t, slices.EqualFunc(x, y, func(x, y gf2.Number) bool { return f.Equal(&x, &y) }), "degree %d", m)
	}
}

// Products of values between Forward and Inverse are products modulo the polynomial that vanishes on the points.
func TestVanishingProduct(t *testing.T) {
	const k, n = 5, 32
	f, err := gf2.New[uint64](64)
	require.NoError(t, err)
	r := rand.New(rand.NewPCG(31, 5))
	basis, shift := independent[uint64](f, k, r)
	p := fft.Must(fft.NewPlan(f, n, fft.WithSubspace(basis...), fft.WithCoset(shift)))
	vanishing := []uint64{1}
	for j := range n {
		var point, t uint64
		p.Point(&point, j)
		next := append([]uint64{0}, vanishing...) // x·vanishing − point·vanishing
		for i := range vanishing {
			f.Mul(&t, &vanishing[i], &point)
			f.Sub(&next[i], &next[i], &t)
		}
		vanishing = next
	}
	x, y, want := make([]uint64, n), make([]uint64, n), make([]uint64, 2*n)
	for i := range x {
		f.Random(&x[i], r)
		f.Random(&y[i], r)
	}
	var v uint64
	for i := range x {
		for j := range y {
			f.Mul(&v, &x[i], &y[j])
			f.Add(&want[i+j], &want[i+j], &v)
		}
	}
	for i := 2*n - 1; i >= n; i-- {
		top := want[i]
		for j := range vanishing {
			f.Mul(&v, &vanishing[j], &top)
			f.Sub(&want[i-n+j], &want[i-n+j], &v)
		}
	}
	a, err := p.NewVec()
	require.NoError(t, err)
	b, err := p.NewVec()
	require.NoError(t, err)
	require.NoError(t, p.Load(a, x))
	require.NoError(t, p.Load(b, y))
	require.NoError(t, p.ForwardVec(t.Context(), a))
	require.NoError(t, p.ForwardVec(t.Context(), b))
	require.NoError(t, p.MulVec(a, a, b))
	require.NoError(t, p.InverseVec(t.Context(), a))
	got := make([]uint64, n)
	require.NoError(t, p.Store(got, a))
	require.Equal(t, want[:n], got)
}

// A shift by a point of the subspace, another basis of it, and Coset move values, and a subfield keeps them.
func TestSubspaceLaws(t *testing.T) {
	const k, n = 12, 1 << 12 // by planes, where there are kernels
	f, err := gf2.New[uint64](64)
	require.NoError(t, err)
	r := rand.New(rand.NewPCG(31, 12))
	basis, shift := independent[uint64](f, k, r)
	x := make([]uint64, n)
	for i := range x {
		f.Random(&x[i], r)
	}
	values := func(p *fft.Plan[uint64], err error) []uint64 {
		t.Helper()
		require.NoError(t, err)
		y := make([]uint64, n)
		require.NoError(t, p.Forward(y, x))
		return y
	}
	for _, c := range []fft.Coefficients{fft.Monomial, fft.LCH} {
		coefficients := fft.WithCoefficients(c)
		p := fft.Must(fft.NewPlan(f, n, fft.WithSubspace(basis...), coefficients))
		y := values(p, nil)
		var q uint64
		p.Point(&q, 1234)
		moved := values(p.Coset(&q))
		for j := range y {
			require.Equal(t, y[j^1234], moved[j])
		}
		require.Equal(t, values(fft.NewPlan(f, n, fft.WithSubspace(basis...), fft.WithCoset(shift), coefficients)),
			values(p.Coset(&shift)))
		other := slices.Clone(basis) // the spans of the first vectors stay
		f.Add(&other[7], &other[7], &other[2])
		changed := values(fft.NewPlan(f, n, fft.WithSubspace(other...), coefficients))
		for j := range y {
			require.Equal(t, y[j^(j>>7&1)<<2], changed[j])
		}
	}
	// The first 2^i vectors of the own basis span the subfield of 2^2^i elements, for which 2^8 are enough here.
	for i := range x {
		x[i] = 0
	}
	own := fft.Must(fft.NewPlan(f, 256))
	in, out := make([]uint64, 256), make([]uint64, 256)
	for i := range in {
		own.Point(&in[i], r.IntN(256))
	}
	require.NoError(t, own.Forward(out, in))
	for _, v := range out {
		z := v
		for range 8 {
			f.Mul(&z, &z, &z)
		}
		require.Equal(t, v, z)
	}
}

// Values that evaluation at each point and another implementation confirmed: see TestKnownTransforms of field/binary.
func TestKnownSubspaces(t *testing.T) {
	f, err := gf2.New[uint64](64)
	require.NoError(t, err)
	for _, c := range []struct {
		m      int
		cantor bool
		sum    string
	}{
		{3, false, "4965d24c85d01cfa640e46ac31b664719b8c3f408369a5e72b7f847055234158"},
		{3, true, "cb1a15b4da7d20977314a0aa6e67810d22fa5b36693edac62de43d5544f43fcd"},
		{10, false, "0c51d4241a53d3b2225c7f83453e2483487f1a27d49f0eba5e4b0a739add6a21"},
		{10, true, "4eb5a71d68d7dc02e098fe60bcde5d4b182633cd84a7ea148041dee9d9d1d0da"},
		{14, false, "59daafb1ecf395e4ed1c62ead362eb6008b0e43bf61579ebcd575446003f1f81"},
		{14, true, "90fd534e9053d808fa0885a13e05b3a603b32b509344c585d253c99bd5457ae4"},
	} {
		x := splitMix(uint64(1000+c.m), 1<<c.m)
		basis := splitMix(uint64(2000+c.m), c.m+1)
		opts := []fft.Option{fft.WithCoset(basis[c.m])}
		if !c.cantor {
			opts = append(opts, fft.WithSubspace(basis[:c.m]...))
		}
		p := fft.Must(fft.NewPlan(f, 1<<c.m, opts...))
		y := make([]uint64, len(x))
		require.NoError(t, p.Forward(y, x))
		sum := sha256.New()
		require.NoError(t, binary.Write(sum, binary.LittleEndian, y))
		require.Equal(t, c.sum, hex.EncodeToString(sum.Sum(nil)), "2^%d", c.m)
	}
}

// splitMix returns n numbers of the generator of S. Vigna.
func splitMix(state uint64, n int) []uint64 {
	x := make([]uint64, n)
	for i := range x {
		state += 0x9e3779b97f4a7c15
		z := state
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		x[i] = z ^ z>>31
	}
	return x
}

// All options go with subspaces: orders, batches, workers, contexts, progress, reports and what Load pads.
func TestSubspaceOptions(t *testing.T) {
	const n, count = 1 << 12, 3
	f, err := gf2.New[uint32](32)
	require.NoError(t, err)
	r := rand.New(rand.NewPCG(31, 32))
	basis, shift := independent[uint32](f, 12, r)
	x := make([]uint32, n*count)
	for i := range x {
		f.Random(&x[i], r)
	}
	for _, c := range []fft.Coefficients{fft.Monomial, fft.LCH} {
		domain := []fft.Option{fft.WithSubspace(basis...), fft.WithCoset(shift), fft.WithCoefficients(c)}
		one := fft.Must(fft.NewPlan(f, n, domain...))
		want := make([]uint32, n*count)
		for t := range count {
			_ = one.Forward(want[t*n:(t+1)*n], x[t*n:(t+1)*n])
		}
		for _, columns := range []bool{false, true} {
			for _, order := range []fft.Order{fft.Natural, fft.BitReversed, fft.Scheme} {
				for _, workers := range []int{1, 3} {
					calls := 0
					batch, at := fft.Rows(count, 0), func(t, i int) int { return t*n + i }
					if columns {
						batch, at = fft.Columns(count, 0), func(t, i int) int { return i*count + t }
					}
					opts := slices.Concat(domain, []fft.Option{fft.WithBatch(batch), fft.WithOrder(order),
						fft.WithWorkers(workers), fft.WithGrain(64), fft.WithProgress(func(_, _ int) { calls++ })})
					p, err := fft.NewPlan(f, n, opts...)
					require.NoError(t, err)
					in, out := make([]uint32, n*count), make([]uint32, n*count)
					for t := range count {
						for i := range n {
							in[at(t, i)] = x[t*n+i]
						}
					}
					what := fmt.Sprint(c, batch, order, workers)
					require.NoError(t, p.Forward(out, in), what)
					require.Positive(t, calls, what)
					for i, j := range p.Permutation() {
						for k := range count {
							require.Equal(t, want[k*n+j], out[at(k, i)], what)
						}
					}
					require.NoError(t, p.Inverse(out, out), what)
					require.Equal(t, in, out, what)
					ended, cancel := context.WithCancel(t.Context())
					cancel()
					require.ErrorIs(t, p.ForwardContext(ended, out, in), context.Canceled, what)
				}
			}
		}
		// Load pads what is short, and Store truncates.
		v, err := one.NewVec()
		require.NoError(t, err)
		short, padded := slices.Clone(x[:100]), make([]uint32, n)
		copy(padded, short)
		require.NoError(t, one.Load(v, short))
		require.NoError(t, one.ForwardVec(t.Context(), v))
		require.NoError(t, one.InverseVec(t.Context(), v))
		got := make([]uint32, 150)
		require.NoError(t, one.Store(got, v))
		require.Equal(t, padded[:150], got)
		var b bytes.Buffer
		require.NoError(t, one.Explain(&b))
		require.Contains(t, b.String(), "coeffs   "+c.String())
	}
}
