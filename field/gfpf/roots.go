package gfpf

import (
	"fmt"
	"math/big"
	"math/bits"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/factor"
)

// root is RootOfUnity of [Field] on digits.
func (f *prime) root(z []uint64, n uint64) error {
	less := new(big.Int).Sub(f.p, big.NewInt(1))
	if n == 0 || new(big.Int).Rem(less, new(big.Int).SetUint64(n)).Sign() != 0 {
		return noRoot{f.name, f.r, f.k, n}
	}
	var t big.Int
	root, odd := f.rootOfTwo(n&-n), n>>bits.TrailingZeros64(n)
	if odd > 1 {
		t.ModInverse(t.SetUint64(odd), big.NewInt(int64(2*f.k)))
		root.Exp(root, &t, f.p)
	}
	for _, q := range factor.Primes(odd) {
		e := new(big.Int).Div(less, new(big.Int).SetUint64(q))
		c := big.NewInt(2)
		for t.Exp(c, e, f.p).IsUint64() && t.Uint64() == 1 {
			c.Add(c, big.NewInt(1))
		}
		e.Div(less, new(big.Int).SetUint64(factor.Part(n, q)))
		root.Mul(root, t.Exp(c, e, f.p)).Mod(root, f.p)
	}
	f.fromBig(z, root)
	return nil
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

// rootOfTwo returns the root of order n, a power of two that divides p − 1.
func (f *prime) rootOfTwo(n uint64) *big.Int {
	r, order := f.powers[0], uint64(2*f.k)
	if n <= order {
		return new(big.Int).Exp(r, new(big.Int).SetUint64(order/n), f.p)
	}
	e := new(big.Int).Sub(f.p, big.NewInt(1))
	e.Div(e, new(big.Int).SetUint64(n))
	a := big.NewInt(2)
	for big.Jacobi(a, f.p) != -1 {
		a.Add(a, big.NewInt(1))
	}
	g := a.Exp(a, e, f.p)
	h := new(big.Int).Exp(g, new(big.Int).SetUint64(n/order), f.p)
	root, x := new(big.Int).Set(g), new(big.Int).Set(h)
	h2, g2 := mulMod(h, h, f.p), mulMod(g, g, f.p)
	for x.Cmp(r) != 0 { // j = 1, 3, 5, …
		x, root = mulMod(x, h2, f.p), mulMod(root, g2, f.p)
	}
	return root
}

func mulMod(x, y, p *big.Int) *big.Int {
	z := new(big.Int).Mul(x, y)
	return z.Mod(z, p)
}
