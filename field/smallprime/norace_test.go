//go:build !race

package smallprime_test

const raceEnabled = false
