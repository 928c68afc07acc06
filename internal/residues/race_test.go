//go:build race

package residues_test

// raceEnabled: the race detector empties pools at random.
const raceEnabled = true
