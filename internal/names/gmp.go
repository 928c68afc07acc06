//go:build cgo && gmp

package names

import (
	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/bigprime/gmp"
	"github.com/galfft/fft/field/literal"
	"github.com/galfft/fft/internal/verbs"
)

// withGMP returns f with GMP's arithmetic, or an integer of GMP for each element.
func withGMP[E bigprime.Words](f *bigprime.Field[E], prefix string) (verbs.Field, error) {
	if prefix == gmp.Prefix {
		return hide[E](gmp.Of(f))
	}
	return hide[literal.NCWInt](literal.NCW(f))
}
