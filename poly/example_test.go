package poly_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"strings"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/poly"
)

func Example() {
	f := smallprime.Goldilocks()
	r, err := poly.New(f, fft.WithWorkers(0))
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	a := []uint64{1, 2, 3} // 1 + 2x + 3x²
	b := []uint64{4, 5}    // 4 + 5x
	c, err := r.Mul(ctx, a, b)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(c)
	// Output: [4 13 22 15]
}

func ExampleMul() {
	f, err := smallprime.New64(1<<61 - 1)
	if err != nil {
		log.Fatal(err)
	}
	a := []uint64{1, 2, 3}               // 1 + 2x + 3x²
	b := []uint64{1, f.Modulus() - 1, 5} // 1 − x + 5x²
	c, err := poly.Mul(f, a, b)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(c) // 1 + x + 6x² + 7x³ + 15x⁴
	// Output: [1 1 6 7 15]
}

func ExampleSquare() {
	c, err := poly.Square(smallprime.P30(), []uint32{1, 1, 1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(c)
	// Output: [1 2 3 2 1]
}

// ring returns a ring for the examples.
func ring() *poly.Ring[uint64] {
	r, err := poly.New(smallprime.P62())
	if err != nil {
		log.Fatal(err)
	}
	return r
}

// Buffers of the caller make a loop of products free of allocation.
func ExampleRing_MulTo() {
	r := ring()
	power, next := []uint64{1}, make([]uint64, 8)
	for n := 2; n <= 5; n++ {
		if err := r.MulTo(context.Background(), next[:n], power, []uint64{1, 1}); err != nil {
			log.Fatal(err)
		}
		power = append(power[:0], next[:n]...)
	}
	fmt.Println(power)

	err := r.MulTo(context.Background(), power, power[:3], power[:3])
	fmt.Println(errors.Is(err, field.ErrOverlap))
	// Output:
	// [1 4 6 4 1]
	// true
}

func ExampleRing_Middle() {
	a := []uint64{1, 2, 3, 4, 5}
	b := []uint64{1, 10}
	c, err := ring().Middle(context.Background(), a, b)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(c) // of 1, 12, 23, 34, 45, 50
	// Output: [12 23 34 45]
}

func ExampleRing_Cyclic() {
	a := []uint64{1, 2, 3, 4}
	x := []uint64{0, 1}
	c, err := ring().Cyclic(context.Background(), a, x, 4)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(c)
	// Output: [4 1 2 3]
}

func ExampleRing_Negacyclic() {
	a := []uint64{1, 2, 3, 0}
	x := []uint64{0, 0, 1}
	c, err := ring().Negacyclic(context.Background(), a, x, 4)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(smallprime.P62().Modulus()-c[0], c[1:])
	// Output: 3 [0 1 2]
}

func ExampleRing_Evaluate() {
	r := must(poly.New(smallprime.P998244353()))
	v, err := r.Evaluate(context.Background(), []uint32{5, 1}, 4) // 5 + w^j, where w² = −1
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(v[0], v[2], (v[1]+v[3])%998244353)
	a, err := r.Interpolate(context.Background(), v)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(a)
	// Output:
	// 6 4 10
	// [5 1 0 0]
}

// An operand of many products is transformed once.
func ExampleRing_Prepare() {
	r, ctx := ring(), context.Background()
	filter, err := r.Prepare(ctx, []uint64{1, 2, 1}, 6)
	if err != nil {
		log.Fatal(err)
	}
	for _, signal := range [][]uint64{{1, 0, 0, 0}, {1, 1, 1, 1}} {
		c, err := r.MulOperand(ctx, signal, filter)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(c)
	}
	// Output:
	// [1 2 1 0 0 0]
	// [1 3 4 4 3 1]
}

// A field without the root of unity that a product needs, and without another way, says so; small products need none.
func ExampleRing_WithSchoolbook() {
	r := must(poly.New(field.ElementsOnly(smallprime.Mersenne31()))) // 2^31 − 2 has a single factor 2
	a := make([]uint32, 100)
	_, err := r.Square(context.Background(), a)
	fmt.Println(errors.Is(err, field.ErrNoRoot))
	_, err = r.WithSchoolbook(100).Square(context.Background(), a)
	fmt.Println(err)
	// Output:
	// true
	// <nil>
}

// Primes without roots of unity for a transform multiply through other primes.
func ExampleRing_Explain() {
	f, err := smallprime.New32(1000000007)
	if err != nil {
		log.Fatal(err)
	}
	r := must(poly.New(f))
	var s strings.Builder
	if err := r.Explain(context.Background(), &s, 1000, 1000); err != nil {
		log.Fatal(err)
	}
	text, _, _ := strings.Cut(s.String(), "integers") // whose moduli depend on the processor
	fmt.Println(text)
	// Output:
	// prime:1000000007: product of 1000 by 1000 coefficients
	// way      modulo x^2048 - 1
	// length   2048: products of
}
