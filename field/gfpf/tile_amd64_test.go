//go:build amd64 && !purego

package gfpf

import (
	"math/rand/v2"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/fieldtest"
	"github.com/galfft/fft/internal/cpu"
	"github.com/galfft/fft/kernels/digits"
)

// Tiles are a field with vectors of their own, with products by kernels and without.
func TestTiles(t *testing.T) {
	set := digits.Active()
	if set == nil {
		t.Skip("this tier has no kernels: ", cpu.Active())
	}
	sets := map[string]*digits.Set{"active": set}
	if set.Mul != nil {
		without := *set
		without.Mul, without.MulBy = nil, nil
		sets["no products"] = &without
	}
	for name, set := range sets {
		t.Run(name, func(t *testing.T) {
			tilesConform[[2][8]uint64](t, P1(), set)
			tilesConform[[4][8]uint64](t, K4(), set)
			tilesConform[[8][8]uint64](t, P3(), set)
			tilesConform[[16][8]uint64](t, P4(), set)
			small, err := New[[2]uint64](1<<19 + 1<<18)
			if err == nil { // too small for the kernels' product
				tilesConform[[2][8]uint64](t, small, set)
			}
		})
	}
}

func tilesConform[P tileDigits, E Digits](t *testing.T, f *Field[E], set *digits.Set) {
	t.Run(f.Name(), func(t *testing.T) {
		b := newTileBulk(newTileField[P](&f.ring, set))
		fieldtest.RunBulk(t, b, fieldtest.Config[P]{Random: func(z *P, r *rand.Rand) {
			var x E
			for l := range field.Lanes {
				f.Random(&x, r)
				if r.IntN(8) == 0 {
					f.One(&x)
					f.Neg(&x, &x)
				}
				for i, d := range words(&x) {
					rows(z)[i][l] = d
				}
			}
		}})
	})
}
