package main

import (
	"bufio"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"

	"github.com/galfft/fft/internal/svg"
)

var (
	rsHead = regexp.MustCompile(`^# (\S+, .*, kernels (.*), commit \S+), klauspost/reedsolomon`)
	rsLine = regexp.MustCompile(`^BenchmarkTurns/(\w+)/(\w+)/(\S+?)(?:-\d+)?\s.*\s([\d.]+) ours/theirs`)
)

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
