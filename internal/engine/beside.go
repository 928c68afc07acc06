package engine

import "github.com/galfft/fft/field/bulks"

// besides has columns taken beside each other, where they stand, if the scheme does that.
func (t *batched) besides(tasks int) {
	s, ok := t.scheme.(Beside)
	if !ok || !s.Beside() {
		return
	}
	t.beside, t.tasks = s, tasks
	for i, j := range t.rev {
		if int32(i) < j {
			t.pairs = append(t.pairs, int32(i))
		}
	}
}

// atOnce is how many rows change places in a step.
func (t *batched) atOnce() int {
	const elements = 1 << 11 // that fit in cache
	return max(1, elements/t.b.Count)
}

// bindBeside makes the phases of both directions. Outside the order of the scheme rows change places, or are copied to
// them on the way of an inverse from one slice to another.
func (t *batched) bindBeside(b *batchCall) error {
	forward, inverse := t.beside.BindColumns(&b.c, t.b.Count)
	if t.rev != nil {
		some := t.atOnce()
		for range t.tasks {
			x, err := t.f.Make(some * t.b.Count)
			if err != nil {
				return err
			}
			b.x = append(b.x, x)
		}
		swap := Phase{Steps: (len(t.pairs) + some - 1) / some, Do: func(step, task int) {
			t.swap(b.c.Out, t.pairs[step*some:min((step+1)*some, len(t.pairs))], b.x[task])
		}}
		forward = append(forward, swap)
		swap.If = func() bool { return b.inPlace }
		inverse = append([]Phase{swap, t.ordered(b, some)}, inverse...)
	}
	b.run, b.back = b.c.bind(forward, t.s.Runner), b.c.bind(inverse, t.s.Runner)
	return nil
}

// ordered copies rows to their places, some in a step.
func (t *batched) ordered(b *batchCall, some int) Phase {
	n := t.b.Count
	return Phase{Steps: (t.n + some - 1) / some, If: func() bool { return !b.inPlace }, Do: func(step, _ int) {
		from, to := step*some, min((step+1)*some, t.n)
		t.f.Copy(b.dst.Slice(from*n, to*n), b.src, bulks.Copy{Rows: to - from, Width: n, Dst: n, Src: n,
			RowPerm: t.rev[from:to]})
	}}
}

// swap exchanges rows with those that stand at the reversed places. x has room for all of them.
func (t *batched) swap(v View, rows []int32, x View) {
	n := t.b.Count
	t.f.Copy(x, v, bulks.Copy{Rows: len(rows), Width: n, Dst: n, Src: n, RowPerm: rows})
	row := func(v View, i int) View { return v.Slice(i*n, (i+1)*n) }
	one := bulks.Copy{Rows: 1, Width: n, Dst: n, Src: n}
	for k, i := range rows {
		other := row(v, int(t.rev[i]))
		t.f.Copy(row(v, int(i)), other, one)
		t.f.Copy(other, row(x, k), one)
	}
}
