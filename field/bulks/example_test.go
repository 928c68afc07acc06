package bulks_test

import (
	"fmt"

	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/field/smallprime"
)

// A pass of one layer over two blocks of 2·Half rows.
func ExampleNewRows() {
	r := bulks.NewRows(2, 4, 1, 1) // plain vectors: rows of one element that touch
	h, ok := r.Contiguous()
	fmt.Println(r, h, ok)
	r = bulks.NewRows(2, 4, 32, 1024) // 32 of 1024 columns
	_, ok = r.Contiguous()
	fmt.Println(r, ok)
	// Output:
	// {2 1 4 4} 4 true
	// {2 4 32 1024} false
}

// A move of a 2 × 3 matrix to its transpose.
func ExampleCopy() {
	f := &bulks.Slices[uint32]{Field: smallprime.Mersenne31()}
	src, dst := []uint32{0, 1, 2, 3, 0, 1}, make([]uint32, 6)
	f.Copy(bulks.ViewOf(dst), bulks.ViewOf(src), bulks.Copy{Rows: 3, Width: 2, Dst: 2, Src: 3, Transpose: true})
	fmt.Println(dst)
	// Output: [0 3 1 0 2 1]
}

// A table of one multiplier, 3, and a layer of one pair.
func ExampleSlices() {
	f := &bulks.Slices[uint32]{Field: smallprime.Mersenne31()}
	t, err := f.Table(bulks.ViewOf([]uint32{3}), bulks.Alone)
	if err != nil {
		panic(err)
	}
	x := []uint32{5, 1}
	t.Pass(bulks.ViewOf(x), bulks.Pass{Layers: 1}, bulks.NewRows(1, 1, 1, 1))
	fmt.Println(x)
	// Output: [8 2]
}
