package verbs

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/galfft/fft"
	"github.com/galfft/fft/dist"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/gpu"
	"github.com/galfft/fft/poly"
	"github.com/galfft/fft/tune"
)

// typed is elements of type E. Nothing else of the command is compiled for each type, so it holds calls of the library
// alone, and the loops that are measured or most of a check.
type typed[E any] struct {
	f       field.Field[E]
	codec   field.Codec[E]   // nil where f is none
	sampler field.Sampler[E] // nil where f is none
}

func (t *typed[E]) Make(n int) bulks.View          { return bulks.ViewOf(make([]E, n)) }
func (t *typed[E]) At(x bulks.View, i int) element { return &bulks.SliceOf[E](x)[i] }

// Copy goes through Set because E may hold pointers.
func (t *typed[E]) Copy(z, x bulks.View) {
	to := bulks.SliceOf[E](z)
	for i, from := 0, bulks.SliceOf[E](x); i < len(from); i++ {
		t.f.Set(&to[i], &from[i])
	}
}

func (t *typed[E]) Size() int                          { return t.codec.Size() }
func (t *typed[E]) TextBase() int                      { return field.TextBaseOf(t.f) }
func (t *typed[E]) PutBytes(b []byte, x element)       { t.codec.PutBytes(b, x.(*E)) }
func (t *typed[E]) SetBytes(z element, b []byte) error { return t.codec.SetBytes(z.(*E), b) }
func (t *typed[E]) SetText(z element, s []byte) error  { return t.codec.SetText(z.(*E), s) }

// AppendText is for messages too, which need no codec.
func (t *typed[E]) AppendText(b []byte, x element) []byte {
	if t.codec == nil {
		return fmt.Append(b, *x.(*E))
	}
	return t.codec.AppendText(b, x.(*E))
}

func (t *typed[E]) Set(z, x element)               { t.f.Set(z.(*E), x.(*E)) }
func (t *typed[E]) Add(z, x, y element)            { t.f.Add(z.(*E), x.(*E), y.(*E)) }
func (t *typed[E]) Sub(z, x, y element)            { t.f.Sub(z.(*E), x.(*E), y.(*E)) }
func (t *typed[E]) Mul(z, x, y element)            { t.f.Mul(z.(*E), x.(*E), y.(*E)) }
func (t *typed[E]) Inv(z, x element) error         { return t.f.Inv(z.(*E), x.(*E)) }
func (t *typed[E]) One(z element)                  { t.f.One(z.(*E)) }
func (t *typed[E]) Equal(x, y element) bool        { return t.f.Equal(x.(*E), y.(*E)) }
func (t *typed[E]) Pow(z, x element, n uint64)     { field.PowUint(t.f, z.(*E), x.(*E), n) }
func (t *typed[E]) Random(z element, r *rand.Rand) { t.sampler.Random(z.(*E), r) }

func (t *typed[E]) RootOfUnity(z element, n uint64) error {
	return t.f.(field.Rooted[E]).RootOfUnity(z.(*E), n)
}

func (t *typed[E]) ShiftRoot() (element, uint64) {
	g := new(E)
	s, ok := t.f.(field.Shifter[E])
	if !ok {
		return g, 0
	}
	t.f.One(g)
	s.Shift(g, g, 1)
	return g, s.ShiftOrder()
}

func (t *typed[E]) Horner(z element, a bulks.View, x element) {
	v, at, by := z.(*E), bulks.SliceOf[E](a), x.(*E)
	for i := len(at) - 1; i >= 0; i-- {
		t.f.Mul(v, v, by)
		t.f.Add(v, v, &at[i])
	}
}

func (t *typed[E]) Elementwise(op string, z, x, y bulks.View, powers []uint64) func(i, j int) error {
	v, to, a, b := field.VectorsOf(t.f), bulks.SliceOf[E](z), bulks.SliceOf[E](x), bulks.SliceOf[E](y)
	s, _ := t.f.(field.Shifter[E])
	return func(i, j int) error {
		switch op {
		case "add":
			v.AddVec(to[i:j], a[i:j], b[i:j])
		case "sub":
			v.SubVec(to[i:j], a[i:j], b[i:j])
		case "mul":
			v.MulVec(to[i:j], a[i:j], b[i:j])
		default:
			for ; i < j; i++ {
				s.Shift(&to[i], &a[i], powers[i])
			}
		}
		return nil
	}
}

func (t *typed[E]) Products(x, y bulks.View) (run func() error, store func(z bulks.View) error, err error) {
	f, ok := t.f.(interface { // of gpu.DeviceField, which would be compiled for each type here
		NewVec(n int) (fft.Vec, error)
		LoadVec(v fft.Vec, a []E) error
		StoreVec(a []E, v fft.Vec) error
	})
	if !ok {
		return nil, nil, fmt.Errorf("galfft: %w: %T has no vectors on a device", field.ErrSpec, t.f)
	}
	var v [3]fft.Vec
	for i, a := range []bulks.View{x, y, x} {
		if v[i], err = f.NewVec(a.N); err != nil {
			return nil, nil, err
		}
		if err := f.LoadVec(v[i], bulks.SliceOf[E](a)); err != nil {
			return nil, nil, err
		}
	}
	run = func() error { return gpu.MulVec(v[2], v[0], v[1]) }
	return run, func(z bulks.View) error { return f.StoreVec(bulks.SliceOf[E](z), v[2]) }, nil
}

func (t *typed[E]) Multipliers() string {
	if f, ok := t.f.(interface{ Explain() string }); ok { // of gpu.DeviceField, as above
		return f.Explain()
	}
	return ""
}

func (t *typed[E]) Plan(ctx context.Context, n int, opts ...fft.Option) (plan, error) {
	return fft.NewPlanContext(ctx, t.f, n, opts...)
}

func (t *typed[E]) Coset(shift element) fft.Option { return fft.WithCoset(*shift.(*E)) }

func (t *typed[E]) Domain(p plan) (root, shift element) {
	d := p.(*fft.Plan[E]).Domain().(fft.Cyclic[E])
	return &d.Root, &d.Shift
}

func (t *typed[E]) Affine(p plan) (basis bulks.View, shift element, ok bool) {
	d, ok := p.(*fft.Plan[E]).Domain().(fft.Affine[E])
	return bulks.ViewOf(d.Basis), &d.Shift, ok
}

func (t *typed[E]) Subspaces() bool {
	_, ok := t.f.(field.Subspaces[E])
	return ok
}

func (t *typed[E]) Subspace(basis bulks.View) fft.Option {
	return fft.WithSubspace(bulks.SliceOf[E](basis)...)
}

func (t *typed[E]) Point(p plan, z element, j int) { p.(*fft.Plan[E]).Point(z.(*E), j) }

func (t *typed[E]) Transform(p plan, inverse bool, z, x bulks.View) func(ctx context.Context) error {
	of, to, from := p.(*fft.Plan[E]), bulks.SliceOf[E](z), bulks.SliceOf[E](x)
	return func(ctx context.Context) error {
		if inverse {
			return of.InverseContext(ctx, to, from)
		}
		return of.ForwardContext(ctx, to, from)
	}
}

func (t *typed[E]) Spread(ctx context.Context, g dist.Group, n int, x, y bulks.View, opts ...fft.Option) (bool,
	error) {
	p, err := dist.NewPlan(ctx, g, t.f, n, dist.Blocks{}, opts...)
	if err != nil {
		return false, err
	}
	src, dst, want := make([]E, p.Size()), make([]E, p.Size()), make([]E, p.Size())
	equal := func(a, b []E) bool {
		return slices.EqualFunc(a, b, func(x, y E) bool { return t.f.Equal(&x, &y) })
	}
	if err := p.Cut(src, bulks.SliceOf[E](x), p.Coefficients(g.Rank())); err != nil {
		return false, err
	}
	if err := p.Cut(want, bulks.SliceOf[E](y), p.Values(g.Rank())); err != nil {
		return false, err
	}
	if err := p.Forward(ctx, dst, src); err != nil {
		return false, err
	}
	same := equal(dst, want)
	err = p.Inverse(ctx, dst, dst)
	return same && equal(dst, src), err
}

func (t *typed[E]) Part(ctx context.Context, g dist.Group, n int, opts ...fft.Option) (part, error) {
	p, err := dist.NewPlan(ctx, g, t.f, n, dist.Blocks{}, opts...)
	return part{p, func(ctx context.Context, x bulks.View, inverse bool) error {
		s := bulks.SliceOf[E](x)
		if inverse {
			return p.Inverse(ctx, s, s)
		}
		return p.Forward(ctx, s, s)
	}}, err
}

func (t *typed[E]) Load(p plan, v fft.Vec, x bulks.View) error {
	return p.(*fft.Plan[E]).Load(v, bulks.SliceOf[E](x))
}

func (t *typed[E]) Store(p plan, z bulks.View, v fft.Vec) error {
	return p.(*fft.Plan[E]).Store(bulks.SliceOf[E](z), v)
}

func (t *typed[E]) Over(f any) elements {
	return &typed[E]{f: f.(field.Field[E]), codec: t.codec, sampler: t.sampler}
}

func (t *typed[E]) Ring(opts ...fft.Option) (multiplier, error) {
	ring, err := poly.New(t.f, opts...)
	times := func(ctx context.Context, x, y bulks.View, m Modulus) (bulks.View, error) {
		z, a, b := []E(nil), bulks.SliceOf[E](x), bulks.SliceOf[E](y)
		var err error
		switch {
		case m.N == 0:
			z, err = ring.Mul(ctx, a, b)
		case m.Negacyclic:
			z, err = ring.Negacyclic(ctx, a, b, m.N)
		default:
			z, err = ring.Cyclic(ctx, a, b, m.N)
		}
		return bulks.ViewOf(z), err
	}
	return multiplier{times, ring.Products}, err
}

func (t *typed[E]) TuneDevice(ctx context.Context, on func(threads int) (any, error), device string,
	o tune.Options) (*tune.Table, error) {
	with := func(threads int) (field.Field[E], error) {
		f, err := on(threads)
		if err != nil {
			return nil, err
		}
		return f.(field.Field[E]), nil
	}
	part := o
	part.TimeLimit /= 2
	o.TimeLimit -= part.TimeLimit
	threads, err := tune.MeasureThreads(ctx, with, part)
	if err != nil {
		return nil, err
	}
	f, err := with(threads)
	if err != nil {
		return nil, err
	}
	return tune.MeasureDevice(ctx, t.f, f, device, o)
}

func (t *typed[E]) Tune(ctx context.Context, o tune.Options) (*tune.Table, error) {
	return tune.Measure(ctx, t.f, o)
}
