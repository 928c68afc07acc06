//go:build !race

package residues_test

const raceEnabled = false
