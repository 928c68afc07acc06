package base_test

import (
	"fmt"
	"log"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/schemes/fourstep"
)

// Base cases are chosen by the spec of a scheme: 4096 = 64 · 64 is split until no factor exceeds the base.
func Example() {
	f := smallprime.BabyBear()
	for _, size := range []int{4096, 64, 16} {
		t, err := fourstep.New(f, 4096, field.Spec{Base: size})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(size, t.Report().Split)
	}
	// Output:
	// 4096 [64 64]
	// 64 [64 64]
	// 16 [16 16 16]
}
