package svg

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

// Places of a chart for terminals.
const (
	textRows = 20
	beside   = 16 // what the numbers at the axes take of a line
	least    = 16 // the least width of the plane
)

// Text draws c for terminals of so many columns: each line is a letter at its points and dots between them; * are
// points of several.
func (c Chart) Text(width int) []byte {
	columns := max(least, width-beside)
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\n\n", c.Title, c.Y)
	if x, y, some := c.axes(newAxis(0, float64(columns-1)), newAxis(textRows-1, 0)); some {
		c.plane(&b, &x, &y, columns)
	} else {
		b.WriteString("no values\n")
	}
	b.WriteByte('\n')
	for i, l := range c.Lines {
		fmt.Fprintf(&b, "%c  %s\n", letter(i), l.Name)
	}
	foot(&b, c.Foot)
	return []byte(b.String())
}

// letter is the sign of a series: a to z, A to Z, and from the beginning.
func letter(i int) rune {
	if i %= 52; i >= 26 {
		return 'A' + rune(i) - 26
	}
	return 'a' + rune(i)
}

// plane draws the points in their axes.
func (c Chart) plane(b *strings.Builder, x, y *axis, columns int) {
	var signs [textRows][]rune
	for i := range signs {
		signs[i] = make([]rune, columns)
	}
	for i, l := range c.Lines {
		var last *Point
		for _, p := range l.Points {
			if !p.drawn() {
				continue
			}
			if last != nil {
				dots(&signs, x.at(last.N), y.at(last.Value), x.at(p.N), y.at(p.Value))
			}
			last = &p
			at := &signs[int(math.Round(y.at(p.Value)))][int(math.Round(x.at(p.N)))]
			switch *at {
			case 0, '.', letter(i):
				*at = letter(i)
			default:
				*at = '*'
			}
		}
	}
	var labels [textRows]string
	for _, v := range y.values() {
		labels[int(math.Round(y.at(v)))] = plain(v)
	}
	for i, line := range signs {
		text := strings.Map(func(r rune) rune {
			if r == 0 {
				return ' '
			}
			return r
		}, string(line))
		fmt.Fprintf(b, "%10s |%s\n", labels[i], strings.TrimRight(text, " "))
	}
	fmt.Fprintf(b, "%10s +%s\n", "", strings.Repeat("-", columns))
	below := strings.Repeat(" ", 12)
	for _, e := range x.powers() {
		if column := 12 + int(math.Round(x.at(math.Exp2(e)))); column >= len(below) {
			below += strings.Repeat(" ", column-len(below)) + c.place(e) + " "
		}
	}
	fmt.Fprintf(b, "%s\n%*s\n", strings.TrimRight(below, " "), 12+(columns+len(c.x()))/2, c.x())
}

// dots marks the places between two points that are free.
func dots(signs *[textRows][]rune, x, y, toX, toY float64) {
	steps := 2 * len(signs[0])
	for s := range steps {
		t := float64(s) / float64(steps)
		if at := &signs[int(math.Round(y+t*(toY-y)))][int(math.Round(x+t*(toX-x)))]; *at == 0 {
			*at = '.'
		}
	}
}

func foot(b *strings.Builder, text string) {
	if text != "" {
		fmt.Fprintf(b, "\n%s\n", text)
	}
}

// Text writes t for terminals of so many columns, with a star at the least value of each column. Columns that find no
// room stand below.
func (t Table) Text(width int) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\n\n", t.Title, t.Y)
	first := utf8.RuneCountInString(t.Corner)
	for _, r := range t.Rows {
		first = max(first, utf8.RuneCountInString(r))
	}
	for from := 0; from == 0 || from < len(t.Columns); {
		if from > 0 {
			b.WriteByte('\n')
		}
		from = t.part(&b, first, from, width)
	}
	b.WriteString("\n* the least of its column\n")
	foot(&b, t.Foot)
	return []byte(b.String())
}

// part writes the names of rows, and columns from one on that fit, at least one, and returns the next.
func (t Table) part(b *strings.Builder, first, from, width int) (to int) {
	line := fmt.Sprintf("%-*s", first, t.Corner)
	end := func() { fmt.Fprintln(b, strings.TrimRight(line, " ")) }
	widths := make([]int, len(t.Columns))
	to = from
	for used := first; to < len(t.Columns); to++ {
		widths[to] = max(9, 1+utf8.RuneCountInString(t.Columns[to]))
		if used += widths[to] + 1; used > width && to > from {
			break
		}
		line += fmt.Sprintf("%*s ", widths[to], t.Columns[to])
	}
	end()
	for i, r := range t.Rows {
		line = fmt.Sprintf("%-*s", first, r)
		for j := from; j < to; j++ {
			cell, star, v := "", " ", t.Cells[i][j]
			if v > 0 {
				cell = number(v)
			}
			if v == t.least(j) {
				star = "*"
			}
			line += fmt.Sprintf("%*s%s", widths[j], cell, star)
		}
		end()
	}
	return to
}
