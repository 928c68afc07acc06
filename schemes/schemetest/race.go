//go:build race

package schemetest

const raceEnabled = true
