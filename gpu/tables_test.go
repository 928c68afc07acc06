package gpu

import (
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/smallprime"
)

// A table's memory stays until the kernel of its last pass has been started, though nobody has the table any more. The
// emulated device ends the process where a kernel reads what is gone.
func TestTablesStay(t *testing.T) {
	t.Run("words", func(t *testing.T) { tablesStay(t, smallprime.P62()) })
	t.Run("digits", func(t *testing.T) { tablesStay(t, gfpf.P2()) })
}

func tablesStay[E any](t *testing.T, f field.Rooted[E]) {
	b := opened(t, f, 0).b
	v, err := b.Make(16)
	require.NoError(t, err)
	stop := make(chan struct{})
	var wait sync.WaitGroup
	defer wait.Wait()
	defer close(stop)
	wait.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				runtime.GC()
			}
		}
	})
	rows := bulks.Rows{Blocks: 1, Half: 1, Width: 1, Stride: 1}
	for i := range 300 {
		table, err := b.Table(v.Slice(0, 16), bulks.Alone)
		require.NoError(t, err)
		if i%2 == 0 {
			table.Pass(v.Slice(0, 2), bulks.Pass{}, rows)
		} else {
			table.Scale(v.Slice(0, 2), 0, 2, 1, 1)
		}
	}
}
