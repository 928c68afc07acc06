package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/galfft/fft/internal/benchjson"
	"github.com/galfft/fft/internal/cpu"
	"github.com/galfft/fft/internal/vecfile"
	"github.com/galfft/fft/internal/verbs"
)

// hugeVerbs are the commands below int.
var hugeVerbs = []struct {
	name, about string
	files       []string
	optional    string // another file
	operation   verbs.HugeOperation
}{
	{"mul", "Multiply two integers", []string{"A", "B"}, "", verbs.HugeProduct},
	{"sqr", "Square an integer", []string{"A"}, "", verbs.HugeSquare},
	{"pow", "Raise A to the power B, modulo M where it is given", []string{"A", "B"}, "M", verbs.HugePower},
	{"quo", "Divide A by B, truncated toward zero", []string{"A", "B"}, "", verbs.HugeQuotient},
	{"rem", "Print A − B·quo, which has the sign of A", []string{"A", "B"}, "", verbs.HugeRemainder},
	{"sqrt", "Take the square root, rounded down", []string{"A"}, "", verbs.HugeRoot},
	{"convert", "Write an integer in another notation", []string{"A"}, "", verbs.HugeSame},
}

func (a *app) huge() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "int",
		Short: "Compute with huge integers, one a file",
		Long: `Int computes with signed integers of any length, of which each file holds one: a decimal number (dec), a hexadecimal one
(hex), both with white space around it or none, or the bytes of the two's complement, little-endian (bin). One of the
files may be -, which is standard input.`,
		Args: func(_ *cobra.Command, args []string) error {
			return usagef("int %q: want mul, sqr, pow, quo, rem, sqrt, convert or bench", args)
		},
		RunE: func(*cobra.Command, []string) error { return nil },
	}
	for _, v := range hugeVerbs {
		h := verbs.Huge{Operation: v.operation}
		use, example := v.name, "  galfft int "+v.name
		for i, name := range v.files {
			use += " " + name
			example += []string{" a.txt", " b.txt"}[i]
		}
		arguments := files(v.files...)
		if v.optional != "" {
			use += " [" + v.optional + "]"
			arguments = func(cmd *cobra.Command, args []string) error {
				if len(args) == len(v.files)+1 {
					return nil
				}
				return files(v.files...)(cmd, args)
			}
		}
		var output string
		sub := &cobra.Command{
			Use:     use,
			Short:   v.about,
			Example: example + "\n" + example + " --to hex -o out.txt",
			Args:    arguments,
			RunE: func(cmd *cobra.Command, args []string) error {
				return a.computeHuge(cmd.Context(), h, args, output)
			},
		}
		choose(sub, "from", &h.From, verbs.ParseNotation, "of the files read", verbs.Decimal, verbs.Hexadecimal,
			verbs.Binary)
		choose(sub, "to", &h.To, verbs.ParseNotation, "of the result", verbs.Decimal, verbs.Hexadecimal, verbs.Binary)
		sub.Flags().StringVarP(&output, "output", "o", "",
			"`FILE` for the result, complete or not at all; standard output otherwise")
		sub.Flags().IntVar(&h.Workers, "workers", runtime.GOMAXPROCS(0), workersUsage)
		cmd.AddCommand(sub)
	}
	cmd.AddCommand(a.benchHuge())
	return cmd
}

// defaultBits are the sizes of int bench.
var defaultBits = []int{1e5, 1e6, 1e7}

// benchHuge measures operations on random integers.
func (a *app) benchHuge() *cobra.Command {
	var (
		c    verbs.HugeCase
		op   string
		bits lengths
		form bool
	)
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure operations on random integers",
		Long: `Bench times products, squares, quotients of twice as many bits by so many, square roots, and decimal digits written and
read, on pinned workers, and proves the last result of each. Without --op and --bits it takes all operations and 10^5,
10^6 and 10^7 bits.`,
		Example: "  galfft int bench\n  galfft int bench --op mul --bits 100000000 --workers 2 --json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !cmd.Flags().Changed("seed") {
				c.Seed = rand.Uint64()
			}
			ops := verbs.HugeOps()
			if op != "" {
				ops = []string{op}
			}
			if !form {
				fmt.Fprintf(a.stdout, "%sseed %d\n", benchjson.Heading(benchjson.Commit()), c.Seed)
				fmt.Fprintf(a.stdout, hugeRow, "op", "bits", "workers", "min", "median", "reps")
			}
			for _, c.Bits = range bits.or(defaultBits...) {
				for _, c.Op = range ops {
					if err := a.benchOneHuge(cmd.Context(), c, form); err != nil {
						return err
					}
				}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&op, "op", "", "what to measure: "+strings.Join(verbs.HugeOps(), ", "))
	complete(cmd, "op", verbs.HugeOps())
	bits.add(cmd, "bits", "bits of operands")
	numberFlag(cmd, "workers", &c.Workers, 1, "threads")
	c.Workers = 1
	cmd.Flags().IntVar(&c.Reps, "reps", 0, "samples of each case; as many as fit --time otherwise, at least 3")
	cmd.Flags().DurationVar(&c.Time, "time", 500*time.Millisecond, "time for the samples of each case")
	cmd.Flags().Uint64Var(&c.Seed, "seed", 0, "`NUMBER` that operands are made from; a random one otherwise")
	cmd.Flags().BoolVar(&form, "json", false, "write JSON")
	return cmd
}

const hugeRow = "%-6s %12s %8s %13s %13s %6s\n"

func (a *app) benchOneHuge(ctx context.Context, c verbs.HugeCase, form bool) error {
	p := a.progress(1)
	defer p.hide()
	c.Progress = p.calls(1, fmt.Sprintf("%s, %d bits", c.Op, c.Bits))
	samples, err := c.Bench(ctx)
	p.hide()
	if err != nil {
		return fmt.Errorf("%s, %d bits, seed %d: %w", c.Op, c.Bits, c.Seed, err)
	}
	if form {
		return benchjson.Line{
			Field: "integers of n bits", Op: c.Op, N: c.Bits, Batch: 1, Tier: cpu.Active().String(), Backend: "cpu",
			Residency: "host", Workers: c.Workers, NsMin: samples.Min(), NsMedian: samples.Median(), Reps: len(samples),
			Go: runtime.Version(), CPU: benchjson.CPU(), Features: benchjson.Features(), Caches: benchjson.Caches(),
			Commit: benchjson.Commit(), Date: benchjson.Now(),
		}.WriteJSON(a.stdout)
	}
	_, err = fmt.Fprintf(a.stdout, hugeRow, c.Op, fmt.Sprint(c.Bits), fmt.Sprint(c.Workers), duration(samples.Min()),
		duration(samples.Median()), fmt.Sprint(len(samples)))
	return err
}

// computeHuge writes what is computed of integers in files.
func (a *app) computeHuge(ctx context.Context, h verbs.Huge, args []string, output string) error {
	return a.transfer(ctx, args, output, func(in []vecfile.Source, p *progress) (func(io.Writer) error, error) {
		h.Step = func(note string) { p.at(0, note) }
		over := p.wait()
		z, err := h.Run(ctx, in)
		over()
		return func(w io.Writer) error {
			p.at(0, "writing")
			defer p.wait()()
			return z.Write(ctx, &countingWriter{p: p, w: w, size: z.Size()})
		}, err
	})
}

// countingWriter is a part that writes about size bytes to w.
type countingWriter struct {
	p       *progress
	w       io.Writer
	n, size int
}

func (c *countingWriter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += n
	c.p.at(float64(c.n)/float64(c.size), fmt.Sprintf("writing: %d MB", c.n>>20))
	return n, err
}
