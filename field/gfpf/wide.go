package gfpf

import "math/bits"

// wide is a sum of products of digits: three words, the lowest first, in two's complement.
type wide struct{ w0, w1, w2 uint64 }

func (a wide) add(b wide) wide {
	w0, c := bits.Add64(a.w0, b.w0, 0)
	w1, c := bits.Add64(a.w1, b.w1, c)
	w2, _ := bits.Add64(a.w2, b.w2, c)
	return wide{w0, w1, w2}
}

func (a wide) sub(b wide) wide {
	w0, c := bits.Sub64(a.w0, b.w0, 0)
	w1, c := bits.Sub64(a.w1, b.w1, c)
	w2, _ := bits.Sub64(a.w2, b.w2, c)
	return wide{w0, w1, w2}
}

// signed returns a + b where sign is 0, and a − b where it is all bits.
func (a wide) signed(b wide, sign uint64) wide {
	w0, c := bits.Add64(a.w0, b.w0^sign, sign&1)
	w1, c := bits.Add64(a.w1, b.w1^sign, c)
	w2, _ := bits.Add64(a.w2, b.w2^sign, c)
	return wide{w0, w1, w2}
}

// plus returns a + xy.
func (a wide) plus(x, y uint64) wide {
	h, l := bits.Mul64(x, y)
	w0, c := bits.Add64(a.w0, l, 0)
	w1, c := bits.Add64(a.w1, h, c)
	w2, _ := bits.Add64(a.w2, 0, c)
	return wide{w0, w1, w2}
}

// minus returns a − xy.
func (a wide) minus(x, y uint64) wide {
	h, l := bits.Mul64(x, y)
	w0, c := bits.Sub64(a.w0, l, 0)
	w1, c := bits.Sub64(a.w1, h, c)
	w2, _ := bits.Sub64(a.w2, 0, c)
	return wide{w0, w1, w2}
}
