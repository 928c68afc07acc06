// Command userfield brings a field of its own: 𝔽ₚ(i), the complex numbers modulo the Mersenne prime p = 2³¹ − 1. 𝔽ₚ
// has no roots of unity of order 4, 8, 16, …; 𝔽ₚ(i) has them up to 2³², so that transforms of powers of two exist.
package main

import (
	"fmt"
	"log"
	"slices"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
)

const p = 1<<31 - 1

type number struct{ re, im uint64 } // re + im·i with both parts below p; the zero value is 0

type complexField struct{} // a field.Rooted[number]: all that transforms and products need

func (complexField) Set(z, x *number)        { *z = *x }
func (complexField) Add(z, x, y *number)     { *z = number{(x.re + y.re) % p, (x.im + y.im) % p} }
func (complexField) Sub(z, x, y *number)     { *z = number{(x.re + p - y.re) % p, (x.im + p - y.im) % p} }
func (complexField) Neg(z, x *number)        { *z = number{(p - x.re) % p, (p - x.im) % p} }
func (complexField) One(z *number)           { *z = number{1, 0} }
func (complexField) Equal(x, y *number) bool { return *x == *y }
func (complexField) Mul(z, x, y *number) { // z may be x or y: all parts are read first
	*z = number{(x.re*y.re + (p-x.im)*y.im) % p, (x.re*y.im + x.im*y.re) % p}
}

func (f complexField) Inv(z, x *number) error {
	if *x == (number{}) {
		return field.ErrNotInvertible
	}
	field.PowUint(f, z, x, p*p-2) // the group of the p² − 1 numbers other than 0 gives x^(p²−1) = 1
	return nil
}

func (f complexField) RootOfUnity(z *number, n uint64) error {
	if n == 0 || n&(n-1) != 0 || n > 1<<32 {
		return fmt.Errorf("userfield: %w: order %d, want a power of two up to 2^32", field.ErrNoRoot, n)
	}
	field.PowUint(f, z, &number{1, 2}, (p*p-1)/n) // 1 + 2i is not a square, as its norm 5 is none modulo p
	return nil
}

func main() {
	f, x := complexField{}, make([]number, 1<<16)
	for i := range x {
		x[i] = number{uint64(i), uint64(i) * uint64(i) % p}
	}
	plan, y := fft.Must(fft.NewPlan(f, len(x))), slices.Clone(x)
	if err := plan.Forward(y, y); err != nil {
		log.Fatal(err)
	}
	fmt.Println("x(1) =", y[0]) // the value at the first point, 1, is the sum of all coefficients
	if err := plan.Inverse(y, y); err != nil {
		log.Fatal(err)
	}
	fmt.Println("round trip:", slices.Equal(x, y))
}
