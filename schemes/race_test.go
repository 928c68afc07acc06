//go:build race

package schemes_test

// The race detector empties pools at random, so that allocations are not counted.
const raceEnabled = true
