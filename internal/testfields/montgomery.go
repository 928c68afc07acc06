package testfields

import (
	"math/big"
	"math/bits"
)

// The prime of Word256 and Plain256 is the order of the BLS12-381 curve's group, 255 bits,
// 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001, with 2^32 | q − 1. A test derives the
// other constants from it.
const (
	q0 uint64 = 0xffffffff00000001
	q1 uint64 = 0x53bda402fffe5bfe
	q2 uint64 = 0x3339d80809a1d805
	q3 uint64 = 0x73eda753299d7d48

	qNegInv uint64 = 0xfffffffeffffffff // −1/q mod 2^64
)

var (
	mont1   = powerOfTwo(256)
	mont2   = powerOfTwo(512)
	qMinus2 = [4]uint64{q0 - 2, q1, q2, q3}
)

// powerOfTwo returns 2^e mod q.
func powerOfTwo(e uint) (z [4]uint64) {
	x := new(big.Int).Lsh(big.NewInt(1), e)
	wordsOfBig(&z, x.Mod(x, modulus256()))
	return z
}

// modulus256 returns q.
func modulus256() *big.Int { return bigOfWords(new(big.Int), &[4]uint64{q0, q1, q2, q3}) }

// addWords sets z = x + y mod q, for x, y < q.
func addWords(z, x, y *[4]uint64) {
	t0, c := bits.Add64(x[0], y[0], 0)
	t1, c := bits.Add64(x[1], y[1], c)
	t2, c := bits.Add64(x[2], y[2], c)
	t3, _ := bits.Add64(x[3], y[3], c)
	putReduced(z, t0, t1, t2, t3)
}

// subWords sets z = x − y mod q, for x, y < q.
func subWords(z, x, y *[4]uint64) {
	t0, b := bits.Sub64(x[0], y[0], 0)
	t1, b := bits.Sub64(x[1], y[1], b)
	t2, b := bits.Sub64(x[2], y[2], b)
	t3, b := bits.Sub64(x[3], y[3], b)
	m := -b // all ones where x < y
	var c uint64
	z[0], c = bits.Add64(t0, m&q0, 0)
	z[1], c = bits.Add64(t1, m&q1, c)
	z[2], c = bits.Add64(t2, m&q2, c)
	z[3], _ = bits.Add64(t3, m&q3, c)
}

// mulMont sets z = xy/2^256 mod q, for x, y < q: Montgomery's product, one word of x at a time with the
// reduction interleaved (CIOS; Koç, Acar and Kaliski 1996, section 5). As q < 2^255, sums stay below
// 2q < 2^256 between words of x.
func mulMont(z, x, y *[4]uint64) {
	y0, y1, y2, y3 := y[0], y[1], y[2], y[3]
	var t0, t1, t2, t3 uint64
	for _, v := range x {
		var c uint64
		h0, l0 := bits.Mul64(v, y0)
		h1, l1 := bits.Mul64(v, y1)
		h2, l2 := bits.Mul64(v, y2)
		h3, l3 := bits.Mul64(v, y3)
		l1, c = bits.Add64(l1, h0, 0)
		l2, c = bits.Add64(l2, h1, c)
		l3, c = bits.Add64(l3, h2, c)
		h3 += c
		t0, c = bits.Add64(t0, l0, 0)
		t1, c = bits.Add64(t1, l1, c)
		t2, c = bits.Add64(t2, l2, c)
		t3, c = bits.Add64(t3, l3, c)
		t4 := h3 + c

		m := t0 * qNegInv
		h0, l0 = bits.Mul64(m, q0)
		h1, l1 = bits.Mul64(m, q1)
		h2, l2 = bits.Mul64(m, q2)
		h3, l3 = bits.Mul64(m, q3)
		l1, c = bits.Add64(l1, h0, 0)
		l2, c = bits.Add64(l2, h1, c)
		l3, c = bits.Add64(l3, h2, c)
		h3 += c
		_, c = bits.Add64(t0, l0, 0)
		t0, c = bits.Add64(t1, l1, c)
		t1, c = bits.Add64(t2, l2, c)
		t2, c = bits.Add64(t3, l3, c)
		t3 = t4 + h3 + c
	}
	putReduced(z, t0, t1, t2, t3)
}

// putReduced sets z to t mod q, for t < 2q.
func putReduced(z *[4]uint64, t0, t1, t2, t3 uint64) {
	s0, b := bits.Sub64(t0, q0, 0)
	s1, b := bits.Sub64(t1, q1, b)
	s2, b := bits.Sub64(t2, q2, b)
	s3, b := bits.Sub64(t3, q3, b)
	if b == 0 {
		t0, t1, t2, t3 = s0, s1, s2, s3
	}
	z[0], z[1], z[2], z[3] = t0, t1, t2, t3
}

// invMont sets z to the inverse of x, both in Montgomery form: x^(q−2), by repeated squaring.
func invMont(z, x *[4]uint64) {
	r := mont1
	for i := 255; i >= 0; i-- {
		mulMont(&r, &r, &r)
		if qMinus2[i/64]>>(i%64)&1 == 1 {
			mulMont(&r, &r, x)
		}
	}
	*z = r
}

// wordsOfBig sets z = x, for 0 ≤ x < 2^256.
func wordsOfBig(z *[4]uint64, x *big.Int) {
	t := new(big.Int).Set(x)
	for i := range z {
		z[i] = t.Uint64()
		t.Rsh(t, 64)
	}
}

// bigOfWords sets z = x and returns z.
func bigOfWords(z *big.Int, x *[4]uint64) *big.Int {
	z.SetUint64(0)
	t := new(big.Int)
	for i := len(x) - 1; i >= 0; i-- {
		z.Or(z.Lsh(z, 64), t.SetUint64(x[i]))
	}
	return z
}
