//go:build race

package poly_test

// raceEnabled tells that everything is slow, and that pools are emptied at random, so that allocations cannot be
// counted.
const raceEnabled = true
