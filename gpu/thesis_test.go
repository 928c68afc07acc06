package gpu

import (
	"context"
	"fmt"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"
	"unsafe"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/internal/device"
	"github.com/galfft/fft/internal/device/driver"
	"github.com/galfft/fft/internal/emulator"
	"github.com/galfft/fft/internal/measuring"
	"github.com/galfft/fft/kernels/cuda"
	"github.com/galfft/fft/schemes"
	"github.com/stretchr/testify/require"
)

// calls are started one after the other, by Device.Run as one graph from the second time on.
type calls []func(s *device.Stream) error

func (c *calls) Start(_ context.Context, s *device.Stream, _ device.Call) error {
	for _, call := range *c {
		if err := call(s); err != nil {
			return err
		}
	}
	return nil
}

// median is the time of some calls, in milliseconds; v decides whether they are a graph, as it does for transforms.
func (o *onDevice) median(t testing.TB, v bulks.View, list ...func(s *device.Stream) error) float64 {
	c := calls(list)
	return measured(t, o.d, func() error { return o.d.Run(context.Background(), &c, callOf(v, true, false)) })
}

// thesis is the transform of internal/measuring/thesis.cu: its kernels in order.
type thesis struct {
	permutes, products, dfts, all calls
	out                           bulks.View // where values are in the end; x is overwritten
}

// measuringKernels are those of package measuring that were loaded, by their device and name.
var measuringKernels sync.Map

// measuringKernel is one of them, which the library does not have.
func measuringKernel(d *device.Device, module, name string) (*device.Function, error) {
	type key struct {
		d    *device.Device
		name string
	}
	if f, ok := measuringKernels.Load(key{d, name}); ok {
		return f.(*device.Function), nil
	}
	m, err := d.Driver().Load(cuda.Split(measuring.Source(module)).Kernel(name))
	if err != nil {
		return nil, err
	}
	loaded, err := m.Function(name)
	if err != nil {
		return nil, err
	}
	f := device.Loaded(loaded)
	measuringKernels.Store(key{d, name}, f)
	return f, nil
}

// newThesis plans the transform of x. Without planes the digits of an element are side by side, one element after the
// other from the first word of x on. Vectors x and y have as many elements as points has.
func newThesis(b *digits, points *schemes.Points, x, y bulks.View, planes bool) (*thesis, error) {
	k, n := b.k, points.Len()
	log := bits.Len(uint(2*k)) - 1
	levels := log2(n) / log
	if levels*log != log2(n) {
		return nil, fmt.Errorf("%d points are no power of %d", n, 2*k)
	}
	unit, err := b.unit(points)
	if err != nil {
		return nil, err
	}
	table, err := points.Powers(schemes.Factor{Root: 1}, n/(2*k))
	if err != nil {
		return nil, err
	}
	layout := "_planes"
	if !planes {
		layout = "_elements"
		packed, err := b.Make(table.N)
		if err != nil {
			return nil, err
		}
		if err := b.packed(b.unpack, table, b.at(packed)); err != nil {
			return nil, err
		}
		table = packed
	}
	var permute, twiddle, dft *device.Function
	for name, f := range map[string]**device.Function{"_permute": &permute, "_twiddle": &twiddle, "_dft": &dft} {
		if *f, err = measuringKernel(b.d, "thesis", fmt.Sprint("thesis", k, name, layout)); err != nil {
			return nil, err
		}
	}
	t, held := &thesis{}, []bulks.View{x, y, table}
	add := func(part *calls, f *device.Function, blocks, threads, shared int, args ...uint64) {
		call := func(s *device.Stream) error {
			defer runtime.KeepAlive(held) // arguments are addresses
			return b.start(s, f, [2]int{blocks, 1}, threads, shared, args...)
		}
		*part, t.all = append(*part, call), append(t.all, call)
	}
	const threads = 128
	// permuted is I ⊗ L of blocks of 2^rows rows of 2^columns elements.
	permuted := func(rows, columns int) {
		blocks, of, shared := n/threads, threads, 0
		if planes {
			side := 2 * k
			blocks, of, shared = n/(side*side), 256, 8*side*(side+1)
		}
		add(&t.permutes, permute, blocks, of, shared, b.at(y), b.at(x), b.pitch(x), uint64(n), uint64(rows),
			uint64(columns))
		x, y = y, x
	}
	transformed := func() {
		add(&t.dfts, dft, n/2/threads, threads, 8*k*threads, b.at(x), b.pitch(x), unit, b.radix[0])
	}
	for s := range levels - 1 {
		permuted((levels-s-1)*log, log)
	}
	transformed()
	for s := levels - 2; s >= 0; s-- {
		rest := (levels - s - 1) * log
		add(&t.products, twiddle, n/threads, threads, 2*8*k*threads, b.at(x), b.pitch(x), uint64(n), uint64(rest+log),
			uint64(rest), uint64(s*log), unit, b.at(table), b.pitch(table))
		permuted(log, rest)
		transformed()
		permuted(rest, log)
	}
	t.out = x
	return t, nil
}

// pointsOf makes a transform, and calls with for its points before.
func pointsOf[E any](t testing.TB, g *DeviceField[E], d field.Domain[E],
	with func(p *schemes.Points) error) *digitTransform {
	var whole *digitTransform
	_, err := schemes.BuildWhole(g, g.b, d, field.Spec{}, func(p *schemes.Points) (schemes.Whole, error) {
		if err := with(p); err != nil {
			return nil, err
		}
		var err error
		whole, err = newDigitTransform(g.b.(*digits), p, log2(d.Len()))
		return whole, err
	})
	require.NoError(t, err)
	return whole
}

// pairOf makes two vectors of n elements.
func pairOf(t testing.TB, b *digits, n int) (x, y bulks.View) {
	var err error
	x, err = b.Make(n)
	require.NoError(t, err)
	y, err = b.Make(n)
	require.NoError(t, err)
	return x, y
}

// The structure of the thesis gives the same transform, for other roots too.
func TestThesis(t *testing.T) {
	likeThesis(t, gfpf.P3(), 256, 4096)
	likeThesis(t, gfpf.P4(), 1024)
}

func likeThesis[E gfpf.Digits](t *testing.T, f *gfpf.Field[E], lengths ...int) {
	g := opened(t, f, 0)
	b := g.b.(*digits)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 2 * len(lengths) {
		n := lengths[i/2]
		d, err := field.NewCyclic(f, n)
		require.NoError(t, err)
		if i%2 == 1 {
			field.Pow(f, &d.Root, &d.Root, big.NewInt(7))
		}
		host, err := schemes.New(f, d, field.Spec{})
		require.NoError(t, err)
		in := edges(f, r, n)
		want, got := make([]E, n), make([]E, n)
		require.NoError(t, host.Forward(t.Context(), want, in))
		for _, planes := range []bool{true, false} {
			x, y := pairOf(t, b, n)
			var own *thesis
			pointsOf(t, g, d, func(p *schemes.Points) (err error) {
				own, err = newThesis(b, p, x, y, planes)
				return err
			})
			bytes := 8 * b.k * n
			if planes {
				b.Pack(x, bulks.ViewOf(in))
			} else {
				require.NoError(t, b.d.Stream().CopyIn(driver.Pointer(b.at(x)), unsafe.Pointer(&in[0]), bytes, nil))
			}
			require.NoError(t, own.all.Start(t.Context(), b.d.Stream(), callOf(x, true, false)))
			if planes {
				b.Unpack(bulks.ViewOf(got), own.out)
			} else {
				require.NoError(t, b.d.Stream().CopyOut(unsafe.Pointer(&got[0]), driver.Pointer(b.at(own.out)), bytes,
					nil))
			}
			require.NoError(t, b.d.Wait(context.Background(), nil))
			require.True(t, slices.Equal(want, got), "%s, %d points, planes %v", f.Name(), n, planes)
			clear(got)
		}
	}
}

// edges are n elements: 0, 1, −1, those with all digits r − 1, with one digit r − 1 or 1, and others.
func edges[E gfpf.Digits](f *gfpf.Field[E], r *rand.Rand, n int) []E {
	x := make([]E, n)
	for i := range x {
		f.Random(&x[i], r)
	}
	k := int(f.ShiftOrder() / 2)
	var zero, one E
	f.One(&one)
	x[0], x[1] = zero, one
	f.Neg(&x[2], &one)
	f.Sub(&x[3], &x[2], &one) // r^k − 1
	for i := range k {
		f.Shift(&x[4+2*i], &one, uint64(i))
		x[5+2*i] = zero
		digitsOf(x[5+2*i:][:1])[i] = f.Radix() - 1
	}
	return x
}

// BenchmarkThesis prints times of the transform with the structure of D. Mohajerani's thesis, on both layouts, beside
// those of whole transforms; its permutations, products and DFTs by themselves too. All are in natural order.
func BenchmarkThesis(b *testing.B) {
	realDevice(b)
	measureThesis(b, gfpf.P3(), 5)
	measureThesis(b, gfpf.P4(), 4)
}

// measureThesis goes from K² to K^most points, K = 2k.
func measureThesis[E gfpf.Digits](t *testing.B, f *gfpf.Field[E], most int) {
	g := gpuField[E](t, f)
	b := g.b.(*digits)
	for _, n := range powersOf(b, most) {
		x, y := pairOf(t, b, n)
		b.Pack(x, bulks.ViewOf(edges(f, rand.New(rand.NewPCG(1, uint64(n))), n)))
		var own [2]*thesis
		whole := pointsOf(t, g, must(field.NewCyclic(g, n)), func(p *schemes.Points) error {
			for i := range own {
				var err error
				if own[i], err = newThesis(b, p, x, y, i == 0); err != nil {
					return err
				}
			}
			return nil
		})
		run := func(o field.Order) float64 {
			return measured(t, b.d, func() error { return whole.Run(context.Background(), x, o, false) })
		}
		fused := run(field.Natural)
		fmt.Printf("%s 2^%d: whole %.4f, bit-reversed %.4f ms\n", f.Name(), log2(n), fused, run(field.BitReversed))
		for i, name := range []string{"planes", "elements"} {
			o := own[i]
			all := b.median(t, x, o.all...)
			fmt.Printf("%s 2^%d: thesis, %s %.4f ms, %.2f times whole; permutations %.4f products %.4f DFTs %.4f\n",
				f.Name(), log2(n), name, all, all/fused, b.median(t, x, o.permutes...),
				b.median(t, x, o.products...), b.median(t, x, o.dfts...))
		}
		require.NoError(t, b.Release(x))
		require.NoError(t, b.Release(y))
	}
}

// powersOf are K², …, K^most for K = 2k, less on the emulated device.
func powersOf(b *digits, most int) (list []int) {
	for n := 4 * b.k * b.k; len(list) < most-1 && (n <= 1<<12 || !emulator.Emulates()); n *= 2 * b.k {
		list = append(list, n)
	}
	return list
}
