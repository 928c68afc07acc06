package literal

// Carry is what a run of words does with carries: Overflow, where a carry leaves it whatever comes in, and Max, where
// one leaves it that came in.
type Carry struct{ Overflow, Max bool }

// Neutral is the Carry of no words.
func Neutral() Carry { return Carry{Max: true} }

// Then is the Carry of the words of c with those of d above them. It is associative, and not commutative.
func (c Carry) Then(d Carry) Carry {
	return Carry{c.Overflow && d.Max || d.Overflow, c.Max && d.Max}
}

// A code is a Carry in bits: 1 for Overflow, 2 for Max, and 4 where words begin with the first one of an integer.
const (
	overflow = 1
	highest  = 2
	start    = 4

	neutral = highest
)

// Combine is Carry.Then on codes without starts.
func Combine(c, d uint32) uint32 { return c&d&highest | (c&(d>>1)|d)&overflow }

// CombineSegments is Combine where each start begins anew: an associative operator on the codes 0 to 7, with the
// neutral element 2.
func CombineSegments(c, d uint32) uint32 {
	if d&start != 0 {
		return d
	}
	return Combine(c, d) | (c|d)&start
}

// Sum is the first step of a sum, for one word: a + b without a carry, and its code.
func Sum[W Word](a, b W, first bool) (p W, code uint32) {
	p = a + b
	if p < a {
		code |= overflow
	}
	if p == ^W(0) {
		code |= highest
	}
	if first {
		code |= start
	}
	return p, code
}

// Resolve is the last step of a sum, for one word: p with the carry of the words below.
func Resolve[W Word](p W, code uint32) W { return p + W(code&overflow) }

// ExclusiveScan sets dst[i] to neutral∘src[0]∘…∘src[i−1], one after the other. dst may be src; the shorter of both
// says how many.
func ExclusiveScan[T any](dst, src []T, neutral T, op func(x, y T) T) {
	for i := range min(len(dst), len(src)) {
		dst[i], neutral = neutral, op(neutral, src[i])
	}
}

// BlockScan is ExclusiveScan as a block of threads does it, one element a thread: an inclusive scan in each warp, by
// steps of doubling distance, one of the warps' last elements by the first warp, and both combined.
func BlockScan[T any](dst, src []T, neutral T, op func(x, y T) T) {
	n := min(len(dst), len(src))
	shared := append([]T(nil), src[:n]...)
	last := make([]T, 0, warp)
	for from := 0; from < n; from += warp {
		w := shared[from:min(from+warp, n)]
		warpScan(w, op)
		last = append(last, w[len(w)-1])
	}
	warpScan(last, op)
	for i := range shared {
		if i >= warp {
			shared[i] = op(last[i/warp-1], shared[i])
		}
	}
	for i := n - 1; i > 0; i-- {
		dst[i] = shared[i-1]
	}
	if n > 0 {
		dst[0] = neutral
	}
}

// warp is the threads that run together.
const warp = 32

// warpScan is the inclusive scan: all elements of a step are read before one is written.
func warpScan[T any](w []T, op func(x, y T) T) {
	for distance := 1; distance < len(w); distance *= 2 {
		for i := len(w) - 1; i >= distance; i-- {
			w[i] = op(w[i-distance], w[i])
		}
	}
}
