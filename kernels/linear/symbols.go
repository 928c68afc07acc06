package linear

import "unsafe"

// Pass does layers of a transform, or undoes them, to rows of n bytes, a multiple of 64 for each byte of a symbol. Row
// i is at v + i·stride, where stride is a multiple of 64 that is no less than n.
//
// For each block d below blocks it takes rows d·2^l·step + i + j·step, j < 2^l, for i from 0 to count−1. A layer takes
// pairs of rows (u, v) to (u + tv, u + tv + v), the pairs that are farthest apart first, and t is a constant: for pair
// b of layer a, that of index (block + d)·2^a + b at w. All numbers are above 0, but block may be 0.
//
// Where rows are shards on a side, pointers to them are at shards, with the same indices. Those that are one hold
// anything of what is written to them. Otherwise shards is not used.
type Pass func(v *byte, stride int, shards **byte, step, count, blocks, n int, w *byte, block int)

// Sum is a pass that undoes layers of one block, and adds results to rows that lie from z on as those do from v on,
// which it does not change.
type Sum func(z, v *byte, stride, step, count, n int, w *byte, block int)

// Kind is what holds for the rows and constants of a pass.
type Kind int

const (
	Any   Kind = iota // nothing
	Low               // no constant takes low bytes of symbols to high ones
	First             // as Low, block is 0, constant 0 is 0, and there is one block
	Edge              // nothing, and rows from which layers are undone, or else results, are shards: see Symbols
	Kinds
)

// Layers is the most layers of a pass of any tier.
const Layers = 4

// Symbols is the kernels for rows of symbols of one byte or of two. Constants are linear maps of symbols. Shards have
// the low bytes of 32 symbols first, and then the high ones. So have other rows, or of 64 where Planes is set.
//
// A list of shards has as many pointers again behind those of a block, step·2^l, and one behind those of Enter and
// Leave: kernels have these rows, the next ones, brought into a cache.
type Symbols struct {
	Bytes  int // of a symbol
	Most   int // layers of a pass
	Planes bool
	// Layers[k][l−1] does l layers, and LayersT undoes them.
	Layers, LayersT [Kinds][Layers]Pass
	// Stream[l−1] is Layers[Edge][l−1] whose results go around the caches. Shards begin at multiples of 64.
	Stream [Layers]Pass
	// Turn[l−1] undoes l layers that are Low, those of one block, and does those of block 0. Rows are no shards.
	Turn [Layers]Pass
	// SumsT[l−1] is for l layers whose constants are Any. Rows are no shards.
	SumsT [Layers]Sum
	// Enter sets row i of z to the image of row i of x, which is a shard, by constant i at m. In Leave rows of z are
	// shards.
	Enter, Leave func(z, x **byte, count, n int, m *byte)
}

// MapSize is the bytes of a constant of symbols.
func (s *Set) MapSize(symbols *Symbols) int { return symbols.Bytes * symbols.Bytes * s.Size }

// PrepareMap sets z to the constant that sends bit j of symbols to images[j].
func (s *Set) PrepareMap(z []byte, symbols *Symbols, images []uint16) {
	for in := range symbols.Bytes {
		for out := range symbols.Bytes {
			var part [8]byte
			for b := range part {
				part[b] = byte(images[8*in+b] >> (8 * out))
			}
			s.Prepare(z[(in*symbols.Bytes+out)*s.Size:], part)
		}
	}
}

// symbolsInGo returns the kernels in Go, whose maps are those of tables.
func symbolsInGo(bytes int) Symbols {
	s := Symbols{Bytes: bytes, Most: Layers}
	g := inGo(bytes)
	for l := range Layers {
		for k := range Kinds {
			s.Layers[k][l], s.LayersT[k][l] = g.pass(l+1, false, true, k == Edge), g.pass(l+1, true, false, k == Edge)
		}
		s.Stream[l], s.Turn[l] = s.Layers[Edge][l], g.pass(l+1, true, true, false)
		s.SumsT[l] = g.sum(l + 1)
	}
	s.Enter = func(z, x **byte, count, n int, m *byte) {
		maps := unsafe.Slice(m, count*g.size())
		for i, to := range unsafe.Slice(z, count) {
			row := unsafe.Slice(to, n)
			clear(row)
			g.addTimes(row, unsafe.Slice(unsafe.Slice(x, count)[i], n), maps[i*g.size():])
		}
	}
	s.Leave = s.Enter
	return s
}

// inGo is the bytes of a symbol.
type inGo int

// size is the bytes of a constant.
func (g inGo) size() int { return int(g*g) * tableSize }

// pass returns one that undoes layers, or does them, or does those of block 0 then; shards are on one side, the first
// one where layers are undone. All rows are read before any is written, as some of the shards may be one.
func (g inGo) pass(layers int, back, forth, edge bool) Pass {
	return func(v *byte, stride int, shards **byte, step, count, blocks, n int, w *byte, block int) {
		size := step << layers
		last := (blocks-1)*size + (1<<layers-1)*step + count - 1
		area := unsafe.Slice(v, last*stride+n)
		maps := unsafe.Slice(w, (block+blocks)<<(layers-1)*g.size())
		row := func(i int, shard bool) []byte {
			if shard {
				return unsafe.Slice(unsafe.Slice(shards, last+1)[i], n)
			}
			return area[i*stride:][:n]
		}
		var room [1 << Layers][2 * Step]byte
		var rows [1 << Layers][]byte
		group := Step * int(g)
		for i := range blocks * count {
			b, first := block+i/count, i/count*size+i%count
			for at := 0; at < n; at += group {
				for j := range 1 << layers {
					rows[j] = room[j][:group]
					copy(rows[j], row(first+j*step, edge && back)[at:])
				}
				from := b
				if back {
					g.undo(rows[:1<<layers], maps, b)
					from = 0
				}
				if forth {
					g.layers(rows[:1<<layers], maps, from)
				}
				for j := range 1 << layers {
					copy(row(first+j*step, edge && forth)[at:], rows[j])
				}
			}
		}
	}
}

// sum is pass for sums: it works on copies of columns.
func (g inGo) sum(layers int) Sum {
	group, count := Step*int(g), 1<<layers
	undo := g.pass(layers, true, false, false)
	return func(z, v *byte, stride, step, rows, n int, w *byte, block int) {
		last := (count-1)*step + rows - 1
		from, to := unsafe.Slice(v, last*stride+n), unsafe.Slice(z, last*stride+n)
		var room [2 * Step << Layers]byte
		for i := range rows {
			for at := i * stride; at < i*stride+n; at += group {
				for j := range count {
					copy(room[j*group:][:group], from[at+j*step*stride:])
				}
				undo(&room[0], group, nil, 1, 1, 1, group, w, block)
				for j := range count {
					add(to[at+j*step*stride:], room[j*group:][:group])
				}
			}
		}
	}
}

func (g inGo) layers(rows [][]byte, maps []byte, block int) {
	for h := len(rows) / 2; h > 0; h, block = h/2, 2*block {
		for at := 0; at < len(rows); at += 2 * h {
			m := maps[(block+at/(2*h))*g.size():]
			for r := at; r < at+h; r++ {
				g.addTimes(rows[r], rows[r+h], m)
				add(rows[r+h], rows[r])
			}
		}
	}
}

func (g inGo) undo(rows [][]byte, maps []byte, block int) {
	for h := 1; h < len(rows); h *= 2 {
		for at := 0; at < len(rows); at += 2 * h {
			m := maps[(block*(len(rows)/(2*h))+at/(2*h))*g.size():]
			for r := at; r < at+h; r++ {
				add(rows[r+h], rows[r])
				g.addTimes(rows[r], rows[r+h], m)
			}
		}
	}
}

func add(z, x []byte) {
	for i, b := range x {
		z[i] ^= b
	}
}

// addTimes adds to z the images of x.
func (g inGo) addTimes(z, x, m []byte) {
	const half = 32
	for in := range int(g) {
		for out := range int(g) {
			at := (in*int(g) + out) * tableSize
			low, high := (*[16]byte)(m[at:]), (*[16]byte)(m[at+16:])
			for group := 0; group < len(x); group += half * int(g) {
				to := z[group+half*out:][:half]
				for i, b := range x[group+half*in:][:half] {
					to[i] ^= low[b&15] ^ high[b>>4]
				}
			}
		}
	}
}

// gather is Set.Gather.
func gather(v *byte, stride, first, count, rows, n int) {
	all := unsafe.Slice(v, (rows-1)*stride+n)
	for i := first; i < first+count; i++ {
		for bit := 1; bit < rows; bit *= 2 {
			if i&bit == 0 {
				add(all[i*stride:][:n], all[(i+bit)*stride:][:n])
			}
		}
	}
}
