package fieldtest

import (
	"testing"

	"github.com/galfft/fft/field/bulks"
)

// intoTable is a table that leaves its operand as it is.
type intoTable struct {
	*lazyTable[words]
	ways *intoWays
}

// intoWays is how it does so.
type intoWays struct {
	pass  func(t bulks.Table, dst, src words, p bulks.Pass) bool
	scale func(t, rows *lazyTable[words], dst, src words, c bulks.Copy, off int) bool
	rings func(w []uint64, x, y words, how bulks.How)
	odd   func(t *lazyTable[words], dst, src words, n, width int) bool
}

func (t *intoTable) Pass(v bulks.View, p bulks.Pass, r bulks.Rows) {
	if by, ok := p.By.(*intoTable); ok {
		p.By = by.lazyTable
	}
	t.lazyTable.Pass(v, p, r)
}

func (t *intoTable) PassInto(dst, src bulks.View, p bulks.Pass) bool {
	return t.ways.pass(t, bulks.SliceOf[uint64](dst), bulks.SliceOf[uint64](src), p)
}

func (t *intoTable) ScaleInto(dst, src, _ bulks.View, c bulks.Copy, rows bulks.Table, off, _ int) bool {
	z, x := bulks.SliceOf[uint64](dst), bulks.SliceOf[uint64](src)
	return t.ways.scale(t.lazyTable, rows.(*intoTable).lazyTable, z, x, c, off)
}

func (t *intoTable) OddInto(dst, src bulks.View, n, width int) bool {
	z, x := bulks.SliceOf[uint64](dst), bulks.SliceOf[uint64](src)
	return t.ways.odd != nil && t.ways.odd(t.lazyTable, z, x, n, width)
}

// ring is the elements of a row.
const ring = 4

func (t *intoTable) MulRings(x, y bulks.View, off int, how bulks.How) {
	t.ways.rings(t.w[off:], bulks.SliceOf[uint64](x), bulks.SliceOf[uint64](y), how)
}

// multiplied is a sound MulRings: passes of words leave words.
func multiplied(w []uint64, x, y words, _ bulks.How) {
	p := mersenne.p
	for row := range len(x) / ring {
		x, y, c := x[row*ring:][:ring], y[row*ring:][:ring], w[row/2]%p
		if row%2 == 1 {
			c = p - c
		}
		var z [ring]uint64
		for i := range x {
			for j := range y {
				t, k := times(x[i]%p, y[j]%p), (i+j)%ring
				if i+j >= ring {
					t = times(t, c)
				}
				mersenne.Add(&z[k], &z[k], &t)
			}
		}
		for i := range z {
			x[i] = times(z[i], ring)
		}
	}
}

func times(x, y uint64) (z uint64) {
	mersenne.Mul(&z, &x, &y)
	return z
}

// copied is a sound PassInto.
func copied(t bulks.Table, dst, src words, p bulks.Pass) bool {
	copy(dst, src)
	t.Pass(bulks.ViewOf(dst), p, bulks.Rows{Blocks: 1, Half: 1, Width: 1, Stride: 1})
	return true
}

// scaledInto is a sound ScaleInto.
func scaledInto(t, rows *lazyTable[words], dst, src words, c bulks.Copy, off int) bool {
	for i := range c.Rows {
		row := dst[i*c.Dst:][:c.Width]
		copy(row, src[i*c.Src:])
		t.scale(row, i*c.Width, c.Width, 1, 1)
		rows.scale(row, off+i, 1, c.Width, c.Width)
	}
	return true
}

// oddInto is a sound OddInto.
func oddInto(t *lazyTable[words], dst, src words, n, width int) bool {
	copy(dst, src)
	t.odd(dst, n, width, width)
	return true
}

// newInto is words whose tables have ways into.
func newInto(ways intoWays) *lazy[words] {
	return lazyWords(func(b *lazy[words]) {
		table := b.table
		b.table = func(w words, share bulks.Share) (bulks.Table, error) {
			t, err := table(w, share)
			return &intoTable{t.(*lazyTable[words]), &ways}, err
		}
		if ways.rings != nil {
			b.traits.Passes.Ring = ring
		}
	})
}

func TestSoundInto(t *testing.T) {
	RunBulk(t, mersenne, newInto(intoWays{copied, scaledInto, multiplied, oddInto}), Config[uint64]{})
	RunBulk(t, mersenne, newInto(intoWays{
		func(bulks.Table, words, words, bulks.Pass) bool { return false },
		func(_, _ *lazyTable[words], _, _ words, _ bulks.Copy, _ int) bool { return false },
		nil, nil,
	}), Config[uint64]{Seed: 1})
}

// TestBrokenInto tries tails that do not leave their operand as it is, or do not what they say.
func TestBrokenInto(t *testing.T) {
	for name, into := range map[string]func(t bulks.Table, dst, src words, p bulks.Pass) bool{
		"the operand goes through the pass as well": func(t bulks.Table, dst, src words, p bulks.Pass) bool {
			return copied(t, dst, src, p) && copied(t, src, src, p)
		},
		"nothing is done": func(bulks.Table, words, words, bulks.Pass) bool { return true },
		"it is done, and said not to be": func(t bulks.Table, dst, src words, p bulks.Pass) bool {
			return !copied(t, dst, src, p)
		},
		"the place is lost": func(t bulks.Table, dst, src words, p bulks.Pass) bool {
			p.Off = 0
			return copied(t, dst, src, p)
		},
		"values stay wide": func(t bulks.Table, dst, src words, p bulks.Pass) bool {
			p.How = 0
			return copied(t, dst, src, p)
		},
		"the last element stays": func(t bulks.Table, dst, src words, p bulks.Pass) bool {
			last := dst[len(dst)-1]
			copied(t, dst, src, p)
			dst[len(dst)-1] = last
			return true
		},
	} {
		t.Run(name, func(t *testing.T) {
			requireBroken(t, newBulkSuite(mersenne, newInto(intoWays{pass: into}), Config[uint64]{}, 1).checks(), "Into")
		})
	}
}

// TestBrokenOddInto tries DFTs that do not leave their operand as it is, or do not what they say.
func TestBrokenOddInto(t *testing.T) {
	for name, into := range map[string]func(t *lazyTable[words], dst, src words, n, width int) bool{
		"the operand goes through it as well": func(t *lazyTable[words], dst, src words, n, width int) bool {
			return oddInto(t, dst, src, n, width) && oddInto(t, src, src, n, width)
		},
		"nothing is done": func(*lazyTable[words], words, words, int, int) bool { return true },
		"it is done, and said not to be": func(t *lazyTable[words], dst, src words, n, width int) bool {
			return !oddInto(t, dst, src, n, width)
		},
		"the last element stays": func(t *lazyTable[words], dst, src words, n, width int) bool {
			last := dst[len(dst)-1]
			oddInto(t, dst, src, n, width)
			dst[len(dst)-1] = last
			return true
		},
	} {
		t.Run(name, func(t *testing.T) {
			ways := intoWays{copied, scaledInto, nil, into}
			requireBroken(t, newBulkSuite(mersenne, newInto(ways), Config[uint64]{}, 1).checks(), "Odd")
		})
	}
}

// TestBrokenScaleInto tries products that do not leave their operand as it is, or do not what they say.
func TestBrokenScaleInto(t *testing.T) {
	for name, into := range map[string]func(t, rows *lazyTable[words], dst, src words, c bulks.Copy, off int) bool{
		"the operand is multiplied as well": func(t, rows *lazyTable[words], dst, src words, c bulks.Copy, off int) bool {
			scaledInto(t, rows, dst, src, c, off)
			t.scale(src, 0, c.Width, 1, 1)
			return true
		},
		"nothing is done": func(_, _ *lazyTable[words], _, _ words, _ bulks.Copy, _ int) bool { return true },
		"it is done, and said not to be": func(t, rows *lazyTable[words], dst, src words, c bulks.Copy, off int) bool {
			return !scaledInto(t, rows, dst, src, c, off)
		},
		"the place is lost": func(t, rows *lazyTable[words], dst, src words, c bulks.Copy, _ int) bool {
			return scaledInto(t, rows, dst, src, c, 0)
		},
		"all rows have the multipliers of the first": func(t, rows *lazyTable[words], dst, src words, c bulks.Copy,
			off int) bool {
			for i := range c.Rows {
				one := c
				one.Rows = 1
				scaledInto(t, rows, dst[i*c.Dst:], src[i*c.Src:], one, off+i)
			}
			return true
		},
		"rows of the destination touch": func(t, rows *lazyTable[words], dst, src words, c bulks.Copy, off int) bool {
			c.Dst = c.Width
			return scaledInto(t, rows, dst, src, c, off)
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newInto(intoWays{copied, into, nil, nil})
			requireBroken(t, newBulkSuite(mersenne, b, Config[uint64]{}, 1).checks(), "ScaleInto")
		})
	}
}

// turning is planes that turn elements.
type turning struct {
	*lazy[planes]
	turn func(dst, src []uint64, c bulks.Copy)
}

func (b *turning) Copy(dst, src bulks.View, c bulks.Copy) {
	if c.Elements {
		b.turn(bulks.SliceOf[uint64](dst), bulks.SliceOf[uint64](src), c)
		return
	}
	b.lazy.Copy(dst, src, c)
}

func newTurning(turn func(dst, src []uint64, c bulks.Copy)) *turning {
	return &turning{lazyPlanes(func(b *lazy[planes]) { b.traits.Turns = true }), turn}
}

// turned is a sound copy of elements.
func turned(dst, src []uint64, c bulks.Copy) {
	for i := range c.Rows {
		for j := range c.Width {
			dst[i*c.Dst+j] = src[c.From(i, j)]
		}
	}
}

func TestSoundTurns(t *testing.T) { RunBulk(t, mersenne, newTurning(turned), Config[uint64]{}) }

// TestBrokenTurns tries copies of elements.
func TestBrokenTurns(t *testing.T) {
	for name, turn := range map[string]func(dst, src []uint64, c bulks.Copy){
		"nothing is done": func(_, _ []uint64, _ bulks.Copy) {},
		"rows stay rows": func(dst, src []uint64, c bulks.Copy) {
			for i := range c.Rows {
				copy(dst[i*c.Dst:][:c.Width], src)
			}
		},
		"the last column stays": func(dst, src []uint64, c bulks.Copy) {
			c.Width--
			turned(dst, src, c)
		},
		"rows are written to their ends": func(dst, src []uint64, c bulks.Copy) {
			turned(dst, src, c)
			for i := range c.Rows - 1 {
				clear(dst[i*c.Dst+c.Width : (i+1)*c.Dst])
			}
		},
		"the source is changed": func(dst, src []uint64, c bulks.Copy) {
			turned(dst, src, c)
			src[0]++
		},
	} {
		t.Run(name, func(t *testing.T) {
			requireBroken(t, newBulkSuite(mersenne, newTurning(turn), Config[uint64]{}, 1).checks(), "Turns")
		})
	}
	t.Run("in place", func(t *testing.T) {
		b := lazyWords(func(b *lazy[words]) { b.traits.Turns = true })
		requireBroken(t, newBulkSuite(mersenne, b, Config[uint64]{}, 1).checks(), "Turns")
	})
}

// TestBrokenRings tries products of rows that are not what they should be.
func TestBrokenRings(t *testing.T) {
	for name, rings := range map[string]func(w []uint64, x, y words, how bulks.How){
		"nothing is done": func([]uint64, words, words, bulks.How) {},
		"both rows of a pair have the first one's modulus": func(w []uint64, x, y words, how bulks.How) {
			for i := 0; i < len(x); i += ring {
				multiplied(w[i/ring/2:], x[i:][:ring], y[i:][:ring], how)
			}
		},
		"the factor is lost": func(w []uint64, x, y words, how bulks.How) {
			multiplied(w, x, y, how)
			for i := range x {
				x[i] = times(x[i], mersenne.p/2+1)
			}
		},
		"all pairs have the first multiplier": func(w []uint64, x, y words, how bulks.How) {
			for i := 0; i < len(x); i += 2 * ring {
				multiplied(w, x[i:][:2*ring], y[i:][:2*ring], how)
			}
		},
		"values between passes are others": func(w []uint64, x, y words, how bulks.How) {
			multiplied(w, x, y, how)
			if how == bulks.Open|bulks.Leave {
				x[0] = times(x[0], 2)
			}
		},
		"the other operand is multiplied as well": func(w []uint64, x, y words, how bulks.How) {
			own := append(words{}, y...)
			multiplied(w, y, y, how)
			if &x[0] != &y[0] {
				multiplied(w, x, own, how)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newInto(intoWays{copied, scaledInto, rings, nil})
			requireBroken(t, newBulkSuite(mersenne, b, Config[uint64]{}, 1).checks(), "Rings")
		})
	}
}
