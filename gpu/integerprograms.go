package gpu

import (
	"context"
	"fmt"
	"unsafe"

	"github.com/galfft/fft/field"
)

// Program sets the integers of z to the result of steps on operands, of so many bits each; z has as many. A step is an
// operation of Compute, of x + y, x − y, x and x·y modulo 2^bits, and the places of z, x and y: places below the number
// of operands are these, and others are values on the way, which are written before they are read; the result is that
// of the last step. A product has no place of its factors. Operands are copied once, and values stay on the device;
// where Launches says 1 they do not leave a block. z may be an operand. Where ctx ends, or the device fails, z is
// intact or holds anything.
func (g *Integers) Program(ctx context.Context, steps [][4]int, z []uint32, operands [][]uint32, bits int) error {
	for _, x := range operands {
		if err := g.check(ctx, bits, z, x); err != nil {
			return err
		}
	}
	values, err := valuesOf(steps, len(operands))
	if err != nil || len(z) == 0 {
		return err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	r, err := g.newProgram(steps, operands, values, len(z))
	if err != nil {
		return err
	}
	m := bits / 32
	n := len(z) / m
	if g.Launches(steps, bits) == 1 {
		err = g.together(r, steps, len(operands), values, n, m)
	}
	for i := 0; i < len(steps) && g.Launches(steps, bits) > 1 && err == nil; i++ {
		s := steps[i]
		err = g.run(g.d.Stream(), s[0], r.at(s[1]), r.at(s[2]), r.at(s[3]), n, m, m)
	}
	result := r.at(steps[len(steps)-1][1])
	g.values.Did(err)
	if err := g.d.Wait(ctx, g.values); err != nil {
		return err
	}
	return g.d.CopyOut(unsafe.Pointer(unsafe.SliceData(z)), result, len(z)*4)
}

// Launches is how many launches steps of Program take for integers of so many bits: one where the values fit a block,
// and products go by words all the same; else one for each step. It is 0 for nil, and for what Program refuses.
func (g *Integers) Launches(steps [][4]int, bits int) int {
	if g == nil || g.d == nil || bits <= 0 || bits%32 != 0 {
		return 0
	}
	m, last, multiplies := bits/32, 0, false
	for _, s := range steps {
		last = max(last, s[1])
		multiplies = multiplies || s[0] == integersMul
	}
	_, _, threads := shape(1, m, mostProductThreads)
	kind := g.productFor(m, m, false)
	if m > threadWords*mostProductThreads || multiplies && kind != byTiles && kind != byShort && kind != byLows ||
		programShared(threads, last+1) > g.d.Info().SharedOptIn {
		return len(steps)
	}
	return min(1, len(steps))
}

// programShared is the bytes of shared memory of a block with so many values, which may be too many by the operands.
func programShared(threads, values int) int {
	return warpShares + threads*(8+4*16+4*threadWords*values)
}

// valuesOf is the places of steps above those of the operands. Steps that make no sense are field.ErrSpec.
func valuesOf(steps [][4]int, operands int) (values int, err error) {
	written := make([]bool, len(steps))
	for i, s := range steps {
		z := s[1] - operands
		ok := operands > 0 && z >= 0 && z < len(steps) &&
			(s[0] == integersAdd || s[0] == integersSub || s[0] == integersCopy || s[0] == integersMul)
		for _, x := range s[2:] {
			from := x - operands
			ok = ok && x >= 0 && from < len(steps) && (from < 0 || written[from]) && (s[0] != integersMul || from != z)
		}
		if !ok {
			return 0, fmt.Errorf("gpu: %w: step %d of a program, %v, for %d operands", field.ErrSpec, i, s, operands)
		}
		written[z] = true
		values = max(values, z+1)
	}
	if len(steps) == 0 {
		return 0, fmt.Errorf("gpu: %w: a program without steps", field.ErrSpec)
	}
	return values, nil
}

// program is where a program, its operands and its values are on the device.
type program struct {
	table, values, each uint64
}

// at is the address of a place.
func (p program) at(place int) uint64 { return p.values + uint64(place)*p.each }

// newProgram has memory for a program with operands of so many words, and copies both.
func (g *Integers) newProgram(steps [][4]int, operands [][]uint32, values, words int) (p program, err error) {
	const align = 256
	table := make([]uint64, len(operands), len(operands)+2*len(steps))
	head := (8*cap(table) + align - 1) / align * align
	p.each = uint64(4*words+align-1) / align * align
	bytes := head + int(p.each)*(len(operands)+values)
	if err := g.grow(&g.values, &g.valueBytes, bytes); err != nil {
		return p, err
	}
	p.table, p.values = g.values.At, g.values.At+uint64(head)
	for i, x := range operands {
		table[i] = p.at(i)
		if err := g.d.CopyIn(table[i], unsafe.Pointer(unsafe.SliceData(x)), 4*words); err != nil {
			return p, err
		}
	}
	for _, s := range steps {
		table = append(table, uint64(s[1])<<32|uint64(s[0]), uint64(s[3])<<32|uint64(s[2]))
	}
	return p, g.d.CopyIn(p.table, unsafe.Pointer(unsafe.SliceData(table)), 8*len(table))
}

// together starts all steps in one launch, whose result goes to the place of the last.
func (g *Integers) together(p program, steps [][4]int, operands, values, n, m int) error {
	t, grid, threads := shape(n, m, mostProductThreads)
	result := p.at(steps[len(steps)-1][1])
	return g.d.Launch(g.d.Stream(), g.program, grid, threads, programShared(threads, values), result, p.table,
		uint64(operands), uint64(len(steps)), uint64(n), uint64(m), uint64(t))
}
