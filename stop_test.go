package fft_test

import (
	"context"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/smallprime"
)

// countdown is a context that ends when it was asked so many times.
type countdown struct {
	context.Context
	left, asked atomic.Int64
}

func newCountdown(left int64) *countdown {
	c := &countdown{Context: context.Background()}
	c.left.Store(left)
	return c
}

func (c *countdown) Err() error {
	c.asked.Add(1)
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// Plans look at the context while they are made, and calls while they run, for lengths of every kind: often enough that
// no 2^20 products pass between, and an end at any time is the error.
func TestStops(t *testing.T) {
	stops(t, smallprime.P62(), 1<<14, fft.WithAlgorithm(fft.FourStep), fft.WithWorkers(2), fft.WithGrain(1))
	stops(t, smallprime.Goldilocks(), 3*257)
	if raceEnabled {
		return // the others share nothing, and take ten times as long
	}
	safe := prime64(t, 2*10613+1)
	stops(t, safe, 10613)
	stops(t, safe, 2*10613)
	stops(t, smallprime.Goldilocks(), 65537)
	stops(t, smallprime.Goldilocks(), 3*65537)
	stops(t, smallprime.Goldilocks(), 1<<18)
	stops(t, smallprime.Goldilocks(), 1<<17, fft.WithCoset(uint64(3)))
	stops(t, smallprime.P62(), 1<<14, fft.WithAlgorithm(fft.SixStep), fft.WithBase(1<<5))
	k8 := gfpf.K8()
	fft.Must(fft.NewPlan(k8, 1<<12)) // the first plan finds a root for all of them: see internal/late
	stops[[8]uint64](t, k8, 1<<12)
	stops[uint64](t, elements{prime64(t, 2*1031+1)}, 1031)   // by the definition
	stops[uint64](t, elements{prime64(t, 2*1031+1)}, 2*1031) // as a factor
}

func stops[E any](t *testing.T, f field.Field[E], n int, opts ...fft.Option) {
	const endless = 1 << 40
	ctx := newCountdown(endless)
	p, err := fft.NewPlanContext(ctx, f, n, opts...)
	require.NoError(t, err)
	asked := ctx.asked.Load()
	require.GreaterOrEqual(t, asked, int64(max(2, n>>13)), "length %d: in the making", n)
	for left := int64(0); left < asked; left += 1 + asked/8 {
		_, err := fft.NewPlanContext(newCountdown(left), f, n, opts...)
		require.ErrorIs(t, err, context.Canceled, "length %d, end %d of %d", n, left, asked)
	}
	_, err = fft.NewPlanContext(newCountdown(asked-1), f, n, opts...)
	require.ErrorIs(t, err, context.Canceled)

	dst, x := make([]E, n), make([]E, n)
	for name, call := range map[string]func(ctx context.Context, dst, src []E) error{"forward": p.ForwardContext,
		"inverse": p.InverseContext} {
		ctx := newCountdown(endless)
		require.NoError(t, call(ctx, dst, x))
		asked := ctx.asked.Load()
		require.GreaterOrEqual(t, asked, int64(max(3, n>>16)), "length %d: %s", n, name)
		for left := int64(0); left < asked; left += 1 + asked/8 {
			require.ErrorIs(t, call(newCountdown(left), dst, x), context.Canceled, "length %d, %s, end %d of %d", n,
				name, left, asked)
		}
	}
}

// Prime lengths by a field's own convolutions look at the context while elements become residues and back, and while
// values are multiplied: more often than for the transforms of each prime alone.
func TestStopsInMoves(t *testing.T) {
	const n = 10613
	p, err := fft.NewPlan(prime64(t, 2*n+1), n)
	require.NoError(t, err)
	ctx, x := newCountdown(1<<40), make([]uint64, n)
	require.NoError(t, p.ForwardContext(ctx, x, x))
	require.GreaterOrEqual(t, ctx.asked.Load(), int64(16))
}

// A prime length ends with the error of its deadline. Several calls may begin before: timers fire late on a machine
// that is busy.
func TestDeadline(t *testing.T) {
	p, err := fft.NewPlan(prime64(t, 2*200033+1), 200033)
	require.NoError(t, err)
	x := make([]uint64, p.Len())
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	for err == nil {
		err = p.ForwardContext(ctx, x, x)
	}
	require.ErrorIs(t, err, context.DeadlineExceeded)
}

func TestNewPlanContextNil(t *testing.T) {
	var none context.Context
	_, err := fft.NewPlanContext(none, smallprime.P62(), 8)
	require.ErrorIs(t, err, fft.ErrSpec)
	_, err = fft.NewConvolution(none, smallprime.P62(), 8)
	require.ErrorIs(t, err, fft.ErrSpec)
	_, err = fft.NewConvolution(none, smallprime.Mersenne31(), 8)
	require.ErrorIs(t, err, fft.ErrSpec)
}

// explosive is a field whose products do what they are told.
type explosive struct {
	elements
	do func()
}

func (f explosive) Mul(z, x, y *uint64) {
	f.do()
	f.Rooted.Mul(z, x, y)
}

// spread is a Runner that runs every task in a goroutine of its own, as the default does not.
type spread struct{}

func (spread) Run(tasks int, f func(i int)) {
	done := make(chan struct{})
	for i := range tasks {
		go func() {
			defer func() { done <- struct{}{} }()
			f(i)
		}()
	}
	for range tasks {
		<-done
	}
}

// A panic in a task or in the progress function reaches the caller, whatever runs the tasks, and Goexit ends the
// caller's goroutine. The plan serves on.
func TestPanicReachesTheCaller(t *testing.T) {
	const n = 1 << 10
	for name, opts := range map[string][]fft.Option{
		"serial": {}, "workers": {fft.WithWorkers(4), fft.WithGrain(1)},
		"runner": {fft.WithWorkers(4), fft.WithGrain(1), fft.WithRunner(spread{})},
		"batch":  {fft.WithWorkers(4), fft.WithGrain(1), fft.WithBatch(fft.Rows(4, 0))},
	} {
		for _, place := range []string{"product", "progress"} {
			var act atomic.Pointer[func()]
			do := func() {
				if f := act.Load(); f != nil {
					(*f)()
				}
			}
			field, opts := explosive{elements{smallprime.P62()}, func() {}},
				append(opts[:len(opts):len(opts)], fft.WithAlgorithm(fft.FourStep), fft.WithBase(32))
			if place == "product" {
				field.do = do
			} else {
				opts = append(opts, fft.WithProgress(func(int, int) { do() }))
			}
			p, err := fft.NewPlan[uint64](field, n, opts...)
			require.NoError(t, err)
			x := make([]uint64, p.Size())
			slip := func() { panic("slip") }
			act.Store(&slip)
			require.PanicsWithValue(t, "slip", func() { _ = p.Forward(x, x) }, "%s, %s", name, place)

			exit := runtime.Goexit
			act.Store(&exit)
			ended, returned := make(chan struct{}), false
			go func() {
				defer close(ended)
				_ = p.Forward(x, x)
				returned = true
			}()
			select {
			case <-ended:
			case <-time.After(time.Minute):
				t.Fatalf("%s, %s: Goexit hangs the call", name, place)
			}
			require.False(t, returned, "%s, %s: Goexit", name, place)

			act.Store(nil)
			require.NoError(t, p.Forward(x, x), "%s, %s", name, place)
		}
	}
}

// A plan does not keep the context that it was made under.
func TestContextIsNotKept(t *testing.T) {
	for _, n := range []int{256, 1 << 16, 3 << 10} {
		type key struct{}
		freed := make(chan struct{})
		value := new([1 << 20]byte)
		runtime.AddCleanup(value, func(c chan struct{}) { close(c) }, freed)
		ctx := context.WithValue(context.Background(), key{}, value)
		value = nil
		p, err := fft.NewPlanContext(ctx, smallprime.Goldilocks(), n, fft.WithBatch(fft.Rows(2, 0)))
		require.NoError(t, err)
		ctx = nil
		late := time.After(time.Minute)
		for collected := false; !collected; { // pools keep what they have over one collection
			runtime.GC()
			select {
			case <-freed:
				collected = true
			case <-late:
				t.Fatalf("length %d: the context is kept", n)
			case <-time.After(time.Millisecond):
			}
		}
		runtime.KeepAlive(p)
	}
}
