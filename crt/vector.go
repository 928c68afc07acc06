package crt

import (
	"math/big"

	"github.com/galfft/fft/kernels/rns"
)

// vectors converts blocks of elements by kernels, where all primes are of at most 50 bits: the same sums as one by one,
// over limbs of 52 bits in rows of a block.
type vectors struct {
	set     *rns.Set
	primes  []*[2]uint64
	places  [][]uint64 // for each prime the place values of limbs, lifted
	mixed   [][]uint64 // constants of digits, as in System
	columns []column   // the limbs at each place of P₀, P₁, …
}

// newVectors returns nil where no kernels serve the system.
func newVectors(s *System) *vectors {
	set, limbs := rns.Active(), s.modulus.BitLen()/rns.Limb+1
	if set == nil || max(len(s.moduli), limbs) > rns.Most {
		return nil
	}
	v := &vectors{set: set, columns: s.newColumns(limbs, rns.Limb)}
	for i, m := range s.moduli {
		if m.p <= rns.Least || m.p>>rns.PrimeBits > 0 {
			return nil
		}
		place, places := uint64(1), make([]uint64, limbs)
		for w := range places {
			places[w] = rns.Lift(place, m.p)
			place = m.mul(place, 1<<rns.Limb%m.p)
		}
		row := s.mixedRow(i)
		for j, x := range row {
			row[j] = rns.Lift(x, m.p)
		}
		v.primes, v.places, v.mixed = append(v.primes, rns.Constants(m.p)), append(v.places, places),
			append(v.mixed, row)
	}
	return v
}

// rows is the memory of a block: the words of integers, their limbs, both with room for what is read above them, and
// digits.
type rows struct{ words, limbs, digits, carry []uint64 }

func newRows(v *vectors) rows {
	limbs := len(v.columns) + 2
	all := make([]uint64, (limbs+1+limbs+len(v.primes)+1)*block)
	cut := func(n int) []uint64 {
		z := all[: n*block : n*block]
		all = all[n*block:]
		return z
	}
	return rows{cut(limbs + 1), cut(limbs), cut(len(v.primes)), cut(1)}
}

// row returns row i of v.
func row(v []uint64, i int) []uint64 { return v[i*block:][:block] }

// split sets rows of limbs to those of absolute values, and returns how many there are: none where an integer is longer
// than the system's.
func (v *vectors) split(m rows, a []*big.Int) int {
	bits := 0
	for _, x := range a {
		bits = max(bits, x.BitLen())
	}
	count := (bits + rns.Limb - 1) / rns.Limb
	if count > len(v.columns) {
		return 0
	}
	clear(m.words[:min(len(m.words), (bits/64+2)*block)])
	for j, x := range a {
		for t, w := range x.Bits() {
			m.words[t*block+j] = uint64(w)
		}
	}
	for w := range count {
		t, s := w*rns.Limb/64, w*rns.Limb%64
		z, low, high := row(m.limbs, w), row(m.words, t), row(m.words, t+1)
		for j := range z {
			z[j] = (low[j]>>(s&63) | high[j]<<1<<(63-s&63)) & (1<<rns.Limb - 1)
		}
	}
	return count
}

// residues sets dst[i][j] to the residue of a[j] for at most a block, of count limbs.
func (v *vectors) residues(m rows, dst [][]uint64, from int, a []*big.Int, count int) {
	for i, d := range dst {
		r, d := row(m.digits, 0), d[from:][:len(a)]
		v.set.Dot(&r[0], &m.limbs[0], &v.places[i][0], v.primes[i], count)
		copy(d, r)
	}
	for j, x := range a {
		if x.Sign() < 0 {
			for i, d := range dst {
				if r := &d[from+j]; *r != 0 {
					*r = v.primes[i][0] - *r
				}
			}
		}
	}
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
