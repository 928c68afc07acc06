package smallprime

import (
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/galfft/fft/field/bulks"
	kernels "github.com/galfft/fft/kernels/word"
)

// pairs are multipliers with their companions, each in an array of its own, as kernels read them.
type pairs[W word] struct {
	w, q []W
	one  bool // multiplier 0 is 1: products by it are left out
}

func newPairs[W word](n int) pairs[W] {
	z := make([]W, 2*n)
	return pairs[W]{z[:n:n], z[n:], false}
}

// begins is told that multipliers from off on are w.
func (t *pairs[W]) begins(off int, w []W) {
	if off == 0 && len(w) > 0 {
		t.one = w[0] == 1
	}
}

func (t *pairs[W]) Bytes() int {
	var w W
	return 2 * len(t.w) * int(unsafe.Sizeof(w))
}

// pair returns multiplier i and its companion.
func (t *pairs[W]) pair(i int) (w, q uint64) { return uint64(t.w[i]), uint64(t.q[i]) }

func (t *pairs[W]) all() *pairs[W] { return t }

// scalarTable is a table of one of the arithmetics in Go.
type scalarTable[W word] interface {
	bulks.Table
	all() *pairs[W]
}

// vectorBulk runs a bulk arithmetic by kernels where vectors are filled, and by its Go form elsewhere. Both have the
// same tables and ranges.
type vectorBulk[W word] struct {
	bulks.Bulk // in Go
	traits     bulks.Traits
	k          *kernels.Set[W]
	m          []W
	least      int       // the size of the shortest tail
	scratch    sync.Pool // *[]W, of DFTs of odd lengths, and of columns that are copied

	// swaps has those of bit reversals by the length of the number of words, once they are made.
	swaps [bits.UintSize + 1]atomic.Pointer[swaps]
}

// vectors adds kernels to an arithmetic, of which a butterfly of whole vectors takes about so many ns; k is nil where
// there are none.
func vectors[W word](f bulks.Bulk, p uint64, ns float64, k *kernels.Set[W]) (bulks.Bulk, *kernels.Set[W]) {
	if k == nil {
		return f, nil
	}
	t := f.Traits()
	t.Passes, t.Butterfly = passes(k), ns/float64(k.Lanes)
	if len(k.Moves.SwapRows) > 0 {
		t.Rows = mostSwapped
	}
	t.Form += "; " + k.Form
	return &vectorBulk[W]{Bulk: f, traits: t, k: k, m: k.Mod(p), least: leastTail(k)}, k
}

// parts calls kernel on parts of at most kernels.MaxWords of n elements, in whole vectors, and returns where those
// begin that are left.
func (f *vectorBulk[W]) parts(n int, kernel func(i, n int)) (rest int) {
	whole := n &^ (f.k.Lanes - 1)
	for i := 0; i < whole; i += kernels.MaxWords {
		kernel(i, min(kernels.MaxWords, whole-i))
	}
	return whole
}

func (f *vectorBulk[W]) Traits() bulks.Traits { return f.traits }

func (f *vectorBulk[W]) Reduce(v bulks.View) { f.Unpack(v, v) }

func (f *vectorBulk[W]) Unpack(to, of bulks.View) {
	a, v := bulks.SliceOf[W](to)[:of.N], bulks.SliceOf[W](of)
	rest := f.parts(len(v), func(i, n int) { f.k.Reduce(&a[i], &v[i], &f.m[0], n) })
	if rest < of.N {
		f.Bulk.Unpack(to.Slice(rest, of.N), of.Slice(rest, of.N))
	}
}

func (f *vectorBulk[W]) VecMul(to, by, other bulks.View) {
	n := to.N
	z, x, y := bulks.SliceOf[W](to), bulks.SliceOf[W](by)[:n], bulks.SliceOf[W](other)[:n]
	rest := f.parts(n, func(i, n int) { f.k.Product(&z[i], &x[i], &y[i], &f.m[0], n) })
	f.Bulk.VecMul(to.Slice(rest, n), by.Slice(rest, n), other.Slice(rest, n))
}

// identity is the list of places of rows in order; calls with it are split.
var identity = func() (p [1024]int32) {
	for i := range p {
		p[i] = int32(i)
	}
	return p
}()

// upTo and beyond are lists of places for tiles that rows do not fill: 0, 1, … n − 1, n − 1, … and n times 0, 1, 2, ….
var upTo, beyond = func() (upTo, beyond [mostLanes][mostLanes]int32) {
	for n := range mostLanes {
		for i := range mostLanes {
			upTo[n][i], beyond[n][i] = int32(min(i, n-1)), int32(max(0, i-n))
		}
	}
	return upTo, beyond
}()

const mostLanes = 16 // words of a vector

// Copy goes by tiles of as many rows and columns as a vector has words. Those at the ends overlap the ones before.
func (f *vectorBulk[W]) Copy(to, from bulks.View, c bulks.Copy) {
	dst, src, lanes := bulks.SliceOf[W](to), bulks.SliceOf[W](from), f.k.Lanes
	inOrder := c.RowPerm == nil && c.ColPerm == nil
	switch {
	case c.Transpose && inOrder && f.k.Moves.Turn(lanes, dst, src, c.Rows, c.Width, c.Dst, c.Src):
	case c.Transpose && c.Rows >= lanes && c.Width >= lanes:
		f.transpose(dst, src, c)
	case c.Transpose && inOrder && c.Rows >= lanes && c.Width == c.Dst && c.Width > 0:
		f.interleave(dst, src, c)
	case c.Transpose && inOrder && c.Width == c.Dst && c.Rows == c.Src && c.Rows < lanes && c.Width < lanes &&
		c.Rows*c.Width >= 2*lanes:
		f.tile(dst, src, c)
	case c.Transpose && inOrder && c.Width >= 2*lanes && c.Rows > 0 && c.Src > 0:
		f.separate(dst, src, c)
	case !c.Transpose && c.Rows > 0 && c.ColPerm == nil && (c.Width >= lanes || c.Width > 1 && f.k.Moves.AnyWidth):
		f.rows(dst, src, c)
	default:
		f.Bulk.Copy(to, from, c)
	}
}

// rows copies rows. Long ones go by copy, which is as fast.
func (f *vectorBulk[W]) rows(dst, src []W, c bulks.Copy) {
	const long = 1 << 10
	if c.Width > long {
		for i := range c.Rows {
			copy(dst[i*c.Dst:][:c.Width], src[c.From(i, 0):])
		}
		return
	}
	last := c.Width - f.k.Lanes
	whole := c.Width &^ (f.k.Lanes - 1)
	if f.k.Moves.AnyWidth {
		whole = c.Width
	}
	_ = dst[(c.Rows-1)*c.Dst+c.Width-1]
	for i := 0; i < c.Rows; i += kernels.MaxWords / long {
		n, from := min(kernels.MaxWords/long, c.Rows-i), &identity[0]
		at := i * c.Src
		if c.RowPerm != nil {
			from, at = &c.RowPerm[i], 0
		}
		f.k.Moves.CopyRows(&dst[i*c.Dst], &src[at], from, n, whole, c.Dst, c.Src)
		if whole < c.Width {
			f.k.Moves.CopyRows(&dst[i*c.Dst+last], &src[at+last], from, n, f.k.Lanes, c.Dst, c.Src)
		}
	}
}

// transpose does tiles.
func (f *vectorBulk[W]) transpose(dst, src []W, c bulks.Copy) {
	lanes := f.k.Lanes
	_ = dst[(c.Rows-1)*c.Dst+c.Width-1]
	for j := 0; j < c.Width; j += lanes {
		j := min(j, c.Width-lanes)
		from, at := &identity[0], j*c.Src
		if c.ColPerm != nil {
			from, at = &c.ColPerm[j], 0
		}
		for i := 0; i < c.Rows; {
			n := min(len(identity), c.Rows-i) &^ (lanes - 1)
			if n == 0 {
				i, n = c.Rows-lanes, lanes
			}
			to, row := &identity[0], i*c.Dst
			if c.RowPerm != nil { // its own inverse: column i of src is row RowPerm[i] of dst
				to, row = &c.RowPerm[i], 0
			}
			f.k.Moves.Transpose(&dst[row+j], &src[at+i], from, to, n, c.Dst, c.Src)
			i += n
		}
	}
}

// interleave is transpose for rows of dst that touch and fill no vector: what is behind each belongs to the next one,
// which is written after it.
func (f *vectorBulk[W]) interleave(dst, src []W, c bulks.Copy) {
	lanes := f.k.Lanes
	whole := (c.Rows - lanes) &^ (lanes - 1)
	_, _ = dst[c.Rows*c.Dst-1], src[(c.Width-1)*c.Src+c.Rows-1]
	for i := 0; i < whole; i += len(identity) {
		n := min(len(identity), whole-i)
		f.k.Moves.Transpose(&dst[i*c.Dst], &src[i], &upTo[c.Width][0], &identity[0], n, c.Dst, c.Src)
	}
	room := f.room(lanes * (lanes + 1))
	tile := *room
	for _, i := range [2]int{whole, c.Rows - lanes} { // by way of a tile, as dst ends with the last row
		f.k.Moves.Transpose(&tile[0], &src[i], &upTo[c.Width][0], &identity[0], lanes, c.Dst, c.Src)
		copy(dst[i*c.Dst:], tile[:lanes*c.Dst])
	}
	f.scratch.Put(room)
}

// tile is transpose for a matrix that touches and is smaller than a tile, by way of tiles with room behind them.
func (f *vectorBulk[W]) tile(dst, src []W, c bulks.Copy) {
	lanes, n := f.k.Lanes, c.Rows*c.Width
	size := lanes * (lanes + 1)
	room := f.room(2 * size)
	from, to := (*room)[:size], (*room)[size:2*size]
	copy(from, src[:n])
	f.k.Moves.Transpose(&to[0], &from[0], &upTo[c.Width][0], &identity[0], lanes, c.Width, c.Rows)
	copy(dst, to[:n])
	f.scratch.Put(room)
}

// separate is transpose for less rows of dst than a vector has words: columns of a tile that begin before those of src
// go to row 0, which is written after them.
func (f *vectorBulk[W]) separate(dst, src []W, c bulks.Copy) {
	lanes := f.k.Lanes
	before := lanes - c.Rows
	_, _ = dst[(c.Rows-1)*c.Dst+c.Width-1], src[(c.Width-1)*c.Src+c.Rows-1]
	for i := range c.Rows {
		for j := range lanes {
			dst[i*c.Dst+j] = src[j*c.Src+i]
		}
	}
	for j := lanes; j < c.Width; j += lanes {
		j := min(j, c.Width-lanes)
		f.k.Moves.Transpose(&dst[j], &src[j*c.Src-before], &identity[0], &beyond[before][0], lanes, c.Dst, c.Src)
	}
}

const mostTop = 3 // bits of a and of b in Reorder

// swapList is places of tiles.
type swapList [1<<(2*mostTop) + kernels.SwapsAhead][2]int

// swaps is what a bit reversal swaps for each value m of the middle bits: all pairs, or those that are listed once
// where m = rev(m).
type swaps struct {
	of       [3]int // the tile, the width and n of list
	all, own swapList
	owned    int // entries of own
	middle   int // bits
	top      int // bits
}

// list sets what is swapped among n rows of width words by square tiles, where that is not what stands there.
func (l *swaps) list(tile, width, n int) {
	of := [3]int{tile, width, n}
	if l.of == of {
		return
	}
	l.of = of
	k := bits.Len(uint(n/(tile*tile))) - 1 // bits of the number of a tile
	l.top = min(mostTop, k/2)
	l.middle, l.owned = k-2*l.top, 0
	var rev [1 << mostTop]int
	for b := range 1 << l.top {
		rev[b] = bulks.Rev(b, l.top)
	}
	for d := range 1 << l.top { // along diagonals: tiles of one row or column of tiles share a set of the cache
		for b := range 1 << l.top {
			a := (b + d) & (1<<l.top - 1)
			x := tile * width * (a<<(l.middle+l.top) | b)
			y := tile * width * (rev[b]<<(l.middle+l.top) | rev[a])
			l.all[d<<l.top|b] = [2]int{x, y}
			if x <= y {
				l.own[l.owned] = [2]int{x, y}
				l.owned++
			}
		}
	}
}

// swapLists has lists of rows of several words, which stay as they are while calls are of one shape. They would escape
// as local variables.
var swapLists = sync.Pool{New: func() any { return new(swaps) }}

// Reorder swaps tiles: those whose numbers have the top bits a, the middle m and the low bits b, with all a and b, meet
// those with rev(m) in the middle. They are few pages at a time, whatever the length.
func (f *vectorBulk[W]) Reorder(of bulks.View, width, part, parts int) {
	if width > 1 {
		f.reorderRows(of, width, part, parts)
		return
	}
	v, n := bulks.SliceOf[W](of), of.N
	at := slices.IndexFunc(f.k.Moves.Swaps, func(s kernels.Swap[W]) bool { return s.Tile*s.Tile <= n })
	if at < 0 {
		f.Bulk.Reorder(of, 1, part, parts)
		return
	}
	s, kept := &f.k.Moves.Swaps[at], &f.swaps[bits.Len(uint(n))]
	l := kept.Load()
	if l == nil {
		l = new(swaps)
		l.list(s.Tile, 1, n)
		kept.Store(l)
	}
	reorder(v, s, l, 1, part, parts)
}

// mostSwapped is the words of the longest rows that change places by kernels: copy moves longer ones as fast.
const mostSwapped = 1 << 10

// reorderRows does so with rows of width words: by tiles of vectors that have several rows, or row by row.
func (f *vectorBulk[W]) reorderRows(of bulks.View, width, part, parts int) {
	v, n := bulks.SliceOf[W](of), of.N/width
	s := &kernels.Swap[W]{Tile: 1, Do: func(x, y *W, list *int, count, _ int) {
		f.swapRows(x, y, list, count, width)
	}}
	if i := bits.Len(uint(width)) - 2; width&(width-1) == 0 && i >= 0 && i < len(f.k.Moves.RowSwaps) {
		if of := &f.k.Moves.RowSwaps[i]; n >= of.Tile*of.Tile {
			s = of
		}
	}
	l := swapLists.Get().(*swaps)
	l.list(s.Tile, width, n)
	reorder(v, s, l, width, part, parts)
	swapLists.Put(l)
}

// swapRows exchanges count pairs of rows of width words, in as few pieces as kernels take. Pieces differ by a word at
// most.
func (f *vectorBulk[W]) swapRows(x, y *W, list *int, count, width int) {
	swaps := f.k.Moves.SwapRows
	most := 2 * swaps[len(swaps)-1].Run
	pieces := (width + most - 1) / most
	for i := range pieces {
		from, to := i*width/pieces, (i+1)*width/pieces
		s := &swaps[min(bits.Len(uint(to-from)), len(swaps)+1)-2]
		at := uintptr(from) * unsafe.Sizeof(*x)
		s.Do((*W)(unsafe.Add(unsafe.Pointer(x), at)), (*W)(unsafe.Add(unsafe.Pointer(y), at)), list, count,
			to-from-s.Run)
	}
}

// reorder swaps tiles of rows of width words by their lists.
func reorder[W word](v []W, s *kernels.Swap[W], l *swaps, width, part, parts int) {
	run, row := s.Tile*width<<l.top, len(v)/s.Tile
	for m := part; m < 1<<l.middle; m += parts {
		switch r := bulks.Rev(m, l.middle); {
		case m < r:
			s.Do(&v[m*run], &v[r*run], &l.all[0][0], 1<<(2*l.top), row)
		case m == r:
			s.Do(&v[m*run], &v[m*run], &l.own[0][0], l.owned, row)
		}
	}
}

func (f *vectorBulk[W]) Table(w bulks.View, share bulks.Share) (bulks.Table, error) {
	t, err := f.Bulk.Table(w, share)
	if err != nil {
		return nil, err
	}
	s := t.(scalarTable[W])
	return &vectorTable[W]{s, s.all(), f}, nil
}

// vectorTable runs the passes of a table.
type vectorTable[W word] struct {
	scalarTable[W]
	p *pairs[W]
	f *vectorBulk[W]
}

func (t *vectorTable[W]) Scale(of bulks.View, off, rows, width, stride int) {
	v := bulks.SliceOf[W](of)
	w, q, m := t.p.w[off:][:rows], t.p.q[off:][:rows], t.f.m
	if width == 1 && stride == 1 {
		rest := t.f.parts(rows, func(i, n int) { t.f.k.Scale(&v[i], &w[i], &q[i], &m[0], n) })
		if rest < rows {
			t.scalarTable.Scale(of.Slice(rest, of.N), off+rest, rows-rest, 1, 1)
		}
		return
	}
	whole := width &^ (t.f.k.Lanes - 1)
	if t.f.k.AnyWidth {
		whole = width
	}
	if rows > 0 {
		_ = v[(rows-1)*stride+width-1]
	}
	for r, c := 0, 0; whole > 0 && r < rows; { // rows whole, or in parts
		n, part := min(rows-r, max(1, kernels.MaxWords/whole)), min(whole-c, kernels.MaxWords)
		t.f.k.ScaleRows(&v[r*stride+c], &w[r], &q[r], &m[0], n, part, stride)
		if c += part; c == whole {
			r, c = r+n, 0
		}
	}
	if whole < width {
		t.scalarTable.Scale(of.Slice(whole, of.N), off, rows, width-whole, stride)
	}
}

// ScaleInto is that of bulks.Into.
func (t *vectorTable[W]) ScaleInto(to, from, next bulks.View, c bulks.Copy, rows bulks.Table, off, apart int) bool {
	by, ok := rows.(*vectorTable[W])
	if !ok || t.f.k.Twist == nil || c.Rows == 0 || c.Width%t.f.k.Lanes > 0 || c.Width > kernels.MaxWords {
		return false
	}
	dst, src, ahead := bulks.SliceOf[W](to), bulks.SliceOf[W](from), bulks.SliceOf[W](next)
	w, q := t.p.w[:c.Rows*c.Width], t.p.q[:c.Rows*c.Width]
	cw, cq := by.p.w[off:][:c.Rows], by.p.q[off:][:c.Rows]
	last := c.Rows - 1
	_, _, _ = dst[last*c.Dst+c.Width-1], src[last*c.Src+c.Width-1], ahead[last*apart+c.Width-1]
	for r := 0; r < c.Rows; {
		n := min(c.Rows-r, kernels.MaxWords/c.Width)
		t.f.k.Twist(&dst[r*c.Dst], &src[r*c.Src], &ahead[r*apart], &w[r*c.Width], &q[r*c.Width], &cw[r], &cq[r],
			&t.f.m[0], n, c.Width, c.Dst, c.Src, apart)
		r += n
	}
	return true
}

func (t *vectorTable[W]) Pass(v bulks.View, p bulks.Pass, r bulks.Rows) {
	switch {
	case p.Has(bulks.Odd):
		t.odd(v, v, r.Half, r.Width, r.Stride)
	case r.Singles() && 1<<p.Layers >= t.f.least:
		t.tails(v, p, r.Blocks, 1)
	case t.narrows(p, r):
		t.tails(v, p, r.Blocks, r.Width)
	case p.Has(bulks.Transposed):
		t.layersT(v, layer{p.Off, r}, int(p.Layers), p.By, p.How)
	default:
		t.layers(v, layer{p.Off, r}, int(p.Layers), p.How)
	}
}

// narrows reports whether a pass is a tail of narrow rows.
func (t *vectorTable[W]) narrows(p bulks.Pass, r bulks.Rows) bool {
	of := &t.f.traits.Passes
	return r.Half == 1 && r.Width == r.Stride && r.Width > 1 && (r.Width < len(of.Narrow) || of.IsWide(r.Width)) &&
		int(p.Layers) >= narrowLayers(t.f.k, r.Width) && !p.Has(bulks.Same)
}

// layer is rows and the place of their first multiplier.
type layer struct {
	off int
	bulks.Rows
}

// level is layer k of a pass of several.
func level(l layer, k, layers int) layer {
	return layer{l.off << k, bulks.Rows{Blocks: l.Blocks << k, Half: l.Half << (layers - 1 - k), Width: l.Width,
		Stride: l.Stride}}
}

func (t *vectorTable[W]) layers(v bulks.View, l layer, layers int, how bulks.How) {
	if rest, ok := t.pass(t.f.k.Layers[layers], v, &l, layers, nil, how); ok {
		for i := range layers {
			one := level(l, i, layers)
			t.scalarTable.Pass(rest, bulks.Pass{Off: one.off, Layers: 1}, one.Rows)
		}
	}
}

func (t *vectorTable[W]) layersT(v bulks.View, l layer, layers int, by bulks.Table, how bulks.How) {
	rest, ok := t.pass(t.f.k.LayersT[layers], v, &l, layers, end[W](by), how)
	if !ok {
		return
	}
	for i := layers - 1; i >= 0; i-- {
		one := level(l, i, layers)
		t.scalarTable.Pass(rest, bulks.Pass{Off: one.off, Layers: 1, How: bulks.Transposed}, one.Rows)
	}
	if by != nil {
		for r := range l.Blocks * l.Half << layers {
			row := rest.Slice(r*l.Stride, r*l.Stride+l.Width)
			by.Scale(row, 0, 1, l.Width, l.Width)
			t.f.Bulk.Reduce(row)
		}
	}
}

// end is the multiplier of by with its companion, as kernels take it; nil where by is.
func end[W word](by bulks.Table) *W {
	if by == nil {
		return nil
	}
	return &by.(*vectorTable[W]).p.w[0]
}

// pass runs kernel k; transposes end with a product by the multiplier and companion at c, unless c is nil. It returns
// the columns that fill no vector, with their layer in l, and whether there are any; how is Open and Leave, where there
// are none.
func (t *vectorTable[W]) pass(k kernels.Pass[W], v bulks.View, l *layer, layers int, c *W, how bulks.How) (
	rest bulks.View, ok bool) {
	l.Rows = bulks.NewRows(l.Blocks, l.Half, l.Width, l.Stride)
	whole := l.Width &^ (t.f.k.Lanes - 1)
	if whole > 0 {
		t.columns(k, bulks.SliceOf[W](v), l, layers, whole, c, t.known(left(how)))
	}
	if whole == l.Width {
		return bulks.View{}, false
	}
	l.Width -= whole
	return v.Slice(whole, v.N), true
}

// one is One for a block at place 0 whose multiplier is 1.
func (t *vectorTable[W]) one(at int) uint8 {
	if at == 0 && t.p.one {
		return kernels.One
	}
	return 0
}

// columns runs the kernels on the first columns. A call takes several blocks, or several rows, or a part of a row.
func (t *vectorTable[W]) columns(k kernels.Pass[W], v []W, l *layer, layers, whole int, c *W, how uint8) {
	dist := l.Half * l.Stride
	block := dist << layers
	_, _ = v[l.Blocks*block-l.Stride+whole-1], t.p.w[(l.off+l.Blocks)<<layers>>1-1]
	const limit = kernels.MaxWords
	blocks := max(1, limit/(l.Half*whole<<layers))
	rows := min(l.Half, max(1, limit/(whole<<layers)))
	width := min(whole, limit>>layers)
	for b := 0; b < l.Blocks; {
		n := min(blocks, l.Blocks-b)
		for r := 0; r < l.Half; r += rows {
			for i := 0; i < whole; i += width {
				k(&v[b*block+r*l.Stride+i], &t.p.w[0], &t.p.q[0], &t.f.m[0], c, l.off+b, n, dist,
					min(rows, l.Half-r), min(width, whole-i), l.Stride, how|t.one(l.off+b))
			}
		}
		b += n
	}
}

// mostOdd bounds the length of DFTs by their definition: a call for one vector of columns is short enough.
const mostOdd = 127

// oddVectors is the scratch of DFTs of odd lengths for each row: a vector of the kernel's, and one of columns that fill
// none.
const oddVectors = 2

// room returns at least n words of scratch.
func (f *vectorBulk[W]) room(n int) *[]W {
	room, _ := f.scratch.Get().(*[]W)
	if room == nil || len(*room) < n {
		s := make([]W, n)
		room = &s
	}
	return room
}

// OddInto is that of bulks.Into.
func (t *vectorTable[W]) OddInto(dst, src bulks.View, n, width int) bool {
	if t.f.k.Odd == nil || n > mostOdd {
		return false
	}
	t.odd(dst, src, n, width, width)
	return true
}

// odd does DFT_n on the rows of a view into those of one that is the same or does not overlap it.
func (t *vectorTable[W]) odd(dst, src bulks.View, n, width, stride int) {
	z, v, lanes := bulks.SliceOf[W](dst), bulks.SliceOf[W](src), t.f.k.Lanes
	room := t.f.room(oddVectors * n * lanes)
	s := *room
	h, end := n/2, (n-1)*stride+width-1
	_, _, _, _ = z[end], v[end], s[oddVectors*n*lanes-1], t.p.w[2*h*h]
	columns := func(z, v *W, width, stride int) {
		t.f.k.Odd(z, v, &t.p.w[1], &t.p.q[1], &t.f.m[0], &s[0], h, width, stride)
	}
	whole, most := width&^(lanes-1), max(lanes, 2*kernels.MaxWords/(n*n)&^(lanes-1))
	if t.f.k.AnyWidth {
		whole = width
	}
	for i := 0; i < whole; i += most {
		columns(&z[i], &v[i], min(most, whole-i), stride)
	}
	if rest := width - whole; rest > 0 { // whatever is in the lanes besides
		rows := s[n*lanes:]
		for j := range n {
			copy(rows[j*lanes:], v[j*stride+whole:][:rest])
		}
		columns(&rows[0], &rows[0], lanes, lanes)
		for j := range n {
			copy(z[j*stride+whole:][:rest], rows[j*lanes:])
		}
	}
	t.f.scratch.Put(room)
}
