package smallprime

import "math/bits"

// Loops written by hand, with all of one arithmetic in local variables: what the passes are measured by.
// They work on two or four rows; w holds the pairs of the multipliers in the order of use.

func handShoup31Radix2(a0, a1 []uint32, p uint64, w []uint32) {
	p2, w0, q0 := 2*p, uint64(w[0]), uint64(w[1])
	a1 = a1[:len(a0)]
	for i := range a0 {
		x, y := uint64(a0[i]), uint64(a1[i])
		y = y*w0 - y*q0>>32*p
		s, d := x+y, x-y
		a0[i], a1[i] = uint32(min(s, s-p2)), uint32(min(d, d+p2))
	}
}

func handStrict32Radix2(a0, a1 []uint32, p uint64, w []uint32) {
	w0, q0 := uint64(w[0]), uint64(w[1])
	a1 = a1[:len(a0)]
	for i := range a0 {
		x, y := uint64(a0[i]), uint64(a1[i])
		y = y*w0 - y*q0>>32*p
		y = min(y, y-p)
		s, d := x+y, x-y
		a0[i], a1[i] = uint32(min(s, s-p)), uint32(min(d, d+p))
	}
}

func handShoup62Radix2(a0, a1 []uint64, p uint64, w []uint64) {
	p2, w0, q0 := 2*p, w[0], w[1]
	a1 = a1[:len(a0)]
	for i := range a0 {
		x, y := a0[i], a1[i]
		x = min(x, x-p2)
		h, _ := bits.Mul64(y, q0)
		y = y*w0 - h*p
		a0[i], a1[i] = x+y, x-y+p2
	}
}

func handShoup63Radix2(a0, a1 []uint64, p uint64, w []uint64) {
	p2, w0, q0 := 2*p, w[0], w[1]
	a1 = a1[:len(a0)]
	for i := range a0 {
		x, y := a0[i], a1[i]
		h, _ := bits.Mul64(y, q0)
		y = y*w0 - h*p
		s, b := bits.Sub64(x, p2-y, 0)
		d, c := bits.Sub64(x, y, 0)
		a0[i], a1[i] = s+p2&-b, d+p2&-c
	}
}

func handMont64Radix2(a0, a1 []uint64, p uint64, w []uint64) {
	w0, q0 := w[0], w[1]
	a1 = a1[:len(a0)]
	for i := range a0 {
		x, y := a0[i], a1[i]
		h, _ := bits.Mul64(y, w0)
		g, _ := bits.Mul64(y*q0, p)
		y, a := bits.Sub64(h, g, 0)
		y += p & -a
		s, b := bits.Sub64(x, p-y, 0)
		d, c := bits.Sub64(x, y, 0)
		a0[i], a1[i] = s+p&-b, d+p&-c
	}
}

func handShoup31Radix4(a0, a1, a2, a3 []uint32, p uint64, w []uint32) {
	p2, w0, q0, w1, q1, w2, q2 := 2*p, uint64(w[0]), uint64(w[1]), uint64(w[2]), uint64(w[3]), uint64(w[4]),
		uint64(w[5])
	a1, a2, a3 = a1[:len(a0)], a2[:len(a0)], a3[:len(a0)]
	for i := range a0 {
		x0, x1, x2, x3 := uint64(a0[i]), uint64(a1[i]), uint64(a2[i]), uint64(a3[i])
		x2 = x2*w0 - x2*q0>>32*p
		x3 = x3*w0 - x3*q0>>32*p
		s, d := x0+x2, x0-x2
		x0, x2 = min(s, s-p2), min(d, d+p2)
		s, d = x1+x3, x1-x3
		x1, x3 = min(s, s-p2), min(d, d+p2)
		x1 = x1*w1 - x1*q1>>32*p
		x3 = x3*w2 - x3*q2>>32*p
		s, d = x0+x1, x0-x1
		a0[i], a1[i] = uint32(min(s, s-p2)), uint32(min(d, d+p2))
		s, d = x2+x3, x2-x3
		a2[i], a3[i] = uint32(min(s, s-p2)), uint32(min(d, d+p2))
	}
}

func handStrict32Radix4(a0, a1, a2, a3 []uint32, p uint64, w []uint32) {
	w0, q0, w1, q1, w2, q2 := uint64(w[0]), uint64(w[1]), uint64(w[2]), uint64(w[3]), uint64(w[4]), uint64(w[5])
	a1, a2, a3 = a1[:len(a0)], a2[:len(a0)], a3[:len(a0)]
	for i := range a0 {
		x0, x1, x2, x3 := uint64(a0[i]), uint64(a1[i]), uint64(a2[i]), uint64(a3[i])
		x2 = x2*w0 - x2*q0>>32*p
		x3 = x3*w0 - x3*q0>>32*p
		x2, x3 = min(x2, x2-p), min(x3, x3-p)
		s, d := x0+x2, x0-x2
		x0, x2 = min(s, s-p), min(d, d+p)
		s, d = x1+x3, x1-x3
		x1, x3 = min(s, s-p), min(d, d+p)
		x1 = x1*w1 - x1*q1>>32*p
		x3 = x3*w2 - x3*q2>>32*p
		x1, x3 = min(x1, x1-p), min(x3, x3-p)
		s, d = x0+x1, x0-x1
		a0[i], a1[i] = uint32(min(s, s-p)), uint32(min(d, d+p))
		s, d = x2+x3, x2-x3
		a2[i], a3[i] = uint32(min(s, s-p)), uint32(min(d, d+p))
	}
}

func handShoup62Radix4(a0, a1, a2, a3 []uint64, p uint64, w []uint64) {
	p2, w0, q0, w1, q1, w2, q2 := 2*p, w[0], w[1], w[2], w[3], w[4], w[5]
	a1, a2, a3 = a1[:len(a0)], a2[:len(a0)], a3[:len(a0)]
	for i := range a0 {
		x0, x1, x2, x3 := a0[i], a1[i], a2[i], a3[i]
		x0, x1 = min(x0, x0-p2), min(x1, x1-p2)
		h, _ := bits.Mul64(x2, q0)
		x2 = x2*w0 - h*p
		x0, x2 = x0+x2, x0-x2+p2
		h, _ = bits.Mul64(x3, q0)
		x3 = x3*w0 - h*p
		x1, x3 = x1+x3, x1-x3+p2
		x0, x2 = min(x0, x0-p2), min(x2, x2-p2)
		h, _ = bits.Mul64(x1, q1)
		x1 = x1*w1 - h*p
		a0[i], a1[i] = x0+x1, x0-x1+p2
		h, _ = bits.Mul64(x3, q2)
		x3 = x3*w2 - h*p
		a2[i], a3[i] = x2+x3, x2-x3+p2
	}
}

func handShoup63Radix4(a0, a1, a2, a3 []uint64, p uint64, w []uint64) {
	p2, w0, q0, w1, q1, w2, q2 := 2*p, w[0], w[1], w[2], w[3], w[4], w[5]
	a1, a2, a3 = a1[:len(a0)], a2[:len(a0)], a3[:len(a0)]
	for i := range a0 {
		x0, x1, x2, x3 := a0[i], a1[i], a2[i], a3[i]
		h, _ := bits.Mul64(x2, q0)
		x2 = x2*w0 - h*p
		s, b := bits.Sub64(x0, p2-x2, 0)
		d, c := bits.Sub64(x0, x2, 0)
		x0, x2 = s+p2&-b, d+p2&-c
		h, _ = bits.Mul64(x3, q0)
		x3 = x3*w0 - h*p
		s, b = bits.Sub64(x1, p2-x3, 0)
		d, c = bits.Sub64(x1, x3, 0)
		x1, x3 = s+p2&-b, d+p2&-c
		h, _ = bits.Mul64(x1, q1)
		x1 = x1*w1 - h*p
		s, b = bits.Sub64(x0, p2-x1, 0)
		d, c = bits.Sub64(x0, x1, 0)
		a0[i], a1[i] = s+p2&-b, d+p2&-c
		h, _ = bits.Mul64(x3, q2)
		x3 = x3*w2 - h*p
		s, b = bits.Sub64(x2, p2-x3, 0)
		d, c = bits.Sub64(x2, x3, 0)
		a2[i], a3[i] = s+p2&-b, d+p2&-c
	}
}

func handMont64Radix4(a0, a1, a2, a3 []uint64, p uint64, w []uint64) {
	w0, q0, w1, q1, w2, q2 := w[0], w[1], w[2], w[3], w[4], w[5]
	a1, a2, a3 = a1[:len(a0)], a2[:len(a0)], a3[:len(a0)]
	for i := range a0 {
		x0, x1, x2, x3 := a0[i], a1[i], a2[i], a3[i]
		h, _ := bits.Mul64(x2, w0)
		g, _ := bits.Mul64(x2*q0, p)
		x2, a := bits.Sub64(h, g, 0)
		x2 += p & -a
		s, b := bits.Sub64(x0, p-x2, 0)
		d, c := bits.Sub64(x0, x2, 0)
		x0, x2 = s+p&-b, d+p&-c
		h, _ = bits.Mul64(x3, w0)
		g, _ = bits.Mul64(x3*q0, p)
		x3, a = bits.Sub64(h, g, 0)
		x3 += p & -a
		s, b = bits.Sub64(x1, p-x3, 0)
		d, c = bits.Sub64(x1, x3, 0)
		x1, x3 = s+p&-b, d+p&-c
		h, _ = bits.Mul64(x1, w1)
		g, _ = bits.Mul64(x1*q1, p)
		x1, a = bits.Sub64(h, g, 0)
		x1 += p & -a
		s, b = bits.Sub64(x0, p-x1, 0)
		d, c = bits.Sub64(x0, x1, 0)
		a0[i], a1[i] = s+p&-b, d+p&-c
		h, _ = bits.Mul64(x3, w2)
		g, _ = bits.Mul64(x3*q2, p)
		x3, a = bits.Sub64(h, g, 0)
		x3 += p & -a
		s, b = bits.Sub64(x2, p-x3, 0)
		d, c = bits.Sub64(x2, x3, 0)
		a2[i], a3[i] = s+p&-b, d+p&-c
	}
}
