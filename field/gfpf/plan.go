package gfpf

import (
	"slices"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/schemes"
)

// Plan makes the transform over d as s asks: on tiles of eight elements where there are kernels for them and d has rows and
// columns of eight, and element by element elsewhere.
func (f *Field[E]) Plan(d field.Domain[E], s field.Spec) (field.Transform[E], error) {
	b := f.tiles
	if d.N%(lanes*lanes) != 0 {
		b = newBulk(&f.ring, nil)
	}
	u := field.Domain[number]{N: d.N, Root: slices.Clone(words(&d.Root)), Shift: slices.Clone(words(&d.Shift))}
	if d.Roots != nil {
		u.Roots = roots[E]{d.Roots}
	}
	return schemes.BuildWorking(working[E]{f, b}, d, b, u, s)
}

// roots gives roots as numbers.
type roots[E Digits] struct{ of field.Roots[E] }

func (r roots[E]) RootOfUnity(z *number, n uint64) error {
	var w E
	err := r.of.RootOfUnity(&w, n)
	*z = slices.Clone(words(&w))
	return err
}

// working is the bulk's vectors for elements E.
type working[E Digits] struct {
	*Field[E]
	b *bulk
}

func (w working[E]) Make(n int) vector               { return w.b.Make(n) }
func (w working[E]) VecBytes(n int) int              { return w.b.VecBytes(n) }
func (w working[E]) Slice(v vector, i, j int) vector { return w.b.Slice(v, i, j) }
func (w working[E]) Alias(a []E) (vector, bool)      { return packed(a), true }
func (w working[E]) Reduce(vector)                   {}
func (w working[E]) VecMul(z, x, y vector, n int)    { w.b.VecMul(z, x, y, n) }
func (w working[E]) Form() string                    { return w.b.Form() }

func (w working[E]) Pack(v vector, a []E) {
	w.b.Copy(v, packed(a), field.Copy{Rows: 1, Width: len(a)})
}

func (w working[E]) Unpack(a []E, v vector) {
	w.b.Copy(packed(a), v, field.Copy{Rows: 1, Width: len(a)})
}
