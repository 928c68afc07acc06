package binary

import (
	"sync"
	"unsafe"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/schemes"
)

// multiples is what an element of at most a word makes of four bits of another one: a product is sixteen lookups.
type multiples [16][16]uint64

// set is for products by w, modulo c.
func (t *multiples) set(c *modulus, w uint64) {
	top, tail := uint(c.m-1), c.tail[0]
	for i := range (c.m + 3) / 4 {
		for bit := 1; bit < 16; bit *= 2 {
			for j := range bit {
				t[i][bit+j] = t[i][j] ^ w
			}
			w = w<<1&(1<<c.m-1) ^ tail&-(w>>top)
		}
	}
}

// times returns the product by x.
func (t *multiples) times(x uint64) uint64 {
	return t[0][x&15] ^ t[1][x>>4&15] ^ t[2][x>>8&15] ^ t[3][x>>12&15] ^
		t[4][x>>16&15] ^ t[5][x>>20&15] ^ t[6][x>>24&15] ^ t[7][x>>28&15] ^
		t[8][x>>32&15] ^ t[9][x>>36&15] ^ t[10][x>>40&15] ^ t[11][x>>44&15] ^
		t[12][x>>48&15] ^ t[13][x>>52&15] ^ t[14][x>>56&15] ^ t[15][x>>60]
}

// rowTables is what calls need: multiples of a multiplier, and of what others have more.
type rowTables struct {
	one  multiples
	more [together]multiples
}

// together is how many butterflies share a table: so many products take longer than it takes to be made.
const together = 16

var tables = sync.Pool{New: func() any { return new(rowTables) }}

// few elements are multiplied one by one: a table takes the time of so many products.
const few = 4

// rows is butterflies by tables, for polynomials of at most a word.
type rows[E Elements] struct{ c *modulus }

// sums returns those of a bulk.
func (r rows[E]) sums() *bulks.Sums[E] {
	return &bulks.Sums[E]{Row: r.pair, Blocks: r.blocks, Scratch: int(unsafe.Sizeof(rowTables{}))}
}

// pair is Row of bulks.Sums.
func (r rows[E]) pair(x, y []E, w *E, back bool) {
	t := tables.Get().(*rowTables)
	r.row(t, x, y, load(w), back)
	tables.Put(t)
}

func (r rows[E]) row(t *rowTables, x, y []E, w uint64, back bool) {
	y = y[:len(x)]
	if len(x) < few {
		for i := range x {
			a, b := load(&x[i]), load(&y[i])
			if back {
				b ^= a
			}
			a ^= r.c.mul1(w, b)
			if !back {
				b ^= a
			}
			store(&x[i], a)
			store(&y[i], b)
		}
		return
	}
	t.one.set(r.c, w)
	for i := range x {
		a, b := load(&x[i]), load(&y[i])
		if back {
			b ^= a
		}
		a ^= t.one.times(b)
		if !back {
			b ^= a
		}
		store(&x[i], a)
		store(&y[i], b)
	}
}

// blocks is Blocks of bulks.Sums. Multipliers are sums: those of short blocks in a row are that of the first one and
// what all such rows have more. A product is the sum of two by tables then.
func (r rows[E]) blocks(v, w []E, half int, back bool) {
	const least = 4 // rows of blocks for which tables are made
	t := tables.Get().(*rowTables)
	count := max(1, together/half)
	if half < together && len(w) >= least*count {
		for i := range count {
			t.more[i].set(r.c, load(&w[i])^load(&w[0]))
		}
		for len(w) >= count && r.follow(t, w[:count]) {
			t.one.set(r.c, load(&w[0]))
			for i := range count {
				r.block(&t.one, &t.more[i], v[2*half*i:][:2*half], half, back)
			}
			v, w = v[2*half*count:], w[count:]
		}
	}
	for i := range w {
		r.row(t, v[2*half*i:][:half], v[2*half*i+half:][:half], load(&w[i]), back)
	}
	tables.Put(t)
}

// follow reports whether the multipliers w are the first one and what there are tables of.
func (rows[E]) follow(t *rowTables, w []E) bool {
	for i := range w {
		if load(&w[i])^load(&w[0]) != t.more[i][0][1] {
			return false
		}
	}
	return true
}

// block is the butterflies of a block whose multiplier is the sum of those of two tables.
func (rows[E]) block(one, more *multiples, v []E, half int, back bool) {
	x, y := v[:half], v[half:2*half]
	for i := range x {
		a, b := load(&x[i]), load(&y[i])
		if back {
			b ^= a
		}
		a ^= one.times(b) ^ more.times(b)
		if !back {
			b ^= a
		}
		store(&x[i], a)
		store(&y[i], b)
	}
}

// byTables plans a transform over an affine domain by products of rows, for polynomials of at most a word.
func byTables[E Elements](f *Field[E], d field.Affine[E], s field.Spec) (field.Transform[E], error) {
	if f.core.kind != scalar || f.core.of2 == nil {
		return nil, nil
	}
	return schemes.Build(f, &bulks.Slices[E]{Field: f, Affine: true, Sums: rows[E]{f.core.of2}.sums()}, d, s)
}
