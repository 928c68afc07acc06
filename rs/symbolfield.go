package rs

import "github.com/galfft/fft/kernels/gf2"

// symbolField is that of the symbols of a code, whose elements are numbers.
type symbolField interface {
	product(x, y uint64) uint64
	inverse(x uint64) uint64 // of x that is not 0
}

// byteField is GF(2^8) of the matrix codes.
type byteField struct{}

func (byteField) product(x, y uint64) uint64 { return uint64(products[byte(x)][byte(y)]) }
func (byteField) inverse(x uint64) uint64    { return uint64(over(1, byte(x))) }

// towerField is that of a level of package gf2.
type towerField int

func (k towerField) product(x, y uint64) uint64 {
	return gf2.Product(int(k), gf2.Element{x}, gf2.Element{y})[0]
}

func (k towerField) inverse(x uint64) uint64 {
	f := &fields[k]
	return f.raised(gf2.Element{x}, f.order-1)[0]
}

// recurrence is the shortest one that a sequence satisfies: the sum of list[i] times element j − i is 0 for all j from
// length on, and list[0] is 1. It is by J. L. Massey's algorithm (1969).
func recurrence(f symbolField, sequence []uint64) (list []uint64, length int) {
	r := newRecurrence(f)
	for _, x := range sequence {
		r.add(x)
	}
	return r.list, r.length
}

// recurring is the recurrence of a sequence whose elements come one by one.
type recurring struct {
	field     symbolField
	sequence  []uint64
	list, old []uint64
	next      []uint64 // room
	length    int
	shift     int
	last      uint64
}

func newRecurrence(f symbolField) *recurring {
	return &recurring{field: f, list: []uint64{1}, old: []uint64{1}, shift: 1, last: 1}
}

// add goes on with an element. No list has zeros at its end.
func (r *recurring) add(x uint64) {
	j := len(r.sequence)
	r.sequence = append(r.sequence, x)
	var d uint64
	for i := 0; i < len(r.list) && i <= j; i++ {
		d ^= r.field.product(r.list[i], r.sequence[j-i])
	}
	if d == 0 {
		r.shift++
		return
	}
	by := r.field.product(d, r.field.inverse(r.last))
	next := append(r.next[:0], r.list...)
	for len(next) < len(r.old)+r.shift {
		next = append(next, 0)
	}
	for i, x := range r.old {
		next[i+r.shift] ^= r.field.product(by, x)
	}
	for len(next) > 1 && next[len(next)-1] == 0 {
		next = next[:len(next)-1]
	}
	if 2*r.length <= j {
		r.length, r.old, r.next, r.last, r.shift = j+1-r.length, r.list, r.old, d, 1
	} else {
		r.next = r.list
		r.shift++
	}
	r.list = next
}

// vanishes reports whether the polynomial with these coefficients, the highest first, is 0 at x. There are length + 1,
// and those that are not listed are 0.
func vanishes(f symbolField, list []uint64, length int, x uint64) bool {
	var z uint64
	for i := range length + 1 {
		z = f.product(z, x)
		if i < len(list) {
			z ^= list[i]
		}
	}
	return z == 0
}
