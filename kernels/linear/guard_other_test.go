//go:build !linux

package linear

import "testing"

// fenced has no pages of its own here.
func fenced(_ *testing.T, n int, _ bool) []byte { return make([]byte, n) }
