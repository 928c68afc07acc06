package gfpf

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// radices are those of the named primes and of one prime of each other kind, and radices of composite r^k + 1, for
// the arithmetic does not ask: at the ends of words, odd, and as small as they may be.
var radices = []struct {
	r uint64
	k int
}{
	{1<<63 + 1<<53, 2}, {1<<64 - 1<<50, 4}, {1<<63 + 1<<34, 8}, {1<<62 + 1<<36, 16}, {1<<62 + 1<<56, 32},
	{1<<63 - 1<<40, 64}, {1<<64 - 1<<28, 128},
	{1<<59 + 1<<58 + 1<<11, 4}, {1<<59 + 1<<57 + 1<<39, 8}, {1<<58 + 1<<55 + 1<<45, 16}, {1<<58 + 1<<55 + 1<<17, 32},
	{1<<51 + 1<<31, 8}, {1<<30 + 1<<16, 16}, {1<<58 - 1<<17, 8}, {1<<52 - 1<<24, 64},
	{1<<64 - 1, 2}, {1<<64 - 2, 8}, {1<<64 - 1, 128}, {1<<32 - 1, 4}, {1 << 63, 4}, {10, 2}, {18, 4}, {34, 8},
	{514, 128},
}

// eachRing runs test with every ring and its oracle.
func eachRing(t *testing.T, test func(t *testing.T, o oracle)) {
	for _, c := range radices {
		t.Run(fmt.Sprintf("%s^%d", RadixText(c.r), c.k), func(t *testing.T) {
			t.Parallel()
			f := newRing(c.r, c.k)
			test(t, oracle{&f, modulus(c.r, c.k)})
		})
	}
}

// oracle computes modulo p by big integers.
type oracle struct {
	f *ring
	p *big.Int
}

// digits is the definition of the representation, by divisions by r.
func (o oracle) digits(x *big.Int) []uint64 {
	z := make([]uint64, o.f.k)
	r := new(big.Int).SetUint64(o.f.r)
	x = new(big.Int).Mod(x, o.p)
	if new(big.Int).Add(x, big.NewInt(1)).Cmp(o.p) == 0 {
		z[o.f.k-1] = o.f.r
		return z
	}
	d := new(big.Int)
	for i := range z {
		x.QuoRem(x, r, d)
		z[i] = d.Uint64()
	}
	return z
}

func (o oracle) number(x []uint64) *big.Int {
	z, r := new(big.Int), new(big.Int).SetUint64(o.f.r)
	for i := len(x) - 1; i >= 0; i-- {
		z.Mul(z, r).Add(z, new(big.Int).SetUint64(x[i]))
	}
	return z
}

// edges are values where digits, carries and the sign turn.
func (o oracle) edges() (list []*big.Int) {
	r, k := new(big.Int).SetUint64(o.f.r), int64(o.f.k)
	pow := func(e int64) *big.Int { return new(big.Int).Exp(r, big.NewInt(e), nil) }
	add := func(x *big.Int, d ...int64) {
		for _, d := range d {
			list = append(list, new(big.Int).Add(x, big.NewInt(d)))
		}
	}
	add(new(big.Int), 0, 1, 2)
	add(r, -1, 0, 1)
	add(pow(2), -1, 1)
	add(pow(k-1), -1, 0)
	add(new(big.Int).Sub(pow(k), r), 0)
	add(pow(k), -2, -1, 0) // r^k = −1
	add(new(big.Int).Rsh(o.p, 1), 0)
	rnd := rand.New(rand.NewPCG(1, o.f.r))
	mixture := make([]uint64, o.f.k)
	for range 6 {
		for i := range mixture {
			mixture[i] = []uint64{0, 1, o.f.r - 1, rnd.Uint64N(o.f.r)}[rnd.IntN(4)]
		}
		list = append(list, o.number(mixture))
	}
	for i := range mixture {
		mixture[i] = rnd.Uint64N(o.f.r)
	}
	list = append(list, o.number(mixture))
	for _, x := range list {
		x.Mod(x, o.p) // r² + 1 = p where k = 2
	}
	return list
}

// operations are what TestAlgebra judges.
type operations struct {
	add, sub, mul func(z, x, y []uint64)
	shift         func(z, x []uint64, s uint64)
}

func (f *ring) operations() operations { return operations{f.add, f.sub, f.mul, f.shift} }

// Every operation on all pairs of edge values.
func TestAlgebra(t *testing.T) {
	eachRing(t, func(t *testing.T, o oracle) {
		f, z := o.f, make([]uint64, o.f.k)
		for _, x := range o.edges() {
			f.fromBig(z, new(big.Int).Set(x))
			require.Equal(t, o.digits(x), z, "digits of %v", x)
			require.Zero(t, f.toBig(new(big.Int), z).Cmp(x), "number of %v", x)
			f.neg(z, z)
			require.Equal(t, o.digits(new(big.Int).Neg(x)), z, "−%v", x)
		}
		require.NoError(t, o.algebra(f.operations()))
	})
}

// algebra returns the first wrong result of operations on edge values.
func (o oracle) algebra(f operations) error {
	z, edges := make([]uint64, o.f.k), o.edges()
	var failed error
	var w big.Int
	check := func(want *big.Int, format string, args ...any) {
		if digits := o.digits(want); failed == nil && !slices.Equal(digits, z) {
			failed = fmt.Errorf("%s: digits %v, want %v", fmt.Sprintf(format, args...), z, digits)
		}
	}
	for _, x := range edges {
		dx := o.digits(x)
		for _, y := range edges {
			dy := o.digits(y)
			f.add(z, dx, dy)
			check(w.Add(x, y), "%v + %v", x, y)
			f.sub(z, dx, dy)
			check(w.Sub(x, y), "%v − %v", x, y)
			f.mul(z, dx, dy)
			check(w.Mul(x, y), "%v · %v", x, y)
			copy(z, dx)
			f.add(z, z, dy)
			check(w.Add(x, y), "%v + %v in place", x, y)
			copy(z, dy)
			f.sub(z, dx, z)
			check(w.Sub(x, y), "%v − %v in place", x, y)
		}
		power, r := big.NewInt(1), new(big.Int).SetUint64(o.f.r)
		for s := range uint64(2*o.f.k + 2) {
			f.shift(z, dx, s)
			check(w.Mul(x, power), "%v · r^%d", x, s)
			power.Mul(power, r)
			power.Mod(power, o.p)
		}
		f.shift(z, dx, 1<<64-3)
		f.shift(z, slices.Clone(z), 3)
		check(x, "%v · r^−3 · r^3", x)
	}
	return failed
}
