//go:build race

package binary

// raceEnabled tells tests of memory that a pool drops some of what it is given.
const raceEnabled = true
