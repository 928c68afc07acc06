// Package mulx has kernels in assembly for numbers of some words modulo an odd p, one after the other: Montgomery's
// products, sums and differences.
//
// Numbers have their lowest word first and are below p, before and after. Code for up to 10 words is unrolled. It takes
// the instructions MULX, ADCX and ADOX, and is written by kernels/_gen. What it is for is in field/bigprime.
package mulx

import "github.com/galfft/fft/internal/arith"

// Arithmetic is the kernels for one p. It is immutable and safe for concurrent use.
type Arithmetic struct {
	words int
	full  bool     // p has a bit at the top of its last word
	m     []uint64 // p and −1/p modulo 2^64
	limit int      // of numbers of a call
}

// most is the most words, and the least are 2.
const most = 128

// Words reports whether there are kernels for numbers of so many words.
func Words(k int) bool {
	return k >= 2 && k <= most && (k < 7 || k == 8 || k == 10 || k >= 12 && k%4 == 0)
}

// New returns the arithmetic modulo an odd p on numbers of len(p) words, one of [Words], or nil where the processor has
// no instructions for it, or they are not to be used.
func New(p []uint64) *Arithmetic {
	if !active() || !Words(len(p)) {
		return nil
	}
	k := len(p)
	// A call takes less than 50 µs, because assembly cannot be preempted, and its numbers stay in the first-level cache
	// for the other half of a butterfly.
	a := &Arithmetic{words: k, full: p[k-1]>>63 == 1, m: make([]uint64, k+1), limit: max(1, min(1<<16/(k*k), 1<<10/k))}
	copy(a.m, p)
	a.m[k] = -arith.Newton(p[0])
	return a
}

// Rows is N numbers in each of Count rows, which start Step numbers apart; row i takes the factor i·Factor. All are at
// least 1, but for Factor.
type Rows struct{ N, Count, Step, Factor int }

// Times sets z to x·w/R modulo p, for R = 2^64 to the power of the number of words. z and x have the same rows; z may
// be x, or w where every number has a factor of its own.
func (a *Arithmetic) Times(z, x, w []uint64, r Rows) {
	a.check(z, r)
	a.check(x, r)
	a.checkFactors(w, r)
	if r.N*r.Count <= a.limit {
		a.times(&z[0], &x[0], &w[0], r)
		return
	}
	a.split(r, func(at, by int, r Rows) { a.times(&z[at], &x[at], &w[by], r) })
}

// Product sets z to xy/R modulo p for one number each; z may be x or y.
func (a *Arithmetic) Product(z, x, y []uint64) {
	k := a.words
	a.times(&z[:k][0], &x[:k][0], &y[:k][0], Rows{N: 1, Count: 1, Step: 1})
}

// Cross sets x to x + y and y to x − y modulo p; x and y have the same rows, and share no numbers.
func (a *Arithmetic) Cross(x, y []uint64, r Rows) {
	a.check(x, r)
	a.check(y, r)
	a.split(r, func(at, _ int, r Rows) { a.cross(&x[at], &y[at], r) })
}

// Butterflies sets x to x + yw/R and y to x − yw/R modulo p, with rows as in Cross and factors as in Times.
func (a *Arithmetic) Butterflies(x, y, w []uint64, r Rows) {
	a.check(x, r)
	a.check(y, r)
	a.checkFactors(w, r)
	a.split(r, func(at, by int, r Rows) {
		a.times(&y[at], &y[at], &w[by], r)
		a.cross(&x[at], &y[at], r)
	})
}

// ButterfliesT sets x to x + y and y to (x − y)w/R modulo p, likewise.
func (a *Arithmetic) ButterfliesT(x, y, w []uint64, r Rows) {
	a.check(x, r)
	a.check(y, r)
	a.checkFactors(w, r)
	a.split(r, func(at, by int, r Rows) {
		a.cross(&x[at], &y[at], r)
		a.times(&y[at], &y[at], &w[by], r)
	})
}

// check panics where rows are not all in x, and checkFactors where factors are not all in w: kernels trust them.
func (a *Arithmetic) check(x []uint64, r Rows) { _ = x[((r.Count-1)*r.Step+r.N)*a.words-1] }

func (a *Arithmetic) checkFactors(w []uint64, r Rows) { _ = w[((r.Count-1)*r.Factor+1)*a.words-1] }

// split calls do for parts of rows of at most limit numbers: at is the place of a part, in words, and by that of its
// first factor.
func (a *Arithmetic) split(r Rows, do func(at, by int, r Rows)) {
	count, limit := max(1, a.limit/r.N), a.limit
	for i := 0; i < r.Count; i += count {
		for j := 0; j < r.N; j += limit {
			part := Rows{min(limit, r.N-j), min(count, r.Count-i), r.Step, r.Factor}
			do((i*r.Step+j)*a.words, i*r.Factor*a.words, part)
		}
	}
}
