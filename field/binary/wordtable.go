package binary

import (
	"crypto/subtle"
	"encoding/binary"
	"math/bits"
	"sync"

	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/kernels/gf2"
)

// wordTable is multipliers as words: a list of them, or what they are sums of.
type wordTable struct {
	*words
	list bulks.View
	of   *wordSpan // nil: list has them
}

// Table copies x. Behind it there is a vector more, which kernels read.
func (w *words) Table(x bulks.View, _ bulks.Share) (bulks.Table, error) {
	list, err := w.Make(x.N + w.set.Count(w.f))
	if err != nil {
		return nil, err
	}
	w.Pack(list.Slice(0, x.N), x)
	return &wordTable{words: w, list: list}, nil
}

func (w *words) Span(g bulks.View, layers int) (bulks.Table, error) {
	return &wordTable{words: w, of: newWordSpan(w, g, layers)}, nil
}

func (t *wordTable) Bytes() int {
	if t.of == nil {
		return t.size(t.list.N)
	}
	return t.of.bytes()
}

func (t *wordTable) multiplier(place int) gf2.Element {
	if t.of == nil {
		return t.get(t.list, place)
	}
	return t.of.multiplier(place)
}

func (t *wordTable) Pass(v bulks.View, p bulks.Pass, r bulks.Rows) {
	layers, back := int(p.Layers), p.Has(bulks.Transposed)
	if t.of != nil && r.Singles() && layers >= t.set.Turns(t.f) && bits.Len(uint(p.Off))-1+layers == t.of.layers {
		t.tails(v, p, r.Blocks, back)
		return
	}
	count, off := r.Blocks, p.Off
	if p.Has(bulks.Same) {
		r.Blocks = 1
	} else {
		count = 1
	}
	half, width := r.Half, r.Width
	if h, ok := r.Contiguous(); ok {
		half, width, r.Stride = 1, h, h
	}
	for i := range count {
		v := v.Slice(i*r.Blocks<<layers*half*r.Stride, v.N)
		if t.of != nil && layers == farLayers && t.size(width)%t.set.Vector == 0 {
			for j := range half {
				t.strips(t.from(v, j*r.Stride), off, r.Blocks, t.size(half*r.Stride), t.size(width), back)
			}
			continue
		}
		if t.of == nil || layers >= farLayers || t.size(width)%t.set.Vector != 0 {
			t.slow(v, off, layers, r.Blocks, half, width, r.Stride, back)
			continue
		}
		for j := range half {
			t.most(t.from(v, j*r.Stride), off, r.Blocks, layers, t.size(half*r.Stride), t.size(width), back)
		}
	}
}

// most is rows, of a layer more than kernels have as well: long passes have fewer layers where rows are copies.
func (t *wordTable) most(v []byte, off, blocks, layers, stride, n int, back bool) {
	if layers <= wordLayers {
		t.rows(v, off, blocks, layers, stride, n, back)
		return
	}
	first := layers - wordLayers
	if back {
		t.rows(v, off<<first, blocks<<first, wordLayers, stride, n, back)
	}
	for i := range 1 << wordLayers {
		t.rows(v[i*stride:], off, blocks, first, stride<<wordLayers, n, back)
	}
	if !back {
		t.rows(v, off<<first, blocks<<first, wordLayers, stride, n, back)
	}
}

// strips does two layers, and then the two behind them, to strips of blocks of rows of n bytes, stride bytes apart.
func (t *wordTable) strips(v []byte, off, blocks, stride, n int, back bool) {
	const layers, rows = farLayers / 2, 1 << (farLayers / 2)
	kernel := t.set.Layers[t.f][layers-1]
	if back {
		kernel = t.set.LayersT[t.f][layers-1]
	}
	s := wordConstants.Get().(*wordRoom)
	size := gf2.StepBytes(t.f)
	first, second, base := wordBytes(s[0][:])[:size], wordBytes(s[1][:])[:size], wordBytes(s[2][:])[:size]
	for b := range blocks {
		v := v[b*stride<<farLayers:]
		layer, block := layerOf(off + b)
		above, below := &t.of.steps[layer], &t.of.steps[layer+layers]
		above.set(first, block)
		below.set(second, rows*block)
		inner := func(o, m int) {
			copy(base, second)
			kernel(&v[o], rows, stride, m, &base[0], &below.delta[0], t.modulus(), rows*block)
		}
		for o := 0; o < n; o += farStrip {
			m := min(farStrip, n-o)
			if back {
				inner(o, m)
			}
			for j := range rows {
				kernel(&v[j*stride+o], 1, rows*stride, m, &first[0], &above.delta[0], t.modulus(), block)
			}
			if !back {
				inner(o, m)
			}
		}
	}
	wordConstants.Put(s)
}

// rows does layers to blocks of rows of n bytes, stride bytes apart.
func (t *wordTable) rows(v []byte, off, blocks, layers, stride, n int, back bool) {
	kernel := t.set.Layers[t.f][layers-1]
	if back {
		kernel = t.set.LayersT[t.f][layers-1]
	}
	layer, block := layerOf(off)
	steps := &t.of.steps[layer]
	step, most := max(1, t.set.Call/(n<<layers)), min(n, t.set.Call>>layers)
	s := wordConstants.Get().(*wordRoom)
	constants := wordBytes(s[0][:])[:gf2.StepBytes(t.f)]
	for b := 0; b < blocks; b += step {
		for o := 0; o < n; o += most {
			steps.set(constants, block+b)
			kernel(&v[b*stride<<layers+o], min(step, blocks-b), stride, min(most, n-o), &constants[0],
				&steps.delta[0], t.modulus(), block+b)
		}
	}
	wordConstants.Put(s)
}

// inside does the layers inside n pairs of vectors.
func (t *wordTable) inside(v []byte, off, n int, back bool) {
	kernel := t.set.Tail[t.f]
	if back {
		kernel = t.set.TailT[t.f]
	}
	_, block := layerOf(off)
	s := wordConstants.Get().(*wordRoom)
	constants := wordBytes(s[0][:])[:gf2.StepBytes(t.f)]
	t.of.pairs.set(constants, block)
	kernel(&v[0], n, &t.of.lanes[0], &constants[0], &t.of.pairs.delta[0], t.modulus(), block)
	wordConstants.Put(s)
}

// last does the last two layers of n blocks of four elements, four of them at a time.
func (t *wordTable) last(v []byte, off, n int, back bool) {
	kernel := t.set.Last
	if back {
		kernel = t.set.LastT
	}
	_, group := layerOf(off >> lastLayers)
	s := wordConstants.Get().(*wordRoom)
	constants := wordBytes(s[0][:])[:gf2.StepBytes(t.f)]
	t.of.groups.set(constants, group)
	kernel(&v[0], n>>lastLayers, &t.of.last[0], &constants[0], &t.of.groups.delta[0], t.modulus(), group)
	wordConstants.Put(s)
}

// constantWords is those of gf2.StepBytes, of elements of two words, and wordConstants has room for as many: what goes
// to kernels that are chosen at run time does not stay on the stack.
const constantWords = 12

// wordRoom is that of as many blocks as a pass knows at a time.
type wordRoom [3][constantWords]uint64

var wordConstants = sync.Pool{New: func() any { return new(wordRoom) }}

// tails does the last layers of blocks: passes of rows, and then what is inside pairs of vectors.
func (t *wordTable) tails(v bulks.View, p bulks.Pass, blocks int, back bool) {
	layers := int(p.Layers)
	inside, do := t.set.Turns(t.f), t.inside
	if t.lasts(layers) {
		inside, do = lastLayers, t.last
	}
	over, bytes, group := layers-inside, t.size(1)<<layers, 1
	if !p.Has(bulks.Same) {
		group = max(1, tailBytes/bytes)
	}
	off := p.Off
	for i := 0; i < blocks; i += group {
		x, n := t.from(v, i<<layers), min(group, blocks-i)
		if back {
			do(x, off<<over, n<<over, true)
		}
		for k := range (over + 1) / wordLayers {
			if back {
				k = (over+1)/wordLayers - 1 - k
			}
			to := wordLayers*(k+1) - over%wordLayers
			from := max(0, to-wordLayers)
			t.rows(x, off<<from, n<<from, to-from, bytes>>to, bytes>>to, back)
		}
		if !back {
			do(x, off<<over, n<<over, false)
		}
		if !p.Has(bulks.Same) {
			off += n
		}
	}
}

// slow does rows element by element, wherever they are.
func (t *wordTable) slow(v bulks.View, off, layers, blocks, half, width, stride int, back bool) {
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
					x = gf2.Plus(x, t.product(w, y))
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

func (t *wordTable) Scale(v bulks.View, off, rows, width, stride int) {
	if t.of != nil || rows == 0 || width == 0 {
		return
	}
	from, done := t.from(t.list, off), 0 // rows
	switch s := bits.Len(uint(width - 1)); {
	case t.size(width)%t.set.Vector == 0:
		step, most := max(1, t.set.Call/t.size(width)), min(t.size(width), t.set.Call)
		for ; done < rows; done += step {
			x := t.from(v, done*stride)
			for o := 0; o < t.size(width); o += most {
				t.set.Times[t.f](&x[o], min(step, rows-done), t.size(stride), min(most, t.size(width)-o),
					&from[t.size(done)], t.modulus())
			}
		}
	case width == 1<<s && width == stride && width < t.set.Count(t.f):
		whole := rows &^ (t.set.Count(t.f)>>s - 1)
		for step := t.set.Call / t.size(width); done < whole; done += step {
			x := &t.from(v, done*stride)[0]
			t.set.Mul[t.f](x, x, &from[t.size(done)], t.size(min(step, whole-done)*width), s, t.modulus())
		}
		done = whole
	}
	for i := done; i < rows; i++ {
		w := t.multiplier(off + i)
		for j := i * stride; j < i*stride+width; j++ {
			t.put(v, j, t.product(w, t.get(v, j)))
		}
	}
}

// Scales implements bulks.Spanner.
func (w *words) Scales() int {
	if w.f > 0 || w.set.TimesFold == nil {
		return 0
	}
	return w.set.Count(0)
}

// ScaleFold implements bulks.Spanner, by rows that a call of the kernel takes.
func (w *words) ScaleFold(table bulks.Table, z, v bulks.View, r bulks.Scaled, back bool) {
	t := table.(*wordTable)
	kernel := t.set.TimesFold
	if back {
		kernel = t.set.TimesFoldT
	}
	first := t.from(t.list, 0)
	second := first
	if !r.Twice {
		second = t.from(t.list, r.Rows/2)
	}
	eighth, n := r.Rows/8, t.size(r.Width)
	to, from, step := t.size(r.To), t.size(r.From), t.size(1)
	x, y := t.from(z, 0), t.from(v, 0)
	count, most := max(1, t.set.Call/(8*n)), min(n, t.set.Call/8)
	for i := 0; i < eighth; i += count {
		for o := 0; o < n; o += most {
			kernel(&x[i*to+o], &y[i*from+o], min(count, eighth-i), eighth, min(most, n-o), to, from,
				&first[i*step], &second[i*step], step, t.modulus())
		}
	}
}

// wordSpan is the constants that multipliers are sums of.
type wordSpan struct {
	sums
	*words
	steps  []stepping // by layer, as gf2.Words.Layers takes them
	lanes  []byte     // of the last layers, as gf2.Words.Tail takes them, and pairs, its base and delta
	pairs  stepping
	last   []byte // those that gf2.Words.Last takes, and groups, its base and delta
	groups stepping
}

// stepping is constants as kernels take them: those of block 0, and what those of others have more than those of the
// block before, by the zero bits at the end of their numbers.
type stepping struct{ first, delta []byte }

func newStepping(size, layer int) stepping {
	return stepping{make([]byte, size), make([]byte, max(1, layer)*size)}
}

// part is part j of delta.
func (s *stepping) part(j int) []byte { return s.delta[j*len(s.first):][:len(s.first)] }

// set sets z to those of a block: part j is the sum of what bits 0 to j of its number bring.
func (s *stepping) set(z []byte, block int) {
	copy(z, s.first)
	for set := block ^ block>>1; set != 0; set &= set - 1 {
		subtle.XORBytes(z, z, s.part(bits.TrailingZeros(uint(set))))
	}
}

func (s *stepping) bytes() int { return len(s.first) + len(s.delta) }

// heapLayer is the layer of element i of a heap of two layers.
func heapLayer(i int) int { return (i + 1) / 2 }

func newWordSpan(w *words, g bulks.View, layers int) *wordSpan {
	s := &wordSpan{sums: newSums(layers, func(i int) gf2.Element { return w.get(g, i) }), words: w}
	size := gf2.StepBytes(w.f)
	step := func(layer, l, j int) gf2.Element { return s.sum(layer+l, (2<<j-1)<<l) }
	for layer := range layers {
		list := newStepping(size, layer)
		for i := range 3 { // of two layers, in the order of a heap
			if l := heapLayer(i); layer+l < layers {
				s.set(list.first, i, s.multiplier(1<<(layer+l)+max(0, i-1)))
				for j := range layer {
					s.set(list.part(j), i, step(layer, l, j))
				}
			}
		}
		s.steps = append(s.steps, list)
	}
	turns := w.set.Turns(w.f)
	if layers < turns {
		return s
	}
	first, count := layers-turns, w.set.Count(w.f)
	s.lanes, s.pairs = make([]byte, w.set.LanesBytes(w.f)), newStepping(size, first)
	for l := range turns {
		s.set(s.pairs.first, l, s.shift[first+l])
		for lane := range count {
			s.set(s.lanes, l*count+lane, s.sum(first+l, lane%(1<<l)))
		}
		for j := range first {
			s.set(s.pairs.part(j), l, step(first, l, j))
		}
	}
	if w.set.Last != nil && w.f == 1 && layers >= 2*lastLayers {
		s.setLast(layers-2*lastLayers, step)
	}
	return s
}

// setLast sets what gf2.Words.Last takes, where a group is a block of so many layers.
func (s *wordSpan) setLast(layers int, step func(layer, l, j int) gf2.Element) {
	const blocks = 1 << lastLayers
	s.last, s.groups = make([]byte, gf2.LastBytes), newStepping(gf2.StepBytes(s.f), layers)
	for i := range 3 {
		l := lastLayers + heapLayer(i)
		s.set(s.groups.first, i, s.multiplier(1<<(layers+l)+max(0, i-1)))
		for b := range blocks {
			s.set(s.last, blocks*i+b, s.sum(layers+l, b<<heapLayer(i)))
		}
		for j := range layers {
			s.set(s.groups.part(j), i, step(layers, l, j))
		}
	}
}

// set sets element i of constants as kernels take them, and of elements of two words its product by x^64, which is in
// their second half.
func (s *wordSpan) set(z []byte, i int, x gf2.Element) {
	if s.f == 0 {
		binary.NativeEndian.PutUint64(z[8*i:], x[0])
		return
	}
	shifted := gf2.Element{0, x[0]} // and x[1] times the rest, which has few bits
	for rest := s.c.rest[0]; rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros64(rest)
		shifted[0] ^= x[1] << i
		shifted[1] ^= x[1] >> 1 >> (63 - i)
	}
	for j := range x {
		binary.NativeEndian.PutUint64(z[16*i+8*j:], x[j])
		binary.NativeEndian.PutUint64(z[len(z)/2+16*i+8*j:], shifted[j])
	}
}

func (s *wordSpan) bytes() int {
	n := s.sums.bytes() + len(s.lanes) + s.pairs.bytes() + len(s.last) + s.groups.bytes()
	for i := range s.steps {
		n += s.steps[i].bytes()
	}
	return n
}
