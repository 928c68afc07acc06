package main

import (
	"context"
	"errors"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/galfft/fft/dist"
	"github.com/galfft/fft/dist/mpi"
	"github.com/galfft/fft/dist/nccl"
	"github.com/galfft/fft/gpu"
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

// verifyGroup is verifyOne for a group.
func (a *app) verifyGroup(ctx context.Context, g *group, f verbs.Field, n int, seed uint64, o verbs.Options,
	asJSON bool) error {
	var mu sync.Mutex
	var first verbs.Check
	err := g.each(func(end dist.Group, d *gpu.Device) error {
		c, err := f.VerifyGroup(ctx, end, d, n, seed, o)
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
