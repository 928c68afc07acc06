package main

import (
	"context"
	"fmt"
	"math/big"
)

// check is a property of τ. Its run returns how many cases it found true and the first that is not.
type check struct {
	name string
	run  func(ctx context.Context, t *table) (int, error)
}

// checks prove a table: they tie every τ(n) to τ of primes, these to σ₁₁ and their bound, and the whole to values
// from elsewhere.
var checks = []check{
	{"values known from Niebur's formula", known},
	{"τ(n) ≡ σ₁₁(n) (mod 691)", congruence},
	{"τ(mq) = τ(m)·τ(q), q a prime power, m prime to it", coprime},
	{"τ(p^(k+1)) = τ(p)·τ(p^k) − p¹¹·τ(p^(k−1)), p prime", powers},
	{"τ(p)² ≤ 4p¹¹, p prime", deligne},
}

// table is what checks read.
type table struct {
	tau   []*big.Int // tau[n] = τ(n) for n ≥ 1
	least []uint32   // least[n] is the least prime factor of n ≥ 2
}

func newTable(tau []*big.Int) *table {
	least := make([]uint32, len(tau))
	for p := 2; p < len(least); p++ {
		if least[p] != 0 {
			continue
		}
		for m := p; m < len(least); m += p {
			if least[m] == 0 {
				least[m] = uint32(p)
			}
		}
	}
	return &table{tau, least}
}

// split returns n = q·m for n ≥ 2, where q is the full power in n of its least prime factor p.
func (t *table) split(n int) (p, q, m int) {
	p, q, m = int(t.least[n]), 1, n
	for m%p == 0 {
		q, m = q*p, m/p
	}
	return p, q, m
}

// each counts the n ≥ 2 for which f has a case and finds it true, up to the first that is false.
func (t *table) each(ctx context.Context, f func(n, p, q, m int) (has, ok bool)) (int, error) {
	count := 0
	for n := 2; n < len(t.tau); n++ {
		if err := ctx.Err(); err != nil {
			return count, err
		}
		p, q, m := t.split(n)
		has, ok := f(n, p, q, m)
		if has && !ok {
			return count, fmt.Errorf("not for n = %d: τ(n) = %v", n, t.tau[n])
		}
		if has {
			count++
		}
	}
	return count, nil
}

// niebur holds values computed by Niebur's formula, which has nothing of this program in it (Illinois Journal of
// Mathematics 19, 1975): τ(n) = n⁴σ(n) − 24·Σ i²(35i² − 52in + 18n²)·σ(i)·σ(n−i), 0 < i < n.
var niebur = []struct {
	n   int
	tau string
}{
	{1, "1"}, {2, "-24"}, {3, "252"}, {4, "-1472"}, {5, "4830"}, {6, "-6048"}, {7, "-16744"}, {8, "84480"},
	{9, "-113643"}, {10, "-115920"}, {11, "534612"}, {12, "-370944"}, {13, "-577738"}, {14, "401856"},
	{15, "1217160"}, {16, "987136"}, {25, "-25499225"}, {691, "-2747313442193908"},
	{1000, "-30328412970240000"}, {4093, "-39449111912826609658"}, {4096, "-71957818786545926144"},
	{10000, "-482606811957501440000"}, {100000, "-2983637890141033828147200000"},
	{1000000, "262191418612588689102548992000000"}, {1048573, "-885088891333889859613999042269178"},
}

func known(_ context.Context, t *table) (int, error) {
	count := 0
	for _, v := range niebur {
		if v.n >= len(t.tau) {
			break
		}
		if got := t.tau[v.n].String(); got != v.tau {
			return count, fmt.Errorf("τ(%d) = %s, want %s", v.n, got, v.tau)
		}
		count++
	}
	return count, nil
}

// congruence takes σ₁₁(n), the sum of the 11th powers of the divisors of n, from the divisors.
func congruence(ctx context.Context, t *table) (int, error) {
	sigma := make([]uint32, len(t.tau))
	for d := 1; d < len(sigma); d++ {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		power := uint32(1)
		for range 11 {
			power = power * uint32(d%691) % 691
		}
		for n := d; n < len(sigma); n += d {
			sigma[n] += power // below 2¹⁰ for each of fewer than 2²² divisors
		}
	}
	r, modulus := new(big.Int), big.NewInt(691)
	for n := 1; n < len(sigma); n++ {
		if err := ctx.Err(); err != nil {
			return n - 1, err
		}
		if r.Mod(t.tau[n], modulus).Uint64() != uint64(sigma[n]%691) {
			return n - 1, fmt.Errorf("not for n = %d: τ(n) = %v, σ₁₁(n) ≡ %d", n, t.tau[n], sigma[n]%691)
		}
	}
	return len(sigma) - 1, nil
}

func coprime(ctx context.Context, t *table) (int, error) {
	product := new(big.Int)
	return t.each(ctx, func(n, _, q, m int) (has, ok bool) {
		if m == 1 {
			return false, false
		}
		return true, product.Mul(t.tau[q], t.tau[m]).Cmp(t.tau[n]) == 0
	})
}

func powers(ctx context.Context, t *table) (int, error) {
	x, y := new(big.Int), new(big.Int)
	return t.each(ctx, func(n, p, _, m int) (has, ok bool) {
		if m > 1 || n == p {
			return false, false
		}
		x.Mul(t.tau[p], t.tau[n/p])
		y.Mul(power11(y, p), t.tau[n/p/p])
		return true, x.Sub(x, y).Cmp(t.tau[n]) == 0
	})
}

func deligne(ctx context.Context, t *table) (int, error) {
	x, y := new(big.Int), new(big.Int)
	return t.each(ctx, func(n, p, _, _ int) (has, ok bool) {
		if n != p {
			return false, false
		}
		x.Mul(t.tau[p], t.tau[p])
		return true, x.Cmp(y.Lsh(power11(y, p), 2)) <= 0
	})
}

// power11 sets and returns z = p¹¹.
func power11(z *big.Int, p int) *big.Int { return z.Exp(big.NewInt(int64(p)), big.NewInt(11), nil) }
