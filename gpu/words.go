package gpu

import (
	"cmp"
	"errors"
	"fmt"
	"math/bits"
	"runtime"
	"unsafe"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/arith"
	"github.com/galfft/fft/internal/device"
	"github.com/galfft/fft/internal/engine/choice"
	"github.com/galfft/fft/schemes"
)

// words is the bulk of a prime of one word. Vectors are arrays of canonical words.
type words struct {
	*onDevice
	arithmetic string // and the module of its kernels
	word       int    // bytes of an element
	multiplier int    // bytes of a multiplier

	p, inverse, square uint64 // p⁻¹ modulo 2^64 and 2^2w mod p, for w bits of a word

	pointer func(bulks.View) unsafe.Pointer // of a slice of elements
	divide  func(n int) (all, few []int)    // layers of passes: of 2^n points, and of few of them or nil

	seekFrom int // bytes, see Seeks
	chunk    int // bytes that are worth a copy between host and device

	roots, table, radix2, radix2T, scale          *device.Function
	passes                                        [2]passKernels // of plain tables, and of heaps
	product, copies, reorder, reorderShort, above *device.Function
	sum, difference, scaled                       *device.Function
}

const goldilocks = 0xffffffff00000001

func newWords(d *device.Device, p uint64, word int, pointer func(bulks.View) unsafe.Pointer) (bulk, error) {
	b := &words{onDevice: &onDevice{d}, word: word, multiplier: word, p: p, pointer: pointer,
		divide:   func(n int) (all, few []int) { return choice.Divided(n), choice.Alone(n, word) },
		seekFrom: chunkBytes, chunk: chunkBytes,
		inverse: arith.Newton(p), square: arith.Pow(2, uint64(2*8*word), p)}
	suffix := "64"
	if word == 4 {
		suffix = "32"
	}
	switch {
	case p == goldilocks && word == 8:
		b.arithmetic = "goldilocks"
	case word == 4 && bits.Len64(p) == 31:
		b.arithmetic, b.multiplier = "shoup31", 2*word
	case bits.Len64(p) <= 8*word-2:
		b.arithmetic, b.multiplier = "shoup"+suffix, 2*word
	default:
		b.arithmetic = "montgomery" + suffix
	}
	b.find(
		kernel{&b.roots, b.arithmetic, b.arithmetic + "_roots", 0},
		kernel{&b.table, b.arithmetic, b.arithmetic + "_table", 0},
		kernel{&b.radix2, b.arithmetic, b.arithmetic + "_radix2", 0},
		kernel{&b.radix2T, b.arithmetic, b.arithmetic + "_radix2t", 0},
		kernel{&b.scale, b.arithmetic, b.arithmetic + "_scale", 0},
		kernel{&b.product, "words", "product" + suffix, 0},
		kernel{&b.sum, "words", "sum" + suffix, 0},
		kernel{&b.difference, "words", "difference" + suffix, 0},
		kernel{&b.scaled, "words", "scaled" + suffix, 0},
		kernel{&b.copies, "words", "copy" + suffix, 0},
		kernel{&b.above, "words", "above" + suffix, 0},
		kernel{&b.reorder, "words", "reorder" + suffix, 0},
		kernel{&b.reorderShort, "words", "reorder_short" + suffix, 0},
	)
	b.passes[0] = b.findPasses(b.arithmetic)
	if b.passes[1] = b.passes[0]; word == 4 { // those of 64 bits look at the flag
		b.passes[1] = b.findPasses(b.arithmetic + "heap")
	}
	return b, device.Load(b.product) // so that a device for which nothing compiles is an error here
}

// most has tiles of as many words as so many threads take; contiguous ones are of leastTile at least.
func (b *words) most(threads int) {
	size := max(log2(threads)+eachThread, leastTile)
	contiguous, strided := min(size, choice.MostContiguous), min(size-b.lineColumns(), 8)
	b.divide = func(n int) (all, few []int) { return choice.DividedBy(n, contiguous, strided), nil }
}

// fixedPass is the kernels of a pass whose shape the compiler knew.
type fixedPass struct{ forward, inverse *device.Function }

// passKernels are those of whole transforms: of any shape, and of fixed ones.
type passKernels struct {
	fixedPass
	fixed map[tilePass]fixedPass
}

// findPasses finds the kernels of a module, those of kernels/cuda/fixed.cuh by the layers, columns and size of their
// passes. First and stride are arguments of theirs, and 0 here.
func (b *words) findPasses(module string) passKernels {
	both := func(kind string) (k fixedPass) {
		b.find(kernel{&k.forward, module, module + "_forward" + kind, 0},
			kernel{&k.inverse, module, module + "_inverse" + kind, 0})
		return k
	}
	all := passKernels{both(""), map[tilePass]fixedPass{}}
	columns := b.lineColumns()
	for layers := 5; layers <= 8; layers++ {
		all.fixed[tilePass{layers: layers, columns: columns, size: layers + columns}] = both(fmt.Sprint("_strided", layers))
	}
	contiguous := []int{8, 9, 10, 11, choice.MostContiguous}
	if few := choice.Alone(choice.MostContiguous, b.word); few != nil {
		contiguous = append(contiguous, few[len(few)-1])
	}
	for _, layers := range contiguous {
		all.fixed[tilePass{layers: layers, size: max(layers, leastTile)}] = both(fmt.Sprint("_contiguous", layers))
	}
	return all
}

// lineColumns is the columns of a strided tile, as a power of two: a line of 128 bytes.
func (b *words) lineColumns() int { return log2(128 / b.word) }

// at is where a view begins on the device.
func (b *words) at(v bulks.View) uint64 { return memory(v).At + uint64(v.Off*b.word) }

// chunkBytes is what is worth a copy between host and device.
const chunkBytes = 1 << 20

func (b *words) Traits() bulks.Traits {
	return bulks.Traits{Butterfly: 0.01, Chunk: b.chunk / b.word,
		Form: "words on " + b.d.Info().Name + ", arithmetic " + b.arithmetic, Device: b.d.Info().Name}
}

func (b *words) Bytes(n int) int { return n * b.word }

func (b *words) Make(n int) (bulks.View, error) {
	m, err := b.d.Make(n * b.word)
	return bulks.View{Buf: m, N: n}, err
}

func (b *words) Pack(v, a bulks.View) {
	if v.N > 0 {
		m := memory(v)
		m.Did(m.CopyIn(b.at(v), b.pointer(a), v.N*b.word))
	}
}

func (b *words) Unpack(a, v bulks.View) {
	if v.N > 0 {
		m := memory(v)
		if !m.Failed() { // else the elements stay as they are
			m.Note(m.CopyOut(b.pointer(a), b.at(v), v.N*b.word)) // which has waited
		}
	}
}

func (b *words) Clear(v bulks.View) {
	m := memory(v)
	m.Did(m.Queue().Clear(b.at(v), v.N*b.word))
}

// Seeks is where looking takes the host longer than a copy of what was found.
func (b *words) Seeks(n int) bool { return n*b.word >= b.seekFrom }

// Seek has threads for all of the device look at words in turn.
func (b *words) Seek(v bulks.View) bool {
	const threads = 256
	m := memory(v)
	found, err := b.d.Found(m)
	if errors.Is(err, field.ErrMemory) {
		return false
	}
	most := 0
	if err == nil {
		most, err = b.above.Fill(threads, 0)
	}
	if err == nil {
		grid := [2]int{min((v.N+threads-1)/threads, most), 1}
		err = b.d.Launch(b.d.Stream(), b.above, grid, threads, 0, b.at(v), b.p, uint64(v.N), found)
	}
	m.Did(err)
	return true
}

func (b *words) Found(v bulks.View) (bool, error) { return memory(v).Found() }

func (b *words) VecMul(z, x, y bulks.View) {
	if z.N > 0 {
		onQueueOf(z, x, y, func(s *device.Stream) error { return b.times(s, z, x, y) })
	}
}

func (b *words) times(s *device.Stream, z, x, y bulks.View) error {
	return b.d.Each(s, b.product, z.N, b.at(z), b.at(x), b.at(y), b.p, b.inverse, b.square, uint64(z.N))
}

func (b *words) Copy(dst, src bulks.View, c bulks.Copy) {
	if c.Rows*c.Width > 0 {
		m := memory(dst)
		m.Did(b.permuted(m.Queue(), c, func(row, col uint64) error {
			return b.each(b.copies, c.Rows*c.Width, b.at(dst), b.at(src), uint64(c.Rows), uint64(c.Width),
				uint64(c.Dst), uint64(c.Src), row, col, flag(c.Transpose))
		}))
		m.NoteFrom(memory(src))
		memory(src).Did(nil)
	}
}

func (b *words) Reorder(v bulks.View, _, part, _ int) {
	if part == 0 { // the first share is all
		memory(v).Did(b.reversed(b.d.Stream(), v, log2(v.N)))
	}
}

// side is the bits of a row of what reorder swaps, and reorderThreads those of a block: see kernels/cuda/words.cu.
const (
	side           = 5
	reorderThreads = 256
)

// reversed applies the bit reversal to each 2^n elements of v.
func (b *words) reversed(s *device.Stream, v bulks.View, n int) error {
	if n < 2*side {
		return b.d.Each(s, b.reorderShort, v.N, b.at(v), uint64(v.N), uint64(n))
	}
	return b.reversedBySquares(s, b.reorder, b.at(v), v.N, n, b.word)
}

// reversedBySquares is that for count elements of so many bytes, and n ≥ 2·side.
func (o *onDevice) reversedBySquares(s *device.Stream, f *device.Function, at uint64, count, n, bytes int) error {
	const row = 1 << side
	grid, shared := 1<<(n-2*side), 2*row*(row+1)*bytes
	for first, count := 0, count>>n; first < count; first += maxGridY {
		blocks := [2]int{grid, min(count-first, maxGridY)}
		err := o.d.Launch(s, f, blocks, reorderThreads, shared, at+uint64(first<<n*bytes), uint64(n))
		if err != nil {
			return err
		}
	}
	return nil
}

// maxGridY is the most blocks in the second dimension of a grid.
const maxGridY = 65535

// Table makes the multipliers on the device.
func (b *words) Table(w bulks.View, _ bulks.Share) (bulks.Table, error) {
	t := &wordTable{b: b, n: w.N}
	var err error
	if t.m, err = b.d.Make(w.N * b.multiplier); err != nil || w.N == 0 {
		return t, err
	}
	t.m.Did(b.each(b.table, w.N, t.m.At, b.p, b.inverse, b.square, uint64(w.N), b.at(w)))
	return t, cmp.Or(t.m.Take(), memory(w).Take())
}

// wordTable is multipliers on the device.
type wordTable struct {
	b *words
	m *device.Memory
	n int
}

func (t *wordTable) Bytes() int { return t.n * t.b.multiplier }

func (t *wordTable) Pass(v bulks.View, p bulks.Pass, l bulks.Rows) {
	b := t.b
	f := b.radix2
	if p.Has(bulks.Transposed) {
		f = b.radix2T
	}
	if n := l.Blocks * l.Half * l.Width; n > 0 {
		memory(v).Did(b.each(f, n, b.at(v), t.at(p.Off), b.p, b.inverse, b.square, uint64(n),
			uint64(l.Blocks), uint64(l.Half), uint64(l.Width), uint64(l.Stride)))
		runtime.KeepAlive(t) // the kernel has addresses alone
	}
}

func (t *wordTable) at(i int) uint64 { return t.m.At + uint64(i*t.b.multiplier) }

func (t *wordTable) Scale(v bulks.View, off, rows, width, stride int) {
	b := t.b
	if n := rows * width; n > 0 {
		memory(v).Did(b.each(b.scale, n, b.at(v), t.at(off), b.p, b.inverse, b.square, uint64(n),
			uint64(width), uint64(stride)))
		runtime.KeepAlive(t) // the kernel has addresses alone
	}
}

func (b *words) whole(d *schemes.Points, n int, _ field.Coefficients) (schemes.Whole, error) {
	return newWordTransform(b, d, n)
}
