package bigprime

import (
	"context"
	"fmt"
	"math/big"
	"math/bits"
	"slices"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/factor"
)

// root returns the root of [Field.RootOfUnity].
func (f *prime) root(ctx context.Context, n uint64) ([]uint64, error) {
	if ctx == nil {
		return nil, fmt.Errorf("fft: %w: the context is nil", field.ErrSpec)
	}
	less := new(big.Int).Sub(f.n, big.NewInt(1))
	if n == 0 || less.Rem(less, new(big.Int).SetUint64(n)).Sign() != 0 {
		return nil, noRoot{f, n}
	}
	root, err := f.rootOfTwo(ctx, bits.TrailingZeros64(n))
	if err != nil {
		return nil, err
	}
	for _, q := range factor.Primes(n >> bits.TrailingZeros64(n)) {
		x, err := f.rootOfPrime(ctx, q, factor.Part(n, q))
		if err != nil {
			return nil, err
		}
		f.mul(root, root, x)
	}
	return root, nil
}

// rootOfPrime returns c^((p−1)/n) of order n, a power of a prime q, for the least c ≥ 2.
func (f *prime) rootOfPrime(ctx context.Context, q, n uint64) ([]uint64, error) {
	for c := uint64(2); ; c++ {
		z, err := f.cofactor(ctx, c, n)
		if err != nil {
			return nil, err
		}
		x, err := f.power(ctx, z, new(big.Int).SetUint64(n/q))
		if err != nil || x[0] != 1 || !isZero(x[1:]) {
			return z, err
		}
	}
}

// largest is the root of order 2^k.
type largest struct {
	k    int
	root []uint64
}

// rootOfTwo returns the root of order 2^k, for 2^k that divides p − 1. It is a power of one that is found once, because
// plans ask for many, and that takes a fifth of a second for 8192 bits.
func (f *prime) rootOfTwo(ctx context.Context, k int) ([]uint64, error) {
	found := f.largest.Load()
	if found == nil {
		less := new(big.Int).Sub(f.n, big.NewInt(1))
		most := min(63, int(less.TrailingZeroBits()))
		root, err := f.cofactor(ctx, f.generator, 1<<most)
		if err != nil {
			return nil, err
		}
		found = &largest{most, root}
		f.largest.Store(found)
	}
	root := slices.Clone(found.root)
	for range found.k - k {
		f.mul(root, root, root)
	}
	return root, nil
}

// cofactor returns c^((p−1)/n) for n that divides p − 1.
func (f *prime) cofactor(ctx context.Context, c, n uint64) ([]uint64, error) {
	e, x := new(big.Int).Sub(f.n, big.NewInt(1)), make([]uint64, f.w)
	x[0] = c
	return f.power(ctx, x, e.Div(e, new(big.Int).SetUint64(n)))
}

// power returns x^e, e > 0, by digits of four bits, and looks at the context before each 64 bits of e.
func (f *prime) power(ctx context.Context, x []uint64, e *big.Int) ([]uint64, error) {
	const digit, look = 4, 64
	var powers [1 << digit][]uint64 // of x, in Montgomery's form
	powers[0] = f.one
	for i := 1; i < len(powers); i++ {
		powers[i] = make([]uint64, f.w)
		if i == 1 {
			f.mont(powers[i], x, f.r2)
		} else {
			f.mont(powers[i], powers[i-1], powers[1])
		}
	}
	z := slices.Clone(f.one)
	for i := (e.BitLen() - 1) / digit * digit; i >= 0; i -= digit {
		if (i+digit)%look == 0 || i+digit >= e.BitLen() {
			if err := ctx.Err(); err != nil {
				return nil, fmt.Errorf("fft: search of a root of unity stopped: %w", err)
			}
		}
		var d uint
		for j := range digit {
			f.mont(z, z, z)
			d |= e.Bit(i+j) << j
		}
		f.mont(z, z, powers[d])
	}
	plain := make([]uint64, f.w)
	plain[0] = 1
	f.mont(z, z, plain)
	return z, nil
}

// leastNonResidue returns the least c ≥ 2 with c^((p−1)/2) ≠ 1, by Jacobi's symbol, which takes no power.
func leastNonResidue(p *big.Int) uint64 {
	c := big.NewInt(2)
	for big.Jacobi(c, p) != -1 {
		c.Add(c, big.NewInt(1))
	}
	return c.Uint64()
}

// noRoot is the field.ErrNoRoot of order n. Its text is made where it is read, because callers try orders.
type noRoot struct {
	f *prime
	n uint64
}

func (e noRoot) Error() string {
	less := new(big.Int).Sub(e.f.n, big.NewInt(1))
	return fmt.Sprintf("fft: %v: order %d does not divide p−1 for p = %s, whose 2-adicity is %d; of orders without prime "+
		"factors above %d, the nearest that do: %s", field.ErrNoRoot, e.n, short(e.f.n), less.TrailingZeroBits(), smooth,
		factor.Near(smallPowers(less), e.n))
}

func (e noRoot) Unwrap() error { return field.ErrNoRoot }

// smooth bounds the prime factors that smallPowers looks for.
const smooth = 1000

// smallPowers returns the prime factors of n up to smooth with their exponents, ascending.
func smallPowers(n *big.Int) []factor.Power {
	var powers []factor.Power
	rest, quotient, r := new(big.Int).Set(n), new(big.Int), new(big.Int)
	for q := uint64(2); q <= smooth; q++ { // a composite q divides nothing any more
		by, e := new(big.Int).SetUint64(q), uint(0)
		for quotient.QuoRem(rest, by, r); r.Sign() == 0; quotient.QuoRem(rest, by, r) {
			rest.Set(quotient)
			e++
		}
		if e > 0 {
			powers = append(powers, factor.Power{Prime: q, Exp: e})
		}
	}
	return powers
}
