package verbs

import (
	"context"
	"errors"
	"fmt"
	"math/bits"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/gpu"
	"github.com/galfft/fft/internal/devices"
	"github.com/galfft/fft/internal/erased"
)

// Backend says where transforms run.
type Backend uint8

const (
	CPU  Backend = iota
	GPU          // on device 0, or an error that says why not
	Auto         // on device 0 where there is one and it is faster (tuned, or gpu.Crossover), else on the processor
)

var backends = []string{"cpu", "gpu", "auto"}

func (b Backend) String() string { return backends[b] }

// ParseBackend is the inverse of String.
func ParseBackend(s string) (Backend, error) {
	for i, name := range backends {
		if name == s {
			return Backend(i), nil
		}
	}
	return 0, fmt.Errorf("galfft: %w: backend %q, want one of %q", field.ErrSpec, s, backends)
}

// place is where plans are made.
type place struct {
	elements
	device *gpu.Info // nil is the processor
}

// place is where transforms of so many elements together run. On a device with Auto, shorter ones made there, such as
// parts of a product, still run on the processor.
func (h *hidden) place(b Backend, elements int) (*place, error) {
	here, there := &place{elements: h.f}, new(place)
	least, threads, _ := h.crossover()
	if b == CPU || b == Auto && elements < least {
		return here, nil
	}
	opts := []gpu.Option{gpu.Threads(threads)}
	if b == Auto {
		opts = append(opts, gpu.From(least))
	}
	f, device, err := devices.Field(h.Info, opts...)
	if err == nil {
		there.elements, there.device = h.f.over(f), device
		return there, nil
	}
	if b == Auto && without(err) {
		return here, nil
	}
	return nil, noDevice(err)
}

// without reports whether an error of opening a device says that there is none, or none that serves the field.
func without(err error) bool {
	return errors.Is(err, gpu.ErrUnavailable) || errors.Is(err, gpu.ErrArchitecture) || errors.Is(err, field.ErrSpec)
}

// noDevice is the error of a command whose device did not open.
func noDevice(err error) error {
	if errors.Is(err, field.ErrSpec) {
		err = noKernels{err}
	}
	return fmt.Errorf("galfft: backend gpu: %w", err)
}

// crossover is the number of elements from which Auto takes the device, the threads of blocks there, and where that
// stands: it was tuned, or is gpu.Crossover.
func (h *hidden) crossover() (from, threads int, source string) {
	if l := h.tuned(); l.HasDevices() {
		if list, err := gpu.Devices(); err == nil && len(list) > 0 {
			if t, ok := l.TunedDevice(field.TuningName(h.Info), list[0].Name); ok {
				return t.From, t.Threads, "tuned: " + t.Source
			}
		}
	}
	return gpu.Crossover(h.size), 0, "the default"
}

// noKernels is an ErrBackend, with the text of the error that told so.
type noKernels struct{ error }

func (noKernels) Is(target error) bool { return target == ErrBackend }

func (e noKernels) Unwrap() error { return e.error }

// plan is a plan for one transform.
func (h *hidden) plan(ctx context.Context, n int, o Options, more ...fft.Option) (*erased.Plan, error) {
	affine, err := h.affine(n, &o.Affine)
	if err != nil {
		return nil, err
	}
	p, err := h.place(o.Backend, n)
	if err != nil {
		return nil, err
	}
	return p.Plan(ctx, n, o.plan(append(affine, more...)...)...)
}

// productLen is the length of a transform in which a product of x and y coefficients fits, or of its remainder.
func productLen(x, y int, m Modulus) int {
	n := max(1, x+y-1)
	if m.N > 0 {
		n = min(n, m.N)
	}
	return 1 << bits.Len(uint(n-1))
}
