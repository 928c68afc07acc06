package gpu

import (
	"context"
	"fmt"
	"math/bits"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/gpu/internal/driver"
	"github.com/galfft/fft/schemes"
)

// tilePass is one pass of a whole transform over words: layers first … first+layers−1 on tiles of 2^size elements.
// Where stride is 0, tiles are contiguous; else they have 2^columns columns of rows at 2^stride elements. See
// kernels/cuda/pass.cuh.
type tilePass struct{ first, layers, columns, stride, size int }

// eachThread is the elements of a thread, as a power of two, and maxTile the largest tile by it.
const (
	eachThread = 3
	maxTile    = 10 + eachThread
)

// tilePasses divides the layers of transforms of 2^n points among as few passes as tiles of at most 2^tile elements
// allow, rows of which have at least 2^columns elements.
func tilePasses(n, tile, columns int) []tilePass {
	passes := 1
	for n > tile+(passes-1)*(tile-columns) {
		passes++
	}
	var list []tilePass
	for first := 0; passes > 0; passes-- {
		left := n - first
		p := tilePass{first: first, layers: (left + passes - 1) / passes, size: tile}
		if passes > 1 {
			p.layers = min(p.layers, tile-columns)
			p.stride = left - p.layers
			p.columns = min(tile-p.layers, p.stride)
			p.size = p.layers + p.columns
		}
		list = append(list, p)
		first += p.layers
	}
	return list
}

// blocks is how many tiles there are in a vector of total elements.
func (p tilePass) blocks(total int) int { return (total + 1<<p.size - 1) >> p.size }

// tileBytes is the shared memory of a tile, with what spreads it over the banks.
func tileBytes(size, word int) int {
	spread := 4
	if word == 4 {
		spread = 5
	}
	return (1<<size + 1<<size>>spread) * word
}

// wordTransform runs whole transforms over words.
type wordTransform struct {
	b       *words
	n       int
	passes  []tilePass
	scale   uint64
	tables  [2]*memory // heaps of multipliers, forward and inverse
	natural bool       // one pass does it all, and reverses the bits on the way
}

// Flags of kernels/cuda/pass.cuh.
const (
	flagNatural   = 1
	flagCanonical = 2
	flagScale     = 4
)

func newWordTransform(b *words, d *schemes.Points, n int) (*wordTransform, error) {
	t := &wordTransform{b: b, n: n}
	tile := min(maxTile, wantTile)
	for tileBytes(tile, b.word) > b.d.shared {
		tile--
	}
	columns := log2(128 / b.word) // a full line of memory
	t.passes = tilePasses(n, tile, columns)
	t.natural = len(t.passes) == 1

	if err := d.Take(2 * b.multiplier << n); err != nil {
		return nil, err
	}
	var err error
	for i, sign := range []int64{1, -1} {
		if t.tables[i], err = newHeap(b, d, n, sign); err != nil {
			return nil, err
		}
	}
	one := uint64(1) << n % b.p
	t.scale = inverseMod(one, b.p)
	return t, b.d.wait(nil)
}

// wantTile is the tile that is fastest where shared memory allows it.
var wantTile = 12

// newHeap makes the table T[2^l + u] = s^(N/2^(l+1))·w^rev(u), with the reversal of n−1 bits, or that of the inverses.
func newHeap(b *words, d *schemes.Points, n int, sign int64) (*memory, error) {
	low := n / 2
	rev := func(u int) int64 { return sign * int64(bits.Reverse64(uint64(u))>>1>>(64-n)) }
	var lows, highs, shifts []schemes.Factor
	for u := range 1 << low {
		lows = append(lows, schemes.Factor{Root: rev(u)})
	}
	for u := range 1 << (n - 1 - low) {
		highs = append(highs, schemes.Factor{Root: rev(u << low)})
	}
	for l := range n {
		shifts = append(shifts, schemes.Factor{Shift: sign << (n - 1 - l)})
	}
	var at [3]uint64
	for i, list := range [][]schemes.Factor{lows, highs, shifts} {
		if i == 2 && !d.Shifted() {
			break
		}
		v, err := d.Elements(list...)
		if err != nil {
			return nil, err
		}
		defer b.Release(v) // waits for the kernel
		at[i] = b.at(v)
	}
	m, err := b.d.newMemory(b.multiplier << n)
	if err != nil {
		return nil, err
	}
	return m, b.d.launch(b.heap, 1<<n-1, uint64(m.at), b.p, b.inverse, b.square, uint64(1)<<n, at[0],
		uint64(low), at[1], at[2])
}

// inverseMod is x⁻¹ mod p, for a prime p that does not divide x: x^(p−2).
func inverseMod(x, p uint64) uint64 {
	mul := func(x, y uint64) uint64 {
		h, l := bits.Mul64(x, y)
		return bits.Rem64(h, l, p)
	}
	r := uint64(1)
	for e := p - 2; e > 0; e >>= 1 {
		if e&1 == 1 {
			r = mul(r, x)
		}
		x = mul(x, x)
	}
	return r
}

func (t *wordTransform) Cheapest() field.Order { return field.BitReversed }

func (t *wordTransform) Run(ctx context.Context, v field.View, o field.Order, inverse bool) error {
	return t.b.d.run(ctx, t, v, o == field.Natural, inverse)
}

func (t *wordTransform) start(ctx context.Context, s *driver.Stream, v field.View, natural, inverse bool) error {
	if inverse {
		return t.inverse(ctx, s, v, natural)
	}
	return t.forward(ctx, s, v, natural)
}

func (t *wordTransform) forward(ctx context.Context, s *driver.Stream, v field.View, natural bool) error {
	for i, p := range t.passes {
		if err := ctx.Err(); err != nil {
			return err
		}
		flags := uint64(0)
		if i == len(t.passes)-1 {
			flags = flagCanonical
		}
		if natural && t.natural {
			flags |= flagNatural
		}
		if err := t.pass(s, t.b.forward, t.tables[0], v, p, flags); err != nil {
			return err
		}
	}
	if natural && !t.natural {
		return t.b.reversed(s, v, t.n)
	}
	return nil
}

func (t *wordTransform) inverse(ctx context.Context, s *driver.Stream, v field.View, natural bool) error {
	if natural && !t.natural {
		if err := t.b.reversed(s, v, t.n); err != nil {
			return err
		}
	}
	for i := len(t.passes) - 1; i >= 0; i-- {
		if err := ctx.Err(); err != nil {
			return err
		}
		flags := uint64(0)
		if i == 0 {
			flags = flagCanonical | flagScale
		}
		if natural && t.natural {
			flags |= flagNatural
		}
		if err := t.pass(s, t.b.backward, t.tables[1], v, t.passes[i], flags); err != nil {
			return err
		}
	}
	return nil
}

func (t *wordTransform) pass(s *driver.Stream, f *driver.Function, table *memory, v field.View, p tilePass,
	flags uint64) error {
	b := t.b
	return b.d.launchBlocks(s, f, [2]int{p.blocks(v.N), 1}, 1<<(p.size-eachThread), tileBytes(p.size, b.word), b.at(v),
		uint64(table.at), b.p, b.inverse, b.square, uint64(v.N), uint64(p.first), uint64(p.layers), uint64(p.columns),
		uint64(p.stride), uint64(p.size), flags, t.scale)
}

func (t *wordTransform) Report(r *field.Report) {
	r.Algorithm, r.Tables = field.DepthFirst, 2*t.b.multiplier<<t.n
	for _, p := range t.passes {
		r.Split = append(r.Split, 1<<p.layers)
		r.Passes = append(r.Passes, fmt.Sprintf("radix %d on the device", 1<<p.layers))
	}
	if r.Order == field.Natural && !t.natural {
		r.Passes = append(r.Passes, "bit reversal on the device")
	}
}
