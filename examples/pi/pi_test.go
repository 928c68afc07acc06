package main

import (
	"bytes"
	"context"
	"fmt"
	"math/big"
	"math/bits"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/intmul"
)

// machin returns so many digits of π by another formula, 4·(4·arctan(1/5) − arctan(1/239)), and math/big.
func machin(digits int) string {
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digits+guard)), nil)
	arctan := func(x int64) *big.Int {
		sum, power, t := new(big.Int), new(big.Int).Quo(unit, big.NewInt(x)), new(big.Int)
		for k := int64(1); power.Sign() != 0; k += 2 {
			if t.Quo(power, big.NewInt(k)); k%4 == 1 {
				sum.Add(sum, t)
			} else {
				sum.Sub(sum, t)
			}
			power.Quo(power, big.NewInt(x*x))
		}
		return sum
	}
	sum := arctan(5)
	sum.Sub(sum.Lsh(sum, 2), arctan(239))
	sum.Lsh(sum, 2)
	return sum.Quo(sum, new(big.Int).Exp(big.NewInt(10), big.NewInt(guard), nil)).String()
}

// Digits are those of another formula, at every small length, where quotients and products are those of math/big, and
// at one where they are not.
func TestMachin(t *testing.T) {
	const most = 20000
	want := machin(most)
	require.Equal(t, "314159265358979323846", want[:21])
	a, err := intmul.New()
	require.NoError(t, err)
	for _, n := range []int{1, 2, 3, 4, 5, 6, 7, 13, 14, 15, 28, 29, 100, 760, 1000, most} {
		s, err := compute(t.Context(), a, n)
		require.NoError(t, err)
		require.Equal(t, want[:n+1], s.digits.String(), "%d digits", n)
		require.NoError(t, s.prove(t.Context(), []byte(want[:n+1])))
	}
}

func TestRun(t *testing.T) {
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		ctx    context.Context
		args   string
		want   int
		stdout string
		text   string
	}{
		{t.Context(), "-digits 20", exitOK, "3.14159265358979323846\n", "20 digits computed"},
		{t.Context(), "-digits 1 -workers 2", exitOK, "3.1\n", "proved"},
		{t.Context(), "-h", exitOK, "", "-digits N"},
		{t.Context(), "-digits 0", exitUsage, "", "want 1 ≤ N"},
		{t.Context(), fmt.Sprint("-digits ", mostDigits+1), exitUsage, "", "want 1 ≤ N"},
		{t.Context(), "-workers -1", exitUsage, "", "workers"},
		{t.Context(), "10", exitUsage, "", "no arguments"},
		{cancelled, "-digits 100", exitFailed, "", "canceled"},
	} {
		var stdout, stderr bytes.Buffer
		require.Equal(t, c.want, run(c.ctx, strings.Fields(c.args), &stdout, &stderr), c.args)
		require.Contains(t, stderr.String(), c.text, c.args)
		require.Equal(t, c.stdout, stdout.String(), c.args)
	}
}

// A step that is wrong by 1 is found, also where what it leaves over makes up for it, and so is every digit.
func TestProve(t *testing.T) {
	a, err := intmul.New()
	require.NoError(t, err)
	s, err := compute(t.Context(), a, 200)
	require.NoError(t, err)
	text := s.digits.Append(nil, 10)
	one := big.NewInt(1)
	for name, x := range map[string]*big.Int{"p1": s.p1.x, "q1": s.q1.x, "t1": s.t1.x,
		"q2": s.q2.x, "t2": s.t2.x, "q": s.q.x, "t": s.t.x, "root": s.root, "rootRest": s.rootRest,
		"quotient": s.quotient, "rest": s.rest, "tail": s.tail} {
		x.Add(x, one)
		require.ErrorIs(t, s.prove(t.Context(), text), errWrong, name)
		x.Sub(x, one)
	}
	s.quotient.Add(s.quotient, one)
	s.rest.Sub(s.rest, s.t.x)
	require.ErrorContains(t, s.prove(t.Context(), text), "out of range")
	s.quotient.Sub(s.quotient, one)
	s.rest.Add(s.rest, s.t.x)
	require.NoError(t, s.prove(t.Context(), text))
	for i := range text {
		wrong := bytes.Clone(text)
		wrong[i] = '0' + (wrong[i]-'0'+1)%10
		require.ErrorIs(t, s.prove(t.Context(), wrong), errWrong)
	}
	s.terms++
	require.ErrorIs(t, s.prove(t.Context(), text), errWrong)
}

// Where all numbers are cut, digits are proved, and what is left out is part of the proof.
func TestCut(t *testing.T) {
	if bits.UintSize < 64 {
		t.Skip("words of 32 bits take minutes")
	}
	a, err := intmul.New()
	require.NoError(t, err)
	s, err := compute(t.Context(), a, 1_200_000)
	require.NoError(t, err)
	text, err := a.Append(t.Context(), nil, s.digits, 10)
	require.NoError(t, err)
	require.NoError(t, s.prove(t.Context(), text))
	one := big.NewInt(1)
	for i, c := range []*cut{&s.p1, &s.q1, &s.t1, &s.q2, &s.t2, &s.q, &s.t} {
		require.Positive(t, c.shift, "%d", i)
		c.x.Add(c.x, one)
		require.ErrorIs(t, s.prove(t.Context(), text), errWrong)
		c.x.Sub(c.x, one)
		for _, r := range []*residues{&c.whole, &c.low} {
			r[i%2]++
			require.ErrorIs(t, s.prove(t.Context(), text), errWrong)
			r[i%2]--
		}
		c.out = true
		require.ErrorIs(t, s.prove(t.Context(), text), errWrong)
		c.out = false
	}
	require.NoError(t, s.prove(t.Context(), text))
}

// Sums of terms by words and by halves are those of the definition, also where factors of q have three words.
func TestSplit(t *testing.T) {
	a, err := intmul.New()
	require.NoError(t, err)
	s := &splitter{ctx: t.Context(), a: a}
	check := func(from, to int, last bool) {
		p, q, sum := big.NewInt(1), big.NewInt(1), new(big.Int)
		for k := int64(from); k < int64(to); k++ {
			if k > 0 {
				for _, f := range []int64{5 - 6*k, 2*k - 1, 6*k - 1} {
					p.Mul(p, big.NewInt(f))
				}
				by := new(big.Int).Exp(big.NewInt(640320*k), big.NewInt(3), nil)
				by.Div(by, big.NewInt(24))
				q.Mul(q, by)
				sum.Mul(sum, by)
			}
			a := new(big.Int).Mul(big.NewInt(545140134), big.NewInt(k))
			sum.Add(sum, a.Mul(a.Add(a, big.NewInt(13591409)), p))
		}
		z := s.split(from, to, 0, last)
		require.NoError(t, s.err)
		require.Zero(t, z.q.Cmp(q), "%d to %d", from, to)
		require.Zero(t, z.t.CmpAbs(sum), "%d to %d", from, to)
		require.Equal(t, from > 0, sum.Sign() < 0)
		if last && to-from > short {
			require.Nil(t, z.p)
		} else {
			require.Zero(t, z.p.CmpAbs(p), "%d to %d", from, to)
		}
		s.give(0, z.p, z.q, z.t)
	}
	for to := range 100 {
		check(0, to+1, to%2 == 0)
	}
	for _, from := range []int{1, 5, 1<<22 - 9, 1<<22 - 1, 1<<22 + 1, mostDigits/digitsOfTerms - 99 | 1} {
		for _, n := range []int{1, 2, 3, short, short + 1, 99} {
			check(from, from+n, false)
		}
	}
	check(0, 1<<13, true)
}

// Residues are those of math/big, for words at both ends.
func TestResidues(t *testing.T) {
	words := []uint64{0, 1, 58, 59, 60, 1<<61 - 2, 1<<61 - 1, 1 << 61, 1<<63 + 5, 1<<64 - 60, 1<<64 - 59, 1<<64 - 1}
	for _, m := range moduli {
		p := new(big.Int).SetUint64(m.p)
		require.True(t, p.ProbablyPrime(20))
		is := func(want *big.Int, got uint64) {
			require.Equal(t, new(big.Int).Mod(want, p).Uint64(), got%m.p)
		}
		z := new(big.Int)
		for _, x := range words {
			u := new(big.Int).SetUint64(x)
			for _, y := range words {
				v := new(big.Int).SetUint64(y)
				is(new(big.Int).Mul(u, v), m.mul(x, y))
				is(new(big.Int).Add(u, v), m.add(x, y))
			}
			is(new(big.Int).Neg(u), m.minus(x))
			z.Add(z.Lsh(z, 64), u)
			is(z, m.of(z))
			text := z.String()
			r, err := m.text(t.Context(), []byte(text))
			require.NoError(t, err)
			is(z, r)
		}
	}
}
