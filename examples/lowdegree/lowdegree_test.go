package main

import (
	"bytes"
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// The test accepts the extension of a trace, whose first rows are the trace, and refuses it with any one value changed,
// and columns of twice the degree.
func TestSingle(t *testing.T) {
	for _, rows := range []int{2, 16} {
		tr := trace(rows)
		table, err := extend(t.Context(), tr)
		require.NoError(t, err)
		require.Equal(t, tr, table[:len(tr)])
		accepts := func(table []uint64) bool {
			low, err := test(t.Context(), table)
			require.NoError(t, err)
			return low
		}
		require.True(t, accepts(table))
		r := rand.New(rand.NewPCG(1, 2))
		for i := range table {
			bad := slices.Clone(table)
			bad[i] ^= 1 + r.Uint64N(1<<64-1)
			require.False(t, accepts(bad), "%d rows, value %d", rows, i)
		}
		longer, err := extend(t.Context(), trace(2*rows))
		require.NoError(t, err)
		require.False(t, accepts(longer[:len(table)]))
	}
}

func TestRun(t *testing.T) {
	for _, c := range []struct {
		args   []string
		status int
		out    string
	}{
		{[]string{"-rows", "64"}, exitOK, "accepted: 4 columns of 512 values are polynomials of degree below 64\n"},
		{[]string{"-rows", "64", "-corrupt", "2047"}, exitFailed,
			"refused: the 4 columns of 512 values are no polynomials of degree below 64\n"},
		{[]string{"-rows", "63"}, exitUsage, ""}, {[]string{"-rows", "1"}, exitUsage, ""},
		{[]string{"-rows", "64", "-corrupt", "2048"}, exitUsage, ""}, {[]string{"x"}, exitUsage, ""},
		{[]string{"-x"}, exitUsage, ""}, {[]string{"-h"}, exitOK, ""},
	} {
		var out, errs bytes.Buffer
		require.Equal(t, c.status, run(t.Context(), c.args, &out, &errs), "%q: %s", c.args, &errs)
		require.Equal(t, c.out, out.String())
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.Equal(t, exitFailed, run(ctx, []string{"-rows", "64"}, new(bytes.Buffer), new(bytes.Buffer)))
}
