package svg

import (
	"math"
	"slices"
	"strconv"
)

// Chart is lines over places, on a logarithmic axis, and of values on another one. Points that are not above 0, or
// not finite, are left out.
type Chart struct {
	Title, Y string // Y says what values are, and their unit
	X        string // what places are; lengths, written as powers of two, where it is empty
	Foot     string // a last line: what it was measured with
	Lines    []Line
}

// Add appends a point to the line of a name, which it makes where there is none.
func (c *Chart) Add(name string, dashed bool, p Point) {
	i := slices.IndexFunc(c.Lines, func(l Line) bool { return l.Name == name })
	if i < 0 {
		i = len(c.Lines)
		c.Lines = append(c.Lines, Line{Name: name, Dashed: dashed})
	}
	c.Lines[i].Points = append(c.Lines[i].Points, p)
}

// Line is a named series of points from left to right.
type Line struct {
	Name   string
	Points []Point
	// Dashed sets a line apart from the others: a bound, or a contender of another kind.
	Dashed bool
}

// Point is a value at a place.
type Point struct{ N, Value float64 }

func (p Point) drawn() bool {
	return p.N > 0 && p.Value > 0 && !math.IsInf(p.N, 0) && !math.IsInf(p.Value, 0)
}

const (
	left, top, bottom = 64.0, 56.0, 350.0
	plotWidth         = 470.0
	below             = 50.0 // of the plot: places
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

// axes spans the points of c. Where places are no lengths, which are powers of two most of the time, the powers of two
// around them have their place.
func (c Chart) axes(x, y axis) (axis, axis, bool) {
	for _, l := range c.Lines {
		for _, p := range l.Points {
			if p.drawn() {
				x.add(p.N)
				y.add(p.Value)
			}
		}
	}
	if c.X != "" {
		x.low, x.high = math.Floor(x.low), math.Ceil(x.high)
	}
	y.low, y.high = y.low-0.1, y.high+0.1
	return x, y, x.low <= x.high
}

// Render draws c, with the names of lines in a legend beside it.
func (c Chart) Render() []byte {
	x, y, some := c.axes(newAxis(left, left+plotWidth), newAxis(bottom, top))
	names := make([]string, len(c.Lines))
	for i, l := range c.Lines {
		names[i] = l.Name
	}
	legend := left + plotWidth + margin
	d := begin(c.Title, c.Y, c.Foot, legend+sample+8+widest(names...)+margin,
		max(bottom+below, top+row*float64(len(names)+1)))
	if !some {
		d.text(left, (top+bottom)/2, "", "no values")
		return d.end()
	}
	d.grid(c, &x, &y)
	for i, l := range c.Lines {
		d.line(i, l, legend, &x, &y)
	}
	return d.end()
}

// values lists what y has a line of the grid at: 1, 2 and 5 times powers of ten, or powers of ten alone where these are
// many, and more where they are few.
func (y *axis) values() (list []float64) {
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
			if l := math.Log2(v); l >= y.low && l <= y.high {
				list = append(list, v)
			}
		}
	}
	return list
}

// powers lists the exponents of the powers of two that x names, twelve at most.
func (x *axis) powers() (list []float64) {
	step := math.Ceil((x.high - x.low + 1) / 12)
	for e := math.Ceil(x.low); e <= x.high; e += step {
		list = append(list, e)
	}
	return list
}

// place writes a power of two on the lower axis.
func (c Chart) place(exponent float64) string {
	if c.X == "" {
		return "2^" + strconv.Itoa(int(exponent))
	}
	return plain(math.Exp2(exponent))
}

func (c Chart) x() string {
	if c.X == "" {
		return "length"
	}
	return c.X
}

func plain(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }

func (d *drawing) grid(c Chart, x, y *axis) {
	for _, v := range y.values() {
		d.printf("<path class=\"grid\" d=\"M%.1f %.1fH%.1f\"/>\n", left, y.at(v), left+plotWidth)
		d.anchored(left-6, y.at(v)+4, "end", plain(v))
	}
	for _, e := range x.powers() {
		d.printf("<path class=\"grid\" d=\"M%.1f %.1fv5\"/>\n", x.at(math.Exp2(e)), bottom)
		d.anchored(x.at(math.Exp2(e)), bottom+20, "middle", c.place(e))
	}
	d.printf("<path class=\"grid\" d=\"M%.1f %.1fH%.1f\"/>\n", left, bottom, left+plotWidth)
	d.anchored(left+plotWidth/2, bottom+40, "middle", c.x())
}

// marks are drawn around a place: circle, square, diamond, triangle, and the same with a dot of their colour for the
// second four series. Every eight series the colours begin again, with other marks.
var marks = []string{"m-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0", "m-3 -3h6v6h-6z",
	"m0 -4.2l4.2 4.2l-4.2 4.2l-4.2 -4.2z", "m0 -4l4 7h-8z"}

func (d *drawing) line(i int, l Line, legend float64, x, y *axis) {
	colour, dash := string(rune('a'+i%8)), ""
	mark := marks[(i+i/8)%len(marks)]
	if i%8 >= len(marks) {
		mark = "m-1 0h2m-1 0" + mark
	}
	if l.Dashed {
		dash = ` stroke-dasharray="6 4"`
	}
	d.printf(`<path class="line %s"%s d="`, colour, dash)
	command := 'M'
	for _, p := range l.Points {
		if p.drawn() {
			d.printf("%c%.1f %.1f", command, x.at(p.N), y.at(p.Value))
			command = 'L'
		}
	}
	height := top + row*(float64(i)+0.5)
	d.printf("M%.1f %.1fh%g\"/>\n<path class=\"mark %s\" d=\"", legend, height, sample, colour)
	for _, p := range l.Points {
		if p.drawn() {
			d.printf("M%.1f %.1f%s", x.at(p.N), y.at(p.Value), mark)
		}
	}
	d.printf("M%.1f %.1f%s\"/>\n", legend+sample/2, height, mark)
	d.text(legend+sample+8, height+4, "", l.Name)
}
