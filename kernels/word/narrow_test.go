package word

import (
	"fmt"
	"math/bits"
	"testing"

	"github.com/stretchr/testify/require"
)

// narrow checks a narrow tail for rows of so many words, in all forms. Words behind the last block are left alone.
func (t *subject[W]) narrow(what string, width int, transpose bool) {
	hows := t.forms()
	if !transpose {
		for _, how := range hows {
			if how&Leave == 0 {
				hows = append(hows, how|Canonical)
			}
		}
	}
	for _, how := range hows {
		t.narrowBlocks(fmt.Sprintf("%s, rows of %d, how %b", what, width, how), width, transpose, how)
	}
}

func (t *subject[W]) narrowBlocks(what string, width int, transpose bool, how uint8) {
	wide, narrow := t.a.limits(t.p)
	in, out := wide, wide
	if transpose {
		in, out = narrow, narrow
	}
	if how&Canonical != 0 {
		out = t.p - 1
	}
	log := bits.Len(uint(t.s.Lanes/width)) - 1
	row, k := width<<log, t.s.Narrow[log].Tail
	if transpose {
		k = t.s.Narrow[log].T
	}
	places := t.s.Moves.Narrow(t.s.Lanes, width, transpose)
	off, count, rows := t.r.IntN(3), 1+t.r.IntN(4), NarrowVectors<<log
	n := count * rows * width
	v := t.vector(1+n, in)[1:] // of any alignment
	want := t.canonical(v)
	t.layers(want, shape{off: off, blocks: count, dist: width, rows: 1, width: width, stride: width,
		layers: bits.Len(uint(rows)) - 1}, transpose)
	if how&Open != 0 {
		for i := range v {
			v[i] = t.open(v[i], transpose)
		}
	}
	behind := t.vector(t.s.Lanes, in)
	all := append(append([]W(nil), v...), behind...)
	k(&all[0], &t.w[0], &t.q[0], &t.m[0], &places[0], off, count, row, 1<<row-1, how)
	v = all[:n]
	for i := range v {
		if how&Leave != 0 {
			v[i] = t.shut(v[i], transpose)
		}
	}
	t.compare(fmt.Sprintf("%s off %d, %d blocks", what, off, count), v, want, out)
	for i, x := range all[n:] {
		if x != behind[i] {
			t.problem("p = %d, %s: word %d behind the blocks was written", t.p, what, i)
		}
	}
}

// The lists for two columns in vectors of eight words: four rows each.
func TestNarrowPlaces(t *testing.T) {
	m := new(Moves[uint64])
	require.Equal(t, []uint64{
		0, 1, 8, 9, 2, 3, 10, 11,
		4, 5, 12, 13, 6, 7, 14, 15,
		0, 0, 1, 1, 0, 0, 1, 1,
		0, 0, 1, 1, 2, 2, 3, 3,
	}, m.Narrow(8, 2, false))
	require.Equal(t, []uint64{0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15}, m.Narrow(8, 2, true)[:16])
	require.Equal(t, []uint64{0, 1, 2, 8, 9, 10, 0, 0}, m.Narrow(8, 3, false)[:8])
}
