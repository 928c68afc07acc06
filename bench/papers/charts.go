package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/galfft/fft/internal/svg"
)

// readLines reads the lines of a file. A last one that does not end is left out: whoever wrote it was killed.
func readLines(name string) (all []line, err error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	for one := range bytes.Lines(text) {
		if !bytes.HasSuffix(one, []byte("\n")) {
			break
		}
		var l line
		if err := json.Unmarshal(one, &l); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", name, len(all)+1, err)
		}
		all = append(all, l)
	}
	return all, nil
}

// charts draws the lines of a file into a directory.
func charts(file, dir string) error {
	all, err := readLines(file)
	if err != nil {
		return err
	}
	return paint(all, dir)
}

// paint writes the drawings of lines into a directory.
func paint(all []line, dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, d := range draw(all) {
		if err := os.WriteFile(filepath.Join(dir, d.name+".svg"), d.svg, 0o666); err != nil {
			return err
		}
	}
	return nil
}

type drawing struct {
	name string
	svg  []byte
}

// draw makes what can be drawn of the lines.
func draw(all []line) (list []drawing) {
	chart := func(name, title string, of func(l line) (string, bool), per func(l line) float64, y string,
		dashed ...string) {
		c := svg.Chart{Title: title, Y: y}
		for _, l := range all {
			if key, ok := of(l); ok {
				c.Add(key, slices.Contains(dashed, key), svg.Point{N: float64(l.N), Value: l.NsMin / per(l)})
			}
		}
		if len(c.Lines) > 0 {
			list = append(list, drawing{name, c.Render()})
		}
	}
	heat := func(name, title, y string, of func(l line) bool, value func(l line) float64) {
		if t := heatMap(all, title, y, of, value); len(t.Rows) > 0 {
			list = append(list, drawing{name, t.Render()})
		}
	}
	const butterfly = "ns a butterfly, n/2·log2(n) of them"
	each := func(l line) float64 { return l.NsMin / l.butterflies() }
	element := func(l line) float64 { return float64(l.N) }
	for _, shape := range []struct {
		name, title string
		is          func(l line) bool
	}{
		{"square", "Transposes of square matrices", func(l line) bool { return l.Rows*l.Rows == l.N }},
		{"two-rows", "Transposes of two rows", func(l line) bool { return l.Rows == 2 }},
		{"two-columns", "Transposes of two columns", func(l line) bool { return 2*l.Rows == l.N }},
	} {
		chart("b1-"+shape.name, shape.title, func(l line) (string, bool) {
			return l.Contender, l.Experiment == "b1" &&
				shape.is(l)
		}, element, "ns a word", "copy")
	}
	chart("b2", "Four-step with twiddles from tables and by powers, P1", func(l line) (string, bool) {
		return fmt.Sprintf("%s, base %d", l.Contender, l.Base), l.Experiment == "b2" && l.What == "forward" &&
			(l.Base == 8 || l.Base == 64)
	}, line.butterflies, butterfly)
	for _, f := range fieldsOf(all, "b3") {
		chart("b3-"+f, "The three schemes with base cases of 32 points, and what is for use, "+f,
			func(l line) (string, bool) {
				return l.Contender, l.Experiment == "b3" && l.Field == f && l.What == "forward" &&
					(l.Base == 32 || l.Base == 0)
			}, line.butterflies, butterfly, shipped)
		for _, a := range names3() {
			heat("b3-"+f+"-"+a, fmt.Sprintf("Base cases of the %s, %s", a, f), butterfly, func(l line) bool {
				return l.Experiment == "b3" && l.Field == f && l.Contender == a && l.What == "forward"
			}, each)
		}
	}
	for _, x := range []string{"b4", "b5"} {
		for _, f := range fieldsOf(all, x) {
			part := results(all).of(x, f)
			most := slices.Max(values(part, func(l line) int { return l.Workers }))
			with := "two"
			if most != 2 {
				with = fmt.Sprint(most)
			}
			for _, a := range names3() {
				name := strings.ReplaceAll(x+"-"+f+"-"+a, ":", "-")
				chart(name, fmt.Sprintf("The %s with one worker and %s, %s", a, with, f), func(l line) (string, bool) {
					c := fmt.Sprintf("base %d", l.Base)
					if l.Base == 0 {
						c = l.Contender
					}
					return fmt.Sprintf("%s, workers %d", c, l.Workers), l.Experiment == x && l.Field == f &&
						(l.Workers == 1 || l.Workers == most) &&
						(l.Contender == shipped || l.Contender == a && slices.Contains([]int{2, 8, 64}, l.Base))
				}, line.butterflies, butterfly, fmt.Sprintf("base 2, workers %d", most),
					fmt.Sprintf("base 8, workers %d", most), fmt.Sprintf("base 64, workers %d", most),
					fmt.Sprintf("%s, workers %d", shipped, most))
				heat(name+"-workers", fmt.Sprintf("%s workers for the %s, %s", strings.ToUpper(with[:1])+with[1:], a, f),
					fmt.Sprintf("time with %s workers over that with one", with), func(l line) bool {
						return l.Experiment == x && l.Field == f && l.Contender == a && l.Workers == most
					}, func(l line) float64 {
						one := l
						one.Workers = 1
						ns, _ := part.find(one)
						return l.NsMin / ns
					})
			}
		}
	}
	for _, a := range names3() {
		chart("b6-"+a, fmt.Sprintf("Ways to call the operations of P1, %s with base cases of 32 points", a),
			func(l line) (string, bool) {
				name := l.What
				if name == "forward" {
					name = l.Contender
				}
				return name, l.Experiment == "b6" && l.Tier != "generic" && (l.What == "forward" || l.Contender == a &&
					l.Base == 32)
			}, line.butterflies, butterfly, shipped, "element methods", "literal")
	}
	for _, a := range names3() {
		chart("b7-"+a, fmt.Sprintf("The %s over P2 by all arithmetics", a), func(l line) (string, bool) {
			for _, w := range ways {
				if w.field == l.Field && min(w.base, l.N) == l.Base {
					return w.name, l.Experiment == "b7" && l.Contender == a
				}
			}
			return "", false
		}, line.butterflies, butterfly, "words by rows", "GMP by rows")
	}
	for _, f := range fieldsOf(all, "b11") {
		heat("b11-"+strings.ReplaceAll(f, ":", "-"), "Base cases of what is for use, "+f, butterfly,
			func(l line) bool { return l.Experiment == "b11" && l.Field == f }, each)
	}
	return list
}

// fieldsOf lists the fields of an experiment, in order.
func fieldsOf(all []line, experiment string) (list []string) {
	for _, l := range all {
		if l.Experiment == experiment && !slices.Contains(list, l.Field) {
			list = append(list, l.Field)
		}
	}
	return list
}

// heatMap has base cases for rows and lengths for columns, and values of y.
func heatMap(all []line, title, y string, of func(l line) bool, value func(l line) float64) svg.Table {
	t := svg.Table{Title: title, Y: y, Corner: "base, length"}
	var cells []svg.Cell
	for _, l := range all {
		if of(l) {
			cells = append(cells, svg.Cell{Row: l.Base, Column: l.N, Value: value(l)})
		}
	}
	t.Fill(cells, func(base int) string {
		if base > 0 {
			return svg.Power(base)
		}
		t.Y += "; auto is the plan's own choice"
		return "auto"
	}, svg.Power)
	return t
}
