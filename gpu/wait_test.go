package gpu

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/smallprime"
	"github.com/stretchr/testify/require"
)

// soon is a context that ends while a wait is asleep.
func soon(t *testing.T) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(5*time.Millisecond, cancel)
	return ctx
}

// The context of a call ends it while the device works, and the next calls are right.
func TestContextEndsWaits(t *testing.T) {
	d := spare(t)
	f := smallprime.Goldilocks()
	g, err := Field(f, On(d))
	require.NoError(t, err)
	for _, algorithm := range []fft.Algorithm{fft.Auto, fft.SixStep} {
		p, err := fft.NewPlan[uint64](g, 64, fft.WithAlgorithm(algorithm))
		require.NoError(t, err)
		host, err := fft.NewPlan[uint64](f, 64)
		require.NoError(t, err)
		x, want := make([]uint64, 64), make([]uint64, 64)
		for i := range x {
			x[i] = uint64(i * i)
		}
		require.NoError(t, host.Forward(want, x))
		v, err := p.NewVec()
		require.NoError(t, err)
		require.NoError(t, p.Load(v, x))
		got := make([]uint64, 64)
		if algorithm != fft.Auto {
			require.NoError(t, p.Forward(got, x)) // scratch grows once, and no context ends that
			clear(got)
		}
		for range 3 { // the later ones are graphs
			t.Setenv("EMULATE_DELAY", "3600000000") // µs, until it changes
			require.ErrorIs(t, p.ForwardVec(soon(t), v), context.Canceled)
			require.ErrorIs(t, p.ForwardContext(soon(t), got, x), context.Canceled)
			require.Equal(t, make([]uint64, 64), got, "nothing is written")
			t.Setenv("EMULATE_DELAY", "0")
			require.NoError(t, errors.Join(p.Load(v, x), p.ForwardVec(t.Context(), v), p.InverseVec(t.Context(), v),
				p.Store(got, v)))
			require.Equal(t, x, got)
			require.NoError(t, p.Forward(got, x))
			require.Equal(t, want, got)
			clear(got)
		}
	}
}

// Transforms are right on a device that runs nothing before somebody waits for it.
func TestLate(t *testing.T) {
	d := spare(t)
	for _, us := range []string{"1", "50"} {
		t.Setenv("EMULATE_DELAY", us)
		require.NoError(t, transforms(t, d, smallprime.P62(), 1<<11))
		require.NoError(t, transforms(t, d, gfpf.P2(), 64))
		require.NoError(t, inverseProduct(t, d, smallprime.Goldilocks(), 1<<13))
		require.NoError(t, inverseProduct(t, d, gfpf.P2(), 64))
		require.NoError(t, transforms(t, d, gfpf.P2(), 16, fft.WithAlgorithm(fft.SixStep), fft.WithBase(4)))
	}
}

// Warm transforms put copies and a graph on the stream, and wait without a question to the driver: each call more costs
// short ones up to a tenth of their time.
func TestOneWait(t *testing.T) {
	d := spare(t)
	g, err := Field(smallprime.BabyBear(), On(d))
	require.NoError(t, err)
	const n = 1 << 6
	p, err := fft.NewPlan[uint32](g, n)
	require.NoError(t, err)
	x, got := random(smallprime.BabyBear(), n, 1), make([]uint32, n)
	v, err := p.NewVec()
	require.NoError(t, err)
	require.NoError(t, p.Load(v, x))
	warm := func() error {
		return errors.Join(p.ForwardVec(context.Background(), v), p.InverseVec(context.Background(), v),
			p.Forward(got, x), p.Inverse(got, got))
	}
	for range 3 { // the last one is graphs alone
		require.NoError(t, warm())
	}
	for _, function := range []string{"cuEventRecord", "cuEventQuery", "cuEventSynchronize", "cuStreamSynchronize",
		"cuStreamWaitEvent", "cuThreadExchangeStreamCaptureMode", "cuLaunchKernel",
		"cuGraphLaunch:5", "cuMemcpyHtoDAsync:3", "cuMemcpyDtoHAsync:3"} {
		if !strings.Contains(function, ":") {
			function += ":1"
		}
		t.Setenv("EMULATE_FAIL", "")
		t.Setenv("EMULATE_FAIL", function+":801")
		require.NoError(t, warm(), function)
	}
	require.Equal(t, x, got)
}
