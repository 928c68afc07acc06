package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/benchjson"
	"github.com/galfft/fft/internal/late"
)

// lateSubjects are what bench late calls all functions over: fields with lengths, and systems of primes with integers.
var lateSubjects = []struct {
	name  string
	calls func(most int) ([]late.Call, error)
}{
	{"p62", overField[uint64](smallprime.P62(), 0)},
	{"goldilocks", overField[uint64](smallprime.Goldilocks(), 0)},
	{"bn254", overField[[4]uint64](bigprime.BN254(), 3)},
	{"gfpf:P7", overField[[128]uint64](gfpf.P7(), 8)},
	{"plain:P7", overField[[128]uint64](elementsOf[[128]uint64](gfpf.P7()), 8)},
	{"prime:P7", func(most int) ([]late.Call, error) {
		f, err := bigprime.New[[128]uint64](gfpf.P7().Characteristic())
		if err != nil {
			return nil, err
		}
		return overField[[128]uint64](f, 8)(most)
	}},
	{"roots", func(int) ([]late.Call, error) { return late.OverRoots[[128]uint64](gfpf.P7().Characteristic()) }},
	{"integers", func(most int) ([]late.Call, error) { return late.OverIntegers(520, 1<<max(4, most-10)) }},
}

// overField is for 2^less fewer points than the most.
func overField[E any](f field.Rooted[E], less int) func(most int) ([]late.Call, error) {
	return func(most int) ([]late.Call, error) { return late.OverField(f, 1<<max(4, most-less)) }
}

// elementsOf is f by element methods alone.
func elementsOf[E any](f field.Rooted[E]) field.Rooted[E] {
	return struct{ field.Rooted[E] }{f}
}

// stopwatch is a context that notes the longest time between two looks at it: on the clock or on all processors, of
// which the lesser one is the work. Other programs lengthen the first one, the collector beside a call the second.
type stopwatch struct {
	context.Context
	clock     time.Time
	last, all time.Duration // on all processors, at the last look and between the first and the last one
	most      time.Duration
}

func newStopwatch() *stopwatch {
	return &stopwatch{Context: context.Background(), clock: time.Now(), last: processTime()}
}

func (s *stopwatch) Err() error {
	clock, now := time.Now(), processTime()
	s.most = max(s.most, min(clock.Sub(s.clock), now-s.last))
	s.all += now - s.last
	s.clock, s.last = clock, now
	return nil
}

// lateness prints how long every function with a context works on after its end, at most: the longest time between two
// looks at the context.
func lateness(w io.Writer, most int, filter, commit string) error {
	fmt.Fprint(w, benchjson.Heading(commit))
	fmt.Fprintln(w, "milliseconds between two looks at a context, at most, and for the whole call")
	for _, s := range lateSubjects {
		if !strings.Contains(s.name, filter) {
			continue
		}
		calls, err := s.calls(most)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		for _, c := range calls {
			watch := newStopwatch()
			if err := c.Run(watch); err != nil {
				return fmt.Errorf("%s, %s: %w", s.name, c.Name, err)
			}
			_ = watch.Err()
			fmt.Fprintf(w, "%-12s %-32s %8.2f %10.2f\n", s.name, c.Name, watch.most.Seconds()*1000,
				watch.all.Seconds()*1000)
		}
	}
	return nil
}
