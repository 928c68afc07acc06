//go:build !cgo || !gmp

package names

import (
	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/bigprime/gmp"
	"github.com/galfft/fft/internal/verbs"
)

func withGMP[E bigprime.Words](*bigprime.Field[E], string) (verbs.Field, error) {
	return nil, gmp.ErrUnavailable
}
