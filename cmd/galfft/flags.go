package main

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/names"
	"github.com/galfft/fft/internal/vecfile"
	"github.com/galfft/fft/internal/verbs"
)

// common holds the flags of every verb.
type common struct {
	field string
	n     lengths
	json  bool
}

func (c *common) add(cmd *cobra.Command, n string) {
	cmd.Flags().StringVar(&c.field, "field", "", "`NAME` of the field (galfft info lists them), prime:<p>, or gfpf:<r>:<k>")
	cmd.Flags().Var(&c.n, "n", n+": 2^K, a number, or 2^A..2^B")
	cmd.Flags().BoolVar(&c.json, "json", false, "write JSON")
	complete(cmd, "field", fieldNames())
}

func fieldNames() []string {
	var all []string
	for _, e := range names.List() {
		all = append(all, e.Name+"\t"+e.About)
	}
	return append(all, names.PrimePrefix+"\tany other odd prime")
}

const workersUsage = "tasks that may run at once; 0 is one for each processor"

// planFlags are the parameters of plans.
func planFlags(cmd *cobra.Command, o *verbs.Options, workers int) {
	choose(cmd, "scheme", &o.Algorithm, field.ParseAlgorithm, "how to compute",
		field.Auto, field.Naive, field.SixStep, field.SixStepMerged, field.FourStep)
	choose(cmd, "order", &o.Order, field.ParseOrder, "where values stand",
		field.Natural, field.BitReversed, field.Scheme)
	cmd.Flags().BoolVar(&o.Literal, "literal", false, "run the scheme as the thesis behind it prints it: for comparisons")
	cmd.Flags().IntVar(&o.Base, "base", 0, "length up to which transforms are not split, a power of two; 0 lets the plan choose")
	cmd.Flags().IntVar(&o.Workers, "workers", workers, workersUsage)
}

func formatFlag(cmd *cobra.Command, f *vecfile.Format) {
	choose(cmd, "format", f, vecfile.ParseFormat, "of every file, read and written", vecfile.Text, vecfile.Binary)
}

// choose adds a flag with a few values, the first of which is the default.
func choose[T fmt.Stringer](cmd *cobra.Command, name string, value *T, parse func(string) (T, error), usage string, all ...T) {
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

// lengths is the pflag.Value of --n.
type lengths []int

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
	a, err := parseLength(from)
	if err != nil {
		return err
	}
	if !isRange {
		*l = lengths{a}
		return nil
	}
	b, err := parseLength(to)
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

// parseLength reads 2^K or a number from 1 up.
func parseLength(s string) (int, error) {
	if exponent, ok := strings.CutPrefix(s, "2^"); ok {
		k, err := strconv.ParseUint(exponent, 10, 8)
		if err != nil || k > bits.UintSize-2 {
			return 0, fmt.Errorf("the exponent in %q is not a number from 0 to %d", s, bits.UintSize-2)
		}
		return 1 << k, nil
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("%q is not 2^K or a number from 1 up", s)
	}
	return n, nil
}

// one returns the only length, or 0 where none was given.
func (l lengths) one() (int, error) {
	switch len(l) {
	case 0:
		return 0, nil
	case 1:
		return l[0], nil
	}
	return 0, usagef("--n is a range of %d lengths, want one", len(l))
}

// or returns l, or other lengths where none was given.
func (l lengths) or(other ...int) lengths {
	if len(l) == 0 {
		return other
	}
	return l
}
