package gpu

import (
	"context"
	"fmt"
	"math"
	"sync"
	"unsafe"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/device"
)

// Integers computes with batches of integers on a device: it is a midint.Device. Integers are words of 32 bits, lowest
// first, and side by side. It is safe for concurrent use; one call runs after the other. It keeps memory for the
// largest call so far, and the methods of a nil one are field.ErrSpec.
type Integers struct {
	onDevice
	order, program           *device.Function
	short, multiply, product *device.Function
	flat                     [2][2]*device.Function // one sum and six; of whole threads, and of any words
	apart                    [2]*device.Function    // the same by blocks with integers of their own
	windows                  [len(lowWords)]*device.Function
	modulus, power           *device.Function
	low                      [len(lowWords)]*device.Function
	tensors                  [heldKernels + 2][2]*device.Function   // of products, and programs
	transforms               [mostTransform + 1][3]*device.Function // by lengths; of products, squares, and programs
	longSum, carry           *device.Function

	mu       sync.Mutex
	memory   [3]*device.Memory // of the result and both operands
	bytes    [3]int
	roots    *device.Memory // of transforms; nil before the first
	passes   map[int]*integerPasses
	passMost int // bytes of points that go through them together

	values     *device.Memory // of programs
	valueBytes int

	moduli      *device.Memory // of moduli, and tables of powers
	moduliBytes int
}

// Operations of Integers.
const (
	integersAdd = iota
	integersSub
	integersNeg
	integersSixAdd
	integersCopy
	integersMul
)

// Integers returns what computes with integers on the device. A nil device is field.ErrSpec.
func (d *Device) Integers() (*Integers, error) {
	if d == nil {
		return nil, fmt.Errorf("gpu: %w: the device is nil", field.ErrSpec)
	}
	g := &Integers{onDevice: onDevice{d.room()}, passes: map[int]*integerPasses{}, passMost: passBytes}
	g.find(kernel{&g.short, "midint", "midint_short", 0}, kernel{&g.multiply, "midint", "midint_multiply", 0},
		kernel{&g.product, "midint", "midint_product", 0}, kernel{&g.order, "midint", "midint_order", 0},
		kernel{&g.program, "midint", "midint_program", d.room().Info().SharedOptIn})
	for i, name := range [...]string{"", "_six"} {
		g.find(kernel{&g.flat[i][0], "midint", "midint_flat" + name, 0},
			kernel{&g.flat[i][1], "midint", "midint_flat" + name + "_cut", 0},
			kernel{&g.apart[i], "midint", "midint_apart" + name, 0})
	}
	g.find(kernel{&g.longSum, "midpass", "midpass_sum", 0}, kernel{&g.carry, "midpass", "midpass_carry", 0})
	g.find(kernel{&g.modulus, "midint", "midint_moduli", 0}, kernel{&g.power, "midint", "midint_power", 0})
	for i, words := range lowWords {
		g.find(kernel{&g.low[i], "midint", fmt.Sprint("midint_low_", words), 0},
			kernel{&g.windows[i], "midint", fmt.Sprint("midint_window_", words), 0})
	}
	for i, name := range [...]string{"midint_tensor", "midint_tensor_program"} {
		shared := d.room().Info().SharedOptIn
		for held := range heldKernels {
			g.find(kernel{&g.tensors[held][i], "midtensor", fmt.Sprintf("%s_%d", name, 32<<held), i * shared})
		}
		g.find(kernel{&g.tensors[heldKernels][i], "midtensor", name + "_few", shared})
		g.find(kernel{&g.tensors[heldKernels+1][i], "midtensor", name, shared})
	}
	for lg := leastTransform; lg <= mostTransform; lg++ {
		for i, name := range [...]string{"midfft_", "midfft_square_", "midfft_program_"} {
			_, shared := transformShape(lg, i == 1)
			g.find(kernel{&g.transforms[lg][i], "midfft", fmt.Sprint(name, lg), shared})
		}
	}
	return g, device.Load(g.short, g.multiply, g.product, g.order)
}

// check is what is wrong with operands of so many bits, of which there are as many as x has.
func (g *Integers) check(ctx context.Context, bits int, x, y []uint32) error {
	return g.fit(ctx, bits, len(x), len(y))
}

// fit is check for operands of so many words.
func (g *Integers) fit(ctx context.Context, bits, x, y int) error {
	switch {
	case g == nil || g.d == nil || ctx == nil:
		return fmt.Errorf("gpu: %w: integers of no device, or no context", field.ErrSpec)
	case bits <= 0 || bits%32 != 0 || bits/32 > math.MaxInt32/2:
		return fmt.Errorf("gpu: %w: integers of %d bits, want a multiple of 32", field.ErrSpec, bits)
	case x%(bits/32) != 0 || y != x || x/(bits/32) > math.MaxInt32:
		return fmt.Errorf("gpu: %w: operands of %d and %d words, want integers of %d each", field.ErrLength, x, y, bits/32)
	}
	return ctx.Err()
}

// fitResult is what is wrong with an operation, or with a result of so many words for operands of so many.
func fitResult(op, z, x int) error {
	if op < integersAdd || op > integersMul {
		return fmt.Errorf("gpu: %w: operation %d of integers", field.ErrSpec, op)
	}
	if z != x && (op != integersMul || z != 2*x) {
		return fmt.Errorf("gpu: %w: a result of %d words, for operands of %d", field.ErrLength, z, x)
	}
	return nil
}

// Compute sets the integers of z to x + y, x − y, −x, 6x + 10y, x or x·y, for op from 0 to 5, modulo what z has words
// for; operands have so many bits, and z has as many, or for products twice as many. z may be an operand, where it has
// their length. Where ctx ends, or the device fails, z is intact or holds anything.
func (g *Integers) Compute(ctx context.Context, op int, z, x, y []uint32, bits int) error {
	if err := g.check(ctx, bits, x, y); err != nil {
		return err
	}
	if err := fitResult(op, len(z), len(x)); err != nil || len(z) == 0 {
		return err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if err := g.load(len(z)*4, x, y); err != nil {
		return err
	}
	m := bits / 32
	result := g.memory[0]
	right := g.memory[1].At
	if &x[0] != &y[0] {
		right = g.memory[2].At
	}
	n := len(x) / m
	out := len(z) / n
	q := result.Queue()
	result.Did(q.Scratch(g.workBytes(op, n, m, out, right == g.memory[1].At), func(work uint64) error {
		return g.run(q.Stream(), op, result.At, g.memory[1].At, right, work, n, m, out)
	}))
	if err := g.d.Wait(ctx, result); err != nil {
		return err
	}
	return g.d.CopyOut(unsafe.Pointer(unsafe.SliceData(z)), result.At, len(z)*4)
}

// Compare sets dst[i] to −1, 0 or 1, where integer i of x is below, equal to or above that of y.
func (g *Integers) Compare(ctx context.Context, dst []int8, x, y []uint32, bits int) error {
	if err := g.check(ctx, bits, x, y); err != nil {
		return err
	}
	m := bits / 32
	if len(dst) != len(x)/m {
		return fmt.Errorf("gpu: %w: %d results, want %d", field.ErrLength, len(dst), len(x)/m)
	}
	if len(dst) == 0 {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if err := g.load(len(dst), x, y); err != nil {
		return err
	}
	result, right := g.memory[0], g.memory[1].At
	if &x[0] != &y[0] {
		right = g.memory[2].At
	}
	t, grid, threads := shape(len(dst), m, orderThreads(m))
	result.Did(g.d.Launch(g.d.Stream(), g.order, grid, threads, warpShares, result.At, g.memory[1].At, right,
		uint64(len(dst)), uint64(m), uint64(t)))
	if err := g.d.Wait(ctx, result); err != nil {
		return err
	}
	return g.d.CopyOut(unsafe.Pointer(unsafe.SliceData(dst)), result.At, len(dst))
}

// load has memory for a result of so many bytes and for both operands, and copies these; where they begin at one place,
// the longer is there for both.
func (g *Integers) load(bytes int, x, y []uint32) error {
	if &x[0] == &y[0] {
		if len(y) > len(x) {
			x = y
		}
		y = nil
	}
	for i, n := range [...]int{bytes, len(x) * 4, len(y) * 4} {
		if err := g.grow(&g.memory[i], &g.bytes[i], n); err != nil {
			return err
		}
	}
	err := g.d.CopyIn(g.memory[1].At, unsafe.Pointer(unsafe.SliceData(x)), len(x)*4)
	if err != nil || y == nil {
		return err
	}
	return g.d.CopyIn(g.memory[2].At, unsafe.Pointer(unsafe.SliceData(y)), len(y)*4)
}

// grow has at least so many bytes of memory, with nothing of what was there before where it had fewer.
func (g *Integers) grow(m **device.Memory, have *int, bytes int) error {
	if bytes <= *have {
		return nil
	}
	if old := *m; old != nil {
		*m, *have = nil, 0
		if err := old.Release(); err != nil {
			return err
		}
	}
	made, err := g.d.Make(bytes)
	if err != nil {
		return err
	}
	*m, *have = made, bytes
	return nil
}

const (
	threadWords        = 8 // of an integer, that a thread has
	mostProductThreads = 256
	warpShares         = 256 // bytes of shared memory for what warps tell each other
)

// orderThreads is how many threads an integer of m words has at most in a comparison: few, with several pieces each, as
// long as a batch has enough of them.
func orderThreads(m int) int {
	switch {
	case m <= 3072:
		return 32
	case m <= 8192:
		return 64
	}
	return 512
}

// shape is the threads of an integer of m words, and the blocks and their threads for n integers. A block is one warp,
// or one integer: then warps wait for no others that they do not need.
func shape(n, m, most int) (t int, grid [2]int, threads int) {
	t = (m + threadWords - 1) / threadWords
	if t > 32 {
		t = min((t+31)&^31, most)
		return t, [2]int{n, 1}, t
	}
	each := 32 / t
	return t, [2]int{(n + each - 1) / each, 1}, 32
}

// workBytes is the memory that run works in.
func (g *Integers) workBytes(op, n, m, out int, square bool) int {
	switch {
	case isLongSum(op, m):
		return 4 * n * passBlocks(m)
	case op == integersMul && g.productFor(m, out, square) == byPasses:
		_, _, bytes := g.passShape(n, m, out, square)
		return bytes
	}
	return 0
}

// run starts an operation on n integers of m words, with results of so many, in memory for workBytes. The result of a
// product by pieces is no operand.
func (g *Integers) run(s *device.Stream, op int, z, x, y, work uint64, n, m, out int) error {
	if op == integersMul {
		return g.multiplyBy(s, g.productFor(m, out, x == y), z, x, y, work, n, m, out)
	}
	if op == integersCopy {
		if z == x {
			return nil
		}
		return g.d.CopyWithin(s, z, x, 4*n*m)
	}
	if isLongSum(op, m) {
		return g.sumLong(s, op, z, x, y, work, n, m)
	}
	six, cut := 0, 0
	if op == integersSixAdd {
		six = 1
	}
	if m%threadWords != 0 {
		cut = 1
	}
	halo := haloFor(m)
	if m <= mostFlatWords && n*m <= math.MaxUint32/2 && (halo == 0 || z != x && (z != y || op == integersNeg)) {
		each := (warpWords - halo) * flatThreads / 32
		grid := [2]int{(n*m + each - 1) / each, 1}
		return g.d.Launch(s, g.flat[six][cut], grid, flatThreads, flatRoom, z, x, y, uint64(n*m), uint64(m),
			uint64(halo), uint64(op))
	}
	each, grid, threads := apartShape(n, m)
	return g.d.Launch(s, g.apart[six], grid, threads, warpShares, z, x, y, uint64(n), uint64(m), uint64(each),
		uint64(op))
}

const (
	mostFlatWords = 8192 // above, a carry through all words would be looked for too often
	flatThreads   = 256  // of a block of sums
	flatRoom      = 384  // bytes of shared memory of such a block
	warpWords     = 256  // of all integers side by side, in a sum
)

// haloFor is how many words of the warp before a warp reads, which are to be there as they were: none, where a warp has
// whole integers of m words.
func haloFor(m int) int {
	if warpWords%m == 0 {
		return 0
	}
	return threadWords
}

// apartShape is the integers of a block that has n integers of m words for its own, and the blocks and their threads.
func apartShape(n, m int) (each int, grid [2]int, threads int) {
	most, before := 128, 0
	if m > mostFlatWords {
		most = 512 // there are few integers
	}
	if m%threadWords != 0 {
		before = threadWords - 1 // words of a thread that may not be the block's
	}
	each = min(n, max(1, (most*threadWords-before)/m))
	threads = (each*m + before + threadWords - 1) / threadWords
	pieces := (threads + most - 1) / most
	threads = ((threads+pieces-1)/pieces + 31) &^ 31
	return each, [2]int{(n + each - 1) / each, 1}, threads
}
