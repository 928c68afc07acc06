package residues

import "math/bits"

// Numbers takes packed numbers of so many words to residues: by kernels where they serve, and one by one elsewhere. It
// is immutable.
type Numbers struct {
	width, bits int
	vectors     *Projector // nil: none
	moduli      []Modulus
	powers      []Powers
	below       bool     // numbers are words below all primes
	ones        []uint64 // ⌊2⁶⁴/p⌋
}

// NewNumbers returns that for the primes and numbers of at most so many bits.
func NewNumbers(primes []uint64, width, size int) *Numbers {
	s := &Numbers{width: width, bits: size, below: width == 1}
	for _, q := range primes {
		m := NewModulus(q)
		one, _ := bits.Div64(1, 0, q)
		s.moduli, s.ones = append(s.moduli, m), append(s.ones, one)
		s.below = s.below && size < bits.Len64(q)
	}
	if s.below {
		return s
	}
	if s.vectors = NewProjector(primes, width, size); s.vectors == nil {
		for _, m := range s.moduli {
			s.powers = append(s.powers, m.NewPowers(64))
		}
	}
	return s
}

// NewRoom returns what a call needs, nil where that is nothing.
func (s *Numbers) NewRoom() *ProjectorRoom {
	if s.vectors == nil {
		return nil
	}
	return s.vectors.NewRoom()
}

// Bytes is the memory of s.
func (s *Numbers) Bytes() int {
	n := 8 * (3*len(s.moduli) + len(s.powers)*len(Powers{}))
	if s.vectors != nil {
		n += s.vectors.Bytes()
	}
	return n
}

// RoomBytes is the memory of a room.
func (s *Numbers) RoomBytes() int {
	if s.vectors == nil {
		return 0
	}
	return s.vectors.RoomBytes()
}

// Residues sets r[i][from+j] to the residue of number j of x modulo prime i. The numbers follow each other.
func (s *Numbers) Residues(room *ProjectorRoom, r [][]uint64, from int, x []uint64) {
	switch {
	case s.below:
		for _, row := range r {
			copy(row[from:], x)
		}
	case s.vectors != nil:
		s.vectors.Project(room, r, from, x, s.bits)
	case s.width == 1:
		for i, row := range r {
			q, one := s.moduli[i].P, s.ones[i]
			z := row[from:][:len(x)]
			for j, v := range x { // the quotient is at most 1 too small
				h, _ := bits.Mul64(v, one)
				v -= h * q
				z[j] = min(v, v-q)
			}
		}
	default:
		for i, row := range r {
			for j := range len(x) / s.width {
				row[from+j] = Residue(s.moduli[i], &s.powers[i], x[j*s.width:][:s.width])
			}
		}
	}
}
