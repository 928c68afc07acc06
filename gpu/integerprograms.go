package gpu

import (
	"context"
	"fmt"
	"slices"
	"unsafe"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/device"
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
	err := checkSteps(steps, len(operands))
	if err != nil || len(z) == 0 {
		return err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	m := bits / 32
	p := g.planFor(steps, len(operands), m)
	run, err := g.newProgram(p, len(z)/m, m)
	if err != nil {
		return err
	}
	each := aligned(4 * len(z))
	if err := g.grow(&g.values, &g.valueBytes, each*(1+len(operands))+run.bytes()); err != nil {
		return err
	}
	for i, x := range operands {
		at := g.values.At + uint64(each*(1+i))
		run.operands = append(run.operands, at)
		if err := g.d.CopyIn(at, unsafe.Pointer(unsafe.SliceData(x)), 4*len(x)); err != nil {
			return err
		}
	}
	run.z, run.work = g.values.At, g.values.At+uint64(each*(1+len(operands)))
	g.values.Did(run.start(g.values.Queue()))
	if err := g.d.Wait(ctx, g.values); err != nil {
		return err
	}
	return g.d.CopyOut(unsafe.Pointer(unsafe.SliceData(z)), run.z, len(z)*4)
}

// ProgramVec is Program for vectors of NewVec, with no copies of integers from the host and back. z may be an operand.
// It returns when z is there, or begun where z is of a queue. Vectors of others are field.ErrVec, and those of other
// lengths than z field.ErrLength; nothing is written then. Where the device fails z holds anything.
func (g *Integers) ProgramVec(ctx context.Context, steps [][4]int, z field.Vec, operands []field.Vec, bits int) error {
	to, err := g.own(z)
	if err != nil {
		return err
	}
	var at []uint64
	var from []*integerVector
	for _, v := range operands {
		x, err := g.own(v)
		if err == nil {
			err = g.fit(ctx, bits, x.words, to.words)
		}
		if err != nil {
			return err
		}
		from, at = append(from, x), append(at, x.m.At)
	}
	if err := checkSteps(steps, len(operands)); err != nil || to.words == 0 {
		return err
	}
	for _, x := range from {
		to.m.Reads(x.m)
		to.m.NoteFrom(x.m)
	}
	aliased := slices.Contains(from, to)
	m := bits / 32
	g.mu.Lock() // for the table of roots
	defer g.mu.Unlock()
	run, err := g.newProgram(g.planFor(steps, len(operands), m), to.words/m, m)
	if err != nil {
		return err
	}
	run.operands = at
	bytes := run.bytes()
	if aliased {
		bytes += 4 * to.words
	}
	q := to.m.Queue()
	to.m.Did(q.Scratch(bytes, func(at uint64) error {
		run.z, run.work = to.m.At, at
		if aliased { // launches may read what earlier ones would have written
			run.z = at + uint64(run.bytes())
		}
		if err := run.start(q); err != nil || !aliased {
			return err
		}
		return g.run(q.Stream(), integersCopy, to.m.At, run.z, run.z, 0, run.n, m, m)
	}))
	for _, x := range from { // for copies into an operand, that wait for what is done to it alone
		if x != to {
			x.m.Did(nil)
		}
	}
	if to.ahead {
		return to.m.Take()
	}
	return g.d.Wait(ctx, to.m)
}

// Launches is how many launches steps of Program take for integers of so many bits: one where the values fit a block;
// else one for each product and for each sum. It is 0 for nil, and for what Program refuses.
func (g *Integers) Launches(steps [][4]int, bits int) int {
	operands, ok := operandsOf(steps)
	if g == nil || g.d == nil || bits <= 0 || bits%32 != 0 || !ok {
		return 0
	}
	p := g.planFor(steps, operands, bits/32)
	n, m := max(1, len(p.list)), bits/32
	for _, l := range p.list {
		switch {
		case l.op == integersMul && g.productFor(m, m, l.x == l.y) == byPasses:
			n += passLaunches(m, m) - 1
		case isLongSum(l.op, m):
			n++
		}
	}
	return n
}

// ExplainProgram says how steps of Program run for integers of so many bits. It is empty where Launches is 0.
func (g *Integers) ExplainProgram(steps [][4]int, bits int) string {
	launches := g.Launches(steps, bits)
	if launches == 0 {
		return ""
	}
	operands, _ := operandsOf(steps)
	p := g.planFor(steps, operands, bits/32)
	switch _, values := tensorProgramShape(p, bits/32); {
	case len(p.list) > 0:
		return fmt.Sprintf("%d launches, each product and each sum apart", launches)
	case p.kind == byTiles:
		return fmt.Sprintf("1 launches by words, %d values in shared memory", p.values)
	case p.kind == byTensors:
		return fmt.Sprintf("1 launches on tensor cores, %d values in shared memory, %d in memory", values, p.memory)
	default:
		return fmt.Sprintf("1 launches of %d transforms, %d values in memory", p.transforms.transforms,
			p.transforms.values)
	}
}

// programPlan is how a program runs: steps in one launch by words, a program of tensor cores or of transforms in one,
// or else a list of launches.
type programPlan struct {
	steps      [][4]int
	tensors    tensorProgram
	transforms transformProgram
	list       []programLaunch
	operands   int
	values     int // on the way
	memory     int // those of all integers that memory is for
	kind       integerProduct
}

// programLaunch is an operation on places, of which the last is that of the result.
type programLaunch struct{ op, z, x, y int }

// leastPrograms is the words from which a program of transforms takes less time than one of tensor cores.
const leastPrograms = 1633

// planFor is how steps on integers of m words run.
func (g *Integers) planFor(steps [][4]int, operands, m int) programPlan {
	p := programPlan{steps: steps, operands: operands}
	multiplies := false
	for _, s := range steps {
		p.values = max(p.values, s[1]-operands+1)
		multiplies = multiplies || s[0] == integersMul
	}
	_, _, threads := shape(1, m, mostProductThreads)
	p.kind = g.productFor(m, m, false)
	words := !multiplies || p.kind == byTiles || p.kind == byShort || p.kind == byLows
	if m <= threadWords*mostProductThreads && words && programShared(threads, p.values) <= g.d.Info().SharedOptIn {
		p.kind = byTiles
		return p
	}
	if p.kind == byTensors && m < leastPrograms {
		t := flowOf(steps, operands, 1).byTensors(m)
		if shared, _ := tensorProgramShape(t, m); shared <= g.d.Info().SharedOptIn {
			return t
		}
	}
	transforms := p.kind == byTransforms || p.kind == byTensors && m >= leastPrograms
	if multiplies && transforms && g.can(byTransforms, m, false) {
		p.kind, p.transforms = byTransforms, flowOf(steps, operands, len(steps)).transforms()
		return p
	}
	return flowOf(steps, operands, 1).byLaunches()
}

// byLaunches is a plan of a list for a flow whose parts have one product at most.
func (f flow) byLaunches() programPlan {
	return programPlan{operands: f.operands, list: f.launches(), memory: len(f.parts) - 1}
}

// launches is a list for a flow whose parts have one product at most.
func (f flow) launches() (list []programLaunch) {
	for i, part := range f.parts {
		z, sums := f.operands+i, part.sums
		if len(part.products) > 0 {
			xy := part.products[0]
			list = append(list, programLaunch{integersMul, z, xy[0], xy[1]})
		} else { // the leftmost value of a sum is not negated
			j := slices.IndexFunc(sums, func(s flowSum) bool { return !s.negated })
			first := sums[j].value
			sums = slices.Concat(sums[:j], sums[j+1:])
			l := programLaunch{integersCopy, z, first, first}
			if len(sums) > 0 {
				l.op, l.y, sums = sums[0].op(), sums[0].value, sums[1:]
			}
			list = append(list, l)
		}
		for _, s := range sums {
			list = append(list, programLaunch{s.op(), z, z, s.value})
		}
	}
	return list
}

// op is how a value goes into a sum.
func (s flowSum) op() int {
	if s.negated {
		return integersSub
	}
	return integersAdd
}

// programShared is the bytes of shared memory of a block with so many values, which may be too many by the operands.
func programShared(threads, values int) int {
	return warpShares + threads*(8+4*16+4*threadWords*values)
}

// checkSteps is field.ErrSpec for steps that make no sense.
func checkSteps(steps [][4]int, operands int) error {
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
			return fmt.Errorf("gpu: %w: step %d of a program, %v, for %d operands", field.ErrSpec, i, s, operands)
		}
		written[z] = true
	}
	if len(steps) == 0 {
		return fmt.Errorf("gpu: %w: a program without steps", field.ErrSpec)
	}
	return nil
}

// operandsOf is the operands of steps that have all of them below the place of the first result. It is false for steps
// that make no sense.
func operandsOf(steps [][4]int) (operands int, ok bool) {
	for _, s := range steps {
		if operands == 0 || s[1] < operands {
			operands = s[1]
		}
	}
	return operands, checkSteps(steps, operands) == nil
}

// programRun is a program on n integers of m words: z, the operands, and memory that it works in, of which the first
// part is a table, the next values of all integers, and then what blocks have.
type programRun struct {
	g        *Integers
	plan     programPlan
	n, m     int
	z, work  uint64
	operands []uint64

	blocks, each int // of transforms, and the words of scratch of one
}

const programAlign = 256

// newProgram is a run without memory.
func (g *Integers) newProgram(p programPlan, n, m int) (programRun, error) {
	r := programRun{g: g, plan: p, n: n, m: m}
	if p.kind != byTransforms || len(p.list) > 0 {
		return r, nil
	}
	if err := g.needRoots(); err != nil {
		return r, err
	}
	lg := lengthFor(m)
	threads, shared := transformShape(lg, false)
	all, err := g.transforms[lg][2].Fill(threads, shared)
	r.blocks, r.each = min(n, all), (p.transforms.values*m+3)/4*4+p.transforms.slots*3<<lg
	return r, err
}

// aligned is a number of bytes up to the next multiple of programAlign.
func aligned(bytes int) int { return (bytes + programAlign - 1) / programAlign * programAlign }

// head is the bytes of the table: the addresses of operands, and steps.
func (r *programRun) head() int {
	return aligned(8*(r.plan.operands+r.plan.memory) + 16*len(r.plan.steps) + 4*len(r.plan.tensors.words) +
		4*len(r.plan.transforms.words))
}

// bytes is the memory that the run works in.
func (r *programRun) bytes() int {
	work := 0
	for _, l := range r.plan.list {
		work = max(work, r.g.workBytes(l.op, r.n, r.m, r.m, l.x == l.y))
	}
	return r.listed() + work + 4*r.blocks*r.each
}

// listed is the bytes of the table and of the values in memory.
func (r *programRun) listed() int {
	return r.head() + r.plan.memory*aligned(4*r.n*r.m)
}

// start puts the run on a queue.
func (r *programRun) start(q *device.Queue) error {
	p, g := r.plan, r.g
	if len(p.list) > 0 {
		for _, l := range p.list {
			if err := r.launch(q.Stream(), l); err != nil {
				return err
			}
		}
		return nil
	}
	table := slices.Clone(r.operands)
	for i := range p.memory {
		table = append(table, r.at(p.operands+i))
	}
	places := len(table)
	var steps []uint32
	switch p.kind {
	case byTiles:
		for _, s := range p.steps {
			steps = append(steps, uint32(s[0]), uint32(s[1]), uint32(s[2]), uint32(s[3]))
		}
	case byTensors:
		steps = p.tensors.words
	default:
		steps = p.transforms.words
	}
	for i := range steps {
		if i%2 == 0 {
			table = append(table, 0)
		}
		table[len(table)-1] |= uint64(steps[i]) << (32 * (i % 2))
	}
	if err := q.CopyIn(r.work, unsafe.Pointer(unsafe.SliceData(table)), 8*len(table)); err != nil {
		return err
	}
	switch p.kind {
	case byTiles:
		t, grid, threads := shape(r.n, r.m, mostProductThreads)
		return g.d.Launch(q.Stream(), g.program, grid, threads, programShared(threads, p.values), r.z, r.work,
			uint64(p.operands), uint64(len(p.steps)), uint64(r.n), uint64(r.m), uint64(t))
	case byTensors:
		kernel, size, _ := tensorShape(r.m)
		grid := [2]int{(r.n + tensorIntegers - 1) / tensorIntegers, 1}
		shared, values := tensorProgramShape(p, r.m)
		return g.d.Launch(q.Stream(), g.tensors[kernel][1], grid, 32*tensorIntegers, shared, r.z, r.work,
			uint64(2*len(table)), uint64(places), uint64(p.tensors.count), uint64(r.n), uint64(r.m), uint64(values),
			uint64(size))
	}
	lg := lengthFor(r.m)
	threads, shared := transformShape(lg, false)
	return g.d.Launch(q.Stream(), g.transforms[lg][2], [2]int{r.blocks, 1}, threads, shared, r.z, r.work,
		uint64(p.operands), r.work+uint64(8*p.operands), uint64(p.transforms.count), uint64(r.n), uint64(r.m),
		r.work+uint64(r.head()), uint64((p.transforms.values*r.m+3)/4*4), uint64(r.each), g.roots.At)
}

// at is the address of a place of a list.
func (r *programRun) at(place int) uint64 {
	switch i := place - r.plan.operands; {
	case i < 0:
		return r.operands[place]
	case i == r.plan.memory:
		return r.z
	default:
		return r.work + uint64(r.head()+i*aligned(4*r.n*r.m))
	}
}

// launch puts one of a list on a stream.
func (r *programRun) launch(s *device.Stream, l programLaunch) error {
	return r.g.run(s, l.op, r.at(l.z), r.at(l.x), r.at(l.y), r.work+uint64(r.listed()), r.n, r.m, r.m)
}
