package gpu

import (
	"context"
	"fmt"
	"slices"
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
//
// Twiddle factors and powers of a shift are tables as large as the part. Where rows have chunks, a pass that reads one
// has it made anew in a vector that is free then, and both directions have their other tables in one place.
type digitRank struct {
	b             *digits
	columns, rows [2]digitDirection // forward, inverse
	bytes         int               // of tables
	chunks        int

	powers [2]*digitPowers // of which the other tables of rows are made, where there are chunks
	low    int             // the logarithm of how many low ones
	made   *digitDirection // whose tables are in place, nil for neither's
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
	return b.ChunkedStages(p, rank, size, 1)
}

// ChunkedStages is that of engine.StagedChunks.
func (b *digits) ChunkedStages(p *engine.Problem, rank, size, chunks int) (engine.ChunkedStages, error) {
	d, tiles := schemes.PointsOf(p), b.tiles()
	widest := tiles.Widest()
	of := &digitPart{b: b, d: d, n: log2(p.D.N), n1: widest.Layers, rank: rank, ranks: log2(size)}
	of.n2 = of.n - of.n1
	of.width = of.n2 - of.ranks
	unit, err := b.unit(d)
	if err != nil {
		return nil, err
	}
	t := &digitRank{b: b, chunks: chunks, low: of.n / 2}
	kernels := []*device.Function{b.unpack, b.table, b.product}
	var series [4]map[int][]geometric
	for i := range t.rows {
		back := i == 1
		columns, rows := &t.columns[i], &t.rows[i]
		columns.digitsPlan, series[2*i] = of.planColumns(tiles, widest, back)
		if rows.digitsPlan, series[2*i+1], err = of.planRows(tiles, back); err != nil {
			return nil, fmt.Errorf("gpu: %w: %w", field.ErrMemory, err)
		}
		for j, dir := range []*digitDirection{columns, rows} {
			if dir.unit = unit; back {
				dir.unit = uint64(2*b.k) - unit
			}
			for _, q := range dir.Passes {
				kernels = append(kernels, dir.kernel(b, q))
			}
			t.bytes += t.tableBytes(dir, series[2*i+j])
		}
		if chunks > 1 {
			t.bytes += b.Bytes(1<<t.low) + 2*b.Bytes(1<<(of.n-t.low))
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
		powers, err := b.short(d, schemes.Factor{Root: sign}, schemes.Factor{Root: sign << t.low}, t.low, of.n-t.low)
		if err != nil {
			return nil, err
		}
		if t.powers[i] = powers; chunks == 1 {
			defer powers.release(b)
		}
		for j, dir := range []*digitDirection{&t.columns[i], &t.rows[i]} {
			if err := t.make(d, dir, powers, series[2*i+j]); err != nil {
				return nil, err
			}
			tables = append(tables, dir.tables...)
		}
	}
	t.made = &t.rows[0]
	tables = slices.DeleteFunc(tables, func(m *device.Memory) bool { return m == nil })
	return t, waitFor(b.onDevice, d, tables)
}

// shares reports whether a direction has its tables where the other one has them.
func (t *digitRank) shares(dir *digitDirection) bool { return t.chunks > 1 && dir == &t.rows[1] }

// tableBytes is what tables of a direction take for the time of the plan.
func (t *digitRank) tableBytes(dir *digitDirection, series map[int][]geometric) (bytes int) {
	for i, a := range dir.Tables {
		switch rows := series[i]; {
		case len(rows) > 0 && t.chunks > 1:
			bytes += t.b.seriesBytes(log2(a.Entries/len(rows)), len(rows))
		case len(rows) > 0 || !t.shares(dir):
			bytes += t.b.Bytes(a.Entries)
		}
	}
	return bytes
}

// make makes the tables of a direction, or what those are made of that a pass has made anew.
func (t *digitRank) make(d *schemes.Points, dir *digitDirection, powers *digitPowers,
	series map[int][]geometric) (err error) {
	dir.tables, dir.lent = make([]*device.Memory, len(dir.Tables)), make([]*digitSeries, len(dir.Tables))
	for i, a := range dir.Tables {
		switch rows := series[i]; {
		case len(rows) > 0 && t.chunks > 1:
			dir.lent[i], err = newDigitSeries(t.b, d, log2(a.Entries/len(rows)), rows)
		case len(rows) > 0:
			dir.tables[i], err = t.b.seriesTable(d, a.Entries, rows)
		case t.shares(dir):
			dir.tables[i] = t.rows[0].tables[slices.Index(t.rows[0].Tables, a)]
		default:
			dir.tables[i], err = powers.fill(t.b, a, t.low)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// part is the points of a rank, as a logarithm.
func (of *digitPart) part() int { return of.n - of.ranks }

// planColumns is the one pass of columns, with the rows of its tables of a whole part.
func (of *digitPart) planColumns(tiles choice.DigitTiles, widest choice.DigitPass,
	back bool) (*digitsPlan, map[int][]geometric) {
	p := &digitsPlan{Shape: digitsShape{DigitTiles: tiles, Log: of.n, Back: back, Coset: of.d.Shifted()}, Before: -1}
	q := digitsPass{Rows: uint32(of.n1), Steps: uint32(widest.Second), Columns: uint32(of.width), Back: back, Table: -1,
		Inner: -1, Period: 1, Ones: digitsNone}
	series := make(map[int][]geometric)
	table := func(t digitsTable, of []geometric) int {
		p.Tables = append(p.Tables, t)
		series[len(p.Tables)-1] = of
		return len(p.Tables) - 1
	}
	if widest.Second > 0 {
		q.Inner = table(digitsTable{Entries: 1 << of.n1, Rows: q.Rows - q.Steps, Columns: q.Steps,
			Scale: uint32(of.n2)}, nil)
	}
	sign, first := int64(1), int64(of.rank)<<of.width
	if back {
		sign = -1
	}
	var twiddles, shifts []geometric
	for row := range int64(1) << of.n1 {
		e := sign * reversal(int(row), of.n1+1)
		twiddles = append(twiddles, geometric{schemes.Factor{Root: first * e}, schemes.Factor{Root: e}})
		shifts = append(shifts, geometric{schemes.Factor{Shift: sign * (first + row<<of.n2)},
			schemes.Factor{Shift: sign}})
	}
	whole := digitsTable{Entries: 1 << of.part()}
	switch {
	case !back:
		q.Table = table(whole, twiddles)
		q.Period, q.Ones = 1<<of.part(), 1<<of.width
		if of.d.Shifted() {
			p.Before = table(whole, shifts)
		}
	case of.d.Shifted():
		q.Table, q.Period, q.Ones = table(whole, shifts), 1<<of.part(), 0
	}
	p.Passes = []digitsPass{q}
	return p, series
}

// planRows is that of N2 points without a shift. Back, it ends with the twiddle factors and 1/N, whose rows it returns.
func (of *digitPart) planRows(tiles choice.DigitTiles, back bool) (*digitsPlan, map[int][]geometric, error) {
	p, err := planDigits(digitsShape{DigitTiles: tiles, Log: of.n2, Back: back, Coset: back})
	if err != nil {
		return nil, nil, err
	}
	for i := range p.Tables {
		p.Tables[i].Scale += uint32(of.n1) // powers are of the root of N points
	}
	if !back {
		return p, nil, nil
	}
	var rows []geometric
	for row := range 1 << (of.n1 - of.ranks) {
		e := -reversal(of.rank<<(of.n1-of.ranks)+row, of.n1+1)
		rows = append(rows, geometric{schemes.Factor{Over: of.d.Len()}, schemes.Factor{Root: e}})
	}
	q := &p.Passes[len(p.Passes)-1]
	p.Tables[q.Table] = digitsTable{Entries: 1 << of.part()}
	q.Period, q.Ones = 1<<of.part(), 0
	return p, map[int][]geometric{q.Table: rows}, nil
}

func (t *digitRank) Columns(ctx context.Context, v, free bulks.View, inverse bool) error {
	return t.stage(ctx, &t.columns, v, free, inverse)
}

func (t *digitRank) Rows(ctx context.Context, v, free bulks.View, inverse bool) error {
	m := memory(v)
	m.Did(t.turn(m.Stream(), inverse))
	return t.stage(ctx, &t.rows, v, free, inverse)
}

// Chunk is that of engine.ChunkedStages.
func (t *digitRank) Chunk(ctx context.Context, v bulks.View, chunk int, inverse bool) error {
	n := v.N / t.chunks
	return t.Rows(ctx, v.Slice(chunk*n, (chunk+1)*n), bulks.View{}, inverse)
}

// ChunksBack is that of engine.ChunkedStages: the inverse has its twiddle factors in the vector to exchange through.
func (t *digitRank) ChunksBack() bool { return false }

// turn makes the tables of rows, where those of the other direction are in their place.
func (t *digitRank) turn(s *device.Stream, inverse bool) error {
	i := 0
	if inverse {
		i = 1
	}
	dir := &t.rows[i]
	if t.chunks == 1 || t.made == dir {
		return nil
	}
	t.made = nil
	for j, a := range dir.Tables {
		if dir.lent[j] != nil {
			continue
		}
		if err := t.powers[i].refill(t.b, s, dir.tables[j], a, t.low); err != nil {
			return err
		}
	}
	t.made = dir
	return nil
}

func (t *digitRank) stage(ctx context.Context, of *[2]digitDirection, v, free bulks.View, inverse bool) error {
	dir, m := &of[0], memory(v)
	if inverse {
		dir = &of[1]
	}
	err := dir.run(ctx, t.b, m.Stream(), v, free)
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
