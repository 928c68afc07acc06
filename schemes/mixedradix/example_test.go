package mixedradix_test

import (
	"fmt"
	"log"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/schemes"
)

// A length of several prime factors is a case for each.
func Example() {
	f := smallprime.BabyBear()
	d, err := field.NewCyclic(f, 768)
	if err != nil {
		log.Fatal(err)
	}
	t, err := schemes.New(f, d, field.Spec{Algorithm: field.MixedRadix})
	if err != nil {
		log.Fatal(err)
	}
	r := t.Report()
	fmt.Println(r.Algorithm, r.Split)
	// Output:
	// mixed-radix [3 256]
}
