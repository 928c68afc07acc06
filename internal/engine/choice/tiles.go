package choice

import "math/bits"

// DigitTiles says how passes over elements of digits go by tiles, which are rows and columns in the shared memory of
// blocks. Numbers of rows and columns are logarithms.
type DigitTiles struct {
	Way             Digits
	Digits          int // of an element, a power of two
	Shared          int // bytes that a block may have
	Multiprocessors int
	Threads         int // of a block of a lazy pass, at most
	Limit           int // of threads of a block of another pass, 0 for none
}

// bytes is the shared memory of a tile, as kernels/cuda/digitkernels.cuh has it.
func (t *DigitTiles) bytes(rows, width int) int {
	if !t.Way.Lazy {
		return 8*t.Digits*(1<<width|1)<<rows + 2<<rows
	}
	pitch := 1 << width
	if width >= 2 {
		pitch += 2
	}
	return 10 * t.Digits * (pitch<<rows + 1<<width)
}

// Width returns the columns of a tile, −1 where not even so many fit as there must be: segments of 128 bytes, more
// where rows are few.
func (t *DigitTiles) Width(rows int) int {
	width, least := max(4, min(8-rows, 6)), 0
	if t.Way.Lazy {
		width, least = min(width, bits.Len(uint(4*t.Threads/t.Digits))-1), 1
	}
	for t.bytes(rows, width) > t.Shared {
		if width--; width < least {
			return -1
		}
	}
	return width
}

// Passes returns the passes of n layers, in order; nil where no two elements fit into the memory of a block.
func (t *DigitTiles) Passes(n int) []DigitPass {
	most := t.most()
	if most == 0 {
		return nil
	}
	const least = 3 // columns of a pass of two steps
	return t.Way.passes(n, most, func(layers int) bool { return t.Width(layers) >= least })
}

// Widest is the pass of the most layers, 0 where no two elements fit.
func (t *DigitTiles) Widest() (p DigitPass) {
	if passes := t.Passes(2 * t.most()); len(passes) > 0 {
		p = passes[0]
	}
	return p
}

// most is the layers of a step.
func (t *DigitTiles) most() int {
	most := bits.Len(uint(t.Digits)) // 2k rows: a step multiplies by powers of the radix alone
	for most > 0 && t.Width(most) < 0 {
		most--
	}
	return most
}

// DigitLaunch is the shape of a launch. Width is the columns of a tile.
type DigitLaunch struct{ Blocks, Threads, Shared, Width int }

// Launch chooses the tiles of a pass over so many elements, and their threads.
func (t *DigitTiles) Launch(p DigitPass, elements int) (l DigitLaunch) {
	rows, columns := p.Layers, elements>>p.Layers
	l.Width = min(t.Width(rows), bits.Len(uint(columns-1)))
	if t.Way.Lazy {
		l.Width = max(l.Width, 1)
	}
	blocks := func() int { return (columns + 1<<l.Width - 1) >> l.Width }
	for t.Way.Lazy && l.Width > 1 && 2*blocks() <= t.Multiprocessors { // short transforms take all of the device
		l.Width--
	}
	l.Shared = t.bytes(rows, l.Width)
	l.Blocks = blocks()
	if t.Way.Lazy { // a round has k/2 threads for each two columns of four rows
		l.Threads = min(t.Digits/2<<(max(0, rows-2)+l.Width-1), t.Threads)
		return l
	}
	most := 256
	switch {
	case p.Second > 0:
		most = 512
	case t.Digits <= 8:
		most = 128
	}
	if t.Limit > 0 {
		most = min(most, t.Limit)
	}
	l.Threads = max(min(1<<(rows+l.Width-1), most), 1<<l.Width)
	return l
}
