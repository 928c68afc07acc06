// Package late has a call of every exported function with a context. Its test proves that the list is complete, and
// bounds the work between two looks at the context; bench late records the time.
package late

import (
	"bytes"
	"context"
	"io"
	"math/big"
	"slices"

	"github.com/galfft/fft"
	"github.com/galfft/fft/crt"
	"github.com/galfft/fft/dist"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/binary"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/intmul"
	"github.com/galfft/fft/midint"
	"github.com/galfft/fft/poly"
	"github.com/galfft/fft/rs"
	"github.com/galfft/fft/rs/words"
	"github.com/galfft/fft/schemes"
	"github.com/galfft/fft/tune"
)

// Call is a call of an exported function.
type Call struct {
	Name string // as poly.Ring.Mul
	Run  func(ctx context.Context) error
}

// OverField calls all functions over a field, with n points, a power of two, and polynomials of n/2 coefficients.
// Options are for the plans behind them.
func OverField[E any](f field.Rooted[E], n int, opts ...fft.Option) ([]Call, error) {
	m := &maker[E]{f: f, n: n, opts: opts, x: make([]E, 2*n), y: make([]E, 2*n)}
	for i := range m.x {
		f.One(&m.x[i])
	}
	for _, add := range []func() error{m.plans, m.transforms, m.products, m.operands, m.extensions, m.groups} {
		if err := add(); err != nil {
			return nil, err
		}
	}
	return m.calls, nil
}

// maker makes the calls over a field. The elements of x are 1, and those of y are there to be written.
type maker[E any] struct {
	f     field.Rooted[E]
	n     int
	opts  []fft.Option
	x, y  []E
	calls []Call
}

func (m *maker[E]) add(name string, run func(ctx context.Context) error) {
	m.calls = append(m.calls, Call{name, run})
}

func (m *maker[E]) plans() error {
	m.add("fft.NewPlanContext", func(ctx context.Context) error {
		_, err := fft.NewPlanContext(ctx, m.f, m.n, m.opts...)
		return err
	})
	m.add("fft.NewConvolution", func(ctx context.Context) error {
		_, err := fft.NewConvolution(ctx, m.f, m.n, m.opts...)
		return err
	})
	p, err := fft.NewPlan(m.f, m.n, m.opts...)
	if err != nil {
		return err
	}
	v, err := p.NewVec()
	if err != nil {
		return err
	}
	x, y := m.x[:m.n], m.y[:m.n]
	m.add("fft.Plan.ForwardContext", func(ctx context.Context) error { return p.ForwardContext(ctx, y, x) })
	m.add("fft.Plan.InverseContext", func(ctx context.Context) error { return p.InverseContext(ctx, y, x) })
	m.add("fft.Plan.ForwardVec", func(ctx context.Context) error { return p.ForwardVec(ctx, v) })
	m.add("fft.Plan.InverseVec", func(ctx context.Context) error { return p.InverseVec(ctx, v) })
	return nil
}

func (m *maker[E]) transforms() error {
	d := field.Cyclic[E]{N: m.n}
	if err := m.f.RootOfUnity(&d.Root, uint64(m.n)); err != nil {
		return err
	}
	m.f.One(&d.Shift)
	t, err := schemes.New[E](m.f, d, field.Spec{})
	if err != nil {
		return err
	}
	v, err := t.NewVec()
	if err != nil {
		return err
	}
	c, err := fft.NewConvolution(context.Background(), m.f, m.n, m.opts...)
	if err != nil {
		return err
	}
	w, err := c.NewVec()
	if err != nil {
		return err
	}
	x, y := m.x[:m.n], m.y[:m.n]
	m.add("field.Transform.Forward", func(ctx context.Context) error { return t.Forward(ctx, y, x) })
	m.add("field.Transform.Inverse", func(ctx context.Context) error { return t.Inverse(ctx, y, x) })
	m.add("field.Transform.ForwardVec", func(ctx context.Context) error { return t.ForwardVec(ctx, v) })
	m.add("field.Transform.InverseVec", func(ctx context.Context) error { return t.InverseVec(ctx, v) })
	m.add("field.Convolution.ForwardVec", func(ctx context.Context) error { return c.ForwardVec(ctx, w) })
	m.add("field.Convolution.InverseVec", func(ctx context.Context) error { return c.InverseVec(ctx, w) })
	m.add("tune.Measure", func(ctx context.Context) error {
		_, err := tune.Measure(ctx, m.f, tune.Options{Lengths: []int{m.n / 16}, Effort: tune.Estimate, Products: true})
		return err
	})
	m.add("tune.MeasureThreads", func(ctx context.Context) error {
		on := func(int) (field.Field[E], error) { return m.f, nil }
		_, err := tune.MeasureThreads(ctx, on, tune.Options{Lengths: []int{m.n / 16}})
		return err
	})
	m.add("tune.MeasureDevice", func(ctx context.Context) error {
		_, err := tune.MeasureDevice(ctx, m.f, m.f, "a device", tune.Options{Lengths: []int{m.n / 16}})
		return err
	})
	return nil
}

func (m *maker[E]) products() error {
	r, err := poly.New(m.f, m.opts...)
	if err != nil {
		return err
	}
	n, half := m.n, m.n/2
	a, b, sum := m.x[:half], m.x[:half-1], m.y[:n-2]
	fresh := func(name string, f func(ctx context.Context) ([]E, error)) {
		m.add(name, func(ctx context.Context) error { _, err := f(ctx); return err })
	}
	fresh("poly.Ring.Mul", func(ctx context.Context) ([]E, error) { return r.Mul(ctx, a, b) })
	fresh("poly.Ring.Square", func(ctx context.Context) ([]E, error) { return r.Square(ctx, a) })
	fresh("poly.Ring.Middle", func(ctx context.Context) ([]E, error) { return r.Middle(ctx, m.x[:n-1], a) })
	fresh("poly.Ring.Cyclic", func(ctx context.Context) ([]E, error) { return r.Cyclic(ctx, a, b, n) })
	fresh("poly.Ring.Negacyclic", func(ctx context.Context) ([]E, error) { return r.Negacyclic(ctx, a, b, n) })
	fresh("poly.Ring.Evaluate", func(ctx context.Context) ([]E, error) { return r.Evaluate(ctx, a, n) })
	fresh("poly.Ring.Interpolate", func(ctx context.Context) ([]E, error) { return r.Interpolate(ctx, m.x[:n]) })
	m.add("poly.Ring.MulTo", func(ctx context.Context) error { return r.MulTo(ctx, sum, a, b) })
	m.add("poly.Ring.SquareTo", func(ctx context.Context) error { return r.SquareTo(ctx, m.y[:n-1], a) })
	m.add("poly.Ring.MiddleTo", func(ctx context.Context) error { return r.MiddleTo(ctx, m.y[:half], m.x[:n-1], a) })
	m.add("poly.Ring.CyclicTo", func(ctx context.Context) error { return r.CyclicTo(ctx, m.y[:n], a, b) })
	m.add("poly.Ring.NegacyclicTo", func(ctx context.Context) error { return r.NegacyclicTo(ctx, m.y[:n], a, b) })
	m.add("poly.Ring.Products", func(ctx context.Context) error { _, err := r.Products(ctx, half, half); return err })
	m.add("poly.Ring.Explain", func(ctx context.Context) error { return r.Explain(ctx, io.Discard, half, half) })
	return nil
}

func (m *maker[E]) operands() error {
	r, err := poly.New(m.f, m.opts...)
	if err != nil {
		return err
	}
	ctx, a := context.Background(), m.x[:m.n/2]
	x, err := r.Prepare(ctx, a, m.n-1)
	if err != nil {
		return err
	}
	m.add("poly.Ring.Prepare", func(ctx context.Context) error { _, err := r.Prepare(ctx, a, m.n-1); return err })
	m.add("poly.Ring.MulOperand", func(ctx context.Context) error { _, err := r.MulOperand(ctx, a, x); return err })
	m.add("poly.Ring.MulOperands", func(ctx context.Context) error { _, err := r.MulOperands(ctx, x, x); return err })
	m.add("poly.Ring.MulOperandTo", func(ctx context.Context) error { return r.MulOperandTo(ctx, m.y[:m.n-1], a, x) })
	m.add("poly.Ring.MulOperandsTo", func(ctx context.Context) error { return r.MulOperandsTo(ctx, m.y[:m.n-1], x, x) })
	return nil
}

func (m *maker[E]) extensions() error {
	l, err := poly.NewLDE(m.f, m.n/4, 2, 4, &m.x[0], m.opts...)
	if err != nil {
		return err
	}
	m.add("poly.LDE.ExtendTo", func(ctx context.Context) error { return l.ExtendTo(ctx, m.y[:2*m.n], m.x[:m.n]) })
	w, err := words.New(m.f, m.n/4, m.n, &m.x[0], m.opts...)
	if err != nil {
		return err
	}
	missing := make([]bool, m.n)
	missing[0], missing[1] = true, true
	m.add("words.Code.Encode", func(ctx context.Context) error { return w.Encode(ctx, m.y[:m.n]) })
	m.add("words.Code.Verify", func(ctx context.Context) error { _, err := w.Verify(ctx, m.x[:m.n]); return err })
	m.add("words.Code.Reconstruct", func(ctx context.Context) error { return w.Reconstruct(ctx, m.y[:m.n], missing) })
	return nil
}

// groups has the calls on a group of one rank: what the context is looked at for on several is in package dist.
func (m *maker[E]) groups() error {
	ends, err := dist.Local(1)
	if err != nil {
		return err
	}
	make := func(ctx context.Context) (*dist.Plan[E], error) {
		return dist.NewPlan(ctx, ends[0], m.f, m.n, dist.Blocks{}, m.opts...)
	}
	p, err := make(context.Background())
	if err != nil {
		return err
	}
	v, err := p.NewVec()
	if err != nil {
		return err
	}
	x, y := m.x[:m.n], m.y[:m.n]
	m.add("dist.NewPlan", func(ctx context.Context) error { _, err := make(ctx); return err })
	m.add("dist.Plan.Forward", func(ctx context.Context) error { return p.Forward(ctx, y, x) })
	m.add("dist.Plan.Inverse", func(ctx context.Context) error { return p.Inverse(ctx, y, x) })
	m.add("dist.Plan.ForwardVec", func(ctx context.Context) error { return p.ForwardVec(ctx, v) })
	m.add("dist.Plan.InverseVec", func(ctx context.Context) error { return p.InverseVec(ctx, v) })
	return nil
}

// OverRoots calls what searches for roots of unity, in fields that have found none before, each for one search: P7, a
// short one of its kind, and the field of p, of E's size and with roots of order 2^12. There is a look for each digit
// or word of the exponent.
func OverRoots[E bigprime.Words](p *big.Int) ([]Call, error) {
	short, err := gfpf.Open(1<<63+1<<34, 8) // P3, whose own type nothing here needs
	if err != nil {
		return nil, err
	}
	number, err := bigprime.Open(p)
	if err != nil {
		return nil, err
	}
	calls := []Call{
		{"gfpf.Any.RootOfUnityContext", func(ctx context.Context) error {
			return short.RootOfUnityContext(ctx, new(gfpf.Number), 1<<12)
		}},
		{"bigprime.Any.RootOfUnityContext", func(ctx context.Context) error {
			return number.RootOfUnityContext(ctx, new(bigprime.Number), 1<<12)
		}},
	}
	digits, err := overRoots("gfpf", func() (*gfpf.Field[[128]uint64], error) { return gfpf.P7(), nil })
	if err != nil {
		return nil, err
	}
	words, err := overRoots("bigprime", func() (*bigprime.Field[E], error) { return bigprime.New[E](p) })
	return slices.Concat(calls, digits, words), err
}

// rooted has roots of unity that a context stops.
type rooted[E any] interface {
	field.Rooted[E]
	field.ContextRoots[E]
}

// overRoots makes a field for each call.
func overRoots[E any, F rooted[E]](pkg string, open func() (F, error)) ([]Call, error) {
	var fields [4]F
	for i := range fields {
		var err error
		if fields[i], err = open(); err != nil {
			return nil, err
		}
	}
	return []Call{
		{pkg + ".Field.RootOfUnityContext", func(ctx context.Context) error {
			return fields[0].RootOfUnityContext(ctx, new(E), 1<<12)
		}},
		{"fft.NewPlanContext", func(ctx context.Context) error {
			_, err := fft.NewPlanContext(ctx, fields[1], 1<<9)
			return err
		}},
		{"fft.NewConvolution", func(ctx context.Context) error {
			_, err := fft.NewConvolution(ctx, fields[2], 1<<9)
			return err
		}},
		{"poly.Ring.Mul", func(ctx context.Context) error {
			r, err := poly.New(fields[3])
			if err != nil {
				return err
			}
			a := make([]E, 1<<8)
			_, err = r.Mul(ctx, a, a)
			return err
		}},
	}, nil
}

// OverIntegers calls all functions of package crt, with so many primes, and n integers of as many words.
func OverIntegers(primes, n int) ([]Call, error) {
	ctx, bits := context.Background(), 50
	list, err := crt.Primes(ctx, bits, 1, primes)
	if err != nil {
		return nil, err
	}
	s, err := crt.New(ctx, list)
	if err != nil {
		return nil, err
	}
	bound := new(big.Int).Rsh(s.Modulus(), 2)
	a := slices.Repeat([]*big.Int{bound}, n)
	r, err := s.NewResidues(n)
	if err != nil {
		return nil, err
	}
	z, err := s.NewInts(n)
	if err != nil {
		return nil, err
	}
	half := new(big.Int).Rsh(bound, uint(bound.BitLen()/2+16))
	b := slices.Repeat([]*big.Int{half}, n)
	return []Call{
		{"crt.Primes", func(ctx context.Context) error { _, err := crt.Primes(ctx, bits, 1, primes); return err }},
		{"crt.New", func(ctx context.Context) error { _, err := crt.New(ctx, list); return err }},
		{"crt.NewBounded", func(ctx context.Context) error { _, err := crt.NewBounded(ctx, bound, 1); return err }},
		{"crt.System.Residues", func(ctx context.Context) error { return s.Residues(ctx, r, a) }},
		{"crt.System.Garner", func(ctx context.Context) error { return s.Garner(ctx, z, r) }},
		{"crt.System.GarnerSymmetric", func(ctx context.Context) error { return s.GarnerSymmetric(ctx, z, r) }},
		{"crt.Mul", func(ctx context.Context) error { _, err := crt.Mul(ctx, b, b); return err }},
	}, nil
}

// OverBatches calls all functions of package midint, with n integers of so many bits.
func OverBatches(bits, n int) ([]Call, error) {
	e, err := midint.New()
	if err != nil {
		return nil, err
	}
	x, err := midint.NewBatch(bits, n)
	if err != nil {
		return nil, err
	}
	z, err := midint.NewBatch(bits, n)
	if err != nil {
		return nil, err
	}
	wide, err := midint.NewBatch(2*bits, n)
	if err != nil {
		return nil, err
	}
	for i := range x.Words() {
		x.Words()[i] = 1
	}
	order := make([]int8, n)
	odd, err := midint.NewBatch(bits, 1)
	if err != nil {
		return nil, err
	}
	for i := range odd.Words() {
		odd.Words()[i] = 3
	}
	m, err := midint.NewModuli(odd)
	if err != nil {
		return nil, err
	}
	exponents, err := midint.NewBatch(32, 1)
	if err != nil {
		return nil, err
	}
	exponents.Words()[0] = 65537
	p, err := e.Compile(midint.Operand(0).Squared().Plus(midint.Operand(1)), bits, 0)
	if err != nil {
		return nil, err
	}
	return []Call{
		{"midint.Engine.MulMod", func(ctx context.Context) error { return e.MulMod(ctx, z, x, x, m) }},
		{"midint.Engine.Exp", func(ctx context.Context) error { return e.Exp(ctx, z, x, exponents, m) }},
		{"midint.Program.Run", func(ctx context.Context) error { return p.Run(ctx, z, x, x) }},
		{"midint.Engine.Add", func(ctx context.Context) error { return e.Add(ctx, z, x, x) }},
		{"midint.Engine.Sub", func(ctx context.Context) error { return e.Sub(ctx, z, x, x) }},
		{"midint.Engine.Neg", func(ctx context.Context) error { return e.Neg(ctx, z, x) }},
		{"midint.Engine.SixAdd", func(ctx context.Context) error { return e.SixAdd(ctx, z, x, x) }},
		{"midint.Engine.Cmp", func(ctx context.Context) error { return e.Cmp(ctx, order, x, x) }},
		{"midint.Engine.MulLow", func(ctx context.Context) error { return e.MulLow(ctx, z, x, x) }},
		{"midint.Engine.MulWide", func(ctx context.Context) error { return e.MulWide(ctx, wide, x, x) }},
		{"midint.Engine.Sqr", func(ctx context.Context) error { return e.Sqr(ctx, wide, x) }},
		{"midint.Engine.Convert", func(ctx context.Context) error { return e.Convert(ctx, wide, x) }},
	}, nil
}

// OverShards calls all functions of package rs, with k shards of data and as many of parity, of so many bytes.
func OverShards(k, size int) ([]Call, error) {
	p, err := rs.New(k, k, rs.WithCode(rs.Leopard8))
	if err != nil {
		return nil, err
	}
	shards, fresh, wanted := make([][]byte, 2*k), make([][]byte, k), make([]bool, 2*k)
	for i := range shards {
		shards[i], wanted[i] = make([]byte, size), true
	}
	fresh[0] = shards[0]
	added := func(ctx context.Context, i int) (*rs.Incremental, error) {
		e, err := p.Incremental(shards[k:])
		if err != nil {
			return nil, err
		}
		return e, e.Add(ctx, i, shards[0])
	}
	lost := func() [][]byte { return append([][]byte{nil}, shards[1:]...) }
	return []Call{
		{"rs.Plan.Encode", func(ctx context.Context) error { return p.Encode(ctx, shards) }},
		{"rs.Plan.Verify", func(ctx context.Context) error { _, err := p.Verify(ctx, shards); return err }},
		{"rs.Plan.Update", func(ctx context.Context) error { return p.Update(ctx, shards, fresh) }},
		{"rs.Plan.Reconstruct", func(ctx context.Context) error { return p.Reconstruct(ctx, lost()) }},
		{"rs.Plan.ReconstructSome", func(ctx context.Context) error { return p.ReconstructSome(ctx, lost(), wanted) }},
		{"rs.Plan.Locate", func(ctx context.Context) error { _, err := p.Locate(ctx, shards); return err }},
		{"rs.Plan.Repair", func(ctx context.Context) error { _, err := p.Repair(ctx, shards); return err }},
		{"rs.Incremental.Add", func(ctx context.Context) error { _, err := added(ctx, 0); return err }},
		{"rs.Incremental.Finish", func(ctx context.Context) error {
			e, err := added(context.Background(), 0)
			if err != nil {
				return err
			}
			return e.Finish(ctx)
		}},
	}, nil
}

// OverPrefix calls the function of package poly for the first values of a polynomial over GF(2^64), which has n
// coefficients of powers.
func OverPrefix(n, values int) ([]Call, error) {
	f, err := binary.New[uint64](64)
	if err != nil {
		return nil, err
	}
	p, err := poly.NewPrefix(f, n, values)
	if err != nil {
		return nil, err
	}
	x, z := make([]uint64, n), make([]uint64, values)
	for i := range x {
		f.One(&x[i])
	}
	return []Call{{"poly.Prefix.Forward", func(ctx context.Context) error { return p.Forward(ctx, z, x) }}}, nil
}

// OverHuge calls all functions of package intmul, with integers of so many bits.
func OverHuge(bits uint) ([]Call, error) {
	a, err := intmul.New()
	if err != nil {
		return nil, err
	}
	x := new(big.Int).Lsh(big.NewInt(1), bits)
	x.Div(x, big.NewInt(3))
	o, err := a.Prepare(context.Background(), x, int(bits))
	if err != nil {
		return nil, err
	}
	square := new(big.Int).Mul(x, x)
	other := new(big.Int).Lsh(x, bits)
	other.Sqrt(other) // √3·x, so that all quotients of a common divisor are short
	d, err := a.Divisor(context.Background(), x)
	if err != nil {
		return nil, err
	}
	text := x.Append(nil, 10)
	z, r := new(big.Int), new(big.Int)
	two, list := big.NewInt(2), slices.Repeat([]*big.Int{x}, 3)
	words := make([]big.Word, 2*len(x.Bits()))
	var dec intmul.Decimal
	if err := a.ParseDecimal(context.Background(), &dec, text); err != nil {
		return nil, err
	}
	f := new(big.Float).SetInt(x)
	return []Call{
		{"intmul.Arithmetic.MulFloat", func(ctx context.Context) error { return a.MulFloat(ctx, new(big.Float), f, f) }},
		{"intmul.Arithmetic.AddDecimal", func(ctx context.Context) error { return a.AddDecimal(ctx, new(intmul.Decimal), &dec, &dec) }},
		{"intmul.Arithmetic.SubDecimal", func(ctx context.Context) error { return a.SubDecimal(ctx, new(intmul.Decimal), &dec, &dec) }},
		{"intmul.Arithmetic.MulDecimal", func(ctx context.Context) error { return a.MulDecimal(ctx, new(intmul.Decimal), &dec, &dec) }},
		{"intmul.Arithmetic.SqrDecimal", func(ctx context.Context) error { return a.SqrDecimal(ctx, new(intmul.Decimal), &dec) }},
		{"intmul.Arithmetic.ToDecimal", func(ctx context.Context) error { return a.ToDecimal(ctx, new(intmul.Decimal), x) }},
		{"intmul.Arithmetic.FromDecimal", func(ctx context.Context) error { return a.FromDecimal(ctx, z, &dec) }},
		{"intmul.Arithmetic.FormatDecimal", func(ctx context.Context) error { return a.FormatDecimal(ctx, io.Discard, &dec) }},
		{"intmul.Arithmetic.ParseDecimal", func(ctx context.Context) error { return a.ParseDecimal(ctx, new(intmul.Decimal), text) }},
		{"intmul.Arithmetic.Mul", func(ctx context.Context) error { return a.Mul(ctx, z, x, z.Set(x)) }},
		{"intmul.Arithmetic.Sqr", func(ctx context.Context) error { return a.Sqr(ctx, z, x) }},
		{"intmul.Arithmetic.MulWords", func(ctx context.Context) error { return a.MulWords(ctx, words, x.Bits(), x.Bits()) }},
		{"intmul.Arithmetic.Prepare", func(ctx context.Context) error {
			_, err := a.Prepare(ctx, x, int(bits))
			return err
		}},
		{"intmul.Arithmetic.MulOperand", func(ctx context.Context) error { return a.MulOperand(ctx, z, x, o) }},
		{"intmul.Arithmetic.MulAdd", func(ctx context.Context) error { return a.MulAdd(ctx, z, list, list) }},
		{"intmul.Arithmetic.MulLow", func(ctx context.Context) error { return a.MulLow(ctx, z, x, x, int(bits)) }},
		{"intmul.Arithmetic.MulMiddle", func(ctx context.Context) error { return a.MulMiddle(ctx, z, x, x, 1, int(bits)) }},
		{"intmul.Arithmetic.QuoRem", func(ctx context.Context) error { return a.QuoRem(ctx, z, r, square, x) }},
		{"intmul.Arithmetic.DivExact", func(ctx context.Context) error { return a.DivExact(ctx, z, square, x) }},
		{"intmul.Arithmetic.Divisor", func(ctx context.Context) error { _, err := a.Divisor(ctx, square); return err }},
		{"intmul.Divisor.QuoRem", func(ctx context.Context) error { return d.QuoRem(ctx, z, r, square) }},
		{"intmul.Arithmetic.GCD", func(ctx context.Context) error { return a.GCD(ctx, z, x, other) }},
		{"intmul.Arithmetic.Sqrt", func(ctx context.Context) error { return a.Sqrt(ctx, z, square) }},
		{"intmul.Arithmetic.SqrtRem", func(ctx context.Context) error { return a.SqrtRem(ctx, z, r, square) }},
		{"intmul.Arithmetic.Exp", func(ctx context.Context) error { return a.Exp(ctx, z, x, two, nil) }},
		{"intmul.Arithmetic.Product", func(ctx context.Context) error { return a.Product(ctx, z, list) }},
		{"intmul.Arithmetic.MulRange", func(ctx context.Context) error { return a.MulRange(ctx, z, 1, 1<<14) }},
		{"intmul.Arithmetic.Append", func(ctx context.Context) error { _, err := a.Append(ctx, nil, x, 10); return err }},
		{"intmul.Arithmetic.Format", func(ctx context.Context) error { return a.Format(ctx, io.Discard, x, 10) }},
		{"intmul.Arithmetic.Parse", func(ctx context.Context) error { return a.Parse(ctx, z, text, 10) }},
		{"intmul.Arithmetic.Scan", func(ctx context.Context) error {
			return a.Scan(ctx, bytes.NewReader(text), z, 10, int64(len(text)))
		}},
	}, nil
}
