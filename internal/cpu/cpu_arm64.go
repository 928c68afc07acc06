//go:build arm64 && !purego

package cpu

import "golang.org/x/sys/cpu"

var known = []Tier{NEON}

const mulx, vpclmul, gfni, vbmi = false, false, false, false

// clmul is the instruction PMULL for words, which has a feature of its own.
var clmul = cpu.ARM64.HasPMULL

const clmulName = "pmull"

const noTiers = "this processor has no vectors"

func features(t Tier) []feature {
	if t == NEON {
		return []feature{{"asimd", cpu.ARM64.HasASIMD}}
	}
	return nil
}
