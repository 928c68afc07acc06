package svg

import (
	"math"
	"strconv"
)

// Chart is lines over lengths, on a logarithmic axis, and of values on another one. Values that are not above 0 are left out.
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
	left, top, bottom = 64.0, 48.0, 350.0
	chartHeight       = 400
	plotWidth         = 470.0
	legendWidth       = 250
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

// Render draws c.
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
	d := begin(c.Title, int(left+plotWidth)+legendWidth, chartHeight)
	if x.low > x.high {
		d.text(left, (top+bottom)/2, "", "no values")
		return d.end()
	}
	d.text(16, 41, "", c.Y)
	d.grid(&x, &y)
	for i, l := range c.Lines {
		d.line(i, l, &x, &y)
	}
	return d.end()
}

// grid draws lines at 1, 2 and 5 times powers of ten, or at powers of ten alone where these are many, and names lengths that
// are powers of two.
func (d *drawing) grid(x, y *axis) {
	y.low, y.high = y.low-0.1, y.high+0.1
	factors := []float64{1, 2, 5}
	if y.high-y.low > 10 {
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

// marks are drawn around a place: circle, square, diamond, triangle, and the same with a dot of their colour for the second
// four series.
var marks = []string{"m-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0", "m-3 -3h6v6h-6z", "m0 -4.2l4.2 4.2l-4.2 4.2l-4.2 -4.2z", "m0 -4l4 7h-8z"}

func (d *drawing) line(i int, l Line, x, y *axis) {
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
	height := top + 12 + 20*float64(i)
	d.printf("M%.1f %.1fh28\"/>\n<path class=\"mark %s\" d=\"", left+plotWidth+16, height, colour)
	for _, p := range l.Points {
		if p.N > 0 && p.Value > 0 {
			d.printf("M%.1f %.1f%s", x.at(p.N), y.at(p.Value), mark)
		}
	}
	d.printf("M%.1f %.1f%s\"/>\n", left+plotWidth+30, height, mark)
	d.text(left+plotWidth+52, height+4, "", l.Name)
}
