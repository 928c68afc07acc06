package words_test

import (
	"context"
	"fmt"

	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/rs/words"
)

// Two values of a line make up for six others.
func Example() {
	ctx, shift := context.Background(), uint64(7)
	c, err := words.New(smallprime.Goldilocks(), 2, 8, &shift)
	if err != nil {
		panic(err)
	}
	word := []uint64{10, 0, 0, 0, 24, 0, 0, 0} // data is at 0 and 4
	if err := c.Encode(ctx, word); err != nil {
		panic(err)
	}
	lost := []uint64{0, word[1], 0, 0, 0, word[5], 0, 0}
	if err := c.Reconstruct(ctx, lost, []bool{true, false, true, true, true, false, true, true}); err != nil {
		panic(err)
	}
	fmt.Println(lost[0], lost[4])
	// Output: 10 24
}
