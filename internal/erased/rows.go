package erased

import (
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/pointer"
)

// Row is an operation of a field.Vectors.
type Row uint8

const (
	AddRow Row = iota
	SubRow
	MulRow
)

// RowsOf returns what sets z to x + y, x − y or xy, element by element, by the field.Vectors that f is or else by its
// methods of elements. Views are of slices, those of x and y at least as long as that of z.
func RowsOf[E any](f field.Field[E]) func(o Row, z, x, y bulks.View) {
	v, ok := f.(field.Vectors[E])
	if !ok {
		return rowsOf(f, pointer.Of[E]())
	}
	return func(o Row, z, x, y bulks.View) {
		switch to, a, b := bulks.SliceOf[E](z), bulks.SliceOf[E](x), bulks.SliceOf[E](y); o {
		case AddRow:
			v.AddVec(to, a, b)
		case SubRow:
			v.SubVec(to, a, b)
		default:
			v.MulVec(to, a, b)
		}
	}
}

func rowsOf[P any](f pointer.Field[P], t pointer.Type[P]) func(o Row, z, x, y bulks.View) {
	return func(o Row, z, x, y bulks.View) {
		if z.N == 0 {
			return
		}
		first := func(v bulks.View) P { return pointer.At(v.Slice(0, z.N).Buf.(P), v.Off*t.Size) }
		to, a, b := first(z), first(x), first(y)
		for i := range z.N {
			at := i * t.Size
			z, x, y := pointer.At(to, at), pointer.At(a, at), pointer.At(b, at)
			switch o {
			case AddRow:
				f.Add(z, x, y)
			case SubRow:
				f.Sub(z, x, y)
			default:
				f.Mul(z, x, y)
			}
		}
	}
}
