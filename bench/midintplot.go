package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/galfft/fft/internal/svg"
)

// drawMidint draws the time of one product over its bits, from lines of midint: a line for each column and number of
// workers that has whole products, or low ones where there are no whole ones.
func drawMidint(text, plot string) error {
	f, err := os.Open(text)
	if err != nil {
		return err
	}
	defer f.Close()
	var lines []midintLine
	for d := json.NewDecoder(f); ; {
		var l midintLine
		err := d.Decode(&l)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("%s: %w", text, err)
		}
		lines = append(lines, l)
	}
	op := "mulwide"
	if !slices.ContainsFunc(lines, func(l midintLine) bool { return l.Op == op }) {
		op = "mullow"
	}
	c := svg.Chart{Title: "Batches of midsize integers: " + op, X: "bits", Y: "ns of one product"}
	for _, l := range lines {
		if l.Op != op || l.NsMedian == 0 {
			continue
		}
		name := fmt.Sprintf("%s × %d", l.Column, l.Workers)
		if l.Residency == "device" {
			name = l.Column + " on " + l.Device
		}
		at := slices.IndexFunc(c.Lines, func(s svg.Line) bool { return s.Name == name })
		if at < 0 {
			at = len(c.Lines)
			c.Lines = append(c.Lines, svg.Line{Name: name})
		}
		point := svg.Point{N: float64(l.Bits), Value: l.NsMedian / float64(l.Batch)}
		c.Lines[at].Points = append(c.Lines[at].Points, point)
		c.Foot = fmt.Sprintf("%s, %s, batches of %d, commit %s", l.CPU, l.Date, l.Batch, l.Commit)
	}
	if len(c.Lines) == 0 {
		return fmt.Errorf("%s has no lines of products", text)
	}
	for _, l := range c.Lines {
		slices.SortFunc(l.Points, func(a, b svg.Point) int { return cmp.Compare(a.N, b.N) })
	}
	return os.WriteFile(plot, c.Render(), 0o666)
}
