package fieldtest

import (
	"context"
	"math/big"
	"math/rand/v2"

	"github.com/galfft/fft/field"
)

// prime is what the sound fields have in common.
type prime[E any] interface {
	field.Rooted[E]
	field.Info
	field.Codec[E]
	field.Sampler[E]
}

// patched is a field whose methods can be replaced one by one.
type patched[E any] struct {
	set, neg       func(z, x *E)
	add, sub, mul  func(z, x, y *E)
	inv            func(z, x *E) error
	one            func(z *E)
	eq             func(x, y *E) bool
	root           func(z *E, n uint64) error
	name           func() string
	characteristic func() *big.Int
	order          func() *big.Int
	size           func() int
	putBytes       func(b []byte, x *E)
	setBytes       func(z *E, b []byte) error
	appendText     func(b []byte, x *E) []byte
	setText        func(z *E, s []byte) error
	setBig         func(z *E, x *big.Int) error
	big            func(z *big.Int, x *E) *big.Int
	random         func(z *E, r *rand.Rand)
}

// patch returns f with the replacements that change makes.
func patch[E any](f prime[E], change func(p *patched[E])) *patched[E] {
	p := &patched[E]{
		f.Set, f.Neg, f.Add, f.Sub, f.Mul, f.Inv, f.One, f.Equal, f.RootOfUnity,
		f.Name, f.Characteristic, f.Order,
		f.Size, f.PutBytes, f.SetBytes, f.AppendText, f.SetText, f.SetBig, f.Big,
		f.Random,
	}
	change(p)
	return p
}

func (p *patched[E]) Set(z, x *E)                      { p.set(z, x) }
func (p *patched[E]) Neg(z, x *E)                      { p.neg(z, x) }
func (p *patched[E]) Add(z, x, y *E)                   { p.add(z, x, y) }
func (p *patched[E]) Sub(z, x, y *E)                   { p.sub(z, x, y) }
func (p *patched[E]) Mul(z, x, y *E)                   { p.mul(z, x, y) }
func (p *patched[E]) Inv(z, x *E) error                { return p.inv(z, x) }
func (p *patched[E]) One(z *E)                         { p.one(z) }
func (p *patched[E]) Equal(x, y *E) bool               { return p.eq(x, y) }
func (p *patched[E]) RootOfUnity(z *E, n uint64) error { return p.root(z, n) }
func (p *patched[E]) Name() string                     { return p.name() }
func (p *patched[E]) Characteristic() *big.Int         { return p.characteristic() }
func (p *patched[E]) Order() *big.Int                  { return p.order() }
func (p *patched[E]) Size() int                        { return p.size() }
func (p *patched[E]) PutBytes(b []byte, x *E)          { p.putBytes(b, x) }
func (p *patched[E]) SetBytes(z *E, b []byte) error    { return p.setBytes(z, b) }
func (p *patched[E]) AppendText(b []byte, x *E) []byte { return p.appendText(b, x) }
func (p *patched[E]) SetText(z *E, s []byte) error     { return p.setText(z, s) }
func (p *patched[E]) SetBig(z *E, x *big.Int) error    { return p.setBig(z, x) }
func (p *patched[E]) Big(z *big.Int, x *E) *big.Int    { return p.big(z, x) }
func (p *patched[E]) Random(z *E, r *rand.Rand)        { p.random(z, r) }

// patchedFast is goldilocks with the interfaces for speed, which can be replaced too.
type patchedFast struct {
	*word
	shiftOrder             func() uint64
	shift                  func(z, x *uint64, s uint64)
	addVec, subVec, mulVec func(z, x, y []uint64)
	mulAddVec              func(z, x, y []uint64)
	plan                   func(d field.Domain[uint64], s field.Spec) (field.Transform[uint64], error)
}

func patchFast(change func(p *patchedFast)) *patchedFast {
	f := goldilocks
	p := &patchedFast{f, f.ShiftOrder, f.Shift, f.AddVec, f.SubVec, f.MulVec, f.MulAddVec, f.Plan}
	change(p)
	return p
}

func (p *patchedFast) ShiftOrder() uint64           { return p.shiftOrder() }
func (p *patchedFast) Shift(z, x *uint64, s uint64) { p.shift(z, x, s) }
func (p *patchedFast) AddVec(z, x, y []uint64)      { p.addVec(z, x, y) }
func (p *patchedFast) SubVec(z, x, y []uint64)      { p.subVec(z, x, y) }
func (p *patchedFast) MulVec(z, x, y []uint64)      { p.mulVec(z, x, y) }
func (p *patchedFast) MulAddVec(z, x, y []uint64)   { p.mulAddVec(z, x, y) }

func (p *patchedFast) Plan(d field.Domain[uint64], s field.Spec) (field.Transform[uint64], error) {
	return p.plan(d, s)
}

// patchedPlan is a sound transform whose directions can be replaced.
type patchedPlan struct {
	*sums
	forward, inverse func(ctx context.Context, dst, src []uint64) error
}

// patchPlan returns a Plan of goldilocks with the replacements that change makes.
func patchPlan(change func(t *patchedPlan)) func(field.Domain[uint64], field.Spec) (field.Transform[uint64], error) {
	return func(d field.Domain[uint64], s field.Spec) (field.Transform[uint64], error) {
		sound := &sums{f: goldilocks, d: d, order: s.Order}
		t := &patchedPlan{sound, sound.Forward, sound.Inverse}
		change(t)
		return t, nil
	}
}

func (t *patchedPlan) Forward(ctx context.Context, dst, src []uint64) error {
	return t.forward(ctx, dst, src)
}

func (t *patchedPlan) Inverse(ctx context.Context, dst, src []uint64) error {
	return t.inverse(ctx, dst, src)
}
