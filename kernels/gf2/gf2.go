// Package gf2 has kernels for fields of 2^m elements, m = 8, 16, …, 128, whose elements lie in planes.
//
// A tile is [Lanes] elements. It has a plane of 64 bytes for each byte of the elements, the lowest first, so that a
// tile takes the memory of its elements: byte j of element i stands at 64j + i. A byte is an element of GF(2^8) modulo
// x^8 + x^4 + x^3 + x + 1, for which processors have an instruction. Above it stand quadratic extensions, as D.
// Wiedemann has them: byte, 16, 32, 64 and 128 bits are of level 0 to 4, and level k is level k − 1 extended by Y_k
// with Y_k² = Y_(k−1)·Y_k + 1, where [Y0] is the byte Y_0. The low half of an element is in the field below, and the
// high half is the factor of Y_k.
//
// A constant of level k multiplies 2^k planes, whatever the size of elements: it works on groups of planes that lie one
// behind the other. It is prepared as 3^k bytes ([Prepare]), which is linear: sums of constants are sums of their
// bytes. Each of these bytes multiplies one plane, by Karatsuba's identity for a constant factor,
//
//	(c + dY)(a + bY) = (c+d)a + d(a+b) + ((c+d + Y′d)b + d(a+b))·Y.
//
// Kernels are written by kernels/_gen. Those in Go define what others do: all have the same bits.
package gf2

import "math/bits"

const (
	Lanes  = 64 // elements of a tile, and bytes of a plane
	Levels = 5  // of fields
	// Constants is how many levels of constants the kernels have.
	Constants = 4
)

// Set is the kernels of a tier, by level. All vectors are whole tiles, and kernels trust what they get.
type Set struct {
	// Form is the instructions in words.
	Form string
	// Call is the bytes of vectors that kernels take in about 30 µs at most: assembly cannot be preempted.
	Call int
	// Pairs is how many neighbours with one multiplier Scale takes at most: for more, constants are faster.
	Pairs int
	// Subfields says that constants of subfields of 32 bits at most take less time than any ones of Words do.
	Subfields bool
	// MaxLayers is the most layers of a pass, by level of its constants.
	MaxLayers [Constants]int
	// Layers[k][l−1] does l layers to 2^l rows of n bytes, stride bytes apart, n a multiple of 64·2^k. A layer takes
	// pairs of rows (u, v) to (u + tv, u + tv + v), the pairs that are farthest apart first. w has the 2^l − 1
	// constants, in the order of a heap, Size(k) bytes apart. LayersT undoes it.
	Layers, LayersT [Constants][3]func(v *byte, stride, n int, w *byte)
	// Blocks[k][l−1] is Layers to so many blocks, which start 2^l·stride bytes apart. w has the constants of the first
	// one in the order of a heap, 3^k bytes each, in [Lanes] bytes. Block i + 1 has those of block i plus part j of
	// delta, of [Lanes] bytes, where j is the number of zero bits at the end of at + i + 1. BlocksT undoes it. nil
	// where there are none.
	Blocks, BlocksT [Constants][3]func(v *byte, stride, n, blocks int, w, delta *byte, at int)
	// AddTimes[k] adds to u the products of v and the constant w, for groups of 2^k planes that start step bytes apart.
	AddTimes [Constants]func(u, v *byte, groups, step int, w *byte)
	// Tail[k] does so many layers, two to seven, to each of pairs of tiles, one behind the other, of groups·2^k planes
	// for a tile. The first layer is between the two tiles, and the seventh between neighbours: with fewer, rows of 2,
	// 4, … lanes stay together. Constants are sums of one part for the lane and one for the pair: lanes has 3^k planes
	// for each layer, the bytes of the prepared constant of block i mod 2^l of layer l in lane i. base has the other
	// part for the first pair, 3^k bytes for each layer, in [TailSize] bytes. That of pair i + 1 is that of pair i plus
	// part j of delta, where j is the number of zero bits at the end of at + i + 1. TailT undoes it.
	Tail, TailT [Constants]func(v *byte, pairs, groups, layers int, lanes, base, delta *byte, at int)
	// Interleave sets planes x and y to the first and the second half of their bytes taken in turn, beginning with x.
	// This is what stands between the layers of a tail: pairs of the next layer come together, and seven times it
	// changes nothing. Separate undoes it.
	Interleave, Separate func(x, y *byte, planes int)
	// Maps returns matrices in the form in which Pack and Unpack take them.
	Maps func(m []uint64) []uint64
	// Pack[k] sets z to tiles of the elements x, of 2^k bytes each, after a product by a matrix: byte i of an element
	// becomes the sum of m[2^k·i + j] times byte j. [Matrix] says how it is written,
	// and Maps in which form. Unpack goes back from tiles to
	// elements, after a product by m. z may be x.
	Pack, Unpack [Levels]func(z, x *byte, tiles int, m *uint64)
	// PackBytes and UnpackBytes are Pack and Unpack where each byte becomes m[0] times it, as in towers over one field
	// of bytes; nil where there are none.
	PackBytes, UnpackBytes [Levels]func(z, x *byte, tiles int, m *uint64)
	// Mul[k] sets z to the products of the elements of level k of x and y; z may be x or y.
	Mul [Levels]func(z, x, y *byte, tiles int)
	// Scale[k] multiplies tiles of level k by elements w, each of which is for 2^s neighbours: element i of tile j by
	// element (64·(at + j) + i) >> s of w.
	Scale [Levels]func(v *byte, tiles int, w *byte, s, at int)

	// Folds change the basis of polynomials. A fold of runs of 2h elements by s < h adds element h + j of each run to
	// element j + s, for j from h − 1 down to 0.

	// Fold[k] folds blocks of 2·half tiles of level k, one behind the other, by 2^t elements, t < 6. It does the part
	// that writes tiles from to to−1 of first halves; parts come in order, and the first one, which begins at 0, writes
	// a second half as well. FoldT undoes it, and there it is the last part, which ends at half.
	Fold, FoldT [Levels]func(v *byte, blocks, half, from, to, t int)
	// Expand[c−1] does c folds to runs of 2^(c+1) rows of n bytes, a multiple of 64: of all rows by a quarter of them,
	// of each half by a quarter of it, and so on. Rows are stride bytes apart, and so is the last row of a run from
	// the first one of the next. ExpandT undoes it.
	Expand, ExpandT [3]func(v *byte, runs, stride, n int)
	// Sixteen does to sixteen rows folds of 16 rows by 2, of 8 by 1, of 4 by 1 and of 16 by 4.
	Sixteen, SixteenT func(v *byte, runs, stride, n int)
	// Lanes does count steps to the lanes of each of so many planes: steps has the bytes of as many [Step].
	Lanes func(v *byte, planes int, steps *byte, count int)
	// Add adds planes x to z.
	Add func(z, x *byte, planes int)
	// Copy copies rows of n bytes, a multiple of 64. Rows are from bytes apart in x, and to bytes apart in z, which is
	// apart from x.
	Copy func(z, x *byte, rows, n, to, from int)
	// Stream is Copy past the caches, to rows of z at multiples of 64 bytes in memory; nil where there is none.
	Stream func(z, x *byte, rows, n, to, from int)
	// Swap copies rows of n bytes, a multiple of 64, which lie one behind the other at v, to z past the caches, and
	// rows of x to v. Rows of z and x are stride bytes apart, and those of z at multiples of 64 bytes in memory; no two
	// of the three overlap. It is nil where there is none.
	Swap func(v, z, x *byte, rows, n, stride int)
}

// Step is a sum of lanes of a plane: to lane i it adds lane Step[i], if bit i of the word at 128 is set, and lane
// Step[64 + i], if bit i of the word behind that is set. Words have their low bytes first.
type Step [2*Lanes + 16]byte

// FoldStep returns the step that folds runs of so many lanes, at most 64, or undoes it.
func FoldStep(run, shift int, back bool) (s Step) {
	var from [Lanes]uint64 // which lanes make one
	for i := range from {
		from[i] = 1 << i
	}
	half := run / 2
	for at := 0; at < Lanes; at += run {
		for j := range half {
			if !back {
				j = half - 1 - j
			}
			from[at+j+shift] ^= from[at+half+j]
		}
	}
	for i, set := range from {
		set ^= 1 << i
		for part := 0; set != 0; part++ {
			s[Lanes*part+i] = byte(bits.TrailingZeros64(set))
			s[2*Lanes+8*part+i/8] |= 1 << (i % 8)
			set &= set - 1
		}
	}
	return s
}

// Y0, and the elements X_0 and X_1 of GF(4) and GF(16), in which the tower of single bits has its images:
// X_0² = X_0 + 1, X_1² = X_0·X_1 + 1 and Y_0² = X_1·Y_0 + 1. Of each the least solution is taken.
const (
	x0 = 0xbc
	x1 = 0x0c
	Y0 = 0x35
)

// Active returns the kernels of the tier that runs.
func Active() *Set { return active() }

// Size is the bytes from one prepared constant to the next: 3^k, in whole words.
func Size(k int) int { return [Levels]int{8, 8, 16, 32, 88}[k] }

// Parts is 3^k, the bytes of a prepared constant.
func Parts(k int) int { return [Levels]int{1, 3, 9, 27, 81}[k] }

// TailSize is the bytes of the constants of seven layers: 7·3^k, in whole planes.
func TailSize(k int) int { return (7*Parts(k) + 63) &^ 63 }

// logarithms has those of bytes to the base 3, which generates all units, and powers of 3.
var logarithms, powers = func() (log [256]uint8, power [510]uint8) {
	x := 1
	for i := range 255 {
		log[x], power[i], power[i+255] = uint8(i), uint8(x), uint8(x)
		if x ^= x << 1; x > 255 {
			x ^= 0x11b
		}
	}
	return log, power
}()

// Times returns the product of bytes.
func Times(x, y byte) byte {
	if x == 0 || y == 0 {
		return 0
	}
	return powers[int(logarithms[x])+int(logarithms[y])]
}

// byY returns the product of x of level k by Y_k.
func byY(k int, x uint64) uint64 {
	if k == 0 {
		return uint64(Times(byte(x), Y0))
	}
	h := 4 << k
	a, b := x&(1<<h-1), x>>h
	return b | (a^byY(k-1, b))<<h
}

func product(k int, x, y uint64) uint64 {
	switch {
	case x == 0 || y == 0:
		return 0
	case k == 0:
		return uint64(Times(byte(x), byte(y)))
	}
	h := 4 << k
	a, b, c, d := x&(1<<h-1), x>>h, y&(1<<h-1), y>>h
	lo, hi := product(k-1, a, c), product(k-1, b, d)
	return lo ^ hi | (product(k-1, a^b, c^d)^lo^hi^byY(k-1, hi))<<h
}

// Element is an element of any level, in its low bytes.
type Element [2]uint64

// Get returns element i of a tile of level k.
func Get(tile []byte, k, i int) (x Element) {
	for j := range 1 << k {
		x[j/8] |= uint64(tile[64*j+i]) << (j % 8 * 8)
	}
	return x
}

// Put sets it.
func Put(tile []byte, k, i int, x Element) {
	for j := range 1 << k {
		tile[64*j+i] = byte(x[j/8] >> (j % 8 * 8))
	}
}

// Plus returns x + y.
func Plus(x, y Element) Element { return Element{x[0] ^ y[0], x[1] ^ y[1]} }

// Product returns that of elements of level k.
func Product(k int, x, y Element) Element {
	if k < 4 {
		return Element{product(k, x[0], y[0])}
	}
	lo, hi := product(3, x[0], y[0]), product(3, x[1], y[1])
	return Element{lo ^ hi, product(3, x[0]^x[1], y[0]^y[1]) ^ lo ^ hi ^ byY(3, hi)}
}

// Level returns the least level of which x is an element.
func Level(x Element) int {
	if x[1] != 0 {
		return 4
	}
	return bits.Len(uint(max(0, bits.Len64(x[0])-1)) / 8)
}

// Prepare sets z to the 3^k bytes of the constant t of level k. Those of a lower level are the first of them.
func Prepare(z []byte, k int, t Element) {
	if k == 4 {
		sum := t[0] ^ t[1]
		prepare(z, 3, sum)
		prepare(z[27:], 3, t[1])
		prepare(z[54:], 3, sum^byY(3, t[1]))
		return
	}
	prepare(z, k, t[0])
}

func prepare(z []byte, k int, t uint64) {
	if k == 0 {
		z[0] = byte(t)
		return
	}
	h := 4 << k
	c, d, n := t&(1<<h-1), t>>h, Parts(k-1)
	prepare(z, k-1, c^d)
	prepare(z[n:], k-1, d)
	prepare(z[2*n:], k-1, c^d^byY(k-1, d))
}

// Images returns the bytes that bits of Wiedemann's tower of eight bits become.
func Images() [8]byte {
	z := [8]byte{1}
	for i, x := range []byte{x0, x1, Y0} {
		for j := range 1 << i {
			z[1<<i+j] = Times(z[j], x)
		}
	}
	return z
}

// Matrix returns the map of bytes that sends bit j to images[j]: bit j of byte 7 − i of it is bit i of images[j].
func Matrix(images [8]byte) (m uint64) {
	for j, image := range images {
		for i := range 8 {
			m |= uint64(image>>i&1) << (8*(7-i) + j)
		}
	}
	return m
}
