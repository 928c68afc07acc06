package readme

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/bits"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/binary"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/benchjson"
	"github.com/galfft/fft/internal/names"
	"github.com/galfft/fft/internal/testfields"
	"github.com/galfft/fft/internal/verbs"
)

// algorithms are all schemes that have a name, but for auto.
func algorithms() (all []field.Algorithm) {
	for a := field.Naive; ; a++ {
		if _, err := field.ParseAlgorithm(a.String()); err != nil {
			return all
		}
		all = append(all, a)
	}
}

// schemes lists them by name.
func schemes() string {
	var list []string
	for _, a := range algorithms() {
		list = append(list, "`"+a.String()+"`")
	}
	last := len(list) - 1
	return strings.Join(list[:last], ", ") + " and " + list[last]
}

// fields is the table of fields. Each of them is verified on the way with every scheme, by transforms of length 2^8, or
// 2^6 where elements are more than words, with base cases of 8, or of the largest power of two below; schemes that do
// not serve the length are left out.
func (g *generator) fields() (string, error) {
	var b strings.Builder
	b.WriteString("| `--field` | what it is |\n| --- | --- |\n")
	row := func(name, about string, f verbs.Field) error {
		d, err := f.Describe(context.Background(), verbs.CPU)
		if err != nil {
			return err
		}
		n := 1 << min(8, d.TwoAdicity)
		if d.Bits > 64 { // by definition a transform is slow there
			n = 1 << min(6, d.TwoAdicity)
		}
		for _, a := range algorithms() {
			options := verbs.Options{Algorithm: a, Base: 8}
			err := f.Verify(context.Background(), n, 1, options, func(verbs.Check) {})
			if err != nil && !errors.Is(err, field.ErrScheme) {
				return err
			}
		}
		fmt.Fprintf(&b, "| %s | %s |\n", name, about)
		return nil
	}
	for _, e := range names.List() {
		f, err := e.Open()
		if err != nil {
			return "", err
		}
		if err := row("`"+e.Name+"`", e.About, f); err != nil {
			return "", err
		}
	}
	for _, c := range []struct{ name, example, about string }{
		{names.PrimePrefix + "<p>", names.PrimePrefix + "12289", "any other odd prime of up to 8192 bits"}, // 3·2^12 + 1
		{"gfpf:<r>:<k>", "gfpf:2^52-2^45:8", "any other prime r^k + 1 with k = 2, 4, …, 128, as `gfpf:2^52-2^45:8`"},
		{names.PlainPrefix + "<name>", names.PlainPrefix + "P3", "the prime of `gfpf:<name>` as any other prime, in words"},
		{smallprime.MontgomeryPrefix + "<name>", smallprime.MontgomeryPrefix + "p62",
			"a prime below 2^64 in [Montgomery's form](docs/fields.md#montgomery-form), for comparison"},
		{binary.Prefix + "<m>", binary.Prefix + "95", "GF(2^m) for m from 2 to 2048, also as `gf2:<m>:<modulus>`"},
		{binary.TowerPrefix + "<m>", binary.TowerPrefix + "8", "Wiedemann's tower of 8, 16, 32, 64 or 128 bits"},
	} {
		other, err := names.Lookup(c.example)
		if err != nil {
			return "", err
		}
		f, err := other.Open()
		if err != nil {
			return "", err
		}
		if err := row("`"+c.name+"`", c.about, f); err != nil {
			return "", err
		}
	}
	own := verbs.Of(testfields.NewFermat()) // a field of element methods alone
	err := row("in Go alone", "[a field of your own](docs/fields.md)", own)
	return b.String(), err
}

// Of the many measurements there are, the README shows these fields, of each class of words and two of more words,
// where they have been measured, each at three lengths.
var (
	speedFields  = []string{"p30", "babybear", "p50", "p62", "p64", "goldilocks", "gfpf:k8", "gfpf:P3"}
	speedLengths = []int{1 << 10, 1 << 16, 1 << 20}
)

const productLength = 1 << 20

// speed is the table of times in the files of measurements, or nothing where there are none: forward transforms and
// products that the plan chose all parameters of, with one worker, by the latest commit for each field on the processor
// of the latest file. Lines of comparisons, which have other keys, name no scheme and are left out.
func speed(dir string) (string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil {
		return "", err
	}
	times, err := commitTimes(dir)
	if err != nil {
		return "", err
	}
	type key struct {
		field, op string
		n         int
	}
	var latest benchjson.Line
	newest := map[string]benchjson.Line{} // by field: of the latest commit
	best := map[key]benchjson.Line{}
	for _, name := range files {
		if strings.HasSuffix(name, "-gpu.jsonl") || strings.HasSuffix(name, "-times.jsonl") {
			continue // the processor beside a device, for comparison with that; a picture of few fields
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return "", err
		}
		d := json.NewDecoder(bytes.NewReader(data))
		for d.More() {
			var l benchjson.Line
			if err := d.Decode(&l); err != nil {
				return "", fmt.Errorf("readme: %s: %w", name, err)
			}
			chosen := l.Scheme == "auto" && l.Base == 0 && l.Batch == 1 && l.Workers == 1 &&
				l.Order == "natural" && l.Backend == "cpu"
			shown := l.Op == "forward" && slices.Contains(speedLengths, l.N) || l.Op == "polymul" &&
				l.N == productLength
			k := key{l.Field, l.Op, l.N}
			l.Date = measured(l.Date, l.Commit, times)
			if !chosen || !shown || !slices.Contains(speedFields, l.Field) || l.Date < best[k].Date {
				continue
			}
			best[k] = l
			if l.Date >= newest[l.Field].Date {
				newest[l.Field] = l
			}
			if l.Date >= latest.Date {
				latest = l
			}
		}
	}
	if len(best) == 0 {
		return "", nil
	}
	var b strings.Builder
	b.WriteString("## Speed\n\nThe least time of one call, with one worker, ")
	fmt.Fprintf(&b, "on one %s, by `galfft bench`:\n\n| field |", shortCPU(latest.CPU))
	for _, n := range speedLengths {
		fmt.Fprintf(&b, " forward, 2^%d |", bits.Len(uint(n))-1)
	}
	fmt.Fprintf(&b, " product, 2^%d | tier | commit, date |\n| --- |%s ---: | --- | --- |\n",
		bits.Len(productLength)-1, strings.Repeat(" ---: |", len(speedLengths)))
	for _, name := range speedFields {
		of := newest[name]
		if of.CPU != latest.CPU {
			continue
		}
		fmt.Fprintf(&b, "| %s |", name)
		cell := func(k key) {
			if l := best[k]; l.Commit == of.Commit {
				fmt.Fprintf(&b, " %s", nanos(l.NsMin))
			}
			b.WriteString(" |")
		}
		for _, n := range speedLengths {
			cell(key{name, "forward", n})
		}
		cell(key{name, "polymul", productLength})
		fmt.Fprintf(&b, " %s | %.7s, %.10s |\n", of.Tier, of.Commit, of.Date)
	}
	return b.String(), nil
}

func nanos(ns float64) string {
	switch {
	case ns >= 1e6:
		return fmt.Sprintf("%.3g ms", ns/1e6)
	case ns >= 1e3:
		return fmt.Sprintf("%.3g µs", ns/1e3)
	}
	return fmt.Sprintf("%.3g ns", ns)
}

// butterflies says how far the times in the picture of forward transforms are apart, from the file that is drawn.
func butterflies(root string) (string, error) {
	page, err := os.ReadFile(filepath.Join(root, "docs", "plots.md"))
	if err != nil {
		return "", err
	}
	drawn := regexp.MustCompile(`galfft plot -o docs/times\.svg (\S+)`).FindSubmatch(page)
	if drawn == nil {
		return "", errors.New("readme: docs/plots.md draws no docs/times.svg")
	}
	data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(string(drawn[1]))))
	if err != nil {
		return "", err
	}
	var parts []string
	for _, name := range []string{"p62", "babybear"} {
		var worst, best benchjson.Line
		for d := json.NewDecoder(bytes.NewReader(data)); d.More(); {
			var l benchjson.Line
			if err := d.Decode(&l); err != nil {
				return "", fmt.Errorf("readme: %s: %w", drawn[1], err)
			}
			if l.Field != name || l.Backend != "cpu" || l.Op != "forward" {
				continue
			}
			if worst.N == 0 || perButterfly(l) > perButterfly(worst) {
				worst = l
			}
			if best.N == 0 || perButterfly(l) < perButterfly(best) {
				best = l
			}
		}
		if best.N == 0 {
			return "", fmt.Errorf("readme: %s has no transforms of %s", drawn[1], name)
		}
		parts = append(parts, fmt.Sprintf("%s %.2g ns at %s, %.2g ns at %s", name, perButterfly(worst), power(worst.N),
			perButterfly(best), power(best.N)))
	}
	return "A butterfly, at worst and at best: " + strings.Join(parts, "; ") + ".", nil
}

func perButterfly(l benchjson.Line) float64 {
	return l.NsMin / (float64(l.N) / 2 * float64(bits.Len(uint(l.N))-1))
}
