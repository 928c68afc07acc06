package fieldtest

import (
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/testfields"
)

// spanning is slices of elements with folds and spans, by their definitions, that may be changed.
type spanning struct {
	bulks.Slices[uint8]
	fold  func(v []uint8, list []bulks.Fold, width int, back bool)
	part  func(v []uint8, shift, from, to int, back bool)
	place func(l, b, j int) int // of what multipliers take for bit j of block b of layer l
	over  func(a bulks.View) bulks.View
}

func (s *spanning) Overlay(a bulks.View) bulks.View { return s.over(a) }
func (s *spanning) Tile() int                       { return 4 }

func newSpanning(change func(s *spanning)) *spanning {
	s := &spanning{Slices: bulks.Slices[uint8]{Field: testfields.Binary8{}, Affine: true}, fold: foldBytes,
		part:  foldPart,
		place: func(l, _, j int) int { return l*(l+1)/2 + 1 + j },
		over:  func(a bulks.View) bulks.View { return a }}
	change(s)
	return s
}

func foldBytes(v []uint8, list []bulks.Fold, width int, back bool) {
	s := newSuite(testfields.Binary8{}, Config[uint8]{}, 1)
	all := s.f.Elements(bulks.ViewOf(v))
	for i := range list {
		f := list[i]
		if back {
			f = list[len(list)-1-i]
		}
		s.fold(all, bulks.Fold{Run: f.Run * width, Shift: f.Shift * width}, back)
	}
}

func (s *spanning) Fold(v bulks.View, list []bulks.Fold, width int, back bool) {
	s.fold(bulks.SliceOf[uint8](v), list, width, back)
}

func foldPart(v []uint8, shift, from, to int, back bool) {
	s := newSuite(testfields.Binary8{}, Config[uint8]{}, 1)
	s.foldPart(s.f.Elements(bulks.ViewOf(v)), shift, from, to, back)
}

func (s *spanning) FoldPart(v bulks.View, shift, from, to int, back bool) {
	s.part(bulks.SliceOf[uint8](v), shift, from, to, back)
}

func (s *spanning) Swap(_, _, _ bulks.View, _ bulks.Copy) bool { return false }

func (s *spanning) Scales() int { return 0 }

func (s *spanning) ScaleFold(bulks.Table, bulks.View, bulks.View, bulks.Scaled, bool) {}

func (s *spanning) Span(g bulks.View, layers int) (bulks.Table, error) {
	of, w := bulks.SliceOf[uint8](g), make([]uint8, 1<<layers)
	for l := range layers {
		for b := range 1 << l {
			x := of[l*(l+1)/2]
			for j := range l {
				if b>>j&1 == 1 {
					x ^= of[s.place(l, b, j)]
				}
			}
			w[1<<l+b] = x
		}
	}
	return s.Table(bulks.ViewOf(w), bulks.Alone)
}

func TestSoundSpanning(t *testing.T) {
	RunBulk(t, field.Field[uint8](testfields.Binary8{}), newSpanning(func(*spanning) {}), Config[uint8]{})
}

func TestBrokenSpanning(t *testing.T) {
	for _, m := range []struct {
		name, check string
		change      func(s *spanning)
	}{
		{"folds are not undone from the last on", "Folds", func(s *spanning) {
			s.fold = func(v []uint8, list []bulks.Fold, width int, back bool) {
				for _, f := range list {
					foldBytes(v, []bulks.Fold{f}, width, back)
				}
			}
		}},
		{"what leaves the second half is lost", "Folds", func(s *spanning) {
			s.fold = func(v []uint8, list []bulks.Fold, width int, back bool) {
				last := v[len(v)-1]
				v[len(v)-1] = 0
				foldBytes(v, list, width, back)
				v[len(v)-1] ^= last
			}
		}},
		{"rows count as elements", "Folds", func(s *spanning) {
			s.fold = func(v []uint8, list []bulks.Fold, width int, back bool) { foldBytes(v, list, 1, back) }
		}},
		{"each part adds to the second half", "FoldParts", func(s *spanning) {
			s.part = func(v []uint8, shift, from, to int, back bool) {
				foldPart(v, shift, from, to, back)
				if half := len(v) / 2; from > 0 && !back {
					foldPart(v, shift, 0, 0, back)
				} else if to < half && back {
					foldPart(v, shift, half, half, back)
				}
			}
		}},
		{"the second half changes first, back", "FoldParts", func(s *spanning) {
			s.part = func(v []uint8, shift, from, to int, back bool) {
				if half := len(v) / 2; back && to == half {
					foldPart(v, shift, half, half, true)
					from, back = max(1, from), false
				}
				foldPart(v, shift, from, to, back)
			}
		}},
		{"the memory begins with the slice, not with the view", "Overlays", func(s *spanning) {
			s.over = func(a bulks.View) bulks.View { return bulks.View{Buf: a.Buf, N: a.N} }
		}},
		{"bits from the other end", "Spans", func(s *spanning) {
			s.place = func(l, _, j int) int { return l*(l+1)/2 + l - j }
		}},
		{"the last blocks are wrong", "Spans", func(s *spanning) {
			s.place = func(l, b, j int) int {
				if b == 1<<l-1 {
					j = 0
				}
				return l*(l+1)/2 + 1 + j
			}
		}},
	} {
		t.Run(m.check+"/"+m.name, func(t *testing.T) {
			b := newSpanning(m.change)
			f := field.Field[uint8](testfields.Binary8{})
			requireBroken(t, newBulkSuite(f, b, Config[uint8]{}, 1).checks(), m.check)
		})
	}
}

// adding is slices of elements whose copies that add are changed.
type adding struct {
	bulks.Slices[uint8]
	row func(dst, src []uint8)
}

func (a *adding) Copy(dst, src bulks.View, c bulks.Copy) {
	if !c.Add {
		a.Slices.Copy(dst, src, c)
		return
	}
	a.row(bulks.SliceOf[uint8](dst), bulks.SliceOf[uint8](src))
}

func TestBrokenAdding(t *testing.T) {
	add := func(z, x []uint8) {
		for i := range z {
			z[i] ^= x[i]
		}
	}
	for name, row := range map[string]func(dst, src []uint8){
		"the other row":    func(dst, src []uint8) { add(src, dst) },
		"the row replaces": func(dst, src []uint8) { copy(dst, src) },
		"all but the last": func(dst, src []uint8) { add(dst[:max(0, len(dst)-1)], src) },
		"one twice": func(dst, src []uint8) {
			add(dst, src)
			add(dst[:min(1, len(dst))], src)
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := &adding{bulks.Slices[uint8]{Field: testfields.Binary8{}, Affine: true}, row}
			f := field.Field[uint8](testfields.Binary8{})
			requireBroken(t, newBulkSuite(f, b, Config[uint8]{}, 1).checks(), "AddRows")
		})
	}
}

// scaling is spanning that folds what tables multiply.
type scaling struct {
	*spanning
	do func(t bulks.Table, z, v []uint8, c bulks.Scaled, back bool)
}

func (s *scaling) Scales() int { return 2 }

func (s *scaling) ScaleFold(t bulks.Table, z, v bulks.View, c bulks.Scaled, back bool) {
	s.do(t, bulks.SliceOf[uint8](z), bulks.SliceOf[uint8](v), c, back)
}

// scaledFolds is ScaleFold by its definition.
func scaledFolds(t bulks.Table, z, v []uint8, c bulks.Scaled, back bool) {
	x := make([]uint8, c.Rows*c.Width)
	for i := range c.Rows {
		copy(x[i*c.Width:][:c.Width], v[i*c.From:])
	}
	scale := func() {
		for i := range c.Rows {
			at := i
			if c.Twice {
				at %= c.Rows / 2
			}
			t.Scale(bulks.ViewOf(x[i*c.Width:][:c.Width]), at, 1, c.Width, c.Width)
		}
	}
	if !back {
		scale()
	}
	foldBytes(x, []bulks.Fold{{Run: c.Rows, Shift: c.Rows / 4}, {Run: c.Rows / 2, Shift: c.Rows / 8}}, c.Width, back)
	if back {
		scale()
	}
	for i := range c.Rows {
		copy(z[i*c.To:][:c.Width], x[i*c.Width:])
	}
}

func newScaling(do func(t bulks.Table, z, v []uint8, c bulks.Scaled, back bool)) *scaling {
	return &scaling{newSpanning(func(*spanning) {}), do}
}

func TestSoundScaling(t *testing.T) {
	RunBulk(t, field.Field[uint8](testfields.Binary8{}), newScaling(scaledFolds), Config[uint8]{})
}

func TestBrokenScaling(t *testing.T) {
	for name, do := range map[string]func(t bulks.Table, z, v []uint8, c bulks.Scaled, back bool){
		"multipliers never begin anew": func(t bulks.Table, z, v []uint8, c bulks.Scaled, back bool) {
			c.Twice = false
			scaledFolds(t, z, v, c, back)
		},
		"multipliers begin anew": func(t bulks.Table, z, v []uint8, c bulks.Scaled, back bool) {
			c.Twice = true
			scaledFolds(t, z, v, c, back)
		},
		"folds are not undone": func(t bulks.Table, z, v []uint8, c bulks.Scaled, _ bool) {
			scaledFolds(t, z, v, c, false)
		},
		"rows of the result touch": func(t bulks.Table, z, v []uint8, c bulks.Scaled, back bool) {
			if c.To != c.From {
				c.To = c.Width
			}
			scaledFolds(t, z, v, c, back)
		},
		"the operand changes": func(t bulks.Table, z, v []uint8, c bulks.Scaled, back bool) {
			scaledFolds(t, z, v, c, back)
			c.To = c.From
			scaledFolds(t, v, v, c, back)
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := field.Field[uint8](testfields.Binary8{})
			requireBroken(t, newBulkSuite(f, newScaling(do), Config[uint8]{}, 1).checks(), "ScaleFold")
		})
	}
}
