package main

import (
	"bufio"
	"cmp"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/galfft/fft/internal/svg"
)

// Lines of what contest prints: the head of the file and that of a field, and a length, with the times of both sides
// of the fair form.
var (
	fileHead  = regexp.MustCompile(`, (commit \S+, \S+)$`)
	fieldHead = regexp.MustCompile(`^gfpf:(\S+), \d+ bits, workers (\d+)$`)
	roundLine = regexp.MustCompile(`^2\^(\d+) +(\S+ \S+) \| \d+ × \d+ +(?:\S+ \S+ +){3}(\S+ \S+) +\S+ \|`)
)

// drawContest draws the text that contest printed: time per point over the length, of the large prime and of the
// faster of the small ones.
func drawContest(text, plot string) error {
	f, err := os.Open(text)
	if err != nil {
		return err
	}
	defer f.Close()
	c := svg.Chart{Title: "One prime r^k + 1, or small primes with conversions"}
	s := bufio.NewScanner(f)
	for number := 1; s.Scan(); number++ {
		if m := fileHead.FindStringSubmatch(s.Text()); m != nil {
			c.Y = "ns a point, " + m[1]
		} else if m := fieldHead.FindStringSubmatch(s.Text()); m != nil {
			name := m[1]
			if m[2] != "1" {
				name += " × " + m[2] + " workers"
			}
			one, small := svg.Line{Name: name + ", one prime"}, svg.Line{Name: name + ", small primes", Dashed: true}
			c.Lines = append(c.Lines, one, small)
		} else if m := roundLine.FindStringSubmatch(s.Text()); m != nil && len(c.Lines) > 0 {
			log, err := strconv.ParseUint(m[1], 10, 6)
			big, wrong := duration(m[2])
			less, worse := duration(m[3])
			if err := cmp.Or(err, wrong, worse); err != nil {
				return fmt.Errorf("%s, line %d: %w", text, number, err)
			}
			n := float64(uint64(1) << log)
			addLeast(&c.Lines[len(c.Lines)-2], svg.Point{N: n, Value: big / n})
			addLeast(&c.Lines[len(c.Lines)-1], svg.Point{N: n, Value: less / n})
		}
	}
	if err := s.Err(); err != nil {
		return err
	}
	if c.Y == "" || len(c.Lines) == 0 {
		return fmt.Errorf("%s is not what contest prints", text)
	}
	return os.WriteFile(plot, c.Render(), 0o666)
}

// addLeast appends p to the points of l, or joins it to the last one where that is of the same length.
func addLeast(l *svg.Line, p svg.Point) {
	if last := len(l.Points) - 1; last >= 0 && l.Points[last].N == p.N {
		l.Points[last].Value = min(l.Points[last].Value, p.Value)
	} else {
		l.Points = append(l.Points, p)
	}
}

// duration is the inverse of nanos.
func duration(s string) (float64, error) {
	number, unit, _ := strings.Cut(s, " ")
	x, err := strconv.ParseFloat(number, 64)
	for _, u := range units {
		if u.name == unit {
			return x * u.of, err
		}
	}
	return 0, fmt.Errorf("%q is no time", s)
}
