//go:build race

package par

// raceEnabled: the race detector empties pools at random.
const raceEnabled = true
