package par

import (
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Every step is taken once, whichever tasks run, in whatever order and however slow they are.
func TestSteps(t *testing.T) {
	for _, tasks := range []int{1, 2, 3, 5, 8, 16, 64} {
		s := NewSteps(Fork)
		for _, n := range []int{0, 1, 2, 7, 64, 1000} {
			for _, slow := range []int{-1, 0, tasks - 1} {
				seen := make([]atomic.Int32, n)
				s.Reset(tasks, n)
				Fork.Run(tasks, func(task int) {
					for i, end := s.Next(task); end > 0; i, end = s.Next(task) {
						for ; i < end; i++ {
							seen[i].Add(1)
							if task == slow {
								runtime.Gosched()
							}
						}
					}
				})
				for i := range seen {
					require.EqualValues(t, 1, seen[i].Load(), "step %d of %d, %d tasks", i, n, tasks)
				}
			}
		}
	}
}

// A task begins with its own share, in order, and takes the upper half of what another has left.
func TestStepsOrder(t *testing.T) {
	s := NewSteps(nil)
	s.Reset(3, 12)
	take := func(task int) int {
		from, to := s.Next(task)
		if to == 0 {
			return -1
		}
		require.Equal(t, from+1, to)
		return from
	}
	require.Equal(t, 4, take(1))
	require.Equal(t, 5, take(1))
	for i := range 4 {
		require.Equal(t, i, take(0))
	}
	require.Equal(t, 10, take(0), "of the four of the last task, which has not begun")
	require.Equal(t, 8, take(2))
	require.Equal(t, 11, take(0))
	var rest []int
	for i := take(2); i >= 0; i = take(2) {
		rest = append(rest, i)
	}
	require.Equal(t, []int{9, 7, 6}, rest)
	require.Equal(t, -1, take(0))
	require.Equal(t, -1, take(1))
}

// Numbers of steps beyond 32 bits go several at a time.
func TestManySteps(t *testing.T) {
	if math.MaxInt == math.MaxInt32 {
		t.Skip("an int has 32 bits")
	}
	n := math.MaxInt/8 + 3
	s := NewSteps(nil)
	s.Reset(2, n)
	first, end := s.Next(0)
	require.Zero(t, first)
	require.Less(t, uint64(n/end), uint64(1)<<32)
	var last int
	for i := range uint64(40) {
		from, to := s.Next(1)
		require.Greater(t, to, from)
		if i == 0 {
			require.LessOrEqual(t, n/2, from+to)
		} else {
			require.Equal(t, last, from)
		}
		last = to
	}
	s.shares[1].left = pack((n-1)/s.unit, (n-1)/s.unit+1)
	_, to := s.Next(1)
	require.Equal(t, n, to)
}

// A task that does not return ends the others, and the caller as it did.
func TestStepsEnd(t *testing.T) {
	for _, exit := range []bool{false, true} {
		l := Loops[int]{Workers: 4, Grain: 1}
		p := l.Get()
		var returned atomic.Bool
		var value any
		done := make(chan struct{})
		go func() {
			defer close(done)
			defer func() { value = recover() }()
			l.Run(p, 1000, 1, 1, 1, func(_ *int, from, to int) {
				if from <= 500 && 500 < to {
					if exit {
						runtime.Goexit()
					}
					panic("slip")
				}
			})
			returned.Store(true)
		}()
		<-done
		require.False(t, returned.Load())
		if !exit {
			require.Equal(t, "slip", value)
		}
		var sum atomic.Int64 // the next loop is as any
		l.Run(l.Get(), 1000, 1, 1, 1, func(_ *int, from, to int) { sum.Add(int64(to - from)) })
		require.EqualValues(t, 1000, sum.Load())
	}
}

// inTurn is a Runner that runs tasks one after the other.
type inTurn struct{}

func (inTurn) Run(tasks int, f func(i int)) {
	for i := range tasks {
		f(i)
	}
}

// No part begins after one that did not return.
func TestLoopsEnd(t *testing.T) {
	l, parts := Loops[int]{Workers: 4, Grain: 1, Runner: inTurn{}}, 0
	require.PanicsWithValue(t, "slip", func() {
		l.Run(l.Get(), 1000, 1, 1, 1, func(*int, int, int) {
			parts++
			panic("slip")
		})
	})
	require.Equal(t, 1, parts)
}

// Loops cover all elements in parts that are multiples, run alone where that pays more, and allocate nothing.
func TestLoops(t *testing.T) {
	for _, workers := range []int{0, 1, 2, 3, 5, 8, 16, 64} {
		l := Loops[[]int32]{Workers: workers, Grain: 1}
		for _, n := range []int{0, 1, 63, 64, 1000, 4096} {
			p := l.Get()
			p.State = make([]int32, n)
			l.Run(p, n, 1, 1, 8, func(s *[]int32, from, to int) {
				if from%8 != 0 || to%8 != 0 && to != n {
					panic("parts that are no multiples")
				}
				for i := from; i < to; i++ {
					(*s)[i]++
				}
			})
			for i, v := range p.State {
				require.EqualValues(t, 1, v, "element %d of %d, %d workers", i, n, workers)
			}
			l.Put(p)
			require.Nil(t, l.Get().State)
		}
	}
	l := Loops[int]{Workers: 8, Runner: panics{}}
	p := l.Get()
	l.Run(p, 1000, 1, 1, 1, func(s *int, from, to int) { *s += to - from })
	require.Equal(t, 1000, p.State, "1 µs of work on one worker")
	l = Loops[int]{Workers: 3, Grain: 1}
	allocs := testing.AllocsPerRun(100, func() {
		p := l.Get()
		l.Run(p, 1000, 1, 1, 1, func(*int, int, int) {})
		l.Put(p)
	})
	if !raceEnabled {
		require.Zero(t, allocs)
	}
}

type panics struct{}

func (panics) Run(int, func(int)) { panic("no run is wanted") }

// A call does not wait for goroutines that do not begin, and those that begin late do no harm.
func TestForkLate(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // goroutines begin when the caller waits for something
	before := runtime.NumGoroutine()                // those of other tests that have not begun either
	for range 100 {
		var ran [4]bool
		Fork.Run(4, func(i int) { ran[i] = true })
		require.Equal(t, [4]bool{true, true, true, true}, ran)
	}
	if !raceEnabled {
		require.Less(t, runtime.NumGoroutine(), before+20, "each call leaves goroutines behind")
	}
	time.Sleep(time.Millisecond)
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			var sum atomic.Int64
			Fork.Run(8, func(i int) { sum.Add(int64(i)) })
			if sum.Load() != 28 {
				t.Errorf("sum %d", sum.Load())
			}
		})
	}
	wg.Wait()
}
