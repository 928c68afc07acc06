//go:build linux && (amd64 || arm64)

package driver

import (
	"errors"
	"os"
	"runtime"
	"testing"
	"unsafe"

	"github.com/ebitengine/purego"
	"github.com/stretchr/testify/require"
)

// foreign is CUDA code of the process beside ours, with the driver's own calls.
func foreign(t *testing.T, name string) func(args ...uintptr) {
	file := os.Getenv(Variable)
	library, err := purego.Dlopen(file, purego.RTLD_NOW|purego.RTLD_LOCAL)
	require.NoError(t, err)
	address, err := purego.Dlsym(library, name)
	require.NoError(t, err)
	return func(args ...uintptr) {
		t.Helper()
		code, _, _ := purego.SyscallN(address, args...)
		require.Zero(t, code, name)
	}
}

// The context that is current on a thread stays so, whatever a call does, and none where there was none.
func TestForeignContext(t *testing.T) {
	t.Setenv("EMULATE_DEVICES", "2")
	l := library(t, false)
	b := newBench(t, opened(t, l, 0))
	p := b.alloc(t, 8)
	current, set := foreign(t, "cuCtxGetCurrent"), foreign(t, "cuCtxSetCurrent")
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	contexts := []uintptr{0, b.context}
	if n, err := l.Count(); err == nil && n > 1 {
		contexts = append(contexts, opened(t, l, 1).context)
	}
	now := new(uintptr)
	for _, c := range contexts {
		set(c)
		require.NoError(t, b.set(p, 1, 8))
		require.NoError(t, b.stream.Wait())
		require.Error(t, b.Release(p+8), "a call that fails")
		g, err := b.stream.Capture(func() error { return b.set(p, 2, 8) })
		require.NoError(t, err)
		require.NoError(t, errors.Join(g.Launch(b.stream, nil), b.stream.Wait(), g.Close()))
		_, err = l.Describe(0)
		require.NoError(t, err)
		current(uintptr(unsafe.Pointer(now)))
		require.Equal(t, c, *now)
	}
	set(0)
	require.ErrorContains(t, l.ask(cuMemAlloc, uintptr(unsafe.Pointer(now)), 8), "CUDA_ERROR_INVALID_CONTEXT",
		"without a context, which is why Device.call sets it")
}

// A driver without graphs serves everything else.
func TestNoGraphs(t *testing.T) {
	library(t, true)
	names := symbols
	names[cuGraphInstantiateWithFlags] = "cuGraphOfTomorrow"
	l, err := open(os.Getenv(Variable), &names)
	require.NoError(t, err)
	require.False(t, l.Graphs())
	b := newBench(t, opened(t, l, 0))
	p := b.alloc(t, 4)
	require.NoError(t, b.set(p, 7, 4))
	require.Equal(t, []uint64{7, 7, 7, 7}, b.read(t, p, 4))
	_, err = b.stream.Capture(func() error { return b.set(p, 8, 4) })
	require.ErrorIs(t, err, ErrNoGraphs)
	require.Equal(t, []uint64{7, 7, 7, 7}, b.read(t, p, 4))

	names[cuMemAlloc] = "cuMemOfTomorrow"
	_, err = open(os.Getenv(Variable), &names)
	require.ErrorIs(t, err, ErrUnavailable)
	require.ErrorContains(t, err, "cuMemOfTomorrow")
}
