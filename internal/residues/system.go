package residues

import (
	"context"
	"math/big"
	"math/bits"

	"github.com/galfft/fft/kernels/rns"
)

// System is a residue number system: it takes integers of any size to residues modulo distinct odd primes below 2⁶³,
// and residues to the integers of [0, M) that have them, where M is the product of the primes. It is immutable.
//
// Back it goes by Garner's algorithm (Knuth, The Art of Computer Programming, volume 2, section 4.3.2) with one
// reduction a digit: x = d₀ + d₁·p₀ + d₂·p₀p₁ + …, where 0 ≤ dᵢ < pᵢ, so that with P_j = p₀…p_(j−1) and every constant
// known beforehand
//
//	dᵢ = (rᵢ − d₀P₀ − … − d_(i−1)P_(i−1))·Pᵢ⁻¹ mod pᵢ.
//
// Kernels convert blocks of elements, where they serve: the same sums as one by one, over limbs of 52 bits.
type System struct {
	Moduli  []Modulus
	M       *big.Int
	words   []uint64   // of M, low first
	half    []uint64   // of (M−1)/2, as many words
	powers  []Powers   // of the words of big.Int
	mixed   [][]uint64 // constants of digits, lifted
	columns []column   // words, or limbs, of P₀, P₁, …
	set     *rns.Set   // nil: no kernels serve
	joins   []uint64
	garner  []uint64   // of the kernel for so many primes; nil: there is none
	pair    *[4]uint64 // of the kernel for two primes; nil: there is none
	project *Projector // of set
	primes  []*[2]uint64
}

// NewSystem returns that of the primes. Time and memory are quadratic in their number. When ctx ends, its error is
// returned.
func NewSystem(ctx context.Context, primes []uint64) (*System, error) {
	s := &System{M: big.NewInt(1), Moduli: make([]Modulus, len(primes))}
	t := new(big.Int)
	for i, p := range primes {
		s.Moduli[i] = NewModulus(p)
		s.M.Mul(s.M, t.SetUint64(p))
	}
	s.words = split(s.M, 64, (s.M.BitLen()+63)/64)
	s.half = split(t.Rsh(s.M, 1), 64, len(s.words))
	size, count := 64, len(s.words)
	if limbs := s.M.BitLen()/rns.Limb + 1; max(len(primes), limbs) <= rns.Most {
		if s.project = NewProjector(primes, (limbs*rns.Limb+63)/64, limbs*rns.Limb); s.project != nil {
			s.set, size, count = rns.Active(), rns.Limb, limbs
			s.joins, _ = rns.Joins(len(s.words))
		}
	}
	for i, m := range s.Moduli {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s.powers = append(s.powers, m.NewPowers(bits.UintSize))
		row := s.mixedRow(i)
		for j, x := range row {
			if row[j] = m.Lift(x); s.set != nil {
				row[j] = rns.Lift(x, m.P)
			}
		}
		s.mixed = append(s.mixed, row)
		if s.set != nil {
			s.primes = append(s.primes, rns.Constants(m.P))
		}
	}
	var err error
	if s.columns, err = s.newColumns(ctx, count, size); err != nil {
		return nil, err
	}
	if s.set != nil && s.set.Pair != nil && len(primes) == 2 && full(primes) {
		s.pair = rns.Pairs(primes[0], primes[1])
	}
	if s.set != nil && len(primes) < len(s.set.Garner) && s.set.Garner[len(primes)] != nil && full(primes) {
		for i, row := range s.mixed[1:] {
			s.garner = append(append(append(s.garner, row[i+1]), row[:i+1]...), s.primes[i+1][:]...)
		}
		for _, c := range s.columns {
			s.garner = append(s.garner, c.words...)
		}
	}
	return s, nil
}

// full reports whether the product of the first j primes has rns.PrimeBits·j bits, for all j.
func full(primes []uint64) bool {
	product := big.NewInt(1)
	for j, p := range primes {
		if product.Mul(product, new(big.Int).SetUint64(p)); product.BitLen() != rns.PrimeBits*(j+1) {
			return false
		}
	}
	return true
}

// mixedRow returns the constants of digit i: −P_j/Pᵢ for j < i, and 1/Pᵢ, modulo pᵢ.
func (s *System) mixedRow(i int) []uint64 {
	m, row, product := s.Moduli[i], make([]uint64, i+1), uint64(1)
	for j := range row {
		row[j] = product
		product = m.Mul(product, s.Moduli[j].P)
	}
	inv := m.Inverse(row[i])
	for j, x := range row[:i] {
		row[j] = m.P - m.Mul(x, inv)
	}
	row[i] = inv
	return row
}

// column is the words at one place of P₀, …, P_(k−1), from the first P on that reaches it; P's have as many words as
// those before them, or more.
type column struct {
	first int
	words []uint64
}

// newColumns returns count columns of words of so many bits, at most 64.
func (s *System) newColumns(ctx context.Context, count, size int) ([]column, error) {
	columns, product, factor := make([]column, count), big.NewInt(1), new(big.Int)
	for i, m := range s.Moduli {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for w, x := range split(product, size, (product.BitLen()+size-1)/size) {
			columns[w].words = append(columns[w].words, x)
		}
		for w := (product.BitLen() + size - 1) / size; w < count; w++ {
			columns[w].first = i + 1
		}
		product.Mul(product, factor.SetUint64(m.P))
	}
	return columns, nil
}

// Kernels reports whether kernels convert.
func (s *System) Kernels() bool { return s.set != nil }

// Words is the number of words of integers, those of M.
func (s *System) Words() int { return len(s.words) }

// Cost is about how many nanoseconds Combine and Integer take for an integer.
func (s *System) Cost() float64 {
	k := float64(len(s.Moduli))
	return k * (k + 8)
}

// SystemRoom is what a call needs, with the integers of a block.
type SystemRoom struct {
	x       []uint64 // an integer
	digits  []uint64 // of a block: side by side for each integer; for kernels in rows
	project *ProjectorRoom
	// Rows of a block: words and limbs, both with room for what is read above them, and carries. Packed integers on the
	// way in.
	words, limbs, carry, packed []uint64
	// Memory for new integers, and their words.
	ints  []big.Int
	fresh []big.Word
}

// NewRoom returns what a call needs.
func (s *System) NewRoom() *SystemRoom {
	room := &SystemRoom{x: make([]uint64, len(s.words)), digits: make([]uint64, len(s.Moduli)*rns.Block)}
	if s.set != nil {
		rows := len(s.columns) + 2
		room.words, room.limbs = make([]uint64, rows*rns.Block), make([]uint64, rows*rns.Block)
		room.carry = make([]uint64, rns.Block)
		room.packed, room.project = make([]uint64, s.project.Words()*rns.Block), s.project.NewRoom()
	}
	return room
}

// Combine makes the integers with the residues r[i][j], from ≤ j < to, at most rns.Block of them. When ctx ends, it
// leaves out what is left.
func (s *System) Combine(ctx context.Context, room *SystemRoom, r [][]uint64, from, to int) {
	if s.set != nil {
		s.vectors(room, r, from, to)
		return
	}
	for i, m := range s.Moduli {
		if ctx.Err() != nil {
			return
		}
		row := s.mixed[i]
		for j, v := range r[i][from:to] {
			d := room.digits[j*len(r):][:i+1]
			d[i] = v
			d[i] = m.Reduce(Dot(0, 0, d, row))
		}
	}
}

// row returns row i of v.
func row(v []uint64, i int) []uint64 { return v[i*rns.Block:][:rns.Block] }

// limbs makes the limbs of integers by kernels.
func (s *System) limbs(room *SystemRoom, r [][]uint64, from, to int) {
	copy(row(room.digits, 0), r[0][from:to]) // which are digits
	for i := 1; i < len(r); i++ {
		d := row(room.digits, i)
		copy(d, r[i][from:to])
		s.set.Dot(&d[0], &room.digits[0], &s.mixed[i][0], s.primes[i], i+1)
	}
	clear(room.carry)
	for w, c := range s.columns {
		if len(c.words) == 0 { // the last one: P's end below it
			copy(row(room.limbs, w), room.carry)
			break
		}
		s.set.Limb(&room.limbs[w*rns.Block], &room.carry[0], &room.digits[c.first*rns.Block], &c.words[0], len(c.words))
	}
}

// vectors is Combine by kernels.
func (s *System) vectors(room *SystemRoom, r [][]uint64, from, to int) {
	s.limbs(room, r, from, to)
	s.set.Words(&room.words[0], &room.limbs[0], &s.joins[0], len(s.words))
}

// rows64 returns rows of words of n integers with the residues r[i][from+j], by kernels.
func (s *System) rows64(room *SystemRoom, r [][]uint64, from, n int) []uint64 {
	if s.pair != nil {
		s.set.Pair(&room.words[0], &r[0], s.pair, from)
		return room.words
	}
	if s.garner != nil {
		s.set.Garner[len(r)](&room.words[0], &r[0], &s.garner[0], from)
		return room.words
	}
	s.limbs(room, r, from, from+n)
	s.set.Words(&room.words[0], &room.limbs[0], &s.joins[0], len(s.words))
	return room.words
}

// Integer returns the words of integer j that Combine made, which are good until the next call.
func (s *System) Integer(room *SystemRoom, j int) []uint64 {
	x := room.x
	if s.set != nil {
		for t := range x {
			x[t] = room.words[t*rns.Block+j]
		}
		return x
	}
	d := room.digits[j*len(s.Moduli):][:len(s.Moduli)]
	var c, h, l uint64
	for w, col := range s.columns {
		c, h, l = Dot(c, h, d[col.first:], col.words)
		x[w] = l
	}
	return x
}

// complement replaces x by M − x and returns true where x > M/2. Signs of coefficients cannot be foreseen, so that it
// takes the same steps for both.
func (s *System) complement(x []uint64) bool {
	half, words := s.half[:len(x)], s.words[:len(x)]
	var more, borrow, d uint64
	for t, w := range x {
		_, more = bits.Sub64(half[t], w, more)
	}
	for t, w := range x {
		d, borrow = bits.Sub64(words[t], w, borrow)
		x[t] = w ^ (w^d)&-more
	}
	return more != 0
}
