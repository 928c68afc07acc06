package svg

import (
	"maps"
	"math"
	"slices"
)

// Table is cells of values, coloured by how many times the least value of their column they are: a heat map.
type Table struct {
	Title         string
	Y             string // what values are, and their unit
	Rows, Columns []string
	Cells         [][]float64 // by rows; what is not above 0 stays empty
	Corner        string      // what the names of rows and columns are
	Foot          string      // a last line: what it was measured with
}

// Cell is a value at a row and a column, whose numbers give their order.
type Cell struct {
	Row, Column int
	Value       float64
}

// Fill makes the rows and the columns of t from those of cells, and names them by their numbers.
func (t *Table) Fill(cells []Cell, row, column func(int) string) {
	rows, columns := map[int]bool{}, map[int]bool{}
	for _, c := range cells {
		rows[c.Row], columns[c.Column] = true, true
	}
	down, across := slices.Sorted(maps.Keys(rows)), slices.Sorted(maps.Keys(columns))
	t.Rows, t.Columns, t.Cells = nil, nil, nil
	for _, r := range down {
		t.Rows = append(t.Rows, row(r))
		t.Cells = append(t.Cells, make([]float64, len(across)))
	}
	for _, c := range across {
		t.Columns = append(t.Columns, column(c))
	}
	for _, c := range cells {
		i, _ := slices.BinarySearch(down, c.Row)
		j, _ := slices.BinarySearch(across, c.Column)
		t.Cells[i][j] = c.Value
	}
}

// least is the least value of column j.
func (t Table) least(j int) float64 {
	v := math.Inf(1)
	for i := range t.Rows {
		if t.Cells[i][j] > 0 {
			v = math.Min(v, t.Cells[i][j])
		}
	}
	return v
}

// shades are the upper ends, in multiples of the least value, of all shades but the last.
var shades = []float64{1.02, 1.05, 1.1, 1.2, 1.35, 1.6, 2, 3}

// Render draws t.
func (t Table) Render() []byte {
	const height, head = 26.0, 84.0
	first := max(120, margin+widest(t.Rows...)+8, margin+textWidth(t.Corner)+8)
	width := max(58, widest(t.Columns...)+8)
	last := head + height*float64(len(t.Rows))
	d := begin(t.Title, t.Y, t.Foot, max(640, first+width*float64(len(t.Columns))+margin), last+52)
	d.text(margin, head-10, "", t.Corner)
	for j, c := range t.Columns {
		d.text(first+width*(float64(j)+0.5), head-10, "cell", c)
		least := t.least(j)
		for i := range t.Rows {
			v := t.Cells[i][j]
			if !(v > 0) {
				continue
			}
			shade := 0
			for shade < len(shades) && v > shades[shade]*least {
				shade++
			}
			x, y := first+width*float64(j), head+height*float64(i)
			d.printf("<rect class=\"s%d\" x=\"%.1f\" y=\"%.1f\" width=\"%g\" height=\"%g\"/>\n", shade, x, y, width-2,
				height-2)
			class := "cell"
			if v == least {
				class = "cell best"
			}
			d.text(x+width/2-1, y+height/2+3, class, number(v))
		}
	}
	for i, r := range t.Rows {
		d.text(margin, head+height*(float64(i)+0.5)+3, "", r)
	}
	d.text(margin, last+24, "", "times the column's least:")
	for i := range len(shades) + 1 {
		x, name := 240+44*float64(i), "more"
		if i < len(shades) {
			name = number(shades[i])
		}
		d.printf("<rect class=\"s%d\" x=\"%.1f\" y=\"%.1f\" width=\"42\" height=\"20\"/>\n", i, x, last+10)
		d.text(x+21, last+24, "cell", name)
	}
	return d.end()
}
