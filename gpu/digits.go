package gpu

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"strconv"
	"unsafe"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/device"
	"github.com/galfft/fft/internal/engine/choice"
	"github.com/galfft/fft/schemes"
)

// digits is the bulk of a prime r^k + 1. Vectors are k planes of digits, canonical, one plane behind the other at the
// pitch of their memory: see kernels/cuda/digitkernels.cuh. A View's offset is one of elements.
type digits struct {
	*onDevice
	k     int
	radix [7]uint64

	lazyRadix   []uint64 // for the kernel lazy, nil where it does not serve the radix
	lazyThreads int      // of a block of it, at most
	limit       int      // of threads of a block of other passes, 0 for none
	way         choice.Digits

	// What there is to know of elements: where a slice of them is, or the slice where they are slices of digits, which
	// lie apart; slices of zeros, and bulks.ShiftPowers.
	pointer func(bulks.View) unsafe.Pointer
	apart   func(bulks.View) [][]uint64
	zeros   func(n int) bulks.View
	powers  func(bulks.View) []int32

	pack, unpack, product, scale, radix2, radix2T, pass, table *device.Function
	add, sub, shift                                            *device.Function
	pair                                                       *device.Function // for k ≤ 8
	lazy                                                       *device.Function // for radices that digitsLazy serves
	copies, transpose, reorder                                 *device.Function
}

// newDigits returns the bulk of r^k + 1, for elements of E.
func newDigits[E any](d *device.Device, f field.Field[E], r uint64, k int) (bulk, error) {
	b := &digits{onDevice: &onDevice{d}, k: k, radix: digitsRadix(r, k),
		lazyRadix: digitsLazy(r, k), lazyThreads: lazyThreads(k), pointer: pointer[E],
		way:    choice.OfDigits(k, digitsLazy(r, k) != nil),
		zeros:  func(n int) bulks.View { return bulks.ViewOf(make([]E, n)) },
		powers: func(v bulks.View) []int32 { return bulks.ShiftPowers(f, bulks.SliceOf[E](v)) },
	}
	if isSlice[E]() {
		b.apart = slicesOf[E]
		b.powers = b.powersApart
	}
	own := "digits" + strconv.Itoa(k)
	kernels := []kernel{
		{&b.pack, own, own + "_pack", 0},
		{&b.unpack, own, own + "_unpack", 0},
		{&b.product, own, own + "_product", 0},
		{&b.add, own, own + "_add", 0},
		{&b.sub, own, own + "_sub", 0},
		{&b.shift, own, own + "_shift", 0},
		{&b.scale, own, own + "_scale", 0},
		{&b.radix2, own, own + "_radix2", 0},
		{&b.radix2T, own, own + "_radix2t", 0},
		{&b.pass, own, own + "_pass", d.Info().SharedOptIn},
		{&b.table, own, own + "_table", 0},
		{&b.copies, "digits", "digits_copy", 0},
		{&b.transpose, "digits", "digits_transpose", 0},
		{&b.reorder, "digits", "digits_reorder", 0},
	}
	if k <= mostPaired {
		kernels = append(kernels, kernel{&b.pair, own, own + "_pair", d.Info().SharedOptIn})
	}
	if b.lazyRadix != nil {
		kernels = append(kernels, kernel{&b.lazy, own, own + "_lazy", d.Info().SharedOptIn})
	}
	b.find(kernels...)
	return b, device.Load(b.pack)
}

// mostPaired is the most digits of which a pass can take two steps.
const mostPaired = 8

// pitchOf is the words between the planes of n elements: whole segments of 128 bytes.
func pitchOf(n int) int { return (n + 15) &^ 15 }

// at is where the first plane of a view begins on the device, and pitch the words between planes.
func (b *digits) at(v bulks.View) uint64 { return memory(v).At + uint64(8*v.Off) }

func (b *digits) pitch(v bulks.View) uint64 { return uint64(memory(v).Pitch) }

// start starts a kernel with the arguments RADIX behind others; kernels without them do not read so far.
func (b *digits) start(s *device.Stream, f *device.Function, grid [2]int, threads, shared int, args ...uint64) error {
	return b.startWith(b.radix[:], s, f, grid, threads, shared, args...)
}

func (b *digits) most(threads int) {
	b.lazyThreads, b.limit = min(b.lazyThreads, threads), threads
}

// startWith starts a kernel with the arguments radix behind others.
func (b *digits) startWith(radix []uint64, s *device.Stream, f *device.Function, grid [2]int, threads, shared int,
	args ...uint64) error {
	var all device.Args
	n := copy(all[:], args)
	n += copy(all[n:], radix)
	return b.d.Launch(s, f, grid, threads, shared, all[:n]...)
}

// elements starts a kernel for n elements, of which a thread keeps some in shared memory.
func (b *digits) elements(s *device.Stream, f *device.Function, n, kept int, args ...uint64) error {
	threads := device.Warps(n, digitsThreads(b.k))
	return b.start(s, f, [2]int{(n + threads - 1) / threads, 1}, threads, 8*threads*b.k*kept, args...)
}

func (b *digits) Traits() bulks.Traits {
	return bulks.Traits{Butterfly: 0.01, Chunk: chunkBytes / (8 * b.k), ShiftOrder: uint64(2 * b.k),
		Form: fmt.Sprintf("planes of %d digits on %s", b.k, b.d.Info().Name), Device: b.d.Info().Name}
}

func (b *digits) Bytes(n int) int { return 8 * b.k * pitchOf(n) }

func (b *digits) Make(n int) (bulks.View, error) {
	m, err := b.newMemory(n)
	return bulks.View{Buf: m, N: n}, err
}

func (b *digits) newMemory(n int) (*device.Memory, error) {
	if n > math.MaxInt32 { // indices of kernels
		return nil, fmt.Errorf("gpu: %w: a vector of %d elements, want at most %d", field.ErrMemory, n, math.MaxInt32)
	}
	m, err := b.d.Make(b.Bytes(n))
	if m != nil {
		m.Pitch = pitchOf(n)
	}
	return m, err
}

// stagingBytes is how much of a vector is on its way between elements and planes at a time.
const stagingBytes = 16 << 20

// staged runs move for v part by part, with scratch that holds as many elements as a part has.
func (b *digits) staged(v bulks.View, move func(staging uint64, from, to int) error) error {
	part := min(v.N, stagingBytes/(8*b.k))
	return memory(v).Queue().Scratch(8*b.k*part, func(staging uint64) error {
		for i := 0; i < v.N; i += part {
			if err := move(staging, i, min(i+part, v.N)); err != nil {
				return err
			}
		}
		return nil
	})
}

// packed starts the kernel pack or unpack.
func (b *digits) packed(f *device.Function, v bulks.View, staging uint64) error {
	const tile = 2048 // words
	words := v.N * b.k
	return b.start(memory(v).Stream(), f, [2]int{(words + tile - 1) / tile, 1}, device.Warps(words, 256),
		8*(tile+tile/b.k), b.at(v), b.pitch(v), staging, uint64(v.N))
}

// part is where elements from i on of a slice are.
func (b *digits) part(a bulks.View, i int) unsafe.Pointer { return unsafe.Add(b.pointer(a), 8*b.k*i) }

func (b *digits) Pack(v, a bulks.View) {
	if v.N == 0 {
		return
	}
	memory(v).Did(b.staged(v, func(staging uint64, i, j int) error {
		if err := b.copyIn(memory(v).Queue(), staging, a, i, j); err != nil {
			return err
		}
		return b.packed(b.pack, v.Slice(i, j), staging)
	}))
}

func (b *digits) Unpack(a, v bulks.View) {
	if m := memory(v); v.N > 0 && !m.Failed() { // else the elements stay as they are
		m.Note(b.out(a, v)) // which has waited
	}
}

func (b *digits) out(a, v bulks.View) error {
	return b.staged(v, func(staging uint64, i, j int) error {
		m := memory(v)
		m.Did(b.packed(b.unpack, v.Slice(i, j), staging)) // for a long copy waits for m's place
		if err := m.Take(); err != nil {
			return err
		}
		return b.copyOut(m, a, i, j, staging)
	})
}

// powersApart is bulks.ShiftPowers, which wants elements that are keys of maps. Digits are 1 at one place, or those of
// p − r^e: 1, zeros, and r − 1 from place e on; of p − 1 they are zeros and r.
func (b *digits) powersApart(v bulks.View) []int32 {
	all := make([]int32, v.N)
	for i, x := range b.apart(v) {
		all[i] = powerOf(x, b.radix[0])
	}
	return all
}

// powerOf is the e with 0 ≤ e < 2k for which the k digits x are r^e, and −1 where there is none.
func powerOf(x []uint64, r uint64) int32 {
	k, first := len(x), 0
	for first < k && x[first] == 0 {
		first++
	}
	switch {
	case first == k:
		return -1
	case first == k-1 && x[first] == r:
		return int32(k)
	case x[first] != 1:
		return -1
	}
	next := first + 1
	for next < k && x[next] == 0 {
		next++
	}
	if next == k {
		return int32(first)
	}
	for _, d := range x[next:] {
		if first != 0 || d != r-1 {
			return -1
		}
	}
	return int32(k + next)
}

// copyIn copies elements i to j of a slice to the device.
func (b *digits) copyIn(q *device.Queue, to uint64, a bulks.View, i, j int) error {
	if b.apart == nil {
		return q.CopyIn(to, b.part(a, i), 8*b.k*(j-i))
	}
	buf := make([]uint64, b.k*(j-i))
	for n, x := range b.apart(a)[i:j] {
		copy(buf[b.k*n:][:b.k], x) // none for nil, which is 0
	}
	return q.CopyIn(to, unsafe.Pointer(unsafe.SliceData(buf)), 8*len(buf))
}

// copyOut copies from the device to elements i to j of a slice.
func (b *digits) copyOut(m *device.Memory, a bulks.View, i, j int, from uint64) error {
	if b.apart == nil {
		return m.CopyOut(b.part(a, i), from, 8*b.k*(j-i))
	}
	buf := make([]uint64, b.k*(j-i))
	if err := m.CopyOut(unsafe.Pointer(unsafe.SliceData(buf)), from, 8*len(buf)); err != nil {
		return err
	}
	for n := range j - i { // fresh words: other elements may share what was there
		b.apart(a)[i+n] = buf[b.k*n:][:b.k:b.k]
	}
	return nil
}

func (b *digits) Clear(v bulks.View) {
	m := memory(v)
	var err error
	for i := 0; i < b.k && err == nil; i++ {
		err = m.Queue().Clear(b.at(v)+uint64(8*i)*b.pitch(v), 8*v.N)
	}
	m.Did(err)
}

// Seeks is false: the host looks at digits.
func (b *digits) Seeks(int) bool                     { return false }
func (b *digits) Seek(bulks.View) bool               { return false }
func (b *digits) Found(bulks.View) (_ bool, _ error) { return }

func (b *digits) VecMul(z, x, y bulks.View) {
	if z.N > 0 {
		onQueueOf(z, x, y, func(s *device.Stream) error {
			return b.times(s, z, x, b.at(y), b.pitch(y), math.MaxUint64)
		})
	}
}

// times sets element i of z to that of x times element i & mask of planes at y.
func (b *digits) times(s *device.Stream, z, x bulks.View, y, pitch, mask uint64) error {
	return b.elements(s, b.product, z.N, 2, b.at(z), b.pitch(z), b.at(x), b.pitch(x), y, pitch, uint64(z.N), mask)
}

func (b *digits) Copy(dst, src bulks.View, c bulks.Copy) {
	n := c.Rows * c.Width
	if n == 0 {
		return
	}
	threads := device.Warps(n, 256)
	f, blocks, shared := b.copies, (n+threads-1)/threads, 0
	if c.Transpose {
		const row = 1 << side // of a square of words; rows of it are one longer
		f, blocks, shared = b.transpose, (c.Rows+row-1)/row*((c.Width+row-1)/row), 8*row*(row+1)
	}
	m := memory(dst)
	m.Did(b.permuted(m.Queue(), c, func(row, col uint64) error {
		return b.start(b.d.Stream(), f, [2]int{blocks, b.k}, threads, shared, b.at(dst), b.pitch(dst), b.at(src),
			b.pitch(src), uint64(c.Rows), uint64(c.Width), uint64(c.Dst), uint64(c.Src), row, col)
	}))
	m.NoteFrom(memory(src))
}

func (b *digits) Reorder(v bulks.View, _, part, _ int) {
	if part == 0 && v.N > 0 { // the first share is all
		memory(v).Did(b.reversed(b.d.Stream(), v, log2(v.N)))
	}
}

// reversed applies the bit reversal to each 2^n elements of v.
func (b *digits) reversed(s *device.Stream, v bulks.View, n int) error {
	t := min(n/2, side)
	return b.start(s, b.reorder, [2]int{v.N >> (2 * t), b.k}, device.Warps(1<<(2*t), 256), 16*(1<<t+1)<<t, b.at(v),
		b.pitch(v), uint64(n))
}

// Table keeps the multipliers as planes, and which of them are powers of r. That is found by the host, to which they
// come in parts: a table is made once, and a kernel that compares digits would save nothing that anybody waits for.
func (b *digits) Table(w bulks.View, _ bulks.Share) (bulks.Table, error) {
	t := &digitTable{b: b, n: w.N}
	var err error
	if t.m, err = b.newMemory(w.N); err != nil {
		return nil, err
	}
	if t.powers, err = b.d.Make(4 * w.N); err != nil || w.N == 0 {
		return t, err
	}
	b.Copy(bulks.View{Buf: t.m, N: w.N}, w, bulks.Copy{Rows: 1, Width: w.N})
	const part = 1 << 12
	host := b.zeros(min(w.N, part))
	for i := 0; i < w.N; i += part {
		n := min(part, w.N-i)
		some := host.Slice(0, n)
		if err := b.out(some, w.Slice(i, i+n)); err != nil {
			return nil, err
		}
		powers := b.powers(some)
		to := t.powers.At + uint64(4*i)
		if err := b.d.CopyIn(to, unsafe.Pointer(unsafe.SliceData(powers)), 4*n); err != nil {
			return nil, err
		}
	}
	return t, b.d.Wait(context.Background(), t.m)
}

// digitTable is multipliers on the device.
type digitTable struct {
	b      *digits
	m      *device.Memory // planes
	powers *device.Memory // of r, −1 for others
	n      int
}

func (t *digitTable) Bytes() int { return t.b.Bytes(t.n) + 4*t.n }

func (t *digitTable) Pass(v bulks.View, p bulks.Pass, l bulks.Rows) {
	b := t.b
	f := b.radix2
	if p.Has(bulks.Transposed) {
		f = b.radix2T
	}
	if n := l.Blocks * l.Half * l.Width; n > 0 {
		memory(v).Did(b.elements(b.d.Stream(), f, n, 2, b.at(v), b.pitch(v), t.m.At, uint64(t.m.Pitch),
			t.powers.At, uint64(p.Off), uint64(n), uint64(l.Half), uint64(l.Width), uint64(l.Stride)))
		runtime.KeepAlive(t) // the kernel has addresses alone
	}
}

func (t *digitTable) Scale(v bulks.View, off, rows, width, stride int) {
	b := t.b
	if n := rows * width; n > 0 {
		memory(v).Did(b.elements(b.d.Stream(), b.scale, n, 1, b.at(v), b.pitch(v), t.m.At,
			uint64(t.m.Pitch), t.powers.At, uint64(off), uint64(rows), uint64(width), uint64(stride)))
		runtime.KeepAlive(t) // the kernel has addresses alone
	}
}

func (b *digits) whole(d *schemes.Points, n int, _ field.Coefficients) (schemes.Whole, error) {
	return newDigitTransform(b, d, n)
}
