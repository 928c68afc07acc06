package gpu

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/device"
	"github.com/galfft/fft/internal/device/driver"
	"github.com/galfft/fft/internal/emulator"
	"github.com/galfft/fft/schemes"
)

// realDevice skips benchmarks where there is none: on the emulated one they take long, and their times say nothing.
func realDevice(b *testing.B) {
	emulator.Need(b)
	if emulator.Emulates() {
		b.Skip("the emulated device has no times: " + emulator.Variable + "=libcuda.so.1 has those of a real one")
	}
}

// measured is the median time of a call, in milliseconds, of groups of calls between two events. With GALFFT_PROFILE in
// the environment it is one call, for a profiler to look at, and no time.
func measured(t testing.TB, d *device.Device, call func() error) float64 {
	if os.Getenv("GALFFT_PROFILE") != "" {
		if err := call(); err != nil {
			t.Fatal(err)
		}
		return 0
	}
	start, err := d.Driver().NewTimer()
	if err != nil {
		t.Fatal(err)
	}
	end, err := d.Driver().NewTimer()
	if err != nil {
		t.Fatal(err)
	}
	group := func(calls int) float64 {
		err := start.Record(d.Stream())
		for range calls {
			if err == nil {
				err = call()
			}
		}
		if err == nil {
			err = end.Record(d.Stream())
		}
		if err == nil {
			err = end.Wait()
		}
		ms, e := driver.Milliseconds(start, end)
		if err != nil || e != nil {
			t.Fatal(err, e)
		}
		return ms / float64(calls)
	}
	calls := max(3, min(200, int(5/group(3))))
	var all []float64
	for range 7 {
		all = append(all, group(calls))
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// sweep prints times of count transforms of 2^n elements: forward and inverse, bit-reversed, and forward, natural.
func sweep[E any](b *testing.B, f field.Rooted[E], n, count int, layers ...[]int) {
	g, err := Field(f)
	if err != nil {
		b.Skip(err)
	}
	w := g.b.(*words)
	chosen, _ := w.divide(n)
	for _, list := range append(layers, chosen) {
		w.divide = func(int) (all, few []int) { return list, nil }
		t := wholeOf(b, g, n).(*wordTransform)
		v := randomVector(b, g, count<<n)
		took := func(o field.Order, inverse bool) float64 {
			return measured(b, t.b.d, func() error { return t.Run(context.Background(), v, o, inverse) })
		}
		fmt.Printf("%s 2^%d x %d: %.4f %.4f natural %.4f ms, %v\n", g.Name(), n, count,
			took(field.BitReversed, false), took(field.BitReversed, true), took(field.Natural, false), t.passes)
		g.b.Release(v)
		t.tables[0].Release()
		t.tables[1].Release()
	}
}

// BenchmarkResident prints times of forward transforms of vectors on the device, natural in and bit-reversed out: the
// table of docs/gpu.md.
func BenchmarkResident(b *testing.B) {
	realDevice(b)
	resident(b, gfpf.P3(), 1, 16, 20, 22)
	resident(b, gfpf.P4(), 1, 15, 20)
	resident(b, gfpf.P5(), 1, 16)
	resident(b, smallprime.Goldilocks(), 1, 16, 22, 24)
	resident(b, smallprime.P62(), 4096, 12)
	resident(b, smallprime.P62(), 1, 24)
	resident(b, smallprime.BabyBear(), 1, 24)
}

func resident[E any](b *testing.B, f field.Rooted[E], count int, logs ...int) {
	g, err := Field(f)
	if err != nil {
		b.Skip(err)
	}
	for _, n := range logs {
		p, err := g.Plan(must(field.NewCyclic[E](g, 1<<n)), field.Spec{Order: field.BitReversed})
		if err != nil {
			b.Fatal(err)
		}
		t, v := wholeOf(b, g, n), randomVector(b, g, count<<n)
		ms := measured(b, g.d.room(), func() error { return t.Run(context.Background(), v, field.BitReversed, false) })
		fmt.Printf("%s 2^%d x %d: %.4f ms, %v\n", g.Name(), n, count, ms, p.Report().Passes)
		g.b.Release(v)
	}
}

// randomVector is n random elements on the device: zeros take less time.
func randomVector[E any](b *testing.B, g *DeviceField[E], n int) bulks.View {
	v, err := g.b.Make(n)
	if err != nil {
		b.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	x := make([]E, min(n, 1<<20))
	for i := range x {
		g.Random(&x[i], r)
	}
	for i := 0; i < n; i += len(x) {
		m := min(len(x), n-i)
		g.b.Pack(v.Slice(i, i+m), bulks.ViewOf(x[:m]))
	}
	if err := g.b.Wait(context.Background(), v); err != nil {
		b.Fatal(err)
	}
	return v
}

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

// wholeOf is the whole transform of 2^n points.
func wholeOf[E any](b testing.TB, g *DeviceField[E], n int) (t schemes.Whole) {
	_, err := schemes.BuildWhole[E](g, g.b, must(field.NewCyclic[E](g, 1<<n)), field.Spec{},
		func(p *schemes.Points) (schemes.Whole, error) {
			var err error
			t, err = g.b.whole(p, n, field.Monomial)
			return t, err
		})
	if err != nil {
		b.Fatal(err)
	}
	return t
}

// BenchmarkPasses prints the time of transforms for several divisions of their layers among passes.
func BenchmarkPasses(b *testing.B) {
	realDevice(b)
	type division = []int
	both := func(n, count int, layers ...[]int) {
		sweep(b, smallprime.Goldilocks(), n, count, layers...)
		sweep(b, smallprime.P62(), n, count, layers...)
		sweep(b, smallprime.BabyBear(), n, count, layers...)
	}
	both(12, 1, division{12}, division{6, 6})
	both(16, 1, division{8, 8}, division{6, 10}, division{5, 11}, division{7, 9}, division{5, 5, 6})
	both(20, 1, division{8, 12}, division{6, 6, 8}, division{5, 6, 9})
	both(22, 1, division{6, 8, 8}, division{6, 6, 10}, division{7, 7, 8}, division{5, 6, 11})
	both(24, 1, division{8, 8, 8}, division{6, 6, 12}, division{7, 7, 10}, division{6, 6, 6, 6})
	both(12, 4096, division{12}, division{6, 6})
	sweep(b, smallprime.P64(), 20, 1)
	sweep(b, smallprime.P30(), 24, 1)
}

// BenchmarkDigits prints times over generalized Fermat primes: with carries in each addition, in passes of one step and
// of two, and on lazy digits.
func BenchmarkDigits(b *testing.B) {
	realDevice(b)
	measureDigits(b, gpuField(b, gfpf.P2()), 20)
	measureDigits(b, gpuField(b, gfpf.P3()), 12, 16, 20, 22)
	measureDigits(b, gpuField(b, gfpf.P4()), 15, 20)
	measureDigits(b, gpuField(b, gfpf.P5()), 16, 20)
	measureDigits(b, gpuField(b, gfpf.P6()), 16)
}

func gpuField[E any](b *testing.B, f field.Rooted[E]) *DeviceField[E] {
	g, err := Field(f)
	if err != nil {
		b.Skip(err)
	}
	return g
}

func measureDigits[E any](b *testing.B, g *DeviceField[E], logs ...int) {
	d := g.b.(*digits)
	for _, n := range logs {
		v := randomVector(b, g, 1<<n)
		var first []E
		for _, way := range digitWays(d.radix[0], d.k) {
			d.way = way
			t := wholeOf(b, g, n).(*digitTransform)
			took := func(o field.Order, inverse bool) float64 {
				return measured(b, g.d.room(), func() error { return t.Run(context.Background(), v, o, inverse) })
			}
			fmt.Printf("%s 2^%d %+v: %.4f %.4f natural %.4f ms, passes", g.Name(), n, way,
				took(field.BitReversed, false), took(field.BitReversed, true), took(field.Natural, false))
			p := &t.directions[0]
			for _, q := range p.Passes {
				fmt.Printf(" %.4f", measured(b, g.Device().room(), func() error { return p.pass(d, d.d.Stream(), v, q) }))
			}
			if n <= 16 {
				first = sameResults(b, g, t, n, first)
			}
			fmt.Println()
		}
		g.b.Release(v)
	}
}

// sameResults compares the transform of a random vector with want, where there is one, and returns it.
func sameResults[E any](b *testing.B, g *DeviceField[E], t schemes.Whole, n int, want []E) []E {
	v, x := randomVector(b, g, 1<<n), make([]E, 1<<n)
	if err := t.Run(context.Background(), v, field.BitReversed, false); err != nil {
		b.Fatal(err)
	}
	g.b.Unpack(bulks.ViewOf(x), v)
	if err := g.b.(bulks.Device).Wait(context.Background(), v); err != nil {
		b.Fatal(err)
	}
	g.b.Release(v)
	for i := range want {
		if !g.Equal(&x[i], &want[i]) {
			b.Fatalf("element %d differs from that of the first way", i)
		}
	}
	return x
}

// BenchmarkCopies prints the rates of long copies, in and out.
func BenchmarkCopies(b *testing.B) {
	realDevice(b)
	g, err := Field(smallprime.P62())
	if err != nil {
		b.Skip(err)
	}
	for _, log := range []int{17, 18, 20, 22, 24, 26} {
		x, v := make([]uint64, 1<<log), must(g.b.Make(1<<log))
		rate := func(call func()) float64 {
			least := time.Duration(math.MaxInt64)
			for range 20 {
				start := time.Now()
				call()
				if err := g.b.Wait(context.Background(), v); err != nil {
					b.Fatal(err)
				}
				least = min(least, time.Since(start))
			}
			return float64(8*len(x)) / float64(least.Nanoseconds())
		}
		fmt.Printf("copies of %d bytes: in %.1f GB/s, out %.1f GB/s\n", 8<<log,
			rate(func() { g.b.Pack(v, bulks.ViewOf(x)) }), rate(func() { g.b.Unpack(bulks.ViewOf(x), v) }))
		g.b.Release(v)
	}
}

// BenchmarkOpen prints how long the driver compiles the kernels of a field, where it has not done so before.
func BenchmarkOpen(b *testing.B) {
	realDevice(b)
	opening(b, smallprime.Goldilocks())
	opening(b, smallprime.P62())
	opening(b, smallprime.BabyBear())
	opening(b, gfpf.P3())
	opening(b, gfpf.P4())
	opening(b, gfpf.P5())
}

func opening[E any](b *testing.B, f field.Rooted[E]) {
	for range 2 {
		d, err := Open(0)
		if err != nil {
			b.Skip(err)
		}
		start := time.Now()
		g, err := Field(f, On(d))
		if err != nil {
			b.Fatal(err)
		}
		fmt.Printf("%s: %.3f s\n", g.Name(), time.Since(start).Seconds())
		d.Close()
	}
}
