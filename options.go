package fft

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"runtime"
	"slices"
	"strings"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/tuning"
)

// Option is a parameter of a plan. No option but WithOrder, WithBatch, WithRoot, WithCoset, WithNegacyclic,
// WithSubspace and WithCoefficients, which say what is computed, changes a result. A nil Option sets nothing.
type Option func(*config)

type config struct {
	spec        field.Spec
	root, shift any // *E, by WithRoot and WithCoset
	basis       any // []E, by WithSubspace
	negacyclic  bool
	products    Products
	tuned       bool                  // spec.Tuning was given
	load        func() *tuning.Loaded // what spec.Tuning is otherwise
}

func collect(opts []Option) *config {
	c := &config{load: tuning.Default}
	for _, o := range opts {
		if o != nil {
			o(c)
		}
	}
	return c
}

// tune takes the tuned values of the machine where no others were given. No error of theirs is one of a plan's.
func (c *config) tune() {
	if c.tuned {
		return
	}
	if t := c.load(); t.Err != nil || !t.None() { // reports have the error
		c.spec.Tuning = t
	}
}

// domain is the default domain of n points with what options change of it: of a power of two the field's own subspace,
// where it has one (field.Subspaces), and otherwise the roots of unity.
func domain[E any](ctx context.Context, f field.Field[E], n int, c *config) (field.Domain[E], error) {
	if err := field.Check(f); err != nil {
		return nil, err
	}
	own, ok := field.SubspacesOf(f)
	switch {
	case c.basis != nil:
		return subspace(f, n, c)
	case ok && c.root == nil && !c.negacyclic && n > 0 && n&(n-1) == 0:
		d, err := field.NewAffine(own, n)
		if err == nil {
			err = set(f, &d.Shift, "WithCoset", c.shift)
		}
		return d, tooLong(err)
	}
	return cyclic(ctx, f, n, c)
}

// subspace is the affine domain of WithSubspace.
func subspace[E any](f field.Field[E], n int, c *config) (field.Domain[E], error) {
	var d field.Affine[E]
	basis, ok := c.basis.([]E)
	switch {
	case c.root != nil || c.negacyclic:
		return nil, errSubspace
	case !ok:
		return nil, elementError("WithSubspace", c.basis, basis)
	case len(basis) >= bits.UintSize-1 || 1<<len(basis) != n:
		return nil, basisError(n, len(basis))
	}
	d.Basis = make([]E, len(basis))
	for i := range basis {
		f.Set(&d.Basis[i], &basis[i])
	}
	return d, set(f, &d.Shift, "WithCoset", c.shift)
}

// cyclic is the default domain over roots of unity, on which products stand. Searches for roots stop when ctx ends
// where f offers that.
func cyclic[E any](ctx context.Context, f field.Field[E], n int, c *config) (field.Domain[E], error) {
	d := field.Cyclic[E]{N: n}
	err := c.cyclic(n)
	if err != nil {
		return d, err
	}
	f.One(&d.Shift)
	d.Roots, _ = f.(field.Rooted[E])
	root, order := &d.Root, uint64(n)
	if c.negacyclic {
		root, order = &d.Shift, 2*order
	}
	if c.root != nil {
		err = set(f, root, "WithRoot", c.root)
	} else if r, ok := f.(field.ContextRoots[E]); ok {
		err = r.RootOfUnityContext(ctx, root, order)
	} else if d.Roots != nil {
		err = d.Roots.RootOfUnity(root, order)
	} else {
		err = rootError(f)
	}
	if err == nil && c.negacyclic {
		f.Mul(&d.Root, root, root)
	}
	if err == nil {
		err = set(f, &d.Shift, "WithCoset", c.shift)
	}
	return d, err
}

// cyclic is the error of options or of a length that give no cyclic domain.
func (c *config) cyclic(n int) error {
	switch {
	case c.negacyclic && (c.root != nil || c.shift != nil):
		return errNegacyclic
	case n < 1:
		return lengthError(n)
	}
	return nil
}

func rootError(f any) error {
	return fmt.Errorf("fft: %w: %T gives no roots (give one with the domain)", ErrNoRoot, f)
}

// set sets z to the element that an option has, where it was given.
func set[E any](f field.Field[E], z *E, option string, element any) error {
	if element == nil {
		return nil
	}
	x, ok := element.(*E)
	if !ok {
		return elementError(option, element, z)
	}
	f.Set(z, x)
	return nil
}

var errNegacyclic = fmt.Errorf("fft: %w: WithNegacyclic sets root and shift, and was given with WithRoot or WithCoset",
	ErrSpec)

var errSubspace = fmt.Errorf("fft: %w: WithSubspace was given with WithRoot or WithNegacyclic, and a plan has one of them",
	ErrSpec)

// tooLong is the error of more points than the field has: a power of two above 1 is no order of a root there either.
func tooLong(err error) error {
	if err == nil || !errors.Is(err, ErrLength) {
		return err
	}
	return fmt.Errorf("%w: %w", err, ErrNoRoot)
}

func basisError(n, vectors int) error {
	return fmt.Errorf("fft: %w: %d vectors of WithSubspace for %d points, want 2 to the number of vectors as length",
		ErrLength, vectors, n)
}

func lengthError(n int) error {
	return fmt.Errorf("fft: %w: transform length %d, want at least 1", ErrLength, n)
}

// elementError names the types of elements, which stand behind pointers.
func elementError(option string, element, want any) error {
	is := func(x any) string { return strings.TrimLeft(fmt.Sprintf("%T", x), "*[]") }
	return fmt.Errorf("fft: %w: %s has an element of type %s, want %s", ErrSpec, option, is(element), is(want))
}

// WithOrder sets the order of the values: Natural (the default), BitReversed, or Scheme for whatever is
// cheapest, which Plan.Permutation tells.
func WithOrder(o Order) Option { return func(c *config) { c.spec.Order = o } }

// WithAlgorithm sets the scheme.
func WithAlgorithm(a Algorithm) Option { return func(c *config) { c.spec.Algorithm = a } }

// WithBase sets the length up to which transforms are base cases: a power of two, at least 2.
func WithBase(n int) Option { return func(c *config) { c.spec.Base = n } }

// WithStrip sets how many columns a scheme takes together: a power of two, at least 2.
func WithStrip(columns int) Option { return func(c *config) { c.spec.Strip = columns } }

// WithRadix bounds the radix of passes: a power of two, at least 2.
func WithRadix(r int) Option { return func(c *config) { c.spec.Radix = r } }

// WithCache sets how many elements depth-first layers, and changes of basis, take to fit in the first-level cache.
func WithCache(elements int) Option { return func(c *config) { c.spec.Cache = elements } }

// WithTwiddles sets how the twiddle factors between stages are kept.
func WithTwiddles(t Twiddles) Option { return func(c *config) { c.spec.Twiddles = t } }

// WithTuning sets the choices that were measured, such as a table of package tune; nil is none. The default is what
// programs load by themselves: the file of galfft tune in the user's directory of configurations or in GALFFT_TUNE, and
// what is built in for the processor. What other options ask for goes before it.
func WithTuning(t Tuning) Option {
	return func(c *config) { c.spec.Tuning, c.tuned = t, true }
}

// WithBatch lays several transforms out in one slice: see Rows and Columns.
func WithBatch(b Batch) Option { return func(c *config) { c.spec.Batch = b } }

// Rows is a batch of count transforms, number t of which is the elements from t·stride on; stride 0 is the
// length.
func Rows(count, stride int) Batch {
	if count == 0 && stride == 0 {
		stride = -1 // the zero Batch is one transform
	}
	return Batch{Count: count, Stride: stride}
}

// Columns is a batch of count transforms, where element i of number t is at i·stride + t; stride 0 is count.
func Columns(count, stride int) Batch { return Batch{Count: count, Stride: stride, Columns: true} }

// WithWorkers lets a call run on n goroutines where that pays, that is for each 10 to 20 µs of work; 0 stands for
// runtime.GOMAXPROCS(0), by default the hardware threads that the process may use, two of a core with SMT, of all
// memory nodes, or fewer by the quota of its control group. The default is 1: the caller's goroutine alone.
func WithWorkers(n int) Option {
	if n == 0 {
		n = runtime.GOMAXPROCS(0)
	}
	return func(c *config) { c.spec.Workers = n }
}

// WithGrain sets the least number of elements that a worker takes, in place of the default threshold.
func WithGrain(elements int) Option { return func(c *config) { c.spec.Grain = elements } }

// WithRunner sets what runs the workers' tasks; the default forks goroutines.
func WithRunner(r Runner) Option { return func(c *config) { c.spec.Runner = r } }

// WithProgress has f called during every call of the plan: see Spec.Progress in package field.
func WithProgress(f func(done, total int)) Option { return func(c *config) { c.spec.Progress = f } }

// WithMemoryLimit refuses plans whose tables and scratch of one call exceed that many bytes. The default is the
// machine's memory.
func WithMemoryLimit(bytes int) Option { return func(c *config) { c.spec.MemoryLimit = bytes } }

// WithoutPlanner leaves the field's fast path aside and runs over element methods: for comparisons.
func WithoutPlanner() Option { return func(c *config) { c.spec.NoPlanner = true } }

// WithoutRangeCheck leaves out the check that the elements given to calls are canonical, such as words below p: for
// callers who know that they are. The values of others are then unspecified.
func WithoutRangeCheck() Option { return func(c *config) { c.spec.Unchecked = true } }

// WithProducts sets how products of polynomials are made, by [NewConvolution] and by rings of package poly: by
// transforms over the field, or through other primes. Plans of transforms have no use for it.
func WithProducts(p Products) Option { return func(c *config) { c.products = p } }

// ProductsOf returns what WithProducts among the options sets, for packages that choose between convolutions.
func ProductsOf(opts ...Option) Products { return collect(opts).products }

// TuningOf returns the tuned values that plans with these options ask, for packages that choose beside them; nil, or
// without any, where there are none.
func TuningOf(opts ...Option) Tuning {
	c := collect(opts)
	c.tune()
	return c.spec.Tuning
}

// WorkersOf returns what WithWorkers, WithGrain and WithRunner among the options set, for packages that share work of
// their own among the workers of plans; a nil runner forks goroutines.
func WorkersOf(opts ...Option) (workers, grain int, r Runner) {
	s := &collect(opts).spec
	return s.Workers, s.Grain, s.Runner
}

// WithRoot sets the root of unity, of order exactly the length (ErrNoRoot otherwise), instead of the field's.
func WithRoot[E any](w E) Option { return func(c *config) { c.root = &w } }

// WithCoset evaluates at shift·w^j instead of w^j, where shift is not 0; over an affine domain it evaluates at shift
// plus the vectors of the subspace, and shift is any element.
func WithCoset[E any](shift E) Option { return func(c *config) { c.shift = &shift } }

// WithSubspace evaluates over the subspace that vectors span over GF(2), in a field of characteristic 2: point j is the
// sum of basis[i] over the bits i of j that are set. The length is 2^k for k vectors, which are linearly independent
// (ErrSpec otherwise) and canonical (ErrRange). Without it, plans of 2^k points take the field's own subspace, where it
// has one (field.Subspaces): its transforms are the fastest. Products of values are then products of polynomials modulo
// the one that vanishes on the points.
func WithSubspace[E any](basis ...E) Option {
	basis = slices.Clone(basis)
	if basis == nil {
		basis = []E{}
	}
	return func(c *config) { c.basis = basis }
}

// WithCoefficients sets the basis in which polynomials are given: [Monomial], the default, or [LCH], over affine
// domains alone (ErrSpec), where it saves the change of the basis.
func WithCoefficients(k Coefficients) Option { return func(c *config) { c.spec.Coefficients = k } }

// WithNegacyclic evaluates at the n points x with xⁿ = −1, the odd powers of the field's 2n-th root ψ: point j
// is ψ^(2j+1). Products of values are then products of polynomials modulo xⁿ + 1.
func WithNegacyclic() Option { return func(c *config) { c.negacyclic = true } }
