//go:build !cgo || !gmp

package names

import (
	"github.com/galfft/fft/field/bigprime/gmp"
	"github.com/galfft/fft/internal/verbs"
)

func openGMP(_, _ string) (verbs.Field, error) { return nil, gmp.ErrUnavailable }
