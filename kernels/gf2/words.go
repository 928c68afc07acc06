package gf2

import (
	"bytes"
	"crypto/subtle"
	"encoding/binary"
	"math/bits"
)

// Words is the kernels of a tier for elements that lie one behind the other, each the coefficients of a polynomial of
// degree below 64 or 128 in one or two words, the lowest first, modulo x^64 or x^128 plus a rest: any one of degree
// below 64. They multiply by any element, where [Set] is for elements of subfields. Index 0 is fields of 64 bits, and 1
// those of 128. Kernels trust what they get.
//
// rest is what [Rest] returns, of a field of this size.
type Words struct {
	// Form is the instructions in words.
	Form string
	// Vector is the bytes of a vector: rows and lengths are multiples of it.
	Vector int
	// Call is the bytes of vectors that kernels take in about 30 µs at most: assembly cannot be preempted.
	Call int
	// Layers[f][l−1] does l layers, 1 or 2, to blocks of 2^l rows of n bytes. Rows are stride bytes apart, and so is
	// the last row of a block from the first one of the next. A layer takes pairs of rows (u, v) to (u + tv, u + tv +
	// v), the pairs that are farthest apart first. base has the 2^l − 1 elements t of the first block, in the order of
	// a heap. Those of block i + 1 are those of block i plus part j of delta, where j is the number of zero bits at
	// the end of at + i + 1; a part has StepBytes(f), and so has base, which the kernel overwrites. LayersT undoes it.
	// In field 1 each of these has the products of its elements by x^64 as well, from half of it on.
	Layers, LayersT [2][2]func(v *byte, blocks, stride, n int, base, delta, rest *byte, at int)
	// Tail[f] does the layers inside pairs of vectors, which lie one behind the other: the first layer is between the
	// two, and the last one between neighbours. t is in the layer l the sum of element l of base, which goes from pair
	// to pair as that of Layers does, and of an element for each place: vector l of lanes. It is for the pairs that
	// meet there: after l times the exchange that takes the elements of both vectors in turn. TailT undoes it. In
	// field 1 lanes has the products by x^64 of all its elements behind them.
	Tail, TailT [2]func(v *byte, pairs int, lanes, base, delta, rest *byte, at int)
	// Last does the last two layers where vectors have four elements of field 1; else it is nil. It takes groups of
	// four vectors, and of each the four elements of four blocks: pairs of their halves, then neighbours. base, lanes
	// and delta have three elements for a block, in the order of a heap, and then their products by x^64: base of group
	// at, delta as that of Layers, from group to group, and lanes vectors, of what the blocks of a group have more than
	// the first. LastT undoes it.
	Last, LastT func(v *byte, groups int, lanes, base, delta, rest *byte, at int)
	// Times[f] multiplies rows of n bytes, stride bytes apart, by an element each of w.
	Times [2]func(v *byte, rows, stride, n int, w, rest *byte)
	// TimesFold multiplies eight times count rows of n bytes of field 0 by an element each, and does two folds to each
	// eight of them: of all by a quarter, and of both halves by a quarter of each. Rows of count eights are neighbours,
	// from bytes apart, and the rows of one are eighth times as far from each other. Results are rows of z, to bytes
	// apart: either those of x, or apart from them. The elements are step bytes apart for neighbours, for the first
	// half of the rows from w on, and for the others from half on. TimesFoldT undoes the folds first, and then
	// multiplies. They are nil where there are none.
	TimesFold, TimesFoldT func(z, x *byte, count, eighth, n, to, from int, w, half *byte, step int, rest *byte)
	// Mul[f] sets the n bytes of z to the products of the elements of x, and those of w, each for 2^s neighbours, which
	// are fewer than a vector has. w is read as whole vectors. z may be x or, where s is 0, w.
	Mul [2]func(z, x, w *byte, n, s int, rest *byte)
	// Stream is Mul for field 1, s = 0 and products that are too long for caches to keep: it writes past them. z is a
	// multiple of a vector, and neither x nor w. It is nil where there is none.
	Stream func(z, x, w *byte, n int, rest *byte)

	short *Words // kernels that take less, for rests of degree shortDegree at most; or nil
}

// shortDegree is 4: a product of a byte and the rest has at most 4 bits above the byte, and these times the rest have
// a byte.
const shortDegree = 4

// For returns the kernels that take the least for a modulus of so many bits, 64 or 128, and this rest.
func (s *Words) For(bits int, rest *[RestWords]uint64) *Words {
	if s.short != nil && bits == 64 && rest[0]>>(shortDegree+1) == 0 {
		return s.short
	}
	return s
}

// StepBytes is the bytes of the constants of a block.
func StepBytes(f int) int { return 32 + 64*f }

// LanesBytes is the bytes of the elements of a tail for each place.
func (s *Words) LanesBytes(f int) int { return s.Turns(f) * s.Vector << f }

// Count is the elements of a vector of field f, and Turns the layers of a tail.
func (s *Words) Count(f int) int { return s.Vector / 8 >> f }

func (s *Words) Turns(f int) int { return bits.Len(uint(s.Count(f))) }

// RestWords is the words that kernels take of a modulus.
const RestWords = 5

// Rest returns what kernels take of the modulus x^64 + rest or x^128 + rest: its words, and for 64 bits the quotient of
// x^128 by it, without x^64. Behind them are, for a rest of degree 4 at most, matrices of bytes as GF2P8AFFINEQB has
// them, the low and the high byte of a product by the rest, and a mask of the lowest byte.
func Rest(rest uint64) [RestWords]uint64 {
	var mu uint64
	for i, left := 63, rest; i >= 0; i-- { // left is what is left of x^128, from x^(64 + i) down, over x^(i+1)
		if left>>63 == 1 {
			mu |= 1 << i
			left = left<<1 ^ rest
		} else {
			left <<= 1
		}
	}
	by := func(x uint64) uint64 { _, lo := clmul(x, rest); return lo }
	return [RestWords]uint64{rest, mu, byteMatrix(by), byteMatrix(func(x uint64) uint64 { return by(x) >> 8 }), 0xff}
}

// byteMatrix is the matrix of the low byte of a linear map of bytes: row 7 − i is bit i of the values.
func byteMatrix(linear func(x uint64) uint64) (z uint64) {
	for j := range 8 {
		y := linear(1 << j)
		for i := range 8 {
			z |= y >> i & 1 << (8*(7-i) + j)
		}
	}
	return z
}

// ActiveWords returns the kernels for words that run, and nil where there are none but those in Go.
func ActiveWords() *Words { return activeWords() }

// GenericWords returns kernels in Go for vectors of so many bytes: 16, 32 or 64. They define what the others do.
func GenericWords(vector int) *Words {
	s := &Words{Form: "Go", Vector: vector, Call: 1 << 12}
	for f := range s.Mul {
		for l := range s.Layers[f] {
			s.Layers[f][l], s.LayersT[f][l] = layersOfWords(f, l+1, false), layersOfWords(f, l+1, true)
		}
		s.Tail[f], s.TailT[f] = s.tailOfWords(f, false), s.tailOfWords(f, true)
		s.Times[f], s.Mul[f] = timesWords(f), mulWords(f)
	}
	if vector == 64 {
		s.Last, s.LastT = lastOfWords(false), lastOfWords(true)
		s.TimesFold, s.TimesFoldT = timesFold(false), timesFold(true)
		s.Stream = func(z, x, w *byte, n int, rest *byte) { s.Mul[1](z, x, w, n, 0, rest) }
	}
	return s
}

type (
	wordLayersKernel    = func(v *byte, blocks, stride, n int, base, delta, rest *byte, at int)
	wordTailKernel      = func(v *byte, pairs int, lanes, base, delta, rest *byte, at int)
	wordTimesKernel     = func(v *byte, rows, stride, n int, w, rest *byte)
	wordTimesFoldKernel = func(z, x *byte, count, eighth, n, to, from int, w, half *byte, step int, rest *byte)
	wordMulKernel       = func(z, x, w *byte, n, s int, rest *byte)
)

// clmul is the product of polynomials over GF(2).
func clmul(x, y uint64) (hi, lo uint64) {
	for i := range 64 {
		bit := -(y >> i & 1)
		lo ^= x << i & bit
		hi ^= x >> 1 >> (63 - i) & bit
	}
	return hi, lo
}

// WordProduct is the product in field f.
func WordProduct(f int, x, y Element, rest uint64) Element {
	if f == 0 {
		hi, lo := clmul(x[0], y[0])
		return Element{lo ^ reduced(hi, rest)}
	}
	var p [4]uint64
	for i := range 2 {
		for j := range 2 {
			hi, lo := clmul(x[i], y[j])
			p[i+j] ^= lo
			p[i+j+1] ^= hi
		}
	}
	for i := 3; i > 1; i-- {
		hi, lo := clmul(p[i], rest)
		p[i-2] ^= lo
		p[i-1] ^= hi
	}
	return Element{p[0], p[1]}
}

// reduced is hi·x^64 modulo x^64 + rest.
func reduced(hi, rest uint64) uint64 {
	for range 64 {
		hi = hi<<1 ^ -(hi>>63)&rest
	}
	return hi
}

// wordsAt is elements of field f at p.
type wordsAt struct {
	p    *byte
	f    int
	rest uint64
}

func (a wordsAt) bytes(i int) []byte { return bytesAt(a.p, i*(8<<a.f), 8<<a.f) }

func (a wordsAt) get(i int) (x Element) {
	for j := range 1 << a.f {
		x[j] = binary.LittleEndian.Uint64(a.bytes(i)[8*j:])
	}
	return x
}

func (a wordsAt) put(i int, x Element) {
	for j := range 1 << a.f {
		binary.LittleEndian.PutUint64(a.bytes(i)[8*j:], x[j])
	}
}

// butterfly does that of a layer to elements i and j, or undoes it.
func (a wordsAt) butterfly(i, j int, t Element, back bool) {
	u, v := a.get(i), a.get(j)
	if back {
		v = Plus(v, u)
	}
	u = Plus(u, WordProduct(a.f, v, t, a.rest))
	if !back {
		v = Plus(v, u)
	}
	a.put(i, u)
	a.put(j, v)
}

// step goes from the constants of block at to those of the next.
func step(f int, base, delta *byte, at int) {
	n := StepBytes(f)
	z := bytesAt(base, 0, n)
	subtle.XORBytes(z, z, bytesAt(delta, n*bits.TrailingZeros(uint(at+1)), n))
}

func restOf(rest *byte) uint64 { return binary.LittleEndian.Uint64(bytesAt(rest, 0, 8)) }

func layersOfWords(f, count int, back bool) wordLayersKernel {
	return func(v *byte, blocks, stride, n int, base, delta, rest *byte, first int) {
		r, w, rows := restOf(rest), wordsAt{p: base, f: f}, 1<<count
		for b := range blocks {
			if b > 0 {
				step(f, base, delta, first+b-1)
			}
			for i := range count {
				l := i
				if back {
					l = count - 1 - i
				}
				h := rows >> (l + 1)
				for row := range rows {
					if row/h%2 == 1 {
						continue
					}
					a := wordsAt{at(v, (b*rows+row)*stride), f, r}
					for i := range n / (8 << f) {
						a.butterfly(i, i+h*stride/(8<<f), w.get(1<<l-1+row/(2*h)), back)
					}
				}
			}
		}
	}
}

// tailOfWords undoes the exchange by as many others as make a whole turn.
func (s *Words) tailOfWords(f int, back bool) wordTailKernel {
	count, turns := s.Count(f), s.Turns(f)
	exchange := func(a wordsAt) {
		x := make([]Element, 2*count)
		for i := range x {
			x[i] = a.get(i)
		}
		for i := range count {
			a.put(2*i, x[i])
			a.put(2*i+1, x[count+i])
		}
	}
	return func(v *byte, pairs int, lanes, base, delta, rest *byte, first int) {
		w, part := wordsAt{p: base, f: f}, wordsAt{p: lanes, f: f}
		for p := range pairs {
			if p > 0 {
				step(f, base, delta, first+p-1)
			}
			a := wordsAt{at(v, 2*p*s.Vector), f, restOf(rest)}
			layer := func(l int) {
				for i := range count {
					a.butterfly(i, count+i, Plus(w.get(l), part.get(l*count+i)), back)
				}
			}
			for i := range turns {
				if !back {
					layer(i)
					exchange(a)
					continue
				}
				for range turns - 1 {
					exchange(a)
				}
				layer(turns - 1 - i)
			}
		}
	}
}

// LastBytes is the bytes of lanes that Last takes.
const LastBytes = 6 * 64

// lastOfWords does layers to rows of an element, block by block, with constants of its own.
func lastOfWords(back bool) wordTailKernel {
	do := layersOfWords(1, 2, back)
	return func(v *byte, groups int, lanes, base, delta, rest *byte, first int) {
		const blocks, size = 4, 16
		part := wordsAt{p: lanes, f: 1}
		start := bytes.Clone(bytesAt(base, 0, StepBytes(1)))
		for g := range groups {
			if g > 0 {
				step(1, &start[0], delta, first+g-1)
			}
			for b := range blocks {
				own := bytes.Clone(start)
				w := wordsAt{p: &own[0], f: 1}
				for i := range len(own) / size {
					w.put(i, Plus(w.get(i), part.get(blocks*i+b)))
				}
				do(at(v, (g*blocks+b)*4*size), 1, size, size, &own[0], delta, rest, 0)
			}
		}
	}
}

func timesWords(f int) wordTimesKernel {
	return func(v *byte, rows, stride, n int, w, rest *byte) {
		by := wordsAt{p: w, f: f}
		for r := range rows {
			a := wordsAt{at(v, r*stride), f, restOf(rest)}
			for i := range n / (8 << f) {
				a.put(i, WordProduct(f, a.get(i), by.get(r), a.rest))
			}
		}
	}
}

func timesFold(back bool) wordTimesFoldKernel {
	list := expansion(2)
	return func(z, x *byte, count, eighth, n, to, from int, w, half *byte, step int, rest *byte) {
		const rows = 8
		for i := range count {
			row := func(r int) []byte { return bytesAt(z, (r*eighth+i)*to, n) }
			times := func() {
				for r := range rows {
					by := at(w, (r*eighth+i)*step)
					if r >= rows/2 {
						by = at(half, ((r-rows/2)*eighth+i)*step)
					}
					a := wordsAt{p: &row(r)[0], rest: restOf(rest)}
					for j := range n / 8 {
						a.put(j, WordProduct(0, a.get(j), wordsAt{p: by}.get(0), a.rest))
					}
				}
			}
			for r := range rows {
				copy(row(r), bytesAt(x, (r*eighth+i)*from, n))
			}
			if !back {
				times()
			}
			for k := range list {
				if back {
					k = len(list) - 1 - k
				}
				foldRun(row, rows, list[k], back)
			}
			if back {
				times()
			}
		}
	}
}

func mulWords(f int) wordMulKernel {
	return func(z, x, w *byte, n, s int, rest *byte) {
		to, from, by := wordsAt{p: z, f: f}, wordsAt{p: x, f: f}, wordsAt{p: w, f: f}
		for i := range n / (8 << f) {
			to.put(i, WordProduct(f, from.get(i), by.get(i>>s), restOf(rest)))
		}
	}
}
