package gpu

import (
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/device"
	"github.com/galfft/fft/schemes"
)

// digitSeries is what a table is made of whose rows are geometric series, of 2^width entries each: an entry is a
// product of one of 2^low small powers of its row and one of the others.
type digitSeries struct {
	width, low  int
	small, high []bulks.View // of each row; the latter with the first entry of the row
}

// geometric is a row: entry i is first·ratio^i.
type geometric struct{ first, ratio schemes.Factor }

// newDigitSeries makes the powers of rows.
func newDigitSeries(b *digits, d *schemes.Points, width int, rows []geometric) (*digitSeries, error) {
	t := &digitSeries{width: width, low: width / 2}
	var firsts []schemes.Factor
	for _, row := range rows {
		firsts = append(firsts, row.first)
	}
	first, err := d.Elements(firsts...)
	if err != nil {
		return nil, err
	}
	defer memory(first).Drop()
	for i, row := range rows {
		small, err := d.Powers(row.ratio, 1<<t.low)
		if err != nil {
			return nil, err
		}
		step := schemes.Factor{Root: row.ratio.Root << t.low, Shift: row.ratio.Shift << t.low}
		high, err := d.Powers(step, 1<<(width-t.low))
		if err != nil {
			return nil, err
		}
		by := first.Slice(i, i+1)
		if err := b.times(b.d.Stream(), high, high, b.at(by), b.pitch(by), 0); err != nil {
			return nil, err
		}
		t.small, t.high = append(t.small, small), append(t.high, high)
	}
	return t, nil
}

// seriesBytes is what a series of so many rows takes.
func (b *digits) seriesBytes(width, rows int) int {
	return rows * (b.Bytes(1<<(width/2)) + b.Bytes(1<<(width-width/2)))
}

// seriesTable makes a table of series.
func (b *digits) seriesTable(d *schemes.Points, entries int, rows []geometric) (*device.Memory, error) {
	t, err := newDigitSeries(b, d, log2(entries/len(rows)), rows)
	if err != nil {
		return nil, err
	}
	defer t.drop()
	m, err := b.newMemory(entries)
	if err == nil {
		m.Did(t.fill(b, b.d.Stream(), m))
	}
	return m, err
}

// fill begins to make the table.
func (t *digitSeries) fill(b *digits, s *device.Stream, m *device.Memory) error {
	for i, small := range t.small {
		high, entries := t.high[i], 1<<t.width
		err := b.elements(s, b.table, entries, 0, m.At+uint64(8*i<<t.width), uint64(m.Pitch), uint64(entries), 0, 0, 0,
			b.at(small), b.pitch(small), uint64(t.low), b.at(high), b.pitch(high))
		if err != nil {
			return err
		}
	}
	return nil
}

// drop gives back what fill has read.
func (t *digitSeries) drop() {
	for i := range t.small {
		memory(t.small[i]).Drop()
		memory(t.high[i]).Drop()
	}
}
