package verbs

import (
	"context"
	"io"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/intmul"
)

// Every operation is measured and proved at every size from one bit on; no wrong result passes.
func TestHugeBench(t *testing.T) {
	ctx := context.Background()
	for _, op := range HugeOps() {
		for _, bits := range []int{1, 2, 64, 65, 1000} {
			c := HugeCase{Op: op, Bits: bits, Workers: 1, Seed: 1, Reps: 2, Time: 1}
			samples, err := c.Bench(ctx)
			require.NoError(t, err, "%s of %d bits", op, bits)
			require.Len(t, samples, 2)
		}
		a, err := intmul.New()
		require.NoError(t, err)
		o, err := HugeCase{Op: op, Bits: 100}.operation(ctx, a)
		require.NoError(t, err)
		require.ErrorIs(t, o.check(), ErrWrong, "%s that has not run", op)
	}
	for _, c := range []HugeCase{{Op: "gcd", Bits: 1, Workers: 1, Time: 1}, {Op: "mul", Workers: 1, Time: 1},
		{Op: "mul", Bits: 1, Time: 1}, {Op: "mul", Bits: 1, Workers: MaxWorkers + 1, Time: 1}, {Op: "mul", Bits: 1, Workers: 1},
		{Op: "mul", Bits: 1, Workers: 1, Reps: -1, Time: 1}} {
		_, err := c.Bench(ctx)
		require.ErrorIs(t, err, field.ErrSpec)
	}
	_, err := HugeCase{Op: "mul", Bits: math.MaxInt, Workers: 1, Time: 1}.Bench(ctx)
	require.ErrorIs(t, err, field.ErrMemory)
	stopped, stop := context.WithCancel(ctx)
	stop()
	_, err = HugeCase{Op: "sqr", Bits: 9, Workers: 1, Time: 1}.Bench(stopped)
	require.ErrorIs(t, err, context.Canceled)
	one := big.NewInt(1)
	require.False(t, congruent(one, one, one, one))
}

// ending is a context that ends where no look at it is left.
type ending struct {
	context.Context
	left int
}

func (c *ending) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// Operands have as many bits as were asked for, and their making stops within 2^16 words, as do proofs.
func TestHugeOperands(t *testing.T) {
	ctx, r := context.Background(), rand.New(rand.NewPCG(1, 2))
	for n := 1; n <= 200; n++ {
		x, err := randomBits(ctx, r, n)
		require.NoError(t, err)
		require.Equal(t, n, x.BitLen())
	}
	const n = 1 << 23 // 2^17 words and two looks an operand
	a, err := intmul.New()
	require.NoError(t, err)
	for left := range 4 {
		_, err := HugeCase{Op: "mul", Bits: n}.operation(&ending{ctx, left}, a)
		require.ErrorIs(t, err, context.Canceled, "look %d", left)
	}
	_, err = HugeCase{Op: "mul", Bits: n}.operation(&ending{ctx, 4}, a)
	require.NoError(t, err)
	for left := range 2 { // batches too, before anything is computed
		err := BenchIntegers(&ending{ctx, left}, io.Discard, CPU, 1<<12, 1<<10, 1, 1)
		require.ErrorIs(t, err, context.Canceled, "look %d", left)
		require.NotContains(t, err.Error(), "midint", "look %d", left)
	}
	o, err := HugeCase{Op: "sqrt", Bits: 100}.operation(&ending{ctx, 2}, a)
	require.NoError(t, err)
	require.ErrorIs(t, o.check(), context.Canceled)
}
