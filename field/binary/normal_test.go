package binary

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// Degrees with optimal normal bases: the list for m up to 64 of R. Mullin and others.
var optimalDegrees = []int{2, 3, 4, 5, 6, 9, 10, 11, 12, 14, 18, 23, 26, 28, 29, 30, 33, 35, 36, 39, 41, 50, 51, 52, 53,
	58, 60}

// Elements go to the normal basis and back, and sums, squares and products are those of the field: for all pairs to
// m = 8, for random ones above. 27 degrees have optimal bases.
func TestNormal(t *testing.T) {
	var found []int
	for m := 2; m <= 64; m++ {
		var optimal bool
		switch {
		case m <= 8:
			optimal = normal[uint8](t, m)
		case m <= 16:
			optimal = normal[uint16](t, m)
		case m <= 32:
			optimal = normal[uint32](t, m)
		default:
			optimal = normal[uint64](t, m)
		}
		if optimal {
			found = append(found, m)
		}
	}
	require.Equal(t, optimalDegrees, found)
}

func normal[E word](t *testing.T, m int) bool {
	f, err := New[E](m)
	require.NoError(t, err)
	n, err := NewNormal(f)
	require.NoError(t, err)
	pair := func(x, y E) {
		var want E
		a, b := n.To(x), n.To(y)
		if n.From(a) != x || n.To(x^y) != a^b {
			t.Fatalf("m %d: %#x is %#x in the normal basis", m, x, a)
		}
		if f.Square(&want, &x); n.From(n.Square(a)) != want {
			t.Fatalf("m %d: the square of %#x is %#x, want %#x", m, x, n.From(n.Square(a)), want)
		}
		if f.Mul(&want, &x, &y); n.From(n.Mul(a, b)) != want {
			t.Fatalf("m %d: %#x·%#x is %#x, want %#x", m, x, y, n.From(n.Mul(a, b)), want)
		}
	}
	if m <= 8 {
		for x := range 1 << m {
			for y := range 1 << m {
				pair(E(x), E(y))
			}
		}
	}
	r := rand.New(rand.NewPCG(uint64(m), 1))
	for range 20 {
		var x, y E
		f.Random(&x, r)
		f.Random(&y, r)
		pair(x, y)
	}
	require.GreaterOrEqual(t, n.Complexity(), 2*m-1)
	return n.Complexity() == 2*m-1
}
