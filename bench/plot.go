package main

import (
	"bytes"
	"fmt"
	"math"
	"math/bits"
	"os"
)

// drawContest writes the fair contest as a picture: time per point over the length, on logarithmic scales.
func drawContest(name string, points []point, commit string) error {
	const width, height, left, bottom = 640.0, 400.0, 70.0, 340.0
	type line struct {
		field   string
		workers int
		big     bool
	}
	var lines []line
	at := map[line][][2]float64{}
	low, high, first, last := math.Inf(1), 0.0, 64, 0
	for _, p := range points {
		e := bits.Len(uint(p.n)) - 1
		first, last = min(first, e), max(last, e)
		for i, ns := range []float64{p.big, p.less} {
			l, y := line{p.field, p.workers, i == 0}, ns/float64(p.n)
			if at[l] == nil {
				lines = append(lines, l)
			}
			at[l] = append(at[l], [2]float64{float64(e), y})
			low, high = min(low, y), max(high, y)
		}
	}
	bottomDecade, topDecade := math.Floor(math.Log10(low)), math.Ceil(math.Log10(high))
	x := func(e float64) float64 { return left + (e-float64(first))/max(1, float64(last-first))*(width-left-180) }
	y := func(ns float64) float64 {
		return bottom - (math.Log10(ns)-bottomDecade)/max(1, topDecade-bottomDecade)*(bottom-40)
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" font-family="sans-serif" font-size="12">`+"\n", width, height)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" fill="white"/><text x="%g" y="20">Time per point, ns: one prime r^k + 1, or small primes with projection and Garner (commit %s)</text>`+"\n", left, commit)
	for d := bottomDecade; d <= topDecade; d++ {
		ns := math.Pow(10, d)
		fmt.Fprintf(&b, `<path d="M%g %.1fH%g" stroke="#ddd"/><text x="%g" y="%.1f" text-anchor="end">%g</text>`+"\n", left, y(ns), width-180, left-6, y(ns)+4, ns)
	}
	for e := first; e <= last; e++ {
		fmt.Fprintf(&b, `<text x="%.1f" y="%g" text-anchor="middle">2^%d</text>`+"\n", x(float64(e)), bottom+18, e)
	}
	colours := map[string]string{"gfpf:P3": "#06c", "gfpf:P4": "#c30"}
	for i, l := range lines {
		dash, what := ` stroke-dasharray="5 3"`, "small primes"
		if l.big {
			dash, what = "", "one prime"
		}
		fmt.Fprintf(&b, `<path fill="none" stroke="%s" stroke-width="%d"%s d="`, colours[l.field], l.workers, dash)
		for j, p := range at[l] {
			fmt.Fprintf(&b, "%c%.1f %.1f", "ML"[min(j, 1)], x(p[0]), y(p[1]))
		}
		ly := 50 + 18*float64(i)
		fmt.Fprintf(&b, `"/><path stroke="%s" stroke-width="%d"%s d="M%g %gh24"/><text x="%g" y="%g">%s, %s, %d</text>`+"\n",
			colours[l.field], l.workers, dash, width-172, ly-4, width-142, ly, l.field, what, l.workers)
	}
	fmt.Fprintf(&b, `<text x="%g" y="%g">length; the last number is that of workers</text></svg>`+"\n", left, bottom+38)
	return os.WriteFile(name, b.Bytes(), 0o666)
}
