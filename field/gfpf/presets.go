package gfpf

// Preset is a prime r^k + 1 of common use.
type Preset struct {
	Name  string // after "gfpf:"; empty where that is r:k
	Radix uint64
	K     int
}

// Open returns the field of p, as [Open] does.
func (p Preset) Open() (*Any, error) { return Open(p.Radix, p.K) }

// Presets returns the presets, in a fixed order: P1 to P7 of the thesis of Mohajerani, table 3.1, where digits take all
// bits of a word or all but one or two; k4 to k32 of the experiments of the BPAS library (table 7.1 of the thesis "A
// Generic Implementation of FFTs for the BPAS Library"); and primes with digits of a whole word, with bits to spare in
// a word, below 2^52 and below 2^32.
func Presets() []Preset { return append([]Preset(nil), presets...) }

var presets = []Preset{
	{"P1", 1<<63 + 1<<53, 2},
	{"P2", 1<<64 - 1<<50, 4},
	{"P3", 1<<63 + 1<<34, 8},
	{"P4", 1<<62 + 1<<36, 16},
	{"P5", 1<<62 + 1<<56, 32},
	{"P6", 1<<63 - 1<<40, 64},
	{"P7", 1<<64 - 1<<28, 128},

	{"k4", 1<<59 + 1<<58 + 1<<11, 4},
	{"k8", 1<<59 + 1<<57 + 1<<39, 8},
	{"k16", 1<<58 + 1<<55 + 1<<45, 16},
	{"k32", 1<<58 + 1<<55 + 1<<17, 32},

	{"", 1<<64 - 1<<25, 2},
	{"", 1<<64 - 1<<37, 2},
	{"", 1<<64 - 1<<49, 2},
	{"", 1<<64 - 1<<26, 4},
	{"", 1<<64 - 1<<13, 4},
	{"", 1<<64 - 1<<17, 16},
	{"", 1<<64 - 1<<6, 64},

	{"", 1<<61 + 1<<41, 8},
	{"", 1<<60 + 1<<36, 8},
	{"", 1<<59 + 1<<16, 8},
	{"", 1<<59 - 1<<31, 8},
	{"", 1<<58 - 1<<17, 8},
	{"", 1<<57 + 1<<38, 8},
	{"", 1<<57 + 1<<46, 8},
	{"", 1<<56 + 1<<28, 8},
	{"", 1<<56 + 1<<32, 8},
	{"", 1<<60 + 1<<23, 16},
	{"", 1<<60 - 1<<17, 16},
	{"", 1<<58 + 1<<10, 16},
	{"", 1<<61 + 1<<56, 32},
	{"", 1<<59 - 1<<40, 32},
	{"", 1<<56 - 1<<50, 32},
	{"", 1<<61 - 1<<20, 64},
	{"", 1<<55 - 1<<6, 64},
	{"", 1<<57 + 1<<45, 128},
	{"", 1<<55 - 1<<24, 128},

	{"", 1<<52 - 1<<45, 8},
	{"", 1<<51 + 1<<31, 8},
	{"", 1<<51 + 1<<40, 8},
	{"", 1<<50 - 1<<41, 8},
	{"", 1<<47 + 1<<34, 8},
	{"", 1<<46 - 1<<39, 8},
	{"", 1<<46 + 1<<9, 16},
	{"", 1<<41 - 1<<17, 16},
	{"", 1<<40 - 1<<19, 16},
	{"", 1<<51 - 1<<49, 32},
	{"", 1<<49 + 1<<29, 32},
	{"", 1<<48 + 1<<28, 32},
	{"", 1<<52 - 1<<24, 64},
	{"", 1<<47 + 1<<32, 64},
	{"", 1<<52 - 1<<16, 128},

	{"", 1<<32 - 1<<20, 8},
	{"", 1<<31 + 1<<12, 8},
	{"", 1<<31 - 1<<7, 8},
	{"", 1<<30 - 1<<18, 8},
	{"", 1<<29 + 1<<25, 8},
	{"", 1<<29 - 1<<25, 8},
	{"", 1<<30 + 1<<16, 16},
	{"", 1<<30 - 1<<6, 16},
	{"", 1<<32 - 1<<13, 32},
	{"", 1<<32 - 1<<29, 32},
	{"", 1<<31 - 1<<15, 32},
	{"", 1<<32 - 1<<24, 64},
	{"", 1<<30 + 1<<16, 64},
	{"", 1<<30 - 1<<26, 128},
}

// P1 returns the field of (2^63 + 2^53)² + 1, gfpf:P1.
func P1() *Field[[2]uint64] { return newField[[2]uint64](1<<63 + 1<<53) }

// P2 returns the field of (2^64 − 2^50)⁴ + 1, gfpf:P2.
func P2() *Field[[4]uint64] { return newField[[4]uint64](1<<64 - 1<<50) }

// P3 returns the field of (2^63 + 2^34)⁸ + 1, gfpf:P3, of 505 bits and 2-adicity 272.
func P3() *Field[[8]uint64] { return newField[[8]uint64](1<<63 + 1<<34) }

// P4 returns the field of (2^62 + 2^36)^16 + 1, gfpf:P4, of 993 bits and 2-adicity 576.
func P4() *Field[[16]uint64] { return newField[[16]uint64](1<<62 + 1<<36) }

// P5 returns the field of (2^62 + 2^56)^32 + 1, gfpf:P5.
func P5() *Field[[32]uint64] { return newField[[32]uint64](1<<62 + 1<<56) }

// P6 returns the field of (2^63 − 2^40)^64 + 1, gfpf:P6.
func P6() *Field[[64]uint64] { return newField[[64]uint64](1<<63 - 1<<40) }

// P7 returns the field of (2^64 − 2^28)^128 + 1, gfpf:P7.
func P7() *Field[[128]uint64] { return newField[[128]uint64](1<<64 - 1<<28) }

// K4 returns the field of (2^59 + 2^58 + 2^11)⁴ + 1, gfpf:k4.
func K4() *Field[[4]uint64] { return newField[[4]uint64](1<<59 + 1<<58 + 1<<11) }

// K8 returns the field of (2^59 + 2^57 + 2^39)⁸ + 1, gfpf:k8.
func K8() *Field[[8]uint64] { return newField[[8]uint64](1<<59 + 1<<57 + 1<<39) }

// K16 returns the field of (2^58 + 2^55 + 2^45)^16 + 1, gfpf:k16.
func K16() *Field[[16]uint64] { return newField[[16]uint64](1<<58 + 1<<55 + 1<<45) }

// K32 returns the field of (2^58 + 2^55 + 2^17)^32 + 1, gfpf:k32.
func K32() *Field[[32]uint64] { return newField[[32]uint64](1<<58 + 1<<55 + 1<<17) }
