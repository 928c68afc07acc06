package residues

import (
	"context"
	"fmt"
	"math/big"
	"sync"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/kernels/rns"
)

// Form is how elements of type E make up numbers below p.
type Form[E any] struct {
	P        *big.Int // odd
	Words    int      // of a number
	Elements int      // of a number: words of packed numbers, or 1
	// Pack sets words to numbers, and Unpack sets numbers to words. Both are nil for packed words, which are uint64.
	Pack   func(words []uint64, a []E)
	Unpack func(a []E, words []uint64)
	// Invalid returns the index of the first number that is not below p, and −1 where there is none.
	Invalid func(a []E) int
}

// Packed is products of polynomials modulo p, as a field.Convolution: those over the integers, of which the absolute
// values of coefficients are at most n·(p−1)². Modulo x^n − 1 none is negative, and the primes' product need only be
// half as large.
type Packed[E any] struct {
	*Product
	form    Form[E]
	numbers *Numbers
	combine *Combiner
	rooms   sync.Pool // *packedRoom
	slices  sync.Pool // *packedSlice[E]
}

// packedRoom is what moves need.
type packedRoom struct {
	project *ProjectorRoom
	combine *CombinerRoom
	words   []uint64 // of a block of numbers
}

// packedSlice is numbers on the way in and out.
type packedSlice[E any] struct {
	c *Packed[E]
	a []E
}

// NewPacked returns that of length n. Operands are checked to be below p unless s says that they are not. Errors are
// those of Fits and of plans. Sums have as many products as one factor has terms, by s.
func NewPacked[E any](form Form[E], n int, negacyclic bool, s field.Spec, fields func(q uint64) (Field, error)) (
	*Packed[E], error) {
	p, size := form.P, Bits()
	if err := Fits(n, max(1, 2*p.BitLen()/size), &s); err != nil {
		return nil, err
	}
	primes, ok := Primes(size, n, LeastModulo(termsOf(n, s), p, negacyclic))
	if !ok {
		return nil, fmt.Errorf("fft: %w: products of length %d modulo a number of %d bits through other primes",
			field.ErrMemory, n, p.BitLen())
	}
	c := &Packed[E]{form: form, numbers: NewNumbers(primes, form.Words, p.BitLen()),
		combine: NewCombiner(primes, p, form.Words, negacyclic)}
	tasks := max(1, min(s.Workers, (n+least-1)/least))
	scratch := tasks * (c.numbers.RoomBytes() + c.combine.RoomBytes() + 8*chunk*form.Words)
	tables := c.numbers.Bytes() + c.combine.Bytes()
	if s.MemoryLimit -= scratch; s.MemoryLimit <= 0 {
		return nil, tooLarge(n, len(primes))
	}
	var err error
	if c.Product, err = NewProduct(primes, n, negacyclic, s, fields); err != nil {
		return nil, err
	}
	c.report.Scratch, c.report.Tables = c.report.Scratch+scratch, c.report.Tables+tables
	c.rooms.New = func() any {
		return &packedRoom{c.numbers.NewRoom(), c.combine.NewRoom(), make([]uint64, chunk*form.Words)}
	}
	c.slices.New = func() any { return &packedSlice[E]{c: c} }
	return c, nil
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
func (c *Packed[E]) Load(x field.Vec, a []E) error { return c.LoadContext(context.Background(), x, a) }

// LoadContext is Load, which stops where ctx ends.
func (c *Packed[E]) LoadContext(ctx context.Context, x field.Vec, a []E) error {
	n := len(a) / c.form.Elements
	if _, err := c.vec(x, "src", n); err != nil {
		return err
	}
	if c.report.Checked {
		if i := c.form.Invalid(a); i >= 0 {
			return &field.RangeError{What: "src", Index: i}
		}
	}
	s := c.slices.Get().(*packedSlice[E])
	s.a = a
	err := c.Product.Load(ctx, x, s, n, c.moving())
	s.a = nil
	c.slices.Put(s)
	return err
}

// Store sets a to the numbers of x modulo p, the first ones where a has less than n.
func (c *Packed[E]) Store(a []E, x field.Vec) error {
	return c.StoreContext(context.Background(), a, x)
}

// StoreContext is Store, which stops where ctx ends.
func (c *Packed[E]) StoreContext(ctx context.Context, a []E, x field.Vec) error {
	s := c.slices.Get().(*packedSlice[E])
	s.a = a
	err := c.Product.Store(ctx, s, x, len(a)/c.form.Elements, c.moving())
	s.a = nil
	c.slices.Put(s)
	return err
}

// moving is about how many nanoseconds it takes to convert a number.
func (c *Packed[E]) moving() float64 { return float64(len(c.primes)*(c.form.Words+4)) / 8 }

func (s *packedSlice[E]) Residues(r [][]uint64, from, to int) {
	c := s.c
	room := c.rooms.Get().(*packedRoom)
	for from < to {
		a, words := s.next(room, from, to)
		if c.form.Pack != nil {
			c.form.Pack(words, a)
		}
		c.numbers.Residues(room.project, r, from, words)
		from += len(words) / c.form.Words
	}
	c.rooms.Put(room)
}

func (s *packedSlice[E]) Combine(r [][]uint64, from, to int) {
	c := s.c
	room := c.rooms.Get().(*packedRoom)
	for from < to {
		a, words := s.next(room, from, to)
		c.combine.Combine(room.combine, words, r, from)
		if c.form.Unpack != nil {
			c.form.Unpack(a, words)
		}
		from += len(words) / c.form.Words
	}
	c.rooms.Put(room)
}

// next returns some numbers from from on, and their words: themselves, or room for as many.
func (s *packedSlice[E]) next(room *packedRoom, from, to int) (a []E, words []uint64) {
	form := &s.c.form
	if form.Pack == nil {
		return nil, any(s.a).([]uint64)[from*form.Words : to*form.Words]
	}
	to = min(to, from+chunk)
	return s.a[from*form.Elements : to*form.Elements], room.words[:(to-from)*form.Words]
}
