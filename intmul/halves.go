package intmul

import (
	"context"
	"errors"
	"math"
	"math/bits"
	"runtime"
	"runtime/debug"
	"sync/atomic"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/arith"
	"github.com/galfft/fft/internal/memory"
	"github.com/galfft/fft/internal/residues"
)

// side tells what products of a shape are taken modulo.
type side int8

const (
	_       side = iota // nothing: products have at most n coefficients, or the caller wraps what is above
	minus               // x^n − 1, where digits from n on are added to the first ones
	plus                // x^n + 1, where they are subtracted
	overlap             // x^n − 1, and low bits of the product tell what it has more
)

// halves makes products within half of the memory: modulo 2^N − 1 and then, in the same memory, modulo 2^N + 1, where
// N = size·n bits are half of the product or more. Only transforms of one prime are there at a time.
type halves struct {
	minus, plus *engine      // their images have no transforms
	tables      int          // bytes, of transforms that are there at a time
	left        atomic.Int64 // bytes of tables without use
}

// spared is the part of the rows that tables without use may take until they are collected.
const spared = 32

// halves returns how to make a product of numbers of x and y words, or of a square, where it does not fit in memory at
// once; nil where it does, where blocks or math/big make it, and where halves do not fit either.
func (a *Arithmetic) halves(ctx context.Context, x, y int, square bool) (*halves, error) {
	if a.least.small(binary, x, y, square) || cuts(x, y) {
		return nil, nil
	}
	e, err := a.fitting(ctx, binary, 1, 64*x, 64*y)
	if err == nil {
		err = e.check(e.least(square))
	}
	if !errors.Is(err, field.ErrMemory) {
		return nil, err
	}
	s, ok := a.chooseHalf(x + y)
	if !ok {
		return nil, nil
	}
	a.mu.Lock()
	h := a.last
	a.mu.Unlock()
	if h == nil || h.minus.shape != s {
		if h, err = a.newHalves(ctx, s); err != nil {
			return nil, ignore(err, field.ErrMemory)
		}
	}
	if h.minus.roomBytes(h.minus.least(square))+h.tables+s.more(x+y) > a.limit {
		return nil, nil
	}
	a.mu.Lock()
	a.last = h
	a.mu.Unlock()
	return h, nil
}

// newHalves returns the halves of a shape of chooseHalf.
func (a *Arithmetic) newHalves(ctx context.Context, s shape) (*halves, error) {
	list := primes().primes[:s.primes]
	d, err := residues.NewDigits(ctx, list, s.size)
	if err != nil {
		return nil, err
	}
	h := &halves{minus: a.bare(s, d, a.workers)}
	for _, p := range list {
		f, err := smallprime.New64(p)
		if err != nil {
			return nil, err
		}
		h.minus.images = append(h.minus.images, &image{imageKey: imageKey{p: p}, f: f})
	}
	s.side = plus
	h.plus = a.bare(s, d, a.workers)
	h.plus.images = h.minus.images
	t, err := h.transform(ctx, h.plus, 0) // which has the longer tables
	if err != nil {
		return nil, err
	}
	h.minus.inside = a.workers < 2 || t.Report().Workers == a.workers
	h.plus.inside = h.minus.inside
	h.tables = h.minus.tasks() * t.Report().Tables
	return h, nil
}

// transform returns that of prime i, after it has seen to it that the memory of the one before is free.
func (h *halves) transform(ctx context.Context, e *engine, i int) (field.Transform[uint64], error) {
	if left := h.left.Add(int64(h.tables)); int(left) > max(longTable, e.roomBytes(0)/spared) {
		h.left.Store(0)
		runtime.GC()
	}
	workers, domain := 1, field.NewCyclic[uint64]
	if e.inside || h.tables == 0 {
		workers = e.a.workers
	}
	if e.side == plus {
		domain = field.NewNegacyclic[uint64]
	}
	f := e.images[i].f
	d, err := domain(f, e.n)
	if err != nil {
		return nil, err
	}
	return f.Plan(d, e.a.spec(ctx, workers, true))
}

// ignore returns err where it is not that one.
func ignore(err, that error) error {
	if errors.Is(err, that) {
		return nil
	}
	return err
}

// least is the number of rows that second factors take at least.
func (e *engine) least(square bool) int {
	if square {
		return 0
	}
	return e.tasks()
}

// chooseHalf returns the cheapest shape of halves, that of minus, for products of so many words, that fits in memory,
// and whether there is one.
//
// Coefficients modulo x^n − 1 are below 2·n·(2^size − 1)², where one factor has up to 2n digits and the other n; modulo
// x^n + 1 they are between −n·(2^size − 1)² and n·(2^size − 1)².
func (a *Arithmetic) chooseHalf(words int) (best shape, ok bool) {
	least, l := math.Inf(1), primes()
	for k := leastPrimes; k < len(l.products); k++ {
		for n := leastLength; n <= mostLength; n *= 2 {
			s := shape{primes: k, size: (32*words + n - 1) / n, n: n, side: minus}
			if s.size > l.products[k].BitLen() {
				s.size = l.products[k].BitLen() / 2
			}
			s.size = min(s.size, l.widest(k, 2, n))
			low := s.low(words)
			if s.size < 1 || low > words/lowest || s.roomBytes(1)+s.more(words) > a.limit {
				continue
			}
			c := 2 * s.cost()
			if low > 0 {
				t, ok := choose(1, 64*low, 64*low)
				if !ok {
					continue
				}
				c += t.cost()
			}
			if c < least {
				best, least, ok = s, c, true
			}
		}
	}
	return best, ok
}

// 2N may be less than the bits of a product, by at most one in lowest: the low bits of the product tell the rest then.
const lowest = 16

// lowBytes is about the memory that a low word takes, with tables.
const lowBytes = 64

// halfWords is the number of words of N.
func (s shape) halfWords() int { return s.size * (s.n / 64) }

// low is by how many words a product of so many is longer than 2N bits.
func (s shape) low(words int) int { return max(0, words-2*s.halfWords()) }

// more is the memory that a product of so many words takes beside its own, for its low words and for what stands above
// both halves.
func (s shape) more(words int) int { return 8 * max(s.low(words), 2*s.halfWords()+s.primes+3-words) }

// lower returns the low words of x·y, so many. What it takes is left to the collector.
func (a *Arithmetic) lower(ctx context.Context, n int, x, y []uint64) ([]uint64, error) {
	if n == 0 {
		return nil, nil
	}
	other, err := New(WithWorkers(max(1, a.workers)), WithRunner(a.runner), WithMemoryLimit(a.limit))
	if err != nil {
		return nil, err
	}
	other.least = a.least
	z := make([]uint64, n)
	x, y = x[:min(n, len(x))], y[:min(n, len(y))]
	err = other.product(ctx, binary, z, x, y)
	for _, e := range other.engines { // which finalizers of their shelves keep for a while
		if e.e != nil {
			e.e.rooms.Get(memory.Any[*room])
			e.e.images = nil
		}
	}
	other.images = nil
	for ok := true; ok; {
		_, ok = other.scratch.Get(memory.Any[[]uint64])
	}
	return z, err
}

// complete sets z, whose n lowest words are r, to r + (2^(64·n) − 1)·t, where t is as long as low and the sum is low
// modulo 2^(64·len(low)): so t is r − low.
func complete(z []uint64, n int, low []uint64) {
	t := z[n:][:len(low)]
	copy(t, z)
	subBorrow(t, low)
	subBorrow(t, []uint64{subBorrow(z[:n], t)})
}

// product returns x·y.
func (h *halves) product(ctx context.Context, x, y []uint64) ([]uint64, error) {
	e := h.minus
	n, rest := e.halfWords(), e.digits.Rest()
	words := len(x) + len(y)
	r, kept := e.rooms.Get(memory.Any[*room]) // before collections let it go
	below, err := e.a.lower(ctx, e.low(words), x, y)
	if err != nil {
		return nil, err
	}
	switch t := len(below) * lowBytes; {
	case t > max(longTable, e.roomBytes(0)/8):
		debug.FreeOSMemory() // which has no place for the longer rows
	case t > max(longTable, e.roomBytes(0)/spared):
		runtime.GC()
	}
	z := make([]uint64, max(2*n+rest, words))
	others := 0
	if !same(x, y) {
		others = e.tasks()
	}
	if kept {
		e.rooms.Put(r)
	}
	r = e.room(others)
	defer e.rooms.Put(r)
	low, high := z[:n+rest], z[n:2*n+rest]
	if err := h.coefficients(ctx, e, r, x, y); err != nil {
		return nil, err
	}
	if err := e.carry(ctx, low, r.rows); err != nil {
		return nil, err
	}
	for above := low[n:]; len(above) > 0; above = above[min(n, len(above)):] {
		addAround(low[:n], above[:min(n, len(above))])
	}
	e = h.plus
	if err := h.coefficients(ctx, e, r, x, y); err != nil {
		return nil, err
	}
	if err := e.carry(ctx, high, r.rows); err != nil {
		return nil, err
	}
	top, err := e.drop(ctx, high)
	if err != nil {
		return nil, err
	}
	if err := joinHalves(ctx, z[:n], z[n:2*n], top); err != nil {
		return nil, err
	}
	complete(z, 2*n, below)
	return z[:words], nil
}

// coefficients sets the rows of r to those of x·y modulo x^n − 1 or x^n + 1.
func (h *halves) coefficients(ctx context.Context, e *engine, r *room, x, y []uint64) error {
	count, err := e.cut(ctx, r.rows, x)
	if err != nil {
		return err
	}
	return e.each(func(i, other int) error {
		t, err := h.transform(ctx, e, i)
		if err != nil {
			return err
		}
		row, by := r.rows[i][:e.n], r.rows[i][:e.n]
		e.wrap(i, row, count, x)
		if err := t.Forward(ctx, row, row); err != nil {
			return err
		}
		if !same(x, y) {
			by = r.others[other][:e.n]
			second := min(e.digits.Count(len(y)), e.n)
			if err := e.split(ctx, i, by[:second], y); err != nil {
				return err
			}
			e.wrap(i, by, second, y)
			if err := t.Forward(ctx, by, by); err != nil {
				return err
			}
		}
		e.times(i, row, by)
		return t.Inverse(ctx, row, row)
	})
}

// wrap adds the digits of a from n on to the first ones, of which row has count, or subtracts them.
func (e *engine) wrap(i int, row []uint64, count int, a []uint64) {
	clear(row[count:])
	var digits [folded]uint64
	f := e.images[i].f
	for from, end := e.n, e.digits.Count(len(a)); from < end; from += folded {
		part := digits[:min(folded, end-from)]
		e.digits.Split(i, part, from, a)
		if to := row[from-e.n:][:len(part)]; e.side == minus {
			f.AddVec(to, to, part)
		} else {
			f.SubVec(to, to, part)
		}
	}
}

// liftBits tells 2^liftBits, which is above all coefficients modulo x^n + 1 without their sign.
func (e *engine) liftBits() int { return 2*e.size + bits.Len(uint(e.n-1)) }

// lift adds 2^liftBits to coefficients, so that none is negative.
func (e *engine) lift(rows [][]uint64, from, to int) {
	var lifts [folded]uint64
	for i, row := range rows[:e.primes] {
		f := e.images[i].f
		v := arith.Pow(2, uint64(e.liftBits()), e.images[i].p)
		for j := range lifts {
			lifts[j] = v
		}
		for at := from; at < to; at += folded {
			part := row[at:min(to, at+folded)]
			f.AddVec(part, part, lifts[:len(part)])
		}
	}
}

// drop takes what lift added from the sum z and sets its words below 2^N to its residue modulo 2^N + 1, but for a bit
// 2^N, which it returns.
func (e *engine) drop(ctx context.Context, z []uint64) (top uint64, err error) {
	var borrow uint64
	at, count := e.liftBits(), e.n
	for i, w := range z {
		if i%direct == 0 {
			if err := stopped(ctx); err != nil {
				return 0, err
			}
		}
		var v uint64
		for ; at < 64*(i+1) && count > 0; count-- {
			v |= 1 << (at % 64)
			at += e.size
		}
		z[i], borrow = bits.Sub64(w, v, borrow)
	}
	n := e.halfWords()
	low, above := z[:n], z[n:] // the sum is low + 2^N·above, and above may be negative
	if above[len(above)-1]>>63 > 0 {
		carry := uint64(1)
		for i, w := range above {
			above[i], carry = bits.Add64(^w, 0, carry)
		}
		if addCarry(low, above) == 0 {
			return 0, nil
		}
		if top = subBorrow(low, []uint64{1}); top > 0 { // the sum was 2^N
			clear(low)
		}
		return top, nil
	}
	if subBorrow(low, above) == 0 {
		return 0, nil
	}
	return addCarry(low, []uint64{1}), nil
}

// joinHalves sets low and high to the number below 2^2N − 1 that is low modulo 2^N − 1 and 2^N·top + high modulo
// 2^N + 1: b + (2^N + 1)·h, where b is the latter and h = (low − b)/2 modulo 2^N − 1.
func joinHalves(ctx context.Context, low, high []uint64, top uint64) error {
	var borrow uint64
	for i, w := range high {
		if i%direct == 0 {
			if err := stopped(ctx); err != nil {
				return err
			}
		}
		low[i], borrow = bits.Sub64(low[i], w, borrow)
	}
	for borrow += top; borrow > 0; { // 2^N is 1
		borrow = borrow - 1 + subBorrow(low, []uint64{1})
	}
	ones := ^uint64(0)
	for _, w := range low {
		ones &= w
	}
	if ones == ^uint64(0) { // 0
		clear(low)
	}
	next, carry := low[0], uint64(0)
	first := next
	for i, w := range high {
		if i%direct == 0 {
			if err := stopped(ctx); err != nil {
				return err
			}
		}
		v := next >> 1
		if next = first; i+1 < len(low) {
			next = low[i+1]
		}
		v |= next << 63
		low[i], carry = bits.Add64(v, w, carry)
		high[i] = v
	}
	addCarry(high, []uint64{carry + top})
	return nil
}

// addCarry adds x, of no more words, to z, and returns the carry.
func addCarry(z, x []uint64) (carry uint64) {
	for i := range z {
		if i >= len(x) && carry == 0 {
			break
		}
		var w uint64
		if i < len(x) {
			w = x[i]
		}
		z[i], carry = bits.Add64(z[i], w, carry)
	}
	return carry
}

// subBorrow is addCarry of a difference.
func subBorrow(z, x []uint64) (borrow uint64) {
	for i := range z {
		if i >= len(x) && borrow == 0 {
			break
		}
		var w uint64
		if i < len(x) {
			w = x[i]
		}
		z[i], borrow = bits.Sub64(z[i], w, borrow)
	}
	return borrow
}
