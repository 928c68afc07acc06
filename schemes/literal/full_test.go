//go:build full

package literal_test

import (
	"testing"

	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/testscale"
)

func TestWordLiteral(t *testing.T) { literalEquals(t, smallprime.Goldilocks(), 1<<6) }

func TestAllLiteralCounts(t *testing.T) {
	countLiteral(t, gfpf.K8(), 256, 16, 497)
	countLiteral(t, gfpf.K8(), 4096, 16, 16129)
	countLiteral(t, gfpf.K16(), 1024, 32, 2529)
	countLiteral(t, gfpf.K16(), 32768, 32, 162817)
	countLiteral(t, gfpf.K32(), 4096, 64, 12225)
	if testscale.Of(t) > testscale.Full { // a minute
		countLiteral(t, gfpf.K32(), 262144, 64, 1568769)
	}
}
