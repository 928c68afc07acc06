package main

import (
	"github.com/consensys/gnark-crypto/field/babybear"
	babybearfft "github.com/consensys/gnark-crypto/field/babybear/fft"
	"github.com/consensys/gnark-crypto/field/goldilocks"
	goldilocksfft "github.com/consensys/gnark-crypto/field/goldilocks/fft"
	"github.com/consensys/gnark-crypto/field/koalabear"
	koalabearfft "github.com/consensys/gnark-crypto/field/koalabear/fft"
)

// gnark-crypto is run in its documented form without permutation: decimation in frequency, one task, with
// precomputed twiddles.
const gnark = "github.com/consensys/gnark-crypto"

func gnarkBabyBear(n int) peer[uint32] {
	d, a := babybearfft.NewDomain(uint64(n)), make([]babybear.Element, n)
	return peer[uint32]{
		root:    uint32(d.Generator.Uint64()),
		load:    func(x []uint32) { load(a, x, (*babybear.Element).SetUint64) },
		forward: func() { d.FFT(a, babybearfft.DIF, babybearfft.WithNbTasks(1)) },
		values:  func() []uint32 { return values[uint32](a, (*babybear.Element).Uint64) },
	}
}

func gnarkKoalaBear(n int) peer[uint32] {
	d, a := koalabearfft.NewDomain(uint64(n)), make([]koalabear.Element, n)
	return peer[uint32]{
		root:    uint32(d.Generator.Uint64()),
		load:    func(x []uint32) { load(a, x, (*koalabear.Element).SetUint64) },
		forward: func() { d.FFT(a, koalabearfft.DIF, koalabearfft.WithNbTasks(1)) },
		values:  func() []uint32 { return values[uint32](a, (*koalabear.Element).Uint64) },
	}
}

func gnarkGoldilocks(n int) peer[uint64] {
	d, a := goldilocksfft.NewDomain(uint64(n)), make([]goldilocks.Element, n)
	return peer[uint64]{
		root:    d.Generator.Uint64(),
		load:    func(x []uint64) { load(a, x, (*goldilocks.Element).SetUint64) },
		forward: func() { d.FFT(a, goldilocksfft.DIF, goldilocksfft.WithNbTasks(1)) },
		values:  func() []uint64 { return values[uint64](a, (*goldilocks.Element).Uint64) },
	}
}

func load[W uint32 | uint64, G any](a []G, x []W, set func(z *G, v uint64) *G) {
	for i := range a {
		set(&a[i], uint64(x[i]))
	}
}

func values[W uint32 | uint64, G any](a []G, get func(z *G) uint64) []W {
	y := make([]W, len(a))
	for i := range a {
		y[i] = W(get(&a[i]))
	}
	return y
}
