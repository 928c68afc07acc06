package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/galfft/fft/internal/plot"
)

// plotFlags are those of plot.
type plotFlags struct {
	kind   plot.Kind
	where  []string
	output string
}

func (a *app) plot() *cobra.Command {
	var f plotFlags
	cmd := &cobra.Command{
		Use:   "plot [FILE ...]",
		Short: "Draw measurements",
		Long: `Plot draws the lines of files that galfft bench --json wrote, or of standard input: an SVG, with --output, or a chart
for a terminal. The picture is one of these:

  times      time per butterfly of transforms, over the length
  ratio      times of other libraries over those of galfft: lines of the comparisons in bench
  bases      base cases by length, a table with colours
  workers    how many times as fast several workers are as one
  roofline   products of words a second that transforms reach, below what memory and multiplier of the machine
             allow: lines of galfft bench, and of galfft bench --machine

Lines that are not for the picture are left out. What differs among the others names their curves; of lines that differ
in times alone, the least counts. All are of one machine. --where KEY=VALUE[,VALUE …] takes some of the lines; KEY is
one of ` + strings.Join(plot.Keys(), ", ") + `.`,
		Example: `  galfft bench --field p62 --op forward --n 2^4..2^20 --json | galfft plot
  galfft plot -o times.svg lines.jsonl --where op=forward --where field=p62,babybear
  galfft plot --kind bases -o bases.svg lines.jsonl --where field=p62`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return a.runPlot(cmd.Context(), f, args) },
	}
	choose(cmd, "kind", &f.kind, plot.ParseKind, "what to show", plot.Kinds()...)
	cmd.Flags().StringArrayVar(&f.where, "where", nil, "`KEY=VALUES` of the lines to take, which may be given several times")
	cmd.Flags().StringVarP(&f.output, "output", "o", "", "`FILE` for an SVG, - for standard output")
	return cmd
}

// defaultWidth is that of pictures in text for what is no terminal.
const defaultWidth = 80

func (a *app) runPlot(ctx context.Context, f plotFlags, files []string) error {
	if len(files) == 0 {
		files = []string{"-"}
	}
	if err := apart(f.output, files); err != nil {
		return err
	}
	var lines []plot.Line
	for _, name := range files {
		some, err := a.readLines(ctx, name)
		if err != nil {
			return err
		}
		lines = append(lines, some...)
	}
	for _, w := range f.where {
		key, values, ok := strings.Cut(w, "=")
		if !ok {
			return usagef("--where %q: want KEY=VALUE", w)
		}
		var err error
		if lines, err = plot.Where(lines, key, strings.Split(values, ",")...); err != nil {
			return usageError{err}
		}
	}
	picture, err := plot.Draw(f.kind, lines, func(name string) (int, error) { return a.bits(ctx, name) })
	if err != nil {
		return err
	}
	out, err := a.create(ctx, f.output)
	if err != nil {
		return err
	}
	defer out.discard()
	data := picture.Render()
	if f.output == "" {
		data = picture.Text(cmp.Or(a.width, defaultWidth))
	}
	if _, err := out.Write(data); err != nil {
		return err
	}
	return out.commit()
}

func (a *app) readLines(ctx context.Context, name string) (lines []plot.Line, err error) {
	in, err := a.openInput(ctx, name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	return plot.Read(inputName(name), in)
}

// bits is the size of a field's elements. A name that there is not is no mistake in the command line, but in a file.
func (a *app) bits(ctx context.Context, name string) (int, error) {
	e, err := a.lookup(name)
	if err != nil {
		return 0, err
	}
	f, err := opened(ctx, e)
	if err != nil {
		return 0, fmt.Errorf("field %s: %w", name, err)
	}
	return f.Order().BitLen(), nil
}
