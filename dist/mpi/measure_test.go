package mpi

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/dist"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/field/smallprime"
)

// alone is a rank whose calls neither agree nor exchange, so that its plan does a rank's own phases.
type alone struct{ *World }

func (alone) Agree(_ context.Context, _ uint64, err error) error                 { return err }
func (alone) Exchange(context.Context, bulks.Bulk, bulks.View, bulks.View) error { return nil }

// measured is the length of what is measured.
func measured() int {
	log, _ := strconv.Atoi(os.Getenv(logVariable))
	return 1 << max(log, 8)
}

const logVariable = "GALFFT_MPI_TEST_LOG"

// measure prints the least times of a transform, of a rank's own phases, and of the exchange of the same bytes, which
// alternate, and what the first is over the sum of the others.
func measure(ctx context.Context, w *World) error {
	return errors.Join(
		measureOne(ctx, w, "goldilocks", smallprime.Goldilocks(), measured()),
		measureOne(ctx, w, "bn254", bigprime.BN254(), measured()/4),
	)
}

func measureOne[E any](ctx context.Context, w *World, name string, f field.Rooted[E], n int) error {
	whole, err1 := dist.NewPlan(ctx, w, f, n, dist.Blocks{})
	own, err2 := dist.NewPlan(ctx, alone{w}, f, n, dist.Blocks{})
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	v, err1 := whole.NewVec()
	u, err2 := own.NewVec()
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	words := whole.Report().Vector / 8
	from, to := make([]uint64, words), make([]uint64, words)
	steps := []func() error{
		func() error { return whole.ForwardVec(ctx, v) },
		func() error { return own.ForwardVec(ctx, u) },
		func() error { return w.Exchange(ctx, &bulks.Plain[uint64]{}, bulks.ViewOf(to), bulks.ViewOf(from)) },
	}
	var least [3]time.Duration
	for i := range 12 {
		for j, step := range steps {
			if err := w.Agree(ctx, 0, nil); err != nil {
				return err
			}
			start := time.Now()
			if err := step(); err != nil {
				return err
			}
			if err := w.Agree(ctx, 0, nil); err != nil { // until all are over
				return err
			}
			if took := time.Since(start); i > 1 && (least[j] == 0 || took < least[j]) {
				least[j] = took
			}
		}
	}
	if w.rank == 0 {
		fmt.Printf("%s, %d ranks, %d points: transform %v, own phases %v, exchange %v, ratio %.3f\n", name, w.size, n,
			least[0], least[1], least[2], float64(least[0])/float64(least[1]+least[2]))
	}
	return nil
}

// occupied prints the anonymous memory of a rank that has transformed, over its part, without what it had before.
func occupied(ctx context.Context, w *World) error {
	f, n := smallprime.Goldilocks(), measured()
	if err := compare(ctx, w, f, 1<<8); err != nil { // what the first calls take for ever
		return err
	}
	before := anonymous()
	p, err := dist.NewPlan(ctx, w, f, n, dist.Blocks{})
	if err != nil {
		return err
	}
	v, err := p.NewVec()
	if err != nil {
		return err
	}
	if err := p.ForwardVec(ctx, v); err != nil {
		return err
	}
	after := anonymous()
	part := 8 * n / w.size
	if w.rank == 0 {
		fmt.Printf("goldilocks, %d ranks, %d points: %d bytes of anonymous memory for a part of %d, ratio %.3f\n", w.size, n,
			after-before, part, float64(after-before)/float64(part))
	}
	runtime.KeepAlive(v)
	return nil
}

// anonymous is the bytes of anonymous memory of this process.
func anonymous() int {
	text, _ := os.ReadFile("/proc/self/status")
	for _, line := range strings.Split(string(text), "\n") {
		if rest, ok := strings.CutPrefix(line, "RssAnon:"); ok {
			kb, _ := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(rest), " kB"))
			return kb << 10
		}
	}
	return 0
}

// The measurements run, under one launcher.
func TestMeasurements(t *testing.T) {
	c := commands[0]
	if _, err := exec.LookPath(c.name); err != nil {
		t.Skipf("no %s: install mpich", c.name)
	}
	for _, do := range []string{"measure", "memory"} {
		code, said := c.launch(t, 2, do)
		require.Zero(t, code, said)
		require.Contains(t, said, "ratio")
	}
}
