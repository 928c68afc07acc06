package main

import (
	"context"
	"fmt"
	"io"
	"runtime"

	"github.com/spf13/cobra"

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
			return usagef("int %q: want mul, sqr, pow, quo, rem, sqrt or convert", args)
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
	return cmd
}

// computeHuge writes what is computed of integers in files.
func (a *app) computeHuge(ctx context.Context, h verbs.Huge, args []string, output string) error {
	return a.transfer(ctx, args, output, func(in []vecfile.Source, p *progress) (func(io.Writer) error, error) {
		h.Step = func(note string) { p.at(0, note) }
		z, err := h.Run(ctx, in)
		return func(w io.Writer) error {
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
