package residues

import (
	"context"
	"math/bits"
	"sync"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/kernels/rns"
)

// Digits takes natural numbers to vectors of a product and back: as digits of so many bits, cut out of the words of a
// number where they are needed, and as sums of digits, which are added up with their carries. It is immutable and safe
// for concurrent use.
type Digits struct {
	p       *Product
	size    int // bits of a digit
	width   int // words of a digit
	numbers *Numbers
	system  *System
	rooms   sync.Pool // *digitsRoom
	streams sync.Pool // *stream
}

// digitsRoom is what moves need.
type digitsRoom struct {
	project *ProjectorRoom
	system  *SystemRoom
	words   []uint64 // of a chunk of digits
	sum     []uint64 // of coefficients that overlap
}

// stream is a number on the way in or out.
type stream struct {
	d      *Digits
	words  []uint64
	mu     sync.Mutex
	places []int    // of words where parts end
	rest   []uint64 // what parts leave above these, side by side
}

// NewDigits returns that of digits of so many bits, at least 1, for p: the product of its primes is above the greatest
// sum of a product, which Least tells. When ctx ends, its error is returned.
func NewDigits(ctx context.Context, p *Product, size int) (*Digits, error) {
	system, err := NewSystem(ctx, p.primes)
	if err != nil {
		return nil, err
	}
	d := &Digits{p: p, size: size, width: (size + 63) / 64, system: system}
	d.numbers = NewNumbers(p.primes, d.width, size)
	d.rooms.New = func() any {
		return &digitsRoom{d.numbers.NewRoom(), system.NewRoom(), make([]uint64, chunk*d.width),
			make([]uint64, system.Words()+2)}
	}
	d.streams.New = func() any { return &stream{d: d} }
	return d, nil
}

// count is the number of digits of so many words.
func (d *Digits) count(words int) int { return (64*words + d.size - 1) / d.size }

// Load sets x to the digits of the number of words a, low first. The error is field.ErrLength where they are more than
// the coefficients of x.
func (d *Digits) Load(x field.Vec, a []uint64) error {
	s := d.streams.Get().(*stream)
	s.words = a
	err := d.p.Load(x, s, d.count(len(a)), float64(len(d.p.primes)*(d.width+2))/8)
	s.words = nil
	d.streams.Put(s)
	return err
}

// Store sets z to the words, low first, of the sum of c_i·2^(size·i) over the coefficients c_i of x, which are not
// negative, modulo 2^(64·len(z)).
func (d *Digits) Store(z []uint64, x field.Vec) error {
	s := d.streams.Get().(*stream)
	s.words, s.places, s.rest = z, s.places[:0], s.rest[:0]
	n := min(d.count(len(z)), d.p.n)
	err := d.p.Store(s, x, n, d.system.Cost())
	if err == nil {
		clear(z[min(len(z), n*d.size/64):]) // no part has written there
		w := d.system.Words() + 2
		for i, at := range s.places {
			if at < len(z) {
				addTo(z[at:], s.rest[i*w:][:w], 0)
			}
		}
	}
	s.words = nil
	d.streams.Put(s)
	return err
}

// Residues cuts digits out of the words.
func (s *stream) Residues(r [][]uint64, from, to int) {
	d := s.d
	room := d.rooms.Get().(*digitsRoom)
	for ; from < to; from += chunk {
		words := room.words[:min(chunk, to-from)*d.width]
		for j := range words {
			i, w := from+j/d.width, j%d.width
			words[j] = bitsAt(s.words, i*d.size+64*w)
			if rest := d.size - 64*w; rest < 64 {
				words[j] &= 1<<rest - 1
			}
		}
		d.numbers.Residues(room.project, r, from, words)
	}
	d.rooms.Put(room)
}

// Combine adds coefficients up from a place on that is a multiple of 64 bits, writes the words that are below the place
// of coefficient to, and keeps the rest.
func (s *stream) Combine(r [][]uint64, from, to int) {
	d := s.d
	room := d.rooms.Get().(*digitsRoom)
	sum, at, shift := room.sum, from*d.size/64, 0
	clear(sum)
	for ; from < to; from += rns.Block {
		n := min(rns.Block, to-from)
		d.system.Combine(context.Background(), room.system, r, from, from+n)
		for j := range n {
			addTo(sum, d.system.Integer(room.system, j), shift)
			for shift += d.size; shift >= 64; shift -= 64 {
				if at < len(s.words) {
					s.words[at] = sum[0]
				}
				at++
				sum[copy(sum, sum[1:])] = 0
			}
		}
	}
	s.mu.Lock()
	s.places, s.rest = append(s.places, at), append(s.rest, sum...)
	s.mu.Unlock()
	d.rooms.Put(room)
}

// addTo adds 2^shift·x to z, shift below 64, without what is beyond its end.
func addTo(z, x []uint64, shift int) {
	var below, carry uint64
	for i := range z {
		v := below >> 1 >> (63 - shift)
		if i < len(x) {
			below = x[i]
			v |= below << shift
		} else if below = 0; v|carry == 0 {
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
