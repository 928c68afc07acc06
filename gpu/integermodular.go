package gpu

import (
	"context"
	"fmt"
	"unsafe"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/device"
)

const (
	mostModularWords = 32 * threadWords               // of a modulus: a warp has it
	mostWindow       = 6                              // bits of an exponent that one product takes
	powerThreads     = 32                             // of a block: a warp, whose barriers hold up no other
	powerRow         = 4 * threadWords * powerThreads // bytes of a power of all integers of a block
	powerShared      = powerRow + 10*16*powerThreads  // an integer, what a square keeps, and the modulus
	mostPowerBlocks  = 4096                           // each has a table of powers
)

// ModularBits is the most bits of moduli that MulMod and Exp take.
func (g *Integers) ModularBits() int { return 32 * mostModularWords }

// MulMod sets the integers of z to x·y modulo odd moduli, one for all integers or one for each, all of so many bits, at
// most 8192 (field.ErrSpec). Integers of x and y are below their moduli, or those of z are of no use. z may be an
// operand. Where ctx ends, or the device fails, z is intact or holds anything.
func (g *Integers) MulMod(ctx context.Context, z, x, y, moduli []uint32, bits int) error {
	if err := g.fitModular(ctx, bits, len(z), len(x), len(moduli)); err != nil {
		return err
	}
	if len(y) != len(x) {
		return fmt.Errorf("gpu: %w: factors of %d and %d words", field.ErrLength, len(x), len(y))
	}
	return g.modular(ctx, z, x, y, moduli, powers{m: bits / 32, length: bits / 32})
}

// Exp sets the integers of z to x to the power of y, as MulMod does, with one exponent for all integers or one for
// each, of exponentBits bits, a multiple of 32. What counts of an exponent is its lowest digits of window bits each; a
// window that is not 1 to 6 bits, or no digit, is field.ErrSpec. Exponents are not kept secret.
func (g *Integers) Exp(ctx context.Context, z, x, y, moduli []uint32, bits, exponentBits, window, digits int) error {
	if err := g.fitModular(ctx, bits, len(z), len(x), len(moduli)); err != nil {
		return err
	}
	p := powers{m: bits / 32, length: exponentBits / 32, window: window, digits: digits}
	n := len(x) / p.m
	switch {
	case window < 1 || window > mostWindow || digits < 1 || exponentBits < 1 || exponentBits%32 != 0:
		return fmt.Errorf("gpu: %w: %d windows of %d bits of exponents of %d", field.ErrSpec, digits, window, exponentBits)
	case len(y) != p.length && len(y) != n*p.length:
		return fmt.Errorf("gpu: %w: exponents of %d words, want one or %d of %d", field.ErrLength, len(y), n, p.length)
	}
	return g.modular(ctx, z, x, y, moduli, p)
}

// fitModular is what is wrong with results, operands and moduli of so many words.
func (g *Integers) fitModular(ctx context.Context, bits, z, x, moduli int) error {
	if err := g.fit(ctx, bits, x, z); err != nil {
		return err
	}
	if bits > 32*mostModularWords {
		return fmt.Errorf("gpu: %w: moduli of %d bits, want at most %d", field.ErrSpec, bits, 32*mostModularWords)
	}
	if moduli != bits/32 && moduli != x {
		return fmt.Errorf("gpu: %w: moduli of %d words, want one or %d of %d", field.ErrLength, moduli, x/(bits/32), bits/32)
	}
	return nil
}

// powers is a launch: powers of n integers of m words to exponents of length words, or products, where window is 0.
type powers struct {
	m, n, length, window, digits int
	moduli, exponents            int // 1, or n
}

func (p *powers) threads() int { return (p.m + threadWords - 1) / threadWords }

// grid is the blocks for so many integers, a warp each.
func (p *powers) grid(n int) int {
	each := powerThreads / p.threads()
	return (n + each - 1) / each
}

func (p *powers) blocks() int { return min(p.grid(p.n), mostPowerBlocks) }

// modularRoom is where moduli, what products take of them, and tables are in one piece of memory, and its bytes.
type modularRoom struct{ constants, table, bytes int }

func (p *powers) room() (r modularRoom) {
	align := func(bytes int) int { return (bytes + 255) &^ 255 }
	r.constants = align(4 * p.m * p.moduli)
	r.table = r.constants + align(4*(3*threadWords*p.threads()+4)*p.moduli)
	r.bytes = r.table
	if p.window > 0 {
		r.bytes += p.blocks() * powerRow << p.window
	}
	return r
}

func (g *Integers) modular(ctx context.Context, z, x, y, moduli []uint32, p powers) error {
	if len(x) == 0 {
		return nil
	}
	p.n, p.moduli, p.exponents = len(x)/p.m, len(moduli)/p.m, len(y)/p.length
	g.mu.Lock()
	defer g.mu.Unlock()
	if err := g.load(len(z)*4, x, y); err != nil {
		return err
	}
	if err := g.grow(&g.moduli, &g.moduliBytes, p.room().bytes); err != nil {
		return err
	}
	if err := g.d.CopyIn(g.moduli.At, unsafe.Pointer(unsafe.SliceData(moduli)), len(moduli)*4); err != nil {
		return err
	}
	result, right := g.memory[0], g.memory[1].At
	if &x[0] != &y[0] {
		right = g.memory[2].At
	}
	result.Did(g.raise(g.d.Stream(), &p, result.At, g.memory[1].At, right))
	if err := g.d.Wait(ctx, result); err != nil {
		return err
	}
	return g.d.CopyOut(unsafe.Pointer(unsafe.SliceData(z)), result.At, len(z)*4)
}

// raise starts what products modulo the moduli take, and the powers.
func (g *Integers) raise(s *device.Stream, p *powers, z, x, y uint64) error {
	r, t := p.room(), uint64(p.threads())
	constants := g.moduli.At + uint64(r.constants)
	err := g.d.Launch(s, g.modulus, [2]int{p.grid(p.moduli), 1}, powerThreads, powerShared, constants, g.moduli.At,
		uint64(p.moduli), uint64(p.m), t)
	if err != nil {
		return err
	}
	var shared uint64
	if p.moduli == 1 {
		shared = 1
	}
	if p.exponents == 1 {
		shared |= 2
	}
	return g.d.Launch(s, g.power, [2]int{p.blocks(), 1}, powerThreads, powerShared, z, x, y, constants,
		g.moduli.At+uint64(r.table), uint64(p.n), uint64(p.m), t, uint64(p.length), uint64(p.window), uint64(p.digits),
		shared)
}
