package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/galfft/fft/dist"
	"github.com/galfft/fft/dist/mpi"
	"github.com/galfft/fft/dist/nccl"
	"github.com/galfft/fft/gpu"
	"github.com/galfft/fft/internal/benchjson"
	"github.com/galfft/fft/internal/vecfile"
	"github.com/galfft/fft/internal/verbs"
)

func groupFlag(cmd *cobra.Command, ranks *string) {
	cmd.Flags().StringVar(ranks, "group", "", "spread over `RANKS`: local:4 is goroutines, nccl:0,1 GPUs by their "+
		"numbers, mpi the processes that mpiexec has started")
}

// group is the ranks of this process.
type group struct {
	ends    []dist.Group
	devices []*gpu.Device // of each, or none
}

// group opens what --group names, nil for nothing. Of several processes rank 0 alone says something.
func (a *app) group(ctx context.Context, ranks string) (*group, error) {
	kind, list, _ := strings.Cut(ranks, ":")
	g := new(group)
	var err error
	switch {
	case ranks == "":
		return nil, nil
	case ranks == "mpi":
		var w *mpi.World
		if w, err = mpi.Start(ctx); err != nil {
			return nil, err
		}
		g.ends = []dist.Group{w}
		if w.Rank() != 0 {
			a.stdout, a.stderr = io.Discard, io.Discard
		}
	case kind == "local":
		n, bad := parseNumber(list, 1)
		if bad != nil || n > mostRanks {
			return nil, usagef("--group %s: want local:N, N from 1 to %d", ranks, mostRanks)
		}
		g.ends, err = dist.Local(n)
	case kind == "nccl":
		for _, text := range strings.Split(list, ",") {
			i, bad := strconv.Atoi(text)
			if bad != nil {
				return nil, errors.Join(usagef("--group %s: %q is no number of a device", ranks, text), g.free())
			}
			d, err := gpu.Open(i)
			if err != nil {
				return nil, errors.Join(err, g.free())
			}
			g.devices = append(g.devices, d)
		}
		if g.ends, err = nccl.Local(ctx, g.devices...); err != nil {
			err = errors.Join(err, g.free())
		}
	default:
		err = usagef("--group %s: want local:N, nccl:I,J,… or mpi", ranks)
	}
	if err != nil {
		return nil, err
	}
	return g, nil
}

const mostRanks = 1 << 10

// free closes the devices.
func (g *group) free() (err error) {
	for _, d := range g.devices {
		err = errors.Join(err, d.Close())
	}
	return err
}

// close ends the ranks of this process, and their devices.
func (g *group) close() {
	if g != nil {
		_ = dist.Run(g.ends, func(dist.Group) error { return nil })
		_ = g.free()
	}
}

// each calls do for the ranks of this process, at once, and returns the worst of their errors.
func (g *group) each(do func(end dist.Group, d *gpu.Device) error) (err error) {
	errs := make([]error, len(g.ends))
	var running sync.WaitGroup
	for i, end := range g.ends {
		var d *gpu.Device
		if len(g.devices) > 0 {
			d = g.devices[i]
		}
		running.Go(func() { errs[i] = do(end, d) })
	}
	running.Wait()
	for _, e := range errs {
		if dist.Severity(e) > dist.Severity(err) || errors.Is(e, verbs.ErrWrong) {
			err = e
		}
	}
	return err
}

// shown is the options of a rank: the first of this process alone shows progress.
func (g *group) shown(end dist.Group, o verbs.Options) verbs.Options {
	if end != g.ends[0] {
		o.Progress = nil
	}
	return o
}

// verifyGroup is verifyOne for a group.
func (a *app) verifyGroup(ctx context.Context, g *group, f verbs.Field, n int, seed uint64, o verbs.Options,
	asJSON bool) error {
	var mu sync.Mutex
	var first verbs.Check
	err := g.each(func(end dist.Group, d *gpu.Device) error {
		c, err := f.VerifyGroup(ctx, end, d, n, seed, g.shown(end, o))
		mu.Lock()
		defer mu.Unlock()
		if end == g.ends[0] {
			first = c
		}
		return err
	})
	if err != nil && !errors.Is(err, verbs.ErrWrong) {
		return err
	}
	first.Err = err
	return errors.Join(a.printCheck(f.Name(), n, first, asJSON), err)
}

// runGroup is run for a group. The process of rank 0 alone has files.
func (a *app) runGroup(ctx context.Context, g *group, v vectorFlags, args []string, t verbs.Transform) error {
	run := func(f verbs.Field, src *vecfile.Source, o verbs.Options) (z verbs.Values, err error) {
		err = g.each(func(end dist.Group, d *gpu.Device) error {
			o := g.shown(end, o)
			if end.Rank() != 0 {
				_, err := f.RunGroup(ctx, end, d, t, nil, o)
				return err
			}
			var err error
			z, err = f.RunGroup(ctx, end, d, t, src, o)
			return err
		})
		return z, err
	}
	if g.ends[0].Rank() != 0 {
		f, err := a.open(ctx, v.field)
		if err == nil {
			_, err = run(f, nil, v.Options)
		}
		return err
	}
	began := false
	err := a.compute(ctx, v, args, 1, func(w work) (verbs.Values, error) {
		began = true
		return run(w.f, &w.in[0], w.o)
	})
	if !began && len(g.ends) < g.ends[0].Size() { // the other processes wait for it
		_ = g.ends[0].Agree(ctx, 0, err)
	}
	return err
}

// benchGroup opens the group of a measurement, whose ranks have one seed.
func (a *app) benchGroup(ctx context.Context, b *benchFlags, seeded bool) (*group, error) {
	if b.ranks == "" {
		return nil, nil
	}
	switch {
	case b.machine:
		return nil, usagef("--machine takes no --group")
	case b.Backend != verbs.CPU:
		return nil, usagef("--backend with --group: nccl ranks are on devices, all others on the processor")
	case b.op != "forward" && b.op != "inverse":
		return nil, usagef("--op %s with --group, want forward or inverse", b.op)
	}
	b.opGiven = true
	if !seeded {
		b.seed = 0
	}
	return a.group(ctx, b.ranks)
}

// benchRanks measures one case on a group.
func (a *app) benchRanks(ctx context.Context, g *group, c benchCase, b benchFlags,
	report func(benchjson.Line, verbs.Measurement) error) error {
	var first verbs.Measurement
	err := g.each(func(end dist.Group, d *gpu.Device) error {
		of := c.Case
		of.Options = g.shown(end, of.Options)
		m, err := c.f.BenchGroup(ctx, end, d, of)
		if end == g.ends[0] {
			first = m
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("%s, %s, length %s: %w", c.f.Name(), c.Op, lengthText(c.N), err)
	}
	return report(b.line(c, first), first)
}
