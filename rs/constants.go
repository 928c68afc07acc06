package rs

import "github.com/galfft/fft/kernels/gf2"

// constants are those of layers, prepared: block b of any layer multiplies by the sum of the vectors from v_1 on for
// which b has a bit. list[c−1] has those of c layers for each block of the first of them, as kernels want them.
type constants struct {
	list [3][]byte
}

// constantLevel is that of the constants of blocks up to b.
func constantLevel(b int) int {
	switch {
	case b < 1<<7:
		return 0
	case b < 1<<15:
		return 1
	}
	return 2
}

// entry is the bytes of the constants of c layers, of level 2 or less.
func entry(c int) int { return (1<<c - 1) * gf2.Size(2) }

func newConstants(basis chain, n int) (t constants) {
	for c := 1; c <= 3 && n >= 1<<c; c++ {
		t.list[c-1] = make([]byte, (n>>c)*entry(c))
		for b := range n >> c {
			k := constantLevel((b+1)<<(c-1) - 1)
			for l := range c {
				for i := range 1 << l {
					at := b*entry(c) + (1<<l-1+i)*gf2.Size(k)
					gf2.Prepare(t.list[c-1][at:], k, basis.of(1, b<<l+i))
				}
			}
		}
	}
	return t
}

// of returns the constants of c layers from block b of the first on, and their level.
func (t *constants) of(b, c int) (*byte, int) {
	return &t.list[c-1][b*entry(c)], constantLevel((b+1)<<(c-1) - 1)
}
