package gpu

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/emulator"
	"github.com/galfft/fft/internal/testscale"
	"github.com/stretchr/testify/require"
)

// scarce is a plan on a device that has memory for so many more of its transforms, and a plan of the processor.
func scarce[E any](t *testing.T, f field.Rooted[E], n, fit int, opts ...fft.Option) (there, here *fft.Plan[E]) {
	d := spare(t)
	g, err := Field(f, On(d))
	require.NoError(t, err)
	there, err = fft.NewPlan(g, n, opts...)
	require.NoError(t, err)
	here, err = fft.NewPlan(f, n, opts...)
	require.NoError(t, err)
	leaving(t, d, fit*there.Report().Vector/max(1, there.Report().Vector/g.b.Bytes(n)))
	return there, here
}

// grouped compares batches that do not fit with the processor, gaps included.
func grouped[E comparable](t *testing.T, f field.Rooted[E], n, fit, count int) {
	for i, b := range []fft.Batch{{Count: count}, {Count: count, Stride: n + 3}, {Count: count, Columns: true},
		{Count: count, Stride: count + 5, Columns: true}} {
		for j, o := range []fft.Order{fft.Natural, fft.BitReversed} {
			if i%2 != j && testscale.Of(t) < testscale.Full {
				continue
			}
			name := fmt.Sprintf("%+v %v", b, o)
			there, here := scarce(t, f, n, fit, fft.WithBatch(b), fft.WithOrder(o))
			x := random(f, here.Size(), 1)
			_, err := there.NewVec()
			require.ErrorIs(t, err, field.ErrMemory, "%s: it is to be too large", name)
			for range 2 {
				want, got, src := random(f, len(x), 2), random(f, len(x), 2), slices.Clone(x)
				require.NoError(t, here.Forward(want, x), name)
				require.NoError(t, there.Forward(got, src), name)
				require.True(t, slices.Equal(want, got) && slices.Equal(x, src), name)
				require.NoError(t, there.Forward(src, src), name)
				require.NoError(t, here.Forward(x, x), name)
				require.True(t, slices.Equal(x, src), "%s, in place", name)
				require.NoError(t, here.Inverse(want, x), name)
				require.NoError(t, there.Inverse(got, src), name)
				require.True(t, slices.Equal(want, got) && slices.Equal(x, src), "%s, inverse", name)
				require.NoError(t, there.Inverse(src, src), name)
				require.NoError(t, here.Inverse(x, x), name)
				require.True(t, slices.Equal(x, src), "%s, inverse in place", name)
			}
			plenty(t)
		}
	}
}

// Batches that do not fit run in groups.
func TestGroups(t *testing.T) {
	emulator.Long(t)
	grouped(t, smallprime.P62(), 1<<10, 10, 64)
	grouped(t, smallprime.BabyBear(), 1<<6, 1, 7)
	grouped(t, smallprime.Goldilocks(), 1<<8, 3, 2*2)
	grouped(t, gfpf.P2(), 1<<6, 10, 33) // with staging
	grouped(t, gfpf.P3(), 1<<4, 2, 3)
}

// One that does not fit alone is an error with its size, and memory that comes back is used.
func TestGroupsOfOne(t *testing.T) {
	const n, count = 1 << 10, 8
	f := smallprime.P62()
	p, here := scarce(t, f, n, 0, fft.WithBatch(fft.Batch{Count: count}))
	x, y, want := random(f, n*count, 1), random(f, n*count, 2), make([]uint64, n*count)
	before := slices.Clone(y)
	err := p.Forward(y, x)
	require.ErrorIs(t, err, field.ErrMemory)
	require.ErrorContains(t, err, fmt.Sprintf("%d bytes, for 1 × %d elements", 8*n, n))
	require.Equal(t, before, y)
	plenty(t)
	require.NoError(t, here.Forward(want, x))
	require.NoError(t, p.Forward(y, x))
	require.Equal(t, want, y)
}

// Progress counts groups, and a context stops between them.
func TestGroupsStop(t *testing.T) {
	const n, count = 1 << 6, 64
	f := smallprime.P62()
	var steps []int
	stop := func() {}
	p, here := scarce(t, f, n, 10, fft.WithBatch(fft.Batch{Count: count}), fft.WithProgress(func(done, total int) {
		if total != 16 && total != 1 { // the processor has other steps
			return
		}
		if steps = append(steps, done); done == 3 {
			stop()
		}
	}))
	x, want, got := random(f, n*count, 1), make([]uint64, n*count), make([]uint64, n*count)
	require.NoError(t, here.Forward(want, x))
	steps = nil
	require.NoError(t, p.Forward(got, x))
	require.Equal(t, want, got)
	all := make([]int, 16) // of 4 transforms: two vectors fit
	for i := range all {
		all[i] = i + 1
	}
	require.Equal(t, all, steps)
	ctx, cancel := context.WithCancel(context.Background())
	stop, steps = cancel, nil
	require.ErrorIs(t, p.ForwardContext(ctx, got, x), context.Canceled)
	require.Less(t, len(steps), 6)
	stop = func() {}
	require.ErrorIs(t, p.ForwardContext(ctx, got, x), context.Canceled)
	require.NoError(t, p.Forward(got, x))
	require.Equal(t, want, got)
}

// Goroutines share what memory there is, and failures of the device reach the caller.
func TestGroupsAtOnce(t *testing.T) {
	const n, count = 1 << 6, 32
	f := smallprime.P62()
	p, here := scarce(t, f, n, 12, fft.WithBatch(fft.Batch{Count: count}))
	x, want := random(f, n*count, 1), make([]uint64, n*count)
	require.NoError(t, here.Forward(want, x))
	var wait sync.WaitGroup
	for range 2 {
		wait.Go(func() {
			got := make([]uint64, n*count)
			for range 5 {
				check(t, p.Forward(got, x), slices.Equal(want, got))
			}
		})
	}
	wait.Wait()
	got := make([]uint64, n*count)
	require.NoError(t, p.Forward(got, x))
	for _, function := range []string{"cuMemcpyHtoDAsync", "cuMemcpyDtoHAsync", "cuLaunchKernel", "cuGraphLaunch",
		"cuStreamSynchronize"} {
		for n := range 8 {
			failing(t, function, n+1, 1)
			if err := p.Forward(got, x); err != nil {
				require.ErrorContains(t, err, function)
			} else {
				require.Equal(t, want, got)
			}
		}
	}
	failing(t, "", 0, 0)
	require.NoError(t, p.Forward(got, x))
	require.Equal(t, want, got)
}

// overlapping is a field whose batches of four groups of 32 transforms of 2^8 points overlap, checked by the device.
func overlapping(t *testing.T) (f *smallprime.GoldilocksField, g *DeviceField[uint64], n, count int) {
	f = smallprime.Goldilocks()
	g, err := Field[uint64](f, On(spare(t)))
	require.NoError(t, err)
	b := g.b.(*words)
	b.chunk, b.seekFrom = 8<<9, 8<<9
	return f, g, 1 << 8, 128
}

// Batches of much memory go in groups, whose copies in and out overlap. Where elements are checked, some copies are a
// word, whether the device has found anything in a group.
func TestGroupsOverlap(t *testing.T) {
	f, g, n, count := overlapping(t)
	const groups = 4
	x := random(f, n*count, 1)
	want, got := make([]uint64, len(x)), make([]uint64, len(x))
	batch := fft.WithBatch(fft.Batch{Count: count})
	require.NoError(t, must(fft.NewPlan[uint64](f, n, batch)).Forward(want, x))
	for most, opts := range map[int][]fft.Option{2 * groups: {batch}, groups: {batch, fft.WithoutRangeCheck()}} {
		p := must(fft.NewPlan[uint64](g, n, opts...))
		require.NoError(t, p.Forward(got, x)) // makes vectors
		clear(got)
		failing(t, "cuMemcpyDtoHAsync", most+1, 1) // those in are more where a pool was empty
		require.NoError(t, p.Forward(got, x), "more than %d copies", most)
		require.Equal(t, want, got)
		failing(t, "cuMemcpyDtoHAsync", groups, 1)
		require.ErrorContains(t, p.Forward(got, x), "cuMemcpyDtoHAsync", most)
		failing(t, "", 0, 0)
		for _, us := range []string{"30", "0"} {
			t.Setenv("EMULATE_DELAY", us)
			clear(got)
			require.NoError(t, p.Forward(got, x))
			require.Equal(t, want, got)
			require.NoError(t, p.Inverse(got, got))
			require.Equal(t, x, got)
		}
	}
}

// Where groups hold what is not canonical, the error is that of the host, and nothing is written: whoever looks at
// them, in whatever layout.
func TestGroupsRange(t *testing.T) {
	f, g, n, count := overlapping(t)
	bad := []uint64{goldilocks, ^uint64(0)}
	r := rand.New(rand.NewPCG(1, 2))
	for _, b := range []fft.Batch{fft.Rows(count, 0), fft.Rows(count, n+3), fft.Columns(count, 0),
		fft.Columns(count, count+5)} {
		p := must(fft.NewPlan[uint64](g, n, fft.WithBatch(b)))
		here := must(fft.NewPlan[uint64](f, n, fft.WithBatch(b)))
		x := random(f, p.Size(), 3)
		for range 3 {
			wrong := slices.Clone(x)
			for range 1 + r.IntN(3) {
				wrong[r.IntN(len(wrong))] = bad[r.IntN(len(bad))]
			}
			want, got := random(f, len(x), 4), random(f, len(x), 4)
			clean, before := slices.Clone(wrong), slices.Clone(got)
			expected := here.Forward(want, wrong)
			for _, dst := range [][]uint64{got, wrong} { // out of place, in place
				err := p.Forward(dst, wrong)
				if expected == nil { // in gaps
					require.NoError(t, err)
					break
				}
				require.EqualError(t, err, expected.Error())
				require.Equal(t, before, got, b)
				require.Equal(t, clean, wrong, b)
			}
		}
	}
}

// seen is a field that says which parts of slices the host looks at.
type seen struct {
	host[uint64]
	look func(x []uint64)
}

func (s seen) FirstInvalid(x []uint64) int {
	s.look(x)
	return s.host.FirstInvalid(x)
}

// sequential runs task after task, once begin allows it.
type sequential struct{ begin chan struct{} }

func (s sequential) Run(tasks int, f func(i int)) {
	<-s.begin
	for i := range tasks {
		f(i)
	}
}

// The device looks at groups from the first on, the host at those from the last on.
func TestGroupsFromBothEnds(t *testing.T) {
	f, g, n, count := overlapping(t)
	for name, device := range map[string]bool{"device": true, "host": false} {
		at, begin, once := 0, make(chan struct{}), sync.Once{}
		x, got := random(f, n*count, 1), make([]uint64, n*count)
		opts := []fft.Option{fft.WithBatch(fft.Batch{Count: count})}
		if !device { // which begins when the host has the last group
			at = len(x) - 1
			opts = append(opts, fft.WithRunner(sequential{begin}))
		}
		own := g.host
		g.host = seen{own, func(part []uint64) {
			first := &part[0] == &x[0]
			if !device || first { // as the device has found something there
				once.Do(func() { close(begin) })
			} else {
				<-begin
			}
		}}
		p := must(fft.NewPlan[uint64](g, n, opts...))
		x[at] = goldilocks
		err := p.Forward(got, x)
		var e *field.RangeError
		require.ErrorAs(t, err, &e, name)
		require.Equal(t, at, e.Index, name)
		require.Equal(t, make([]uint64, len(x)), got, name)
		x[at] = 1
		require.NoError(t, p.Forward(got, x), name)
		want := make([]uint64, len(x))
		require.NoError(t, must(fft.NewPlan[uint64](f, n, opts[0])).Forward(want, x))
		require.Equal(t, want, got, name)
		g.host = own
	}
}
