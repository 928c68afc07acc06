//go:build cgo && gmp

package names

import (
	"math/big"

	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/bigprime/gmp"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/literal"
	"github.com/galfft/fft/internal/verbs"
)

// tag is what a description adds where GMP is missing.
const tag = ""

// ofWordsGMP returns the field of p, with GMP's arithmetic.
func ofWordsGMP(p *big.Int) (verbs.Field, error) {
	w, err := bigprime.Size(p)
	if err != nil {
		return nil, err
	}
	return map[int]func(p *big.Int) (verbs.Field, error){
		2: prime[[2]uint64], 3: prime[[3]uint64], 4: prime[[4]uint64], 5: prime[[5]uint64],
		6: prime[[6]uint64], 8: prime[[8]uint64], 10: prime[[10]uint64], 12: prime[[12]uint64],
		16: prime[[16]uint64], 20: prime[[20]uint64], 24: prime[[24]uint64], 32: prime[[32]uint64],
		48: prime[[48]uint64], 64: prime[[64]uint64], 96: prime[[96]uint64], 128: prime[[128]uint64],
	}[w](p)
}

func prime[E bigprime.Words](p *big.Int) (verbs.Field, error) {
	f, err := gmp.New[E](p)
	if err != nil {
		return nil, err
	}
	return verbs.Of(f), nil
}

// ofDigitsGMP returns the field of r^k + 1 in digits, with GMP's products.
func ofDigitsGMP(r uint64, k int) (verbs.Field, error) {
	open, ok := map[int]func(r uint64) (verbs.Field, error){
		2: digits[[2]uint64], 4: digits[[4]uint64], 8: digits[[8]uint64], 16: digits[[16]uint64],
		32: digits[[32]uint64], 64: digits[[64]uint64], 128: digits[[128]uint64],
	}[k]
	if !ok {
		_, err := gfpf.Open(r, k)
		return nil, err
	}
	return open(r)
}

func digits[E gfpf.Digits](r uint64) (verbs.Field, error) {
	f, err := gfpf.New[E](r)
	if err != nil {
		return nil, err
	}
	g, err := gmp.GFPF(f)
	if err != nil {
		return nil, err
	}
	return verbs.Of(g), nil
}

// ncw returns the field of f's prime, with an integer of GMP for each element.
func ncw(f *bigprime.Any) (verbs.Field, error) {
	g, err := literal.NCW(f)
	if err != nil {
		return nil, err
	}
	return verbs.Of(g), nil
}
