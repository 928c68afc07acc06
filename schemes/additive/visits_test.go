package additive

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field/bulks"
)

// leveled returns the stage of strips of rows of 2^low elements, with some levels from the bits [low, high) on; top
// says that there are no bits above.
func leveled(low, high, some int, top bool) *stage {
	s := &stage{row: 1 << low}
	for t := range some {
		from, to := t, high-low
		if !top {
			to += t
		}
		s.folds = append(s.folds, bulks.Fold{})
		table := struct{ bulks.Table }{}
		s.products = append(s.products, product{into: table, from: table, every: 1 << to, run: 1 << from})
		run := 2 << to
		if top {
			run = 1 << to
		}
		for ; run > 2<<from; run /= 2 {
			s.fold(bulks.Fold{Run: run, Shift: run / 4})
		}
	}
	return s
}

// Visits are all of a stage in its order, and windows fit where they belong: rows of them have one factor each.
func TestVisits(t *testing.T) {
	joined := 0 // products inside of windows
	for _, cache := range []int{1, 1 << 9, 0} {
		for bits := 3; bits <= 14; bits++ {
			for some := 1; some <= bits; some++ {
				for _, top := range []bool{true, false} {
					t.Run(fmt.Sprint(cache, bits, some, top), func(t *testing.T) {
						c := &Basis{f: sizes{nil, 8, 1}, folder: sizes{nil, 8, 1}, n: 1 << 30}
						c.hold(cache)
						s := leveled(16, 16+bits, some, top)
						c.setVisits(s)
						unit, at := c.side(s, 1), 0
						for _, v := range s.visits {
							if v.of == nil {
								require.Equal(t, s.folds[at:at+len(v.folds)], v.folds)
								at += len(v.folds)
								continue
							}
							require.Same(t, &s.products[at], v.of)
							require.Equal(t, s.folds[at+1].Run*unit, v.run)
							require.Zero(t, v.side%8)
							require.Equal(t, s.products[at].run*unit, v.row)
							require.Equal(t, !top, v.twice)
							require.Zero(t, v.row%v.side)
							require.GreaterOrEqual(t, v.run/v.row, 8)
							at += 3
							for i, f := range v.folds {
								joined += min(1, 1-min(1, f.Run))
								require.Equal(t, s.folds[at].Run*unit, f.Run*v.row)
								require.Equal(t, s.folds[at].Shift*unit, f.Shift*v.row)
								require.Equal(t, s.products[at].run*unit, v.products[i].run*v.row)
								require.Equal(t, s.products[at].every*unit, v.products[i].every*v.row)
								at++
							}
							if len(v.folds) > 0 {
								size := v.run / v.row * v.side
								require.LessOrEqual(t, 8*size, min(windows, c.blocks[1]))
								require.LessOrEqual(t, size, c.window)
							}
						}
						if s.visits != nil {
							require.Len(t, s.folds, at)
						}
					})
				}
			}
		}
	}
	require.Greater(t, joined, 100)
	s, without := leveled(16, 30, 14, true), apart{sizes{nil, 8, 1}}
	c := &Basis{f: without, folder: without, n: 1 << 30}
	c.hold(0)
	c.setVisits(s)
	require.Nil(t, s.visits)
}

// apart is sizes without kernels for products and folds.
type apart struct{ sizes }

func (apart) Scales() int { return 0 }

// Steps of some strips are as many as workers want, and none is left.
func TestTogether(t *testing.T) {
	for m := 16; m <= 30; m++ {
		c := &Basis{f: sizes{nil, 8, 1}, folder: sizes{nil, 8, 1}, n: 1 << m}
		c.hold(0)
		for low := 4; low < m-2; low++ {
			s := leveled(low, min(m, low+12), 2, low+12 >= m)
			strips := c.n / c.size(s) * s.row / c.side(s, 1)
			n := c.together(s, 1)
			require.Equal(t, strips, n*c.steps(s, 1))
			require.True(t, n == 1 || c.long() && c.steps(s, 1) >= 64)
			require.LessOrEqual(t, n, 8)
		}
	}
}
