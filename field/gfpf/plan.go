package gfpf

import (
	"slices"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/schemes"
)

// Plan makes the transform over d as s asks, on tiles of eight elements. Where there are no kernels for them, or d has no rows and
// columns of eight, it leaves that to element methods, which take half to a third of the time of digits in slices.
func (f *Field[E]) Plan(d field.Domain[E], s field.Spec) (field.Transform[E], error) {
	if err := f.Check(); err != nil {
		return nil, err
	}
	if !f.tiled(d.N) {
		return nil, nil
	}
	u := field.Domain[Number]{N: d.N, Root: slices.Clone(words(&d.Root)), Shift: slices.Clone(words(&d.Shift))}
	if d.Roots != nil {
		u.Roots = roots[E]{d.Roots}
	}
	return schemes.BuildWorking(working[E]{f, f.tiles}, d, f.tiles, u, s)
}

// tiled reports whether transforms of length n go by tiles.
func (f *prime) tiled(n int) bool { return f.tiles.set != nil && n%(lanes*lanes) == 0 }

// roots gives roots as numbers.
type roots[E Digits] struct{ of field.Roots[E] }

func (r roots[E]) RootOfUnity(z *Number, n uint64) error {
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
