package main

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func compute(t *testing.T, last int) []*big.Int {
	tau, err := tau(t.Context(), last, 1)
	require.NoError(t, err)
	require.Len(t, tau, last+1)
	return tau
}

// TestDefinition multiplies q·Π(1 − qⁿ)²⁴ out.
func TestDefinition(t *testing.T) {
	const last = 300
	want := make([]*big.Int, last+1)
	for i := range want {
		want[i] = new(big.Int)
	}
	want[1].SetInt64(1)
	for n := 1; n < last; n++ {
		for range 24 {
			for i := last; i >= n; i-- {
				want[i].Sub(want[i], want[i-n])
			}
		}
	}
	for _, n := range []int{1, 2, 3, 4, 5, 63, 64, 65, last} {
		got := compute(t, n)
		for i := range got {
			require.Zero(t, got[i].Cmp(want[i]), "N = %d: τ(%d) = %v, want %v", n, i, got[i], want[i])
		}
	}
}

func TestRun(t *testing.T) {
	var want strings.Builder
	for n, tau := range []int{1: 1, -24, 252, -1472, 4830, -6048, -16744, 84480, -113643, -115920} {
		if n > 0 {
			fmt.Fprintf(&want, "τ(%d) = %d\n", n, tau)
		}
	}
	want.WriteString(`τ(100) = 37534859200
τ(1000) = -30328412970240000
τ(4096) = -71957818786545926144
ok           21  values known from Niebur's formula
ok         4096  τ(n) ≡ σ₁₁(n) (mod 691)
ok         3491  τ(mq) = τ(m)·τ(q), q a prime power, m prime to it
ok           40  τ(p^(k+1)) = τ(p)·τ(p^k) − p¹¹·τ(p^(k−1)), p prime
ok          564  τ(p)² ≤ 4p¹¹, p prime
`)
	for _, workers := range []string{"0", "1", "3"} {
		var stdout, stderr bytes.Buffer
		require.Equal(t, exitOK, run(t.Context(), []string{"-n", "4096", "-workers", workers}, &stdout, &stderr))
		require.Equal(t, want.String(), stdout.String())
		require.Regexp(t, `^computed in \S+\nchecked in \S+\n$`, stderr.String())
	}
}

func TestRunFails(t *testing.T) {
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		ctx  context.Context
		args string
		want int
		text string
	}{
		{t.Context(), "-h", exitOK, "-n N"},
		{t.Context(), "-n 0", exitUsage, "want N ≥ 1"},
		{t.Context(), "-n -5", exitUsage, "want N ≥ 1"},
		{t.Context(), "-n many", exitUsage, "invalid value"},
		{t.Context(), "-workers -1", exitUsage, "workers"},
		{t.Context(), "-n 10 20", exitUsage, "no arguments"},
		{t.Context(), "-frobnicate", exitUsage, "not defined"},
		{t.Context(), fmt.Sprint("-n ", math.MaxInt/2), exitFailed, "not enough memory"},
		{cancelled, "-n 4096", exitFailed, "canceled"},
	} {
		var stdout, stderr bytes.Buffer
		require.Equal(t, c.want, run(c.ctx, strings.Fields(c.args), &stdout, &stderr), c.args)
		require.Contains(t, stderr.String(), c.text, c.args)
		require.Empty(t, stdout.String(), c.args)
	}
}

// TestProveFindsErrors changes one value and expects the checks that read it to fail, and no others.
func TestProveFindsErrors(t *testing.T) {
	tau := compute(t, 4096)
	for name, c := range map[string]struct {
		n      int
		by     string
		failed []string
	}{
		"a large prime":             {3001, "1", []string{"691"}},
		"a large prime, mod 691":    {3001, "691000000000000000000000000", []string{"4p¹¹"}},
		"a composite, mod 691":      {4095, "691", []string{"τ(mq)"}},
		"a prime's square, mod 691": {61 * 61, "-691", []string{"p^(k+1)"}},
		"a small prime, mod 691":    {37, "691", []string{"τ(mq)", "p^(k+1)"}},
		"a known value, mod 691":    {4093, "691", []string{"Niebur"}},
		"2":                         {2, "-1", []string{"Niebur", "691", "τ(mq)", "p^(k+1)"}},
	} {
		by, _ := new(big.Int).SetString(c.by, 10)
		tau[c.n].Add(tau[c.n], by)
		var out strings.Builder
		require.ErrorIs(t, prove(t.Context(), &out, tau), errWrong, name)
		for _, check := range checks {
			fails := false
			for _, f := range c.failed {
				fails = fails || strings.Contains(check.name, f)
			}
			require.Equal(t, fails, !strings.Contains(out.String(), check.name+"\n"), "%s: %s\n%s", name, check.name,
				&out)
		}
		tau[c.n].Sub(tau[c.n], by)
	}
	require.NoError(t, prove(t.Context(), new(strings.Builder), tau))
}

// TestProveFindsEveryError changes each value in turn, by 1 and by its sign.
func TestProveFindsEveryError(t *testing.T) {
	tau := compute(t, 200)
	for n := 1; n <= 200; n++ {
		right := tau[n]
		for _, wrong := range []*big.Int{new(big.Int).Add(right, big.NewInt(1)), new(big.Int).Neg(right)} {
			tau[n] = wrong
			require.ErrorIs(t, prove(t.Context(), new(strings.Builder), tau), errWrong, "τ(%d) = %v", n, wrong)
		}
		tau[n] = right
	}
}

func TestProveCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, prove(ctx, new(strings.Builder), compute(t, 100)), context.Canceled)
}
