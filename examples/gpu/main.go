// Command gpu multiplies two polynomials of 2²⁰ coefficients on a GPU, or on the processor where there is none.
package main

import (
	"context"
	"fmt"
	"log"
	"math/rand/v2"
	"time"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/gpu"
	"github.com/galfft/fft/poly"
)

const n = 1 << 20

func main() {
	f := smallprime.Goldilocks()
	ring, err := poly.New(onDevice(f)) // the one line that differs from a product on the processor
	if err != nil {
		log.Fatal(err)
	}
	a, b, r := make([]uint64, n), make([]uint64, n), rand.New(rand.NewPCG(1, 2))
	for i := range n {
		f.Random(&a[i], r)
		f.Random(&b[i], r)
	}
	var c []uint64
	for _, what := range []string{"first product, with plans and tables", "second product"} {
		start := time.Now()
		if c, err = ring.Mul(context.Background(), a, b); err != nil {
			log.Fatal(err)
		}
		log.Printf("%s: %v", what, time.Since(start))
	}
	fmt.Println(len(c), "coefficients; the one of x^1500000 is right:", c[1_500_000] == coefficient(f, a, b, 1_500_000))
}

// onDevice returns f with transforms on a GPU, or f itself where there is none.
func onDevice(f field.Rooted[uint64]) field.Rooted[uint64] {
	g, err := gpu.Field(f)
	if err != nil {
		log.Print("on the processor: ", err)
		return f
	}
	log.Print("on ", g.Device().Info().Name)
	return g
}

// coefficient is that of x^k in ab, from the definition: the sum of all aᵢbⱼ with i + j = k.
func coefficient(f field.Field[uint64], a, b []uint64, k int) (sum uint64) {
	for i := max(0, k-len(b)+1); i <= min(k, len(a)-1); i++ {
		var p uint64
		f.Mul(&p, &a[i], &b[k-i])
		f.Add(&sum, &sum, &p)
	}
	return sum
}
