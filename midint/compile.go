package midint

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/memory"
)

// Program is an expression that an engine has compiled for a width. It never changes, and is safe for concurrent use;
// its calls allocate nothing once warm.
type Program struct {
	engine         *Engine
	bits, result   int // of operands and of the result
	operands       int
	words          int // of a value on its way
	steps          []step
	device         [][4]int // the same, for one
	slots          int      // values that live at once
	forms          int      // of products of other lengths
	whole          bool
	check, signed  bool // whether a result may not fit, and may be negative
	block          int  // integers that go through all steps together
	ns             float64
	rooms, results sync.Pool // *programRoom, *programRun
}

// step is an operation on places: operands, and slots behind them.
type step struct {
	op      exprOp
	z, x, y int
	factor  int // words of factors of a whole product, or 0 for a low one of all words
	form    int
}

// Compile makes a program of an expression of up to 8 operands and 16 operations, for operands of so many bits. A part
// that is there twice is computed once. Where result is 0 all is modulo 2^bits, and the result has as many bits; sums
// with a common factor are products of a sum then, where that leaves fewer products: x·y + x·z is x·(y + z).
// Otherwise the result is the exact value and has so many bits: a value that is negative or longer is field.ErrRange
// when the program runs. Expressions that are nil or have more parts, and widths that are no multiple of 32, are
// field.ErrSpec; values too long for the memory are field.ErrMemory.
//
// On the processor a program takes a few integers through all steps before the next ones, so that values stay in the
// caches. On a device that can, values stay there, and steps are one launch where values fit a block, with one
// transform of each value; else few launches, or calls one after the other. Exact results are the processor's.
func (e *Engine) Compile(x *Expr, bits, result int) (*Program, error) {
	if e == nil || e.loops.Workers == 0 {
		return nil, fmt.Errorf("midint: %w: the engine is nil or the zero value", field.ErrSpec)
	}
	p := &Program{engine: e, bits: bits, result: result, whole: result != 0}
	if !p.whole {
		p.result = bits
	}
	for _, width := range []int{bits, p.result} {
		if err := checkSize(width, 1); err != nil {
			return nil, err
		}
	}
	f := flatten{known: map[node]int{}}
	root, err := f.add(x, 0, int64(bits))
	if err != nil {
		return nil, err
	}
	p.operands = f.operands
	if !p.whole {
		f = flatten{known: map[node]int{}}
		if root, err = f.add(factored(x), 0, int64(bits)); err != nil {
			return nil, err
		}
	}
	if err := p.measure(f.nodes[root]); err != nil {
		return nil, err
	}
	p.place(f.nodes, root)
	p.device = p.deviceSteps()
	for _, s := range p.steps {
		p.ns += cost(map[exprOp]operation{exprMul: opMul, exprSqr: opMul}[s.op], p.words)
	}
	p.block = max(1, values/(4*p.words*(p.slots+p.operands)))
	if productSet(p.words) != nil {
		p.block = (p.block + lanes - 1) / lanes * lanes
	}
	return p, nil
}

// values is about the bytes of values and operands that are to stay in a cache.
const values = 1 << 18

// measure sets the words of values: those of the operands modulo 2^bits, or as many as the exact value needs with its
// sign. It does not matter that other values are longer, as sums and products know nothing of what is above.
func (p *Program) measure(root node) error {
	p.words = p.bits / wordBits
	if !p.whole {
		return nil
	}
	length := root.bits
	if root.signed {
		length++
	}
	p.signed, p.check = root.signed, root.signed || root.bits > int64(p.result)
	length = max(length, int64(p.result))
	if length > math.MaxInt32 || (length/wordBits+1)*wordBits/8*lanes*mostOperations > int64(memory.Limit()) {
		return fmt.Errorf("midint: %w: values of 2^%d", field.ErrMemory, length)
	}
	p.words = int((length + wordBits - 1) / wordBits)
	return nil
}

// place makes the steps, and gives values their slots: the first that is free, as long as one is used. Operands of
// other lengths than values are steps too.
func (p *Program) place(nodes []node, root int) {
	at := make([]int, len(nodes))
	var free []int
	nodes[root].uses++
	done := func(i int) {
		if nodes[i].uses--; nodes[i].uses == 0 && at[i] >= p.operands {
			free = append(free, at[i])
		}
	}
	take := func() int {
		if n := len(free); n > 0 {
			slot := free[n-1]
			free = free[:n-1]
			return slot
		}
		p.slots++
		return p.operands + p.slots - 1
	}
	factors := map[int]int{}
	for i, n := range nodes {
		if n.op == exprOperand {
			at[i] = n.operand
			if p.words != p.bits/wordBits || i == root {
				at[i] = take()
				p.steps = append(p.steps, step{op: exprOperand, z: at[i], x: n.operand})
			}
			continue
		}
		s := step{op: n.op, x: at[n.a], y: at[n.b]}
		if n.op == exprMul || n.op == exprSqr {
			s.factor = p.factors(nodes[n.a], nodes[n.b])
			if _, ok := factors[s.factor]; !ok {
				factors[s.factor] = len(factors)
			}
			s.form = factors[s.factor]
		}
		apart := p.engine.device != nil && (n.op == exprMul || n.op == exprSqr)
		if apart { // products of a device are not in place
			at[i] = take()
		}
		done(n.a)
		if n.op != exprSqr {
			done(n.b)
		}
		if !apart {
			at[i] = take()
		}
		s.z = at[i]
		p.steps = append(p.steps, s)
	}
	p.forms = len(factors)
}

// factors is the words of factors whose whole product is to be taken, or 0 where the low half of all words is less
// work.
func (p *Program) factors(a, b node) int {
	if !p.whole || a.signed || b.signed {
		return 0
	}
	length := (max(a.bits, b.bits) + wordBits - 1) / wordBits
	if length >= int64(p.words) || int64(p.words)*int64(p.words) <= 2*length*length {
		return 0
	}
	return int(length)
}

// Steps is the steps of the program as a device takes them: operations, and places of the result and of two values, of
// which those of operands come first. Programs of engines without a device have products in places of their factors,
// which package gpu refuses. It is nil for nil.
func (p *Program) Steps() [][4]int {
	if p == nil {
		return nil
	}
	return slices.Clone(p.device)
}

// Explain says how the program runs: a line for each step, with the places of values, of which x0, … are operands.
func (p *Program) Explain() string {
	if p == nil {
		return ""
	}
	var b strings.Builder
	products, sums := 0, 0
	for _, s := range p.steps {
		switch s.op {
		case exprMul, exprSqr:
			products++
		case exprAdd, exprSub:
			sums++
		}
	}
	fmt.Fprintf(&b, "%d operands of %d bits, result of %d bits", p.operands, p.bits, p.result)
	switch {
	case !p.whole:
		fmt.Fprintf(&b, ", modulo 2^%d", p.bits)
	case p.check:
		b.WriteString(", checked")
	default:
		b.WriteString(", always fits")
	}
	fmt.Fprintf(&b, "; %d products, %d sums; %d values of %d bits at once\n", products, sums, p.slots,
		wordBits*p.words)
	if p.engine != nil && p.engine.device != nil && !p.whole {
		fmt.Fprintf(&b, "device: %s\n", p.explainDevice())
	} else {
		fmt.Fprintf(&b, "processor: one pass, %d integers at a time\n", p.block)
	}
	name := func(i int) string {
		if i < p.operands {
			return fmt.Sprintf("x%d", i)
		}
		return fmt.Sprintf("v%d", i-p.operands)
	}
	for _, s := range p.steps {
		z, x, y := name(s.z), name(s.x), name(s.y)
		switch s.op {
		case exprOperand:
			fmt.Fprintf(&b, "%s = %s\n", z, x)
		case exprSqr:
			fmt.Fprintf(&b, "%s = %s²%s\n", z, x, s.length())
		case exprMul:
			fmt.Fprintf(&b, "%s = %s·%s%s\n", z, x, y, s.length())
		default:
			fmt.Fprintf(&b, "%s = %s %s %s\n", z, x, map[exprOp]string{exprAdd: "+", exprSub: "−"}[s.op], y)
		}
	}
	return b.String()
}

// length says what a product takes.
func (s step) length() string {
	if s.factor == 0 {
		return ""
	}
	return fmt.Sprintf(", whole, of %d bits", wordBits*s.factor)
}

// programRun is a call.
type programRun struct {
	operands [mostOperands]*Batch
	rows     [mostOperands][]uint32 // of operands, for a device
	z        *Batch
	words    []uint32     // results that are to be checked
	failed   atomic.Int64 // an integer that does not fit, with 1 added
}

// Run sets z to the expression of operands, of which there are as many as it has; all have its width and one number of
// integers, as z has, or the error is field.ErrLength. A result that does not fit is field.ErrRange, and nothing is
// written then. z may be an operand where it has their width. Where ctx ends its error is returned, operands are intact
// and z holds anything, or where results are checked is intact too.
func (p *Program) Run(ctx context.Context, z *Batch, operands ...*Batch) error {
	if p == nil || p.engine == nil {
		return fmt.Errorf("midint: %w: the program is nil or not of Compile", field.ErrSpec)
	}
	if len(operands) != p.operands {
		return lengthError("operands", p.operands, len(operands))
	}
	for _, x := range operands {
		if err := p.engine.check(ctx, z, x, x, p.result); err != nil {
			return err
		}
		if err := x.sized("an operand", p.bits, z.n); err != nil {
			return err
		}
	}
	r, ok := p.results.Get().(*programRun)
	if !ok {
		r = new(programRun)
	}
	defer func() {
		r.operands, r.rows, r.z = [mostOperands]*Batch{}, [mostOperands][]uint32{}, nil
		p.results.Put(r)
	}()
	copy(r.operands[:], operands)
	r.z = z
	r.failed.Store(0)
	if p.engine.device != nil && !p.whole {
		return p.onDevice(ctx, r)
	}
	if p.check {
		r.words = resize(r.words, len(z.words))
	}
	if err := p.engine.run(state{ctx: ctx, op: opProgram, z: z, x: operands[0], program: p, call: r}); err != nil {
		return err
	}
	if i := r.failed.Load(); i != 0 {
		return fmt.Errorf("midint: %w: the result of integer %d is negative or has more than %d bits", field.ErrRange, i-1,
			p.result)
	}
	if p.check {
		copy(z.words, r.words)
	}
	return nil
}

// programRoom is the scratch of a worker.
type programRoom struct {
	values   []uint32
	products []room // one for each length of factors
	x, y, z  []uint32
}

// part computes integers from, …, to − 1 of a call, as long as its context lasts.
func (p *Program) part(s *state, from, to int) {
	m, ok := p.rooms.Get().(*programRoom)
	if !ok {
		m = &programRoom{values: make([]uint32, p.slots*p.block*p.words), products: make([]room, p.forms)}
	}
	defer p.rooms.Put(m)
	for ; from < to; from += p.block {
		n := min(p.block, to-from)
		for i := range p.steps {
			if s.ctx.Err() != nil {
				return
			}
			m.step(p, s.call, &p.steps[i], from, n)
		}
		p.leave(m, s.call, from, n)
	}
}

// at is the values of a place: those of an operand itself, or of a slot.
func (m *programRoom) at(p *Program, r *programRun, place, from, n int) []uint32 {
	if place < p.operands {
		return r.operands[place].span(from, from+n)
	}
	first := (place - p.operands) * p.block * p.words
	return m.values[first : first+n*p.words]
}

func (m *programRoom) step(p *Program, r *programRun, s *step, from, n int) {
	z, x := m.at(p, r, s.z, from, n), m.at(p, r, s.x, from, n)
	if s.op == exprOperand {
		extend(z, x, p.words, p.bits/wordBits)
		return
	}
	y := m.at(p, r, s.y, from, n)
	switch s.op {
	case exprAdd:
		adds(z, x, y, p.words)
	case exprSub:
		subs(z, x, y, p.words)
	default:
		m.product(p, s, z, x, y, n)
	}
}

// product is a low product of all words, or a whole one of factors that are shorter.
func (m *programRoom) product(p *Program, s *step, z, x, y []uint32, n int) {
	if s.factor == 0 {
		a, b, c := batchOver(x, n), batchOver(y, n), batchOver(z, n)
		m.products[s.form].products(&c, &a, &b, 0, n)
		return
	}
	m.x, m.y, m.z = resize(m.x, s.factor*n), resize(m.y, s.factor*n), resize(m.z, 2*s.factor*n)
	extend(m.x, x, s.factor, p.words)
	a := batchOver(m.x, n)
	b := a
	if s.op != exprSqr {
		extend(m.y, y, s.factor, p.words)
		b = batchOver(m.y, n)
	}
	c := batchOver(m.z, n)
	m.products[s.form].products(&c, &a, &b, 0, n)
	extend(z, m.z, p.words, 2*s.factor)
}

// batchOver is n integers of words that are there.
func batchOver(words []uint32, n int) Batch { return Batch{len(words) / n * wordBits, n, words} }

// extend sets integers of so many words to those of x, which have others: cut off, or with zeros above.
func extend(z, x []uint32, to, from int) {
	for i, j := 0, 0; i < len(z); i, j = i+to, j+from {
		clear(z[i+copy(z[i:i+to], x[j:j+from]) : i+to])
	}
}

// leave takes results from the place of the last step. A negative one has its highest bit set.
func (p *Program) leave(m *programRoom, r *programRun, from, n int) {
	v := m.at(p, r, p.steps[len(p.steps)-1].z, from, n)
	each := p.result / wordBits
	to := r.z.words
	if p.check {
		to = r.words
		for i := range n {
			value := v[i*p.words : (i+1)*p.words]
			fits := !p.signed || value[p.words-1]>>(wordBits-1) == 0
			for _, w := range value[each:] {
				fits = fits && w == 0
			}
			if !fits {
				r.failed.CompareAndSwap(0, int64(from+i)+1)
			}
		}
	}
	extend(to[from*each:(from+n)*each], v, each, p.words)
}
