//go:build amd64 && !purego

package cpu

import "golang.org/x/sys/cpu"

var known = []Tier{AVX2, AVX512, IFMA}

var mulx = cpu.X86.HasBMI2 && cpu.X86.HasADX

var clmul = cpu.X86.HasPCLMULQDQ

const clmulName = "pclmulqdq"

// vpclmul and gfni are there without AVX-512 as well, where package cpu of x/sys does not look for them. Processors
// with AVX2 have leaf 7.
var (
	vpclmul = clmul && cpu.X86.HasAVX2 && leaf7()>>10&1 == 1
	gfni    = cpu.X86.HasAVX2 && leaf7()>>8&1 == 1
	vbmi    = cpu.X86.HasAVX512VBMI
)

// leaf7 returns register ECX of leaf 7 of CPUID.
func leaf7() (ecx uint32)

const noTiers = "this processor has none of the tiers of amd64"

func features(t Tier) []feature {
	x := &cpu.X86
	switch t {
	case AVX2:
		return []feature{{"avx2", x.HasAVX2}, {"fma", x.HasFMA}}
	case AVX512:
		return append(features(AVX2), feature{"avx512f", x.HasAVX512F}, feature{"avx512dq", x.HasAVX512DQ},
			feature{"avx512bw", x.HasAVX512BW}, feature{"avx512vl", x.HasAVX512VL})
	case IFMA:
		return append(features(AVX512), feature{"avx512ifma", x.HasAVX512IFMA})
	}
	return nil
}
