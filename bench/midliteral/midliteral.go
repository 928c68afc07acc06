// Package midliteral runs the kernels of C. Oancea and S. Watt, GPU Implementations for Midsize Integer Addition and
// Multiplication, on a device, as package midint/literal has them on the processor. They only measure, and no package
// of the library has them.
package midliteral

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"errors"
	"fmt"
	"io"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/device"
	"github.com/galfft/fft/internal/device/driver"
	"github.com/galfft/fft/kernels/cuda"
	"github.com/galfft/fft/midint/literal"
)

// compressed is literal.cu as PTX. kernels/cuda/_gen writes it.
//
//go:embed literal.ptx.gz
var compressed []byte

func source() (string, error) {
	r, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(r)
	return string(text), err
}

// Op is an operation of the paper.
type Op int

// Operations: x + y, 6x + 10y by six sums, x·y by runs of columns, x·y by tiles, and (x² + y)(y² + y) + xy by runs.
const (
	Add Op = iota
	SixAdd
	Mul
	Tiled
	Poly
)

// Kernels are those of a device. Each is compiled when it is launched first. They are for one goroutine.
type Kernels struct {
	d       *device.Device
	text    cuda.Module
	all     map[string]*device.Function
	modules []*driver.Module
}

// New has kernels for a device.
func New(d *device.Device) (*Kernels, error) {
	text, err := source()
	if err != nil {
		return nil, err
	}
	return &Kernels{d: d, text: cuda.Split(text), all: map[string]*device.Function{}}, nil
}

// Close unloads the kernels, which nothing uses any more.
func (k *Kernels) Close() (err error) {
	for _, m := range k.modules {
		err = errors.Join(err, m.Close())
	}
	return err
}

func (k *Kernels) function(name string) (*device.Function, error) {
	if f := k.all[name]; f != nil {
		return f, nil
	}
	m, err := k.d.Driver().Load(k.text.Kernel(name))
	if err != nil {
		return nil, fmt.Errorf("kernel %s: %w", name, err)
	}
	k.modules = append(k.modules, m)
	f, err := m.Function(name)
	if err == nil {
		err = f.MaxShared(k.d.Info().SharedOptIn)
	}
	if err != nil {
		return nil, err
	}
	k.all[name] = device.Loaded(f)
	return k.all[name], nil
}

// mostThreads is how many threads a block of a kernel has at most: literal.cu has the same.
func mostThreads(op Op, q int) int {
	switch {
	case op <= SixAdd && q <= 8, op == Mul && q <= 4, op == Tiled && q <= 4, op == Poly:
		return 1024
	case op == Mul && q > 8:
		return 256
	}
	return 512
}

// scans is the bytes of shared memory for scans.
const scans = 256

// layout is the threads and the bytes of shared memory of a block, for words of so many bits. It is field.ErrSpec for
// shapes that no block has, and for sequentialisations that there are no kernels for.
func (k *Kernels) layout(op Op, bits int, s literal.Shape) (threads, shared int, err error) {
	least, most, each := 1, 16, s.Q
	switch op {
	case Mul:
		least, each = 2, 2*s.Q
	case Tiled:
		most = 8
	case Poly:
		least, most, each = 2, 4, 2*s.Q
	}
	if bits != 32 && bits != 64 || s.M < 1 || s.Instances < 1 || s.Q < least || s.Q > most ||
		op >= Tiled && s.Q&(s.Q-1) != 0 {
		return 0, 0, fmt.Errorf("midliteral: %w: no kernel for words of %d bits and %+v", field.ErrSpec, bits, s)
	}
	lifted := (s.M + each - 1) / each * each
	threads = (s.Instances*(lifted/each) + 31) / 32 * 32
	words := s.Instances * lifted
	shared = scans + words*bits/8*map[Op]int{Add: 1, SixAdd: 1, Mul: 4, Tiled: 2, Poly: 4}[op]
	if op == Tiled {
		shared += words * bits / 32 * 8
	}
	if most := mostThreads(op, s.Q); threads > most {
		return 0, 0, fmt.Errorf("midliteral: %w: %d threads for %+v, of at most %d", field.ErrSpec, threads, s, most)
	}
	if most := k.d.Info().SharedOptIn; shared > most {
		return 0, 0, fmt.Errorf("midliteral: %w: %d bytes of shared memory for %+v, of at most %d", field.ErrSpec, shared, s,
			most)
	}
	return threads, shared, nil
}

// Launch puts an operation on n words, of 32 or 64 bits, at addresses on the device, on a stream. z may be x or y. It
// is field.ErrSpec for shapes that no block of the device has.
func (k *Kernels) Launch(on *device.Stream, op Op, bits int, s literal.Shape, z, x, y uint64, n int) error {
	threads, shared, err := k.layout(op, bits, s)
	if err != nil {
		return err
	}
	name := fmt.Sprintf("literal_%s%d_%d", [...]string{"add", "add", "mul", "tiled", "poly"}[op], bits, s.Q)
	f, err := k.function(name)
	if err != nil {
		return err
	}
	args := []uint64{z, x, y, uint64(n), uint64(s.M), uint64(s.Instances)}
	if op <= SixAdd {
		args = append(args, uint64(op))
	}
	each := s.M * s.Instances
	return k.d.Launch(on, f, [2]int{(n + each - 1) / each, 1}, threads, shared, args...)
}

// Wait puts so many sums, products or remainders of words on a stream, for op from 0 to 2, of which each waits for the
// one before: a thread does them. The last is at z.
func (k *Kernels) Wait(on *device.Stream, op, bits int, z uint64, count int, x uint64) error {
	f, err := k.function(fmt.Sprintf("literal_wait%d", bits))
	if err != nil {
		return err
	}
	return k.d.Launch(on, f, [2]int{1, 1}, 32, 0, z, uint64(count), x, uint64(op))
}
