package gpu

import (
	"encoding/binary"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"unsafe"

	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/device"
)

// gf2 is the arithmetic of vectors over GF(2^m) in a polynomial basis. They lie as on the host, in whole blocks of
// 4 KiB, in which elements beyond the vector are 0 and stay so.
type gf2 struct {
	*onDevice
	m, size int                             // bits and bytes of an element
	pointer func(bulks.View) unsafe.Pointer // of elements that lie so on the host; nil for slices of words,
	slices  func(bulks.View) [][]uint64     // of which these are some

	taps  uint64         // exponents of the modulus between m and 0, in 16 bits each
	dense *device.Memory // or the modulus, where these are more than three or above m/2; else nil

	straight                            straight // products in straight-line code, none for most moduli
	whole                               bool     // a thread has elements for itself in the last three of these
	sum, fast, product, square, inverse *device.Function
	words                               int // of an element that a thread of the last three has
}

// straight is a kernel of products modulo one polynomial.
type straight struct {
	taps    []int // as above
	kernel  string
	threads int // of a block
	piece   int // bytes that a thread takes, or a warp where these are blockBytes
}

// blockBytes is what vectors are multiples of: what a warp of the sliced products takes.
const blockBytes = 4096

// Those of 32 and 64 bits take bits of 32 elements in a word, the latter in two lanes; the others take integers of 16
// bits with holes.
var straights = map[int]straight{
	32:  {[]int{7, 3, 2}, "gf2_product32", 128, blockBytes},
	64:  {[]int{4, 3, 1}, "gf2_product64", 128, blockBytes},
	128: {[]int{7, 2, 1}, "gf2_product128", 128, 16},
	256: {[]int{10, 5, 2}, "gf2_product256", 128, 32},
}

// anyThreads are those of a block of the kernels for any m.
const anyThreads = 256

// gf2Of takes the modulus, an integer of m + 1 bits. Elements are words, arrays of them, or slices of ⌈m/64⌉ or none.
func gf2Of[E any](d *device.Device, modulus *big.Int) (*gf2, error) {
	if t := reflect.TypeFor[E](); t.Kind() != reflect.Slice {
		return newGF2(d, modulus, int(t.Size()), pointer[E])
	} else if t.Elem().Kind() != reflect.Uint64 {
		return nil, unsupported(*new(E))
	}
	size, m := 1, modulus.BitLen()-1
	for size < 8 && m > 8*size {
		size *= 2
	}
	if m > 64 {
		size = (m + 63) / 64 * 8
	}
	b, err := newGF2(d, modulus, size, nil)
	if err == nil {
		b.slices = func(v bulks.View) [][]uint64 {
			x := bulks.SliceOf[E](v)
			return unsafe.Slice((*[]uint64)(unsafe.Pointer(unsafe.SliceData(x))), len(x))
		}
	}
	return b, err
}

func newGF2(d *device.Device, modulus *big.Int, size int, pointer func(bulks.View) unsafe.Pointer) (*gf2, error) {
	b := &gf2{onDevice: &onDevice{d}, m: modulus.BitLen() - 1, size: size, pointer: pointer}
	taps := tapsOf(modulus)
	kind := "gf2_"
	if b.whole = b.m > 16 && b.m <= 256 && (len(taps) == 1 || len(taps) == 3) && taps[0] <= min(31, b.m/2); b.whole {
		kind, b.words = "gf2_whole_", (b.m+31)/32
		for len(taps) < 3 {
			taps = append(taps, 1, 1) // which add to nothing
		}
	} else if b.words = 1; b.m > 64 {
		b.words = 4
	} else if b.m > 32 {
		b.words = 2
	}
	suffix := "_" + strconv.Itoa(b.words)
	b.find(
		kernel{&b.sum, "gf2", "gf2_sum", 0},
		kernel{&b.product, "gf2", kind + "product" + suffix, 0},
		kernel{&b.square, "gf2", kind + "square" + suffix, 0},
		kernel{&b.inverse, "gf2", kind + "inverse" + suffix, 0},
	)
	for i, e := range taps[:min(len(taps), 3)] {
		b.taps |= uint64(e) << (16 * i)
	}
	if len(taps) > 3 || len(taps) > 0 && taps[0] > b.m/2 {
		if err := b.setDense(modulus); err != nil {
			return nil, err
		}
	}
	if s, ok := straights[b.m]; ok && slices.Equal(s.taps, taps) {
		b.straight = s
		b.find(kernel{&b.fast, "gf2", s.kernel, 0})
	}
	return b, load(b.sum) // so that a device for which nothing compiles is an error here
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

func (b *gf2) at(v bulks.View) uint64 { return memory(v).At }

func (b *gf2) Bytes(n int) int { return (n*b.size + blockBytes - 1) &^ (blockBytes - 1) }

func (b *gf2) Make(n int) (bulks.View, error) {
	m, err := b.d.Make(b.Bytes(n))
	return bulks.View{Buf: m, N: n}, err
}

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
				binary.LittleEndian.PutUint64(w[:], word)
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
		m.Did(m.Queue().CopyOut(b.pointer(a), b.at(v), v.N*b.size))
		return
	}
	b.staged(v, a, func(at uint64, x [][]uint64, buf []byte) error {
		err := m.Queue().CopyOut(unsafe.Pointer(unsafe.SliceData(buf)), at, len(buf))
		if err != nil {
			return err
		}
		var w [8]byte
		for i := range x {
			if n := (b.m + 63) / 64; len(x[i]) != n {
				x[i] = make([]uint64, n)
			}
			for j := range x[i] {
				copy(w[:], buf[i*b.size+8*j:][:min(8, b.size)])
				x[i][j] = binary.LittleEndian.Uint64(w[:])
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
	switch of {
	case multiplying:
		if b.fast != nil {
			return b.straightly(on, z, x, y)
		}
		return b.any(on, b.product, z.N, b.at(z), b.at(x), b.at(y))
	case squaring:
		return b.any(on, b.square, z.N, b.at(z), b.at(x))
	case inverting:
		return b.any(on, b.inverse, z.N, b.at(z), b.at(x))
	}
	const piece = 16
	n := b.Bytes(z.N) / piece
	return b.d.Each(on, b.sum, n, b.at(z), b.at(x), b.at(y), uint64(n))
}

// straightly multiplies all of the blocks.
func (b *gf2) straightly(on *device.Stream, z, x, y bulks.View) error {
	const warp = 32
	pieces := b.Bytes(z.N) / b.straight.piece
	threads := pieces
	if b.straight.piece == blockBytes {
		threads *= warp
	}
	blocks := (threads + b.straight.threads - 1) / b.straight.threads
	return b.d.Launch(on, b.fast, [2]int{blocks, 1}, b.straight.threads, 0, b.at(z), b.at(x), b.at(y), uint64(pieces),
		one)
}

// any starts a kernel of products, squares or inverses.
func (b *gf2) any(on *device.Stream, f *device.Function, n int, operands ...uint64) error {
	if !b.whole {
		return b.grouped(on, f, n, operands...)
	}
	const threads, piece = 128, 16
	if b.words < 3 {
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
	group := (b.m + 32*b.words - 1) / (32 * b.words)
	groups := anyThreads / group
	shared := (groups + 1) * (areas*group*b.words + 1) * 4
	var args [8]uint64
	k := copy(args[:], operands)
	k += copy(args[k:], []uint64{uint64(n), uint64(b.size), uint64(b.m), b.taps, 0})
	if b.dense != nil {
		args[k-1] = b.dense.At
	}
	return b.d.Launch(on, f, [2]int{(n + groups - 1) / groups, 1}, anyThreads, shared, args[:k]...)
}
