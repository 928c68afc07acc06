package smallprime

import "math/bits"

// GoldilocksField is the Field64 of 2^64 − 2^32 + 1, where 2^96 = −1: it implements field.Shifter with the
// root 2. Nil and the zero GoldilocksField are no fields, as those of Field64.
type GoldilocksField struct{ Field64 }

// ShiftOrder returns 192, the order of 2.
func (f *GoldilocksField) ShiftOrder() uint64 { return 192 }

// Shift sets z = x·2^s.
func (f *GoldilocksField) Shift(z, x *uint64, s uint64) {
	v := *x
	s %= 192
	if s >= 96 {
		s -= 96
		v = subMod(0, v, goldilocks)
	}
	if s >= 64 {
		s -= 64
		v = reduceGoldilocks(v, 0)
	}
	*z = reduceGoldilocks(v>>(64-s), v<<s)
}

// reduceGoldilocks returns h·2^64 + l mod 2^64 − 2^32 + 1, from 2^64 = e = 2^32 − 1 and 2^96 = −1.
func reduceGoldilocks(h, l uint64) uint64 {
	const e = 1<<32 - 1
	l, b := bits.Sub64(l, h>>32, 0)
	l -= e & -b
	l, c := bits.Add64(l, h&e*e, 0)
	l += e & -c
	return min(l, l-goldilocks)
}
