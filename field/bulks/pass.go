package bulks

import "math/bits"

// Table is a vector of multipliers w, most of the time twiddle factors, in a form that the field chose, with the passes
// that use them, so that nobody else must know the form. A table of passes of one layer, both ways, is complete; what
// its passes do beyond that, its bulk says by [Passes].
type Table interface {
	// Pass does p, which is one of the bulk's Passes, to the rows r of v. Values are wide before and after it, narrow
	// where p is Transposed.
	Pass(v View, p Pass, r Rows)
	// Scale multiplies row i, the width elements at i·stride, by w[off+i], for i < rows. Wide to narrow.
	Scale(v View, off, rows, width, stride int)
	// Bytes is the memory that the table takes.
	Bytes() int
}

// Pass is layers of radix 2 that are done together, or a DFT of odd length.
//
// A layer maps rows (a, b) that meet to (a + wb, a − wb): decimation in time. Block b of the first layer uses w[Off+b],
// its halves in the second layer w[2(Off+b)] and w[2(Off+b)+1], and so on. A transposed pass has the transposes of the
// layers, last to first, each of which maps (a, b) to (a + b, (a − b)w): decimation in frequency. Results and ranges
// are those of as many passes of one layer.
//
// In a bulk for affine domains, of a field of characteristic 2, a layer maps (a, b) to (a + wb, a + (w+1)b), and the
// transposed one undoes it: (a, b) to (a + w(a+b), a + b).
//
// A Pass has four words, as Rows have, so that calls have both in registers.
type Pass struct {
	Off    int   // the place of the multiplier of block 0
	Layers int32 // at least 1, but with Odd
	How    How
	// By, unless nil, is asked of transposed passes, where Passes.By says so: behind them is the product by the one
	// multiplier of By, a table of the same bulk, such as 1/n. They leave canonical values.
	By Table
}

// How is a set of what is asked of a pass beside its layers.
type How uint32

const (
	// Transposed: the transposes of the layers, last to first.
	Transposed How = 1 << iota
	// Same, asked of tails alone: every block stands at place Off, as they belong to transforms of their own.
	Same
	// Reduced, asked of tails that are not transposed: they leave canonical values.
	Reduced
	// Odd, where Passes.Odd says so: DFT_n on n = Half = 2h + 1 rows x, instead of layers. With u_j = x_j + x_(n−j) and
	// v_j = x_j − x_(n−j), 0 < j ≤ h, row 0 becomes x_0 + Σ u_j, and rows k and n − k the sum and the difference of
	// x_0 + Σ c_jk·u_j and Σ s_jk·v_j, 0 < k ≤ h. Behind multiplier 0 of the table, which it does not use, there are
	// c_1k … c_hk and s_1k … s_hk for each k in turn, which are (w^jk + w^−jk)/2 and (w^jk − w^−jk)/2 for a root w of
	// order n. Wide to wide.
	Odd
	// Open: of all elements of v, values are what a pass with Leave left, in whatever form that is. Leave: they may be
	// left so for the pass with Open that is next, of the same direction. Both are asked where rows have a multiple of
	// Passes.Ring elements, and of no tails. Nobody else reads values that are left so.
	Open
	Leave
)

// Has reports whether all of h is asked for.
func (p Pass) Has(h How) bool { return p.How&h == h }

// Into is a table that leaves its operand as it is and puts results elsewhere, which spares a copy, and that multiplies
// before the last layers. dst and src do not overlap. PassInto, OddInto and ScaleInto report whether they have: else
// nothing is done.
type Into interface {
	// PassInto is Pass on what src has, into dst, for one block of a tail that is not transposed.
	PassInto(dst, src View, p Pass) bool
	// OddInto is a pass that is Odd, DFT_n on n rows of width elements that touch, of src into dst.
	OddInto(dst, src View, n, width int) bool
	// ScaleInto sets row i of dst, for i < Rows, to row i of src times multiplier off+i of rows, a table of the same
	// bulk, and element j of it also times multiplier i·Width + j of this one: what Scale does for both. Rows are
	// c.Width elements. Rows of ahead, next elements apart, are fetched to the cache.
	ScaleInto(dst, src, ahead View, c Copy, rows Table, off, next int) bool
	// MulRings multiplies what layers leave before the last ones: rows that are polynomials modulo X^n − c, for n =
	// Passes.Ring. It sets the rows of x, an even number of them, to n times their products with those of y, as the
	// layers that are left out would: pair i modulo X^n − w and X^n + w, w being multiplier off+i. y may be x. Wide to
	// narrow, or with Open what passes with Leave have left, and with Leave for transposed passes with Open.
	MulRings(x, y View, off int, how How)
}

// Passes describes the passes of tables as data. The zero value is passes of one layer, without anything beside it.
type Passes struct {
	// Layers is the most that a pass does, but for tails; 0 stands for 1.
	Layers int
	// Far is the layers of a longer pass, for blocks of more than Second elements, which is what second-level caches
	// have: it takes rows by strips that these keep, so that it goes through memory once; 0: there is none. Passes of
	// all numbers of layers below Far are asked for as well.
	Far, Second int
	// Tails says how a transform of 2^k elements ends, where rows are Singles, too short for other passes: by a tail,
	// which is one pass of as many layers as the numbers of Tails[k] add up to, at most k; by none where it is empty.
	// The numbers are the layers of the passes that the tail itself is made of. The last of them is a tail as well, for
	// those who ask for other passes before it. Longer transforms have the last list. No tail has more than 2^16
	// elements, after which a context may stop the transform.
	Tails [][]int
	// Narrow has the like of Tails for rows of few elements that touch, by how many they have: Narrow[2] is for rows of
	// two. Such a tail is a pass on rows of Half = 1, which may be Reduced. It has no more than 2^16 elements.
	Narrow [][][]int
	// Wide has the like of one of Narrow for longer rows that vectors of len(Narrow) elements do not fill, up to
	// MostWide of them.
	Wide [][]int
	// By says that transposed passes, tails too, end with the product by a table.
	By bool
	// Odd is the greatest odd n for which a pass does DFT_n; 0: there are none. While it runs it takes the memory of
	// OddScratch·n elements, which is the table's own, and reports count it.
	Odd, OddScratch int
	// OddSums is the greatest odd n of several prime factors that takes less in one such pass than in one for each
	// factor; 0: there is none.
	OddSums int
	// Rising says that multipliers of later layers cost more: of passes that share layers the longer ones come first.
	// Passes have eight rows at most then, which sets of a cache hold.
	Rising bool
	// Ring is the elements of a row of Into.MulRings, which tables have then; 0: they have none.
	Ring int
}

// MostWide is the vectors of the rows of Wide, at most. Of longer rows few elements are left over.
const MostWide = 16

// IsWide reports whether Wide has the tails of rows of width elements.
func (p *Passes) IsWide(width int) bool {
	vector := len(p.Narrow)
	return len(p.Wide) > 0 && width > vector && width < MostWide*vector && width%vector != 0
}

// Tail returns the list of Tails for a transform of rows rows, a power of two, of width elements.
func (p *Passes) Tail(rows, width int) []int {
	var tails [][]int
	switch {
	case width == 1:
		tails = p.Tails
	case width < len(p.Narrow):
		tails = p.Narrow[width]
	case p.IsWide(width):
		tails = p.Wide
	}
	if len(tails) == 0 {
		return nil
	}
	return tails[min(bits.Len(uint(rows)), len(tails))-1]
}

// Rows are the rows that meet in a pass. Row r is the Width elements at r·Stride; block b is 2^Layers·Half rows. In a
// pass of one layer these are the rows from 2·Half·b on, and row j < Half of the block meets row j+Half, with the
// multiplier w[Off+b]:
//
//	block b ┌ row 0          ▒▒▒▒ ─┐
//	        │ row 1          ▒▒▒▒ ─┼─┐                  (a, b) → (a + wb, a − wb)
//	        │ row Half       ▒▒▒▒ ─┘ │      Transposed: (a, b) → (a + b, (a − b)w)
//	        └ row Half + 1   ▒▒▒▒ ───┘
//	block b+1 …
//	          ├──┤ Width
//	          ├──────── Stride ────────┤
//
// Rows of a plain vector touch, so that Width = Stride; in a strip of columns they do not.
type Rows struct{ Blocks, Half, Width, Stride int }

// NewRows folds rows that touch into one long row, so that the inner loop runs over Width.
func NewRows(blocks, half, width, stride int) Rows {
	if width == stride {
		return Rows{blocks, 1, half * width, half * width}
	}
	return Rows{blocks, half, width, stride}
}

// Contiguous reports whether rows touch; in one layer a block is then two runs of h elements. A kernel for rows that
// touch must ask it: Half = 1 does not mean that they do.
func (r Rows) Contiguous() (h int, ok bool) { return r.Half * r.Width, r.Width == r.Stride }

// Singles reports whether rows are single elements that touch, and blocks have 2^Layers of them.
func (r Rows) Singles() bool { return r.Half == 1 && r.Width == 1 && r.Stride == 1 }
