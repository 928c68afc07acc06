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

// tables are those of docs/gpu.md, by the name of the experiment.
func tables(all []line) (list []table) {
	for _, t := range []struct {
		name string
		make func(g *grid, lines []line)
	}{
		{"ops", operationsTable}, {"threads", threadsTable}, {"permute", permutationsTable}, {"shares", sharesTable},
		{"everyk", everyKTable}, {"rates", ratesTable}, {"rivals", rivalsTable},
	} {
		var some []line
		for _, l := range all {
			if l.Experiment == t.name {
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

// number has three digits.
func number(x float64) string {
	if x >= 1000 {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.3g", x)
}

func power(n int) string { return fmt.Sprintf("2^%d", bits.Len(uint(n))-1) }

// prime is the name of a field without its kind.
func prime(name string) string { return strings.TrimPrefix(name, "gfpf:") }

func operationsTable(g *grid, lines []line) {
	g.head(3, "prime", "operation", "layout", "threads a block", "ms", "GB/s", "occupancy", "registers", "spilled bytes",
		"instructions", "over planes")
	for _, l := range lines {
		over := ""
		if l.Layout == elements {
			i := slices.IndexFunc(lines, func(m line) bool {
				return m.Layout == planes && m.Field == l.Field && m.Case == l.Case && m.Threads == l.Threads
			})
			if i >= 0 {
				over = number(l.Ms / lines[i].Ms)
			}
		}
		g.row(prime(l.Field), l.Case, l.Layout, fmt.Sprint(l.Threads), number(l.Ms), number(l.GBs), number(l.Occupancy),
			fmt.Sprint(l.Registers), fmt.Sprint(l.Local), fmt.Sprint(l.Text), over)
	}
}

func threadsTable(g *grid, lines []line) {
	g.head(3, "prime", "product", "layout", "ms", "over one thread", "occupancy")
	one := 0.0
	for _, l := range lines {
		if l.Case == "one thread" {
			one = l.Ms
		}
		occupancy := ""
		if l.Occupancy > 0 {
			occupancy = number(l.Occupancy)
		}
		g.row(prime(l.Field), l.Case, l.Layout, number(l.Ms), number(l.Ms/one), occupancy)
	}
}

func permutationsTable(g *grid, lines []line) {
	g.head(3, "prime", "permutation", "layout", "blocks each", "ms", "GB/s", "of a copy's rate")
	rate := 0.0
	for _, l := range lines {
		if l.Case == "copy" {
			rate = l.GBs
		}
		blocks := ""
		if l.Blocks > 0 {
			blocks = fmt.Sprint(l.Blocks)
		}
		g.row(prime(l.Field), l.Case, l.Layout, blocks, number(l.Ms), number(l.GBs), number(l.GBs/rate))
	}
}

func sharesTable(g *grid, lines []line) {
	g.head(3, "transform", "layout", "part", "launches", "ms", "share")
	all := 0.0
	for _, l := range lines {
		if l.Case == "all" {
			all = 0
			for _, m := range lines {
				if m.Field == l.Field && m.Layout == l.Layout && m.Case != "all" {
					all += m.Ms
				}
			}
		}
		share := ""
		if l.Case != "all" {
			share = fmt.Sprintf("%.0f %%", 100*l.Ms/all)
		}
		g.row(prime(l.Field)+", "+power(l.N), l.Layout, l.Case, fmt.Sprint(l.Launches), number(l.Ms), share)
	}
}

func everyKTable(g *grid, lines []line) {
	cases := []string{"transform", "inverse", "transform, the processor", "product", "sum", "difference", "shift"}
	g.head(1, append([]string{"prime", "k", "points"}, cases...)...)
	for i, l := range lines {
		if i > 0 && lines[i-1].K == l.K {
			continue
		}
		cells := []string{prime(l.Field), fmt.Sprint(l.K), power(l.N)}
		for _, c := range cases {
			j := slices.IndexFunc(lines, func(m line) bool { return m.K == l.K && m.Case == c })
			if j < 0 {
				cells = append(cells, "")
				continue
			}
			cells = append(cells, number(lines[j].Ms))
		}
		g.row(cells...)
	}
}

func ratesTable(g *grid, lines []line) {
	g.head(1, "what", "10^9 a second", "GB/s")
	for _, l := range lines {
		name, ops, rate := l.Case, "", ""
		if l.Gops > 0 {
			ops = number(l.Gops)
		} else {
			name, rate = fmt.Sprintf("%s of %s words", l.Case, power(l.N)), number(l.GBs)
		}
		g.row(name, ops, rate)
	}
}

func rivalsTable(g *grid, lines []line) {
	g.head(2, "prime", "transform", "points", "launches", "ms", "GB/s, vector a layer", "over the best")
	for _, l := range lines {
		best := l.Ms
		for _, m := range lines {
			if m.Field == l.Field && m.N == l.N {
				best = min(best, m.Ms)
			}
		}
		g.row(l.Field, l.Case, power(l.N), fmt.Sprint(l.Launches), number(l.Ms), number(l.GBs), number(l.Ms/best))
	}
}
