package intmul

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"sync"

	"github.com/galfft/fft/internal/residues"
)

// wraps has, for each number of primes and each length 2^k of transforms, the shapes of products modulo
// 2^(size·2^k) − 1: with digits for factors of which one has at most 2^(k−1) digits, and for any two.
var wraps sync.Map // bits of primes → [][2]shape

func wrapsOf() [][2]shape {
	key := residues.Bits()
	if c, ok := wraps.Load(key); ok {
		return c.([][2]shape)
	}
	var list [][2]shape
	for k, l := leastPrimes, primes(); k < len(l.products); k++ {
		for n := leastLength; n <= mostLength; n *= 2 {
			half, full := l.widest(k, 1, n/2), l.widest(k, 1, n)
			if full > 0 {
				list = append(list, [2]shape{{primes: k, size: half, n: n}, {primes: k, size: full, n: n}})
			}
		}
	}
	wraps.Store(key, list)
	return list
}

// chooseWrap returns the cheapest shape for products modulo 2^m − 1, m ≥ bits, of which one factor has at most shorter
// bits, and whether there is one.
func chooseWrap(bits, shorter int) (best shape, ok bool) {
	least := math.Inf(1)
	for _, pair := range wrapsOf() {
		s := pair[0]
		if s.digits(shorter) > s.n/2 {
			s = pair[1]
		}
		if s.size > math.MaxInt/s.n || s.size*s.n < bits {
			continue
		}
		if c := s.cost(); c < least {
			best, least, ok = s, c, true
		}
	}
	return best, ok
}

// factor is a natural number prepared for products of which a part is known beforehand, or that have few bits: they
// are taken modulo 2^(64·words) − 1, by transforms of half the length of the product or of its own.
type factor struct {
	a     *Arithmetic
	x     *big.Int
	e     *engine // nil: math/big multiplies
	words int
	r     *room // values of x
}

// factor prepares x, which it keeps, for products and differences below 2^(bits−1), with numbers of which one, or else
// x, has at most shorter bits.
func (a *Arithmetic) factor(ctx context.Context, x *big.Int, bits, shorter int) (*factor, error) {
	f := &factor{a: a, x: x}
	if err := stopped(ctx); err != nil {
		return nil, err
	}
	if bits < a.least.wrap || shorter < a.least.wrap/4 {
		return f, nil
	}
	s, ok := chooseWrap(bits, min(bits, shorter))
	if size := s.roomBytes(1) + 8*s.primes*s.row(); !ok || size > a.limit {
		return nil, a.tooLarge(fmt.Sprintf("a product modulo 2^%d − 1", bits), size)
	}
	e, err := a.engine(ctx, s)
	if err != nil {
		return nil, err
	}
	if err := e.check(e.primes); err != nil {
		return nil, err
	}
	f.e, f.words, f.r = e, s.size*s.n/64, e.room(0)
	u := a.wrapped(of(x), f.words)
	if err := e.loadAll(ctx, f.r.rows, u); err != nil {
		f.close()
		return nil, err
	}
	if len(x.Bits()) > perWord*f.words {
		a.lend(u)
	}
	return f, nil
}

// close gives the memory of the factor back.
func (f *factor) close() {
	if f.e != nil {
		f.e.rooms.Put(f.r)
		f.e = nil
	}
}

// wrapped returns x modulo 2^(64n) − 1, in n words: x itself where it has no more, and borrowed ones elsewhere.
func (a *Arithmetic) wrapped(x []uint64, n int) []uint64 {
	if len(x) <= n {
		return x
	}
	z := a.borrow(n)
	copy(z, x)
	fold(z, x[n:])
	return z
}

// fold adds x, of any length, to z modulo 2^(64·len(z)) − 1.
func fold(z, x []uint64) {
	for len(x) > 0 {
		n := min(len(z), len(x))
		addAround(z, x[:n])
		x = x[n:]
	}
}

// addAround adds x, of no more words, to z modulo 2^(64·len(z)) − 1.
func addAround(z, x []uint64) {
	var carry uint64
	i := 0
	for ; i+4 <= len(x); i += 4 { // the carry stays where it is
		a, b := z[i:i+4:i+4], x[i:i+4:i+4]
		a[0], carry = bits.Add64(a[0], b[0], carry)
		a[1], carry = bits.Add64(a[1], b[1], carry)
		a[2], carry = bits.Add64(a[2], b[2], carry)
		a[3], carry = bits.Add64(a[3], b[3], carry)
	}
	for ; i < len(x); i++ {
		z[i], carry = bits.Add64(z[i], x[i], carry)
	}
	for ; carry > 0; i++ { // around at most once: z is not all ones then
		if i >= len(z) {
			i = 0
		}
		z[i], carry = bits.Add64(z[i], 0, carry)
	}
}

// residue returns x·y modulo 2^(64·words) − 1, where y is the factor's number, in borrowed words.
func (f *factor) residue(ctx context.Context, x []uint64) ([]uint64, error) {
	e := f.e
	r := e.room(0)
	defer e.rooms.Put(r)
	u := f.a.wrapped(x, f.words)
	count, err := e.cut(ctx, r.rows, u)
	if err != nil {
		return nil, err
	}
	if len(x) > f.words {
		f.a.lend(u)
	}
	err = e.each(func(i, _ int) error {
		return e.product(ctx, i, r.rows[i], f.r.rows[i], count, transformed)
	})
	if err != nil {
		return nil, err
	}
	return e.around(ctx, r)
}

// around returns the number with the coefficients in r modulo 2^(size·n) − 1, in borrowed words.
func (e *engine) around(ctx context.Context, r *room) ([]uint64, error) {
	words := e.size * e.n / 64
	z := e.a.borrow(words + e.digits.Rest())
	if err := e.carry(ctx, z, r.rows); err != nil {
		return nil, err
	}
	z, rest := z[:words], z[words:]
	fold(z, rest)
	return z, nil
}

// mul returns the product of x ≥ 0 and the factor's number, in borrowed words.
func (f *factor) mul(ctx context.Context, x *big.Int) (*big.Int, error) {
	z := new(big.Int)
	if f.e == nil {
		return z, f.a.mul(ctx, z, x, f.x)
	}
	w, err := f.residue(ctx, of(x))
	if err == nil {
		own(z, w, false)
	}
	return z, err
}

// shifted returns ⌊|e|/2^before⌋·y/2^after, rounded down but for the sign of e, where y is the factor's number, in
// borrowed words. It takes those of e.
func (f *factor) shifted(ctx context.Context, e *big.Int, before, after int) (*big.Int, error) {
	negative := e.Sign() < 0
	z, err := f.mul(ctx, e.Rsh(e.Abs(e), uint(before)))
	f.a.free(e)
	if err != nil {
		return nil, err
	}
	if z.Rsh(z, uint(after)); negative {
		z.Neg(z)
	}
	return z, nil
}

// difference returns t − x·y, for t, x ≥ 0, where y is the factor's number, in borrowed words.
func (f *factor) difference(ctx context.Context, t, x *big.Int) (*big.Int, error) {
	if f.e == nil {
		z := new(big.Int)
		err := f.a.mul(ctx, z, x, f.x)
		return z.Sub(t, z), err
	}
	w, err := f.residue(ctx, of(x))
	if err != nil {
		return nil, err
	}
	return centered(t, w), nil
}

// minusSquare returns t − x², which is below 2^(bits−1), for t, x ≥ 0.
func (a *Arithmetic) minusSquare(ctx context.Context, t, x *big.Int, bits int) (*big.Int, error) {
	f, err := a.factor(ctx, x, bits, bits)
	if err != nil {
		return nil, err
	}
	if f.e == nil {
		return f.difference(ctx, t, x)
	}
	defer f.close()
	e, r := f.e, f.r
	err = e.each(func(i, _ int) error {
		e.times(i, r.rows[i], r.rows[i])
		return e.inverse(ctx, i, r.rows[i])
	})
	if err != nil {
		return nil, err
	}
	w, err := e.around(ctx, r)
	if err != nil {
		return nil, err
	}
	return centered(t, w), nil
}

// centered returns the number next to 0 that is t − w modulo 2^(64·len(w)) − 1, in the words of w.
func centered(t *big.Int, w []uint64) *big.Int {
	for i, v := range w {
		w[i] = ^v
	}
	fold(w, of(t))
	negative := w[len(w)-1]>>63 > 0
	if negative {
		for i, v := range w {
			w[i] = ^v
		}
	}
	z := new(big.Int)
	own(z, w, negative)
	return z
}
