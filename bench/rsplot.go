package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/galfft/fft/internal/svg"
)

var (
	rsHead    = regexp.MustCompile(`^# (\S+, .*, kernels (.*), commit \S+), klauspost/reedsolomon`)
	rsWorkers = regexp.MustCompile(`^BenchmarkWorkers/(\w+)/(\S+?)(?:-\d+)?\s`)
	rsSpeed   = regexp.MustCompile(`\s([\d.]+) 1/(\d+)\b`)
	rsLine    = regexp.MustCompile(`^BenchmarkTurns/(\w+)/(\w+)/(\S+?)(?:-\d+)?\s.*\s([\d.]+) ours/theirs`)
)

// drawRSWorkers draws how many times as fast more workers are. Of several runs it takes the first.
func drawRSWorkers(text, plot string) error {
	data, err := os.ReadFile(text)
	if err != nil {
		return err
	}
	c := svg.Chart{Title: "Reed–Solomon codes: workers, each on a processor of its own", X: "workers",
		Y: "time of one worker over time of all"}
	seen := map[string]bool{}
	var most float64
	for line := range strings.Lines(string(data)) {
		if m := rsHead.FindStringSubmatch(line); m != nil && c.Foot == "" {
			c.Foot = m[1]
		}
		m := rsWorkers.FindStringSubmatch(line)
		if m == nil || seen[m[1]] {
			continue
		}
		seen[m[1]] = true
		var points []svg.Point
		for _, p := range rsSpeed.FindAllStringSubmatch(line, -1) {
			value, err1 := strconv.ParseFloat(p[1], 64)
			n, err2 := strconv.ParseFloat(p[2], 64)
			if err := errors.Join(err1, err2); err != nil {
				return fmt.Errorf("%s: %w", text, err)
			}
			points, most = append(points, svg.Point{N: n, Value: value}), max(most, n)
		}
		slices.SortFunc(points, func(a, b svg.Point) int { return cmp.Compare(a.N, b.N) })
		c.Lines = append(c.Lines, svg.Line{Name: m[1] + " " + m[2], Points: points})
	}
	if len(c.Lines) == 0 {
		return fmt.Errorf("%s has no lines of workers", text)
	}
	c.Lines = append(c.Lines, svg.Line{Name: "as many times", Dashed: true,
		Points: []svg.Point{{N: 1, Value: 1}, {N: most, Value: most}}})
	return os.WriteFile(plot, c.Render(), 0o666)
}

// drawRS draws the ratios of bench/rs: a row for each shape of words, a column for what is done on the kernels of a
// heading. Of several runs it takes the first.
func drawRS(text, plot string) error {
	f, err := os.Open(text)
	if err != nil {
		return err
	}
	defer f.Close()
	t := svg.Table{Title: "Reed–Solomon codes: our time over klauspost/reedsolomon's", Y: "least times in turns, one core",
		Corner: "shards"}
	place := func(list *[]string, name string) int {
		if !slices.Contains(*list, name) {
			*list = append(*list, name)
		}
		return slices.Index(*list, name)
	}
	kernels := ""
	var cells [][3]float64
	s := bufio.NewScanner(f)
	for s.Scan() {
		if m := rsHead.FindStringSubmatch(s.Text()); m != nil {
			kernels = m[2]
			if t.Foot == "" {
				t.Foot = m[1]
			}
		} else if m := rsLine.FindStringSubmatch(s.Text()); m != nil && kernels != "" {
			value, err := strconv.ParseFloat(m[4], 64)
			if err != nil {
				return fmt.Errorf("%s: %w", text, err)
			}
			row, column := place(&t.Rows, m[2]+" "+m[3]), place(&t.Columns, m[1]+", "+kernels)
			cells = append(cells, [3]float64{float64(row), float64(column), value})
		}
	}
	if err := s.Err(); err != nil {
		return err
	}
	if len(cells) == 0 {
		return fmt.Errorf("%s is not what bench/rs prints", text)
	}
	for range t.Rows {
		t.Cells = append(t.Cells, make([]float64, len(t.Columns)))
	}
	for _, c := range cells {
		if z := &t.Cells[int(c[0])][int(c[1])]; *z == 0 {
			*z = c[2]
		}
	}
	return os.WriteFile(plot, t.Render(), 0o666)
}
