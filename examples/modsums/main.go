// Command modsums adds residues modulo numbers of the size of RSA keys, each by a modulus of its own, by batches.
//
//	go run github.com/galfft/fft/examples/modsums -bits 2048 -n 1000
//
// Sums are taken with one word more, so that none overflows, and the modulus is subtracted where a sum reaches it. All
// are checked by math/big.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"math/big"
	"math/rand/v2"

	"github.com/galfft/fft/midint"
)

func main() {
	log.SetFlags(0)
	bits := flag.Int("bits", 2048, "width of a modulus, a multiple of 32")
	n := flag.Int("n", 1000, "number of sums")
	flag.Parse()
	wrong, err := run(context.Background(), *bits, *n)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d sums of %d bits, %d wrong\n", *n, *bits, wrong)
}

// run adds n pairs of random residues, and returns the number of sums that are wrong.
func run(ctx context.Context, bits, n int) (wrong int, err error) {
	e, err := midint.New(midint.WithWorkers(0))
	if err != nil {
		return 0, err
	}
	var batches [6]*midint.Batch
	for i := range batches {
		if batches[i], err = midint.NewBatch(bits+32, n); err != nil {
			return 0, err
		}
	}
	x, y, m, sum, less, want := batches[0], batches[1], batches[2], batches[3], batches[4], batches[5]
	a, b, mod, z := random(bits, n)
	for _, set := range []struct {
		to   *midint.Batch
		from []*big.Int
	}{{x, a}, {y, b}, {m, mod}, {want, z}} {
		if err := set.to.SetInts(set.from); err != nil {
			return 0, err
		}
	}
	if err := add(ctx, e, sum, less, x, y, m); err != nil {
		return 0, err
	}
	order := make([]int8, n)
	if err := e.Cmp(ctx, order, sum, want); err != nil {
		return 0, err
	}
	for _, o := range order {
		if o != 0 {
			wrong++
		}
	}
	return wrong, nil
}

// add sets the integers of z to x + y modulo those of m, by way of less. x and y are below m, and the highest bit of m
// is 0.
func add(ctx context.Context, e *midint.Engine, z, less, x, y, m *midint.Batch) error {
	if err := e.Add(ctx, z, x, y); err != nil {
		return err
	}
	if err := e.Sub(ctx, less, z, m); err != nil {
		return err
	}
	order := make([]int8, z.Len())
	if err := e.Cmp(ctx, order, z, m); err != nil {
		return err
	}
	words := z.Bits() / 32
	for i, o := range order {
		if o >= 0 {
			copy(z.Words()[i*words:(i+1)*words], less.Words()[i*words:])
		}
	}
	return nil
}

// random is n moduli, residues of each, and their sums by math/big.
func random(bits, n int) (a, b, mod, sum []*big.Int) {
	r := rand.NewChaCha8([32]byte{33})
	number := func() *big.Int {
		bytes := make([]byte, bits/8)
		_, _ = r.Read(bytes)
		return new(big.Int).SetBytes(bytes)
	}
	for range n {
		m := number()
		m.SetBit(m, bits-1, 1).SetBit(m, 0, 1)
		x, y := number(), number()
		x.Mod(x, m)
		y.Mod(y, m)
		z := new(big.Int).Add(x, y)
		mod, a, b, sum = append(mod, m), append(a, x), append(b, y), append(sum, z.Mod(z, m))
	}
	return a, b, mod, sum
}
