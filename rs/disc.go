package rs

import (
	"fmt"
	"slices"
	"strings"
)

// Disc is a code of words of bytes, as discs have them: errors at unknown places are corrected, and those at known
// ones, erasures. Byte i of a word of n bytes is the coefficient of x^(n−1−i), and a word is a multiple of the product
// of x − a^j for j below n − k, over GF(2^8) modulo x^8 + x^4 + x^3 + x^2 + 1 with a = x. It is safe for concurrent
// use.
type Disc struct {
	name        string
	n, k, first int // first is the place of the first byte of parity
}

// discs are the codes by name.
var discs = []Disc{
	{"cd-c1", 32, 28, 28},     // ECMA-130: Compact Disc, behind C2
	{"cd-c2", 28, 24, 12},     // ECMA-130: with its parity in the middle
	{"dvd-pi", 182, 172, 172}, // ECMA-267: rows of a block of DVD
	{"dvd-po", 208, 192, 192}, // ECMA-267: its columns
}

// NewDisc returns the code of that name: cd-c1 and cd-c2 of Compact Discs, with 32 and 28 bytes, or dvd-pi and dvd-po
// of DVD, with 182 and 208. Another name is field.ErrSpec.
func NewDisc(name string) (*Disc, error) {
	var names []string
	for _, d := range discs {
		if d.name == name {
			return &d, nil
		}
		names = append(names, d.name)
	}
	return nil, errSpec("unknown disc code %q, want one of %s", name, strings.Join(names, ", "))
}

// Size returns the bytes of a word, and how many of them are data. They are 0 of a nil code.
func (d *Disc) Size() (word, data int) {
	if d == nil {
		return 0, 0
	}
	return d.n, d.k
}

// Encode sets the parity of word: the bytes behind the data, and in cd-c2 bytes 12 to 15.
func (d *Disc) Encode(word []byte) error {
	var places [16]int
	parity := places[:d.parity()]
	for i := range parity {
		parity[i] = d.first + i
	}
	_, err := d.Correct(word, parity)
	return err
}

func (d *Disc) parity() int {
	if d == nil {
		return 0
	}
	return d.n - d.k
}

// Correct puts word right, and returns how many bytes were wrong. Erasures are the places of bytes that may be, each
// once. With s of them, up to e other wrong bytes are corrected where 2e + s is at most the number of bytes of parity.
// Where no word is so near, the error is ErrBeyond, and word is as it was. More errors may look like fewer.
func (d *Disc) Correct(word []byte, erasures []int) (int, error) {
	if d == nil || d.n == 0 {
		return 0, errSpec("the code is nil or the zero value")
	}
	if len(word) != d.n {
		return 0, &SizeError{Got: len(word), Want: d.n, Unit: 1}
	}
	places := make([]int, 0, d.n-d.k)
	for i, at := range erasures {
		if at < 0 || at >= d.n || slices.Contains(erasures[:i], at) {
			return 0, errSpec("erasure at %d, want places of %d, each once", at, d.n)
		}
	}
	f, s := byteField{}, d.syndromes(word)
	if len(erasures) > len(s) {
		return 0, d.beyond()
	}
	places = append(places, erasures...)
	rest := slices.Clone(s)
	for _, at := range places {
		x := d.point(at)
		for j := range len(rest) - 1 {
			rest[j] = rest[j+1] ^ f.product(x, rest[j])
		}
		rest = rest[:len(rest)-1]
	}
	list, length := recurrence(f, rest)
	for at := range d.n {
		if length > 0 && vanishes(f, list, length, d.point(at)) && !slices.Contains(erasures, at) {
			places = append(places, at)
		}
	}
	if len(places)-len(erasures) != length || 2*length > len(rest) {
		return 0, d.beyond()
	}
	fixed := slices.Clone(word)
	count := 0
	for i, at := range places {
		if e := d.difference(s, places, i); e != 0 {
			fixed[at] ^= e
			count++
		}
	}
	for _, x := range d.syndromes(fixed) {
		if x != 0 {
			return 0, d.beyond()
		}
	}
	copy(word, fixed)
	return count, nil
}

func (d *Disc) beyond() error {
	return fmt.Errorf("rs: %w: no word of %s is so near", ErrBeyond, d.name)
}

// point is what byte at of a word is multiplied by from one syndrome to the next.
func (d *Disc) point(at int) uint64 { return uint64(powers[d.n-1-at]) }

// syndromes are the values of a word at a^j.
func (d *Disc) syndromes(word []byte) []uint64 {
	s := make([]uint64, d.n-d.k)
	for j := range s {
		for _, b := range word {
			s[j] = byteField{}.product(s[j], uint64(powers[j])) ^ uint64(b)
		}
	}
	return s
}

// difference is how much byte places[i] is wrong, where all others that are have places: the polynomial that vanishes
// at their points, and is 1 at its own, takes the syndromes to it.
func (d *Disc) difference(s []uint64, places []int, i int) byte {
	f := byteField{}
	own := d.point(places[i])
	list, scale := []uint64{1}, uint64(1) // lowest first
	for k, at := range places {
		if k == i {
			continue
		}
		x := d.point(at)
		next := make([]uint64, len(list)+1)
		for j, c := range list {
			next[j+1] ^= c
			next[j] ^= f.product(c, x)
		}
		list, scale = next, f.product(scale, own^x)
	}
	var z uint64
	for j, c := range list {
		z ^= f.product(c, s[j])
	}
	return byte(f.product(z, f.inverse(scale)))
}
