package main

import (
	"bytes"
	"context"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/intmul"
)

// Numbers up to 300 and two long ones are sums of those before.
func TestFibonacci(t *testing.T) {
	a, err := intmul.New()
	require.NoError(t, err)
	f, next := new(big.Int), big.NewInt(1)
	for n := range uint64(30001) {
		if n <= 300 || n == 9999 || n == 30000 {
			got, err := fibonacci(t.Context(), a, n)
			require.NoError(t, err)
			require.Equal(t, f.String(), got.String(), "F(%d)", n)
			require.NoError(t, prove(t.Context(), got.Append(nil), n))
		}
		f, next = next, f.Add(f, next)
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
		{t.Context(), "-n 100", exitOK, "354224848179261915075\n", "21 digits computed"},
		{t.Context(), "-n 0 -workers 2", exitOK, "0\n", "proved"},
		{t.Context(), "-h", exitOK, "", "-n N"},
		{t.Context(), "-n -5", exitUsage, "", "invalid value"},
		{t.Context(), "-workers -1", exitUsage, "", "workers"},
		{t.Context(), "10", exitUsage, "", "no arguments"},
		{cancelled, "-n 100", exitFailed, "", "canceled"},
	} {
		var stdout, stderr bytes.Buffer
		require.Equal(t, c.want, run(c.ctx, strings.Fields(c.args), &stdout, &stderr), c.args)
		require.Contains(t, stderr.String(), c.text, c.args)
		require.Equal(t, c.stdout, stdout.String(), c.args)
	}
}

// Every digit that is changed is found, and so are digits that change places.
func TestProve(t *testing.T) {
	const n = 1000
	a, err := intmul.New()
	require.NoError(t, err)
	f, err := fibonacci(t.Context(), a, n)
	require.NoError(t, err)
	text := f.Append(nil)
	for i := range text {
		wrong := bytes.Clone(text)
		wrong[i] = '0' + (wrong[i]-'0'+3)%10
		require.ErrorIs(t, prove(t.Context(), wrong, n), errWrong)
		if i > 0 && text[i] != text[i-1] {
			wrong = bytes.Clone(text)
			wrong[i], wrong[i-1] = wrong[i-1], wrong[i]
			require.ErrorIs(t, prove(t.Context(), wrong, n), errWrong)
		}
	}
	require.ErrorIs(t, prove(t.Context(), text[:len(text)-1], n), errWrong)
	require.ErrorIs(t, prove(t.Context(), text, n+1), errWrong)
}
