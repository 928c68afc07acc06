package residues

import (
	"context"
	"fmt"
	"math/big"
	"sync"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/kernels/rns"
)

// Form is how elements of type E make up numbers below p.
type Form[E any] struct {
	P        *big.Int // odd
	Words    int      // of a number
	Elements int      // of a number: words of packed numbers, or 1
	// Packed returns numbers as the packed words that they are in memory. It is nil where they are none: then Pack sets
	// words to numbers, and Unpack sets numbers to words. All three are nil for E = uint64, which are words.
	Packed func(a []E) []uint64
	Pack   func(words []uint64, a []E)
	Unpack func(a []E, words []uint64)
	// Invalid returns the index of the first number that is not below p, and −1 where there is none.
	Invalid func(a []E) int
}

// Packed is products of polynomials modulo p, as a field.Convolution: those over the integers, of which the absolute
// values of coefficients are at most n·(p−1)². Modulo x^n − 1 none is negative, and the primes' product need only be
// half as large. It is doors to what is compiled once for all elements.
type Packed[E any] struct{ vectors }

// vectors is products of numbers of a form, and those methods of Packed that do not depend on it. What else a vector
// needs is functions: methods of an embedded struct are compiled for each type of elements.
type vectors struct {
	p       *Product
	form    form
	numbers *Numbers
	combine *Combiner
	rooms   sync.Pool // *packedRoom
	slices  sync.Pool // *packedSlice
}

// form is a Form whose elements are views.
type form struct {
	words, elements int
	packed          func(a bulks.View) []uint64
	pack            func(words []uint64, a bulks.View)
	unpack          func(a bulks.View, words []uint64)
	invalid         func(a bulks.View) int
}

// packedRoom is what moves need.
type packedRoom struct {
	project *ProjectorRoom
	combine *CombinerRoom
	words   []uint64 // of a block of numbers
}

// packedSlice is numbers on the way in and out.
type packedSlice struct {
	c     *vectors
	a     bulks.View
	words []uint64 // of packed numbers
}

// NewPacked returns that of length n. Operands are checked to be below p unless s says that they are not. Errors are
// those of Fits and of plans. Sums have as many products as one factor has terms, by s.
func NewPacked[E any](f Form[E], n int, negacyclic bool, s field.Spec, fields func(q uint64) (Field, error)) (
	*Packed[E], error) {
	of := form{words: f.Words, elements: f.Elements}
	if f.Pack != nil {
		of.pack = func(words []uint64, a bulks.View) { f.Pack(words, bulks.SliceOf[E](a)) }
		of.unpack = func(a bulks.View, words []uint64) { f.Unpack(bulks.SliceOf[E](a), words) }
	} else if f.Packed != nil {
		of.packed = func(a bulks.View) []uint64 { return f.Packed(bulks.SliceOf[E](a)) }
	} else {
		of.packed = bulks.SliceOf[uint64]
	}
	of.invalid = func(a bulks.View) int { return f.Invalid(bulks.SliceOf[E](a)) }
	c := new(Packed[E])
	if err := prepare(&c.vectors, f.P, of, n, negacyclic, s, fields); err != nil {
		return nil, err
	}
	return c, nil
}

// prepare is NewPacked for numbers of a form.
func prepare(c *vectors, p *big.Int, form form, n int, negacyclic bool, s field.Spec,
	fields func(q uint64) (Field, error)) error {
	size := Bits()
	if err := Fits(n, max(1, 2*p.BitLen()/size), &s); err != nil {
		return err
	}
	primes, ok := Primes(size, n, LeastModulo(termsOf(n, s), p, negacyclic))
	if !ok {
		return fmt.Errorf("fft: %w: products of length %d modulo a number of %d bits through other primes",
			field.ErrMemory, n, p.BitLen())
	}
	c.form, c.numbers = form, NewNumbers(primes, form.words, p.BitLen())
	c.combine = NewCombiner(primes, p, form.words, negacyclic)
	tasks := max(1, min(s.Workers, (n+least-1)/least))
	scratch := tasks * (c.numbers.RoomBytes() + c.combine.RoomBytes() + 8*chunk*form.words)
	tables := c.numbers.Bytes() + c.combine.Bytes()
	if s.MemoryLimit -= scratch; s.MemoryLimit <= 0 {
		return tooLarge(n, len(primes))
	}
	var err error
	if c.p, err = NewProduct(primes, n, negacyclic, s, fields); err != nil {
		return err
	}
	c.p.report.Scratch, c.p.report.Tables = c.p.report.Scratch+scratch, c.p.report.Tables+tables
	c.rooms.New = func() any {
		return &packedRoom{c.numbers.NewRoom(), c.combine.NewRoom(), make([]uint64, chunk*form.words)}
	}
	c.slices.New = func() any { return &packedSlice{c: c} }
	return nil
}

// termsOf is how many products coefficients are sums of, at most.
func termsOf(n int, s field.Spec) int {
	if s.Terms > 0 {
		return min(n, s.Terms)
	}
	return n
}

// chunk is how many numbers are converted to words and back at a time.
const chunk = 4 * rns.Block

// Load sets x to the residues of the numbers a, at most n.
func (c *Packed[E]) Load(x field.Vec, a []E) error {
	return load(&c.vectors, context.Background(), x, bulks.ViewOf(a))
}

// LoadContext is Load, which stops where ctx ends.
func (c *Packed[E]) LoadContext(ctx context.Context, x field.Vec, a []E) error {
	return load(&c.vectors, ctx, x, bulks.ViewOf(a))
}

// Store sets a to the numbers of x modulo p, the first ones where a has less than n.
func (c *Packed[E]) Store(a []E, x field.Vec) error {
	return store(&c.vectors, context.Background(), bulks.ViewOf(a), x)
}

// StoreContext is Store, which stops where ctx ends.
func (c *Packed[E]) StoreContext(ctx context.Context, a []E, x field.Vec) error {
	return store(&c.vectors, ctx, bulks.ViewOf(a), x)
}

func load(c *vectors, ctx context.Context, x field.Vec, a bulks.View) error {
	n := a.N / c.form.elements
	if _, err := c.p.vec(x, "src", n); err != nil {
		return err
	}
	if c.p.report.Checked {
		if i := c.form.invalid(a); i >= 0 {
			return &field.RangeError{What: "src", Index: i}
		}
	}
	s := slice(c, a)
	err := c.p.Load(ctx, x, s, n, moving(c))
	put(s)
	return err
}

func store(c *vectors, ctx context.Context, a bulks.View, x field.Vec) error {
	s := slice(c, a)
	err := c.p.Store(ctx, s, x, a.N/c.form.elements, moving(c))
	put(s)
	return err
}

func slice(c *vectors, a bulks.View) *packedSlice {
	s := c.slices.Get().(*packedSlice)
	s.a = a
	if c.form.packed != nil {
		s.words = c.form.packed(a)
	}
	return s
}

func put(s *packedSlice) {
	s.a, s.words = bulks.View{}, nil
	s.c.slices.Put(s)
}

// moving is about how many nanoseconds it takes to convert a number.
func moving(c *vectors) float64 { return float64(len(c.p.primes)*(c.form.words+4)) / 8 }

func (c *vectors) NewVec() (field.Vec, error)                        { return c.p.NewVec() }
func (c *vectors) ForwardVec(ctx context.Context, x field.Vec) error { return c.p.ForwardVec(ctx, x) }
func (c *vectors) InverseVec(ctx context.Context, x field.Vec) error { return c.p.InverseVec(ctx, x) }
func (c *vectors) MulVec(z, x, y field.Vec) error                    { return c.p.MulVec(z, x, y) }
func (c *vectors) Report() field.Report                              { return c.p.Report() }
func (c *vectors) Reverses(first int) bool                           { return c.p.Reverses(first) }
func (c *vectors) From(x field.Vec, first int) (field.Vec, error)    { return c.p.From(x, first) }
func (c *vectors) MulVecContext(ctx context.Context, z, x, y field.Vec) error {
	return c.p.MulVecContext(ctx, z, x, y)
}
func (c *vectors) MulReversed(ctx context.Context, z, x, y field.Vec) error {
	return c.p.MulReversed(ctx, z, x, y)
}

func (s *packedSlice) Residues(r [][]uint64, from, to int) {
	c := s.c
	room := c.rooms.Get().(*packedRoom)
	for from < to {
		a, words := s.next(room, from, to)
		if c.form.pack != nil {
			c.form.pack(words, a)
		}
		c.numbers.Residues(room.project, r, from, words)
		from += len(words) / c.form.words
	}
	c.rooms.Put(room)
}

func (s *packedSlice) Combine(r [][]uint64, from, to int) {
	c := s.c
	room := c.rooms.Get().(*packedRoom)
	for from < to {
		a, words := s.next(room, from, to)
		c.combine.Combine(room.combine, words, r, from)
		if c.form.unpack != nil {
			c.form.unpack(a, words)
		}
		from += len(words) / c.form.words
	}
	c.rooms.Put(room)
}

// next returns some numbers from from on, and their words: themselves, or room for as many.
func (s *packedSlice) next(room *packedRoom, from, to int) (a bulks.View, words []uint64) {
	form := &s.c.form
	if form.packed != nil {
		return a, s.words[from*form.words : to*form.words]
	}
	to = min(to, from+chunk)
	return s.a.Slice(from*form.elements, to*form.elements), room.words[:(to-from)*form.words]
}
