package verbs

import (
	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/gpu"
	"github.com/galfft/fft/internal/erased"
	"github.com/galfft/fft/internal/rings"
	"github.com/galfft/fft/poly"
)

// element is a pointer to an element, of the type that the field has for them.
type element = erased.Element

// elements is what verbs do with elements: the arithmetic of one field, its transforms, its products and their tuning.
// Vectors are views of slices.
type elements struct {
	*erased.Field
	ring func(f any, opts ...fft.Option) (rings.Ring, error) // over f, a field of that type
}

func elementsOf[E any](f field.Field[E]) elements {
	return elements{erased.Of(f), func(f any, opts ...fft.Option) (rings.Ring, error) {
		return poly.NewErased(f.(field.Field[E]), opts...)
	}}
}

// over returns these elements with the plans and the products of another field of them, as one on a device.
func (e elements) over(f any) elements { return elements{e.Over(f), e.ring} }

// products puts x and y on the device of the field. run multiplies them there, and store copies the products.
func (e elements) products(x, y bulks.View) (run func() error, store func(z bulks.View) error, err error) {
	var v [3]fft.Vec
	for i, a := range []bulks.View{x, y, x} {
		if v[i], err = e.NewVec(a.N); err == nil {
			err = e.LoadVec(v[i], a)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	run = func() error { return gpu.MulVec(v[2], v[0], v[1]) }
	return run, func(z bulks.View) error { return e.StoreVec(z, v[2]) }, nil
}

// multipliers says how products on the device go, and how else they could; "" where there is no choice.
func (e elements) multipliers() string {
	if f, ok := e.Field.Field().(interface{ Explain() string }); ok {
		return f.Explain()
	}
	return ""
}
