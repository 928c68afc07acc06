package binary

import (
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
		if t.of == nil || layers > wordLayers || t.size(width)%t.set.Vector != 0 {
			t.slow(v, off, layers, r.Blocks, half, width, r.Stride, back)
			continue
		}
		for j := range half {
			t.rows(t.from(v, j*r.Stride), off, r.Blocks, layers, t.size(half*r.Stride), t.size(width), back)
		}
	}
}

// rows does layers to blocks of rows of n bytes, stride bytes apart.
func (t *wordTable) rows(v []byte, off, blocks, layers, stride, n int, back bool) {
	kernel := t.set.Layers[t.f][layers-1]
	if back {
		kernel = t.set.LayersT[t.f][layers-1]
	}
	layer, block := layerOf(off)
	step, most := max(1, t.set.Call/(n<<layers)), min(n, t.set.Call>>layers)
	s := wordConstants.Get().(*[constantWords]uint64)
	constants := wordBytes(s[:])[:gf2.StepBytes(t.f)]
	for b := 0; b < blocks; b += step {
		for o := 0; o < n; o += most {
			for l := range layers {
				for i := range 1 << l {
					t.of.set(constants, 1<<l-1+i, t.of.multiplier((off+b)<<l+i))
				}
			}
			kernel(&v[b*stride<<layers+o], min(step, blocks-b), stride, min(most, n-o), &constants[0],
				&t.of.steps[layer][0], t.modulus(), block+b)
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
	s := wordConstants.Get().(*[constantWords]uint64)
	constants := wordBytes(s[:])[:gf2.StepBytes(t.f)]
	for l := range t.set.Turns(t.f) {
		t.of.set(constants, l, t.of.multiplier(off<<l))
	}
	kernel(&v[0], n, &t.of.lanes[0], &constants[0], &t.of.pairs[0], t.modulus(), block)
	wordConstants.Put(s)
}

// last does the last two layers of n blocks of four elements, four of them at a time.
func (t *wordTable) last(v []byte, off, n int, back bool) {
	kernel := t.set.Last
	if back {
		kernel = t.set.LastT
	}
	_, group := layerOf(off >> lastLayers)
	s := wordConstants.Get().(*[constantWords]uint64)
	constants := wordBytes(s[:])[:gf2.StepBytes(t.f)]
	for i := range 3 { // in the order of a heap
		t.of.set(constants, i, t.of.multiplier(off<<heapLayer(i)+max(0, i-1)))
	}
	kernel(&v[0], n>>lastLayers, &t.of.last[0], &constants[0], &t.of.groups[0], t.modulus(), group)
	wordConstants.Put(s)
}

// constantWords is those of gf2.StepBytes, of elements of two words, and wordConstants has room for as many: what goes
// to kernels that are chosen at run time does not stay on the stack.
const constantWords = 12

var wordConstants = sync.Pool{New: func() any { return new([constantWords]uint64) }}

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

// wordSpan is the constants that multipliers are sums of.
type wordSpan struct {
	sums
	*words
	steps  [][]byte // by layer, as gf2.Words.Layers takes them
	lanes  []byte   // of the last layers, as gf2.Words.Tail takes them, and pairs, its delta
	pairs  []byte
	last   []byte // those that gf2.Words.Last takes, and groups, its delta
	groups []byte
}

// heapLayer is the layer of element i of a heap of two layers.
func heapLayer(i int) int { return (i + 1) / 2 }

func newWordSpan(w *words, g bulks.View, layers int) *wordSpan {
	s := &wordSpan{sums: newSums(layers, func(i int) gf2.Element { return w.get(g, i) }), words: w}
	size := gf2.StepBytes(w.f)
	step := func(layer, l, j int) gf2.Element { return s.sum(layer+l, (2<<j-1)<<l) }
	for layer := range layers {
		list := make([]byte, max(1, layer)*size)
		for j := range layer {
			for i := range 3 { // of two layers, in the order of a heap
				if l := heapLayer(i); layer+l < layers {
					s.set(list[j*size:][:size], i, step(layer, l, j))
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
	s.lanes, s.pairs = make([]byte, w.set.LanesBytes(w.f)), make([]byte, max(1, first)*size)
	for l := range turns {
		for lane := range count {
			s.set(s.lanes, l*count+lane, s.sum(first+l, lane%(1<<l)))
		}
		for j := range first {
			s.set(s.pairs[j*size:][:size], l, step(first, l, j))
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
	size := gf2.StepBytes(s.f)
	s.last, s.groups = make([]byte, gf2.LastBytes), make([]byte, max(1, layers)*size)
	for i := range 3 {
		l := lastLayers + heapLayer(i)
		for b := range blocks {
			s.set(s.last, blocks*i+b, s.sum(layers+l, b<<heapLayer(i)))
		}
		for j := range layers {
			s.set(s.groups[j*size:][:size], i, step(layers, l, j))
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
	n := s.sums.bytes() + len(s.lanes) + len(s.pairs) + len(s.last) + len(s.groups)
	for _, list := range s.steps {
		n += len(list)
	}
	return n
}
