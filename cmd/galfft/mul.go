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
	n      int // 0 where it was not given
	format vecfile.Format
	output string
}

func (v *vectorFlags) add(cmd *cobra.Command) {
	v.common.add(cmd)
	numberFlag(cmd, "n", &v.n, 1, "elements that each input has, checked; otherwise as many as there are")
	formatFlag(cmd, &v.format)
	cmd.Flags().StringVarP(&v.output, "output", "o", "",
		"`FILE` for the result, complete or not at all; standard output otherwise")
}

func (a *app) mul() *cobra.Command {
	var v vectorFlags
	var cyclic, negacyclic int
	cmd := &cobra.Command{
		Use:   "mul --field NAME A B",
		Short: "Multiply the polynomials in two files",
		Long: `Mul prints the product of the polynomials in two files, coefficient by coefficient, low degree first. One of the
files may be -, which is standard input. With m and n coefficients in the files the product has m + n − 1;
where a file has none, the product has none. --cyclic N prints its remainder modulo x^N − 1, and --negacyclic N that
modulo x^N + 1, of N coefficients.`,
		Example: `  galfft mul --field goldilocks a.txt b.txt
  echo 1 1 | galfft mul --field 998244353 - b.txt
  galfft mul --field babybear --negacyclic 2^10 a.txt b.txt
  galfft mul --field p62 --format binary -o c.bin a.bin b.bin`,
		Args: files("A", "B"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if cyclic > 0 && negacyclic > 0 {
				return usagef("--cyclic and --negacyclic: want one modulus")
			}
			v.Note = func(text string) { a.notef("%s", text) }
			m := verbs.Modulus{N: max(cyclic, negacyclic), Negacyclic: negacyclic > 0}
			return a.compute(cmd.Context(), v, args, transformsOfProduct, func(w work) (verbs.Values, error) {
				return w.f.Mul(cmd.Context(), w.in[0], w.in[1], m, w.o)
			})
		},
	}
	v.add(cmd)
	numberFlag(cmd, "cyclic", &cyclic, 1, "exponent N of the modulus x^N − 1")
	numberFlag(cmd, "negacyclic", &negacyclic, 1, "exponent N of the modulus x^N + 1")
	backendFlag(cmd, &v.Options)
	productsFlag(cmd, &v.Options)
	cmd.Flags().IntVar(&v.Workers, "workers", runtime.GOMAXPROCS(0), workersUsage)
	return cmd
}

// transformsOfProduct is the number of transforms in a product: one for each operand and one back. Some take more,
// which are shorter.
const transformsOfProduct = 3

// work is what a verb makes values of.
type work struct {
	f  verbs.Field
	in []vecfile.Source
	o  verbs.Options
}

// compute opens the inputs and the output of a verb, and writes what it makes of them, which takes so many transforms.
func (a *app) compute(ctx context.Context, v vectorFlags, args []string, transforms int,
	make func(work) (verbs.Values, error)) error {
	f, err := a.open(ctx, v.field)
	if err != nil {
		return err
	}
	name, err := json.Marshal(f.Name())
	if err != nil {
		return err
	}
	return a.convert(ctx, v, args, transforms, fmt.Sprintf(`"field":%s`, name),
		func(in []vecfile.Source, o verbs.Options) (verbs.Values, error) { return make(work{f, in, o}) })
}

// convert writes what is made of vectors in files, in JSON with members of its own before.
func (a *app) convert(ctx context.Context, v vectorFlags, args []string, transforms int, members string,
	make func(in []vecfile.Source, o verbs.Options) (verbs.Values, error)) error {
	return a.transfer(ctx, args, v.output, func(in []vecfile.Source, p *progress) (func(io.Writer) error, error) {
		for i := range in {
			in[i].Format, in[i].Len = v.format, v.n
		}
		v.Progress = p.calls(transforms, "transform")
		result, err := make(in, v.Options)
		return func(w io.Writer) error {
			if v.json {
				return writeJSON(w, members, result)
			}
			return result.Write(w, v.format)
		}, err
	})
}

// transfer opens inputs and an output, and calls the function that make returns to write what it made of the inputs.
func (a *app) transfer(ctx context.Context, args []string, name string,
	make func(in []vecfile.Source, p *progress) (func(io.Writer) error, error)) error {
	if i := slices.Index(args, "-"); i >= 0 && slices.Contains(args[i+1:], "-") {
		return usagef("standard input is wanted twice, and can be read once")
	}
	if err := apart(name, args); err != nil {
		return err
	}
	out, err := a.create(ctx, name)
	if err != nil {
		return err
	}
	defer out.discard()
	parts := len(args) + 1 // files read, and what is computed
	if out.file != nil {
		parts++ // a file written
	}
	p := a.progress(parts)
	defer p.hide()

	var in []vecfile.Source
	for _, name := range args {
		file, err := a.openInput(ctx, name)
		if err != nil {
			return err
		}
		defer file.Close()
		reader := p.reader(inputName(name), file, fileSize(name))
		in = append(in, vecfile.Source{Name: inputName(name), Reader: reader})
	}
	write, err := make(in, p)
	if err != nil {
		return err
	}
	p.over()
	if out.file == nil { // the result may go to the same terminal
		p.finish()
	}
	err = write(out)
	if err == nil {
		err = out.commit()
	}
	if err == nil {
		p.finish()
	}
	return err
}

// writeJSON writes one object; the elements are strings because JSON readers round long numbers.
func writeJSON(w io.Writer, members string, v verbs.Values) error {
	if _, err := fmt.Fprintf(w, `{%s,"n":%d,"values":`, members, v.Len()); err != nil {
		return err
	}
	if err := v.WriteJSON(w); err != nil {
		return err
	}
	_, err := io.WriteString(w, "}\n")
	return err
}
