package fieldtest

import (
	"errors"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/testfields"
)

func TestSoundBulks(t *testing.T) {
	RunBulk(t, mersenne, lazyWords(func(*lazy[words]) {}), Config[uint64]{})
	RunBulk(t, mersenne, lazyPlanes(func(*lazy[planes]) {}), Config[uint64]{Seed: 1})
	RunBulk(t, mersenne, newDevice(func(*onDevice) {}), Config[uint64]{Seed: 2})
	RunBulk(t, goldilocks, &bulks.Slices[uint64]{Field: goldilocks}, Config[uint64]{})
	RunBulk(t, goldilocks, &bulks.Plain[uint64]{Slices: bulks.Slices[uint64]{Field: goldilocks}},
		Config[uint64]{Random: goldilocks.Random})
}

// inTables returns a change of a Bulk that makes one of all its tables.
func inTables(change func(t *lazyTable[planes])) func(b *lazy[planes]) {
	return func(b *lazy[planes]) {
		b.table = func(w planes, _ bulks.Share) (bulks.Table, error) {
			t := newLazyTable(w)
			change(t)
			return t, nil
		}
	}
}

// inPasses returns a change of the passes that a Bulk lists.
func inPasses(change func(p *bulks.Passes)) func(b *lazy[planes]) {
	return func(b *lazy[planes]) { change(&b.traits.Passes) }
}

// permutes reports whether p picks no number from its length on.
func permutes(p []int32) bool { return p == nil || int(slices.Max(p)) < len(p) }

// bulkMutants are Bulks with one thing wrong, and the check that must find it.
var bulkMutants = []struct {
	name, check string
	change      func(b *lazy[planes])
}{
	{"Make leaves what was there", "Make", func(b *lazy[planes]) {
		pool := make(map[int]bulks.View)
		newVector := b.make
		b.make = func(n int) bulks.View {
			if _, ok := pool[n]; !ok {
				pool[n] = newVector(n)
			}
			return pool[n]
		}
	}},
	{"a vector takes no memory", "Make", func(b *lazy[planes]) { b.bytes = func(n int) int { return 0 } }},

	{"a view is a copy", "Slice", func(b *lazy[planes]) {
		open := b.open
		b.open = func(v bulks.View) planes {
			p := open(v)
			return planes{slices.Clone(p.low), slices.Clone(p.high)}
		}
	}},
	{"a view starts at a multiple of four", "Slice", func(b *lazy[planes]) {
		open := b.open
		b.open = func(v bulks.View) planes {
			v.Off &^= 3
			return open(v)
		}
	}},

	{"Unpack does not reduce wide values", "Pack", func(b *lazy[planes]) {
		b.unpack = func(a []uint64, v planes) {
			for i := range a {
				a[i] = once(v.at(i), mersenne.p)
			}
		}
	}},
	{"Reduce cuts a bit", "Pack", func(b *lazy[planes]) {
		b.reduce = func(v planes) {
			for i := range v.size() {
				v.put(i, v.at(i)&(1<<62-1))
			}
		}
	}},
	{"Pack loses the tail", "Pack", func(b *lazy[planes]) {
		pack := b.pack
		b.pack = func(v planes, a []uint64) { pack(v, a[:len(a)&^1]) }
	}},

	{"Copy ignores ColPerm", "Copy", func(b *lazy[planes]) {
		move := b.copy
		b.copy = func(dst, src planes, c bulks.Copy) {
			c.ColPerm = nil
			move(dst, src, c)
		}
	}},
	{"Copy ignores RowPerm", "Copy", func(b *lazy[planes]) {
		move := b.copy
		b.copy = func(dst, src planes, c bulks.Copy) {
			c.RowPerm = nil
			move(dst, src, c)
		}
	}},
	{"Copy applies permutations after transposition", "Copy", func(b *lazy[planes]) {
		move := b.copy
		b.copy = func(dst, src planes, c bulks.Copy) {
			if c.Transpose && c.Rows == c.Width && permutes(c.RowPerm) && permutes(c.ColPerm) {
				c.RowPerm, c.ColPerm = c.ColPerm, c.RowPerm
			}
			move(dst, src, c)
		}
	}},
	{"Copy inverts a permutation", "Copy", func(b *lazy[planes]) {
		move := b.copy
		b.copy = func(dst, src planes, c bulks.Copy) {
			if c.RowPerm != nil && permutes(c.RowPerm) {
				inverse := make([]int32, c.Rows)
				for i, p := range c.RowPerm {
					inverse[p] = int32(i)
				}
				c.RowPerm = inverse
			}
			move(dst, src, c)
		}
	}},
	{"Copy transposes whole blocks of eight", "Copy", func(b *lazy[planes]) {
		move := b.copy
		b.copy = func(dst, src planes, c bulks.Copy) {
			if c.Transpose && c.Width > 8 {
				c.Width &^= 7
			}
			move(dst, src, c)
		}
	}},
	{"Copy ignores the stride of the source", "Copy", func(b *lazy[planes]) {
		move := b.copy
		b.copy = func(dst, src planes, c bulks.Copy) {
			if !c.Transpose && c.ColPerm == nil {
				c.Src = c.Width
			}
			move(dst, src, c)
		}
	}},
	{"Copy writes into gaps", "Copy", func(b *lazy[planes]) {
		move := b.copy
		b.copy = func(dst, src planes, c bulks.Copy) {
			move(dst, src, c)
			if c.Rows > 1 && c.Dst > c.Width {
				dst.put(c.Width, 0)
			}
		}
	}},
	{"Copy swaps", "Copy", func(b *lazy[planes]) {
		move := b.copy
		b.copy = func(dst, src planes, c bulks.Copy) {
			x := dst.at(0)
			move(dst, src, c)
			src.put(0, x)
		}
	}},

	{"Reorder does nothing", "Reorder", func(b *lazy[planes]) { b.reorder = func(planes, int, int, int) {} }},
	{"Reorder does every share whole", "Reorder", func(b *lazy[planes]) {
		reorder := b.reorder
		b.reorder = func(v planes, n, _, _ int) { reorder(v, n, 0, 1) }
	}},
	{"Reorder is wrong from 2^9 on", "Reorder", func(b *lazy[planes]) {
		reorder := b.reorder
		b.reorder = func(v planes, n, part, parts int) { reorder(v, min(n, 1<<8), part, parts) }
	}},

	{"Reorder of rows does every share whole", "ReorderRows", func(b *lazy[planes]) {
		b.rows = func(v planes, n, width, _, _ int) { reorderRows(v, n, width, 0, 1) }
	}},
	{"Reorder of rows leaves the last element of odd rows", "ReorderRows", func(b *lazy[planes]) {
		b.rows = func(v planes, n, width, part, parts int) {
			at := min(2, n)*width - 1 // of row 1, which changes places where there are four
			last := v.at(at)
			reorderRows(v, n, width, part, parts)
			if width%2 == 1 {
				v.put(at, last)
			}
		}
	}},
	{"Reorder of rows is wrong from 2^9 rows on", "ReorderRows", func(b *lazy[planes]) {
		b.rows = func(v planes, n, width, part, parts int) { reorderRows(v, min(n, 1<<8), width, part, parts) }
	}},
	{"rows are longer than Reorder takes", "ReorderRows", func(b *lazy[planes]) {
		b.traits.Rows = 9
		b.rows = func(v planes, n, width, part, parts int) { reorderRows(v, n, min(width, 8), part, parts) }
	}},

	{"VecMul writes before it reads", "VecMul", func(b *lazy[planes]) {
		vecMul, move := b.vecMul, b.copy
		b.vecMul = func(z, x, y planes, n int) {
			if n > 0 {
				move(z, x, bulks.Copy{Rows: 1, Width: n})
			}
			vecMul(z, z, y, n)
		}
	}},
	{"VecMul asks for narrow values", "VecMul", func(b *lazy[planes]) {
		b.vecMul = func(z, x, y planes, n int) {
			for i := range n {
				z.put(i, product(x.at(i)%(1<<62), y.at(i)))
			}
		}
	}},
	{"VecMul changes an operand", "VecMul", func(b *lazy[planes]) {
		vecMul := b.vecMul
		b.vecMul = func(z, x, y planes, n int) {
			vecMul(z, x, y, n)
			if n == 33 {
				y.put(32, 0)
			}
		}
	}},

	{"Table keeps its vector", "Table", func(b *lazy[planes]) {
		b.table = func(w planes, _ bulks.Share) (bulks.Table, error) {
			t := newLazyTable(w)
			radix2T := t.radix2T
			t.radix2T = func(v planes, l layer) {
				t.w = canonical(w)
				radix2T(v, l)
			}
			return t, nil
		}
	}},
	{"Table refuses odd numbers", "Table", func(b *lazy[planes]) {
		b.table = func(w planes, _ bulks.Share) (bulks.Table, error) {
			if w.size() == 7 {
				return nil, errors.New("odd")
			}
			return newLazyTable(w), nil
		}
	}},
	{"a table takes negative memory", "Table", inTables(func(t *lazyTable[planes]) {
		t.bytes = func() int { return -1 }
	})},

	{"parts of a table begin at 0", "Table", func(b *lazy[planes]) {
		b.table = func(w planes, share bulks.Share) (bulks.Table, error) {
			t := newLazyTable(w)
			share(len(t.w), func(from, to int) { copy(t.w, canonical(w.view(from, to))) })
			return t, nil
		}
	}},

	{"a tail is longer than the transform", "Passes", inPasses(func(p *bulks.Passes) { p.Tails = [][]int{2: {3}, 3: {3}} })},
	{"the last pass of a tail is none of its own", "Passes", inPasses(func(p *bulks.Passes) {
		p.Tails = [][]int{3: {1, 2}}
	})},
	{"a tail has a pass of no layers", "Passes", inPasses(func(p *bulks.Passes) { p.Tails = [][]int{3: {0, 3}} })},
	{"tails are too long", "Passes", inPasses(func(p *bulks.Passes) { p.Tails = make([][]int, 18) })},
	{"DFTs of odd lengths are of an even one", "Passes", inPasses(func(p *bulks.Passes) { p.Odd = 4 })},
	{"passes have fewer layers than listed", "Radix8", inPasses(func(p *bulks.Passes) { p.Layers = 3 })},
	{"tails have fewer layers than listed", "Tail", inPasses(func(p *bulks.Passes) { p.Tails = [][]int{3: {3}, 4: {1, 3}} })},

	{"Scale ignores off", "Scale", inTables(func(t *lazyTable[planes]) {
		scale := t.scale
		t.scale = func(v planes, off, rows, width, stride int) { scale(v, 0, rows, width, stride) }
	})},
	{"Scale ignores the stride", "Scale", inTables(func(t *lazyTable[planes]) {
		scale := t.scale
		t.scale = func(v planes, off, rows, width, stride int) { scale(v, off, rows, width, width) }
	})},
	{"Scale leaves the last element of long rows", "Scale", inTables(func(t *lazyTable[planes]) {
		scale := t.scale
		t.scale = func(v planes, off, rows, width, stride int) {
			if width > 32 {
				width--
			}
			scale(v, off, rows, width, stride)
		}
	})},

	{"Radix2 ignores Off", "Radix2", inTables(func(t *lazyTable[planes]) {
		radix2 := t.radix2
		t.radix2 = func(v planes, l layer) { l.Off = 0; radix2(v, l) }
	})},
	{"Radix2 takes Half = 1 for rows that touch", "Radix2", inTables(func(t *lazyTable[planes]) {
		radix2 := t.radix2
		t.radix2 = func(v planes, l layer) {
			if l.Half == 1 {
				l.Stride = l.Width
			}
			radix2(v, l)
		}
	})},
	{"Radix2 does blocks of eight", "Radix2", inTables(func(t *lazyTable[planes]) {
		radix2 := t.radix2
		t.radix2 = func(v planes, l layer) {
			if l.Width > 8 {
				l.Width &^= 7
			}
			radix2(v, l)
		}
	})},
	{"Radix2 uses one multiplier for all blocks", "Radix2", inTables(func(t *lazyTable[planes]) {
		radix2 := t.radix2
		t.radix2 = func(v planes, l layer) {
			n := 2 * l.Half * l.Stride
			for b := range l.Blocks {
				one := l
				one.Blocks = 1
				radix2(v.view(b*n, min((b+1)*n, v.size())), one)
			}
		}
	})},
	{"Radix2 subtracts the other way round", "Radix2", inTables(func(t *lazyTable[planes]) {
		t.radix2 = func(v planes, l layer) {
			pairs(l, func(a, b, m int) {
				x, y := once(v.at(a), 2*mersenne.p), product(v.at(b), t.w[m])
				v.put(a, x+y)
				v.put(b, y+2*mersenne.p-x)
			})
		}
	})},
	{"Radix2T multiplies first", "Radix2T", inTables(func(t *lazyTable[planes]) { t.radix2T = t.radix2 })},
	{"Radix2T writes into gaps", "Radix2T", inTables(func(t *lazyTable[planes]) {
		radix2T := t.radix2T
		t.radix2T = func(v planes, l layer) {
			radix2T(v, l)
			if l.Stride > l.Width {
				v.put(l.Width, v.at(0))
			}
		}
	})},
	{"Radix4 uses one multiplier for both halves", "Radix4", inTables(func(t *lazyTable[planes]) {
		t.radix4 = func(v planes, l layer) {
			first, second := halves(l)
			t.radix2(v, first)
			pairs(second, func(a, b, m int) {
				x, y := once(v.at(a), 2*mersenne.p), product(v.at(b), t.w[m&^1])
				v.put(a, x+y)
				v.put(b, x+2*mersenne.p-y)
			})
		}
	})},
	{"Radix4 does not double Off", "Radix4", inTables(func(t *lazyTable[planes]) {
		t.radix4 = func(v planes, l layer) {
			first, second := halves(l)
			second.Off = l.Off
			t.radix2(v, first)
			t.radix2(v, second)
		}
	})},
	{"Radix4T does its layers as Radix4 does", "Radix4T", inTables(func(t *lazyTable[planes]) {
		t.radix4T = func(v planes, l layer) {
			first, second := halves(l)
			t.radix2T(v, first)
			t.radix2T(v, second)
		}
	})},
	{"Tail ignores off", "Tail", inTables(func(t *lazyTable[planes]) {
		tail := t.tail
		t.tail = func(v planes, off, cnt int, canonical bool) { tail(v, 0, cnt, canonical) }
	})},
	{"Tail does eight blocks at once", "Tail", inTables(func(t *lazyTable[planes]) {
		tail := t.tail
		t.tail = func(v planes, off, cnt int, canonical bool) {
			if cnt > 8 {
				cnt &^= 7
			}
			tail(v, off, cnt, canonical)
		}
	})},
	{"every block of a tail stands at its own place", "TailSame", inTables(func(t *lazyTable[planes]) {
		t.asked = func(p *bulks.Pass) { p.How &^= bulks.Same }
	})},
	{"every block of a transposed tail does", "TailSameT", inTables(func(t *lazyTable[planes]) {
		t.asked = func(p *bulks.Pass) {
			if p.Has(bulks.Transposed) {
				p.How &^= bulks.Same
			}
		}
	})},
	{"TailT is Tail", "TailT", inTables(func(t *lazyTable[planes]) {
		t.tailT = func(v planes, off, cnt int) { t.tail(v, off, cnt, false) }
	})},
	{"Tail never leaves canonical values", "MixedChain", inTables(func(t *lazyTable[planes]) {
		tail := t.tail
		t.tail = func(v planes, off, cnt int, _ bool) { tail(v, off, cnt, false) }
	})},

	{"By is taken for an odd number", "By", inTables(func(t *lazyTable[planes]) {
		end := t.end
		t.end = func(v planes, i int, by uint64) { end(v, i, by|1) }
	})},
	{"By is left out", "By", inTables(func(t *lazyTable[planes]) {
		t.asked = func(p *bulks.Pass) { p.By = nil }
	})},
	{"By is left out of tails", "TailBy", inTables(func(t *lazyTable[planes]) {
		t.asked = func(p *bulks.Pass) {
			if p.Layers == 3 {
				p.By = nil
			}
		}
	})},
	{"By of tails is taken for an odd number", "TailBy", inTables(func(t *lazyTable[planes]) {
		end := t.end
		t.end = func(v planes, i int, by uint64) { end(v, i, by|1) }
	})},

	{"Odd has its last two rows in the other order", "Odd", inTables(func(t *lazyTable[planes]) {
		odd := t.odd
		t.odd = func(v planes, n, width, stride int) {
			odd(v, n, width, stride)
			for i := range width {
				a, b := (n-2)*stride+i, (n-1)*stride+i
				x := v.at(a)
				v.put(a, v.at(b))
				v.put(b, x)
			}
		}
	})},

	{"Radix2 leaves more than wide values", "WideChain", inTables(func(t *lazyTable[planes]) {
		t.radix2 = func(v planes, l layer) {
			pairs(l, func(a, b, m int) {
				x, y := v.at(a), product(v.at(b), t.w[m])
				v.put(a, x+y)
				v.put(b, x+2*mersenne.p-y)
			})
		}
	})},
	{"Radix4 asks for narrow values", "WideChain", inTables(func(t *lazyTable[planes]) {
		radix2 := t.radix2
		t.radix4 = func(v planes, l layer) {
			first, second := halves(l)
			pairs(first, func(a, b, m int) {
				x, y := v.at(a), product(v.at(b), t.w[m])
				v.put(a, (x+y)%(1<<63))
				v.put(b, (x+2*mersenne.p-y)%(1<<63))
			})
			radix2(v, second)
		}
	})},
	{"Radix2T leaves wide values", "NarrowChain", inTables(func(t *lazyTable[planes]) {
		t.radix2T = func(v planes, l layer) {
			pairs(l, func(a, b, m int) {
				x, y := v.at(a), v.at(b)
				v.put(a, x+y)
				v.put(b, product(x+2*mersenne.p-y, t.w[m]))
			})
		}
	})},
	{"Scale leaves wide values", "MixedChain", inTables(func(t *lazyTable[planes]) {
		scale := t.scale
		t.scale = func(v planes, off, rows, width, stride int) {
			scale(v, off, rows, width, stride)
			for i := range rows {
				for j := range width {
					v.put(i*stride+j, once(v.at(i*stride+j), mersenne.p)+3*mersenne.p)
				}
			}
		}
	})},
	{"VecMul leaves wide values", "MixedChain", func(b *lazy[planes]) {
		vecMul := b.vecMul
		b.vecMul = func(z, x, y planes, n int) {
			vecMul(z, x, y, n)
			for i := range n {
				z.put(i, once(z.at(i), mersenne.p)+3*mersenne.p)
			}
		}
	}},
	{"Reduce leaves wide values", "MixedChain", func(b *lazy[planes]) { b.reduce = func(planes) {} }},
	{"Copy asks for narrow values", "MixedChain", func(b *lazy[planes]) {
		b.copy = func(dst, src planes, c bulks.Copy) {
			for i := range c.Rows {
				for j := range c.Width {
					dst.put(i*c.Dst+j, src.at(c.From(i, j))&(1<<62-1))
				}
			}
		}
	}},
	{"Copy leaves wide values", "MixedChain", func(b *lazy[planes]) {
		move := b.copy
		b.copy = func(dst, src planes, c bulks.Copy) {
			move(dst, src, c)
			for i := range c.Rows {
				for j := range c.Width {
					if x := dst.at(i*c.Dst + j); x < 2*mersenne.p {
						dst.put(i*c.Dst+j, x+2*mersenne.p)
					}
				}
			}
		}
	}},

	{"a table has one scratch", "BulkConcurrency", inTables(func(t *lazyTable[planes]) {
		var scratch atomic.Uint64
		t.scale = func(v planes, off, rows, width, stride int) {
			for i := range rows {
				for j := range width {
					scratch.Store(v.at(i*stride + j))
					if j%8 == 0 {
						runtime.Gosched()
					}
					v.put(i*stride+j, product(scratch.Load(), t.w[off+i]))
				}
			}
		}
		radix2T := t.radix2T
		t.radix2T = func(v planes, l layer) {
			scratch.Store(uint64(l.Off))
			runtime.Gosched()
			l.Off = int(scratch.Load())
			radix2T(v, l)
		}
	})},
}

func TestBrokenBulks(t *testing.T) {
	for _, m := range bulkMutants {
		t.Run(m.check+"/"+m.name, func(t *testing.T) {
			requireBroken(t, newBulkSuite(mersenne, lazyPlanes(m.change), Config[uint64]{}, 1).checks(), m.check)
		})
	}
}

// inPlaceMutants break what only vectors that are the slice itself can do.
var inPlaceMutants = []struct {
	name, check string
	change      func(b *lazy[words])
}{
	{"the slice is copied", "InPlace", func(b *lazy[words]) {
		b.open = func(v bulks.View) words { return slices.Clone(bulks.SliceOf[uint64](v)) }
	}},
	{"Reduce leaves values from p on", "InPlace", func(b *lazy[words]) {
		b.reduce = func(v words) {
			for i := range v {
				v[i] = once(v[i], 2*mersenne.p)
			}
		}
	}},
	{"Unpack in place does nothing", "InPlace", func(b *lazy[words]) {
		unpack := b.unpack
		b.unpack = func(a []uint64, v words) {
			if len(a) == 0 || &a[0] != &v[0] {
				unpack(a, v)
			}
		}
	}},
	{"Radix2T asks for another form than canonical elements", "InPlace", func(b *lazy[words]) {
		b.table = func(w words, _ bulks.Share) (bulks.Table, error) {
			t := newLazyTable(w)
			radix2T := t.radix2T
			t.radix2T = func(v words, l layer) {
				for i := range v {
					v[i] -= mersenne.p * (v[i] & 1)
				}
				radix2T(v, l)
			}
			return t, nil
		}
	}},
	{"By leaves narrow values", "By", func(b *lazy[words]) {
		b.table = func(w words, _ bulks.Share) (bulks.Table, error) {
			t := newLazyTable(w)
			t.end = func(v words, i int, by uint64) { v[i] = product(v[i], by) }
			return t, nil
		}
	}},
}

func TestBrokenInPlace(t *testing.T) {
	for _, m := range inPlaceMutants {
		t.Run(m.check+"/"+m.name, func(t *testing.T) {
			requireBroken(t, newBulkSuite(mersenne, lazyWords(m.change), Config[uint64]{}, 1).checks(), m.check)
		})
	}
}

// sharing moves elements out of its vectors by value.
type sharing struct{ bulks.Slices[testfields.Int] }

func (b sharing) Unpack(a, v bulks.View) {
	copy(bulks.SliceOf[testfields.Int](a), bulks.SliceOf[testfields.Int](v))
}

// TestBrokenSharing tries Bulks that move elements by value, which is wrong where they hold pointers: Plain is
// for others.
func TestBrokenSharing(t *testing.T) {
	f, err := testfields.NewBigInt(goldilocks.Order())
	require.NoError(t, err)
	for _, b := range []bulks.Bulk{
		&bulks.Plain[testfields.Int]{Slices: bulks.Slices[testfields.Int]{Field: f}},
		&sharing{bulks.Slices[testfields.Int]{Field: f}},
	} {
		requireBroken(t, newBulkSuite(f, b, Config[testfields.Int]{}, 1).checks(), "Pack")
	}
}

// TestBrokenSingle tries Bulks that claim that their vectors are slices of canonical elements.
func TestBrokenSingle(t *testing.T) {
	for name, b := range map[string]bulks.Bulk{
		"vectors are planes": lazyPlanes(func(b *lazy[planes]) { b.traits.Single = true }),
		"values are lazy":    lazyWords(func(b *lazy[words]) { b.traits.Single = true }),
	} {
		t.Run(name, func(t *testing.T) {
			requireBroken(t, newBulkSuite(mersenne, b, Config[uint64]{}, 1).checks(), "Single")
		})
	}
}

// TestBrokenMemory tries bytes that are not those of a view.
func TestBrokenMemory(t *testing.T) {
	for name, change := range map[string]func(v bulks.View) bulks.View{
		"from the slice on, not from the view": func(v bulks.View) bulks.View { return bulks.View{Buf: v.Buf, N: v.N} },
		"without the last element":             func(v bulks.View) bulks.View { return v.Slice(0, max(0, v.N-1)) },
	} {
		t.Run(name, func(t *testing.T) {
			b := lazyWords(func(b *lazy[words]) {
				memory := b.memory
				b.memory = func(v bulks.View) ([]byte, bool) { return memory(change(v)) }
			})
			requireBroken(t, newBulkSuite(mersenne, bulks.Bulk(b), Config[uint64]{}, 1).checks(), "Memory")
		})
	}
}

// TestBrokenDevices tries devices.
func TestBrokenDevices(t *testing.T) {
	for name, change := range map[string]func(b *onDevice){
		"Wait fails":    func(b *onDevice) { b.wait = func(bulks.View) error { return errors.New("late") } },
		"Release fails": func(b *onDevice) { b.release = func(bulks.View) error { return errors.New("kept") } },
		"Clear loses the tail": func(b *onDevice) {
			clear := b.clear
			b.clear = func(v bulks.View) { clear(v.Slice(0, v.N-1)) }
		},
		"Clear takes the whole vector": func(b *onDevice) {
			b.clear = func(v bulks.View) { clear(v.Buf.(*planes).low) }
		},
		"nothing is found": func(b *onDevice) {
			b.found = func(bulks.View) (bool, error) { return false, nil }
		},
		"what was found once stays": func(b *onDevice) {
			found, once := b.found, false
			b.found = func(v bulks.View) (bool, error) {
				any, err := found(v)
				once = once || any
				return once, err
			}
		},
		"looking fails": func(b *onDevice) {
			b.found = func(bulks.View) (bool, error) { return false, errors.New("lost") }
		},
		"a vector wakes with a half of its memory": func(b *onDevice) {
			b.wake = func(v bulks.View) bool {
				p := v.Buf.(*planes)
				p.low = p.high
				return true
			}
		},
		"Release frees every vector": func(b *onDevice) {
			var all []bulks.View
			newVector := b.make
			b.make = func(n int) bulks.View {
				all = append(all, newVector(n))
				return all[len(all)-1]
			}
			release := b.release
			b.release = func(bulks.View) (err error) {
				for _, v := range all {
					err = errors.Join(err, release(v))
				}
				return err
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			requireBroken(t, newBulkSuite(mersenne, bulks.Bulk(newDevice(change)), Config[uint64]{}, 1).checks(), "Device")
		})
	}
}
