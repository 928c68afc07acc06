package limb

import (
	"os"
	"testing"

	"github.com/galfft/fft/internal/testscale"
)

func TestMain(m *testing.M) { os.Exit(testscale.Main(m)) }
