package device

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/emulator"
	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) { os.Exit(emulator.Main(m)) }

// spare opens an emulated device that no other test uses, so that it may be lost.
func spare(t *testing.T) *Device {
	t.Helper()
	emulator.Need(t)
	if !emulator.Emulates() {
		t.Skip("a real device does not fail when it is told to")
	}
	t.Setenv("EMULATE_DEVICES", "3")
	d, err := Open(1)
	require.NoError(t, err)
	t.Cleanup(func() { d.Close() })
	return d
}

// failing makes the n-th call of a function of the driver fail from now on, with a code.
func failing(t *testing.T, function string, n, code int) {
	t.Setenv("EMULATE_FAIL", "") // calls are counted from a change on
	if function != "" {
		_, err := List() // has the emulated driver look
		require.NoError(t, err)
		t.Setenv("EMULATE_FAIL", fmt.Sprintf("%s:%d:%d", function, n, code))
	}
}

// codes of the driver, and what errors.Is finds.
var codes = []struct {
	code int
	is   error
}{{1, nil}, {2, field.ErrMemory}, {700, ErrLost}}

// What the garbage collector fails to give back is said by the next call.
func TestCleanupFails(t *testing.T) {
	d := spare(t)
	v, err := d.Make(8)
	require.NoError(t, err)
	failing(t, "cuMemFreeAsync", 1, 1)
	runtime.KeepAlive(v)
	failed := func() bool { runtime.GC(); return d.Wait(context.Background(), nil) != nil }
	require.Eventually(t, failed, time.Minute, time.Millisecond)
	require.NoError(t, d.Wait(context.Background(), nil), "once")
}
