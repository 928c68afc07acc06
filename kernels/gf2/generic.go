package gf2

import (
	"encoding/binary"
	"math/bits"
	"unsafe"
)

// Generic is the kernels in Go, which work on eight lanes at a time. They define what the others do.
var Generic = Set{
	Form:       "Go",
	Call:       1 << 17,
	Pairs:      16 * Lanes,
	MaxLayers:  [Constants]int{3, 3, 2, 1},
	Layers:     passes(false),
	LayersT:    passes(true),
	AddTimes:   [Constants]addTimesKernel{addTimes(0), addTimes(1), addTimes(2), addTimes(3)},
	Tail:       [Constants]tailKernel{tail(0), tail(1), tail(2), tail(3)},
	TailT:      [Constants]tailKernel{tailT(0), tailT(1), tailT(2), tailT(3)},
	Interleave: eachPlane(interleave),
	Separate:   eachPlane(separate),
	Maps:       same,
	Pack:       [Levels]packKernel{pack(0), pack(1), pack(2), pack(3), pack(4)},
	Unpack:     [Levels]packKernel{unpack(0), unpack(1), unpack(2), unpack(3), unpack(4)},
	Mul:        [Levels]mulKernel{mul(0), mul(1), mul(2), mul(3), mul(4)},
	Scale:      [Levels]scaleKernel{scale(0), scale(1), scale(2), scale(3), scale(4)},
	Fold:       [Levels]foldKernel{foldTiles(0), foldTiles(1), foldTiles(2), foldTiles(3), foldTiles(4)},
	FoldT:      [Levels]foldKernel{foldTilesT(0), foldTilesT(1), foldTilesT(2), foldTilesT(3), foldTilesT(4)},
	Expand:     expansions(false),
	ExpandT:    expansions(true),
	Sixteen:    foldRows(sixteenFolds, false),
	SixteenT:   foldRows(sixteenFolds, true),
	Lanes:      mixed,
	Add:        added,
	Copy:       copied,
}

type (
	layersKernel   = func(v *byte, stride, n int, w *byte)
	blocksKernel   = func(v *byte, stride, n, blocks int, w, delta *byte, at int)
	tailKernel     = func(v *byte, pairs, groups, layers int, lanes, base, delta *byte, at int)
	addTimesKernel = func(u, v *byte, groups, step int, w *byte)
	mulKernel      = func(z, x, y *byte, tiles int)
	packKernel     = func(z, x *byte, tiles int, m *uint64)
	foldKernel     = func(v *byte, blocks, half, from, to, t int)
	scaleKernel    = func(v *byte, tiles int, w *byte, s, at int)
	rowsKernel     = func(v *byte, runs, stride, n int)
)

// same is Set.Maps where matrices are taken as they are.
func same(m []uint64) []uint64 { return m }

func passes(back bool) (list [Constants][3]layersKernel) {
	for k, most := range [Constants]int{3, 3, 2, 1} {
		for count := range most {
			list[k][count] = layers(k, count+1, back)
		}
	}
	return list
}

func eachPlane(do func(x, y []byte)) func(x, y *byte, planes int) {
	return func(x, y *byte, planes int) {
		for i := range planes {
			do(bytesAt(x, 64*i, 64), bytesAt(y, 64*i, 64))
		}
	}
}

// eight is as many lanes of a plane.
type eight = uint64

// linear is a linear map of bytes: what bit i becomes.
type linear [8]eight

const ones = 0x0101010101010101

// times is the product by t.
func times(t byte) (m linear) {
	x := int(t)
	for i := range m {
		m[i] = eight(x)
		if x <<= 1; x > 255 {
			x ^= 0x11b
		}
	}
	return m
}

// ofMatrix is the map of [Matrix].
func ofMatrix(m uint64) (z linear) {
	m = bits.ReverseBytes64(m)
	// Bit i of byte j changes places with bit j of byte i, in blocks of one, two and four.
	for _, step := range [3]struct {
		by   uint
		mask uint64
	}{{7, 0x00aa00aa00aa00aa}, {14, 0x0000cccc0000cccc}, {28, 0x00000000f0f0f0f0}} {
		t := (m ^ m>>step.by) & step.mask
		m ^= t ^ t<<step.by
	}
	for i := range z {
		z[i] = m >> (8 * i) & 255
	}
	return z
}

func (m *linear) of(x eight) (z eight) {
	for i, image := range m {
		z ^= x >> i & ones * image
	}
	return z
}

// byLane returns the products of lanes.
func byLane(x, y eight) (z eight) {
	for range 8 {
		z ^= y & ones * 255 & x
		x = x&(ones*127)<<1 ^ x>>7&ones*0x1b
		y >>= 1
	}
	return z
}

// accumulate adds to u the product of v and a constant of level k, with part for the product by byte
// i of it, from at on.
func accumulate(k int, u, v []eight, part func(i int, x eight) eight, at int) {
	if k == 0 {
		u[0] ^= part(at, v[0])
		return
	}
	h, n := 1<<(k-1), Parts(k-1)
	var s, p [8]eight
	for i := range h {
		s[i] = v[i] ^ v[h+i]
	}
	accumulate(k-1, p[:h], s[:h], part, at+n)
	for i := range h {
		u[i] ^= p[i]
		u[h+i] ^= p[i]
	}
	accumulate(k-1, u[:h], v[:h], part, at)
	accumulate(k-1, u[h:2*h], v[h:], part, at+2*n)
}

func at(p *byte, i int) *byte { return (*byte)(unsafe.Add(unsafe.Pointer(p), i)) }

// bytesAt returns n bytes from i on.
func bytesAt(p *byte, i, n int) []byte { return unsafe.Slice(at(p, i), n) }

// gather reads eight lanes of n planes, and scatter writes them.
func gather(z []eight, from []byte) {
	for i := range z {
		z[i] = binary.LittleEndian.Uint64(from[64*i:])
	}
}

func scatter(to []byte, x []eight) {
	for i := range x {
		binary.LittleEndian.PutUint64(to[64*i:], x[i])
	}
}

// butterfly does that of a layer, or undoes it.
func butterfly(k int, u, v []eight, part func(i int, x eight) eight, back bool) {
	if back {
		xor(v, u)
	}
	accumulate(k, u, v, part, 0)
	if !back {
		xor(v, u)
	}
}

func xor(z, x []eight) {
	for i := range z {
		z[i] ^= x[i]
	}
}

func layers(k, count int, back bool) layersKernel {
	return func(v *byte, stride, n int, w *byte) {
		d, rows := 1<<k, 1<<count
		var maps [7][27]linear // of constants
		for i := range rows - 1 {
			for j, t := range bytesAt(w, i*Size(k), Parts(k)) {
				maps[i][j] = times(t)
			}
		}
		var x [8][8]eight
		for o := 0; o < n; o += 64 * d {
			for lane := 0; lane < 64; lane += 8 {
				for r := range rows {
					gather(x[r][:d], bytesAt(v, r*stride+o+lane, 64*d-lane))
				}
				for i := range count {
					l := i
					if back {
						l = count - 1 - i
					}
					h := rows >> (l + 1)
					for b := range 1 << l {
						part := func(i int, x eight) eight { return maps[1<<l-1+b][i].of(x) }
						for r := 2 * h * b; r < 2*h*b+h; r++ {
							butterfly(k, x[r][:d], x[r+h][:d], part, back)
						}
					}
				}
				for r := range rows {
					scatter(bytesAt(v, r*stride+o+lane, 64*d-lane), x[r][:d])
				}
			}
		}
	}
}

// interleave is Set.Interleave for a plane.
func interleave(x, y []byte) {
	var z [128]byte
	for i := range 64 {
		z[2*i], z[2*i+1] = x[i], y[i]
	}
	copy(x, z[:64])
	copy(y, z[64:])
}

// separate undoes it.
func separate(x, y []byte) {
	var z [128]byte
	copy(z[:], x[:64])
	copy(z[64:], y[:64])
	for i := range 64 {
		x[i], y[i] = z[2*i], z[2*i+1]
	}
}

func addTimes(k int) addTimesKernel {
	return func(u, v *byte, groups, step int, w *byte) {
		d := 1 << k
		var maps [27]linear
		for j, t := range bytesAt(w, 0, Parts(k)) {
			maps[j] = times(t)
		}
		part := func(i int, x eight) eight { return maps[i].of(x) }
		var x, y [8]eight
		for g := range groups {
			for lane := 0; lane < 64; lane += 8 {
				to := bytesAt(u, g*step+lane, 64*d-lane)
				gather(x[:d], to)
				gather(y[:d], bytesAt(v, g*step+lane, 64*d-lane))
				accumulate(k, x[:d], y[:d], part, 0)
				scatter(to, x[:d])
			}
		}
	}
}

// eachPair calls do for each pair of tiles, with the constants of its lanes.
func eachPair(k, pairs, layers int, lanes, base, delta *byte, place int, do func(pair int, constants []byte)) {
	n, size := layers*Parts(k), TailSize(k)
	var sums [tailLayers * 27]byte
	var all [64 * tailLayers * 27]byte
	sum, w := sums[:n], all[:64*n]
	copy(sum, bytesAt(base, 0, n))
	for pair := range pairs {
		for i, b := range sum {
			for lane, t := range bytesAt(lanes, 64*i, 64) {
				w[64*i+lane] = t ^ b
			}
		}
		do(pair, w)
		if pair < pairs-1 {
			for i, t := range bytesAt(delta, bits.TrailingZeros(uint(place+pair+1))*size, n) {
				sum[i] ^= t
			}
		}
	}
}

// layer does layer l of a group of d planes of two tiles, or undoes it.
func layer(k int, x, y, constants []byte, l int, back bool) {
	d := 1 << k
	w := constants[64*l*Parts(k):]
	var u, v [8]eight
	for lane := 0; lane < 64; lane += 8 {
		part := func(i int, x eight) eight { return byLane(x, binary.LittleEndian.Uint64(w[64*i+lane:])) }
		gather(u[:d], x[lane:])
		gather(v[:d], y[lane:])
		butterfly(k, u[:d], v[:d], part, back)
		scatter(x[lane:], u[:d])
		scatter(y[lane:], v[:d])
	}
}

// tailLayers is how many a tail does at most: as many exchanges change nothing.
const tailLayers = 7

func tail(k int) tailKernel {
	return func(v *byte, pairs, groups, layers int, lanes, base, delta *byte, at int) {
		size := 64 << k
		eachPair(k, pairs, layers, lanes, base, delta, at, func(pair int, constants []byte) {
			for g := range groups {
				first := (2*pair*groups + g) * size
				x, y := bytesAt(v, first, size), bytesAt(v, first+groups*size, size)
				for l := range tailLayers {
					if l < layers {
						layer(k, x, y, constants, l, false)
					}
					for i := 0; i < size; i += 64 {
						interleave(x[i:], y[i:])
					}
				}
			}
		})
	}
}

func tailT(k int) tailKernel {
	return func(v *byte, pairs, groups, layers int, lanes, base, delta *byte, at int) {
		size := 64 << k
		eachPair(k, pairs, layers, lanes, base, delta, at, func(pair int, constants []byte) {
			for g := range groups {
				first := (2*pair*groups + g) * size
				x, y := bytesAt(v, first, size), bytesAt(v, first+groups*size, size)
				for l := tailLayers - 1; l >= 0; l-- {
					for i := 0; i < size; i += 64 {
						separate(x[i:], y[i:])
					}
					if l < layers {
						layer(k, x, y, constants, l, true)
					}
				}
			}
		})
	}
}

// matrix sets planes z to the products of x by the matrix m.
func matrix(z, x []byte, m []uint64) {
	n := len(z) / 64
	clear(z)
	for i := range n {
		for j := range n {
			if m[n*i+j] == 0 {
				continue
			}
			one := ofMatrix(m[n*i+j])
			for lane := 0; lane < 64; lane += 8 {
				to := z[64*i+lane:]
				binary.LittleEndian.PutUint64(to, binary.LittleEndian.Uint64(to)^
					one.of(binary.LittleEndian.Uint64(x[64*j+lane:])))
			}
		}
	}
}

func pack(k int) packKernel {
	return func(z, x *byte, tiles int, m *uint64) {
		n := 1 << k
		var t [64 * 16]byte
		for i := range tiles {
			from := bytesAt(x, 64*n*i, 64*n)
			for e := range Lanes {
				for j := range n {
					t[64*j+e] = from[n*e+j]
				}
			}
			matrix(bytesAt(z, 64*n*i, 64*n), t[:64*n], unsafe.Slice(m, n*n))
		}
	}
}

func unpack(k int) packKernel {
	return func(z, x *byte, tiles int, m *uint64) {
		n := 1 << k
		var t [64 * 16]byte
		for i := range tiles {
			matrix(t[:64*n], bytesAt(x, 64*n*i, 64*n), unsafe.Slice(m, n*n))
			to := bytesAt(z, 64*n*i, 64*n)
			for e := range Lanes {
				for j := range n {
					to[n*e+j] = t[64*j+e]
				}
			}
		}
	}
}

var mapY0 = times(Y0)

// byGenerator sets z to the product of x of level k by Y_k.
func byGenerator(k int, z, x []eight) {
	if k == 0 {
		z[0] = mapY0.of(x[0])
		return
	}
	h := 1 << (k - 1)
	byGenerator(k-1, z[h:2*h], x[h:2*h])
	for i := range h {
		z[i], z[h+i] = x[h+i], z[h+i]^x[i]
	}
}

// lanes sets z to the products of x and y of level k.
func lanes(k int, z, x, y []eight) {
	if k == 0 {
		z[0] = byLane(x[0], y[0])
		return
	}
	h := 1 << (k - 1)
	var s, t, p, q, m, g [8]eight
	for i := range h {
		s[i], t[i] = x[i]^x[h+i], y[i]^y[h+i]
	}
	lanes(k-1, p[:h], x[:h], y[:h])
	lanes(k-1, q[:h], x[h:2*h], y[h:2*h])
	lanes(k-1, m[:h], s[:h], t[:h])
	byGenerator(k-1, g[:h], q[:h])
	for i := range h {
		z[i], z[h+i] = p[i]^q[i], m[i]^p[i]^q[i]^g[i]
	}
}

func mul(k int) mulKernel {
	return func(z, x, y *byte, tiles int) {
		n := 1 << k
		var a, b, c [16]eight
		for i := range tiles {
			for lane := 0; lane < 64; lane += 8 {
				first := 64*n*i + lane
				gather(a[:n], bytesAt(x, first, 64*n-lane))
				gather(b[:n], bytesAt(y, first, 64*n-lane))
				lanes(k, c[:n], a[:n], b[:n])
				scatter(bytesAt(z, first, 64*n-lane), c[:n])
			}
		}
	}
}

func scale(k int) scaleKernel {
	product := mul(k)
	return func(v *byte, tiles int, w *byte, s, at int) {
		size := Lanes << k
		var y [64 * 16]byte
		for j := range tiles {
			for i := range Lanes {
				from := (Lanes*(at+j) + i) >> s
				Put(y[:], k, i, Get(bytesAt(w, from/Lanes*size, size), k, from%Lanes))
			}
			x := bytesAt(v, j*size, size)
			product(&x[0], &x[0], &y[0], 1)
		}
	}
}
