package dist

import (
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"math/bits"
	"strings"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/memory"
	"github.com/galfft/fft/schemes"
)

// Plan is a rank's part of a transform that is spread over a group, in both directions. All ranks make the same calls,
// in the same order, those on one group one at a time; NewVec, Load, Store, MulVec, and what only tells something, are
// a rank's own affair.
//
// Slices have Size elements, the rank's part: Coefficients and Values say which. Beside that, operands are as those of
// fft.Plan. A call has one error, which all ranks return: the worst of theirs. What a rank finds wrong with its
// operands, or has no memory for, all know before anyone writes to a destination. After other errors, of a context or
// of a rank that is not there, destinations are unspecified, as after a context that ends; before the first exchange
// nothing has left a rank. Ranks that share memory may read and write the vectors of each other's calls, but only until
// such a call has returned.
//
// Plans come from NewPlan alone: nil and the zero Plan are none. What returns an error returns ErrSpec for them, and
// the rest zero values.
type Plan[E any] struct {
	f     field.Field[E]
	s     field.Spec
	t     field.Transform[E]
	e     *end
	n     int
	batch field.Batch // of all ranks
	key   uint64

	affine bool
}

// The calls of all ranks, for keys.
const (
	asking uint64 = iota
	making
	forward
	inverse
	forwardVec
	inverseVec
)

// NewPlan plans transforms of length n over f, as fft.NewPlan does, for the ranks of g, all of which call it. What the
// ranks ask for, but for workers and memory, must be the same. The length is a power of two, at least Size², and Size a
// power of two. Batches are dealt out: a rank has its share of Count ≥ Size whole transforms, of any length and on
// groups of any size, which need no exchange.
//
// Over an affine domain values are in natural order; the matrix has Size rows, or more on devices, so that a rank has
// rows of values, which are contiguous. Coefficients for [field.LCH] take the one exchange. The change from powers of x
// takes two more for long vectors, up to two for each bit of N for short ones, and one of N points for N = Size².
// Coefficients(rank) says which coefficients a rank has: they are spread more finely than those for LCH.
//
// Errors are those of fft.NewPlan, the same on all ranks; ErrLength for other lengths; ErrSpec for other sizes, and
// over affine domains for bit-reversed order, and for monomial coefficients on devices; ErrDisagree; and ErrRank.
func NewPlan[E any](ctx context.Context, g Group, f field.Field[E], n int, b Blocks, opts ...fft.Option) (*Plan[E],
	error) {
	if nothing(g) {
		return nil, errGroup
	}
	p := &Plan[E]{f: f, n: n, e: &end{g: g, blocks: b}}
	var d field.Domain[E]
	err := p.e.call(ctx, asking, func() (err error) {
		if d, p.s, err = fft.Parameters(ctx, f, n, opts...); err != nil {
			return err
		}
		if p.batch, _, err = p.s.Batch.Layout(n); err != nil {
			return err
		}
		p.key = fingerprint(f, d, p.s, b)
		return p.check()
	})
	if err != nil {
		return nil, err
	}
	if err := p.e.call(ctx, p.key+making, func() error { return p.make(ctx, d) }); err != nil {
		return nil, err
	}
	return p, p.e.call(ctx, hash(p.key, p.e.form, p.e.n1, p.e.near, p.t.Report().Order), func() error { return nil })
}

// check finds what no group, or not this one, can do.
func (p *Plan[E]) check() error {
	size, n := p.e.g.Size(), p.n
	switch {
	case p.dealt() && p.batch.Count < size:
		return fmt.Errorf("dist: %w: a batch of %d for %d ranks, want at least one for each", field.ErrSpec,
			p.batch.Count, size)
	case p.dealt() || size == 1:
		return nil
	case size&(size-1) != 0:
		return fmt.Errorf("dist: %w: a transform on %d ranks, want a power of two", field.ErrSpec, size)
	case n&(n-1) != 0 || n/size < size:
		return fmt.Errorf("dist: %w: a transform of length %d on %d ranks, want a power of two, at least the square of "+
			"their number", field.ErrLength, n, size)
	}
	return nil
}

// dealt reports whether there are several transforms, and a rank has whole ones.
func (p *Plan[E]) dealt() bool { return p.batch.Count > 1 || p.batch.Columns && p.batch.Stride > 1 }

// share is the transforms of a batch that a rank has.
func (p *Plan[E]) share(rank int) (from, to int) {
	count, size := p.batch.Count, p.e.g.Size()
	at := func(r int) int { return count/size*r + count%size*r/size }
	return at(rank), at(rank + 1)
}

// leastTiles is a multiple of the tiles of all working forms of binary fields.
const leastTiles = 64

func (p *Plan[E]) make(ctx context.Context, d field.Domain[E]) (err error) {
	s := p.s
	s.Context = ctx
	_, p.affine = d.(field.Affine[E])
	switch {
	case p.dealt():
		from, to := p.share(p.e.g.Rank())
		s.Batch.Count = to - from
		if s.Batch.Columns {
			s.Batch.Stride = 0
		}
	case p.e.g.Size() > 1:
		s.Spread = p.e
		least := leastTiles // what two ranks exchange is whole tiles
		if s.Coefficients == field.Monomial {
			least *= 2
		}
		if size := p.e.g.Size(); p.affine && p.n/size/size < least {
			s.NoPlanner = true
		}
	}
	p.t, err = schemes.New(p.f, d, s)
	return err
}

// fingerprint is of all that ranks must ask for alike.
func fingerprint[E any](f field.Field[E], d field.Domain[E], s field.Spec, b Blocks) uint64 {
	var x []any
	x = append(x, fmt.Sprintf("%T", f))
	if i, ok := f.(field.Info); ok {
		x = append(x, i.Name(), i.Order())
	}
	x = append(x, d.Len(), s.Order, s.Coefficients, s.Algorithm, s.Base, s.Batch, b)
	c, coded := f.(field.Codec[E])
	for _, j := range []int{0, 1} {
		var point E
		if d.Point(f, &point, j%d.Len()); coded {
			x = append(x, string(c.AppendText(nil, &point)))
		} else if !memory.HoldsPointers[E]() {
			x = append(x, point)
		}
	}
	return hash(x...)
}

func hash(x ...any) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%v", x)
	return h.Sum64()
}

func (p *Plan[E]) none() bool { return p == nil || p.t == nil }

var errNone = fmt.Errorf("dist: %w: a plan that is nil or zero, want one of NewPlan", field.ErrSpec)

// Len is the length N of one transform.
func (p *Plan[E]) Len() int {
	if p.none() {
		return 0
	}
	return p.n
}

// Size is the length of the slices of this rank.
func (p *Plan[E]) Size() int {
	if p.none() {
		return 0
	}
	return p.Coefficients(p.e.g.Rank()).Len()
}

// Coefficients is the part of the polynomial that a rank has: of the input of Forward and the output of Inverse. Of a
// batch it is the rank's share, with the gaps between its transforms; by columns its own slices have none.
func (p *Plan[E]) Coefficients(rank int) Part {
	switch {
	case p.none() || rank < 0 || rank >= p.e.g.Size():
		return Part{}
	case p.dealt():
		return p.transforms(rank)
	case p.e.g.Size() == 1:
		return Part{0, 1, p.n, p.n}
	}
	return p.columns(rank, p.e.n1, p.e.n2, p.e.blocks.Coefficients)
}

// Values is the part of the values that a rank has, of the whole in the plan's order: of the output of Forward and the
// input of Inverse.
func (p *Plan[E]) Values(rank int) Part {
	if p.none() || p.dealt() || p.e.g.Size() == 1 || rank < 0 || rank >= p.e.g.Size() {
		return p.Coefficients(rank)
	}
	block := p.affine || p.e.blocks.Values || p.t.Report().Order == field.BitReversed
	if p.e.near && !block {
		rank = bulks.Rev(rank, bits.Len(uint(p.e.g.Size()))-1)
	}
	return p.columns(rank, p.e.n2, p.e.n1, block)
}

// columns is those of a rank, of a matrix, or a block of rows.
func (p *Plan[E]) columns(rank, rows, width int, block bool) Part {
	size := p.e.g.Size()
	if block {
		return Part{rank * (p.n / size), 1, p.n / size, p.n / size}
	}
	return Part{rank * (width / size), rows, width / size, width}
}

func (p *Plan[E]) transforms(rank int) Part {
	from, to := p.share(rank)
	b := p.batch
	if b.Columns {
		return Part{from, p.n, to - from, b.Stride}
	}
	length := (to-from-1)*b.Stride + p.n
	return Part{from * b.Stride, 1, length, length}
}

// Forward sets dst to this rank's part of the values of the polynomial of which src is its part. dst may be src.
func (p *Plan[E]) Forward(ctx context.Context, dst, src []E) error {
	if p.none() {
		return errNone
	}
	return p.e.call(ctx, p.key+forward, func() error { return p.t.Forward(ctx, dst, src) })
}

// Inverse undoes Forward.
func (p *Plan[E]) Inverse(ctx context.Context, dst, src []E) error {
	if p.none() {
		return errNone
	}
	return p.e.call(ctx, p.key+inverse, func() error { return p.t.Inverse(ctx, dst, src) })
}

// NewVec makes a vector in working form, zero, of this rank's part.
func (p *Plan[E]) NewVec() (field.Vec, error) {
	if p.none() {
		return nil, errNone
	}
	return p.t.NewVec()
}

// Load sets the first elements of v to a, coefficients or values of this rank's part, and all others to 0.
func (p *Plan[E]) Load(v field.Vec, a []E) error {
	if p.none() {
		return errNone
	}
	return p.t.Load(v, a)
}

// Store sets a to the first elements of v.
func (p *Plan[E]) Store(a []E, v field.Vec) error {
	if p.none() {
		return errNone
	}
	return p.t.Store(a, v)
}

// ForwardVec transforms v in place. Values are by rows, which are contiguous: in bit-reversed order, and over an affine
// domain in natural order.
func (p *Plan[E]) ForwardVec(ctx context.Context, v field.Vec) error {
	if p.none() {
		return errNone
	}
	return p.e.call(ctx, p.key+forwardVec, func() error { return p.t.ForwardVec(ctx, v) })
}

// InverseVec undoes ForwardVec.
func (p *Plan[E]) InverseVec(ctx context.Context, v field.Vec) error {
	if p.none() {
		return errNone
	}
	return p.e.call(ctx, p.key+inverseVec, func() error { return p.t.InverseVec(ctx, v) })
}

// MulVec sets z to the products of the elements of x and y; z may be x or y. It is this rank's own affair: between
// ForwardVec and InverseVec of all ranks it is the product of polynomials modulo the one that vanishes on the domain.
func (p *Plan[E]) MulVec(z, x, y field.Vec) error {
	if p.none() {
		return errNone
	}
	return p.t.MulVec(z, x, y)
}

// Report says what was chosen for this rank: vectors, tables and scratch are its own.
func (p *Plan[E]) Report() field.Report {
	if p.none() {
		return field.Report{}
	}
	r := p.t.Report()
	r.N = p.n
	return r
}

// Explain writes what was chosen, for people. A nil w is ErrSpec.
func (p *Plan[E]) Explain(w io.Writer) error {
	switch {
	case p.none():
		return errNone
	case w == nil:
		return fmt.Errorf("dist: %w: the writer is nil", field.ErrSpec)
	}
	r, g := p.Report(), p.e.g
	name := fmt.Sprintf("%T", p.f)
	if i, ok := p.f.(field.Info); ok {
		name = i.Name()
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: length %d, %v, %v order, rank %d of %d\n", name, p.n, r.Algorithm, r.Order, g.Rank(), g.Size())
	fmt.Fprintf(&b, "passes   %s\n", strings.Join(r.Passes, "; "))
	if p.dealt() {
		from, to := p.share(g.Rank())
		fmt.Fprintf(&b, "spread   transforms %d to %d of %d, no exchange\n", from, to-1, p.batch.Count)
	} else {
		fmt.Fprintf(&b, "spread   coefficients: %v; values: %v\n", p.Coefficients(g.Rank()), p.Values(g.Rank()))
	}
	if by, ok := g.(fmt.Stringer); ok {
		fmt.Fprintf(&b, "moved by %v\n", by)
	}
	fmt.Fprintf(&b, "form     %s\n", r.Form)
	fmt.Fprintf(&b, "workers  %d of %d\n", r.Workers, max(1, p.s.Workers))
	fmt.Fprintf(&b, "memory   a vector of %d bytes, %d bytes of tables, %d bytes of scratch for each running call\n",
		r.Vector, r.Tables, r.Scratch)
	if r.Ignored != "" {
		fmt.Fprintf(&b, "ignored  %s\n", r.Ignored)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// String is the part in words.
func (p Part) String() string {
	if p.Rows == 1 {
		return fmt.Sprintf("%d elements from %d on", p.Width, p.First)
	}
	return fmt.Sprintf("%d rows of %d elements, %d apart, from %d on", p.Rows, p.Width, p.Stride, p.First)
}
