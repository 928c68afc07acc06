//go:build arm64 && !purego

package cpu

import "golang.org/x/sys/cpu"

var known = []Tier{NEON}

const mulx, clmul, vpclmul, gfni = false, false, false, false

const noTiers = "this processor has no vectors"

func features(t Tier) []feature {
	if t == NEON {
		return []feature{{"asimd", cpu.ARM64.HasASIMD}}
	}
	return nil
}
