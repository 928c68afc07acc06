package word_test

import (
	"fmt"

	"github.com/galfft/fft/kernels/word"
)

// A layer of one butterfly for each of as many lanes as a vector has: (a, b) becomes (a + 3b, a − 3b) modulo 97. Where
// there are no kernels, callers have the same passes in Go.
func Example() {
	const p = 97
	k := word.Shoup31()
	if k == nil {
		fmt.Println(7+3*5, (7+p-3*5)%p)
		return
	}
	v := make([]uint32, 2*k.Lanes)
	for i := range k.Lanes {
		v[i], v[k.Lanes+i] = 7, 5
	}
	w, q, m := []uint32{3}, []uint32{3 << 32 / p}, k.Mod(p)
	k.Layers[1](&v[0], &w[0], &q[0], &m[0], nil, 0, 1, k.Lanes, 1, k.Lanes, k.Lanes, 0)
	k.Reduce(&v[0], &v[0], &m[0], len(v))
	fmt.Println(v[0], v[k.Lanes])
	// Output: 22 89
}
