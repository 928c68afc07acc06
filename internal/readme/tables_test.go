package readme

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/galfft/fft/field"
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

// fields is the table of fields and schemes. A tick is a transform that has just been verified, of length 2^8, or 2^6 where
// elements are more than words, with base cases of 8, or of the largest power of two below.
func (g *generator) fields() (string, error) {
	algorithms := algorithms()
	var b strings.Builder
	b.WriteString("| `--field` | what it is |")
	for _, a := range algorithms {
		fmt.Fprintf(&b, " %v |", a)
	}
	b.WriteString("\n| --- | --- |" + strings.Repeat(" :-: |", len(algorithms)) + "\n")
	row := func(name, about string, f verbs.Field) error {
		d, err := f.Describe(context.Background())
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "| %s | %s |", name, about)
		n := 1 << min(8, d.TwoAdicity)
		if d.Bits > 64 { // by definition a transform is slow there
			n = 1 << 6
		}
		for _, a := range algorithms {
			if err := f.Verify(context.Background(), n, 1, verbs.Options{Algorithm: a, Base: 8}, func(verbs.Check) {}); err != nil {
				return err
			}
			b.WriteString(" ✓ |")
		}
		b.WriteString("\n")
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
		{names.PrimePrefix + "<p>", names.PrimePrefix + "12289", "any other odd prime below 2^64"}, // 3·2^12 + 1
		{"gfpf:<r>:<k>", "gfpf:2^52-2^45:8", "any other prime r^k + 1 with k = 2, 4, …, 128, as `gfpf:2^52-2^45:8`"},
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

// speed is the table of times in the files of measurements, or nothing where there are none. It shows transforms
// and products that the plan chose all parameters of, the latest result for each. Lines of comparisons, which have
// other keys, name no scheme and are left out.
func speed(dir string) (string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil {
		return "", err
	}
	type key struct {
		cpu, field, op string
		workers, n     int
	}
	best := map[key]benchjson.Line{}
	for _, name := range files {
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
			k := key{l.CPU, l.Field, l.Op, l.Workers, l.N}
			shown := (l.Op == "forward" || l.Op == "polymul") && l.Scheme == "auto" && l.Base == 0 && l.Batch == 1 && l.Order == "natural" && l.Backend == "cpu"
			if shown && l.Date >= best[k].Date {
				best[k] = l
			}
		}
	}
	if len(best) == 0 {
		return "", nil
	}
	keys := slices.SortedFunc(maps.Keys(best), func(a, b key) int {
		return cmp.Or(cmp.Compare(a.cpu, b.cpu), cmp.Compare(a.op, b.op), cmp.Compare(a.field, b.field), cmp.Compare(a.workers, b.workers), cmp.Compare(a.n, b.n))
	})
	var b strings.Builder
	b.WriteString("## Speed\n\nThe least time of one call, by `galfft bench`; each line comes from a file in [bench/results](bench/results), which has the median too.\n")
	cpu := ""
	for _, k := range keys {
		l := best[k]
		if k.cpu != cpu {
			cpu = k.cpu
			fmt.Fprintf(&b, "\n%s:\n\n| op | field | n | workers | tier | time | per n·log₂n/2 | commit, date |\n| --- | --- | --- | --- | --- | ---: | ---: | --- |\n", cpu)
		}
		butterflies := float64(l.N) * float64(max(1, bits.Len(uint(l.N))-1)) / 2
		per := "" // of a transform alone
		if l.Op == "forward" {
			per = nanos(l.NsMin / butterflies)
		}
		fmt.Fprintf(&b, "| %s | %s | %d | %d | %s | %s | %s | %.7s, %s |\n", l.Op, l.Field, l.N, l.Workers, l.Tier, nanos(l.NsMin), per, l.Commit, l.Date)
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
