package main

// fermat is DFT_17 modulo 2^64 − 2^32 + 1 by 16 products. What the sums u of rows 3^i and −3^i, i < 8, add to value
// 3^−m is their cyclic convolution with the cosines at 3^−i, and likewise for differences, sines and the convolution in
// which 8 places further is the opposite (C. Rader, Proc. IEEE 56 (1968)). Transforms of 8 points take products by
// powers of 2 alone there, as 2^24 is a root of order 8 and 2^12 turns the second convolution into the first.
type fermat struct{ *fewProducts }

const (
	fermatPrime = 17
	fermatHalf  = fermatPrime / 2
	eighth      = 24  // the power of 2 that is a root of order 8
	sixteenth   = 12  // likewise, of order 16
	opposite    = 96  // that which is −1
	unity       = 192 // that which is 1
)

// unit is 3^e modulo 17.
func (f *fermat) unit(e int) int {
	z := 1
	for range (e + fermatPrime - 1) % (fermatPrime - 1) {
		z = z * 3 % fermatPrime
	}
	return z
}

// residue is e modulo what is 1, not negative.
func residue(e int) int { return (e%unity + unity) % unity }

// minus reports whether times2 has the opposite.
func minus(e int) bool { return residue(e) >= opposite != (residue(e)%opposite >= 64) }

// times2 is x·2^e, canonical, of a canonical x, or its opposite. With 2^64 as 2^32 − 1, 2^96 is −1.
func (f *fermat) times2(x vec, e int) vec {
	a := f.by.(*goldilocks)
	e = residue(e) % opposite
	high := func(n int) vec { return f.srlq(x, uint64(n)) }
	switch {
	case e == 0:
		return x
	case e <= 32:
		return f.by.canon(a.wideSum(f.sllq(x, uint64(e)), f.halves(high(64-e), a.eps)))
	case e < 64:
		z := a.wideSum(f.sllq(x, uint64(e)), f.halves(high(64-e), a.eps))
		return f.by.canon(a.wideDifference(z, high(opposite-e)))
	}
	n := opposite - e // the opposite of x/2^n: the lowest n bits times −(2^32 − 1)·2^(32 − n)
	return f.difference(high(n), f.halves(f.sllq(x, uint64(32-n)), a.eps))
}

// less is (x − y)·2^e.
func (f *fermat) less(x, y vec, e int) vec {
	if minus(e) {
		x, y = y, x
	}
	return f.times2(f.difference(x, y), e)
}

// ends is x ± y·2^e, values or open.
func (f *fermat) ends(x, y vec, e int, open bool) (s, d vec) {
	s, d = f.fewProducts.ends(x, f.times2(y, e), open)
	if minus(e) {
		return d, s
	}
	return s, d
}

// forward is the transform of 8 points, to values in bit-reversed order.
func (f *fermat) forward(x []vec) {
	for n := fermatHalf / 2; n > 0; n /= 2 {
		for i := range x {
			if j := i % (2 * n); j < n {
				x[i], x[i+n] = f.sum(x[i], x[i+n]), f.less(x[i], x[i+n], eighth*j*fermatHalf/2/n)
			}
		}
	}
}

// inverse is 8 times the inverse of forward.
func (f *fermat) inverse(x []vec) {
	for n := 1; n < fermatHalf; n *= 2 {
		for i := range x {
			if j := i % (2 * n); j < n {
				x[i], x[i+n] = f.ends(x[i], x[i+n], -eighth*j*fermatHalf/2/n, false)
			}
		}
	}
}

// prepare puts the transforms of cosines and of sines into s, over 8.
func (f *fermat) prepare() {
	zero := f.vec()
	f.VPXORQ(zero, zero, zero)
	for i, sine := range []bool{false, true} {
		var x []vec
		for j := range fermatHalf {
			k := f.unit(-j)
			at, e := f.c(min(k, fermatPrime-k)), 0
			if sine {
				at, e = f.fewProducts.s(min(k, fermatPrime-k)), sixteenth*j
				if k > fermatHalf {
					e += opposite
				}
			}
			x = append(x, f.less(f.broadcast(f.at(f.w, at)), zero, e))
		}
		f.forward(x)
		for j, x := range x {
			f.store(f.times2(x, -3), f.at(f.oddSums.s, fermatHalf*i+j)) // the words behind are those of the next
		}
	}
	f.MOVQ(f.oddSums.s, f.w)
	f.MOVQ(f.oddSums.s, f.q)
}

// column does DFT_17 on rows.
func (f *fermat) column(x []vec, put func(k int, x vec)) {
	var u, v []vec
	for i := range fermatHalf {
		k := f.unit(i)
		y, z := x[k], x[fermatPrime-k]
		u, v = append(u, f.sum(y, z)), append(v, f.less(y, z, sixteenth*i))
	}
	f.forward(u)
	put(0, f.openSum(x[0], u[0]))
	for i := range u {
		u[i] = f.times(u[i], i)
	}
	u[0] = f.sum(u[0], x[0])
	f.inverse(u)
	f.forward(v)
	for i := range v {
		v[i] = f.times(v[i], fermatHalf+i)
	}
	f.inverse(v)
	for i := range u {
		k := f.unit(-i)
		s, d := f.ends(u[i], v[i], -sixteenth*i, true)
		put(k, s)
		put(fermatPrime-k, d)
	}
}
