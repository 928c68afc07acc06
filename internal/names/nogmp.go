//go:build !cgo || !gmp

package names

import (
	"math/big"

	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/bigprime/gmp"
	"github.com/galfft/fft/internal/verbs"
)

// tag is what a description adds.
const tag = " (not in this build: -tags gmp)"

func ofWordsGMP(*big.Int) (verbs.Field, error) { return nil, gmp.ErrUnavailable }

func ofDigitsGMP(uint64, int) (verbs.Field, error) { return nil, gmp.ErrUnavailable }

func ncw(*bigprime.Any) (verbs.Field, error) { return nil, gmp.ErrUnavailable }
