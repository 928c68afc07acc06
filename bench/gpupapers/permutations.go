package main

import (
	"errors"
	"fmt"
	"math/bits"

	"github.com/galfft/fft/field/gfpf"
)

// permutations are stride permutations of vectors of 2^20 elements, a matrix after the other, beside a copy.
func permutations(s *session) error {
	return errors.Join(
		permutationsOf(newDigits(s, gfpf.P3()), [][2]int{{4, 4}, {4, 8}, {4, 12}, {4, 16}, {8, 8}, {8, 12}}),
		permutationsOf(newDigits(s, gfpf.P4()), [][2]int{{5, 5}, {5, 10}, {5, 15}, {10, 10}}))
}

// permutationsOf takes logarithms of rows and columns.
func permutationsOf[E gfpf.Digits](g *digits[E], shapes [][2]int) error {
	n := 1 << min(20, g.s.most)
	x := g.samples(n, 5)
	bytes := 2 * 8 * g.k * n
	for _, layout := range layouts {
		v, err := vectors(g, layout, x, nil)
		if err != nil {
			return err
		}
		l := line{Field: g.f.Name(), N: n, Layout: layout, Case: "copy"}
		if err := g.s.report(l, nil, bytes, g.s.copied(v[0], v[1], bytes/2)); err != nil {
			return err
		}
		for _, shape := range shapes {
			rows, columns := shape[0], shape[1]
			if n < 1<<(rows+columns) {
				continue
			}
			want := make([]E, n)
			for i := range want {
				matrix, at := i>>(rows+columns)<<(rows+columns), i&(1<<(rows+columns)-1)
				want[i] = x[matrix+at&(1<<rows-1)<<columns+at>>rows]
			}
			l.Case = fmt.Sprintf("%d × %d", 1<<rows, 1<<columns)
			side := bits.Len(uint(g.k)) // logarithm of 2k
			tiles := 1 << (rows + columns - 2*side)
			blocks := []int{1}
			for b := 8; layout == planes && b < tiles; b *= 64 {
				blocks = append(blocks, b)
			}
			if layout == planes && tiles > 1 {
				blocks = append(blocks, tiles)
			}
			for _, several := range blocks {
				k := kernel{fmt.Sprint("permute", g.k), [2]int{n >> (rows + columns) * several, g.k}, 256,
					8 << side * (1<<side + 1)}
				args := []uint64{v[0].At, v[1].At, uint64(n), uint64(rows), uint64(columns), uint64(several)}
				l.Blocks = several
				if layout == elements {
					k = kernel{fmt.Sprint("move", g.k), [2]int{n / 256, 1}, 256, 0}
					args, l.Blocks = args[:5], 0
				}
				c, err := g.s.launch(k, args...)
				if err != nil {
					return err
				}
				if err := errors.Join(g.s.d.Stream().Fill(driverPointer(v[0]), 0, bytes/2), c()); err != nil {
					return err
				}
				if err := g.same(fmt.Sprintf("%s by %d blocks", l.Case, several), v[0], want, layout); err != nil {
					return err
				}
				if err := g.s.report(l, &k, bytes, c); err != nil {
					return err
				}
			}
			l.Blocks = 0
		}
		if err := release(v); err != nil {
			return err
		}
	}
	return nil
}
