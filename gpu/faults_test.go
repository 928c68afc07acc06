package gpu

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/emulator"
	"github.com/galfft/fft/internal/testscale"
	"github.com/stretchr/testify/require"
)

// spare opens an emulated device that no other test uses, so that it may be lost.
func spare(t *testing.T) *Device {
	t.Helper()
	emulator.Need(t)
	if !emulator.Emulates() {
		t.Skip("a real device does not fail when it is told to")
	}
	t.Setenv("EMULATE_DEVICES", "3")
	d, err := Open(1)
	require.NoError(t, err)
	t.Cleanup(func() { d.Close() })
	return d
}

// failing makes the n-th call of a function of the driver fail from now on, with a code.
func failing(t *testing.T, function string, n, code int) {
	t.Setenv("EMULATE_FAIL", "") // calls are counted from a change on
	if function != "" {
		count(t)
		t.Setenv("EMULATE_FAIL", fmt.Sprintf("%s:%d:%d", function, n, code))
	}
}

// count has the emulated driver look at the variables.
func count(t *testing.T) {
	_, err := Devices()
	require.NoError(t, err)
}

// random are elements of f.
func random[E any](f field.Rooted[E], n int, seed uint64) []E {
	x, r := make([]E, n), rand.New(rand.NewPCG(seed, 1))
	for i := range x {
		f.(field.Sampler[E]).Random(&x[i], r)
	}
	return x
}

// codes of the driver, and what errors.Is finds.
var codes = []struct {
	code int
	is   error
}{{1, nil}, {2, field.ErrMemory}, {700, ErrLost}}

// transforms does a bit of everything on a device, and compares it with the processor. What fails leaves destinations
// as they were.
func transforms[E comparable](t *testing.T, d *Device, f field.Rooted[E], n int, opts ...fft.Option) error {
	x := random(f, n, 7)
	want, squares := make([]E, n), make([]E, n)
	here := fft.Must(fft.NewPlan(f, n, opts...))
	require.NoError(t, here.Forward(want, x))
	require.NoError(t, squared(here, squares, x))
	g, err := Field(f, On(d))
	if err != nil {
		return err
	}
	p, err := fft.NewPlan[E](g, n, opts...)
	if err != nil {
		return err
	}
	got := random(f, n, 8)
	same := func(err error, before, after []E) error {
		t.Helper()
		if err != nil {
			function, _, _ := strings.Cut(os.Getenv("EMULATE_FAIL"), ":")
			late := slices.Contains([]string{"cuEventRecord", "cuEventQuery", "cuCtxPushCurrent", "cuMemFreeAsync"}, function) // after it
			require.True(t, late || slices.Equal(before, got), "a call that failed has written: %v", err)
			return err
		}
		require.True(t, slices.Equal(after, got), "a wrong result, %s", os.Getenv("EMULATE_FAIL"))
		return nil
	}
	for range 3 { // of which the last ones are graphs
		before := slices.Clone(got)
		if err := same(p.Forward(got, x), before, want); err != nil {
			return err
		}
		if err := same(p.Inverse(got, got), want, x); err != nil {
			return err
		}
	}
	before := slices.Clone(got)
	return same(squared(p, got, x), before, squares)
}

// squared sets z to the cyclic convolution of x with itself, by way of a vector.
func squared[E any](p *fft.Plan[E], z, x []E) error {
	v, err := p.NewVec()
	if err != nil {
		return err
	}
	ctx := context.Background()
	for _, call := range []func() error{
		func() error { return p.Load(v, x) },
		func() error { return p.ForwardVec(ctx, v) },
		func() error { return p.MulVec(v, v, v) },
		func() error { return p.InverseVec(ctx, v) },
		func() error { return p.Store(z, v) },
	} {
		if err := call(); err != nil {
			return err
		}
	}
	return v.Close()
}

// integersOf computes with integers of the host and with vectors of them. Operands stay as they were, and results too
// where a call fails before all is copied.
func integersOf(t *testing.T, d *Device, n int) error {
	ctx := context.Background()
	g, err := d.Integers()
	if err != nil {
		return err
	}
	const bits = 96
	x, y, z := make([]uint32, 3*n), make([]uint32, 3*n), make([]uint32, 3*n)
	for i := range x {
		x[i], y[i], z[i] = math.MaxUint32, uint32(i), uint32(i)+7
	}
	operands := [][]uint32{slices.Clone(x), slices.Clone(y)}
	for op, want := range []func(a, b *big.Int) *big.Int{
		func(a, b *big.Int) *big.Int { return a.Add(a, b) }, func(a, b *big.Int) *big.Int { return a.Sub(a, b) },
	} {
		before := slices.Clone(z)
		if err := g.Compute(ctx, op, z, x, y, bits); err != nil {
			function, _, _ := strings.Cut(os.Getenv("EMULATE_FAIL"), ":")
			late := slices.Contains([]string{"cuEventRecord", "cuEventQuery", "cuCtxPushCurrent", "cuMemFreeAsync"}, function)
			require.True(t, late || slices.Equal(before, z), "a call that failed has written: %v", err)
			require.Equal(t, operands, [][]uint32{x, y})
			return err
		}
		number := func(w []uint32) *big.Int {
			v := new(big.Int)
			for i := range w {
				v.Lsh(v, 32).Add(v, big.NewInt(int64(w[len(w)-1-i])))
			}
			return v
		}
		for i := 0; i < 3*n; i += 3 {
			v := want(number(x[i:i+3]), number(y[i:i+3]))
			v.And(v, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), bits), big.NewInt(1)))
			require.Zero(t, v.Cmp(number(z[i:i+3])), "operation %d of integer %d", op, i/3)
		}
	}
	v, err := g.NewVec(3 * n)
	if err != nil {
		return err
	}
	got := make([]uint32, 3*n)
	err = cmp.Or(g.LoadVec(v, x), g.ComputeVec(ctx, integersSub, v, v, v, bits), g.StoreVec(got, v))
	if err == nil {
		require.Equal(t, make([]uint32, 3*n), got)
	}
	return cmp.Or(err, v.Close())
}

// Whatever function fails, and when, a call returns the error or the right result, and nothing is harmed but by the
// loss of the device.
func TestEveryFault(t *testing.T) {
	emulator.Long(t)
	kinds := map[string]func(t *testing.T, d *Device, n int) error{
		"words": func(t *testing.T, d *Device, n int) error { return transforms(t, d, smallprime.P62(), n) },
		"words, passes": func(t *testing.T, d *Device, n int) error {
			return transforms(t, d, smallprime.BabyBear(), n, fft.WithAlgorithm(fft.SixStepMerged), fft.WithBase(4))
		},
		"words, columns": func(t *testing.T, d *Device, n int) error {
			return transforms(t, d, smallprime.Goldilocks(), n, fft.WithAlgorithm(fft.FourStep), fft.WithBase(4))
		},
		"digits": func(t *testing.T, d *Device, n int) error { return transforms(t, d, gfpf.P2(), n) },
		"digits, passes": func(t *testing.T, d *Device, n int) error {
			return transforms(t, d, gfpf.P2(), n, fft.WithAlgorithm(fft.SixStep), fft.WithBase(4))
		},
		"integers":           integersOf,
		"products of words":  func(t *testing.T, d *Device, n int) error { return inverseProduct(t, d, smallprime.P62(), n) },
		"products of digits": func(t *testing.T, d *Device, n int) error { return inverseProduct(t, d, gfpf.P2(), n) },
	}
	functions := []string{"cuMemAllocAsync", "cuMemsetD8Async", "cuMemcpyHtoDAsync", "cuMemcpyDtoHAsync",
		"cuEventRecord", "cuEventQuery", "cuModuleLoadDataEx", "cuModuleGetFunction", "cuFuncSetAttribute", "cuLaunchKernel",
		"cuStreamBeginCapture", "cuGraphInstantiateWithFlags", "cuGraphLaunch"}
	for kind, run := range kinds {
		t.Run(kind, func(t *testing.T) {
			for _, function := range functions {
				for n, fine := 1, 0; fine < 3; n += 1 + n/8 { // as the n-th may have been done again
					fine++
					for i, c := range codes {
						if i != n%len(codes) && testscale.Of(t) < testscale.Full {
							continue
						}
						if faulty(t, run, function, n, c.code, c.is) {
							fine = 0
						}
					}
				}
			}
		})
	}
}

// faulty reports whether a failure of a function was noticed.
func faulty(t *testing.T, run func(t *testing.T, d *Device, n int) error, function string, n, code int,
	is error) bool {
	defer noCleanups()()
	d := spare(t)
	failing(t, function, n, code)
	err := run(t, d, 16)
	failing(t, "", 0, 0)
	if err != nil {
		require.ErrorContains(t, err, fmt.Sprintf("error %d", code), "%s:%d", function, n)
	}
	if err != nil && is != nil {
		require.ErrorIs(t, err, is)
	}
	again := run(t, d, 16)
	if is == ErrLost && err != nil {
		require.ErrorIs(t, again, ErrLost, "%s:%d: a lost device stays lost", function, n)
	} else {
		require.NoError(t, again, "%s:%d:%d, after %v", function, n, code, err)
	}
	closed := d.Close()
	if is != ErrLost || err == nil {
		require.NoError(t, closed, "%s:%d:%d", function, n, code)
	}
	require.NoError(t, d.Close())
	return err != nil
}

// One failure of what every call needs, or of what gives memory back, is said by some call, at the latest by Close, and
// leaks nothing.
func TestOneFailure(t *testing.T) {
	emulator.Long(t)
	defer noCleanups()()
	t.Setenv("EMULATE_DEVICES", "3")
	for function, call := range map[string]func(d *Device) error{
		"cuCtxPushCurrent":    func(d *Device) error { _, _, err := d.room().Driver().Free(); return err },
		"cuStreamSynchronize": func(d *Device) error { return d.room().Stream().Wait() },
		"cuMemFreeAsync": func(d *Device) error {
			s := d.room().Stream()
			p, err := s.Alloc(1)
			return cmp.Or(err, s.Release(p))
		},
	} {
		for kind, run := range map[string]func(d *Device) error{
			"words":  func(d *Device) error { return transforms(t, d, smallprime.P62(), 16) },
			"digits": func(d *Device) error { return transforms(t, d, gfpf.P2(), 16) },
			"passes": func(d *Device) error {
				return transforms(t, d, gfpf.P2(), 16, fft.WithAlgorithm(fft.SixStep), fft.WithBase(4))
			},
		} {
			for n, used := 1, true; used; n += 1 + n/4 {
				other := spare(t)
				before := free(t, other)
				d, err := Open(1)
				require.NoError(t, err)
				failing(t, function, n, 1)
				err = run(d)
				again := run(d)
				closed := d.Close()
				used = true
				for range n {
					used = used && call(other) == nil
				}
				failing(t, "", 0, 0)
				require.Equal(t, used, errors.Join(err, again, closed) != nil, "%s, %s:%d", kind, function, n)
				require.False(t, err != nil && again != nil, "%s, %s:%d: %v", kind, function, n, again)
				if function != "cuMemFreeAsync" {
					require.Equal(t, before, free(t, other), "%s, %s:%d: %v, %v", kind, function, n, err, closed)
				}
				require.NoError(t, other.Close())
			}
		}
	}
}

// A busy device is listed, is said to be busy, and hides no other; the default device is opened again after its Close.
func TestBusy(t *testing.T) {
	spare(t)
	const child = "GALFFT_TEST_CHILD"
	if os.Getenv(child) == "" {
		run := exec.Command(os.Args[0], "-test.run=^TestBusy$")
		run.Env = append(os.Environ(), child+"=1") // where no test has opened the default device
		out, err := run.CombinedOutput()
		require.NoError(t, err, "%s", out)
		return
	}
	const busy = 46
	failing(t, "cuDevicePrimaryCtxRetain", 1, busy)
	require.NoError(t, Available(), "listing opens nothing")
	list, err := Devices()
	require.NoError(t, err)
	require.Len(t, list, 3)
	_, err = Open(0)
	require.ErrorIs(t, err, ErrBusy)
	require.NotErrorIs(t, err, ErrLost)

	f := smallprime.P62()
	failing(t, "cuDevicePrimaryCtxRetain", 1, busy)
	g, err := Field(f)
	require.NoError(t, err)
	require.Equal(t, 1, g.Device().Info().Index)
	same, err := Field(f)
	require.NoError(t, err)
	require.Same(t, g.Device(), same.Device())
	require.NoError(t, g.Device().Close())
	again, err := Field(f)
	require.NoError(t, err)
	require.Equal(t, 0, again.Device().Info().Index)
	require.NoError(t, again.Device().Close())

	t.Setenv("EMULATE_DEVICES", "1")
	failing(t, "cuDevicePrimaryCtxRetain", 1, busy)
	_, err = Field(f)
	require.ErrorIs(t, err, ErrBusy)
	again, err = Field(f)
	require.NoError(t, err, "one failure is not for ever")
	require.NoError(t, again.Device().Close())
}

// A process without a driver or a device knows why.
func TestUnavailable(t *testing.T) {
	const child = "GALFFT_TEST_CHILD"
	if os.Getenv(child) != "" {
		for _, err := range []error{
			Available(),
			func() error { _, err := Devices(); return err }(),
			func() error { _, err := Open(0); return err }(),
			func() error { _, err := Field(smallprime.P62()); return err }(),
			func() error { _, err := Field(smallprime.P62()); return err }(),
		} {
			require.ErrorIs(t, err, ErrUnavailable)
			require.ErrorContains(t, err, os.Getenv(child))
		}
		return
	}
	spare(t)
	for _, c := range []struct{ variable, text string }{
		{emulator.Variable + "=/nonexistent/libcuda.so.1", "/nonexistent/libcuda.so.1"},
		{"EMULATE_DEVICES=0", "no CUDA-capable device"},
		{"EMULATE_FAIL=cuInit:1:999", "unknown error"},
	} {
		run := exec.Command(os.Args[0], "-test.run=^TestUnavailable$")
		run.Env = append(os.Environ(), c.variable, child+"="+c.text)
		out, err := run.CombinedOutput()
		require.NoError(t, err, "%s: %s", c.variable, out)
	}
	for _, i := range []int{-1, 3} {
		_, err := Open(i)
		require.ErrorIs(t, err, ErrUnavailable, i)
	}
}

// Kernels that the driver does not take are errors of a field's making, and of nothing else.
func TestModules(t *testing.T) {
	for code, is := range map[int]error{200: ErrModule, 218: ErrModule, 222: ErrArchitecture, 209: ErrArchitecture} {
		d := spare(t)
		failing(t, "cuModuleLoadDataEx", 1, code)
		_, err := Field(smallprime.P62(), On(d))
		require.ErrorIs(t, err, is, code)
		require.ErrorContains(t, err, "kernel product64")
		require.NoError(t, transforms(t, d, smallprime.P62(), 16))
		require.NoError(t, d.Close())
	}
}

// free is the bytes that a device has left.
func free(t *testing.T, d *Device) int {
	n, _, err := d.room().Driver().Free()
	require.NoError(t, err)
	return n
}

// noCleanups lets the garbage collector rest, so that calls of the driver come in one order.
func noCleanups() (end func()) {
	percent := debug.SetGCPercent(-1)
	return func() { debug.SetGCPercent(percent) }
}

// collect has all cleanups run.
func collect() {
	s := []metrics.Sample{{Name: "/gc/cleanups/queued:cleanups"}, {Name: "/gc/cleanups/executed:cleanups"}}
	for range 3 {
		runtime.GC()
		for metrics.Read(s); s[1].Value.Uint64() < s[0].Value.Uint64(); metrics.Read(s) {
			time.Sleep(time.Millisecond)
		}
	}
}

// leaving lets a device have so many bytes more than are in use.
func leaving(t *testing.T, d *Device, bytes int) {
	collect()
	n, total, err := d.room().Driver().Free()
	require.NoError(t, err)
	t.Setenv("EMULATE_MEMORY", fmt.Sprint(total-n+bytes))
}

// plenty is the default.
func plenty(t *testing.T) { t.Setenv("EMULATE_MEMORY", fmt.Sprint(1<<30)) }

// What does not fit is field.ErrMemory, and harms nothing: neither operands nor what is smaller.
func TestMemory(t *testing.T) {
	d, f := spare(t), smallprime.P62()
	g, err := Field(f, On(d))
	require.NoError(t, err)
	const n = 1 << 12
	plan := func() (*fft.Plan[uint64], error) { return fft.NewPlan(g, n) }
	leaving(t, d, 8*n)
	_, err = plan()
	require.ErrorIs(t, err, field.ErrMemory, "tables")
	require.NoError(t, transforms(t, d, f, n/64))
	plenty(t)
	p, err := plan()
	require.NoError(t, err)
	leaving(t, d, 8*n-1)
	_, err = p.NewVec()
	require.ErrorIs(t, err, field.ErrMemory)
	require.ErrorContains(t, err, fmt.Sprint(8*n, " bytes"))
	x, y := random(f, n, 1), random(f, n, 2)
	src, dst := slices.Clone(x), slices.Clone(y)
	for range 2 {
		require.ErrorIs(t, p.Forward(dst, src), field.ErrMemory)
		require.ErrorIs(t, p.Inverse(dst, src), field.ErrMemory)
		require.Equal(t, y, dst)
		require.ErrorIs(t, p.Forward(src, src), field.ErrMemory)
		require.Equal(t, x, src)
		require.NoError(t, transforms(t, d, f, n/64))
	}
	plenty(t)
	require.NoError(t, p.Forward(dst, src))
	require.NoError(t, p.Inverse(dst, dst))
	require.Equal(t, x, dst)
}

// Memory comes back from a vector's Close at once, and from the garbage collector where it is wanted.
func TestReturned(t *testing.T) {
	d := spare(t)
	g, err := Field(smallprime.P62(), On(d))
	require.NoError(t, err)
	const n = 1 << 10
	p, err := fft.NewPlan(g, n)
	require.NoError(t, err)
	before := free(t, d)
	v, err := p.NewVec()
	require.NoError(t, err)
	require.Equal(t, before-8*n, free(t, d))
	require.NoError(t, v.Close())
	require.Equal(t, before, free(t, d))
	require.ErrorIs(t, v.Close(), field.ErrVec)
	for range 10 {
		_, err := p.NewVec()
		require.NoError(t, err)
	}
	require.Eventually(t, func() bool { runtime.GC(); return free(t, d) == before }, time.Minute, time.Millisecond)
	leaving(t, d, 8*n)
	for range 10 {
		v, err := p.NewVec() // nobody has the one before
		require.NoError(t, err)
		require.NoError(t, p.ForwardVec(context.Background(), v))
	}
	require.NoError(t, p.Forward(make([]uint64, n), make([]uint64, n)), "nor the last one")
	v, err = p.NewVec()
	require.NoError(t, err, "nor those of calls")
	require.NoError(t, v.Close())
}

// until is a context that ends when it is asked for the n-th time.
type until struct {
	context.Context
	n int
}

func (c *until) Err() error {
	if c.n--; c.n < 0 {
		return context.Canceled
	}
	return nil
}

// A context stops calls before they begin and between launches. The source stays, and later calls do not notice.
func TestContext(t *testing.T) {
	d := spare(t)
	for name, opts := range map[string][]fft.Option{
		"whole": {fft.WithProgress(func(int, int) {})}, "passes": {fft.WithAlgorithm(fft.FourStep)},
	} {
		const n = 1 << 14
		g, err := Field(smallprime.P62(), On(d))
		require.NoError(t, err)
		p, err := fft.NewPlan(g, n, opts...)
		require.NoError(t, err)
		x, got, want := random(smallprime.P62(), n, 1), make([]uint64, n), make([]uint64, n)
		require.NoError(t, p.Forward(want, x))
		v, err := p.NewVec()
		require.NoError(t, err)
		stopped := 0
		for asked := range 12 {
			src := slices.Clone(x)
			err := p.ForwardContext(&until{context.Background(), asked}, got, src)
			require.Equal(t, x, src)
			if err != nil {
				require.ErrorIs(t, err, context.Canceled)
				stopped++
			}
			if err := p.ForwardVec(&until{context.Background(), asked}, v); err != nil {
				require.ErrorIs(t, err, context.Canceled)
			}
			require.NoError(t, p.Forward(got, x))
			require.Equal(t, want, got, name)
		}
		require.Greater(t, stopped, 3, name)
		require.NoError(t, v.Close())
	}
}

// Plans and devices are shared by goroutines.
func TestGoroutines(t *testing.T) {
	one := spare(t)
	two, err := Open(2)
	require.NoError(t, err)
	defer two.Close()
	f, small := smallprime.P62(), gfpf.P2()
	const n = 256
	x, y := random(f, n, 1), random(small, n, 1)
	a, b := make([]uint64, n), make([][4]uint64, n)
	require.NoError(t, fft.Must(fft.NewPlan(f, n)).Forward(a, x))
	require.NoError(t, fft.Must(fft.NewPlan(small, n)).Forward(b, y))
	var wait sync.WaitGroup
	for _, d := range []*Device{one, two} {
		words, err := Field(f, On(d))
		require.NoError(t, err)
		digits, err := Field(small, On(d))
		require.NoError(t, err)
		p, q := fft.Must(fft.NewPlan(words, n)), fft.Must(fft.NewPlan(digits, n))
		for range 3 {
			wait.Go(func() {
				a2, b2, squares := make([]uint64, n), make([][4]uint64, n), make([]uint64, n)
				for range 20 {
					check(t, p.Forward(a2, x), slices.Equal(a, a2))
					check(t, q.Forward(b2, y), slices.Equal(b, b2))
					check(t, squared(p, squares, x), true)
				}
			})
		}
	}
	wait.Wait()
}

// check is for goroutines, which do not end tests.
func check(t *testing.T, err error, right bool) {
	if err != nil || !right {
		t.Errorf("right: %v, error: %v", right, err)
	}
}

// After Close all is ErrClosed, and nothing stays on the device, not even for another user of it.
func TestClosed(t *testing.T) {
	d := spare(t)
	other, err := Open(1)
	require.NoError(t, err)
	defer other.Close()
	before := free(t, other)
	f := smallprime.P62()
	g, err := Field(f, On(d))
	require.NoError(t, err)
	const n = 64
	x := random(f, n, 1)
	y := slices.Clone(x)
	p, err := fft.NewPlan(g, n)
	require.NoError(t, err)
	passes, err := fft.NewPlan(g, n, fft.WithAlgorithm(fft.SixStep))
	require.NoError(t, err)
	var vectors []fft.Vec
	for range 4 {
		v, err := p.NewVec()
		require.NoError(t, err)
		require.NoError(t, p.Load(v, x))
		require.NoError(t, p.ForwardVec(context.Background(), v))
		require.NoError(t, p.ForwardVec(context.Background(), v), "a graph")
		vectors = append(vectors, v)
	}
	require.NoError(t, passes.Forward(y, x))
	copy(y, x)
	info := d.Info()
	require.NoError(t, d.Close())
	require.NoError(t, d.Close())
	require.NoError(t, (*Device)(nil).Close())
	require.Equal(t, before, free(t, other))
	require.Equal(t, info, d.Info())

	ctx, v := context.Background(), vectors[0]
	_, err = Field(f, On(d))
	require.ErrorIs(t, err, ErrClosed)
	_, err = Field(smallprime.BabyBear(), On(d))
	require.ErrorIs(t, err, ErrClosed, "of kernels that were not loaded")
	_, err = fft.NewPlan(g, n)
	require.ErrorIs(t, err, ErrClosed)
	_, err = fft.NewPlan(g, n, fft.WithAlgorithm(fft.FourStep))
	require.ErrorIs(t, err, ErrClosed)
	_, err = p.NewVec()
	require.ErrorIs(t, err, ErrClosed)
	require.ErrorIs(t, p.Load(v, x), ErrClosed)
	require.ErrorIs(t, p.Store(y, v), ErrClosed)
	require.ErrorIs(t, p.ForwardVec(ctx, v), ErrClosed)
	require.ErrorIs(t, p.InverseVec(ctx, v), ErrClosed)
	require.ErrorIs(t, p.MulVec(v, v, v), ErrClosed)
	require.ErrorIs(t, p.Forward(y, y), ErrClosed)
	require.ErrorIs(t, passes.Forward(y, x), ErrClosed)
	require.ErrorIs(t, passes.Inverse(y, y), ErrClosed)
	require.Equal(t, x, y)
	require.NoError(t, v.Close(), "it is freed")
	again, err := Open(1)
	require.NoError(t, err)
	defer again.Close()
	require.NoError(t, transforms(t, again, f, n))
	left := free(t, other)
	clear(vectors)
	collect() // cleanups of a closed device
	require.GreaterOrEqual(t, free(t, other), left)
	require.NoError(t, transforms(t, again, f, n))
}

// Close in the middle of calls lets each end, with a result or with ErrClosed.
func TestClosing(t *testing.T) {
	const n = 64
	x, want := random(smallprime.P62(), n, 1), make([]uint64, n)
	require.NoError(t, fft.Must(fft.NewPlan(smallprime.P62(), n)).Forward(want, x))
	for range 10 {
		d := spare(t)
		var wait sync.WaitGroup
		for range 3 {
			wait.Go(func() {
				for {
					g, err := Field(smallprime.P62(), On(d))
					var p *fft.Plan[uint64]
					if err == nil {
						p, err = fft.NewPlan(g, n)
					}
					y := make([]uint64, n)
					for i := 0; i < 4 && err == nil; i++ {
						if err = p.Forward(y, x); err == nil && !slices.Equal(want, y) {
							t.Error("a wrong result")
						}
					}
					if err != nil {
						if !errors.Is(err, ErrClosed) {
							t.Error(err)
						}
						return
					}
				}
			})
		}
		time.Sleep(3 * time.Millisecond)
		require.NoError(t, d.Close())
		wait.Wait()
	}
}

// Vectors that plans keep for later calls make room for others at once, with no help of the garbage collector; so do
// those of a batch by columns, whose moves take no memory of the device.
func TestRest(t *testing.T) {
	defer noCleanups()()
	d, f := spare(t), smallprime.P62()
	g, err := Field(f, On(d))
	require.NoError(t, err)
	const n, count = 1 << 10, 4
	x, y, want := random(f, n*count, 1), make([]uint64, n*count), make([]uint64, n*count)
	columns := fft.Must(fft.NewPlan(g, n, fft.WithBatch(fft.Batch{Count: count, Columns: true})))
	here := fft.Must(fft.NewPlan(f, n, fft.WithBatch(fft.Batch{Count: count, Columns: true})))
	require.NoError(t, here.Forward(want, x))
	rows := fft.Must(fft.NewPlan(g, n, fft.WithBatch(fft.Batch{Count: count})))
	before := free(t, d)
	require.NoError(t, columns.Forward(y, x))
	require.Equal(t, want, y)
	require.Equal(t, before-8*n*count, free(t, d), "one vector")

	_, total, err := d.room().Driver().Free()
	require.NoError(t, err)
	t.Setenv("EMULATE_MEMORY", fmt.Sprint(total-before+8*n*count)) // for one such vector
	for range 3 {
		require.NoError(t, rows.Forward(y, x))
		require.NoError(t, columns.Forward(y, x))
		require.Equal(t, want, y)
	}
	v, err := rows.NewVec()
	require.NoError(t, err)
	require.NoError(t, v.Close())
}

// What fails on the way to the device, or on it, leaves slices as they were that the host writes by rows of its
// own.
func TestFaultsOfColumns(t *testing.T) {
	d := spare(t)
	f := smallprime.BabyBear()
	g, err := Field(f, On(d))
	require.NoError(t, err)
	const n, count = 1 << 6, 3
	for _, batch := range []fft.Batch{{Count: count, Columns: true}, {Count: count, Stride: n + 1}} {
		p, err := fft.NewPlan[uint32](g, n, fft.WithBatch(batch))
		require.NoError(t, err)
		_, length, err := batch.Layout(n)
		require.NoError(t, err)
		x := random(f, length, 1)
		want, got := make([]uint32, len(x)), make([]uint32, len(x))
		for range 3 {
			require.NoError(t, p.Forward(want, x))
		}
		for _, function := range []string{"cuMemcpyHtoDAsync", "cuGraphLaunch", "cuMemcpyDtoHAsync"} {
			clear(got)
			failing(t, function, 1, 1)
			require.ErrorContains(t, p.Forward(got, x), function)
			failing(t, "", 0, 0)
			require.Equal(t, make([]uint32, len(x)), got, "%v, %s", batch, function)
			require.NoError(t, p.Forward(got, x))
			require.Equal(t, want, got)
		}
	}
}
