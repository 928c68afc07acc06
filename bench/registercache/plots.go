package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/galfft/fft/internal/svg"
)

type plot struct {
	name  string
	chart svg.Chart
}

// plots are the figures of the thesis, of those experiments that have lines.
func plots(all []line) (list []plot) {
	for _, p := range []struct {
		name, title, y, x string
		draw              func(c *svg.Chart, lines []line)
	}{
		{"stencil", "Stencils (figure 5.2): register cache over shared memory", "times as fast", "k", drawStencilRatios},
		{"stencil-rates", "Stencils (figure 5.3)", "10^9 values a second", "k", drawStencilRates},
		{"pairs", "Products by pairs (figure 8.1)", "10^9 products a second", "", drawPairs},
		{"fields", "Products by fields (figure 8.2): the best form over the processor", "times as fast", "bits", drawFields},
		{"staircase", "Products beside multiples of 32 (figure 8.3)", "10^9 products a second", "bits", drawStaircase},
		{"fft", "Additive transform (figure 8.4)", "ms", "", drawTransforms("")},
		{"inverse", "Its inverse (figure 8.5)", "ms", "", drawTransforms(", inverse")},
	} {
		c := svg.Chart{Title: p.title, Y: p.y, X: p.x, Foot: foot(all)}
		if p.draw(&c, all); len(c.Lines) > 0 {
			list = append(list, plot{"registercache-" + p.name + ".svg", c})
		}
	}
	return list
}

// foot is what lines were measured with.
func foot(all []line) string {
	var list []string
	for _, l := range all {
		if text := fmt.Sprintf("%s, commit %s, %s", l.Device, l.Commit, l.Date); l.Device != "" && !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return strings.Join(list, "; ")
}

func at(n int, value float64) svg.Point { return svg.Point{N: float64(n), Value: value} }

func drawStencilRatios(c *svg.Chart, lines []line) {
	for _, l := range lines {
		if l.Experiment == "stencil" && l.Form == "cache" {
			c.Add(fmt.Sprint(l.Outputs, " outputs a thread"), false,
				at(l.K, l.Gops/stencilOf(lines, "shared", l.K, l.Outputs).Gops))
		}
	}
}

func drawStencilRates(c *svg.Chart, lines []line) {
	for _, l := range lines {
		if l.Experiment == "stencil" {
			c.Add(fmt.Sprint(map[string]string{"shared": "shared memory, ", "cache": "register cache, "}[l.Form], l.Outputs),
				l.Form == "shared", at(l.K, l.Gops))
		}
	}
}

func drawPairs(c *svg.Chart, lines []line) {
	for _, bits := range []int{32, 64} {
		least, most := 0, 0
		for _, l := range lines {
			if l.Experiment == "field" && l.Bits == bits && l.Form != "hybrid64" {
				c.Add(fmt.Sprintf("%d bits, %s", bits, formNames[l.Form]), false, at(l.N, l.Gops))
				if least == 0 {
					least = l.N
				}
				most = max(most, l.N)
			}
		}
		for _, l := range lines {
			if l.ofProcessor() && l.Bits == bits {
				name := fmt.Sprintf("%d bits, %s, %d threads", bits, l.Form, l.Threads)
				c.Add(name, true, at(least, l.Gops))
				c.Add(name, true, at(most, l.Gops))
			}
		}
	}
}

func drawFields(c *svg.Chart, lines []line) {
	for _, l := range lines {
		if l.ofProcessor() && l.Bits%32 == 0 {
			c.Add(fmt.Sprintf("over %s, %d threads", l.Form, l.Threads), false, at(l.Bits, best(lines, l.Bits).Gops/l.Gops))
		}
	}
}

func drawStaircase(c *svg.Chart, lines []line) {
	for _, bits := range values(lines, func(l *line) int { return l.Bits }) {
		for _, form := range []string{"shared", "hybrid32"} {
			c.Add(formNames[form], false, at(bits, longest(lines, form, bits).Gops))
		}
		for _, form := range append(others(lines), "ours") {
			if l := processorOf(lines, form, bits, false); l.N > 0 {
				c.Add(form+", 1 thread", true, at(bits, l.Gops))
			}
		}
	}
}

func drawTransforms(kind string) func(c *svg.Chart, lines []line) {
	return func(c *svg.Chart, lines []line) {
		for _, n := range lengths(lines) {
			add := func(name, experiment, form string, dashed bool) {
				if l := fftOf(lines, experiment, form, n); l.N > 0 {
					c.Add(name, dashed, at(n, l.Ms))
				}
			}
			add("thesis' form", "fft", "thesis"+kind, false)
			add("thesis' form, with copies", "fft", "thesis, with copies"+kind, true)
			for _, of := range contenders {
				add("ours, "+of.name, of.experiment, of.form+kind, of.experiment != "fft")
			}
		}
	}
}
