package gpu

import (
	"context"
	"fmt"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/device"
	"github.com/galfft/fft/schemes"
)

// additiveThreads are those of a block of all passes, and wideColumns the columns of a block of a wide one at most, as
// a power of two: a thread takes some, so that tables serve for more.
const additiveThreads, wideColumns = 256, 10

// additiveTransform runs whole transforms over an affine domain: wide passes for the first layers, and a tile for the
// last ones.
type additiveTransform struct {
	b          *additive
	n          int
	wides      int // passes
	layers     int // of the tile
	size       int // of the tile, as a power of two
	inside     int // bits of the blocks of its first layer inside a tile
	generators bulks.View
	heap       *device.Memory
	basis      *additiveBasis // for powers of x; else nil
}

// newAdditiveTransform makes the transform of 2^n points, for coefficients of powers of x or for LCH.
func newAdditiveTransform(b *additive, d *schemes.Points, n int, of field.Coefficients) (*additiveTransform, error) {
	s := b.shape
	t := &additiveTransform{b: b, n: n, size: s.most, wides: (max(0, n-s.most) + s.wide - 1) / s.wide}
	first := s.wide * t.wides
	t.layers = n - first
	t.inside = min(t.size-t.layers, first)
	if err := d.Take(t.tableBytes()); err != nil {
		return nil, err
	}
	kernels := []*device.Function{b.heap, b.tile[0], b.tile[1]}
	if t.wides > 0 {
		kernels = append(kernels, b.wide[0], b.wide[1])
	}
	var err error
	if of == field.Monomial {
		if t.basis, err = newAdditiveBasis(b, d, n); err != nil {
			return nil, err
		}
		kernels = append(kernels, t.basis.kernels()...)
	}
	if err := device.Load(kernels...); err != nil { // so that calls have no part of that
		return nil, err
	}
	if t.generators, err = d.Generators(); err != nil {
		return nil, err
	}
	if t.heap, err = b.d.Make(b.Bytes(t.entries())); err != nil {
		return nil, err
	}
	t.heap.Did(b.each(b.heap, t.entries(), t.heap.At, b.at(t.generators), uint64(first), uint64(t.inside),
		uint64(t.entries())))
	return t, waitFor(b.onDevice, d, []*device.Memory{t.heap})
}

// entries is the length of the heap.
func (t *additiveTransform) entries() int { return 1 << (t.inside + t.layers) }

// tableBytes is what generators and heap take.
func (t *additiveTransform) tableBytes() int {
	return t.b.Bytes(t.n*(t.n+1)/2) + t.b.Bytes(t.entries())
}

func (t *additiveTransform) Cheapest() field.Order { return field.Natural }

func (t *additiveTransform) Run(ctx context.Context, v bulks.View, o field.Order, inverse bool) error {
	return t.b.run(ctx, t, v, o, inverse)
}

func (t *additiveTransform) Start(ctx context.Context, s *device.Stream, c device.Call) error {
	v, natural, inverse := transformOf(c)
	if inverse && !natural {
		if err := t.b.reversed(s, v, t.n); err != nil {
			return err
		}
	}
	if t.basis != nil && !inverse {
		if err := t.basis.start(ctx, s, v, false); err != nil {
			return err
		}
	}
	for i := range t.wides + 1 {
		if err := ctx.Err(); err != nil {
			return err
		}
		if inverse {
			i = t.wides - i
		}
		if err := t.pass(s, v, i, inverse); err != nil {
			return err
		}
	}
	if t.basis != nil && inverse {
		return t.basis.start(ctx, s, v, true)
	}
	if !inverse && !natural {
		return t.b.reversed(s, v, t.n)
	}
	return nil
}

// pass is wide pass i, or the tile.
func (t *additiveTransform) pass(s *device.Stream, v bulks.View, i int, inverse bool) error {
	b, first := t.b, t.b.shape.wide*i
	if i == t.wides {
		blocks := (v.N + 1<<t.size - 1) >> t.size
		return b.d.Launch(s, b.tile[flag(inverse)], [2]int{blocks, 1}, additiveThreads, t.tileBytes(), b.at(v),
			b.at(t.generators), t.heap.At, uint64(v.N), uint64(first), uint64(t.layers), uint64(t.size))
	}
	stride := t.n - first - b.shape.wide
	columns := min(wideColumns, stride)
	return b.d.Launch(s, b.wide[flag(inverse)], [2]int{v.N >> (b.shape.wide + columns), 1}, additiveThreads,
		b.wideBytes(), b.at(v), b.at(t.generators), uint64(first), uint64(stride), uint64(columns))
}

// tileBytes is the shared memory of a tile: elements with what spreads them over the banks, and a factor a layer.
func (t *additiveTransform) tileBytes() int {
	return (t.b.spread(1<<t.size) + t.layers) * t.b.size
}

// spread is the place of an element in shared memory, as padded of the kernels has it.
func (b *additive) spread(i int) int {
	if b.size == 4 {
		return i + i>>5
	}
	return i + i>>4
}

// wideBytes is the shared memory of a wide pass: factors, and tables of 16 elements for each four bits of them.
func (b *additive) wideBytes() int {
	factors := 1 << b.shape.wide
	bytes := factors * b.size
	if b.shape.tables {
		bytes += (factors - 1) * 16 * b.m / 4 * b.size
	}
	return bytes
}

func (t *additiveTransform) Report(r *field.Report) {
	r.Algorithm, r.Coefficients, r.Tables = field.Fused, field.LCH, t.tableBytes()
	if t.basis != nil {
		r.Coefficients, r.Tables = field.Monomial, r.Tables+t.basis.bytes
		r.Passes = append(r.Passes, t.basis.describe()...)
	}
	for range t.wides {
		r.Split = append(r.Split, 1<<t.b.shape.wide)
		r.Passes = append(r.Passes, fmt.Sprintf("%d layers on the device", t.b.shape.wide))
	}
	r.Split = append(r.Split, 1<<t.layers)
	r.Passes = append(r.Passes, fmt.Sprintf("%d layers in tiles on the device", t.layers))
	if r.Order == field.BitReversed {
		r.Passes = append(r.Passes, "bit reversal on the device")
	}
}
