package testscale

import (
	"os"
	"runtime/debug"
	"testing"
)

// Main is [testing.M.Run] for packages whose tests make many short-lived vectors: with the few MiB that these hold at
// once, the collector would run so often that it takes up to a third of their time. GOGC has the last word.
func Main(m *testing.M) int {
	const percent = 400
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
	return m.Run()
}
