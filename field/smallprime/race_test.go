//go:build race

package smallprime_test

// raceEnabled: the race detector empties pools at random.
const raceEnabled = true
