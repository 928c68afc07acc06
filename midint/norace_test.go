//go:build !race

package midint_test

const raceEnabled = false
