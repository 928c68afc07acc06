package field_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"math/big"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/schemes"
)

// gf4 is the field of the four elements 0, 1, a and a² = a + 1, written 0, 1, 2 and 3.
type gf4 struct{}

func (gf4) Set(z, x *byte)        { *z = *x }
func (gf4) Add(z, x, y *byte)     { *z = *x ^ *y }
func (gf4) Sub(z, x, y *byte)     { *z = *x ^ *y }
func (gf4) Neg(z, x *byte)        { *z = *x }
func (gf4) One(z *byte)           { *z = 1 }
func (gf4) Equal(x, y *byte) bool { return *x == *y }

func (gf4) Mul(z, x, y *byte) {
	if *x == 0 || *y == 0 {
		*z = 0
		return
	}
	*z = (*x+*y-2)%3 + 1 // 1, 2 and 3 are a⁰, a¹ and a²
}

func (gf4) Inv(z, x *byte) error {
	if *x == 0 {
		return field.ErrNotInvertible
	}
	*z = (4-*x)%3 + 1
	return nil
}

func (gf4) RootOfUnity(z *byte, n uint64) error {
	if n != 1 && n != 3 {
		return fmt.Errorf("gf4: %w: order %d, want 1 or 3", field.ErrNoRoot, n)
	}
	*z = byte(n+1) / 2 // 1 or a
	return nil
}

// A field of one's own: the eight methods of Field and the one of Roots. Transforms then work over it.
func Example() {
	f := gf4{}
	d, err := field.NewCyclic(f, 3)
	if err != nil {
		log.Fatal(err)
	}
	t, err := schemes.New(f, d, field.Spec{Algorithm: field.Naive})
	if err != nil {
		log.Fatal(err)
	}
	x := []byte{1, 1, 0}
	if err := t.Forward(context.Background(), x, x); err != nil { // 1 + x at 1, a and a²
		log.Fatal(err)
	}
	fmt.Println(x)
	// Output: [0 3 2]
}

func ExampleNewCyclic() {
	_, err := field.NewCyclic(gf4{}, 4)
	fmt.Println(errors.Is(err, field.ErrNoRoot), err)
	// Output: true gf4: no root of unity of that order: order 4, want 1 or 3
}

// The points with x⁴ = −1 are the odd powers of a root of order 8.
func ExampleNewNegacyclic() {
	f, err := smallprime.New32(17)
	if err != nil {
		log.Fatal(err)
	}
	d, err := field.NewNegacyclic(f, 4)
	fmt.Println(d.N, d.Root, d.Shift, err)
	// Output: 4 13 9 <nil>
}

func ExamplePow() {
	f := smallprime.Goldilocks()
	x, z := uint64(2), uint64(0)
	field.Pow(f, &z, &x, big.NewInt(96))
	fmt.Println(z == f.Modulus()-1) // 2⁹⁶ = −1
	// Output: true
}

func ExampleMulVec() {
	f := smallprime.Mersenne31()
	x, y, z := []uint32{1 << 16, 3, 5}, []uint32{1 << 16, 7, 11}, make([]uint32, 3)
	fmt.Println(field.MulVec(f, z, x, y), z) // 2³² = 2
	fmt.Println(field.MulVec(f, z, x, y[:2]))
	// Output:
	// <nil> [2 21 55]
	// fft: wrong length: y has 2 elements, want 3
}

func ExampleInvVec() {
	f := smallprime.Mersenne31()
	x := []uint32{1, 2, 4}
	fmt.Println(field.InvVec(f, x, x), x)
	fmt.Println(field.InvVec(f, x, []uint32{5, 0, 7}))
	// Output:
	// <nil> [1 1073741824 536870912]
	// fft: element 1 is 0: not invertible
}

// A batch by columns with gaps: element i of transform t is at 10·i + t.
func ExampleBatch_Layout() {
	_, size, err := field.Batch{Count: 3, Stride: 10, Columns: true}.Layout(8)
	fmt.Println(size, err)
	// Output: 73 <nil>
}

func ExampleParseAlgorithm() {
	a, err := field.ParseAlgorithm("sixstep-merged")
	fmt.Println(a == field.SixStepMerged, err)
	_, err = field.ParseAlgorithm("sevenstep")
	fmt.Println(errors.Is(err, field.ErrSpec))
	// Output:
	// true <nil>
	// true
}
