package gpu

import (
	"context"
	"math/bits"
	"runtime"
	"unsafe"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/device"
	"github.com/galfft/fft/schemes"
)

// Errors that errors.Is finds. Too little memory on the device is field.ErrMemory.
var (
	ErrUnavailable  = device.ErrUnavailable  // no driver, or no device
	ErrBusy         = device.ErrBusy         // another process has the device for itself
	ErrLost         = device.ErrLost         // the device failed: nothing more runs on it in this process
	ErrArchitecture = device.ErrArchitecture // the driver cannot compile the kernels for this device
	ErrModule       = device.ErrModule       // kernels that are no kernels
	ErrClosed       = device.ErrClosed       // the device is closed
	ErrPointer      = device.ErrPointer      // an address that is not in the memory of the device, or badly aligned
	ErrStream       = device.ErrStream       // a stream that is not the device's
	ErrCapturing    = device.ErrCapturing    // a stream records a graph, of which a call cannot be a part
)

// Info describes a device.
type Info = device.Info

// Available is nil where there is a device, and otherwise an ErrUnavailable that says why not.
func Available() error {
	_, err := Devices()
	return err
}

// Devices describes all devices, and opens none: one that is busy is listed too. Where there are none, the error is
// that of Available.
func Devices() ([]Info, error) { return device.List() }

// Device is an open GPU. It is safe for concurrent use; kernels run one after the other, but for those of other queues.
type Device device.Device

// Open opens device i, from 0 on. It is ErrBusy where another process has it for itself.
func Open(i int) (*Device, error) {
	d, err := device.Open(i)
	return (*Device)(d), err
}

// first is the device of all who name none.
var first device.Default

// room is the device with all that it can do.
func (d *Device) room() *device.Device { return (*device.Device)(d) }

// Info describes the device.
func (d *Device) Info() Info { return d.room().Info() }

// Close waits for what runs and frees what the device has, vectors too. Whatever uses it returns ErrClosed from then
// on. A second call does nothing.
func (d *Device) Close() error { return d.room().Close() }

// onDevice is what bulks have in common. Vectors are device.Memory behind views.
type onDevice struct{ d *device.Device }

// memory is the vector of a view, nil for what is on the host.
func memory(v bulks.View) *device.Memory {
	m, _ := v.Buf.(*device.Memory)
	return m
}

// Planes is where the elements of a vector are, for packages that move parts of vectors between devices: in planes, in
// each of which an element has so many bytes.
func (b *words) Planes(v bulks.View) (m *device.Memory, planes []uint64, bytes int) {
	return memory(v), []uint64{b.at(v)}, b.word
}

// Planes has one.
func (b *additive) Planes(v bulks.View) (m *device.Memory, planes []uint64, bytes int) {
	return memory(v), []uint64{b.at(v)}, b.size
}

// Planes has one for each digit.
func (b *digits) Planes(v bulks.View) (m *device.Memory, planes []uint64, bytes int) {
	for i := range b.k {
		planes = append(planes, b.at(v)+8*uint64(i)*b.pitch(v))
	}
	return memory(v), planes, 8
}

// kernel is one of a module of package cuda, for which f is a place, and the most shared memory that it takes.
type kernel struct {
	f            **device.Function
	module, name string
	shared       int
}

// find names kernels, which are compiled when they are needed.
func (o *onDevice) find(list ...kernel) {
	for _, k := range list {
		*k.f = o.d.Function(k.module, k.name, k.shared)
	}
}

// each starts a kernel of at least n threads.
func (o *onDevice) each(f *device.Function, n int, args ...uint64) error {
	return o.d.Each(o.d.Stream(), f, n, args...)
}

// onQueueOf has do put what it makes of x and y, element by element, on the queue of z. What do refers to stays until
// then: kernels have addresses alone.
func onQueueOf(z, x, y bulks.View, do func(s *device.Stream) error) {
	m := memory(z)
	for _, v := range []bulks.View{x, y} {
		m.Reads(memory(v))
		m.NoteFrom(memory(v))
	}
	m.Did(do(m.Stream()))
	runtime.KeepAlive(do)
	for _, v := range []bulks.View{x, y} { // for copies into an operand, that wait for what is done to it alone
		if o := memory(v); o != nil && o != m {
			o.Did(nil)
		}
	}
}

// Memory is none of the host.
func (*onDevice) Memory(bulks.View) ([]byte, bool) { return nil, false }

func (*onDevice) Release(v bulks.View) error { return memory(v).Release() }

// Swap is that of engine.Swapper.
func (*onDevice) Swap(x, y bulks.View) bool {
	return x.Off == 0 && y.Off == 0 && x.N == y.N && memory(x).Swap(memory(y))
}

func (*onDevice) Rest(v bulks.View) { memory(v).Rest() }

func (*onDevice) Wake(v bulks.View) bool { return memory(v).Wake() }

// Begun is what has failed so far on the queue of v.
func (*onDevice) Begun(v bulks.View) error { return memory(v).Take() }

func (o *onDevice) Wait(ctx context.Context, v bulks.View) error { return o.d.Wait(ctx, memory(v)) }

// waitFor ends the making of tables.
func waitFor(o *onDevice, d *schemes.Points, tables []*device.Memory) error {
	for _, m := range tables {
		if err := o.d.Wait(d.Context(), m); err != nil {
			return err
		}
	}
	return nil
}

// Reduce does nothing: values of vectors are canonical.
func (*onDevice) Reduce(bulks.View) {}

// permuted runs a copy with its permutations on the device.
func (o *onDevice) permuted(on *device.Queue, c bulks.Copy, run func(row, col uint64) error) error {
	rows, cols := 4*len(c.RowPerm), 4*len(c.ColPerm)
	if rows+cols == 0 {
		return run(0, 0)
	}
	return on.Scratch(rows+cols, func(at uint64) error {
		var row, col uint64
		if rows > 0 {
			row = at
			if err := on.CopyIn(row, unsafe.Pointer(unsafe.SliceData(c.RowPerm)), rows); err != nil {
				return err
			}
		}
		if cols > 0 {
			col = at + uint64(rows)
			if err := on.CopyIn(col, unsafe.Pointer(unsafe.SliceData(c.ColPerm)), cols); err != nil {
				return err
			}
		}
		return run(row, col)
	})
}

// Variants of a call.
const (
	callNatural = 1 << iota
	callInverse
	callCrowded // other queues leave the host no time for launches
)

// callOf is a transform of v as a call of its device.
func callOf(v bulks.View, natural, inverse bool) device.Call {
	return device.Call{Memory: memory(v), Off: v.Off, N: v.N,
		Variant: int(callNatural*flag(natural) | callInverse*flag(inverse))}
}

// transformOf is what callOf was told.
func transformOf(c device.Call) (v bulks.View, natural, inverse bool) {
	return bulks.View{Buf: c.Memory, Off: c.Off, N: c.N}, c.Variant&callNatural != 0, c.Variant&callInverse != 0
}

// run starts a transform.
func (o *onDevice) run(ctx context.Context, of device.Work, v bulks.View, order field.Order, inverse bool) error {
	return o.d.Run(ctx, of, callOf(v, order == field.Natural, inverse))
}

func flag(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func log2(n int) int { return bits.Len(uint(n)) - 1 }
