package binary

import (
	"encoding/binary"
	"math/bits"
	"sync"
	"unsafe"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/kernels/gf2"
	"github.com/galfft/fft/schemes"
)

// Plan makes transforms over affine domains of 2^3 points or more by kernels, where m is 8, 16, 32, 64 or 128, elements
// are no Numbers, and the processor has instructions for them; of polynomials of up to 64 bits others by tables. It
// makes no more. It implements field.Planner.
//
// Kernels for planes are for multipliers in small subfields, those for words for any. Over the field's own subspaces
// multipliers are in small subfields, unless by the shift: words are taken over others, and everywhere if planes do not
// win there either, as for polynomials of 128 bits. All domains of a field may then have different kernels, but
// transforms work in the slices of the caller, and vectors belong to one transform.
func (f *Field[E]) Plan(d field.Domain[E], s field.Spec) (field.Transform[E], error) {
	const least = 8 // below kernels take as long as element methods
	a, affine := d.(field.Affine[E])
	if !affine || f.Check() != nil {
		return nil, nil
	}
	if !f.core.inPlanes() || d.Len() < least || gf2.Active() == &gf2.Generic {
		return byTables(f, a, s)
	}
	b, err := bulkOf(f, a)
	if err != nil {
		return nil, err
	}
	if p, ok := b.(*bulk); ok {
		if d.Len() < lanes && s.Batch.Columns { // rows that are no tiles
			return byTables(f, a, s)
		}
		p.width = rowsOf(s)
	}
	return schemes.Build(f, b, d, s)
}

// bulkOf chooses the bulk for a domain.
func bulkOf[E Elements](f *Field[E], d field.Affine[E]) (bulks.Bulk, error) {
	set := gf2.ActiveWords()
	if set == nil || f.core.m < 64 {
		return newBulk(f), nil
	}
	const long = 128 // bits, whose planes take more time to be made than their multipliers save
	n := d.Len()     // from two vectors on words have tails, and from two tiles on planes have some of their own
	short := 2*set.Count(f.core.m/64-1) <= n && n < 2*lanes
	if isNarrow(f, d) && (f.core.rest == nil || f.core.m < long && gf2.Active().Subfields && !short) {
		return newBulk(f), nil
	}
	return newWords(f, set)
}

// rowsOf is the elements of a row of a batch of columns that stand where they are, where tails take such rows; or 0.
func rowsOf(s field.Spec) int {
	n := s.Batch.Count
	if !s.Batch.Columns || n != s.Batch.Stride || n&(n-1) != 0 || n < 2 || n >= lanes || s.Coefficients != field.LCH {
		return 0
	}
	return n
}

// isNarrow reports whether the multipliers over d are in the subfield of 2^32 elements.
func isNarrow[E Elements](f *Field[E], d field.Affine[E]) bool {
	const bits = 32
	own := make([]E, len(d.Basis))
	if len(own) > bits || f.Subspace(own) != nil {
		return false
	}
	for i := range own {
		if !f.Equal(&own[i], &d.Basis[i]) {
			return false
		}
	}
	power := d.Shift
	for range bits {
		f.Square(&power, &power)
	}
	return f.Equal(&power, &d.Shift)
}

// inPlanes reports whether there is a bulk for the field. It reads elements as bytes, the lowest first.
func (f *core) inPlanes() bool {
	return f.kind != number && f.m >= 8 && f.m <= 128 && f.m&(f.m-1) == 0 &&
		binary.NativeEndian.Uint16([]byte{1, 0}) == 1
}

// bulk is the arithmetic of vectors in planes: see package gf2. What knows the type of elements is functions: a generic
// bulk would be compiled with all methods of its planes for each of them.
type bulk struct {
	*planes
	view func(first unsafe.Pointer, n int) bulks.View // n elements from there on
	of   func(a bulks.View) []byte                    // the bytes of canonical elements
	turn func(to, from bulks.View, c bulks.Copy)      // of canonical elements
}

func newBulk[E Elements](f *Field[E]) *bulk {
	p := newPlanes(&f.core)
	p.at = func(buf any) unsafe.Pointer { return unsafe.Pointer(buf.(*E)) }
	b := &bulk{
		planes: p,
		view:   func(first unsafe.Pointer, n int) bulks.View { return bulks.View{Buf: (*E)(first), N: n} },
		of:     func(a bulks.View) []byte { return bytesOf(bulks.SliceOf[E](a)) },
		turn:   turn[E],
	}
	p.make = b.Make
	return b
}

// Make returns one at a multiple of 64 bytes.
func (b *bulk) Make(n int) (bulks.View, error) {
	x := make([]byte, b.Bytes(n)+lanes)
	skip := -int(uintptr(unsafe.Pointer(unsafe.SliceData(x)))) & (lanes - 1)
	return b.view(unsafe.Pointer(&x[skip]), n), nil
}

// Overlay implements bulks.Spanner: planes of elements take their memory.
func (b *bulk) Overlay(a bulks.View) bulks.View {
	return b.view(unsafe.Pointer(unsafe.SliceData(b.of(a))), a.N)
}

func (b *bulk) Tile() int { return lanes }

func (b *bulk) Pack(v, a bulks.View) { b.pack(v, b.of(a)) }

func (b *bulk) Unpack(a, v bulks.View) { b.unpack(b.of(a), v) }

// planes is a bulk but for what depends on the type of elements.
type planes struct {
	k          int // the level: elements have 2^k bytes
	width      int // of rows that have tails besides single elements, a power of two below lanes; 0: none have
	set        *gf2.Set
	at         func(buf any) unsafe.Pointer // the memory of a vector, whose Buf is a pointer to an element
	make       func(n int) (bulks.View, error)
	into, from packing   // of elements into planes, and back
	scratch    sync.Pool // *scratch
}

// packing is a kernel that moves elements, and its matrices.
type packing struct {
	kernel func(z, x *byte, tiles int, m *uint64)
	m      []uint64
}

type packings = [gf2.Levels]func(z, x *byte, tiles int, m *uint64)

// newPacking chooses the kernel for elements of 2^k bytes mapped by m, as matrices has it: among those for any map, or
// those for one map of all bytes.
func newPacking(set *gf2.Set, k int, m []uint64, whole, bytewise packings) packing {
	n := 1 << k
	apart := bytewise[k] != nil
	for i, x := range m {
		want := uint64(0)
		if i/n == i%n {
			want = m[0]
		}
		apart = apart && x == want
	}
	if apart {
		return packing{bytewise[k], set.Maps(m[:1])}
	}
	return packing{whole[k], set.Maps(m)}
}

func (p *packing) do(z, x *byte, tiles int) { p.kernel(z, x, tiles, &p.m[0]) }

// scratch is where calls compute.
type scratch struct {
	w [15 * 11]uint64 // constants of a pass
	deltas
	parts [3 * 4]uint64 // of one of them
	a, b  [strip]byte
	pair  [2 * 16 * lanes]byte // of tiles
	steps [16]gf2.Step
	heaps [64][lanes]byte // constants of a block, as deltas has them
}

// strip is the bytes of a row that passes take at a time where they have more than one kernel to run: a multiple of the
// tiles of all levels.
const strip = 4096

const lanes = gf2.Lanes

// calls does something to n tiles, as many at a time as a call takes.
func (p *planes) calls(n int, do func(i, tiles int)) {
	step := p.set.Call / p.bytes(lanes)
	for i := 0; i < n; i += step {
		do(i, min(step, n-i))
	}
}

func newPlanes(c *core) *planes {
	p := &planes{k: bits.Len(uint(c.m)) - 4, set: gf2.Active()}
	p.scratch.New = func() any { return new(scratch) }
	images := make([][]uint64, c.m) // of bits of the field, in Wiedemann's tower
	for i := range images {
		images[i] = c.unit(i)
	}
	if c.of2 != nil {
		images = inverse(c.towerBasis(), c.m, c.w)
	}
	bytes := gf2.Images()
	for _, x := range images { // from there byte by byte
		for i := range x {
			var z uint64
			for ; x[i] != 0; x[i] &= x[i] - 1 {
				bit := bits.TrailingZeros64(x[i])
				z ^= uint64(bytes[bit%8]) << (bit &^ 7)
			}
			x[i] = z
		}
	}
	p.into = newPacking(p.set, p.k, matrices(images), p.set.Pack, p.set.PackBytes)
	p.from = newPacking(p.set, p.k, matrices(inverse(images, c.m, c.w)), p.set.Unpack, p.set.UnpackBytes)
	return p
}

// matrices returns those of the map that sends bits to images, as gf2.Set has them.
func matrices(images [][]uint64) []uint64 {
	n := len(images) / 8
	m := make([]uint64, n*n)
	for i := range n {
		for j := range n {
			var part [8]byte
			for bit := range part {
				part[bit] = byte(images[8*j+bit][i/8] >> (i % 8 * 8))
			}
			m[n*i+j] = gf2.Matrix(part)
		}
	}
	return m
}

// bytes is the size of n elements.
func (p *planes) bytes(n int) int { return n << p.k }

func (p *planes) Bytes(n int) int { return p.bytes((n + lanes - 1) &^ (lanes - 1)) }

// Memory is that of whole tiles.
func (p *planes) Memory(v bulks.View) ([]byte, bool) {
	switch {
	case v.Off%lanes != 0 || v.N%lanes != 0:
		return nil, false
	case v.N == 0:
		return nil, true
	}
	return p.tile(v, 0)[:p.bytes(v.N)], true
}

// Traits describes the kernels.
func (p *planes) Traits() bulks.Traits {
	tails := make([][]int, tailLayers+1)
	for k := range tails[1:] {
		tails[k+1] = []int{k + 1}
	}
	var narrow [][][]int
	if p.width > 0 {
		narrow = make([][][]int, p.width+1)
		narrow[p.width] = tails[:rowLayers(p.width)+1]
	}
	passes := bulks.Passes{Layers: 3, Tails: tails, Narrow: narrow, Rising: true}
	if p.k == gf2.Constants { // where it was measured
		passes.Far, passes.Second = farLayers, secondLevel/16
	}
	return bulks.Traits{
		Affine:    true,
		Turns:     true,
		Block:     secondLevel,
		Scratch:   int(unsafe.Sizeof(scratch{})),
		Passes:    passes,
		Butterfly: 0.02 * float64(int(1)<<p.k), // an estimate from counts of instructions, not measured
		Form:      "planes of bytes, " + p.set.Form,
	}
}

const tailLayers = 7 // of kernels

// farLayers is those of a pass for blocks that second-level caches do not have: two and two, on strips of farStrip
// bytes of each row.
const (
	farLayers = 4
	farStrip  = 1 << 12
)

// secondLevel is the bytes of blocks, which second-level caches have. Those of the first level are so short that passes
// make constants as long as they compute.
const secondLevel = 1 << 20

// rowLayers is the layers of a tail of rows of width elements.
func rowLayers(width int) int { return tailLayers + 1 - bits.Len(uint(width)) }

// tile returns the bytes of a vector from the tile of element i on, to the end of its last tile.
func (p *planes) tile(v bulks.View, i int) []byte {
	all := unsafe.Slice((*byte)(p.at(v.Buf)), p.Bytes(v.Off+v.N))
	return all[p.bytes((v.Off+i)&^(lanes-1)):]
}

func (p *planes) get(v bulks.View, i int) gf2.Element {
	return gf2.Get(p.tile(v, i), p.k, (v.Off+i)%lanes)
}

func (p *planes) put(v bulks.View, i int, x gf2.Element) {
	gf2.Put(p.tile(v, i), p.k, (v.Off+i)%lanes, x)
}

// whole returns which of the n elements at off are whole tiles: from first on, so many tiles.
func whole(off, n int) (first, tiles int) {
	first = min(n, -off&(lanes-1))
	return first, (n - first) / lanes
}

// apart calls edge for the runs of elements of v that are not in whole tiles, and inside for those that are, with the
// first.
func apart(v bulks.View, edge func(from, to int), inside func(first, tiles int)) {
	first, tiles := whole(v.Off, v.N)
	if first > 0 {
		edge(0, first)
	}
	if tiles > 0 {
		inside(first, tiles)
	}
	if end := first + tiles*lanes; end < v.N {
		edge(end, v.N)
	}
}

// copyLanes copies n lanes of all planes of a tile, from a lane on, to another tile, or to others of the same.
func (p *planes) copyLanes(dst []byte, to int, src []byte, from, n int) {
	for i := 0; i < p.bytes(lanes); i += lanes {
		copy(dst[i+to:][:n], src[i+from:])
	}
}

// pack sets v to the elements x.
func (p *planes) pack(v bulks.View, x []byte) {
	apart(v, func(from, to int) {
		s := p.scratch.Get().(*scratch)
		copy(s.a[:], x[p.bytes(from):p.bytes(to)])
		p.into.do(&s.b[0], &s.a[0], 1)
		p.copyLanes(p.tile(v, from), (v.Off+from)%lanes, s.b[:], 0, to-from)
		p.scratch.Put(s)
	}, func(first, tiles int) {
		p.calls(tiles, func(i, n int) {
			first := first + i*lanes
			p.into.do(&p.tile(v, first)[0], &x[p.bytes(first)], n)
		})
	})
}

// unpack sets x to the elements of v.
func (p *planes) unpack(x []byte, v bulks.View) {
	apart(v, func(from, to int) {
		s := p.scratch.Get().(*scratch)
		p.copyLanes(s.a[:], 0, p.tile(v, from), (v.Off+from)%lanes, to-from)
		p.from.do(&s.b[0], &s.a[0], 1)
		copy(x[p.bytes(from):p.bytes(to)], s.b[:])
		p.scratch.Put(s)
	}, func(first, tiles int) {
		p.calls(tiles, func(i, n int) {
			first := first + i*lanes
			p.from.do(&x[p.bytes(first)], &p.tile(v, first)[0], n)
		})
	})
}

func (p *planes) Reduce(bulks.View) {}

func (p *planes) VecMul(z, x, y bulks.View) {
	if (x.Off-z.Off)%lanes != 0 || (y.Off-z.Off)%lanes != 0 {
		for i := range z.N {
			p.put(z, i, gf2.Product(p.k, p.get(x, i), p.get(y, i)))
		}
		return
	}
	apart(z, func(from, to int) {
		s, lane := p.scratch.Get().(*scratch), (z.Off+from)%lanes
		p.copyLanes(s.a[:], 0, p.tile(x, from), lane, to-from)
		p.copyLanes(s.b[:], 0, p.tile(y, from), lane, to-from)
		p.set.Mul[p.k](&s.a[0], &s.a[0], &s.b[0], 1)
		p.copyLanes(p.tile(z, from), lane, s.a[:], 0, to-from)
		p.scratch.Put(s)
	}, func(first, tiles int) {
		p.calls(tiles, func(i, n int) {
			first := first + i*lanes
			p.set.Mul[p.k](&p.tile(z, first)[0], &p.tile(x, first)[0], &p.tile(y, first)[0], n)
		})
	})
}

// copies reports whether the kernel for copies takes rows of n bytes: longer ones are runs of pages that processors
// fetch by themselves.
func copies(n int) bool { return 0 < n && n <= 1<<12 && n%lanes == 0 }

// far is from how many bytes of memory on rows that are copied to it go past the caches (decision 91): they are read
// again when all others have been written.
const far = 1 << 26

// past reports whether rows that are copied to dst, to bytes apart, go past the caches.
func (p *planes) past(dst []byte, rows, to int) bool {
	return rows*to >= far && to%lanes == 0 && uintptr(unsafe.Pointer(&dst[0]))%lanes == 0
}

// copyRows copies rows of n bytes, which are to and from bytes apart.
func (p *planes) copyRows(dst, src []byte, rows, n, to, from int) {
	kernel := p.set.Copy
	if p.set.Stream != nil && p.past(dst, rows, to) {
		kernel = p.set.Stream
	}
	for i, most := 0, p.set.Call/n; i < rows; i += most {
		kernel(&dst[i*to], &src[i*from], min(most, rows-i), n, to, from)
	}
}

func (p *planes) Copy(dst, src bulks.View, c bulks.Copy) {
	runs := c.ColPerm == nil && !c.Transpose
	tiles := (dst.Off|src.Off|c.Width|c.Dst|c.Src)%lanes == 0
	if n := p.bytes(c.Width); runs && tiles && c.RowPerm == nil && c.Rows > 0 && copies(n) {
		p.copyRows(p.tile(dst, 0), p.tile(src, 0), c.Rows, n, p.bytes(c.Dst), p.bytes(c.Src))
		return
	}
	for i := range c.Rows {
		to := dst.Slice(i*c.Dst, i*c.Dst+c.Width)
		if from := c.From(i, 0); runs && (src.Off+from-to.Off)%lanes == 0 {
			p.move(to, src.Slice(from, from+c.Width))
			continue
		}
		for j := range c.Width {
			p.put(to, j, p.get(src, c.From(i, j)))
		}
	}
}

// move copies elements that have the same lanes in both.
func (p *planes) move(to, from bulks.View) {
	apart(to, func(i, end int) {
		for ; i < end; i++ {
			p.put(to, i, p.get(from, i))
		}
	}, func(first, tiles int) {
		copy(p.tile(to, first)[:p.bytes(tiles*lanes)], p.tile(from, first))
	})
}

func (p *planes) Reorder(v bulks.View, _, part, parts int) {
	k := bits.Len(uint(v.N)) - 1
	for i := part; i < v.N; i += parts {
		if j := bulks.Rev(i, k); i < j {
			x := p.get(v, i)
			p.put(v, i, p.get(v, j))
			p.put(v, j, x)
		}
	}
}
