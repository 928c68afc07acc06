package verbs

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"sync/atomic"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/gpu"
	"github.com/galfft/fft/internal/devices"
)

// Backend says where transforms run.
type Backend uint8

const (
	CPU  Backend = iota
	GPU          // on device 0, or an error that says why not
	Auto         // on device 0 where there is one and it is taken to be faster (gpu.Crossover), else on the processor
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
	device *gpu.Info   // nil is the processor
	used   atomic.Bool // a plan was made that runs on the device
}

// ran is the device, if a plan was made for it.
func (p *place) ran() *gpu.Info {
	if p == nil || !p.used.Load() {
		return nil
	}
	return p.device
}

// place is where transforms of so many elements together run. On a device with Auto, shorter ones made there, such as
// parts of a product, still run on the processor.
func (h *hidden) place(b Backend, elements int) (*place, error) {
	here, there, least := &place{elements: h.f}, new(place), gpu.Crossover(h.size)
	if b == CPU || b == Auto && elements < least {
		return here, nil
	}
	opts := []gpu.Option{gpu.OnPlan(func(_ int, device bool) {
		if device {
			there.used.Store(true)
		}
	})}
	if b == Auto {
		opts = append(opts, gpu.From(least))
	}
	f, device, err := devices.Field(h.Info, opts...)
	if err == nil {
		there.elements, there.device = h.f.Over(f), device
		return there, nil
	}
	for _, none := range []error{gpu.ErrUnavailable, gpu.ErrArchitecture, field.ErrSpec} { // the last: no kernels
		if b == Auto && errors.Is(err, none) {
			return here, nil
		}
	}
	if errors.Is(err, field.ErrSpec) {
		err = noKernels{err}
	}
	return nil, fmt.Errorf("galfft: backend gpu: %w", err)
}

// noKernels is an ErrBackend, with the text of the error that told so.
type noKernels struct{ error }

func (noKernels) Is(target error) bool { return target == ErrBackend }

func (e noKernels) Unwrap() error { return e.error }

// plan is a plan for one transform.
func (h *hidden) plan(ctx context.Context, n int, o Options, more ...fft.Option) (plan, error) {
	p, err := h.place(o.Backend, n)
	if err != nil {
		return nil, err
	}
	return p.Plan(ctx, n, o.plan(more...)...)
}

// productLen is the length of a transform in which a product of x and y coefficients fits, or of its remainder.
func productLen(x, y int, m Modulus) int {
	n := max(1, x+y-1)
	if m.N > 0 {
		n = min(n, m.N)
	}
	return 1 << bits.Len(uint(n-1))
}
