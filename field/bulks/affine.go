package bulks

// Spanner is offered by a Bulk for affine domains whose tables of all layers take no more than the constants from which
// the multipliers come: transforms then make no list of as many multipliers as they have points.
type Spanner interface {
	Bulk
	// Span returns a table for so many layers. The multiplier of block b of layer l, at place 2^l + b, is the sum of
	// element l(l+1)/2 of g and of those j + 1 places behind it, for the bits j < l of b that are set. g is canonical
	// values in working form, which the table does not keep. Passes are those of the table of all multipliers, and
	// Scale is not asked for.
	Span(g View, layers int) (Table, error)
}

// affineTable is the table of element methods with the butterflies of affine domains.
type affineTable[E any] struct{ *slicesTable[E] }

func (t *affineTable[E]) Pass(v View, p Pass, r Rows) {
	if p.Has(Transposed) {
		t.each(v, p.Off, r, func(x, y, d *E, i int) {
			t.f.Add(y, y, x)
			t.mul(d, y, i)
			t.f.Add(x, x, d)
		})
		return
	}
	t.each(v, p.Off, r, func(x, y, d *E, i int) {
		t.mul(d, y, i)
		t.f.Add(x, x, d)
		t.f.Add(y, y, x)
	})
}

// each does something to the pairs of a layer, with a place to compute in and the index of the multiplier.
func (t *affineTable[E]) each(of View, off int, l Rows, do func(x, y, d *E, i int)) {
	v, d := SliceOf[E](of), t.temp.Get().(*E)
	for b := range l.Blocks {
		for j := range l.Half {
			r := (2*l.Half*b + j) * l.Stride
			x, y := v[r:][:l.Width], v[r+l.Half*l.Stride:][:l.Width]
			for i := range x {
				do(&x[i], &y[i], d, off+b)
			}
		}
	}
	t.temp.Put(d)
}
