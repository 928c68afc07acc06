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

// drawHuge draws the time of a bit of a product over the bits of a factor, from lines of huge and hugebits: a line
// for each program, and one of ours, of which the least time of each length counts.
func drawHuge(text, plot string) error {
	f, err := os.Open(text)
	if err != nil {
		return err
	}
	defer f.Close()
	var ours []result
	c := svg.Chart{Title: "Products of huge integers", X: "bits of a factor", Y: "ns of a bit of a factor"}
	point := func(l result, ns float64) svg.Point {
		bits := 64 * float64(l.N)
		return svg.Point{N: bits, Value: ns / bits}
	}
	for d := json.NewDecoder(f); ; {
		var l result
		err := d.Decode(&l)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("%s: %w", text, err)
		}
		if l.Op != "mul" {
			continue
		}
		if l.N < 1 || l.NsMin <= 0 || l.PeerNsMin <= 0 {
			return fmt.Errorf("%s: %d words in %v and %v ns, want both times", text, l.N, l.NsMin, l.PeerNsMin)
		}
		ours = append(ours, l)
		c.Add(l.Peer+" "+l.PeerVersion, true, point(l, l.PeerNsMin))
		c.Foot = fmt.Sprintf("one core of %s, %s, commit %s", l.CPU, l.Date, l.Commit)
	}
	if len(ours) == 0 {
		return fmt.Errorf("%s has no products", text)
	}
	slices.SortFunc(ours, func(x, y result) int { return cmp.Or(cmp.Compare(x.N, y.N), cmp.Compare(x.NsMin, y.NsMin)) })
	for _, l := range slices.CompactFunc(ours, func(x, y result) bool { return x.N == y.N }) {
		c.Add("galfft", false, point(l, l.NsMin))
	}
	return os.WriteFile(plot, c.Render(), 0o666)
}
