package rs

import "github.com/galfft/fft/kernels/gf2"

// symbols moves shards in and out of tiles. A shard is blocks of symbols, each with the low bytes of all of them first,
// then the next ones. Blocks have 32 symbols of two bytes or 64 of four, the last one what is left. Leopard's numbers
// become elements of the fields of package gf2 by a linear map, and elements become numbers.
type symbols struct {
	level       int
	block       int // symbols
	into, outOf [2][256]uint16
}

func symbolsOf(level int) symbols {
	s := symbols{level: level, block: gf2.Lanes}
	if level == 1 {
		s.block = 32
	}
	if level < 2 {
		c := chains[level]()
		for i := range c {
			// Number 2^i is element c[i]. Tables are filled by sums, and inverted by what they map.
			for x := range 1 << (i % 8) {
				s.into[i/8][1<<(i%8)+x] = s.into[i/8][x] ^ uint16(c[i][0])
			}
		}
		number := make([]uint16, 1<<(8<<level))
		for x := range number {
			number[s.into[0][x&255]^s.into[1][x>>8]] = uint16(x)
		}
		for x := range 256 {
			s.outOf[0][x] = number[x]
			if level == 1 {
				s.outOf[1][x] = number[x<<8]
			}
		}
	}
	return s
}

// enter sets tiles to the symbols of shard, with anything behind them.
func (s *symbols) enter(tiles, shard []byte) {
	if s.level == 2 {
		s.blocks(len(shard), func(at, tile, lane, n int) {
			for p := range 4 {
				copy(tiles[tile+p*gf2.Lanes+lane:][:n], shard[at+p*n:])
			}
		})
		return
	}
	mapped(s, tiles, shard, &s.into, true)
}

// leave undoes it.
func (s *symbols) leave(shard, tiles []byte) {
	if s.level == 2 {
		s.blocks(len(shard), func(at, tile, lane, n int) {
			for p := range 4 {
				copy(shard[at+p*n:][:n], tiles[tile+p*gf2.Lanes+lane:])
			}
		})
		return
	}
	mapped(s, tiles, shard, &s.outOf, false)
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
