//go:build race

package rs

// raceEnabled: the race detector empties pools at random.
const raceEnabled = true
