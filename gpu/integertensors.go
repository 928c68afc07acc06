package gpu

// tensorProgram is a program for midint_tensor_program: steps, and the values of an integer.
type tensorProgram struct {
	words         []uint32
	count, values int
}

// Kinds of steps, as midtensor.cu has them.
const (
	tensorSums   = iota // no product
	tensorAgain         // a product whose first factor is that of the product before
	tensorFactor        // one with another
)

// tensors makes a program of a flow whose parts have one product at most. Values have places, as few as live at once.
func (f flow) tensors() (t tensorProgram) {
	last := make([]int, f.operands+len(f.parts)) // parts that values are used by
	for i, part := range f.parts {
		for _, v := range part.uses() {
			last[v] = i
		}
	}
	place := make([]int, len(last))
	for v := range f.operands {
		place[v] = v
	}
	var free []int
	held := -1 // the value whose rows are there as those of first factors
	for i, part := range f.parts {
		s := []uint32{0, 0, 0, tensorSums, uint32(len(part.sums))}
		if len(part.products) > 0 {
			x, y := f.factors(i, held)
			s[3] = tensorFactor
			if x == held {
				s[3] = tensorAgain
			}
			held = x
			s[1], s[2] = uint32(place[x]), uint32(place[y])
		}
		for _, w := range part.sums {
			word := uint32(place[w.value]) << 1
			if w.negated {
				word |= 1
			}
			s = append(s, word)
		}
		for _, v := range part.uses() { // a step reads a word of what it adds before it writes it
			if last[v] == i && v >= f.operands {
				last[v] = -1
				free = append(free, place[v])
			}
		}
		switch n := len(free); {
		case i == len(f.parts)-1: // the result
		case n > 0:
			place[f.operands+i], free = free[n-1], free[:n-1]
		default:
			place[f.operands+i] = f.operands + t.values
			t.values++
		}
		s[0] = uint32(place[f.operands+i])
		t.words = append(t.words, s...)
		t.count++
	}
	return t
}

// uses is the values that a part takes, some more than once.
func (p flowPart) uses() (list []int) {
	for _, xy := range p.products {
		list = append(list, xy[0], xy[1])
	}
	for _, s := range p.sums {
		list = append(list, s.value)
	}
	return list
}

// factors is the first and the second factor of a part's product: the first is the one that is held, or else one that
// the next product has too.
func (f flow) factors(i, held int) (x, y int) {
	x, y = f.parts[i].products[0][0], f.parts[i].products[0][1]
	swap := y == held
	if x != held && y != held {
		for _, part := range f.parts[i+1:] {
			if len(part.products) > 0 {
				next := part.products[0]
				swap = (y == next[0] || y == next[1]) && x != next[0] && x != next[1]
				break
			}
		}
	}
	if swap {
		x, y = y, x
	}
	return x, y
}

// byTensors is a plan of tensor cores for integers of m words. Values are in shared memory where the kernel holds an
// operand in registers. With longer ones fewer blocks would run at once than without, so that these are elsewhere, and
// stay in the second cache from one step to the next.
func (f flow) byTensors(m int) programPlan {
	p := programPlan{operands: f.operands, kind: byTensors, tensors: f.tensors()}
	if m > mostHeldWords {
		p.memory = p.tensors.values
	}
	return p
}

// tensorProgramShape is the bytes of shared memory of a block for a program, and the values of an integer there.
func tensorProgramShape(p programPlan, m int) (shared, values int) {
	_, size, shared := tensorShape(m)
	values = p.tensors.values - p.memory
	table := 8*(p.operands+p.memory) + 4*((len(p.tensors.words)+1)&^1)
	return shared + table + tensorIntegers*4*size*values, values
}
