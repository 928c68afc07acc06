package main

import (
	"fmt"
	"io"
	"time"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/benchjson"
)

// columns prints times of batches by columns over those of as many rows, both in place, in turn.
func columns(w io.Writer, most int, budget time.Duration, commit string) error {
	fmt.Fprint(w, benchjson.Heading(commit))
	fmt.Fprintln(w, "batches by columns: times of as many rows, both in place, in natural and in bit-reversed order")
	for _, run := range []func() error{
		func() error { return columnRatios(w, most, budget, smallprime.P30()) },
		func() error { return columnRatios(w, most, budget, smallprime.BabyBear()) },
		func() error { return columnRatios(w, most, budget, smallprime.P32()) },
		func() error { return columnRatios(w, most, budget, smallprime.P50()) },
		func() error { return columnRatios(w, most, budget, smallprime.P62()) },
		func() error { return columnRatios(w, most, budget, smallprime.P63()) },
		func() error { return columnRatios(w, most, budget, smallprime.P64()) },
		func() error { return columnRatios(w, most, budget, smallprime.Goldilocks()) },
	} {
		if err := run(); err != nil {
			return err
		}
	}
	return nil
}

var columnCounts = []int{1, 2, 4, 8, 16, 32, 64, 100, 256}

func columnRatios[E comparable](w io.Writer, most int, budget time.Duration, f ours[E]) error {
	fmt.Fprintf(w, "\n%-10s", f.Name())
	for _, count := range columnCounts {
		fmt.Fprintf(w, " %11d", count)
	}
	fmt.Fprintln(w)
	for k := 8; k <= most; k += 2 {
		fmt.Fprintf(w, "2^%-8d", k)
		for _, count := range columnCounts {
			v := random(f, count<<k)
			var ratio [2]float64
			for i, order := range []fft.Order{fft.Natural, fft.BitReversed} {
				plan := func(b fft.Batch) *fft.Plan[E] {
					return fft.Must(fft.NewPlan[E](f, 1<<k, fft.WithOrder(order), fft.WithBatch(b)))
				}
				byColumns, byRows := plan(fft.Columns(count, 0)), plan(fft.Rows(count, 0))
				best, err := inTurn(budget/8, max(1, 1<<14/len(v)),
					func() error { return byColumns.Forward(v, v) }, func() error { return byRows.Forward(v, v) })
				if err != nil {
					return err
				}
				ratio[i] = best[0] / best[1]
			}
			fmt.Fprintf(w, "   %4.2f %4.2f", ratio[0], ratio[1])
		}
		fmt.Fprintln(w)
	}
	return nil
}
