package gfpf

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
	less := new(big.Int).Sub(f.p, big.NewInt(1))
	if n == 0 || less.Rem(less, new(big.Int).SetUint64(n)).Sign() != 0 {
		return nil, noRoot{f.name, f.r, f.k, n}
	}
	root, err := f.rootOfTwo(ctx, n&-n)
	if err != nil {
		return nil, err
	}
	odd := n >> bits.TrailingZeros64(n)
	if odd > 1 {
		var t big.Int
		f.pow(root, t.ModInverse(t.SetUint64(odd), big.NewInt(int64(2*f.k))).Uint64())
	}
	for _, q := range factor.Primes(odd) {
		c := uint64(2)
		for ; ; c++ {
			if x, err := f.cofactor(ctx, c, q); err != nil {
				return nil, err
			} else if x[0] != 1 || !isZero(x[1:]) {
				break
			}
		}
		x, err := f.cofactor(ctx, c, factor.Part(n, q))
		if err != nil {
			return nil, err
		}
		f.times(root, x)
	}
	return root, nil
}

// noRoot is the field.ErrNoRoot of order n in the field of r^k + 1. Its text is made where it is read, because callers
// try orders.
type noRoot struct {
	name string
	r    uint64
	k    int
	n    uint64
}

func (e noRoot) Error() string {
	powers := factor.Powers(e.r)
	for i := range powers {
		powers[i].Exp *= uint(e.k)
	}
	return fmt.Sprintf("fft: %v: order %d does not divide p−1 for %s, whose 2-adicity is %d; the nearest that do: %s",
		field.ErrNoRoot, e.n, e.name, e.k*bits.TrailingZeros64(e.r), factor.Near(powers, e.n))
}

func (e noRoot) Unwrap() error { return field.ErrNoRoot }

// largest is the root of order 2^k.
type largest struct {
	k    int
	root []uint64
}

// rootOfTwo returns the root of order n, a power of two that divides p − 1. Those above 2k are powers of one that is
// found once, because plans ask for many, and it takes a fifth of a second for 8192 bits.
func (f *prime) rootOfTwo(ctx context.Context, n uint64) ([]uint64, error) {
	if order := uint64(2 * f.k); n <= order {
		x := make([]uint64, f.k)
		switch s := int(order / n); { // r^s
		case s < f.k:
			x[s] = 1
		case s == f.k:
			f.minusOne(x)
		default:
			x[0] = 1
		}
		return x, nil
	}
	found := f.largest.Load()
	if found == nil {
		var err error
		if found, err = f.newLargest(ctx); err != nil {
			return nil, err
		}
		f.largest.Store(found)
	}
	x := slices.Clone(found.root)
	for range found.k - bits.TrailingZeros64(n) {
		f.times(x, x)
	}
	return x, nil
}

// newLargest finds the root of the greatest power of two below 2^64 that divides p − 1.
func (f *prime) newLargest(ctx context.Context) (*largest, error) {
	k := min(63, f.k*bits.TrailingZeros64(f.r))
	a := big.NewInt(2)
	for big.Jacobi(a, f.p) != -1 {
		a.Add(a, big.NewInt(1))
	}
	g, err := f.cofactor(ctx, a.Uint64(), 1<<k)
	if err != nil {
		return nil, err
	}
	h := slices.Clone(g)
	for range k + 1 - bits.Len(uint(2*f.k)) {
		f.times(h, h)
	}
	g2, h2 := slices.Clone(g), slices.Clone(h)
	f.times(g2, g2)
	f.times(h2, h2)
	for f.power(h) != 1 { // j = 1, 3, 5, …
		f.times(h, h2)
		f.times(g, g2)
	}
	return &largest{k, g}, nil
}

// cofactor returns c^((p−1)/n), for n that divides p − 1 = r^k: the exponent is a product of k numbers of a word,
// between which the context may end.
func (f *prime) cofactor(ctx context.Context, c, n uint64) ([]uint64, error) {
	x := make([]uint64, f.k)
	x[0] = c
	for range f.k {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("fft: search of a root of unity stopped: %w", err)
		}
		d := factor.GCD(f.r, n)
		f.pow(x, f.r/d)
		n /= d
	}
	return x, nil
}

// pow sets x to x^e, e > 0.
func (f *prime) pow(x []uint64, e uint64) {
	of := slices.Clone(x)
	for i := bits.Len64(e) - 2; i >= 0; i-- {
		f.times(x, x)
		if e>>i&1 == 1 {
			f.times(x, of)
		}
	}
}

// times sets x to xy; y may be x.
func (f *prime) times(x, y []uint64) {
	var t [most]uint64
	z := t[:f.k]
	f.mul(z, x, y)
	copy(x, z)
}
