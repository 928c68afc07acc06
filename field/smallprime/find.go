package smallprime

import (
	"fmt"
	"iter"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/factor"
)

// Primes yields the odd primes p < 2^bits with p = 1 modulo divisor, all of them, largest first: those whose fields
// have roots of unity of order divisor, and so transforms of that length. bits is from 2 to 64 and divisor from 1 to
// 2^bits − 1 (field.ErrRange).
//
// The primes among the candidates are about one in ln p·φ(d)/d, d the least even multiple of divisor, and each
// candidate takes a few microseconds.
func Primes(bits int, divisor uint64) (iter.Seq[uint64], error) {
	if bits < 2 || bits > 64 {
		return nil, fmt.Errorf("fft: %w: primes below 2^%d, want 2 to 64 bits", field.ErrRange, bits)
	}
	most := ^uint64(0) >> (64 - bits)
	if divisor < 1 || divisor > most {
		return nil, fmt.Errorf("fft: %w: primes below 2^%d that are 1 modulo %d, want a divisor from 1 to 2^%d − 1",
			field.ErrRange, bits, divisor, bits)
	}
	return factor.PrimesBelow(bits, divisor), nil
}
