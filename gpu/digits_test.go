package gpu

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/internal/emulator"
	"github.com/galfft/fft/internal/engine/choice"
	"github.com/galfft/fft/internal/testscale"
	"github.com/galfft/fft/schemes"
	"github.com/stretchr/testify/require"
)

// opened returns f on a device of its own, with so much shared memory where it is emulated; 0 is the default.
func opened[E any](t testing.TB, f field.Rooted[E], shared int) *DeviceField[E] {
	emulator.Need(t)
	if shared > 0 {
		t.(*testing.T).Setenv("EMULATE_SHARED", fmt.Sprint(shared))
	}
	d, err := Open(0)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	g, err := Field(f, On(d))
	require.NoError(t, err)
	return g
}

// leastShared is what every device has.
const leastShared = 48 << 10

// digitsOf are the digits of elements.
func digitsOf[E gfpf.Digits](x []E) []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(x))), len(x)*int(unsafe.Sizeof(x[0])/8))
}

// samples are elements: 0, 1, −1, those with all digits r − 1, powers of r, and others, or one of them alone.
func samples[E gfpf.Digits](f *gfpf.Field[E], r *rand.Rand, n int) []E {
	var edges [6]E
	f.One(&edges[1])
	f.Neg(&edges[2], &edges[1])
	f.Sub(&edges[3], &edges[2], &edges[1]) // p − 2 = r^k − 1
	f.Shift(&edges[4], &edges[1], r.Uint64())
	x, kind := make([]E, n), r.IntN(8)
	for i := range x {
		f.Random(&x[i], r)
		switch {
		case kind < 4:
			x[i] = edges[kind]
		case kind < 6:
			if j := r.IntN(2 * len(edges)); j < len(edges) {
				x[i] = edges[j]
			}
		}
	}
	return x
}

// domains are those of n points: cyclic, on cosets, and with a root that is not the field's own.
func domains[E gfpf.Digits](t *testing.T, f *gfpf.Field[E], r *rand.Rand, n int) []field.Domain[E] {
	cyclic, err := field.NewCyclic(f, n)
	require.NoError(t, err)
	negacyclic, err := field.NewNegacyclic(f, n)
	require.NoError(t, err)
	other, coset := cyclic, cyclic
	field.Pow(f, &other.Root, &cyclic.Root, big.NewInt(int64(2*r.IntN(n)+1)))
	field.Pow(f, &coset.Root, &cyclic.Root, big.NewInt(int64(2*r.IntN(n)+1)))
	f.Random(&coset.Shift, r)
	return []field.Domain[E]{cyclic, negacyclic, other, coset}
}

// digitWays are the ways through a transform that there are for k digits of radix r.
func digitWays(r uint64, k int) []choice.Digits {
	ways := []choice.Digits{{}}
	if k <= mostPaired {
		ways = append(ways, choice.Digits{Pairs: true})
	}
	if digitsLazy(r, k) != nil {
		ways = append(ways, choice.Digits{Lazy: true})
	}
	return ways
}

// sameAsHost compares whole transforms of up to most points on a device with those of the processor.
func sameAsHost[E gfpf.Digits](t *testing.T, f *gfpf.Field[E], most int) {
	var e E
	for _, shared := range []int{0, leastShared} {
		for _, way := range digitWays(f.Radix(), len(e)) {
			t.Run(fmt.Sprintf("%d %+v", shared, way), func(t *testing.T) {
				g := opened(t, f, shared)
				g.b.(*digits).way = way
				r := rand.New(rand.NewPCG(uint64(shared), 1))
				for n := 2; n <= most; n *= 2 {
					for i, d := range domains(t, f, r, n) {
						s := field.Spec{Order: field.Order(r.IntN(2))}
						if i == r.IntN(4) {
							s.Batch = field.Batch{Count: 2 + r.IntN(4), Columns: r.IntN(2) == 0}
						}
						sameTransform(t, f, g, d, s, r)
					}
				}
			})
		}
	}
}

func sameTransform[E gfpf.Digits](t *testing.T, f *gfpf.Field[E], g *DeviceField[E], d field.Domain[E], s field.Spec,
	r *rand.Rand) {
	name := fmt.Sprintf("%s, %d points, %v, batch %+v", f.Name(), d.Len(), s.Order, s.Batch)
	p, err := schemes.New(g, d, s)
	require.NoError(t, err, name)
	h, err := schemes.New(f, d, s)
	require.NoError(t, err, name)
	report, product := p.Report(), 1
	for _, n := range report.Split {
		product *= n
	}
	require.Equal(t, d.Len(), product, name)
	require.Contains(t, report.Form, "planes of")

	count := max(1, s.Batch.Count)
	x := samples(f, r, count*d.Len())
	y, want := make([]E, len(x)), make([]E, len(x))
	require.NoError(t, h.Forward(t.Context(), want, x), name)
	for range 3 { // the second call records a graph, which the third one runs
		require.NoError(t, p.Forward(t.Context(), y, x), name)
		require.True(t, slices.Equal(want, y), "%s: forward", name)
		require.NoError(t, p.Inverse(t.Context(), y, y), name)
		require.True(t, slices.Equal(x, y), "%s: inverse", name)
		clear(y)
	}
}

func TestDigits(t *testing.T) {
	t.Run("P1", func(t *testing.T) { sameAsHost(t, gfpf.P1(), 512) })
	t.Run("P2", func(t *testing.T) { sameAsHost(t, gfpf.P2(), 512) })
	t.Run("P3", func(t *testing.T) { sameAsHost(t, gfpf.P3(), 512) })
	t.Run("P4", func(t *testing.T) { emulator.Long(t); sameAsHost(t, gfpf.P4(), 512) })
	t.Run("P5", func(t *testing.T) { emulator.Long(t); sameAsHost(t, gfpf.P5(), 512) })
	t.Run("P6", func(t *testing.T) { emulator.Long(t); sameAsHost(t, gfpf.P6(), 512) })
	t.Run("P7", func(t *testing.T) { emulator.Long(t); sameAsHost(t, gfpf.P7(), 64) })
}

// Transforms that others have computed: SHA-256 of the values in natural order, digits in eight little-endian bytes
// each.
func TestDigitSums(t *testing.T) {
	next := func(i int) uint64 { return uint64(i) + 1 }
	square := func(i int) uint64 { return uint64(i)*uint64(i) + 1 }
	for _, c := range []struct {
		n    int
		x    func(i int) uint64
		run  func(t *testing.T, n int, x func(i int) uint64) string
		want string
	}{
		{256, next, sumOf(gfpf.P3()), "cc92acd48688cf958696cea839a13e57a62d909d52cd4abc2bddf143058e8782"},
		{4096, square, sumOf(gfpf.P3()), "46d827629ff3b87dd85a86c23905fc26d995dd8aee08af8cd7af6ea5b02b149f"},
		{65536, next, sumOf(gfpf.P3()), "55f4689a161848e67fb0605508afdacec1cff5928d14f23de5424310771f6293"},
		{1 << 20, next, sumOf(gfpf.P3()), "cb2abd9d2842eb53ad871ccb751b27fc128e2cf132a4033f3e174218aab493fc"},
		{1024, next, sumOf(gfpf.P4()), "1eb61249ed3e76bbebbf15aed764df770fff1ba341f7ad13acae01bf9942555f"},
	} {
		t.Run(fmt.Sprint(c.n), func(t *testing.T) { require.Equal(t, c.want, c.run(t, c.n, c.x)) })
	}
}

func sumOf[E gfpf.Digits](f *gfpf.Field[E]) func(t *testing.T, n int, x func(i int) uint64) string {
	return func(t *testing.T, n int, x func(i int) uint64) string {
		g := opened(t, f, 0)
		const most = 1 << 16
		if n > most && testscale.Of(t) < testscale.Full && emulator.Emulates() {
			t.Skipf("%d points take long on the emulated device: %s=libcuda.so.1 has a real one", n, emulator.Variable)
		}
		d, err := field.NewCyclic(f, n)
		require.NoError(t, err)
		p, err := schemes.New(g, d, field.Spec{})
		require.NoError(t, err)
		v := make([]E, n)
		for i, k := 0, len(v[0]); i < n; i++ {
			digitsOf(v)[i*k] = x(i)
		}
		require.NoError(t, p.Forward(t.Context(), v, v))
		h := sha256.New()
		require.NoError(t, binary.Write(h, binary.LittleEndian, digitsOf(v)))
		return hex.EncodeToString(h.Sum(nil))
	}
}

// Vectors that are longer than the staging buffer go through it in parts.
func TestStaging(t *testing.T) {
	f := gfpf.P7()
	b := opened(t, f, 0).b
	n := stagingBytes/b.Bytes(16)*16 + 33
	x, y := make([][128]uint64, n), make([][128]uint64, n)
	for i := range x {
		x[i][0], x[i][i%128] = uint64(i), uint64(i+7)
	}
	d := b.(*digits).d
	before, _, err := d.Driver().Free()
	require.NoError(t, err)
	v, err := b.Make(n + 3)
	require.NoError(t, err)
	v = v.Slice(2, n+2)
	b.Pack(v, bulks.ViewOf(x))
	b.Unpack(bulks.ViewOf(y), v)
	require.NoError(t, b.Wait(context.Background(), v))
	require.True(t, slices.Equal(x, y))
	b.Unpack(bulks.ViewOf(y[:40]), v.Slice(n-40, n))
	require.NoError(t, b.Release(v))
	require.Equal(t, x[n-40:], y[:40])
	if after, _, err := d.Driver().Free(); emulator.Emulates() {
		require.NoError(t, err)
		require.LessOrEqual(t, before-after, stagingBytes)
	}
}

// Tables know which multipliers are powers of r, those behind the first part that the host looks at too.
func TestDigitTable(t *testing.T) {
	f := gfpf.P1()
	b := opened(t, f, 0).b.(*digits)
	r := rand.New(rand.NewPCG(1, 2))
	w, want := make([][2]uint64, 5000), make([]int32, 5000)
	for i := range w {
		f.Random(&w[i], r)
		if want[i] = -1; i%3 == 0 {
			want[i] = r.Int32N(4)
			f.One(&w[i])
			f.Shift(&w[i], &w[i], uint64(want[i]))
		}
	}
	v, err := b.Make(len(w))
	require.NoError(t, err)
	b.Pack(v, bulks.ViewOf(w))
	table, err := b.Table(v, bulks.Alone)
	require.NoError(t, err)
	got := make([]int32, len(want))
	require.NoError(t, b.d.CopyOut(unsafe.Pointer(&got[0]), table.(*digitTable).powers.At, 4*len(got)))
	require.NoError(t, b.Wait(context.Background(), v))
	require.Equal(t, want, got)
	require.Equal(t, 16*5008+4*5000, table.Bytes())
}

func TestDigitLimits(t *testing.T) {
	b := opened(t, gfpf.P1(), 0).b
	n := math.MaxInt32
	n++
	_, err := b.Make(n)
	require.ErrorIs(t, err, field.ErrMemory)
	require.ErrorContains(t, err, "2147483648 elements")
	require.Equal(t, 2*8*16, b.Bytes(1))
	require.Equal(t, 2*8*32, b.Bytes(17))
}

// digitPlan is the transform of n points over f on a device.
func digitPlan[E any](t *testing.T, g *DeviceField[E], n int) (whole *digitTransform, p field.Transform[E]) {
	d, err := field.NewCyclic(g, n)
	require.NoError(t, err)
	p, err = schemes.BuildWhole(g, g.b, d, field.Spec{}, func(p *schemes.Points) (schemes.Whole, error) {
		var err error
		whole, err = newDigitTransform(g.b.(*digits), p, log2(n))
		return whole, err
	})
	require.NoError(t, err)
	return whole, p
}

// ending is a context that ends after it was asked so many times.
type ending struct {
	context.Context
	left int
}

func (c *ending) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// Contexts end transforms between passes.
func TestDigitContext(t *testing.T) {
	g := opened(t, gfpf.P3(), 0)
	whole, _ := digitPlan(t, g, 1024)
	v, err := g.b.Make(1024)
	require.NoError(t, err)
	for _, inverse := range []bool{false, true} {
		passes := len(whole.directions[0].Passes)
		require.Equal(t, 3, passes)
		for i := range passes {
			c := &ending{t.Context(), i}
			require.ErrorIs(t, whole.Start(c, g.b.(*digits).d.Stream(), callOf(v, true, inverse)), context.Canceled)
			require.Equal(t, -1, c.left)
		}
		c := &ending{t.Context(), passes}
		require.NoError(t, whole.Start(c, g.b.(*digits).d.Stream(), callOf(v, true, inverse)))
	}
	require.NoError(t, g.b.Release(v))
}

// Hot calls allocate nothing, those that are graphs and those that are not.
func TestDigitAllocations(t *testing.T) {
	defer noCleanups()() // which allocate
	g := opened(t, gfpf.P3(), 0)
	whole, p := digitPlan(t, g, 512)
	x := make([][8]uint64, 512)
	v, err := p.NewVec()
	require.NoError(t, err)
	w, err := g.b.Make(512)
	require.NoError(t, err)
	b, ctx := g.b.(*digits), t.Context()
	table, err := b.Table(w, bulks.Alone)
	require.NoError(t, err)
	for name, call := range map[string]func() error{
		"Forward":    func() error { return p.Forward(ctx, x, x) },
		"Inverse":    func() error { return p.Inverse(ctx, x, x) },
		"ForwardVec": func() error { return p.ForwardVec(ctx, v) },
		"InverseVec": func() error { return p.InverseVec(ctx, v) },
		"MulVec":     func() error { return p.MulVec(v, v, v) },
		"forward":    func() error { return whole.Start(ctx, b.d.Stream(), callOf(w, true, false)) },
		"inverse":    func() error { return whole.Start(ctx, b.d.Stream(), callOf(w, true, true)) },
		"passes": func() error {
			table.Pass(w, bulks.Pass{Layers: 1}, bulks.NewRows(1, 256, 1, 1))
			table.Pass(w, bulks.Pass{Layers: 1, How: bulks.Transposed}, bulks.NewRows(1, 256, 1, 1))
			table.Scale(w, 0, 512, 1, 1)
			b.Copy(w.Slice(0, 16), w.Slice(16, 32), bulks.Copy{Rows: 4, Width: 4, Dst: 4, Src: 4, Transpose: true})
			return b.Wait(context.Background(), w)
		},
	} {
		for range 3 {
			require.NoError(t, call(), name)
		}
		require.Zero(t, testing.AllocsPerRun(10, func() { _ = call() }), name)
	}
	require.NoError(t, g.b.Release(w))
}

// What fails in the middle of an operation on a vector is the error of the next Wait.
func TestDigitErrors(t *testing.T) {
	f := gfpf.P3()
	g := opened(t, f, 0)
	if !emulator.Emulates() {
		t.Skip("a real device has no errors to order")
	}
	v, err := g.b.Make(1024)
	require.NoError(t, err)
	x := bulks.ViewOf(make([][8]uint64, 1024))
	table, err := g.b.Table(v.Slice(0, 64), bulks.Alone)
	require.NoError(t, err)
	for _, c := range []struct {
		fail string
		call func()
	}{
		{"cuMemAllocAsync", func() { g.b.Pack(v, x) }}, // for more scratch than the table took
		{"cuMemcpyHtoDAsync", func() { g.b.Pack(v, x) }},
		{"cuMemcpyDtoHAsync", func() { g.b.Unpack(x, v) }},
		{"cuLaunchKernel", func() { g.b.Pack(v, x) }},
		{"cuLaunchKernel", func() { g.b.Unpack(x, v) }},
		{"cuLaunchKernel", func() { g.b.VecMul(v, v, v) }},
		{"cuLaunchKernel", func() { g.b.Reorder(v, 1, 0, 1) }},
		{"cuLaunchKernel", func() { g.b.Copy(v.Slice(0, 8), v.Slice(8, 16), bulks.Copy{Rows: 1, Width: 8}) }},
		{"cuLaunchKernel", func() { table.Scale(v, 0, 64, 1, 1) }},
		{"cuLaunchKernel", func() { table.Pass(v, bulks.Pass{Layers: 1}, bulks.NewRows(1, 32, 1, 1)) }},
	} {
		t.Setenv("EMULATE_FAIL", c.fail+":1:1")
		c.call()
		require.ErrorContains(t, g.b.Wait(context.Background(), v), c.fail)
		t.Setenv("EMULATE_FAIL", "")
		g.b.Pack(v, x) // which has the emulator see that nothing fails any more
		require.NoError(t, g.b.Wait(context.Background(), v))
	}
	t.Setenv("EMULATE_FAIL", "cuLaunchKernel:1:1")
	_, err = g.b.Table(v, bulks.Alone)
	require.ErrorContains(t, err, "cuLaunchKernel")
}

// wide is a field that has all methods of gfpf.Field, but neither its elements nor gfpf.Number.
type wide struct{ host[[3]uint64] }

func (wide) Radix() uint64      { return 1<<63 + 1<<34 }
func (wide) ShiftOrder() uint64 { return 16 }

// Elements with other than k digits have no kernels.
func TestDigitsOfOthers(t *testing.T) {
	_, err := newVectorBulk[[3]uint64](wide{}, nil)
	require.ErrorIs(t, err, field.ErrSpec)
}

// Transforms and vectors of gfpf.Any are those of the processor, for each k.
func TestDigitsOfAny(t *testing.T) {
	for i, radix := range []uint64{gfpf.P1().Radix(), gfpf.P2().Radix(), gfpf.P3().Radix(), gfpf.P4().Radix(),
		gfpf.P5().Radix(), gfpf.P6().Radix(), gfpf.P7().Radix()} {
		k := 2 << i
		t.Run(fmt.Sprint(k), func(t *testing.T) {
			r := rand.New(rand.NewPCG(uint64(k), 5))
			f, err := gfpf.Open(radix, k)
			require.NoError(t, err)
			g := opened(t, field.Rooted[gfpf.Number](f), 0)
			n := min(4*k, 64)
			d, err := field.NewCyclic(f, n)
			require.NoError(t, err)
			p, err := schemes.New(g, d, field.Spec{})
			require.NoError(t, err)
			h, err := schemes.New(f, d, field.Spec{})
			require.NoError(t, err)
			x, y, want := make([]gfpf.Number, n), make([]gfpf.Number, n), make([]gfpf.Number, n)
			for i := range x {
				f.Random(&x[i], r)
			}
			x[0] = nil // 0
			f.One(&x[1])
			f.Neg(&x[2], &x[1])
			f.Sub(&x[3], &x[2], &x[1])
			for e := range 2 * k {
				var power gfpf.Number
				f.Shift(&power, &x[1], uint64(e))
				require.EqualValues(t, e, powerOf(power, radix))
			}
			require.EqualValues(t, -1, powerOf(x[3], radix))
			require.NoError(t, h.Forward(t.Context(), want, x))
			equal := func(a, b []gfpf.Number) {
				require.True(t, slices.EqualFunc(a, b, func(a, b gfpf.Number) bool { return f.Equal(&a, &b) }))
			}
			for range 3 {
				require.NoError(t, p.Forward(t.Context(), y, x))
				equal(want, y)
				require.NoError(t, p.Inverse(t.Context(), y, y))
				equal(x, y)
			}
			x[n-1] = make(gfpf.Number, k+1) // no element
			require.Error(t, p.Forward(t.Context(), y, x))
			x[n-1] = nil

			u, err := g.NewVec(n)
			require.NoError(t, err)
			v, err := g.NewVec(n)
			require.NoError(t, err)
			require.NoError(t, g.LoadVec(u, x))
			require.NoError(t, g.LoadVec(v, want))
			require.NoError(t, MulVec(u, u, v))
			require.NoError(t, AddVec(u, u, v))
			require.NoError(t, ShiftVec(u, u, 3))
			shared, first := slices.Clone(want), slices.Clone(want[0]) // the words of want, and not
			require.NoError(t, g.StoreVec(shared, u))
			require.Equal(t, first, want[0])
			require.NoError(t, g.StoreVec(y, u))
			z := make([]gfpf.Number, n)
			f.MulVec(z, x, want)
			f.AddVec(z, z, want)
			for i := range z {
				f.Shift(&z[i], &z[i], 3)
			}
			equal(z, y)
		})
	}
}
