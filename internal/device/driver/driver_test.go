package driver

import (
	"errors"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/emulator"
	"github.com/galfft/fft/kernels/cuda"
	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) { os.Exit(emulator.Main(m)) }

// library is the driver. With emulated, a test that wants its variables is skipped on real devices.
func library(t *testing.T, emulated bool) *Library {
	t.Helper()
	emulator.Need(t)
	l, err := Open()
	require.NoError(t, err)
	if emulated {
		d, err := l.Device(0)
		require.NoError(t, err)
		require.NoError(t, d.Close())
		if !strings.HasPrefix(d.Info().Name, "emulated") {
			t.Skip("for the emulated driver, which fails when it is told to")
		}
	}
	return l
}

func opened(t *testing.T, l *Library, i int) *Device {
	t.Helper()
	d, err := l.Device(i)
	require.NoError(t, err)
	t.Cleanup(func() { _ = d.Close() })
	return d
}

// bench is a device with a stream and the kernels of probe.cu.
type bench struct {
	*Device
	stream        *Stream
	module        *Module
	fill, reverse *Function
}

func newBench(t *testing.T, d *Device) *bench {
	t.Helper()
	b := &bench{Device: d}
	var err error
	b.stream, err = d.NewStream()
	require.NoError(t, err)
	b.module, err = d.Load(cuda.Source("probe"))
	require.NoError(t, err)
	b.fill, err = b.module.Function("fill64")
	require.NoError(t, err)
	b.reverse, err = b.module.Function("reverse64")
	require.NoError(t, err)
	return b
}

func (b *bench) alloc(t *testing.T, words int) Pointer {
	t.Helper()
	p, err := b.Alloc(8 * words)
	require.NoError(t, err)
	return p
}

// set has a kernel set words.
func (b *bench) set(p Pointer, v uint64, words int) error {
	return b.fill.Launch(b.stream, [2]int{2, 1}, 32, 0, &Args{uint64(p), v, uint64(words)})
}

func (b *bench) read(t *testing.T, p Pointer, words int) []uint64 {
	t.Helper()
	got := make([]uint64, words)
	require.NoError(t, b.stream.CopyOut(unsafe.Pointer(&got[0]), p, 8*words, nil))
	require.NoError(t, b.stream.Wait())
	return got
}

// shifted is 2^n, also where the compiler knows that int is too small for it.
func shifted(n int) int { return 1 << n }

func TestDevice(t *testing.T) {
	t.Setenv("EMULATE_SHARED", "232448")
	l := library(t, true)
	require.Equal(t, "13.0", l.Version())
	n, err := l.Count()
	require.NoError(t, err)
	require.Equal(t, 1, n)
	d := opened(t, l, 0)
	require.Equal(t, Info{Index: 0, Name: "emulated device 0", Driver: "13.0", Major: 9, Memory: 1 << 30, L2: 1 << 20,
		Multiprocessors: 4, Warp: 32, Threads: 1024, Shared: 48 << 10, SharedOptIn: 232448}, d.Info())
	for _, i := range []int{-1, 1, shifted(40)} {
		_, err = l.Device(i)
		require.ErrorContains(t, err, "invalid device ordinal")
	}
}

func TestVersion(t *testing.T) {
	require.Equal(t, "12.8", (&Library{version: 12080}).Version())
	require.Equal(t, "9.1", (&Library{version: 9010}).Version())
}

func TestMemory(t *testing.T) {
	b := newBench(t, opened(t, library(t, false), 0))
	before, total, err := b.Free()
	require.NoError(t, err)
	require.LessOrEqual(t, before, total)
	require.LessOrEqual(t, total, b.Info().Memory)
	const n = 8 << 20
	p, q := b.alloc(t, n), b.alloc(t, n)
	free, _, err := b.Free()
	require.NoError(t, err)
	require.LessOrEqual(t, free, before-2*8*n)

	pinned, err := b.Pinned(8 * n)
	require.NoError(t, err)
	require.Len(t, pinned, 8*n)
	for i := range pinned {
		pinned[i] = byte(i % 251)
	}
	want := slices.Clone(pinned)
	require.NoError(t, b.stream.CopyIn(p, unsafe.Pointer(&pinned[0]), 8*n, nil))
	require.NoError(t, b.stream.Copy(q, p, 8*n))
	require.NoError(t, b.stream.Fill(q+3, 0x5c, 1000))
	copy(want[3:], strings.Repeat("\x5c", 1000))
	require.NoError(t, b.stream.CopyOut(unsafe.Pointer(&pinned[0]), q, 8*n, nil))
	require.NoError(t, b.stream.Wait())
	require.True(t, slices.Equal(want, pinned))

	heap := make([]byte, 8*n)
	require.NoError(t, b.stream.CopyOut(unsafe.Pointer(&heap[0]), q, 8*n, nil))
	require.NoError(t, b.stream.Wait())
	require.True(t, slices.Equal(want, heap))

	require.NoError(t, b.ReleasePinned(pinned))
	require.NoError(t, b.ReleasePinned(nil))
	require.NoError(t, b.Release(p))
	require.NoError(t, b.Release(q))
	require.NoError(t, b.Release(0))
}

// Ranges that are no allocation are refused, and none of it harms.
func TestBadRanges(t *testing.T) {
	b := newBench(t, opened(t, library(t, true), 0))
	p := b.alloc(t, 4)
	var host [8]uint64
	here := unsafe.Pointer(&host)
	for name, err := range map[string]error{
		"in, too long":   b.stream.CopyIn(p, here, 33, nil),
		"in, behind":     b.stream.CopyIn(p+32, here, 1, nil),
		"in, before":     b.stream.CopyIn(p-1, here, 1, nil),
		"in, nil":        b.stream.CopyIn(p, nil, 8, nil),
		"out, too long":  b.stream.CopyOut(here, p+8, 32, nil),
		"out, nil":       b.stream.CopyOut(nil, p, 8, nil),
		"copy, too long": b.stream.Copy(p, p+8, 32),
		"fill, negative": b.stream.Fill(p, 1, -1),
		"fill, 0":        b.stream.Fill(0, 1, 8),
		"release, twice": errors.Join(b.Release(b.alloc(t, 1)), b.Release(p+8)),
	} {
		require.ErrorContains(t, err, "CUDA_ERROR_INVALID_VALUE", name)
	}
	require.ErrorContains(t, b.stream.CopyIn(p, here, 33, nil), "cuMemcpyHtoDAsync: invalid argument, error 1 "+
		"(CUDA_ERROR_INVALID_VALUE): 33 bytes")
	require.NoError(t, b.stream.CopyIn(p, here, 32, nil))
	require.NoError(t, b.stream.Fill(p+32, 1, 0))
	_, err := b.Alloc(0)
	require.ErrorContains(t, err, "0 bytes on device 0")
	require.NoError(t, b.stream.Wait())
}

func TestOutOfMemory(t *testing.T) {
	t.Setenv("EMULATE_MEMORY", "1000")
	b := newBench(t, opened(t, library(t, true), 0))
	p := b.alloc(t, 100)
	_, err := b.Alloc(201)
	require.ErrorIs(t, err, ErrMemory)
	require.ErrorIs(t, err, field.ErrMemory)
	require.NotErrorIs(t, err, ErrLost)
	require.EqualError(t, err, "cuMemAlloc: out of memory, error 2 (CUDA_ERROR_OUT_OF_MEMORY): 201 bytes on device 0")
	_, err = b.Pinned(1001)
	require.ErrorIs(t, err, ErrMemory)
	require.ErrorContains(t, err, "1001 bytes of pinned memory")
	_, err = b.Alloc(-1)
	require.Error(t, err)
	free, total, err := b.Free()
	require.NoError(t, err)
	require.Equal(t, []int{200, 1000}, []int{free, total})

	_, err = b.Alloc(200)
	require.NoError(t, err)
	require.NoError(t, b.set(p, 5, 100))
	require.Equal(t, slices.Repeat([]uint64{5}, 100), b.read(t, p, 100))
}

func TestUnavailable(t *testing.T) {
	library(t, true)
	_, err := open("/no/such/library.so", &symbols)
	require.ErrorIs(t, err, ErrUnavailable)
	require.ErrorContains(t, err, "/no/such/library.so: cannot open shared object file")
	_, err = open("libm.so.6", &symbols)
	require.ErrorIs(t, err, ErrUnavailable)
	require.ErrorContains(t, err, "undefined symbol: cuInit")

	if _, err = open("", &symbols); err != nil { // no GPU here
		require.ErrorIs(t, err, ErrUnavailable)
		require.ErrorContains(t, err, "libcuda.so.1")
	}

	name := os.Getenv(Variable)
	t.Setenv("EMULATE_DEVICES", "0")
	_, err = open(name, &symbols)
	require.ErrorIs(t, err, ErrUnavailable)
	require.EqualError(t, err, "no CUDA driver or device: cuInit: no CUDA-capable device is detected, error 100 (CUDA_ERROR_NO_DEVICE)")
	t.Setenv("EMULATE_DEVICES", "1")
	t.Setenv("EMULATE_FAIL", "cuDriverGetVersion:1:3")
	_, err = open(name, &symbols)
	require.ErrorIs(t, err, ErrUnavailable)
	_, err = open(name, &symbols)
	require.NoError(t, err)
}

func TestModule(t *testing.T) {
	b := newBench(t, opened(t, library(t, true), 0))
	probe := cuda.Source("probe")
	for _, c := range []struct {
		text string
		want error
		log  string
	}{
		{"", ErrModule, "Binary format"},
		{"MZ\x90", ErrModule, "CUDA_ERROR_INVALID_IMAGE"},
		{probe[len(probe)/2:], ErrModule, "Binary format"},
		{probe[:len(probe)-2], ErrModule, "CUDA_ERROR_INVALID_PTX): ptxas application ptx input"},
		{strings.ReplaceAll(probe, "fill64", "fill63"), ErrModule, "fill63 is no kernel"},
		{strings.Replace(probe, ".version 6.3", ".version 19.1", 1), ErrArchitecture, "Unsupported .version 19.1"},
		{strings.Replace(probe, ".target sm_70", ".target sm_71", 1), nil, ""},
		{strings.Replace(probe, ".target sm_70", ".target sm_90", 1), nil, ""},
		{strings.Replace(probe, ".target sm_70", ".target sm_91", 1), ErrArchitecture,
			"device 0: device or driver does not run this code: kernels are for 9.1, and it has compute capability 9.0"},
		{strings.Replace(probe, ".target sm_70", ".target sm_120a", 1), ErrArchitecture, "kernels are for 12.0"},
		{strings.Replace(probe, ".target", ".rabbit", 1), ErrModule, "Missing .target"},
	} {
		m, err := b.Load(c.text)
		require.ErrorIs(t, err, c.want)
		if c.want == nil {
			require.NoError(t, m.Close())
		} else {
			require.ErrorContains(t, err, c.log)
		}
	}
	_, err := b.module.Function("fill")
	require.ErrorIs(t, err, ErrModule)
	require.EqualError(t, err, "cuModuleGetFunction: named symbol not found, error 500 (CUDA_ERROR_NOT_FOUND): fill")
	p := b.alloc(t, 1)
	require.NoError(t, b.set(p, 1, 1))
	require.Equal(t, []uint64{1}, b.read(t, p, 1))
}

// What was compiled before is loaded without a compiler, and does the same.
func TestCompile(t *testing.T) {
	b := newBench(t, opened(t, library(t, false), 0))
	image, err := b.Compile(cuda.Source("probe"))
	require.NoError(t, err)
	m, err := b.Load(image)
	require.NoError(t, err)
	b.fill, err = m.Function("fill64")
	require.NoError(t, err)
	p := b.alloc(t, 3)
	require.NoError(t, b.set(p, 5, 3))
	require.Equal(t, []uint64{5, 5, 5}, b.read(t, p, 3))
	require.NoError(t, m.Close())
	_, err = b.Compile("no kernel")
	require.Error(t, err)
}

func TestLaunch(t *testing.T) {
	b := newBench(t, opened(t, library(t, false), 0))
	const n, rows = 96, 6
	p := b.alloc(t, n*rows)
	require.NoError(t, b.set(p, 17, n*rows))
	require.Equal(t, slices.Repeat([]uint64{17}, n*rows), b.read(t, p, n*rows))

	in, want := make([]uint64, n*rows), make([]uint64, n*rows)
	for i := range in {
		in[i], want[i/n*n+n-1-i%n] = uint64(i), uint64(i)
	}
	require.NoError(t, b.stream.CopyIn(p, unsafe.Pointer(&in[0]), 8*n*rows, nil))
	require.NoError(t, b.reverse.Launch(b.stream, [2]int{2, 3}, n, 8*n, &Args{uint64(p)}))
	require.Equal(t, want, b.read(t, p, n*rows))
}

func TestLaunchLimits(t *testing.T) {
	t.Setenv("EMULATE_SHARED", "232448")
	b := newBench(t, opened(t, library(t, true), 0))
	p, one := b.alloc(t, 1024), [2]int{1, 1}
	refused := func(grid [2]int, threads, shared int) {
		t.Helper()
		err := b.reverse.Launch(b.stream, grid, threads, shared, &Args{uint64(p)})
		require.ErrorContains(t, err, "CUDA_ERROR_INVALID_VALUE")
	}
	refused([2]int{0, 1}, 1, 8)
	refused([2]int{1, 0}, 1, 8)
	refused([2]int{1, 1 << 16}, 1, 8)
	refused([2]int{-1, 1}, 1, 8)
	refused([2]int{shifted(32) + 1, 1}, 1, 8)
	refused(one, shifted(32)+1, 8)
	refused(one, 1, shifted(32)+8)
	refused(one, 0, 8)
	refused(one, 1025, 8)
	refused(one, 1, 48<<10+1)
	err := b.reverse.Launch(b.stream, [2]int{2, 3}, 1025, 4, &Args{uint64(p)})
	require.ErrorContains(t, err, "reverse64, 2 by 3 blocks of 1025 threads, 4 bytes of shared memory")

	most := b.Info().SharedOptIn
	require.NoError(t, b.reverse.MaxShared(most))
	require.NoError(t, b.reverse.Launch(b.stream, one, 1024, most, &Args{uint64(p)}))
	refused(one, 1, most+1)
	require.ErrorContains(t, b.reverse.MaxShared(most+1), "232449 bytes of shared memory for reverse64")
	require.Error(t, b.reverse.MaxShared(shifted(32)))
	require.Error(t, b.reverse.MaxShared(-1))
	require.NoError(t, b.stream.Wait())

	t.Setenv("EMULATE_SHARED", "49152")
	d := opened(t, b.library, 0)
	require.Equal(t, 49152, d.Info().SharedOptIn)
	require.Error(t, b.reverse.MaxShared(49153))
}

// A device that is lost stays so and says why. The emulated one is well again for who opens it next.
func TestLost(t *testing.T) {
	l := library(t, true)
	d := opened(t, l, 0)
	for _, c := range []struct {
		harm func(b *bench, p Pointer) error
		want string
	}{
		{func(b *bench, p Pointer) error { return b.set(p-8, 1, 1) }, ", before them"},
		{func(b *bench, p Pointer) error { return b.set(p, 1, 11) }, "(fill64 wrote next to the 80 bytes at 0x"},
		{func(b *bench, p Pointer) error {
			return b.reverse.Launch(b.stream, [2]int{1, 1}, 10, 72, &Args{uint64(p)})
		}, "(reverse64: a block wrote behind its shared memory)"},
	} {
		b := newBench(t, d)
		p := b.alloc(t, 10)
		require.NoError(t, c.harm(b, p))
		err := b.stream.Wait()
		require.ErrorIs(t, err, ErrLost)
		require.NotErrorIs(t, err, ErrMemory)
		require.ErrorContains(t, err, c.want)
		_, err = b.Alloc(1)
		require.ErrorIs(t, err, ErrLost)
		require.ErrorIs(t, b.Release(p), ErrLost)
		require.ErrorIs(t, b.set(p, 1, 1), ErrLost)
		require.NoError(t, b.Close())
		d = opened(t, l, 0)
	}
	b := newBench(t, d)
	p := b.alloc(t, 1)
	for _, code := range []string{"214", "700", "719", "999"} {
		t.Setenv("EMULATE_FAIL", "cuStreamSynchronize:2:"+code)
		require.NoError(t, b.stream.Wait())
		require.ErrorIs(t, b.stream.Wait(), ErrLost)
		require.ErrorIs(t, b.set(p, 1, 1), ErrLost)
		require.NoError(t, b.Close())
		b = newBench(t, opened(t, l, 0))
		p = b.alloc(t, 1)
	}
}

// never ends a Poll that has asked once.
func never() (bool, error) { return false, nil }

// Each function of the driver can fail, and what it said arrives.
func TestFailures(t *testing.T) {
	l := library(t, true)
	t.Setenv("EMULATE_DEVICES", "2")
	b, peer := newBench(t, opened(t, l, 0)), opened(t, l, 1)
	p := b.alloc(t, 8)
	host := make([]uint64, 8)
	pool, err := b.stream.Alloc(8)
	require.NoError(t, err)
	e, err := b.NewTimer()
	require.NoError(t, err)
	g, err := b.stream.Capture(func() error { return b.set(p, 1, 8) })
	require.NoError(t, err)
	require.NoError(t, e.Record(b.stream))
	capture := func() error {
		_, err := b.stream.Capture(func() error { return nil })
		return err
	}
	device := func() error {
		_, err := l.Device(0)
		return err
	}
	compile := func() error {
		_, err := b.Compile(cuda.Source("probe"))
		return err
	}
	for f := range functions {
		op, _, _ := strings.Cut(symbols[f], "_")
		call, ok := map[function]func() error{
			cuInit:                     func() error { _, err := open(os.Getenv(Variable), &symbols); return err },
			cuDriverGetVersion:         func() error { _, err := open(os.Getenv(Variable), &symbols); return err },
			cuDeviceGetCount:           func() error { _, err := l.Count(); return err },
			cuDeviceGet:                device,
			cuDeviceGetName:            device,
			cuDeviceGetAttribute:       device,
			cuDeviceTotalMem:           device,
			cuDevicePrimaryCtxRetain:   device,
			cuDevicePrimaryCtxRelease:  func() error { return opened(t, l, 0).Close() },
			cuCtxPushCurrent:           func() error { return b.stream.Wait() },
			cuMemGetInfo:               func() error { _, _, err := b.Free(); return err },
			cuMemAlloc:                 func() error { _, err := b.Alloc(1); return err },
			cuMemFree:                  func() error { return b.Release(p) },
			cuMemAllocAsync:            func() error { _, err := b.stream.Alloc(1); return err },
			cuMemFreeAsync:             func() error { return b.stream.Release(pool) },
			cuDeviceGetDefaultMemPool:  func() error { return b.Share(peer) },
			cuDeviceCanAccessPeer:      func() error { return b.Share(peer) },
			cuMemPoolSetAccess:         func() error { return b.Share(peer) },
			cuMemHostAlloc:             func() error { _, err := b.Pinned(1); return err },
			cuMemFreeHost:              func() error { return b.ReleasePinned([]byte{0}) },
			cuMemcpyHtoDAsync:          func() error { return b.stream.CopyIn(p, unsafe.Pointer(&host[0]), 8, nil) },
			cuMemcpyDtoHAsync:          func() error { return b.stream.CopyOut(unsafe.Pointer(&host[0]), p, 8, nil) },
			cuMemcpyDtoDAsync:          func() error { return b.stream.Copy(p, p+32, 32) },
			cuMemsetD8Async:            func() error { return b.stream.Fill(p, 1, 8) },
			cuStreamCreate:             func() error { _, err := b.NewStream(); return err },
			cuStreamCreateWithPriority: func() error { _, err := b.NewUrgentStream(); return err },
			cuStreamDestroy: func() error {
				s, err := b.NewStream()
				require.NoError(t, err)
				return s.Close()
			},
			cuStreamSynchronize:               func() error { return b.stream.Wait() },
			cuStreamWaitEvent:                 func() error { return b.stream.After(e) },
			cuStreamGetCtx:                    func() error { _, err := b.Borrow(b.stream.Handle()); return err },
			cuPointerGetAttribute:             func() error { _, _, err := b.Allocation(p); return err },
			cuMemGetAddressRange:              func() error { _, _, err := b.Allocation(p); return err },
			cuStreamIsCapturing:               func() error { _, err := b.stream.Capturing(); return err },
			cuThreadExchangeStreamCaptureMode: func() error { _, err := b.Alloc(1); return err },
			cuStreamBeginCapture:              capture,
			cuStreamEndCapture:                capture,
			cuEventCreate:                     func() error { _, err := b.NewEvent(); return err },
			cuEventDestroy:                    func() error { return e.Close() },
			cuEventRecord:                     func() error { return e.Record(b.stream) },
			cuEventQuery:                      func() error { _, err := e.Poll(never); return err },
			cuEventSynchronize:                func() error { return e.Wait() },
			cuEventElapsedTime:                func() error { _, err := Milliseconds(e, e); return err },
			cuModuleLoadDataEx:                func() error { _, err := b.Load(cuda.Source("probe")); return err },
			cuModuleUnload:                    func() error { return b.module.Close() },
			cuModuleGetFunction:               func() error { _, err := b.module.Function("fill64"); return err },
			cuLinkCreate:                      compile,
			cuLinkAddData:                     compile,
			cuLinkComplete:                    compile,
			cuLinkDestroy:                     compile,
			cuFuncGetAttribute:                func() error { _, err := b.fill.Use(32, 0); return err },
			cuFuncSetAttribute:                func() error { return b.fill.MaxShared(8) },
			cuLaunchKernel:                    func() error { return b.set(p, 1, 8) },
			cuGraphInstantiateWithFlags:       capture,
			cuGraphExecDestroy:                func() error { return g.Close() },
			cuGraphLaunch:                     func() error { return g.Launch(b.stream, nil) },
			cuOccupancyMaxActiveBlocksPerMultiprocessor: func() error {
				_, err := b.fill.Use(32, 0)
				return err
			},
		}[f]
		if !ok {
			require.Contains(t, []function{cuGetErrorName, cuGetErrorString, cuGraphDestroy, cuCtxPopCurrent,
				cuStreamWriteValue}, f) // without the last one, a wait records its event
			continue
		}
		switch f {
		case cuModuleUnload, cuEventDestroy, cuGraphExecDestroy, cuMemFree, cuMemFreeAsync:
			defer func() { // at last, as the others use it
				t.Setenv("EMULATE_FAIL", op+":1:801")
				requireFails(t, call(), op)
			}()
			continue
		}
		t.Setenv("EMULATE_FAIL", op+":1:801")
		requireFails(t, call(), op)
		if f != cuStreamEndCapture { // whose stream is still in capture
			continue
		}
		_, err := b.stream.Capture(func() error { return nil })
		require.Error(t, err)
		require.NoError(t, b.stream.Close())
		b.stream, err = b.NewStream()
		require.NoError(t, err)
	}
}

func requireFails(t *testing.T, err error, op string) {
	t.Helper()
	var e *Error
	require.ErrorAs(t, err, &e, op)
	require.Equal(t, op, e.Op)
	require.Equal(t, 801, e.Code)
}

// A stack that has to grow in the call moves, and what the driver answers with must not be on it.
func TestErrorTextOnAnyStack(t *testing.T) {
	l := library(t, false)
	for depth := range 1 << 9 {
		got := make(chan error)
		go func() { got <- below(depth, func() error { return l.failed(cuInit, 2) }) }()
		require.EqualError(t, <-got, "cuInit: out of memory, error 2 (CUDA_ERROR_OUT_OF_MEMORY)", "depth %d", depth)
	}
}

// below calls do with so much more on the stack.
//
//go:noinline
func below(depth int, do func() error) error {
	if depth == 0 {
		return do()
	}
	return below(depth-1, do)
}

func TestErrorText(t *testing.T) {
	require.EqualError(t, &Error{Op: "cuInit", Code: 12345}, "cuInit: error 12345")
	require.EqualError(t, &Error{"cuInit", 1, "N", "text", "more"}, "cuInit: text, error 1 (N): more")
	all := []error{ErrUnavailable, ErrMemory, ErrBusy, ErrLost, ErrArchitecture, ErrModule, ErrClosed, field.ErrMemory}
	for code, want := range map[int][]error{
		1: nil, 2: {ErrMemory, field.ErrMemory}, 46: {ErrBusy}, 100: nil, 200: {ErrModule}, 209: {ErrArchitecture},
		214: {ErrLost},
		218: {ErrModule}, 222: {ErrArchitecture}, 400: nil, 500: {ErrModule}, 700: {ErrLost}, 701: nil,
		710: {ErrLost}, 719: {ErrLost}, 999: {ErrLost},
	} {
		for _, target := range all {
			require.Equal(t, slices.Contains(want, target), errors.Is(&Error{Code: code}, target), "%d, %v", code, target)
		}
	}
}

// What is closed stays closed, whoever asks, and closing it again is nothing.
func TestClosed(t *testing.T) {
	l := library(t, false)
	b := newBench(t, opened(t, l, 0))
	e, err := b.NewEvent()
	require.NoError(t, err)
	require.NoError(t, e.Record(b.stream))
	g, err := b.stream.Capture(func() error { return nil })
	require.NoError(t, err)
	other := newBench(t, opened(t, l, 0))
	twice := func(close func() error) {
		require.NoError(t, close())
		require.NoError(t, close())
	}
	twice(g.Close)
	require.ErrorIs(t, g.Launch(b.stream, nil), ErrClosed)
	twice(e.Close)
	require.ErrorIs(t, e.Record(b.stream), ErrClosed)
	require.ErrorIs(t, e.Wait(), ErrClosed)
	_, err = e.Poll(never)
	require.ErrorIs(t, err, ErrClosed)
	require.ErrorIs(t, b.stream.After(e), ErrClosed)
	_, err = Milliseconds(e, e)
	require.ErrorIs(t, err, ErrClosed)
	twice(b.module.Close)
	require.ErrorIs(t, b.set(0, 0, 0), ErrClosed)
	require.ErrorIs(t, b.fill.MaxShared(1), ErrClosed)
	_, err = b.module.Function("fill64")
	require.ErrorIs(t, err, ErrClosed)
	twice(b.stream.Close)
	require.EqualError(t, b.stream.Wait(), "stream of device 0: closed before")
	for _, err := range []error{b.stream.CopyIn(0, nil, 0, nil), b.stream.CopyOut(nil, 0, 0, nil),
		b.stream.Copy(0, 0, 0), b.stream.Fill(0, 0, 0), b.stream.Wait(),
		other.fill.Launch(b.stream, [2]int{1, 1}, 1, 0, &Args{})} {
		require.ErrorIs(t, err, ErrClosed)
	}
	_, err = b.stream.Capture(nil)
	require.ErrorIs(t, err, ErrClosed)

	twice(b.Close)
	_, err = b.Alloc(1)
	require.ErrorIs(t, err, ErrClosed)
	require.NoError(t, other.stream.Wait(), "the context is still used")
	require.NoError(t, other.Close())
	require.ErrorIs(t, other.stream.Wait(), ErrClosed)
	require.NoError(t, errors.Join(other.stream.Close(), other.module.Close()), "gone with the device")

	for _, close := range []func() error{(*Device)(nil).Close, (*Stream)(nil).Close, (*Event)(nil).Close,
		(*Module)(nil).Close, (*Graph)(nil).Close} {
		require.NoError(t, close())
	}
}

func TestEvents(t *testing.T) {
	b := newBench(t, opened(t, library(t, false), 0))
	p := b.alloc(t, 1<<20)
	start, err := b.NewTimer()
	require.NoError(t, err)
	end, err := b.NewTimer()
	require.NoError(t, err)
	require.NoError(t, end.Wait(), "nothing was recorded")
	_, err = Milliseconds(start, end)
	require.Error(t, err)
	require.NoError(t, start.Record(b.stream))
	require.NoError(t, b.set(p, 3, 1<<20))
	require.NoError(t, end.Record(b.stream))
	s, err := b.NewStream()
	require.NoError(t, err)
	require.NoError(t, s.After(end))
	var got uint64
	require.NoError(t, s.CopyOut(unsafe.Pointer(&got), p, 8, nil))
	require.NoError(t, s.Wait())
	require.Equal(t, uint64(3), got)
	require.NoError(t, end.Wait())
	ms, err := Milliseconds(start, end)
	require.NoError(t, err)
	require.Positive(t, ms)
	require.Less(t, ms, 60e3)
}

func TestGraph(t *testing.T) {
	b := newBench(t, opened(t, library(t, false), 0))
	p := b.alloc(t, 64)
	in := []uint64{40, 41, 42, 43}
	side, err := b.NewStream()
	require.NoError(t, err)
	fork, err := b.NewEvent()
	require.NoError(t, err)
	join, err := b.NewEvent()
	require.NoError(t, err)
	require.NoError(t, b.set(p, 1, 64))
	pinned, err := b.Pinned(32)
	require.NoError(t, err)
	copy(unsafe.Slice((*uint64)(unsafe.Pointer(&pinned[0])), 4), in)
	g, err := b.stream.Capture(func() error {
		args := Args{uint64(p), 7, 64}
		err := b.fill.Launch(b.stream, [2]int{1, 1}, 32, 0, &args)
		args = Args{}
		return errors.Join(err,
			fork.Record(b.stream),
			side.After(fork),
			side.CopyIn(p, unsafe.Pointer(&pinned[0]), 32, nil),
			join.Record(side),
			b.stream.Fill(p+64, 0, 64),
			b.stream.After(join),
			b.reverse.Launch(b.stream, [2]int{1, 1}, 4, 32, &Args{uint64(p)}),
			b.stream.Copy(p+32, p, 32))
	})
	require.NoError(t, err)
	require.Equal(t, slices.Repeat([]uint64{1}, 64), b.read(t, p, 64), "nothing has run")
	want := append([]uint64{43, 42, 41, 40, 43, 42, 41, 40, 0, 0, 0, 0, 0, 0, 0, 0}, slices.Repeat([]uint64{7}, 48)...)
	for range 2 {
		require.NoError(t, b.set(p, 1, 64))
		require.NoError(t, g.Launch(b.stream, nil))
		require.Equal(t, want, b.read(t, p, 64))
	}
	require.NoError(t, g.Close())
	require.NoError(t, b.ReleasePinned(pinned))
}

// A capture that goes wrong leaves the stream as it was.
func TestBadCapture(t *testing.T) {
	b := newBench(t, opened(t, library(t, false), 0))
	p := b.alloc(t, 4)
	wrong := errors.New("wrong")
	_, err := b.stream.Capture(func() error { return wrong })
	require.Equal(t, wrong, err)
	require.PanicsWithValue(t, "wrong", func() { _, _ = b.stream.Capture(func() error { panic("wrong") }) })
	var inside error
	_, err = b.stream.Capture(func() error { inside = b.stream.Wait(); return nil })
	require.ErrorContains(t, inside, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED")
	require.ErrorContains(t, err, "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED")
	_, err = b.stream.Capture(func() error { _, err := b.Alloc(1); return err })
	require.ErrorContains(t, err, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED")
	_, err = b.stream.Capture(func() error {
		_, err := b.stream.Capture(func() error { return nil })
		return err
	})
	require.ErrorContains(t, err, "cuStreamBeginCapture")
	_, err = b.stream.Capture(func() error { _, _ = b.Alloc(1); return nil })
	require.ErrorContains(t, err, "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED")
	require.NoError(t, b.set(p, 6, 4))
	require.Equal(t, []uint64{6, 6, 6, 6}, b.read(t, p, 4))
}

// Goroutines that move between threads have the context that they need, on one device and on two: while one kernel of
// the emulated device runs, the others wait in the middle of their calls.
func TestGoroutines(t *testing.T) {
	t.Setenv("EMULATE_DEVICES", "2")
	l := library(t, false)
	n, err := l.Count()
	require.NoError(t, err)
	var devices []*Device
	for i := range n {
		devices = append(devices, opened(t, l, i))
	}
	var wait sync.WaitGroup
	for i := range 8 {
		b := newBench(t, devices[i%n])
		p := b.alloc(t, 100)
		wait.Go(func() {
			for v := range 10 {
				got := make([]uint64, 100)
				err := errors.Join(
					b.fill.Launch(b.stream, [2]int{16, 1}, 1024, 0, &Args{uint64(p), uint64(v + i), 100}),
					b.stream.CopyOut(unsafe.Pointer(&got[0]), p, 800, nil),
					b.stream.Wait())
				if err != nil || slices.ContainsFunc(got, func(w uint64) bool { return w != uint64(v+i) }) {
					t.Errorf("goroutine %d, round %d: %d, %v", i, v, got, err)
				}
			}
		})
	}
	wait.Wait()
}

// What records a graph may sleep and let others run. They may allocate meanwhile.
func TestCaptureStays(t *testing.T) {
	b := newBench(t, opened(t, library(t, false), 0))
	p := b.alloc(t, 1)
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for range 20 {
				g, err := func() (*Graph, error) {
					s, err := b.NewStream()
					if err != nil {
						return nil, err
					}
					return s.Capture(func() error {
						time.Sleep(time.Millisecond)
						return b.fill.Launch(s, [2]int{1, 1}, 1, 0, &Args{uint64(p), 1, 1})
					})
				}()
				if err := errors.Join(err, g.Close()); err != nil {
					t.Error(err)
				}
				q, err := b.Alloc(1)
				if err := errors.Join(err, b.Release(q)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
}

// What one device has is not another's.
func TestTwoDevices(t *testing.T) {
	l := library(t, true)
	t.Setenv("EMULATE_DEVICES", "2")
	a, b := newBench(t, opened(t, l, 0)), newBench(t, opened(t, l, 1))
	require.Equal(t, 1, b.Info().Index)
	p, q := a.alloc(t, 4), b.alloc(t, 4)
	require.NoError(t, errors.Join(a.set(p, 1, 4), b.set(q, 2, 4)))
	require.Equal(t, []uint64{1, 1, 1, 1}, a.read(t, p, 4))
	require.Equal(t, []uint64{2, 2, 2, 2}, b.read(t, q, 4))
	require.ErrorContains(t, a.fill.Launch(b.stream, [2]int{1, 1}, 4, 0, &Args{uint64(p), 1, 4}), "INVALID_HANDLE")
	require.NoError(t, b.set(p, 1, 4))
	require.ErrorIs(t, b.stream.Wait(), ErrLost)
	require.NoError(t, a.stream.Wait(), "the first is well")
	require.NoError(t, a.set(p, 3, 4))
	require.Equal(t, []uint64{3, 3, 3, 3}, a.read(t, p, 4))
}

// Calls that a transform makes allocate nothing.
func TestAllocations(t *testing.T) {
	if raceEnabled {
		t.Skip("purego has a pool, which the race detector empties at random")
	}
	b := newBench(t, opened(t, library(t, false), 0))
	p := b.alloc(t, 64)
	e, err := b.NewEvent()
	require.NoError(t, err)
	g, err := b.stream.Capture(func() error { return b.set(p, 1, 64) })
	require.NoError(t, err)
	host := make([]uint64, 64)
	var some []Pointer
	for range 101 {
		some = append(some, b.alloc(t, 1))
	}
	for name, call := range map[string]func() error{
		"launch": func() error { return b.set(p, 5, 64) },
		"in":     func() error { return b.stream.CopyIn(p, unsafe.Pointer(&host[0]), 512, nil) },
		"out":    func() error { return b.stream.CopyOut(unsafe.Pointer(&host[0]), p, 512, nil) },
		"copy":   func() error { return b.stream.Copy(p, p+256, 256) },
		"fill":   func() error { return b.stream.Fill(p, 1, 512) },
		"record": func() error { return e.Record(b.stream) },
		"after":  func() error { return b.stream.After(e) },
		"wait":   func() error { return b.stream.Wait() },
		"graph":  func() error { return g.Launch(b.stream, nil) },
		"release": func() error {
			q := some[0]
			some = some[1:]
			return b.Release(q)
		},
	} {
		require.Zero(t, testing.AllocsPerRun(100, func() { require.NoError(t, call()) }), name)
	}
}

// The driver keeps addresses of what is copied, so that it has to be where nothing moves.
func TestHeap(t *testing.T) {
	b := newBench(t, opened(t, library(t, false), 0))
	p := b.alloc(t, 1)
	require.Equal(t, 1.0, testing.AllocsPerRun(100, func() {
		var onHeap uint64
		_ = b.stream.CopyIn(p, unsafe.Pointer(&onHeap), 8, nil)
	}))
	require.Equal(t, 1.0, testing.AllocsPerRun(100, func() {
		var onHeap uint64
		_ = b.stream.CopyOut(unsafe.Pointer(&onHeap), p, 8, nil)
	}))
	require.NoError(t, b.stream.Wait())
}

func BenchmarkLaunch(b *testing.B) {
	emulator.Need(b)
	l, err := Open()
	require.NoError(b, err)
	d, err := l.Device(0)
	require.NoError(b, err)
	defer d.Close()
	s, err := d.NewStream()
	require.NoError(b, err)
	m, err := d.Load(cuda.Source("probe"))
	require.NoError(b, err)
	f, err := m.Function("fill64")
	require.NoError(b, err)
	b.ReportAllocs()
	for b.Loop() {
		if err := f.Launch(s, [2]int{1, 1}, 1, 0, &Args{}); err != nil {
			b.Fatal(err)
		}
	}
	require.NoError(b, s.Wait())
}
