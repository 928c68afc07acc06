package gpu

import (
	"testing"

	"github.com/galfft/fft/internal/engine/choice"
	"github.com/stretchr/testify/require"
)

// Layers of all passes are those of the transform, and passes of long transforms have fixed shapes.
func TestDivided(t *testing.T) {
	for n := 1; n <= 32; n++ {
		passes := tilePasses(choice.Divided(n), 4)
		layer := 0
		for i, p := range passes {
			require.Equal(t, layer, p.first, "2^%d: %v", n, passes)
			layer += p.layers
			if i == len(passes)-1 {
				require.Zero(t, p.stride)
				require.Zero(t, p.columns)
				require.LessOrEqual(t, p.layers, choice.MostContiguous)
				continue
			}
			require.Equal(t, n-layer, p.stride)
			require.Equal(t, 4, p.columns)
			require.Equal(t, p.layers+4, p.size)
			if n <= 28 {
				require.True(t, p.layers >= 5 && p.layers <= 8, "2^%d: %v", n, passes)
			}
		}
		require.Equal(t, n, layer, "2^%d: %v", n, passes)
	}
}

// The elements that the threads of a stage take are all elements of the tile, each once, and their places in shared
// memory are apart: the index maps of kernels/cuda/pass.cuh and fixed.cuh.
func TestIndexMaps(t *testing.T) {
	for size := 9; size <= 13; size++ {
		for layers := 1; layers <= eachThread; layers++ {
			for position := 0; position+layers <= size; position++ {
				seen := map[int]bool{}
				for thread := range 1 << (size - layers) {
					i := thread>>position<<(position+layers) | thread&(1<<position-1)
					for j := range 1 << layers {
						k := i + j<<position
						require.Equal(t, padded(k), padded(i)+padded(j<<position))
						seen[padded(k)] = true
					}
				}
				require.Len(t, seen, 1<<size)
				require.LessOrEqual(t, 8*(padded(1<<size-1)+1), tileBytes(size, 8))
			}
		}
	}
}

// padded is that of pass.cuh, for words of 64 bits.
func padded(i int) int { return i + i>>4 }
