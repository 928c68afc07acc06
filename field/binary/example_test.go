package binary_test

import (
	"context"
	"fmt"
	"log"
	"math/big"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/binary"
	"github.com/galfft/fft/schemes"
)

// The values of a polynomial at the points of a subspace of GF(2^64), and back.
func Example() {
	f, err := binary.New[uint64](64)
	if err != nil {
		log.Fatal(err)
	}
	d, err := field.NewAffine[uint64](f, 4)
	if err != nil {
		log.Fatal(err)
	}
	t, err := schemes.New(f, d, field.Spec{})
	if err != nil {
		log.Fatal(err)
	}
	x := []uint64{0, 1, 0, 0} // the polynomial x: its values are the points
	if err := t.Forward(context.Background(), x, x); err != nil {
		log.Fatal(err)
	}
	for i := range x {
		fmt.Println(string(f.AppendText(nil, &x[i])))
	}
	// Output:
	// 0
	// 1
	// 19c9369f278adc02
	// 19c9369f278adc03
}

// Any irreducible polynomial is a modulus.
func ExampleNewModulus() {
	f, err := binary.NewModulus[uint8](big.NewInt(0x11D))
	if err != nil {
		log.Fatal(err)
	}
	x, y := uint8(0x80), uint8(2)
	f.Mul(&x, &x, &y)
	fmt.Printf("%s: %#x\n", f.Name(), x)
	_, err = binary.NewModulus[uint8](big.NewInt(0x101))
	fmt.Println(err)
	// Output:
	// raid6: 0x1d
	// fft: unsupported modulus: 0x101 is reducible over GF(2), want an irreducible polynomial
}

// From one basis of a field to another.
func ExampleNewIsomorphism() {
	tower, err := binary.NewTower[uint8](8)
	if err != nil {
		log.Fatal(err)
	}
	i, err := binary.NewIsomorphism(binary.AES(), tower)
	if err != nil {
		log.Fatal(err)
	}
	x := []uint8{1, 2, 3}
	if err := i.Map(x, x); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%x\n", x)
	// Output: 013031
}
