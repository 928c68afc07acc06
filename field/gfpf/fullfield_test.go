//go:build full

package gfpf

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAllConformance(t *testing.T) {
	conforms(t, "k16", K16())
	conforms(t, "k32", K32())
}

func TestAllTransforms(t *testing.T) {
	next := func(i int) uint64 { return uint64(i) + 1 }
	require.Equal(t, "1eb61249ed3e76bbebbf15aed764df770fff1ba341f7ad13acae01bf9942555f", sum(P4())(t, 1024, next))
}
