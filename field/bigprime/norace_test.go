//go:build !race

package bigprime

const raceEnabled = false
