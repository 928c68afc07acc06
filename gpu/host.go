package gpu

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/device"
	own "github.com/galfft/fft/internal/memory"
)

// Host is elements in pinned memory of the host: calls copy to and from it, and parts of it, without staging. It is
// scarce, as the system cannot use it for anything else.
type Host[E any] struct {
	h *device.Host
	n int
}

// HostSlice makes n zero elements in pinned memory, which all devices use. E has no pointers in it, else the error is
// field.ErrSpec; a negative n is field.ErrLength, and too little memory field.ErrMemory. It takes a device, which On
// chooses, as [Field] does.
func HostSlice[E any](n int, opts ...Option) (*Host[E], error) {
	var e E
	switch {
	case own.HoldsPointers[E]():
		return nil, fmt.Errorf("gpu: %w: elements of type %T have pointers in them", field.ErrSpec, e)
	case n < 0:
		return nil, fmt.Errorf("gpu: %w: %d elements, want at least 0", field.ErrLength, n)
	case n > math.MaxInt/max(1, int(unsafe.Sizeof(e))):
		return nil, fmt.Errorf("gpu: %w: %d elements", field.ErrMemory, n)
	}
	o, err := optionsOf(opts)
	if err != nil {
		return nil, err
	}
	h, err := o.device.room().NewHost(max(1, n*int(unsafe.Sizeof(e))))
	if err != nil {
		return nil, err
	}
	return &Host[E]{h: h, n: n}, nil
}

// Slice is the elements, nil after Close. They outlive the device, and nothing may use them after Close.
func (h *Host[E]) Slice() []E {
	if h == nil || h.h == nil || h.h.Bytes() == nil {
		return nil
	}
	return unsafe.Slice((*E)(unsafe.Pointer(unsafe.SliceData(h.h.Bytes()))), h.n)
}

// Close gives the memory back, once no call uses it; the garbage collector does not. A second call does nothing.
func (h *Host[E]) Close() error {
	if h == nil || h.h == nil {
		return nil
	}
	return h.h.Close()
}
