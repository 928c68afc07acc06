package svg

import (
	"math"
	"strconv"
)

// Chart is lines over lengths, on a logarithmic axis, and of values on another one. Values that are not above 0 are
// left out.
type Chart struct {
	Title, Y string // Y says what values are, and their unit
	Lines    []Line
}

// Line is a named series of points from left to right.
type Line struct {
	Name   string
	Points []Point
	// Dashed sets a line apart from the others: a bound, or a contender of another kind.
	Dashed bool
}

// Point is a value at a length.
type Point struct{ N, Value float64 }

const (
	left, top, bottom = 64.0, 56.0, 350.0
	plotWidth         = 470.0
	below             = 50.0 // of the plot: lengths
	row               = 20.0 // of the legend
	sample            = 28.0 // the line beside a name of the legend
)

// axis maps values, by their logarithms, to places.
type axis struct{ low, high, from, to float64 }

func newAxis(from, to float64) axis { return axis{math.Inf(1), math.Inf(-1), from, to} }

func (a *axis) add(v float64) {
	a.low, a.high = math.Min(a.low, math.Log2(v)), math.Max(a.high, math.Log2(v))
}

func (a *axis) at(v float64) float64 {
	if a.high == a.low {
		return (a.from + a.to) / 2
	}
	return a.from + (math.Log2(v)-a.low)/(a.high-a.low)*(a.to-a.from)
}

// Render draws c, with the names of lines in a legend beside it.
func (c Chart) Render() []byte {
	x, y := newAxis(left, left+plotWidth), newAxis(bottom, top)
	for _, l := range c.Lines {
		for _, p := range l.Points {
			if p.N > 0 && p.Value > 0 {
				x.add(p.N)
				y.add(p.Value)
			}
		}
	}
	names := make([]string, len(c.Lines))
	for i, l := range c.Lines {
		names[i] = l.Name
	}
	legend := left + plotWidth + margin
	d := begin(c.Title, c.Y, legend+sample+8+widest(names...)+margin, max(bottom+below, top+row*float64(len(names)+1)))
	if x.low > x.high {
		d.text(left, (top+bottom)/2, "", "no values")
		return d.end()
	}
	d.grid(&x, &y)
	for i, l := range c.Lines {
		d.line(i, l, legend, &x, &y)
	}
	return d.end()
}

// grid draws lines at 1, 2 and 5 times powers of ten, or at powers of ten alone where these are many, and at more where
// they are few. It names lengths that are powers of two.
func (d *drawing) grid(x, y *axis) {
	y.low, y.high = y.low-0.1, y.high+0.1
	factors := []float64{1, 2, 5}
	switch octaves := y.high - y.low; {
	case octaves < 4:
		factors = []float64{1, 1.5, 2, 3, 5, 7}
	case octaves > 10:
		factors = factors[:1]
	}
	for e := math.Floor(y.low * math.Log10(2)); e <= y.high*math.Log10(2); e++ {
		for _, f := range factors {
			v := f * math.Pow(10, e)
			if l := math.Log2(v); l < y.low || l > y.high {
				continue
			}
			d.printf("<path class=\"grid\" d=\"M%.1f %.1fH%.1f\"/>\n", left, y.at(v), left+plotWidth)
			d.anchored(left-6, y.at(v)+4, "end", strconv.FormatFloat(v, 'g', 6, 64))
		}
	}
	step := math.Ceil((x.high - x.low + 1) / 12)
	for e := math.Ceil(x.low); e <= x.high; e += step {
		d.printf("<path class=\"grid\" d=\"M%.1f %.1fv5\"/>\n", x.at(math.Exp2(e)), bottom)
		d.anchored(x.at(math.Exp2(e)), bottom+20, "middle", "2^"+strconv.Itoa(int(e)))
	}
	d.printf("<path class=\"grid\" d=\"M%.1f %.1fH%.1f\"/>\n", left, bottom, left+plotWidth)
	d.anchored(left+plotWidth/2, bottom+40, "middle", "length")
}

// marks are drawn around a place: circle, square, diamond, triangle, and the same with a dot of their colour for the
// second four series.
var marks = []string{"m-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0", "m-3 -3h6v6h-6z",
	"m0 -4.2l4.2 4.2l-4.2 4.2l-4.2 -4.2z", "m0 -4l4 7h-8z"}

func (d *drawing) line(i int, l Line, legend float64, x, y *axis) {
	colour, dash := string(rune('a'+i%8)), ""
	mark := marks[i%len(marks)]
	if i%8 >= len(marks) {
		mark = "m-1 0h2m-1 0" + mark
	}
	if l.Dashed {
		dash = ` stroke-dasharray="6 4"`
	}
	d.printf(`<path class="line %s"%s d="`, colour, dash)
	command := 'M'
	for _, p := range l.Points {
		if p.N > 0 && p.Value > 0 {
			d.printf("%c%.1f %.1f", command, x.at(p.N), y.at(p.Value))
			command = 'L'
		}
	}
	height := top + row*(float64(i)+0.5)
	d.printf("M%.1f %.1fh%g\"/>\n<path class=\"mark %s\" d=\"", legend, height, sample, colour)
	for _, p := range l.Points {
		if p.N > 0 && p.Value > 0 {
			d.printf("M%.1f %.1f%s", x.at(p.N), y.at(p.Value), mark)
		}
	}
	d.printf("M%.1f %.1f%s\"/>\n", legend+sample/2, height, mark)
	d.text(legend+sample+8, height+4, "", l.Name)
}
