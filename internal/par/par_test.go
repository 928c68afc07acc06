package par

import (
	"bytes"
	"math"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Every task runs once, from several callers at a time, and Run waits for all.
func TestFork(t *testing.T) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for tasks := range 9 {
				var seen [9]atomic.Int32
				Fork.Run(tasks, func(i int) { seen[i].Add(1) })
				for i := range seen {
					want := int32(0)
					if i < tasks {
						want = 1
					}
					if got := seen[i].Load(); got != want {
						t.Errorf("task %d of %d ran %d times", i, tasks, got)
					}
				}
			}
		})
	}
	wg.Wait()
}

// Shares are contiguous, cover all steps, and differ by one step at most.
func TestShare(t *testing.T) {
	for tasks := 1; tasks < 8; tasks++ {
		for n := range 40 {
			next := 0
			for i := range tasks {
				from, to := Share(i, tasks, n)
				require.Equal(t, next, from)
				require.GreaterOrEqual(t, to-from, n/tasks)
				require.LessOrEqual(t, to-from, (n+tasks-1)/tasks)
				next = to
			}
			require.Equal(t, n, next)
		}
	}
	from, to := Share(7, 8, math.MaxInt)
	require.Equal(t, math.MaxInt, to)
	require.Less(t, from, to)
}

// A task that panics in the caller's goroutine leaves no other behind. Which task the caller takes is open.
func TestPanic(t *testing.T) {
	var done atomic.Bool
	panics := make(chan struct{})
	func() {
		defer func() { require.Equal(t, "slip", recover()) }()
		Fork.Run(2, func(int) {
			if bytes.Contains(debug.Stack(), []byte("testing.tRunner")) { // of the caller alone
				close(panics)
				panic("slip")
			}
			<-panics
			time.Sleep(10 * time.Millisecond)
			done.Store(true)
		})
	}()
	require.True(t, done.Load())
}
