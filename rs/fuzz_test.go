package rs

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzShards takes counts, a code, a pattern of losses and of changes, and bytes of data: no call panics, what can be
// rebuilt is, and what Repair says to be right is a word.
func FuzzShards(f *testing.F) {
	for c := range byte(codes) {
		f.Add(c, byte(5), byte(4), uint64(0b10010), uint64(0b1000), []byte("as many bytes as symbols of all codes have whole"))
	}
	f.Add(byte(4), byte(0), byte(200), uint64(1), uint64(0), []byte{})
	f.Fuzz(func(t *testing.T, code, data, parity byte, lost, wrong uint64, text []byte) {
		p, err := New(int(data%64), int(parity%64), WithCode(Code(code)))
		if err != nil {
			return
		}
		shards := make([][]byte, p.Data()+p.Parity())
		for i := range shards {
			shards[i] = make([]byte, len(text))
			copy(shards[i], text[i%(len(text)+1):])
		}
		if err := p.Encode(ctx, shards); err != nil {
			require.True(t, len(text)%p.Code().Unit() != 0 || len(text) == 0)
			return
		}
		whole, missing := clone(shards), 0
		for i := range shards {
			if lost>>(i%64)&1 != 0 {
				shards[i], missing = nil, missing+1
			}
		}
		err = p.Reconstruct(ctx, shards)
		require.Equal(t, missing > p.Parity(), err != nil, "%d missing: %v", missing, err)
		if err != nil {
			return
		}
		for i, s := range shards {
			require.True(t, bytes.Equal(whole[i], s), "shard %d", i)
			if wrong>>(i%64)&1 != 0 {
				s[i%len(s)] ^= 0x55
			}
		}
		if _, err := p.Repair(ctx, shards); err == nil {
			ok, err := p.Verify(ctx, shards)
			require.NoError(t, err)
			require.True(t, ok)
		}
	})
}

// FuzzDisc takes words and erasures: what Correct says to be right is a word.
func FuzzDisc(f *testing.F) {
	f.Add(byte(0), make([]byte, 32), []byte{1, 2})
	f.Add(byte(2), bytes.Repeat([]byte{7}, 182), []byte{})
	f.Fuzz(func(t *testing.T, code byte, word, places []byte) {
		d := discs[int(code)%len(discs)]
		var erasures []int
		for _, x := range places {
			erasures = append(erasures, int(x))
		}
		if _, err := d.Correct(word, erasures); err != nil {
			return
		}
		require.Equal(t, make([]uint64, d.n-d.k), d.syndromes(word))
	})
}
