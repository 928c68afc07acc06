package binary

import (
	"fmt"
	"math/big"
	"math/bits"
	"math/rand/v2"

	"github.com/galfft/fft/field"
)

// word is elements of fields of up to 64 bits.
type word interface {
	uint8 | uint16 | uint32 | uint64
}

// Normal is a normal basis β, β², β⁴, … of GF(2^m), m at most 64: bit i of an element in it is the factor of β^(2^i),
// so that a square is a rotation. Optimal ones, whose table of products has 2m − 1 ones in place of about m²/2, exist
// for 27 of these m: R. Mullin, I. Onyszchuk, S. Vanstone, R. Wilson, Discrete Appl. Math. 22 (1989). It is immutable
// and safe for concurrent use. Elements passed to its methods have no bits from m on; methods panic on nil.
type Normal[E word] struct {
	f        *Field[E]
	m        int
	to, from []E // the images of single bits, from and to the basis of f
	table    []E // bit j of row i is the factor of β in β^(2^i)·β^(2^j)
}

// NewNormal returns the optimal normal basis of f where there is one, of the first type before the second, and else
// the one of the first β of a fixed pseudo-random sequence whose conjugates are independent. The error is
// [field.ErrSpec] where f is none.
func NewNormal[E word](f *Field[E]) (*Normal[E], error) {
	if err := field.Check(f); err != nil {
		return nil, err
	}
	beta, ok, err := optimal(f)
	if err != nil {
		return nil, err
	}
	if ok {
		return newNormal(f, beta)
	}
	for r := rand.New(rand.NewPCG(0, 0)); ; { // about one in four or more has independent conjugates
		f.Random(&beta, r)
		if n, err := newNormal(f, beta); err == nil {
			return n, nil
		}
	}
}

// optimal returns an element whose conjugates are an optimal normal basis, where f has one. For a prime m + 1 modulo
// which 2 generates all units it is a root of unity of that order. For a prime q = 2m + 1 modulo which 2 generates all
// units, or all squares and −1 is none, it is ζ + 1/ζ for a root of unity ζ of order q, in GF(2^m) or its square: a
// zero of the last of the polynomials 1, x + 1, …, g_i = x·g_(i−1) + g_(i−2), g_m.
func optimal[E word](f *Field[E]) (beta E, ok bool, err error) {
	m := f.Degree()
	if q := m + 1; prime(q) && order(q) == m {
		return beta, true, f.RootOfUnity(&beta, uint64(q))
	}
	if q := 2*m + 1; !prime(q) || order(q) != 2*m && (q&3 != 3 || order(q) != m) {
		return beta, false, nil
	}
	below, g := [2]uint64{1}, [2]uint64{3} // of up to 65 bits
	for range m - 1 {
		below, g = g, [2]uint64{g[0]<<1 ^ below[0], g[1]<<1 ^ g[0]>>63 ^ below[1]}
	}
	modulus := new(big.Int).Lsh(new(big.Int).SetUint64(g[1]), 64)
	from, err := NewModulus[E](modulus.Or(modulus, new(big.Int).SetUint64(g[0])))
	if err != nil {
		return beta, false, err
	}
	to, err := NewIsomorphism(from, f)
	if err != nil {
		return beta, false, err
	}
	x := []E{2} // the generator of from
	err = to.Map(x, x)
	return x[0], true, err
}

func prime(q int) bool {
	for d := 2; d*d <= q; d++ {
		if q%d == 0 {
			return false
		}
	}
	return true
}

// order is that of 2 modulo an odd q.
func order(q int) int {
	n := 1
	for x := 2 % q; x != 1; x = 2 * x % q {
		n++
	}
	return n
}

// newNormal makes the tables of β, whose conjugates may turn out to be dependent.
func newNormal[E word](f *Field[E], beta E) (*Normal[E], error) {
	m := f.Degree()
	n := &Normal[E]{f: f, m: m, from: make([]E, m), to: make([]E, m), table: make([]E, m)}
	for i := range m {
		n.from[i] = beta
		f.Square(&beta, &beta)
	}
	// Rows are a conjugate, and its bit; they are brought to single bits of f's basis.
	rows := append([]E(nil), n.from...)
	parts := make([]E, m)
	for i := range m {
		parts[i] = 1 << i
	}
	for i := range m {
		pivot := i
		for pivot < m && rows[pivot]>>i&1 == 0 {
			pivot++
		}
		if pivot == m {
			return nil, fmt.Errorf("fft: %w: the conjugates of %#x are dependent", field.ErrSpec, n.from[0])
		}
		rows[i], rows[pivot] = rows[pivot], rows[i]
		parts[i], parts[pivot] = parts[pivot], parts[i]
		for j := range m {
			if j != i && rows[j]>>i&1 == 1 {
				rows[j] ^= rows[i]
				parts[j] ^= parts[i]
			}
		}
	}
	n.to = parts
	for i := range m {
		for j := range m {
			var p E
			f.Mul(&p, &n.from[i], &n.from[j])
			n.table[i] |= n.To(p) & 1 << j
		}
	}
	return n, nil
}

// Complexity is the number of ones in the table of products, 2m − 1 for optimal bases.
func (n *Normal[E]) Complexity() int {
	ones := 0
	for _, row := range n.table {
		ones += bits.OnesCount64(uint64(row))
	}
	return ones
}

// To returns an element of the field in the normal basis.
func (n *Normal[E]) To(x E) E { return image(n.to, x) }

// From returns an element of the normal basis in the field's basis.
func (n *Normal[E]) From(x E) E { return image(n.from, x) }

func image[E word](rows []E, x E) (z E) {
	for ; x != 0; x &= x - 1 {
		z ^= rows[bits.TrailingZeros64(uint64(x))]
	}
	return z
}

// Square returns x² of an element in the normal basis: its bits one place up, the last first.
func (n *Normal[E]) Square(x E) E { return n.rotate(x, 1) }

// rotate moves bits s places up, s below m.
func (n *Normal[E]) rotate(x E, s int) E { return (x<<s | x>>(n.m-s)) & (E(1)<<(n.m-1)<<1 - 1) }

// Mul returns x·y of elements in the normal basis: bit k is the sum over the ones of the one table, of x and y k places
// down.
func (n *Normal[E]) Mul(x, y E) (z E) {
	for k := range n.m {
		a, b := n.rotate(x, (n.m-k)%n.m), n.rotate(y, (n.m-k)%n.m)
		var sum int
		for ; a != 0; a &= a - 1 {
			sum += bits.OnesCount64(uint64(n.table[bits.TrailingZeros64(uint64(a))] & b))
		}
		z |= E(sum&1) << k
	}
	return z
}
