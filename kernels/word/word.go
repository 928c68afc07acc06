// Package word has kernels in assembly for vectors of words modulo primes, each for one arithmetic.
//
// It knows neither fields nor schemes: kernels take addresses of words and counts. Their meaning, the ranges of
// values and the same passes in Go are in field/smallprime. The assembly is written by kernels/_gen.
//
// A call runs for less than 50 µs if callers ask for at most MaxWords words, because assembly cannot be preempted.
package word

import "sync"

// MaxWords bounds the words of one call.
const MaxWords = 1 << 15

// Pass is k layers, butterflies of radix 2^k between words dist apart, on rows of width words, stride words apart. A
// block takes 2^k·dist words; block b uses multiplier off+b and those below it in the tree. width is a multiple of
// the lanes; blocks, rows and width are at least 1. v is the first word, w and q are the tables of multipliers and
// companions, m the constants of the modulus. Transposes then multiply by c[0], with companion c[1], and leave
// canonical values, unless c is nil. Others of a [Set] with Into leave v as it is and store at c, unless c is nil;
// where both overlap, they are the same. how is One or not, and Open and Leave.
type Pass[W uint32 | uint64] func(v, w, q, m, c *W, off, blocks, dist, rows, width, stride int, how uint8)

// Tail is the layers inside cnt ≥ 1 blocks of as many words as the kernel is for; the first has multiplier off, and
// each other that of the block before plus step, which is 0 for separate transforms. how is Canonical or not, but of
// transposes, and Open and Leave.
//
// With Front, of the first of a [Set] that has it, off and cnt are multiples of 2^Front of that set, and step is 1. So
// many blocks are one of a layer more for each power of two, which is done before; how may say One.
type Tail[W uint32 | uint64] func(v, w, q, m *W, off, step, cnt int, how uint8)

// What kernels are told of values, as bits. Open and Leave are for a [Set] with Opens alone.
const (
	One       uint8 = 1 << iota // the multiplier of the first block is 1: products by it are left out
	Canonical                   // results are to be canonical
	Open                        // v holds what the kernel before left with Leave
	Leave                       // v is to hold what registers do, for a kernel with Open: no words
	Front                       // the longest tail does layers before its own
)

// Tails is the tails of one size; T is the transpose.
type Tails[W uint32 | uint64] struct {
	Size    int
	Tail, T Tail[W]
}

// Set is the kernels of one arithmetic. Those with T are the transposes.
type Set[W uint32 | uint64] struct {
	Form  string             // what the kernels use, in words
	Lanes int                // words of a vector
	Mod   func(p uint64) []W // the constants of p that the kernels take

	// Passes by their number of layers, from 1 to MaxLayers.
	MaxLayers       int
	Layers, LayersT [5]Pass[W]

	Tails []Tails[W] // largest first
	// Narrow is the tails of rows that fill no vector, by the logarithm of how many a vector has; empty where there are
	// none.
	Narrow []Narrow[W]
	// Front is the layers before those of the longest tail that it does in registers with them; 0: none.
	Front int
	// Into says that Layers can store at c.
	Into bool
	// Opens says that passes and tails know Open and Leave, which spare them the way to words and back.
	Opens bool
	// TailLayers is the layers of the pass that is fastest where others follow on the same words.
	TailLayers int

	// Scale multiplies n words by as many multipliers, ScaleRows each row of width words by its multiplier.
	Scale     func(v, w, q, m *W, n int)
	ScaleRows func(v, w, q, m *W, rows, width, stride int)
	// Twist sets rows of z, d words apart, to rows of v, s words apart: each word times its multiplier of w, in rows
	// that touch, and the row times its multiplier of cw. Rows of ahead, next words apart, are fetched for whoever
	// reads them next. z is v, or apart from it; width is a multiple of the lanes. Nil where there is none.
	Twist func(z, v, ahead, w, q, cw, cq, m *W, rows, width, d, s, next int)
	Moves *Moves[W]
	// Product sets n words of z to xy, Reduce sets n words of z to x in canonical form; z may be x or y.
	Product func(z, x, y, m *W, n int)
	Reduce  func(z, x, m *W, n int)
	// Rings multiplies polynomials of as many coefficients as a vector has lanes, x and y wide, and leaves products in
	// x, narrow, times the lanes: pair i of cnt ≥ 1 pairs modulo X^lanes − t and X^lanes + t, with t = w[off+i]. y may
	// be x. how is Open, of both factors, and Leave, for transposes. Nil where there is none.
	Rings func(x, y, w, q, m *W, off, cnt int, how uint8)
	// Odd does DFT_n, n = 2h + 1, on columns: n rows of width words, a multiple of the lanes, stride words apart, to
	// those of z, which is v or apart from it. With the sums u and differences v of the rows j and n − j, 0 < j ≤ h, it
	// sets row 0 to the sum of all, and the rows k and n − k to the sum and the difference of x_0 + Σ c_jk·u_j and
	// Σ s_jk·v_j. w and q are the multipliers: h of c and h of s for each k = 1 … h in turn, of a root of order n:
	// kernels count on what these have in common. s is n vectors that it uses up. Wide to wide. Nil where there is
	// none.
	Odd func(z, v, w, q, m, s *W, h, width, stride int)
	// OddSums is the greatest n, of several prime factors, that Odd does faster than these: 0 where there is none.
	OddSums int
	// AnyWidth says that ScaleRows and Odd take any width.
	AnyWidth bool
	// Add, Sub and MulAdd set n canonical words of z to x + y, x − y and z + xy, of canonical words.
	Add, Sub, MulAdd func(z, x, y, m *W, n int)
}

// Swap exchanges count ≥ 1 pairs of tiles of Tile × Tile words, rows d words apart, both transposed and with the
// numbers of rows and columns reversed bit by bit. The tiles are at x[list[0]] and y[list[1]], and so on; those of a
// pair may be one. The list goes on for SwapsAhead pairs more, whose rows are fetched.
type Swap[W uint32 | uint64] struct {
	Tile int
	Do   func(x, y *W, list *int, count, d int)
}

// Columns is the ways between Count columns of n words and as many rows, d words apart: Split copies columns to rows,
// Join rows to columns. n is a positive multiple of the words of a vector. Words of a column are s words apart where
// Count is the words of a vector; other columns touch.
type Columns[W uint32 | uint64] struct {
	Count       int
	Split, Join func(rows, columns *W, n, d, s int)
}

// RowSwap exchanges count ≥ 1 pairs of rows of Run to 2·Run words, at x[list[0]] and y[list[1]], and so on; those of a
// pair may be one. A row is two runs that meet or overlap, the second of which begins at word rest. The list goes on
// for SwapsAhead pairs more, whose first words are fetched.
type RowSwap[W uint32 | uint64] struct {
	Run int
	Do  func(x, y *W, list *int, count, rest int)
}

// SwapsAhead is how many pairs before its own a tile of Swap is fetched.
const SwapsAhead = 2

// Moves is the kernels that move words. Lists of places are never empty.
type Moves[W uint32 | uint64] struct {
	Swaps []Swap[W] // largest first
	// RowSwaps are those of elements of 2, 4, … words, up to half a vector, in the places of words: a row of a tile is
	// a vector. It may be empty.
	RowSwaps []Swap[W]
	// SwapRows exchange rows word by word, by their runs: 2, 4, … words up to a vector. It may be empty.
	SwapRows []RowSwap[W]
	// Transpose copies column i of as many rows of src as a vector has words to row to[i] of dst, for i < count, a
	// multiple of the lanes: row j of src is at from[j]·s, row i of dst at i·d.
	Transpose func(dst, src *W, from, to *int32, count, d, s int)
	// Columns is the ways between columns and rows: powers of two up to the words of a vector, then 3, 5, 6 and 7. It
	// may be empty.
	Columns []Columns[W]
	// CopyRows copies rows of width words, a multiple of the lanes or, with AnyWidth, any number: row i of dst, at i·d,
	// is the row of src at from[i]·s.
	AnyWidth bool
	CopyRows func(dst, src *W, from *int32, rows, width, d, s int)
	// Max returns the greatest of n words x, a positive multiple of MaxStep.
	MaxStep int
	Max     func(x *W, n int) W
	narrow  sync.Once
	places  [2][][]W // of narrow tails, by the width of a row, and of their transposes
}

// Above returns the least i for which x[i] > bound, and −1 where there is none. m may be nil.
func (m *Moves[W]) Above(x []W, bound W) int {
	first := 0
	if m != nil && len(x) >= m.MaxStep {
		first = m.block(x, bound)
	}
	for i := first; i < len(x); i++ {
		if x[i] > bound {
			return i
		}
	}
	return -1
}

// block returns where a block of x begins that has a word above bound, or else the rest that fills no step.
func (m *Moves[W]) block(x []W, bound W) int {
	n := len(x) - len(x)%m.MaxStep
	for i := 0; i < n; i += MaxWords {
		if m.Max(&x[i], min(MaxWords, n-i)) > bound {
			return i
		}
	}
	return n
}
