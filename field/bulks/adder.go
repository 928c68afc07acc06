package bulks

import "github.com/galfft/fft/field"

// Adder is offered by a Bulk for affine domains that adds rows in place, and asked for there alone. Without it a sum
// takes copies and a butterfly by 1.
type Adder interface {
	Bulk
	// AddRow adds the n elements of v from place from on to those from place to on. The two do not overlap.
	AddRow(v View, to, from, n int)
}

// AddRow implements [Adder].
func (f *Slices[E]) AddRow(of View, to, from, n int) {
	v := SliceOf[E](of)
	z, x := v[to:][:n], v[from:][:n]
	if g, ok := f.Field.(field.Vectors[E]); ok {
		g.AddVec(z, z, x)
		return
	}
	for i := range z {
		f.Field.Add(&z[i], &z[i], &x[i])
	}
}
