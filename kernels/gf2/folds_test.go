package gf2

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// defined folds runs of elements, which are numbers of one bit each here, or undoes it.
func defined(x []byte, run, shift int, back bool) {
	half := run / 2
	for at := 0; at < len(x); at += run {
		for j := range half {
			if !back {
				j = half - 1 - j
			}
			x[at+j+shift] ^= x[at+half+j]
		}
	}
}

// lane returns byte j of all elements of level k.
func lane(v []byte, k, j int) (x []byte) {
	for i := range len(v) >> k {
		x = append(x, v[(i/64<<k+j)*64+i%64])
	}
	return x
}

// folded checks that v is what before was, but for folds.
func folded(t *testing.T, before, v []byte, k int, list []fold, unit int, back bool) {
	t.Helper()
	list = slices.Clone(list)
	if back {
		slices.Reverse(list)
	}
	for j := range 1 << k {
		want := lane(before, k, j)
		for _, f := range list {
			defined(want, f.run*unit, f.shift*unit, back)
		}
		require.Equal(t, want, lane(v, k, j), "plane %d, back %v", j, back)
	}
}

// Folds of tiles do all parts of all blocks, and their inverses undo them.
func TestFold(t *testing.T) {
	each(t, Levels, func(t *testing.T, r *rand.Rand, s *Set, k int) {
		for s1 := range 6 {
			half, blocks := 1<<r.IntN(4), 1+r.IntN(3)
			v, check := guarded(t, r, blocks*2*half*64<<k)
			before := slices.Clone(v)
			cut := r.IntN(half)
			parts := func(do func(v *byte, blocks, half, from, to, t int)) {
				if blocks == 1 && cut > 0 {
					do(&v[0], blocks, half, 0, cut, s1)
					do(&v[0], blocks, half, cut, half, s1)
					return
				}
				do(&v[0], blocks, half, 0, half, s1)
			}
			list := []fold{{2 * half * 64, 1 << s1}}
			parts(s.Fold[k])
			folded(t, before, v, k, list, 1, false)
			parts(s.FoldT[k])
			require.Equal(t, before, v)
			check()
		}
	})
}

// Rows are folded with nothing between them, or something.
func TestFoldRows(t *testing.T) {
	each(t, 1, func(t *testing.T, r *rand.Rand, s *Set, _ int) {
		for c := range 4 {
			do, undo, list := s.Sixteen, s.SixteenT, sixteenFolds
			if c < 3 {
				do, undo, list = s.Expand[c], s.ExpandT[c], expansion(c+1)
			}
			rows, n := list[0].run, 64*(1+r.IntN(3))
			stride := n + 64*r.IntN(2)
			runs := 1 + r.IntN(3)
			v, check := guarded(t, r, stride*(runs*rows-1)+n)
			before := slices.Clone(v)
			do(&v[0], runs, stride, n)
			want, column := slices.Clone(before), make([]byte, runs*rows)
			for i := range n {
				for j := range column {
					column[j] = before[j*stride+i]
				}
				for _, f := range list {
					defined(column, f.run, f.shift, false)
				}
				for j := range column {
					want[j*stride+i] = column[j]
				}
			}
			require.Equal(t, want, v, "kernel %d", c)
			undo(&v[0], runs, stride, n)
			require.Equal(t, before, v, "kernel %d", c)
			check()
		}
	})
}

// Steps fold runs inside planes, one after the other, in any number of planes.
func TestLanes(t *testing.T) {
	each(t, 1, func(t *testing.T, r *rand.Rand, s *Set, _ int) {
		for run := 4; run <= 64; run *= 2 {
			for shift := 1; shift <= run/4; shift *= 2 {
				planes := 1 + r.IntN(20)
				v, check := guarded(t, r, 64*planes)
				before := slices.Clone(v)
				steps := []Step{FoldStep(run, shift, false), FoldStep(4, 1, false), FoldStep(4, 1, true),
					FoldStep(run, shift, true)}
				s.Lanes(&v[0], planes, &steps[0][0], 2)
				folded(t, before, v, 0, []fold{{run, shift}, {4, 1}}, 1, false)
				s.Lanes(&v[0], planes, &steps[2][0], 2)
				require.Equal(t, before, v)
				check()
			}
		}
	})
}

// Rows are copied from where they are to where they are to be, with nothing between them or something, and past the
// caches as well.
func TestCopy(t *testing.T) {
	each(t, 1, func(t *testing.T, r *rand.Rand, s *Set, _ int) {
		rows, n := 1+r.IntN(20), 64*(1+r.IntN(5))
		to, from := n+64*r.IntN(3), n+64*r.IntN(3)
		z, check := guarded(t, r, to*(rows-1)+n)
		x, want := draw(r, from*(rows-1)+n), slices.Clone(z)
		for i := range rows {
			copy(want[i*to:][:n], x[i*from:])
		}
		s.Copy(&z[0], &x[0], rows, n, to, from)
		require.Equal(t, want, z)
		check()
		if s.Stream == nil {
			return
		}
		all := draw(r, len(z)+2*64)
		skip := -int(uintptr(unsafe.Pointer(&all[0]))) & 63
		all = all[skip : skip+len(z)+64]
		want = slices.Clone(all)
		for i := range rows {
			copy(want[i*to:][:n], x[i*from:])
		}
		s.Stream(&all[0], &x[0], rows, n, to, from)
		require.Equal(t, want, all, "past the caches")
	})
}

// Rows come in where others go out, and nothing else changes.
func TestSwap(t *testing.T) {
	each(t, 1, func(t *testing.T, r *rand.Rand, s *Set, _ int) {
		if s.Swap == nil {
			t.Skip("there is none")
		}
		rows, n := 1+r.IntN(20), 64*(1+r.IntN(5))
		stride := n + 64*r.IntN(3)
		v, check := guarded(t, r, rows*n)
		x, all := draw(r, stride*(rows-1)+n), draw(r, stride*rows+2*64)
		all = all[-int(uintptr(unsafe.Pointer(&all[0])))&63:]
		want, in := slices.Clone(all), slices.Clone(v)
		for i := range rows {
			copy(want[i*stride:], v[i*n:(i+1)*n])
			copy(in[i*n:], x[i*stride:][:n])
		}
		s.Swap(&v[0], &all[0], &x[0], rows, n, stride)
		require.Equal(t, want, all)
		require.Equal(t, in, v)
		check()
	})
}

func TestAdd(t *testing.T) {
	each(t, 1, func(t *testing.T, r *rand.Rand, s *Set, _ int) {
		for planes := 1; planes < 12; planes++ {
			z, check := guarded(t, r, 64*planes)
			x := draw(r, len(z))
			want := slices.Clone(z)
			for i := range want {
				want[i] ^= x[i]
			}
			s.Add(&z[0], &x[0], planes)
			require.Equal(t, want, z)
			check()
		}
	})
}
