package midint

import (
	"cmp"
	"context"
	"fmt"
	"math/bits"
	"runtime"
	"sync"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/par"
	"github.com/galfft/fft/kernels/batch"
)

// Option is a parameter of an engine; a bad one is field.ErrSpec. None changes a result.
type Option func(*Engine)

// WithWorkers lets a call run on n goroutines where that pays; 0 stands for runtime.GOMAXPROCS(0). The default is 1:
// the caller's goroutine alone.
func WithWorkers(n int) Option {
	if n == 0 {
		n = runtime.GOMAXPROCS(0)
	}
	return func(e *Engine) { e.loops.Workers = min(n, par.MaxTasks) }
}

// WithRunner sets what runs the workers' tasks; the default, and nil, forks goroutines.
func WithRunner(r field.Runner) Option { return func(e *Engine) { e.loops.Runner = r } }

// Device computes with batches in the place of the processor: package gpu has it, as Device.Integers. Words are in the
// layout of the package, and lengths are right. Compute is x + y, x − y, −x, 6x + 10y, x and x·y, for op from 0 to 5,
// modulo what z has words for; Compare is Cmp. z may be x or y. Where an error is not of the device or the context, z
// is intact.
type Device interface {
	Compute(ctx context.Context, op int, z, x, y []uint32, bits int) error
	Compare(ctx context.Context, dst []int8, x, y []uint32, bits int) error
}

// WithDevice lets all calls but those of Convert run on a device, with copies from the host and back. nil is none,
// which is the default.
func WithDevice(d Device) Option { return func(e *Engine) { e.device = d } }

// Engine computes with batches. It is safe for concurrent use, and its calls allocate nothing once warm.
//
// Every operand of a call has the same number of integers, and the width that the call says, or the error is
// field.ErrLength. The result may be one of the operands where it has their width. Nil arguments, and batches and
// engines that are the zero value, are field.ErrSpec. All that is found before anything is written. Where ctx ends,
// its error is returned: the operands are intact, and the result is, where ctx had ended before the call. The context
// is looked at between integers, or tiles of eight where products go by them, and not in the middle of one.
type Engine struct {
	loops  par.Loops[state]
	rooms  sync.Pool // *room
	device Device
}

// New returns an engine on the processor.
func New(opts ...Option) (*Engine, error) {
	e := &Engine{loops: par.Loops[state]{Workers: 1}}
	for _, o := range opts {
		if o == nil {
			return nil, fmt.Errorf("midint: %w: option nil", field.ErrSpec)
		}
		o(e)
	}
	if e.loops.Workers < 0 {
		return nil, fmt.Errorf("midint: %w: %d workers, want none negative", field.ErrSpec, e.loops.Workers)
	}
	return e, nil
}

// Add sets z to x + y mod 2^n, for integers of n bits.
func (e *Engine) Add(ctx context.Context, z, x, y *Batch) error {
	return e.sums(ctx, opAdd, z, x, y)
}

// Sub sets z to x − y mod 2^n.
func (e *Engine) Sub(ctx context.Context, z, x, y *Batch) error {
	return e.sums(ctx, opSub, z, x, y)
}

// Neg sets z to −x mod 2^n, the two's complement.
func (e *Engine) Neg(ctx context.Context, z, x *Batch) error {
	return e.sums(ctx, opNeg, z, x, x)
}

// SixAdd sets z to 6x + 10y mod 2^n, by six additions.
func (e *Engine) SixAdd(ctx context.Context, z, x, y *Batch) error {
	return e.sums(ctx, opSixAdd, z, x, y)
}

// Cmp sets dst[i] to −1, 0 or 1, where integer i of x is below, equal to or above that of y.
func (e *Engine) Cmp(ctx context.Context, dst []int8, x, y *Batch) error {
	if err := e.check(ctx, x, x, y, x.Bits()); err != nil {
		return err
	}
	if len(dst) != x.n {
		return lengthError("results", x.n, len(dst))
	}
	return e.run(state{ctx: ctx, op: opCmp, x: x, y: y, order: dst})
}

// MulLow sets z to x·y mod 2^n.
func (e *Engine) MulLow(ctx context.Context, z, x, y *Batch) error {
	return e.products(ctx, z, x, y, x.Bits())
}

// MulWide sets z, of 2n bits, to x·y.
func (e *Engine) MulWide(ctx context.Context, z, x, y *Batch) error {
	return e.products(ctx, z, x, y, 2*x.Bits())
}

// Sqr sets z to x²: all of it, where z has 2n bits, and modulo 2^n where z has n.
func (e *Engine) Sqr(ctx context.Context, z, x *Batch) error {
	width := x.Bits()
	if z.Bits() != width {
		width *= 2
	}
	return e.products(ctx, z, x, x, width)
}

// Convert sets z, of any width, to x. An integer that does not fit is field.ErrRange, and z is not changed then.
func (e *Engine) Convert(ctx context.Context, z, x *Batch) error {
	if err := e.check(ctx, z, x, x, z.Bits()); err != nil {
		return err
	}
	if m := z.each(); m < x.each() {
		for i := range x.n {
			if i%glance == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			for _, w := range x.of(i)[m:] {
				if w != 0 {
					return fmt.Errorf("midint: %w: integer %d has more than %d bits", field.ErrRange, i, z.bits)
				}
			}
		}
	}
	return e.run(state{ctx: ctx, op: opConvert, z: z, x: x})
}

// glance is the number of short pieces of work between two looks at a context.
const glance = 1 << 12

func (e *Engine) sums(ctx context.Context, op operation, z, x, y *Batch) error {
	if err := e.check(ctx, z, x, y, x.Bits()); err != nil {
		return err
	}
	return e.run(state{ctx: ctx, op: op, z: z, x: x, y: y})
}

func (e *Engine) products(ctx context.Context, z, x, y *Batch, width int) error {
	if err := e.check(ctx, z, x, y, width); err != nil {
		return err
	}
	return e.run(state{ctx: ctx, op: opMul, z: z, x: x, y: y})
}

// check is what is wrong with a call whose operands x and y have one width, and whose result has another.
func (e *Engine) check(ctx context.Context, z, x, y *Batch, width int) error {
	if e == nil || e.loops.Workers == 0 {
		return fmt.Errorf("midint: %w: the engine is nil or the zero value", field.ErrSpec)
	}
	if ctx == nil {
		return fmt.Errorf("midint: %w: the context is nil", field.ErrSpec)
	}
	if err := cmp.Or(z.made("z"), x.made("x"), y.made("y")); err != nil {
		return err
	}
	if err := cmp.Or(z.sized("z", width, x.n), y.sized("y", x.bits, x.n)); err != nil {
		return err
	}
	return ctx.Err()
}

type operation int

const (
	opAdd operation = iota
	opSub
	opNeg
	opCmp
	opSixAdd
	opConvert
	opMul
	opMulMod
	opExp
	opProgram
)

// deviceOps are the operations of a device.
var deviceOps = [...]int{opAdd: 0, opSub: 1, opNeg: 2, opSixAdd: 3, opMul: 5}

// state is a call.
type state struct {
	ctx     context.Context
	op      operation
	z, x, y *Batch
	order   []int8
	moduli  *Moduli
	ladder  ladder
	program *Program
	call    *programRun
	rooms   *sync.Pool
	block   int // integers between two looks at the context
}

// between is the nanoseconds of work between two looks at a context, where integers are shorter.
const between = 20e3

func (e *Engine) run(s state) error {
	if e.device != nil {
		switch s.op {
		case opMulMod, opExp:
			if d, ok := e.device.(modularDevice); ok && s.x.bits <= d.ModularBits() {
				return s.modular(d)
			}
		case opConvert, opProgram:
		case opCmp:
			return e.device.Compare(s.ctx, s.order, s.x.words, s.y.words, s.x.bits)
		default:
			return e.device.Compute(s.ctx, deviceOps[s.op], s.z.words, s.x.words, s.y.words, s.x.bits)
		}
	}
	ns := cost(s.op, s.x.each())
	s.rooms, s.block = &e.rooms, int(between/ns)+1
	least, factors := 1, s.x.each()
	if s.op == opProgram {
		ns, factors = s.program.ns, s.program.words
	}
	if s.op == opMulMod || s.op == opExp {
		ns *= float64(s.ladder.products())
		s.block = int(between/ns) + 1
	}
	if (s.op == opMul || s.op == opProgram) && productSet(factors) != nil || s.moduli != nil && s.moduli.form != nil {
		least = lanes
		s.block = (s.block + lanes - 1) / lanes * lanes
	}
	p := e.loops.Get()
	p.State = s
	e.loops.Run(p, s.x.n, 1, ns, least, (*state).part)
	e.loops.Put(p)
	return s.ctx.Err()
}

// cost is about the nanoseconds of an operation on integers of m words (BenchmarkOperations).
func cost(op operation, m int) float64 {
	w, set := float64(m), batch.Active()
	switch {
	case op == opSixAdd && set != nil && set.Plus != nil:
		return w / 2
	case op == opSixAdd:
		return 40 + 2*w
	case (op == opAdd || op == opSub) && set != nil && set.Plus != nil:
		return w / 6
	case op < opMul:
		return 2 + w/2
	}
	set = productSet(m)
	switch {
	case set == nil && m < karatsuba:
		return 20 + w*w/6
	case set == nil:
		return w * w / 6 / float64(bits.Len(uint(m/karatsuba))) // less than Karatsuba's, if anything
	case set.Plus == nil: // vectors of half a tile
		return 30 + 2*w + w*w/16/float64(max(1, bits.Len(uint(m/tileKaratsuba))))
	}
	return 6 + w + w*w/40/float64(max(1, bits.Len(uint(m/tileKaratsuba))))
}

// tileKaratsuba is about where tiles have gained by it.
const tileKaratsuba = 256

// karatsuba is about where math/big begins to.
const karatsuba = 80

// part computes integers from, …, to − 1.
func (s *state) part(from, to int) {
	if s.op == opProgram {
		s.program.part(s, from, to)
		return
	}
	r, ok := s.rooms.Get().(*room)
	if !ok {
		r = new(room)
	}
	defer s.rooms.Put(r)
	for ; from < to && s.ctx.Err() == nil; from += s.block {
		end := min(from+s.block, to)
		switch s.op {
		case opAdd:
			adds(s.z.some(from, end), s.x.some(from, end), s.y.some(from, end), s.z.each())
		case opSub:
			subs(s.z.some(from, end), s.x.some(from, end), s.y.some(from, end), s.z.each())
		case opNeg:
			for i := from; i < end; i++ {
				neg(s.z.of(i), s.x.of(i))
			}
		case opCmp:
			for i := from; i < end; i++ {
				s.order[i] = compare(s.x.of(i), s.y.of(i))
			}
		case opSixAdd:
			r.sixAdds(s.z.some(from, end), s.x.some(from, end), s.y.some(from, end), s.z.each())
		case opConvert:
			for i := from; i < end; i++ {
				z := s.z.of(i)
				clear(z[copy(z, s.x.of(i)):])
			}
		case opMul:
			r.products(s.z, s.x, s.y, from, end)
		case opMulMod, opExp:
			r.modular(s, from, end)
		}
	}
}
