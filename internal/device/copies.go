package device

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"sync"
	"unsafe"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/device/driver"
	"github.com/galfft/fft/internal/par"
)

const (
	directBytes = 512 << 10 // copies up to here do without pinned memory, which costs them a wait
	mostPart    = 16 << 20  // bytes of a part of a copy
	moverTasks  = 8         // one processor copies slower than the bus
)

// channel is the way of long copies in one direction: by pinned memory, so that the host copies one part while another
// is on the bus, and on a stream of its own, so that copies in both directions and kernels overlap.
type channel struct {
	mu     sync.Mutex
	stream *Stream
	place  *driver.Event // in the other stream
	part   int           // bytes of each part of this copy but the last
	parts  [2]struct {
		memory []byte        // of mostPart bytes
		done   *driver.Event // the last transfer from or to memory
	}

	to, from []byte // of the copy that tasks share
	tasks    int
	task     func(i int)
}

// open makes what c has, at its first use.
func (c *channel) open(d *driver.Device) (err error) {
	if c.task != nil {
		return nil
	}
	if c.stream, err = d.NewStream(); err != nil {
		return err
	}
	if c.place, err = d.NewEvent(); err != nil {
		return err
	}
	for i := range c.parts {
		part := &c.parts[i]
		if part.memory, err = d.Pinned(mostPart); err != nil {
			return err
		}
		if part.done, err = d.NewEvent(); err != nil {
			return err
		}
	}
	c.tasks = min(moverTasks, runtime.GOMAXPROCS(0))
	c.task = func(i int) {
		from, to := par.Share(i, c.tasks, len(c.to))
		copy(c.to[from:to], c.from[from:to])
	}
	return nil
}

// close gives back what open made, all or a part of it.
func (c *channel) close(d *driver.Device) (err error) {
	for i := range c.parts {
		part := &c.parts[i]
		err = cmp.Or(err, part.done.Close(), d.ReleasePinned(part.memory))
		part.done, part.memory = nil, nil
	}
	err = cmp.Or(err, c.place.Close(), c.stream.Close())
	c.place, c.stream, c.task = nil, nil, nil
	return err
}

// run opens c and has copy use it, alone, for so many bytes. What copy puts on c's stream begins after a place, or
// where that is nil after all that q's has so far. Without memory for c it returns false.
func (c *channel) run(q *Queue, place *driver.Event, bytes int, copy func() error) (bool, error) {
	d := q.d
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.open(d.d); err != nil {
		d.late.Note(c.close(d.d))
		return !errors.Is(err, field.ErrMemory), err
	}
	c.part = min((bytes+1)/2, mostPart) // a copy of one part would overlap with nothing
	var err error
	if place == nil {
		place = c.place
		err = place.Record(q.stream)
	}
	if err == nil {
		err = c.stream.After(place)
	}
	if err == nil {
		err = copy()
	}
	if err != nil {
		_ = c.stream.Wait() // nothing is under way when the next one begins
	}
	return true, err
}

// move copies within the host.
func (c *channel) move(to, from []byte) {
	c.to, c.from = to, from
	par.Fork.Run(c.tasks, c.task)
	c.to, c.from = nil, nil
}

// partOf is what part i of a copy moves on the host.
func (c *channel) partOf(p unsafe.Pointer, i, bytes int) []byte {
	at := i * c.part
	return unsafe.Slice((*byte)(unsafe.Add(p, at)), min(c.part, bytes-at))
}

// direct copies as one part, by begin, where the host's memory is pinned itself. It waits when others may use c again,
// so that the next copy stands on the stream when this one ends.
func (c *channel) direct(q *Queue, place *driver.Event, begin func() error) (bool, error) {
	d := q.d
	done, err := d.events.take(d.d)
	if err != nil {
		return true, err
	}
	defer d.events.put(done)
	ok, err := c.run(q, place, 0, func() error { return cmp.Or(begin(), done.Record(c.stream)) })
	if !ok || err != nil {
		return ok, err
	}
	return true, d.reach(context.Background(), done)
}

// in copies to the device. Later work on q's stream begins after it.
func (c *channel) in(q *Queue, to driver.Pointer, p unsafe.Pointer, bytes int) error {
	d := q.d
	for i := 0; i*c.part < bytes; i++ {
		part, host := &c.parts[i%2], c.partOf(p, i, bytes)
		if err := d.reach(context.Background(), part.done); err != nil {
			return err
		}
		c.move(part.memory[:len(host)], host)
		at := to + driver.Pointer(i*c.part)
		if err := c.stream.CopyIn(at, unsafe.Pointer(&part.memory[0]), len(host), nil); err != nil {
			return err
		}
		if err := part.done.Record(c.stream); err != nil {
			return err
		}
	}
	if err := c.place.Record(c.stream); err != nil {
		return err
	}
	return q.stream.After(c.place)
}

// out copies from the device, and returns when all is done.
func (c *channel) out(d *Device, p unsafe.Pointer, from driver.Pointer, bytes int) error {
	begin := func(i int) error {
		if i*c.part >= bytes {
			return nil
		}
		part := &c.parts[i%2]
		at := from + driver.Pointer(i*c.part)
		err := c.stream.CopyOut(unsafe.Pointer(&part.memory[0]), at, len(c.partOf(p, i, bytes)), nil)
		if err != nil {
			return err
		}
		return part.done.Record(c.stream)
	}
	if err := begin(0); err != nil {
		return err
	}
	for i := 0; i*c.part < bytes; i++ {
		part, host := &c.parts[i%2], c.partOf(p, i, bytes)
		if err := begin(i + 1); err != nil {
			return err
		}
		if err := d.reach(context.Background(), part.done); err != nil {
			return err
		}
		c.move(host, part.memory[:len(host)])
	}
	return nil
}

// CopyWithin copies between parts of the device's memory that do not overlap, after what a stream has so far.
func (d *Device) CopyWithin(s *Stream, to, from uint64, bytes int) error {
	if err := d.enter(); err != nil {
		return err
	}
	defer d.leave()
	return s.Copy(driver.Pointer(to), driver.Pointer(from), bytes)
}

// CopyIn copies from the host; what is at p may change when it returns.
func (d *Device) CopyIn(to uint64, p unsafe.Pointer, bytes int) error {
	return d.common.CopyIn(to, p, bytes)
}

// CopyIn is Device.CopyIn after what the queue has so far. It is ErrCapturing while the stream records.
func (q *Queue) CopyIn(to uint64, p unsafe.Pointer, bytes int) error {
	return q.copyIn(nil, to, p, bytes)
}

// CopyIn is Queue.CopyIn into m, which a long copy waits for alone where m has a place of its own in the queue: so it
// runs beside what the queue does with other memory. Who has the queue read m calls Did on it.
func (m *Memory) CopyIn(to uint64, p unsafe.Pointer, bytes int) error {
	return m.owned.q.copyIn(m.owned.last, to, p, bytes)
}

func (q *Queue) copyIn(place *driver.Event, to uint64, p unsafe.Pointer, bytes int) error {
	d := q.d
	if err := d.enter(); err != nil {
		return err
	}
	defer d.leave()
	if err := q.Capturing(); err != nil {
		return err
	}
	pinned := hosts.has(p, bytes)
	if bytes > directBytes {
		var ok bool
		var err error
		if pinned { // over when it returns, so that later work begins after it
			ok, err = d.in.direct(q, place, func() error {
				return d.in.stream.CopyIn(driver.Pointer(to), p, bytes, nil)
			})
		} else {
			ok, err = d.in.run(q, place, bytes, func() error { return d.in.in(q, driver.Pointer(to), p, bytes) })
		}
		if ok {
			return err
		}
	}
	if err := q.stream.CopyIn(driver.Pointer(to), p, bytes, place); err != nil || !pinned {
		return err
	}
	return q.settle(context.Background()) // as the driver has not read all of it
}

// CopyOut copies to the host, and returns when all is done.
func (d *Device) CopyOut(p unsafe.Pointer, from uint64, bytes int) error {
	return d.common.CopyOut(p, from, bytes)
}

// CopyOut is Device.CopyOut after what the queue has so far. It is ErrCapturing while the stream records.
func (q *Queue) CopyOut(p unsafe.Pointer, from uint64, bytes int) error {
	return q.copyOut(nil, p, from, bytes)
}

// CopyOut is Queue.CopyOut from m, which a long copy waits for alone where m has a place of its own in the queue. That
// place is reached then.
func (m *Memory) CopyOut(p unsafe.Pointer, from uint64, bytes int) error {
	return m.owned.q.copyOut(m.owned.last, p, from, bytes)
}

func (q *Queue) copyOut(place *driver.Event, p unsafe.Pointer, from uint64, bytes int) error {
	d := q.d
	if err := d.enter(); err != nil {
		return err
	}
	defer d.leave()
	if err := q.Capturing(); err != nil {
		return err
	}
	pinned := hosts.has(p, bytes)
	if bytes > directBytes {
		var ok bool
		var err error
		if pinned {
			ok, err = d.out.direct(q, place, func() error {
				return d.out.stream.CopyOut(p, driver.Pointer(from), bytes, nil)
			})
		} else {
			ok, err = d.out.run(q, place, bytes, func() error { return d.out.out(d, p, driver.Pointer(from), bytes) })
		}
		if ok {
			return err
		}
	}
	if !pinned && bytes <= directBytes {
		if part := d.parts.take(d.d); part != nil {
			by := (*part)[:bytes]
			err := q.stream.CopyOut(unsafe.Pointer(unsafe.SliceData(by)), driver.Pointer(from), bytes, place)
			if err == nil {
				err = q.behind(place)
			}
			if err == nil { // else it may be written yet
				copy(unsafe.Slice((*byte)(p), bytes), by)
				d.parts.put(part)
			}
			return err
		}
	}
	return cmp.Or(q.stream.CopyOut(p, driver.Pointer(from), bytes, place), q.behind(place))
}

// behind waits for what the queue has so far. A place that is not nil is there afterwards.
func (q *Queue) behind(place *driver.Event) error {
	if place == nil {
		return q.settle(context.Background())
	}
	return cmp.Or(place.Owe(q.stream), q.d.reach(context.Background(), place))
}

// parts are pinned memory, of directBytes each, by which short copies to other memory go out. The driver would copy
// these itself, and keep a core busy until all is over that is on the stream before.
type parts struct {
	mu   sync.Mutex
	all  [][]byte
	idle []*[]byte
	full bool // there was no memory for more
}

const mostParts = 8 // of a device; the copies of more goroutines at a time are the driver's

// take returns a part, or nil.
func (p *parts) take(d *driver.Device) *[]byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.idle); n > 0 {
		last := p.idle[n-1]
		p.idle = p.idle[:n-1]
		return last
	}
	if p.full || len(p.all) == mostParts {
		return nil
	}
	memory, err := d.Pinned(directBytes)
	if err != nil {
		p.full = true
		return nil
	}
	p.all = append(p.all, memory)
	return &memory
}

func (p *parts) put(part *[]byte) {
	p.mu.Lock()
	p.idle = append(p.idle, part)
	p.mu.Unlock()
}

func (p *parts) close(d *driver.Device) (err error) {
	for _, memory := range p.all {
		err = cmp.Or(err, d.ReleasePinned(memory))
	}
	return err
}
