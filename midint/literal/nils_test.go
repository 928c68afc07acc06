package literal

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/nils"
)

// Nil and zero arguments of everything exported.
func TestNils(t *testing.T) {
	var zero Field[uint64]
	s := Shape{M: 1, Q: 2, Instances: 1}
	kernel := func(run func(z, a, b []uint32, s Shape) error) []nils.Case {
		return []nils.Case{nils.Is(field.ErrSpec, func() error { return run(nil, nil, nil, Shape{}) }),
			nils.Is(field.ErrLength, func() error { return run(nil, nil, make([]uint32, 1), s) }),
			nils.Is(nil, func() error { return run(nil, nil, nil, s) })}
	}
	var none *FFT[uint32]
	fft := func(call func(f *FFT[uint32]) error) []nils.Case {
		return []nils.Case{nils.Is(field.ErrSpec, func() error { return call(none) },
			func() error { return call(new(FFT[uint32])) })}
	}
	digits := Digits{Count: 1, Bits: 1}
	quiet := func(call func()) []nils.Case { return []nils.Case{nils.Quiet(call)} }
	nils.Run(t, nils.Table{
		"Add": kernel(Add[uint32]), "SixAdd": kernel(SixAdd[uint32]), "Mul": kernel(Mul[uint32]),
		"Tiled":           kernel(Tiled[uint32]),
		"Poly":            kernel(Poly[uint32]),
		"Neutral":         quiet(func() { require.True(t, Neutral().Max) }),
		"Carry.Then":      quiet(func() { require.Zero(t, Carry{}.Then(Carry{})) }),
		"Combine":         quiet(func() { require.Zero(t, Combine(0, 0)) }),
		"CombineSegments": quiet(func() { require.Zero(t, CombineSegments(0, 0)) }),
		"Sum":             quiet(func() { Sum[uint32](0, 0, false) }),
		"Resolve":         quiet(func() { require.Zero(t, Resolve[uint32](0, 0)) }),
		"ExclusiveScan":   quiet(func() { ExclusiveScan[int](nil, nil, 0, nil) }),
		"BlockScan":       quiet(func() { BlockScan[int](nil, nil, 0, nil) }),
		"PrimeField32":    quiet(func() { require.NotZero(t, PrimeField32()) }),
		"PrimeField64":    quiet(func() { require.NotZero(t, PrimeField64()) }),
		"FindPrimes":      quiet(func() { require.Empty(t, FindPrimes[uint64](0, 0)) }),
		"Field.Norm":      quiet(func() { require.Zero(t, zero.Norm(7)) }),
		"Field.Add":       quiet(func() { zero.Add(0, 0) }),
		"Field.Sub":       quiet(func() { zero.Sub(0, 0) }),
		"Field.Neg":       quiet(func() { zero.Neg(0) }),
		"Field.Mul":       quiet(func() { require.Zero(t, zero.Mul(7, 7)) }),
		"Field.Pow":       quiet(func() { require.Zero(t, zero.Pow(7, 7)) }),
		"Field.Inv":       {nils.Is(field.ErrNotInvertible, func() error { _, err := zero.Inv(0); return err })},
		"Field.Div":       {nils.Is(field.ErrNotInvertible, func() error { _, err := zero.Div(0, 0); return err })},
		"NewFFT": {nils.Is(field.ErrNoRoot, func() error { _, err := NewFFT(zero, 2, 2); return err }),
			nils.Is(field.ErrSpec, func() error { _, err := NewFFT(zero, 0, 0); return err })},
		"FFT.Forward":       fft(func(f *FFT[uint32]) error { return f.Forward(nil) }),
		"FFT.Inverse":       fft(func(f *FFT[uint32]) error { return f.Inverse(nil) }),
		"FFT.CyclicModP":    fft(func(f *FFT[uint32]) error { return f.CyclicModP(nil, nil, nil) }),
		"FFT.Check":         fft(func(f *FFT[uint32]) error { return f.Check(digits) }),
		"FFT.Mul":           fft(func(f *FFT[uint32]) error { return f.Mul(nil, nil, nil, digits) }),
		"FFT.Add":           fft(func(f *FFT[uint32]) error { return f.Add(nil, nil, nil, digits) }),
		"FFT.Poly":          fft(func(f *FFT[uint32]) error { return f.Poly(nil, nil, nil, digits) }),
		"BoundError.Error":  quiet(func() { require.NotEmpty(t, new(BoundError).Error()); _ = (*BoundError)(nil).Error() }),
		"BoundError.Unwrap": quiet(func() { require.ErrorIs(t, (*BoundError)(nil).Unwrap(), field.ErrRange) }),
		"Field.Roots":       {nils.Is(field.ErrNoRoot, func() error { _, _, _, err := zero.Roots(2); return err })},
	})
}
