package smallprime

// Preset is a modulus of common use.
type Preset struct {
	Name    string
	Modulus uint64
	New     func() any // a *Field32 where p < 2^32, a *GoldilocksField for goldilocks, a *Field64 elsewhere
}

// Presets returns the presets, in a fixed order.
func Presets() []Preset {
	return []Preset{
		{"goldilocks", goldilocks, func() any { return Goldilocks() }},
		{"babybear", babyBear, func() any { return BabyBear() }},
		{"koalabear", koalaBear, func() any { return KoalaBear() }},
		{"mersenne31", mersenne31, func() any { return Mersenne31() }},
		{"998244353", p998244353, func() any { return P998244353() }},
		{"covanov", covanov, func() any { return Covanov() }},
		{"P1", p1, func() any { return P1() }},
		{"p30", p30, func() any { return P30() }},
		{"p32", p32, func() any { return P32() }},
		{"p50", p50, func() any { return P50() }},
		{"p62", p62, func() any { return P62() }},
		{"p63", p63, func() any { return P63() }},
		{"p64", p64, func() any { return P64() }},
	}
}

const (
	goldilocks = 1<<64 - 1<<32 + 1
	babyBear   = 15<<27 + 1
	koalaBear  = 127<<24 + 1
	mersenne31 = 1<<31 - 1
	p998244353 = 119<<23 + 1
	covanov    = 29<<57 + 1
	p1         = 625<<20 + 1
	p30        = 45<<24 + 1
	p32        = 125<<25 + 1
	p50        = 16777209<<26 + 1
	p62        = 137438953469<<25 + 1
	p63        = 549755813881<<24 + 1
	p64        = 1099511627775<<24 + 1
)

// Goldilocks returns the field of 2^64 − 2^32 + 1, of 2-adicity 32. The root of order 2^32 is 7^(2^32−1) =
// 1753635133440165772, the one of Plonky3. Roots whose order divides 192 are powers of 2.
func Goldilocks() *GoldilocksField { return &GoldilocksField{*newField64(goldilocks)} }

// BabyBear returns the field of 15·2^27 + 1 = 2013265921, of 2-adicity 27. The root of order 2^27 is 11^15 =
// 1227303670. Plonky3 takes 31^15 = 440564289 and RISC Zero takes 137; a domain with that root gives their order
// of values.
func BabyBear() *Field32 { return newField32(babyBear) }

// KoalaBear returns the field of 127·2^24 + 1 = 2^31 − 2^24 + 1 = 2130706433, of 2-adicity 24. The root of
// order 2^24 is 3^127 = 1791270792, the one of Plonky3.
func KoalaBear() *Field32 { return newField32(koalaBear) }

// Mersenne31 returns the field of 2^31 − 1, of 2-adicity 1: of the powers of two, 1 and 2 alone are orders of
// roots. Cyclic transforms take the divisors of 2·3²·7·11·31·151·331. Libraries that transform a power of two
// here work in an extension field, or on its circle.
func Mersenne31() *Field32 { return newField32(mersenne31) }

// P998244353 returns the field of 119·2^23 + 1, of 2-adicity 23, the usual modulus of programming contests.
// The root of order 2^23 is 3^119 = 15311432, as there.
func P998244353() *Field32 { return newField32(p998244353) }

// Covanov returns the field of 29·2^57 + 1 = 4179340454199820289, of 2-adicity 57, the prime of Covanov's
// generated transforms in the BPAS library. The root of order 2^57 is 3^29 = 68630377364883.
func Covanov() *Field64 { return newField64(covanov) }

// P1 returns the field of 625·2^20 + 1 = 655360001, of 2-adicity 20, a small prime of experiments with
// generic transforms. The root of order 2^20 is 3^625 = 179630168.
func P1() *Field32 { return newField32(p1) }

// P30 returns the field of 45·2^24 + 1 = 754974721, the largest prime below 2^30 of 2-adicity at least 24. The
// root of order 2^24 is 11^45 = 739831874.
func P30() *Field32 { return newField32(p30) }

// P32 returns the field of 125·2^25 + 1 = 4194304001, the largest prime below 2^32 of 2-adicity at least 24. The
// root of order 2^25 is 3^125 = 1177770062.
func P32() *Field32 { return newField32(p32) }

// P50 returns the field of 16777209·2^26 + 1 = 1125899437080577, the largest prime below 2^50 of 2-adicity at
// least 24. The root of order 2^26 is 5^16777209 = 447034753174620.
func P50() *Field64 { return newField64(p50) }

// P62 returns the field of 137438953469·2^25 + 1 = 4611686018326724609, the largest prime below 2^62 of
// 2-adicity at least 24. The root of order 2^25 is 3^137438953469 = 3124110217111569905.
func P62() *Field64 { return newField64(p62) }

// P63 returns the field of 549755813881·2^24 + 1 = 9223372036737335297, the largest prime below 2^63 of
// 2-adicity at least 24. The root of order 2^24 is 3^549755813881 = 2419180138865645092.
func P63() *Field64 { return newField64(p63) }

// P64 returns the field of 1099511627775·2^24 + 1 = 18446744073692774401, the largest prime below 2^64 of
// 2-adicity at least 24. The root of order 2^24 is 43^1099511627775 = 7554718977942093330.
func P64() *Field64 { return newField64(p64) }
