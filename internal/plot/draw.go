package plot

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/galfft/fft/internal/svg"
	"github.com/galfft/fft/internal/verbs"
)

// Kind is what a picture shows.
type Kind int

// The kinds of pictures.
const (
	Times    Kind = iota // time per butterfly over the length
	Ratio                // time over that of peers
	Bases                // base cases by length, a heat map
	Workers              // speed-up by workers
	Roofline             // products a second, below what the machine has
)

var kinds = []string{"times", "ratio", "bases", "workers", "roofline"}

// Kinds lists them.
func Kinds() []Kind { return []Kind{Times, Ratio, Bases, Workers, Roofline} }

func (k Kind) String() string { return kinds[k] }

// ParseKind is the inverse of String.
func ParseKind(s string) (Kind, error) {
	if i := slices.Index(kinds, s); i >= 0 {
		return Kind(i), nil
	}
	return 0, fmt.Errorf("plot: want one of %q", kinds)
}

// Picture is a drawing as SVG and as text for terminals of so many columns.
type Picture interface {
	Render() []byte
	Text(width int) []byte
}

// Draw makes a picture of the lines that are for it, and leaves out the others; there must be some, of one machine. Of
// lines that differ in their times alone the least counts. Bits tells the size of a field's elements.
func Draw(k Kind, all []Line, bits func(field string) (int, error)) (Picture, error) {
	if err := OneMachine(all); err != nil {
		return nil, err
	}
	switch k {
	case Times:
		return times(all)
	case Ratio:
		return ratio(all)
	case Bases:
		return bases(all)
	case Workers:
		return workers(all)
	}
	return roofline(all, bits)
}

const perButterfly = "ns a butterfly, n/2·log2(n) of them"

// of keeps the lines that are for a picture.
func of(all []Line, want string, is func(l *Line) bool) (kept []Line, err error) {
	for i := range all {
		if is(&all[i]) {
			kept = append(kept, all[i])
		}
	}
	if len(kept) == 0 {
		return nil, errors.New("plot: no line is for the picture, want " + want)
	}
	return kept, nil
}

func isTransform(l *Line) bool { return verbs.IsTransform(l.Op) && l.N > 1 }

// chart draws a line for each name, from left to right, with the fastest measurement at each place. Where nothing
// differs the name is that of the field.
func chart(c svg.Chart, all []Line, name func(l *Line) string, point func(l *Line) svg.Point) svg.Chart {
	type place struct {
		name string
		n    float64
	}
	at := func(i int) place { return place{cmp.Or(name(&all[i]), all[i].Field), point(&all[i]).N} }
	fastest := map[place]int{}
	for i := range all {
		if j, ok := fastest[at(i)]; !ok || all[i].NsMin < all[j].NsMin {
			fastest[at(i)] = i
		}
	}
	for i := range all {
		if p := at(i); fastest[p] == i {
			c.Add(p.name, false, point(&all[i]))
		}
	}
	for _, l := range c.Lines {
		slices.SortFunc(l.Points, func(p, q svg.Point) int { return cmp.Compare(p.N, q.N) })
	}
	return c
}

func with(what, common string) string {
	if common == "" {
		return what
	}
	return what + "; " + common
}

func times(all []Line) (Picture, error) {
	all, err := of(all, "transforms of two points or more", isTransform)
	if err != nil {
		return nil, err
	}
	name, common := names(all, "n", "peer")
	return chart(svg.Chart{Title: "Time per butterfly", Y: with(perButterfly, common), Foot: foot(all)}, all, name,
		func(l *Line) svg.Point { return svg.Point{N: float64(l.N), Value: l.NsMin / l.butterflies()} }), nil
}

func ratio(all []Line) (Picture, error) {
	all, err := of(all, "comparisons with peers", func(l *Line) bool { return l.Peer != "" })
	if err != nil {
		return nil, err
	}
	name, common := names(all, "n")
	c := svg.Chart{Title: "Times of other libraries over those of galfft", Y: with("above 1 galfft is faster", common),
		Foot: foot(all)}
	c = chart(c, all, name, func(l *Line) svg.Point { return svg.Point{N: float64(l.N), Value: l.PeerNsMin / l.NsMin} })
	least, most := all[0].N, all[0].N
	for _, l := range all {
		least, most = min(least, l.N), max(most, l.N)
	}
	c.Lines = append(c.Lines, svg.Line{Name: "galfft", Dashed: true,
		Points: []svg.Point{{N: float64(least), Value: 1}, {N: float64(most), Value: 1}}})
	return c, nil
}

// bases has a row for each base case, below each other for what else differs.
func bases(all []Line) (Picture, error) {
	all, err := of(all, "transforms of two points or more", isTransform)
	if err != nil {
		return nil, err
	}
	t := svg.Table{Title: "Base cases", Corner: "base, length", Foot: foot(all)}
	name, common := names(all, "n", "peer", "base")
	type row struct {
		name string
		base int
	}
	place := map[string]int{} // of names, in their order
	var rows []row
	for i := range all {
		r := row{name(&all[i]), all[i].Base}
		if _, ok := place[r.name]; !ok {
			place[r.name] = len(place)
		}
		if !slices.Contains(rows, r) {
			rows = append(rows, r)
		}
	}
	slices.SortFunc(rows, func(a, b row) int {
		return cmp.Or(cmp.Compare(place[a.name], place[b.name]), cmp.Compare(a.base, b.base))
	})
	// The last of a place stays: the least.
	slices.SortStableFunc(all, func(a, b Line) int { return cmp.Compare(b.NsMin, a.NsMin) })
	var cells []svg.Cell
	for i := range all {
		l := &all[i]
		cells = append(cells, svg.Cell{Row: slices.Index(rows, row{name(l), l.Base}), Column: l.N,
			Value: l.NsMin / l.butterflies()})
	}
	auto := false
	t.Fill(cells, func(i int) string {
		base := svg.Power(rows[i].base)
		if rows[i].base == 0 {
			base, auto = "auto", true
		}
		return strings.TrimPrefix(rows[i].name+", "+base, ", ")
	}, svg.Power)
	if auto {
		common += "; auto is the plan's own choice"
	}
	t.Y = with(perButterfly, common)
	return t, nil
}

func workers(all []Line) (Picture, error) {
	all, err := of(all, "lines of galfft bench or bench cores", func(l *Line) bool { return l.Peer == "" })
	if err != nil {
		return nil, err
	}
	name, common := names(all, "workers")
	one := map[string]float64{}
	most := 1
	for i := range all {
		l := &all[i]
		most = max(most, l.Workers)
		if ns, ok := one[name(l)]; l.Workers == 1 && (!ok || l.NsMin < ns) {
			one[name(l)] = l.NsMin
		}
	}
	if most == 1 {
		return nil, errors.New("plot: no line has more than one worker")
	}
	for i := range all {
		if _, ok := one[name(&all[i])]; !ok {
			return nil, fmt.Errorf("plot: %s has %d workers, and no line has the same with one", all[i].at, all[i].Workers)
		}
	}
	c := svg.Chart{Title: "Speed-up by workers", Y: with("times as fast as one worker", common), X: "workers",
		Foot: foot(all)}
	c.Lines = append(c.Lines, svg.Line{Name: "as many times as workers", Dashed: true,
		Points: []svg.Point{{N: 1, Value: 1}, {N: float64(most), Value: float64(most)}}})
	return chart(c, all, name, func(l *Line) svg.Point {
		return svg.Point{N: float64(l.Workers), Value: one[name(l)] / l.NsMin}
	}), nil
}
