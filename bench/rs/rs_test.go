// Package rs compares the codes of package rs with those of klauspost/reedsolomon, on the same random calls.
package rs

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/galfft/fft/rs"
	"github.com/klauspost/reedsolomon"
)

// coder is what both libraries do.
type coder interface {
	Encode(shards [][]byte) error
	Verify(shards [][]byte) (bool, error)
	Reconstruct(shards [][]byte) error
	ReconstructSome(shards [][]byte, wanted []bool) error
	Update(shards, fresh [][]byte) error
}

type ours struct{ *rs.Plan }

func (o ours) Encode(s [][]byte) error         { return o.Plan.Encode(context.Background(), s) }
func (o ours) Verify(s [][]byte) (bool, error) { return o.Plan.Verify(context.Background(), s) }
func (o ours) Reconstruct(s [][]byte) error    { return o.Plan.Reconstruct(context.Background(), s) }
func (o ours) Update(s, fresh [][]byte) error  { return o.Plan.Update(context.Background(), s, fresh) }
func (o ours) ReconstructSome(s [][]byte, wanted []bool) error {
	return o.Plan.ReconstructSome(context.Background(), s, wanted)
}

var _ coder = reedsolomon.Encoder(nil)

var same = []struct {
	code   rs.Code
	option reedsolomon.Option
	most   int // shards of a kind
	unit   int // of their lengths there
}{
	{rs.Vandermonde, reedsolomon.WithLeopardGF(false), 40, 1},
	{rs.Cauchy, reedsolomon.WithCauchyMatrix(), 40, 1},
	{rs.Leopard8, reedsolomon.WithLeopardGF(true), 80, 64},
	{rs.Leopard16, reedsolomon.WithLeopardGF16(true), 300, 64},
}

func clone(shards [][]byte) [][]byte {
	z := make([][]byte, len(shards))
	for i, s := range shards {
		z[i] = slices.Clone(s)
	}
	return z
}

func equal(x, y [][]byte) bool { return slices.EqualFunc(x, y, bytes.Equal) }

// Both have the same results and errors.
func TestSame(t *testing.T) {
	for _, c := range same {
		t.Run(c.code.String(), func(t *testing.T) {
			for seed := range uint64(30) {
				r := rand.New(rand.NewPCG(seed, uint64(c.code)))
				data, parity := 1+r.IntN(c.most), 1+r.IntN(c.most)
				theirs, err1 := reedsolomon.New(data, parity, c.option)
				plan, err2 := rs.New(data, parity, rs.WithCode(c.code), rs.WithWorkers(1+r.IntN(3)))
				if (err1 != nil) != (err2 != nil) {
					t.Fatalf("seed %d: %d+%d: %v, %v", seed, data, parity, err1, err2)
				}
				if err1 == nil {
					calls(t, r, fmt.Sprintf("seed %d: %d+%d", seed, data, parity), theirs, ours{plan}, data, parity,
						c.unit*(1+r.IntN(9000/c.unit/(1+data/20))))
				}
			}
		})
	}
}

// calls does to both what they have, one thing after the other.
func calls(t *testing.T, r *rand.Rand, name string, x, y coder, data, parity, size int) {
	shards := make([][]byte, data+parity)
	for i := range shards {
		shards[i] = make([]byte, size)
		for j := range shards[i] {
			shards[i][j] = byte(r.Uint32())
		}
	}
	both := func(what string, do func(c coder, shards [][]byte) error) {
		t.Helper()
		one, two := clone(shards), clone(shards)
		err1, err2 := do(x, one), do(y, two)
		if (err1 != nil) != (err2 != nil) || err1 == nil && !equal(one, two) {
			t.Fatalf("%s × %d: %s: results differ, errors %v, %v", name, size, what, err1, err2)
		}
		if err1 == nil {
			shards = one
		}
	}
	verify := func() {
		t.Helper()
		ok1, err1 := x.Verify(shards)
		ok2, err2 := y.Verify(shards)
		if ok1 != ok2 || (err1 != nil) != (err2 != nil) {
			t.Fatalf("%s × %d: verified %v, %v, errors %v, %v", name, size, ok1, ok2, err1, err2)
		}
	}
	verify()
	both("encode", func(c coder, s [][]byte) error { return c.Encode(s) })
	verify()
	whole := clone(shards)
	fresh := make([][]byte, data)
	for range 3 {
		fresh[r.IntN(data)] = slices.Clone(shards[r.IntN(data)])
	}
	if x.Update(clone(shards), fresh) == nil { // theirs has none for Leopard's codes
		both("update", func(c coder, s [][]byte) error {
			data := clone(s[:data])
			err := c.Update(s, fresh)
			copy(s, data) // theirs has changed it
			return err
		})
	}
	shards = clone(whole)
	losses := r.IntN(parity + 2)
	for _, i := range r.Perm(data + parity)[:min(losses, data+parity)] {
		shards[i] = nil
	}
	lost := clone(shards)
	both("reconstruct", func(c coder, s [][]byte) error { return c.Reconstruct(s) })
	if losses <= parity && !equal(shards, whole) {
		t.Fatalf("%s × %d: %d lost, not those that there were", name, size, losses)
	}
	shards = lost
	shards[r.IntN(data)] = make([]byte, size+1+r.IntN(3))
	both("sizes", func(c coder, s [][]byte) error { return c.Reconstruct(s) })
	shards = shards[1:]
	both("number", func(c coder, s [][]byte) error { return c.Encode(s) })
}
