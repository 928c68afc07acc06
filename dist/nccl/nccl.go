package nccl

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/galfft/fft/dist"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/gpu"
	"github.com/galfft/fft/internal/device"
	"github.com/galfft/fft/internal/device/driver"
)

// planes is what bulks on devices have: see package gpu.
type planes interface {
	Planes(v bulks.View) (m *device.Memory, planes []uint64, bytes int)
}

// Keys of agreements that are no call of a plan's.
const (
	keyFound uint64 = iota + 1<<63
	keyBegun
	keyMoved
)

const (
	beginLimit = 20 * time.Second // for all ranks to come to a communicator
	endLimit   = 3 * time.Second  // for one to end in order
	callLimit  = 3 * time.Second  // for a call of NCCL, none of which waits for other ranks
)

// member is a rank of a group of devices: a dist.Group.
type member struct {
	dist.Group // beneath: it agrees, and moves what is on the host
	d          *device.Device
	l          *library
	alarm      alarm
	patience   time.Duration // with a call of NCCL

	mu     sync.Mutex
	closed bool
	round  int64          // communicators and exchanges so far, alike on all ranks
	comm   uintptr        // 0: the next exchange makes one
	beside *driver.Stream // of steps; nil: there were none
	calls  chan func()    // of NCCL, to the thread of this rank; nil: none runs
	made   uniqueID       // that NCCL writes, as state: in the heap, for stacks move
	stuck  bool           // a call of NCCL has not returned
	state  int32          // that NCCL writes
}

// alarm tells ranks of each other's failures, by rounds. Of a round that this rank is in, it says the same to all:
// nobody goes on to the next one before all have agreed on this one.
type alarm interface {
	raise(round int64)       // tells all that round, and those before it, come to nothing
	raised(round int64) bool // reports whether somebody has
}

// bell is an alarm of one process.
type bell struct{ round atomic.Int64 }

func (b *bell) raise(round int64) {
	for {
		old := b.round.Load()
		if old >= round || b.round.CompareAndSwap(old, round) {
			return
		}
	}
}

func (b *bell) raised(round int64) bool { return b.round.Load() >= round }

// Over returns a group of the ranks of g, each of which calls it with a device of its own; two ranks of one process and
// device are an error of NCCL's. It makes a communicator, whose id rank 0 gives to the others by way of g. Close closes
// g too.
//
// Where g is of several processes and cannot tell ranks of each other's failures, as that of package dist/mpi, a rank
// that fails inside an exchange ends the job.
//
// Errors are one for all ranks: ErrUnavailable where there is no NCCL, ErrCall, and those of g. A rank that does not
// come is given up after twenty seconds.
func Over(ctx context.Context, g dist.Group, d *gpu.Device) (dist.Group, error) {
	switch {
	case field.CheckValue("group", g) != nil || d == nil:
		return nil, fmt.Errorf("nccl: %w: want a group and a device", field.ErrSpec)
	case ctx == nil:
		return nil, fmt.Errorf("nccl: %w: the context is nil", field.ErrSpec)
	}
	m := &member{Group: g, d: (*device.Device)(d), patience: callLimit}
	if a, ok := g.(alarm); ok {
		m.alarm = a
	} else {
		m.alarm = new(lonely)
	}
	var err error
	m.l, err = load()
	if err := g.Agree(ctx, keyFound, err); err != nil {
		return nil, err
	}
	if err := m.begin(ctx); err != nil {
		return nil, err
	}
	return m, nil
}

// lonely is the alarm of a group without one.
type lonely struct{ bell }

// fail tells the others that this round comes to nothing, or ends the job where that is the only way.
func (m *member) fail() {
	m.alarm.raise(m.round)
	if _, alone := m.alarm.(*lonely); !alone {
		return
	}
	if job, ok := m.Group.(interface{ Abort(code int) }); ok && m.Size() > 1 {
		job.Abort(1)
	}
}

// begin makes a communicator.
func (m *member) begin(ctx context.Context) error {
	m.round++
	var id uniqueID
	var err error
	if m.Rank() == 0 {
		err = m.l.call(getUniqueID, address(&m.made))
		id = m.made
	}
	if err := m.Agree(ctx, keyFound, err); err != nil {
		return err
	}
	if id, err = spread(ctx, m.Group, id); err != nil {
		return err
	}
	comm := new(uintptr)
	err = m.within(func() error {
		code := m.l.init(comm, int32(m.Size()), id, int32(m.Rank()), &m.l.waiting)
		return m.l.failed(initRankConfig, code)
	})
	if err == nil {
		m.comm = *comm
		limited, cancel := context.WithTimeoutCause(ctx, beginLimit, errLate)
		err = m.poll(limited, m.ready)
		cancel()
	}
	if err != nil && !errors.Is(err, errAlarm) {
		m.alarm.raise(m.round)
	}
	return m.settle(ctx, keyBegun, err)
}

var (
	errLate  = fmt.Errorf("%w: it has not come to the communicator in %v", dist.ErrRank, beginLimit)
	errAlarm = errors.New("another rank has failed")
	errStuck = fmt.Errorf("%w: it has not returned", ErrCall)
)

// within makes calls of NCCL on a thread of this rank, as their groups are of a thread. Calls may stay away where a
// peer is gone without a word. They are given up then, and with them NCCL, as its state is unknown; the thread stays
// behind.
func (m *member) within(do func() error) error {
	if m.stuck {
		return errStuck
	}
	if m.calls == nil {
		calls := make(chan func())
		m.calls = calls
		go func() {
			runtime.LockOSThread() // and it ends with the goroutine
			for f := range calls {
				f()
			}
		}()
	}
	done := make(chan error, 1)
	m.calls <- func() { done <- m.d.Driver().With(do) }
	late := time.NewTimer(m.patience)
	defer late.Stop()
	select {
	case err := <-done:
		return err
	case <-late.C:
		m.stuck = true
		return errStuck
	}
}

// spread gives all ranks the id that rank 0 has.
func spread(ctx context.Context, g dist.Group, id uniqueID) (uniqueID, error) {
	if t, ok := g.(*star); ok {
		return t.spread(ctx, id)
	}
	sent, got := make([]uint64, len(id.Word)*g.Size()), make([]uint64, len(id.Word)*g.Size())
	for r := range g.Size() {
		copy(sent[r*len(id.Word):], id.Word[:])
	}
	err := dist.Share(ctx, g, got, sent)
	copy(id.Word[:], got)
	return id, err
}

// settle agrees on the end of a round. Where it has failed anywhere, the communicator is over. The alarm is not asked
// again behind the agreement: others may be in a later round by then, or have left, and raised it for that.
func (m *member) settle(ctx context.Context, key uint64, err error) error {
	alarmed := errors.Is(err, errAlarm)
	if alarmed { // who has raised it knows why
		err = nil
	}
	agreed := m.Agree(ctx, key, err)
	if agreed == nil && alarmed {
		agreed = &dist.RankError{Rank: m.Rank(), Err: fmt.Errorf("%w: %w", dist.ErrRank, errAlarm)}
	}
	if agreed != nil {
		m.drop()
	}
	return agreed
}

// drop aborts the communicator, with what runs.
func (m *member) drop() {
	if m.comm != 0 {
		comm := m.comm
		_ = m.within(func() error { return m.l.call(abort, comm) })
		m.comm = 0
	}
}

// ready reports whether the communicator has done all that it was asked for; kernels may run on.
func (m *member) ready() (bool, error) {
	if err := m.l.call(asyncError, m.comm, address(&m.state)); err != nil {
		return false, err
	}
	if m.state == remoteError {
		return false, fmt.Errorf("%w: %w", dist.ErrRank, m.l.failed(asyncError, m.state))
	}
	return m.state == success, m.l.failed(asyncError, m.state)
}

// polling is how long a rank asks again and again before it sleeps in between. A short sleep is one of a millisecond
// where the process has nothing else to do, as Go's scheduler waits in epoll then, whose unit that is.
const polling = 16 * time.Millisecond

// poll asks until something is over, or ctx ends or another rank fails. Its sleeps end a sixteenth of the time that it
// has waited too late, at most.
func (m *member) poll(ctx context.Context, over func() (bool, error)) error {
	for start := time.Now(); ; {
		switch done, err := over(); {
		case err != nil:
			return err
		case done:
			return nil
		case m.alarm.raised(m.round):
			return errAlarm
		case ctx.Err() != nil:
			return fmt.Errorf("nccl: waiting for the other ranks: %w", context.Cause(ctx))
		}
		if time.Since(start) > polling {
			time.Sleep(polling / 16)
		} else {
			runtime.Gosched() // to ranks of this process
		}
	}
}

// Exchange is that of dist.Group. Vectors on the host go by way of the group beneath.
func (m *member) Exchange(ctx context.Context, b bulks.Bulk, recv, send bulks.View) error {
	return m.ExchangeSteps(ctx, b, recv, send, dist.Chunks{Order: []int{0}}, nil, nil)
}

// Steps is that of dist.Stepper: steps of 64 MiB or more of a vector, at most 16 of them. A rank's rows begin behind
// the first one.
func (m *member) Steps(bytes int) int {
	const least, most = 1 << 26, 16
	steps := most
	for steps > 1 && bytes/steps < least {
		steps /= 2
	}
	return steps
}

// ExchangeSteps is that of dist.Stepper.
func (m *member) ExchangeSteps(ctx context.Context, b bulks.Bulk, recv, send bulks.View, c dist.Chunks,
	before, after func(chunk int) error) error {
	p, ok := b.(planes)
	if !ok {
		if len(c.Order) == 1 && c.Rows() == 1 {
			return m.Group.Exchange(ctx, b, recv, send)
		}
		return fmt.Errorf("nccl: %w: vectors on the host in steps", field.ErrSpec)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return &dist.RankError{Rank: m.Rank(), Err: dist.ErrRank}
	}
	if send.N != recv.N || len(c.Order) == 0 || send.N%(m.Size()*len(c.Order)*c.Rows()) != 0 {
		err := &field.LengthError{What: "recv", Want: send.N, Got: recv.N}
		m.round++ // that of the others, which begin a communicator or move
		m.alarm.raise(m.round)
		return m.settle(ctx, keyMoved, err)
	}
	if m.comm == 0 {
		if err := m.begin(ctx); err != nil {
			return err
		}
	}
	m.round++
	err := m.move(ctx, p, recv, send, c, before, after)
	if err != nil && !errors.Is(err, errAlarm) {
		m.fail()
	}
	return m.settle(ctx, keyMoved, err)
}

// move exchanges the chunks, and waits until all have come. Where there are several they have a stream of their own.
func (m *member) move(ctx context.Context, p planes, recv, sent bulks.View, c dist.Chunks,
	before, after func(chunk int) error) (err error) {
	to, in, bytes := p.Planes(recv)
	from, out, _ := p.Planes(sent)
	part, order := recv.N/m.Size()*bytes, c.Order
	if part == 0 {
		return nil
	}
	to.Reads(from)
	main, beside := to.Stream(), to.Stream()
	if len(order) > 1 {
		if beside, err = m.stream(); err != nil {
			return err
		}
	}
	event, err := m.d.Driver().NewEvent()
	if err != nil {
		return err
	}
	defer func() { _ = event.Close() }()
	behind := func(later, earlier *driver.Stream) error { // an order between streams
		if later == earlier {
			return nil
		}
		if err := event.Record(earlier); err != nil {
			return err
		}
		return later.After(event)
	}
	if before == nil {
		err = behind(beside, main)
	}
	for _, chunk := range order {
		if err == nil && before != nil {
			if err = before(chunk); err == nil {
				err = behind(beside, main)
			}
		}
		if err == nil {
			err = m.step(ctx, beside, in, out, part, chunk, c)
		}
		if err == nil && after != nil {
			if err = behind(main, beside); err == nil {
				err = after(chunk)
			}
		}
		if err != nil {
			break
		}
	}
	if err == nil {
		if err = event.Record(beside); err == nil && main != beside {
			err = main.After(event)
		}
	}
	if err == nil {
		err = m.poll(ctx, func() (done bool, err error) {
			if _, err := m.ready(); err != nil { // a peer that is gone ends no kernel
				return false, err
			}
			return event.Poll(func() (bool, error) { return false, nil })
		})
	}
	to.Did(nil)
	from.Did(nil)
	return err
}

const uint8s = 1 // ncclDataType_t

// step is one group of sends and receives of a chunk of all parts, which are of so many bytes.
func (m *member) step(ctx context.Context, stream *driver.Stream, in, out []uint64, part, chunk int,
	c dist.Chunks) error {
	l, rows := m.l, c.Rows()
	bytes := part / len(c.Order) / rows
	at := func(plane uint64, apart, rank, row int) uintptr {
		row += chunk * rows
		if apart > 0 {
			return uintptr(plane) + uintptr((row*m.Size()+rank)*bytes)
		}
		return uintptr(plane) + uintptr(rank*part+row*bytes)
	}
	move := func(call function, plane uint64, apart, rank int) error {
		for row := range rows {
			err := l.call(call, at(plane, apart, rank, row), uintptr(bytes), uint8s, uintptr(rank), m.comm,
				stream.Handle())
			if err != nil {
				return err
			}
		}
		return nil
	}
	err := m.within(func() (err error) {
		if err := l.call(groupStart); err != nil {
			return err
		}
		for i := range in {
			for r := range m.Size() {
				if err = move(send, out[i], c.Sent, r); err == nil {
					err = move(receive, in[i], c.Received, r)
				}
				if err != nil {
					break
				}
			}
		}
		return errors.Join(err, l.call(groupEnd))
	})
	if err != nil {
		return err
	}
	return m.poll(ctx, m.ready) // until the stream has all of it
}

// stream is what steps run on, beside the device's own stream and before its kernels.
func (m *member) stream() (*driver.Stream, error) {
	if m.beside == nil {
		s, err := m.d.Driver().NewUrgentStream()
		if err != nil {
			return nil, err
		}
		m.beside = s
	}
	return m.beside, nil
}

// Close ends the communicator and leaves the group beneath.
func (m *member) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return nil
	}
	m.closed = true
	m.round++
	m.alarm.raise(m.round) // to which this rank does not come
	m.round++              // others may have closed before
	var err error
	if m.comm != 0 {
		err = m.end()
	}
	if m.calls != nil {
		close(m.calls)
	}
	return errors.Join(err, m.beside.Close(), m.Group.Close())
}

// end ends a communicator in order, or else by force.
func (m *member) end() error {
	ctx, cancel := context.WithTimeout(context.Background(), endLimit)
	defer cancel()
	comm, err := m.comm, error(errAlarm)
	if !m.alarm.raised(m.round) { // an abort behind a finalize without all ranks may wait for ever
		err = m.within(func() error { return m.l.call(finalize, comm) })
	}
	if err == nil {
		err = m.poll(ctx, m.ready)
	}
	if err != nil { // others are gone, or will be
		m.drop()
		return nil
	}
	err = m.within(func() error { return m.l.call(destroy, comm) })
	m.comm = 0
	return err
}

// String says what moves vectors.
func (m *member) String() string { return m.l.String() }
