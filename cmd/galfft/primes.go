package main

import (
	"encoding/json"
	"fmt"
	"math/bits"
	"slices"

	"github.com/spf13/cobra"

	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/factor"
)

// foundPrime is a line of primes.
type foundPrime struct {
	Prime      uint64   `json:"prime"`
	Bits       int      `json:"bits"`
	TwoAdicity int      `json:"twoAdicity"`
	Factors    []uint64 `json:"factors"` // of p − 1, with their multiplicities
	powers     []factor.Power
}

func describePrime(p uint64) foundPrime {
	less := p - 1
	d := foundPrime{Prime: p, Bits: bits.Len64(p), TwoAdicity: bits.TrailingZeros64(less), powers: factor.Powers(less)}
	for _, q := range d.powers {
		d.Factors = append(d.Factors, slices.Repeat([]uint64{q.Prime}, int(q.Exp))...)
	}
	return d
}

func (a *app) primes() *cobra.Command {
	size, adicity, count := 62, 24, 5
	divisor, asJSON := uint64(1), false
	cmd := &cobra.Command{
		Use:   "primes",
		Short: "Find primes whose fields have transforms of given lengths",
		Long: `Primes lists the largest primes below a power of two for which p − 1 has given divisors, largest first, with the factors of
p − 1: a transform over the field prime:<p> may have any divisor of it for its length.`,
		Example: `  galfft primes --bits 62 --adicity 24              # p − 1 is a multiple of 2^24
  galfft primes --bits 31 --adicity 20 --divisor 3  # and of 3`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if adicity < 0 || adicity > 63 || divisor < 1 || count < 1 {
				return usagef("--adicity %d, --divisor %d, --count %d: want 0 to 63, and others at least 1", adicity,
					divisor, count)
			}
			odd := divisor >> bits.TrailingZeros64(divisor)
			shift := max(adicity, bits.TrailingZeros64(divisor))
			if bits.Len64(odd)+shift > 64 {
				return usagef("--divisor %d and --adicity %d: p − 1 would have more than 64 bits", divisor, adicity)
			}
			found, err := smallprime.Primes(size, odd<<shift)
			if err != nil {
				return usageError{err}
			}
			print, some := a.primePrinter(asJSON), false
			for p := range found { // every few hundred candidates
				if err := cmd.Context().Err(); err != nil {
					return err
				}
				if err := print(describePrime(p)); err != nil {
					return err
				}
				some = true
				if count--; count == 0 {
					break
				}
			}
			if !some {
				return fmt.Errorf("no prime below 2^%d is 1 modulo %d", size, odd<<shift)
			}
			return nil
		},
	}
	cmd.Flags().IntVar(&size, "bits", size, "primes are below 2^`BITS`, at most 64")
	cmd.Flags().IntVar(&adicity, "adicity", adicity, "2^`K` divides p − 1")
	cmd.Flags().Uint64Var(&divisor, "divisor", divisor, "`D` divides p − 1")
	cmd.Flags().IntVar(&count, "count", count, "`N` primes, if there are so many")
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON, an object a line")
	return cmd
}

// primePrinter returns what writes a prime at once: of many, none is kept.
func (a *app) primePrinter(asJSON bool) func(foundPrime) error {
	if asJSON {
		e := json.NewEncoder(a.stdout)
		return func(p foundPrime) error { return e.Encode(p) }
	}
	return func(p foundPrime) error {
		_, err := fmt.Fprintf(a.stdout, "%d = %s + 1\n", p.Prime, factor.Text(p.powers))
		return err
	}
}
