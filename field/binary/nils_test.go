package binary

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/nils"
	"github.com/stretchr/testify/require"
)

// Nil and zero arguments and receivers of everything exported.
func TestNils(t *testing.T) {
	f, zero, none := must(New[Number](95)), new(Field[Number]), (*Field[Number])(nil)
	g, r := AES(), rand.New(rand.NewPCG(1, 2))
	x, a, b := Number(nil), make([]uint8, 2), make([]byte, 12)
	is := nils.Is
	refused := func(call func(f *Field[Number]) error, elements ...func() error) nils.Case {
		return is(field.ErrSpec, append(elements, func() error { return call(zero) })...)
	}
	vec := func(call func(f *Field[uint8], z, x, y []uint8)) []nils.Case {
		return []nils.Case{nils.Quiet(func() { call(g, nil, nil, nil) }),
			nils.Panics(func() { call(g, a, nil, a) }, func() { call(g, a, a, nil) }, func() { call(nil, a, a, a) })}
	}
	var i *Isomorphism[uint8]
	table := nils.Table{
		"New": {is(field.ErrModulus, func() error { _, err := New[Number](0); return err })},
		"NewModulus": {is(field.ErrModulus, func() error { _, err := NewModulus[Number](nil); return err },
			func() error { _, err := NewModulus[Number](new(big.Int)); return err },
			func() error { _, err := NewModulus[Number](big.NewInt(-0x11B)); return err })},
		"NewTower":       {is(field.ErrModulus, func() error { _, err := NewTower[Number](0); return err })},
		"Size":           {is(field.ErrModulus, func() error { _, err := Size(0); return err })},
		"DefaultModulus": {is(field.ErrModulus, func() error { _, err := DefaultModulus(0); return err })},
		"Irreducible": {nils.Quiet(func() { require.False(t, Irreducible(nil)) },
			func() { require.False(t, Irreducible(new(big.Int))) },
			func() { require.False(t, Irreducible(big.NewInt(-7))) })},
		"Preset.Modulus": {nils.Quiet(func() { require.Zero(t, Preset{}.Modulus().Sign()) })},
		"Presets":        {nils.Quiet(func() { Presets() })},
		"AES":            {nils.Quiet(func() { AES() })},
		"RAID6":          {nils.Quiet(func() { RAID6() })},
		"Leopard16":      {nils.Quiet(func() { Leopard16() })},
		"GHASH":          {nils.Quiet(func() { GHASH() })},
		"POLYVAL":        {nils.Quiet(func() { POLYVAL() })},
		"NewNormal": {is(field.ErrSpec, func() error { _, err := NewNormal[uint8](nil); return err },
			func() error { _, err := NewNormal(new(Field[uint8])); return err })},
		"NewIsomorphism": {is(field.ErrSpec, func() error { _, err := NewIsomorphism(nil, g); return err },
			func() error { _, err := NewIsomorphism(g, nil); return err },
			func() error { _, err := NewIsomorphism(g, new(Field[uint8])); return err })},
		"Isomorphism.Map": {is(field.ErrSpec, func() error { return i.Map(a, a) },
			func() error { return new(Isomorphism[uint8]).Map(a, a) })},
		"Isomorphism.Inverse": {nils.Quiet(func() { require.Nil(t, i.Inverse()) },
			func() { require.Nil(t, new(Isomorphism[uint8]).Inverse()) })},

		"Field.Check": {refused((*Field[Number]).Check, func() error { return none.Check() })},
		"Field.Subspace": {refused(func(f *Field[Number]) error { return f.Subspace(nil) },
			func() error { return none.Subspace(nil) }), is(nil, func() error { return f.Subspace(nil) })},
		"Field.Plan": {nils.Quiet(func() {
			for _, f := range []*Field[uint8]{nil, new(Field[uint8]), g} {
				plan, err := f.Plan(nil, field.Spec{})
				require.NoError(t, err)
				require.Nil(t, plan)
			}
		})},
		"Field.RootOfUnity": {refused(func(f *Field[Number]) error { return f.RootOfUnity(&x, 1) },
			func() error { return f.RootOfUnity(nil, 1) }),
			is(field.ErrNoRoot, func() error { return f.RootOfUnity(&x, 0) })},
		"Field.Inv": {refused(func(f *Field[Number]) error { return f.Inv(&x, &x) },
			func() error { return f.Inv(nil, &x) }, func() error { return f.Inv(&x, nil) })},
		"Field.HalfTrace": {refused(func(f *Field[Number]) error { return f.HalfTrace(&x, &x) },
			func() error { return f.HalfTrace(nil, &x) }, func() error { return f.HalfTrace(&x, nil) })},
		"Field.SetBytes": {refused(func(f *Field[Number]) error { return f.SetBytes(&x, b) },
			func() error { return f.SetBytes(nil, b) }),
			is(field.ErrLength, func() error { return f.SetBytes(&x, nil) })},
		"Field.SetText": {refused(func(f *Field[Number]) error { return f.SetText(&x, b) },
			func() error { return f.SetText(nil, b) }), is(field.ErrRange, func() error { return f.SetText(&x, nil) })},
		"Field.SetBig": {refused(func(f *Field[Number]) error { return f.SetBig(&x, new(big.Int)) },
			func() error { return f.SetBig(nil, new(big.Int)) }),
			is(field.ErrRange, func() error { return f.SetBig(&x, nil) })},
		"Field.SolveQuadratic": {nils.Panics(func() { zero.SolveQuadratic(&x, &x) }, func() { f.SolveQuadratic(&x, nil) },
			func() { none.SolveQuadratic(&x, &x) })},
		"Field.Trace": {nils.Panics(func() { zero.Trace(new(Number)) }, func() { f.Trace(nil) },
			func() { none.Trace(&x) })},
		"Field.Degree": {nils.Panics(func() { zero.Degree() }, func() { none.Degree() })},
		"Field.Order":  {nils.Panics(func() { zero.Order() }, func() { none.Order() })},
		"Field.Size":   {nils.Panics(func() { zero.Size() }, func() { none.Size() })},
		"Field.Modulus": {nils.Quiet(func() { require.Nil(t, zero.Modulus()) }),
			nils.Panics(func() { none.Modulus() })},
		"Field.Name":           {nils.Quiet(func() { zero.Name() }), nils.Panics(func() { none.Name() })},
		"Field.Characteristic": {nils.Quiet(func() { require.Equal(t, int64(2), none.Characteristic().Int64()) })},
		"Field.FirstInvalid": {nils.Quiet(func() { require.Equal(t, -1, f.FirstInvalid(nil)) },
			func() { require.Equal(t, -1, f.FirstInvalid([]Number{nil})) }),
			nils.Panics(func() { none.FirstInvalid([]Number{nil}) })},
		"Field.PutBytes": {nils.Panics(func() { f.PutBytes(nil, &x) }, func() { f.PutBytes(b, nil) })},
		"Field.AppendText": {nils.Quiet(func() { require.Equal(t, "0", string(f.AppendText(nil, &x))) }),
			nils.Panics(func() { f.AppendText(b, nil) })},
		"Field.Big": {nils.Quiet(func() { require.Zero(t, f.Big(nil, &x).Sign()) }),
			nils.Panics(func() { f.Big(nil, nil) })},
		"Field.Random": {nils.Panics(func() { f.Random(&x, nil) }, func() { f.Random(nil, r) },
			func() { none.Random(&x, r) })},
		"Field.Set": {nils.Panics(func() { f.Set(nil, &x) }, func() { f.Set(&x, nil) })},
		"Field.Add": {nils.Panics(func() { f.Add(nil, &x, &x) }, func() { f.Add(&x, nil, &x) },
			func() { none.Add(&x, &x, &x) })},
		"Field.Sub": {nils.Panics(func() { f.Sub(nil, &x, &x) }, func() { f.Sub(&x, nil, &x) },
			func() { none.Sub(&x, &x, &x) })},
		"Field.Mul": {nils.Panics(func() { f.Mul(nil, &x, &x) }, func() { f.Mul(&x, nil, &x) },
			func() { zero.Mul(&x, &x, &x) }, func() { none.Mul(&x, &x, &x) })},
		"Field.Square": {nils.Panics(func() { f.Square(nil, &x) }, func() { f.Square(&x, nil) },
			func() { none.Square(&x, &x) })},
		"Field.Neg":       {nils.Panics(func() { f.Neg(nil, &x) }, func() { f.Neg(&x, nil) }, func() { none.Neg(&x, &x) })},
		"Field.One":       {nils.Panics(func() { f.One(nil) }, func() { none.One(&x) })},
		"Field.Equal":     {nils.Panics(func() { f.Equal(nil, &x) }, func() { none.Equal(&x, &x) })},
		"Field.AddVec":    vec((*Field[uint8]).AddVec),
		"Field.SubVec":    vec((*Field[uint8]).SubVec),
		"Field.MulVec":    vec((*Field[uint8]).MulVec),
		"Field.MulAddVec": vec((*Field[uint8]).MulAddVec),
	}
	var basis *Normal[uint8]
	for name, call := range map[string]func(){
		"Complexity": func() { basis.Complexity() },
		"To":         func() { basis.To(1) },
		"From":       func() { basis.From(1) },
		"Square":     func() { basis.Square(1) },
		"Mul":        func() { basis.Mul(1, 1) },
	} {
		table["Normal."+name] = []nils.Case{nils.Panics(call)}
	}
	nils.Run(t, table)
}

// Presets are irreducible, have their names, and elements as long as their degrees want.
func TestPresets(t *testing.T) {
	for _, p := range Presets() {
		f, err := NewModulus[Number](p.Modulus())
		require.NoError(t, err)
		require.Equal(t, p.Name, f.Name())
	}
	for name, f := range map[string]field.Info{"aes": AES(), "raid6": RAID6(), "leopard16": Leopard16(), "ghash": GHASH(),
		"polyval": POLYVAL()} {
		require.Equal(t, name, f.Name())
	}
	require.Len(t, Presets(), 5)
}
