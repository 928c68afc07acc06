package main

import (
	"errors"
	"fmt"
	"sync"

	"github.com/tuneinsight/lattigo/v6/ring"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field/smallprime"
)

// transformer is Lattigo's standard transform modulo one prime, computed by a plan.
type transformer struct {
	s    *ring.SubRing
	plan func() *fft.Plan[uint64]
}

// NewTransformer is for ring.NewRingWithCustomNTT(n, moduli, NewTransformer, 2*n). Lattigo calls it before it chooses
// its root of unity. So the first transform makes the plan, and panics where there is none: Lattigo's interface has no
// errors. A transformer is safe for concurrent use.
func NewTransformer(s *ring.SubRing, n int) ring.NumberTheoreticTransformer {
	return transformer{s, sync.OnceValue(func() *fft.Plan[uint64] { return fft.Must(newPlan(s, n)) })}
}

// newPlan plans for Lattigo's points: with its root ψ of order 2n, the value at ψ^(2j+1) stands at the reversal of the
// bits of j.
func newPlan(s *ring.SubRing, n int) (*fft.Plan[uint64], error) {
	f, err := smallprime.New64(s.Modulus)
	if err != nil {
		return nil, err
	}
	if s.NthRoot != uint64(2*n) {
		return nil, fmt.Errorf("root of order %d, want %d: the ring is not negacyclic", s.NthRoot, 2*n)
	}
	psi := ring.ModExp(s.PrimitiveRoot, (s.Modulus-1)/s.NthRoot, s.Modulus)
	var root uint64
	f.Mul(&root, &psi, &psi)
	return fft.NewPlan(f, n, fft.WithRoot(root), fft.WithCoset(psi), fft.WithOrder(fft.BitReversed))
}

func (t transformer) Forward(src, dst []uint64)      { t.run((*fft.Plan[uint64]).Forward, src, dst) }
func (t transformer) ForwardLazy(src, dst []uint64)  { t.Forward(src, dst) } // below p is below 2p
func (t transformer) Backward(src, dst []uint64)     { t.run((*fft.Plan[uint64]).Inverse, src, dst) }
func (t transformer) BackwardLazy(src, dst []uint64) { t.Backward(src, dst) }

// run is one transform; dst may be src. Values that Lattigo left unreduced are reduced first.
func (t transformer) run(transform func(p *fft.Plan[uint64], dst, src []uint64) error, src, dst []uint64) {
	plan := t.plan()
	src, dst = src[:plan.Len()], dst[:plan.Len()]
	err := transform(plan, dst, src)
	if errors.Is(err, fft.ErrRange) { // nothing was written
		t.s.Reduce(src, dst)
		err = transform(plan, dst, dst)
	}
	if err != nil {
		panic(err)
	}
}
