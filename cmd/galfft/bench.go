package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/benchjson"
	"github.com/galfft/fft/internal/cpu"
	"github.com/galfft/fft/internal/verbs"
)

// tiers lists the tiers of kernels that can run here, the active one first.
func tiers() []string {
	active := cpu.Active().String()
	list := []string{active}
	for _, t := range cpu.Present() {
		if t.String() != active {
			list = append(list, t.String())
		}
	}
	return list
}

// The default set takes less than a minute: half a second a case, and what is around it.
var (
	defaultFields  = []string{"goldilocks", "babybear", "p50", "p62", "gfpf:k8", "bn254"}
	defaultOps     = []word{"forward", "polymul", "add", "mul"}
	defaultLengths = []int{1 << 10, 1 << 16, 1 << 20}
)

// benchFlags are those of bench.
type benchFlags struct {
	common
	n lengths
	verbs.Options
	op, tier word
	opGiven  bool
	bases    lengths
	batches  lengths
	benchfmt bool
	reps     int
	time     time.Duration
	seed     uint64
	commit   string
	versus   string
	machine  bool
	basis    string
	ranks    string
	group    *group // that of ranks
}

func (a *app) bench() *cobra.Command {
	var b benchFlags
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure transforms, products and element operations",
		Long: `Bench measures one operation, at each length of --n, each base case of --base and each batch of --batch, and prints the
least and the median time of one call, with the spread: by how much the samples of the middle half differ, in parts of
the median. Operations are:

  forward, inverse, coset, negacyclic   --batch transforms of length n, in place
  polymul                               a product of two polynomials of n coefficients
  convolution                           a cyclic convolution of length n
  add, sub, mul, shift                  one element, over vectors of n elements that fit the first-level cache
  pack                                  one element, into the working form of a plan and back

Times of add, sub, mul, shift and pack are per element, all others per call. Scheme, base, workers and order stand in
the results as asked for. Workers are threads pinned to CPUs (on Linux). The input comes from a seed, which is
printed; the result is checked after the measurement, and a wrong one ends the run without a figure. What is around
the samples takes the time of a warm-up, of making plan and input, and of that check.

With --machine it measures what bounds transforms on any field: the copy of a vector of 2^25 words, or --n, which is read
and written once, by the time of a word; and products without waiting for memory, by the time of one, with n the bits of
the factors. With --backend gpu as well, it measures the same on the device, and products and sums modulo 2^32 and 2^64.

With --backend gpu, transforms have two figures: of calls on slices of the host, with the copies to the device and back,
and, as "gpu only", of calls on vectors that stay on the device, with values in the cheapest order. --backend auto
measures the same where the plan chooses the device. A result names what ran.

With --group, forward and inverse are of one vector whose parts the ranks have in slices, and a figure is the time until
all are over; values are compared with those of one plan before.

Without --field, --op or --n bench takes a default set, less than a minute for all of it: of operations, those that take
the other options given.`,
		Example: `  galfft bench                                                            # the default set
  galfft bench --field p62 --op forward --n 2^10..2^20
  galfft bench --field p62 --op forward --n 2^16 --scheme fourstep --base 2^4..2^12
  galfft bench --field babybear --op forward --n 16 --batch 2^0..2^12
  galfft bench --field goldilocks --op polymul --n 2^16 --workers 4 --json
  galfft bench --field p62 --op forward --n 2^16..2^24 --backend gpu
  galfft bench --field p62 --benchfmt > new.txt && benchstat old.txt new.txt`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if b.versus != "" {
				return usagef("--vs %s: other libraries are no part of this program; in a clone of the repository, "+
					"go run -C bench . vs %[1]s", b.versus)
			}
			if b.json && b.benchfmt {
				return usagef("--json and --benchfmt: want one form of the results")
			}
			tier, err := cpu.Parse(string(b.tier))
			if err != nil {
				return err
			}
			undo, err := cpu.Use(tier)
			if err != nil {
				return err
			}
			defer undo()
			b.opGiven = cmd.Flags().Changed("op")
			if b.machine && (b.opGiven || b.field != "") {
				return usagef("--machine takes no --field and no --op")
			}
			if err := a.readBasis(cmd.Context(), b.basis, &b.Affine); err != nil {
				return err
			}
			if !cmd.Flags().Changed("seed") {
				b.seed = rand.Uint64()
			}
			if b.group, err = a.benchGroup(cmd.Context(), &b, cmd.Flags().Changed("seed")); err != nil {
				return err
			}
			defer b.group.close()
			return a.runBench(cmd.Context(), b)
		},
	}
	b.common.add(cmd)
	b.n.add(cmd, "n", "lengths")
	planFlags(cmd, &b.Options, 1)
	b.bases.add(cmd, "base", "lengths up to which transforms are not split, of each in turn; without it the plan chooses")
	productsFlag(cmd, &b.Options)
	affineFlags(cmd, &b.Options, &b.basis)
	shiftFlag(cmd, &b.Options)
	groupFlag(cmd, &b.ranks)
	cmd.Flags().Lookup("workers").Usage = measuredUsage
	chooseText(cmd, "op", &b.op, "what to measure", verbs.BenchOps())
	chooseText(cmd, "tier", &b.tier, "tier of the kernels", tiers())
	b.batches.add(cmd, "batch", "transforms in one call, 1 if not given")
	cmd.Flags().BoolVar(&b.benchfmt, "benchfmt", false, "write the format of Go's benchmarks, for benchstat")
	cmd.Flags().IntVar(&b.reps, "reps", 0, "samples of each case; as many as fit --time otherwise, at least 3")
	cmd.Flags().DurationVar(&b.time, "time", 500*time.Millisecond, "time for the samples of each case")
	cmd.Flags().Uint64Var(&b.seed, "seed", 0, "`NUMBER` that the input is made from; a random one otherwise")
	cmd.Flags().StringVar(&b.versus, "vs", "", "compare with a `LIBRARY` in Go: a program of the repository does it, whose "+
		"command this prints")
	cmd.Flags().StringVar(&b.commit, "commit", benchjson.Commit(), "`REVISION` that the results name")
	cmd.Flags().BoolVar(&b.machine, "machine", false, "measure what the processor, or the device, does without a field, for plot --kind roofline")
	return cmd
}

func (a *app) runBench(ctx context.Context, b benchFlags) error {
	if cpus := runtime.NumCPU(); b.Workers > cpus {
		a.notef("%d workers share %d CPUs: these are not the times of %d cores", b.Workers, cpus, b.Workers)
	}
	fields, ops := b.measured()
	var cases []benchCase
	for _, name := range fields {
		f, err := a.openMeasured(ctx, b, name)
		if err != nil {
			return err
		}
		for _, op := range ops {
			lengths := b.n.or(defaultLengths...)
			if verbs.OnVectors(string(op)) {
				lengths = b.n.or(0)
			}
			for _, n := range lengths {
				for _, batch := range b.batches.or(1) {
					for _, base := range b.bases.or(0) {
						c := verbs.Case{Op: string(op), N: n, Batch: batch, Seed: b.seed, Reps: b.reps, Time: b.time,
							Options: b.Options}
						c.Base = base
						if b.opGiven || c.Unused() == nil {
							cases = append(cases, benchCase{f, c})
						}
					}
				}
			}
		}
	}
	report := a.reporter(b)
	parts := 0
	for _, c := range cases {
		parts += 1 + c.twins()
	}
	p := a.progress(parts)
	defer p.hide()
	for _, c := range cases {
		if b.group != nil {
			if err := a.benchRanks(ctx, b.group, c, b, report); err != nil {
				return err
			}
			p.over()
			continue
		}
		device, err := a.benchOne(ctx, p, c, b, report)
		if err != nil {
			return err
		}
		p.over()
		if c.twins() == 0 {
			continue
		}
		if device {
			c.Resident, c.Order = true, field.Scheme
			if _, err := a.benchOne(ctx, p, c, b, report); err != nil {
				return err
			}
		}
		p.over()
	}
	p.finish()
	return nil
}

// benchCase is one measurement to make.
type benchCase struct {
	f verbs.Field
	verbs.Case
}

// twins is 1 where the case is measured once more, on vectors that stay on the device, if it runs on one.
func (c benchCase) twins() int {
	if c.Backend == verbs.CPU || !verbs.IsTransform(c.Op) {
		return 0
	}
	return 1
}

// benchOne reports whether a device ran.
func (a *app) benchOne(ctx context.Context, p *progress, c benchCase, b benchFlags,
	report func(benchjson.Line, verbs.Measurement) error) (device bool, err error) {
	name := c.f.Name()
	c.Progress = p.calls(1, fmt.Sprintf("%s, %s, length %s", name, c.Op, lengthText(c.N)))
	m, err := c.f.Bench(ctx, c.Case)
	if err != nil {
		what := fmt.Sprintf("%s, %s, length %s", name, c.Op, lengthText(max(c.N, m.N)))
		if errors.Is(err, verbs.ErrWrong) { // the text form names the seed beside its first figure, too late
			what += fmt.Sprintf(", seed %d", b.seed)
		}
		err = fmt.Errorf("%s: %w", what, err)
	}
	p.hide()
	if errors.Is(err, field.ErrNoRoot) && b.n == nil {
		a.notef("left out: %s", message(err))
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if m.Ignored != "" {
		a.notef("%s, %s, length %s: the plan ignores %s", name, c.Op, lengthText(m.N), m.Ignored)
	}
	return m.Device != nil, report(b.line(c, m), m)
}

func (b *benchFlags) line(c benchCase, m verbs.Measurement) benchjson.Line {
	l := benchjson.Line{
		Field: c.f.Name(), Op: c.Op, N: m.N, Batch: c.Batch, Scheme: c.Algorithm.String(), Ran: m.Ran, Base: c.Base,
		Tier: string(b.tier), Backend: "cpu", Residency: "host", Workers: b.Workers, Order: c.Order.String(),
		NsMin: m.Samples.Min(), NsMedian: m.Samples.Median(), Reps: len(m.Samples),
		Go: runtime.Version(), CPU: benchjson.CPU(), Features: benchjson.Features(),
		Caches: benchjson.Caches(), Commit: b.commit, Date: benchjson.Now(),
	}
	l.Group = b.ranks
	if b.ranks == "mpi" {
		l.Group = fmt.Sprintf("mpi:%d", b.group.ends[0].Size())
	}
	if m.Products != field.AutoProducts {
		l.Products = m.Products.String()
	}
	l.Subspace, l.Coefficients = m.Subspace, m.Coefficients
	if m.Device != nil {
		l.Backend, l.Device, l.Driver = "gpu", m.Device.Name, m.Device.Driver
	}
	if c.Resident || m.Resident {
		l.Residency = "device"
	}
	return l
}

// reporter returns what writes a result, in the form asked for. People, and files for benchstat, get a head.
func (a *app) reporter(b benchFlags) func(benchjson.Line, verbs.Measurement) error {
	if b.json || b.benchfmt {
		a.notef("seed %d", b.seed)
	}
	first, device := true, ""
	return func(l benchjson.Line, m verbs.Measurement) error {
		head, news := first, l.Device != "" && l.Device != device
		first = false
		if news {
			device = l.Device
		}
		switch {
		case b.json:
			return l.WriteJSON(a.stdout)
		case b.benchfmt:
			var err error
			if head {
				err = l.WriteHeader(a.stdout)
			}
			if err == nil && news {
				err = l.WriteDevice(a.stdout)
			}
			if err == nil {
				err = l.WriteBench(a.stdout, m.Samples)
			}
			return err
		}
		var text strings.Builder
		if head {
			fmt.Fprintf(&text, "%s, %s, commit %s, seed %d\n", l.CPU, l.Go, l.Commit, b.seed)
		}
		if news {
			fmt.Fprintf(&text, "%s, driver for CUDA %s\n", l.Device, l.Driver)
		}
		if head {
			fmt.Fprintf(&text, benchRow, "field", "op", "n", "scheme", "base", "order", "workers", "batch", "backend", "min",
				"median", "spread", "reps")
		}
		per, where := "", l.Backend
		if verbs.PerElement(l.Op) {
			per = " each"
		}
		if l.Residency == "device" {
			where = "gpu only"
		}
		if l.Group != "" {
			where = l.Group
		}
		ran := cmp.Or(l.Ran, l.Scheme)
		if l.Products == field.CRTProducts.String() { // for which schemes are those of other fields
			ran = l.Products
		}
		base := "auto"
		if l.Base != 0 {
			base = lengthText(l.Base)
		}
		fmt.Fprintf(&text, benchRow, l.Field, l.Op, lengthText(l.N), ran, base, l.Order,
			fmt.Sprint(l.Workers), fmt.Sprint(l.Batch), where, duration(l.NsMin)+per, duration(l.NsMedian)+per,
			fmt.Sprintf("%.1f %%", 100*m.Samples.Spread()), fmt.Sprint(l.Reps))
		_, err := io.WriteString(a.stdout, text.String())
		return err
	}
}

const benchRow = "%-12s %-12s %-8s %-15s %-5s %-8s %7s %6s %8s %13s %13s %8s %6s\n"
