package gpu

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/device"
	"github.com/galfft/fft/internal/device/foreign"
	"github.com/galfft/fft/internal/emulator"
	"github.com/galfft/fft/internal/engine"
	"github.com/stretchr/testify/require"
)

// alone opens a device for one test, emulated or not.
func alone(t *testing.T) *Device {
	t.Helper()
	emulator.Need(t)
	d, err := Open(0)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	return d
}

func queue(t *testing.T, d *Device) *Queue {
	t.Helper()
	q, err := d.NewQueue()
	require.NoError(t, err)
	return q
}

// productOf is a cyclic product by a plan of the processor.
func productOf[E any](t *testing.T, f field.Rooted[E], x, y []E, opts ...fft.Option) []E {
	t.Helper()
	p, err := fft.NewPlan(f, len(x), opts...)
	require.NoError(t, err)
	v, w := must(p.NewVec()), must(p.NewVec())
	z := make([]E, len(x))
	ctx := context.Background()
	require.NoError(t, errors.Join(p.Load(v, x), p.Load(w, y), p.ForwardVec(ctx, v), p.ForwardVec(ctx, w),
		p.MulVec(v, v, w), p.InverseVec(ctx, v), p.Store(z, v)))
	return z
}

// multiply puts a product on the queue of v and w.
func multiply[E any](p *fft.Plan[E], v, w field.Vec) error {
	ctx := context.Background()
	return errors.Join(p.ForwardVec(ctx, v), p.ForwardVec(ctx, w), p.MulVec(v, v, w), p.InverseVec(ctx, v))
}

// 64 goroutines on 8 queues get what the processor gets, with one plan.
func TestQueues(t *testing.T) {
	t.Run("words", func(t *testing.T) { onQueues(t, smallprime.Goldilocks(), 1<<7) })
	t.Run("digits", func(t *testing.T) { onQueues(t, gfpf.P2(), 1<<4) })
	t.Run("long", func(t *testing.T) { onQueues(t, smallprime.BabyBear(), 1<<13) })
}

func onQueues[E comparable](t *testing.T, f field.Rooted[E], n int) {
	d := alone(t)
	g, err := Field(f, On(d))
	require.NoError(t, err)
	p, err := fft.NewPlan[E](g, n)
	require.NoError(t, err)
	x, y := random(f, n, 1), random(f, n, 2)
	want, square := productOf(t, f, x, y), productOf(t, f, x, x)
	var queues [8]*Queue
	for i := range queues {
		queues[i] = queue(t, d)
	}
	for _, us := range []string{"0", "20"} {
		t.Setenv("EMULATE_DELAY", us)
		var all sync.WaitGroup
		for i := range 64 {
			all.Go(func() {
				if err := oneOf(queues[i%len(queues)], p, x, y, want, square, i); err != nil {
					t.Error(i, err)
				}
			})
		}
		all.Wait()
	}
	for _, q := range queues {
		require.NoError(t, q.Wait(t.Context()))
		require.NoError(t, errors.Join(q.Close(), q.Close()))
	}
}

func oneOf[E comparable](q *Queue, p *fft.Plan[E], x, y, want, square []E, seed int) error {
	v, err := q.NewVec(p)
	if err != nil {
		return err
	}
	w, err := q.NewVec(p)
	if err != nil {
		return err
	}
	z, r := make([]E, len(x)), rand.New(rand.NewPCG(uint64(seed), 1))
	for range 2 {
		if err := errors.Join(p.Load(v, x), p.Load(w, y), multiply(p, v, w)); err != nil {
			return err
		}
		if r.IntN(2) == 0 {
			if err := q.Wait(context.Background()); err != nil {
				return err
			}
		}
		if err := p.Store(z, v); err != nil {
			return err
		}
		if !slices.Equal(z, want) {
			return errors.New("a wrong product")
		}
		ctx := context.Background()
		if err := errors.Join(p.Load(v, x), p.ForwardVec(ctx, v), p.MulVec(w, v, v), p.InverseVec(ctx, w),
			p.Store(z, w)); err != nil {
			return err
		}
		if !slices.Equal(z, square) {
			return errors.New("a wrong square")
		}
	}
	return errors.Join(v.Close(), w.Close())
}

// Calls on a queue return before they are over, the queue's Wait waits, and other queues are waited for by After and by
// products alone.
func TestQueueOrder(t *testing.T) {
	d := spare(t)
	f := smallprime.P62()
	g, err := Field(f, On(d))
	require.NoError(t, err)
	const n = 64
	p, err := fft.NewPlan[uint64](g, n)
	require.NoError(t, err)
	x, y := random(f, n, 1), random(f, n, 2)
	want := productOf(t, f, x, y)
	one, two := queue(t, d), queue(t, d)
	v, w := must(one.NewVec(p)), must(two.NewVec(p))
	common := must(p.NewVec())
	z := make([]uint64, n)
	ctx := t.Context()
	for range 3 { // the last one as graphs
		t.Setenv("EMULATE_DELAY", "3600000000") // µs, until it changes
		require.NoError(t, errors.Join(p.Load(w, y), p.ForwardVec(ctx, w), p.Load(v, x), p.ForwardVec(ctx, v)))
		require.ErrorIs(t, one.Wait(soon(t)), context.Canceled)
		require.NoError(t, errors.Join(p.MulVec(v, v, w), AddVec(v, v, w), SubVec(v, v, w),
			p.InverseVec(ctx, v))) // w is on the other
		t.Setenv("EMULATE_DELAY", "0")
		require.NoError(t, p.Store(z, v))
		require.Equal(t, want, z)
	}
	require.NoError(t, errors.Join(p.Load(common, y), p.ForwardVec(ctx, common)))
	t.Setenv("EMULATE_DELAY", "50")
	require.NoError(t, errors.Join(p.Load(v, x), p.ForwardVec(ctx, v), p.MulVec(v, v, common), p.InverseVec(ctx, v),
		p.Store(z, v)))
	require.Equal(t, want, z, "a vector of no queue")
	require.NoError(t, errors.Join(p.Load(v, x), p.ForwardVec(ctx, v), p.MulVec(common, v, common),
		p.InverseVec(ctx, common), p.Store(z, common)))
	require.Equal(t, want, z, "into a vector of no queue")

	// The caller's own work on a stream, here of another queue of the same vector.
	t.Setenv("EMULATE_DELAY", "3600000000")
	require.NoError(t, p.Load(v, x))
	at := must(Pointer(v))
	other := must(two.VecAt(p, at))
	require.NoError(t, two.After(one))
	require.NoError(t, p.ForwardVec(ctx, other))
	require.NoError(t, one.After(two))
	require.NoError(t, one.After(one))
	require.NoError(t, p.InverseVec(ctx, v))
	require.ErrorIs(t, two.Wait(soon(t)), context.Canceled)
	t.Setenv("EMULATE_DELAY", "0")
	require.NoError(t, p.Store(z, v))
	require.Equal(t, x, z)
	require.NoError(t, errors.Join(other.Close(), v.Close(), one.Close(), two.Close()))
	_, err = two.NewVec(p)
	require.ErrorIs(t, err, ErrClosed)
}

// What fails on a queue is said once, by Wait or by Store, and harms no other queue.
func TestQueueFails(t *testing.T) {
	f := smallprime.P62()
	const n = 64
	x, z := random(f, n, 1), make([]uint64, n)
	for _, store := range []bool{false, true} {
		for function, call := range map[string]func(p *fft.Plan[uint64], v field.Vec) error{
			"cuMemcpyHtoDAsync": func(p *fft.Plan[uint64], v field.Vec) error { return p.Load(v, x) },
			"cuLaunchKernel":    func(p *fft.Plan[uint64], v field.Vec) error { return p.MulVec(v, v, v) },
		} {
			d := spare(t)
			g, err := Field(f, On(d))
			require.NoError(t, err)
			p, err := fft.NewPlan[uint64](g, n)
			require.NoError(t, err)
			one, two := queue(t, d), queue(t, d)
			v, w := must(one.NewVec(p)), must(two.NewVec(p))
			require.NoError(t, errors.Join(p.Load(v, x), p.Load(w, x)))
			failing(t, function, 1, 1)
			require.ErrorContains(t, call(p, v), function)
			require.NoError(t, one.Wait(t.Context()), "once")
			must(memoryOf(v)).Note(errors.New("what fails later: " + function))
			failing(t, "", 0, 0)
			require.NoError(t, p.Store(z, w))
			require.Equal(t, x, z)
			require.NoError(t, two.Wait(t.Context()))
			if store {
				clear(z)
				require.ErrorContains(t, p.Store(z, v), function)
				require.Equal(t, make([]uint64, n), z, "nothing is written")
			} else {
				require.ErrorContains(t, one.Wait(t.Context()), function)
			}
			require.NoError(t, one.Wait(t.Context()), "once")
			require.NoError(t, errors.Join(p.Load(v, x), p.Store(z, v)))
			require.Equal(t, x, z)

			failing(t, "cuLaunchKernel", 1, 700)
			require.ErrorIs(t, p.ForwardVec(t.Context(), v), ErrLost, "a launch that fails says so")
			failing(t, "", 0, 0)
			require.ErrorIs(t, one.Wait(t.Context()), ErrLost)
			_ = d.Close()
			require.ErrorIs(t, one.Wait(t.Context()), ErrClosed)
			require.NoError(t, one.Close())
		}
	}
}

func memoryOf(v field.Vec) (*device.Memory, error) {
	o, err := engine.OperandOf(v)
	if err != nil {
		return nil, err
	}
	return memory(o.View), nil
}

// Nil, zero and strange arguments.
func TestQueueArguments(t *testing.T) {
	d := alone(t)
	g, err := Field(smallprime.P62(), On(d))
	require.NoError(t, err)
	p := must(fft.NewPlan[uint64](g, 64))
	q := queue(t, d)
	for _, none := range []*Queue{nil, {}} {
		_, err := none.NewVec(p)
		require.ErrorIs(t, err, field.ErrSpec)
		_, err = none.VecAt(p, 16)
		require.ErrorIs(t, err, field.ErrSpec)
		require.ErrorIs(t, none.Wait(t.Context()), field.ErrSpec)
		require.ErrorIs(t, none.After(q), field.ErrSpec)
		require.ErrorIs(t, q.After(none), field.ErrSpec)
		require.Zero(t, none.Stream())
		require.NoError(t, none.Close())
	}
	var noDevice *Device
	_, err = noDevice.NewQueue()
	require.ErrorIs(t, err, field.ErrSpec)
	_, err = noDevice.QueueOf(1)
	require.ErrorIs(t, err, field.ErrSpec)
	_, err = q.NewVec(nil)
	require.ErrorIs(t, err, field.ErrSpec)
	require.ErrorIs(t, q.Wait(noContext), field.ErrSpec)
	var noPlan *fft.Plan[uint64]
	for _, plan := range []*fft.Plan[uint64]{noPlan, {}, // none, on the processor, by a scheme, on another device
		must(fft.NewPlan[uint64](g, 1)), must(fft.NewPlan[uint64](g, 64, fft.WithAlgorithm(fft.SixStep))),
		must(fft.NewPlan(smallprime.P62(), 64)), must(fft.NewPlan(must(Field(smallprime.P62())), 64))} {
		_, err := q.NewVec(plan)
		require.ErrorIs(t, err, field.ErrSpec)
	}
	v := must(q.NewVec(p))
	at := must(Pointer(v))
	require.NotZero(t, at)
	require.NoError(t, v.Close())
	for _, other := range []field.Vec{nil, v, must(must(fft.NewPlan(smallprime.P62(), 64)).NewVec())} {
		_, err := Pointer(other)
		require.ErrorIs(t, err, field.ErrVec)
	}
	require.ErrorIs(t, p.ForwardVec(t.Context(), v), field.ErrVec)
}

var noContext context.Context

// A stream, memory and graph of somebody else's, made by the driver's own calls beside ours.
func TestForeign(t *testing.T) {
	t.Run("words", func(t *testing.T) { strangers(t, smallprime.Goldilocks(), 1<<7) })
	t.Run("long", func(t *testing.T) { strangers(t, smallprime.P62(), 1<<13) })
	t.Run("digits", func(t *testing.T) { strangers(t, gfpf.P3(), 1<<5) })
}

func strangers[E comparable](t *testing.T, f field.Rooted[E], n int) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	d := alone(t)
	g, err := Field(f, On(d))
	require.NoError(t, err)
	p, err := fft.NewPlan[E](g, n)
	require.NoError(t, err)
	x, y, z := random(f, n, 1), random(f, n, 2), make([]E, n)
	want := productOf(t, f, x, y)
	context := foreign.Use(t, 0)
	stream := foreign.Stream(t)
	q, err := d.QueueOf(stream)
	require.NoError(t, err)
	require.Equal(t, stream, q.Stream())

	bytes := uintptr(p.Report().Vector)
	memory := foreign.Ask(t, "cuMemAlloc_v2", bytes+32)
	v, w := must(q.VecAt(p, memory+16)), must(q.NewVec(p))
	require.Equal(t, memory+16, must(Pointer(v)))
	for _, us := range []string{"0", "20"} {
		t.Setenv("EMULATE_DELAY", us)
		require.NoError(t, errors.Join(p.Load(v, x), p.Load(w, y), multiply(p, v, w)))
		foreign.Function(t, "cuStreamSynchronize")(stream) // he may wait as well
		require.NoError(t, q.Wait(t.Context()))
		require.NoError(t, p.Store(z, v))
		require.True(t, slices.Equal(want, z))
	}

	// His graph has our calls, the first of their kind too.
	fresh, err := fft.NewPlan[E](g, n, fft.WithOrder(fft.BitReversed))
	require.NoError(t, err)
	a, b := must(q.NewVec(fresh)), must(q.NewVec(fresh))
	own := must(q.NewVec(p))
	require.NoError(t, q.Wait(t.Context()))
	var failed error
	graph := foreign.Captured(t, stream, func() {
		failed = multiply(fresh, a, b)
		_, err = q.NewVec(fresh)
		for i, err := range []error{err, q.Wait(t.Context()), fresh.Load(a, x), fresh.Store(z, a), q.Close()} {
			require.ErrorIs(t, err, ErrCapturing, i)
		}
		done := make(chan error) // others make what they like
		go func() {
			p, err := fft.NewPlan[E](g, 2*n)
			if err == nil {
				_, err = p.NewVec()
			}
			runtime.GC()
			done <- errors.Join(err, own.Close())
		}()
		require.NoError(t, <-done)
	})
	require.NoError(t, failed)
	launch := foreign.Function(t, "cuGraphLaunch")
	for range 3 {
		for _, order := range [][2][]E{{x, y}, {y, x}} {
			require.NoError(t, errors.Join(fresh.Load(a, order[0]), fresh.Load(b, order[1])))
			launch(graph, stream)
			clear(z)
			require.NoError(t, fresh.Store(z, a))
			require.True(t, slices.Equal(want, z))
		}
	}
	foreign.Function(t, "cuGraphExecDestroy")(graph)

	require.Equal(t, context, foreign.Ask(t, "cuCtxGetCurrent"), "his context is current still")
	require.NoError(t, errors.Join(v.Close(), w.Close(), a.Close(), b.Close(), q.Close()))
	foreign.Function(t, "cuMemFree_v2")(memory) // ours are closed, and it was his
	foreign.Function(t, "cuStreamDestroy_v2")(stream)
}

// Memory and streams that are not as they have to be are errors of their own.
func TestForeignRefused(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	d := alone(t)
	g, err := Field(smallprime.Goldilocks(), On(d))
	require.NoError(t, err)
	p := must(fft.NewPlan[uint64](g, 64))
	q := queue(t, d)
	foreign.Use(t, 0)
	memory := foreign.Ask(t, "cuMemAlloc_v2", 8*64)
	host, err := HostSlice[uint64](64, On(d))
	require.NoError(t, err)
	pinned := uintptr(unsafe.Pointer(&host.Slice()[0]))
	for name, at := range map[string]uintptr{"nothing": 0, "no memory": 1 << 20, "odd": memory + 8, "short": memory + 16,
		"pinned": pinned} {
		_, err := q.VecAt(p, at)
		require.ErrorIs(t, err, ErrPointer, name)
		require.Equal(t, name == "short", errors.Is(err, field.ErrLength), name)
	}
	v, err := q.VecAt(p, memory)
	require.NoError(t, errors.Join(err, v.Close()))
	for stream := range uintptr(3) {
		_, err := d.QueueOf(stream)
		require.ErrorIs(t, err, ErrStream, stream)
	}
	if emulator.Emulates() { // a real driver follows any address
		_, err := d.QueueOf(1 << 20)
		require.ErrorIs(t, err, ErrStream)
		t.Setenv("EMULATE_DEVICES", "3")
		other, err := Open(1)
		require.NoError(t, err)
		of := must(other.NewQueue())
		_, err = d.QueueOf(of.Stream())
		require.ErrorIs(t, err, ErrStream)
		h := must(Field(smallprime.Goldilocks(), On(other)))
		w := must(of.NewVec(must(fft.NewPlan[uint64](h, 64))))
		_, err = q.VecAt(p, must(Pointer(w)))
		require.ErrorIs(t, err, ErrPointer)
		_, err = of.NewVec(p)
		require.ErrorIs(t, err, field.ErrSpec)
		require.NoError(t, other.Close())
	}
	require.NoError(t, errors.Join(host.Close(), q.Close()))
	foreign.Function(t, "cuMemFree_v2")(memory)
}

// A call on a warm queue allocates nothing, and puts one thing on its stream.
func TestQueueAllocates(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	defer noCleanups()() // which allocate
	d := alone(t)
	g, err := Field(smallprime.Goldilocks(), On(d))
	require.NoError(t, err)
	p := must(fft.NewPlan[uint64](g, 64))
	q := queue(t, d)
	v := must(q.NewVec(p))
	ctx := t.Context()
	require.Zero(t, testing.AllocsPerRun(20, func() {
		for _, err := range [...]error{p.ForwardVec(ctx, v), p.MulVec(v, v, v), p.InverseVec(ctx, v)} {
			if err != nil {
				t.Error(err)
			}
		}
		if err := q.Wait(ctx); err != nil {
			t.Error(err)
		}
	}))
}

// BenchmarkQueues prints the times of transforms on one queue and on several.
func BenchmarkQueues(b *testing.B) {
	realDevice(b)
	f := smallprime.Goldilocks()
	g := must(Field(f))
	d := g.Device()
	p := must(fft.NewPlan[uint64](g, 1<<12, fft.WithOrder(fft.BitReversed)))
	ctx := context.Background()
	const each = 2000
	times := map[int]float64{}
	for _, queues := range []int{1, 2, 4, 8} {
		for _, goroutines := range []int{1, queues} {
			var vecs []field.Vec
			var all []*Queue
			for range queues {
				q := must(d.NewQueue())
				v := must(q.NewVec(p))
				require.NoError(b, errors.Join(p.ForwardVec(ctx, v), p.ForwardVec(ctx, v), q.Wait(ctx)))
				vecs, all = append(vecs, v), append(all, q)
			}
			least := 1e9
			for range 10 {
				start := time.Now()
				var wait sync.WaitGroup
				for k := range goroutines {
					wait.Go(func() {
						for range each / 8 * 8 / queues {
							for i := k; i < queues; i += goroutines {
								if err := p.ForwardVec(ctx, vecs[i]); err != nil {
									b.Error(err)
								}
							}
						}
					})
				}
				wait.Wait()
				host := time.Since(start)
				for _, q := range all {
					require.NoError(b, q.Wait(ctx))
				}
				if ms := 1e-6 * float64(time.Since(start).Nanoseconds()) / each; ms < least {
					least = ms
					times[queues] = min(ms, cmp.Or(times[queues], ms))
					fmt.Printf("2^12 on %d queues by %d goroutines: %.4f ms each, of which the host %.4f\n", queues,
						goroutines, ms, 1e-6*float64(host.Nanoseconds())/each)
				}
			}
			for _, q := range all {
				require.NoError(b, q.Close())
			}
		}
	}
	fmt.Printf("2^12, 8 queues over one: %.2f\n", times[8]/times[1])
}
