package svg

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

// Places of a chart for terminals.
const (
	textColumns = 64
	textRows    = 20
)

// Text draws c for terminals: each line is a letter at its points and dots between them; * are points of several.
func (c Chart) Text() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\n\n", c.Title, c.Y)
	if x, y, some := c.axes(newAxis(0, textColumns-1), newAxis(textRows-1, 0)); some {
		c.plane(&b, &x, &y)
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
func (c Chart) plane(b *strings.Builder, x, y *axis) {
	var signs [textRows][textColumns]rune
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
		}, string(line[:]))
		fmt.Fprintf(b, "%10s |%s\n", labels[i], strings.TrimRight(text, " "))
	}
	fmt.Fprintf(b, "%10s +%s\n", "", strings.Repeat("-", textColumns))
	below := strings.Repeat(" ", 12)
	for _, e := range x.powers() {
		if column := 12 + int(math.Round(x.at(math.Exp2(e)))); column >= len(below) {
			below += strings.Repeat(" ", column-len(below)) + c.place(e) + " "
		}
	}
	fmt.Fprintf(b, "%s\n%*s\n", strings.TrimRight(below, " "), 12+(textColumns+len(c.x()))/2, c.x())
}

// dots marks the places between two points that are free.
func dots(signs *[textRows][textColumns]rune, x, y, toX, toY float64) {
	const steps = 2 * textColumns
	for s := range steps {
		t := float64(s) / steps
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

// Text writes t for terminals, with a star at the least value of each column.
func (t Table) Text() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\n\n", t.Title, t.Y)
	first := utf8.RuneCountInString(t.Corner)
	for _, r := range t.Rows {
		first = max(first, utf8.RuneCountInString(r))
	}
	line := fmt.Sprintf("%-*s", first, t.Corner)
	end := func() { fmt.Fprintln(&b, strings.TrimRight(line, " ")) }
	widths := make([]int, len(t.Columns))
	for j, c := range t.Columns {
		widths[j] = max(9, 1+utf8.RuneCountInString(c))
		line += fmt.Sprintf("%*s ", widths[j], c)
	}
	end()
	for i, r := range t.Rows {
		line = fmt.Sprintf("%-*s", first, r)
		for j, v := range t.Cells[i] {
			cell, star := "", " "
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
	b.WriteString("\n* the least of its column\n")
	foot(&b, t.Foot)
	return []byte(b.String())
}
