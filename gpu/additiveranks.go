package gpu

import (
	"context"
	"slices"
	"strings"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine"
	"github.com/galfft/fft/schemes"
)

// additiveRank is the two stages of a rank's part of a transform over an affine domain: see engine.Blocks. Wide passes
// run on some columns as on all. The rows of a rank are blocks of the layer behind, which touch: the other layers on
// them are those of a transform of N/Size points over a coset.
type additiveRank struct{ columns, rows *additiveTransform }

// Blocks makes wide passes before the exchange, and all others behind it. All ranks have factors of one length.
func (b *additive) Blocks(p *engine.Problem, rank, size int) (engine.Stages, int, error) {
	n, ranks := log2(p.D.N), log2(size)
	d := schemes.PointsOf(p)
	whole, err := newFactors(b, d, n)
	if err != nil {
		return nil, 0, err
	}
	of := *p
	if _, of.D, err = p.D.Blocks(ranks, rank); err != nil {
		return nil, 0, err
	}
	part := n - ranks
	coset, err := newFactors(b, schemes.PointsOf(&of), part)
	if err != nil {
		return nil, 0, err
	}
	t := &additiveRank{&additiveTransform{b: b, n: part}, &additiveTransform{b: b, n: part, second: true}}
	share := func(narrow bool) (first int) { // layers before the exchange
		t.columns.by(whole, narrow)
		t.rows.by(coset, narrow) // its factors are sums of those of the whole
		wide := t.columns.k.shape.wide
		t.columns.wides = slices.Repeat([]int{wide}, (ranks+wide-1)/wide)
		first = sum(t.columns.wides)
		t.rows.from = first - ranks
		t.rows.split()
		return first
	}
	first := share(whole.own != nil && !whole.own.pairs)
	if t.rows.own != nil && !t.rows.sliced && t.rows.tileBytes() > b.d.Info().SharedOptIn {
		first = share(false)
	}
	for _, s := range []*additiveTransform{t.columns, t.rows} {
		if err := s.make(d); err != nil {
			return nil, 0, err
		}
	}
	return t, 1 << first, nil
}

func (t *additiveRank) Columns(ctx context.Context, v, _ bulks.View, inverse bool) error {
	return t.columns.some(ctx, v, inverse)
}

func (t *additiveRank) Rows(ctx context.Context, v, _ bulks.View, inverse bool) error {
	return t.rows.some(ctx, v, inverse)
}

// some runs the passes that t has of a transform.
func (t *additiveTransform) some(ctx context.Context, v bulks.View, inverse bool) error {
	m, last := memory(v), len(t.wides)
	if t.layers == 0 {
		last--
	}
	for i := range last + 1 {
		if err := ctx.Err(); err != nil {
			return err
		}
		if inverse {
			i = last - i
		}
		if err := t.pass(m.Stream(), v, i, inverse); err != nil {
			return err
		}
	}
	m.Did(nil)
	return nil
}

// Report is that of engine.Stages.
func (t *additiveRank) Report(r *field.Report) (columns, rows string) {
	var text [2]string
	for i, s := range []*additiveTransform{t.columns, t.rows} {
		var of field.Report
		s.describe(&of)
		text[i] = strings.Join(of.Passes, ", ")
		r.Split = append(r.Split, of.Split...)
		r.Tables += s.tableBytes() + s.mapsBytes()
	}
	return text[0], text[1]
}
