package gf2

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/galfft/fft/internal/testscale"
)

// Kernels read and write nothing outside of what they are given, wherever it ends: pages beside it are not theirs.
func TestFences(t *testing.T) {
	each(t, Levels, func(t *testing.T, r *rand.Rand, s *Set, k int) {
		const lanes = Lanes
		n := 1 << k
		for _, last := range []bool{false, true} {
			bytes := func(n int) []byte {
				x := fenced(t, n, last)
				copy(x, draw(r, n))
				return x
			}
			p := func(n int) *byte { return &bytes(n)[0] }
			tiles := 1 + r.IntN(2*testscale.Of(t))
			size := tiles * n * lanes
			v, x := bytes(size), bytes(size)
			matrix := (*uint64)(unsafe.Pointer(p(8 * len(s.Maps(make([]uint64, n*n))))))
			s.Pack[k](&v[0], &x[0], tiles, matrix)
			s.Unpack[k](&v[0], &x[0], tiles, matrix)
			if s.PackBytes[k] != nil {
				one := (*uint64)(unsafe.Pointer(p(8 * len(s.Maps(make([]uint64, 1))))))
				s.PackBytes[k](&v[0], &x[0], tiles, one)
				s.UnpackBytes[k](&v[0], &x[0], tiles, one)
			}
			s.Mul[k](&v[0], &x[0], p(size), tiles)
			for shift := range 8 {
				at := r.IntN(3)
				s.Scale[k](&v[0], tiles, p(n*lanes*((lanes*(at+tiles)-1)>>shift/lanes+1)), shift, at)
			}
			s.Interleave(&v[0], &x[0], tiles*n)
			s.Separate(&v[0], &x[0], tiles*n)
			s.Add(&v[0], &x[0], tiles*n)
			s.Copy(&v[0], &x[0], tiles, n*lanes, n*lanes, n*lanes)
			if s.Stream != nil {
				s.Stream(&v[0], &x[0], tiles, n*lanes, n*lanes, n*lanes)
			}
			if s.Swap != nil {
				s.Swap(&v[0], p(tiles*n*lanes), &x[0], tiles, n*lanes, n*lanes)
			}
			step := FoldStep(8, 2, false)
			steps := bytes(2 * len(step))
			copy(steps, step[:])
			copy(steps[len(step):], step[:])
			s.Lanes(&v[0], tiles*n, &steps[0], 2)
			for shift := range 6 {
				half := 1 << r.IntN(3)
				y := p(tiles * 2 * half * n * lanes)
				s.Fold[k](y, tiles, half, 0, half, shift)
				s.FoldT[k](y, tiles, half, 0, half, shift)
			}
			for c := range 4 {
				rows, do, undo := 16, s.Sixteen, s.SixteenT
				if c < 3 {
					rows, do, undo = 4<<c, s.Expand[c], s.ExpandT[c]
				}
				y := p(2 * rows * tiles * lanes)
				do(y, 2, tiles*lanes, tiles*lanes)
				undo(y, 2, tiles*lanes, tiles*lanes)
			}
			if k == Constants {
				continue
			}
			for count := 1; count <= s.MaxLayers[k]; count++ {
				y, w := p(size<<count), p((1<<count-1)*Size(k))
				s.Layers[k][count-1](y, size, size, w)
				s.LayersT[k][count-1](y, size, size, w)
				if do, undo := s.Blocks[k][count-1], s.BlocksT[k][count-1]; do != nil {
					y, w, delta := p(3*size<<count), p(lanes), p(2*lanes)
					do(y, size, size, 3, w, delta, 0)
					undo(y, size, size, 3, w, delta, 0)
				}
			}
			s.AddTimes[k](&v[0], &x[0], tiles, n*lanes, p(Size(k)))
			base, delta := p(TailSize(k)), p(2*TailSize(k))
			for layers := 2; layers <= 7; layers++ {
				for _, groups := range []int{15, 8 >> k, max(1, 4>>k)} { // of each number that kernels take together
					y, parts := p(2*tiles*groups*n*lanes), p(layers*Parts(k)*lanes)
					s.Tail[k](y, tiles, groups, layers, parts, base, delta, 0)
					s.TailT[k](y, tiles, groups, layers, parts, base, delta, 0)
				}
			}
		}
	})
}
