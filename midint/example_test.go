package midint_test

import (
	"context"
	"fmt"
	"math/big"

	"github.com/galfft/fft/midint"
)

// Two sums and two products of integers of 64 bits: sums are modulo 2^64, and wide products are whole.
func Example() {
	e, err := midint.New(midint.WithWorkers(0))
	if err != nil {
		fmt.Println(err)
		return
	}
	x, y := must(midint.NewBatch(64, 2)), must(midint.NewBatch(64, 2))
	sum, product := must(midint.NewBatch(64, 2)), must(midint.NewBatch(128, 2))
	_ = x.SetUint64s([]uint64{3, 1<<64 - 1})
	_ = y.SetUint64s([]uint64{4, 1<<64 - 1})
	ctx := context.Background()
	fmt.Println(e.Add(ctx, sum, x, y), e.MulWide(ctx, product, x, y))
	z := []*big.Int{new(big.Int), new(big.Int)}
	_ = sum.Ints(z)
	fmt.Printf("%x\n", z)
	_ = product.Ints(z)
	fmt.Printf("%x\n", z)
	// Output:
	// <nil> <nil>
	// [7 fffffffffffffffe]
	// [c fffffffffffffffe0000000000000001]
}

func must(b *midint.Batch, err error) *midint.Batch {
	if err != nil {
		panic(err)
	}
	return b
}
