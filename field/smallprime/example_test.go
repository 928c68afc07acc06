package smallprime_test

import (
	"fmt"
	"log"

	"github.com/galfft/fft/field/smallprime"
)

// The modulus is chosen at run time; elements are plain residues.
func Example() {
	f, err := smallprime.New64(0xffffffff00000001)
	if err != nil {
		log.Fatal(err)
	}
	x, y := uint64(1)<<32, uint64(1)<<32
	f.Mul(&x, &x, &y) // 2^64 = 2^32 − 1 modulo this prime
	fmt.Println(f.Name(), x)
	var w uint64
	if err := f.RootOfUnity(&w, 3<<32); err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.RootOfUnity(&w, 7))
	_, err = smallprime.New32(91)
	fmt.Println(err)
	// Output:
	// goldilocks 4294967295
	// fft: no root of unity of that order: order 7 does not divide p−1 for p = 18446744069414584321, whose 2-adicity is 32
	// fft: unsupported modulus: 91 is composite, want an odd prime
}
