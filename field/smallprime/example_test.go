package smallprime_test

import (
	"context"
	"fmt"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
)

func Example() {
	f := smallprime.Goldilocks()
	d, err := field.NewCyclic[uint64](f, 8)
	if err != nil {
		fmt.Println(err)
		return
	}
	t, err := f.Plan(d, field.Spec{})
	if err != nil {
		fmt.Println(err)
		return
	}
	a := []uint64{1, 2, 3, 4, 0, 0, 0, 0} // 1 + 2x + 3x² + 4x³
	if err := t.Forward(context.Background(), a, a); err != nil {
		fmt.Println(err)
		return
	}
	f.MulVec(a, a, a)
	if err := t.Inverse(context.Background(), a, a); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(a) // its square
	// Output: [1 4 10 20 25 24 16 0]
}

func ExampleNew32() {
	_, err := smallprime.New32(2147483649)
	fmt.Println(err)
	f, _ := smallprime.New32(97)
	var root uint32
	fmt.Println(f.RootOfUnity(&root, 32), root)
	fmt.Println(f.RootOfUnity(&root, 64))
	// Output:
	// fft: unsupported modulus: 2147483649 is composite, want an odd prime
	// <nil> 28
	// fft: no root of unity of that order: order 64 does not divide p−1 for p = 97, whose 2-adicity is 5; the nearest that do: 48 and 96
}

func ExamplePresets() {
	for _, p := range smallprime.Presets() {
		fmt.Println(p.Name, p.Modulus)
	}
	// Output:
	// goldilocks 18446744069414584321
	// babybear 2013265921
	// koalabear 2130706433
	// mersenne31 2147483647
	// 998244353 998244353
	// covanov 4179340454199820289
	// P1 655360001
	// p30 754974721
	// p32 4194304001
	// p50 1125899437080577
	// p62 4611686018326724609
	// p63 9223372036737335297
	// p64 18446744073692774401
}
