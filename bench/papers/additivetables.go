package main

import (
	"fmt"
	"slices"

	"github.com/galfft/fft/internal/svg"
)

// absent stands where a rival's program was not given, or has no such operation.
const absent = "absent"

// mean returns the mean of the line that is like l in what names a measurement.
func (r results) mean(l line) (mean, deviation float64, samples int) {
	for _, m := range r {
		if m.Contender == l.Contender && m.What == l.What && m.N == l.N && m.Workers == l.Workers {
			return m.NsMean, m.Deviation, m.Samples
		}
	}
	return 0, 0, 0
}

// rivalNames lists rivals in the order of lines, and those of want that have none.
func (r results) rivalNames(want ...string) []string {
	for _, l := range r {
		if l.Peer && !slices.Contains(want, l.Contender) {
			want = append(want, l.Contender)
		}
	}
	return want
}

// percent is a deviation.
func percent(d float64) string { return fmt.Sprintf("± %.1f %%", 100*d) }

// pairsTable has the products of pairs, each in ns.
func pairsTable(r results, b *grid) {
	type column struct{ contender, what string }
	columns := []column{{gappedName, "products"}, {shipped, "products"}, {sliced, "products"}, {sliced, "transpositions"}}
	head := []string{"n", gappedName, shipped, "slices, products", "slices, transpositions"}
	for _, name := range r.rivalNames("libSTARK", "NTL") {
		columns, head = append(columns, column{name, "products"}), append(head, name)
	}
	head = append(head, gappedName+" over NTL", "in the thesis", "slices over "+gappedName, "in the thesis")
	b.head(head...)
	for _, n := range values(r, func(l line) int { return l.N }) {
		cells := []string{svg.Power(n)}
		mean := func(c column) float64 {
			ns, _, _ := r.mean(line{Contender: c.contender, What: c.what, N: n, Workers: 1})
			return ns
		}
		for _, c := range columns {
			ns, deviation, samples := r.mean(line{Contender: c.contender, What: c.what, N: n, Workers: 1})
			if samples == 0 {
				cells = append(cells, absent)
				continue
			}
			cells = append(cells, short(ns/float64(n))+" "+percent(deviation))
		}
		over := absent
		if ntl := mean(column{"NTL", "products"}); ntl > 0 {
			over = short(mean(columns[0]) / ntl)
		}
		cells = append(cells, over, "0.5", short(mean(columns[2])/mean(columns[0])), "4.57 by estimate")
		b.row(cells...)
	}
}

// additiveTable has transforms both ways.
func additiveTable(r results, b *grid) {
	names := append([]string{shipped, shipped + ", own subspace", literally}, r.rivalNames("libSTARK")...)
	bothWays(r, b, names)
}

// longestTable has those of what is for use alone.
func longestTable(r results, b *grid) { bothWays(r, b, []string{shipped, shipped + ", own subspace"}) }

func bothWays(r results, b *grid, names []string) {
	b.head(append(append([]string{"n", "workers", "way"}, names...), "literal over shipped", "runs")...)
	for _, n := range values(r, func(l line) int { return l.N }) {
		for _, workers := range values(r, func(l line) int { return l.Workers }) {
			for _, what := range []string{"forward", "inverse"} {
				cells, runs := []string{svg.Power(n), fmt.Sprint(workers), what}, []string{}
				means := map[string]float64{}
				for _, c := range names {
					ns, deviation, samples := r.mean(line{Contender: c, What: what, N: n, Workers: workers})
					text := absent
					if samples > 0 {
						text = nanos(ns)
						if samples > 2 {
							text += " " + percent(deviation)
						}
						if count := fmt.Sprint(samples); !slices.Contains(runs, count) {
							runs = append(runs, count)
						}
					}
					means[c], cells = ns, append(cells, text)
				}
				if len(runs) == 0 {
					continue
				}
				over := "–"
				if means[literally] > 0 {
					over = short(means[literally] / means[shipped])
				}
				text := ""
				for i, count := range runs {
					text += []string{"", ", "}[min(i, 1)] + count
				}
				b.row(append(cells, over, text)...)
			}
		}
	}
}

// phasesTable has the phases of the literal form with one worker, and how many times as fast they are with more.
func phasesTable(r results, b *grid) {
	workers := values(r, func(l line) int { return l.Workers })
	head := []string{"n", "phase", "one worker", "of the whole"}
	for _, w := range workers[1:] {
		head = append(head, fmt.Sprintf("%d workers", w))
	}
	b.head(head...)
	for _, n := range values(r, func(l line) int { return l.N }) {
		whole, _, _ := r.mean(line{Contender: literally, What: "forward", N: n, Workers: workers[0]})
		for _, l := range r {
			if l.N != n || l.Workers != workers[0] {
				continue
			}
			name, share := l.What, short(l.NsMean/whole)
			if l.What == "forward" {
				name = l.Contender
			}
			if l.Contender != literally {
				share = ""
			}
			cells := []string{svg.Power(n), name, nanos(l.NsMean) + " " + percent(l.Deviation), share}
			for _, w := range workers[1:] {
				l.Workers = w
				ns, _, samples := r.mean(l)
				if samples == 0 {
					cells = append(cells, "–")
					continue
				}
				cells = append(cells, short(l.NsMean/ns))
			}
			b.row(cells...)
		}
	}
}
