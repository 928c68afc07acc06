package gpu

import (
	"context"
	"fmt"
	"strings"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/device"
	"github.com/galfft/fft/internal/engine"
	"github.com/galfft/fft/internal/engine/choice"
	"github.com/galfft/fft/schemes"
)

// digitRank is the two stages of a rank's part of a transform over r^k + 1: see engine.Stages. Columns are one pass,
// the widest, on N2/Size columns, with the products by twiddle factors of these columns. Rows are all passes of
// transforms of N2 points, N1/Size of them at once. The inverse has the products behind its rows.
type digitRank struct {
	b             *digits
	columns, rows [2]digitDirection // forward, inverse
	bytes         int               // of tables
}

// digitPart is what tables of a rank follow from. Numbers but rank are logarithms: of all points, of N1, of N2, of
// the columns of a rank and of the ranks.
type digitPart struct {
	b                *digits
	d                *schemes.Points
	n, n1, n2, width int
	rank, ranks      int
}

// Split is the rows of the widest pass, if ranks can exchange twice behind it.
func (b *digits) Split(n, size int) (n1 int, ok bool) {
	tiles, ranks := b.tiles(), log2(size)
	layers := tiles.Widest().Layers
	return 1 << layers, layers >= 2*ranks && layers <= log2(n)-ranks
}

// Stages makes the tables of a rank: a vector of factors for each direction, and two more for a coset.
func (b *digits) Stages(p *engine.Problem, rank, size int) (engine.Stages, error) {
	d, tiles := schemes.PointsOf(p), b.tiles()
	widest := tiles.Widest()
	of := &digitPart{b: b, d: d, n: log2(p.D.N), n1: widest.Layers, rank: rank, ranks: log2(size)}
	of.n2 = of.n - of.n1
	of.width = of.n2 - of.ranks
	unit, err := b.unit(d)
	if err != nil {
		return nil, err
	}
	t := &digitRank{b: b}
	kernels := []*device.Function{b.unpack, b.table, b.product, b.scale}
	for i := range t.rows {
		back := i == 1
		columns, rows := &t.columns[i], &t.rows[i]
		columns.digitsPlan = of.planColumns(tiles, widest, back)
		if rows.digitsPlan, err = of.planRows(tiles, back); err != nil {
			return nil, fmt.Errorf("gpu: %w: %w", field.ErrMemory, err)
		}
		for _, dir := range []*digitDirection{columns, rows} {
			if dir.unit = unit; back {
				dir.unit = uint64(2*b.k) - unit
			}
			for _, a := range dir.Tables {
				t.bytes += b.Bytes(a.Entries)
			}
			for _, q := range dir.Passes {
				kernels = append(kernels, dir.kernel(b, q))
			}
		}
	}
	if err := device.Load(kernels...); err != nil {
		return nil, err
	}
	if err := d.Take(t.bytes); err != nil {
		return nil, err
	}
	var tables []*device.Memory
	for i, sign := range []int64{1, -1} {
		for _, dir := range []*digitDirection{&t.columns[i], &t.rows[i]} {
			if err := dir.make(b, d, of.n, sign); err != nil {
				return nil, err
			}
			tables = append(tables, dir.tables...)
		}
		if err := of.turnColumns(&t.columns[i], sign); err != nil {
			return nil, err
		}
	}
	if err := of.turnRows(&t.rows[1]); err != nil {
		return nil, err
	}
	return t, waitFor(b.onDevice, d, tables)
}

// part is the points of a rank, as a logarithm.
func (of *digitPart) part() int { return of.n - of.ranks }

// planColumns is the one pass of columns. Its tables of a whole part are those of rank 0 so far, and of columns that
// follow each other through all rows.
func (of *digitPart) planColumns(tiles choice.DigitTiles, widest choice.DigitPass, back bool) *digitsPlan {
	p := &digitsPlan{Shape: digitsShape{DigitTiles: tiles, Log: of.n, Back: back, Coset: of.d.Shifted()}, Before: -1}
	q := digitsPass{Rows: uint32(of.n1), Steps: uint32(widest.Second), Columns: uint32(of.width), Back: back, Table: -1,
		Inner: -1, Period: 1, Ones: digitsNone}
	table := func(t digitsTable) int {
		p.Tables = append(p.Tables, t)
		return len(p.Tables) - 1
	}
	if widest.Second > 0 {
		q.Inner = table(digitsTable{Entries: 1 << of.n1, Rows: q.Rows - q.Steps, Columns: q.Steps,
			Scale: uint32(of.n2)})
	}
	shifts := digitsTable{Entries: 1 << of.part(), Shift: true}
	switch {
	case !back:
		q.Table = table(digitsTable{Entries: 1 << of.part(), Rows: q.Rows, Columns: q.Columns})
		q.Period, q.Ones = 1<<of.part(), 1<<of.width
		if of.d.Shifted() {
			p.Before = table(shifts)
		}
	case of.d.Shifted():
		q.Table, q.Period, q.Ones = table(shifts), 1<<of.part(), 0
	}
	p.Passes = []digitsPass{q}
	return p
}

// planRows is that of N2 points without a shift. Back, it ends with the twiddle factors and 1/N, so far without what
// all rows of the rank have in common.
func (of *digitPart) planRows(tiles choice.DigitTiles, back bool) (*digitsPlan, error) {
	p, err := planDigits(digitsShape{DigitTiles: tiles, Log: of.n2, Back: back, Coset: back})
	if err != nil {
		return nil, err
	}
	for i := range p.Tables {
		p.Tables[i].Scale += uint32(of.n1) // powers are of the root of N points
	}
	if back {
		q := &p.Passes[len(p.Passes)-1]
		p.Tables[q.Table] = digitsTable{Entries: 1 << of.part(), Rows: uint32(of.n1 - of.ranks),
			Columns: uint32(of.n2), Scale: uint32(of.ranks), Factor: true}
		q.Period, q.Ones = 1<<of.part(), 0
	}
	return p, nil
}

// turnColumns makes tables of a whole part, all but the inner one, those of this rank, by a factor for each row.
func (of *digitPart) turnColumns(dir *digitDirection, sign int64) error {
	for i, a := range dir.Tables {
		if i == dir.Passes[0].Inner {
			continue
		}
		first := int64(of.rank) << of.width
		var list []schemes.Factor
		for row := range int64(1) << of.n1 {
			f := schemes.Factor{Root: sign * first * reversal(int(row), of.n1+1)}
			if a.Shift {
				f = schemes.Factor{Shift: sign * (first + row<<of.n2 - row<<of.width)}
			}
			list = append(list, f)
		}
		v, err := of.d.Elements(list...)
		if err != nil {
			return err
		}
		t, err := of.b.Table(v, nil)
		if err != nil {
			return err
		}
		m := dir.tables[i]
		t.Scale(bulks.View{Buf: m, N: a.Entries}, 0, 1<<of.n1, 1<<of.width, 1<<of.width)
		memory(v).Drop()
		t.(*digitTable).drop()
	}
	return nil
}

// turnRows multiplies the twiddle factors of the inverse by what all rows of the rank have in common, a power for each
// column.
func (of *digitPart) turnRows(dir *digitDirection) error {
	table := dir.Passes[len(dir.Passes)-1].Table
	by, err := of.d.Powers(schemes.Factor{Root: -reversal(of.rank, of.ranks+1)}, 1<<of.n2)
	if err != nil {
		return err
	}
	m := dir.tables[table]
	v := bulks.View{Buf: m, N: dir.Tables[table].Entries}
	m.Did(of.b.times(of.b.d.Stream(), v, v, of.b.at(by), of.b.pitch(by), 1<<of.n2-1))
	memory(by).Drop()
	return nil
}

func (t *digitRank) Columns(ctx context.Context, v bulks.View, inverse bool) error {
	return t.stage(ctx, &t.columns, v, inverse)
}

func (t *digitRank) Rows(ctx context.Context, v bulks.View, inverse bool) error {
	return t.stage(ctx, &t.rows, v, inverse)
}

func (t *digitRank) stage(ctx context.Context, of *[2]digitDirection, v bulks.View, inverse bool) error {
	dir, m := &of[0], memory(v)
	if inverse {
		dir = &of[1]
	}
	err := dir.run(ctx, t.b, m.Stream(), v)
	m.Did(nil)
	return err
}

// Report is that of engine.Stages.
func (t *digitRank) Report(r *field.Report) (columns, rows string) {
	var text [2]string
	for i, dir := range []*digitDirection{&t.columns[0], &t.rows[0]} {
		var lines []string
		if dir.Before >= 0 {
			lines = append(lines, "products by powers of the shift")
		}
		for _, q := range dir.Passes {
			line, split := q.describe()
			r.Split, lines = append(r.Split, split...), append(lines, line)
		}
		text[i] = strings.Join(lines, ", ") + " on the device"
	}
	r.Tables += t.bytes
	return text[0], text[1]
}
