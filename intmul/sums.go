package intmul

import (
	"context"
	"fmt"
	"io"
	"math/big"
	"math/bits"

	"github.com/galfft/fft/field"
)

// MulAdd sets z = x₀·y₀ + x₁·y₁ + … for as many x as y (field.ErrLength), 0 for none. Products of one sign are added up
// as polynomials and share the way from there to one integer. Errors are those of Mul.
func (a *Arithmetic) MulAdd(ctx context.Context, z *big.Int, x, y []*big.Int) error {
	if err := a.begin(ctx, z); err != nil {
		return err
	}
	if err := a.begin(ctx, append(append([]*big.Int(nil), x...), y...)...); err != nil {
		return err
	}
	if len(x) != len(y) {
		return fmt.Errorf("intmul: %w: a sum of products of %d factors with %d, want as many", field.ErrLength, len(x),
			len(y))
	}
	sums := [2]*big.Int{} // positive and negative products
	for sign := range sums {
		var u, v [][]uint64
		for i := range x {
			if s := x[i].Sign() * y[i].Sign(); s == 1-2*sign {
				u, v = append(u, of(x[i])), append(v, of(y[i]))
			}
		}
		var err error
		if sums[sign], err = a.sum(ctx, u, v); err != nil {
			return err
		}
	}
	if sums[1].Sign() == 0 {
		z.SetBits(sums[0].Bits())
		return nil
	}
	z.Sub(sums[0], sums[1])
	return nil
}

// sum returns the sum of products of natural numbers.
func (a *Arithmetic) sum(ctx context.Context, x, y [][]uint64) (*big.Int, error) {
	z := new(big.Int)
	longest, other, shortest := 0, 0, 0
	for i := range x {
		l, s := max(len(x[i]), len(y[i])), min(len(x[i]), len(y[i]))
		if longest, other = max(longest, l), max(other, s); i == 0 || s < shortest {
			shortest = s
		}
	}
	var best shape
	ok := false
	if len(x) > 1 && !a.least.small(binary, longest, shortest, false) && !cuts(longest, shortest) {
		terms := 1 << bits.Len(uint(len(x)-1)) // so that there are few kinds of sums
		best, ok = choose(terms, 64*longest, 64*other)
	}
	if !ok || best.roomBytes(2*best.primes) > min(shared, a.limit-best.tableBytes()) {
		for i := range x {
			w := uncleared(len(x[i]) + len(y[i]))
			if err := a.product(ctx, binary, w, x[i], y[i]); err != nil {
				return nil, err
			}
			z.Add(z, new(big.Int).SetBits(fromWords(w)))
		}
		return z, nil
	}
	e, err := a.engine(ctx, best)
	if err != nil {
		return nil, err
	}
	r, err := e.sum(ctx, x, y)
	if err != nil {
		return nil, err
	}
	defer e.rooms.Put(r)
	w := make([]uint64, longest+other+1)
	if err := e.finish(ctx, w, r); err != nil {
		return nil, err
	}
	return z.SetBits(fromWords(w)), nil
}

// shared is the bytes of rows up to which products of a sum share the way from polynomials to an integer: those that
// the nearer caches hold.
const shared = 2 << 20

// sum returns the coefficients of the sum of products of natural numbers. Each product goes to its coefficients, as
// there are fewer passes over memory so than with values that are added up.
func (e *engine) sum(ctx context.Context, x, y [][]uint64) (*room, error) {
	if err := e.check(2 * e.primes); err != nil {
		return nil, err
	}
	r := e.room(2 * e.primes)
	for j := range x {
		u, v := r.rows, r.others[e.primes:]
		if j > 0 {
			u = r.others
		}
		count, err := e.cut(ctx, u, x[j])
		second := 0
		if err == nil {
			second, err = e.cut(ctx, v, y[j])
		}
		if err == nil {
			err = e.each(func(i, _ int) error {
				if err := e.product(ctx, i, u[i], v[i], count, second); err != nil {
					return err
				}
				if j > 0 {
					e.images[i].f.AddVec(r.rows[i][:e.n], r.rows[i][:e.n], u[i][:e.n])
				}
				return nil
			})
		}
		if err != nil {
			e.rooms.Put(r)
			return nil, err
		}
	}
	return r, nil
}

// MulLow sets z = x·y modulo 2^bits, in [0, 2^bits), for integers of any sign. Factors are cut, and coefficients above
// are not put together. Errors are field.ErrRange where bits is negative, and those of Mul.
func (a *Arithmetic) MulLow(ctx context.Context, z, x, y *big.Int, bits int) error {
	return a.MulMiddle(ctx, z, x, y, 0, bits)
}

// MulMiddle sets z = ⌊x·y/2^from⌋ modulo 2^(to−from), in [0, 2^(to−from)): the bits of the product from one place to
// another, of the two's complement where it is negative. Errors are field.ErrRange where not 0 ≤ from ≤ to, and those
// of Mul.
func (a *Arithmetic) MulMiddle(ctx context.Context, z, x, y *big.Int, from, to int) error {
	if err := a.begin(ctx, z, x, y); err != nil {
		return err
	}
	if from < 0 || to < from {
		return fmt.Errorf("intmul: %w: bits %d to %d of a product, want 0 ≤ from ≤ to", field.ErrRange, from, to)
	}
	u, v := of(x), of(y)
	n := min(len(u)+len(v), to/64+1)
	square := x == y
	u, v = u[:min(n, len(u))], v[:min(n, len(v))]
	if square {
		v = u
	}
	w := make([]uint64, n)
	if err := a.product(ctx, binary, w, u, v); err != nil {
		return err
	}
	p := new(big.Int).SetBits(fromWords(w))
	if x.Sign()*y.Sign() < 0 {
		p.Neg(p)
	}
	p.Rsh(p, uint(from))
	if x.Sign()*y.Sign() < 0 || p.BitLen() > to-from {
		mask := new(big.Int).Lsh(big.NewInt(1), uint(to-from))
		p.And(p, mask.Sub(mask, big.NewInt(1)))
	}
	z.Set(p)
	return nil
}

// MemoryUse returns about how many bytes a product of numbers of x and y bits takes beside operands and result: vectors
// and tables. It is 0 where math/big multiplies. Errors are those of Mul, and field.ErrRange where a length is
// negative.
func (a *Arithmetic) MemoryUse(x, y int) (int, error) {
	s, cut, err := a.plan(x, y)
	if err != nil || s.n == 0 {
		return 0, err
	}
	if s.side == minus {
		return s.roomBytes(min(a.workers, s.primes)) + s.more((x+63)/64+(y+63)/64), nil
	}
	if s.side == overlap {
		return a.overlapBytes(s, (x+63)/64+(y+63)/64), nil
	}
	bytes := s.roomBytes(s.others(min(a.workersOf(s), s.primes), a.limit))
	if cut {
		bytes += 8 * s.primes * s.row()
	}
	if t := s.tableBytes(); t <= a.tableLimit(s) {
		bytes += t
	}
	return bytes, nil
}

// Explain writes how a product of numbers of x and y bits is made. Errors are those of MemoryUse, field.ErrSpec where w
// is nil, and those of w.
func (a *Arithmetic) Explain(w io.Writer, x, y int) error {
	if w == nil {
		return fmt.Errorf("intmul: %w: the writer is nil", field.ErrSpec)
	}
	s, cut, err := a.plan(x, y)
	if err != nil {
		return err
	}
	if s.n == 0 {
		_, err = fmt.Fprintf(w, "%d × %d bits: math/big\n", x, y)
		return err
	}
	bytes, err := a.MemoryUse(x, y)
	if err != nil {
		return err
	}
	parts := fmt.Sprintf("x^%d − 1", s.n)
	if s.truncated() {
		parts = fmt.Sprintf("x^%d + 1 and x^%d + 1", s.n/3*2, s.n/3)
	}
	switch s.side {
	case overlap:
		parts += ", and the low bits once more"
	case minus:
		parts = fmt.Sprintf("x^%d − 1 and x^%d + 1 in turn", s.n, s.n)
	}
	if cut {
		parts += ", the longer factor in blocks"
	}
	_, err = fmt.Fprintf(w, "%d × %d bits: %d primes of %d bits, digits of %d bits, modulo %s; %d bytes\n", x, y, s.primes,
		bits.Len64(primes().primes[0]), s.size, parts, bytes)
	return err
}

// plan returns the shape of a product, the zero shape where math/big multiplies, and whether a factor is cut.
func (a *Arithmetic) plan(x, y int) (s shape, cut bool, err error) {
	if err := a.begin(context.Background()); err != nil {
		return s, false, err
	}
	if x < 0 || y < 0 {
		return s, false, fmt.Errorf("intmul: %w: numbers of %d and %d bits", field.ErrRange, x, y)
	}
	long, short := (max(x, y)+63)/64, (min(x, y)+63)/64
	if a.least.small(binary, long, short, false) {
		return s, false, nil
	}
	if cut = cuts(long, short); cut {
		parts := (long + blockLength*short - 1) / (blockLength * short)
		long = (long + parts - 1) / parts
	}
	s, ok := choose(1, 64*long, 64*short)
	if ok && s.roomBytes(1) > a.limit && !cut {
		if half, ok := a.chooseHalf(long + short); ok {
			return half, false, nil
		}
	}
	if !ok || s.roomBytes(1) > a.limit {
		return s, cut, a.tooLarge(fmt.Sprintf("a product of %d and %d bits", x, y), s.roomBytes(1))
	}
	if o, ok := chooseOverlap(long, short); ok && !cut && a.holds(o, long+short) {
		return o, false, nil
	}
	return s, cut, nil
}
