package residues

import (
	"context"
	"fmt"
	"math/bits"
	"sync/atomic"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/arith"
	"github.com/galfft/fft/internal/memory"
	"github.com/galfft/fft/internal/par"
	"github.com/galfft/fft/kernels/rns"
)

// Field is what products ask of the field of a prime.
type Field interface {
	field.Rooted[uint64]
	field.Planner[uint64]
	MulVec(z, x, y []uint64)
}

// Source is numbers on the way in.
type Source interface {
	// Residues sets r[i][j] to the residue of number j modulo prime i, from ≤ j < to. Calls for other numbers run
	// beside it.
	Residues(r [][]uint64, from, to int)
}

// Sink is numbers on the way out.
type Sink interface {
	// Combine takes the numbers with residues r[i][j] modulo prime i, from ≤ j < to, and leaves r as it is. Calls for
	// other numbers run beside it. from is a multiple of rns.Block, and rows have whole blocks, of any words below the
	// primes.
	Combine(r [][]uint64, from, to int)
}

// Product is products over the integers of polynomials modulo x^n − 1 or x^n + 1, by transforms modulo each of several
// primes. What coefficients are is known to sources and sinks alone. Its vectors hold residues, a row for each prime.
// It is immutable and safe for concurrent use, and has the methods of a field.Convolution but for Load and Store.
type Product struct {
	primes   []uint64
	n        int
	images   []image
	inside   bool // the workers of a transform share it; otherwise they share the primes
	reverses bool // values stand in bit-reversed order, modulo x^n − 1
	loops    par.Loops[step]
	report   field.Report
}

// image is what belongs to one prime.
type image struct {
	f Field
	t field.Transform[uint64]
}

// step is one step of a product, on several workers.
type step struct {
	p       *Product
	ctx     context.Context
	inverse bool
	z, x, y *Vec
	source  Source
	sink    Sink
	run     int // numbers between two looks at ctx
	failed  atomic.Pointer[error]
}

// Fits is an error where no product of length n with so many primes can be: field.ErrLength where n is no power of two,
// field.ErrMemory, and field.ErrSpec for a bad batch or number of terms. It sets the memory limit of s where it has
// none.
func Fits(n, primes int, s *field.Spec) error {
	if n < 1 || n&(n-1) != 0 {
		return fmt.Errorf("fft: %w: convolution of length %d, want a power of two", field.ErrLength, n)
	}
	if _, _, err := s.Batch.Layout(n); err != nil {
		return err
	}
	if s.Terms < 0 {
		return fmt.Errorf("fft: %w: %d terms of a factor, want at least 0", field.ErrSpec, s.Terms)
	}
	if s.MemoryLimit == 0 {
		s.MemoryLimit = memory.Limit()
	}
	// Each prime has tables of two words for an element.
	if uint64(n) > mostRoots/2 || uint64(n) > uint64(s.MemoryLimit)/uint64(16*primes) {
		return tooLarge(n, primes)
	}
	return nil
}

func tooLarge(n, primes int) error {
	return fmt.Errorf("fft: %w: products of length %d through %d other primes", field.ErrMemory, n, primes)
}

// NewProduct returns that of length n, a power of two for which Fits is nil, whose primes are those of Primes. Of the
// parameters, Order, Batch, Progress and NoPlanner have no effect. With several workers, tasks are parts of a transform
// where it is long, and primes elsewhere. The memory of sources and sinks is no part of the report.
func NewProduct(primes []uint64, n int, negacyclic bool, s field.Spec, fields func(q uint64) (Field, error)) (*Product,
	error) {
	p := &Product{primes: primes, n: n, images: make([]image, len(primes))}
	workers := max(1, min(s.Workers, par.MaxTasks))
	p.loops.Workers, p.loops.Grain = workers, s.Grain
	if s.Runner != nil {
		p.loops.Runner = s.Runner
	}
	checked := !s.Unchecked
	s.Unchecked, s.NoPlanner = true, false
	s.Order, s.Batch, s.Progress = field.Scheme, field.Batch{}, nil
	domain := field.NewCyclic[uint64]
	if negacyclic {
		domain = field.NewNegacyclic[uint64]
	}
	p.reverses = !negacyclic
	tables, scratch := 0, par.Bytes(workers)
	for i, q := range primes {
		f, err := fields(q)
		if err != nil {
			return nil, err
		}
		d, err := domain(f, n)
		if err != nil {
			return nil, err
		}
		t, err := f.Plan(d, s)
		if err != nil {
			return nil, err
		}
		r := t.Report()
		if i == 0 {
			p.report = r
			if p.inside = r.Workers == workers; !p.inside {
				s.Workers = 1
			}
		}
		p.reverses = p.reverses && r.Order == field.BitReversed
		tables, scratch = tables+r.Tables, scratch+r.Scratch
		if s.MemoryLimit -= r.Tables + r.Scratch; s.MemoryLimit <= 0 {
			return nil, tooLarge(n, len(primes))
		}
		p.images[i] = image{f, t}
	}
	p.report.Tables, p.report.Scratch, p.report.Checked = tables, scratch, checked
	p.report.Vector = 8 * len(primes) * p.stride()
	p.report.Form = fmt.Sprintf("products of integers modulo %d primes of %d bits; %s", len(primes),
		bits.Len64(primes[0]), p.report.Form)
	return p, nil
}

// Report is that of the first transform, with the tables and scratch of all.
func (p *Product) Report() field.Report { return p.report }

// row is the length of the rows of a vector, which have whole blocks.
func (p *Product) row() int { return (p.n + rns.Block - 1) / rns.Block * rns.Block }

// stride is the distance of rows: a line more, so that they are in different sets of the caches.
func (p *Product) stride() int { return p.row() + 8 }

// Vec is a vector: a row of residues for each prime.
type Vec struct {
	of   *Product // nil: it is closed
	rows [][]uint64
	n    int
}

// Len is the number of coefficients.
func (v *Vec) Len() int { return v.n }

// Close ends v.
func (v *Vec) Close() error {
	if v.of == nil {
		return fmt.Errorf("fft: %w: it is closed", field.ErrVec)
	}
	v.of, v.rows = nil, nil
	return nil
}

// NewVec returns a vector of zeros.
func (p *Product) NewVec() (field.Vec, error) {
	k, stride := len(p.images), p.stride()
	all := arith.Aligned(k * stride)
	v := &Vec{p, make([][]uint64, k), p.n}
	for i := range v.rows {
		v.rows[i] = all[i*stride:][:p.row()]
	}
	return v, nil
}

// vec returns the vector that x is, for a slice of n elements.
func (p *Product) vec(x field.Vec, what string, n int) (*Vec, error) {
	v, ok := x.(*Vec)
	if !ok || v == nil || v.of != p {
		return nil, fmt.Errorf("fft: %w: it was not made by this convolution's NewVec", field.ErrVec)
	}
	if n > p.n {
		return nil, &field.LengthError{What: what, Want: p.n, Got: n}
	}
	return v, nil
}

// least is how many numbers a worker moves at a time at least.
const least = 8 * rns.Block

// run is how many numbers, which take so many nanoseconds each, are moved between two looks at a context.
func run(ns float64) int {
	const runNs = 1e5
	return least * max(1, int(runNs/(least*ns)))
}

// Load sets x to the first n numbers, and zeros, unless ctx ends on the way. Each takes about so many nanoseconds.
func (p *Product) Load(ctx context.Context, x field.Vec, numbers Source, n int, ns float64) error {
	v, err := p.vec(x, "src", n)
	if err != nil {
		return err
	}
	for _, r := range v.rows {
		clear(r[n:])
	}
	l := p.loops.Get()
	s := &l.State
	s.ctx, s.x, s.source, s.run = ctx, v, numbers, run(ns)
	p.loops.Run(l, n, 1, ns, least, func(s *step, from, to int) {
		for ; from < to && s.ctx.Err() == nil; from += s.run {
			s.source.Residues(s.x.rows, from, min(from+s.run, to))
		}
	})
	p.loops.Put(l)
	return ended(ctx)
}

// ended is the error of a context that has ended.
func ended(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("fft: transform stopped: %w", err)
	}
	return nil
}

// Store passes the first n numbers of x on to numbers, each of which takes about so many nanoseconds, unless ctx ends
// on the way.
func (p *Product) Store(ctx context.Context, numbers Sink, x field.Vec, n int, ns float64) error {
	v, err := p.vec(x, "dst", n)
	if err != nil {
		return err
	}
	l := p.loops.Get()
	s := &l.State
	s.ctx, s.x, s.sink, s.run = ctx, v, numbers, run(ns)
	p.loops.Run(l, n, 1, ns, least, func(s *step, from, to int) {
		for ; from < to && s.ctx.Err() == nil; from += s.run {
			s.sink.Combine(s.x.rows, from, min(from+s.run, to))
		}
	})
	p.loops.Put(l)
	return ended(ctx)
}

// ForwardVec sets x to its values.
func (p *Product) ForwardVec(ctx context.Context, x field.Vec) error {
	return p.transform(ctx, x, false)
}

// InverseVec sets x to the coefficients of its values.
func (p *Product) InverseVec(ctx context.Context, x field.Vec) error {
	return p.transform(ctx, x, true)
}

func (p *Product) transform(ctx context.Context, x field.Vec, inverse bool) error {
	v, err := p.vec(x, "", 0)
	if err != nil {
		return err
	}
	l := p.loops.Get()
	s := &l.State
	s.p, s.ctx, s.x, s.inverse = p, ctx, v, inverse
	if p.inside {
		s.transforms(0, len(p.images))
	} else {
		ns := float64(bits.Len(uint(p.n))) / 8
		p.loops.Run(l, len(p.images), p.n, ns, 1, (*step).transforms)
	}
	if failed := s.failed.Load(); failed != nil {
		err = *failed
	}
	p.loops.Put(l)
	return err
}

// transforms does those of some primes, until one fails.
func (s *step) transforms(from, to int) {
	for i := from; i < to && s.failed.Load() == nil; i++ {
		t, row := s.p.images[i].t, s.x.rows[i][:s.p.n]
		var err error
		if s.inverse {
			err = t.Inverse(s.ctx, row, row)
		} else {
			err = t.Forward(s.ctx, row, row)
		}
		if err != nil {
			failed := err // apart, as it outlives the call
			s.failed.CompareAndSwap(nil, &failed)
		}
	}
}

// MulVec sets z to the products of x and y, value by value.
func (p *Product) MulVec(z, x, y field.Vec) error {
	return p.MulVecContext(context.Background(), z, x, y)
}

// MulVecContext is MulVec, which stops where ctx ends.
func (p *Product) MulVecContext(ctx context.Context, z, x, y field.Vec) error {
	return p.multiply(ctx, z, x, y, (*step).multiply)
}

func (p *Product) multiply(ctx context.Context, z, x, y field.Vec, do func(s *step, from, to int)) error {
	var v [3]*Vec
	for i, w := range []field.Vec{z, x, y} {
		var err error
		if v[i], err = p.vec(w, "", 0); err != nil {
			return err
		}
	}
	l := p.loops.Get()
	s := &l.State
	s.p, s.ctx, s.z, s.x, s.y = p, ctx, v[0], v[1], v[2]
	const ns = 0.6
	p.loops.Run(l, len(p.images)*p.parts(), min(p.n, part), ns, 1, do)
	p.loops.Put(l)
	return ended(ctx)
}

// part is how many words of a row are multiplied at a time.
const part = 1 << 12

// parts is the number of parts of a row.
func (p *Product) parts() int { return (p.n + part - 1) / part }

// multiply does it for some parts of rows.
func (s *step) multiply(from, to int) {
	parts := s.p.parts()
	for ; from < to && s.ctx.Err() == nil; from++ {
		i, at := from/parts, from%parts*part
		end := min(at+part, s.p.n)
		s.p.images[i].f.MulVec(s.z.rows[i][at:end], s.x.rows[i][at:end], s.y.rows[i][at:end])
	}
}
