package gpu

import (
	"context"
	"crypto/sha256"
	little "encoding/binary"
	"encoding/hex"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/emulator"
	"github.com/galfft/fft/internal/testscale"
	"github.com/galfft/fft/poly"
	"github.com/stretchr/testify/require"
)

// Values that evaluation at each point and another implementation confirmed: see TestKnownSubspaces of package fft.
func TestAdditiveKnown(t *testing.T) {
	emulator.Need(t)
	g, err := Field(ofGF2[uint64](t, 64))
	require.NoError(t, err)
	for _, c := range []struct {
		m      int
		cantor bool
		sum    string
	}{
		{3, false, "4965d24c85d01cfa640e46ac31b664719b8c3f408369a5e72b7f847055234158"},
		{3, true, "cb1a15b4da7d20977314a0aa6e67810d22fa5b36693edac62de43d5544f43fcd"},
		{10, false, "0c51d4241a53d3b2225c7f83453e2483487f1a27d49f0eba5e4b0a739add6a21"},
		{10, true, "4eb5a71d68d7dc02e098fe60bcde5d4b182633cd84a7ea148041dee9d9d1d0da"},
		{14, false, "59daafb1ecf395e4ed1c62ead362eb6008b0e43bf61579ebcd575446003f1f81"},
		{14, true, "90fd534e9053d808fa0885a13e05b3a603b32b509344c585d253c99bd5457ae4"},
	} {
		x, basis := splitMix(uint64(1000+c.m), 1<<c.m), splitMix(uint64(2000+c.m), c.m+1)
		opts := []fft.Option{fft.WithCoset(basis[c.m])}
		if !c.cantor {
			opts = append(opts, fft.WithSubspace(basis[:c.m]...))
		}
		p, err := fft.NewPlan(g, 1<<c.m, opts...)
		require.NoError(t, err)
		require.NotEmpty(t, p.Report().Device)
		y := make([]uint64, len(x))
		require.NoError(t, p.Forward(y, x))
		sum := sha256.New()
		require.NoError(t, little.Write(sum, little.LittleEndian, y))
		require.Equal(t, c.sum, hex.EncodeToString(sum.Sum(nil)), "2^%d", c.m)
		require.NoError(t, p.Inverse(y, y))
		require.Equal(t, x, y)
	}
}

// splitMix returns n numbers of the generator of S. Vigna.
func splitMix(state uint64, n int) []uint64 {
	x := make([]uint64, n)
	for i := range x {
		state += 0x9e3779b97f4a7c15
		z := state
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		x[i] = z ^ z>>31
	}
	return x
}

// Plans of both kinds of basis serve several queues at once.
func TestAdditiveQueues(t *testing.T) {
	emulator.Need(t)
	const n = 1 << 9
	f := ofGF2[uint32](t, 32)
	g, err := Field(f)
	require.NoError(t, err)
	basis, shift := independent(f, 9, rand.New(rand.NewPCG(3, 4)))
	x := make([]uint32, n)
	for i := range x {
		x[i] = uint32(i) * 0x9e3779b1
	}
	ctx := context.Background()
	for _, opts := range [][]fft.Option{nil, {fft.WithSubspace(basis...), fft.WithCoset(shift)}} {
		here, err := fft.NewPlan(f, n, opts...)
		require.NoError(t, err)
		p, err := fft.NewPlan(g, n, opts...)
		require.NoError(t, err)
		want := make([]uint32, n)
		require.NoError(t, here.Forward(want, x))
		var all sync.WaitGroup
		for range 4 {
			q, err := g.Device().NewQueue()
			require.NoError(t, err)
			all.Go(func() {
				v, err := q.NewVec(p)
				if err != nil {
					t.Error(err)
					return
				}
				got, back := make([]uint32, n), make([]uint32, n)
				for range 3 {
					err = errors.Join(err, p.Load(v, x), p.ForwardVec(ctx, v), p.Store(got, v), p.InverseVec(ctx, v),
						p.Store(back, v))
					if err != nil || !slices.Equal(got, want) || !slices.Equal(back, x) {
						t.Error("wrong values", err)
					}
				}
				if err := errors.Join(v.Close(), q.Close()); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
	}
}

// A call stops where its context ends.
func TestAdditiveContext(t *testing.T) {
	emulator.Need(t)
	g, err := Field(ofGF2[uint64](t, 64))
	require.NoError(t, err)
	p, err := fft.NewPlan(g, 1<<6)
	require.NoError(t, err)
	v, err := p.NewVec()
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, p.ForwardVec(ctx, v), context.Canceled)
	require.ErrorIs(t, p.InverseVec(ctx, v), context.Canceled)
	require.NoError(t, v.Close())
}

// Extensions over a field on a device are those of the field.
func TestAdditivePoly(t *testing.T) {
	emulator.Need(t)
	f := ofGF2[uint64](t, 64)
	g, err := Field(f)
	require.NoError(t, err)
	basis, shift := independent(f, 8, rand.New(rand.NewPCG(5, 6)))
	x := splitMix(1, 1<<6)
	extended := func(f field.Field[uint64], shift uint64) []uint64 {
		y := make([]uint64, 1<<8)
		l, err := poly.NewSubspaceLDE(f, basis, 1<<6, 1, &shift)
		require.NoError(t, err)
		require.NoError(t, l.ExtendTo(t.Context(), y, x))
		return y
	}
	require.Equal(t, extended(f, shift), extended(g, shift))
	require.Equal(t, x, extended(g, 0)[:1<<6])
}

// Long transforms have the values of the polynomial at points, by Horner's rule, and go back. The emulated device has
// short ones.
func TestAdditiveLarge(t *testing.T) {
	emulator.Need(t)
	logs := []int{25}
	switch {
	case emulator.Emulates():
		logs = []int{14}
	case testscale.Of(t) >= testscale.Full:
		logs = []int{27, 29}
	}
	f := ofGF2[uint64](t, 64)
	g, err := Field(f)
	require.NoError(t, err)
	for _, n := range logs {
		basis, shift := independent(f, n, rand.New(rand.NewPCG(7, 8)))
		x := splitMix(uint64(n), 1<<n)
		y := make([]uint64, len(x))
		for _, opts := range [][]fft.Option{nil, {fft.WithSubspace(basis...), fft.WithCoset(shift)}} {
			p, err := fft.NewPlan(g, 1<<n, opts...)
			require.NoError(t, err)
			require.Less(t, p.Report().Tables, 8<<20)
			require.NoError(t, p.Forward(y, x))
			for _, j := range []int{1<<n - 1, 0x55555555 & (1<<n - 1)} {
				var point uint64
				p.Point(&point, j)
				require.Equal(t, valueAt(f, x, point), y[j], "2^%d, point %d", n, j)
			}
			require.NoError(t, p.Inverse(y, y))
			require.True(t, slices.Equal(x, y), "2^%d, inverse", n)
		}
	}
}

// valueAt is the value of a polynomial at a point, by Horner's rule for each of some shares.
func valueAt(f field.Field[uint64], x []uint64, point uint64) (sum uint64) {
	const shares = 16
	var all sync.WaitGroup
	var lock sync.Mutex
	for s := range shares {
		all.Go(func() {
			var y, far uint64
			begin, end := len(x)/shares*s, len(x)/shares*(s+1)
			for i := end - 1; i >= begin; i-- {
				f.Mul(&y, &y, &point)
				y ^= x[i]
			}
			field.PowUint(f, &far, &point, uint64(begin))
			f.Mul(&y, &y, &far)
			lock.Lock()
			sum ^= y
			lock.Unlock()
		})
	}
	all.Wait()
	return sum
}
