package binary

import (
	"math/bits"
	"sync"
)

// tower is the arithmetic of Wiedemann's tower: GF(2^(2h)) over GF(2^h) by a generator X with X² = Y·X + 1, where Y is
// the generator of GF(2^h), and 1 for h = 1. An element a + bX has a in its low bits. The tower of m bits for
// m = 8, 16, 32, 64 and 128.
type tower struct {
	m     int
	level int // m = 2^level
	t     *towerTables
}

const (
	leastTower = 8
	mostTower  = 128
)

func newTower(m int) *tower { return &tower{m, bits.Len(uint(m)) - 1, byteTables()} }

// towerTables has the products and squares of the tower of bytes.
type towerTables struct {
	log    [256]uint8
	exp    [510]uint8 // powers of an element that generates all units, twice
	square [256]uint8
}

var byteTables = sync.OnceValue(func() *towerTables {
	t := new(towerTables)
	for x := range t.square {
		t.square[x] = uint8((*towerTables)(nil).product(3, uint64(x), uint64(x)))
	}
	for g := uint64(2); ; g++ {
		x, n := uint64(1), 0
		for ; n == 0 || x != 1; n++ {
			t.log[x], t.exp[n], t.exp[n+255] = uint8(n), uint8(x), uint8(x)
			x = (*towerTables)(nil).product(3, x, g)
		}
		if n == 255 {
			return t
		}
	}
})

// product is (a + bX)(c + dX) in the field of 2^level bits, by the tables of bytes or, for nil, from single bits up.
func (t *towerTables) product(level int, x, y uint64) uint64 {
	switch {
	case x == 0 || y == 0:
		return 0
	case level == 0:
		return 1
	case level == 3 && t != nil:
		return uint64(t.exp[int(t.log[x])+int(t.log[y])])
	}
	h := 1 << (level - 1)
	a, b, c, d := x&(1<<h-1), x>>h, y&(1<<h-1), y>>h
	lo, hi := t.product(level-1, a, c), t.product(level-1, b, d)
	return lo ^ hi | (t.product(level-1, a^b, c^d)^lo^hi^timesGenerator(level-1, hi))<<h
}

// timesGenerator is the product by the generator of the field of 2^level bits: (a + bX)X = b + (a + Yb)X.
func timesGenerator(level int, x uint64) uint64 {
	if level == 0 {
		return x
	}
	h := 1 << (level - 1)
	a, b := x&(1<<h-1), x>>h
	return b | (a^timesGenerator(level-1, b))<<h
}

// squareOf is (a + bX)² = a² + b² + b²YX, for level 3 or more.
func (t *towerTables) squareOf(level int, x uint64) uint64 {
	if level == 3 {
		return uint64(t.square[x])
	}
	h := 1 << (level - 1)
	a, b := t.squareOf(level-1, x&(1<<h-1)), t.squareOf(level-1, x>>h)
	return a ^ b | timesGenerator(level-1, b)<<h
}

func (c *tower) mul(z, x, y []uint64) {
	if c.m <= 64 {
		z[0] = c.mul1(x[0], y[0])
		return
	}
	lo, hi := c.t.product(6, x[0], y[0]), c.t.product(6, x[1], y[1])
	middle := c.t.product(6, x[0]^x[1], y[0]^y[1])
	z[0], z[1] = lo^hi, middle^lo^hi^timesGenerator(6, hi)
}

func (c *tower) mul1(x, y uint64) uint64 { return c.t.product(c.level, x, y) }

func (c *tower) square(z, x []uint64) {
	if c.m <= 64 {
		z[0] = c.square1(x[0])
		return
	}
	a, b := c.t.squareOf(6, x[0]), c.t.squareOf(6, x[1])
	z[0], z[1] = a^b, timesGenerator(6, b)
}

func (c *tower) square1(x uint64) uint64 { return c.t.squareOf(c.level, x) }

// trace is the mask of the bits whose basis vectors have trace 1. That of a + bX over the field below is bY.
func (c *tower) trace() []uint64 {
	mask := uint64(1) // of the field of one bit
	for level := range min(c.level, 6) {
		mask = traceOfProducts(level, mask) << (1 << level)
	}
	if c.m <= 64 {
		return []uint64{mask}
	}
	return []uint64{0, traceOfProducts(6, mask)}
}

// traceOfProducts is the mask of the traces of the basis vectors, of 2^level bits, times the generator.
func traceOfProducts(level int, mask uint64) (t uint64) {
	for i := range 1 << level {
		t |= uint64(bits.OnesCount64(mask&timesGenerator(level, 1<<i))&1) << i
	}
	return t
}

// generator is that of the last extension, whose conjugates are as many as the field has bits.
func (c *tower) generator() []uint64 {
	x := make([]uint64, (c.m+63)/64)
	x[c.m/2/64] = 1 << (c.m / 2 % 64)
	return x
}
