package gf2

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/internal/cpu"
	"github.com/galfft/fft/internal/testscale"
)

// sets are the kernels of all tiers.
func sets(t *testing.T) map[string]*Set {
	list := map[string]*Set{"Go": &Generic}
	for _, tier := range cpu.Present() {
		undo, err := cpu.Use(tier)
		require.NoError(t, err)
		list[Active().Form] = Active()
		less := cpu.WithoutGFNI()
		list[Active().Form] = Active()
		less()
		undo()
	}
	return list
}

// draw returns random bytes, some of which are 0 or 255 more often.
func draw(r *rand.Rand, n int) []byte {
	b, kind := make([]byte, n), r.IntN(4)
	for i := range b {
		if b[i] = byte(r.Uint32()); kind == 0 && r.IntN(4) > 0 {
			b[i] = byte(r.IntN(2)) * 255
		}
	}
	return b
}

func random(r *rand.Rand, k int) Element {
	x := Element{r.Uint64(), r.Uint64()}
	switch r.IntN(6) {
	case 0:
		x = Element{}
	case 1:
		x = Element{1}
	case 2:
		x = Element{1<<64 - 1, 1<<64 - 1}
	}
	if k < 4 {
		x[1] = 0
	}
	if k < 3 {
		x[0] &= 1<<(8<<k) - 1
	}
	return x
}

// slow is the product from the definition of the tower, by bits.
func slow(k int, x, y Element) Element {
	if k == 0 {
		a, z := int(x[0]), 0
		for i := range 8 {
			if y[0]>>i&1 == 1 {
				z ^= a
			}
			if a <<= 1; a > 255 {
				a ^= 0x11b
			}
		}
		return Element{uint64(z)}
	}
	split := func(x Element) (lo, hi Element) {
		if k == 4 {
			return Element{x[0]}, Element{x[1]}
		}
		h := 4 << k
		return Element{x[0] & (1<<h - 1)}, Element{x[0] >> h}
	}
	join := func(lo, hi Element) Element {
		if k == 4 {
			return Element{lo[0], hi[0]}
		}
		return Element{lo[0] | hi[0]<<(4<<k)}
	}
	a, b := split(x)
	c, d := split(y)
	y1 := Element{Y0}
	if k > 1 {
		y1 = Element{1 << (4 << (k - 1))}
	}
	hi := slow(k-1, b, d)
	return join(Plus(slow(k-1, a, c), hi), Plus(Plus(slow(k-1, a, d), slow(k-1, b, c)), slow(k-1, hi, y1)))
}

// The tower stands on the least solutions, and its products are those of the definition.
func TestTower(t *testing.T) {
	least := func(y byte) byte {
		for z := 1; ; z++ {
			if Times(byte(z), byte(z))^Times(y, byte(z)) == 1 {
				return byte(z)
			}
		}
	}
	require.Equal(t, []byte{x0, x1, Y0}, []byte{least(1), least(x0), least(x1)})
	r := rand.New(rand.NewPCG(1, 1))
	for k := range Levels {
		for range 200 * testscale.Of(t) {
			x, y := random(r, k), random(r, k)
			require.Equal(t, slow(k, x, y), Product(k, x, y), "level %d", k)
		}
	}
	require.Equal(t, []int{0, 0, 0, 1, 2, 3, 4}, []int{Level(Element{}), Level(Element{1}), Level(Element{255}),
		Level(Element{256}), Level(Element{1 << 31}), Level(Element{1 << 32}), Level(Element{0, 1})})
}

// Constants of a lower level are the first bytes, and sums of constants sums of bytes.
func TestPrepare(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	for k := 1; k < Levels; k++ {
		x, y := random(r, k), random(r, k-1)
		a, b, c, low := make([]byte, Parts(k)), make([]byte, Parts(k)), make([]byte, Parts(k)), make([]byte, Parts(k-1))
		Prepare(a, k, x)
		Prepare(b, k, y)
		Prepare(c, k, Plus(x, y))
		Prepare(low, k-1, y)
		require.Equal(t, low, b[:len(low)])
		for i := range a {
			require.Equal(t, c[i], a[i]^b[i])
		}
	}
}

// each runs a test of every tier and level, some times.
func each(t *testing.T, levels int, test func(t *testing.T, r *rand.Rand, s *Set, k int)) {
	for name, s := range sets(t) {
		for k := range levels {
			t.Run(fmt.Sprintf("%s/%d", name, k), func(t *testing.T) {
				r := rand.New(rand.NewPCG(3, uint64(k)))
				for range 8 * testscale.Of(t) {
					test(t, r, s, k)
				}
			})
		}
	}
}

// guarded returns n bytes with others around them, and a function that fails where those have changed.
func guarded(t *testing.T, r *rand.Rand, n int) (v []byte, check func()) {
	all := draw(r, n+128)
	before := append([]byte(nil), all...)
	return all[64 : 64+n], func() {
		require.Equal(t, before[:64], all[:64], "bytes before")
		require.Equal(t, before[64+n:], all[64+n:], "bytes behind")
	}
}

// Passes do what their layers do one by one, to all rows and nothing else, and passes back undo them.
func TestLayers(t *testing.T) {
	each(t, Constants, func(t *testing.T, r *rand.Rand, s *Set, k int) {
		for count := 1; count <= s.MaxLayers[k]; count++ {
			rows, n := 1<<count, 64<<k*(1+r.IntN(3))
			stride := n + 64*r.IntN(2)
			v, check := guarded(t, r, stride*(rows-1)+n)
			before, w, ts := append([]byte(nil), v...), make([]byte, rows*Size(k)), make([]Element, rows)
			for i := range rows - 1 {
				ts[i] = random(r, k)
				Prepare(w[i*Size(k):], k, ts[i])
			}
			want := append([]byte(nil), v...)
			for l := range count {
				h := rows >> (l + 1)
				for row := range rows {
					if row/h%2 == 1 {
						continue
					}
					for g := 0; g < n; g += 64 << k {
						for lane := range 64 {
							u, w := want[row*stride+g:], want[(row+h)*stride+g:]
							x := Plus(Get(u, k, lane), Product(k, ts[1<<l-1+row/(2*h)], Get(w, k, lane)))
							Put(w, k, lane, Plus(x, Get(w, k, lane)))
							Put(u, k, lane, x)
						}
					}
				}
			}
			s.Layers[k][count-1](&v[0], stride, n, &w[0])
			require.Equal(t, want, v)
			s.LayersT[k][count-1](&v[0], stride, n, &w[0])
			require.Equal(t, before, v)
			check()
		}
	})
}

// Kernels for several blocks do what Layers does to each, with constants that are sums for the bits of the block's
// number.
func TestBlocks(t *testing.T) {
	each(t, Constants, func(t *testing.T, r *rand.Rand, s *Set, k int) {
		for count := 1; count <= s.MaxLayers[k]; count++ {
			if s.Blocks[k][count-1] == nil {
				require.Nil(t, s.BlocksT[k][count-1])
				continue
			}
			rows, blocks, n, first := 1<<count, 1+r.IntN(9), 64<<k*(1+r.IntN(3)), r.IntN(8)
			stride := n + 64*r.IntN(2)
			v, check := guarded(t, r, stride*(rows*blocks-1)+n)
			want, before := append([]byte(nil), v...), append([]byte(nil), v...)
			var generators [3][8]Element // of constants of layer l, by bits of block and number in it, and a shift
			for l := range generators {
				for i := range generators[l] {
					generators[l][i] = random(r, k)
				}
			}
			constant := func(l, b int) (x Element) {
				for ; b != 0; b &= b - 1 {
					x = Plus(x, generators[l][bits.TrailingZeros(uint(b))])
				}
				return x
			}
			w, delta := make([]byte, Lanes), make([]byte, 5*Lanes)
			for c := range rows - 1 {
				l := bits.Len(uint(c+1)) - 1
				at := c * Parts(k)
				Prepare(w[at:], k, Plus(generators[l][7], constant(l, first<<l+c+1-1<<l)))
				for j := range 5 {
					Prepare(delta[j*Lanes+at:], k, constant(l, (2<<j-1)<<l))
				}
			}
			for b := range blocks {
				list := make([]byte, rows*Size(k))
				for c := range rows - 1 {
					l := bits.Len(uint(c+1)) - 1
					Prepare(list[c*Size(k):], k, Plus(generators[l][7], constant(l, (first+b)<<l+c+1-1<<l)))
				}
				Generic.Layers[k][count-1](&want[b*rows*stride], stride, n, &list[0])
			}
			s.Blocks[k][count-1](&v[0], stride, n, blocks, &w[0], &delta[0], first)
			require.Equal(t, want, v)
			s.BlocksT[k][count-1](&v[0], stride, n, blocks, &w[0], &delta[0], first)
			require.Equal(t, before, v)
			check()
		}
	})
}

func TestAddTimes(t *testing.T) {
	each(t, Constants, func(t *testing.T, r *rand.Rand, s *Set, k int) {
		groups := 1 + r.IntN(3)
		step := 64<<k + 64*r.IntN(2)
		n := (groups-1)*step + 64<<k
		u, check := guarded(t, r, n)
		v, w, x := draw(r, n), make([]byte, Size(k)), random(r, k)
		Prepare(w, k, x)
		want := append([]byte(nil), u...)
		for g := range groups {
			for lane := range 64 {
				Put(want[g*step:], k, lane, Plus(Get(u[g*step:], k, lane), Product(k, x, Get(v[g*step:], k, lane))))
			}
		}
		s.AddTimes[k](&u[0], &v[0], groups, step, &w[0])
		require.Equal(t, want, u)
		check()
	})
}

// A tail is two to seven layers, whose constants are sums for the bits of the number of the block. There are as many
// groups as need each number of them that kernels take together, or those of four or eight planes.
func TestTail(t *testing.T) {
	run := 0
	each(t, Constants, func(t *testing.T, r *rand.Rand, s *Set, k int) {
		for _, groups := range []int{15 >> k, 8 >> k, max(1, 4>>k)} {
			testTail(t, r, s, k, groups, 2+run%6)
		}
		run++
	})
}

func testTail(t *testing.T, r *rand.Rand, s *Set, k, groups, layers int) {
	pairs, first := 1+r.IntN(3), 4*r.IntN(3)
	v, check := guarded(t, r, pairs*groups*2*64<<k)
	before, want := append([]byte(nil), v...), append([]byte(nil), v...)
	var generators [7][16]Element // constant of block b of layer l of the whole, for the bits of b, and a shift
	for l := range generators {
		for i := range generators[l] {
			generators[l][i] = random(r, k)
		}
	}
	constant := func(l, b int) Element {
		x := generators[l][15]
		for ; b != 0; b &= b - 1 {
			x = Plus(x, generators[l][bits.TrailingZeros(uint(b))])
		}
		return x
	}
	for l := range layers {
		h := 64 >> l
		for i := range 128 * pairs {
			if i/h%2 == 1 {
				continue
			}
			for g := range groups {
				at := func(i int) []byte { return want[(i/64*groups+g)*64<<k:] }
				c := constant(l, (first*128+i)/(2*h))
				x, y := Get(at(i), k, i%64), Get(at(i+h), k, (i+h)%64)
				x = Plus(x, Product(k, c, y))
				Put(at(i), k, i%64, x)
				Put(at(i+h), k, (i+h)%64, Plus(x, y))
			}
		}
	}
	n := Parts(k)
	lanes, base, delta := make([]byte, 64*layers*n), make([]byte, TailSize(k)), make([]byte, 8*TailSize(k))
	b := make([]byte, n)
	for l := range layers {
		for lane := range 64 {
			Prepare(b, k, Plus(constant(l, lane%(1<<l)), constant(l, 0)))
			for i := range b {
				lanes[64*(l*n+i)+lane] = b[i]
			}
		}
		Prepare(base[l*n:], k, constant(l, first<<l))
		for j := range 8 {
			Prepare(delta[j*TailSize(k)+l*n:], k, Plus(constant(l, 0), constant(l, (2<<j-1)<<l)))
		}
	}
	s.Tail[k](&v[0], pairs, groups, layers, &lanes[0], &base[0], &delta[0], first)
	require.Equal(t, want, v)
	s.TailT[k](&v[0], pairs, groups, layers, &lanes[0], &base[0], &delta[0], first)
	require.Equal(t, before, v)
	check()
}

// Elements go into tiles, through any matrix, and back.
func TestPack(t *testing.T) {
	each(t, Levels, func(t *testing.T, r *rand.Rand, s *Set, k int) {
		n, tiles := 1<<k, 1+r.IntN(3)
		x := draw(r, 64*n*tiles)
		z, check := guarded(t, r, len(x))
		m, images := make([]uint64, n*n), make([]Element, 8*n)
		for i := range images {
			images[i] = random(r, k)
		}
		for i := range n {
			for j := range n {
				var part [8]byte
				for bit := range part {
					part[bit] = byte(images[8*j+bit][i/8] >> (i % 8 * 8))
				}
				m[n*i+j] = Matrix(part)
			}
		}
		m = s.Maps(m)
		s.Pack[k](&z[0], &x[0], tiles, &m[0])
		back := make([]byte, len(x))
		s.Unpack[k](&back[0], &z[0], tiles, &m[0])
		image := func(x Element) (y Element) {
			for bit := range 8 * n {
				if x[bit/64]>>(bit%64)&1 == 1 {
					y = Plus(y, images[bit])
				}
			}
			return y
		}
		of := func(b []byte) (x Element) {
			for i, c := range b {
				x[i/8] |= uint64(c) << (i % 8 * 8)
			}
			return x
		}
		for i := range 64 * tiles {
			y := image(of(x[n*i:][:n]))
			require.Equal(t, y, Get(z[i/64*64*n:], k, i%64))
			require.Equal(t, image(y), of(back[n*i:][:n]))
		}
		check()
		s.Pack[k](&x[0], &x[0], tiles, &m[0])
		require.Equal(t, z, x, "in place")
		s.Unpack[k](&x[0], &x[0], tiles, &m[0])
		require.Equal(t, back, x, "in place")
	})
}

// Maps of each byte by itself are those whose matrices of other bytes are 0.
func TestPackBytes(t *testing.T) {
	each(t, Levels, func(t *testing.T, r *rand.Rand, s *Set, k int) {
		if s.PackBytes[k] == nil {
			return
		}
		n, tiles := 1<<k, 1+r.IntN(3)
		x := draw(r, 64*n*tiles)
		z, check := guarded(t, r, len(x))
		back, checkBack := guarded(t, r, len(x))
		one, all := []uint64{r.Uint64()}, make([]uint64, n*n)
		for i := range n {
			all[n*i+i] = one[0]
		}
		want, wantBack := make([]byte, len(x)), make([]byte, len(x))
		Generic.Pack[k](&want[0], &x[0], tiles, &all[0])
		Generic.Unpack[k](&wantBack[0], &want[0], tiles, &all[0])
		m := s.Maps(one)
		s.PackBytes[k](&z[0], &x[0], tiles, &m[0])
		s.UnpackBytes[k](&back[0], &z[0], tiles, &m[0])
		require.Equal(t, want, z)
		require.Equal(t, wantBack, back)
		check()
		checkBack()
		s.PackBytes[k](&x[0], &x[0], tiles, &m[0])
		require.Equal(t, want, x, "in place")
		s.UnpackBytes[k](&x[0], &x[0], tiles, &m[0])
		require.Equal(t, wantBack, x, "in place")
	})
}

func TestMul(t *testing.T) {
	each(t, Levels, func(t *testing.T, r *rand.Rand, s *Set, k int) {
		tiles := 1 + r.IntN(3)
		x, y := draw(r, 64<<k*tiles), draw(r, 64<<k*tiles)
		z, check := guarded(t, r, len(x))
		s.Mul[k](&z[0], &x[0], &y[0], tiles)
		for i := range 64 * tiles {
			at := i / 64 * 64 << k
			require.Equal(t, Product(k, Get(x[at:], k, i%64), Get(y[at:], k, i%64)), Get(z[at:], k, i%64))
		}
		check()
		square := append([]byte(nil), x...)
		s.Mul[k](&square[0], &square[0], &x[0], tiles)
		s.Mul[k](&y[0], &x[0], &y[0], tiles)
		require.Equal(t, z, y, "in place")
		s.Mul[k](&x[0], &x[0], &x[0], tiles)
		require.Equal(t, square, x, "squares in place")
	})
}

func TestInterleave(t *testing.T) {
	each(t, 1, func(t *testing.T, r *rand.Rand, s *Set, _ int) {
		x, y := draw(r, 64), draw(r, 64)
		a, b := append([]byte(nil), x...), append([]byte(nil), y...)
		for range 7 {
			want := make([]byte, 0, 128)
			for i := range x {
				want = append(want, x[i], y[i])
			}
			s.Interleave(&x[0], &y[0], 1)
			require.Equal(t, want, append(append([]byte(nil), x...), y...))
		}
		require.Equal(t, [][]byte{a, b}, [][]byte{x, y})
		s.Interleave(&x[0], &y[0], 1)
		s.Separate(&x[0], &y[0], 1)
		require.Equal(t, [][]byte{a, b}, [][]byte{x, y})
	})
}

// Each multiplier is for 2^s neighbours, wherever the first tile is.
func TestScale(t *testing.T) {
	each(t, Levels, func(t *testing.T, r *rand.Rand, set *Set, k int) {
		for s := range 9 {
			tiles, at := 1+r.IntN(5), r.IntN(9)
			v, check := guarded(t, r, 64<<k*tiles)
			w := draw(r, 64<<k*((64*(at+tiles)-1)>>s/64+1))
			want := append([]byte(nil), v...)
			for i := range 64 * tiles {
				x, from := want[i/64*64<<k:], (64*at+i)>>s
				Put(x, k, i%64, Product(k, Get(x, k, i%64), Get(w[from/64*64<<k:], k, from%64)))
			}
			set.Scale[k](&v[0], tiles, &w[0], s, at)
			require.Equal(t, want, v, "s = %d", s)
			check()
		}
	})
}
