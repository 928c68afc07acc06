package limb_test

import (
	"fmt"

	"github.com/galfft/fft/kernels/limb"
)

// Five limbs have room for 2^4·p up to 256 bits.
func ExampleLimbs() {
	fmt.Println(limb.Limbs(254), limb.Limbs(256), limb.Limbs(257))
	// Output: 5 5 6
}
