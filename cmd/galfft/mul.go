package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"slices"

	"github.com/spf13/cobra"

	"github.com/galfft/fft/internal/vecfile"
	"github.com/galfft/fft/internal/verbs"
)

// vectorFlags are those of the verbs that turn files into a file.
type vectorFlags struct {
	common
	verbs.Options
	format vecfile.Format
	output string
}

func (v *vectorFlags) add(cmd *cobra.Command) {
	v.common.add(cmd, "elements that each input has, checked; otherwise as many as there are")
	formatFlag(cmd, &v.format)
	cmd.Flags().StringVarP(&v.output, "output", "o", "", "`FILE` for the result, complete or not at all; standard output otherwise")
}

func (a *app) mul() *cobra.Command {
	var v vectorFlags
	cmd := &cobra.Command{
		Use:   "mul --field NAME A B",
		Short: "Multiply the polynomials in two files",
		Long: `Mul prints the product of the polynomials in two files, coefficient by coefficient, low degree first. One of the
files may be -, which is standard input. With m and n coefficients in the files the product has m + n − 1;
where a file has none, the product has none.`,
		Example: `  galfft mul --field goldilocks a.txt b.txt
  echo 1 1 | galfft mul --field 998244353 - b.txt
  galfft mul --field p62 --format binary -o c.bin a.bin b.bin`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.compute(cmd.Context(), v, args, func(ctx context.Context, f verbs.Field, in []vecfile.Source, o verbs.Options) (verbs.Values, error) {
				return f.Mul(ctx, in[0], in[1], o)
			})
		},
	}
	v.add(cmd)
	cmd.Flags().IntVar(&v.Workers, "workers", runtime.GOMAXPROCS(0), workersUsage)
	return cmd
}

// compute opens the inputs and the output of a verb, and writes what it makes of them.
func (a *app) compute(ctx context.Context, v vectorFlags, args []string,
	make func(context.Context, verbs.Field, []vecfile.Source, verbs.Options) (verbs.Values, error)) error {
	f, err := a.open(v.field)
	if err != nil {
		return err
	}
	n, err := v.n.one()
	if err != nil {
		return err
	}
	if i := slices.Index(args, "-"); i >= 0 && slices.Contains(args[i+1:], "-") {
		return usagef("standard input is wanted twice, and can be read once")
	}
	out, err := a.create(ctx, v.output)
	if err != nil {
		return err
	}
	defer out.discard()
	p := a.progress()
	defer p.clear()

	var in []vecfile.Source
	for _, name := range args {
		file, err := a.openInput(ctx, name)
		if err != nil {
			return err
		}
		defer file.Close()
		name = inputName(name)
		in = append(in, vecfile.Source{Name: name, Reader: p.reader(name, file), Format: v.format, Len: n})
	}
	v.Progress = p.steps("transform")
	result, err := make(ctx, f, in, v.Options)
	if err != nil {
		return err
	}
	if v.json {
		err = writeJSON(out, f.Name(), result)
	} else {
		err = result.Write(out, v.format)
	}
	if err != nil {
		return err
	}
	return out.commit()
}

// writeJSON writes one object; the elements are strings because JSON readers round long numbers.
func writeJSON(w io.Writer, name string, v verbs.Values) error {
	field, err := json.Marshal(name)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(w, `{"field":%s,"n":%d,"values":`, field, v.Len()); err != nil {
		return err
	}
	if err := v.WriteJSON(w); err != nil {
		return err
	}
	_, err = io.WriteString(w, "}\n")
	return err
}
