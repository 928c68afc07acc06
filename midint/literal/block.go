package literal

import (
	"fmt"
	"math/bits"

	"github.com/galfft/fft/field"
)

// Word is a word of the machine.
type Word interface{ uint32 | uint64 }

// Shape is the integers and the threads of a block.
type Shape struct {
	M         int // words of an integer
	Q         int // words of a thread, 1 to 16; for Mul those of each of its two runs, 2 to 16
	Instances int // integers of a block
}

// maxQ is the most words of a thread.
const maxQ = 16

func (s Shape) check(leastQ int, lengths ...int) error {
	if s.M < 1 || s.Instances < 1 || s.Q < leastQ || s.Q > maxQ {
		return fmt.Errorf("literal: %w: %+v, want M and Instances of at least 1 and Q from %d to %d", field.ErrSpec, s,
			leastQ, maxQ)
	}
	for _, n := range lengths {
		if n != lengths[0] || n%s.M != 0 {
			return fmt.Errorf("literal: %w: operands of %v words, want one multiple of %d", field.ErrLength, lengths, s.M)
		}
	}
	return nil
}

// lift is the least multiple of q from m on.
func lift(m, q int) int { return (m + q - 1) / q * q }

// block is the registers of a block: of each thread q words, thread by thread, so that an integer is lifted words.
type block[W Word] struct {
	q, lifted, threads int
}

func newBlock[W Word](s Shape, q int) block[W] {
	lifted := lift(s.M, q)
	return block[W]{q, lifted, s.Instances * lifted / q}
}

// load is the way from global memory to registers by way of shared memory: neighbours read neighbouring words, and
// then take q that follow each other. Words that are of no integer are 0.
func (b block[W]) load(from []W, s Shape, first int) []W {
	shared := make([]W, b.threads*b.q)
	for i := range b.q {
		for t := range b.threads {
			at := i*b.threads + t
			instance, word := first+at/b.lifted, at%b.lifted
			if word < s.M && instance*s.M+word < len(from) {
				shared[at] = from[instance*s.M+word]
			}
		}
	}
	return shared // thread t has words q·t, …, q·t + q − 1
}

// store is the way back.
func (b block[W]) store(to, registers []W, s Shape, first int) {
	for i := range b.q {
		for t := range b.threads {
			at := i*b.threads + t
			instance, word := first+at/b.lifted, at%b.lifted
			if word < s.M && instance*s.M+word < len(to) {
				to[instance*s.M+word] = registers[at]
			}
		}
	}
}

// add is a sum in registers. Where leaks is set the first word of an integer takes a carry, as printed.
func (b block[W]) add(x, y []W, leaks bool) []W {
	p, codes, sums := make([]W, len(x)), make([]uint32, len(x)), make([]uint32, b.threads)
	for t := range b.threads {
		sums[t] = neutral
		for i := t * b.q; i < (t+1)*b.q; i++ {
			p[i], codes[i] = Sum(x[i], y[i], i%b.lifted == 0)
			sums[t] = CombineSegments(sums[t], codes[i])
		}
	}
	BlockScan(sums, sums, neutral, CombineSegments)
	for t := range b.threads {
		carry := sums[t]
		for i := t * b.q; i < (t+1)*b.q; i++ {
			if leaks || codes[i]&start == 0 {
				p[i] = Resolve(p[i], carry)
			}
			carry = CombineSegments(carry, codes[i])
		}
	}
	return p
}

// grid runs one block after the other.
func grid[W Word](z, a, b []W, s Shape, q int, kernel func(of block[W], x, y []W) []W) {
	of := newBlock[W](s, q)
	for first := 0; first*s.M < len(z); first += s.Instances {
		of.store(z, kernel(of, of.load(a, s, first), of.load(b, s, first)), s, first)
	}
}

// Add sets the integers of z to those of a + b: the paper's 1-Add. z may be a or b.
func Add[W Word](z, a, b []W, s Shape) error {
	if err := s.check(1, len(z), len(a), len(b)); err != nil {
		return err
	}
	grid(z, a, b, s, s.Q, func(of block[W], x, y []W) []W { return of.add(x, y, false) })
	return nil
}

// SixAdd sets the integers of z to those of 6a + 10b, by six additions in registers: the paper's 6-Add. z may be a or
// b.
func SixAdd[W Word](z, a, b []W, s Shape) error {
	if err := s.check(1, len(z), len(a), len(b)); err != nil {
		return err
	}
	grid(z, a, b, s, s.Q, func(of block[W], x, y []W) []W {
		t := of.add(x, y, false)
		t = of.add(t, t, false)
		t = of.add(t, y, false)
		u := of.add(t, t, false)
		t = of.add(u, t, false)
		return of.add(t, y, false)
	})
	return nil
}

// product is a·b.
func product[W Word](a, b W) (high, low W) {
	if wordBits[W]() == 32 {
		p := uint64(a) * uint64(b)
		return W(p >> 32), W(p)
	}
	h, l := bits.Mul64(uint64(a), uint64(b))
	return W(h), W(l)
}

func wordBits[W Word]() int { return bits.OnesCount64(uint64(^W(0))) }
