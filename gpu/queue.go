package gpu

import (
	"context"
	"errors"
	"fmt"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/device"
	"github.com/galfft/fft/internal/engine"
)

// Queue is a stream of a device with vectors of its own, for plans whose field is on that device. Plans and their
// tables are for all queues. Load, ForwardVec, InverseVec and MulVec on a vector of a queue return when their work is
// in the stream; what fails later comes with the next Wait, Load, MulVec or Store on the queue, once. Store returns
// when it is over, and writes nothing where something has failed.
//
// Work of one queue runs in order, and beside that of others. A product may read vectors of other queues, as they are
// after all that those have so far; who changes such a vector later orders that by After. A queue is safe for
// concurrent use, a vector for one call at a time. Contexts of calls stop what has not begun.
//
// Where the stream records a CUDA graph for its owner, ForwardVec, InverseVec and MulVec become parts of the graph.
// They neither allocate nor wait then; the graph's owner keeps plan and vectors until it is gone. All else is
// ErrCapturing.
type Queue struct{ q *device.Queue }

// NewQueue makes a queue with a stream of its own.
func (d *Device) NewQueue() (*Queue, error) {
	if d == nil {
		return nil, errDevice
	}
	q, err := d.room().NewQueue()
	if err != nil {
		return nil, err
	}
	return &Queue{q}, nil
}

// QueueOf makes a queue of a CUstream of the caller's, who destroys it after the queue's Close. It is ErrStream for one
// that is not of the device's primary context, and for the default streams.
func (d *Device) QueueOf(stream uintptr) (*Queue, error) {
	if d == nil {
		return nil, errDevice
	}
	q, err := d.room().Borrow(stream)
	if err != nil {
		return nil, err
	}
	return &Queue{q}, nil
}

// Errors of what is nil or zero.
var (
	errDevice = fmt.Errorf("gpu: %w: no device", field.ErrSpec)
	errQueue  = fmt.Errorf("gpu: %w: no queue, want one of NewQueue or QueueOf", field.ErrSpec)
	errPlan   = fmt.Errorf("gpu: %w: no plan", field.ErrSpec)

	errContext = fmt.Errorf("gpu: %w: the context is nil", field.ErrSpec)
)

func (q *Queue) none() bool { return q == nil || q.q == nil }

// Stream is the CUstream of the queue, 0 for none, for work of the caller's between calls.
func (q *Queue) Stream() uintptr {
	if q.none() {
		return 0
	}
	return q.q.Show()
}

// Plan is what makes vectors for a queue, as an *fft.Plan over a field of this package does. Plans of a scheme by name,
// of other lengths than powers of two, and on the processor have none: field.ErrSpec.
type Plan interface {
	VecIn(make func(b bulks.Bulk, n int) (bulks.View, error)) (field.Vec, error)
}

// NewVec makes a vector of a plan, all zeros, on the queue. [DeviceField.NewVecIn] makes those without a plan.
func (q *Queue) NewVec(p Plan) (field.Vec, error) {
	return q.vec(p, func(bytes int) (*device.Memory, error) { return q.q.Make(bytes) })
}

// VecAt is a vector of a plan in memory of the caller's, which the queue neither clears nor frees. Its first n bytes
// are the vector, where n is the plan's Report().Vector, and its values are canonical; docs/gpu.md has the layout.
//
// Memory of another device or of the host, at no multiple of 16 bytes, or that ends too soon, is ErrPointer; the last
// is field.ErrLength too.
func (q *Queue) VecAt(p Plan, address uintptr) (field.Vec, error) {
	return q.vec(p, func(bytes int) (*device.Memory, error) { return q.q.Around(uint64(address), bytes) })
}

// placer is a bulk of this package.
type placer interface {
	bulk
	room() *device.Device
}

func (o *onDevice) room() *device.Device { return o.d }

func (q *Queue) vec(p Plan, get func(bytes int) (*device.Memory, error)) (field.Vec, error) {
	if q.none() {
		return nil, errQueue
	}
	if p == nil {
		return nil, errPlan
	}
	return p.VecIn(func(b bulks.Bulk, n int) (bulks.View, error) {
		on, ok := b.(placer)
		if !ok || on.room() != q.q.Device() {
			return bulks.View{}, fmt.Errorf("gpu: %w: the plan is not on the device of the queue", field.ErrSpec)
		}
		m, err := get(b.Bytes(n))
		if err != nil {
			return bulks.View{}, err
		}
		return on.in(m, n), nil
	})
}

var _, _ bulks.Device = (*words)(nil), (*digits)(nil)

func (b *words) in(m *device.Memory, n int) bulks.View { return bulks.View{Buf: m, N: n} }

func (b *digits) in(m *device.Memory, n int) bulks.View {
	m.Pitch = pitchOf(n)
	return bulks.View{Buf: m, N: n}
}

// Pointer is where a vector is on its device, of any plan or field of this package. The memory is the caller's between
// calls, or between what its queue has of them, until the vector is closed or lost; docs/gpu.md has the layout. Another
// vector is field.ErrVec.
func Pointer(v field.Vec) (uintptr, error) {
	if own, ok := v.(*vector); ok && own != nil && own.b != nil {
		return uintptr(memory(own.v).Tell()), nil
	}
	if own, ok := v.(*integerVector); ok && own != nil && own.g != nil {
		return uintptr(own.m.Tell()), nil
	}
	if o, err := engine.OperandOf(v); err == nil {
		if m := memory(o.View); m != nil {
			return uintptr(m.Tell()), nil
		}
	}
	return 0, fmt.Errorf("gpu: %w: want one that is open, on a device", field.ErrVec)
}

// After has what is put on q from now on begin after all that other has so far.
func (q *Queue) After(other *Queue) error {
	if q.none() || other.none() {
		return errQueue
	}
	return q.q.After(other.q)
}

// Wait returns when all is over that q has so far, with the first failure since the last Wait. Where ctx ends before,
// the error wraps that of ctx, and the work goes on.
func (q *Queue) Wait(ctx context.Context) error {
	if q.none() {
		return errQueue
	}
	if ctx == nil {
		return errContext
	}
	err := q.q.Wait(ctx)
	if e := ctx.Err(); err != nil && e != nil && errors.Is(err, e) {
		return engine.Stopped(e)
	}
	return err
}

// Close waits for what the queue has, with its first failure, and ends the stream, unless that is the caller's. Its
// vectors are closed by themselves, or by the garbage collector, and take no calls any more. A second call does
// nothing.
func (q *Queue) Close() error {
	if q.none() {
		return nil
	}
	return q.q.Close()
}
