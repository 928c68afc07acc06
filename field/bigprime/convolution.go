package bigprime

import (
	"context"
	"fmt"
	"math/big"
	"math/bits"
	"sync"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/arith"
	"github.com/galfft/fft/internal/memory"
	"github.com/galfft/fft/internal/par"
	"github.com/galfft/fft/internal/residues"
	"github.com/galfft/fft/kernels/rns"
)

// Convolution prepares products modulo x^n − 1 or x^n + 1 for every power of two n, whatever roots of unity f has:
// modulo primes of a word whose product is above the coefficients of the product over the integers, the absolute values
// of which are at most n·(p−1)², and from these by the Chinese remainder theorem modulo p. The primes have 50 bits
// where these have kernels, and 62 elsewhere.
//
// Of the parameters, Order, Batch, Progress and NoPlanner have no effect. With several workers, tasks are parts of a
// transform where it is long, and primes elsewhere.
func (f *Field[E]) Convolution(n int, negacyclic bool, s field.Spec) (field.Convolution[E], error) {
	if err := f.Check(); err != nil {
		return nil, err
	}
	t, err := newThrough(&f.prime, n, negacyclic, s)
	if err != nil {
		return nil, err
	}
	return &convolution[E]{t}, nil
}

// Convolution is that of [Field].
func (f *Any) Convolution(n int, negacyclic bool, s field.Spec) (field.Convolution[Number], error) {
	if err := f.Check(); err != nil {
		return nil, err
	}
	t, err := newThrough(&f.prime, n, negacyclic, s)
	if err != nil {
		return nil, err
	}
	c := &numberConvolution{through: t, f: f.numbers}
	c.packed.New = func() any {
		v := make([]uint64, n*t.f.w)
		return &v
	}
	t.report.Scratch += 8 * n * t.f.w
	return c, nil
}

// convolution is a through for slices of elements.
type convolution[E Words] struct{ *through }

func (c *convolution[E]) Load(x field.Vec, a []E) error {
	v, err := c.operand("src", x, len(a))
	if err != nil {
		return err
	}
	if c.checked {
		if i := c.f.firstInvalid(packed(a)); i >= 0 {
			return &field.RangeError{What: "src", Index: i}
		}
	}
	return c.load(v, packed(a))
}

func (c *convolution[E]) Store(a []E, x field.Vec) error {
	v, err := c.operand("dst", x, len(a))
	if err != nil {
		return err
	}
	return c.store(packed(a), v)
}

// numberConvolution is a through for elements that lie apart.
type numberConvolution struct {
	*through
	f      numbers
	packed sync.Pool // *[]uint64
}

func (c *numberConvolution) Load(x field.Vec, a []Number) error {
	v, err := c.operand("src", x, len(a))
	if err != nil {
		return err
	}
	if c.checked {
		if i := c.f.FirstInvalid(a); i >= 0 {
			return &field.RangeError{What: "src", Index: i}
		}
	}
	room := c.packed.Get().(*[]uint64)
	defer c.packed.Put(room)
	for i := range a {
		copy((*room)[i*c.f.w:], c.f.of(&a[i]))
	}
	return c.load(v, (*room)[:len(a)*c.f.w])
}

func (c *numberConvolution) Store(a []Number, x field.Vec) error {
	v, err := c.operand("dst", x, len(a))
	if err != nil {
		return err
	}
	room := c.packed.Get().(*[]uint64)
	defer c.packed.Put(room)
	err = c.store((*room)[:len(a)*c.f.w], v)
	for i := range a {
		copy(c.f.room(&a[i]), (*room)[i*c.f.w:])
	}
	return err
}

// through is products over the integers modulo helper primes, and their residues modulo p.
type through struct {
	f       *prime
	n       int
	checked bool // operands are
	images  []image
	project *residues.Projector // nil: residues one by one
	combine *residues.Combiner
	rooms   sync.Pool // *room
	jobs    sync.Pool // *job
	workers int
	grain   int
	inside  bool // the workers of a transform share it; otherwise they share the primes
	runner  field.Runner
	report  field.Report
}

// image is what belongs to one helper prime.
type image struct {
	f      *smallprime.Field64
	t      field.Transform[uint64]
	m      residues.Modulus
	powers residues.Powers // of words
}

// mostRoots is the order of the roots that helper primes have at least.
const mostRoots = 1 << 34

// helpers are the largest primes of each size that are 1 modulo mostRoots, as far as they have been needed.
var helpers struct {
	sync.Mutex
	of map[int][]uint64
}

// helperPrimes returns primes below 2^size, and above half of that, whose product is above 4·n·p².
func helperPrimes(size, n int, p *big.Int) ([]uint64, error) {
	least := new(big.Int).Mul(p, p)
	least.Mul(least.Lsh(least, 2), big.NewInt(int64(n)))
	helpers.Lock()
	defer helpers.Unlock()
	if count := least.BitLen()/(size-1) + 1; len(helpers.of[size]) < count {
		all, err := smallprime.Primes(size, mostRoots)
		if err != nil {
			return nil, err
		}
		var list []uint64
		for q := range all {
			if list = append(list, q); len(list) == count {
				break
			}
		}
		if helpers.of == nil {
			helpers.of = map[int][]uint64{}
		}
		helpers.of[size] = list
	}
	product := big.NewInt(1)
	for i, q := range helpers.of[size] {
		if product.Mul(product, new(big.Int).SetUint64(q)); product.Cmp(least) > 0 {
			return helpers.of[size][: i+1 : i+1], nil
		}
	}
	return nil, fmt.Errorf("fft: %w: products of length %d modulo %s through other primes", field.ErrMemory, n, short(p))
}

func newThrough(f *prime, n int, negacyclic bool, s field.Spec) (*through, error) {
	if n < 1 || n&(n-1) != 0 {
		return nil, fmt.Errorf("fft: %w: convolution of length %d, want a power of two", field.ErrLength, n)
	}
	if _, _, err := s.Batch.Layout(n); err != nil {
		return nil, err
	}
	size := residues.PlainBits
	if residues.Kernels() {
		size = residues.KernelBits
	}
	if s.MemoryLimit == 0 {
		s.MemoryLimit = memory.Limit()
	}
	// Each of at least so many primes has tables of two words for an element.
	if count := 2 * f.n.BitLen() / size; uint64(n) > mostRoots/2 ||
		uint64(n) > uint64(s.MemoryLimit)/uint64(16*count) {
		return nil, fmt.Errorf("fft: %w: products of length %d through %d other primes or more", field.ErrMemory, n, count)
	}
	primes, err := helperPrimes(size, n, f.n)
	if err != nil {
		return nil, err
	}
	c := &through{f: f, n: n, checked: !s.Unchecked, images: make([]image, len(primes)),
		workers: max(1, min(s.Workers, par.MaxTasks)), grain: s.Grain, runner: s.Runner}
	if c.runner == nil {
		c.runner = par.Fork
	}
	s.Unchecked, s.NoPlanner = true, false
	s.Order, s.Batch, s.Progress = field.Scheme, field.Batch{}, nil
	if size == residues.KernelBits {
		c.project = residues.NewProjector(primes, f.w, f.n.BitLen())
	}
	c.combine = residues.NewCombiner(primes, f.n, f.w)
	c.rooms.New = func() any { return c.newRoom() }
	c.jobs.New = func() any { return newJob(c) }
	c.report.Scratch = min(c.workers, c.parts(n).items) * c.roomBytes()
	if s.MemoryLimit -= c.report.Scratch; s.MemoryLimit <= 0 {
		return nil, c.tooLarge()
	}
	for i, q := range primes {
		if err := c.images[i].init(q, n, negacyclic, s); err != nil {
			return nil, err
		}
		r := c.images[i].t.Report()
		if i == 0 {
			c.begin(r)
			if c.inside = r.Workers == c.workers; !c.inside {
				s.Workers = 1
			}
		}
		c.report.Tables += r.Tables
		c.report.Scratch += r.Scratch
		if s.MemoryLimit -= r.Tables + r.Scratch; s.MemoryLimit <= 0 {
			return nil, c.tooLarge()
		}
	}
	return c, nil
}

func (c *through) tooLarge() error {
	return fmt.Errorf("fft: %w: products of length %d through %d primes", field.ErrMemory, c.n, len(c.images))
}

func (a *image) init(q uint64, n int, negacyclic bool, s field.Spec) (err error) {
	if a.f, err = smallprime.New64(q); err != nil {
		return err
	}
	domain := field.NewCyclic[uint64]
	if negacyclic {
		domain = field.NewNegacyclic[uint64]
	}
	d, err := domain(a.f, n)
	if err != nil {
		return err
	}
	a.m = residues.NewModulus(q)
	a.powers = a.m.NewPowers(64)
	a.t, err = a.f.Plan(d, s)
	return err
}

// begin starts the report with that of the first transform.
func (c *through) begin(r field.Report) {
	k := len(c.images)
	tables, scratch := c.combine.Bytes(), c.report.Scratch
	if c.project != nil {
		tables += c.project.Bytes()
	}
	c.report = r
	c.report.Tables, c.report.Scratch = tables, scratch
	c.report.Vector, c.report.Checked = 8*k*c.stride(), c.checked
	c.report.Form = fmt.Sprintf("products of integers modulo %d primes of %d bits; %s", k,
		bits.Len64(c.images[0].f.Modulus()), r.Form)
}

func (c *through) Report() field.Report { return c.report }

// row is the length of the rows of a vector, which have whole blocks.
func (c *through) row() int { return (c.n + rns.Block - 1) / rns.Block * rns.Block }

// stride is the distance of rows: a line more, so that they are in different sets of the caches.
func (c *through) stride() int { return c.row() + 8 }

// vec is a vector: a row of residues for each prime.
type vec struct {
	of   *through // nil: it is closed
	n    int
	rows [][]uint64
}

func (v *vec) Len() int { return v.n }

func (v *vec) Close() error {
	if v.of == nil {
		return fmt.Errorf("fft: %w: it is closed", field.ErrVec)
	}
	v.of = nil
	return nil
}

func (c *through) NewVec() (field.Vec, error) {
	k, stride := len(c.images), c.stride()
	all := arith.Aligned(k * stride)
	v := &vec{c, c.n, make([][]uint64, k)}
	for i := range v.rows {
		v.rows[i] = all[i*stride:][:c.row()]
	}
	return v, nil
}

func (c *through) vec(x field.Vec) (*vec, error) {
	v, ok := x.(*vec)
	if !ok || v == nil || v.of != c {
		return nil, fmt.Errorf("fft: %w: it was not made by this convolution's NewVec", field.ErrVec)
	}
	return v, nil
}

// room is what conversions need.
type room struct {
	project *residues.ProjectorRoom
	combine *residues.CombinerRoom
}

func (c *through) newRoom() *room {
	r := &room{combine: c.combine.NewRoom()}
	if c.project != nil {
		r.project = c.project.NewRoom()
	}
	return r
}

func (c *through) roomBytes() int {
	n := c.combine.RoomBytes()
	if c.project != nil {
		n += c.project.RoomBytes()
	}
	return n
}

// operand returns the vector for a slice of n elements.
func (c *through) operand(what string, x field.Vec, n int) (*vec, error) {
	v, err := c.vec(x)
	if err == nil && n > c.n {
		err = &field.LengthError{What: what, Want: c.n, Got: n}
	}
	return v, err
}

// load sets v to the residues of packed elements a.
func (c *through) load(v *vec, a []uint64) error {
	n := len(a) / c.f.w
	for _, r := range v.rows {
		clear(r[n:])
	}
	return c.run(work{x: v, words: a}, c.parts(n), (*job).load)
}

// store sets packed elements a to those of the residues v.
func (c *through) store(a []uint64, v *vec) error {
	return c.run(work{x: v, words: a}, c.parts(len(a)/c.f.w), (*job).store)
}

func (c *through) ForwardVec(ctx context.Context, x field.Vec) error {
	v, err := c.vec(x)
	if err != nil {
		return err
	}
	return c.run(work{x: v, ctx: ctx}, c.primes(!c.inside), (*job).forward)
}

func (c *through) InverseVec(ctx context.Context, x field.Vec) error {
	v, err := c.vec(x)
	if err != nil {
		return err
	}
	return c.run(work{x: v, ctx: ctx}, c.primes(!c.inside), (*job).inverse)
}

func (c *through) MulVec(z, x, y field.Vec) error {
	var v [3]*vec
	for i, w := range []field.Vec{z, x, y} {
		var err error
		if v[i], err = c.vec(w); err != nil {
			return err
		}
	}
	return c.run(work{z: v[0], x: v[1], y: v[2]}, c.primes(true), (*job).product)
}
