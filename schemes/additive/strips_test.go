package additive

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field/bulks"
)

// sizes is the memory of elements of so many bytes, so many to a tile.
type sizes struct {
	bulks.Spanner
	element, tile int
}

func (s sizes) Bytes(n int) int { return s.element * n }
func (s sizes) Tile() int       { return s.tile }

// Strips of whole tiles are copied by tiles, others element by element, which takes more than all else.
func TestStrips(t *testing.T) {
	for _, s := range []sizes{{nil, 1, 64}, {nil, 8, 64}, {nil, 16, 64}, {nil, 8, 1}} {
		for m := range 31 {
			t.Run(fmt.Sprint(s.element, "/", s.tile, "/", m), func(t *testing.T) {
				c := &Basis{f: s, folder: s, n: 1 << m}
				block, some := c.cut(m)
				c.split(expansions(nil, m, 1), block)
				if some > 0 { // those of build
					products := stage{row: 1 << (block - some)}
					products.folds = make([]bulks.Fold, 1)
					c.stages = append(c.stages, products)
				}
				for i := range c.stages {
					if s := &c.stages[i]; s.row > 0 {
						side := c.side(s, 1)
						require.Zero(t, side%c.folder.Tile())
						require.GreaterOrEqual(t, c.f.Bytes(side), least)
						if s.sums() {
							require.LessOrEqual(t, c.f.Bytes(c.n/s.row*side), strip/2)
						}
					}
				}
			})
		}
	}
}
