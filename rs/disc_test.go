package rs

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/testscale"
	"github.com/stretchr/testify/require"
)

// Every mixture of errors and erasures with 2e + s at most n − k is corrected.
func TestDisc(t *testing.T) {
	for _, d := range discs {
		t.Run(d.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, uint64(d.n)))
			code, err := NewDisc(d.name)
			require.NoError(t, err)
			n, k := code.Size()
			for erasures := 0; erasures <= n-k; erasures++ {
				for errors := 0; 2*errors+erasures <= n-k; errors++ {
					for range 4 * testscale.Of(t) {
						word := random(r, 1, n)[0]
						require.NoError(t, code.Encode(word))
						for j := range n - k { // a root is a root
							var sum byte
							for _, b := range word {
								sum = times(sum, powers[j]) ^ b
							}
							require.Zero(t, sum)
						}
						bad, order := slices.Clone(word), r.Perm(n)
						for _, at := range order[:erasures+errors] {
							bad[at] ^= byte(1 + r.IntN(255))
						}
						count, err := code.Correct(bad, order[:erasures])
						require.NoError(t, err)
						require.Equal(t, erasures+errors, count)
						require.Equal(t, word, bad)
					}
				}
			}
		})
	}
}

// Encode leaves the data as it is, and random words are refused or become words.
func TestDiscBeyond(t *testing.T) {
	for _, d := range discs {
		r := rand.New(rand.NewPCG(2, uint64(d.n)))
		refused := 0
		for range 50 {
			word := random(r, 1, d.n)[0]
			before := slices.Clone(word)
			if _, err := d.Correct(word, nil); err != nil {
				require.ErrorIs(t, err, ErrBeyond)
				require.Equal(t, before, word)
				refused++
			}
			copy(word, before)
			require.NoError(t, d.Encode(word))
			copy(before[d.first:][:d.n-d.k], word[d.first:])
			require.Equal(t, before, word)
		}
		require.Positive(t, refused, d.name)
		_, err := d.Correct(make([]byte, d.n), make([]int, 2))
		require.ErrorIs(t, err, field.ErrSpec)
		_, err = d.Correct(make([]byte, d.n), rand.Perm(d.n)[:d.n-d.k+1])
		require.ErrorIs(t, err, ErrBeyond)
		_, err = d.Correct(make([]byte, d.n-1), nil)
		require.ErrorIs(t, err, ErrSize)
	}
}
