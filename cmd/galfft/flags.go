package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"
	"math/bits"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/integer"
	"github.com/galfft/fft/internal/names"
	"github.com/galfft/fft/internal/vecfile"
	"github.com/galfft/fft/internal/verbs"
)

// common holds the flags of every verb.
type common struct {
	field string
	json  bool
}

func (c *common) add(cmd *cobra.Command) {
	fieldFlag(cmd, &c.field)
	cmd.Flags().BoolVar(&c.json, "json", false, "write JSON")
}

func fieldFlag(cmd *cobra.Command, name *string) {
	cmd.Flags().StringVar(name, "field", "", "`NAME` of the field (galfft info lists them), prime:<p>, gfpf:<r>:<k>, gf2:<m>, or plain:<name>")
	complete(cmd, "field", fieldNames())
}

func fieldNames() []string {
	var all []string
	for _, e := range names.List() {
		all = append(all, e.Name+"\t"+e.About)
	}
	return append(all, names.PrimePrefix+"\tany other odd prime")
}

// backendFlag chooses where transforms run.
func backendFlag(cmd *cobra.Command, o *verbs.Options) {
	choose(cmd, "backend", &o.Backend, verbs.ParseBackend, "where transforms run, a processor or an NVIDIA GPU",
		verbs.CPU, verbs.GPU, verbs.Auto)
}

// affineFlags are the parameters of affine domains. What stands in a file is read by readBasis.
func affineFlags(cmd *cobra.Command, o *verbs.Options, basis *string) {
	cmd.Flags().StringVar(basis, "basis", "", "text `FILE` with the vectors of a subspace of a binary field, of which a length "+
		"2^K takes the first K; the field's own otherwise")
	choose(cmd, "coefficients", &o.Affine.Coefficients, field.ParseCoefficients, "basis of polynomials over a subspace",
		field.Monomial, field.LCH)
}

// shiftFlag is for commands that have no operation with a shift.
func shiftFlag(cmd *cobra.Command, o *verbs.Options) {
	cmd.Flags().StringVar(&o.Affine.Shift, "shift", "", "`ELEMENT` that is added to the points of a subspace")
}

// readBasis reads the file of --basis, where it was given.
func (a *app) readBasis(ctx context.Context, name string, to *verbs.Affine) error {
	if name == "" {
		return nil
	}
	r, err := a.openInput(ctx, name)
	if err != nil {
		return err
	}
	to.Basis, err = io.ReadAll(io.LimitReader(r, mostBasis))
	to.BasisName = inputName(name)
	return errors.Join(err, r.Close())
}

// mostBasis is more than the text of all vectors of the largest field takes.
const mostBasis = 1 << 22

const workersUsage = "tasks that may run at once; 0 is one for each processor"

// measuredUsage is that of what is measured.
var measuredUsage = fmt.Sprintf("threads, from 1 to %d; 0 is refused, because results name their number", verbs.MaxWorkers)

// planFlags are the parameters of plans.
func planFlags(cmd *cobra.Command, o *verbs.Options, workers int) {
	backendFlag(cmd, o)
	choose(cmd, "scheme", &o.Algorithm, field.ParseAlgorithm, "how to compute",
		field.Auto, field.Naive, field.SixStep, field.SixStepMerged, field.FourStep, field.DepthFirst, field.MixedRadix,
		field.Bluestein, field.Codelet)
	choose(cmd, "order", &o.Order, field.ParseOrder, "where values stand",
		field.Natural, field.BitReversed, field.Scheme)
	cmd.Flags().IntVar(&o.Workers, "workers", workers, workersUsage)
}

func baseFlag(cmd *cobra.Command, o *verbs.Options) {
	numberFlag(cmd, "base", &o.Base, 0,
		"length up to which transforms are not split, a power of two; 0 lets the plan choose")
}

func productsFlag(cmd *cobra.Command, o *verbs.Options) {
	choose(cmd, "products", &o.Products, field.ParseProducts, "how to multiply polynomials, by transforms over the field "+
		"or through other primes", field.AutoProducts, field.NativeProducts, field.CRTProducts)
}

func formatFlag(cmd *cobra.Command, f *vecfile.Format) {
	choose(cmd, "format", f, vecfile.ParseFormat, "of every file, read and written", vecfile.Text, vecfile.Binary)
}

// files refuses other numbers of files than there are names.
func files(names ...string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) == len(names) {
			return nil
		}
		return usagef("%d files %q, want %d, %s; - is standard input", len(args), args, len(names),
			strings.Join(names, " and "))
	}
}

// choose adds a flag with a few values, the first of which is the default.
func choose[T fmt.Stringer](cmd *cobra.Command, name string, value *T, parse func(string) (T, error), usage string,
	all ...T) {
	*value = all[0]
	texts := make([]string, len(all))
	for i, v := range all {
		texts[i] = v.String()
	}
	cmd.Flags().Var(&choice[T]{value, parse}, name, usage+": "+strings.Join(texts, ", "))
	complete(cmd, name, texts)
}

// chooseText is choose for a word.
func chooseText(cmd *cobra.Command, name string, value *word, usage string, all []string) {
	parse := func(s string) (word, error) {
		for _, v := range all {
			if v == s {
				return word(s), nil
			}
		}
		return "", fmt.Errorf("want one of %q", all)
	}
	words := make([]word, len(all))
	for i, v := range all {
		words[i] = word(v)
	}
	choose(cmd, name, value, parse, usage, words...)
}

type word string

func (w word) String() string { return string(w) }

// choice is the pflag.Value of choose.
type choice[T fmt.Stringer] struct {
	value *T
	parse func(string) (T, error)
}

var _ pflag.Value = (*choice[word])(nil)

func (c *choice[T]) String() string { return (*c.value).String() }
func (c *choice[T]) Type() string   { return "NAME" }
func (c *choice[T]) Set(s string) (err error) {
	v, err := c.parse(s)
	if err == nil {
		*c.value = v
	}
	return err
}

func complete(cmd *cobra.Command, flag string, values []string) {
	// The only error is a flag that does not exist, or that has a completion already.
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

// number is the pflag.Value of an integer from least up, in decimal or as 2^K.
type number struct {
	value *int
	least int
}

// numberFlag adds a flag for a number, which is at first what it is.
func numberFlag(cmd *cobra.Command, name string, value *int, least int, usage string) {
	cmd.Flags().Var(number{value, least}, name, usage)
}

func (n number) Type() string   { return "NUMBER" }
func (n number) String() string { return strconv.Itoa(*n.value) }
func (n number) Set(s string) (err error) {
	v, err := parseNumber(s, n.least)
	if err == nil {
		*n.value = v
	}
	return err
}

// parseNumber reads an integer from least up.
func parseNumber(s string, least int) (int, error) {
	x, ok := integer.Parse(s)
	switch {
	case strings.Contains(s, ".."):
		return 0, fmt.Errorf("%q is a range, want one number", s)
	case !ok:
		return 0, fmt.Errorf("%q is not a number, as 1000 or 2^10", s)
	case x.Cmp(big.NewInt(int64(least))) < 0 || x.Cmp(big.NewInt(mostNumber)) > 0:
		return 0, fmt.Errorf("%q is not a number from %d to 2^%d", s, least, bits.Len(mostNumber)-1)
	}
	return int(x.Int64()), nil
}

// mostNumber is the largest power of two that is an int.
const mostNumber = 1 << (bits.UintSize - 2)

// lengths is the pflag.Value of --n, and of other numbers, where it may be a range.
type lengths []int

// add adds the flag.
func (l *lengths) add(cmd *cobra.Command, name, usage string) {
	cmd.Flags().Var(l, name, usage+": a number, 2^K, or 2^A..2^B")
}

func (l *lengths) Type() string { return "LENGTH" }

func (l *lengths) String() string {
	texts := make([]string, len(*l))
	for i, n := range *l {
		texts[i] = strconv.Itoa(n)
	}
	return strings.Join(texts, ",")
}

func (l *lengths) Set(s string) error {
	from, to, isRange := strings.Cut(s, "..")
	a, err := parseNumber(from, 1)
	if err != nil {
		return err
	}
	if !isRange {
		*l = lengths{a}
		return nil
	}
	b, err := parseNumber(to, 1)
	if err != nil {
		return err
	}
	if bits.OnesCount(uint(a)) != 1 || bits.OnesCount(uint(b)) != 1 || a > b {
		return fmt.Errorf("a range goes from one power of two up to another, as in 2^10..2^20")
	}
	*l = nil
	for k := bits.TrailingZeros(uint(a)); k <= bits.TrailingZeros(uint(b)); k++ {
		*l = append(*l, 1<<k)
	}
	return nil
}

// or returns l, or other lengths where none was given.
func (l lengths) or(other ...int) lengths {
	if len(l) == 0 {
		return other
	}
	return l
}
