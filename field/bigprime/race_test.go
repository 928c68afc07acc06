//go:build race

package bigprime

// raceEnabled tells tests of memory that a pool drops some of what it is given.
const raceEnabled = true
