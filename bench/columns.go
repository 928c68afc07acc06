package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/benchjson"
	"github.com/galfft/fft/poly"
)

// columns prints times of batches by columns over those of as many rows, both in place, in turn, and those of
// extensions of columns over as many of one, in fields with a text in their names.
func columns(w io.Writer, s *settings) error {
	fmt.Fprint(w, benchjson.Heading(s.commit))
	fmt.Fprintln(w, "batches by columns: times of as many rows, both in place, in natural and in bit-reversed order;")
	fmt.Fprintln(w, "extensions to four times the length: times of as many of one column each")
	for _, workers := range s.workers {
		about := func() error { return columnTables(w, s, workers) }
		if workers == 1 {
			about = func() error { return pinned(func() error { return columnTables(w, s, 1) }) }
		}
		if err := about(); err != nil {
			return err
		}
	}
	return nil
}

func columnTables(w io.Writer, s *settings, workers int) error {
	for _, of := range []struct {
		name string
		run  func() error
	}{
		columnRatios(w, s, workers, smallprime.P30()),
		columnRatios(w, s, workers, smallprime.BabyBear()),
		columnRatios(w, s, workers, smallprime.KoalaBear()),
		columnRatios(w, s, workers, smallprime.P32()),
		columnRatios(w, s, workers, smallprime.P50()),
		columnRatios(w, s, workers, smallprime.P62()),
		columnRatios(w, s, workers, smallprime.P63()),
		columnRatios(w, s, workers, smallprime.P64()),
		columnRatios(w, s, workers, smallprime.Goldilocks()),
	} {
		if !strings.Contains(of.name, s.filter) {
			continue
		}
		if err := of.run(); err != nil {
			return err
		}
	}
	return nil
}

var columnCounts = []int{1, 2, 4, 8, 16, 32, 64, 100, 256}

// columnRatios are the tables of a field: its name, and what prints them.
func columnRatios[E comparable](w io.Writer, s *settings, workers int, f ours[E]) (t struct {
	name string
	run  func() error
}) {
	budget := s.budget
	t.name = f.Name()
	t.run = func() error {
		for _, table := range []struct {
			about string
			cell  func(n, count int) ([]float64, error)
		}{
			{"", func(n, count int) ([]float64, error) { return batchRatios(f, n, count, workers, budget) }},
			{", extensions", func(n, count int) ([]float64, error) { return extensionRatio(f, n, count, workers, budget) }},
		} {
			fmt.Fprintf(w, "\n%s, workers %d%s\n%-10s", t.name, workers, table.about, "")
			for _, count := range s.counts {
				fmt.Fprintf(w, " %11d", count)
			}
			fmt.Fprintln(w)
			for k := s.least; k <= s.most; k += 2 {
				fmt.Fprintf(w, "2^%-8d", k)
				for _, count := range s.counts {
					ratios, err := table.cell(1<<k, count)
					if err != nil {
						return err
					}
					text := ""
					for _, r := range ratios {
						text += fmt.Sprintf(" %4.2f", r)
					}
					fmt.Fprintf(w, " %11s", text)
				}
				fmt.Fprintln(w)
			}
		}
		return nil
	}
	return t
}

// batchRatios are those of both orders.
func batchRatios[E comparable](f ours[E], n, count, workers int, budget time.Duration) (ratios []float64, err error) {
	v := random(f, count*n)
	for _, order := range []fft.Order{fft.Natural, fft.BitReversed} {
		plan := func(b fft.Batch) *fft.Plan[E] {
			return fft.Must(fft.NewPlan[E](f, n, fft.WithOrder(order), fft.WithBatch(b), fft.WithWorkers(workers)))
		}
		byColumns, byRows := plan(fft.Columns(count, 0)), plan(fft.Rows(count, 0))
		best, err := inTurn(budget/8, max(1, 1<<14/len(v)),
			func() error { return byColumns.Forward(v, v) }, func() error { return byRows.Forward(v, v) })
		if err != nil {
			return nil, err
		}
		ratios = append(ratios, best[0]/best[1])
	}
	return ratios, nil
}

// extensionRatio is that of an extension from n/4 to n points of count columns.
func extensionRatio[E comparable](f ours[E], n, count, workers int, budget time.Duration) ([]float64, error) {
	var shift E
	f.Random(&shift, rand.New(rand.NewPCG(1, 2)))
	all, err := poly.NewLDE[E](f, n/4, 4, count, &shift, fft.WithWorkers(workers))
	if err != nil {
		return nil, err
	}
	one, err := poly.NewLDE[E](f, n/4, 4, 1, &shift, fft.WithWorkers(workers))
	if err != nil {
		return nil, err
	}
	ctx, x, z := context.Background(), random(f, count*n/4), make([]E, count*n)
	best, err := inTurn(budget/8, max(1, 1<<14/len(z)), func() error { return all.ExtendTo(ctx, z, x) }, func() error {
		for i := range count {
			if err := one.ExtendTo(ctx, z[i*n:][:n], x[i*n/4:][:n/4]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return []float64{best[0] / best[1]}, nil
}
