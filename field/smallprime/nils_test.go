package smallprime

import (
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/nils"
	"github.com/stretchr/testify/require"
)

// complete is everything that Field32, Field64, MontgomeryField and GoldilocksField have.
type complete[W word] interface {
	field.Rooted[W]
	field.Checker
	field.Info
	field.Codec[W]
	field.Sampler[W]
	field.Vectors[W]
	field.Planner[W]
	field.Convolver[W]
	field.RangeChecker[W]
	Modulus() W
}

// Nil and zero arguments and receivers of everything exported.
func TestNils(t *testing.T) {
	table := nils.Table{
		"New32":      {nils.Is(field.ErrModulus, func() error { _, err := New32(0); return err })},
		"Montgomery": {nils.Is(field.ErrModulus, func() error { _, err := Montgomery(0); return err })},
		"New64":      {nils.Is(field.ErrModulus, func() error { _, err := New64(0); return err })},
		"Primes": {nils.Is(field.ErrRange,
			func() error { _, err := Primes(0, 1); return err },
			func() error { _, err := Primes(8, 0); return err })},
		"Presets":                    {nils.Quiet(func() { Presets() })},
		"GoldilocksField.ShiftOrder": {nils.Quiet(func() { new(GoldilocksField).ShiftOrder() })},
		"GoldilocksField.Shift":      {nils.Panics(func() { Goldilocks().Shift(nil, nil, 1) })},
	}
	for name, f := range map[string]func(){
		"Goldilocks": func() { Goldilocks() }, "BabyBear": func() { BabyBear() }, "KoalaBear": func() { KoalaBear() },
		"Mersenne31": func() { Mersenne31() },
		"P998244353": func() { P998244353() }, "Covanov": func() { Covanov() }, "P1": func() { P1() },
		"P30": func() { P30() }, "P32": func() { P32() }, "P50": func() { P50() },
		"P62": func() { P62() }, "P63": func() { P63() }, "P64": func() { P64() },
	} {
		table[name] = []nils.Case{nils.Quiet(f)}
	}
	maps.Copy(table, methods(t, "Field32", BabyBear(), new(Field32), (*Field32)(nil)))
	maps.Copy(table, methods(t, "Field64", P62(), new(Field64), (*Field64)(nil)))
	montgomery, err := Montgomery(P62().Modulus())
	require.NoError(t, err)
	maps.Copy(table, methods(t, "MontgomeryField", montgomery, new(MontgomeryField), (*MontgomeryField)(nil)))
	maps.Copy(table, methods(t, "GoldilocksField", Goldilocks(), new(GoldilocksField), (*GoldilocksField)(nil)))
	nils.Run(t, table)
}

// methods has the cases of a type with a field f, the zero value and a nil pointer.
func methods[W word](t *testing.T, name string, f, zero, none complete[W]) nils.Table {
	var z W
	b, r := make([]byte, f.Size()), rand.New(rand.NewPCG(1, 2))
	x, d := []W{1, 2, 3, 4}, field.Cyclic[W]{N: 4}
	table := nils.Table{}
	// refused are the methods that return an error, with their cases for elements that are nil.
	refused := func(method string, call func(f complete[W]) error, elements ...func() error) {
		cases := []nils.Case{nils.Is(field.ErrSpec, append(elements, func() error { return call(zero) })...)}
		if method != "Check" && method != "Plan" { // promoted from a nil pointer, or not
			cases = append(cases, nils.Panics(func() { _ = call(none) }))
		}
		table[name+"."+method] = cases
	}
	refused("Check", func(f complete[W]) error { return f.Check() })
	refused("Plan", func(f complete[W]) error { _, err := f.Plan(d, field.Spec{}); return err })
	refused("Convolution", func(f complete[W]) error { _, err := f.Convolution(4, false, field.Spec{}); return err })
	refused("RootOfUnity", func(f complete[W]) error { return f.RootOfUnity(&z, 2) },
		func() error { return f.RootOfUnity(nil, 2) })
	refused("Inv", func(f complete[W]) error { return f.Inv(&z, &x[0]) },
		func() error { return f.Inv(nil, &x[0]) }, func() error { return f.Inv(&z, nil) })
	refused("SetBytes", func(f complete[W]) error { return f.SetBytes(&z, b) },
		func() error { return f.SetBytes(nil, b) })
	refused("SetText", func(f complete[W]) error { return f.SetText(&z, []byte("1")) },
		func() error { return f.SetText(nil, []byte("1")) })
	refused("SetBig", func(f complete[W]) error { return f.SetBig(&z, new(big.Int)) },
		func() error { return f.SetBig(nil, new(big.Int)) })
	more := func(method string, c ...nils.Case) { table[name+"."+method] = append(table[name+"."+method], c...) }
	more("RootOfUnity", nils.Is(field.ErrNoRoot, func() error { return f.RootOfUnity(&z, 0) }))
	more("Convolution", nils.Is(field.ErrLength, func() error {
		_, err := f.Convolution(0, false,
			field.Spec{})
		return err
	}))
	more("ConvolutionCost", nils.Quiet(func() { require.Equal(t, 3., f.ConvolutionCost(0)) }),
		nils.Panics(func() { none.ConvolutionCost(8) }))
	more("FirstInvalid", nils.Quiet(func() { require.Equal(t, -1, f.FirstInvalid(nil)) }),
		nils.Panics(func() { none.FirstInvalid(x) }))
	more("Plan", nils.Is(field.ErrLength, func() error {
		_, err := f.Plan(field.Cyclic[W]{},
			field.Spec{})
		return err
	}))
	more("SetBytes", nils.Is(field.ErrLength, func() error { return f.SetBytes(&z, nil) }))
	more("SetText", nils.Is(field.ErrRange, func() error { return f.SetText(&z, nil) }))
	more("SetBig", nils.Is(field.ErrRange, func() error { return f.SetBig(&z, nil) }))

	more("PutBytes", nils.Panics(func() { f.PutBytes(nil, &z) }, func() { f.PutBytes(b, nil) }))
	more("AppendText", nils.Quiet(func() { require.Equal(t, "1", string(f.AppendText(nil, &x[0]))) }),
		nils.Panics(func() { f.AppendText(b, nil) }))
	more("Big", nils.Quiet(func() { require.Equal(t, "3", f.Big(nil, &x[2]).String()) }),
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
	for method, call := range map[string]func(f complete[W], z, x, y []W){
		"AddVec": complete[W].AddVec, "SubVec": complete[W].SubVec, "MulVec": complete[W].MulVec,
		"MulAddVec": complete[W].MulAddVec,
	} {
		more(method, nils.Quiet(func() { call(f, nil, nil, nil) }),
			nils.Panics(func() { call(f, slices.Clone(x), nil, nil) }, func() { call(none, x, x, x) }))
	}
	more("Name", nils.Quiet(func() { zero.Name() }), nils.Panics(func() { none.Name() }))
	more("Characteristic", nils.Quiet(func() { zero.Characteristic() }), nils.Panics(func() { none.Characteristic() }))
	more("Order", nils.Quiet(func() { zero.Order() }), nils.Panics(func() { none.Order() }))
	more("Size", nils.Quiet(func() { zero.Size() }), nils.Panics(func() { none.Size() }))
	more("Modulus", nils.Quiet(func() { zero.Modulus() }), nils.Panics(func() { none.Modulus() }))
	return table
}
