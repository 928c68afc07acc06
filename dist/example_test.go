package dist_test

import (
	"context"
	"fmt"
	"log"
	"sync"

	"github.com/galfft/fft/dist"
	"github.com/galfft/fft/field/smallprime"
)

// The values of a polynomial by four ranks, each with a quarter of it. Ranks of other groups, such as processes, do the
// same; here they share the whole vectors.
func Example() {
	f := smallprime.BabyBear()
	const n = 1 << 12
	coefficients, values := make([]uint32, n), make([]uint32, n)
	coefficients[1] = 1 // the polynomial x
	ends, err := dist.Local(4)
	if err != nil {
		log.Fatal(err)
	}
	var mu sync.Mutex
	err = dist.Run(ends, func(g dist.Group) error {
		ctx := context.Background()
		p, err := dist.NewPlan(ctx, g, f, n, dist.Blocks{})
		if err != nil {
			return err
		}
		part := make([]uint32, p.Size())
		if err := p.Cut(part, coefficients, p.Coefficients(g.Rank())); err != nil {
			return err
		}
		if err := p.Forward(ctx, part, part); err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		if g.Rank() == 1 {
			fmt.Println("rank 1 has", p.Values(1))
		}
		return p.Paste(values, part, p.Values(g.Rank()))
	})
	if err != nil {
		log.Fatal(err)
	}
	var w uint32
	if err := f.RootOfUnity(&w, n); err != nil {
		log.Fatal(err)
	}
	fmt.Println(values[0], values[1] == w)
	// Output:
	// rank 1 has 1024 rows of 1 elements, 4 apart, from 2 on
	// 1 true
}
