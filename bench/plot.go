package main

import (
	"fmt"
	"os"

	"github.com/galfft/fft/internal/svg"
)

// drawContest writes the fair contest as a picture: time per point over the length.
func drawContest(name string, points []point, commit string) error {
	c := svg.Chart{Title: "One prime r^k + 1, or small primes with projection and Garner", Y: "ns a point, commit " + commit}
	at := map[string]int{}
	for _, p := range points {
		for i, ns := range []float64{p.big, p.less} {
			l := fmt.Sprintf("%s, %s, workers %d", p.field, []string{"one prime", "small primes"}[i], p.workers)
			if _, ok := at[l]; !ok {
				at[l] = len(c.Lines)
				c.Lines = append(c.Lines, svg.Line{Name: l, Dashed: i == 1})
			}
			line := &c.Lines[at[l]]
			line.Points = append(line.Points, svg.Point{N: float64(p.n), Value: ns / float64(p.n)})
		}
	}
	return os.WriteFile(name, c.Render(), 0o666)
}
