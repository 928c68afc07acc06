package gpu

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"

	"github.com/galfft/fft/internal/engine/choice"
)

// digitsRadix returns the arguments RADIX of kernels/cuda/digitkernels.cuh.
func digitsRadix(r uint64, k int) [7]uint64 {
	d := r << bits.LeadingZeros64(r)
	reciprocal, _ := bits.Div64(^d, 1<<64-1, d)
	a := new(big.Int).SetUint64(r)
	a.Add(a, big.NewInt(2)).Mul(a, big.NewInt(int64(k)))
	radix := [7]uint64{r, reciprocal}
	copy(radix[2:], digitsOffsets(r, a))
	return radix
}

// digitsOffsets is a(r − 1) in three words and 2a in two.
func digitsOffsets(r uint64, a *big.Int) []uint64 {
	offset := new(big.Int).SetUint64(r - 1)
	offset.Mul(offset, a)
	first := new(big.Int).Lsh(a, 1)
	word := func(x *big.Int, i uint) uint64 {
		return new(big.Int).And(new(big.Int).Rsh(x, 64*i), new(big.Int).SetUint64(1<<64-1)).Uint64()
	}
	return []uint64{word(offset, 0), word(offset, 1), word(offset, 2), word(first, 0), word(first, 1)}
}

// digitsLazy returns the arguments LAZY of kernels/cuda/digitkernels.cuh. It is nil for k and r that these kernels do
// not serve: r below 2^57, and r so near to 2^64 that words have no room for what estimates leave; where products go by
// halves, the same for 2^63.
func digitsLazy(r uint64, k int) []uint64 {
	s, log := bits.LeadingZeros64(r), log2(k)
	most := uint64(math.MaxUint64)
	if k == 16 || k == 32 {
		most >>= 1
	}
	if k < 8 || k > 64 || s > 6 || r > most || r>>(22-log-s)+1<<14 > most-r {
		return nil
	}
	reciprocal, _ := bits.Div64(1<<63-1, math.MaxUint64, r<<s)
	estimate, _ := bits.Div64(1<<(31-s)-1, math.MaxUint64, r) // of 2^(95 − s) − 1
	a := new(big.Int).SetUint64(r)                            // r + r>>9 can be above a word
	a.Add(a, new(big.Int).SetUint64(r>>9+uint64(16*k))).Mul(a, big.NewInt(int64(k)))
	cut := max(0, log+2-2*s)
	scale := cut + s + 1
	low, borrow := bits.Sub64(0, r<<scale, 0)
	high, _ := bits.Sub64(0, r>>(64-scale), borrow)
	l := append([]uint64{r, reciprocal}, digitsOffsets(r, a)...)
	return append(l, estimate, uint64(24-s-log), uint64(cut), uint64(scale), low, high)
}

// digitsThreads is the threads of a block of kernels that keep elements in shared memory, which take 8·k bytes for each
// thread, or twice that.
func digitsThreads(k int) int { return min(128, 2048/k) }

// lazyThreads is the most threads of a block of the kernel lazy, as its launch bounds have it.
func lazyThreads(k int) int {
	if k <= 16 {
		return 128
	}
	return 512
}

// digitsShape is what a plan for transforms over Z/(r^k + 1) follows from.
type digitsShape struct {
	choice.DigitTiles
	Log   int // transforms have 2^Log points, Log ≥ 1
	Back  bool
	Coset bool
}

// digitsTable is a table of powers, which the kernel table builds from two short ones. Entry i is a power of the root w
// (of 1/w where the plan is Back) with the exponent (i mod 2^Columns)·rev(⌊i/2^Columns⌋)·2^Scale, where rev reverses
// Rows bits; of the shift s (of 1/s) with the exponent i where Shift is true. With Factor all have the factor 1/N.
type digitsTable struct {
	Entries              int
	Rows, Columns, Scale uint32
	Shift, Factor        bool
}

// digitsPass is one launch of the kernel pass. Its numbers are logarithms but for Period and Ones. Table and Inner are
// places in the tables of the plan, −1 for none.
type digitsPass struct {
	Rows, Steps, Columns uint32 // Steps: rows of the second step, 0 where there is one step
	Back                 bool
	Table, Inner         int
	Period, Ones         uint64
}

// digitsPlan is tables and passes, in order, for a shape. Where Before is not −1 the kernel product comes first, with
// this table and the mask N − 1, for all elements.
type digitsPlan struct {
	Shape  digitsShape
	Tables []digitsTable
	Before int
	Passes []digitsPass
}

// digitsNone is Ones of a pass without a table.
const digitsNone = 1<<64 - 1

// planDigits makes the launches and tables of the passes that are chosen.
func planDigits(s digitsShape) (*digitsPlan, error) {
	passes := s.Passes(s.Log)
	if passes == nil {
		return nil, fmt.Errorf("no two elements of %d digits fit into %d bytes of shared memory", s.Digits, s.Shared)
	}
	p := &digitsPlan{Shape: s, Before: -1}
	table := func(t digitsTable) int {
		p.Tables = append(p.Tables, t)
		return len(p.Tables) - 1
	}
	n, rest := s.Log, s.Log
	for _, c := range passes {
		rows, second := c.Layers, c.Second
		q := digitsPass{
			Rows:    uint32(rows),
			Steps:   uint32(second),
			Columns: uint32(rest - rows),
			Back:    s.Back,
			Table:   -1,
			Inner:   -1,
			Period:  1,
			Ones:    digitsNone,
		}
		if second > 0 {
			q.Inner = table(digitsTable{
				Entries: 1 << rows,
				Rows:    uint32(rows - second),
				Columns: uint32(second),
				Scale:   uint32(n - rows),
			})
		}
		p.Passes = append(p.Passes, q)
		rest -= rows
	}
	// Products between two passes are of the first one. They concern the rows of the one with the longer blocks.
	whole := s.Coset || len(p.Passes) == 1 // back, the last pass multiplies by a table of its own
	if s.Back {
		for i, j := 0, len(p.Passes)-1; i < j; i, j = i+1, j-1 {
			p.Passes[i], p.Passes[j] = p.Passes[j], p.Passes[i]
		}
	}
	for i := range len(p.Passes) - 1 {
		level := p.Passes[i]
		if s.Back {
			level = p.Passes[i+1]
		}
		size := level.Rows + level.Columns
		t := digitsTable{
			Entries: 1 << size,
			Rows:    level.Rows,
			Columns: level.Columns,
			Scale:   uint32(n) - size,
			Factor:  s.Back && !whole && i == len(p.Passes)-2,
		}
		q := &p.Passes[i]
		q.Table, q.Period, q.Ones = table(t), 1<<size, 1<<level.Columns
		if t.Factor {
			q.Ones = 0
		}
	}
	switch {
	case s.Back && whole:
		q := &p.Passes[len(p.Passes)-1]
		q.Table, q.Period, q.Ones = table(digitsTable{Entries: 1 << n, Shift: true, Factor: true}), 1<<n, 0
	case s.Coset:
		p.Before = table(digitsTable{Entries: 1 << n, Shift: true})
	}
	return p, nil
}
