package crt

import (
	"context"
	"math/big"

	"github.com/galfft/fft/internal/residues"
	"github.com/galfft/fft/kernels/rns"
)

// vectors converts blocks of elements by kernels, where all primes are of at most 50 bits: the same sums as one by one,
// over limbs of 52 bits in rows of a block.
type vectors struct {
	set     *rns.Set
	project *residues.Projector
	primes  []*[2]uint64
	mixed   [][]uint64 // constants of digits, as in System
	columns []column   // the limbs at each place of P₀, P₁, …
}

// kernelBits is the most bits of a prime that kernels serve.
const kernelBits = 50

// newVectors returns nil where no kernels serve the system.
func newVectors(ctx context.Context, s *System) (_ *vectors, err error) {
	set, limbs := rns.Active(), s.modulus.BitLen()/rns.Limb+1
	if set == nil || max(len(s.moduli), limbs) > rns.Most {
		return nil, nil
	}
	size := limbs * rns.Limb
	v := &vectors{set: set}
	if v.project = residues.NewProjector(s.Primes(), (size+63)/64, size); v.project == nil {
		return nil, nil
	}
	if v.columns, err = s.newColumns(ctx, limbs, rns.Limb); err != nil {
		return nil, err
	}
	for i, m := range s.moduli {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		row := s.mixedRow(i)
		for j, x := range row {
			row[j] = rns.Lift(x, m.P)
		}
		v.primes, v.mixed = append(v.primes, rns.Constants(m.P)), append(v.mixed, row)
	}
	return v, nil
}

// rows is the memory of a block: integers side by side, and the words of integers, their limbs, both with room for what
// is read above them, and digits in rows.
type rows struct {
	packed                      []uint64
	room                        *residues.ProjectorRoom
	words, limbs, digits, carry []uint64
}

func newRows(v *vectors) rows {
	limbs := len(v.columns) + 2
	all := make([]uint64, (limbs+1+limbs+len(v.primes)+1)*block)
	cut := func(n int) []uint64 {
		z := all[: n*block : n*block]
		all = all[n*block:]
		return z
	}
	return rows{make([]uint64, v.project.Words()*block), v.project.NewRoom(), cut(limbs + 1), cut(limbs),
		cut(len(v.primes)), cut(1)}
}

// row returns row i of v.
func row(v []uint64, i int) []uint64 { return v[i*block:][:block] }

// residues sets dst[i][from+j] to the residue of a[j] for at most a block, and returns false where an integer is longer
// than the system's.
func (v *vectors) residues(m *rows, dst [][]uint64, from int, a []*big.Int) bool {
	bits := 0
	for _, x := range a {
		bits = max(bits, x.BitLen())
	}
	if bits > v.project.Bits() {
		return false
	}
	w := v.project.Words()
	for j, x := range a {
		z := m.packed[j*w:][:w]
		clear(z)
		for t, d := range x.Bits() {
			z[t/wordsPerUint64] |= uint64(d) << (t % wordsPerUint64 * (64 / wordsPerUint64))
		}
	}
	v.project.Project(m.room, dst, from, m.packed[:len(a)*w], bits)
	for j, x := range a {
		if x.Sign() < 0 {
			for i, d := range dst {
				if r := &d[from+j]; *r != 0 {
					*r = v.primes[i][0] - *r
				}
			}
		}
	}
	return true
}

// combine sets the rows of words to those of the integers with residues r, elements from to to − 1.
func (v *vectors) combine(m rows, r [][]uint64, from, to, words int) {
	for i := range r {
		d := row(m.digits, i)
		copy(d, r[i][from:to])
		v.set.Dot(&d[0], &m.digits[0], &v.mixed[i][0], v.primes[i], i+1)
	}
	clear(m.carry)
	for w, c := range v.columns {
		if len(c.words) == 0 { // the last one: P's end below it
			copy(row(m.limbs, w), m.carry)
			break
		}
		v.set.Limb(&m.limbs[w*block], &m.carry[0], &m.digits[c.first*block], &c.words[0], len(c.words))
	}
	clear(m.limbs[len(v.columns)*block:])
	for t := range words {
		w, s := 64*t/rns.Limb, 64*t%rns.Limb
		z, low, middle, high := row(m.words, t), row(m.limbs, w), row(m.limbs, w+1), row(m.limbs, w+2)
		for j := range z {
			z[j] = low[j]>>(s&63) | middle[j]<<((rns.Limb-s)&63) | high[j]<<(rns.Limb-1)<<((rns.Limb+1-s)&63)
		}
	}
}

// integer sets x to the words of element j.
func (m rows) integer(x []uint64, j int) {
	for t := range x {
		x[t] = m.words[t*block+j]
	}
}
