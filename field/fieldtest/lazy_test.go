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
	traits  field.Traits
	make    func(n int) field.View
	open    func(v field.View) V // what a view is of
	bytes   func(n int) int
	pack    func(v V, a []uint64)
	unpack  func(a []uint64, v V)
	reduce  func(v V)
	copy    func(dst, src V, c field.Copy)
	reorder func(v V, n, part, parts int)
	vecMul  func(z, x, y V, n int)
	table   func(w V) (field.Table, error)
}

func (b *lazy[V]) Traits() field.Traits                   { return b.traits }
func (b *lazy[V]) Make(n int) (field.View, error)         { return b.make(n), nil }
func (b *lazy[V]) Bytes(n int) int                        { return b.bytes(n) }
func (b *lazy[V]) Pack(v, a field.View)                   { b.pack(b.open(v), field.SliceOf[uint64](a)) }
func (b *lazy[V]) Unpack(a, v field.View)                 { b.unpack(field.SliceOf[uint64](a), b.open(v)) }
func (b *lazy[V]) Reduce(v field.View)                    { b.reduce(b.open(v)) }
func (b *lazy[V]) Copy(dst, src field.View, c field.Copy) { b.copy(b.open(dst), b.open(src), c) }
func (b *lazy[V]) Reorder(v field.View, part, parts int)  { b.reorder(b.open(v), v.N, part, parts) }
func (b *lazy[V]) VecMul(z, x, y field.View)              { b.vecMul(b.open(z), b.open(x), b.open(y), z.N) }
func (b *lazy[V]) Table(w field.View) (field.Table, error) {
	t, err := b.table(b.open(w))
	if t, ok := t.(opener[V]); ok {
		t.opens(b.open)
	}
	return t, err
}

// opener is a table that opens views as its Bulk does.
type opener[V any] interface {
	opens(open func(v field.View) V)
}

// lazyWords and lazyPlanes return the Bulk with the replacements that change makes.
func lazyWords(change func(b *lazy[words])) *lazy[words] {
	b := newLazy[words]()
	b.traits.InPlace = true
	b.make = func(n int) field.View { return field.ViewOf(make([]uint64, n)) }
	b.open = func(v field.View) words { return field.SliceOf[uint64](v) }
	change(b)
	return b
}

func lazyPlanes(change func(b *lazy[planes])) *lazy[planes] {
	b := newLazy[planes]()
	b.make = func(n int) field.View { return field.View{Buf: &planes{make([]uint32, n), make([]uint32, n)}, N: n} }
	b.open = func(v field.View) planes { return v.Buf.(*planes).view(v.Off, v.Off+v.N) }
	change(b)
	return b
}

func newLazy[V store[V]]() *lazy[V] {
	p := mersenne.p
	return &lazy[V]{
		traits: field.Traits{MaxLayers: 2},
		bytes:  func(n int) int { return 8 * n },
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
		table: func(w V) (field.Table, error) { return newLazyTable(w), nil },
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
	open                             func(v field.View) V
	w                                []uint64
	radix2, radix2T, radix4, radix4T func(v V, l field.Layer)
	scale                            func(v V, off, rows, width, stride int)
	tail                             func(v V, off, cnt int, canonical bool)
	tailT                            func(v V, off, cnt int)
	end                              func(v V, i int, by uint64) // of an element, in the passes that end an inverse
	bytes, tailSize                  func() int
	odd                              func(v V, n, width, stride int)
}

func (t *lazyTable[V]) opens(open func(v field.View) V) { t.open = open }

func (t *lazyTable[V]) Radix2(v field.View, l field.Layer)         { t.radix2(t.open(v), l) }
func (t *lazyTable[V]) Radix2T(v field.View, l field.Layer)        { t.radix2T(t.open(v), l) }
func (t *lazyTable[V]) MaxLayers() int                             { return 2 }
func (t *lazyTable[V]) Layers(v field.View, l field.Layer, _ int)  { t.radix4(t.open(v), l) }
func (t *lazyTable[V]) LayersT(v field.View, l field.Layer, _ int) { t.radix4T(t.open(v), l) }
func (t *lazyTable[V]) Scale(v field.View, off, rows, width, stride int) {
	t.scale(t.open(v), off, rows, width, stride)
}
func (t *lazyTable[V]) Tail(v field.View, b field.Blocks, canonical bool) {
	t.tail(t.open(v), b.Off, b.Count, canonical)
}
func (t *lazyTable[V]) TailT(v field.View, b field.Blocks) { t.tailT(t.open(v), b.Off, b.Count) }
func (t *lazyTable[V]) Bytes() int                         { return t.bytes() }
func (t *lazyTable[V]) TailSize(int) int                   { return t.tailSize() }

func (t *lazyTable[V]) Final(v field.View, l field.Layer, layers int, by field.Table) {
	if layers == 1 {
		t.Radix2T(v, l)
	} else {
		t.LayersT(v, l, layers)
	}
	x, c := t.open(v), by.(*lazyTable[V]).w[0]
	for r := range l.Blocks * l.Half << layers {
		for i := range l.Width {
			t.end(x, r*l.Stride+i, c)
		}
	}
}

func (t *lazyTable[V]) FinalTail(v field.View, b field.Blocks, by field.Table) {
	t.TailT(v, b)
	x, c := t.open(v), by.(*lazyTable[V]).w[0]
	for i := range b.Count * b.Size {
		t.end(x, i, c)
	}
}

func (t *lazyTable[V]) OddScratch(n int) int { return n }
func (t *lazyTable[V]) Odd(v field.View, n, width, stride int, _ field.View) {
	t.odd(t.open(v), n, width, stride)
}

// canonical returns the values of v.
func canonical[V store[V]](v V) []uint64 {
	w := make([]uint64, v.size())
	for i := range w {
		w[i] = once(once(v.at(i), 2*mersenne.p), mersenne.p)
	}
	return w
}

func newLazyTable[V store[V]](w V) *lazyTable[V] {
	p := mersenne.p
	t := &lazyTable[V]{w: canonical(w)}
	t.end = func(v V, i int, by uint64) { v.put(i, once(product(v.at(i), by), p)) }
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
	t.odd = func(v V, n, width, stride int) {
		h := n / 2
		for c := range width {
			at := func(i int) int { return i*stride + c }
			x := make([]uint64, n)
			for i := range x {
				x[i] = v.at(at(i)) % p
			}
			var all uint64
			for i := range x {
				all = (all + x[i]) % p
			}
			v.put(at(0), all)
			for k := 1; k <= h; k++ {
				w := t.w[1+2*h*(k-1):]
				even, odd := x[0], uint64(0)
				for j := 1; j <= h; j++ {
					even = (even + product(x[j]+x[n-j], w[j-1])) % p
					odd = (odd + product(x[j]+p-x[n-j], w[h+j-1])) % p
				}
				v.put(at(k), even+odd)
				v.put(at(n-k), even+p-odd)
			}
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
