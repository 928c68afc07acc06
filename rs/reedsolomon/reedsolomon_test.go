package reedsolomon

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/galfft/fft/internal/nils"
	"github.com/stretchr/testify/require"
)

// Every call does what its name says, in every code.
func TestCalls(t *testing.T) {
	for i, o := range []Option{WithLeopardGF(false), WithCauchyMatrix(), WithLeopardGF(true), WithLeopardGF16(true)} {
		e, err := New(7, 3, o, WithMaxGoroutines(2), WithAutoGoroutines(5), WithInversionCache(true))
		require.NoError(t, err)
		x := e.(Extensions)
		require.Equal(t, []int{7, 3, 10}, []int{x.DataShards(), x.ParityShards(), x.TotalShards()})
		text := bytes.Repeat([]byte("some text"), 20+i)
		shards, err := e.Split(text)
		require.NoError(t, err)
		require.NoError(t, e.Encode(shards))
		ok, err := e.Verify(shards)
		require.NoError(t, err)
		require.True(t, ok)

		parity := x.AllocAligned(len(shards[0]))[7:]
		for i, s := range shards[:7] {
			require.NoError(t, e.EncodeIdx(s, i, parity))
		}
		require.Equal(t, shards[7:], parity)

		lost := slices.Clone(shards)
		lost[1], lost[6], lost[8] = nil, nil, nil
		require.NoError(t, e.ReconstructSome(lost, []bool{false, true, false, false, false, false, false}))
		require.Equal(t, shards[1], lost[1])
		require.Nil(t, lost[6])
		require.ErrorIs(t, e.Join(new(bytes.Buffer), lost, len(text)), ErrReconstructRequired)
		require.NoError(t, e.ReconstructData(lost))
		require.Nil(t, lost[8])
		require.NoError(t, e.Reconstruct(lost))
		require.Equal(t, shards, lost)

		fresh := make([][]byte, 7)
		fresh[2] = bytes.Repeat([]byte{5}, len(shards[2]))
		require.NoError(t, e.Update(shards, fresh))
		shards[2] = fresh[2]
		ok, err = e.Verify(shards)
		require.NoError(t, err)
		require.True(t, ok)

		var b bytes.Buffer
		require.NoError(t, e.Join(&b, lost, len(text)))
		require.Equal(t, string(text), b.String())
	}
}

// Errors are those that programs ask for.
func TestErrors(t *testing.T) {
	e, err := New(3, 2, WithLeopardGF16(true))
	require.NoError(t, err)
	shards := e.(Extensions).AllocAligned(4)
	require.Equal(t, ErrTooFewShards, e.Encode(shards[1:]))
	require.Equal(t, ErrShardNoData, e.Encode(make([][]byte, 5)))
	require.Equal(t, ErrShardSize, e.Encode([][]byte{{1, 2}, {1, 2}, {1, 2, 3, 4}, {1, 2}, {1, 2}}))
	require.Equal(t, ErrInvalidShardSize, e.Encode([][]byte{{1}, {1}, {1}, {1}, {1}}))
	require.Equal(t, ErrTooFewShards, e.Reconstruct([][]byte{{1, 2}, {1, 2}, nil, nil, nil}))
	require.Equal(t, ErrInvalidInput, e.Update(make([][]byte, 5), shards[:3]))
	require.Equal(t, ErrInvShardNum, e.EncodeIdx(shards[0], 3, shards[3:]))
	require.Equal(t, ErrShardNoData, e.EncodeIdx(nil, 0, shards[3:]))
	require.Equal(t, ErrShortData, e.Join(new(bytes.Buffer), shards, 13))
	_, err = e.Split(nil)
	require.Equal(t, ErrShortData, err)
	_, err = e.Verify(nil)
	require.Equal(t, ErrTooFewShards, err)
	_, err = New(0, 1)
	require.Equal(t, ErrInvShardNum, err)
	_, err = New(60000, 40000)
	require.Equal(t, ErrMaxShardNum, err)
}

// Nil arguments of everything exported.
func TestNils(t *testing.T) {
	made := func(o Option) error { _, err := New(2, 1, o); return err }
	nils.Run(t, nils.Table{
		"New":                {nils.Is(ErrInvalidInput, func() error { return made(nil) })},
		"WithCauchyMatrix":   {nils.Is(nil, func() error { return made(WithCauchyMatrix()) })},
		"WithLeopardGF":      {nils.Is(nil, func() error { return made(WithLeopardGF(false)) })},
		"WithLeopardGF16":    {nils.Is(nil, func() error { return made(WithLeopardGF16(false)) })},
		"WithMaxGoroutines":  {nils.Is(nil, func() error { return made(WithMaxGoroutines(0)) })},
		"WithAutoGoroutines": {nils.Is(nil, func() error { return made(WithAutoGoroutines(0)) })},
		"WithInversionCache": {nils.Is(nil, func() error { return made(WithInversionCache(false)) })},
	})
}

func Example() {
	e, err := New(2, 1)
	if err != nil {
		panic(err)
	}
	shards, err := e.Split([]byte("two halves"))
	if err != nil {
		panic(err)
	}
	if err := e.Encode(shards); err != nil {
		panic(err)
	}
	shards[0] = nil
	fmt.Println(e.Reconstruct(shards), string(shards[0])+string(shards[1]))
	// Output: <nil> two halves
}
