package fieldtest

import (
	"github.com/galfft/fft/field"
)

// store is a vector of words in some layout.
type store[V any] interface {
	size() int
	at(i int) uint64
	put(i int, x uint64)
	view(i, j int) V
}

// words is the slice itself.
type words []uint64

func (v words) size() int           { return len(v) }
func (v words) at(i int) uint64     { return v[i] }
func (v words) put(i int, x uint64) { v[i] = x }
func (v words) view(i, j int) words { return v[i:j] }

// planes keeps the halves of words apart.
type planes struct{ low, high []uint32 }

func (v planes) size() int            { return len(v.low) }
func (v planes) at(i int) uint64      { return uint64(v.high[i])<<32 | uint64(v.low[i]) }
func (v planes) put(i int, x uint64)  { v.low[i], v.high[i] = uint32(x), uint32(x>>32) }
func (v planes) view(i, j int) planes { return planes{v.low[i:j], v.high[i:j]} }

// lazy is mersenne with vectors of values that are wide in [0, 4p) and narrow in [0, 2p): a sound Bulk whose
// methods can be replaced.
type lazy[V store[V]] struct {
	*word
	make    func(n int) V
	bytes   func(n int) int
	slice   func(v V, i, j int) V
	alias   func(a []uint64) (V, bool)
	pack    func(v V, a []uint64)
	unpack  func(a []uint64, v V)
	reduce  func(v V)
	copy    func(dst, src V, c field.Copy)
	reorder func(v V, n, part, parts int)
	vecMul  func(z, x, y V, n int)
	table   func(w []uint64) (field.Table[V], error)
}

func (b *lazy[V]) Make(n int) V                             { return b.make(n) }
func (b *lazy[V]) VecBytes(n int) int                       { return b.bytes(n) }
func (b *lazy[V]) Slice(v V, i, j int) V                    { return b.slice(v, i, j) }
func (b *lazy[V]) Alias(a []uint64) (V, bool)               { return b.alias(a) }
func (b *lazy[V]) Pack(v V, a []uint64)                     { b.pack(v, a) }
func (b *lazy[V]) Unpack(a []uint64, v V)                   { b.unpack(a, v) }
func (b *lazy[V]) Reduce(v V)                               { b.reduce(v) }
func (b *lazy[V]) Copy(dst, src V, c field.Copy)            { b.copy(dst, src, c) }
func (b *lazy[V]) Reorder(v V, n, part, parts int)          { b.reorder(v, n, part, parts) }
func (b *lazy[V]) VecMul(z, x, y V, n int)                  { b.vecMul(z, x, y, n) }
func (b *lazy[V]) Table(w []uint64) (field.Table[V], error) { return b.table(w) }

// lazyWords and lazyPlanes return the Bulk with the replacements that change makes.
func lazyWords(change func(b *lazy[words])) *lazy[words] {
	b := newLazy(func(n int) words { return make(words, n) })
	b.alias = func(a []uint64) (words, bool) { return a, true }
	change(b)
	return b
}

func lazyPlanes(change func(b *lazy[planes])) *lazy[planes] {
	b := newLazy(func(n int) planes { return planes{make([]uint32, n), make([]uint32, n)} })
	change(b)
	return b
}

func newLazy[V store[V]](newVector func(n int) V) *lazy[V] {
	p := mersenne.p
	return &lazy[V]{
		word:  mersenne,
		make:  newVector,
		bytes: func(n int) int { return 8 * n },
		slice: func(v V, i, j int) V { return v.view(i, j) },
		alias: func([]uint64) (v V, ok bool) { return v, false },
		pack: func(v V, a []uint64) {
			for i, x := range a {
				v.put(i, x+p*(x&1)) // narrow, and not canonical
				if x >= p {
					panic("Pack of an element that is not canonical")
				}
			}
		},
		unpack: func(a []uint64, v V) {
			for i := range a {
				a[i] = once(once(v.at(i), 2*p), p)
			}
		},
		reduce: func(v V) {
			for i := range v.size() {
				v.put(i, once(once(v.at(i), 2*p), p))
			}
		},
		copy: func(dst, src V, c field.Copy) {
			for i := range c.Rows {
				for j := range c.Width {
					dst.put(i*c.Dst+j, src.at(c.From(i, j)))
				}
			}
		},
		reorder: func(v V, n, part, parts int) {
			k := 0
			for 1<<k < n {
				k++
			}
			for i := part; i < n; i += parts {
				if j := field.Rev(i, k); i < j {
					x := v.at(i)
					v.put(i, v.at(j))
					v.put(j, x)
				}
			}
		},
		vecMul: func(z, x, y V, n int) {
			for i := range n {
				z.put(i, product(x.at(i), y.at(i)))
			}
		},
		table: func(w []uint64) (field.Table[V], error) { return newLazyTable[V](w), nil },
	}
}

// once returns x − m when x ≥ m, else x.
func once(x, m uint64) uint64 {
	if x >= m {
		return x - m
	}
	return x
}

// product returns a narrow value of xy, for wide x and y.
func product(x, y uint64) uint64 {
	p := mersenne.p
	x, y = once(once(x, 2*p), p), once(once(y, 2*p), p)
	mersenne.Mul(&x, &x, &y)
	return x + p*(x&1)
}

// lazyTable is a sound table whose passes can be replaced.
type lazyTable[V store[V]] struct {
	w                                []uint64
	radix2, radix2T, radix4, radix4T func(v V, l field.Layer)
	scale                            func(v V, off, rows, width, stride int)
	tail                             func(v V, off, cnt int, canonical bool)
	tailT                            func(v V, off, cnt int)
	bytes, tailSize                  func() int
}

func (t *lazyTable[V]) Radix2(v V, l field.Layer)               { t.radix2(v, l) }
func (t *lazyTable[V]) Radix2T(v V, l field.Layer)              { t.radix2T(v, l) }
func (t *lazyTable[V]) MaxLayers() int                          { return 2 }
func (t *lazyTable[V]) Layers(v V, l field.Layer, _ int)        { t.radix4(v, l) }
func (t *lazyTable[V]) LayersT(v V, l field.Layer, _ int)       { t.radix4T(v, l) }
func (t *lazyTable[V]) Scale(v V, off, rows, width, stride int) { t.scale(v, off, rows, width, stride) }
func (t *lazyTable[V]) Tail(v V, b field.Blocks, canonical bool) {
	t.tail(v, b.Off, b.Count, canonical)
}
func (t *lazyTable[V]) TailT(v V, b field.Blocks) { t.tailT(v, b.Off, b.Count) }
func (t *lazyTable[V]) Bytes() int                { return t.bytes() }
func (t *lazyTable[V]) TailSize(int) int          { return t.tailSize() }

func newLazyTable[V store[V]](w []uint64) *lazyTable[V] {
	p := mersenne.p
	t := &lazyTable[V]{w: append([]uint64(nil), w...)}
	t.radix2 = func(v V, l field.Layer) {
		pairs(l, func(a, b, m int) {
			x, y := once(v.at(a), 2*p), product(v.at(b), t.w[m])
			v.put(a, x+y)
			v.put(b, x+2*p-y)
		})
	}
	t.radix2T = func(v V, l field.Layer) {
		pairs(l, func(a, b, m int) {
			x, y := v.at(a), v.at(b)
			v.put(a, once(x+y, 2*p))
			v.put(b, product(x+2*p-y, t.w[m]))
		})
	}
	t.radix4 = func(v V, l field.Layer) {
		first, second := halves(l)
		t.radix2(v, first)
		t.radix2(v, second)
	}
	t.radix4T = func(v V, l field.Layer) {
		first, second := halves(l)
		t.radix2T(v, second)
		t.radix2T(v, first)
	}
	t.scale = func(v V, off, rows, width, stride int) {
		for i := range rows {
			for j := range width {
				v.put(i*stride+j, product(v.at(i*stride+j), t.w[off+i]))
			}
		}
	}
	t.tail = func(v V, off, cnt int, canonical bool) {
		for d := 1; d < 8; d *= 2 {
			t.radix2(v, field.Layer{Off: d * off, Blocks: d * cnt, Half: 4 / d, Width: 1, Stride: 1})
		}
		for i := 0; canonical && i < 8*cnt; i++ {
			v.put(i, v.at(i)%p)
		}
	}
	t.tailT = func(v V, off, cnt int) {
		for d := 4; d > 0; d /= 2 {
			t.radix2T(v, field.Layer{Off: d * off, Blocks: d * cnt, Half: 4 / d, Width: 1, Stride: 1})
		}
	}
	t.bytes = func() int { return 8 * len(t.w) }
	t.tailSize = func() int { return 8 }
	return t
}

// pairs visits the indices that meet in a layer, and that of their multiplier.
func pairs(l field.Layer, do func(a, b, m int)) {
	for b := range l.Blocks {
		for r := range l.Half {
			for i := range l.Width {
				a := (2*l.Half*b+r)*l.Stride + i
				do(a, a+l.Half*l.Stride, l.Off+b)
			}
		}
	}
}

// halves returns the two layers of a pass of radix 4.
func halves(l field.Layer) (first, second field.Layer) {
	first, second = l, l
	first.Half = 2 * l.Half
	second.Off, second.Blocks = 2*l.Off, 2*l.Blocks
	return first, second
}
