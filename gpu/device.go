package gpu

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/bits"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/gpu/internal/driver"
	"github.com/galfft/fft/kernels/cuda"
)

// Errors that errors.Is finds. Too little memory on the device is field.ErrMemory.
var (
	ErrUnavailable  = driver.ErrUnavailable  // no driver, or no device
	ErrLost         = driver.ErrLost         // the device failed: nothing more runs on it in this process
	ErrArchitecture = driver.ErrArchitecture // the driver cannot compile the kernels for this device
	ErrModule       = driver.ErrModule       // kernels that are no kernels
	ErrClosed       = driver.ErrClosed       // the device is closed
)

// Info describes a device.
type Info = driver.Info

// Available is nil where there is a device, and otherwise an ErrUnavailable that says why not.
func Available() error {
	_, err := Devices()
	return err
}

// Devices describes all devices. Where there are none, the error is that of Available.
func Devices() ([]Info, error) {
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
		d, err := l.Device(i)
		if err != nil {
			return nil, err
		}
		list = append(list, d.Info())
		if err := d.Close(); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// Device is an open GPU. It is safe for concurrent use; its kernels run one after the other.
type Device struct {
	d      *driver.Device
	stream *driver.Stream
	shared int // bytes of shared memory that a block may take
	args   sync.Pool

	mu      sync.Mutex
	modules map[string]*driver.Module
	late    failure             // of what no call asked for, as a cleanup; the next Wait has it
	vectors map[*owned]struct{} // all that have memory

	// order is held while several operations must follow each other in the stream.
	order   sync.Mutex
	scratch buffer // for permutations of copies
	staging buffer // for elements of digits on their way to or from a vector

	in, out channel // of long copies from and to the host

	recording sync.Mutex
	recorder  *driver.Stream // on which graphs are recorded, and nothing runs

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

// Open opens device i, from 0 on.
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
	g := &Device{d: d, stream: s, recorder: r, shared: d.Info().SharedOptIn, modules: map[string]*driver.Module{},
		vectors: map[*owned]struct{}{}}
	g.args.New = func() any { return new(driver.Args) }
	return g, nil
}

// first is device 0, opened once for all who name none.
var first = sync.OnceValues(func() (*Device, error) { return Open(0) })

// Info describes the device.
func (d *Device) Info() Info { return d.d.Info() }

// Close waits for what runs and frees what the device has, vectors too. Whatever uses it returns ErrClosed from then
// on. A second call does nothing.
func (d *Device) Close() error {
	if d == nil || d.closed.Swap(true) {
		return nil
	}
	d.life.Lock()
	err := cmp.Or(d.late.take(), d.stream.Wait())
	for o := range d.vectors {
		err = cmp.Or(err, o.end(d)) // a lost device says the same of each
	}
	err = cmp.Or(err, d.scratch.free(d), d.staging.free(d), d.in.close(d.d), d.out.close(d.d))
	for _, m := range d.modules {
		err = cmp.Or(err, m.Close())
	}
	return cmp.Or(err, d.recorder.Close(), d.stream.Close(), d.d.Close())
}

// function returns a kernel of a module of package cuda, which may take that much shared memory.
func (d *Device) function(module, name string, shared int) (*driver.Function, error) {
	if err := d.enter(); err != nil {
		return nil, err
	}
	defer d.leave()
	d.mu.Lock()
	defer d.mu.Unlock()
	m := d.modules[module]
	if m == nil {
		var err error
		if m, err = d.d.Load(cuda.Source(module)); err != nil {
			return nil, fmt.Errorf("gpu: kernels of %s: %w", module, err)
		}
		d.modules[module] = m
	}
	f, err := m.Function(name)
	if err == nil && shared > 0 {
		err = f.MaxShared(shared)
	}
	return f, err
}

// kernel is one of a module of package cuda, for which f is a place, and the most shared memory that it takes.
type kernel struct {
	f            **driver.Function
	module, name string
	shared       int
}

// find finds kernels.
func (d *Device) find(list ...kernel) (err error) {
	for _, k := range list {
		if *k.f, err = d.function(k.module, k.name, k.shared); err != nil {
			return err
		}
	}
	return nil
}

// launch starts a kernel of at least n threads.
func (d *Device) launch(f *driver.Function, n int, args ...uint64) error {
	return d.launchOn(d.stream, f, n, args...)
}

func (d *Device) launchOn(s *driver.Stream, f *driver.Function, n int, args ...uint64) error {
	threads := warps(n, 256)
	return d.launchBlocks(s, f, [2]int{(n + threads - 1) / threads, 1}, threads, 0, args...)
}

// warps is the threads of a block for n things: whole warps, at most most.
func warps(n, most int) int { return min(most, (n+31)&^31) }

// launchBlocks starts a kernel.
func (d *Device) launchBlocks(s *driver.Stream, f *driver.Function, grid [2]int, threads, shared int,
	args ...uint64) error {
	if err := d.enter(); err != nil {
		return err
	}
	defer d.leave()
	a := d.args.Get().(*driver.Args)
	copy(a[:], args)
	err := f.Launch(s, grid, threads, shared, a)
	d.args.Put(a)
	return err
}

// buffer is device memory that grows.
type buffer struct {
	at    driver.Pointer
	bytes int
}

// grow makes room for n bytes. What the buffer held is lost.
func (b *buffer) grow(d *Device, n int) error {
	if n <= b.bytes {
		return nil
	}
	if err := d.enter(); err != nil {
		return err
	}
	defer d.leave()
	if err := d.stream.Wait(); err != nil {
		return err
	}
	if err := b.free(d); err != nil {
		return err
	}
	at, err := d.alloc(n)
	if err == nil {
		b.at, b.bytes = at, n
	}
	return err
}

func (b *buffer) free(d *Device) error {
	if b.bytes == 0 {
		return nil
	}
	at := b.at
	*b = buffer{}
	return d.d.Release(at)
}

// alloc takes memory of the device. Where there is none left it waits for what the garbage collector gives back.
func (d *Device) alloc(bytes int) (driver.Pointer, error) {
	if err := d.enter(); err != nil {
		return 0, err
	}
	defer d.leave()
	at, err := d.d.Alloc(bytes)
	if !errors.Is(err, field.ErrMemory) {
		return at, err
	}
	runtime.GC() // twice, as a sync.Pool keeps what it has for the first one
	runtime.GC()
	const turns = 200
	for range turns { // cleanups run beside
		if at, err = d.d.Alloc(bytes); !errors.Is(err, field.ErrMemory) {
			return at, err
		}
		time.Sleep(time.Millisecond)
	}
	return at, err
}

// memory is a vector on the device, behind a View.
type memory struct {
	d       *Device
	at      driver.Pointer
	pitch   int // words between planes of digits, 0 for words
	owned   *owned
	failure // of an operation since the last Wait
}

// owned is what a vector has on the device.
type owned struct {
	at     driver.Pointer
	mu     sync.Mutex
	graphs map[graphKey]*driver.Graph // nil for calls that ran once
}

// newMemory takes zeros.
func (d *Device) newMemory(bytes int) (*memory, error) {
	if err := d.enter(); err != nil {
		return nil, err
	}
	defer d.leave()
	at, err := d.alloc(max(bytes, 1))
	if err != nil {
		return nil, err
	}
	o := &owned{at: at}
	d.mu.Lock()
	d.vectors[o] = struct{}{}
	d.mu.Unlock()
	if bytes > 0 {
		if err := d.stream.Fill(at, 0, bytes); err != nil {
			return nil, errors.Join(err, o.free(d))
		}
	}
	m := &memory{d: d, at: at, owned: o}
	runtime.AddCleanup(m, func(d *Device) { d.late.note(o.free(d)) }, d)
	return m, nil
}

func (m *memory) release() error { return m.owned.free(m.d) }

// free gives the memory back, unless that is done: after a Close it is.
func (o *owned) free(d *Device) error {
	if d.enter() != nil {
		return nil
	}
	defer d.leave()
	d.mu.Lock()
	_, live := d.vectors[o]
	delete(d.vectors, o)
	d.mu.Unlock()
	if !live {
		return nil
	}
	return o.end(d)
}

// end waits for what runs.
func (o *owned) end(d *Device) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	err := d.stream.Wait()
	for _, g := range o.graphs {
		err = cmp.Or(err, g.Close())
	}
	return cmp.Or(err, d.d.Release(o.at))
}

// failure is the first of several errors, for who asks next.
type failure struct{ first atomic.Pointer[error] }

func (f *failure) note(err error) {
	if err != nil {
		first := err // on the heap, as err would be for every call
		f.first.CompareAndSwap(nil, &first)
	}
}

// take is what note kept, once.
func (f *failure) take() error {
	if err := f.first.Swap(nil); err != nil {
		return *err
	}
	return nil
}

// noteFrom makes a failure of an operand one of m: nobody waits for scratch.
func (m *memory) noteFrom(v field.View) {
	if of, ok := v.Buf.(*memory); ok && of != m {
		m.note(of.take())
	}
}

// wait ends all operations on m, or on the device where m is nil.
func (d *Device) wait(m *memory) error {
	if err := d.enter(); err != nil {
		return err
	}
	defer d.leave()
	err := d.stream.Wait()
	if m != nil {
		err = cmp.Or(m.take(), err)
	}
	return cmp.Or(err, d.late.take())
}

// upload puts host memory into the scratch buffer. The caller holds order until the kernel that reads it has started.
func (d *Device) upload(at int, p unsafe.Pointer, bytes int) (driver.Pointer, error) {
	to := d.scratch.at + driver.Pointer(at)
	return to, d.copyIn(to, p, bytes)
}

// permuted runs a copy with its permutations on the device.
func (d *Device) permuted(c field.Copy, run func(row, col uint64) error) error {
	rows, cols := 4*len(c.RowPerm), 4*len(c.ColPerm)
	if rows+cols == 0 {
		return run(0, 0)
	}
	d.order.Lock()
	defer d.order.Unlock()
	if err := d.scratch.grow(d, rows+cols); err != nil {
		return err
	}
	var row, col driver.Pointer
	var err error
	if rows > 0 {
		if row, err = d.upload(0, unsafe.Pointer(unsafe.SliceData(c.RowPerm)), rows); err != nil {
			return err
		}
	}
	if cols > 0 {
		if col, err = d.upload(rows, unsafe.Pointer(unsafe.SliceData(c.ColPerm)), cols); err != nil {
			return err
		}
	}
	return run(uint64(row), uint64(col))
}

func flag(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func log2(n int) int { return bits.Len(uint(n)) - 1 }

// onDevice is what bulks have in common.
type onDevice struct{ d *Device }

func (*onDevice) Release(v field.View) error { return v.Buf.(*memory).release() }

// drop releases v when all that uses it has run; the next Wait has the error.
func (o *onDevice) drop(v field.View) { o.d.late.note(o.Release(v)) }

func (o *onDevice) Wait(v field.View) error {
	m, _ := v.Buf.(*memory)
	return o.d.wait(m)
}

// Reduce does nothing: values of vectors are canonical.
func (*onDevice) Reduce(field.View) {}

// starter is a transform.
type starter interface {
	// start starts the kernels of a call on a stream.
	start(ctx context.Context, s *driver.Stream, v field.View, natural, inverse bool) error
}

// graphKey names a call of a transform on a part of a vector.
type graphKey struct {
	of               starter
	off, n           int
	natural, inverse bool
}

const (
	graphElements = 1 << 18 // above, launches take less time than kernels
	graphsKept    = 16      // of a vector
)

// run starts a call. From the second time on, a short one is one graph.
func (d *Device) run(ctx context.Context, of starter, v field.View, natural, inverse bool) error {
	defer runtime.KeepAlive(v.Buf)
	if err := d.enter(); err != nil {
		return err
	}
	defer d.leave()
	if v.N > graphElements {
		return of.start(ctx, d.stream, v, natural, inverse)
	}
	o, k := v.Buf.(*memory).owned, graphKey{of, v.Off, v.N, natural, inverse}
	o.mu.Lock()
	defer o.mu.Unlock()
	g, again := o.graphs[k]
	if g != nil {
		return g.Launch(d.stream)
	}
	if again {
		return d.record(ctx, o, v, k)
	}
	if o.graphs == nil {
		o.graphs = map[graphKey]*driver.Graph{}
	}
	if len(o.graphs) < graphsKept {
		o.graphs[k] = nil
	}
	return of.start(ctx, d.stream, v, natural, inverse)
}

// record keeps the graph of a call, and launches it.
func (d *Device) record(ctx context.Context, o *owned, v field.View, k graphKey) error {
	d.recording.Lock()
	defer d.recording.Unlock()
	g, err := d.recorder.Capture(func() error { return k.of.start(ctx, d.recorder, v, k.natural, k.inverse) })
	if errors.Is(err, field.ErrMemory) { // the call may do without a graph
		return k.of.start(ctx, d.stream, v, k.natural, k.inverse)
	}
	if err != nil {
		return err
	}
	o.graphs[k] = g
	return g.Launch(d.stream)
}
