package gpu

import (
	"context"
	"fmt"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/device"
)

// vectorBulk is the arithmetic of vectors on a device, element by element.
type vectorBulk interface {
	Wait(ctx context.Context, v bulks.View) error
	Release(v bulks.View) error
	Make(n int) (bulks.View, error)
	Bytes(n int) int
	// in is n elements in memory that has Bytes(n), and Begun what has failed so far.
	in(m *device.Memory, n int) bulks.View
	Begun(v bulks.View) error
	Pack(v, a bulks.View)
	Unpack(a, v bulks.View)
	// order is that of the root for shifting, 0 for none.
	order() uint64
	// do puts an operation on a stream. Views have one length, z may be x or y, and shifting takes x and s.
	do(on *device.Stream, of operation, z, x, y bulks.View, s uint64) error
}

var _, _, _ vectorBulk = (*words)(nil), (*digits)(nil), (*gf2)(nil)

// vector is elements on a device without a plan.
type vector struct {
	b     vectorBulk // of its field; nil when it is closed
	v     bulks.View
	ahead bool // it is of a queue of the caller's
}

func (v *vector) Len() int { return v.v.N }

func (v *vector) Close() error {
	if v.b == nil {
		return errClosed
	}
	b := v.b
	v.b = nil
	return b.Release(v.v)
}

var errClosed = fmt.Errorf("gpu: %w: it is closed, or no field of this package has made it", field.ErrVec)

// NewVec makes a vector of n zeros on the device, n ≥ 0, for [AddVec], [MulVec] and the like: element by element, with
// no plan. It is no vector of plans. The error is field.ErrLength for a negative n, and field.ErrMemory where there is
// too little memory.
func (f *DeviceField[E]) NewVec(n int) (field.Vec, error) {
	if err := f.Check(); err != nil {
		return nil, err
	}
	if n < 0 {
		return nil, fmt.Errorf("gpu: %w: %d elements, want at least 0", field.ErrLength, n)
	}
	view, err := f.v.Make(n)
	if err != nil {
		return nil, err
	}
	return &vector{b: f.v, v: view}, nil
}

// NewVecIn is NewVec on a queue of the field's device. Calls that write such a vector return when their work is in the
// stream, and StoreVec when it is over: see [Queue]. LoadVec, StoreVec and NewVecIn are ErrCapturing while the stream
// records a graph.
func (f *DeviceField[E]) NewVecIn(q *Queue, n int) (field.Vec, error) {
	if err := f.Check(); err != nil {
		return nil, err
	}
	if q.none() {
		return nil, errQueue
	}
	if q.q.Device() != f.d.room() {
		return nil, fmt.Errorf("gpu: %w: the field is not on the device of the queue", field.ErrSpec)
	}
	if n < 0 {
		return nil, fmt.Errorf("gpu: %w: %d elements, want at least 0", field.ErrLength, n)
	}
	m, err := q.q.Make(f.v.Bytes(n))
	if err != nil {
		return nil, err
	}
	return &vector{f.v, f.v.in(m, n), true}, nil
}

// LoadVec sets a vector of NewVec to the elements a, as many as it has (field.ErrLength), which are canonical
// (field.RangeError). A vector that this field has not made is field.ErrVec. After one of these errors it is as before.
func (f *DeviceField[E]) LoadVec(v field.Vec, a []E) error {
	own, err := f.own(v, len(a))
	if err != nil {
		return err
	}
	if err := field.CheckRange[E](f.host, "a", a); err != nil {
		return err
	}
	own.b.Pack(own.v, bulks.ViewOf(a))
	return own.began()
}

// StoreVec sets a to the elements of a vector of NewVec. Errors are those of LoadVec.
func (f *DeviceField[E]) StoreVec(a []E, v field.Vec) error {
	own, err := f.own(v, len(a))
	if err != nil {
		return err
	}
	own.b.Unpack(bulks.ViewOf(a), own.v)
	return own.wait()
}

// own is a vector of n elements that the field has made.
func (f *DeviceField[E]) own(v field.Vec, n int) (*vector, error) {
	if err := f.Check(); err != nil {
		return nil, err
	}
	own, ok := v.(*vector)
	switch {
	case !ok || own == nil || own.b == nil || own.b != f.v:
		return nil, errClosed
	case own.v.N != n:
		return nil, &field.LengthError{What: "elements of the vector", Want: own.v.N, Got: n}
	}
	return own, nil
}

// wait ends a call, and began one that does not wait where vectors are of a queue.
func (v *vector) wait() error { return v.b.Wait(context.Background(), v.v) }

func (v *vector) began() error {
	if v.ahead {
		return v.b.Begun(v.v)
	}
	return v.wait()
}

// MulVec sets z to the products of the elements of x and y: see [AddVec]. For vectors of plans there is Plan.MulVec.
func MulVec(z, x, y field.Vec) error { return elementwise(z, x, y, multiplying, 0) }

// SquareVec sets z to the squares of the elements of x, and InvVec to their inverses, and to 0 where x is 0. Both are
// for vectors of [DeviceField.NewVec] over binary fields; others are field.ErrSpec. See [AddVec] for all else.
func SquareVec(z, x field.Vec) error { return elementwise(z, x, x, squaring, 0) }

// InvVec sets z to the inverses of the elements of x: see [SquareVec].
func InvVec(z, x field.Vec) error { return elementwise(z, x, x, inverting, 0) }

// ownElementwise is elementwise for vectors without a plan; z is one.
func ownElementwise(z *vector, xs [2]field.Vec, of operation, s uint64) error {
	var o [2]*vector
	for i, x := range xs {
		own, ok := x.(*vector)
		if !ok || own == nil || own.b == nil || own.b != z.b {
			return fmt.Errorf("gpu: %w: vectors of several fields, or one that is closed", field.ErrVec)
		}
		if o[i] = own; own.v.N != z.v.N {
			return &field.LengthError{What: "elements of the vector", Want: z.v.N, Got: own.v.N}
		}
	}
	s, err := exponent(z.b, of, s)
	if err != nil || z.v.N == 0 {
		return err
	}
	onQueueOf(z.v, o[0].v, o[1].v, func(on *device.Stream) error { return z.b.do(on, of, z.v, o[0].v, o[1].v, s) })
	return z.began()
}

// exponent is s as an operation of a field takes it, or an ErrSpec where there is no such operation.
func exponent(b interface{ order() uint64 }, of operation, s uint64) (uint64, error) {
	_, two := b.(*gf2)
	switch {
	case of == shifting && b.order() == 0:
		return 0, fmt.Errorf("gpu: %w: the field has no root whose powers are shifts", field.ErrSpec)
	case of == shifting:
		return s % b.order(), nil
	case (of == squaring || of == inverting) && !two:
		return 0, fmt.Errorf("gpu: %w: squares and inverses of vectors are for binary fields", field.ErrSpec)
	}
	return 0, nil
}
