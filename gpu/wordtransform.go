package gpu

import (
	"context"
	"fmt"
	"math/bits"
	"slices"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/arith"
	"github.com/galfft/fft/internal/device"
	"github.com/galfft/fft/schemes"
)

// tilePass is one pass of a whole transform over words: layers first … first+layers−1 on tiles of 2^size elements.
// Where stride is 0, tiles are contiguous; else they have 2^columns columns of rows at 2^stride elements. See
// kernels/cuda/pass.cuh.
type tilePass struct{ first, layers, columns, stride, size int }

// eachThread is the elements of a thread, as a power of two.
const eachThread = 3

// tilePasses makes passes of so many layers each: strided tiles of 2^columns columns, and a contiguous one at the end.
func tilePasses(layers []int, columns int) []tilePass {
	n := 0
	for _, l := range layers {
		n += l
	}
	return tilePassesFrom(0, n, layers, columns)
}

// tilePassesFrom makes those from a layer on, of transforms of 2^n elements. The last one need not be the transform's.
func tilePassesFrom(first, n int, layers []int, columns int) []tilePass {
	var list []tilePass
	for _, l := range layers {
		p := tilePass{first: first, layers: l, size: max(l, leastTile)}
		if first += l; first < n {
			p.stride = n - first
			p.columns = min(columns, p.stride)
			p.size = l + p.columns
		}
		list = append(list, p)
	}
	return list
}

// leastTile is the smallest contiguous tile, as shorter transforms are several in one. The largest one is of
// choice.MostContiguous layers. All tiles fit into the 48 KiB of shared memory that every device has.
const leastTile = 10

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
	b      *words
	n      int
	passes []tilePass
	few    []tilePass // of vectors for which there are multiprocessors enough to have a tile each, or nil
	scale  uint64
	tables [2]*device.Memory // multipliers, forward and inverse
	heaps  uint64            // flagHeap where tables are heaps
}

// of is the passes of a vector of so many words.
func (t *wordTransform) of(words int, crowded bool) []tilePass {
	if len(t.few) > 0 && !crowded && t.few[0].blocks(words) <= t.b.d.Info().Multiprocessors {
		return t.few
	}
	return t.passes
}

// crowded reports whether so many queues are open that the host's launches bound them all, and not what each transform
// takes: then the fewest kernels are best. On an H100, transforms of 2^12 words of Goldilocks take .0021 ms each on 8
// queues by a kernel, and .0027 by two; on 4 queues .0026 and .0022 (bench/results/2026-11-26-ffb31d3-gpu-calls.txt,
// 2026-11-26-301b9ea-gpu-calls.txt).
func (t *wordTransform) crowded() bool {
	const crowd = 5
	return len(t.few) > 0 && t.b.d.Queues() >= crowd
}

// Flags of kernels/cuda/pass.cuh.
const (
	flagNatural   = 1
	flagCanonical = 2
	flagScale     = 4
	flagHeap      = 8
)

// newWordTransform makes the transform of 2^n points.
func newWordTransform(b *words, d *schemes.Points, n int) (*wordTransform, error) {
	all, few := b.divide(n)
	t := &wordTransform{b: b, n: n, passes: tilePasses(all, b.lineColumns()), few: tilePasses(few, b.lineColumns())}
	if d.Shifted() {
		t.heaps = flagHeap
	}
	if err := d.Take(t.tableBytes()); err != nil {
		return nil, err
	}
	kernels := []*device.Function{b.roots}
	for _, p := range slices.Concat(t.passes, t.few) {
		for _, inverse := range []bool{false, true} {
			f, _ := t.kernel(p, 1<<n, inverse)
			kernels = append(kernels, f)
		}
	}
	err := device.Load(kernels...) // so that calls have no part of that
	if err != nil {
		return nil, err
	}
	var shifts []schemes.Factor
	for l := 0; l < n && t.heaps != 0; l++ {
		shifts = append(shifts, schemes.Factor{Shift: 1 << (n - 1 - l)})
	}
	for i, sign := range []int64{1, -1} {
		if t.tables[i], err = b.newTable(d, n, sign, n-1, shifts); err != nil {
			return nil, err
		}
	}
	t.scale = arith.Inverse(uint64(1)<<n%b.p, b.p)
	return t, waitFor(b.onDevice, d, t.tables[:])
}

// entries is the length of a table: block u of each layer has the multiplier of u, and in a heap one of its own.
func (t *wordTransform) entries() int {
	if t.heaps != 0 {
		return 1 << t.n
	}
	return 1 << (t.n - 1)
}

// tableBytes is what both tables take.
func (t *wordTransform) tableBytes() int { return 2 * t.b.multiplier * t.entries() }

// newTable makes the first 2^layers entries of the table T[u] = w^rev(u) of 2^n points, with the reversal of n−1 bits,
// or the heap T[2^l + u] = shifts[l]·w^rev(u) of layers+1 layers; or that of the inverses, where sign is −1.
func (b *words) newTable(d *schemes.Points, n int, sign int64, layers int, shifts []schemes.Factor) (*device.Memory,
	error) {
	t, err := b.tableOf(d, n, sign, layers)
	if err == nil {
		defer t.drop()
		err = t.shift(d, sign, shifts)
	}
	if err != nil {
		return nil, err
	}
	m, err := b.d.Make(b.multiplier * t.entries)
	if err != nil {
		return nil, err
	}
	m.Did(t.fill(m, m.Stream()))
	return m, nil
}

// tableParts is what a table is made of.
type tableParts struct {
	b                   *words
	lows, highs, shifts *device.Memory // shifts are nil but for heaps
	low, entries        int
}

// tableOf is newTable's, of no heap so far.
func (b *words) tableOf(d *schemes.Points, n int, sign int64, layers int) (*tableParts, error) {
	t := &tableParts{b: b, low: (layers + 1) / 2, entries: 1 << layers}
	var lows, highs []schemes.Factor
	for u := range 1 << t.low {
		lows = append(lows, schemes.Factor{Root: sign * reversal(u, n)})
	}
	for u := range 1 << (layers - t.low) {
		highs = append(highs, schemes.Factor{Root: sign * reversal(u<<t.low, n)})
	}
	l, err := d.Elements(lows...)
	if err != nil {
		return nil, err
	}
	t.lows = memory(l)
	h, err := d.Elements(highs...)
	if err != nil {
		t.drop()
		return nil, err
	}
	t.highs = memory(h)
	return t, nil
}

// shift makes it a heap, where there are shifts.
func (t *tableParts) shift(d *schemes.Points, sign int64, shifts []schemes.Factor) error {
	if len(shifts) == 0 {
		return nil
	}
	var signed []schemes.Factor
	for _, f := range shifts {
		signed = append(signed, schemes.Factor{Root: sign * f.Root, Shift: sign * f.Shift})
	}
	v, err := d.Elements(signed...)
	if err == nil {
		t.shifts = memory(v)
		t.entries *= 2
	}
	return err
}

// fill begins to make the table.
func (t *tableParts) fill(m *device.Memory, s *device.Stream) error {
	b, shifts := t.b, uint64(0)
	if t.shifts != nil {
		shifts = t.shifts.At
	}
	return b.d.Each(s, b.roots, t.entries, m.At, b.p, b.inverse, b.square, uint64(t.entries), t.lows.At, uint64(t.low),
		t.highs.At, shifts)
}

// drop gives back what fill has read.
func (t *tableParts) drop() {
	for _, m := range []*device.Memory{t.lows, t.highs, t.shifts} {
		if m != nil {
			m.Drop()
		}
	}
}

// reversal is that of n−1 bits.
func reversal(u, n int) int64 { return int64(bits.Reverse64(uint64(u)) >> 1 >> (64 - n)) }

func (t *wordTransform) Cheapest() field.Order { return field.BitReversed }

func (t *wordTransform) Run(ctx context.Context, v bulks.View, o field.Order, inverse bool) error {
	c := callOf(v, o == field.Natural, inverse)
	if t.crowded() {
		c.Variant |= callCrowded
	}
	return t.b.d.Run(ctx, t, c)
}

func (t *wordTransform) Start(ctx context.Context, s *device.Stream, c device.Call) error {
	v, natural, inverse := transformOf(c)
	passes := t.of(v.N, c.Variant&callCrowded != 0)
	if inverse {
		return t.inverse(ctx, s, v, passes, factors{}, natural)
	}
	return t.forward(ctx, s, v, passes, natural)
}

func (t *wordTransform) forward(ctx context.Context, s *device.Stream, v bulks.View, passes []tilePass,
	natural bool) error {
	one := len(passes) == 1 // reverses the bits on the way
	for i, p := range passes {
		if err := ctx.Err(); err != nil {
			return err
		}
		flags := uint64(0)
		if i == len(passes)-1 {
			flags = flagCanonical
		}
		if natural && one {
			flags |= flagNatural
		}
		if err := t.pass(s, false, v, factors{}, p, flags); err != nil {
			return err
		}
	}
	if natural && !one {
		return t.b.reversed(s, v, t.n)
	}
	return nil
}

// factors are where two vectors are whose products an inverse transform begins with, or 0.
type factors [2]uint64

// InverseMul sets z to the inverse transforms of the products of x and y, values in the cheapest order. z may be x or
// y.
func (t *wordTransform) InverseMul(ctx context.Context, z, x, y bulks.View) (err error) {
	onQueueOf(z, x, y, func(s *device.Stream) error {
		err = t.inverse(ctx, s, z, t.of(z.N, t.crowded()), factors{t.b.at(x), t.b.at(y)}, false)
		return nil // an end of ctx is no failure of z
	})
	return err
}

// inverse transforms v, or the products of by into it.
func (t *wordTransform) inverse(ctx context.Context, s *device.Stream, v bulks.View, passes []tilePass, by factors,
	natural bool) error {
	one := len(passes) == 1
	if natural && !one {
		if err := t.b.reversed(s, v, t.n); err != nil {
			return err
		}
	}
	for i := len(passes) - 1; i >= 0; i-- {
		if err := ctx.Err(); err != nil {
			return err
		}
		flags := uint64(0)
		if i == 0 {
			flags = flagCanonical | flagScale
		}
		if natural && one {
			flags |= flagNatural
		}
		if err := t.pass(s, true, v, by, passes[i], flags); err != nil {
			return err
		}
		by = factors{}
	}
	return nil
}

func (t *wordTransform) pass(s *device.Stream, inverse bool, v bulks.View, by factors, p tilePass,
	flags uint64) error {
	b, table := t.b, t.tables[0]
	if inverse {
		table = t.tables[1]
	}
	flags |= t.heaps
	f, fixed := t.kernel(p, v.N, inverse)
	blocks, threads, shared := [2]int{p.blocks(v.N), 1}, 1<<(p.size-eachThread), tileBytes(p.size, b.word)
	if fixed {
		return b.d.Launch(s, f, blocks, threads, shared, b.at(v), table.At, b.p, b.inverse, b.square,
			uint64(p.first), uint64(p.stride), flags, t.scale, by[0], by[1])
	}
	return b.d.Launch(s, f, blocks, threads, shared, b.at(v), table.At, b.p, b.inverse, b.square,
		uint64(v.N), uint64(p.first), uint64(p.layers), uint64(p.columns), uint64(p.stride), uint64(p.size), flags,
		t.scale, by[0], by[1])
}

// kernel is that of a pass over so many words, and whether it is one of fixed shapes.
func (t *wordTransform) kernel(p tilePass, words int, inverse bool) (f *device.Function, fixed bool) {
	shape := tilePass{layers: p.layers, columns: p.columns, size: p.size}
	all := t.b.passes[t.heaps/flagHeap]
	k, ok := all.fixed[shape]
	if !ok || words%(1<<p.size) != 0 {
		k, ok = all.fixedPass, false
	}
	if inverse {
		return k.inverse, ok
	}
	return k.forward, ok
}

func (t *wordTransform) Report(r *field.Report) {
	r.Algorithm, r.Tables = field.Fused, t.tableBytes()
	for _, p := range t.passes {
		r.Split = append(r.Split, 1<<p.layers)
		r.Passes = append(r.Passes, fmt.Sprintf("radix %d on the device", 1<<p.layers))
	}
	if r.Order == field.Natural && len(t.passes) > 1 {
		r.Passes = append(r.Passes, "bit reversal on the device")
	}
	if len(t.few) > 0 {
		line := "where transforms are few:"
		for _, p := range t.few {
			line += fmt.Sprintf(" radix %d", 1<<p.layers)
		}
		r.Passes = append(r.Passes, line)
	}
}
