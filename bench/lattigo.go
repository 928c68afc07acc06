package main

import (
	"fmt"
	"math/big"
	"time"

	"github.com/tuneinsight/lattigo/v6/ring"

	"github.com/galfft/fft/field/smallprime"
)

const lattigo = "github.com/tuneinsight/lattigo/v6"

// prime60 returns the field of the largest prime below 2^60 that has roots of order 2^24.
func prime60() (*smallprime.Field64, error) {
	const order = 1 << 24
	for p := uint64(1<<60 + 1 - order); p > 1<<59; p -= order {
		if new(big.Int).SetUint64(p).ProbablyPrime(20) {
			return smallprime.New64(p)
		}
	}
	return nil, fmt.Errorf("no prime below 2^60 with roots of order %d", order)
}

func compareLattigo(n int, budget time.Duration) (result, error) {
	f, err := prime60()
	if err != nil {
		return result{}, err
	}
	p, err := lattigoNTT(f, n)
	if err != nil {
		return result{}, err
	}
	return compare(f, n, budget, p)
}

// lattigoNTT is lattigo's standard transform, negacyclic, reduced, in bit-reversed order.
func lattigoNTT(f *smallprime.Field64, n int) (peer[uint64], error) {
	r, err := ring.NewRing(n, []uint64{f.Modulus()})
	if err != nil {
		return peer[uint64]{}, err
	}
	s := r.SubRings[0]
	// Its root of order 2n, from its generator of the whole group.
	psi, p := new(big.Int).SetUint64(s.PrimitiveRoot), new(big.Int).SetUint64(f.Modulus())
	e := new(big.Int).Div(new(big.Int).Sub(p, big.NewInt(1)), big.NewInt(int64(2*n)))
	shift := psi.Exp(psi, e, p).Uint64()
	root := uint64(0)
	f.Mul(&root, &shift, &shift)
	a := make([]uint64, n)
	return peer[uint64]{
		name: lattigo, root: root, shift: &shift,
		load:    func(x []uint64) { copy(a, x) },
		forward: func() { s.NTT(a, a) },
		values:  func() []uint64 { return a },
	}, nil
}
