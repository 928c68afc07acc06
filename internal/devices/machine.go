package devices

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"time"
	"unsafe"

	"github.com/galfft/fft/gpu"
	"github.com/galfft/fft/internal/device"
	"github.com/galfft/fft/internal/device/driver"
)

// Machine is a device, for what it does without a field. Close it. It is for one goroutine.
type Machine struct {
	d    *device.Device
	held []*device.Memory
}

// OpenMachine opens the first device that opens.
func OpenMachine() (*Machine, error) {
	d, err := new(device.Default).Get()
	if err != nil {
		return nil, err
	}
	return &Machine{d: d}, nil
}

// Info describes the device.
func (m *Machine) Info() gpu.Info { return m.d.Info() }

// Close frees what the device has.
func (m *Machine) Close() error { return m.d.Close() }

// Rate is work of a device whose time says how fast it is.
type Rate struct {
	Bits     int                             // of numbers, 0 for copies
	Elements int                             // words or operations of one run
	Run      func(ctx context.Context) error // once, and returns when all is over
	Check    func() (bool, error)            // whether results of the last run are right
}

// Names of rates of arithmetic: multiply-add of 32 and of 64 bits, and both halves of a product of 64 bits with the sum
// of these and a third number.
const (
	MultiplyAdd32 = "mad32"
	MultiplyAdd64 = "mad64"
	Product64     = "product64"
)

var steps = map[string]struct {
	bits int
	step func(a, x, b uint64) uint64
}{
	MultiplyAdd32: {32, func(a, x, b uint64) uint64 { return (a*x + b) & math.MaxUint32 }},
	MultiplyAdd64: {64, func(a, x, b uint64) uint64 { return a*x + b }},
	Product64: {64, func(a, x, b uint64) uint64 {
		h, l := bits.Mul64(a, x)
		return h + l + b
	}},
}

// make is memory until Close.
func (m *Machine) make(bytes int) (*device.Memory, error) {
	v, err := m.d.Make(bytes)
	if err == nil {
		m.held = append(m.held, v)
	}
	return v, err
}

// copiesOfOne is how often a run copies a vector, so that the wait for its end does not show.
const copiesOfOne = 16

// Copy copies x from one place of the device's memory to another one, time and again.
func (m *Machine) Copy(x []uint64) (*Rate, error) {
	bytes := 8 * len(x)
	from, err := m.make(bytes)
	if err != nil {
		return nil, err
	}
	to, err := m.make(bytes)
	if err != nil {
		return nil, err
	}
	err = m.d.CopyIn(from.At, unsafe.Pointer(unsafe.SliceData(x)), bytes)
	if err = cmp.Or(err, m.wait(context.Background())); err != nil {
		return nil, err
	}
	return &Rate{
		Elements: copiesOfOne * len(x),
		Run: func(ctx context.Context) error {
			for range copiesOfOne {
				if err := m.d.Stream().Copy(driver.Pointer(to.At), driver.Pointer(from.At), bytes); err != nil {
					return err
				}
			}
			return m.wait(ctx)
		},
		Check: func() (bool, error) {
			z := make([]uint64, len(x))
			err := cmp.Or(m.d.CopyOut(unsafe.Pointer(unsafe.SliceData(z)), to.At, bytes), m.wait(context.Background()))
			return slices.Equal(z, x), err
		},
	}, nil
}

func (m *Machine) wait(ctx context.Context) error { return m.d.Wait(ctx, nil) }

// Arithmetic is a rate by name: kernels of kernels/cuda/rate.cu, on as many threads as fill the device, for so long
// that the wait for their end does not show.
func (m *Machine) Arithmetic(name string) (*Rate, error) {
	const (
		a, b   = 0xd1342543de82ef95, 0xaf251af3b0f025b5
		each   = 8 // numbers of a thread
		block  = 256
		enough = 10 * time.Millisecond
		most   = 1 << 20 // turns
	)
	s, ok := steps[name]
	if !ok {
		return nil, fmt.Errorf("galfft: no rate %q", name)
	}
	blocks := 16 * m.d.Info().Multiprocessors
	size := s.bits / 8
	out, err := m.make(size * block * blocks)
	if err != nil {
		return nil, err
	}
	f := m.d.Function("rate", "rate_"+name, 0)
	turns := 4
	r := &Rate{Bits: s.bits}
	r.Run = func(ctx context.Context) error {
		err := m.d.Launch(m.d.Stream(), f, [2]int{blocks, 1}, block, 0, out.At, uint64(turns), a, b)
		return cmp.Or(err, m.wait(ctx))
	}
	r.Check = func() (bool, error) {
		for _, t := range []int{0, block*blocks - 1} {
			var got uint64 // of 32 bits the lower half, as all processors here have it first
			err := cmp.Or(m.d.CopyOut(unsafe.Pointer(&got), out.At+uint64(size*t), size), m.wait(context.Background()))
			if err != nil {
				return false, err
			}
			want := uint64(0)
			for i := range each {
				x := uint64(t*each + i)
				for range turns {
					x = s.step(a, x, b)
				}
				want += x
			}
			if s.bits == 32 {
				want &= math.MaxUint32
			}
			if got != want {
				return false, nil
			}
		}
		return true, nil
	}
	for {
		if err := r.Run(context.Background()); err != nil { // compiles, and warms up
			return nil, err
		}
		begin := time.Now()
		if err := r.Run(context.Background()); err != nil {
			return nil, err
		}
		if turns >= most || time.Since(begin) >= enough {
			break
		}
		turns *= 2
	}
	r.Elements = block * blocks * each * turns
	return r, nil
}
