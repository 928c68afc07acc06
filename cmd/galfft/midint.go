package main

import (
	"fmt"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"github.com/galfft/fft/internal/vecfile"
	"github.com/galfft/fft/internal/verbs"
)

func (a *app) midint() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "midint",
		Short: "Add and multiply lists of integers, and time that",
		Long: `Midint computes with the integers in two files, the first with the first, the second with the second, and so on. They are
unsigned and of one width, any multiple of 32 bits. Text files hold decimal numbers separated by white space; binary
files hold whole integers, little-endian.`,
		Args: func(_ *cobra.Command, args []string) error {
			return usagef("midint %q: want add, mul or bench", args)
		},
		RunE: func(*cobra.Command, []string) error { return nil },
	}
	cmd.AddCommand(a.integers("add", "Add integers modulo 2^N, for the N of --bits", verbs.Integers{}),
		a.integers("mul", "Multiply integers", verbs.Integers{Mul: true}), a.benchIntegers())
	return cmd
}

func (a *app) integers(name, about string, i verbs.Integers) *cobra.Command {
	var v vectorFlags
	cmd := &cobra.Command{
		Use:     name + " --bits N A B",
		Short:   about,
		Example: "  galfft midint " + name + " --bits 2048 a.txt b.txt",
		Args:    files("A", "B"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if i.Bits == 0 || i.Bits%32 != 0 {
				return usagef("--bits %d: want a multiple of 32", i.Bits)
			}
			return a.convert(cmd.Context(), v, args, 1, fmt.Sprintf(`"bits":%d`, i.Width()),
				func(in []vecfile.Source, _ verbs.Options) (verbs.Values, error) {
					return i.Run(cmd.Context(), in[0], in[1])
				})
		},
	}
	numberFlag(cmd, "bits", &i.Bits, 1, "width of the integers in the files, a multiple of 32")
	numberFlag(cmd, "n", &v.n, 1, "integers that each input has, checked; otherwise as many as there are")
	formatFlag(cmd, &v.format)
	cmd.Flags().BoolVar(&v.json, "json", false, "write JSON")
	cmd.Flags().StringVarP(&v.output, "output", "o", "",
		"`FILE` for the result, complete or not at all; standard output otherwise")
	cmd.Flags().IntVar(&i.Workers, "workers", runtime.GOMAXPROCS(0), workersUsage)
	integersBackend(cmd, &i.Backend)
	if i.Mul {
		cmd.Flags().BoolVar(&i.Low, "low", false, "products modulo 2^N, and not of twice the width")
	}
	return cmd
}

// integersBackend chooses where integers are computed.
func integersBackend(cmd *cobra.Command, b *verbs.Backend) {
	choose(cmd, "backend", b, verbs.ParseBackend, "where integers are computed, a processor or an NVIDIA GPU",
		verbs.CPU, verbs.GPU, verbs.Auto)
}

func (a *app) benchIntegers() *cobra.Command {
	var backend verbs.Backend
	bits, n, workers, least := 2048, 4096, runtime.GOMAXPROCS(0), 200*time.Millisecond
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Time sums and products of batches of integers",
		Long: `Bench times each operation on random integers of one width, and writes the least and the median time of a batch
as a line of JSON: sums, 6x + 10y, low and whole products, and squares. Workers are not pinned. With --backend gpu times
have the copies from the host to the device and back; --backend auto takes it for products of long batches.`,
		Example: "  galfft midint bench --bits 2048 --n 4096 --workers 1",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if bits%32 != 0 {
				return usagef("--bits %d: want a multiple of 32", bits)
			}
			return verbs.BenchIntegers(cmd.Context(), a.stdout, backend, bits, n, workers, least)
		},
	}
	numberFlag(cmd, "bits", &bits, 1, "width of the integers, a multiple of 32")
	numberFlag(cmd, "n", &n, 1, "integers of a batch")
	integersBackend(cmd, &backend)
	cmd.Flags().IntVar(&workers, "workers", workers, measuredUsage)
	cmd.Flags().DurationVar(&least, "time", least, "time for each operation")
	return cmd
}
