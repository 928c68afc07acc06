package nccl

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/dist"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/gpu"
	"github.com/galfft/fft/internal/device"
	"github.com/galfft/fft/internal/device/driver"
	"github.com/galfft/fft/internal/emulator"
)

// resident is transforms of 2^log points over Goldilocks, of vectors that stay on the device.
func resident(ctx context.Context, g dist.Group, d *gpu.Device, log int) (func() error, error) {
	r, err := onDevice("goldilocks", 1<<log, 1)(ctx, g, d)
	if err != nil {
		return nil, err
	}
	return r.forward, nil
}

// groupOf is ranks of devices, by nccl or by copies of peers.
func groupOf(b *testing.B, how string, devices []*gpu.Device) []dist.Group {
	ends, err := Local(b.Context(), devices...)
	if how == "peers" {
		ends, err = localOf(context.Background(), devices, errors.New("asked for"))
	}
	require.NoError(b, err)
	return ends
}

// onCards skips what is for real devices.
func onCards(b *testing.B) {
	need(b)
	if emulator.Emulates() {
		b.Skip("for real devices")
	}
}

// timed has all ranks do something as often as asked for.
func timed(b *testing.B, ends []dist.Group, prepare func(g dist.Group) (func() error, error)) {
	require.NoError(b, dist.Run(ends, func(g dist.Group) error {
		do, err := prepare(g)
		if err != nil {
			return err
		}
		for i := range b.N + 2 {
			if i == 2 && g.Rank() == 0 {
				b.ResetTimer()
			}
			if err := do(); err != nil {
				return err
			}
		}
		if g.Rank() == 0 {
			b.StopTimer() // the end of a communicator takes long
		}
		return nil
	}))
}

// stamped is a group that keeps the times of what a call does: the host's, and of steps those of the device.
type stamped struct {
	dist.Stepper
	d     *device.Device
	start time.Time
	line  []string
	marks []mark
}

// mark is a place in a stream.
type mark struct {
	what  string
	timer *driver.Event
}

func (s *stamped) begin() error {
	for _, m := range s.marks {
		if err := m.timer.Close(); err != nil {
			return err
		}
	}
	s.start, s.line, s.marks = time.Now(), nil, nil
	return s.mark("start", s.d.Stream())
}

func (s *stamped) stamp(what string) {
	s.line = append(s.line, fmt.Sprintf("%s %v", what, time.Since(s.start)))
}

func (s *stamped) mark(what string, on *driver.Stream) error {
	t, err := s.d.Driver().NewTimer()
	if err != nil {
		return err
	}
	s.marks = append(s.marks, mark{what, t})
	return t.Record(on)
}

// times is the marks by the device's clock, in order.
func (s *stamped) times() (string, error) {
	type at struct {
		what string
		ms   float64
	}
	var list []at
	for _, m := range s.marks[1:] {
		ms, err := driver.Milliseconds(s.marks[0].timer, m.timer)
		if err != nil {
			return "", err
		}
		list = append(list, at{m.what, ms})
	}
	slices.SortFunc(list, func(a, b at) int { return cmp.Compare(a.ms, b.ms) })
	var text []string
	for _, a := range list {
		text = append(text, fmt.Sprintf("%s %.2f", a.what, a.ms))
	}
	return strings.Join(text, ", "), nil
}

func (s *stamped) Exchange(ctx context.Context, b bulks.Bulk, recv, send bulks.View) error {
	s.stamp("columns")
	err := s.Stepper.Exchange(ctx, b, recv, send)
	s.stamp("exchange")
	return err
}

func (s *stamped) ExchangeSteps(ctx context.Context, b bulks.Bulk, recv, send bulks.View, c dist.Chunks,
	before, after func(chunk int) error) error {
	if err := s.mark("columns", s.d.Stream()); err != nil {
		return err
	}
	return s.Stepper.ExchangeSteps(ctx, b, recv, send, c, before, func(chunk int) error {
		return errors.Join(s.mark(fmt.Sprintf("step %d", chunk), s.Stepper.(*member).beside), after(chunk),
			s.mark(fmt.Sprintf("rows %d", chunk), s.d.Stream()))
	})
}

// agreeing is the group beneath, whose agreements are kept.
type agreeing struct {
	dist.Group
	s *stamped
}

func (a *agreeing) Agree(ctx context.Context, key uint64, err error) error {
	a.s.stamp("(asked")
	err = a.Group.Agree(ctx, key, err)
	a.s.stamp("agreed)")
	return err
}

// timeline prints when a rank is over with its columns, the exchange and its rows, in the shortest of some transforms
// and in the one in the middle.
func timeline(ctx context.Context, g dist.Group, d *gpu.Device, log int) error {
	m := g.(*member)
	s := &stamped{Stepper: m, d: (*device.Device)(d)}
	beneath := m.Group
	m.Group = &agreeing{beneath, s}
	defer func() { m.Group = beneath }()
	forward, err := resident(ctx, s, d, log)
	if err != nil {
		return err
	}
	type run struct {
		took time.Duration
		line string
	}
	var runs []run
	for range 31 {
		if err := g.Agree(ctx, 0, nil); err != nil { // all begin together
			return err
		}
		if err := s.begin(); err != nil {
			return err
		}
		if err := forward(); err != nil {
			return err
		}
		took := time.Since(s.start)
		line, err := s.times()
		if err != nil {
			return err
		}
		if line == "" {
			line = strings.Join(s.line, ", ")
		}
		runs = append(runs, run{took, line})
	}
	slices.SortFunc(runs, func(a, b run) int { return cmp.Compare(a.took, b.took) })
	for _, i := range []int{0, len(runs) / 2} {
		fmt.Printf("timeline, 2^%d, run %d of %d, rank %d of %d, until: %v, all %v\n", log, i+1, len(runs),
			g.Rank(), g.Size(), runs[i].line, runs[i].took)
	}
	return nil
}

// BenchmarkTimeline prints timelines of devices in one process.
func BenchmarkTimeline(b *testing.B) {
	onCards(b)
	for _, size := range []int{2, 4} {
		b.Run(fmt.Sprintf("devices=%d", size), func(b *testing.B) {
			devices := devicesOf(b, size)
			require.NoError(b, dist.Run(groupOf(b, "nccl", devices), func(g dist.Group) error {
				return timelines(b.Context(), g, devices[g.Rank()])
			}))
		})
	}
}

func timelines(ctx context.Context, g dist.Group, d *gpu.Device) error {
	for _, log := range []int{22, 28, 30} {
		if err := timeline(ctx, g, d, log); err != nil {
			return err
		}
	}
	return nil
}

// BenchmarkExchange is the exchange of parts of 2^log bytes of all devices, by groups, and by NCCL alone, of which
// several are begun at once.
func BenchmarkExchange(b *testing.B) {
	onCards(b)
	const bare = 10
	for _, log := range []int{20, 24, 28, 32} {
		for _, how := range []string{"group", "peers", "bare"} {
			for _, size := range []int{2, 4, 8} {
				b.Run(fmt.Sprintf("%s/devices=%d/bytes=2^%d", how, size, log), func(b *testing.B) {
					devices := devicesOf(b, size)
					timed(b, groupOf(b, how, devices), func(g dist.Group) (func() error, error) {
						on, err := gpu.Field(smallprime.Goldilocks(), gpu.On(devices[g.Rank()]))
						if err != nil {
							return nil, err
						}
						f := on.Bulk()
						x, err1 := f.Make(1 << (log - 3))
						y, err2 := f.Make(1 << (log - 3))
						if err := errors.Join(err1, err2); err != nil || how != "bare" {
							return func() error { return g.Exchange(b.Context(), f, x, y) }, err
						}
						return func() error { return g.(*member).bare(b.Context(), f.(planes), x, y, bare) },
							g.Exchange(b.Context(), f, x, y)
					})
					times := 1
					if how == "bare" {
						times = bare
					}
					each := float64(b.Elapsed().Nanoseconds()) / float64(b.N*times)
					b.ReportMetric(each, "ns/exchange")
					b.ReportMetric(float64(int(1)<<log)*float64(size-1)/float64(size)/each, "GB/s")
				})
			}
		}
	}
}

// bare begins exchanges one behind the other, and waits for the last one.
func (m *member) bare(ctx context.Context, p planes, recv, sent bulks.View, times int) error {
	to, in, bytes := p.Planes(recv)
	_, out, _ := p.Planes(sent)
	part := uintptr(recv.N / m.Size() * bytes)
	event, err := m.d.Driver().NewEvent()
	if err != nil {
		return err
	}
	defer event.Close()
	for range times {
		err := m.within(func() error {
			err := m.l.call(groupStart)
			for r := range m.Size() {
				off := uintptr(r) * part
				err = errors.Join(err,
					m.l.call(send, uintptr(out[0])+off, part, 1, uintptr(r), m.comm, to.Stream().Handle()),
					m.l.call(receive, uintptr(in[0])+off, part, 1, uintptr(r), m.comm, to.Stream().Handle()))
			}
			return errors.Join(err, m.l.call(groupEnd))
		})
		for ready := false; err == nil && !ready; {
			ready, err = m.ready()
		}
		if err != nil {
			return err
		}
	}
	if err := event.Record(to.Stream()); err != nil {
		return err
	}
	for {
		if over, err := event.Poll(func() (bool, error) { return false, nil }); over || err != nil {
			return err
		}
		time.Sleep(5 * time.Microsecond)
	}
}
