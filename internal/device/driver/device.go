package driver

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"unsafe"
)

// Info is what is known of a device.
type Info struct {
	Index           int    // as Library.Device takes it
	Name            string // such as "NVIDIA H200"
	Driver          string // Library.Version
	Major, Minor    int    // compute capability
	Memory          int    // bytes
	L2              int    // bytes of its cache
	Multiprocessors int
	Warp            int // threads
	Threads         int // of a block, at most
	Shared          int // bytes of shared memory of a block, at most
	SharedOptIn     int // the same for kernels that ask for it, with Function.MaxShared
}

// Device is one GPU, by its primary context, which all users in the process share.
type Device struct {
	library *Library
	ordinal int32
	context uintptr
	info    Info
	pool    bool
	closed  atomic.Bool

	words words // of events
}

// Describe is what is known of a device, from 0 up to Count. It opens nothing, so that a busy device has it too.
func (l *Library) Describe(i int) (Info, error) {
	d, err := l.unopened(i)
	if err != nil {
		return Info{}, err
	}
	return d.info, nil
}

// unopened is a device without its context.
func (l *Library) unopened(i int) (*Device, error) {
	d := &Device{library: l, info: Info{Index: i, Driver: l.Version()}}
	if err := l.ask(cuDeviceGet, uintptr(unsafe.Pointer(&d.ordinal)), narrow(i)); err != nil {
		return nil, detail(err, "device %d", i)
	}
	return d, d.inquire()
}

// Device opens a device, from 0 up to Count. It is ErrBusy where the device lets no more processes in.
func (l *Library) Device(i int) (*Device, error) {
	d, err := l.unopened(i)
	if err != nil {
		return nil, err
	}
	err = l.ask(cuDevicePrimaryCtxRetain, uintptr(unsafe.Pointer(&d.context)), uintptr(d.ordinal))
	if err != nil {
		return nil, detail(err, "device %d", i)
	}
	return d, nil
}

// Values of CUdevice_attribute.
const (
	attributeThreads         = 1
	attributeShared          = 8
	attributeWarp            = 10
	attributeMultiprocessors = 16
	attributeL2              = 38
	attributeMajor           = 75
	attributeMinor           = 76
	attributeSharedOptIn     = 97
	attributePools           = 115
)

func (d *Device) inquire() error {
	var name [128]byte
	err := d.library.ask(cuDeviceGetName, uintptr(unsafe.Pointer(&name)), uintptr(len(name)-1), uintptr(d.ordinal))
	if err != nil {
		return err
	}
	d.info.Name = goString(&name[0])
	var bytes uintptr
	err = d.library.ask(cuDeviceTotalMem, uintptr(unsafe.Pointer(&bytes)), uintptr(d.ordinal))
	if err != nil {
		return err
	}
	d.info.Memory = int(bytes)
	for _, a := range []struct {
		to        *int
		attribute uintptr
	}{
		{&d.info.Threads, attributeThreads},
		{&d.info.Shared, attributeShared},
		{&d.info.Warp, attributeWarp},
		{&d.info.Multiprocessors, attributeMultiprocessors},
		{&d.info.L2, attributeL2},
		{&d.info.Major, attributeMajor},
		{&d.info.Minor, attributeMinor},
		{&d.info.SharedOptIn, attributeSharedOptIn},
	} {
		var v int32
		err := d.library.ask(cuDeviceGetAttribute, uintptr(unsafe.Pointer(&v)), a.attribute, uintptr(d.ordinal))
		if err != nil {
			return detail(err, "attribute %d", a.attribute)
		}
		*a.to = int(v)
	}
	var has int32
	err = d.library.ask(cuDeviceGetAttribute, uintptr(unsafe.Pointer(&has)), attributePools, uintptr(d.ordinal))
	// Old drivers do not know it.
	d.pool = err == nil && has != 0 && !slices.Contains(d.library.address[pools:writing], 0)
	return nil
}

// Info returns what is known of the device.
func (d *Device) Info() Info { return d.info }

// Close lets the device go. With the last user in the process, all its memory, streams, events, modules and graphs are
// gone; close them first.
func (d *Device) Close() error {
	if d == nil || d.closed.Load() {
		return nil
	}
	err := d.words.free(d)
	if d.closed.Swap(true) {
		return nil
	}
	return cmp.Or(err, d.library.call(cuDevicePrimaryCtxRelease, uintptr(d.ordinal)))
}

// call is Library.call with the device's context.
func (d *Device) call(f function, args ...uintptr) error {
	if d.closed.Load() {
		return d.isClosed(f)
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	l := d.library
	frame := l.take() // one for all three calls, as all goroutines take theirs from one place
	defer l.give(frame)
	if err := l.by(frame, cuCtxPushCurrent, d.context); err != nil {
		return err
	}
	err := l.by(frame, f, args...)
	frame.args[0] = uintptr(unsafe.Pointer(&frame.popped))
	invoke(l.address[cuCtxPopCurrent], frame.args[:1]) // with something to pop, it does not fail
	return err
}

func (d *Device) isClosed(f function) error {
	return fmt.Errorf("%s: device %d: %w", symbols[f], d.info.Index, ErrClosed)
}

// push makes the device's context current, for which the driver has a stack on each thread, until pop: what was on top
// of it is there afterwards. Both cost 0.1 µs, and so does asking the system which thread this is: so that is always
// done, and nothing remembers what a thread had. It is for a call of f.
func (d *Device) push(f function) error {
	if d.closed.Load() {
		return d.isClosed(f)
	}
	runtime.LockOSThread()
	err := d.library.call(cuCtxPushCurrent, d.context)
	if err != nil {
		runtime.UnlockOSThread()
	}
	return err
}

func (d *Device) pop() {
	l := d.library
	frame := l.take()
	frame.args[0] = uintptr(unsafe.Pointer(&frame.popped))
	invoke(l.address[cuCtxPopCurrent], frame.args[:1]) // with something to pop, it does not fail
	l.give(frame)
	runtime.UnlockOSThread()
}

// ask is to call what Library.ask is to Library.call.
//
//go:uintptrescapes
func (d *Device) ask(f function, args ...uintptr) error { return d.call(f, args...) }

// Beside has do make calls that no capture of a graph on another thread forbids, whoever began it, as it otherwise does
// with what allocates or waits, and is broken off by them. What they do is no part of it.
func (d *Device) Beside(do func() error) error {
	const threadLocal = 1
	l := d.library
	if l.address[cuThreadExchangeStreamCaptureMode] == 0 {
		return do()
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	frame := l.take()
	defer l.give(frame)
	exchange := func() error { return l.call(cuThreadExchangeStreamCaptureMode, uintptr(unsafe.Pointer(&frame.out))) }
	frame.out = threadLocal
	if err := exchange(); err != nil {
		return err
	}
	err := do()
	return cmp.Or(err, exchange())
}

// With has do run on a thread of its own for that time, with the device's context, for other libraries of the process.
func (d *Device) With(do func() error) error {
	if d.closed.Load() {
		return fmt.Errorf("device %d: %w", d.info.Index, ErrClosed)
	}
	l := d.library
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := l.call(cuCtxPushCurrent, d.context); err != nil {
		return err
	}
	err := do()
	frame := l.take()
	frame.args[0] = uintptr(unsafe.Pointer(&frame.popped))
	invoke(l.address[cuCtxPopCurrent], frame.args[:1])
	l.give(frame)
	return err
}

// pushing is Error.Op of a context that could not be set.
var pushing, _, _ = strings.Cut(symbols[cuCtxPushCurrent], "_")

// back is call for what ends something, which would leak where the context cannot be set for once: that is tried twice.
// The caller hears of it all the same. It allocates nothing, as cleanups run beside calls that do not.
func (d *Device) back(f function, args ...uintptr) error {
	err := d.call(f, args...)
	if e, ok := err.(*Error); ok && e.Op == pushing {
		_ = d.call(f, args...)
	}
	return err
}

// object is what a device has made and its owner closes.
type object struct {
	device *Device
	handle uintptr
	closed atomic.Bool
}

// use returns the handle, or ErrClosed.
func (o *object) use(what string) (uintptr, error) {
	if o.closed.Load() {
		return 0, fmt.Errorf("%s of device %d: %w", what, o.device.info.Index, ErrClosed)
	}
	return o.handle, nil
}

// end gives the handle back once. What a closed device had is gone with it.
func (o *object) end(f function) error {
	if o.closed.Swap(true) || o.device.closed.Load() {
		return nil
	}
	return o.device.back(f, o.handle)
}

// Pointer is an address in a device's memory, on which one may add. 0 is none.
type Pointer uint64

// Free is how much memory nobody uses, of all there is, in bytes.
func (d *Device) Free() (free, total int, err error) {
	var f, t uintptr
	err = d.ask(cuMemGetInfo, uintptr(unsafe.Pointer(&f)), uintptr(unsafe.Pointer(&t)))
	return int(f), int(t), err
}

// Alloc makes device memory, aligned for every kernel, of any content. It is ErrMemory where there is not enough. At
// least one byte is wanted.
func (d *Device) Alloc(bytes int) (Pointer, error) {
	var p Pointer
	err := d.Beside(func() error { return d.ask(cuMemAlloc, uintptr(unsafe.Pointer(&p)), uintptr(bytes)) })
	return p, detail(err, "%d bytes on device %d", bytes, d.info.Index)
}

// Release gives memory of Alloc back, after all work that is under way on the device. For 0 it does nothing.
func (d *Device) Release(p Pointer) error {
	if p == 0 {
		return nil
	}
	return d.Beside(func() error { return d.back(cuMemFree, uintptr(p)) })
}

// Pinned makes host memory of any content that all devices copy to and from at full speed, asynchronously. At least one
// byte is wanted.
func (d *Device) Pinned(bytes int) ([]byte, error) {
	const portable = 1
	var p *byte
	err := d.Beside(func() error {
		return d.ask(cuMemHostAlloc, uintptr(unsafe.Pointer(&p)), uintptr(bytes), portable)
	})
	if err != nil {
		return nil, detail(err, "%d bytes of pinned memory", bytes)
	}
	return unsafe.Slice(p, bytes), nil
}

// ReleasePinned gives back what Pinned returned; its memory is gone then. For nil it does nothing.
func (d *Device) ReleasePinned(b []byte) error {
	if b == nil {
		return nil
	}
	return d.Beside(func() error { return d.back(cuMemFreeHost, uintptr(unsafe.Pointer(unsafe.SliceData(b)))) })
}

// Allocation is the memory, of one allocation, that an address is in: where it begins and its bytes. It is ErrPointer
// where the address is not in memory of this device.
func (d *Device) Allocation(p Pointer) (base Pointer, bytes int, err error) {
	const kind, ordinal, onDevice = 2, 9, 2 // CU_POINTER_ATTRIBUTE_MEMORY_TYPE, _DEVICE_ORDINAL, CU_MEMORYTYPE_DEVICE
	var is, of int32
	var size uintptr
	for _, a := range []struct {
		to        *int32
		attribute uintptr
	}{{&is, kind}, {&of, ordinal}} {
		err = d.ask(cuPointerGetAttribute, uintptr(unsafe.Pointer(a.to)), a.attribute, uintptr(p))
		if err != nil {
			return 0, 0, d.strange(err, ErrPointer, "the driver does not know address %#x", p)
		}
	}
	if is != onDevice || int(of) != d.info.Index {
		return 0, 0, fmt.Errorf("%w %d: address %#x is that of other memory", ErrPointer, d.info.Index, p)
	}
	err = d.ask(cuMemGetAddressRange, uintptr(unsafe.Pointer(&base)), uintptr(unsafe.Pointer(&size)), uintptr(p))
	return base, int(size), err
}

// strange is the error of a value of the caller's that the driver does not take, and err where that is of another kind.
func (d *Device) strange(err, is error, format string, args ...any) error {
	const invalidValue, invalidContext, invalidHandle = 1, 201, 400
	if e, ok := err.(*Error); ok && (e.Code == invalidValue || e.Code == invalidContext || e.Code == invalidHandle) &&
		e.Op != pushing {
		return fmt.Errorf("%w %d: %s: %w", is, d.info.Index, fmt.Sprintf(format, args...), err)
	}
	return err
}
