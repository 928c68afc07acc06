package gpu

import (
	"context"
	"fmt"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/arith"
	"github.com/galfft/fft/internal/device"
	"github.com/galfft/fft/internal/engine"
	"github.com/galfft/fft/schemes"
)

// wordRank is the two stages of a rank's part of a transform over words: see engine.Stages. Layers of a whole transform
// have one multiplier for each block of elements, so that the first log₂ N1 of them run on some columns as on all. The
// others run on 1/Size of the blocks, which are a transform of N/Size points of another coset: its table is a heap.
//
// Rows in chunks are those of as many ranks: each has a coset of its own. Their heap is made anew for each, in one
// place, as heaps of all chunks and both directions would be as large as two vectors.
type wordRank struct {
	columns *wordTransform   // of N/Size points, of whose layers it has some
	rows    []*wordTransform // of the points of a chunk, likewise
	made    [2][]*tableParts // of what their heaps are made, by directions; empty where there is one chunk
	bytes   int              // of tables of both directions
}

// Split is the layers of the first passes of a whole transform, if ranks can exchange twice behind them.
func (b *words) Split(n, size int) (n1 int, ok bool) {
	first, _ := b.cut(log2(n), log2(size))
	return 1 << first, log2(n) >= 3*log2(size)
}

// cut is the layers before the exchange of 2^ranks ranks, 2·ranks or more, and those of each pass.
func (b *words) cut(n, ranks int) (first int, passes [2][]int) {
	all, _ := b.divide(n)
	for i, l := range all {
		if first += l; first >= 2*ranks && first <= n-ranks {
			return first, [2][]int{all[:i+1], all[i+1:]}
		}
	}
	const most = 7 // layers of a pass, of any shape
	for first = 2 * ranks; first > 0; first -= passes[0][0] {
		passes[0] = append([]int{min(first, most)}, passes[0]...)
	}
	passes[1], _ = b.divide(n - 2*ranks)
	return 2 * ranks, passes
}

// Stages makes tables for the layers of this rank.
func (b *words) Stages(p *engine.Problem, rank, size int) (engine.Stages, error) {
	return b.ChunkedStages(p, rank, size, 1)
}

// ChunkedStages is that of engine.StagedChunks.
func (b *words) ChunkedStages(p *engine.Problem, rank, size, chunks int) (engine.ChunkedStages, error) {
	d, n, ranks := schemes.PointsOf(p), log2(p.D.N), log2(size)
	first, passes := b.cut(n, ranks)
	part, above := n-ranks, ranks+log2(chunks)
	own := n - above // layers of a chunk's points
	t := new(wordRank)
	t.columns = &wordTransform{b: b, n: part, passes: tilePassesFrom(0, part, passes[0], b.lineColumns())}
	for range chunks {
		t.rows = append(t.rows, &wordTransform{b: b, n: own, heaps: flagHeap,
			passes: tilePassesFrom(first-above, own, passes[1], b.lineColumns())})
	}
	// shifts of layers from one on: those of the domain, and of the rank's blocks.
	shifts := func(from, layers, rank int) (list []schemes.Factor) {
		for l := range layers {
			f := schemes.Factor{Root: reversal(rank<<l, n)}
			if d.Shifted() {
				f.Shift = 1 << (n - 1 - from - l)
			}
			list = append(list, f)
		}
		return list
	}
	var whole []schemes.Factor
	if d.Shifted() {
		t.columns.heaps, whole = flagHeap, shifts(0, first, 0)
	}
	entries := 1 << (first - 1)
	if len(whole) > 0 {
		entries *= 2
	}
	t.bytes = b.multiplier * (2*entries + 2*1<<part)
	if chunks > 1 {
		t.bytes = b.multiplier * (2*entries + 1<<own)
	}
	if err := d.Take(t.bytes); err != nil {
		return nil, err
	}
	kernels := []*device.Function{b.roots, b.copies}
	for _, s := range []*wordTransform{t.columns, t.rows[0]} {
		for _, p := range s.passes {
			for _, inverse := range []bool{false, true} {
				f, _ := s.kernel(p, 1<<s.n, inverse)
				kernels = append(kernels, f)
			}
		}
	}
	err := device.Load(kernels...)
	var tables []*device.Memory
	add := func(s *wordTransform, layers int, shifts []schemes.Factor) {
		for i, sign := range []int64{1, -1} {
			if err == nil {
				s.tables[i], err = b.newTable(d, n, sign, layers, shifts)
				tables = append(tables, s.tables[i])
			}
		}
	}
	add(t.columns, first-1, whole)
	if chunks == 1 {
		add(t.rows[0], own-1, shifts(above, own, rank))
	} else if err == nil {
		err = t.share(d, n, func(chunk int) []schemes.Factor { return shifts(above, own, rank*chunks+chunk) })
	}
	if err != nil {
		return nil, err
	}
	t.columns.scale = arith.Inverse(arith.Pow(2, uint64(n), b.p), b.p)
	return t, waitFor(b.onDevice, d, tables)
}

// share gives the rows of all chunks one place for their heaps.
func (t *wordRank) share(d *schemes.Points, n int, shifts func(chunk int) []schemes.Factor) error {
	b, layers := t.columns.b, t.rows[0].n-1
	place, err := b.d.Make(b.multiplier << (layers + 1))
	if err != nil {
		return err
	}
	for i, sign := range []int64{1, -1} {
		plain, err := b.tableOf(d, n, sign, layers)
		if err != nil {
			return err
		}
		for chunk, row := range t.rows {
			own := *plain
			if err := own.shift(d, sign, shifts(chunk)); err != nil {
				return err
			}
			t.made[i] = append(t.made[i], &own)
			row.tables[i] = place
		}
	}
	return nil
}

// Columns runs the first layers, and leaves wide values, but for those of the inverse.
func (t *wordRank) Columns(ctx context.Context, v, _ bulks.View, inverse bool) error {
	return t.columns.some(ctx, v, inverse, false, flagCanonical|flagScale)
}

// Rows runs the others.
func (t *wordRank) Rows(ctx context.Context, v, _ bulks.View, inverse bool) error {
	for i := range t.rows {
		if err := t.Chunk(ctx, v, i, inverse); err != nil {
			return err
		}
	}
	return nil
}

// ChunksBack is that of engine.ChunkedStages.
func (t *wordRank) ChunksBack() bool { return true }

// Chunk is that of engine.ChunkedStages.
func (t *wordRank) Chunk(ctx context.Context, v bulks.View, chunk int, inverse bool) error {
	n, row := v.N/len(t.rows), t.rows[chunk]
	made, place := t.made[0], row.tables[0]
	if inverse {
		made = t.made[1]
	}
	if len(made) > 0 {
		m := memory(v)
		m.Did(made[chunk].fill(place, m.Stream()))
	}
	return row.some(ctx, v.Slice(chunk*n, (chunk+1)*n), inverse, true, 0)
}

// some runs the passes that t has of a transform. The last layers of a forward transform leave canonical values; ended
// is flags of the last pass of an inverse one.
func (t *wordTransform) some(ctx context.Context, v bulks.View, inverse, last bool, ended uint64) error {
	m := memory(v)
	for i := range t.passes {
		if err := ctx.Err(); err != nil {
			return err
		}
		p, flags := t.passes[i], uint64(0)
		switch {
		case inverse:
			if p = t.passes[len(t.passes)-1-i]; i == len(t.passes)-1 {
				flags = ended
			}
		case last && i == len(t.passes)-1:
			flags = flagCanonical
		}
		if err := t.pass(m.Stream(), inverse, v, factors{}, p, flags); err != nil {
			return err
		}
	}
	m.Did(nil)
	return nil
}

// Report is that of engine.Stages.
func (t *wordRank) Report(r *field.Report) (columns, rows string) {
	var text [2]string
	for i, s := range []*wordTransform{t.columns, t.rows[0]} {
		for j, p := range s.passes {
			r.Split = append(r.Split, 1<<p.layers)
			if j > 0 {
				text[i] += ", "
			}
			text[i] += fmt.Sprintf("radix %d", 1<<p.layers)
		}
	}
	r.Tables += t.bytes
	return text[0] + " on the device", text[1] + " on the device"
}
