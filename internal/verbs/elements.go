package verbs

import (
	"context"
	"io"
	"math/rand/v2"

	"github.com/galfft/fft"
	"github.com/galfft/fft/dist"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/vecfile"
	"github.com/galfft/fft/tune"
)

// element is a pointer to an element, of the type that the field has for them.
type element = any

// elements is what verbs do with elements: the arithmetic of one field, its transforms and its products. As in a
// vecfile.Codec, vectors are views of slices. Methods with the name of one in packages field and fft are that one.
type elements interface {
	vecfile.Codec
	Set(z, x element)
	Add(z, x, y element)
	Sub(z, x, y element)
	Mul(z, x, y element)
	Inv(z, x element) error
	One(z element)
	Equal(x, y element) bool
	Pow(z, x element, n uint64)
	Random(z element, r *rand.Rand)
	RootOfUnity(z element, n uint64) error
	// ShiftRoot returns the root of field.Shifter and its order, 0 where the field has no cheap shifts.
	ShiftRoot() (g element, order uint64)
	// Horner sets z to a + z·xⁿ, for a polynomial a of n coefficients.
	Horner(z element, a bulks.View, x element)
	// Elementwise returns the function that sets elements i to j−1 of z to x + y, x − y or x·y, for the operations
	// add, sub and mul, or, for shift, to x times powers of the root.
	Elementwise(op string, z, x, y bulks.View, powers []uint64) func(i, j int) error

	// Products puts x and y on the device of the field. run multiplies them there, and store copies the products.
	Products(x, y bulks.View) (run func() error, store func(z bulks.View) error, err error)
	// Multipliers says how products on the device go, and how else they could; "" where there is no choice.
	Multipliers() string

	Plan(ctx context.Context, n int, opts ...fft.Option) (plan, error)
	Coset(shift element) fft.Option
	Domain(p plan) (root, shift element) // fresh copies, of a cyclic domain
	// Affine returns the basis and the shift of an affine domain, fresh copies, and whether p has one.
	Affine(p plan) (basis bulks.View, shift element, ok bool)
	Subspaces() bool // whether the field is a field.Subspaces
	Subspace(basis bulks.View) fft.Option
	Point(p plan, z element, j int)
	// Transform returns the function that sets z to the values of x, or to the polynomial with these values.
	Transform(p plan, inverse bool, z, x bulks.View) func(ctx context.Context) error
	// Spread reports whether the parts of the ranks of g are those of x and its values y.
	Spread(ctx context.Context, g dist.Group, n int, x, y bulks.View, opts ...fft.Option) (bool, error)
	// Part plans the part of this rank of g.
	Part(ctx context.Context, g dist.Group, n int, opts ...fft.Option) (part, error)
	Load(p plan, v fft.Vec, x bulks.View) error
	Store(p plan, z bulks.View, v fft.Vec) error

	// Over returns these elements with the plans and the products of another field of them, as one on a device.
	Over(f any) elements
	// Ring returns the product of polynomials in the ring that the options make.
	Ring(opts ...fft.Option) (multiplier, error)
	// Tune measures plans over the field, TuneDevice those of the processor beside those of on, the field on a
	// device with at most so many threads in a block.
	Tune(ctx context.Context, o tune.Options) (*tune.Table, error)
	TuneDevice(ctx context.Context, on func(threads int) (any, error), device string,
		o tune.Options) (*tune.Table, error)
}

// plan is what an fft.Plan has that does not depend on the type of elements.
type plan interface {
	Len() int
	Size() int
	Order() fft.Order
	Permutation() []int
	Report() fft.Report
	Explain(w io.Writer) error
	NewVec() (fft.Vec, error)
	ForwardVec(ctx context.Context, v fft.Vec) error
	InverseVec(ctx context.Context, v fft.Vec) error
	MulVec(z, x, y fft.Vec) error
}

// part is what a dist.Plan has that does not depend on the type of elements, and its transforms in place.
type part struct {
	places
	transform func(ctx context.Context, x bulks.View, inverse bool) error
}

type places interface {
	Size() int
	Coefficients(rank int) dist.Part
	Values(rank int) dist.Part
	Report() fft.Report
}

// multiplier multiplies polynomials.
type multiplier struct {
	// times returns x·y, or its remainder.
	times func(ctx context.Context, x, y bulks.View, m Modulus) (bulks.View, error)
	// report says how it multiplies a by b coefficients.
	report func(ctx context.Context, a, b int) (field.Report, error)
}
