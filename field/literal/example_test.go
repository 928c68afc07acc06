package literal_test

import (
	"fmt"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/literal"
)

// The same transform over arrays of words and over integers of math/big.
func Example() {
	f := bigprime.P2()
	g, err := literal.Big(f)
	if err != nil {
		panic(err)
	}
	x := make([][2]uint64, 8)
	y := make([]literal.BigInt, 8) // zeros
	x[1] = [2]uint64{1}
	g.One(&y[1])
	fmt.Println(fft.Must(fft.NewPlan(f, 8)).Forward(x, x), fft.Must(fft.NewPlan(g, 8)).Forward(y, y))
	fmt.Println(f.Big(nil, &x[3]).Cmp(g.Big(nil, &y[3])))
	// Output:
	// <nil> <nil>
	// 0
}
