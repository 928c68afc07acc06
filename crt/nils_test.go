package crt_test

import (
	"context"
	"math/big"
	"testing"

	"github.com/galfft/fft/crt"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/nils"
	"github.com/stretchr/testify/require"
)

var noContext context.Context

// Nil and zero arguments and receivers of everything exported.
func TestNils(t *testing.T) {
	ctx := context.Background()
	s, err := crt.New(t.Context(), []uint64{17, 97})
	require.NoError(t, err)
	x, r := must(s.NewInts(3)), must(s.NewResidues(3))
	none := []*crt.System{nil, {}}
	refused := func(call func(s *crt.System, ctx context.Context, x []*big.Int, r [][]uint64) error) []nils.Case {
		return []nils.Case{
			nils.Is(field.ErrSpec,
				func() error { return call(none[0], ctx, x, r) }, func() error { return call(none[1], ctx, x, r) },
				func() error { return call(none[0], ctx, nil, nil) },
				func() error { return call(none[1], ctx, nil, nil) },
				func() error { return call(s, nil, x, r) }),
			nils.Is(field.ErrLength, func() error { return call(s, ctx, nil, nil) },
				func() error { return call(s, ctx, x, nil) },
				func() error { return call(s, ctx, x, make([][]uint64, 2)) }),
			nils.Is(field.ErrRange, func() error { return call(s, ctx, make([]*big.Int, 3), r) }),
			nils.Is(nil, func() error { return call(s, ctx, nil, make([][]uint64, 2)) }),
		}
	}
	quiet := func(call func(s *crt.System)) []nils.Case {
		return []nils.Case{nils.Quiet(func() { call(none[0]) }, func() { call(none[1]) })}
	}
	made := func(o ...crt.Option) error { _, err := crt.New(t.Context(), []uint64{17}, o...); return err }
	nils.Run(t, nils.Table{
		"New": {nils.Is(field.ErrLength, func() error { _, err := crt.New(ctx, nil); return err }),
			nils.Is(field.ErrModulus, func() error { _, err := crt.New(ctx, []uint64{0}); return err }),
			nils.Is(field.ErrSpec, func() error { return made(nil) })},
		"NewBounded": {nils.Is(field.ErrRange, func() error { _, err := crt.NewBounded(ctx, nil, 0); return err }),
			nils.Is(field.ErrSpec, func() error { _, err := crt.NewBounded(ctx, new(big.Int), 0, nil); return err }),
			nils.Is(nil, func() error { _, err := crt.NewBounded(ctx, new(big.Int), 0); return err })},
		"Primes": {nils.Is(field.ErrRange, func() error { _, err := crt.Primes(ctx, 0, 0, 0); return err }),
			nils.Is(nil, func() error { _, err := crt.Primes(ctx, 8, 0, 0); return err })},
		"Mul": {nils.Is(field.ErrSpec,
			func() error { _, err := crt.Mul(noContext, x, x); return err },
			func() error { _, err := crt.Mul(noContext, nil, nil); return err },
			func() error { _, err := crt.Mul(ctx, x, x, nil); return err }),
			nils.Is(field.ErrRange, func() error { _, err := crt.Mul(ctx, x, make([]*big.Int, 1)); return err }),
			nils.Is(nil, func() error { _, err := crt.Mul(ctx, nil, x); return err },
				func() error { _, err := crt.Mul(ctx, x, x); return err })},
		"WithWorkers": {nils.Is(nil, func() error { return made(crt.WithWorkers(0)) })},
		"WithRunner":  {nils.Is(nil, func() error { return made(crt.WithRunner(nil)) })},

		"System.Residues": refused(func(s *crt.System, ctx context.Context, x []*big.Int, r [][]uint64) error {
			return s.Residues(ctx, r, x)
		}),
		"System.Garner": refused(func(s *crt.System, ctx context.Context, x []*big.Int, r [][]uint64) error {
			return s.Garner(ctx, x, r)
		}),
		"System.GarnerSymmetric": refused(func(s *crt.System, ctx context.Context, x []*big.Int, r [][]uint64) error {
			return s.GarnerSymmetric(ctx, x, r)
		}),
		"System.Primes":  quiet(func(s *crt.System) { require.Empty(t, s.Primes()) }),
		"System.Modulus": quiet(func(s *crt.System) { require.Zero(t, s.Modulus().Sign()) }),
		"System.Bits":    quiet(func(s *crt.System) { require.Zero(t, s.Bits()) }),
		"System.NewResidues": {
			nils.Is(field.ErrSpec, func() error { _, err := none[0].NewResidues(3); return err },
				func() error { _, err := none[1].NewResidues(3); return err }),
			nils.Is(field.ErrLength, func() error { _, err := s.NewResidues(-1); return err })},
		"System.NewInts": {
			nils.Is(field.ErrSpec, func() error { _, err := none[0].NewInts(3); return err },
				func() error { _, err := none[1].NewInts(3); return err }),
			nils.Is(field.ErrLength, func() error { _, err := s.NewInts(-1); return err })},
	})
}
