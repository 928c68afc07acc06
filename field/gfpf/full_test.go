//go:build full

package gfpf_test

import (
	"testing"

	"github.com/galfft/fft/field/gfpf"
)

func TestAllDefinitions(t *testing.T) {
	againstDefinition(t, gfpf.P1(), 4096)
	againstDefinition(t, gfpf.P2(), 4096)
	againstDefinition(t, gfpf.P3(), 1024)
	againstDefinition(t, gfpf.P4(), 256)
	againstDefinition(t, gfpf.P5(), 128)
	againstDefinition(t, gfpf.P7(), 64)
}

func TestAllConvolutions(t *testing.T) {
	convolve(t, gfpf.P2(), 300)
	convolve(t, gfpf.P4(), 200)
	convolve(t, gfpf.P6(), 70)
}
