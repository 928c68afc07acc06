package linear

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// sum is what Set.Sums makes of a byte of each row.
func sum(maps [][8]byte, bytes []byte) (z byte) {
	for i, b := range bytes {
		for j, image := range maps[i] {
			if b>>j&1 != 0 {
				z ^= image
			}
		}
	}
	return z
}

// trySums has sums of maps of rows, of which results alone are written.
func trySums(t *testing.T, r *rand.Rand, s *Set, outputs int, stream bool) {
	t.Helper()
	for range 10 {
		try(t, r, s, outputs, 1+r.IntN(20), Step*(1+r.IntN(11)), stream)
	}
}

func try(t *testing.T, r *rand.Rand, s *Set, outputs, count, n int, stream bool) {
	t.Helper()
	const around = Step
	rows := func(k int) (list [][]byte, pointers []*byte) {
		for range k {
			row := fenced(t, n+2*around, true) // a multiple of Step before the end of a page
			for i := range row {
				row[i] = byte(r.Uint32())
			}
			list, pointers = append(list, row), append(pointers, &row[around])
		}
		return list, pointers
	}
	x, from := rows(count)
	z, to := rows(outputs)
	kernel := s.Sums[outputs-1]
	if stream {
		kernel = s.Stream[outputs-1]
	}
	want := slices.Clone(z)
	m := make([]byte, s.Size*outputs*count)
	for j := range outputs {
		maps := make([][8]byte, count)
		for i := range maps {
			for b := range 8 {
				maps[i][b] = byte(r.Uint32())
			}
			s.Prepare(m[s.Size*(i*outputs+j):], maps[i])
		}
		want[j] = slices.Clone(z[j])
		for k := around; k < around+n; k++ {
			bytes := make([]byte, count)
			for i := range x {
				bytes[i] = x[i][k]
			}
			want[j][k] = sum(maps, bytes)
		}
	}
	kernel(&to[0], &from[0], count, &m[0], n)
	require.Equal(t, want, z, "%s: %d from %d rows of %d", s.Form, outputs, count, n)
}
