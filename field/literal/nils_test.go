package literal

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/internal/nils"
	"github.com/stretchr/testify/require"
)

// Nil and zero arguments and receivers of everything exported.
func TestNils(t *testing.T) {
	f, err := Big(bigprime.P2())
	require.NoError(t, err)
	zero, none := new(BigField), (*BigField)(nil)
	z, x, b := new(BigInt), new(BigInt), make([]byte, f.Size())
	f.One(x)
	r := rand.New(rand.NewPCG(1, 2))
	ring, err := NewGapped(2, 8, 2, 1)
	require.NoError(t, err)
	table := nils.Table{
		"Big": {nils.Is(field.ErrSpec, func() error { _, err := Big[uint64](nil); return err },
			func() error { _, err := Big((*bigprime.Field[[2]uint64])(nil)); return err },
			func() error { _, err := Big(new(bigprime.Field[[2]uint64])); return err })},
		"NCW":         {nilsNCW},
		"Field.Check": {nils.Is(field.ErrSpec, zero.Check, none.Check)},
		"Field.Inv": {nils.Is(field.ErrSpec, func() error { return zero.Inv(z, x) },
			func() error { return f.Inv(nil, x) }, func() error { return f.Inv(z, nil) })},
		"Field.RootOfUnity": {nils.Is(field.ErrSpec, func() error { return zero.RootOfUnity(z, 2) },
			func() error { return f.RootOfUnity(nil, 2) }),
			nils.Is(field.ErrNoRoot, func() error { return f.RootOfUnity(z, 0) })},
		"Field.SetBytes": {nils.Is(field.ErrSpec, func() error { return zero.SetBytes(z, b) },
			func() error { return f.SetBytes(nil, b) }),
			nils.Is(field.ErrLength, func() error { return f.SetBytes(z, nil) })},
		"Field.SetText": {nils.Is(field.ErrSpec, func() error { return zero.SetText(z, []byte("1")) },
			func() error { return f.SetText(nil, []byte("1")) }),
			nils.Is(field.ErrRange, func() error { return f.SetText(z, nil) })},
		"Field.SetBig": {nils.Is(field.ErrSpec, func() error { return zero.SetBig(z, new(big.Int)) },
			func() error { return f.SetBig(nil, new(big.Int)) }),
			nils.Is(field.ErrRange, func() error { return f.SetBig(z, nil) })},
		"Field.Big": {nils.Quiet(func() { require.Equal(t, "1", f.Big(nil, x).String()) }),
			nils.Panics(func() { f.Big(nil, nil) })},
		"Field.AppendText": {nils.Quiet(func() { require.Equal(t, "1", string(f.AppendText(nil, x))) }),
			nils.Panics(func() { f.AppendText(nil, nil) })},
		"NewGapped": {nils.Is(field.ErrModulus, func() error { _, err := NewGapped(0, 0, 0); return err }),
			nils.Is(nil, func() error { _, err := NewGapped(2, 2, 2); return err })},
		"Gapped.Mul": {nils.Is(field.ErrSpec, func() error { _, _, err := (*Gapped)(nil).Mul(nil, nil, nil); return err },
			func() error { _, _, err := new(Gapped).Mul(nil, nil, nil); return err }),
			nils.Is(field.ErrLength, func() error { _, _, err := ring.Mul(nil, nil, nil); return err })},
		"Field.Name": {nils.Quiet(func() { zero.Name() }), nils.Panics(func() { none.Name() })},
	}
	for name, calls := range map[string][]func(){
		"Set":            {func() { f.Set(nil, x) }, func() { f.Set(z, nil) }, func() { none.Set(z, new(BigInt)) }},
		"Add":            {func() { f.Add(nil, x, x) }, func() { f.Add(z, nil, x) }, func() { zero.Add(z, x, x) }},
		"Sub":            {func() { f.Sub(nil, x, x) }, func() { f.Sub(z, nil, x) }, func() { zero.Sub(z, x, x) }},
		"Mul":            {func() { f.Mul(nil, x, x) }, func() { f.Mul(z, nil, x) }, func() { zero.Mul(z, x, x) }},
		"Neg":            {func() { f.Neg(nil, x) }, func() { f.Neg(z, nil) }, func() { zero.Neg(z, x) }},
		"One":            {func() { f.One(nil) }},
		"Equal":          {func() { f.Equal(nil, x) }, func() { f.Equal(x, nil) }},
		"Random":         {func() { f.Random(nil, r) }, func() { f.Random(z, nil) }, func() { zero.Random(z, r) }},
		"PutBytes":       {func() { f.PutBytes(nil, x) }, func() { f.PutBytes(b, nil) }, func() { zero.PutBytes(b, x) }},
		"Characteristic": {func() { zero.Characteristic() }, func() { none.Characteristic() }},
		"Order":          {func() { zero.Order() }, func() { none.Order() }},
		"Size":           {func() { zero.Size() }, func() { none.Size() }},
	} {
		table["Field."+name] = []nils.Case{nils.Panics(calls...)}
	}
	nils.Run(t, table)
}
