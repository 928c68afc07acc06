package binary

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// Prefixes of the names of fields without a name of their own.
const (
	Prefix      = "gf2:"
	TowerPrefix = "tower:"
)

// Preset is a modulus with a name.
type Preset struct {
	Name      string
	exponents []int
}

// Modulus returns the polynomial, a fresh value, as [NewModulus] takes it.
func (p Preset) Modulus() *big.Int { return sumOfPowers(p.exponents...) }

var presets = []Preset{
	{"aes", []int{8, 4, 3, 1, 0}},
	{"raid6", []int{8, 4, 3, 2, 0}},
	{"leopard16", []int{16, 5, 3, 2, 0}},
	{"ghash", []int{128, 7, 2, 1, 0}},
	{"polyval", []int{128, 127, 126, 121, 0}},
}

// Presets returns the named moduli.
func Presets() []Preset { return slices.Clone(presets) }

// nameOf is the name of the field modulo p, which is irreducible.
func nameOf(p *big.Int) string {
	for _, preset := range presets {
		if preset.Modulus().Cmp(p) == 0 {
			return preset.Name
		}
	}
	m := p.BitLen() - 1
	if own, err := DefaultModulus(m); err == nil && own.Cmp(p) == 0 {
		return fmt.Sprint(Prefix, m)
	}
	return fmt.Sprint(Prefix, m, ":", modulusText(p))
}

// modulusText is p in hexadecimal, or as a sum of powers of two where that is shorter. Package integer reads both.
func modulusText(p *big.Int) string {
	hex, sum := fmt.Sprintf("%#x", p), []string(nil)
	for i := p.BitLen() - 1; i >= 0; i-- {
		if p.Bit(i) == 1 {
			sum = append(sum, fmt.Sprint("2^", i))
		}
	}
	if text := strings.Join(sum, "+"); len(text) < len(hex) {
		return text
	}
	return hex
}

// AES returns GF(2^8) modulo x^8 + x^4 + x^3 + x + 1, 0x11B, the default of that degree: FIPS 197, section 4.2.
func AES() *Field[uint8] { return preset[uint8]("aes") }

// RAID6 returns GF(2^8) modulo x^8 + x^4 + x^3 + x^2 + 1, 0x11D, of which x generates all units: that of RAID 6, QR
// codes and many codecs of Reed and Solomon.
func RAID6() *Field[uint8] { return preset[uint8]("raid6") }

// Leopard16 returns GF(2^16) modulo x^16 + x^5 + x^3 + x^2 + 1, 0x1002D: that of the codec Leopard, which keeps
// elements in another basis.
func Leopard16() *Field[uint16] { return preset[uint16]("leopard16") }

// GHASH returns GF(2^128) modulo x^128 + x^7 + x^2 + x + 1, the default of that degree: NIST SP 800-38D. Bit i is the
// coefficient of x^i, as in all fields here; blocks of GCM have the bits of each byte the other way round.
func GHASH() *Field[[2]uint64] { return preset[[2]uint64]("ghash") }

// POLYVAL returns GF(2^128) modulo x^128 + x^127 + x^126 + x^121 + 1: RFC 8452, section 3, whose blocks are elements in
// little-endian bytes. Its operation dot is the product here times x^−128.
func POLYVAL() *Field[[2]uint64] { return preset[[2]uint64]("polyval") }

// preset returns the field of a modulus that is known to be irreducible.
func preset[E Elements](name string) *Field[E] {
	i := slices.IndexFunc(presets, func(p Preset) bool { return p.Name == name })
	f, err := ofModulus[E](presets[i].Modulus())
	if err != nil {
		panic(err) // name and element type are constants that a test checks
	}
	return f
}

func sumOfPowers(exponents ...int) *big.Int {
	p := new(big.Int)
	for _, e := range exponents {
		p.SetBit(p, e, 1)
	}
	return p
}

// DefaultModulus returns the modulus of [New], a fresh value: x^m + x^a + 1 with the least a where such a trinomial is
// irreducible, and else x^m + x^a + x^b + x^c + 1 with the least a, then b, then c. In all of them a ≤ m/2. They are
// those of G. Seroussi, "Table of low-weight binary irreducible polynomials", HP Labs HPL-98-135. The error is
// field.ErrModulus where m is not from 2 to 2048.
func DefaultModulus(m int) (*big.Int, error) {
	if err := checkDegree(m); err != nil {
		return nil, err
	}
	e := moduli[m-leastDegree]
	p := sumOfPowers(m, int(e[0]), 0)
	for _, i := range e[1:] {
		if i != 0 {
			p.SetBit(p, int(i), 1)
		}
	}
	return p, nil
}
