//go:build race

package main

// raceEnabled tells tests of memory that the race detector takes several times as much.
const raceEnabled = true
