package readme

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/cpu"
	"github.com/galfft/fft/internal/names"
	"github.com/galfft/fft/internal/testfields"
	"github.com/galfft/fft/internal/verbs"
)

// kinds are the fields whose vectors differ in kind, each by an example.
var kinds = []struct{ name, example string }{
	{"below 2^30", "p30"}, {"below 2^31", "babybear"}, {"below 2^32", "p32"}, {"below 2^50", "p50"},
	{"below 2^62", "p62"}, {"below 2^63", "p63"}, {"below 2^64", "p64"}, {"2^64 − 2^32 + 1", "goldilocks"}, {"r^k + 1", "gfpf:P3"}, {"65 to 8192 bits", "bn254"}, {"a field of your own", ""},
}

var tiers = []cpu.Tier{cpu.Generic, cpu.AVX2, cpu.AVX512, cpu.IFMA, cpu.NEON}

// forms is the table of kinds of fields with the schemes that serve a length, and what a plan says of its vectors on
// each tier. What tiers say that this processor lacks is taken from the README as it stands.
func (g *generator) forms() (string, error) {
	old, err := os.ReadFile(filepath.Join(g.root, "README.md"))
	if err != nil {
		return "", err
	}
	stood := cells(string(old))
	var b strings.Builder
	var above string
	head := []string{"primes", "example", "schemes"}
	for _, t := range tiers {
		head = append(head, "`"+t.String()+"`")
	}
	b.WriteString("| " + strings.Join(head, " | ") + " |\n" + strings.Repeat("| --- ", len(head)) + "|\n")
	for _, k := range kinds {
		open := func() (verbs.Field, error) { return verbs.Of(testfields.NewFermat()), nil }
		example := ""
		if k.example != "" {
			e, err := names.Lookup(k.example)
			if err != nil {
				return "", err
			}
			open, example = e.Open, "`"+k.example+"`"
		}
		f, err := open()
		if err != nil {
			return "", err
		}
		serve, err := served(f)
		if err != nil {
			return "", err
		}
		if serve == above {
			serve = "as above"
		} else {
			above = serve
		}
		row := []string{k.name, example, serve}
		for _, t := range tiers {
			cell := "–"
			if slices.Contains(cpu.Present(), t) {
				if cell, err = form(open, t); err != nil {
					return "", err
				}
			} else if was := stood[k.name+example]; len(was) == len(head) {
				cell = was[len(row)]
			}
			row = append(row, cell)
		}
		b.WriteString("| " + strings.Join(row, " | ") + " |\n")
	}
	return b.String(), nil
}

// form is what a plan says of its vectors on a tier, without the ranges of values.
func form(open func() (verbs.Field, error), t cpu.Tier) (string, error) {
	undo, err := cpu.Use(t)
	if err != nil {
		return "", err
	}
	defer undo()
	f, err := open()
	if err != nil {
		return "", err
	}
	d, err := f.Describe(context.Background(), verbs.CPU)
	if _, products, ok := strings.Cut(d.Form, ": "); ok {
		d.Form = products
	}
	what, instructions, ok := strings.Cut(d.Form, "; ")
	what, _, _ = strings.Cut(what, ", values")
	if ok {
		what += "; " + instructions
	}
	return what, err
}

// served lists the schemes that transform 64 points, or as many as there are roots for.
func served(f verbs.Field) (string, error) {
	d, err := f.Describe(context.Background(), verbs.CPU)
	if err != nil {
		return "", err
	}
	var list []string
	for _, a := range algorithms() {
		options := verbs.Options{Algorithm: a}
		err := f.Verify(context.Background(), 1<<min(6, d.TwoAdicity), 1, options, func(verbs.Check) {})
		switch {
		case err == nil:
			list = append(list, a.String())
		case !errors.Is(err, field.ErrScheme):
			return "", err
		}
	}
	return strings.Join(list, ", "), nil
}

// cells has the cells of the rows of tables, by the first two of them.
func cells(page string) map[string][]string {
	rows := map[string][]string{}
	for line := range strings.Lines(page) {
		line = strings.TrimSpace(line)
		if inner, ok := strings.CutPrefix(line, "| "); ok {
			row := strings.Split(strings.TrimSuffix(inner, " |"), " | ")
			if len(row) > 1 {
				rows[row[0]+row[1]] = row
			}
		}
	}
	return rows
}
