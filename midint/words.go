package midint

import (
	"math/bits"

	"github.com/galfft/fft/kernels/batch"
)

// mostSum is the most words of integers for which kernels add: they cannot be preempted.
const mostSum = 1 << 15

// adds sets integers of m words, one behind the other, to x + y. z may be x or y.
func adds(z, x, y []uint32, m int) {
	if s := batch.Active(); s != nil && s.Plus != nil && m <= mostSum {
		s.Plus(&z[0], &x[0], &y[0], m, len(z)/m)
		return
	}
	for i := 0; i < len(z); i += m {
		add(z[i:i+m], x[i:i+m], y[i:i+m])
	}
}

// subs sets them to x − y, as adds does.
func subs(z, x, y []uint32, m int) {
	if s := batch.Active(); s != nil && s.Plus != nil && m <= mostSum {
		s.Minus(&z[0], &x[0], &y[0], m, len(z)/m)
		return
	}
	for i := 0; i < len(z); i += m {
		sub(z[i:i+m], x[i:i+m], y[i:i+m])
	}
}

// pair is two words of 32 bits as one. Compilers make one load of it where words are stored low ones first.
func pair(low, high uint32) uint64 { return uint64(low) | uint64(high)<<32 }

// add sets z to x + y, all of one length. z may be x or y.
func add(z, x, y []uint32) {
	n := len(z)
	x, y = x[:n], y[:n]
	var c uint64
	i := 0
	for ; i <= n-8; i += 8 {
		u, v, w := (*[8]uint32)(z[i:]), (*[8]uint32)(x[i:]), (*[8]uint32)(y[i:])
		var r0, r1, r2, r3 uint64
		r0, c = bits.Add64(pair(v[0], v[1]), pair(w[0], w[1]), c)
		r1, c = bits.Add64(pair(v[2], v[3]), pair(w[2], w[3]), c)
		r2, c = bits.Add64(pair(v[4], v[5]), pair(w[4], w[5]), c)
		r3, c = bits.Add64(pair(v[6], v[7]), pair(w[6], w[7]), c)
		put(u, r0, r1, r2, r3)
	}
	for ; i < n; i++ {
		r := uint64(x[i]) + uint64(y[i]) + c
		z[i], c = uint32(r), r>>32
	}
}

// sub sets z to x − y, as add does.
func sub(z, x, y []uint32) {
	n := len(z)
	x, y = x[:n], y[:n]
	var c uint64
	i := 0
	for ; i <= n-8; i += 8 {
		u, v, w := (*[8]uint32)(z[i:]), (*[8]uint32)(x[i:]), (*[8]uint32)(y[i:])
		var r0, r1, r2, r3 uint64
		r0, c = bits.Sub64(pair(v[0], v[1]), pair(w[0], w[1]), c)
		r1, c = bits.Sub64(pair(v[2], v[3]), pair(w[2], w[3]), c)
		r2, c = bits.Sub64(pair(v[4], v[5]), pair(w[4], w[5]), c)
		r3, c = bits.Sub64(pair(v[6], v[7]), pair(w[6], w[7]), c)
		put(u, r0, r1, r2, r3)
	}
	for ; i < n; i++ {
		r := uint64(x[i]) - uint64(y[i]) - c
		z[i], c = uint32(r), r>>63
	}
}

func put(z *[8]uint32, r0, r1, r2, r3 uint64) {
	z[0], z[1] = uint32(r0), uint32(r0>>32)
	z[2], z[3] = uint32(r1), uint32(r1>>32)
	z[4], z[5] = uint32(r2), uint32(r2>>32)
	z[6], z[7] = uint32(r3), uint32(r3>>32)
}

// neg sets z to −x: zeros stay up to the first word that is none, and what is above it is inverted. z may be x.
func neg(z, x []uint32) {
	i := 0
	for ; i < len(x) && x[i] == 0; i++ {
		z[i] = 0
	}
	if i == len(x) {
		return
	}
	z[i] = -x[i]
	for i++; i < len(x); i++ {
		z[i] = ^x[i]
	}
}

// compare is −1, 0 or 1.
func compare(x, y []uint32) int8 {
	for i := len(x) - 1; i >= 0; i-- {
		if x[i] != y[i] {
			if x[i] < y[i] {
				return -1
			}
			return 1
		}
	}
	return 0
}
