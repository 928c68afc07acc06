package nccl

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft"
	"github.com/galfft/fft/dist"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/gpu"
	"github.com/galfft/fft/internal/device"
)

// measured is a transform of vectors that stay on the devices.
type measured struct {
	name  string
	times int
	make  func(ctx context.Context, g dist.Group, d *gpu.Device) (*running, error)
}

// running is a plan with a vector, by itself (of no group) or of a rank.
type running struct {
	forward func() error
	shards  float64 // memory of the plan and the vector over the vector
	bytes   int     // of the vector
	free    func() error
}

func onDevice(name string, n, count int) func(ctx context.Context, g dist.Group, d *gpu.Device) (*running, error) {
	return func(ctx context.Context, g dist.Group, d *gpu.Device) (*running, error) {
		_, on, err := hidden(name, d)
		if err != nil {
			return nil, err
		}
		opts := []fft.Option{fft.WithOrder(fft.BitReversed), fft.WithBatch(fft.Batch{Count: count})}
		var plan interface {
			NewVec() (field.Vec, error)
			ForwardVec(ctx context.Context, v field.Vec) error
			Report() field.Report
		}
		if g == nil {
			plan, err = on.Plan(ctx, n, opts...)
		} else {
			plan, err = dist.NewErased(ctx, g, on, n, dist.Blocks{}, opts...)
		}
		if err != nil {
			return nil, err
		}
		v, err := plan.NewVec()
		if err != nil {
			return nil, err
		}
		r := plan.Report()
		return &running{
			forward: func() error { return plan.ForwardVec(ctx, v) },
			shards:  float64(r.Vector+r.Tables+r.Scratch) / float64(r.Vector),
			bytes:   r.Vector,
			free:    v.Close,
		}, nil
	}
}

// allMeasured is the cases of several cards, the longest last.
func allMeasured() []measured {
	var list []measured
	add := func(name string, times int, make func(context.Context, dist.Group, *gpu.Device) (*running, error)) {
		list = append(list, measured{name, times, make})
	}
	for _, log := range []int{20, 22, 24, 26, 28, 30} {
		times := 12
		if log <= 24 {
			times = 40
		}
		add(fmt.Sprintf("goldilocks 2^%d", log), times, onDevice("goldilocks", 1<<log, 1))
	}
	add("goldilocks 2^20 × 256", 12, onDevice("goldilocks", 1<<20, 256))
	longest := 32 // no constant, for machines with ints of 32 bits
	add("goldilocks 2^32", 6, onDevice("goldilocks", 1<<longest, 1))
	add("gfpf:P3 2^20", 12, onDevice("gfpf:P3", 1<<20, 1))
	add("gfpf:P3 2^26", 6, onDevice("gfpf:P3", 1<<26, 1))
	return list
}

// measure times all cases on the devices of a group, or on one of no group, which prints what rank 0 sees. Beside the
// reckoned memory is what the device lacks since before the plan was made.
func measure(ctx context.Context, how string, g dist.Group, d *gpu.Device) error {
	for _, c := range allMeasured() {
		if err := measureOne(ctx, how, g, d, c); err != nil && !errors.Is(err, field.ErrMemory) {
			return fmt.Errorf("%s: %w", c.name, err)
		} else if err != nil && (g == nil || g.Rank() == 0) {
			fmt.Printf("%s, %s: %v\n", how, c.name, err)
		}
	}
	return nil
}

func measureOne(ctx context.Context, how string, g dist.Group, d *gpu.Device, c measured) error {
	driver := (*device.Device)(d).Driver()
	before, _, err := driver.Free()
	if err != nil {
		return err
	}
	r, err := c.make(ctx, g, d)
	if err != nil {
		return err
	}
	defer func() { _ = r.free() }()
	var times []time.Duration
	for range c.times + 2 {
		start := time.Now()
		if err := r.forward(); err != nil {
			return err
		}
		times = append(times, time.Since(start))
	}
	after, _, err := driver.Free()
	if g == nil || g.Rank() == 0 {
		first := times[0]
		times = times[2:]
		var sum time.Duration
		for _, t := range times {
			sum += t
		}
		slices.Sort(times)
		fmt.Printf("%s, %s: least %v, median %v, mean %v, most %v, first %v; memory %.2f, by the driver %.2f parts\n", how,
			c.name, times[0], times[len(times)/2], sum/time.Duration(len(times)), times[len(times)-1], first, r.shards,
			float64(before-after)/float64(r.bytes))
	}
	return err
}

// BenchmarkCards times all cases on the devices of this process, once, and on one device.
func BenchmarkCards(b *testing.B) {
	onCards(b)
	for _, size := range []int{1, 2, 4} {
		b.Run(fmt.Sprintf("devices=%d", size), func(b *testing.B) {
			devices := devicesOf(b, size)
			if size == 1 {
				require.NoError(b, measure(b.Context(), "one card", nil, devices[0]))
				return
			}
			how := fmt.Sprintf("one process with %d cards", size)
			require.NoError(b, dist.Run(groupOf(b, "nccl", devices), func(g dist.Group) error {
				return measure(b.Context(), how, g, devices[g.Rank()])
			}))
		})
	}
}

// TestLongest compares hashes of transforms of 2^32 points, or as many as there is memory for, with those of one card.
func TestLongest(t *testing.T) {
	list, err := gpu.Devices()
	if err != nil || len(list) < 2 || uint64(list[0].Memory) < 1<<35 {
		t.Skip("for several devices of 32 GiB and more")
	}
	devices := devicesOf(t, 1<<(bits.Len(uint(len(list)))-1))
	log := 32
	for list[0].Memory < 7*8<<log/2 { // 3 vectors for one card
		log--
	}
	n := uint64(1) << log
	whole := make([]uint64, n)
	x := func(i uint64) uint64 { return mixed(i+1) % (1<<64 - 1<<32 + 1) }
	everyPart(whole, func(from uint64, part []uint64) {
		for i := range part {
			part[i] = x(from + uint64(i))
		}
	})
	want := make([]uint64, len(devices))
	size := uint64(len(devices))
	f := smallprime.Goldilocks()
	func() {
		on, err := gpu.Field(f, gpu.On(devices[0]))
		require.NoError(t, err)
		p, err := fft.NewPlan(on, int(n), fft.WithOrder(fft.BitReversed))
		require.NoError(t, err)
		v, err := p.NewVec()
		require.NoError(t, err)
		defer v.Close()
		require.NoError(t, errors.Join(p.Load(v, whole), p.ForwardVec(t.Context(), v), p.Store(whole, v)))
		for r := range size {
			want[r] = hashOf(whole[r*n/size : (r+1)*n/size])
		}
	}()
	require.NoError(t, devices[0].Close()) // with its tables
	devices[0], err = gpu.Open(0)
	require.NoError(t, err)
	defer devices[0].Close()
	ends, err := Local(t.Context(), devices...)
	require.NoError(t, err)
	require.NoError(t, dist.Run(ends, func(g dist.Group) error {
		on, err := gpu.Field(f, gpu.On(devices[g.Rank()]))
		if err != nil {
			return err
		}
		p, err := dist.NewPlan(t.Context(), g, on, int(n), dist.Blocks{}, fft.WithOrder(fft.BitReversed))
		if err != nil {
			return err
		}
		me := uint64(g.Rank())
		part := whole[me*n/size : (me+1)*n/size]
		own := p.Coefficients(g.Rank())
		everyPart(part, func(from uint64, part []uint64) {
			for i := range part {
				part[i] = x(uint64(own.Index(int(from) + i)))
			}
		})
		before := hashOf(part)
		v, err := p.NewVec()
		if err != nil {
			return err
		}
		if err := errors.Join(p.Load(v, part), p.ForwardVec(t.Context(), v), p.Store(part, v)); err != nil {
			return err
		}
		if got := hashOf(part); got != want[me] {
			return fmt.Errorf("rank %d: a hash of %x, one card's is %x", me, got, want[me])
		}
		if err := errors.Join(p.InverseVec(t.Context(), v), p.Store(part, v)); err != nil {
			return err
		}
		if got := hashOf(part); got != before {
			return fmt.Errorf("rank %d: coefficients are wrong behind the inverse", me)
		}
		return nil
	}))
	t.Logf("2^%d points on %d devices: the values of one, by hashes, and back", log, size)
}

// mixed is a permutation of words without a pattern (Steele, Lea and Flood, "Fast splittable pseudorandom number
// generators", OOPSLA 2014).
func mixed(x uint64) uint64 {
	x *= 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// hashOf is of words and their places.
func hashOf(x []uint64) uint64 {
	var lock sync.Mutex
	var sum uint64
	everyPart(x, func(from uint64, part []uint64) {
		var own uint64
		for i, w := range part {
			own += mixed(w ^ mixed(from+uint64(i)))
		}
		lock.Lock()
		sum += own
		lock.Unlock()
	})
	return sum
}

// everyPart does something with parts of x, side by side.
func everyPart(x []uint64, do func(from uint64, part []uint64)) {
	const length = 1 << 22
	var all sync.WaitGroup
	next := make(chan uint64)
	for range 16 {
		all.Go(func() {
			for from := range next {
				do(from, x[from:min(from+length, uint64(len(x)))])
			}
		})
	}
	for from := uint64(0); from < uint64(len(x)); from += length {
		next <- from
	}
	close(next)
	all.Wait()
}

// TestHoard has a device without memory, which is an error of all ranks; when there is some again, all serve on.
func TestHoard(t *testing.T) {
	list, err := gpu.Devices()
	if err != nil || len(list) < 2 || uint64(list[0].Memory) < 1<<35 {
		t.Skip("for several devices of 32 GiB and more")
	}
	devices := devicesOf(t, 1<<(bits.Len(uint(len(list)))-1))
	ends, err := Local(t.Context(), devices...)
	require.NoError(t, err)
	long := onDevice("goldilocks", 1<<28, 1)
	once := func(g dist.Group) error {
		r, err := long(t.Context(), g, devices[g.Rank()])
		if err != nil {
			return err
		}
		return errors.Join(r.forward(), r.free())
	}
	var held []*device.Memory
	hoard := func() {
		for bytes := list[1].Memory; bytes >= 1<<22; {
			m, err := (*device.Device)(devices[1]).Make(bytes)
			if err != nil {
				bytes /= 2
				continue
			}
			held = append(held, m)
		}
	}
	require.NoError(t, dist.Run(ends, func(g dist.Group) error {
		if err := once(g); err != nil { // NCCL has its own memory then
			return err
		}
		if g.Rank() == 1 {
			hoard()
		}
		if err := g.Agree(t.Context(), 0, nil); err != nil {
			return err
		}
		start := time.Now()
		_, err := long(t.Context(), g, devices[g.Rank()])
		if took := time.Since(start); !errors.Is(err, field.ErrMemory) || took > 10*time.Second {
			return fmt.Errorf("rank %d: %w after %v, want ErrMemory", g.Rank(), err, took)
		}
		if err := g.Agree(t.Context(), 0, nil); err != nil {
			return err
		}
		if g.Rank() == 1 {
			for _, m := range held {
				m.Drop()
			}
		}
		if err := g.Agree(t.Context(), 0, nil); err != nil {
			return err
		}
		return once(g)
	}))
	t.Logf("%d of %d devices without memory: ErrMemory, and transforms afterwards", 1, len(devices))
}
