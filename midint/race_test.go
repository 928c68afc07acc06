//go:build race

package midint_test

// raceEnabled: the race detector empties pools at random.
const raceEnabled = true
