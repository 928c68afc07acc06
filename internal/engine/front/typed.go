package front

import (
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine"
	"github.com/galfft/fft/internal/engine/codelet"
	"github.com/galfft/fft/internal/pointer"
)

// element is a pointer to one, *E. Points are compiled once for all elements, and compute with these: a plan takes few.
type element = any

// arithmetic is a field by such elements, and with loops of the few calls that have no bulk.
type arithmetic struct {
	// New makes n elements, all of them 0, and At is one of a view.
	New func(n int) bulks.View
	At  func(v bulks.View, i int) element

	Set   func(z, x element)
	Add   func(z, x, y element)
	Mul   func(z, x, y element)
	Inv   func(z, x element) error
	One   func(z element)
	Equal func(x, y element) bool

	// powers sets w to the powers of x, from x^0 on.
	powers func(w bulks.View, x element)
	// sum is Sum of engine.Exponents.
	sum func(z, x, w bulks.View, j int, t bulks.View)
	// codelet is the code of n points for a root and its inverse, whose powers are given.
	codelet func(n int, powers [2]bulks.View) engine.Codelet
	// root and convolution are those of the Roots of a cyclic domain, where it has such.
	root        func(z element, n uint64) error
	convolution func(n int, s field.Spec) (*convolution, error)
}

// computing is the arithmetic of f, whose elements P points to.
func computing[P any](f pointer.Field[P], t pointer.Type[P], roots any) *arithmetic {
	at := func(v bulks.View, i int) P { return pointer.At(v.Buf.(P), (v.Off+i)*t.Size) }
	return &arithmetic{
		New:   func(n int) bulks.View { return bulks.View{Buf: t.Make(n), N: n} },
		At:    func(v bulks.View, i int) element { return at(v.Slice(i, i+1), 0) },
		Set:   func(z, x element) { f.Set(z.(P), x.(P)) },
		Add:   func(z, x, y element) { f.Add(z.(P), x.(P), y.(P)) },
		Mul:   func(z, x, y element) { f.Mul(z.(P), x.(P), y.(P)) },
		Inv:   func(z, x element) error { return f.Inv(z.(P), x.(P)) },
		One:   func(z element) { f.One(z.(P)) },
		Equal: func(x, y element) bool { return f.Equal(x.(P), y.(P)) },
		powers: func(w bulks.View, x element) {
			by, last := x.(P), at(w, 0)
			f.One(last)
			for i := 1; i < w.N; i++ {
				next := at(w, i)
				f.Mul(next, last, by)
				last = next
			}
		},
		sum: func(z, x, w bulks.View, j int, temp bulks.View) {
			a, c, d, sum := at(x, 0), at(w, 0), at(temp, 0), at(z.Slice(j, j+1), 0)
			f.Set(sum, a)
			for i, e := 1, j; i < x.N; i++ {
				f.Mul(d, pointer.At(a, i*t.Size), pointer.At(c, e*t.Size))
				f.Add(sum, sum, d)
				if e += j; e >= x.N {
					e -= x.N
				}
			}
		},
		codelet: func(n int, powers [2]bulks.View) engine.Codelet { return codelet.New(f, t, n, powers) },
		root: func(z element, n uint64) error {
			return roots.(interface{ RootOfUnity(z P, n uint64) error }).RootOfUnity(z.(P), n)
		},
	}
}

// NewDomain returns d as schemes name it, for vectors of b.
func NewDomain[E any](f field.Field[E], b bulks.Bulk, d field.Domain[E]) (engine.Domain, error) {
	of := elements{f: f, b: b, host: bulks.NewSlices(f, false)}
	switch d := d.(type) {
	case field.Cyclic[E]:
		of.arithmetic = computing(f, pointer.Of[E](), d.Roots)
		c, convolves := d.Roots.(field.Convolver[E])
		of.arithmetic.convolution = func(n int, s field.Spec) (*convolution, error) {
			z, err := c.Convolution(n, false, s)
			if err != nil {
				return nil, err
			}
			r, _ := z.(reversing)
			return &convolution{ProductsOf(z), r}, nil
		}
		return of.cyclic(d.N, &d.Root, &d.Shift, d.Roots != nil, convolves)
	case field.Affine[E]:
		of.arithmetic = computing(f, pointer.Of[E](), nil)
		return of.affine(bulks.ViewOf(d.Basis), &d.Shift, d.Len())
	}
	return engine.Domain{}, kindError(d)
}
