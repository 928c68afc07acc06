package gpu

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/binary"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/emulator"
)

// among is a field on some devices of one process.
func among[E any](t *testing.T, f field.Rooted[E], count int) *DeviceField[E] {
	t.Helper()
	emulator.Need(t)
	t.Setenv("EMULATE_DEVICES", "3")
	list, err := Devices()
	require.NoError(t, err)
	if len(list) < count {
		t.Skipf("this machine has %d devices, want %d", len(list), count)
	}
	var devices []*Device
	for i := range count {
		d, err := Open(i)
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, d.Close()) })
		devices = append(devices, d)
	}
	on, err := Field(f, Among(devices...))
	require.NoError(t, err)
	return on
}

// Batches that are dealt out to several devices have the values of one plan, by rows and columns, with gaps, which stay
// as they are, and in vectors.
func TestAmong(t *testing.T) {
	for _, count := range []int{2, 3} {
		t.Run(fmt.Sprintf("goldilocks/%d", count), func(t *testing.T) { dealtLike(t, smallprime.Goldilocks(), 256, count) })
		t.Run(fmt.Sprintf("gfpf/%d", count), func(t *testing.T) { dealtLike(t, gfpf.P2(), 64, count) })
	}
	b, err := binary.New[uint64](64)
	require.NoError(t, err)
	t.Run("binary", func(t *testing.T) { dealtLike[uint64](t, b, 128, 2) })
}

func dealtLike[E any](t *testing.T, f field.Rooted[E], n, count int) {
	on := among(t, f, count)
	r := rand.New(rand.NewPCG(30, uint64(count)))
	for i, b := range []field.Batch{{Count: 2}, {Count: 5, Stride: n + 3}, {Count: 7, Columns: true},
		{Count: 3, Stride: 4, Columns: true}} {
		_, length, err := b.Layout(n)
		require.NoError(t, err)
		draw := func() []E {
			x := make([]E, length)
			for i := range x {
				f.(field.Sampler[E]).Random(&x[i], r)
			}
			return x
		}
		copied := func(x []E) []E {
			y := make([]E, length)
			for i := range y {
				f.Set(&y[i], &x[i])
			}
			return y
		}
		opts := []fft.Option{fft.WithBatch(b), fft.WithOrder(fft.Order(i % 2))}
		p, err := fft.NewPlan(f, n, opts...)
		require.NoError(t, err)
		q, err := fft.NewPlan(on, n, opts...)
		require.NoError(t, err)
		report := q.Report()
		require.Contains(t, report.Passes[0], fmt.Sprintf("dealt to %d devices", min(count, b.Count)))
		x, y, dst := draw(), draw(), draw()
		want, got := copied(dst), copied(dst)
		same := func(what string) { require.Equal(t, want, got, "%s of %+v", what, b) }
		require.NoError(t, p.Forward(want, x))
		require.NoError(t, q.Forward(got, x))
		same("values")
		require.NoError(t, p.Inverse(want, want))
		require.NoError(t, q.Inverse(got, got))
		same("coefficients")

		product := func(p *fft.Plan[E], to []E) {
			v, err := p.NewVec()
			require.NoError(t, err)
			require.Equal(t, b.Count*n, v.Len())
			w, err := p.NewVec()
			require.NoError(t, err)
			for _, err := range []error{p.Load(v, x), p.Load(w, y), p.ForwardVec(t.Context(), v),
				p.ForwardVec(t.Context(), w), p.MulVec(v, v, w), p.InverseVec(t.Context(), v), p.Store(to, v)} {
				require.NoError(t, err)
			}
			require.NoError(t, w.Close())
			require.ErrorIs(t, w.Close(), field.ErrVec)
			require.ErrorIs(t, p.ForwardVec(t.Context(), w), field.ErrVec)
		}
		product(p, want)
		product(q, got)
		same("products")
	}
	one, err := fft.NewPlan(on, n)
	require.NoError(t, err)
	require.NotContains(t, one.Report().Passes[0], "dealt")
}

// Operands are checked before anything is written, sums stay on their devices, and one device that is short of memory
// is an error.
func TestAmongErrors(t *testing.T) {
	f := smallprime.Goldilocks()
	on := among(t, f, 3)
	b := field.Batch{Count: 4, Columns: true}
	p, err := fft.NewPlan(on, 64, fft.WithBatch(b))
	require.NoError(t, err)
	x, dst := random(f, 256, 1), make([]uint64, 256)
	x[130], x[129] = f.Modulus(), f.Modulus() // of the third device, and of the second
	var bad *field.RangeError
	require.ErrorAs(t, p.Forward(dst, x), &bad)
	require.Equal(t, field.RangeError{What: "src", Index: 129}, *bad)
	require.Equal(t, make([]uint64, 256), dst)
	v, err := p.NewVec()
	require.NoError(t, err)
	require.ErrorIs(t, p.Load(v, x), field.ErrRange)
	x[129], x[130] = 1, 2
	require.ErrorIs(t, p.Load(v, x[1:]), field.ErrLength)
	require.ErrorIs(t, p.Forward(dst[1:], x), field.ErrLength)
	require.ErrorIs(t, p.Forward(x[1:], x[:255]), field.ErrLength)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, p.ForwardContext(ctx, dst, x), context.Canceled)
	require.Equal(t, make([]uint64, 256), dst)
	require.ErrorIs(t, p.ForwardVec(ctx, v), context.Canceled)

	require.NoError(t, p.Load(v, x))
	require.NoError(t, AddVec(v, v, v))
	require.NoError(t, ShiftVec(v, v, 1))
	require.NoError(t, p.Store(dst, v))
	for i := range x {
		var want uint64
		f.Add(&want, &x[i], &x[i])
		f.Add(&want, &want, &want)
		require.Equal(t, want, dst[i])
	}
	q, err := fft.NewPlan(on, 64, fft.WithBatch(b))
	require.NoError(t, err)
	require.ErrorIs(t, q.ForwardVec(t.Context(), v), field.ErrVec)
	require.ErrorIs(t, q.MulVec(v, v, v), field.ErrVec)
	w, err := q.NewVec()
	require.NoError(t, err)
	require.ErrorIs(t, AddVec(v, v, w), field.ErrVec)
	_, err = fft.NewPlan(on, 64, fft.WithBatch(b), fft.WithMemoryLimit(1000))
	require.ErrorIs(t, err, field.ErrMemory)

	d := on.Device()
	_, err = Field(f, Among(d, d))
	require.ErrorIs(t, err, field.ErrSpec)
	_, err = Field(f, Among(d, nil))
	require.ErrorIs(t, err, field.ErrSpec)
}
