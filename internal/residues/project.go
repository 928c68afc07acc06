package residues

import (
	"github.com/galfft/fft/internal/arith"
	"github.com/galfft/fft/kernels/rns"
)

// Projector takes packed numbers of so many words to residues by kernels: as sums of limbs of 52 bits times their place
// values. It is immutable.
type Projector struct {
	set    *rns.Set
	words  int
	splits []uint64
	primes []*[2]uint64
	places [][]uint64 // for each prime the place values of limbs, lifted
}

// NewProjector returns what serves numbers of at most so many bits and the primes, or nil where no kernels do: where
// there are none, where a prime is not of their size, and where primes or bits are too many.
func NewProjector(primes []uint64, words, bits int) *Projector {
	set, limbs := rns.Active(), rns.Limbs(bits)
	if set == nil || limbs > rns.Most {
		return nil
	}
	v := &Projector{set: set, words: words, splits: rns.Splits(words, limbs)}
	for _, p := range primes {
		if p <= rns.Least || p>>rns.PrimeBits > 0 {
			return nil
		}
		place, places := uint64(1), make([]uint64, limbs)
		for w := range places {
			places[w] = rns.Lift(place, p)
			place = arith.Mul(place, 1<<rns.Limb%p, p)
		}
		v.primes, v.places = append(v.primes, rns.Constants(p)), append(v.places, places)
	}
	return v
}

// limbs is the number of limbs of the longest numbers.
func (v *Projector) limbs() int { return len(v.splits) / 2 }

// Words is the number of words of a number.
func (v *Projector) Words() int { return v.words }

// Bits is the number of bits that numbers may have.
func (v *Projector) Bits() int { return rns.Limb * v.limbs() }

// Bytes is the memory of v.
func (v *Projector) Bytes() int { return 8 * len(v.primes) * (v.limbs() + 2) }

// tiles returns the number of blocks of so many rows that fill half of a first-level cache.
func tiles(rows int) int { return max(1, 1<<11/(rows*rns.Block)) }

// ProjectorRoom is the memory of a call.
type ProjectorRoom struct {
	limbs   []uint64
	numbers []uint64 // a block
	row     []uint64
}

// RoomBytes is the memory of a room.
func (v *Projector) RoomBytes() int {
	return 8 * (tiles(v.limbs())*v.limbs() + v.words + 1) * rns.Block
}

// NewRoom returns what a call needs.
func (v *Projector) NewRoom() *ProjectorRoom {
	limbs := tiles(v.limbs()) * v.limbs()
	all := make([]uint64, (limbs+v.words+1)*rns.Block)
	return &ProjectorRoom{all[:limbs*rns.Block], all[limbs*rns.Block:][:v.words*rns.Block],
		all[(limbs+v.words)*rns.Block:]}
}

// Project sets r[i][from+j] to the residue of number j of x modulo prime i. The numbers follow each other, and have at
// most so many bits.
func (v *Projector) Project(room *ProjectorRoom, r [][]uint64, from int, x []uint64, bits int) {
	n := max(1, rns.Limbs(bits))
	limbs, block := n*rns.Block, v.words*rns.Block
	for len(x) > 0 {
		count := min(tiles(n), len(room.limbs)/limbs, len(x)/block)
		if count == 0 {
			break
		}
		for t := range count {
			v.set.Split(&room.limbs[t*limbs], &x[t*block], &v.splits[0], v.words, n)
		}
		for i, places := range v.places {
			z := r[i][from:][:count*rns.Block]
			for t := range count {
				v.set.Dot(&z[t*rns.Block], &room.limbs[t*limbs], &places[0], v.primes[i], n)
			}
		}
		from, x = from+count*rns.Block, x[count*block:]
	}
	if len(x) == 0 {
		return
	}
	copy(room.numbers, x)
	v.set.Split(&room.limbs[0], &room.numbers[0], &v.splits[0], v.words, n)
	for i, places := range v.places {
		v.set.Dot(&room.row[0], &room.limbs[0], &places[0], v.primes[i], n)
		copy(r[i][from:][:len(x)/v.words], room.row)
	}
}
