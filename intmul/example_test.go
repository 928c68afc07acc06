package intmul_test

import (
	"context"
	"fmt"
	"math/big"

	"github.com/galfft/fft/intmul"
)

// A Mersenne prime of 44497 bits, squared.
func Example() {
	one := big.NewInt(1)
	p := new(big.Int).Lsh(one, 44497)
	p.Sub(p, one)
	z := intmul.Sqr(new(big.Int), p)
	fmt.Println(z.BitLen(), z.Bit(0), z.Bit(1))
	// Output:
	// 88994 1 0
}

// Products on all processors, which a context can stop.
func ExampleNew() {
	a, err := intmul.New(intmul.WithWorkers(0))
	if err != nil {
		panic(err)
	}
	x := new(big.Int).Exp(big.NewInt(3), big.NewInt(100000), nil)
	z := new(big.Int)
	fmt.Println(a.Mul(context.Background(), z, x, x))
	fmt.Println(z.BitLen(), z.Cmp(new(big.Int).Mul(x, x)))
	// Output:
	// <nil>
	// 316993 0
}

// A square in radix 10^19, whose digits are at hand.
func ExampleDecimal() {
	a, err := intmul.New()
	if err != nil {
		panic(err)
	}
	ctx, x := context.Background(), new(intmul.Decimal)
	fmt.Println(a.ParseDecimal(ctx, x, []byte("-12345678901234567890")), a.SqrDecimal(ctx, x, x))
	fmt.Println(x, x.Digits())
	// Output:
	// <nil> <nil>
	// 152415787532388367501905199875019052100 39
}
