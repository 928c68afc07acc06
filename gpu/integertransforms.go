package gpu

import "slices"

// Kinds of steps of midfft_program, as midfft.cu has them.
const (
	transformSums   = iota // no product
	transformSlots         // no product but those of slots
	transformSquare        // of a value that is transformed
	transformBoth          // of two of them
	transformSlot          // of one of them and of a slot
	transformKept          // transforms are kept, and nothing else is done
)

// transformProgram is a program for midfft_program: steps, the values and the slots of a block, and the transforms that
// it takes, forwards and back.
type transformProgram struct {
	words                     []uint32
	count                     int
	values, slots, transforms int
}

// transforms makes a program of a flow: a value is transformed once, and a part has one transform back, whatever it has
// of products.
func (f flow) transforms() transformProgram {
	t := transforming{left: make([]int, f.operands+len(f.parts)), slot: map[int]int{}}
	t.values = len(f.parts) - 1
	for _, p := range f.parts {
		for _, xy := range p.products {
			t.left[xy[0]]++
			if xy[1] != xy[0] {
				t.left[xy[1]]++
			}
		}
	}
	for i, p := range f.parts {
		t.part(f.operands+i, p)
	}
	return t.transformProgram
}

// transforming is a program so far.
type transforming struct {
	transformProgram
	left []int       // products that a value is yet to be a factor of
	slot map[int]int // of values whose transforms are kept
	free []int
}

// keep is the slot for the transform of a value, and 1, or 0 where nothing is left that takes it.
func (t *transforming) keep(v int) uint32 {
	if t.left[v] == 0 {
		return 0
	}
	s := t.slots
	if n := len(t.free); n > 0 {
		s, t.free = t.free[n-1], t.free[:n-1]
	} else {
		t.slots++
	}
	t.slot[v] = s
	return uint32(s) + 1
}

// used counts a product as done.
func (t *transforming) used(xy [2]int) {
	t.left[xy[0]]--
	if xy[1] != xy[0] {
		t.left[xy[1]]--
	}
}

// fresh is the factors of a product that are not transformed yet.
func (t *transforming) fresh(xy [2]int) (list []int) {
	for i, v := range xy {
		if _, ok := t.slot[v]; !ok && (i == 0 || v != xy[0]) {
			list = append(list, v)
		}
	}
	return list
}

// emit is a step with lists.
func (t *transforming) emit(s transformStep) {
	t.words = append(t.words, s.z, s.x, s.y, s.kind, s.keepX, s.keepY, uint32(len(s.pairs)/2), uint32(len(s.sums)))
	t.words = append(append(t.words, s.pairs...), s.sums...)
	t.count++
}

// transformStep is a step as midfft.cu has it.
type transformStep struct {
	z, x, y, kind, keepX, keepY uint32
	pairs, sums                 []uint32
}

// part is the steps of a part. Its first product with a factor that is not transformed yet comes with the transform
// back; transforms of the other factors are kept before.
func (t *transforming) part(z int, p flowPart) {
	s := transformStep{z: uint32(z)}
	for _, w := range p.sums {
		word := uint32(w.value) << 1
		if w.negated {
			word |= 1
		}
		s.sums = append(s.sums, word)
	}
	products := slices.Clone(p.products)
	if len(products) > 0 {
		s.kind = transformSlots
		t.transforms++
	}
	first := slices.IndexFunc(products, func(xy [2]int) bool { return len(t.fresh(xy)) > 0 })
	var rest [][2]int
	for i, xy := range products {
		if i != first {
			rest = append(rest, xy)
		}
	}
	if first >= 0 {
		t.before(rest, products[first])
		t.main(&s, products[first])
	}
	for _, xy := range rest {
		s.pairs = append(s.pairs, uint32(t.slot[xy[0]]), uint32(t.slot[xy[1]]))
	}
	t.emit(s)
	for _, xy := range rest {
		t.used(xy)
	}
	for v, slot := range t.slot {
		if t.left[v] == 0 {
			delete(t.slot, v)
			t.free = append(t.free, slot)
		}
	}
	slices.Sort(t.free)
}

// before keeps the transforms of factors of products that are none of another.
func (t *transforming) before(products [][2]int, other [2]int) {
	var list []int
	for _, xy := range products {
		for _, v := range t.fresh(xy) {
			if v != other[0] && v != other[1] && !slices.Contains(list, v) {
				list = append(list, v)
			}
		}
	}
	t.transforms += len(list)
	for two := range slices.Chunk(list, 2) {
		s := transformStep{x: uint32(two[0]), y: uint32(two[len(two)-1]), kind: transformKept, keepX: t.keep(two[0])}
		if len(two) == 2 {
			s.keepY = t.keep(two[1])
		}
		t.emit(s)
	}
}

// main sets a step's product with factors that are not transformed yet.
func (t *transforming) main(s *transformStep, xy [2]int) {
	list := t.fresh(xy)
	t.transforms += len(list)
	t.used(xy)
	s.x, s.keepX = uint32(list[0]), t.keep(list[0])
	switch {
	case xy[0] == xy[1]:
		s.kind = transformSquare
	case len(list) == 2:
		s.kind, s.y, s.keepY = transformBoth, uint32(list[1]), t.keep(list[1])
	default:
		s.kind, s.y = transformSlot, uint32(t.slot[xy[0]+xy[1]-list[0]])
	}
}
