package svg

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the golden files")

var (
	footed = Chart{Title: "Speed", Y: "times", X: "workers", Foot: "A processor, " + strings.Repeat("long, ", 20) + "end",
		Lines: []Line{{Name: "p", Points: []Point{{1, 1}, {2, 1.9}, {4, 3.2}}},
			{Name: "q", Points: []Point{{1, 1}, {4, 3.9}}}}}
	bases = Table{Title: "Bases", Y: "ns a butterfly", Corner: "base, length", Foot: "A processor"}
)

func init() {
	bases.Fill([]Cell{{64, 256, 2}, {2, 64, 1}, {64, 64, 3}}, Power, Power)
}

var drawings = map[string]func() []byte{
	"footed": footed.Render,
	"bases":  func() []byte { return bases.Render() },
	"lines": Chart{Title: "Two & three", Y: "ns", Lines: []Line{
		{Name: "a < b", Points: []Point{{2, 4}, {4, 3}, {1024, 1.25}}},
		{Name: "bound", Points: []Point{{2, 1}, {1024, 1}}, Dashed: true},
		{Name: "", Points: []Point{{16, 0}, {64, 20}, {64, math.NaN()}, {8, math.Inf(1)}, {math.Inf(1), 8}}},
	}}.Render,
	"decades": Chart{Title: "Far apart", Y: "ns", Lines: []Line{{Name: "grows",
		Points: []Point{{1, 1}, {1 << 20, 1e6}}}}}.Render,
	"point": Chart{Title: "One", Y: "ns", Lines: []Line{{Name: "alone", Points: []Point{{8, 3}}}}}.Render,
	"empty": Chart{Title: "None", Y: "ns", Lines: []Line{{Name: "nothing"}}}.Render,
	"table": Table{Title: "Bases", Y: "ns a butterfly", Corner: "base, length", Rows: []string{"2", "4"},
		Columns: []string{"2^1", "2^2", "2^3"},
		Cells:   [][]float64{{1.5, 2, 0.0123}, {0, 1, math.NaN()}}}.Render,
	"cells": Table{Title: "Nothing", Corner: "none"}.Render,
}

// Text for terminals is that of testdata.
func TestText(t *testing.T) {
	for name, text := range map[string][]byte{"footed": footed.Text(80), "bases": bases.Text(80),
		"empty": Chart{Title: "None", Lines: []Line{{Name: "nothing"}}}.Text(80)} {
		golden(t, name+".txt", text)
	}
	require.Equal(t, "zAZa", string([]rune{letter(25), letter(26), letter(51), letter(52)}))
}

// Text fills the width that there is: the plane of a chart grows with it, and columns of a table stand below others.
func TestTextWidth(t *testing.T) {
	longest := func(text []byte) (n int) {
		for line := range strings.Lines(string(text)) {
			n = max(n, len([]rune(line))-1)
		}
		return n
	}
	line := func(columns int) string { return " +" + strings.Repeat("-", columns) + "\n" }
	c := Chart{Lines: []Line{{Name: "a", Points: []Point{{2, 4}, {1 << 20, 3}}}}}
	for _, width := range []int{0, 1, 40, 80, 200} {
		require.Contains(t, string(c.Text(width)), line(max(16, width-16)), "width %d", width)
		require.LessOrEqual(t, longest(c.Text(width)), max(32, width), "width %d", width)
	}
	wide := Table{Corner: "c", Rows: []string{"row"}, Columns: slices.Repeat([]string{"column"}, 7),
		Cells: [][]float64{{1, 2, 3, 4, 5, 6, 7}}}
	for width, lines := range map[int]int{0: 7, 13: 7, 33: 3, 32: 4, 73: 1, 72: 2} {
		text := string(wide.Text(width))
		require.Equal(t, lines, strings.Count(text, "\nrow"), "width %d: %s", width, text)
		require.Equal(t, 7, strings.Count(text, "   column"), text)
		require.LessOrEqual(t, longest([]byte(text)), max(32, width), text)
	}
}

func golden(t *testing.T, name string, got []byte) {
	file := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.WriteFile(file, got, 0o666))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got), "%s: run go test ./internal/svg -update and look at it", name)
}

// Drawings are those of testdata, byte by byte, and well-formed; -update writes them.
func TestGolden(t *testing.T) {
	for name, render := range drawings {
		got := render()
		require.Equal(t, got, render(), "%s differs from call to call", name)
		for d := xml.NewDecoder(bytes.NewReader(got)); ; {
			_, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			require.NoError(t, err, name)
		}
		require.NotContains(t, string(got), "NaN", name)
		require.NotContains(t, string(got), "Inf", name)
		golden(t, name+".svg", got)
	}
}

// Every text has its place inside the picture, and no two share theirs, by the widths of a font that is wide.
func TestTextsFit(t *testing.T) {
	long := strings.Repeat("long, ", 30)
	many := Chart{Title: long, Y: "ns " + long}
	for i := range 30 {
		p := Point{math.Exp2(float64(i)), math.Pow(3, float64(i))}
		many.Lines = append(many.Lines, Line{Name: long[:6*i], Points: []Point{p, {1, 5}}})
	}
	all := maps.Clone(drawings)
	all["many"] = many.Render
	all["steep"] = Chart{Title: "Steep", Lines: []Line{{Name: "line", Points: []Point{{1, 1e-7}, {2, 3e9}}}}}.Render
	all["long rows"] = Table{Title: long, Corner: long,
		Rows: []string{long, "short"}, Columns: []string{"2^1", "a longer one"},
		Cells: [][]float64{{12345, 2}, {1, 99999999}}}.Render
	for name, render := range all {
		var picture struct {
			Width  float64 `xml:"width,attr"`
			Height float64 `xml:"height,attr"`
			Texts  []struct {
				X      float64 `xml:"x,attr"`
				Y      float64 `xml:"y,attr"`
				Class  string  `xml:"class,attr"`
				Anchor string  `xml:"text-anchor,attr"`
				S      string  `xml:",chardata"`
			} `xml:"text"`
		}
		require.NoError(t, xml.Unmarshal(render(), &picture), name)
		type box struct{ left, right, top, bottom float64 }
		var boxes []box
		for _, s := range picture.Texts {
			size, width := 12.0, 0.62
			if s.Class == "title" {
				size, width = 14, 0.72
			}
			width *= size * float64(len([]rune(s.S)))
			b := box{s.X, s.X + width, s.Y - 0.76*size, s.Y + 0.24*size}
			switch {
			case s.Anchor == "end":
				b.left, b.right = s.X-width, s.X
			case s.Anchor == "middle", strings.HasPrefix(s.Class, "cell"):
				b.left, b.right = s.X-width/2, s.X+width/2
			}
			require.True(t, b.left >= 0 && b.right <= picture.Width && b.top >= 0 && b.bottom <= picture.Height,
				"%s: %q at %v of %g × %g", name, s.S, b, picture.Width, picture.Height)
			for i, o := range boxes {
				require.False(t, b.left < o.right && o.left < b.right && b.top < o.bottom && o.top < b.bottom,
					"%s: %q is over %q", name, s.S, picture.Texts[i].S)
			}
			boxes = append(boxes, b)
		}
	}
}

// Greater values stand higher, longer lengths further to the right; the least cell of a column has the first shade.
func TestPlaces(t *testing.T) {
	x, y := newAxis(left, left+plotWidth), newAxis(bottom, top)
	for _, v := range []float64{1, 64, 8} {
		x.add(v)
		y.add(v)
	}
	require.Equal(t, left, x.at(1))
	require.Equal(t, left+plotWidth/2, x.at(8))
	require.Equal(t, left+plotWidth, x.at(64))
	require.Equal(t, []float64{bottom, top}, []float64{y.at(1), y.at(64)})

	cells := string(drawings["table"]())
	for _, c := range []string{"1.50", "1.00", "0.0123"} { // least of their columns
		_, rest, ok := strings.Cut(cells, `class="cell best">`+c+"<")
		require.True(t, ok, c)
		require.NotEmpty(t, rest)
	}
	require.Contains(t, cells, `class="cell">2.00<`)
	require.Equal(t, 1+1, strings.Count(cells, `class="s6"`), "2 is twice 1: the shade of at most 2")
}

// Every line of a chart differs from the others in its colour or its mark.
func TestLinesDiffer(t *testing.T) {
	var c Chart
	for i := range 32 {
		c.Add(string(rune('a'+i)), false, Point{1, 1})
	}
	seen := map[string]bool{}
	for _, l := range regexp.MustCompile(`class="(mark .)" d="M\S+ [0-9.]+([^"M]*)`).FindAllStringSubmatch(string(c.Render()), -1) {
		require.False(t, seen[l[1]+l[2]], l[1:])
		seen[l[1]+l[2]] = true
	}
	require.Len(t, seen, 32)
}

func TestAdd(t *testing.T) {
	var c Chart
	c.Add("x", true, Point{1, 1})
	c.Add("y", false, Point{1, 2})
	c.Add("x", false, Point{2, 3})
	require.Equal(t, []Line{{"x", []Point{{1, 1}, {2, 3}}, true}, {"y", []Point{{1, 2}}, false}}, c.Lines)
}

func TestPower(t *testing.T) {
	for n, want := range map[int]string{0: "0", 64: "64", 65: "65", 128: "2^7", 1 << 20: "2^20"} {
		require.Equal(t, want, Power(n))
	}
}

func TestNumber(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 0.0123: "0.0123", 0.5: "0.500", 1: "1.00", 12.34: "12.3",
		123.4: "123", 99.99: "100.0"} {
		require.Equal(t, want, number(v))
	}
}
