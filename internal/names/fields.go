package names

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/integer"
	"github.com/galfft/fft/internal/verbs"
)

// table holds the named fields. A new one is one more line: elements may be of any type.
var table = []Entry{
	{"goldilocks", "2^64 − 2^32 + 1, 2-adicity 32", of(smallprime.Goldilocks)},
	{"babybear", "15·2^27 + 1, 2-adicity 27", of(smallprime.BabyBear)},
	{"koalabear", "2^31 − 2^24 + 1, 2-adicity 24", of(smallprime.KoalaBear)},
	{"mersenne31", "2^31 − 1, 2-adicity 1: no transforms of powers of two above 2", of(smallprime.Mersenne31)},
	{"998244353", "119·2^23 + 1, 2-adicity 23", of(smallprime.P998244353)},
	{"covanov", "29·2^57 + 1, 2-adicity 57", of(smallprime.Covanov)},
	{"P1", "625·2^20 + 1, 2-adicity 20", of(smallprime.P1)},
	{"p30", "the largest prime below 2^30 of 2-adicity at least 24", of(smallprime.P30)},
	{"p32", "the largest prime below 2^32 of 2-adicity at least 24", of(smallprime.P32)},
	{"p50", "the largest prime below 2^50 of 2-adicity at least 24", of(smallprime.P50)},
	{"p62", "the largest prime below 2^62 of 2-adicity at least 24", of(smallprime.P62)},
	{"p63", "the largest prime below 2^63 of 2-adicity at least 24", of(smallprime.P63)},
	{"p64", "the largest prime below 2^64 of 2-adicity at least 24", of(smallprime.P64)},
	{"gfpf:P1", "(2^63 + 2^53)^2 + 1, 127 bits, 2-adicity 106", of(gfpf.P1)},
	{"gfpf:P2", "(2^64 − 2^50)^4 + 1, 256 bits, 2-adicity 200", of(gfpf.P2)},
	{"gfpf:P3", "(2^63 + 2^34)^8 + 1, 505 bits, 2-adicity 272", of(gfpf.P3)},
	{"gfpf:P4", "(2^62 + 2^36)^16 + 1, 993 bits, 2-adicity 576", of(gfpf.P4)},
	{"gfpf:P5", "(2^62 + 2^56)^32 + 1, 1985 bits, 2-adicity 1792", of(gfpf.P5)},
	{"gfpf:P6", "(2^63 − 2^40)^64 + 1, 4032 bits, 2-adicity 2560", of(gfpf.P6)},
	{"gfpf:P7", "(2^64 − 2^28)^128 + 1, 8192 bits, 2-adicity 3584", of(gfpf.P7)},
	{"gfpf:k4", "(2^59 + 2^58 + 2^11)^4 + 1, 239 bits, 2-adicity 44", of(gfpf.K4)},
	{"gfpf:k8", "(2^59 + 2^57 + 2^39)^8 + 1, 475 bits, 2-adicity 312", of(gfpf.K8)},
	{"gfpf:k16", "(2^58 + 2^55 + 2^45)^16 + 1, 931 bits, 2-adicity 720", of(gfpf.K16)},
	{"gfpf:k32", "(2^58 + 2^55 + 2^17)^32 + 1, 1862 bits, 2-adicity 544", of(gfpf.K32)},
	{"P2", "(2^63 + 2^53)^2 + 1, 127 bits, 2-adicity 106", of(bigprime.P2)},
	{"bn254", "scalar field of BN254, 254 bits, 2-adicity 28", of(bigprime.BN254)},
	{"bls12-381", "scalar field of BLS12-381, 255 bits, 2-adicity 32", of(bigprime.BLS12381)},
	{"bls12-377", "scalar field of BLS12-377, 253 bits, 2-adicity 47", of(bigprime.BLS12377)},
	{"stark252", "2^251 + 17·2^192 + 1, 252 bits, 2-adicity 192", of(bigprime.Stark252)},
	{"pallas", "base field of Pallas, 255 bits, 2-adicity 32", of(bigprime.Pallas)},
	{"vesta", "base field of Vesta, 255 bits, 2-adicity 32", of(bigprime.Vesta)},
	{"secp256k1", "base field of secp256k1, 2^256 − 2^32 − 977, 2-adicity 1: no transforms of powers of two above 2",
		of(bigprime.Secp256k1)},
	{"aes", "GF(2^8) modulo 0x11B", preset("aes")},
	{"raid6", "GF(2^8) modulo 0x11D", preset("raid6")},
	{"leopard16", "GF(2^16) modulo 0x1002D", preset("leopard16")},
	{"gf2:64", "GF(2^64) modulo x^64 + x^4 + x^3 + x + 1", func() (verbs.Field, error) { return openGF2("64") }},
	{"ghash", "GF(2^128) modulo x^128 + x^7 + x^2 + x + 1", preset("ghash")},
	{"polyval", "GF(2^128) modulo x^128 + x^127 + x^126 + x^121 + 1", preset("polyval")},
	{"tower:128", "GF(2^128) as Wiedemann's tower", func() (verbs.Field, error) { return openTower("128") }},
}

// of makes the constructor of a field from that of its own package.
func of[E any, F verbs.Described[E]](open func() F) func() (verbs.Field, error) {
	return func() (verbs.Field, error) { return verbs.Of[E](open()), nil }
}

// openGFPF returns the field of r^k + 1 for a text r:k.
func openGFPF(text string) (verbs.Field, error) {
	radix, digits, _ := strings.Cut(text, ":")
	k, err := strconv.Atoi(digits)
	if err != nil {
		return nil, fmt.Errorf("galfft: %w: %q, want r:k, the prime r^k + 1, as 2^63+2^34:8", field.ErrModulus, text)
	}
	r, err := gfpf.ParseRadix(radix)
	if err != nil {
		return nil, err
	}
	open, ok := ofDigits[k]
	if !ok {
		_, err := gfpf.Open(r, k)
		return nil, err
	}
	return open(r)
}

// ofDigits makes fields of r^k + 1 by k, with elements in arrays.
var ofDigits = map[int]func(r uint64) (verbs.Field, error){
	2: newGFPF[[2]uint64], 4: newGFPF[[4]uint64], 8: newGFPF[[8]uint64], 16: newGFPF[[16]uint64],
	32: newGFPF[[32]uint64], 64: newGFPF[[64]uint64], 128: newGFPF[[128]uint64],
}

func newGFPF[E gfpf.Digits](r uint64) (verbs.Field, error) {
	f, err := gfpf.New[E](r)
	if err != nil {
		return nil, err
	}
	return verbs.Of(f), nil
}

// PrimePrefix stands before the modulus in the name of a prime that has no other name.
const PrimePrefix = "prime:"

// openPrime returns the field of a prime written as package integer reads it.
func openPrime(text string) (verbs.Field, error) {
	n, ok := integer.Parse(text)
	switch {
	case !ok || n.Sign() < 0:
		return nil, fmt.Errorf("galfft: %w: %.60q, want an odd prime of up to 8192 bits: decimal, hexadecimal after 0x, "+
			"or as 2^61-1", field.ErrModulus, text)
	case !n.IsUint64():
		return openBig(n)
	}
	p := n.Uint64()
	if p <= math.MaxUint32 {
		f, err := smallprime.New32(uint32(p))
		if err != nil {
			return nil, err
		}
		return verbs.Of(f), nil
	}
	f, err := smallprime.New64(p)
	if err != nil {
		return nil, err
	}
	return verbs.Of(f), nil
}
