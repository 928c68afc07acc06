package gpu

import (
	"context"
	"fmt"
	"slices"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/device"
	"github.com/galfft/fft/schemes"
)

// additiveThreads are those of a block of all passes. A block of a wide one has as many columns as leave 2^wideBlocks
// blocks, 2^wideColumns at most: a thread takes some, so that tables serve for more. Where wide passes have tables,
// which are faster, tiles are left tiledLayers at least. Tiles are smaller where there would be fewer than
// 2^tileBlocks.
const (
	additiveThreads = 256
	wideColumns     = 10
	wideBlocks      = 9
	tiledLayers     = 8
	tileBlocks      = 9
)

// Deep passes do deepLayers, in blocks of deepThreads, or fewer where columns are few. A block has rows of deepRow
// bytes at least, and as many columns as leave 2^deepBlocks blocks.
const deepLayers, deepThreads, deepRow, deepBlocks = 6, 512, 128, 8

// slicedThreads are those of a block of a sliced tile, which has 2^slicedRuns runs.
const slicedThreads, slicedRuns = 128, 5

// additiveTransform runs whole transforms over an affine domain: wide passes for the first layers, and a tile for the
// last ones. A stage of a rank has some of the layers.
type additiveTransform struct {
	b          *additive
	k          *additiveLayers
	n          int
	from       int   // the first layer
	second     bool  // a stage behind another, which leaves coordinates
	pair       int   // log2 of the elements that passes take as one
	wides      []int // layers of wide passes
	layers     int   // of the tile
	size       int   // of the tile, as a power of two
	inside     int   // bits of the blocks of its first layer inside a tile
	sliced     bool  // it multiplies bits of many elements at once
	generators uint64
	own        *narrow // where factors are of GF(2^32); else nil
	made       bulks.View
	heap       *device.Memory
	basis      *additiveBasis // for powers of x; else nil
	// last is the pass of the last layer, where its factors are wider than those before; else nil.
	last *additiveTransform
}

// newAdditiveTransform makes the transform of 2^n points, for coefficients of powers of x or for LCH.
func newAdditiveTransform(b *additive, d *schemes.Points, n int, of field.Coefficients) (*additiveTransform, error) {
	t := &additiveTransform{b: b, n: n}
	c, err := newFactors(b, d, n)
	if err != nil {
		return nil, err
	}
	t.by(c, c.own != nil)
	if t.split(); t.own != nil && !t.sliced && t.tileBytes() > b.d.Info().SharedOptIn {
		t.by(c, false)
		t.split()
	}
	if of == field.Monomial {
		if t.basis, err = newAdditiveBasis(b, d, n); err != nil {
			return nil, err
		}
	}
	return t, t.make(d)
}

// additiveFactors is what factors of layers are made of.
type additiveFactors struct {
	made bulks.View
	own  *narrow // where all are of GF(2^32); else nil
}

func newFactors(b *additive, d *schemes.Points, n int) (c additiveFactors, err error) {
	if c.made, err = d.Generators(); err != nil {
		return c, err
	}
	if b.narrow.shape.most > 0 {
		c.own, err = newNarrow(b, d, n, c.made)
	}
	return c, err
}

// by has t multiply by factors of the field, or of GF(2^32), where the last layer's may be wider.
func (t *additiveTransform) by(c additiveFactors, narrow bool) {
	b := t.b
	t.made, t.own, t.k, t.generators, t.pair, t.last = c.made, nil, &b.full, b.at(c.made), 0, nil
	if !narrow {
		return
	}
	if c.own.pairs {
		most := b.full.shape.most
		t.last = &additiveTransform{b: b, k: t.k, n: t.n, layers: 1, size: most, inside: most - 1, made: t.made,
			generators: t.generators}
		t.k, t.pair = &b.pairs, 1
	} else {
		t.k = &b.narrow
	}
	t.own, t.generators = c.own, c.own.factors.At
}

// make loads kernels, so that calls have no part of that, and makes heaps.
func (t *additiveTransform) make(d *schemes.Points) error {
	if err := d.Take(t.tableBytes()); err != nil {
		return err
	}
	if err := device.Load(t.kernels()...); err != nil {
		return err
	}
	if t.last != nil {
		if err := t.last.makeHeap(d); err != nil {
			return err
		}
	}
	return t.makeHeap(d)
}

// kernels are those that calls need.
func (t *additiveTransform) kernels() []*device.Function {
	var k []*device.Function
	switch {
	case t.sliced:
		k = append(k, t.k.heap, t.k.sliced[0], t.k.sliced[1])
	case t.layers > 0:
		k = append(k, t.k.heap, t.k.tile[0], t.k.tile[1])
	}
	if slices.Contains(t.wides, t.k.shape.wide) {
		k = append(k, t.k.wide[0], t.k.wide[1])
	}
	if slices.Contains(t.wides, deepLayers) {
		k = append(k, t.k.deep[0], t.k.deep[1])
	}
	if t.last != nil {
		k = append(k, t.last.kernels()...)
	}
	if t.basis != nil {
		k = append(k, t.basis.kernels()...)
	}
	return k
}

// makeHeap makes the heap of the tile, if there is one.
func (t *additiveTransform) makeHeap(d *schemes.Points) (err error) {
	if t.layers == 0 {
		return nil
	}
	if t.heap, err = t.b.d.Make(t.entries() * t.k.by); err != nil {
		return err
	}
	t.heap.Did(t.b.each(t.k.heap, t.entries(), t.heap.At, t.generators, uint64(t.all()-t.layers), uint64(t.inside),
		uint64(t.entries())))
	return waitFor(t.b.onDevice, d, []*device.Memory{t.heap})
}

// all is how many layers a whole transform has, but for the last one where it has a pass of its own.
func (t *additiveTransform) all() int { return t.n - t.pair }

// split shares the layers among passes.
func (t *additiveTransform) split() {
	s, n := t.k.shape, t.all()-t.from
	t.wides = nil
	switch {
	case n > s.most && s.table > 0:
		t.wides = t.shares(n - tiledLayers)
	case n > s.most:
		t.wides = slices.Repeat([]int{s.wide}, (n-s.most+s.wide-1)/s.wide)
	}
	t.layers = n - sum(t.wides)
	t.size = min(s.most, max(t.layers, s.least, t.all()-tileBlocks))
	if t.sliced = t.slices(); t.sliced {
		t.size = s.rows + slicedRuns
	}
	t.inside = min(t.size-t.layers, t.all()-t.layers)
}

// shares splits layers among wide and deep passes: all but as few as there can be, with as few deep ones as there can
// be, as a layer takes less time in others.
func (t *additiveTransform) shares(layers int) (wides []int) {
	s, most := t.k.shape, 0
	if s.deep > 0 && t.deepBytes(true, t.rowOfDeep()) <= t.b.d.Info().SharedOptIn {
		most = layers / deepLayers
	}
	for deep := range most + 1 {
		some := slices.Repeat([]int{deepLayers}, deep)
		some = append(some, slices.Repeat([]int{s.wide}, (layers-deep*deepLayers)/s.wide)...)
		if sum(some) > sum(wides) {
			wides = some
		}
	}
	return wides
}

func sum(list []int) (all int) {
	for _, x := range list {
		all += x
	}
	return all
}

// slices reports whether the tile can be a sliced one: a transform has a whole tile, and a layer is inside of runs or
// across them.
func (t *additiveTransform) slices() bool {
	rows := t.k.shape.rows
	return rows > 0 && t.all() >= rows+slicedRuns && t.layers >= rows && t.layers <= rows+slicedRuns && !t.alone() &&
		t.slicedBytes() <= t.b.d.Info().SharedOptIn
}

// entries is the length of the heap.
func (t *additiveTransform) entries() int {
	if t.layers == 0 {
		return 0
	}
	return 1 << (t.inside + t.layers)
}

// tableBytes is what generators and heap take.
func (t *additiveTransform) tableBytes() int {
	bytes := t.b.Bytes(t.made.N) + t.entries()*t.k.by
	if t.last != nil {
		bytes += t.last.entries() * t.last.k.by
	}
	return bytes
}

// mapsBytes is what maps take.
func (t *additiveTransform) mapsBytes() int {
	if t.own == nil {
		return 0
	}
	return 2 * t.own.mapBytes
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
	last := len(t.wides)
	if t.last != nil {
		last++
	}
	for i := range last + 1 {
		if err := ctx.Err(); err != nil {
			return err
		}
		if inverse {
			i = last - i
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

// pass is wide or deep pass i, the tile, or the last layer behind it. The first pass over factors of 32 bits makes
// elements coordinates, and the last one takes them back.
func (t *additiveTransform) pass(s *device.Stream, v bulks.View, i int, inverse bool) error {
	if i > len(t.wides) {
		return t.last.pass(s, v, 0, inverse)
	}
	b, k, total := t.b, t.k, v.N>>t.pair
	if i == len(t.wides) && t.sliced {
		return b.d.Launch(s, k.sliced[flag(inverse)], [2]int{total >> t.size, 1}, slicedThreads, t.slicedBytes(),
			b.at(v), t.generators, t.heap.At, uint64(t.all()-t.layers), uint64(t.layers), t.mapping(!inverse), 1)
	}
	if i == len(t.wides) {
		first, blocks := t.all()-t.layers, (total+1<<t.size-1)>>t.size
		var in, out uint64
		if t.alone() || inverse {
			in = t.mapping(false)
		}
		if t.alone() || !inverse {
			out = t.mapping(true)
		}
		return b.d.Launch(s, k.tile[flag(inverse)], [2]int{blocks, 1}, additiveThreads, t.tileBytes(), b.at(v),
			t.generators, t.heap.At, uint64(total), uint64(first), uint64(t.layers), uint64(t.size), in, out)
	}
	layers, first := t.wides[i], t.from+sum(t.wides[:i])
	stride := t.all() - first - layers
	columns := min(stride, wideColumns, max(k.shape.few, log2(total)-layers-wideBlocks))
	kernels, threads, bytes := k.wide, additiveThreads, t.wideBytes(i)
	if layers == deepLayers {
		columns = t.deepColumns(stride, total)
		kernels, threads, bytes = k.deep, min(deepThreads, 8<<columns), t.deepBytes(t.maps(i), columns)
	}
	var mapping uint64
	if t.maps(i) {
		mapping = t.mapping(inverse)
	}
	return b.d.Launch(s, kernels[flag(inverse)], [2]int{total >> (layers + columns), 1}, threads, bytes, b.at(v),
		t.generators, uint64(first), uint64(stride), uint64(columns), mapping)
}

// rowOfDeep is log2 of the elements of a row of a block of a deep pass, where it is shortest.
func (t *additiveTransform) rowOfDeep() int { return log2(deepRow / (t.b.size << t.pair)) }

// deepColumns is log2 of the columns of a block of a deep pass: as many as leave 2^deepBlocks blocks and fit.
func (t *additiveTransform) deepColumns(stride, total int) int {
	few := t.rowOfDeep()
	columns := min(stride, t.k.shape.deep, max(few, log2(total)-deepLayers-deepBlocks))
	for columns > few && t.deepBytes(true, columns) > t.b.d.Info().SharedOptIn {
		columns--
	}
	return columns
}

// deepBytes is the shared memory of a deep pass: factors, their tables, elements, and a map where there is one.
func (t *additiveTransform) deepBytes(maps bool, columns int) int {
	const factors = 1 << deepLayers
	bytes := factors*t.k.by + (factors-1)*t.k.shape.table + t.b.size<<(t.pair+deepLayers+columns)
	if t.own != nil && maps {
		bytes += t.own.mapBytes
	}
	return bytes
}

// maps reports whether wide pass i has elements as they are on one side.
func (t *additiveTransform) maps(i int) bool { return i == 0 && !t.second }

// alone reports whether the tile has them on both.
func (t *additiveTransform) alone() bool { return len(t.wides) == 0 && !t.second }

// mapping is the address of a map to coordinates or back, 0 for none.
func (t *additiveTransform) mapping(back bool) uint64 {
	if t.own == nil {
		return 0
	}
	return t.own.maps.At + flag(back)*uint64(t.own.mapBytes)
}

// tileBytes is the shared memory of a tile: elements with what spreads them over the banks, a factor a layer, and a
// map, or both where there is no other pass.
func (t *additiveTransform) tileBytes() int {
	bytes := t.b.padded(1<<t.size) * t.b.size << t.pair
	if t.own == nil {
		return bytes + t.layers*t.k.by
	}
	const factors = 64
	bytes += factors*t.k.by + t.own.mapBytes
	if t.alone() {
		bytes += t.own.mapBytes
	}
	return bytes
}

// slicedBytes is the shared memory of a sliced tile: elements, generators and a transposed factor of each layer, and a
// map.
func (t *additiveTransform) slicedBytes() int {
	bytes := t.b.size<<(t.pair+t.k.shape.rows+slicedRuns) + 2*32*4*t.layers
	if t.own != nil {
		bytes += t.own.mapBytes
	}
	return bytes
}

// padded is the place of an element in shared memory, as kernels have it.
func (b *additive) padded(i int) int {
	if b.size == 4 {
		return i + i>>5
	}
	return i + i>>4
}

// wideBytes is the shared memory of wide pass i: factors, their tables, and in the first one a map.
func (t *additiveTransform) wideBytes(i int) int {
	factors := 1 << t.k.shape.wide
	bytes := max(4, factors)*t.k.by + (factors-1)*t.k.shape.table
	if t.own != nil && t.maps(i) {
		bytes += t.own.mapBytes
	}
	return bytes
}

func (t *additiveTransform) Report(r *field.Report) {
	r.Algorithm, r.Coefficients, r.Tables = field.Fused, field.LCH, t.tableBytes()+t.mapsBytes()
	if t.basis != nil {
		r.Coefficients, r.Tables = field.Monomial, r.Tables+t.basis.bytes
		r.Passes = append(r.Passes, t.basis.describe()...)
	}
	t.describe(r)
	if r.Order == field.BitReversed {
		r.Passes = append(r.Passes, "bit reversal on the device")
	}
}

// describe adds the passes of layers.
func (t *additiveTransform) describe(r *field.Report) {
	for _, layers := range t.wides {
		r.Split = append(r.Split, 1<<layers)
		r.Passes = append(r.Passes, fmt.Sprintf("%d layers on the device, factors of %d bits", layers, 8*t.k.by))
	}
	if t.layers > 0 {
		r.Split = append(r.Split, 1<<t.layers)
		kind := "tiles"
		if t.sliced {
			kind = "sliced tiles"
		}
		r.Passes = append(r.Passes, fmt.Sprintf("%d layers in %s on the device, factors of %d bits", t.layers, kind,
			8*t.k.by))
	}
	if t.last != nil {
		r.Split = append(r.Split, 2)
		r.Passes = append(r.Passes, fmt.Sprintf("the last layer on the device, factors of %d bits", 8*t.last.k.by))
	}
}
