package rs

import (
	"sync"

	"github.com/galfft/fft/kernels/gf2"
	"github.com/galfft/fft/kernels/linear"
)

// symbols moves shards in and out of tiles. A shard is blocks of symbols, each with the low bytes of all of them first,
// then the next ones. Blocks have 32 symbols of two bytes or 64 of more, the last one what is left. Leopard's numbers
// become elements of the fields of package gf2 by a linear map, and elements become numbers. Symbols of more than four
// bytes are tiles of four planes, one after the other: an element of GF(2^64) or GF(2^128) is two or four of GF(2^32).
type symbols struct {
	level       int // the binary logarithm of the bytes of a symbol
	block       int // symbols
	into, outOf translation
}

// translation is a linear map of numbers of one or two bytes.
type translation struct {
	table *[2][256]uint16 // of the low byte and of the high one
	set   *linear.Set
	maps  []byte // for each byte of an input those to all bytes of the result
}

// prepare makes the maps from the table.
func (t *translation) prepare(level int) {
	t.set = linear.Active()
	n := 1 << level
	t.maps = make([]byte, n*n*t.set.Size)
	for i := range n {
		for j := range n {
			var images [8]byte
			for b := range images {
				images[b] = byte(t.table[i][1<<b] >> (8 * j))
			}
			t.set.Prepare(t.maps[(i*n+j)*t.set.Size:], images)
		}
	}
}

// planes is a tile of two planes, with pointers to rows for kernels.
type planes struct {
	bytes    [2 * gf2.Lanes]byte
	from, to [2]*byte
}

// run translates n bytes of two planes, or of one where there is one.
func (t *translation) run(p *planes, z, x []byte, level, n int) {
	p.from[0], p.to[0] = &x[0], &z[0]
	if level > 0 {
		p.from[1], p.to[1] = &x[gf2.Lanes], &z[gf2.Lanes]
	}
	t.set.Sums[level](&p.to[0], &p.from[0], 1<<level, &t.maps[0], n)
	p.from, p.to = [2]*byte{}, [2]*byte{}
}

func symbolsOf(level int) symbols {
	s := symbols{level: level, block: gf2.Lanes}
	if level == 1 {
		s.block = 32
	}
	if level < 2 {
		t := numbers[level]()
		s.into.table, s.outOf.table = &t.into, &t.outOf
		s.into.prepare(level)
		s.outOf.prepare(level)
	}
	return s
}

// numberTables translate Leopard's numbers to elements of package gf2, and back.
type numberTables struct{ into, outOf [2][256]uint16 }

// numbers are those by level.
var numbers = [2]func() *numberTables{
	sync.OnceValue(func() *numberTables { return newNumbers(0) }),
	sync.OnceValue(func() *numberTables { return newNumbers(1) }),
}

func newNumbers(level int) *numberTables {
	t := new(numberTables)
	for i, v := range chains[level]() {
		// Number 2^i is element v. Tables are filled by sums, and inverted by what they map.
		for x := range 1 << (i % 8) {
			t.into[i/8][1<<(i%8)+x] = t.into[i/8][x] ^ uint16(v[0])
		}
	}
	number := make([]uint16, 1<<(8<<level))
	for x := range number {
		number[t.into[0][x&255]^t.into[1][x>>8]] = uint16(x)
	}
	for x := range 256 {
		t.outOf[0][x] = number[x]
		if level == 1 {
			t.outOf[1][x] = number[x<<8]
		}
	}
	return t
}

// enter sets tiles to the symbols of shard, with anything behind them.
func (s *symbols) enter(p *planes, tiles, shard []byte) {
	if s.level >= 2 {
		s.blocks(len(shard), func(at, tile, lane, n int) {
			for p := range 1 << s.level {
				copy(tiles[tile+p*gf2.Lanes+lane:][:n], shard[at+p*n:])
			}
		})
		return
	}
	tile := gf2.Lanes << s.level
	whole := len(shard) &^ (tile - 1)
	if s.level == 0 && whole > 0 {
		s.into.run(p, tiles, shard, 0, whole)
	}
	for at := 0; s.level == 1 && at < whole; at += tile {
		swapBlocks(p.bytes[:], shard[at:])
		s.into.run(p, tiles[at:], p.bytes[:], 1, gf2.Lanes)
	}
	mapped(s, tiles[whole:], shard[whole:], s.into.table, true)
}

// swapBlocks moves two blocks of 32 symbols to two planes, or back: the middle quarters change places.
func swapBlocks(z, x []byte) {
	const quarter = gf2.Lanes / 2
	for i, from := range [4]int{0, 2, 1, 3} {
		*(*[quarter]byte)(z[i*quarter:]) = [quarter]byte(x[from*quarter:])
	}
}

// leave undoes it.
func (s *symbols) leave(p *planes, shard, tiles []byte) {
	if s.level >= 2 {
		s.blocks(len(shard), func(at, tile, lane, n int) {
			for p := range 1 << s.level {
				copy(shard[at+p*n:][:n], tiles[tile+p*gf2.Lanes+lane:])
			}
		})
		return
	}
	tile := gf2.Lanes << s.level
	whole := len(shard) &^ (tile - 1)
	if s.level == 0 && whole > 0 {
		s.outOf.run(p, shard, tiles, 0, whole)
	}
	for at := 0; s.level == 1 && at < whole; at += tile {
		s.outOf.run(p, p.bytes[:], tiles[at:], 1, gf2.Lanes)
		swapBlocks(shard[at:], p.bytes[:])
	}
	mapped(s, tiles[whole:], shard[whole:], s.outOf.table, false)
}

// blocks calls do for each block of a shard: where it is, where its tile is and the lane, and how many symbols it has.
func (s *symbols) blocks(size int, do func(at, tile, lane, n int)) {
	left := size >> s.level
	for i := 0; left > 0; i++ {
		n := min(left, s.block)
		symbol := i * s.block
		do(symbol<<s.level, symbol/gf2.Lanes*gf2.Lanes<<s.level, symbol%gf2.Lanes, n)
		left -= n
	}
}

func mapped(s *symbols, tiles, shard []byte, table *[2][256]uint16, in bool) {
	s.blocks(len(shard), func(at, tile, lane, n int) {
		x, y := shard[at:], tiles[tile+lane:]
		step, far := n, gf2.Lanes
		if !in {
			x, y, step, far = y, x, far, step
		}
		for i := range n {
			z := table[0][x[i]]
			if s.level == 1 {
				z ^= table[1][x[step+i]]
				y[far+i] = byte(z >> 8)
			}
			y[i] = byte(z)
		}
	})
}
