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

// readLines reads files of lines. Of a form and its bits in an experiment those of the last file that has some count.
func readLines(names ...string) (all []line, err error) {
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		var some []line
		for one := range bytes.Lines(text) {
			var l line
			if err := json.Unmarshal(one, &l); err != nil {
				return nil, fmt.Errorf("%s, line %d: %w", name, len(some)+1, err)
			}
			if l.Experiment == "processor" { // as it was called
				l.Experiment, l.Form = map[bool]string{false: "core", true: "cores"}[l.Threads > 1], "ours"
			}
			if l.Peer {
				l.Experiment = "peers"
			}
			some = append(some, l)
		}
		of := func(l line) string { return fmt.Sprint(l.Experiment, l.Form, l.Bits) }
		here := map[string]bool{}
		for _, l := range some {
			here[of(l)] = true
		}
		all = append(slices.DeleteFunc(all, func(l line) bool { return here[of(l)] }), some...)
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
		{"goals", "", goalsTable},
		{"exchange", "exchange", exchangeTable},
		{"stencil", "stencil", stencilTable},
		{"stencil rates", "stencil", stencilRates},
		{"ring", "ring", ringTable},
		{"counts", "counts", countsTable},
		{"stencil counts", "counts", stencilCounts},
		{"pairs", "", pairsTable},
		{"sizes", "", sizesTable},
		{"staircase", "", staircase},
		{"natural", "", naturalTable},
		{"convert", "convert", convertTable},
		{"fft", "fft", fftTable},
		{"ours", "", oursTable},
		{"over", "", overTable},
		{"phases", "fft", phasesTable},
		{"seconds", "seconds", secondsTable},
		{"missing", "missing", missingTable},
	} {
		var some []line
		for _, l := range all {
			if t.experiment == "" || l.Experiment == t.experiment {
				some = append(some, l)
			}
		}
		if len(some) == 0 {
			continue
		}
		var g grid
		if t.make(&g, some); strings.Count(g.String(), "\n") > 2 { // more than its head
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

// ofProcessor reports whether a line has products by a processor.
func (l *line) ofProcessor() bool {
	return slices.Contains([]string{"core", "cores", "peers"}, l.Experiment)
}

// processorOf is products by the processor: ours by one thread or by all, or by another library.
func processorOf(lines []line, form string, bits int, all bool) line {
	return find(lines, func(l *line) bool {
		return l.ofProcessor() && l.Form == form && l.Bits == bits && l.Threads > 1 == all
	})
}

// others are the libraries that lines have.
func others(lines []line) (list []string) {
	for _, l := range lines {
		if l.Peer && !slices.Contains(list, l.Form) {
			list = append(list, l.Form)
		}
	}
	return list
}

// overPeer is how many times as fast as a library something is, or says that the library was absent.
func overPeer(lines []line, gops float64, bits int) string {
	all := others(lines)
	if len(all) == 0 {
		return "absent"
	}
	return over(gops, processorOf(lines, all[0], bits, false).Gops)
}

// peerName is the library beside which products stand.
func peerName(lines []line) string {
	if all := others(lines); len(all) > 0 {
		return all[0]
	}
	return "NTL"
}

func pairsTable(g *grid, lines []line) {
	head, forms := []string{"pairs"}, []string{"shared", "hybrid32", "cache"}
	for _, bits := range []int{32, 64} {
		for _, form := range forms {
			head = append(head, fmt.Sprintf("%d bits, %s", bits, formNames[form]))
		}
		head = append(head, "cache over shared", "cache over "+peerName(lines), "over ours, one thread", "all")
	}
	g.head(1, head...)
	for _, n := range values(lines, func(l *line) int { return l.N }) {
		if fieldOf(lines, "cache", 64, n).N == 0 {
			continue
		}
		cells := []string{power(n)}
		for _, bits := range []int{32, 64} {
			for _, form := range forms {
				cells = append(cells, number(fieldOf(lines, form, bits, n).Gops))
			}
			cache := fieldOf(lines, "cache", bits, n).Gops
			one, all := processorOf(lines, "ours", bits, false).Gops, processorOf(lines, "ours", bits, true).Gops
			cells = append(cells, over(cache, fieldOf(lines, "shared", bits, n).Gops), overPeer(lines, cache, bits),
				over(cache, one), over(cache, all))
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

// best is the fastest form of most pairs.
func best(lines []line, bits int) (l line) {
	for _, form := range []string{"shared", "hybrid32", "hybrid64", "cache"} {
		if other := longest(lines, form, bits); other.Gops > l.Gops {
			l = other
		}
	}
	return l
}

func sizesTable(g *grid, lines []line) {
	peer := peerName(lines)
	g.head(0, "bits", "pairs", "shared memory, G/s", "hybrid of 32", "hybrid of 64", "native", peer+", M/s",
		"ours, one thread, M/s", "all threads", "best over "+peer, "over one thread", "over all")
	for _, bits := range values(lines, func(l *line) int { return l.Bits }) {
		s := longest(lines, "shared", bits)
		if bits == 0 || bits%32 != 0 || s.N == 0 {
			continue
		}
		cells := []string{fmt.Sprint(bits), power(s.N)}
		for _, form := range []string{"shared", "hybrid32", "hybrid64", "cache"} {
			cells = append(cells, number(longest(lines, form, bits).Gops))
		}
		one, all := processorOf(lines, "ours", bits, false).Gops, processorOf(lines, "ours", bits, true).Gops
		theirs := "absent"
		if len(others(lines)) > 0 {
			theirs = number(1000 * processorOf(lines, peer, bits, false).Gops)
		}
		top := best(lines, bits).Gops
		g.row(append(cells, theirs, number(1000*one), number(1000*all), overPeer(lines, top, bits), over(top, one),
			over(top, all))...)
	}
}

// staircase has the better of shared memory and blocks of 32, which serve all n.
func staircase(g *grid, lines []line) {
	head := []string{"n"}
	for _, what := range []string{"hybrid of 32, G/s", "shared memory", "the better one over " + peerName(lines),
		"over ours, one thread", "over all threads"} {
		head = append(head, "n − 1, "+what, "n", "n + 1")
	}
	g.head(0, head...)
	for _, bits := range values(lines, func(l *line) int { return l.Bits }) {
		if bits == 0 || bits%32 != 0 || longest(lines, "shared", bits-1).N == 0 {
			continue
		}
		cells := []string{fmt.Sprint(bits)}
		for _, form := range []string{"hybrid32", "shared"} {
			for d := -1; d <= 1; d++ {
				cells = append(cells, number(longest(lines, form, bits+d).Gops))
			}
		}
		better := func(bits int) float64 {
			return max(longest(lines, "hybrid32", bits).Gops, longest(lines, "shared", bits).Gops)
		}
		for d := -1; d <= 1; d++ {
			cells = append(cells, overPeer(lines, better(bits+d), bits+d))
		}
		for _, all := range []bool{false, true} {
			for d := -1; d <= 1; d++ {
				cells = append(cells, over(better(bits+d), processorOf(lines, "ours", bits+d, all).Gops))
			}
		}
		g.row(cells...)
	}
}

func naturalTable(g *grid, lines []line) {
	g.head(0, "bits", "chunks, the best form, G/s", "natural layout, package gpu, G/s", "over chunks")
	for _, bits := range values(lines, func(l *line) int { return l.Bits }) {
		l := find(lines, func(l *line) bool { return l.Experiment == "natural" && l.Bits == bits })
		if l.N > 0 {
			top := best(lines, bits).Gops
			g.row(fmt.Sprint(bits), number(top), number(l.Gops), over(l.Gops, top))
		}
	}
}

func convertTable(g *grid, lines []line) {
	g.head(2, "conversion", "bits", "elements", "ms", "G/s")
	for _, l := range lines {
		g.row(map[string]string{"slice": "to chunks", "unslice": "back"}[l.Form], fmt.Sprint(l.Bits), power(l.N),
			number(l.Ms), number(l.Gops))
	}
}

// fftOf is the time of a transform in ms.
func fftOf(lines []line, experiment, form string, n int) line {
	return find(lines, func(l *line) bool { return l.Experiment == experiment && l.Form == form && l.N == n })
}

func fftTable(g *grid, lines []line) {
	g.head(1, "points", "thesis' form, ms", "deviation %", "with copies", "inverse", "deviation %", "with copies",
		"making of the tables")
	for _, n := range values(lines, func(l *line) int { return l.N }) {
		of := func(form string) string { return number(fftOf(lines, "fft", form, n).Ms) }
		deviation := func(form string) string {
			return fmt.Sprintf("%.1f", 100*fftOf(lines, "fft", form, n).Deviation)
		}
		g.row(power(n), of("thesis"), deviation("thesis"), of("thesis, with copies"), of("thesis, inverse"),
			deviation("thesis, inverse"), of("thesis, with copies, inverse"), of("plan"))
	}
}

// lengths are those of transforms.
func lengths(lines []line) []int {
	var some []line
	for _, l := range lines {
		if l.Experiment == "fft" {
			some = append(some, l)
		}
	}
	return values(some, func(l *line) int { return l.N })
}

// contenders are our transforms beside the thesis' form, by their experiments and forms, and what tables call them.
var contenders = []struct{ experiment, form, name string }{
	{"fft", "card, own subspace", "card, own subspace"},
	{"fft", "card, any basis", "card, any basis"},
	{"fftcore", "ours", "one thread"},
	{"fftcores", "ours", "all threads"},
}

func oursTable(g *grid, lines []line) {
	head := []string{"points"}
	for _, c := range contenders {
		for _, kind := range []string{"", ", with copies", ", inverse", ", with copies, inverse"} {
			if c.experiment == "fft" || kind == "" || kind == ", inverse" {
				head = append(head, c.name+kind+", ms")
			}
		}
	}
	g.head(1, head...)
	for _, n := range lengths(lines) {
		cells := []string{power(n)}
		for _, c := range contenders {
			for _, kind := range []string{"", ", with copies", ", inverse", ", with copies, inverse"} {
				if c.experiment == "fft" || kind == "" || kind == ", inverse" {
					cells = append(cells, number(fftOf(lines, c.experiment, c.form+kind, n).Ms))
				}
			}
		}
		g.row(cells...)
	}
}

// overTable is the times of the thesis' form over those of ours on the card, and those of ours on the processor over
// it.
func overTable(g *grid, lines []line) {
	kinds := []string{"", ", with copies", ", inverse", ", with copies, inverse"}
	head := []string{"points"}
	for _, c := range contenders {
		for _, kind := range kinds {
			if c.experiment == "fft" {
				head = append(head, c.name+kind)
			} else {
				head = append(head, "thesis' form over "+c.name+kind)
			}
		}
	}
	g.head(1, head...)
	for _, n := range lengths(lines) {
		cells := []string{power(n)}
		for _, c := range contenders {
			for _, kind := range kinds {
				thesis := fftOf(lines, "fft", "thesis"+kind, n).Ms
				if c.experiment == "fft" {
					cells = append(cells, over(thesis, fftOf(lines, "fft", c.form+kind, n).Ms))
				} else {
					cells = append(cells, over(fftOf(lines, c.experiment, c.form+strings.TrimPrefix(kind, ", with copies"), n).Ms,
						thesis))
				}
			}
		}
		g.row(cells...)
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

// countsTable is words of shared memory by formula beside instructions of warps by Nsight Compute, for 32 products.
func countsTable(g *grid, lines []line) {
	g.head(1, "form", "rows", "accesses by formula, warps", "loads counted", "stores counted", "waves of banks",
		"shuffles by plan", "loads of spilled words", "registers", "by the driver", "shared bytes", "by the driver")
	for _, l := range lines {
		if l.Bits == 0 {
			continue
		}
		c, chunks := l.Counted, (l.N+31)/32
		each := func(x int) string { return number(float64(x) / float64(chunks)) }
		g.row(formNames[l.Form], fmt.Sprint(l.Bits), number(float64(l.Accesses)/32), each(c.Loads), each(c.Stores),
			each(c.Waves), fmt.Sprint(l.Shuffles), each(c.Local), fmt.Sprint(c.Registers), fmt.Sprint(l.Registers),
			fmt.Sprint(c.Shared), fmt.Sprint(l.Shared))
	}
}

func stencilCounts(g *grid, lines []line) {
	g.head(1, "form", "k", "outputs of a thread", "words a block reads, by formula", "counted, whole sectors", "over formula")
	for _, l := range lines {
		if l.K > 0 {
			words := 8 * float64(l.Counted.Sectors) / float64(l.Counted.Blocks)
			g.row(formNames[l.Form], fmt.Sprint(l.K), fmt.Sprint(l.Outputs), fmt.Sprint(l.Global), number(words),
				over(words, float64(l.Global)))
		}
	}
}

// secondsTable is what the parts of the script took.
func secondsTable(g *grid, lines []line) {
	g.head(1, "part", "s")
	for _, l := range lines {
		g.row(l.Form, fmt.Sprintf("%.1f", l.Ms/1000))
	}
}

// missingTable is what the script left out.
func missingTable(g *grid, lines []line) {
	g.head(2, "what is missing", "why")
	for _, l := range lines {
		g.row(l.Form, l.Why)
	}
}

// goalsTable is what was asked for of an H200, beside the thesis' figures.
func goalsTable(g *grid, lines []line) {
	g.head(1, "case", "thesis, Titan X", "at least", "here")
	g.row("products over GF(2^32), G/s", "3.15", "9", number(best(lines, 32).Gops))
	g.row("products over GF(2^64), G/s", "2.09", "6", number(best(lines, 64).Gops))
	for _, bits := range []int{32, 64} {
		g.row(fmt.Sprintf("register cache over shared memory, GF(2^%d)", bits), map[int]string{64: "1.5"}[bits], "",
			over(longest(lines, "cache", bits).Gops, longest(lines, "shared", bits).Gops))
	}
	top := 0.0
	for _, l := range lines {
		if l.Experiment == "stencil" && l.Form == "cache" {
			top = max(top, l.Gops/stencilOf(lines, "shared", l.K, l.Outputs).Gops)
		}
	}
	g.row("the same of stencils, the best k", "1.64", "", number(top))
	const most = 1 << 29
	thesis := func(kind string, n int) float64 { return fftOf(lines, "fft", "thesis"+kind, n).Ms }
	g.row("thesis' transform of 2^29 points, s", "37", "at most 12", number(thesis("", most)/1000))
	g.row("its inverse, s", "37", "at most 12", number(thesis(", inverse", most)/1000))
	for _, form := range []string{"own subspace", "any basis"} {
		for _, n := range []int{1 << 24, most} {
			g.row(fmt.Sprintf("ours on the card over it, %s, %s", power(n), form), "", "10",
				over(thesis("", n), fftOf(lines, "fft", "card, "+form, n).Ms))
		}
	}
}
