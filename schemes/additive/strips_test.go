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
func (sizes) Scales() int       { return 8 }

// Strips of whole tiles are copied by tiles, others element by element, which takes more than all else.
func TestStrips(t *testing.T) {
	for _, s := range []sizes{{nil, 1, 64}, {nil, 8, 64}, {nil, 16, 64}, {nil, 8, 1}} {
		for m := range 31 {
			t.Run(fmt.Sprint(s.element, "/", s.tile, "/", m), func(t *testing.T) {
				c := &Basis{f: s, folder: s, n: 1 << m}
				c.hold(0)
				block := c.cut(m)
				c.split(expansions(nil, m, 1), block)
				if block < m {
					c.stages = append(c.stages, strips(t, c, m, block)...)
				}
				for i := range c.stages {
					if s := &c.stages[i]; s.row > 0 {
						side := c.side(s, 1)
						require.Zero(t, side%c.folder.Tile())
						if s.sums() {
							require.GreaterOrEqual(t, c.f.Bytes(side), least)
							require.LessOrEqual(t, c.f.Bytes(c.n/s.row*side), c.strip/2)
						} else {
							require.GreaterOrEqual(t, c.f.Bytes(side), c.shortest())
							require.LessOrEqual(t, c.f.Bytes(c.size(s)/s.row*side), c.strip)
						}
					}
				}
			})
		}
	}
}

// strips returns those of a plan with products. The cuts and what is left of each level are in order, and each level is
// there once.
func strips(t *testing.T, c *Basis, m, block int) (stages []stage) {
	plan := c.plan(m, block)
	for k := 0; k < m; k = plan[k].next {
		g, high := plan[k], m
		some := g.next - k
		require.Positive(t, some)
		for i := len(g.cuts); i >= 0; i-- {
			low := k
			if i > 0 {
				low = g.cuts[i-1]
			}
			require.Less(t, low, high)
			s := stage{block: 1 << m}
			if i < len(g.cuts) {
				s.block = 1 << (high + some)
			}
			if i > 0 || g.rows {
				s.row, s.list = 1<<low, list{folds: make([]bulks.Fold, 1)}
				stages = append(stages, s)
			} else {
				require.LessOrEqual(t, s.block, 1<<block)
			}
			high = low
		}
	}
	return stages
}

// A visit of a skew takes whole tiles, no fewer columns than are before them, and fits in a strip.
func TestSkew(t *testing.T) {
	found := 0
	for _, s := range []sizes{{nil, 1, 64}, {nil, 4, 64}, {nil, 8, 64}, {nil, 16, 64}, {nil, 8, 1}, {nil, 16, 1}} {
		for m := range 31 {
			for _, cache := range []int{0, 1, 1 << 10} {
				c := &Basis{f: s, folder: s, n: 1 << m}
				c.hold(cache)
				k := c.newSkew(m)
				if k == nil {
					continue
				}
				found++
				shifts := 0
				for _, f := range k.folds {
					shifts += f.Shift
				}
				require.GreaterOrEqual(t, k.before, shifts)
				require.Zero(t, k.before%s.tile)
				require.Zero(t, k.columns%k.before)
				require.Zero(t, c.n/k.rows%k.columns)
				require.LessOrEqual(t, k.columns+k.before, c.n/k.rows)
				require.LessOrEqual(t, s.Bytes(k.rows*(k.columns+k.before)), c.strip)
				require.Equal(t, k.rows, k.folds[0].Run)
			}
		}
	}
	require.Greater(t, found, 20)
}
