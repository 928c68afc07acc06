package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"time"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/tuning"
	"github.com/galfft/fft/tune"
)

// familyOf is the part of a processor's name that all of its family and model share.
var familyOf = regexp.MustCompile(`family \d+, model \d+,`)

// tuner tunes a field.
type tuner struct {
	field string
	tune  func(o tune.Options) (*tune.Table, error)
}

func tunerOf[E any](f interface {
	field.Field[E]
	field.Info
}) tuner {
	return tuner{f.Name(), func(o tune.Options) (*tune.Table, error) {
		return tune.Measure(context.Background(), f, o)
	}}
}

// builtInTuners are fields of every form of vectors: lines hold for all fields of their form.
func builtInTuners() []tuner {
	return []tuner{tunerOf(smallprime.P30()), tunerOf(smallprime.BabyBear()), tunerOf(smallprime.P32()),
		tunerOf(smallprime.P50()), tunerOf(smallprime.P62()), tunerOf(smallprime.P63()), tunerOf(smallprime.P64()),
		tunerOf(smallprime.Goldilocks()), tunerOf(gfpf.K4()), tunerOf(gfpf.K8()), tunerOf(gfpf.K16()),
		tunerOf(gfpf.K32()), tunerOf(bigprime.P2()), tunerOf(bigprime.BN254())}
}

// builtInLengths are those of built-in lines.
func builtInLengths(most int) (list []int) {
	for log := 6; log <= most; log += 2 {
		list = append(list, 1<<log)
	}
	return list
}

// builtIn writes the table of this processor's family, as internal/tuning/defaults has them: for each field, order and
// number of workers, the lengths where something else than the default is faster.
func builtIn(file string, log io.Writer, fields []tuner, lengths []int, limit time.Duration) error {
	here := tuning.Here()
	family := familyOf.FindString(here.CPU)
	if family == "" {
		return fmt.Errorf("processor %q, want one whose family and model are known", here.CPU)
	}
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	all := filepath.Join(dir, "all.txt")
	for _, f := range fields {
		for _, workers := range powers(runtime.NumCPU()) {
			for _, order := range []fft.Order{fft.Natural, fft.BitReversed, fft.Scheme} {
				o := tune.Options{Lengths: lengths, Order: order, Workers: workers, Effort: tune.Thorough,
					TimeLimit: limit * time.Duration(len(lengths)), Products: workers == 1 && order == fft.Natural}
				t, err := f.tune(o)
				if err == nil {
					err = t.Save(all)
				}
				if err != nil {
					return fmt.Errorf("%s: %w", f.field, err)
				}
				fmt.Fprintf(log, "%s, %v order, %d workers\n", f.field, order, workers)
			}
		}
	}
	measured, err := tuning.Read(all, here)
	if err != nil {
		return err
	}
	kept := tuning.New()
	kept.Header.CPU, kept.Header.Family = family, true
	for _, l := range measured.Lines() {
		if l.Tuned.Source = ""; l.Tuned != (field.Tuned{}) {
			kept.Add(l)
		}
	}
	for _, l := range measured.Products() {
		if l.Tuned.Schoolbook > 0 {
			kept.AddProducts(l)
		}
	}
	return os.WriteFile(file, kept.Text(), 0o666)
}
