package fft_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log"
	"os"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field/smallprime"
)

// f17 is 𝔽₁₇, where values can be checked by hand: 13 has order 4, as 13² = −1.
func f17() *smallprime.Field32 {
	f, err := smallprime.New32(17)
	if err != nil {
		log.Fatal(err)
	}
	return f
}

// The values of 1 + 2x + 3x² + 4x³ at the fourth roots of unity 1, 13, 13² = 16 and 13³ = 4 modulo 17.
func Example() {
	plan, err := fft.NewPlan(f17(), 4)
	if err != nil {
		log.Fatal(err)
	}
	x := []uint32{1, 2, 3, 4}
	if err := plan.Forward(x, x); err != nil { // in place, because dst is src
		log.Fatal(err)
	}
	fmt.Println(x)
	if err := plan.Inverse(x, x); err != nil { // division by 4 included
		log.Fatal(err)
	}
	fmt.Println(x)
	// Output:
	// [10 6 15 7]
	// [1 2 3 4]
}

func ExampleNewPlan() {
	f := smallprime.Goldilocks()
	_, err := fft.NewPlan(f, 1000)
	fmt.Println(errors.Is(err, fft.ErrNoRoot), err)

	// 960 divides p−1, so that there is a root; lengths need not be powers of two.
	plan, err := fft.NewPlan(f, 960)
	fmt.Println(plan, err)
	// Output:
	// true fft: no root of unity of that order: order 1000 does not divide p−1 for p = 18446744069414584321, whose 2-adicity is 32; the nearest that do: 960 and 1020
	// goldilocks: length 960, mixed-radix, natural order <nil>
}

func ExampleMust() {
	plan := fft.Must(fft.NewPlan(smallprime.BabyBear(), 1<<20, fft.WithWorkers(0))) // 0: one for each processor
	fmt.Println(plan.Len())
	// Output: 1048576
}

// A wrong length is found before anything is written.
func ExampleLengthError() {
	plan := fft.Must(fft.NewPlan(f17(), 8))
	err := plan.Forward(make([]uint32, 8), make([]uint32, 7))
	var length *fft.LengthError
	if errors.As(err, &length) {
		fmt.Println(length.What, length.Got, length.Want, errors.Is(err, fft.ErrLength))
	}
	// Output: src 7 8 true
}

func ExamplePlan_ForwardContext() {
	plan := fft.Must(fft.NewPlan(smallprime.P62(), 1<<12))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	x := make([]uint64, plan.Len())
	err := plan.ForwardContext(ctx, x, x)
	fmt.Println(errors.Is(err, context.Canceled), err)
	// Output: true fft: transform stopped: context canceled
}

// The same polynomial at 3·w^j in place of w^j.
func ExamplePlan_Coset() {
	plan := fft.Must(fft.NewPlan(f17(), 4))
	three := uint32(3)
	coset, err := plan.Coset(&three)
	if err != nil {
		log.Fatal(err)
	}
	y := make([]uint32, 4)
	if err := coset.Forward(y, []uint32{0, 1, 0, 0}); err != nil { // the polynomial x: its values are the points
		log.Fatal(err)
	}
	fmt.Println(y)
	// Output: [3 5 14 12]
}

// The product of two polynomials modulo xⁿ − 1, which stays in the plan's own order and working form between
// the transforms.
func ExamplePlan_MulVec() {
	plan := fft.Must(fft.NewPlan(smallprime.P998244353(), 8))
	ctx := context.Background()
	a, err := plan.NewVec()
	if err != nil {
		log.Fatal(err)
	}
	b, err := plan.NewVec()
	if err != nil {
		log.Fatal(err)
	}
	c := make([]uint32, plan.Len())
	if err := errors.Join(
		plan.Load(a, []uint32{1, 2, 3}), plan.ForwardVec(ctx, a),
		plan.Load(b, []uint32{4, 5, 6}), plan.ForwardVec(ctx, b),
		plan.MulVec(a, a, b), plan.InverseVec(ctx, a), plan.Store(c, a),
	); err != nil {
		log.Fatal(err)
	}
	fmt.Println(c)
	// Output: [4 13 28 27 18 0 0 0]
}

// Points 0, 4, 2, 6, … in bit-reversed order.
func ExamplePlan_Permutation() {
	plan := fft.Must(fft.NewPlan(f17(), 8, fft.WithOrder(fft.BitReversed)))
	fmt.Println(plan.Permutation())
	// Output: [0 4 2 6 1 5 3 7]
}

func ExamplePlan_Explain() {
	plan := fft.Must(fft.NewPlan(smallprime.P62(), 1<<16, fft.WithAlgorithm(fft.FourStep),
		fft.WithOrder(fft.BitReversed)))
	var text bytes.Buffer
	if err := plan.Explain(&text); err != nil {
		log.Fatal(err)
	}
	line, err := text.ReadBytes('\n')
	if err != nil {
		log.Fatal(err)
	}
	os.Stdout.Write(line)
	// Output: p62: length 65536, fourstep, bitrev order
}

// Three transforms of length 2 in one slice, laid out by rows and by columns.
func ExampleWithBatch() {
	f := f17()
	rows := fft.Must(fft.NewPlan(f, 2, fft.WithBatch(fft.Rows(3, 0))))
	columns := fft.Must(fft.NewPlan(f, 2, fft.WithBatch(fft.Columns(3, 0))))
	x := []uint32{1, 2, 3, 4, 5, 6}
	y := make([]uint32, rows.Size())
	if err := rows.Forward(y, x); err != nil { // of (1, 2), (3, 4) and (5, 6)
		log.Fatal(err)
	}
	fmt.Println(y)
	if err := columns.Forward(y, x); err != nil { // of (1, 4), (2, 5) and (3, 6)
		log.Fatal(err)
	}
	fmt.Println(y)
	// Output:
	// [3 16 7 16 11 16]
	// [5 7 9 14 14 14]
}

// The points x with x⁴ = −1, the odd powers of 9: products of values are products modulo x⁴ + 1.
func ExampleWithNegacyclic() {
	plan := fft.Must(fft.NewPlan(f17(), 4, fft.WithNegacyclic()))
	y := make([]uint32, 4)
	if err := plan.Forward(y, []uint32{0, 1, 0, 0}); err != nil {
		log.Fatal(err)
	}
	fmt.Println(y)
	for i := range y {
		y[i] = y[i] * y[i] % 17 * y[i] % 17 * y[i] % 17
	}
	if err := plan.Inverse(y, y); err != nil {
		log.Fatal(err)
	}
	fmt.Println(y) // x⁴ = −1
	// Output:
	// [9 15 8 2]
	// [16 0 0 0]
}

// Plonky3 takes another root for BabyBear; with it the values stand where that library puts them.
func ExampleWithRoot() {
	const order27 = 440564289
	f := smallprime.BabyBear()
	root := uint32(order27)
	for range 27 - 3 {
		f.Mul(&root, &root, &root) // root(2n)² = root(n)
	}
	plan, err := fft.NewPlan(f, 8, fft.WithRoot(root))
	fmt.Println(plan, err)
	// Output: babybear: length 8, depth-first, natural order <nil>
}

// The order of progress is that of the work; a call ends with done = total.
func ExampleWithProgress() {
	last := 0
	plan := fft.Must(fft.NewPlan(smallprime.P30(), 1<<16, fft.WithBase(64), fft.WithProgress(func(done, total int) {
		last = 100 * done / total
	})))
	x := make([]uint32, plan.Len())
	if err := plan.Forward(x, x); err != nil {
		log.Fatal(err)
	}
	fmt.Println(last, "%")
	// Output: 100 %
}
