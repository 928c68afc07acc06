// Package rate has loops that only multiply: what they take bounds what the multiplier of a processor can do.
//
// The assembly is written by kernels/_gen. galfft bench --machine measures the loops, and galfft plot --kind roofline
// draws transforms below them.
package rate

import "math/bits"

// Loop multiplies numbers, on data that no memory is waited for.
type Loop struct {
	Bits     int // of the factors
	Products int // that Run makes, with both halves of each
	// Run reports whether the sum of the products is right. It takes less than 50 µs, because assembly cannot be
	// preempted, and allocates nothing.
	Run func() bool
}

// Words is the loop of the tiers without another: it multiplies words in Go.
func Words() Loop {
	const steps, each = 1 << 11, 8
	ones := [each]uint64{1, 1, 1, 1, 1, 1, 1, 1}
	return Loop{64, steps * each, func() bool { return sum(&ones, steps) == steps*each }}
}

// sum adds the products of all x and 1, steps times. What they are multiplied by hangs on the products before, so that
// no compiler multiplies once for all steps.
func sum(x *[8]uint64, steps int) (total uint64) {
	one := uint64(1)
	for range steps {
		h0, l0 := bits.Mul64(x[0], one)
		h1, l1 := bits.Mul64(x[1], one)
		h2, l2 := bits.Mul64(x[2], one)
		h3, l3 := bits.Mul64(x[3], one)
		h4, l4 := bits.Mul64(x[4], one)
		h5, l5 := bits.Mul64(x[5], one)
		h6, l6 := bits.Mul64(x[6], one)
		h7, l7 := bits.Mul64(x[7], one)
		total += l0 + l1 + l2 + l3 + l4 + l5 + l6 + l7
		one += h0 | h1 | h2 | h3 | h4 | h5 | h6 | h7
	}
	return total
}
