package main

import (
	"context"
	"fmt"
	"time"

	"github.com/galfft/fft/internal/benchjson"
	"github.com/galfft/fft/internal/verbs"
)

// rates are those that galfft bench --machine --backend gpu measures, of copies within what the shared cache holds and
// of many times as much.
func rates(s *session) error {
	for _, r := range []struct {
		op, name string
		log      int // of words
	}{
		{benchjson.MultiplyAdd32, "multiply-add, 32 bits", 0},
		{benchjson.MultiplyAdd64, "multiply-add, 64 bits", 0},
		{benchjson.Multiply, "both halves of a product of 64 bits, and two sums", 0},
		{benchjson.Copy, "copy", 20},
		{benchjson.Copy, "copy", 27},
	} {
		c := verbs.Case{Op: r.op, Batch: 1, Time: max(10*s.budget, time.Microsecond),
			Options: verbs.Options{Workers: 1, Backend: verbs.GPU}}
		if r.log > 0 {
			c.N = 1 << min(r.log, s.most+7)
		}
		m, err := verbs.Machine{}.Bench(context.Background(), c)
		if err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
		ns := m.Samples.Median() // of one
		l := line{Field: benchjson.Machine, N: m.N, Case: r.name, Ms: ns / 1e6, Gops: 1 / ns}
		if r.log > 0 {
			l.Ms, l.Gops, l.GBs = ns*float64(m.N)/1e6, 0, 16/ns
		}
		if err := s.print(l); err != nil {
			return err
		}
	}
	return nil
}
