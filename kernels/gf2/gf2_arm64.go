//go:build arm64 && !purego

package gf2

import (
	"crypto/subtle"
	"math/bits"
	"unsafe"

	"github.com/galfft/fft/internal/cpu"
)

// neon has assembly for layers, tails, products, maps and lanes. Folds of rows are sums, for which Go has assembly.
var neon = Set{
	Form:       "TBL and PMULL, NEON",
	Call:       1 << 15,
	Pairs:      Lanes,
	MaxLayers:  [Constants]int{1, 1, 1, 1},
	Layers:     [Constants][3]layersKernel{{layerNEON(0)}, {layerNEON(1)}, {layerNEON(2)}, {layerNEON(3)}},
	LayersT:    [Constants][3]layersKernel{{layerTNEON(0)}, {layerTNEON(1)}, {layerTNEON(2)}, {layerTNEON(3)}},
	AddTimes:   [Constants]addTimesKernel{addTimesNEON(0), addTimesNEON(1), addTimesNEON(2), addTimesNEON(3)},
	Tail:       [Constants]tailKernel{planesTailNEON(0), planesTailNEON(1), planesTailNEON(2), planesTailNEON(3)},
	TailT:      [Constants]tailKernel{planesTailTNEON(0), planesTailTNEON(1), planesTailTNEON(2), planesTailTNEON(3)},
	Interleave: interleavePlanesNEON,
	Separate:   separatePlanesNEON,
	Maps:       lookups,
	Pack:       [Levels]packKernel{packNEON(0), packNEON(1), packNEON(2), packNEON(3), packNEON(4)},
	Unpack:     [Levels]packKernel{unpackNEON(0), unpackNEON(1), unpackNEON(2), unpackNEON(3), unpackNEON(4)},
	Mul:        [Levels]mulKernel{productNEON(0), productNEON(1), productNEON(2), productNEON(3), productNEON(4)},
	Scale:      [Levels]scaleKernel{scaleNEON(0), scaleNEON(1), scaleNEON(2), scaleNEON(3), scaleNEON(4)},
	Fold:       [Levels]foldKernel{foldNEON(0), foldNEON(1), foldNEON(2), foldNEON(3), foldNEON(4)},
	FoldT:      [Levels]foldKernel{foldTNEON(0), foldTNEON(1), foldTNEON(2), foldTNEON(3), foldTNEON(4)},
	Expand:     Generic.Expand,
	ExpandT:    Generic.ExpandT,
	Sixteen:    Generic.Sixteen,
	SixteenT:   Generic.SixteenT,
	Lanes:      mixNEON,
	Add:        added,
	Copy:       copied,
}

func active() *Set {
	if cpu.Active() == cpu.Generic {
		return &Generic
	}
	return &neon
}

// factor is the products of a byte by the sixteen low halves of bytes, and by the high ones.
type factor [32]byte

var (
	factors = func() (list [256]factor) {
		for t := range list {
			for i := range 16 {
				list[t][i], list[t][16+i] = Times(byte(t), byte(i)), Times(byte(t), byte(i<<4))
			}
		}
		return list
	}()
	// products are what kernels that multiply bytes look up: what a high byte of a product is, and products by Y_0.
	products = func() (list [2]factor) {
		for i := range 16 {
			for part := range 2 {
				for bit := range 4 {
					if i>>bit&1 == 1 { // x^8 is x^4 + x^3 + x + 1
						list[0][16*part+i] ^= Times(0x1b, 1<<(4*part+bit))
					}
				}
			}
		}
		list[1] = factors[Y0]
		return list
	}()
)

// constant is the factors of one.
type constant [27]factor

func (c *constant) set(k int, w *byte) *byte {
	for i, t := range bytesAt(w, 0, Parts(k)) {
		c[i] = factors[t]
	}
	return &c[0][0]
}

// Kernels are called by name, so that what they point to may stand on the stack.

func layerNEON(k int) layersKernel {
	return func(v *byte, stride, n int, w *byte) {
		var c constant
		t, step := c.set(k, w), Lanes<<k
		switch k {
		case 0:
			layer0NEON(v, at(v, stride), n/step, step, t)
		case 1:
			layer1NEON(v, at(v, stride), n/step, step, t)
		case 2:
			layer2NEON(v, at(v, stride), n/step, step, t)
		default:
			layer3NEON(v, at(v, stride), n/step, step, t)
		}
	}
}

func layerTNEON(k int) layersKernel {
	return func(v *byte, stride, n int, w *byte) {
		var c constant
		t, step := c.set(k, w), Lanes<<k
		switch k {
		case 0:
			layerT0NEON(v, at(v, stride), n/step, step, t)
		case 1:
			layerT1NEON(v, at(v, stride), n/step, step, t)
		case 2:
			layerT2NEON(v, at(v, stride), n/step, step, t)
		default:
			layerT3NEON(v, at(v, stride), n/step, step, t)
		}
	}
}

func addTimesNEON(k int) addTimesKernel {
	return func(u, v *byte, groups, step int, w *byte) {
		var c constant
		t := c.set(k, w)
		switch k {
		case 0:
			addTimes0NEON(u, v, groups, step, t)
		case 1:
			addTimes1NEON(u, v, groups, step, t)
		case 2:
			addTimes2NEON(u, v, groups, step, t)
		default:
			addTimes3NEON(u, v, groups, step, t)
		}
	}
}

// tailConstants is the constants of the lanes of a pair of tiles, and their part for the pair.
type tailConstants struct {
	sum   [tailLayers * 27]byte
	lanes [tailLayers * 27 * Lanes]byte
}

// next is for a pair of so many.
func (c *tailConstants) next(k, pair, layers int, lanes, base, delta *byte, first int) {
	n := layers * Parts(k)
	sum := c.sum[:n]
	if pair == 0 {
		copy(sum, bytesAt(base, 0, n))
	} else {
		subtle.XORBytes(sum, sum, bytesAt(delta, bits.TrailingZeros(uint(first+pair))*TailSize(k), n))
	}
	laneConstantsNEON(&c.lanes[0], lanes, &c.sum[0], n)
}

func planesTailNEON(k int) tailKernel {
	return func(v *byte, pairs, groups, layers int, lanes, base, delta *byte, first int) {
		var c tailConstants
		size := Lanes << k
		for pair := range pairs {
			c.next(k, pair, layers, lanes, base, delta, first)
			for g := range groups {
				x := at(v, (2*pair*groups+g)*size)
				y := at(x, groups*size)
				for l := range tailLayers {
					w := &c.lanes[l*Parts(k)*Lanes]
					switch {
					case l >= layers:
					case k == 0:
						layerLanes0NEON(x, y, w, &products[0][0])
					case k == 1:
						layerLanes1NEON(x, y, w, &products[0][0])
					case k == 2:
						layerLanes2NEON(x, y, w, &products[0][0])
					default:
						layerLanes3NEON(x, y, w, &products[0][0])
					}
					interleavePlanesNEON(x, y, 1<<k)
				}
			}
		}
	}
}

func planesTailTNEON(k int) tailKernel {
	return func(v *byte, pairs, groups, layers int, lanes, base, delta *byte, first int) {
		var c tailConstants
		size := Lanes << k
		for pair := range pairs {
			c.next(k, pair, layers, lanes, base, delta, first)
			for g := range groups {
				x := at(v, (2*pair*groups+g)*size)
				y := at(x, groups*size)
				for l := tailLayers - 1; l >= 0; l-- {
					w := &c.lanes[l*Parts(k)*Lanes]
					separatePlanesNEON(x, y, 1<<k)
					switch {
					case l >= layers:
					case k == 0:
						layerTLanes0NEON(x, y, w, &products[0][0])
					case k == 1:
						layerTLanes1NEON(x, y, w, &products[0][0])
					case k == 2:
						layerTLanes2NEON(x, y, w, &products[0][0])
					default:
						layerTLanes3NEON(x, y, w, &products[0][0])
					}
				}
			}
		}
	}
}

// bytesOf is the matrix in the form of lookups.
func bytesOf(m *uint64) *byte { return (*byte)(unsafe.Pointer(m)) }

func packNEON(k int) packKernel {
	return func(z, x *byte, tiles int, m *uint64) {
		n := 1 << k
		var t [Lanes * 16]byte
		for i := range tiles {
			first := Lanes * n * i
			copy(t[:], bytesAt(x, first, Lanes*n))
			for half := 1; half < n; half *= 2 {
				for j := 0; j < n; j += 2 * half {
					separatePlanesNEON(&t[Lanes*j], &t[Lanes*(j+half)], half)
				}
			}
			matrixNEON(at(z, first), &t[0], bytesOf(m), n)
		}
	}
}

func unpackNEON(k int) packKernel {
	return func(z, x *byte, tiles int, m *uint64) {
		n := 1 << k
		var t [Lanes * 16]byte
		for i := range tiles {
			first := Lanes * n * i
			matrixNEON(&t[0], at(x, first), bytesOf(m), n)
			for half := n / 2; half > 0; half /= 2 {
				for j := 0; j < n; j += 2 * half {
					interleavePlanesNEON(&t[Lanes*j], &t[Lanes*(j+half)], half)
				}
			}
			copy(bytesAt(z, first, Lanes*n), t[:])
		}
	}
}

func productNEON(k int) mulKernel {
	return func(z, x, y *byte, tiles int) { mulPlanesNEON(k, z, x, y, tiles) }
}

func mulPlanesNEON(k int, z, x, y *byte, tiles int) {
	switch k {
	case 0:
		mul0NEON(z, x, y, tiles, &products[0][0])
	case 1:
		mul1NEON(z, x, y, tiles, &products[0][0])
	case 2:
		mul2NEON(z, x, y, tiles, &products[0][0])
	case 3:
		mul3NEON(z, x, y, tiles, &products[0][0])
	default:
		wideNEON(z, x, y, tiles)
	}
}

// wideNEON is products of level 4, by three of level 3.
func wideNEON(z, x, y *byte, tiles int) {
	const half = 8 * Lanes
	for i := range tiles {
		a, b := bytesAt(x, 2*half*i, 2*half), bytesAt(y, 2*half*i, 2*half)
		to := bytesAt(z, 2*half*i, 2*half)
		var low, high, middle, other [half]byte
		subtle.XORBytes(middle[:], a[:half], a[half:])
		subtle.XORBytes(other[:], b[:half], b[half:])
		mul3NEON(&middle[0], &middle[0], &other[0], 1, &products[0][0])
		mul3NEON(&low[0], &a[0], &b[0], 1, &products[0][0])
		mul3NEON(&high[0], &a[half], &b[half], 1, &products[0][0])
		lo, hi := to[:half], to[half:]
		subtle.XORBytes(lo, low[:], high[:])
		subtle.XORBytes(hi, middle[:], lo)
		// Y_3 times the planes q of high is q4, q5, q6, q7, q0 + q6, q1 + q7, q2 + q4 + q7, q3 + q5 + q6 + Y_0·q7.
		add := func(to, from, planes int) {
			p := hi[Lanes*to : Lanes*(to+planes)]
			subtle.XORBytes(p, p, high[Lanes*from:])
		}
		add(0, 4, 4)
		add(4, 0, 4)
		add(4, 6, 2)
		add(6, 4, 2)
		add(6, 7, 1)
		add(7, 6, 1)
		addTimes0NEON(&hi[7*Lanes], &high[7*Lanes], 1, Lanes, &products[1][0])
	}
}

const noLane = 255 // of an index

// scaleNEON looks up for each tile which lanes of others its elements are multiplied by.
func scaleNEON(k int) scaleKernel {
	return func(v *byte, tiles int, w *byte, s, first int) {
		size := Lanes << k
		if s == 0 {
			mulPlanesNEON(k, v, v, at(w, first*size), tiles)
			return
		}
		var y [Lanes * 16]byte
		var index [2 * Lanes]byte
		for j := range tiles {
			from := Lanes * (first + j) >> s
			for i := range Lanes {
				index[i], index[Lanes+i] = byte(from%Lanes+i>>s), noLane
			}
			clear(y[:])
			lanesNEON(&y[0], at(w, from/Lanes*size), at(w, from/Lanes*size), 1<<k, &index[0])
			mulPlanesNEON(k, at(v, j*size), at(v, j*size), &y[0], 1)
		}
	}
}

// shifts is which lanes move up by some: inside of a tile and out of the one before, and either alone.
type shifts struct{ both, inside, before [2 * Lanes]byte }

func (l *shifts) set(by int) {
	for i := range Lanes {
		l.both[i], l.both[Lanes+i] = noLane, noLane
		if i >= by {
			l.both[i] = byte(i - by)
		} else {
			l.both[Lanes+i] = byte(Lanes + i - by)
		}
	}
	l.inside, l.before = l.both, l.both
	for i := range Lanes {
		l.inside[Lanes+i], l.before[i] = noLane, noLane
	}
}

// fold does to the first half of a block at v what Set.Fold says.
func (l *shifts) fold(k int, v *byte, half, from, to int) {
	size := Lanes << k
	for i := from; i < to; i++ {
		x, index := at(v, (half+i)*size), &l.both[0]
		before := x
		if i == 0 {
			index = &l.inside[0]
		} else {
			before = at(v, (half+i-1)*size)
		}
		lanesNEON(at(v, i*size), x, before, 1<<k, index)
	}
}

// top adds what leaves the block to its second half.
func (l *shifts) top(k int, v *byte, half int) {
	size := Lanes << k
	x, last := at(v, half*size), at(v, (2*half-1)*size)
	lanesNEON(x, last, last, 1<<k, &l.before[0])
}

func foldNEON(k int) foldKernel {
	return func(v *byte, blocks, half, from, to, t int) {
		var l shifts
		l.set(1 << t)
		for range blocks {
			if from == 0 {
				l.top(k, v, half)
			}
			l.fold(k, v, half, from, to)
			v = at(v, 2*half*Lanes<<k)
		}
	}
}

func foldTNEON(k int) foldKernel {
	return func(v *byte, blocks, half, from, to, t int) {
		var l shifts
		l.set(1 << t)
		for range blocks {
			l.fold(k, v, half, from, to)
			if to == half {
				l.top(k, v, half)
			}
			v = at(v, 2*half*Lanes<<k)
		}
	}
}

func mixNEON(v *byte, planes int, steps *byte, count int) {
	for i := range count {
		s := (*Step)(unsafe.Pointer(at(steps, i*len(Step{}))))
		var index [2 * Lanes]byte
		for j := range index {
			index[j] = s[j] | byte(1-int(s[2*Lanes+j/8]>>(j%8)&1))*noLane
		}
		lanesNEON(v, v, v, planes, &index[0])
	}
}
