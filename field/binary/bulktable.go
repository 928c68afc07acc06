package binary

import (
	"crypto/subtle"
	"encoding/binary"
	"math/bits"
	"unsafe"

	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/kernels/gf2"
)

// table is multipliers in planes: a list of them, or what they are sums of.
type table struct {
	*planes
	list bulks.View
	of   *span // nil: list has them
}

// Table copies w.
func (p *planes) Table(w bulks.View, _ bulks.Share) (bulks.Table, error) {
	list, err := p.make(w.N)
	if err != nil {
		return nil, err
	}
	p.Copy(list, w, bulks.Copy{Rows: 1, Width: w.N})
	return &table{planes: p, list: list}, nil
}

func (p *planes) Span(g bulks.View, layers int) (bulks.Table, error) {
	return &table{planes: p, of: newSpan(p, g, layers)}, nil
}

func (t *table) Bytes() int {
	if t.of != nil {
		return t.of.bytes()
	}
	return t.planes.Bytes(t.list.N)
}

// multiplier returns the one at a place.
func (t *table) multiplier(place int) gf2.Element {
	if t.of != nil {
		return t.of.multiplier(place)
	}
	return t.get(t.list, place)
}

// level is the least of which all multipliers of a pass are, or one that is higher.
func (t *table) level(off, blocks, layers int) (k int) {
	if t.of != nil {
		return t.of.level(off, blocks, layers)
	}
	for l := range layers {
		for b := range blocks << l {
			k = max(k, gf2.Level(t.get(t.list, off<<l+b)))
		}
	}
	return k
}

// prepare writes the constants of the layers of block b of a pass, of level k, to w.
func (t *table) prepare(w []byte, k, place, layers int) {
	i := 0
	for l := range layers {
		for b := range 1 << l {
			gf2.Prepare(w[i:], k, t.multiplier(place<<l+b))
			i += gf2.Size(k)
		}
	}
}

// deltas is what constants of a block of a pass have more than those of the block before, by the zero bits at the end
// of its number, where multipliers are sums. They are made as blocks want them.
type deltas struct {
	made  uint64
	delta [64][3 * 11]uint64
}

// next turns the constants of the block before place into those of place.
func (d *deltas) next(of *span, w []uint64, k, place, layers int) {
	first, block := layerOf(place)
	zeros, n := bits.TrailingZeros(uint(block)), gf2.Size(k)/8
	list := d.delta[zeros][:layers*n]
	if d.made>>zeros&1 == 0 {
		d.made |= 1 << zeros
		for l := range layers {
			gf2.Prepare(wordBytes(list[l*n:]), k, of.sum(first+l, (2<<zeros-1)<<l))
		}
	}
	for l := range layers {
		part := list[l*n : (l+1)*n]
		for range 1 << l {
			for i, x := range part {
				w[i] ^= x
			}
			w = w[n:]
		}
	}
}

func (t *table) Pass(v bulks.View, p bulks.Pass, r bulks.Rows) {
	layers, back := int(p.Layers), p.Has(bulks.Transposed)
	if t.of != nil && t.of.short != nil && layers == t.of.layers && r.Singles() && v.Off%lanes == 0 &&
		(r.Blocks == 1 || 1<<layers == lanes) {
		for i := range r.Blocks {
			t.short(v.Slice(i<<layers, (i+1)<<layers), back)
		}
		return
	}
	if t.of != nil && v.Off%(2*lanes) == 0 {
		if all := t.of.tail(p, r); all != nil {
			t.tail(all, v, p, r.Blocks, back)
			return
		}
	}
	count, off := r.Blocks, p.Off
	if p.Has(bulks.Same) {
		r.Blocks = 1
	} else {
		count = 1
	}
	size := r.Blocks << layers * r.Half * r.Stride
	for i := range count {
		t.pass(v.Slice(i*size, v.N), off, layers, r, back)
	}
}

// pass is one whose blocks stand at places one behind the other.
func (t *table) pass(v bulks.View, off, layers int, r bulks.Rows, back bool) {
	if h, ok := r.Contiguous(); ok {
		r.Half, r.Width, r.Stride = 1, h, h
	}
	if v.Off%lanes != 0 || r.Width%lanes != 0 || r.Stride%lanes != 0 {
		t.slow(v, off, layers, r.Blocks, r.Half, r.Width, r.Stride, back)
		return
	}
	if layers == farLayers {
		t.strips(v, off, r, back)
		return
	}
	k := t.level(off, r.Blocks, layers)
	if t.of != nil && r.Half == 1 && k < gf2.Constants {
		first := layers - 1
		if layers > t.set.MaxLayers[k] && t.bytes(r.Width) <= strip && t.level(off, r.Blocks, first) < k {
			t.apart(v, off, first, r, back)
			return
		}
		if r.Blocks > 1 && t.blocks(k, v, off, layers, r, back) {
			return
		}
	}
	s := t.scratch.Get().(*scratch)
	w := wordBytes(s.w[:])
	s.made = 0
	for b := range r.Blocks {
		if b == 0 || t.of == nil {
			t.prepare(w, k, off+b, layers)
		} else {
			s.next(t.of, s.w[:], k, off+b, layers)
		}
		for j := range r.Half {
			at := t.tile(v, ((b<<layers)*r.Half+j)*r.Stride)
			t.rows(s, k, at, t.bytes(r.Half*r.Stride), t.bytes(r.Width), layers, w, back)
		}
	}
	t.scratch.Put(s)
}

// apart does the first layers of a pass of short rows, which have cheaper constants than the one behind them, and that
// one by itself: no kernel has all of them.
func (t *table) apart(v bulks.View, off, first int, r bulks.Rows, back bool) {
	head, last := r, r
	head.Half, last.Blocks = 2, r.Blocks<<first
	if back {
		t.pass(v, off<<first, 1, last, back)
	}
	t.pass(v, off, first, head, back)
	if !back {
		t.pass(v, off<<first, 1, last, back)
	}
}

// blocks does a pass of several blocks if a kernel takes them in one call, and reports whether it has.
func (t *table) blocks(k int, v bulks.View, off, layers int, r bulks.Rows, back bool) bool {
	most := t.set.Call >> layers / t.bytes(r.Width)
	if k == gf2.Constants || layers > t.set.MaxLayers[k] || most < 2 {
		return false
	}
	kernel := t.set.Blocks[k][layers-1]
	if back {
		kernel = t.set.BlocksT[k][layers-1]
	}
	if kernel == nil {
		return false
	}
	s := t.scratch.Get().(*scratch)
	first, block := layerOf(off)
	last := block + r.Blocks - 1
	for zeros := 0; block>>zeros != last>>zeros; zeros++ {
		for l := range layers {
			heap(s.heaps[zeros][:], k, l, func(int) gf2.Element { return t.of.sum(first+l, (2<<zeros-1)<<l) })
		}
	}
	w := s.a[:lanes]
	for i := 0; i < r.Blocks; i += most {
		for l := range layers {
			heap(w, k, l, func(b int) gf2.Element { return t.multiplier((off+i)<<l + b) })
		}
		kernel(&t.tile(v, i<<layers*r.Stride)[0], t.bytes(r.Stride), t.bytes(r.Width), min(most, r.Blocks-i), &w[0],
			&s.heaps[0][0], block+i)
	}
	t.scratch.Put(s)
	return true
}

// heap writes the constants of layer l of a block as kernels for several blocks have them.
func heap(w []byte, k, l int, constant func(b int) gf2.Element) {
	for b := range 1 << l {
		gf2.Prepare(w[(1<<l-1+b)*gf2.Parts(k):], k, constant(b))
	}
}

// strips does two layers, and then the two behind them, to strips of rows.
func (t *table) strips(v bulks.View, off int, r bulks.Rows, back bool) {
	const layers, rows = farLayers / 2, 1 << (farLayers / 2)
	k, s := t.level(off, r.Blocks, farLayers), t.scratch.Get().(*scratch)
	w, all := wordBytes(s.w[:]), t.bytes(r.Half*r.Stride)
	below := w[3*gf2.Size(k):]
	for b := range r.Blocks {
		t.prepare(w, k, off+b, layers)
		for i := range rows {
			t.prepare(below[3*i*gf2.Size(k):], k, rows*(off+b)+i, layers)
		}
		for j := range r.Half {
			v := t.tile(v, (b<<farLayers*r.Half+j)*r.Stride)
			for o := 0; o < t.bytes(r.Width); o += farStrip {
				n := min(farStrip, t.bytes(r.Width)-o)
				inner := func() {
					for i := range rows {
						t.rows(s, k, v[rows*i*all+o:], all, n, layers, below[3*i*gf2.Size(k):], back)
					}
				}
				if back {
					inner()
				}
				for i := range rows {
					t.rows(s, k, v[i*all+o:], rows*all, n, layers, w, back)
				}
				if !back {
					inner()
				}
			}
		}
	}
	t.scratch.Put(s)
}

// rows does layers to 2^layers rows of n bytes, stride bytes apart.
func (t *table) rows(s *scratch, k int, v []byte, stride, n, layers int, w []byte, back bool) {
	if k < gf2.Constants && layers <= t.set.MaxLayers[k] {
		set := &t.set.Layers
		if back {
			set = &t.set.LayersT
		}
		for o := 0; o < n; o += t.set.Call >> layers {
			set[k][layers-1](&v[o], stride, min(t.set.Call>>layers, n-o), &w[0])
		}
		return
	}
	for o := 0; o < n; o += strip {
		size := min(strip, n-o)
		for i := range layers {
			l := i
			if back {
				l = layers - 1 - i
			}
			half := 1 << (layers - 1 - l)
			for b := range 1 << l {
				c := w[(1<<l-1+b)*gf2.Size(k):]
				for r := 2 * half * b; r < 2*half*b+half; r++ {
					t.one(s, k, v[r*stride+o:], half*stride, size, c, back)
				}
			}
		}
	}
}

// one does one layer to two rows of n bytes, at most a strip.
func (t *table) one(s *scratch, k int, v []byte, stride, n int, w []byte, back bool) {
	switch {
	case k == gf2.Constants:
		x, y := v[:n], v[stride:][:n]
		if back {
			subtle.XORBytes(y, y, x)
		}
		t.addTimes(s, x, y, w)
		if !back {
			subtle.XORBytes(y, y, x)
		}
	case back:
		t.set.LayersT[k][0](&v[0], stride, n, &w[0])
	default:
		t.set.Layers[k][0](&v[0], stride, n, &w[0])
	}
}

// addTimes adds to x the products of y by a constant of level 4, at most a strip: those by its parts of level 3, for
// the halves of elements.
func (t *table) addTimes(s *scratch, x, y, w []byte) {
	const half, all = 8 * lanes, 16 * lanes
	groups, n := len(x)/all, gf2.Parts(3)
	parts := wordBytes(s.parts[:])
	for i := range 3 {
		copy(parts[i*gf2.Size(3):][:n], w[i*n:])
	}
	part := func(i int) *byte { return &parts[i*gf2.Size(3)] }
	sums, products := s.a[:len(x)], s.b[:len(x)]
	clear(products)
	for o := 0; o < len(x); o += all {
		subtle.XORBytes(sums[o:], y[o:o+half], y[o+half:o+all])
	}
	add := t.set.AddTimes[3]
	add(&products[0], &sums[0], groups, all, part(1))
	for o := 0; o < len(x); o += all {
		subtle.XORBytes(x[o:], x[o:o+half], products[o:])
		subtle.XORBytes(x[o+half:], x[o+half:o+all], products[o:o+half])
	}
	add(&x[0], &y[0], groups, all, part(0))
	add(&x[half], &y[half], groups, all, part(2))
}

// slow does rows element by element, wherever they are.
func (t *table) slow(v bulks.View, off, layers, blocks, half, width, stride int, back bool) {
	for i := range layers {
		l := i
		if back {
			l = layers - 1 - i
		}
		h := half << (layers - 1 - l)
		for b := range blocks << l {
			w := t.multiplier(off<<l + b)
			for j := range h {
				row := (2*h*b + j) * stride
				for i := row; i < row+width; i++ {
					x, y := t.get(v, i), t.get(v, i+h*stride)
					if back {
						y = gf2.Plus(y, x)
					}
					x = gf2.Plus(x, gf2.Product(t.k, w, y))
					if !back {
						y = gf2.Plus(y, x)
					}
					t.put(v, i, x)
					t.put(v, i+h*stride, y)
				}
			}
		}
	}
}

func (t *table) Scale(v bulks.View, off, rows, width, stride int) {
	s := bits.Len(uint(width - 1))
	joined := width == 1<<s && width == stride
	switch {
	case t.of != nil || v.Off%lanes != 0 || joined && (rows*width|off<<s)%lanes != 0 ||
		!joined && (width|stride)%lanes != 0:
		t.scaleSlow(v, off, rows, width, stride)
	case width > t.set.Pairs && t.k < gf2.Constants:
		temp := t.scratch.Get().(*scratch)
		for i := range rows {
			if w := t.multiplier(off + i); w != (gf2.Element{1}) {
				t.timesConstant(temp, v.Slice(i*stride, i*stride+width), w)
			}
		}
		t.scratch.Put(temp)
	case joined:
		t.scale(v.Slice(0, rows*width), s, off<<s/lanes)
	default:
		for i := range rows {
			t.scale(v.Slice(i*stride, i*stride+width), s, (off+i)<<s/lanes)
		}
	}
}

// scaleSlow does rows element by element, wherever they are.
func (t *table) scaleSlow(v bulks.View, off, rows, width, stride int) {
	for i := range rows {
		w := t.multiplier(off + i)
		for j := i * stride; j < i*stride+width; j++ {
			t.put(v, j, gf2.Product(t.k, w, t.get(v, j)))
		}
	}
}

// scale multiplies whole tiles by multipliers for 2^s neighbours each, the first by that of tile at.
func (t *table) scale(v bulks.View, s, at int) {
	w := t.tile(t.list, 0)
	t.calls(v.N/lanes, func(i, tiles int) {
		x := t.tile(v, i*lanes)
		if s == 0 {
			t.set.Mul[t.k](&x[0], &x[0], &w[t.bytes((at+i)*lanes)], tiles)
			return
		}
		t.set.Scale[t.k](&x[0], tiles, &w[0], s, at+i)
	})
}

// timesConstant multiplies whole tiles by w: x is x + (w + 1)x.
func (t *table) timesConstant(s *scratch, v bulks.View, w gf2.Element) {
	c := wordBytes(s.w[:])
	gf2.Prepare(c, t.k, gf2.Plus(w, gf2.Element{1}))
	t.calls(v.N/lanes, func(i, tiles int) {
		x := t.tile(v, i*lanes)
		t.set.AddTimes[t.k](&x[0], &x[0], tiles, t.bytes(lanes), &c[0])
	})
}

// span is the constants that multipliers are sums of.
type span struct {
	sums
	k      int
	levels [][]int // by layer: of the shift, and of sums with as many bits as the index
	tails  []*tails
	short  *tails // of all layers, where they are fewer than tails have
}

// tails is what the last layers take, of pairs of tiles: seven for single elements, and fewer for rows.
type tails struct {
	*sums
	layers int
	of     [gf2.Constants]*tail
	// levels is the level of the tail of blocks whose numbers have as many bits as the index.
	levels []int
	lanes  []byte // level 4: planes of the parts of lanes, for each layer
}

// tail is what the kernel of a level takes for the last layers.
type tail struct {
	lanes, delta []byte
	base         []byte // of block 0
}

func newSpan(p *planes, g bulks.View, layers int) *span {
	s := spanOf(newSums(layers, func(i int) gf2.Element { return p.get(g, i) }), p.k)
	for _, count := range tailsOf(p.width) {
		if count <= layers {
			s.tails = append(s.tails, s.newTails(p, count))
		}
	}
	if layers < tailLayers {
		s.short = spanOf(s.sums.after(tailLayers-layers), p.k).newTails(p, tailLayers)
	}
	return s
}

func spanOf(of sums, k int) *span {
	s := &span{sums: of, k: k}
	for d := range s.layers {
		levels := []int{gf2.Level(s.shift[d])}
		for j := range d {
			levels = append(levels, max(levels[j], gf2.Level(s.sum(d, 1<<j))))
		}
		s.levels = append(s.levels, levels)
	}
	return s
}

// tailsOf is the layers of tails: of rows of width elements, unless that is 0, and of single ones.
func tailsOf(width int) []int {
	if width > 0 {
		return []int{rowLayers(width), tailLayers}
	}
	return []int{tailLayers}
}

// newTails makes what tails of so many layers take.
func (s *span) newTails(p *planes, layers int) *tails {
	t, first := &tails{sums: &s.sums, layers: layers}, s.layers-layers
	for n := range first + 1 {
		t.levels = append(t.levels, s.level(1<<first, 1<<n, layers))
	}
	for k := range min(gf2.Constants, p.k+1) {
		t.of[k] = s.newTail(k, layers)
	}
	if p.k == gf2.Constants {
		t.lanes = make([]byte, layers*p.bytes(lanes))
		for l := range layers {
			for lane := range lanes {
				gf2.Put(t.lanes[l*p.bytes(lanes):], p.k, lane, s.sum(first+l, lane%(1<<l)))
			}
		}
	}
	return t
}

func (s *span) newTail(k, layers int) *tail {
	first, n, size := s.layers-layers, gf2.Parts(k), gf2.TailSize(k)
	t := &tail{make([]byte, 64*layers*n), make([]byte, max(1, first)*size), make([]byte, size)}
	var b [27]byte
	for l := range layers {
		gf2.Prepare(t.base[l*n:], k, s.shift[first+l])
		for lane := range lanes {
			gf2.Prepare(b[:], k, s.sum(first+l, lane%(1<<l)))
			for i := range n {
				t.lanes[64*(l*n+i)+lane] = b[i]
			}
		}
		for j := range first {
			gf2.Prepare(t.delta[j*size+l*n:], k, s.sum(first+l, (2<<j-1)<<l))
		}
	}
	return t
}

func (s *span) level(off, blocks, layers int) (k int) {
	first, block := layerOf(off)
	last := block + blocks - 1
	for l := range layers {
		k = max(k, s.levels[first+l][bits.Len(uint(last<<l+1<<l-1))])
	}
	return k
}

func (s *span) bytes() int {
	n := s.sums.bytes()
	for _, list := range s.levels {
		n += 8 * len(list)
	}
	for _, all := range s.tails {
		n += all.bytes()
	}
	if s.short != nil {
		n += s.short.sums.bytes() + s.short.bytes()
	}
	return n
}

func (a *tails) bytes() int {
	n := len(a.lanes) + 8*len(a.levels)
	for _, t := range a.of {
		if t != nil {
			n += len(t.lanes) + len(t.delta) + len(t.base)
		}
	}
	return n
}

// tail returns what kernels take for the tail p: the last layers, of all blocks at once, of single elements or of rows
// of which two tiles are a block; or nil.
func (s *span) tail(p bulks.Pass, r bulks.Rows) *tails {
	first, _ := layerOf(p.Off)
	if r.Half != 1 || r.Width != r.Stride || r.Width<<p.Layers != 2*lanes || first+int(p.Layers) != s.layers {
		return nil
	}
	for _, t := range s.tails {
		if t.layers == int(p.Layers) {
			return t
		}
	}
	return nil
}

// short does all layers of a transform that is shorter than a pair of tiles: those of a pair that begins with its
// elements. Layers before its own have constants that are 0, and leave the first half of a block as it is, whatever the
// other half has.
func (t *table) short(v bulks.View, back bool) {
	s := t.scratch.Get().(*scratch)
	tile, pair, n := t.tile(v, 0), s.pair[:t.bytes(2*lanes)], 1<<t.of.layers
	t.copyLanes(pair, 0, tile, 0, n)
	t.pairs(s, t.of.short, pair, 1, 1, back)
	t.copyLanes(tile, 0, pair, 0, n)
	t.scratch.Put(s)
}

// tail does the last layers of blocks.
func (t *table) tail(all *tails, v bulks.View, p bulks.Pass, blocks int, back bool) {
	s := t.scratch.Get().(*scratch)
	most, off := t.set.Call/t.bytes(2*lanes), p.Off
	if p.Has(bulks.Same) {
		most = 1
	}
	for i := 0; i < blocks; i += most {
		step := min(most, blocks-i)
		t.pairs(s, all, t.tile(v, 2*lanes*i), off, step, back)
		if most > 1 {
			off += step
		}
	}
	t.scratch.Put(s)
}

// pairs does the tails of so many pairs of tiles.
func (t *table) pairs(s *scratch, all *tails, v []byte, off, pairs int, back bool) {
	_, block := layerOf(off)
	if k := all.levels[bits.Len(uint(block+pairs-1))]; k < gf2.Constants {
		all.run(t, s, k, v, off, pairs, back)
		return
	}
	for j := range pairs {
		t.wideTail(all, s, v[j*t.bytes(2*lanes):], off+j, back)
	}
}

func (a *tails) run(t *table, temp *scratch, k int, v []byte, off, pairs int, back bool) {
	_, block := layerOf(off)
	size, list := gf2.TailSize(k), a.of[k]
	base := temp.a[:size]
	copy(base, list.base)
	for set := block ^ block>>1; set != 0; set &= set - 1 { // part j of delta is the sum of those of bits 0 to j
		subtle.XORBytes(base, base, list.delta[bits.TrailingZeros(uint(set))*size:][:size])
	}
	kernels := &t.set.Tail
	if back {
		kernels = &t.set.TailT
	}
	kernels[k](&v[0], pairs, 1<<(t.k-k), a.layers, &list.lanes[0], &base[0], &list.delta[0], block)
}

// wideTail does the layers of one pair of tiles of level 4, one by one.
func (t *table) wideTail(a *tails, s *scratch, v []byte, place int, back bool) {
	const tile = 16 * lanes
	x, y := v[:tile], v[tile:2*tile]
	w, product := s.a[:tile], s.b[:tile]
	const ones = 0x0101010101010101
	for i := range tailLayers {
		l := i
		if back {
			l = tailLayers - 1 - i
			t.set.Separate(&x[0], &y[0], 16)
			if l < a.layers {
				subtle.XORBytes(y, y, x)
			}
		}
		if l >= a.layers { // exchanges alone, which bring lanes to their places
			if !back {
				t.set.Interleave(&x[0], &y[0], 16)
			}
			continue
		}
		c := a.multiplier(place << l)
		for j := range 16 {
			b := ones * (c[j/8] >> (j % 8 * 8) & 255)
			from, to := a.lanes[l*tile+j*lanes:], w[j*lanes:]
			for i := 0; i < lanes; i += 8 {
				binary.NativeEndian.PutUint64(to[i:], binary.NativeEndian.Uint64(from[i:])^b)
			}
		}
		t.set.Mul[4](&product[0], &y[0], &w[0], 1)
		subtle.XORBytes(x, x, product)
		if !back {
			subtle.XORBytes(y, y, x)
			t.set.Interleave(&x[0], &y[0], 16)
		}
	}
}

func wordBytes(w []uint64) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(w))), 8*len(w))
}
