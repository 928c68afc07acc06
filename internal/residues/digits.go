package residues

import (
	"context"
	"math/bits"
	"sync"

	"github.com/galfft/fft/kernels/rns"
)

// Digits takes long numbers to residues and back: as digits of so many bits, cut out of the words of a number where
// they are needed, modulo one prime at a time; and as sums of digits, which are added up with their carries. It is
// immutable and safe for concurrent use.
type Digits struct {
	size    int        // bits of a digit
	width   int        // words of a digit
	numbers []*Numbers // one prime each
	places  [][]uint64 // by kernels: for each prime the place values of limbs, lifted; nil: without
	system  *System
	rooms   sync.Pool // *digitsRoom
}

// digitsRoom is what moves need.
type digitsRoom struct {
	project []*ProjectorRoom
	system  *SystemRoom
	words   []uint64   // of a chunk of digits, or limbs of a block
	row     []uint64   // of a block
	rows    [][]uint64 // one
	sum     []uint64   // of coefficients that overlap
}

// NewDigits returns that of digits of so many bits, at least 1, for the primes, whose product is above the greatest sum
// of a product, which Least tells. When ctx ends, its error is returned.
func NewDigits(ctx context.Context, primes []uint64, size int) (*Digits, error) {
	system, err := NewSystem(ctx, primes)
	if err != nil {
		return nil, err
	}
	d := &Digits{size: size, width: (size + 63) / 64, system: system}
	for i := range primes {
		n := NewNumbers(primes[i:i+1], d.width, size)
		d.numbers = append(d.numbers, n)
		if n.vectors != nil {
			d.places = append(d.places, n.vectors.places[0])
		}
	}
	if len(d.places) < len(primes) || system.set == nil {
		d.places = nil
	}
	d.rooms.New = func() any {
		r := &digitsRoom{system: system.NewRoom(), row: make([]uint64, rns.Block), rows: make([][]uint64, 1),
			words: make([]uint64, max(chunk*d.width, rns.Limbs(size)*rns.Block)), sum: make([]uint64, d.Rest())}
		for _, n := range d.numbers {
			r.project = append(r.project, n.NewRoom())
		}
		return r
	}
	return d, nil
}

// Count is the number of digits of so many words.
func (d *Digits) Count(words int) int { return (64*words + d.size - 1) / d.size }

// Rest is the number of words that Carry leaves.
func (d *Digits) Rest() int { return d.system.Words() + 2 }

// SplitCost and CarryCost are about how many nanoseconds a digit takes.
func (d *Digits) SplitCost() float64 { return float64(d.width + 1) }

// CarryCost is SplitCost of Carry.
func (d *Digits) CarryCost() float64 { return d.system.Cost() }

// Split sets z to the residues modulo prime i of the digits from, from + 1, … of the number of words a, low first.
// Beyond its end there are zeros.
func (d *Digits) Split(i int, z []uint64, from int, a []uint64) {
	if inside := max(0, d.Count(len(a))-from); inside < len(z) {
		clear(z[inside:])
		z = z[:inside]
	}
	switch {
	case d.numbers[i].below:
		d.cut(z, from*d.size, d.size, a)
	case d.places != nil:
		d.limbs(i, z, from, a)
	default:
		d.plain(i, z, from, a)
	}
}

// cut sets z to windows of a, each of so many bits, at most 64, from bit at on, which are as far apart as digits.
func (d *Digits) cut(z []uint64, at, size int, a []uint64) {
	mask := ^uint64(0) >> (64 - size)
	j := 0
	for ; j < len(z) && at/64+1 < len(a); j++ {
		w := a[at/64:][:2]
		shift := at % 64
		z[j] = (w[0]>>shift | w[1]<<1<<(63-shift)) & mask
		at += d.size
	}
	for ; j < len(z); j++ {
		z[j] = bitsAt(a, at) & mask
		at += d.size
	}
}

// limbs is Split by kernels, over limbs that are cut out of the number as they stand in it.
func (d *Digits) limbs(i int, z []uint64, from int, a []uint64) {
	room := d.rooms.Get().(*digitsRoom)
	v := d.numbers[i].vectors
	n := len(v.places[0])
	for len(z) > 0 {
		count := min(rns.Block, len(z))
		for w := range n {
			d.cut(room.words[w*rns.Block:][:count], from*d.size+w*rns.Limb, min(rns.Limb, d.size-w*rns.Limb), a)
		}
		if count == rns.Block {
			v.set.Dot(&z[0], &room.words[0], &v.places[0][0], v.primes[0], n)
		} else {
			v.set.Dot(&room.row[0], &room.words[0], &v.places[0][0], v.primes[0], n)
			copy(z, room.row)
		}
		z, from = z[count:], from+count
	}
	d.rooms.Put(room)
}

// plain is Split without kernels.
func (d *Digits) plain(i int, z []uint64, from int, a []uint64) {
	room := d.rooms.Get().(*digitsRoom)
	for len(z) > 0 {
		count := min(chunk, len(z))
		words := room.words[:count*d.width]
		for j := range words {
			k, w := from+j/d.width, j%d.width
			words[j] = bitsAt(a, k*d.size+64*w)
			if rest := d.size - 64*w; rest < 64 {
				words[j] &= 1<<rest - 1
			}
		}
		room.rows[0] = z[:count]
		d.numbers[i].Residues(room.project[i], room.rows, 0, words)
		z, from = z[count:], from+count
	}
	room.rows[0] = nil
	d.rooms.Put(room)
}

// Carry adds up c_j·2^(size·j), from ≤ j < to, over the coefficients with residues r[i][j] modulo prime i, which are
// not negative: it sets the words of z that are below the place of coefficient to, as far as z goes, and leaves in rest
// what is above them. It returns the place of rest. from is a multiple of 64, so that it begins with a word, and rows
// have whole blocks of any words below the primes.
func (d *Digits) Carry(z, rest []uint64, r [][]uint64, from, to int) (at int) {
	room := d.rooms.Get().(*digitsRoom)
	sum, shift, words := room.sum, 0, d.system.Words()
	at = from / 64 * d.size
	clear(sum)
	for ; from < to; from += rns.Block {
		n := min(rns.Block, to-from)
		d.system.Combine(context.Background(), room.system, r, from, from+n)
		for j := range n {
			var below, carry uint64
			if d.system.set != nil {
				for t, k := 0, j; t < words; t, k = t+1, k+rns.Block {
					w := room.system.words[k]
					sum[t], carry = bits.Add64(sum[t], w<<shift|below>>1>>(63-shift), carry)
					below = w
				}
			} else {
				for t, w := range d.system.Integer(room.system, j) {
					sum[t], carry = bits.Add64(sum[t], w<<shift|below>>1>>(63-shift), carry)
					below = w
				}
			}
			sum[words], carry = bits.Add64(sum[words], below>>1>>(63-shift), carry)
			sum[words+1] += carry
			shift += d.size
			if k := shift / 64; k > 0 {
				shift %= 64
				if at < len(z) {
					copy(z[at:], sum[:min(k, len(sum))])
					if k > len(sum) {
						clear(z[min(len(z), at+len(sum)):min(len(z), at+k)])
					}
				}
				at += k
				k = min(k, len(sum))
				clear(sum[copy(sum, sum[k:]):])
			}
		}
	}
	copy(rest, sum)
	d.rooms.Put(room)
	return at
}

// AddTo adds x to z, without what is beyond the end of z.
func AddTo(z, x []uint64) {
	var carry uint64
	for i := range z {
		var v uint64
		if i < len(x) {
			v = x[i]
		} else if carry == 0 {
			return
		}
		z[i], carry = bits.Add64(z[i], v, carry)
	}
}

// bitsAt returns the 64 bits of x from bit at on; beyond its end there are zeros.
func bitsAt(x []uint64, at int) uint64 {
	w, shift := at/64, at%64
	if w >= len(x) {
		return 0
	}
	v := x[w] >> shift
	if w+1 < len(x) {
		v |= x[w+1] << 1 << (63 - shift)
	}
	return v
}
