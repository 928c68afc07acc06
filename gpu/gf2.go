package gpu

import (
	"cmp"
	little "encoding/binary"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"unsafe"

	"github.com/galfft/fft/field/binary"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/device"
)

// gf2 is the arithmetic of vectors over GF(2^m) in a polynomial basis or in the tower. They lie as on the host, in
// whole blocks of 4 KiB, in which elements beyond the vector are 0 and stay so.
type gf2 struct {
	*onDevice
	m, size int                             // bits and bytes of an element
	pointer func(bulks.View) unsafe.Pointer // of elements that lie so on the host; nil for slices of words,
	slices  func(bulks.View) [][]uint64     // of which these are some

	modulus *big.Int       // nil for the tower
	taps    uint64         // exponents of the modulus between m and 0, in 16 bits each
	dense   *device.Memory // or the modulus, where these are more than three or above m/2; else nil

	ways     []way // that products can go, the fastest first
	straight straight
	standard *gf2  // the field in its default basis, for ways by it; else nil
	maps     *maps // there, back, and squares
	whole    bool  // a thread has elements for itself in the last two of these
	sum      *device.Function
	square   *device.Function
	inverse  *device.Function
}

// straight is a kernel of products modulo one polynomial, or in a tower.
type straight struct {
	taps    []int // as above, none for towers
	kernel  string
	threads int // of a block
	piece   int // bytes that a thread takes, or a warp where these are blockBytes
	by      multiplier
}

// blockBytes is what vectors are multiples of: what a warp of the sliced products takes.
const blockBytes = 4096

// Sliced are bits of 32 elements in a word, of 64 bits in two lanes; the others are integers of 16 bits with holes.
var (
	straights = map[int]straight{
		32:  {[]int{7, 3, 2}, "gf2_product32", 128, blockBytes, sliced},
		64:  {[]int{4, 3, 1}, "gf2_product64", 128, blockBytes, sliced},
		128: {[]int{7, 2, 1}, "gf2_product128", 128, 16, holes},
		256: {[]int{10, 5, 2}, "gf2_product256", 128, 32, holes},
	}
	towers = map[int]straight{
		8:  {nil, "gf2_tower_8", 128, blockBytes, slicedTower},
		16: {nil, "gf2_tower_16", 128, blockBytes, slicedTower},
		32: {nil, "gf2_tower_32", 128, blockBytes, slicedTower},
		64: {nil, "gf2_tower_64", 128, blockBytes, slicedTower},
	}
)

// anyThreads are those of a block of the kernels for any m.
const anyThreads = 256

// gf2Of takes a field of 2^m elements by its modulus, an integer of m + 1 bits, or the tower for nil. Elements are
// words, arrays of them, or slices of ⌈m/64⌉ or none.
func gf2Of[E any](d *device.Device, m int, modulus *big.Int) (*gf2, error) {
	if t := reflect.TypeFor[E](); t.Kind() != reflect.Slice {
		return newGF2(d, m, modulus, int(t.Size()), pointer[E])
	} else if t.Elem().Kind() != reflect.Uint64 {
		return nil, unsupported(*new(E))
	}
	size, err := binary.Size(m)
	if err != nil {
		return nil, err
	}
	b, err := newGF2(d, m, modulus, size, nil)
	if err == nil {
		b.slices = func(v bulks.View) [][]uint64 {
			x := bulks.SliceOf[E](v)
			return unsafe.Slice((*[]uint64)(unsafe.Pointer(unsafe.SliceData(x))), len(x))
		}
	}
	return b, err
}

func newGF2(d *device.Device, m int, modulus *big.Int, size int, at func(bulks.View) unsafe.Pointer) (*gf2, error) {
	b := &gf2{onDevice: &onDevice{d}, m: m, size: size, pointer: at, modulus: modulus}
	b.find(kernel{&b.sum, "gf2", "gf2_sum", 0})
	// What a thread cannot reduce by shifts goes by the default basis, up to 128 bits.
	var taps []int
	dense := false
	if modulus != nil {
		taps = tapsOf(modulus)
		dense = len(taps) > 3 || len(taps) > 0 && taps[0] > m/2
	}
	if modulus == nil || !sparse(m, taps) && mappable(m) {
		if err := b.setStandard(modulus); err != nil {
			return nil, err
		}
	}
	if modulus == nil {
		b.straight = towers[m]
	} else {
		b.setKernels(taps)
		if s, ok := straights[m]; ok && slices.Equal(s.taps, taps) {
			b.straight = s
		}
	}
	if dense {
		if err := b.setDense(modulus); err != nil {
			return nil, err
		}
	}
	info := d.Info()
	b.setWays(ratesOf(info.Major, info.Minor))
	return b, device.Load(b.sum) // so that a device for which nothing compiles is an error here
}

// setKernels finds squares and inverses modulo a polynomial.
func (b *gf2) setKernels(taps []int) {
	kind, words := "gf2_", groupWords(b.m)
	if b.whole = b.m > 16 && b.m <= 256 && sparse(b.m, taps); b.whole {
		kind, words = "gf2_whole_", (b.m+31)/32
	}
	if b.whole || b.m <= 16 && sparse(b.m, taps) {
		for len(taps) < 3 {
			taps = append(taps, 1, 1) // which add to nothing
		}
	}
	for i, e := range taps[:min(len(taps), 3)] {
		b.taps |= uint64(e) << (16 * i)
	}
	suffix := "_" + strconv.Itoa(words)
	b.find(
		kernel{&b.square, "gf2", kind + "square" + suffix, 0},
		kernel{&b.inverse, "gf2", kind + "inverse" + suffix, 0},
	)
}

// groupWords is the words of an element that a thread of a group has.
func groupWords(m int) int {
	switch {
	case m > 64:
		return 4
	case m > 32:
		return 2
	}
	return 1
}

// sparse reports whether exponents are such that a thread can have elements for itself.
func sparse(m int, taps []int) bool {
	return (len(taps) == 1 || len(taps) == 3) && taps[0] <= min(31, m/2)
}

// tapsOf returns the exponents of a polynomial between its degree and 0, descending.
func tapsOf(modulus *big.Int) (taps []int) {
	for e := modulus.BitLen() - 2; e > 0; e-- {
		if modulus.Bit(e) == 1 {
			taps = append(taps, e)
		}
	}
	return taps
}

// setDense puts the modulus on the device.
func (b *gf2) setDense(modulus *big.Int) (err error) {
	words := make([]uint32, b.m/32+1)
	for i := range words {
		for bit := range 32 {
			words[i] |= uint32(modulus.Bit(32*i+bit)) << bit
		}
	}
	if b.dense, err = b.d.Make(4 * len(words)); err != nil {
		return err
	}
	return b.dense.CopyIn(b.dense.At, unsafe.Pointer(unsafe.SliceData(words)), 4*len(words))
}

func (b *gf2) at(v bulks.View) uint64 { return memory(v).At + uint64(v.Off*b.size) }

func (b *gf2) Bytes(n int) int { return (n*b.size + blockBytes - 1) &^ (blockBytes - 1) }

func (b *gf2) Make(n int) (bulks.View, error) {
	m, err := b.d.Make(b.Bytes(n))
	return bulks.View{Buf: m, N: n}, err
}

func (b *gf2) in(m *device.Memory, n int) bulks.View { return bulks.View{Buf: m, N: n} }

func (b *gf2) Pack(v, a bulks.View) {
	if v.N == 0 {
		return
	}
	m := memory(v)
	if b.slices == nil {
		m.Did(m.CopyIn(b.at(v), b.pointer(a), v.N*b.size))
		return
	}
	b.staged(v, a, func(at uint64, x [][]uint64, buf []byte) error {
		clear(buf)
		var w [8]byte
		for i, e := range x {
			for j, word := range e {
				little.LittleEndian.PutUint64(w[:], word)
				copy(buf[i*b.size+8*j:][:min(8, b.size)], w[:])
			}
		}
		return m.CopyIn(at, unsafe.Pointer(unsafe.SliceData(buf)), len(buf))
	})
}

func (b *gf2) Unpack(a, v bulks.View) {
	m := memory(v)
	if v.N == 0 || m.Failed() { // the elements stay as they are
		return
	}
	if b.slices == nil {
		m.Note(m.CopyOut(b.pointer(a), b.at(v), v.N*b.size)) // which has waited
		return
	}
	b.staged(v, a, func(at uint64, x [][]uint64, buf []byte) error {
		err := m.Queue().CopyOut(unsafe.Pointer(unsafe.SliceData(buf)), at, len(buf))
		if err != nil {
			return err
		}
		var w [8]byte
		for i := range x { // fresh words: other elements may share what was there
			x[i] = make([]uint64, (b.m+63)/64)
			for j := range x[i] {
				copy(w[:], buf[i*b.size+8*j:][:min(8, b.size)])
				x[i][j] = little.LittleEndian.Uint64(w[:])
			}
		}
		return nil
	})
}

// staged moves elements of v and a by way of a buffer, some at a time.
func (b *gf2) staged(v, a bulks.View, move func(at uint64, x [][]uint64, buf []byte) error) {
	all, step := b.slices(a), max(1, chunkBytes/b.size)
	buf := make([]byte, min(step, len(all))*b.size)
	for i := 0; i < len(all); i += step {
		x := all[i:min(i+step, len(all))]
		err := move(b.at(v)+uint64(i*b.size), x, buf[:len(x)*b.size])
		if memory(v).Did(err); err != nil {
			return
		}
	}
}

func (b *gf2) order() uint64 { return 0 }

// one is an argument by whose powers kernels multiply in place of shifts, which the compiler then cannot know.
const one = 1

func (b *gf2) do(on *device.Stream, of operation, z, x, y bulks.View, _ uint64) error {
	switch {
	case of == multiplying:
		return b.multiply(on, b.ways[0], z, x, y)
	case of == squaring && b.standard != nil:
		return b.mapped(on, squares, z, x)
	case of == squaring:
		return b.any(on, b.square, z.N, b.at(z), b.at(x))
	case of == inverting && b.standard != nil:
		s := b.standard
		return cmp.Or(b.mapped(on, there, z, x), s.any(on, s.inverse, z.N, b.at(z), b.at(z)), b.mapped(on, back, z, z))
	case of == inverting:
		return b.any(on, b.inverse, z.N, b.at(z), b.at(x))
	}
	const piece = 16
	n := b.Bytes(z.N) / piece
	return b.d.Each(on, b.sum, n, b.at(z), b.at(x), b.at(y), uint64(n))
}

// multiply goes one of the ways.
func (b *gf2) multiply(on *device.Stream, w way, z, x, y bulks.View) error {
	switch w.by {
	case whole:
		return b.wholly(on, w.f, z.N, b.at(z), b.at(x), b.at(y))
	case groups, bitwise:
		return b.grouped(on, w.f, z.N, b.at(z), b.at(x), b.at(y))
	case mapped:
		return b.byStandard(on, w.f, z, x, y)
	}
	return b.straightly(on, w.f, z, x, y)
}

// straightly multiplies all of the blocks.
func (b *gf2) straightly(on *device.Stream, f *device.Function, z, x, y bulks.View) error {
	const warp = 32
	pieces := b.Bytes(z.N) / b.straight.piece
	threads := pieces
	if b.straight.piece == blockBytes {
		threads *= warp
	}
	blocks := (threads + b.straight.threads - 1) / b.straight.threads
	return b.d.Launch(on, f, [2]int{blocks, 1}, b.straight.threads, 0, b.at(z), b.at(x), b.at(y), uint64(pieces), one)
}

// any starts a kernel of squares or inverses.
func (b *gf2) any(on *device.Stream, f *device.Function, n int, operands ...uint64) error {
	if b.whole {
		return b.wholly(on, f, n, operands...)
	}
	return b.grouped(on, f, n, operands...)
}

// wholly starts a kernel whose threads have elements for themselves.
func (b *gf2) wholly(on *device.Stream, f *device.Function, n int, operands ...uint64) error {
	const threads, piece = 128, 16
	if b.m <= 64 {
		n = b.Bytes(n) / piece
	}
	var args [8]uint64
	k := copy(args[:], operands)
	k += copy(args[k:], []uint64{uint64(n), uint64(b.m), b.taps})
	return b.d.Launch(on, f, [2]int{(n + threads - 1) / threads, 1}, threads, 0, args[:k]...)
}

// grouped starts a kernel for any m: a group of threads for each of n elements, and shared memory for a group more,
// which the threads have that are too few for one. Groups take five times the words of an element and one.
func (b *gf2) grouped(on *device.Stream, f *device.Function, n int, operands ...uint64) error {
	const areas = 5
	words := groupWords(b.m)
	group := (b.m + 32*words - 1) / (32 * words)
	groups := anyThreads / group
	shared := (groups + 1) * (areas*group*words + 1) * 4
	var args [8]uint64
	k := copy(args[:], operands)
	k += copy(args[k:], []uint64{uint64(n), uint64(b.size), uint64(b.m), b.taps, 0})
	if b.dense != nil {
		args[k-1] = b.dense.At
	}
	return b.d.Launch(on, f, [2]int{(n + groups - 1) / groups, 1}, anyThreads, shared, args[:k]...)
}
