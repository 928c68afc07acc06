package bigprime

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
	field.Planner[E]
	field.RangeChecker[E]
	field.Convolver[E]
	PutBigEndian(b []byte, x *E)
	SetBigEndian(z *E, b []byte) error
}

// Nil and zero arguments and receivers of everything exported.
func TestNils(t *testing.T) {
	open, err := Open(P2().Characteristic())
	require.NoError(t, err)
	f, x := P2(), make([][2]uint64, 2)
	table := nils.Table{
		"New": {nils.Is(field.ErrModulus, func() error { _, err := New[[2]uint64](nil); return err },
			func() error { _, err := New[[2]uint64](new(big.Int)); return err })},
		"Open": {nils.Is(field.ErrModulus, func() error { _, err := Open(nil); return err },
			func() error { _, err := Open(new(big.Int)); return err })},
		"Size": {nils.Is(field.ErrModulus, func() error { _, err := Size(nil); return err },
			func() error { _, err := Size(new(big.Int)); return err })},
		"Preset.Prime": {nils.Quiet(func() { require.Zero(t, Preset{}.Prime().Sign()) })},
		"Presets":      {nils.Quiet(func() { Presets() })},
	}
	for name, f := range map[string]func(){
		"P2": func() { P2() }, "BN254": func() { BN254() }, "BLS12381": func() { BLS12381() },
		"BLS12377": func() { BLS12377() }, "Stark252": func() { Stark252() }, "Pallas": func() { Pallas() },
		"Vesta": func() { Vesta() }, "Secp256k1": func() { Secp256k1() },
	} {
		table[name] = []nils.Case{nils.Quiet(f)}
	}
	for method, call := range map[string]func(f *Field[[2]uint64], z, x, y [][2]uint64){
		"AddVec": (*Field[[2]uint64]).AddVec, "SubVec": (*Field[[2]uint64]).SubVec,
		"MulVec": (*Field[[2]uint64]).MulVec, "MulAddVec": (*Field[[2]uint64]).MulAddVec,
	} {
		table["Field."+method] = []nils.Case{nils.Quiet(func() { call(f, nil, nil, nil) }),
			nils.Panics(func() { call(f, x, nil, x) }, func() { call(f, x, x, nil) }, func() { call(nil, x, x, x) })}
	}
	for method, call := range map[string]func(f *Field[[2]uint64], x, y [][2]uint64, w *[2]uint64){
		"Butterflies": (*Field[[2]uint64]).Butterflies, "ButterfliesT": (*Field[[2]uint64]).ButterfliesT,
	} {
		table["Field."+method] = []nils.Case{nils.Quiet(func() { call(f, nil, nil, &x[0]) }),
			nils.Panics(func() { call(f, x, nil, &x[0]) }, func() { call(f, x, x, nil) },
				func() { call(nil, x, x, &x[0]) })}
	}
	for method, call := range map[string]func(f *Field[[2]uint64], z, x [][2]uint64) error{
		"Montgomery": (*Field[[2]uint64]).Montgomery, "SetMontgomery": (*Field[[2]uint64]).SetMontgomery,
	} {
		table["Field."+method] = []nils.Case{nils.Quiet(func() { require.NoError(t, call(f, nil, nil)) }),
			nils.Is(field.ErrSpec, func() error { return call(new(Field[[2]uint64]), x, x) }),
			nils.Is(field.ErrLength, func() error { return call(f, x, nil) })}
	}
	table["Field.MulMontgomery"] = []nils.Case{nils.Quiet(func() { require.NoError(t, f.MulMontgomery(nil, nil, nil)) }),
		nils.Is(field.ErrSpec, func() error { return new(Field[[2]uint64]).MulMontgomery(x, x, x) }),
		nils.Is(field.ErrLength, func() error { return f.MulMontgomery(x, nil, x) },
			func() error { return f.MulMontgomery(x, x, nil) })}
	maps.Copy(table, methods(t, "Field", f, new(Field[[2]uint64]), (*Field[[2]uint64])(nil)))
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
	refused("Convolution", func(f complete[E]) error { _, err := f.Convolution(8, false, field.Spec{}); return err },
		func() error { _, err := none.Convolution(8, false, field.Spec{}); return err })
	more("Convolution", nils.Is(field.ErrLength, func() error { _, err := f.Convolution(0, false, field.Spec{}); return err }))
	more("ConvolutionCost", nils.Quiet(func() { require.Equal(t, 1., f.ConvolutionCost(0)) }),
		nils.Panics(func() { zero.ConvolutionCost(8) }, func() { none.ConvolutionCost(8) }))
	refused("RootOfUnity", func(f complete[E]) error { return f.RootOfUnity(&z, 2) },
		func() error { return f.RootOfUnity(nil, 2) })
	ctx := context.Background()
	refused("RootOfUnityContext", func(f complete[E]) error { return f.RootOfUnityContext(ctx, &z, 2) },
		func() error { return f.RootOfUnityContext(ctx, nil, 2) },
		func() error { return f.RootOfUnityContext(context.Context(nil), &z, 2) })
	refused("Inv", func(f complete[E]) error { return f.Inv(&z, &one) },
		func() error { return f.Inv(nil, &one) }, func() error { return f.Inv(&z, nil) })
	refused("SetBytes", func(f complete[E]) error { return f.SetBytes(&z, b) },
		func() error { return f.SetBytes(nil, b) })
	refused("SetBigEndian", func(f complete[E]) error { return f.SetBigEndian(&z, b) },
		func() error { return f.SetBigEndian(nil, b) })
	refused("SetText", func(f complete[E]) error { return f.SetText(&z, []byte("1")) },
		func() error { return f.SetText(nil, []byte("1")) })
	refused("SetBig", func(f complete[E]) error { return f.SetBig(&z, new(big.Int)) },
		func() error { return f.SetBig(nil, new(big.Int)) })
	more("RootOfUnity", nils.Is(field.ErrNoRoot, func() error { return f.RootOfUnity(&z, 0) }))
	more("SetBytes", nils.Is(field.ErrLength, func() error { return f.SetBytes(&z, nil) }))
	more("SetBigEndian", nils.Is(field.ErrLength, func() error { return f.SetBigEndian(&z, nil) }))
	more("SetText", nils.Is(field.ErrRange, func() error { return f.SetText(&z, nil) }))
	more("SetBig", nils.Is(field.ErrRange, func() error { return f.SetBig(&z, nil) }))

	more("FirstInvalid", nils.Quiet(func() { require.Equal(t, -1, f.FirstInvalid(nil)) },
		func() { require.Equal(t, -1, f.FirstInvalid([]E{z, one})) }),
		nils.Panics(func() { zero.FirstInvalid([]E{one}) }, func() { none.FirstInvalid([]E{one}) }))
	more("PutBytes", nils.Panics(func() { f.PutBytes(nil, &z) }, func() { f.PutBytes(b, nil) }))
	more("PutBigEndian", nils.Panics(func() { f.PutBigEndian(nil, &z) }, func() { f.PutBigEndian(b, nil) }))
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
	more("Name", nils.Quiet(func() { zero.Name() }), nils.Panics(func() { none.Name() }))
	more("Characteristic", nils.Panics(func() { zero.Characteristic() }, func() { none.Characteristic() }))
	more("Order", nils.Panics(func() { zero.Order() }, func() { none.Order() }))
	more("Size", nils.Panics(func() { zero.Size() }, func() { none.Size() }))
	return table
}
