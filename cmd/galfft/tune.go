package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/verbs"
	"github.com/galfft/fft/tune"
)

// defaultTune are the lengths of tune.
var defaultTune = []int{1 << 8, 1 << 10, 1 << 12, 1 << 14, 1 << 16}

// tuneFlags are those of tune.
type tuneFlags struct {
	field, output string
	n             lengths
	verbs.Backend
	tune.Options
}

func (a *app) tune() *cobra.Command {
	var t tuneFlags
	cmd := &cobra.Command{
		Use:   "tune --field NAME",
		Short: "Measure how transforms run fastest here, for every program to load",
		Long: `Tune compares how a plan runs a transform by itself with other schemes, base cases, strips, radices, forms
of twiddle factors and numbers of tasks, and writes what is faster to a file, a line for each length, which it prints. A last line has the
crossover of products: the length of the shorter polynomial up to which the schoolbook is faster than transforms. Lines
of before with another key stay in the file. Every program on this machine loads the file that GALFFT_TUNE names, or tuning.txt in the
user's directory of configurations, and takes the lines for its plans; results are the same bits as without. galfft info
says what is loaded, and GALFFT_TUNE=off makes a program go without.

With --backend gpu or auto, a line says from how many elements on device 0 is faster for vectors of the host, for all
commands with --backend auto, and how many threads a block has there at most, for all commands on it.

An effort of estimate tries schemes and tasks, measure the others too, one after the other, and exhaustive all of them
together. Interrupted, tune writes the lines that it has. The machine is to do nothing else.`,
		Example: `  galfft tune --field goldilocks --n 2^10..2^20 --workers 2
  galfft tune --field gfpf:P3 --n 2^12 --effort exhaustive --time-limit 10m
  galfft tune --field p62 --n 2^10..2^20 --backend gpu
  galfft tune --field p62 --n 2^16 --output here.txt && GALFFT_TUNE=here.txt galfft info --field p62 --n 2^16`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.runTune(cmd.Context(), t) },
	}
	fieldFlag(cmd, &t.field)
	t.n.add(cmd, "n", "lengths")
	choose(cmd, "backend", &t.Backend, verbs.ParseBackend,
		"what to tune: the processor, from where on an NVIDIA GPU is faster, or both", verbs.CPU, verbs.GPU, verbs.Auto)
	choose(cmd, "effort", &t.Effort, tune.ParseEffort, "how much to try", tune.Thorough, tune.Estimate, tune.Exhaustive)
	choose(cmd, "order", &t.Order, field.ParseOrder, "where values stand", field.Natural, field.BitReversed, field.Scheme)
	cmd.Flags().IntVar(&t.Workers, "workers", 1, "tasks that may run at once: plans with as many workers take the lines")
	cmd.Flags().IntVar(&t.Batch, "batch", 1, "transforms in one call; plans with any batch take the lines of more than 1")
	cmd.Flags().DurationVar(&t.TimeLimit, "time-limit", time.Minute, "time for everything; 0 is none")
	cmd.Flags().StringVarP(&t.output, "output", "o", "", "`FILE` to write; the one that programs load otherwise")
	return cmd
}

func (a *app) runTune(ctx context.Context, t tuneFlags) error {
	if t.Workers < 1 || t.Workers > verbs.MaxWorkers || t.Batch < 1 || t.TimeLimit < 0 {
		return usagef("--workers %d, --batch %d, --time-limit %v: want 1 to %d, at least 1, and none negative", t.Workers,
			t.Batch, t.TimeLimit, verbs.MaxWorkers)
	}
	f, err := a.open(ctx, t.field)
	if err != nil {
		return err
	}
	if t.output == "" {
		if t.output, err = tune.Path(); err != nil {
			return err
		}
		if t.output == "" {
			return usagef("GALFFT_TUNE is off: want --output FILE")
		}
	}
	if err := new(tune.Table).Save(t.output); err != nil { // before the time is spent
		return err
	}
	t.Lengths, t.Products = t.n.or(defaultTune...), true
	p := a.progress(1)
	defer p.hide()
	t.Progress = func(share float64, n int) {
		what := "length " + lengthText(n)
		if n == 0 {
			what = "products"
		}
		p.at(share, f.Name()+", "+what)
	}
	table, err := f.Tune(ctx, t.Backend, t.Options)
	if errors.Is(err, field.ErrNoRoot) && t.n == nil {
		p.hide()
		a.notef("left out: %s", message(err))
		var products *tune.Table
		t.Lengths = nil
		products, err = f.Tune(ctx, t.Backend, t.Options)
		table.Merge(products)
	}
	p.over()
	p.finish()
	if table.Len() > 0 {
		err = errors.Join(err, table.Save(t.output))
		for _, line := range table.Lines() {
			if _, bad := fmt.Fprintln(a.stdout, line); bad != nil {
				return errors.Join(err, bad)
			}
		}
		a.notef("%d lines for %s", table.Len(), t.output)
	}
	left := len(t.Lengths) + 1
	for _, line := range table.Lines() {
		if !strings.HasPrefix(line, "device ") {
			left--
		}
	}
	if err == nil && left > 0 && t.Backend != verbs.GPU {
		a.notef("there was no time for %d more", left)
	}
	return err
}
