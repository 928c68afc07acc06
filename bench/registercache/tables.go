package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/bits"
	"os"
	"slices"
	"strings"
)

// readLines reads a file of lines.
func readLines(name string) (all []line, err error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	for one := range bytes.Lines(text) {
		var l line
		if err := json.Unmarshal(one, &l); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", name, len(all)+1, err)
		}
		all = append(all, l)
	}
	return all, nil
}

type table struct{ name, text string }

// tables are those of docs/registercache.md, by their names there.
func tables(all []line) (list []table) {
	for _, t := range []struct {
		name, experiment string
		make             func(g *grid, lines []line)
	}{
		{"exchange", "exchange", exchangeTable},
		{"stencil", "stencil", stencilTable},
		{"stencil rates", "stencil", stencilRates},
		{"ring", "ring", ringTable},
		{"pairs", "field", pairsTable},
		{"sizes", "", sizesTable},
		{"staircase", "field", staircase},
		{"convert", "convert", convertTable},
		{"fft", "fft", fftTable},
		{"phases", "fft", phasesTable},
	} {
		var some []line
		for _, l := range all {
			if t.experiment == "" || l.Experiment == t.experiment {
				some = append(some, l)
			}
		}
		if len(some) > 0 {
			var g grid
			t.make(&g, some)
			list = append(list, table{t.name, g.String()})
		}
	}
	return list
}

// grid is a table in Markdown, whose first columns are text.
type grid struct{ strings.Builder }

func (g *grid) head(text int, columns ...string) {
	g.row(columns...)
	g.WriteString("|" + strings.Repeat(" --- |", text) + strings.Repeat(" ---: |", len(columns)-text) + "\n")
}

func (g *grid) row(cells ...string) { g.WriteString("| " + strings.Join(cells, " | ") + " |\n") }

// number has three digits, and is empty for nothing.
func number(x float64) string {
	switch {
	case x == 0:
		return ""
	case x >= 1000:
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.3g", x)
}

func over(x, y float64) string {
	if y == 0 {
		return ""
	}
	return number(x / y)
}

// find returns the line for which a condition holds, an empty one for none.
func find(lines []line, is func(l *line) bool) (l line) {
	if i := slices.IndexFunc(lines, func(l line) bool { return is(&l) }); i >= 0 {
		return lines[i]
	}
	return l
}

// values are those that a field of lines has, ascending.
func values(lines []line, of func(l *line) int) (list []int) {
	for i := range lines {
		list = append(list, of(&lines[i]))
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func exchangeTable(g *grid, lines []line) {
	g.head(1, "kernel", "iterations", "words read", "registers of inputs", "shuffles", "own registers", "conflicts",
		"publishes by the lane")
	for _, l := range lines {
		g.row(l.Form, fmt.Sprint(l.N), fmt.Sprint(l.Reads), fmt.Sprint(l.Slots), fmt.Sprint(l.Shuffles),
			fmt.Sprint(l.Own), fmt.Sprint(l.Conflicts), fmt.Sprint(l.Selects))
	}
}

func stencilOf(lines []line, form string, k, m int) line {
	return find(lines, func(l *line) bool { return l.Form == form && l.K == k && l.Outputs == m })
}

func stencilTable(g *grid, lines []line) {
	outputs := values(lines, func(l *line) int { return l.Outputs })
	head := []string{"k"}
	for _, m := range outputs {
		head = append(head, fmt.Sprint(m, " outputs"))
	}
	g.head(0, append(head, "words read over shared, 1 output", "16 outputs")...)
	for _, k := range values(lines, func(l *line) int { return l.K }) {
		cells := []string{fmt.Sprint(k)}
		for _, m := range outputs {
			cells = append(cells, over(stencilOf(lines, "cache", k, m).Gops, stencilOf(lines, "shared", k, m).Gops))
		}
		for _, m := range []int{1, 16} {
			cells = append(cells, over(float64(stencilOf(lines, "cache", k, m).Global),
				float64(stencilOf(lines, "shared", k, m).Global)))
		}
		g.row(cells...)
	}
}

func stencilRates(g *grid, lines []line) {
	outputs := values(lines, func(l *line) int { return l.Outputs })
	head := []string{"k"}
	for _, form := range []string{"shared", "cache"} {
		for _, m := range outputs {
			head = append(head, fmt.Sprint(form, " ", m))
		}
	}
	g.head(0, head...)
	for _, k := range values(lines, func(l *line) int { return l.K }) {
		cells := []string{fmt.Sprint(k)}
		for _, form := range []string{"shared", "cache"} {
			for _, m := range outputs {
				cells = append(cells, number(stencilOf(lines, form, k, m).Gops))
			}
		}
		g.row(cells...)
	}
}

// formNames says what forms are.
var formNames = map[string]string{
	"shared": "shared memory", "naive": "shared memory, naive", "cache": "register cache, native",
	"cachenaive": "register cache, naive", "hybrid32": "hybrid of 32", "hybrid64": "hybrid of 64",
	"place32": "hybrid of 32, in place", "place64": "hybrid of 64, in place",
}

// thesisRings is table 6.1, for 64 rows.
var thesisRings = map[string]string{"shared": "1.04", "hybrid32": "2.7", "cache": "3.6"}

func ringTable(g *grid, lines []line) {
	g.head(1, "form", "rows", "G/s", "deviation %", "over shared", "thesis, G/s", "accesses to shared memory", "shuffles",
		"registers", "spilled bytes", "shared bytes", "occupancy")
	for _, n := range values(lines, func(l *line) int { return l.Bits }) {
		of := func(form string) line {
			return find(lines, func(l *line) bool { return l.Bits == n && l.Form == form })
		}
		for _, form := range []string{"shared", "naive", "cache", "cachenaive", "hybrid32", "hybrid64", "place32", "place64"} {
			l := of(form)
			if l.N == 0 {
				continue
			}
			thesis := ""
			if n == 64 {
				thesis = thesisRings[form]
			}
			g.row(formNames[form], fmt.Sprint(n), number(l.Gops), fmt.Sprintf("%.1f", 100*l.Deviation),
				over(l.Gops, of("shared").Gops), thesis, fmt.Sprint(l.Accesses), fmt.Sprint(l.Shuffles),
				fmt.Sprint(l.Registers), fmt.Sprint(l.Spilled), fmt.Sprint(l.Shared), fmt.Sprintf("%.2f", l.Occupancy))
		}
	}
}

func power(n int) string { return fmt.Sprintf("2^%d", bits.Len(uint(n))-1) }

func fieldOf(lines []line, form string, bits, n int) line {
	return find(lines, func(l *line) bool {
		return l.Experiment == "field" && l.Form == form && l.Bits == bits && (n == 0 || l.N == n)
	})
}

func pairsTable(g *grid, lines []line) {
	head := []string{"pairs"}
	for _, bits := range []int{32, 64} {
		for _, form := range []string{"shared", "hybrid32", "cache"} {
			head = append(head, fmt.Sprintf("%d bits, %s", bits, formNames[form]))
		}
		head = append(head, "cache over shared")
	}
	g.head(1, head...)
	for _, n := range values(lines, func(l *line) int { return l.N }) {
		if fieldOf(lines, "cache", 64, n).N == 0 {
			continue
		}
		cells := []string{power(n)}
		for _, bits := range []int{32, 64} {
			for _, form := range []string{"shared", "hybrid32", "cache"} {
				cells = append(cells, number(fieldOf(lines, form, bits, n).Gops))
			}
			cells = append(cells, over(fieldOf(lines, "cache", bits, n).Gops, fieldOf(lines, "shared", bits, n).Gops))
		}
		g.row(cells...)
	}
}

// longest is the line of a form with the most pairs.
func longest(lines []line, form string, bits int) (l line) {
	for _, other := range lines {
		if other.Experiment == "field" && other.Form == form && other.Bits == bits && other.N > l.N {
			l = other
		}
	}
	return l
}

func sizesTable(g *grid, lines []line) {
	g.head(0, "bits", "pairs", "shared memory, G/s", "hybrid of 32", "hybrid of 64", "native", "one thread, M/s",
		"all threads", "best over one thread", "over all")
	for _, bits := range values(lines, func(l *line) int { return l.Bits }) {
		s := longest(lines, "shared", bits)
		if bits == 0 || bits%32 != 0 || s.N == 0 {
			continue
		}
		best := s.Gops
		cells := []string{fmt.Sprint(bits), power(s.N), number(s.Gops)}
		for _, form := range []string{"hybrid32", "hybrid64", "cache"} {
			x := longest(lines, form, bits).Gops
			best = max(best, x)
			cells = append(cells, number(x))
		}
		cpu := func(all bool) float64 {
			return find(lines, func(l *line) bool {
				return l.Experiment == "processor" && l.Bits == bits && l.Threads > 1 == all
			}).Gops
		}
		g.row(append(cells, number(1000*cpu(false)), number(1000*cpu(true)), over(best, cpu(false)),
			over(best, cpu(true)))...)
	}
}

func staircase(g *grid, lines []line) {
	g.head(0, "n", "n − 1, hybrid of 32, G/s", "n", "n + 1", "n − 1, shared memory", "n", "n + 1")
	for _, bits := range values(lines, func(l *line) int { return l.Bits }) {
		if bits%32 != 0 || fieldOf(lines, "shared", bits+1, 0).N == 0 {
			continue
		}
		cells := []string{fmt.Sprint(bits)}
		for _, form := range []string{"hybrid32", "shared"} {
			n := fieldOf(lines, form, bits+1, 0).N
			for _, d := range []int{-1, 0, 1} {
				cells = append(cells, number(fieldOf(lines, form, bits+d, n).Gops))
			}
		}
		g.row(cells...)
	}
}

func convertTable(g *grid, lines []line) {
	g.head(2, "conversion", "bits", "elements", "ms", "G/s")
	for _, l := range lines {
		g.row(map[string]string{"slice": "to chunks", "unslice": "back"}[l.Form], fmt.Sprint(l.Bits), power(l.N),
			number(l.Ms), number(l.Gops))
	}
}

func fftTable(g *grid, lines []line) {
	g.head(1, "points", "thesis' form, ms", "with copies", "inverse", "with copies", "making of the tables",
		"ours, one thread", "all threads", "inverse, one", "all", "speed over one thread of ours", "over all")
	for _, n := range values(lines, func(l *line) int { return l.N }) {
		of := func(form string) line {
			return find(lines, func(l *line) bool { return l.N == n && l.Form == form && l.Threads == 0 })
		}
		ours := func(form string, all bool) float64 {
			return find(lines, func(l *line) bool {
				return l.N == n && l.Form == form && l.Threads > 0 && l.Threads > 1 == all
			}).Ms
		}
		t := of("thesis").Ms
		g.row(power(n), number(t), number(of("thesis, with copies").Ms), number(of("thesis, inverse").Ms),
			number(of("thesis, with copies, inverse").Ms), number(of("plan").Ms), number(ours("ours", false)),
			number(ours("ours", true)), number(ours("ours, inverse", false)), number(ours("ours, inverse", true)),
			over(ours("ours", false), t), over(ours("ours", true), t))
	}
}

func phasesTable(g *grid, lines []line) {
	g.head(1, append([]string{"points, ms"}, phases...)...)
	for _, inverse := range []string{"", ", inverse"} {
		for _, n := range values(lines, func(l *line) int { return l.N }) {
			cells := []string{power(n) + inverse}
			for _, phase := range phases {
				cells = append(cells, number(find(lines, func(l *line) bool {
					return l.N == n && l.Form == phase+inverse
				}).Ms))
			}
			g.row(cells...)
		}
	}
}
