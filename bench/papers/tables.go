package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/galfft/fft/internal/svg"
)

// tables prints the tables of docs/papers.md, each after the name of its experiment.
func tables(w io.Writer, file string) error {
	all, err := readLines(file)
	if err != nil {
		return err
	}
	if err := readRecorded(); err != nil {
		return err
	}
	for _, t := range report(all) {
		if _, err := fmt.Fprintf(w, "%s\n\n%s\n", t.name, t.text); err != nil {
			return err
		}
	}
	return nil
}

type table struct{ name, text string }

// noLines stands in place of a table whose lines are yet to be recorded.
const noLines = "There are no lines yet.\n"

// report makes the tables.
func report(all []line) (list []table) {
	for _, t := range []struct {
		name string
		make func(r results, b *grid)
	}{
		{"b1", transposeTable}, {"b2", twiddleTable}, {"b3", serialTable}, {"b3-order", orderTable},
		{"b3-plans", planTable}, {"b4", parallelTable}, {"b5", parallelTable},
		{"b6", dispatchTable}, {"b6-ratios", dispatchRatios}, {"b7", arithmeticsTable}, {"b7-bases", arithmeticsBases}, {"b8", fermatTable},
		{"b9", fermatTable}, {"b10", countersTable}, {"b11", basesTable}, {"parts", partsTable},
		{"mont", montgomeryTable}, {"variants", variantsTable},
		{"pairs", pairsTable}, {"additive", additiveTable}, {"longest", longestTable},
		{"phases", phasesTable},
	} {
		name, _, _ := strings.Cut(t.name, "-")
		r := results(all).of(name, "")
		if len(r) > 0 {
			var b grid
			t.make(r, &b)
			text := b.String()
			if strings.Count(text, "\n") == 2 { // a head without rows
				text = noLines
			}
			list = append(list, table{t.name, text})
		}
	}
	return list
}

// grid is a table in Markdown.
type grid struct{ strings.Builder }

func (b *grid) head(columns ...string) {
	b.row(columns...)
	b.WriteString("|" + strings.Repeat(" ---: |", len(columns)) + "\n")
}

func (b *grid) row(cells ...string) { b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }

// results are the lines of one experiment.
type results []line

// of returns the lines of an experiment, and of a field where it is not empty.
func (r results) of(experiment, field string) (some results) {
	for _, l := range r {
		if l.Experiment == experiment && (field == "" || l.Field == field) {
			some = append(some, l)
		}
	}
	return some
}

// find returns the time of the line that is like l in all that names a measurement.
func (r results) find(l line) (float64, bool) {
	l.Workers = max(1, l.Workers)
	for _, m := range r {
		if m.Field == l.Field && m.Contender == l.Contender && m.What == l.What && m.N == l.N && m.Rows == l.Rows &&
			m.Base == l.Base && m.Workers == l.Workers &&
			(l.Tier == "" || m.Tier == l.Tier) {
			return m.NsMin, true
		}
	}
	return 0, false
}

// each is the time of l's like for one of count, or a dash.
func (r results) each(l line, count float64) string {
	ns, ok := r.find(l)
	if !ok {
		return "–"
	}
	return short(ns / count)
}

// ratio is a's time over b's.
func (r results) ratio(a, b line) string {
	x, ok := r.find(a)
	y, also := r.find(b)
	if !ok || !also {
		return "–"
	}
	return short(x / y)
}

func short(v float64) string { return fmt.Sprintf("%.3g", v) }

func nanos(ns float64) string {
	for _, u := range []struct {
		of   float64
		name string
	}{{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}} {
		if ns >= u.of {
			return short(ns/u.of) + " " + u.name
		}
	}
	return short(ns) + " ns"
}

// values lists what get says of the lines, in order and once each.
func values[T comparable](r results, get func(l line) T) (list []T) {
	for _, l := range r {
		if v := get(l); !slices.Contains(list, v) {
			list = append(list, v)
		}
	}
	return list
}

func (r results) longest() int { return slices.Max(values(r, func(l line) int { return l.N })) }

func transposeTable(r results, b *grid) {
	ways := []string{"plain", "blocked", "recursive", shipped, "copy"}
	b.head(append([]string{"words", "shape"}, ways...)...)
	for _, n := range []int{1 << 10, 1 << 16, 1 << 20, 1 << 24} {
		for _, rows := range values(r, func(l line) int { return l.Rows * boolean(l.N == n) }) {
			cells := []string{svg.Power(n), fmt.Sprintf("%d × %d", rows, n/max(1, rows))}
			for _, c := range ways {
				cells = append(cells, r.each(line{Field: "uint64", Contender: c, What: "transpose", N: n, Rows: rows},
					float64(n)))
			}
			if rows > 0 && cells[2] != "–" {
				b.row(cells...)
			}
		}
	}
}

func boolean(b bool) int {
	if b {
		return 1
	}
	return 0
}

func twiddleTable(r results, b *grid) {
	b.head("n", "base", "tables", "powers", "powers/tables", "plan with tables", "without")
	for _, n := range []int{1 << 10, r.longest()} {
		for _, base := range values(r, func(l line) int { return l.Base }) {
			a := line{Field: "P1", Contender: "offline", What: "forward", N: n, Base: base}
			o, p := a, a
			o.Contender, p.What = "online", "plan"
			q := o
			q.What = "plan"
			plan, _ := r.find(p)
			without, _ := r.find(q)
			b.row(svg.Power(n), fmt.Sprint(base), r.each(a, a.butterflies()), r.each(o, a.butterflies()), r.ratio(o, a),
				nanos(plan), nanos(without))
		}
	}
}

func serialTable(r results, b *grid) {
	peers := r.peers()
	head := append(append([]string{"field", "n", "base"}, names3()...), "pre-shuffle of it", shipped,
		"four-step/"+shipped)
	for _, p := range peers {
		head = append(head, p, p+"/"+shipped)
	}
	b.head(append(head, "Covanov's, "+otherMachine)...)
	for _, f := range values(r, func(l line) string { return l.Field }) {
		for _, n := range []int{1 << 10, 1 << 16, 1 << 20, 1 << 22} {
			for _, base := range kernels {
				l := line{Field: f, What: "forward", N: n, Base: base}
				cells := []string{f, svg.Power(n), fmt.Sprint(base)}
				for _, a := range names3() {
					l.Contender = a
					cells = append(cells, r.each(l, l.butterflies()))
				}
				p := line{Field: f, Contender: "literal", What: "preshuffle", N: n, Base: base}
				use := line{Field: f, Contender: shipped, What: "forward", N: n}
				if cells[3] == "–" {
					continue
				}
				cells = append(cells, r.each(p, l.butterflies()), r.each(use, l.butterflies()), r.ratio(l, use))
				for _, name := range peers {
					p := use
					p.Contender = name
					cells = append(cells, r.each(p, l.butterflies()), r.ratio(p, use))
				}
				other := ""
				if ns, ok := recordedTime(f, n, 1); ok {
					other = short(ns / l.butterflies())
				}
				b.row(append(cells, other)...)
			}
		}
	}
}

// orderTable counts, for each base case, the lengths above it at which times are in the order that the thesis reports.
func orderTable(r results, b *grid) {
	b.head("field", "base", "lengths", "six-step slowest, four-step fastest", "six-step/merged", "merged/four-step")
	for _, f := range values(r, func(l line) string { return l.Field }) {
		for _, base := range kernels {
			count, ordered := 0, 0
			var first, second []float64
			for _, n := range values(r, func(l line) int { return l.N }) {
				var t []float64
				for _, a := range names3() {
					if ns, ok := r.find(line{Field: f, Contender: a, What: "forward", N: n, Base: base}); ok &&
						n > base {
						t = append(t, ns)
					}
				}
				if len(t) == 3 {
					count++
					ordered += boolean(t[0] > t[1] && t[1] > t[2])
					first, second = append(first, t[0]/t[1]), append(second, t[1]/t[2])
				}
			}
			b.row(f, fmt.Sprint(base), fmt.Sprint(count), fmt.Sprint(ordered), span(first), span(second))
		}
	}
}

// span is the least and the greatest of v.
func span(v []float64) string { return short(slices.Min(v)) + " to " + short(slices.Max(v)) }

func planTable(r results, b *grid) {
	b.head("field", "n", "plan, literal", "forward, four-step, base 32", "plan, shipped", "forward, shipped")
	for _, f := range values(r, func(l line) string { return l.Field }) {
		for _, n := range []int{1 << 10, 1 << 16, 1 << 20, 1 << 22} {
			var cells []string
			for _, l := range []line{{Contender: "literal", What: "plan", Base: 32},
				{Contender: "fourstep", What: "forward", Base: 32},
				{Contender: shipped, What: "plan"}, {Contender: shipped, What: "forward"}} {
				l.Field, l.N = f, n
				if ns, ok := r.find(l); ok {
					cells = append(cells, nanos(ns))
				}
			}
			if len(cells) == 4 {
				b.row(append([]string{f, svg.Power(n)}, cells...)...)
			}
		}
	}
}

func parallelTable(r results, b *grid) {
	workers := r.workers()
	over := "1 / " + numbers(workers)
	b.head("field", "n", "base", "six-step", "1 worker / "+numbers(workers), "merged", over, "four-step", over)
	for _, f := range values(r, func(l line) string { return l.Field }) {
		longest := r.of(r[0].Experiment, f).longest()
		for _, n := range slices.Compact([]int{min(1<<12, longest), longest}) {
			if _, ok := r.find(line{Field: f, Contender: shipped, What: "forward", N: n}); !ok {
				continue
			}
			row := func(name string, contenders []string, base int) {
				cells := []string{f, svg.Power(n), name}
				for _, c := range contenders {
					one := line{Field: f, Contender: c, What: "forward", N: n, Base: base, Workers: 1}
					var ratios []string
					for _, w := range workers {
						more := one
						more.Workers = w
						ratios = append(ratios, r.ratio(one, more))
					}
					cells = append(cells, r.each(one, one.butterflies()), strings.Join(ratios, " / "))
				}
				for len(cells) < 9 {
					cells = append(cells, "")
				}
				b.row(cells...)
			}
			for _, base := range kernels {
				if _, ok := r.find(line{Field: f, Contender: "fourstep", What: "forward", N: n, Base: base}); ok {
					row(fmt.Sprint(base), names3(), base)
				}
			}
			row(shipped, []string{shipped}, 0)
		}
	}
}

// callNames are the ways to call of B-6, with that of the literal forms.
var callNames = []string{"concrete", "type parameter", "interface", "literal"}

func dispatchTable(r results, b *grid) {
	lengths := []int{1 << 4, 1 << 10, 1 << 16, r.longest()}
	head := []string{"tier", "scheme", "base", "called by"}
	for _, n := range lengths {
		head = append(head, svg.Power(n))
	}
	b.head(head...)
	row := func(l line, cells ...string) {
		cells = append([]string{l.Tier}, cells...)
		some := false
		for _, n := range lengths {
			l.N = n
			cells = append(cells, r.each(l, l.butterflies()))
			some = some || cells[len(cells)-1] != "–"
		}
		if some {
			b.row(cells...)
		}
	}
	for _, tier := range values(r, func(l line) string { return l.Tier }) {
		for _, c := range []string{shipped, "element methods"} {
			row(line{Field: "P1", Contender: c, Tier: tier, What: "forward"}, "", "", c)
		}
		for _, a := range names3() {
			for _, base := range kernels {
				for _, way := range callNames {
					row(line{Field: "P1", Contender: a, Tier: tier, What: way, Base: base}, a, fmt.Sprint(base), way)
				}
			}
		}
	}
}

// dispatchRatios has for each scheme and base case the least and the greatest ratio of a way to call to the concrete
// one, over the lengths above the base case.
func dispatchRatios(r results, b *grid) {
	b.head("tier", "scheme", "base", "type parameter/concrete", "interface/concrete", "literal/concrete")
	for _, tier := range values(r, func(l line) string { return l.Tier }) {
		for _, a := range names3() {
			for _, base := range kernels {
				cells := []string{tier, a, fmt.Sprint(base)}
				for _, way := range callNames[1:] {
					var list []float64
					for _, n := range values(r, func(l line) int { return l.N }) {
						l := line{Field: "P1", Contender: a, N: n, Base: base, Tier: tier, What: way}
						ns, ok := r.find(l)
						l.What = callNames[0]
						least, also := r.find(l)
						if ok && also && n > base {
							list = append(list, ns/least)
						}
					}
					if len(list) > 0 {
						cells = append(cells, span(list))
					}
				}
				if len(cells) == 3+len(callNames)-1 {
					b.row(cells...)
				}
			}
		}
	}
}

// ways are those of B-7 to compute, and their base cases: those of use have none of their own.
var ways = []struct {
	name, field string
	base        int
}{
	{"words", "P2", 32}, {"GMP by products", "gmp:P2", 32}, {"ncw/gmp", "ncw:P2", 32}, {"math/big", "big:P2", 32},
	{"C with GMP", "c:P2", 2}, {"words by rows", "P2", 0}, {"GMP by rows", "gmp:P2", 0},
}

func arithmeticsTable(r results, b *grid) {
	head := []string{"scheme", "n"}
	for _, w := range ways {
		head = append(head, w.name)
	}
	b.head(head...)
	for _, a := range names3() {
		for _, n := range values(r, func(l line) int { return l.N }) {
			cells := []string{a, svg.Power(n)}
			for _, w := range ways {
				l := line{Field: w.field, Contender: a, What: "forward", N: n, Base: min(w.base, n)}
				cells = append(cells, r.each(l, l.butterflies()))
			}
			b.row(cells...)
		}
	}
}

// arithmeticsBases has the literal forms at the longest length that has all base cases.
func arithmeticsBases(r results, b *grid) {
	n := slices.Max(values(r, func(l line) int { return l.N * boolean(l.Base == 2 && l.Field == "P2") }))
	head := []string{"scheme at " + svg.Power(n), "base"}
	for _, w := range ways[:4] {
		head = append(head, w.name)
	}
	b.head(head...)
	for _, a := range names3() {
		for _, base := range kernels {
			cells := []string{a, fmt.Sprint(base)}
			for _, w := range ways[:4] {
				l := line{Field: w.field, Contender: a, What: "forward", N: n, Base: base}
				cells = append(cells, r.each(l, l.butterflies()))
			}
			b.row(cells...)
		}
	}
}

func fermatTable(r results, b *grid) {
	peers := r.peers()
	head := []string{"field", "n", "workers", "six-step", "merged", "four-step", shipped, "four-step/" + shipped}
	for _, p := range peers {
		head = append(head, p, p+"/"+shipped)
	}
	b.head(append(head, "BPAS, "+otherMachine)...)
	for _, l := range r {
		if l.Contender != shipped {
			continue
		}
		cells, m := []string{l.Field, fmt.Sprint(l.N), fmt.Sprint(l.Workers)}, l
		m.Base = slices.Max(values(r, func(m line) int { return m.Base * boolean(m.Field == l.Field && m.N == l.N) }))
		for _, a := range names3() {
			m.Contender = a
			ns, _ := r.find(m)
			cells = append(cells, nanos(ns))
		}
		cells = append(cells, nanos(l.NsMin), r.ratio(m, l))
		for _, p := range peers {
			m := l
			m.Contender, m.Base = p, 0
			ns := "–"
			if t, ok := r.find(m); ok {
				ns = nanos(t)
			}
			cells = append(cells, ns, r.ratio(m, l))
		}
		other := ""
		if ns, ok := recordedTime(l.Field, l.N, l.Workers); ok {
			other = nanos(ns)
		}
		b.row(append(cells, other)...)
	}
}

func countersTable(r results, b *grid) {
	b.head("n", "scheme", "instructions", "data", "I1 misses", "D1 misses", "LL misses", "instructions a butterfly")
	for _, l := range r {
		c := l.Counts
		b.row(svg.Power(l.N), l.Contender, fmt.Sprint(c.Instructions), fmt.Sprint(c.Data), fmt.Sprint(c.MissesI1),
			fmt.Sprint(c.MissesD1), fmt.Sprint(c.MissesLL),
			short(float64(c.Instructions)/l.butterflies()))
	}
}

func basesTable(r results, b *grid) {
	lengths := values(r, func(l line) int { return l.N })
	head := []string{"field"}
	for _, n := range lengths {
		head = append(head, svg.Power(n))
	}
	b.head(head...)
	for _, f := range values(r, func(l line) string { return l.Field }) {
		cells := []string{f}
		for _, n := range lengths {
			best := line{}
			auto, _ := r.find(line{Field: f, Contender: shipped, What: "forward", N: n})
			for _, l := range r {
				if l.Field == f && l.N == n && l.Base > 0 && (best.N == 0 || l.NsMin < best.NsMin) {
					best = l
				}
			}
			cell := "–" // for a length that was not taken
			if best.N > 0 {
				cell = fmt.Sprintf("%s (%s)", svg.Power(best.Base), short(auto/best.NsMin))
			}
			cells = append(cells, cell)
		}
		b.row(cells...)
	}
}

// peers lists the rivals of r.
func (r results) peers() (list []string) {
	for _, l := range r {
		if l.Peer && !slices.Contains(list, l.Contender) {
			list = append(list, l.Contender)
		}
	}
	return list
}

// workers lists the numbers of workers beside one.
func (r results) workers() (list []int) {
	for _, w := range values(r, func(l line) int { return l.Workers }) {
		if w > 1 {
			list = append(list, w)
		}
	}
	slices.Sort(list)
	return list
}

func numbers(list []int) string {
	var text []string
	for _, n := range list {
		text = append(text, fmt.Sprint(n))
	}
	return strings.Join(text, " / ")
}

// partsTable has the time of each part with one worker, and in parentheses how many times as fast more are, of a short
// length and the longest, and of three bases.
func partsTable(r results, b *grid) {
	workers := r.workers()
	names := []string{"base cases", "twiddles", "butterflies", "permutations", "all"}
	head := []string{"field", "n", "scheme", "base"}
	b.head(append(head, names...)...)
	for _, f := range values(r, func(l line) string { return l.Field }) {
		for _, n := range []int{1 << 12, 1 << 20} {
			for _, a := range names3() {
				for _, base := range []int{2, 8, 64} {
					cells := []string{f, svg.Power(n), a, fmt.Sprint(base)}
					one := line{Field: f, Contender: a, N: n, Base: base, Workers: 1}
					for _, name := range names {
						one.What = name
						ns := r.sum(one)
						if ns == 0 {
							cells = append(cells, "")
							continue
						}
						var ratios []string
						for _, w := range workers {
							more := one
							more.Workers = w
							ratios = append(ratios, short(ns/r.sum(more)))
						}
						text := short(ns / one.butterflies())
						if len(ratios) > 0 {
							text += " (" + strings.Join(ratios, " / ") + ")"
						}
						cells = append(cells, text)
					}
					if cells[len(cells)-1] != "" {
						b.row(cells...)
					}
				}
			}
		}
	}
}

// sum is the time of a part, or of all parts.
func (r results) sum(l line) (ns float64) {
	for _, m := range r {
		if m.Field == l.Field && m.Contender == l.Contender && m.N == l.N && m.Base == l.Base &&
			m.Workers == l.Workers && (l.What == "all" || m.What == l.What) {
			ns += m.NsMin
		}
	}
	return ns
}

func variantsTable(r results, b *grid) {
	names := values(r, func(l line) string { return l.Contender })
	b.head(append([]string{"n", "base"}, names...)...)
	for _, n := range []int{1 << 12, 1 << 20} {
		for _, base := range values(r, func(l line) int { return l.Base * boolean(l.N == n) }) {
			cells := []string{svg.Power(n), fmt.Sprint(base)}
			for _, name := range names {
				l := line{Field: "P1", Contender: name, What: "forward", N: n, Base: base}
				cells = append(cells, r.each(l, l.butterflies()))
			}
			if base > 0 {
				b.row(cells...)
			}
		}
	}
}
