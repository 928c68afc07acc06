//go:build cgo && gmp

package names

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/bigprime/gmp"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/literal"
	"github.com/galfft/fft/internal/verbs"
)

// openGMP returns the field of the prime of a name with GMP's arithmetic, or an integer of GMP for each element.
func openGMP(prefix, of string) (verbs.Field, error) {
	if prefix == literal.NCWPrefix {
		f, err := anyOf(of)
		if err != nil {
			return nil, err
		}
		return hide[literal.NCWInt](literal.NCW(f))
	}
	if text, ok := digitsOf(of); ok {
		return openGFPF(text, ofDigitsGMP)
	}
	p, err := modulus(of)
	if err != nil {
		return nil, err
	}
	words, err := bigprime.Size(p)
	if err != nil {
		return nil, err
	}
	return ofWordsGMP[words](p)
}

// digitsOf returns r:k for the name of a field of package gfpf.
func digitsOf(name string) (text string, ok bool) {
	text, ok = strings.CutPrefix(name, gfpf.Prefix)
	for _, p := range gfpf.Presets() {
		if p.Name == text && ok {
			return fmt.Sprintf("%d:%d", p.Radix, p.K), true
		}
	}
	return text, ok
}

// ofDigitsGMP is ofDigits with GMP's products.
var ofDigitsGMP = map[int]func(r uint64) (verbs.Field, error){
	2: newGFPFWithGMP[[2]uint64], 4: newGFPFWithGMP[[4]uint64], 8: newGFPFWithGMP[[8]uint64],
	16: newGFPFWithGMP[[16]uint64], 32: newGFPFWithGMP[[32]uint64], 64: newGFPFWithGMP[[64]uint64],
	128: newGFPFWithGMP[[128]uint64],
}

func newGFPFWithGMP[E gfpf.Digits](r uint64) (verbs.Field, error) {
	f, err := gfpf.New[E](r)
	if err != nil {
		return nil, err
	}
	return hide[E](gmp.GFPF(f))
}

// ofWordsGMP is ofWords with GMP's products, for every number of words.
var ofWordsGMP = map[int]func(p *big.Int) (verbs.Field, error){
	2: newBigWithGMP[[2]uint64], 3: newBigWithGMP[[3]uint64], 4: newBigWithGMP[[4]uint64], 5: newBigWithGMP[[5]uint64],
	6: newBigWithGMP[[6]uint64], 8: newBigWithGMP[[8]uint64], 10: newBigWithGMP[[10]uint64],
	12: newBigWithGMP[[12]uint64], 16: newBigWithGMP[[16]uint64], 20: newBigWithGMP[[20]uint64],
	24: newBigWithGMP[[24]uint64], 32: newBigWithGMP[[32]uint64], 48: newBigWithGMP[[48]uint64],
	64: newBigWithGMP[[64]uint64], 96: newBigWithGMP[[96]uint64], 128: newBigWithGMP[[128]uint64],
}

func newBigWithGMP[E bigprime.Words](p *big.Int) (verbs.Field, error) {
	f, err := bigprime.New[E](p)
	if err != nil {
		return nil, err
	}
	return hide[E](gmp.Of(f))
}
