package gfpf

import (
	"math/big"
	"math/bits"
	"slices"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/schemes"
	"github.com/stretchr/testify/require"
)

// The algorithms of D. Mohajerani's thesis, as reference functions, are right when corrected, and each error of the
// printed text put back is found by the tests of this package: by the edge values of TestAlgebra, or by a transform of
// 16 points.
//
// Errors of other kinds are met elsewhere: residues taken for digits in mixed radix in bench, the 2-adicity of P6
// below; barriers and indices of threads belong to listings that nothing here follows.

// mistake is one error of the printed text, none of them 0.
type mistake int

const (
	none            mistake = iota
	carryKept               // algorithm 4.1 does not clear the carry
	noOverflow              // and does not see a sum of digits above 2^64
	wordForMinusOne         // algorithms 4.1 and 4.2 write −1 as a digit 2^64 − 1
	borrowReversed          // algorithm 4.2 compares the other way round
	minusOneIgnored         // algorithm 4.4 moves the digits of −1 as any others
	partsExchanged          // its prose takes the other digits for those that go around
	noSecondTurn            // it covers s ≤ k alone
	normalisedShift         // algorithm 4.8 multiplies y by r in the field
	indexOffByOne           // algorithm 4.7 takes y_(k−i) for y_(k−1−i)
	signOfLastTerm          // algorithm 4.6 adds its last term
	quotientUp              // the division by r adds 1 to the quotient of a negative remainder
	slotsOfStep4            // algorithm 6.6 multiplies other slots
	rootOfHalfOrder         // the slides want another root where ω^(N/2) = −1
)

// reference is operations by the thesis' algorithms, but for one mistake.
func (f *ring) reference(m mistake) operations {
	return operations{
		add:   func(z, x, y []uint64) { f.thesisAdd(z, x, y, m) },
		sub:   func(z, x, y []uint64) { f.thesisSub(z, x, y, m) },
		mul:   func(z, x, y []uint64) { f.thesisMul(z, x, y, m) },
		shift: func(z, x []uint64, s uint64) { f.thesisShift(z, x, s, m) },
	}
}

// thesisAdd is algorithms 3.2 and 4.1.
func (f *ring) thesisAdd(z, x, y []uint64, m mistake) {
	var c uint64
	for i := range z {
		s, over := bits.Add64(x[i], y[i], c)
		if m == noOverflow {
			over = 0
		}
		if over == 1 || s >= f.r {
			z[i], c = s-f.r, 1
		} else if z[i] = s; m != carryKept {
			c = 0
		}
	}
	if c == 1 {
		f.thesisStep(z, f.r-1, 0, m)
	}
}

// thesisSub is algorithm 4.2.
func (f *ring) thesisSub(z, x, y []uint64, m mistake) {
	var b uint64
	for i := range z {
		d, borrow := bits.Sub64(x[i], y[i], b)
		if m == borrowReversed {
			borrow ^= 1
		}
		if b = borrow; b == 1 {
			d += f.r
		}
		z[i] = d
	}
	if b == 1 {
		f.thesisStep(z, 0, f.r-1, m)
	}
}

// thesisStep subtracts 1 or adds 1: digits at the end become fill, and the first of others goes one towards it.
func (f *ring) thesisStep(z []uint64, fill, end uint64, m mistake) {
	for i := range z {
		if z[i] != end {
			if fill == 0 {
				z[i]++
			} else {
				z[i]--
			}
			return
		}
		z[i] = fill
	}
	clear(z)
	if m == wordForMinusOne {
		z[0] = 1<<64 - 1
	} else {
		z[f.k-1] = f.r
	}
}

// thesisShift is algorithms 4.3 and 4.4.
func (f *ring) thesisShift(z, x []uint64, s uint64, m mistake) {
	k := f.k
	n := int(s % uint64(2*k))
	turn := n >= k
	n %= k
	a, b := make([]uint64, k), make([]uint64, k)
	if f.isMinusOne(x) && m != minusOneIgnored {
		turn = !turn
		b[n] = 1
	} else if m == partsExchanged {
		copy(a[k-n:], x[:n])
		copy(b, x[n:])
	} else {
		copy(b[n:], x[:k-n])
		copy(a, x[k-n:])
	}
	if turn && m != noSecondTurn {
		a, b = b, a
	}
	f.thesisSub(z, b, a, none)
}

// thesisMul is algorithms 4.7 and 4.8: coefficient k−1−m of the product is Σ x_i·y_(k−1−i) for the y of turn m, which
// is moved by one place between turns. A coefficient is l + h·r + c·r².
func (f *ring) thesisMul(z, x, y []uint64, m mistake) {
	k := f.k
	signed := make([]*big.Int, k) // digits with a sign
	for i := range signed {
		signed[i] = new(big.Int).SetUint64(y[i])
	}
	normal := slices.Clone(y)
	r := new(big.Int).SetUint64(f.r)
	sum, place := new(big.Int), new(big.Int)
	for turn := range k {
		u := new(big.Int)
		for i := range x {
			j := k - 1 - i
			if m == indexOffByOne {
				j = (k - i) % k
			}
			v := signed[j]
			if m == normalisedShift {
				v = new(big.Int).SetUint64(normal[j])
			}
			l, h, c := f.digitProduct(x[i], v, m)
			u.Add(u, l).Add(u, h.Mul(h, r)).Add(u, c.Mul(c, r).Mul(c, r))
		}
		sum.Add(sum, u.Mul(u, place.Exp(r, big.NewInt(int64(k-1-turn)), nil)))
		signed = append([]*big.Int{new(big.Int).Neg(signed[k-1])}, signed[:k-1]...)
		t := make([]uint64, k)
		f.thesisShift(t, normal, 1, none)
		normal = t
	}
	f.fromBig(z, sum.Mod(sum, f.p))
}

// digitProduct is algorithm 4.6 for r = 2^63 + 2^34, and the plain product elsewhere: x·y = l + h·r + c·r², in steps
// that divide by r as section 3.1 does.
func (f *ring) digitProduct(x uint64, y *big.Int, m mistake) (l, h, c *big.Int) {
	negative := y.Sign() < 0
	hi, lo := bits.Mul64(x, new(big.Int).Abs(y).Uint64())
	l, h, c = new(big.Int), new(big.Int), new(big.Int)
	if f.r != 1<<63+1<<34 || x >= f.r || y.CmpAbs(new(big.Int).SetUint64(f.r)) >= 0 {
		l.SetUint64(hi).Lsh(l, 64).Add(l, new(big.Int).SetUint64(lo))
	} else {
		// lo + c1·r − c1·2^34 for c1 = 2·hi.
		c1 := 2 * hi
		q, s := f.divide(new(big.Int).SetUint64(lo), m)
		l.Add(l, s)
		h.Add(h, q)
		q, s = f.divide(new(big.Int).SetUint64(c1), m)
		h.Add(h, s)
		c.Add(c, q)
		// c1·2^34 = (d1 + e1)·r + (e0 − e1)·2^34
		d1 := int64(c1 >> 29)
		d0 := int64(c1) - d1<<29
		e1 := (d0 - d1) >> 29
		e0 := (d0 - d1) - e1<<29
		last, above := new(big.Int).Lsh(big.NewInt(e0-e1), 34), big.NewInt(d1+e1)
		if m == signOfLastTerm {
			l.Add(l, last)
			h.Add(h, above)
		} else {
			l.Sub(l, last)
			h.Sub(h, above)
		}
	}
	if negative {
		return l.Neg(l), h.Neg(h), c.Neg(c)
	}
	return l, h, c
}

// divide is the division of z < 2^64 by r = 2^63 + 2^34 of section 3.1: z = q·r + s.
func (f *ring) divide(z *big.Int, m mistake) (q, s *big.Int) {
	high := new(big.Int).Rsh(z, 63)
	q, s = high, new(big.Int).Sub(z, new(big.Int).Lsh(high, 63))
	s.Sub(s, new(big.Int).Lsh(high, 34))
	if s.Sign() < 0 {
		if m == quotientUp {
			q.Add(q, big.NewInt(1))
		} else {
			q.Sub(q, big.NewInt(1))
		}
		s.Add(s, new(big.Int).SetUint64(f.r))
	}
	return q, s
}

func TestMutants(t *testing.T) {
	eachReference := func(m mistake) (wrong int) {
		for _, c := range radices[:12] {
			if c.k > 16 {
				continue // the references are slow
			}
			f := newRing(c.r, c.k)
			o := oracle{&f, f.p}
			if err := o.algebra(f.reference(m)); err != nil {
				if m == none {
					t.Fatalf("%s^%d: the corrected algorithms: %v", RadixText(c.r), c.k, err)
				}
				wrong++
			}
		}
		return wrong
	}
	for m := range slotsOfStep4 {
		require.Equal(t, m == none, eachReference(m) == 0, "mistake %d", m)
	}
}

// The transform of 16 points by eight steps over slots (section 6.2).
func TestMutantsOfDFT16(t *testing.T) {
	f := P3()
	x := make([][8]uint64, 16)
	for i := range x {
		x[i] = [8]uint64{uint64(i*i + 1), uint64(i)}
	}
	var root [8]uint64
	require.NoError(t, f.RootOfUnity(&root, 16))
	want := naiveDFT(f, x, &root)
	require.Equal(t, want, dft16(f, x, none))
	require.NotEqual(t, want, dft16(f, x, slotsOfStep4))
	// A root of half the order is refused: it has no ω^(N/2) = −1.
	var half [8]uint64
	f.Mul(&half, &root, &root)
	d := field.Cyclic[[8]uint64]{N: 16, Root: half, Shift: [8]uint64{1}}
	_, err := schemes.New(f, d, field.Spec{})
	require.ErrorIs(t, err, field.ErrNoRoot, "mistake %d", rootOfHalfOrder)
	require.EqualValues(t, 2560, new(big.Int).Sub(P6().Characteristic(), big.NewInt(1)).TrailingZeroBits(),
		"printed as 2500")
}

func dft16(f *Field[[8]uint64], x [][8]uint64, m mistake) [][8]uint64 {
	v := slices.Clone(x)
	butterflies := func(distance int) {
		for i := range v {
			if i&distance == 0 {
				a, b := v[i], v[i+distance]
				f.Add(&v[i], &a, &b)
				f.Sub(&v[i+distance], &a, &b)
			}
		}
	}
	times := func(power uint64, slots ...int) {
		for _, i := range slots {
			f.Shift(&v[i], &v[i], power)
		}
	}
	butterflies(8)
	times(4, 12, 13, 14, 15)
	butterflies(4)
	if m == slotsOfStep4 {
		times(4, 11)
		times(2, 13)
		times(6, 15)
	} else {
		times(2, 10, 11)
		times(4, 6, 7)
		times(6, 14, 15)
	}
	butterflies(2)
	for i, power := range []uint64{0, 4, 2, 6, 1, 5, 3, 7} {
		times(power, 2*i+1)
	}
	butterflies(1)
	z := make([][8]uint64, 16)
	for i := range z {
		z[i] = v[bulks.Rev(i, 4)]
	}
	return z
}

// naiveDFT is the definition, with a product for each term.
func naiveDFT[E Digits](f *Field[E], x []E, root *E) []E {
	z := make([]E, len(x))
	powers := make([]E, len(x))
	f.One(&powers[0])
	for i := 1; i < len(x); i++ {
		f.Mul(&powers[i], &powers[i-1], root)
	}
	var t E
	for j := range z {
		for i := range x {
			f.Mul(&t, &x[i], &powers[i*j%len(x)])
			f.Add(&z[j], &z[j], &t)
		}
	}
	return z
}
