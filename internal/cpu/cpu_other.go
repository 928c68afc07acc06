//go:build purego || (!amd64 && !arm64)

package cpu

var known []Tier

const mulx, clmul, vpclmul, gfni, vbmi = false, false, false, false, false

const clmulName = ""

const noTiers = "no assembly is built in: the tag purego is set, or there is none for this architecture"

func features(Tier) []feature { return nil }
