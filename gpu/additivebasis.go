package gpu

import (
	"context"
	"fmt"
	"slices"
	"unsafe"

	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/device"
	"github.com/galfft/fft/schemes"
)

// additiveBasis changes between coefficients of powers of x and those that layers take, as schemes/additive does on the
// processor: the same map, by other steps.
//
// Over any basis, level k multiplies by powers of c_k and expands at x² + x, for all vectors k of the basis. A product
// goes bit by bit of places, and a fold joins places that differ in bits b and b − 1. So a pass does some levels k,
// k + 1, … in a window of the bits, and passes below it go on with these levels: those of level k + t, t bits higher.
//
// Where all c_k but c_0 are 1, W_k is x^(2^k) + x for each power k of two. Expansions at the greatest such k below the
// bits of a polynomial leave polynomials of 2^k coefficients, and rows of them that are coefficients of powers of W_k.
// Both go on in the same way, until the bits fit in a tile.
type additiveBasis struct {
	b      *additive
	n      int
	tile   int // log2 of the elements of a tile
	row    int // log2 of the elements of a row of a tile, where they can be as many
	passes []basisPass
	steps  [2][]basisStep // forward, inverse
	made   *device.Memory // steps, one after the other
	powers []bulks.View   // of all products
	bytes  int            // of powers
}

// basisPass is steps on tiles of 2^rows rows of 2^columns elements, which are 2^low apart, or with a degree an
// expansion of 2^rows rows of 2^degree polynomials of 2^low elements.
type basisPass struct {
	degree, rows, low, columns int
	first, count               int // steps, in either direction
	levels                     []basisLevel
}

// basisLevel is a step of kernels by its kind, with run and shift of there, or the product of level k in the bits from
// one on.
type basisLevel struct{ kind, run, shift, k, from, to int }

// Kinds of steps.
const (
	stepProduct = iota
	stepFold
	stepHalvings
	stepChain
	stepSquare
)

// basisStep is the Step of kernels.
type basisStep struct {
	powers, high                         uint64
	kind, run, shift, log, low, from, to uint32
}

// basisThreads are those of a block at most, each for so many elements; rowBytes is what a row of a tile has at least
// where it can.
const basisThreads, basisElements, rowBytes = 512, 16, 64

func newAdditiveBasis(b *additive, d *schemes.Points, n int) (*additiveBasis, error) {
	c := &additiveBasis{b: b, n: n, tile: log2(1 << 16 / b.size), row: log2(max(1, rowBytes/b.size))}
	for c.shared(c.tile) > b.d.Info().SharedOptIn {
		c.tile--
	}
	one := make([]bool, n)
	for k := range one {
		v, is, err := d.Scales(k, 0, 1, false)
		if err != nil {
			return nil, err
		}
		memory(v).Drop()
		one[k] = is
	}
	if slices.Contains(one[1:], false) {
		c.levels(one)
	} else {
		c.tile-- // windows of 8 bits are enough, and more blocks take turns in copies and folds
		if !one[0] {
			c.passes = append(c.passes, basisPass{rows: c.tile, levels: []basisLevel{{to: n}}})
		}
		c.chain(n, 0)
	}
	return c, c.make(d)
}

// shared is the memory of a block of a tile of 2^elements.
func (c *additiveBasis) shared(elements int) int { return c.b.padded(1<<elements) * c.b.size }

// threads are those of a block: some elements for each.
func threads(elements int) int { return min(basisThreads, max(32, 1<<elements/basisElements)) }

// top is the bit behind those of the window that begins with bit low.
func (c *additiveBasis) top(low int) int { return low + c.tile - min(low, c.row) }

// window begins a pass on the bits from low to high.
func (c *additiveBasis) window(low, high int) basisPass {
	if low < c.row { // a tile has all bits below
		return basisPass{rows: c.tile}
	}
	return basisPass{rows: high - low, low: low, columns: min(low, c.tile-high+low)}
}

// chain adds the passes for polynomials of 2^bits coefficients, rows of 2^low elements, where all c_k are 1.
func (c *additiveBasis) chain(bits, low int) {
	if bits < 2 {
		return
	}
	if p := c.window(low, low+bits); low+bits <= c.top(low) {
		c.folds(&p, bits, low)
		c.passes = append(c.passes, p)
		return
	}
	k := chained(bits)
	for rows := bits - k; rows > 0; {
		p := basisPass{degree: k, rows: min(8, rows)}
		rows -= p.rows
		p.low = low + rows
		p.columns = min(c.tile-p.rows, p.degree+p.low)
		c.passes = append(c.passes, p)
	}
	c.chain(k, low)
	c.chain(bits-k, low+k)
}

// chained is the greatest power of two below bits.
func chained(bits int) int {
	k := 1
	for 2*k < bits {
		k *= 2
	}
	return k
}

// folds adds what chain does to a pass whose tiles have all of a polynomial.
func (c *additiveBasis) folds(p *basisPass, bits, low int) {
	if bits < 2 {
		return
	}
	k := chained(bits)
	switch inRegisters := c.b.size <= 8; {
	case inRegisters && bits == 4:
		p.levels = append(p.levels, basisLevel{kind: stepChain, shift: low - p.low})
		return
	case inRegisters && bits == 8:
		p.levels = append(p.levels, basisLevel{kind: stepSquare, shift: low - p.low})
	default:
		for i := bits; i > k; i-- {
			p.levels = append(p.levels,
				basisLevel{kind: stepFold, run: low + i - p.low, shift: low + i - k - 1 - p.low})
		}
	}
	c.folds(p, k, low)
	c.folds(p, bits-k, low+k)
}

// levels adds the passes for any c_k.
func (c *additiveBasis) levels(one []bool) {
	for k := 0; k < c.n; {
		some, lows := c.together(k)
		high := c.n // of level k
		for _, low := range lows {
			p := c.window(low, min(c.n, high+some))
			for t := range some {
				to := min(c.n, high+t)
				// The first level has one product for all windows where its exponents have no bits of columns.
				from, whole := low+t, t == 0 && k >= c.row
				if whole {
					from = k
				}
				if !one[k+t] && from < to && (!whole || high == c.n) {
					p.levels = append(p.levels, basisLevel{k: k + t, from: from, to: to})
				}
				for b := min(c.n-1, high+t); b > low+t; {
					count := min(c.halvings(), b-low-t)
					p.levels = append(p.levels, basisLevel{kind: stepHalvings, run: b + 1 - p.low, shift: count})
					b -= count
				}
			}
			c.passes = append(c.passes, p)
			high = low
		}
		k += some
	}
}

// halvings is how many a step does.
func (c *additiveBasis) halvings() int {
	switch {
	case c.b.size <= 8:
		return 3
	case c.b.size == 16:
		return 2
	}
	return 1
}

// together is how many levels from k on go together, by windows whose lowest bits, for level k, are lows: as many as
// there can be for a pass.
func (c *additiveBasis) together(k int) (some int, lows []int) {
	if c.n <= c.top(k) {
		return c.n - k, []int{k}
	}
	most, left := c.tile-c.row, c.n-c.top(k)
	windows := 0
	for n := 1; n < 8; n++ {
		if s := most - (left+n-1)/n; s > 0 && s*(windows+1) > some*(n+1) {
			some, windows = s, n
		}
	}
	lows = []int{k}
	for low := c.top(k) - some; len(lows) <= windows; low += most - some {
		lows = append([]int{low}, lows...)
	}
	return some, lows
}

// powersKey is a product of level k in the bits from one on, or its inverse.
type powersKey struct {
	k, from, to int
	inverse     bool
}

// powerTables are 2^log powers, and those of the last one.
type powerTables struct {
	low, high uint64
	log       int
}

// tables makes those of a product. The bits of a window choose from one table, and only longer ones from two, whose
// entries are multiplied.
func (c *additiveBasis) tables(d *schemes.Points, of powersKey) (t powerTables, err error) {
	bits := of.to - of.from
	t.log = min(bits, max((bits+1)/2, c.tile))
	if t.low, err = c.power(d, of.k, of.from-of.k, t.log, of.inverse); err != nil || bits == t.log {
		return t, err
	}
	t.high, err = c.power(d, of.k, of.from-of.k+t.log, bits-t.log, of.inverse)
	return t, err
}

// make makes tables and steps.
func (c *additiveBasis) make(d *schemes.Points) error {
	made := map[powersKey]powerTables{}
	for i := range c.passes {
		p := &c.passes[i]
		p.first, p.count = len(c.steps[0]), len(p.levels)
		for back := range 2 {
			list := slices.Clone(p.levels)
			if back == 1 {
				slices.Reverse(list)
			}
			for _, l := range list {
				s := basisStep{kind: uint32(l.kind), run: uint32(l.run), shift: uint32(l.shift)}
				if l.kind == stepProduct {
					key := powersKey{l.k, l.from, l.to, back == 1}
					t, ok := made[key]
					if !ok {
						var err error
						if t, err = c.tables(d, key); err != nil {
							return err
						}
						made[key] = t
					}
					s.powers, s.high, s.log = t.low, t.high, uint32(t.log)
					s.low, s.from, s.to = uint32(l.from), uint32(l.from), uint32(l.to)
				}
				c.steps[back] = append(c.steps[back], s)
			}
		}
	}
	all := append(slices.Clone(c.steps[0]), c.steps[1]...)
	if len(all) == 0 {
		return nil
	}
	bytes := len(all) * int(unsafe.Sizeof(all[0]))
	err := d.Take(bytes)
	if err != nil {
		return err
	}
	if c.made, err = c.b.d.Make(bytes); err != nil {
		return err
	}
	c.bytes += bytes
	if err := c.made.CopyIn(c.made.At, unsafe.Pointer(unsafe.SliceData(all)), bytes); err != nil {
		return err
	}
	return waitFor(c.b.onDevice, d, []*device.Memory{c.made})
}

// power makes the table of 2^bits powers of c_k^(2^squares), or of its inverse.
func (c *additiveBasis) power(d *schemes.Points, k, squares, bits int, inverse bool) (uint64, error) {
	bytes := c.b.Bytes(1 << bits)
	if err := d.Take(bytes); err != nil {
		return 0, err
	}
	v, _, err := d.Scales(k, squares, 1<<bits, inverse)
	if err != nil {
		return 0, err
	}
	c.bytes += bytes
	c.powers = append(c.powers, v)
	return c.b.at(v), nil
}

// kernels are those that passes need.
func (c *additiveBasis) kernels() []*device.Function {
	return []*device.Function{c.b.basis, c.b.expand}
}

// start changes all transforms of v, or back.
func (c *additiveBasis) start(ctx context.Context, s *device.Stream, v bulks.View, inverse bool) error {
	for i := range c.passes {
		if inverse {
			i = len(c.passes) - 1 - i
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := c.pass(s, v, &c.passes[i], inverse); err != nil {
			return err
		}
	}
	return nil
}

func (c *additiveBasis) pass(s *device.Stream, v bulks.View, p *basisPass, inverse bool) error {
	b := c.b
	elements := p.rows + p.columns
	tiles := [2]int{(v.N + 1<<elements - 1) >> elements, 1}
	if p.degree > 0 {
		return b.d.Launch(s, b.expand, tiles, threads(elements+1), 2*c.shared(elements), b.at(v),
			uint64(p.degree), uint64(p.rows), uint64(p.low), uint64(p.columns), flag(inverse))
	}
	at := p.first
	if inverse {
		at += len(c.steps[0])
	}
	return b.d.Launch(s, b.basis, tiles, threads(elements), c.shared(elements), b.at(v),
		c.made.At+uint64(at)*uint64(unsafe.Sizeof(basisStep{})), uint64(p.count), uint64(v.N), uint64(p.low),
		uint64(p.rows), uint64(p.columns), flag(inverse))
}

// describe says what passes do.
func (c *additiveBasis) describe() (list []string) {
	for i := range c.passes {
		switch p := &c.passes[i]; {
		case p.degree > 0:
			list = append(list, fmt.Sprintf("change of basis on the device: %d halvings at x^(2^%d) + x", p.rows,
				p.degree))
		default:
			list = append(list, fmt.Sprintf("change of basis on the device: %d steps in tiles", p.count))
		}
	}
	return list
}
