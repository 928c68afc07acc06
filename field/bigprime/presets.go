package bigprime

import (
	"math/big"

	"github.com/galfft/fft/internal/integer"
)

// Preset is a prime of common use.
type Preset struct {
	Name      string
	text      string // p, as package integer reads it
	generator uint64 // of the roots whose order is a power of two; 0: the least
}

// Prime returns p.
func (p Preset) Prime() *big.Int {
	x, ok := integer.Parse(p.text)
	if !ok {
		return new(big.Int)
	}
	return x
}

// Presets returns the presets, in a fixed order.
func Presets() []Preset { return append([]Preset(nil), presets[:]...) }

// Places of the presets.
const (
	p2 = iota
	bn254
	bls12381
	bls12377
	stark252
	pallas
	vesta
	secp256k1
)

var presets = [...]Preset{
	p2:        {"P2", "2^126+2^117+2^106+1", 0},
	bn254:     {"bn254", "0x30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001", 0},
	bls12381:  {"bls12-381", "0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001", 7},
	bls12377:  {"bls12-377", "0x12ab655e9a2ca55660b44d1e5c37b00159aa76fed00000010a11800000000001", 22},
	stark252:  {"stark252", "2^251+2^196+2^192+1", 0},
	pallas:    {"pallas", "2^254+0x224698fc094cf91b992d30ed00000001", 0},
	vesta:     {"vesta", "2^254+0x224698fc0994a8dd8c46eb2100000001", 0},
	secp256k1: {"secp256k1", "2^256-2^32-977", 0},
}

func preset[E Words](i int) *Field[E] { return newField[E](presets[i].Prime()) }

// describe returns the name of the field of p, and the generator of its roots where it is not the least.
func describe(p *big.Int) (name string, generator uint64) {
	for i := range presets {
		if presets[i].Prime().Cmp(p) == 0 {
			return presets[i].Name, presets[i].generator
		}
	}
	return Prefix + p.String(), 0
}

// Prefix stands before the modulus in the names of fields that are no presets.
const Prefix = "prime:"

// P2 returns the field of (2^63 + 2^53)² + 1 = 2^126 + 2^117 + 2^106 + 1, of 127 bits and 2-adicity 106, which is also
// the prime of gfpf:P1. The root of order 2^106 is 3^((p−1)/2^106).
func P2() *Field[[2]uint64] { return preset[[2]uint64](p2) }

// BN254 returns the scalar field of the curve BN254 (alt_bn128), of 254 bits and 2-adicity 28: p = 36u⁴ + 36u³ + 18u² +
// 6u + 1 for u = 4965661367192848881. The root of order 2^28 is 5^((p−1)/2^28), that of gnark-crypto and of arkworks.
func BN254() *Field[[4]uint64] { return preset[[4]uint64](bn254) }

// BLS12381 returns the scalar field of the curve BLS12-381, of 255 bits and 2-adicity 32: p = u⁴ − u² + 1 for u =
// −0xd201000000010000. The root of order 2^32 is 7^((p−1)/2^32), that of gnark-crypto and of arkworks; 5 is the least
// non-residue.
func BLS12381() *Field[[4]uint64] { return preset[[4]uint64](bls12381) }

// BLS12377 returns the scalar field of the curve BLS12-377, of 253 bits and 2-adicity 47: p = u⁴ − u² + 1 for u =
// 0x8508c00000000001. The root of order 2^47 is 22^((p−1)/2^47), that of gnark-crypto and of arkworks; 11 is the least
// non-residue.
func BLS12377() *Field[[4]uint64] { return preset[[4]uint64](bls12377) }

// Stark252 returns the field of 2^251 + 17·2^192 + 1, of 252 bits and 2-adicity 192, in which Cairo computes. The root
// of order 2^192 is 3^((p−1)/2^192).
func Stark252() *Field[[4]uint64] { return preset[[4]uint64](stark252) }

// Pallas returns the base field of the curve Pallas, of 255 bits and 2-adicity 32: p = 2^254 +
// 45560315531419706090280762371685220353. The root of order 2^32 is 5^((p−1)/2^32), that of the crate pasta_curves.
func Pallas() *Field[[4]uint64] { return preset[[4]uint64](pallas) }

// Vesta returns the base field of the curve Vesta, which is the scalar field of Pallas, of 255 bits and 2-adicity 32: p
// = 2^254 + 45560315531506369815346746415080538113. The root of order 2^32 is 5^((p−1)/2^32), that of the crate
// pasta_curves.
func Vesta() *Field[[4]uint64] { return preset[[4]uint64](vesta) }

// Secp256k1 returns the base field of the curve secp256k1, of 256 bits: p = 2^256 − 2^32 − 977. Its 2-adicity is 1: of
// the powers of two, 1 and 2 alone are orders of roots.
func Secp256k1() *Field[[4]uint64] { return preset[[4]uint64](secp256k1) }
