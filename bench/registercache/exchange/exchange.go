// Package exchange turns reads of shared memory into exchanges between the registers of a warp. It is the method of the
// register cache of M. Hamilis (Parallel Additive Fast Fourier Transform Algorithms, 2016, section 5.2):
//
//	1  the inputs of a warp are told by the table of what each lane reads in each iteration, which has to be known
//	   when the kernel is written;
//	2  inputs are spread over registers, by default in turn: input j is register j/32 of lane j mod 32, as shared
//	   memory has words in its banks, so that conflicts are those of banks;
//	3  in each iteration every lane publishes one register and reads one of some lane: a shuffle. Where lanes want
//	   different registers of one lane, that is a conflict, and takes a shuffle more.
//
// A plan is what a table becomes. It can be run here, and written as CUDA.
package exchange

import (
	"fmt"
	"math/bits"
	"strings"
)

// Lanes is those of a warp.
const Lanes = 32

// None stands for no input.
const None = -1

// Reads is the inputs that the lanes read in one iteration, or None.
type Reads [Lanes]int

// Place is a register of a lane.
type Place struct{ Lane, Slot int }

// InTurn is where inputs lie by default.
func InTurn(input int) Place { return Place{input % Lanes, input / Lanes} }

// Shuffle is one exchange: lane l gives its register Publish[l], and has that of lane From[l]. Either is None where
// nobody wants it. Lanes of Takes use what they have.
type Shuffle struct {
	Publish, From [Lanes]int
	Takes         uint32
}

// Step is an iteration: one shuffle, and one more for each conflict. It has none where no lane reads.
type Step struct{ Shuffles []Shuffle }

// Plan is the exchanges of a table.
type Plan struct {
	Slots int // registers of a lane
	Steps []Step
	place func(input int) Place
}

// New plans a table of reads of inputs from 0 to inputs − 1, which lie where place says: InTurn, or any other places
// that no two inputs share. It is an error where they do, or where a lane reads an input that is none.
func New(inputs int, place func(input int) Place, table ...Reads) (*Plan, error) {
	p := &Plan{place: place}
	taken := map[Place]int{}
	for j := range inputs {
		at := place(j)
		if at.Lane < 0 || at.Lane >= Lanes || at.Slot < 0 {
			return nil, fmt.Errorf("exchange: input %d lies in register %d of lane %d", j, at.Slot, at.Lane)
		}
		if other, ok := taken[at]; ok {
			return nil, fmt.Errorf("exchange: inputs %d and %d lie in register %d of lane %d", other, j, at.Slot, at.Lane)
		}
		taken[at] = j
		p.Slots = max(p.Slots, at.Slot+1)
	}
	for i, reads := range table {
		for l, j := range reads {
			if j != None && (j < 0 || j >= inputs) {
				return nil, fmt.Errorf("exchange: lane %d reads input %d of %d in iteration %d", l, j, inputs, i)
			}
		}
		p.Steps = append(p.Steps, step(place, reads))
	}
	return p, nil
}

// step aligns publishes with reads: each lane publishes what most lanes want that still wait.
func step(place func(int) Place, reads Reads) (s Step) {
	var waiting uint32
	for l, j := range reads {
		if j != None {
			waiting |= 1 << l
		}
	}
	for waiting != 0 {
		var wanted [Lanes]map[int]int // of each lane, how many want a register
		for l := range Lanes {
			if waiting>>l&1 == 1 {
				at := place(reads[l])
				if wanted[at.Lane] == nil {
					wanted[at.Lane] = map[int]int{}
				}
				wanted[at.Lane][at.Slot]++
			}
		}
		var x Shuffle
		for l := range Lanes {
			x.Publish[l], x.From[l] = None, None
			for slot, n := range wanted[l] {
				best := x.Publish[l]
				if best == None || n > wanted[l][best] || n == wanted[l][best] && slot < best {
					x.Publish[l] = slot
				}
			}
		}
		for l := range Lanes {
			if waiting>>l&1 == 1 {
				if at := place(reads[l]); x.Publish[at.Lane] == at.Slot {
					x.From[l] = at.Lane
					x.Takes |= 1 << l
				}
			}
		}
		waiting &^= x.Takes
		s.Shuffles = append(s.Shuffles, x)
	}
	return s
}

// own reports whether lanes take their own registers alone, so that nothing is exchanged.
func (x *Shuffle) own() bool {
	for l, from := range x.From {
		if from != None && from != l {
			return false
		}
	}
	return true
}

// Counts are what a plan costs a warp, against shared memory.
type Counts struct {
	Reads     int // words that lanes read, of shared memory in the other form
	Shuffles  int
	Own       int // reads of a whole warp that need no shuffle, each lane having its own
	Conflicts int // shuffles because lanes want different registers of one lane
	Selects   int // publishes for which a lane's place chooses among registers
}

// Counts counts all steps.
func (p *Plan) Counts() (c Counts) {
	for _, s := range p.Steps {
		c.Conflicts += max(0, len(s.Shuffles)-1)
		for i := range s.Shuffles {
			x := &s.Shuffles[i]
			c.Reads += bits.OnesCount32(x.Takes)
			if x.own() {
				c.Own++
			} else {
				c.Shuffles++
			}
			if len(slotsOf(x.Publish)) > 1 {
				c.Selects++
			}
		}
	}
	return c
}

// Run returns what lanes read of inputs in an iteration, by its shuffles. Lanes that read nothing have 0.
func (p *Plan) Run(inputs []uint32, iteration int) (z [Lanes]uint32) {
	registers := make([][Lanes]uint32, p.Slots)
	for j, x := range inputs {
		at := p.place(j)
		registers[at.Slot][at.Lane] = x
	}
	for _, x := range p.Steps[iteration].Shuffles {
		for l := range Lanes {
			if x.Takes>>l&1 == 1 {
				z[l] = registers[x.Publish[x.From[l]]][x.From[l]]
			}
		}
	}
	return z
}

// Source writes an iteration as CUDA: statements that define name as what the lane reads, 0 for nothing. slot names
// registers, and the variable lane is the lane. All lanes of the warp run them: shuffles have full masks.
func (s *Step) Source(name string, slot func(i int) string) string {
	var b strings.Builder
	var all uint32
	for i := range s.Shuffles {
		x := &s.Shuffles[i]
		value := choice(x.Publish, slot)
		if !x.own() {
			value = fmt.Sprintf("from_lane(%s, %s)", value, lanes(x.From))
		}
		all |= x.Takes
		switch {
		case i > 0:
			other := fmt.Sprintf("%s_%d", name, i)
			fmt.Fprintf(&b, "u32 %s = %s;\n", other, value)
			fmt.Fprintf(&b, "%s = %s ? %s : %[1]s;\n", name, has(x.Takes), other)
		default:
			fmt.Fprintf(&b, "u32 %s = %s;\n", name, value)
		}
	}
	switch {
	case all == 0:
		fmt.Fprintf(&b, "u32 %s = 0;\n", name)
	case all != 1<<Lanes-1:
		fmt.Fprintf(&b, "%s = %s ? %[1]s : 0;\n", name, has(all))
	}
	return b.String()
}

// has is a condition that holds in lanes of a mask.
func has(mask uint32) string {
	if below := bits.TrailingZeros32(^mask); mask == 1<<below-1 {
		return fmt.Sprintf("lane < %d", below)
	}
	if from := bits.TrailingZeros32(mask); mask == ^uint32(0)<<from {
		return fmt.Sprintf("lane >= %d", from)
	}
	return fmt.Sprintf("(0x%xu >> lane & 1)", mask)
}

// slotsOf is the registers that are published, in the order of lanes.
func slotsOf(publish [Lanes]int) (list []int) {
	seen := map[int]bool{}
	for _, s := range publish {
		if s != None && !seen[s] {
			seen[s] = true
			list = append(list, s)
		}
	}
	return list
}

// choice is the register that a lane publishes. Those that nobody wants go with their neighbours.
func choice(publish [Lanes]int, slot func(i int) string) string {
	slots := slotsOf(publish)
	if len(slots) == 1 {
		return slot(slots[0])
	}
	first := slots[0]
	var mask uint32
	last := true // whether the lane before publishes the first register
	for l, s := range publish {
		if s != None {
			last = s == first
		}
		if last {
			mask |= 1 << l
		}
		if s == first {
			publish[l] = None
		}
	}
	return fmt.Sprintf("%s ? %s : %s", has(mask), slot(first), choice(publish, slot))
}

// lanes is the lane that a lane reads: one for all, those at a distance, or any.
func lanes(from [Lanes]int) string {
	same := func(f func(l int) int) bool {
		for l, v := range from {
			if v != None && v != f(l) {
				return false
			}
		}
		return true
	}
	for c := range Lanes {
		switch {
		case same(func(int) int { return c }):
			return fmt.Sprint(c)
		case same(func(l int) int { return (l + c) % Lanes }):
			return fmt.Sprintf("lane + %d", c)
		case same(func(l int) int { return l ^ c }):
			return fmt.Sprintf("lane ^ %d", c)
		}
	}
	var masks [5]uint32
	for l, v := range from {
		for bit := range masks {
			if v != None && v>>bit&1 == 1 {
				masks[bit] |= 1 << l
			}
		}
	}
	var terms []string
	for bit, m := range masks {
		terms = append(terms, fmt.Sprintf("(0x%xu >> lane & 1) << %d", m, bit))
	}
	return strings.Join(terms, " | ")
}
