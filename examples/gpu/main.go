// Command gpu multiplies two polynomials of 2²⁰ coefficients on a GPU, or on the processor where there is none. Then it
// squares some others, side by side on streams of its own.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"math/rand/v2"
	"time"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/gpu"
	"github.com/galfft/fft/poly"
)

const n = 1 << 20

func main() {
	f := smallprime.Goldilocks()
	g := onDevice(f)
	ring, err := poly.New(g) // the one line that differs from a product on the processor
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

	const short, many = 1 << 10, 4
	squares, err := squares(g, a[:many*short], short)
	if err != nil {
		log.Fatal(err)
	}
	right := true
	for i := range many {
		x := a[i*short:][:short]
		right = right && squares[i][1500] == coefficient(f, x, x, 1500)
	}
	fmt.Println(many, "squares; their coefficients of x^1500 are right:", right)
}

// squares returns the squares of the polynomials of n coefficients that follow each other in a. On a device each has a
// queue, and the host waits for none before all are begun.
func squares(f field.Rooted[uint64], a []uint64, n int) ([][]uint64, error) {
	p, err := fft.NewPlan(f, 2*n)
	if err != nil {
		return nil, err
	}
	g, onDevice := f.(*gpu.DeviceField[uint64])
	var vectors []fft.Vec
	for ; len(a) >= n; a = a[n:] {
		newVec := p.NewVec
		if onDevice {
			q, err := g.Device().NewQueue() // QueueOf(stream) is for a CUstream of the program's
			if err != nil {
				return nil, err
			}
			defer q.Close()
			newVec = func() (fft.Vec, error) { return q.NewVec(p) }
		}
		v, err := newVec()
		if err != nil {
			return nil, err
		}
		ctx := context.Background()
		err = errors.Join(p.Load(v, a[:n]), p.ForwardVec(ctx, v), p.MulVec(v, v, v), p.InverseVec(ctx, v))
		if err != nil {
			return nil, err
		}
		vectors = append(vectors, v)
	}
	var list [][]uint64
	for _, v := range vectors {
		c := make([]uint64, 2*n-1)
		if err := p.Store(c, v); err != nil { // waits for the queue of v
			return nil, err
		}
		list = append(list, c)
	}
	return list, nil
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
