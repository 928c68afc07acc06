package linear

import "unsafe"

// Pass does layers of a transform, or undoes them, to rows of n bytes, a multiple of 64 for each byte of a symbol.
// It takes rows x[i + j·step], j < 2^l, for i from 0 to count−1, to the same rows of z, which may be x. A layer takes
// pairs of rows (u, v) to (u + tv, u + tv + v), the pairs that are farthest apart first, and t is a constant: for pair
// b of blocks of layer a, that of index block·2^a + b at w. All numbers are above 0, but block may be 0. Rows of z that
// are one hold anything of those.
type Pass func(z, x **byte, step, count, n int, w *byte, block int)

// Kind is what holds for the rows and constants of a pass.
type Kind int

const (
	Any   Kind = iota // nothing
	Low               // no constant takes low bytes of symbols to high ones
	First             // as Low, block is 0, and constant 0 is 0
	Edge              // nothing, and rows of x where layers are undone, or else of z, are shards: see Symbols
	Kinds
)

// Layers is the most layers of a pass of any tier.
const Layers = 4

// Symbols is the kernels for rows of symbols of one byte or of two. Constants are linear maps of symbols. Shards have
// the low bytes of 32 symbols first, and then the high ones. So have other rows, or of 64 where Planes is set.
//
// A list of shards has as many pointers again behind those of a pass, step·2^l, and one behind those of Enter and
// Leave: kernels have these rows, those of the next call, brought into a cache.
type Symbols struct {
	Bytes  int // of a symbol
	Most   int // layers of a pass
	Planes bool
	// Layers[k][l−1] does l layers, and LayersT undoes them.
	Layers, LayersT [Kinds][Layers]Pass
	// Turn[l−1] undoes l layers that are Low, from block on, and does those of block 0. Rows are no shards.
	Turn [Layers]Pass
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
			s.Layers[k][l], s.LayersT[k][l] = g.pass(l+1, false, true), g.pass(l+1, true, false)
		}
		s.Turn[l] = g.pass(l+1, true, true)
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

// pass returns one that undoes layers, or does them, or does those of block 0 then. All rows are read before any is
// written, as some of z may be one.
func (g inGo) pass(layers int, back, forth bool) Pass {
	return func(z, x **byte, step, count, n int, w *byte, block int) {
		last := (1<<layers - 1) * step
		to, from := unsafe.Slice(z, last+count), unsafe.Slice(x, last+count)
		maps := unsafe.Slice(w, (block+1)<<(layers-1)*g.size())
		var room [1 << Layers][2 * Step]byte
		var rows [1 << Layers][]byte
		group := Step * int(g)
		for i := range count {
			for at := 0; at < n; at += group {
				for j := range 1 << layers {
					rows[j] = room[j][:group]
					copy(rows[j], unsafe.Slice(from[i+j*step], n)[at:])
				}
				first := block
				if back {
					g.undo(rows[:1<<layers], maps, block)
					first = 0
				}
				if forth {
					g.layers(rows[:1<<layers], maps, first)
				}
				for j := range 1 << layers {
					copy(unsafe.Slice(to[i+j*step], n)[at:], rows[j])
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
