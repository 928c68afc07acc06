package gfpf

import (
	"context"
	"maps"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/nils"
	"github.com/stretchr/testify/require"
)

// complete is what Field and Any have.
type complete[E any] interface {
	field.Rooted[E]
	field.ContextRoots[E]
	field.Checker
	field.Info
	field.Codec[E]
	field.Sampler[E]
	field.Shifter[E]
	field.Planner[E]
	Radix() uint64
}

// Nil and zero arguments and receivers of everything exported.
func TestNils(t *testing.T) {
	open, err := Presets()[2].Open()
	require.NoError(t, err)
	f, x := P3(), make([][8]uint64, 2)
	table := nils.Table{
		"New": {nils.Is(field.ErrModulus, func() error { _, err := New[[2]uint64](0); return err })},
		"Open": {nils.Is(field.ErrModulus, func() error { _, err := Open(0, 0); return err },
			func() error { _, err := Open(0, 2); return err }, func() error { _, err := Open(10, 0); return err })},
		"Preset.Open": {nils.Is(field.ErrModulus, func() error { _, err := Preset{}.Open(); return err })},
		"Presets":     {nils.Quiet(func() { Presets() })},
		"Name":        {nils.Quiet(func() { require.Equal(t, "gfpf:0:0", Name(0, 0)) })},
		"RadixText":   {nils.Quiet(func() { require.Equal(t, "0", RadixText(0)) })},
		"ParseRadix":  {nils.Is(field.ErrModulus, func() error { _, err := ParseRadix(""); return err })},
		"Radices":     {nils.Panics(func() { Radices(0, 0, 0) }), nils.Quiet(func() { Radices(2, 0, 0)(nil) })},
		"Any.FirstInvalid": {nils.Quiet(func() { require.Equal(t, -1, open.FirstInvalid([]Number{nil, {}})) }),
			nils.Panics(func() { new(Any).FirstInvalid([]Number{{1}}) }, func() { (*Any)(nil).FirstInvalid(nil) })},
		"Field.Kronecker": {nils.Is(field.ErrSpec,
			func() error { _, err := f.Kronecker("", nil); return err },
			func() error { _, err := new(Field[[8]uint64]).Kronecker("", bigProduct); return err },
			func() error { _, err := (*Field[[8]uint64])(nil).Kronecker("", bigProduct); return err })},
		"Any.K": {nils.Quiet(func() { new(Any).K() })},
	}
	for name, f := range map[string]func(){
		"P1": func() { P1() }, "P2": func() { P2() }, "P3": func() { P3() }, "P4": func() { P4() },
		"P5": func() { P5() }, "P6": func() { P6() },
		"P7": func() { P7() }, "K4": func() { K4() }, "K8": func() { K8() }, "K16": func() { K16() },
		"K32": func() { K32() },
	} {
		table[name] = []nils.Case{nils.Quiet(f)}
	}
	for method, call := range map[string]func(f *Field[[8]uint64], z, x, y [][8]uint64){
		"AddVec": (*Field[[8]uint64]).AddVec, "SubVec": (*Field[[8]uint64]).SubVec,
		"MulVec": (*Field[[8]uint64]).MulVec, "MulAddVec": (*Field[[8]uint64]).MulAddVec,
	} {
		table["Field."+method] = []nils.Case{nils.Quiet(func() { call(f, nil, nil, nil) }),
			nils.Panics(func() { call(f, x, nil, nil) }, func() { call(nil, x, x, x) })}
	}
	numbers := []Number{{1}}
	for method, call := range map[string]func(f *Any, z, x, y []Number){
		"AddVec": (*Any).AddVec, "SubVec": (*Any).SubVec, "MulVec": (*Any).MulVec, "MulAddVec": (*Any).MulAddVec,
	} {
		table["Any."+method] = []nils.Case{nils.Quiet(func() { call(open, nil, nil, nil) }),
			nils.Panics(func() { call(open, numbers, nil, nil) }, func() { call(nil, numbers, numbers, numbers) })}
	}
	table["Field.FirstInvalid"] = []nils.Case{
		nils.Quiet(func() { require.Equal(t, -1, f.FirstInvalid(nil)) }),
		nils.Panics(func() { new(Field[[8]uint64]).FirstInvalid(x) },
			func() { (*Field[[8]uint64])(nil).FirstInvalid(x) }),
	}
	maps.Copy(table, methods(t, "Field", f, new(Field[[8]uint64]), (*Field[[8]uint64])(nil)))
	maps.Copy(table, methods(t, "Any", open, new(Any), (*Any)(nil)))
	nils.Run(t, table)
}

// methods has the cases of a type with a field f, the zero value and a nil pointer.
func methods[E any](t *testing.T, name string, f, zero, none complete[E]) nils.Table {
	var z, one E
	f.One(&one)
	b, r := make([]byte, f.Size()), rand.New(rand.NewPCG(1, 2))
	table := nils.Table{}
	// refused are the methods that return an error, with their cases for elements that are nil.
	refused := func(method string, call func(f complete[E]) error, elements ...func() error) {
		table[name+"."+method] = []nils.Case{nils.Is(field.ErrSpec, append(elements,
			func() error { return call(zero) })...)}
	}
	more := func(method string, c ...nils.Case) { table[name+"."+method] = append(table[name+"."+method], c...) }
	refused("Check", func(f complete[E]) error { return f.Check() }, func() error { return none.Check() })
	refused("Plan", func(f complete[E]) error { _, err := f.Plan(field.Cyclic[E]{N: 64}, field.Spec{}); return err },
		func() error { _, err := none.Plan(field.Cyclic[E]{}, field.Spec{}); return err })
	refused("RootOfUnity", func(f complete[E]) error { return f.RootOfUnity(&z, 2) },
		func() error { return f.RootOfUnity(nil, 2) })
	ctx, noContext := context.Background(), context.Context(nil)
	refused("RootOfUnityContext", func(f complete[E]) error { return f.RootOfUnityContext(ctx, &z, 2) },
		func() error { return f.RootOfUnityContext(ctx, nil, 2) },
		func() error { return f.RootOfUnityContext(noContext, &z, 2) })
	refused("Inv", func(f complete[E]) error { return f.Inv(&z, &one) },
		func() error { return f.Inv(nil, &one) }, func() error { return f.Inv(&z, nil) })
	refused("SetBytes", func(f complete[E]) error { return f.SetBytes(&z, b) },
		func() error { return f.SetBytes(nil, b) })
	refused("SetText", func(f complete[E]) error { return f.SetText(&z, []byte("1")) },
		func() error { return f.SetText(nil, []byte("1")) })
	refused("SetBig", func(f complete[E]) error { return f.SetBig(&z, new(big.Int)) },
		func() error { return f.SetBig(nil, new(big.Int)) })
	more("RootOfUnity", nils.Is(field.ErrNoRoot, func() error { return f.RootOfUnity(&z, 0) }))
	more("SetBytes", nils.Is(field.ErrLength, func() error { return f.SetBytes(&z, nil) }))
	more("SetText", nils.Is(field.ErrRange, func() error { return f.SetText(&z, nil) }))
	more("SetBig", nils.Is(field.ErrRange, func() error { return f.SetBig(&z, nil) }))

	more("PutBytes", nils.Panics(func() { f.PutBytes(nil, &z) }, func() { f.PutBytes(b, nil) }))
	more("AppendText", nils.Quiet(func() { require.Equal(t, "1", string(f.AppendText(nil, &one))) }),
		nils.Panics(func() { f.AppendText(b, nil) }))
	more("Big", nils.Quiet(func() { require.Equal(t, "1", f.Big(nil, &one).String()) }),
		nils.Panics(func() { f.Big(new(big.Int), nil) }))
	more("Random", nils.Panics(func() { f.Random(&z, nil) }, func() { f.Random(nil, r) },
		func() { none.Random(&z, r) }))
	more("Set", nils.Panics(func() { f.Set(nil, &z) }, func() { f.Set(&z, nil) }))
	more("Add", nils.Panics(func() { f.Add(nil, &z, &z) }, func() { f.Add(&z, nil, &z) },
		func() { none.Add(&z, &z, &z) }))
	more("Sub", nils.Panics(func() { f.Sub(nil, &z, &z) }, func() { f.Sub(&z, nil, &z) },
		func() { none.Sub(&z, &z, &z) }))
	more("Mul", nils.Panics(func() { f.Mul(nil, &z, &z) }, func() { f.Mul(&z, nil, &z) },
		func() { none.Mul(&z, &z, &z) }))
	more("Neg", nils.Panics(func() { f.Neg(nil, &z) }, func() { f.Neg(&z, nil) }, func() { none.Neg(&z, &z) }))
	more("One", nils.Panics(func() { f.One(nil) }))
	more("Equal", nils.Panics(func() { f.Equal(nil, &z) }))
	more("Shift", nils.Panics(func() { f.Shift(nil, &z, 1) }, func() { f.Shift(&z, nil, 1) },
		func() { none.Shift(&z, &z, 1) }))
	more("ShiftOrder", nils.Panics(func() { none.ShiftOrder() }))
	more("Name", nils.Quiet(func() { zero.Name() }), nils.Panics(func() { none.Name() }))
	more("Radix", nils.Quiet(func() { zero.Radix() }), nils.Panics(func() { none.Radix() }))
	more("Characteristic", nils.Panics(func() { zero.Characteristic() }, func() { none.Characteristic() }))
	more("Order", nils.Panics(func() { zero.Order() }, func() { none.Order() }))
	more("Size", nils.Panics(func() { zero.Size() }, func() { none.Size() }))
	return table
}
