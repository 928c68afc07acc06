package field

import (
	"context"
	"fmt"
)

// Order says at which index a transform stores the value of point j.
type Order uint8

const (
	Natural     Order = iota // at j
	BitReversed              // at the reversal of the log2(n) bits of j: exact, the same for every plan
	Scheme                   // wherever the plan finds it cheapest: Permutation tells, valid with that plan only
)

var orderNames = []string{"natural", "bitrev", "scheme"}

// String returns natural, bitrev or scheme.
func (o Order) String() string { return nameOf(orderNames, int(o)) }

// ParseOrder is the inverse of String.
func ParseOrder(s string) (Order, error) { return parseName[Order]("order", orderNames, s) }

// Coefficients names the basis in which a transform takes polynomials and gives them back.
type Coefficients uint8

const (
	Monomial Coefficients = iota // powers of x
	// LCH is the basis of Lin, Chung and Han, which layers over an affine domain take. With W_k the polynomial of
	// degree 2^k that vanishes on the span of the first k vectors of the basis b of the domain, polynomial i is the
	// product of W_k(x)/W_k(b_k) over the bits k of i that are set. It does not depend on the shift, and shorter
	// domains of the same vectors have the first ones.
	LCH
)

var coefficientsNames = []string{"monomial", "lch"}

// String returns monomial or lch.
func (c Coefficients) String() string { return nameOf(coefficientsNames, int(c)) }

// ParseCoefficients is the inverse of String.
func ParseCoefficients(s string) (Coefficients, error) {
	return parseName[Coefficients]("coefficients", coefficientsNames, s)
}

// Algorithm names a scheme.
type Algorithm uint8

const (
	Auto          Algorithm = iota // chosen by the length, the traits of the bulk and the Spec
	Naive                          // the sum of the definition, n² products
	SixStep                        // six-step with explicit transposes
	SixStepMerged                  // six-step with its transposes merged into two passes over strips of columns
	FourStep                       // four-step: strips of columns, then rows
	DepthFirst                     // layers over the whole length, part by part until they fit in cache; powers of two
	MixedRadix                     // a transform for each prime factor; lengths of several, not all of them 2
	Bluestein                      // convolutions of powers of two; odd prime lengths
	Codelet                        // straight-line code over element methods; 2, 4, …, 64
	Fused                          // whole transforms of a back end, in kernels of its own; of reports, not to ask for
)

var algorithmNames = []string{"auto", "naive", "sixstep", "sixstep-merged", "fourstep", "depth-first", "mixed-radix",
	"bluestein", "codelet", "fused"}

// String returns the name that ParseAlgorithm takes: auto, naive, sixstep, sixstep-merged, fourstep, depth-first,
// mixed-radix, bluestein or codelet; and fused.
func (a Algorithm) String() string { return nameOf(algorithmNames, int(a)) }

// ParseAlgorithm is the inverse of String, for what can be asked for.
func ParseAlgorithm(s string) (Algorithm, error) {
	return parseName[Algorithm]("scheme", algorithmNames[:Fused], s)
}

func nameOf(names []string, i int) string {
	if i < len(names) {
		return names[i]
	}
	return fmt.Sprintf("#%d", i)
}

func parseName[T ~uint8](what string, names []string, s string) (T, error) {
	for i, n := range names {
		if n == s {
			return T(i), nil
		}
	}
	return 0, fmt.Errorf("fft: %w: %s %q, want one of %q", ErrSpec, what, s, names)
}

// Twiddles says how the twiddle factors between the stages of a scheme are kept.
type Twiddles uint8

const (
	AutoTwiddles Twiddles = iota // full where an element product is dear and memory allows, two levels elsewhere
	FullTwiddles                 // one table of n factors: one product for each element
	// tables of √n·c and n/c factors, for strips of c columns: two products for each element
	TwoLevel
)

var twiddleNames = []string{"auto", "full", "two-level"}

// String returns auto, full or two-level.
func (t Twiddles) String() string { return nameOf(twiddleNames, int(t)) }

// ParseTwiddles is the inverse of String.
func ParseTwiddles(s string) (Twiddles, error) {
	return parseName[Twiddles]("twiddles", twiddleNames, s)
}

// Spec holds the parameters of a plan that do not depend on the element type. The zero value is one
// transform, natural order, serial, everything else chosen. Order, Coefficients and Batch say what is computed; no
// other parameter changes the values.
type Spec struct {
	// Order of the values: of the output of Forward, of the input of Inverse.
	Order Order
	// Coefficients is the basis of polynomials: of the input of Forward, of the output of Inverse. LCH is for affine
	// domains alone.
	Coefficients Coefficients
	// Algorithm is the scheme. One that cannot run, as where a length does not split, is ErrScheme, and so ErrSpec.
	Algorithm Algorithm
	// Base is the length up to which a transform is a base case, run without splitting: a power of two,
	// at least 2. Up to 64 on element-wise fields base cases are straight-line code, above they are layers
	// that go depth first; by default, for fields with passes of high radix, of any length.
	Base int
	// Strip is the number of columns that a scheme copies out and transforms together: at least as many as the Columns
	// of a bulk, for which Base is at most N divided by that.
	Strip int
	// Cache is the number of elements that depth-first base cases and changes of basis take to fit in the first-level
	// cache.
	Cache int
	// Radix bounds the radix of passes, a power of two: those of several layers are faster, but where cache or
	// registers are short. By default it is the highest that the tables of the field have.
	Radix int
	// Twiddles is the form of the twiddle factors between stages.
	Twiddles Twiddles
	// Batch is the layout of several transforms in one slice.
	Batch Batch
	// Workers is the number of tasks that may run at once; 0 and 1 mean the calling goroutine alone.
	Workers int
	// Grain is the least number of elements in a task: work below Workers·Grain uses fewer tasks. By
	// default it is what about 10 µs of work cover, by the bulk's Traits.
	Grain int
	// Runner runs the tasks; nil forks goroutines.
	Runner Runner
	// Progress, where not nil, is called during each call of the plan with the steps done so far and the
	// steps in all, from whichever goroutine finished a step, one call at a time for each transform.
	Progress func(done, total int)
	// MemoryLimit is the number of bytes that the plan's tables may take, with the scratch of one call or with what
	// their making needs meanwhile; 0 means the memory of the machine. What cannot fit by an estimate is refused
	// before anything is allocated, and what the estimate missed once the tables are made.
	MemoryLimit int
	// Context, where not nil, stops the making of the plan when it ends; the error then wraps the context's. Calls of
	// the plan have contexts of their own.
	Context context.Context
	// Terms is for the convolutions of a Convolver alone: how many coefficients of one factor, at most, are not 0. Both
	// 0 and more than the length stand for the length. Sums of fewer products may take fewer primes.
	Terms int
	// Unchecked leaves out the check that operands of calls are canonical elements (RangeChecker), which takes 1 to 3 %
	// of a transform of 2^16 points, and more of very short ones and of those that leave the cache. Values of what is
	// not are then unspecified.
	Unchecked bool
	// Tuning, where not nil, is asked for choices that were measured. What the other parameters ask for goes before it.
	Tuning Tuning
	// NoPlanner ignores the field's own Planner, so that element methods do all the work.
	NoPlanner bool
	// Spread, where not nil, makes the transform a rank's part of one that is spread over a group: package dist sets
	// it, and whatever else it is gives an ErrSpec. Slices and vectors are the rank's part, and all ranks call
	// together.
	Spread any
}

// Batch lays out Count transforms of length n in one slice. The zero value is a single transform. By rows,
// transform t is the n elements from t·Stride on; by columns, element i of transform t is at i·Stride + t.
// Stride 0 means no gaps. Elements in gaps of the destination are left alone.
type Batch struct {
	Count, Stride int
	Columns       bool
}

// Layout fills in the defaults for transforms of n elements and returns the length of the slice that b
// covers, or ErrSpec.
func (b Batch) Layout(n int) (Batch, int, error) {
	if b == (Batch{}) {
		b.Count = 1
	}
	row, rows := n, b.Count
	if b.Columns {
		row, rows = b.Count, n
	}
	if b.Stride == 0 {
		b.Stride = row
	}
	if b.Count < 1 {
		return b, 0, fmt.Errorf("fft: %w: batch of %d, want a count of at least 1", ErrSpec, b.Count)
	}
	if b.Stride < row {
		return b, 0, fmt.Errorf("fft: %w: batch of %d with stride %d, want a stride of at least %d", ErrSpec, b.Count, b.Stride, row)
	}
	if rows > 1 && (maxInt-row)/(rows-1) < b.Stride {
		return b, 0, fmt.Errorf("fft: %w: batch of %d transforms of length %d with stride %d", ErrMemory, b.Count, n,
			b.Stride)
	}
	return b, (rows-1)*b.Stride + row, nil
}

const maxInt = int(^uint(0) >> 1)

// Runner runs f(0), …, f(tasks−1), possibly at once, and returns when all are done. It runs no f after the
// return and must be safe for concurrent use. Tasks take steps from each other, so that one that begins late has little
// to do. A processor that takes the same task in each run finds more in its cache.
type Runner interface {
	Run(tasks int, f func(i int))
}

// Transform is what a plan does, over one domain, in both directions. It is immutable and safe for
// concurrent use; calls allocate nothing once warm.
//
// Slices are as long as the batch layout asks for; dst may be src, and does not overlap it otherwise. Errors
// (ErrLength, ErrOverlap, ErrRange, ErrVec, the context's error) are found before anything is written, but for the
// context's: after it an out-of-place dst is unspecified and src intact, an in-place slice is unspecified.
//
// Where elements hold pointers, copies by assignment share what these point to. Results are fresh elements then, so
// that such copies stay as they are; calls allocate them.
type Transform[E any] interface {
	// Forward sets dst[π(j)] = Σᵢ src[i]·pointⱼⁱ, where π is the order, and where the Spec asks for other Coefficients
	// their polynomial i stands in place of the power.
	Forward(ctx context.Context, dst, src []E) error
	// Inverse undoes Forward, division by n included: its input is in the order, its output natural.
	Inverse(ctx context.Context, dst, src []E) error

	// NewVec makes a vector in working form, of the lengths of all transforms of the batch. Products stay in it:
	// Load, ForwardVec, MulVec, InverseVec, Store. Values are then in the plan's cheapest order.
	NewVec() (Vec, error)
	// Load sets the first elements of v to a, which may be shorter than v, and all others to 0. Store sets a, which may
	// be shorter as well, to the first elements of v. With a batch, a has its layout and is of its length.
	Load(v Vec, a []E) error
	Store(a []E, v Vec) error
	ForwardVec(ctx context.Context, v Vec) error
	InverseVec(ctx context.Context, v Vec) error
	// MulVec sets z to the pointwise products of x and y; z may be x or y.
	MulVec(z, x, y Vec) error

	// Permutation returns, for order Scheme, the point whose value stands at index i, for each i; it is
	// defined for the other orders as well. The slice is fresh.
	Permutation() []int
	// Report says what was chosen.
	Report() Report
}

// Vec is a vector in working form, valid with the transform that made it. Calls that only read it, Store and
// MulVec with it as a factor, may share it; others have it to themselves.
type Vec interface {
	Len() int // elements, of all transforms of a batch
	// Close frees the memory, which otherwise the garbage collector does. The vector is none from then on: ErrVec.
	Close() error
}

// Report tells what a plan runs and which wishes of the Spec it honours.
type Report struct {
	N         int
	Asked     Algorithm // what the Spec asked for
	Algorithm Algorithm // what runs, never Auto
	Reason    string    // why
	Passes    []string  // what a call does, in order
	Order     Order
	// Coefficients is the basis of polynomials, as asked for.
	Coefficients Coefficients
	// Head is the fewest coefficients behind which forward transforms find zeros and skip them: input that is 0 from a
	// power of two on, Head or more, takes the time that has to be spent on what is before it. 0: no zeros are skipped.
	Head    int
	Split   []int  // the factors of N, outermost first; [N] where nothing is split
	Base    int    // the largest base case
	Strip   int    // columns in a strip; 0 where none are cut
	Workers int    // tasks that a call really uses
	Tables  int    // bytes of tables
	Scratch int    // bytes of scratch that one running call holds
	Vector  int    // bytes of a vector in working form
	Checked bool   // calls check that operands are canonical elements
	Form    string // the working form and its arithmetic, in words
	Device  string // the device that runs the transforms; "" is the processor
	Ignored string // parameters that the plan does not honour, and why; "" is none
	// Products is how a Convolution multiplies, and AutoProducts for a plan of transforms; ProductsReason is why.
	Products       Products
	ProductsReason string
}

// Planner is the interface found when a plan is built, and Convolver with a domain's Roots: a field that offers it
// makes its own transforms. A field with a Bulk answers with schemes.Build, a device with its own code. It may refuse
// parameters it cannot honour (ErrSpec) or report them as Ignored. A nil Transform without an error leaves this
// transform to element methods, where they serve best.
type Planner[E any] interface {
	Plan(d Domain[E], s Spec) (Transform[E], error)
}
