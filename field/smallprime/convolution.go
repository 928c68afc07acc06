package smallprime

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"sync"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/memory"
	"github.com/galfft/fft/internal/par"
	kernels "github.com/galfft/fft/kernels/word"
)

// maxImages is the number of primes that serve every word: 4·n·p² < 2^186 for all p < 2^64 and n ≤ 2^56.
const maxImages = 3

// mostRoots is the order of roots that helper primes have at least: of every power of two that a slice can want.
const mostRoots = 1 << 40

// helperPrimes are the three largest primes below 2^size that are 1 modulo mostRoots, smallest first.
func helperPrimes(size int) []uint64 {
	primes, err := Primes(size, mostRoots)
	if err != nil {
		panic(err) // a slip of this package
	}
	var list []uint64
	for p := range primes {
		if list = append(list, p); len(list) == maxImages {
			break
		}
	}
	slices.Reverse(list)
	return list
}

var primes50, primes62 = sync.OnceValue(func() []uint64 { return helperPrimes(50) }),
	sync.OnceValue(func() []uint64 { return helperPrimes(62) })

// helpers returns the primes q_0 < q_1 < … whose product is above 4·n·p²: of 50 bits where they have kernels and three
// of them are enough, of 62 bits elsewhere.
func helpers(n int, p uint64) []uint64 {
	need := bits.Len(uint(n)) + 2*bits.Len64(p) + 2 // bits of 4·n·p², at most
	if kernels.IFMA50() != nil || kernels.Double50() != nil {
		for count := 1; count <= maxImages; count++ {
			if need <= 49*count { // each is above 2^49
				return primes50()[:count]
			}
		}
	}
	return primes62()[:min(max(2, (need+60)/61), maxImages)]
}

// Convolution prepares products modulo x^n − 1 or x^n + 1 for every power of two n, whatever roots of unity f has:
// modulo one to three primes above the coefficients of the product over the integers, whose absolute values are at most
// n·(p−1)², and from these by the Chinese remainder theorem.
func (f *prime[W]) Convolution(n int, negacyclic bool, s field.Spec) (field.Convolution[W], error) {
	if f.m.p == 0 {
		return nil, f.unfit()
	}
	if n < 1 || n&(n-1) != 0 {
		return nil, fmt.Errorf("fft: %w: convolution of length %d, want a power of two", field.ErrLength, n)
	}
	if _, _, err := s.Batch.Layout(n); err != nil {
		return nil, err
	}
	if s.MemoryLimit == 0 {
		s.MemoryLimit = memory.Limit()
	}
	if uint64(n) > mostRoots/2 || 16*uint64(n) > uint64(s.MemoryLimit) {
		return nil, fmt.Errorf("fft: %w: products of length %d through other primes", field.ErrMemory, n)
	}
	c := &convolution[W]{m: f.m, n: n}
	c.project = func(s *moved[W], from, to int) {
		residues(s.r[0][from:to], s.a[from:to], c.m.p, s.m)
	}
	c.join = func(s *moved[W], from, to int) {
		for ; from < to; from += least {
			c.combine(s.a[from:min(from+least, to)], s.r, from)
		}
	}
	c.loops.Workers, c.loops.Grain = s.Workers, s.Grain
	if s.Runner != nil {
		c.loops.Runner = s.Runner
	}
	if !s.Unchecked {
		c.check = f
	}
	s.Unchecked = true
	s.Order, s.Batch, s.Progress = field.Scheme, field.Batch{}, nil
	place := uint64(1) // q_0·q_1·… modulo p
	for _, q := range helpers(n, f.m.p) {
		a, err := newImage(q, n, negacyclic, s)
		if err != nil {
			return nil, err
		}
		for _, b := range c.images {
			inverse, err := a.bulk.Table(field.ViewOf([]uint64{a.m.inv(b.m.p % q)}), field.Alone)
			if err != nil {
				return nil, err
			}
			a.inverses = append(a.inverses, inverse)
		}
		a.place = newConstant(f.m, place)
		place = f.m.mul(place, q)
		c.images = append(c.images, a)
		if s.MemoryLimit -= a.bytes(n); s.MemoryLimit <= 0 {
			return nil, fmt.Errorf("fft: %w: products of length %d through %d primes", field.ErrMemory, n,
				len(c.images))
		}
	}
	c.whole = place
	c.rooms.New = func() any {
		r := make([][]uint64, len(c.images))
		for i := range r {
			r[i] = make([]uint64, n)
		}
		return &r
	}
	return c, nil
}

// convolution is products modulo each prime q_0 < q_1 < ….
type convolution[W word] struct {
	m      modulus
	n      int
	check  *prime[W] // of operands; or nil
	images []*image
	whole  uint64    // the product of all q_i modulo p
	rooms  sync.Pool // *[][]uint64: n residues for each prime
	loops  par.Loops[moved[W]]
	// What loops do, made once: a function literal of a type parameter allocates.
	project, join func(s *moved[W], from, to int)
}

// moved is the state of a loop over elements.
type moved[W word] struct {
	a []W
	r [][]uint64
	m modulus // of one image
}

// least is how many elements a worker moves at a time at least: words that stay in the first-level cache between
// passes.
const least = 1 << 10

// image is what belongs to the prime q_i.
type image struct {
	m        modulus
	f        *Field64
	bulk     field.Bulk
	t        field.Transform[uint64]
	inverses []field.Table // 1/q_0, 1/q_1, …, 1/q_(i−1)
	place    constant      // q_0·…·q_(i−1) modulo p
}

func newImage(q uint64, n int, negacyclic bool, s field.Spec) (*image, error) {
	f := newField64(q)
	domain := field.NewCyclic[uint64]
	if negacyclic {
		domain = field.NewNegacyclic[uint64]
	}
	d, err := domain(f, n)
	if err != nil {
		return nil, err
	}
	a := &image{m: f.m, f: f, bulk: f.bulk()}
	a.t, err = f.Plan(d, s)
	return a, err
}

// bytes counts the plan, and the residues of one call.
func (a *image) bytes(n int) int {
	r := a.t.Report()
	return r.Tables + r.Scratch + 8*n
}

// constant is a factor modulo p with its companion ⌊2^64·w/p⌋ (V. Shoup).
type constant struct{ w, q uint64 }

func newConstant(m modulus, w uint64) constant {
	q, _ := bits.Div64(w, 0, m.p)
	return constant{w, q}
}

// mul returns a number below 2p that is w·x modulo p, for every x, where p < 2^63.
func (c constant) mul(x, p uint64) uint64 {
	h, _ := bits.Mul64(x, c.q)
	return x*c.w - h*p
}

// images is a vector: one of each transform.
type images struct {
	of any // the convolution that made it
	v  []field.Vec
}

func (v *images) Len() int { return v.v[0].Len() }

func (v *images) Close() error {
	if v.of == nil {
		return fmt.Errorf("fft: %w: it is closed", field.ErrVec)
	}
	v.of = nil
	var err error
	for _, w := range v.v {
		err = errors.Join(err, w.Close())
	}
	return err
}

func (c *convolution[W]) NewVec() (field.Vec, error) {
	v := &images{of: c}
	for _, a := range c.images {
		u, err := a.t.NewVec()
		if err != nil {
			return nil, err
		}
		v.v = append(v.v, u)
	}
	return v, nil
}

func (c *convolution[W]) vec(x field.Vec) (*images, error) {
	v, ok := x.(*images)
	if !ok || v == nil || v.of != any(c) {
		return nil, fmt.Errorf("fft: %w: it was not made by this convolution's NewVec", field.ErrVec)
	}
	return v, nil
}

func (c *convolution[W]) Load(x field.Vec, a []W) error {
	v, err := c.vec(x)
	if err != nil {
		return err
	}
	if len(a) > c.n {
		return &field.LengthError{What: "src", Want: c.n, Got: len(a)}
	}
	if c.check != nil {
		if i := c.check.FirstInvalid(a); i >= 0 {
			return &field.RangeError{What: "src", Index: i}
		}
	}
	r := c.rooms.Get().(*[][]uint64)
	defer c.rooms.Put(r)
	for i, b := range c.images {
		words, ok := any(a).([]uint64)
		if !ok || c.m.p > b.m.p {
			words = (*r)[0][:len(a)]
			const ns = 1.5
			l := c.loops.Get()
			l.State = moved[W]{a, *r, b.m}
			c.loops.Run(l, len(a), 1, ns, least, c.project)
			c.loops.Put(l)
		}
		if err := b.t.Load(v.v[i], words); err != nil {
			return err
		}
	}
	return nil
}

// residues sets r to x modulo m, for elements x below p.
func residues[W word](r []uint64, x []W, p uint64, m modulus) {
	r = r[:len(x)]
	if p <= m.p {
		for i, v := range x {
			r[i] = uint64(v)
		}
		return
	}
	one := newConstant(m, 1)
	for i, v := range x {
		u := one.mul(uint64(v), m.p)
		r[i] = min(u, u-m.p)
	}
}

func (c *convolution[W]) ForwardVec(ctx context.Context, x field.Vec) error {
	return c.each(x, func(a *image, v field.Vec) error { return a.t.ForwardVec(ctx, v) })
}

func (c *convolution[W]) InverseVec(ctx context.Context, x field.Vec) error {
	return c.each(x, func(a *image, v field.Vec) error { return a.t.InverseVec(ctx, v) })
}

func (c *convolution[W]) each(x field.Vec, do func(a *image, v field.Vec) error) error {
	v, err := c.vec(x)
	if err != nil {
		return err
	}
	for i, a := range c.images {
		if err := do(a, v.v[i]); err != nil {
			return err
		}
	}
	return nil
}

func (c *convolution[W]) MulVec(z, x, y field.Vec) error {
	var v [3]*images
	for i, w := range []field.Vec{z, x, y} {
		var err error
		if v[i], err = c.vec(w); err != nil {
			return err
		}
	}
	for i, a := range c.images {
		if err := a.t.MulVec(v[0].v[i], v[1].v[i], v[2].v[i]); err != nil {
			return err
		}
	}
	return nil
}

func (c *convolution[W]) Store(a []W, x field.Vec) error {
	v, err := c.vec(x)
	if err != nil {
		return err
	}
	if len(a) > c.n {
		return &field.LengthError{What: "dst", Want: c.n, Got: len(a)}
	}
	r := c.rooms.Get().(*[][]uint64)
	defer c.rooms.Put(r)
	for i, b := range c.images {
		if err := b.t.Store((*r)[i][:len(a)], v.v[i]); err != nil {
			return err
		}
	}
	const ns = 4 // for each prime
	l := c.loops.Get()
	l.State = moved[W]{a: a, r: *r}
	c.loops.Run(l, len(a), len(c.images), ns, least, c.join)
	c.loops.Put(l)
	return nil
}

// combine sets z to the integers with the residues of rows from the place from on, which it uses up, modulo p: residues
// become the digits v_0 + v_1·q_0 + v_2·q_0·q_1 of mixed radix (H. L. Garner, 1959). Integers are in the middle half of
// the residues, so that the last digit says which are negative.
func (c *convolution[W]) combine(z []W, rows [][]uint64, from int) {
	var parts [maxImages][]uint64
	r := parts[:len(rows)]
	for i := range r {
		r[i] = rows[i][from:][:len(z)]
	}
	for i, a := range c.images {
		for j, inverse := range a.inverses { // digits before are below q_i, because primes ascend
			a.f.SubVec(r[i], r[i], r[j])
			v := field.ViewOf(r[i])
			inverse.Scale(v, 0, 1, len(z), len(z))
			a.bulk.Reduce(v)
		}
	}
	last := len(r) - 1
	half := c.images[last].m.p / 2
	m, minus := c.m, subMod(0, c.whole, c.m.p)
	if m.p >= 1<<60 {
		for k := range z {
			sum := uint64(0)
			for i, a := range c.images {
				sum = addMod(sum, m.mul(a.place.w, r[i][k]), m.p)
			}
			if r[last][k] > half {
				sum = addMod(sum, minus, m.p)
			}
			z[k] = W(sum)
		}
		return
	}
	one := newConstant(m, 1)
	for k := range z {
		_, negative := bits.Sub64(half, r[last][k], 0)
		sum := minus & -negative
		for i, a := range c.images {
			sum += a.place.mul(r[i][k], m.p) // at most 7p < 2^63 together
		}
		sum = one.mul(sum, m.p)
		z[k] = W(min(sum, sum-m.p))
	}
}

// Report adds the figures of all transforms, and the residues of a call to the scratch.
func (c *convolution[W]) Report() field.Report {
	r := c.images[0].t.Report()
	form := fmt.Sprintf("products of integers modulo %d", c.images[0].m.p)
	r.Scratch += 8 * c.n
	for _, a := range c.images[1:] {
		more := a.t.Report()
		r.Tables, r.Scratch = r.Tables+more.Tables, r.Scratch+more.Scratch+8*c.n
		r.Vector += more.Vector
		form += fmt.Sprintf(", %d", a.m.p)
	}
	r.Checked = c.check != nil
	r.Form = form + "; " + r.Form
	return r
}
