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
	"github.com/galfft/fft/internal/erased"
)

// views is a plan of elements whose type is hidden: all that a [Plan] does, compiled once for all elements. Its methods
// are those of Plan, for views of slices.
type views struct {
	f     *erased.Field
	d     erased.Domain
	s     field.Spec
	t     *erased.Transform
	e     *end
	n     int
	batch field.Batch // of all ranks
	key   uint64
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

// NewErased is [NewPlan] for fields whose type of elements is hidden, as packages of this module have them.
func NewErased(ctx context.Context, g Group, f *erased.Field, n int, b Blocks, opts ...fft.Option) (*views, error) {
	if nothing(g) {
		return nil, errGroup
	}
	p := &views{f: f, n: n, e: &end{g: g, blocks: b}}
	err := p.e.call(ctx, asking, func() (err error) {
		if p.d, p.s, err = f.Parameters(ctx, n, opts...); err != nil {
			return err
		}
		if p.batch, _, err = p.s.Batch.Layout(n); err != nil {
			return err
		}
		p.key = p.fingerprint()
		return p.check()
	})
	if err != nil {
		return nil, err
	}
	if err := p.e.call(ctx, p.key+making, func() error { return p.make(ctx) }); err != nil {
		return nil, err
	}
	return p, p.e.call(ctx, hash(p.key, p.e.form, p.e.n1, p.e.near, p.t.Report().Order), func() error { return nil })
}

// check finds what no group, or not this one, can do.
func (p *views) check() error {
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
func (p *views) dealt() bool { return p.batch.Count > 1 || p.batch.Columns && p.batch.Stride > 1 }

// share is the transforms of a batch that a rank has.
func (p *views) share(rank int) (from, to int) {
	count, size := p.batch.Count, p.e.g.Size()
	at := func(r int) int { return count/size*r + count%size*r/size }
	return at(rank), at(rank + 1)
}

// leastTiles is a multiple of the tiles of all working forms of binary fields.
const leastTiles = 64

func (p *views) make(ctx context.Context) (err error) {
	s := p.s
	s.Context = ctx
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
		if size := p.e.g.Size(); p.d.Affine && p.n/size/size < least {
			s.NoPlanner = true
		}
	}
	p.t, err = p.f.Transform(p.d, s)
	return err
}

// fingerprint is of all that ranks must ask for alike.
func (p *views) fingerprint() uint64 {
	var x []any
	f := p.f.Field()
	x = append(x, fmt.Sprintf("%T", f))
	if i, ok := f.(field.Info); ok {
		x = append(x, i.Name(), i.Order())
	}
	x = append(x, p.n, p.s.Order, p.s.Coefficients, p.s.Algorithm, p.s.Base, p.s.Batch, p.e.blocks)
	for _, j := range []int{0, 1} {
		point := p.f.Zero()
		p.d.Point(point, j)
		if key := p.f.Key(point); key != nil {
			x = append(x, key)
		}
	}
	return hash(x...)
}

func hash(x ...any) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%v", x)
	return h.Sum64()
}

func (p *views) none() bool { return p == nil || p.t == nil }

var errNone = fmt.Errorf("dist: %w: a plan that is nil or zero, want one of NewPlan", field.ErrSpec)

func (p *views) Len() int {
	if p.none() {
		return 0
	}
	return p.n
}

func (p *views) Size() int {
	if p.none() {
		return 0
	}
	return p.Coefficients(p.e.g.Rank()).Len()
}

func (p *views) Coefficients(rank int) Part {
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

func (p *views) Values(rank int) Part {
	if p.none() || p.dealt() || p.e.g.Size() == 1 || rank < 0 || rank >= p.e.g.Size() {
		return p.Coefficients(rank)
	}
	block := p.d.Affine || p.e.blocks.Values || p.t.Report().Order == field.BitReversed
	if p.e.near && !block {
		rank = bulks.Rev(rank, bits.Len(uint(p.e.g.Size()))-1)
	}
	return p.columns(rank, p.e.n2, p.e.n1, block)
}

// columns is those of a rank, of a matrix, or a block of rows.
func (p *views) columns(rank, rows, width int, block bool) Part {
	size := p.e.g.Size()
	if block {
		return Part{rank * (p.n / size), 1, p.n / size, p.n / size}
	}
	return Part{rank * (width / size), rows, width / size, width}
}

func (p *views) transforms(rank int) Part {
	from, to := p.share(rank)
	b := p.batch
	if b.Columns {
		return Part{from, p.n, to - from, b.Stride}
	}
	length := (to-from-1)*b.Stride + p.n
	return Part{from * b.Stride, 1, length, length}
}

func (p *views) Forward(ctx context.Context, dst, src bulks.View) error {
	if p.none() {
		return errNone
	}
	return p.e.call(ctx, p.key+forward, func() error { return p.t.Forward(ctx, dst, src) })
}

func (p *views) Inverse(ctx context.Context, dst, src bulks.View) error {
	if p.none() {
		return errNone
	}
	return p.e.call(ctx, p.key+inverse, func() error { return p.t.Inverse(ctx, dst, src) })
}

func (p *views) NewVec() (field.Vec, error) {
	if p.none() {
		return nil, errNone
	}
	return p.t.NewVec()
}

func (p *views) Load(v field.Vec, a bulks.View) error {
	if p.none() {
		return errNone
	}
	return p.t.Load(v, a)
}

func (p *views) Store(a bulks.View, v field.Vec) error {
	if p.none() {
		return errNone
	}
	return p.t.Store(a, v)
}

func (p *views) ForwardVec(ctx context.Context, v field.Vec) error {
	if p.none() {
		return errNone
	}
	return p.e.call(ctx, p.key+forwardVec, func() error { return p.t.ForwardVec(ctx, v) })
}

func (p *views) InverseVec(ctx context.Context, v field.Vec) error {
	if p.none() {
		return errNone
	}
	return p.e.call(ctx, p.key+inverseVec, func() error { return p.t.InverseVec(ctx, v) })
}

func (p *views) MulVec(z, x, y field.Vec) error {
	if p.none() {
		return errNone
	}
	return p.t.MulVec(z, x, y)
}

func (p *views) Report() field.Report {
	if p.none() {
		return field.Report{}
	}
	r := p.t.Report()
	r.N = p.n
	return r
}

func (p *views) Explain(w io.Writer) error {
	switch {
	case p.none():
		return errNone
	case w == nil:
		return fmt.Errorf("dist: %w: the writer is nil", field.ErrSpec)
	}
	r, g := p.Report(), p.e.g
	name := fmt.Sprintf("%T", p.f.Field())
	if i, ok := p.f.Field().(field.Info); ok {
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

func (p *views) Cut(dst, whole bulks.View, part Part) error {
	if p.none() {
		return errNone
	}
	if err := part.check(dst.N, whole.N); err != nil {
		return err
	}
	if dst.N > 0 {
		p.f.Move(dst, whole.Slice(part.First, whole.N), bulks.Copy{Rows: part.Rows, Width: part.Width, Dst: part.Width,
			Src: part.Stride})
	}
	return nil
}

func (p *views) Paste(whole, src bulks.View, part Part) error {
	if p.none() {
		return errNone
	}
	if err := part.check(src.N, whole.N); err != nil {
		return err
	}
	if src.N > 0 {
		p.f.Move(whole.Slice(part.First, whole.N), src, bulks.Copy{Rows: part.Rows, Width: part.Width, Dst: part.Stride,
			Src: part.Width})
	}
	return nil
}

func (p *views) Read(dst bulks.View, r io.ReaderAt, offset int64, part Part) error {
	if p.none() {
		return errNone
	}
	if !p.f.Coded() || r == nil {
		return fmt.Errorf("dist: %w: nothing to read elements of %T from, or with", field.ErrSpec, p.f.Field())
	}
	if err := part.check(dst.N, part.end()); err != nil {
		return err
	}
	const most = 1 << 16 // bytes
	size := p.f.Size()
	buf := make([]byte, min(part.Width, max(1, most/size))*size)
	for i := 0; i < dst.N; {
		n := min(part.Width-i%part.Width, len(buf)/size)
		b := buf[:n*size]
		if got, err := r.ReadAt(b, offset+int64(part.Index(i))*int64(size)); got < len(b) {
			return fmt.Errorf("dist: elements from %d on: %w", part.Index(i), err)
		}
		for ; n > 0; n, i, b = n-1, i+1, b[size:] {
			if err := p.f.SetBytes(p.f.At(dst, i), b[:size]); err != nil {
				return fmt.Errorf("dist: element %d: %w", part.Index(i), err)
			}
		}
	}
	return nil
}
