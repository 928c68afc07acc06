package gpu

import (
	"context"
	"errors"
	"runtime"
	"testing"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/device/foreign"
	"github.com/stretchr/testify/require"
)

// InverseMulVec on a queue begins after what the queues of both operands have so far, returns before it is over, and
// leaves the operands as they are.
func TestInverseMulVecQueues(t *testing.T) {
	t.Run("words", func(t *testing.T) { inverseOnQueues(t, smallprime.Goldilocks(), 1<<7) })
	t.Run("long", func(t *testing.T) { inverseOnQueues(t, smallprime.BabyBear(), 1<<13) })
	t.Run("digits", func(t *testing.T) { inverseOnQueues(t, gfpf.P2(), 1<<4) })
}

func inverseOnQueues[E comparable](t *testing.T, f field.Rooted[E], n int) {
	d := spare(t)
	g := must(Field(f, On(d)))
	p := must(fft.NewPlan[E](g, n))
	x, y, z := random(f, n, 1), random(f, n, 2), make([]E, n)
	want := productOf(t, f, x, y)
	one, two, three := queue(t, d), queue(t, d), queue(t, d)
	v, w, u := must(one.NewVec(p)), must(two.NewVec(p)), must(three.NewVec(p))
	common := must(p.NewVec())
	ctx := t.Context()
	for range 3 {
		t.Setenv("EMULATE_DELAY", "3600000000") // µs, until it changes
		require.NoError(t, errors.Join(p.Load(v, x), p.ForwardVec(ctx, v), p.Load(w, y), p.ForwardVec(ctx, w)))
		require.NoError(t, InverseMulVec(ctx, u, v, w))
		require.ErrorIs(t, three.Wait(soon(t)), context.Canceled)
		require.ErrorIs(t, InverseMulVec(soon(t), common, v, w), context.Canceled)
		t.Setenv("EMULATE_DELAY", "0")
		require.NoError(t, p.Store(z, u))
		require.Equal(t, want, z)
		require.NoError(t, errors.Join(p.Load(common, y), p.ForwardVec(ctx, common),
			InverseMulVec(ctx, common, v, common), p.Store(z, common)))
		require.Equal(t, want, z, "into a vector of no queue")
		require.NoError(t, errors.Join(p.Load(common, y), p.ForwardVec(ctx, common), InverseMulVec(ctx, v, common, v),
			p.Store(z, v)))
		require.Equal(t, want, z, "of a vector of no queue")
		require.NoError(t, errors.Join(p.InverseVec(ctx, w), p.Store(z, w)))
		require.Equal(t, y, z)
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	require.ErrorIs(t, InverseMulVec(ended, w, w, w), context.Canceled)
	require.NoError(t, two.Wait(ctx), "the end of a context is no failure of the queue")
	require.NoError(t, p.Store(z, w))
	require.Equal(t, y, z, "nothing has begun")
	for _, c := range []struct {
		z    field.Vec
		wait *Queue
	}{{u, three}, {common, one}} {
		failing(t, "cuLaunchKernel", 1, 1)
		require.ErrorContains(t, errors.Join(InverseMulVec(ctx, c.z, w, w), c.wait.Wait(ctx)), "cuLaunchKernel")
		failing(t, "", 0, 0)
		require.NoError(t, errors.Join(c.wait.Wait(ctx), InverseMulVec(ctx, c.z, w, w), c.wait.Wait(ctx)), "once")
	}
}

// A graph of somebody else's has InverseMulVec, the first of its kind too.
func TestInverseMulVecCaptured(t *testing.T) {
	t.Run("words", func(t *testing.T) { inverseCaptured(t, smallprime.Goldilocks(), 1<<7) })
	t.Run("long", func(t *testing.T) { inverseCaptured(t, smallprime.P62(), 1<<13) })
	t.Run("digits", func(t *testing.T) { inverseCaptured(t, gfpf.P3(), 1<<5) })
}

func inverseCaptured[E comparable](t *testing.T, f field.Rooted[E], n int) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	d := alone(t)
	g := must(Field(f, On(d)))
	p := must(fft.NewPlan[E](g, n))
	x, y, z := random(f, n, 1), random(f, n, 2), make([]E, n)
	want, square := productOf(t, f, x, y), productOf(t, f, x, x)
	foreign.Use(t, 0)
	stream := foreign.Stream(t)
	q := must(d.QueueOf(stream))
	v, w, u := must(q.NewVec(p)), must(q.NewVec(p)), must(q.NewVec(p))
	require.NoError(t, q.Wait(t.Context()))
	var failed error
	graph := foreign.Captured(t, stream, func() {
		failed = errors.Join(p.ForwardVec(t.Context(), v), p.ForwardVec(t.Context(), w),
			InverseMulVec(t.Context(), u, v, w), InverseMulVec(t.Context(), v, v, v))
	})
	require.NoError(t, failed)
	for range 3 {
		require.NoError(t, errors.Join(p.Load(v, x), p.Load(w, y)))
		foreign.Function(t, "cuGraphLaunch")(graph, stream)
		require.NoError(t, p.Store(z, u))
		require.Equal(t, want, z)
		require.NoError(t, p.Store(z, v))
		require.Equal(t, square, z)
	}
	foreign.Function(t, "cuGraphExecDestroy")(graph)
	require.NoError(t, errors.Join(v.Close(), w.Close(), u.Close(), q.Close()))
	foreign.Function(t, "cuStreamDestroy_v2")(stream)
}

// A warm call allocates nothing, on a queue and on none.
func TestInverseMulVecAllocates(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	defer noCleanups()() // which allocate
	d := alone(t)
	g := must(Field(smallprime.Goldilocks(), On(d)))
	p := must(fft.NewPlan[uint64](g, 64))
	c, err := fft.NewConvolution[uint64](t.Context(), g, 64)
	require.NoError(t, err)
	q, ctx := queue(t, d), t.Context()
	queued, common, of := must(q.NewVec(p)), must(p.NewVec()), must(c.NewVec())
	require.Zero(t, testing.AllocsPerRun(20, func() {
		for _, err := range [...]error{InverseMulVec(ctx, queued, queued, queued), q.Wait(ctx),
			InverseMulVec(ctx, common, common, common), InverseMulVec(ctx, of, of, of)} {
			if err != nil {
				t.Error(err)
			}
		}
	}))
}

// inverseProduct is a product by InverseMulVec on a device; what fails writes nothing.
func inverseProduct[E comparable](t *testing.T, d *Device, f field.Rooted[E], n int) error {
	x, y, z := random(f, n, 1), random(f, n, 2), make([]E, n)
	want := productOf(t, f, x, y)
	g, err := Field(f, On(d))
	if err != nil {
		return err
	}
	p, err := fft.NewPlan[E](g, n)
	if err != nil {
		return err
	}
	var vecs [3]field.Vec
	for i := range vecs {
		if vecs[i], err = p.NewVec(); err != nil {
			return err
		}
	}
	ctx, v, w, u := t.Context(), vecs[0], vecs[1], vecs[2]
	for _, call := range []func() error{
		func() error { return p.Load(v, x) },
		func() error { return p.Load(w, y) },
		func() error { return p.ForwardVec(ctx, v) },
		func() error { return p.ForwardVec(ctx, w) },
		func() error { return InverseMulVec(ctx, u, v, w) },
	} {
		if err := call(); err != nil {
			return err
		}
	}
	if err := p.Store(z, u); err != nil {
		return err
	}
	require.Equal(t, want, z)
	return errors.Join(v.Close(), w.Close(), u.Close())
}
