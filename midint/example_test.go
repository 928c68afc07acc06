package midint_test

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"github.com/galfft/fft/field"
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

// The polynomial (a·a + b)·(b·b + b) + a·b, modulo 2^64 and with a result of 160 bits, which 10 and 3 do not need.
func ExampleEngine_Compile() {
	e, err := midint.New()
	if err != nil {
		fmt.Println(err)
		return
	}
	a, b := midint.Operand(0), midint.Operand(1)
	p, err := e.Compile(a.Squared().Plus(b).Times(b.Squared().Plus(b)).Plus(a.Times(b)), 64, 160)
	if err != nil {
		fmt.Println(err)
		return
	}
	x, y, z := must(midint.NewBatch(64, 1)), must(midint.NewBatch(64, 1)), must(midint.NewBatch(160, 1))
	x.Words()[0], y.Words()[0] = 10, 3
	fmt.Println(p.Run(context.Background(), z, x, y), z.Words())
	x.Words()[1], y.Words()[1] = 1<<31, 1<<31
	fmt.Println(errors.Is(p.Run(context.Background(), z, x, y), field.ErrRange), z.Words())
	// Output:
	// <nil> [1266 0 0 0 0]
	// true [1266 0 0 0 0]
}
