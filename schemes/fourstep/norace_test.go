//go:build !race

package fourstep_test

const raceEnabled = false
