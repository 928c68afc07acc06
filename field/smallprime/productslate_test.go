package smallprime_test

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
)

// moved counts numbers, and is a context that notes how many are moved between two looks at it at most.
type moved struct {
	context.Context
	n, last, most int
	asks, left    int
}

func (m *moved) Residues(_ [][]uint64, from, to int) { m.n += to - from }

func (m *moved) Combine(_ [][]uint64, from, to int) { m.n += to - from }

func (m *moved) Err() error {
	m.most, m.last = max(m.most, m.n-m.last), m.n
	if m.asks++; m.asks > m.left {
		return context.Canceled
	}
	return nil
}

// Moves of numbers and products of values look at their context on the way, and its end at any look is the error.
func TestLate(t *testing.T) {
	const n = 1 << 13
	c := newIntegers(t, n, 64, field.Spec{})
	x := c.newVec(t)
	for _, move := range []struct {
		name string
		most int // numbers between two looks
		do   func(m *moved) error
	}{
		{"long numbers on the way in", 1 << 8, func(m *moved) error { return c.Load(m, x, m, n, 5000) }},
		{"long numbers on the way out", 1 << 8, func(m *moved) error { return c.Store(m, m, x, n, 5000) }},
		{"short numbers on the way in", n, func(m *moved) error { return c.Load(m, x, m, n, 1) }},
		{"products", 0, func(m *moved) error { return c.MulVecContext(m, x, x, x) }},
	} {
		m := &moved{Context: t.Context(), left: math.MaxInt}
		require.NoError(t, move.do(m), move.name)
		require.LessOrEqual(t, m.most, move.most, move.name)
		require.Equal(t, m.n, m.last, move.name)
		if move.most == 0 {
			require.Greater(t, m.asks, 2*n>>12, move.name)
		}
		for left := range m.asks {
			again := &moved{Context: t.Context(), left: left}
			require.ErrorIs(t, move.do(again), context.Canceled, "%s, end %d of %d", move.name, left, m.asks)
		}
	}
}
