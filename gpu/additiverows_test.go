package gpu

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/binary"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/schemes"
	"github.com/stretchr/testify/require"
)

// BenchmarkAdditiveRows prints a line for each row of the table of docs/gpu.md: whole transforms of vectors on the
// device in both directions, and what a plan takes.
func BenchmarkAdditiveRows(b *testing.B) {
	realDevice(b)
	additiveRows[uint32](b, 32, field.LCH, false, 20, 24, 26)
	additiveRows[[2]uint64](b, 128, field.LCH, false, 24)
	additiveRows[uint64](b, 64, field.LCH, false, 24, 29)
	additiveRows[uint64](b, 64, field.Monomial, false, 24, 29)
	additiveRows[uint64](b, 64, field.Monomial, true, 24, 29)
	extensionRow(b, 24)
	extensionRow(b, 29)
}

// extensionRow takes LCH coefficients of half as many points.
func extensionRow(b *testing.B, n int) {
	f := must(binary.New[uint64](64))
	g := must(Field(f))
	whole, _ := additiveOf(b, g, must(field.NewAffine(f, 1<<n)), field.LCH)
	x, z := randomVector(b, g, 1<<(n-1)), randomVector(b, g, 1<<n)
	ms := measured(b, g.d.room(), func() error {
		err := g.b.(*additive).resize(g.d.room().Stream(), z, x, z.N, x.N)
		return errors.Join(err, whole.Run(b.Context(), z, field.Natural, false))
	})
	fmt.Printf("gf2:64 lch 2^%d to 2^%d, own basis: %.4f ms\n", n-1, n, ms)
	require.NoError(b, g.b.Release(x))
	require.NoError(b, g.b.Release(z))
}

// additiveRows takes the field's own subspace, or a random one with a shift.
func additiveRows[E binary.Elements](b *testing.B, m int, of field.Coefficients, random bool, logs ...int) {
	g := must(Field(must(binary.New[E](m))))
	for _, n := range logs {
		d, kind := must(field.NewAffine(g.Unwrap().(*binary.Field[E]), 1<<n)), "own basis"
		if random {
			r := rand.New(rand.NewPCG(7, 8))
			kind = "any basis and shift"
			for i := range d.Basis {
				g.Random(&d.Basis[i], r)
			}
			g.Random(&d.Shift, r)
		}
		begin := time.Now()
		whole, report := additiveOf(b, g, d, of)
		plan := time.Since(begin)
		v := randomVector(b, g, 1<<n)
		var ms [2]float64
		for k := range ms {
			ms[k] = measured(b, g.d.room(), func() error { return whole.Run(b.Context(), v, field.Natural, k == 1) })
		}
		fmt.Printf("gf2:%d %v 2^%d, %s: forward %.4f ms, inverse %.4f ms, %.3f times; plan %.1f ms, %d bytes; %v\n", m, of,
			n, kind, ms[0], ms[1], ms[1]/ms[0], plan.Seconds()*1e3, report.Tables, report.Passes)
		require.NoError(b, g.b.Release(v))
	}
}

// additiveOf makes a plan.
func additiveOf[E any](b *testing.B, g *DeviceField[E], d field.Affine[E], of field.Coefficients) (schemes.Whole,
	field.Report) {
	var whole *additiveTransform
	p, err := schemes.BuildWhole[E](g, g.b, d, field.Spec{Coefficients: of}, func(p *schemes.Points) (schemes.Whole,
		error) {
		t, err := newAdditiveTransform(g.b.(*additive), p, len(d.Basis), of)
		whole = t
		return t, err
	})
	require.NoError(b, err)
	return whole, p.Report()
}

// BenchmarkAdditiveHost is a transform from and to pinned slices, over the copies and the transform one after the
// other.
func BenchmarkAdditiveHost(b *testing.B) {
	realDevice(b)
	const n = 1 << 29
	g := must(Field(must(binary.New[uint64](64))))
	p, err := g.Plan(must(field.NewAffine(g.Unwrap().(*binary.Field[uint64]), n)), field.Spec{})
	require.NoError(b, err)
	x, y := must(HostSlice[uint64](n, On(g.d))), must(HostSlice[uint64](n, On(g.d)))
	mixed(x.Slice(), 0)
	v := must(p.NewVec())
	best := map[string]time.Duration{}
	for range 5 {
		for _, c := range []struct {
			name string
			call func() error
		}{
			{"whole", func() error { return p.Forward(b.Context(), y.Slice(), x.Slice()) }},
			{"copy in", func() error { return p.Load(v, x.Slice()) }},
			{"transform", func() error { return p.ForwardVec(b.Context(), v) }},
			{"copy out", func() error { return p.Store(y.Slice(), v) }},
		} {
			begin := time.Now()
			require.NoError(b, c.call())
			if took := time.Since(begin); best[c.name] == 0 || took < best[c.name] {
				best[c.name] = took
			}
		}
	}
	sum := best["copy in"] + best["transform"] + best["copy out"]
	fmt.Printf("gf2:64 monomial 2^29, own basis, pinned slices: %v, %.3f of the parts, %v\n", best["whole"],
		best["whole"].Seconds()/sum.Seconds(), best)
	require.NoError(b, v.Close())
	require.NoError(b, x.Close())
	require.NoError(b, y.Close())
}

// mixed sets x to the numbers of the generator of S. Vigna from one on.
func mixed(x []uint64, from int) {
	inShares(len(x), func(begin, end int) {
		for i := begin; i < end; i++ {
			z := uint64(from+i+1) * 0x9e3779b97f4a7c15
			z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
			z = (z ^ z>>27) * 0x94d049bb133111eb
			x[i] = z ^ z>>31
		}
	})
}

// inShares runs do on shares of n, one for each processor.
func inShares(n int, do func(begin, end int)) {
	var all sync.WaitGroup
	shares := runtime.GOMAXPROCS(0)
	for s := range shares {
		all.Go(func() { do(n*s/shares, n*(s+1)/shares) })
	}
	all.Wait()
}

// BenchmarkAdditiveLongest transforms 2^33 points of 64 bits in place, or as many as there is memory for. A value is
// compared with the polynomial's by Horner's rule, and the inverse with what was there.
func BenchmarkAdditiveLongest(b *testing.B) {
	realDevice(b)
	f := must(binary.New[uint64](64))
	g := must(Field(f))
	n := 33
	v, err := g.b.Make(1 << n)
	for err != nil && n > 20 {
		n--
		v, err = g.b.Make(1 << n)
	}
	require.NoError(b, err)
	d := must(field.NewAffine(f, 1<<n))
	whole, report := additiveOf(b, g, d, field.Monomial)
	const piece = 1 << 26
	h := must(HostSlice[uint64](piece, On(g.d)))
	x, y := h.Slice(), make([]uint64, piece)
	j := int(uint64(0x155555555) & (1<<n - 1))
	var point, want, far uint64
	d.Point(f, &point, j)
	far = 1
	for at := 0; at < 1<<n; at += piece {
		mixed(x, at)
		g.b.Pack(v.Slice(at, at+piece), bulks.ViewOf(x))
		require.NoError(b, g.b.Wait(b.Context(), v))
		var lock sync.Mutex
		inShares(piece, func(begin, end int) {
			sum := horner(f, x[begin:end], point)
			var power uint64
			field.PowUint(f, &power, &point, uint64(begin))
			f.Mul(&power, &power, &far)
			f.Mul(&sum, &sum, &power)
			lock.Lock()
			want ^= sum
			lock.Unlock()
		})
		var power uint64
		field.PowUint(f, &power, &point, piece)
		f.Mul(&far, &far, &power)
	}
	for i := range 2 {
		var took [2]time.Duration
		for k := range took {
			begin := time.Now()
			require.NoError(b, whole.Run(b.Context(), v, field.Natural, k == 1))
			require.NoError(b, g.b.Wait(b.Context(), v))
			took[k] = time.Since(begin)
			if i == 0 && k == 0 {
				g.b.Unpack(bulks.ViewOf(y[:1]), v.Slice(j, j+1))
				require.NoError(b, g.b.Wait(b.Context(), v))
				require.Equal(b, want, y[0], "value at point %d", j)
			}
		}
		fmt.Printf("gf2:64 monomial 2^%d, own basis, in place: forward %v, inverse %v, %.3f times; %d bytes, %v\n", n,
			took[0], took[1], took[1].Seconds()/took[0].Seconds(), report.Tables, report.Passes)
	}
	for at := 0; at < 1<<n; at += piece {
		g.b.Unpack(bulks.ViewOf(x), v.Slice(at, at+piece))
		require.NoError(b, g.b.Wait(b.Context(), v))
		mixed(y, at)
		require.True(b, slices.Equal(x, y), "inverse from %d on", at)
	}
	fmt.Printf("gf2:64 2^%d: value %d is the polynomial's, and the inverse what was there\n", n, j)
	require.NoError(b, g.b.Release(v))
	require.NoError(b, h.Close())
}

// horner is the value of the polynomial at a point.
func horner(f *binary.Field[uint64], x []uint64, point uint64) (y uint64) {
	for i := len(x) - 1; i >= 0; i-- {
		f.Mul(&y, &y, &point)
		y ^= x[i]
	}
	return y
}
