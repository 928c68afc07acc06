package gpu

import (
	"context"
	"fmt"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/device"
	"github.com/galfft/fft/internal/engine/choice"
	"github.com/galfft/fft/schemes"
)

// digitTransform runs whole transforms over r^k + 1.
type digitTransform struct {
	b          *digits
	n          int
	directions [2]digitDirection // forward, inverse
	bytes      int               // of tables
}

// digitDirection is a plan with its tables.
type digitDirection struct {
	*digitsPlan
	unit   uint64 // see the kernel pass
	tables []*device.Memory
	lent   []*digitSeries // of tables that are made anew where a pass reads them; nil or empty for none
}

func newDigitTransform(b *digits, d *schemes.Points, n int) (*digitTransform, error) {
	t := &digitTransform{b: b, n: n}
	kernels := []*device.Function{b.unpack, b.table, b.product, b.scale}
	for i := range t.directions {
		dir := &t.directions[i]
		var err error
		dir.digitsPlan, err = planDigits(digitsShape{DigitTiles: b.tiles(), Log: n, Back: i == 1, Coset: d.Shifted()})
		if err != nil {
			return nil, fmt.Errorf("gpu: %w: %w", field.ErrMemory, err)
		}
		for _, a := range dir.Tables {
			t.bytes += b.Bytes(a.Entries)
		}
		for _, q := range dir.Passes {
			kernels = append(kernels, dir.kernel(b, q))
		}
	}
	if err := device.Load(kernels...); err != nil { // so that calls have no part of that
		return nil, err
	}
	unit, err := b.unit(d)
	if err != nil {
		return nil, err
	}
	t.directions[0].unit, t.directions[1].unit = unit, uint64(2*b.k)-unit
	if err := d.Take(t.bytes); err != nil {
		return nil, err
	}
	for i, sign := range []int64{1, -1} {
		if err := t.directions[i].make(b, d, n, sign); err != nil {
			return nil, err
		}
	}
	return t, waitFor(b.onDevice, d, append(t.directions[0].tables, t.directions[1].tables...))
}

// tiles is how passes go on the device.
func (b *digits) tiles() choice.DigitTiles {
	return choice.DigitTiles{
		Way:             b.way,
		Digits:          b.k,
		Shared:          b.d.Info().SharedOptIn,
		Multiprocessors: b.d.Info().Multiprocessors,
		Threads:         b.lazyThreads,
		Limit:           b.limit,
	}
}

// unit is the odd number for which w^(N/2k) = r^unit, where w is the root of d; for N < 2k, w = r^(unit·2k/N). In a
// field there is one, as powers of r are all roots of order 2k.
func (b *digits) unit(d *schemes.Points) (uint64, error) {
	rows := min(d.Len(), 2*b.k)
	v, err := d.Elements(schemes.Factor{Root: int64(d.Len() / rows)})
	if err != nil {
		return 0, err
	}
	defer memory(v).Drop()
	w := b.zeros(1)
	if err := b.out(w, v); err != nil {
		return 0, err
	}
	s, step := int(b.powers(w)[0]), 2*b.k/rows
	if s < 0 || s%step != 0 || s/step%2 == 0 {
		return 0, fmt.Errorf("gpu: %w: the root of order %d is no root of the radix", field.ErrNoRoot, d.Len())
	}
	return uint64(s / step), nil
}

// make makes the tables, for the root and the shift with the exponent sign.
func (p *digitDirection) make(b *digits, d *schemes.Points, n int, sign int64) error {
	low := n / 2
	var short [2]*digitPowers // of the root, of the shift
	for _, a := range p.Tables {
		i, of := 0, func(e int64) schemes.Factor { return schemes.Factor{Root: e} }
		if a.Shift {
			i, of = 1, func(e int64) schemes.Factor { return schemes.Factor{Shift: e} }
		}
		if short[i] == nil {
			s, err := b.short(d, of(sign), of(sign<<low), low, n-low)
			if err != nil {
				return err
			}
			defer s.release(b)
			short[i] = s
		}
		m, err := short[i].fill(b, a, low)
		if err != nil {
			return err
		}
		p.tables = append(p.tables, m)
	}
	return nil
}

// fill makes a table of products of powers, of which there are 2^low low ones.
func (p *digitPowers) fill(b *digits, a digitsTable, low int) (*device.Memory, error) {
	m, err := b.newMemory(a.Entries)
	if err == nil {
		m.Did(p.refill(b, b.d.Stream(), m, a, low))
	}
	return m, err
}

// refill begins to make such a table in its place.
func (p *digitPowers) refill(b *digits, s *device.Stream, m *device.Memory, a digitsTable, low int) error {
	high := p.high
	if a.Factor {
		high = p.divided
	}
	return b.elements(s, b.table, a.Entries, 0, m.At, uint64(m.Pitch), uint64(a.Entries), uint64(a.Rows),
		uint64(a.Columns), uint64(a.Scale), b.at(p.low), b.pitch(p.low), uint64(low), b.at(high), b.pitch(high))
}

// digitPowers is two short tables, whose products are all powers below N, and the second one divided by N.
type digitPowers struct{ low, high, divided bulks.View }

// short makes 2^lows powers of low and 2^highs powers of high.
func (b *digits) short(d *schemes.Points, low, high schemes.Factor, lows, highs int) (*digitPowers, error) {
	var p digitPowers
	var err error
	if p.low, err = d.Powers(low, 1<<lows); err != nil {
		return nil, err
	}
	if p.high, err = d.Powers(high, 1<<highs); err != nil {
		return nil, err
	}
	if p.divided, err = b.Make(1 << highs); err != nil {
		return nil, err
	}
	by, err := d.Elements(schemes.Factor{Over: d.Len()})
	if err != nil {
		return nil, err
	}
	defer memory(by).Drop()
	return &p, b.times(b.d.Stream(), p.divided, p.high, b.at(by), b.pitch(by), 0)
}

// release waits for what reads the tables.
func (p *digitPowers) release(b *digits) {
	for _, v := range []bulks.View{p.low, p.high, p.divided} {
		memory(v).Drop()
	}
}

func (t *digitTransform) Cheapest() field.Order { return field.BitReversed }

func (t *digitTransform) Run(ctx context.Context, v bulks.View, o field.Order, inverse bool) error {
	return t.b.run(ctx, t, v, o, inverse)
}

func (t *digitTransform) Start(ctx context.Context, s *device.Stream, c device.Call) error {
	v, natural, inverse := transformOf(c)
	b, p := t.b, &t.directions[0]
	if inverse {
		p = &t.directions[1]
	}
	if natural && inverse {
		if err := b.reversed(s, v, t.n); err != nil {
			return err
		}
	}
	if err := p.run(ctx, b, s, v, bulks.View{}); err != nil {
		return err
	}
	if natural && !inverse {
		return b.reversed(s, v, t.n)
	}
	return nil
}

// run runs the product before all passes, and these. Tables that are made anew come into free, one after the other.
func (p *digitDirection) run(ctx context.Context, b *digits, s *device.Stream, v, free bulks.View) error {
	if p.Before >= 0 {
		if err := p.lend(b, s, p.Before, free); err != nil {
			return err
		}
		m := p.tables[p.Before]
		if err := b.times(s, v, v, m.At, uint64(m.Pitch), uint64(p.Tables[p.Before].Entries-1)); err != nil {
			return err
		}
	}
	for _, q := range p.Passes {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := p.lend(b, s, q.Table, free); err != nil {
			return err
		}
		if err := p.pass(b, s, v, q); err != nil {
			return err
		}
	}
	return nil
}

// lend makes a table in free, if it is one of those.
func (p *digitDirection) lend(b *digits, s *device.Stream, table int, free bulks.View) error {
	if table < 0 || len(p.lent) == 0 || p.lent[table] == nil {
		return nil
	}
	p.tables[table] = memory(free)
	return p.lent[table].fill(b, s, p.tables[table])
}

// kernel is that of a pass.
func (p *digitDirection) kernel(b *digits, q digitsPass) *device.Function {
	switch {
	case p.Shape.Way.Lazy:
		return b.lazy
	case q.Steps == 0:
		return b.pass
	}
	return b.pair
}

func (p *digitDirection) pass(b *digits, s *device.Stream, v bulks.View, q digitsPass) error {
	l := p.Shape.Launch(choice.DigitPass{Layers: int(q.Rows), Second: int(q.Steps)}, v.N)
	f := p.kernel(b, q)
	table, pitch := p.at(q.Table)
	if p.Shape.Way.Lazy {
		return b.startWith(b.lazyRadix, s, f, [2]int{l.Blocks, 1}, l.Threads, l.Shared, b.at(v), b.pitch(v),
			uint64(v.N), uint64(q.Rows), uint64(q.Columns), uint64(l.Width), flag(q.Back), p.unit, table, pitch,
			q.Period, q.Ones)
	}
	if q.Steps == 0 {
		return b.start(s, f, [2]int{l.Blocks, 1}, l.Threads, l.Shared, b.at(v), b.pitch(v), uint64(v.N),
			uint64(q.Rows), uint64(q.Columns), uint64(l.Width), flag(q.Back), p.unit, table, pitch, q.Period, q.Ones)
	}
	inner, innerPitch := p.at(q.Inner)
	return b.start(s, f, [2]int{l.Blocks, 1}, l.Threads, l.Shared, b.at(v), b.pitch(v), uint64(v.N),
		uint64(q.Rows), uint64(q.Steps), uint64(q.Columns), uint64(l.Width), flag(q.Back), p.unit, table, pitch,
		q.Period, q.Ones, inner, innerPitch)
}

// at is where a table of the plan is, and its pitch; 0 for none.
func (p *digitDirection) at(table int) (at, pitch uint64) {
	if table < 0 {
		return 0, 0
	}
	m := p.tables[table]
	return m.At, uint64(m.Pitch)
}

func (t *digitTransform) Report(r *field.Report) {
	r.Algorithm, r.Tables = field.Fused, t.bytes
	p := t.directions[0]
	if p.Before >= 0 {
		r.Passes = append(r.Passes, "products by powers of the shift on the device")
	}
	for _, q := range p.Passes {
		line, split := q.describe()
		r.Split, r.Passes = append(r.Split, split...), append(r.Passes, line+" on the device")
	}
	if r.Order == field.Natural {
		r.Passes = append(r.Passes, "bit reversal on the device")
	}
}

// describe is a pass in words, and the rows of its steps.
func (q digitsPass) describe() (line string, split []int) {
	line, split = fmt.Sprintf("radix %d", 1<<q.Rows), []int{1 << (q.Rows - q.Steps)}
	if q.Steps > 0 {
		split = append(split, 1<<q.Steps)
		line += fmt.Sprintf(" in steps of %d and %d", split[0], split[1])
	}
	if q.Table >= 0 {
		line += ", products"
	}
	return line, split
}
