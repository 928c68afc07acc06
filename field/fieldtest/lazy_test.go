package fieldtest

import (
	"context"
	"github.com/galfft/fft/field/bulks"
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
	traits  bulks.Traits
	make    func(n int) bulks.View
	open    func(v bulks.View) V // what a view is of
	bytes   func(n int) int
	memory  func(v bulks.View) ([]byte, bool)
	pack    func(v V, a []uint64)
	unpack  func(a []uint64, v V)
	reduce  func(v V)
	copy    func(dst, src V, c bulks.Copy)
	reorder func(v V, n, part, parts int)
	rows    func(v V, n, width, part, parts int)
	vecMul  func(z, x, y V, n int)
	table   func(w V, share bulks.Share) (bulks.Table, error)
}

func (b *lazy[V]) Traits() bulks.Traits                   { return b.traits }
func (b *lazy[V]) Make(n int) (bulks.View, error)         { return b.make(n), nil }
func (b *lazy[V]) Bytes(n int) int                        { return b.bytes(n) }
func (b *lazy[V]) Memory(v bulks.View) ([]byte, bool)     { return b.memory(v) }
func (b *lazy[V]) Pack(v, a bulks.View)                   { b.pack(b.open(v), bulks.SliceOf[uint64](a)) }
func (b *lazy[V]) Unpack(a, v bulks.View)                 { b.unpack(bulks.SliceOf[uint64](a), b.open(v)) }
func (b *lazy[V]) Reduce(v bulks.View)                    { b.reduce(b.open(v)) }
func (b *lazy[V]) Copy(dst, src bulks.View, c bulks.Copy) { b.copy(b.open(dst), b.open(src), c) }
func (b *lazy[V]) Reorder(v bulks.View, width, part, parts int) {
	if width == 1 {
		b.reorder(b.open(v), v.N, part, parts)
		return
	}
	b.rows(b.open(v), v.N/width, width, part, parts)
}
func (b *lazy[V]) VecMul(z, x, y bulks.View) { b.vecMul(b.open(z), b.open(x), b.open(y), z.N) }
func (b *lazy[V]) Table(w bulks.View, share bulks.Share) (bulks.Table, error) {
	t, err := b.table(b.open(w), share)
	if t, ok := t.(opener[V]); ok {
		t.opens(b.open)
	}
	return t, err
}

// opener is a table that opens views as its Bulk does.
type opener[V any] interface {
	opens(open func(v bulks.View) V)
}

// lazyWords and lazyPlanes return the Bulk with the replacements that change makes.
func lazyWords(change func(b *lazy[words])) *lazy[words] {
	b := newLazy[words]()
	b.traits.InPlace = true
	b.make = func(n int) bulks.View { return bulks.ViewOf(make([]uint64, n)) }
	b.open = func(v bulks.View) words { return bulks.SliceOf[uint64](v) }
	b.memory = new(bulks.Plain[uint64]).Memory
	change(b)
	return b
}

func lazyPlanes(change func(b *lazy[planes])) *lazy[planes] {
	b := newLazy[planes]()
	b.make = func(n int) bulks.View { return bulks.View{Buf: &planes{make([]uint32, n), make([]uint32, n)}, N: n} }
	b.open = func(v bulks.View) planes { return v.Buf.(*planes).view(v.Off, v.Off+v.N) }
	change(b)
	return b
}

func newLazy[V store[V]]() *lazy[V] {
	p := mersenne.p
	return &lazy[V]{
		traits: bulks.Traits{Rows: 5, Passes: bulks.Passes{Layers: 2, Tails: [][]int{3: {3}}, By: true, Odd: 127}},
		bytes:  func(n int) int { return 8 * n },
		memory: func(bulks.View) ([]byte, bool) { return nil, false },
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
		copy: func(dst, src V, c bulks.Copy) {
			for i := range c.Rows {
				for j := range c.Width {
					dst.put(i*c.Dst+j, src.at(c.From(i, j)))
				}
			}
		},
		reorder: func(v V, n, part, parts int) { reorderRows(v, n, 1, part, parts) },
		rows:    reorderRows[V],
		vecMul: func(z, x, y V, n int) {
			for i := range n {
				z.put(i, product(x.at(i), y.at(i)))
			}
		},
		table: func(w V, share bulks.Share) (bulks.Table, error) {
			t := newLazyTable(w)
			clear(t.w)
			share(len(t.w), func(from, to int) { copy(t.w[from:to], canonical(w.view(from, to))) })
			return t, nil
		},
	}
}

// reorderRows is Reorder of n rows.
func reorderRows[V store[V]](v V, n, width, part, parts int) {
	k := 0
	for 1<<k < n {
		k++
	}
	for i := part; i < n; i += parts {
		j := bulks.Rev(i, k)
		for c := range width {
			if a, b := i*width+c, j*width+c; a < b {
				x := v.at(a)
				v.put(a, v.at(b))
				v.put(b, x)
			}
		}
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
	open                             func(v bulks.View) V
	w                                []uint64
	radix2, radix2T, radix4, radix4T func(v V, l layer)
	scale                            func(v V, off, rows, width, stride int)
	tail                             func(v V, off, cnt int, canonical bool)
	tailT                            func(v V, off, cnt int)
	end                              func(v V, i int, by uint64) // of an element, in the passes that end an inverse
	bytes                            func() int
	odd                              func(v V, n, width, stride int)
	asked                            func(p *bulks.Pass) // a change of what is asked for
}

func (t *lazyTable[V]) opens(open func(v bulks.View) V) { t.open = open }

func (t *lazyTable[V]) Pass(of bulks.View, p bulks.Pass, r bulks.Rows) {
	t.asked(&p)
	v, l, up := t.open(of), layer{p.Off, r}, p.Has(bulks.Transposed)
	switch {
	case p.Has(bulks.Odd):
		t.odd(v, r.Half, r.Width, r.Stride)
	case p.Layers == 3:
		t.tails(v, p, r.Blocks)
	case p.Layers == 2 && up:
		t.radix4T(v, l)
	case p.Layers == 2:
		t.radix4(v, l)
	case up:
		t.radix2T(v, l)
	default:
		t.radix2(v, l)
	}
	if p.By == nil {
		return
	}
	c := p.By.(*lazyTable[V]).w[0]
	for i := range r.Blocks * r.Half << p.Layers {
		for j := range r.Width {
			t.end(v, i*r.Stride+j, c)
		}
	}
}

// tails does all blocks together, or each alone.
func (t *lazyTable[V]) tails(v V, p bulks.Pass, blocks int) {
	n := blocks
	if p.Has(bulks.Same) {
		n = 1
	}
	for i := 0; i < blocks; i += n {
		if part := v.view(8*i, 8*(i+n)); p.Has(bulks.Transposed) {
			t.tailT(part, p.Off, n)
		} else {
			t.tail(part, p.Off, n, p.Has(bulks.Reduced))
		}
	}
}

func (t *lazyTable[V]) Scale(v bulks.View, off, rows, width, stride int) {
	t.scale(t.open(v), off, rows, width, stride)
}

func (t *lazyTable[V]) Bytes() int { return t.bytes() }

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
	t.radix2 = func(v V, l layer) {
		pairs(l, func(a, b, m int) {
			x, y := once(v.at(a), 2*p), product(v.at(b), t.w[m])
			v.put(a, x+y)
			v.put(b, x+2*p-y)
		})
	}
	t.radix2T = func(v V, l layer) {
		pairs(l, func(a, b, m int) {
			x, y := v.at(a), v.at(b)
			v.put(a, once(x+y, 2*p))
			v.put(b, product(x+2*p-y, t.w[m]))
		})
	}
	t.radix4 = func(v V, l layer) {
		first, second := halves(l)
		t.radix2(v, first)
		t.radix2(v, second)
	}
	t.radix4T = func(v V, l layer) {
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
			t.radix2(v, layer{d * off, bulks.Rows{Blocks: d * cnt, Half: 4 / d, Width: 1, Stride: 1}})
		}
		for i := 0; canonical && i < 8*cnt; i++ {
			v.put(i, v.at(i)%p)
		}
	}
	t.tailT = func(v V, off, cnt int) {
		for d := 4; d > 0; d /= 2 {
			t.radix2T(v, layer{d * off, bulks.Rows{Blocks: d * cnt, Half: 4 / d, Width: 1, Stride: 1}})
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
	t.asked = func(*bulks.Pass) {}
	return t
}

// pairs visits the indices that meet in a layer, and that of their multiplier.
func pairs(l layer, do func(a, b, m int)) {
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
func halves(l layer) (first, second layer) {
	first, second = l, l
	first.Half = 2 * l.Half
	second.Off, second.Blocks = 2*l.Off, 2*l.Blocks
	return first, second
}

// onDevice is a lazy Bulk as a device.
type onDevice struct {
	*lazy[planes]
	wait, release func(v bulks.View) error
	wake          func(v bulks.View) bool
	clear         func(v bulks.View)
	seek          func(v bulks.View) bool
	found         func(v bulks.View) (bool, error)
}

func (b *onDevice) Wait(_ context.Context, v bulks.View) error { return b.wait(v) }
func (b *onDevice) Release(v bulks.View) error                 { return b.release(v) }
func (b *onDevice) Rest(bulks.View)                            {}
func (b *onDevice) Wake(v bulks.View) bool                     { return b.wake(v) }
func (b *onDevice) Clear(v bulks.View)                         { b.clear(v) }
func (b *onDevice) Seeks(n int) bool                           { return n >= 8 }
func (b *onDevice) Seek(v bulks.View) bool                     { return b.seek(v) }
func (b *onDevice) Found(v bulks.View) (bool, error)           { return b.found(v) }

func newDevice(change func(b *onDevice)) *onDevice {
	b := &onDevice{lazy: lazyPlanes(func(*lazy[planes]) {})}
	b.wait = func(bulks.View) error { return nil }
	b.wake = func(bulks.View) bool { return true }
	b.release = func(v bulks.View) error {
		clear(v.Buf.(*planes).low)
		return nil
	}
	b.pack = func(v planes, a []uint64) {
		for i, x := range a {
			v.put(i, x)
		}
	}
	b.clear = func(v bulks.View) {
		for i := range v.N {
			b.open(v).put(i, 0)
		}
	}
	found := false
	b.seek = func(v bulks.View) bool {
		found = false
		for i := range v.N {
			found = found || b.open(v).at(i) >= mersenne.p
		}
		return true
	}
	b.found = func(bulks.View) (bool, error) { return found, nil }
	change(b)
	return b
}
