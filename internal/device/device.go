// Package device is the room of everything that runs on a GPU: an open device with its memory, streams, long copies,
// graphs and launches. It knows kernels by their names, and nothing of fields, transforms or plans.
//
// What a call puts on a device runs on when the call returns: Wait ends it. Addresses of device memory are numbers, as
// kernels take them.
package device

import (
	"cmp"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/galfft/fft/internal/device/driver"
)

// Errors that errors.Is finds. Too little memory on the device is field.ErrMemory.
var (
	ErrUnavailable  = driver.ErrUnavailable  // no driver, or no device
	ErrBusy         = driver.ErrBusy         // another process has the device for itself
	ErrLost         = driver.ErrLost         // the device failed: nothing more runs on it in this process
	ErrArchitecture = driver.ErrArchitecture // the driver cannot compile the kernels for this device
	ErrModule       = driver.ErrModule       // kernels that are no kernels
	ErrClosed       = driver.ErrClosed       // the device is closed
	ErrPointer      = driver.ErrPointer      // an address that is not in the memory of the device
	ErrStream       = driver.ErrStream       // a stream that is not the device's
	ErrCapturing    = driver.ErrCapturing    // a stream records a graph, of which a call cannot be a part
)

// Names of the driver's.
type (
	Info   = driver.Info
	Stream = driver.Stream
	Args   = driver.Args
)

// List describes all devices, and opens none. Where there are none, the error is ErrUnavailable and says why.
func List() ([]Info, error) {
	l, err := driver.Open()
	if err != nil {
		return nil, err
	}
	n, err := l.Count()
	if err != nil {
		return nil, err
	}
	if n == 0 {
		return nil, fmt.Errorf("gpu: %w: the driver lists no device", ErrUnavailable)
	}
	var list []Info
	for i := range n {
		info, err := l.Describe(i)
		if err != nil {
			return nil, err
		}
		list = append(list, info)
	}
	return list, nil
}

// Device is an open GPU. It is safe for concurrent use; kernels run one after the other, but for those of other queues.
type Device struct {
	d      *driver.Device
	common *Queue  // of all vectors that were made for no other
	stream *Stream // its
	args   sync.Pool

	kernels kernels

	mu      sync.Mutex
	vectors map[*owned]struct{} // all that have memory
	queues  map[*Queue]struct{} // all others that are open
	beside  atomic.Int64        // how many these are
	late    failure             // of what no call asked for, as a cleanup; the next Wait has it

	in, out channel // of long copies from and to the host
	parts   parts   // for short ones to it

	freeing  *Stream // on which memory goes back to the driver's pool; nil without one
	events   events
	sleepers sleepers
	waiters  sync.Pool // *waiter

	recording sync.Mutex
	recorder  *Stream // on which graphs are recorded, and nothing runs
	graphs    bool    // the driver has them

	closed atomic.Bool
	life   sync.RWMutex // read by calls, see enter; Close locks it for good
}

// enter is before calls of the driver, and leave after them. It is ErrClosed from Close on, which waits for those
// inside. It never waits, so that calls may nest.
func (d *Device) enter() error {
	if !d.life.TryRLock() { // Close alone writes
		return fmt.Errorf("gpu: %w", ErrClosed)
	}
	return nil
}

func (d *Device) leave() { d.life.RUnlock() }

// Default is the device of all who name none.
type Default struct {
	mu sync.Mutex
	d  *Device
}

// Get is the same device for all who ask: the first that opens, until somebody closes it. Where none opens, the error
// has that of each, and the next one to ask tries again.
func (f *Default) Get() (*Device, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.d != nil && !f.d.closed.Load() {
		return f.d, nil
	}
	list, err := List()
	if err != nil {
		return nil, err
	}
	var failures []error
	for i := range list {
		if f.d, err = Open(i); err == nil {
			return f.d, nil
		}
		failures = append(failures, fmt.Errorf("gpu: device %d: %w", i, err))
	}
	f.d = nil
	return nil, errors.Join(failures...)
}

// Open opens device i, from 0 on. It is ErrBusy where another process has it for itself.
func Open(i int) (*Device, error) {
	l, err := driver.Open()
	if err != nil {
		return nil, err
	}
	if n, err := l.Count(); err != nil {
		return nil, err
	} else if i < 0 || i >= n {
		return nil, fmt.Errorf("gpu: %w: device %d, there are %d", ErrUnavailable, i, n)
	}
	d, err := l.Device(i)
	if err != nil {
		return nil, err
	}
	s, err := d.NewStream()
	if err != nil {
		return nil, errors.Join(err, d.Close())
	}
	r, err := d.NewStream()
	if err != nil {
		return nil, errors.Join(err, s.Close(), d.Close())
	}
	var f *Stream
	if d.Pools() {
		if f, err = d.NewStream(); err != nil {
			return nil, errors.Join(err, r.Close(), s.Close(), d.Close())
		}
	}
	g := &Device{d: d, stream: s, recorder: r, freeing: f, graphs: l.Graphs(), vectors: map[*owned]struct{}{},
		queues: map[*Queue]struct{}{}, kernels: kernels{cache: cacheOf(d.Info())}}
	g.common = &Queue{d: g, stream: s, marks: true}
	g.args.New = func() any { return new(Args) }
	g.waiters.New = func() any { return newWaiter(g) }
	if err := g.enlist(); err != nil {
		return nil, errors.Join(err, g.Close())
	}
	return g, nil
}

// Info describes the device.
func (d *Device) Info() Info { return d.d.Info() }

// Driver is the driver's device, for what only tests and measurements ask of it.
func (d *Device) Driver() *driver.Device { return d.d }

// Queues is how many queues are open beside the common one.
func (d *Device) Queues() int { return int(d.beside.Load()) }

// Stream is where everything runs that is of no other queue, in the order of calls.
func (d *Device) Stream() *Stream { return d.stream }

// Close waits for what runs, and for waits that were left, and frees what the device has, memory too. Whatever uses it
// returns ErrClosed from then on. A second call does nothing.
func (d *Device) Close() error {
	if d == nil || d.closed.Swap(true) {
		return nil
	}
	d.life.Lock()
	d.delist()
	err := cmp.Or(d.late.Take(), d.stream.Wait())
	for q := range d.queues {
		if q.stream.Borrowed() { // and may be gone
			err = cmp.Or(err, d.d.Wait())
		} else {
			err = cmp.Or(err, q.stream.Wait())
		}
		err = cmp.Or(err, q.end())
	}
	clear(d.queues)
	d.beside.Store(0)
	for o := range d.vectors {
		err = cmp.Or(err, o.end(d)) // a lost device says the same of each
	}
	err = cmp.Or(err, d.common.scratch.free(d), d.in.close(d.d), d.out.close(d.d), d.parts.close(d.d))
	if d.freeing != nil {
		err = cmp.Or(err, d.freeing.Wait(), d.freeing.Close())
	}
	return cmp.Or(err, d.kernels.close(), d.sleepers.close(), d.events.close(), d.recorder.Close(),
		d.stream.Close(), d.d.Close())
}

// Each starts a kernel of at least n threads.
func (d *Device) Each(s *Stream, f *Function, n int, args ...uint64) error {
	threads := Warps(n, 256)
	return d.Launch(s, f, [2]int{(n + threads - 1) / threads, 1}, threads, 0, args...)
}

// Warps is the threads of a block for n things: whole warps, at most most.
func Warps(n, most int) int { return min(most, (n+31)&^31) }

var watching atomic.Pointer[func(kernel string)]

// Watch has a function called with the name of each kernel that is launched from then on, or recorded in a graph, on
// any device and from any goroutine, when its arguments are there. It returns the function before; nil is none. Tests
// tell by it which kernels ran.
func Watch(f func(kernel string)) (before func(kernel string)) {
	if old := watching.Swap(&f); old != nil {
		before = *old
	}
	return before
}

// Launch starts a kernel on a grid of blocks, with so many bytes of shared memory each. It allocates nothing, but the
// first time.
func (d *Device) Launch(s *Stream, f *Function, grid [2]int, threads, shared int, args ...uint64) error {
	if err := d.enter(); err != nil {
		return err
	}
	defer d.leave()
	loaded, err := f.load()
	if err != nil {
		return err
	}
	if watch := watching.Load(); watch != nil && *watch != nil {
		(*watch)(f.name)
	}
	a := d.args.Get().(*Args)
	copy(a[:], args)
	err = loaded.Launch(s, grid, threads, shared, a)
	d.args.Put(a)
	return err
}
