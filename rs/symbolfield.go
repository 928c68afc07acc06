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
	list = []uint64{1}
	old, shift, last := []uint64{1}, 1, uint64(1)
	for j := range sequence {
		var d uint64
		for i := 0; i < len(list) && i <= j; i++ {
			d ^= f.product(list[i], sequence[j-i])
		}
		if d == 0 {
			shift++
			continue
		}
		by := f.product(d, f.inverse(last))
		next := append([]uint64(nil), list...)
		for len(next) < len(old)+shift {
			next = append(next, 0)
		}
		for i, x := range old {
			next[i+shift] ^= f.product(by, x)
		}
		if 2*length <= j {
			length, old, last, shift = j+1-length, list, d, 1
		} else {
			shift++
		}
		list = next
	}
	for len(list) > 1 && list[len(list)-1] == 0 {
		list = list[:len(list)-1]
	}
	return list, length
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
