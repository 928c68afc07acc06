// Package schemetest is the conformance suite of transforms: whoever makes a scheme, or a field that plans its
// own transforms, runs it.
//
// [Run] compares every algorithm, base case, order, number of workers, form of factors, batch and domain with
// the values of the definition, computed by element methods alone, and bit for bit with each other. It checks
// that wrong arguments are refused before anything is written, that contexts stop a transform, that plans are
// safe to share, and that hot calls allocate nothing.
//
// By default it takes some of all combinations of parameters, drawn by Config.Seed, such that every two values of two
// parameters meet. The environment variable FFT_TEST_SCALE, a positive integer, multiplies the number of random cases;
// from 2 on the suite takes all combinations.
package schemetest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"sync"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine/choice"
	"github.com/galfft/fft/internal/testscale"
)

// Config adapts the suite. The zero value tests what schemes.New makes of a field with a field.Sampler.
type Config[E any] struct {
	// New makes the transforms under test; nil is schemes.New.
	New func(d field.Domain[E], s field.Spec) (field.Transform[E], error)
	// Random draws an element; nil is the field's Sampler, or sums of powers of 1 + 1 where it has none.
	Random func(z *E, r *rand.Rand)
	// Seed of the random elements; it is in every failure.
	Seed uint64
	// Basis, where not nil, has the suite test affine domains in place of cyclic ones: those of 2^m points over the
	// first m of its vectors, which are at least three.
	Basis []E
	// MaxN bounds the lengths compared with the definition; 0 is 1024, and 4096 with all combinations. The field's
	// roots bound them too.
	MaxN int
	// Large are lengths checked at random points and by round trip.
	Large []int
	// Bases are the base cases; nil is 2, 4, …, 64, 256 and the default.
	Bases []int
	// Workers are the numbers of workers; nil is 1 to 4.
	Workers []int
	// MaxAllocs is what a hot call may allocate. Where it is negative, because element methods allocate, nobody counts.
	MaxAllocs float64
}

// Run runs the suite over f.
func Run[E any](t *testing.T, f field.Rooted[E], cfg Config[E]) {
	t.Helper()
	if err := field.Check(f); err != nil {
		t.Fatal(err)
	}
	scale := testscale.Of(t)
	run(t, scale, func() *suite { return newSuite(f, cfg, scale) })
}

// run runs all checks, each on a suite of its own.
func run(t *testing.T, scale int, fresh func() *suite) {
	t.Helper()
	for _, c := range checks {
		t.Run(c.name, func(t *testing.T) {
			s := fresh()
			defer func() { // methods of the field run in it
				if v := recover(); v != nil {
					t.Errorf("panic: %v\n%s", v, debug.Stack())
				}
			}()
			c.run(s, func(format string, args ...any) {
				if s.failures++; s.failures <= maxFailures {
					t.Errorf("Config.Seed %d, FFT_TEST_SCALE %d: %s", s.cfg.Seed, scale, fmt.Sprintf(format, args...))
				}
			})
		})
	}
}

// maxFailures is how many failures of one check are shown.
const maxFailures = 10

// failf reports a failed check; the suite goes on.
type failf func(format string, args ...any)

// check is one group of promises.
type check struct {
	name string
	run  func(s *suite, fail failf)
}

var checks = []check{
	{"definition", (*suite).definition},
	{"sizes", (*suite).sizes},
	{"domains", (*suite).domains},
	{"batches", (*suite).batches},
	{"large", (*suite).large},
	{"arguments", (*suite).arguments},
	{"context", (*suite).context},
	{"shared", (*suite).shared},
	{"copies", (*suite).copies},
	{"allocations", (*suite).allocations},
}

type suite struct {
	f        door
	cfg      Config[struct{}] // what is no matter of elements
	basis    vector           // Config.Basis
	affine   bool             // there is one
	scale    int
	r        *rand.Rand
	failures int
}

func newSuite[E any](f field.Rooted[E], cfg Config[E], scale int) *suite {
	s := configured(Config[struct{}]{Seed: cfg.Seed, MaxN: cfg.MaxN, Large: cfg.Large, Bases: cfg.Bases,
		Workers: cfg.Workers, MaxAllocs: cfg.MaxAllocs}, scale)
	s.f, s.basis, s.affine = newDoor(f, cfg.New, cfg.Random), bulks.ViewOf(cfg.Basis), cfg.Basis != nil
	return s
}

func configured(cfg Config[struct{}], scale int) *suite {
	if cfg.Seed == 0 {
		cfg.Seed = 1
	}
	if cfg.MaxN == 0 {
		if cfg.MaxN = 1024; scale >= testscale.Full {
			cfg.MaxN = 4096
		}
	}
	if cfg.Bases == nil {
		cfg.Bases = []int{2, 4, 8, 16, 32, 64, 256, 0}
	}
	if cfg.Workers == nil {
		cfg.Workers = []int{1, 2, 3, 4}
	}
	return &suite{cfg: cfg, scale: scale, r: rand.New(rand.NewPCG(cfg.Seed, 0))}
}

// combinations are those of parameters with so many values each.
func (s *suite) combinations(sizes ...int) [][]int {
	return testscale.Combinations(s.scale, s.r, sizes...)
}

var (
	algorithms = []field.Algorithm{field.Auto, field.Naive, field.SixStep, field.SixStepMerged, field.FourStep,
		field.DepthFirst}
	fast   = slices.Concat(algorithms[:1], algorithms[2:]) // all but the definition
	orders = []field.Order{field.Natural, field.BitReversed, field.Scheme}
)

func (s *suite) random(n int) vector {
	x := s.f.New(n)
	for i := range n {
		s.f.Random(s.f.At(x, i), s.r)
	}
	return x
}

func (s *suite) clone(x vector) vector {
	y := s.f.New(x.N)
	for i := range x.N {
		s.f.Set(s.f.At(y, i), s.f.At(x, i))
	}
	return y
}

func (s *suite) element() element { return s.f.At(s.f.New(1), 0) }

func (s *suite) equal(x, y vector) bool {
	return x.N == y.N && s.differs(x, y) < 0
}

func (s *suite) differs(x, y vector) int { return s.f.Differs(x, y) }

// values are those of x at every point of d, by Horner's rule: the definition.
func (s *suite) values(d domain, x vector) vector {
	y, z := s.f.New(d.Len()), s.f.Points(d)
	for j := range y.N {
		s.f.Value(s.f.At(y, j), x, s.f.At(z, j))
	}
	return y
}

// valuesLCH are those at every point of d of the sum of x[i]·X_i, where X_i is the product of W_k/W_k(b_k) over the
// bits k of i that are set, and W_k the polynomial of degree 2^k that vanishes on the span of the first k vectors.
func (s *suite) valuesLCH(d domain, x vector) vector {
	factor, t := s.element(), s.element()
	next := func(w, c element) { // from W_k to W_(k+1), for c = W_k(b_k)
		s.f.Add(t, w, c)
		s.f.Mul(w, w, t)
	}
	c := s.clone(d.basis)
	for k := range c.N {
		for i := range k {
			next(s.f.At(c, k), s.f.At(c, i))
		}
	}
	y, points := s.f.New(d.Len()), s.f.Points(d)
	for j := range y.N {
		w, v := s.f.At(points, j), s.clone(x)
		for k := range c.N {
			_ = s.f.Inv(factor, s.f.At(c, k)) // vectors do not depend on each other
			s.f.Mul(factor, factor, w)
			for i := range v.N / 2 {
				s.f.Mul(t, s.f.At(v, 2*i+1), factor)
				s.f.Add(s.f.At(v, i), s.f.At(v, 2*i), t)
			}
			v = v.Slice(0, v.N/2)
			next(w, s.f.At(c, k))
		}
		s.f.Set(s.f.At(y, j), s.f.At(v, 0))
	}
	return y
}

// permuted returns y[i] = x[p[i]].
func (s *suite) permuted(x vector, p []int) vector {
	y := s.f.New(len(p))
	s.f.Permute(y, x, p)
	return y
}

// domain is the one of n points, a power of two over a basis.
func (s *suite) domain(n int) (domain, error) {
	if !s.affine {
		return s.f.Cyclic(n)
	}
	m := bits.Len(uint(n)) - 1
	if m > s.basis.N {
		return domain{}, field.ErrNoRoot
	}
	return domain{kind: affine, basis: s.basis.Slice(0, m)}, nil
}

// lengths are the powers of two up to max that the field has domains for.
func (s *suite) lengths(max int) (n []int) {
	for m := 1; m <= max; m *= 2 {
		if _, err := s.domain(m); err != nil {
			break
		}
		n = append(n, m)
	}
	return n
}

// others are lengths up to MaxN that are no powers of two and that the field has roots for: all up to 128, and at most
// twenty up to 1024, of all sizes.
func (s *suite) others() (n []int) {
	var more []int
	for m := 3; m <= min(s.cfg.MaxN, 1024); m++ {
		switch {
		case m&(m-1) == 0 || s.affine || !s.f.HasRoot(m):
		case m <= 128:
			n = append(n, m)
		default:
			more = append(more, m)
		}
	}
	const most = 20
	for i := range min(most, len(more)) {
		n = append(n, more[i*len(more)/min(most, len(more))])
	}
	return n
}

// composite is the greatest of others that is a product of two factors above 4, or 0.
func (s *suite) composite() int {
	for _, n := range slices.Backward(s.others()) {
		if q := choice.LargestFactor(n); n/q > 4 {
			return n
		}
	}
	return 0
}

func (s *suite) plan(fail failf, d domain, spec field.Spec) transform {
	t, err := s.f.Plan(d, spec)
	if errors.Is(err, field.ErrScheme) && (s.affine || mayRefuse(spec.Algorithm, d.Len())) {
		spec.Algorithm = field.Auto
		t, err = s.f.Plan(d, spec)
	}
	if err != nil {
		fail("n %d, %+v: %v", d.Len(), spec, err)
		return nil
	}
	if r := t.Report(); r.Asked != spec.Algorithm || spec.Algorithm != field.Auto && r.Algorithm != spec.Algorithm ||
		r.Algorithm == field.Auto {
		fail("%s: the report says that %v was asked for and that %v runs", describe(d.Len(), spec), r.Asked, r.Algorithm)
	}
	return t
}

// permutation lists the points of an order by index.
func permutation(n int, o field.Order) []int {
	p := make([]int, n)
	for i := range p {
		p[i] = i
		if o == field.BitReversed {
			p[i] = bulks.Rev(i, bits.Len(uint(n))-1)
		}
	}
	return p
}

// mayRefuse reports whether a scheme serves some lengths alone, and n is none of these.
func mayRefuse(a field.Algorithm, n int) bool {
	switch a {
	case field.SixStep, field.SixStepMerged, field.FourStep:
		return n < 4 || choice.LargestFactor(n) == n
	case field.DepthFirst:
		return n&(n-1) != 0
	}
	return false
}

func describe(n int, s field.Spec) string {
	return fmt.Sprintf("n %d, %v, base %d, strip %d, order %v, workers %d, twiddles %v, without planner %v, batch %+v, "+
		"coefficients %v", n, s.Algorithm, s.Base, s.Strip, s.Order, s.Workers, s.Twiddles, s.NoPlanner, s.Batch, s.Coefficients)
}

var background = context.Background()

// same checks one transform against the values want (natural order) of x.
func (s *suite) same(fail failf, d domain, spec field.Spec, x, want vector) {
	t := s.plan(fail, d, spec)
	if t == nil {
		return
	}
	id := describe(d.Len(), spec)
	perm := t.Permutation()
	switch {
	case !isPermutation(perm, d.Len()):
		fail("%s: %v is not a permutation", id, perm)
		return
	case spec.Order != field.Scheme && !slices.Equal(perm, permutation(d.Len(), spec.Order)):
		fail("%s: permutation %v", id, perm)
		return
	}
	want = s.permuted(want, perm)
	src, dst := s.clone(x), s.random(d.Len())
	if err := t.Forward(background, dst, src); err != nil || !s.equal(dst, want) {
		fail("%s: forward out of place: error %v, differs at %d", id, err, s.differs(dst, want))
		return
	}
	if !s.equal(src, x) {
		fail("%s: forward out of place: source changed at %d", id, s.differs(src, x))
	}
	if err := t.Forward(background, src, src); err != nil || !s.equal(src, want) {
		fail("%s: forward in place: error %v, differs at %d", id, err, s.differs(src, want))
	}
	back := s.random(d.Len())
	if err := t.Inverse(background, back, dst); err != nil || !s.equal(back, x) {
		fail("%s: inverse out of place: error %v, differs at %d", id, err, s.differs(back, x))
	}
	if !s.equal(dst, want) {
		fail("%s: inverse out of place: source changed at %d", id, s.differs(dst, want))
	}
	if err := t.Inverse(background, dst, dst); err != nil || !s.equal(dst, x) {
		fail("%s: inverse in place: error %v, differs at %d", id, err, s.differs(dst, x))
	}
}

// vec makes a vector of t, or nil where that fails.
func (s *suite) vec(fail failf, t transform) field.Vec {
	v, err := t.NewVec()
	if err != nil {
		fail("new vector: %v", err)
		return nil
	}
	return v
}

// product checks that a product in working form is the inverse of the product of values, and that vectors
// that were not multiplied come back.
func (s *suite) product(fail failf, d domain, spec field.Spec, x, values vector) {
	t := s.plan(fail, d, spec)
	if t == nil {
		return
	}
	id := describe(d.Len(), spec)
	v, w := s.vec(fail, t), s.vec(fail, t)
	if v == nil || w == nil {
		return
	}
	got, same := s.f.New(d.Len()), s.f.New(d.Len())
	err := errors.Join(t.Load(v, x), t.ForwardVec(background, v), t.Load(w, x), t.ForwardVec(background, w),
		t.MulVec(v, v, w), t.InverseVec(background, v), t.Store(got, v), t.InverseVec(background, w), t.Store(same, w))
	want := s.permuted(values, t.Permutation())
	for i := range want.N {
		s.f.Mul(s.f.At(want, i), s.f.At(want, i), s.f.At(want, i))
	}
	err = errors.Join(err, t.Inverse(background, want, want))
	if err != nil || v.Len() != d.Len() || !s.equal(got, want) {
		fail("%s: product in working form: error %v, length %d, differs at %d", id, err, v.Len(), s.differs(got, want))
	}
	if !s.equal(same, x) {
		fail("%s: forward and back in working form differs at %d", id, s.differs(same, x))
	}
	for _, k := range []int{0, d.Len() / 2, d.Len() - 1} {
		short := s.clone(x)
		for i := k; i < d.Len(); i++ {
			s.f.Sub(s.f.At(short, i), s.f.At(x, i), s.f.At(x, i))
		}
		first := s.clone(x)
		err := errors.Join(t.Load(v, x), t.ForwardVec(background, v), t.Load(v, x.Slice(0, k)), t.Store(got, v),
			t.Store(first.Slice(0, d.Len()-k), v))
		if err != nil || !s.equal(got, short) {
			fail("%s: load of the first %d: error %v, differs at %d", id, k, err, s.differs(got, short))
		}
		want := s.clone(x)
		s.f.Assign(want, short.Slice(0, d.Len()-k))
		if !s.equal(first, want) {
			fail("%s: store to the first %d: differs at %d", id, d.Len()-k, s.differs(first, want))
		}
	}
}

func isPermutation(p []int, n int) bool {
	q := slices.Clone(p)
	slices.Sort(q)
	return len(q) == n && (n == 0 || q[0] == 0 && q[n-1] == n-1) && len(slices.Compact(q)) == n
}

// definition runs schemes, base cases, orders and workers at every length.
func (s *suite) definition(fail failf) {
	bases, workers := s.cfg.Bases, s.cfg.Workers
	parameters := []field.Spec{{NoPlanner: true}, {Strip: 2}, {Strip: 8, Base: 4}, {Strip: 4096, Base: 4}, {Cache: 16},
		{Cache: 1 << 20}, {Radix: 2}, {Radix: 4, Base: 16}, {Radix: 1 << 20},
		{Twiddles: field.FullTwiddles, Base: 8}, {Twiddles: field.TwoLevel, Base: 8}}
	for _, n := range s.lengths(s.cfg.MaxN) {
		d, err := s.domain(n)
		if err != nil {
			fail("n %d: %v", n, err)
			return
		}
		x := s.random(n)
		want := s.values(d, x)
		for _, c := range s.combinations(len(fast), len(bases), len(orders), len(workers)) {
			s.same(fail, d, field.Spec{Algorithm: fast[c[0]], Base: bases[c[1]], Order: orders[c[2]],
				Workers: workers[c[3]], Grain: 1}, x, want)
		}
		for _, c := range s.combinations(len(fast), len(bases), len(orders)) {
			s.product(fail, d, field.Spec{Algorithm: fast[c[0]], Base: bases[c[1]], Order: orders[c[2]],
				Workers: workers[len(workers)-1], Grain: 1}, x, want)
		}
		for _, c := range s.combinations(len(parameters), len(algorithms[2:]), len(orders[:2])) {
			spec := parameters[c[0]]
			spec.Algorithm, spec.Order = algorithms[2:][c[1]], orders[c[2]]
			s.same(fail, d, spec, x, want)
		}
		if n > 256 {
			continue // the definition has just been computed
		}
		for _, o := range orders {
			spec := field.Spec{Algorithm: field.Naive, Order: o, Grain: 1}
			for _, spec.Workers = range workers {
				s.same(fail, d, spec, x, want)
			}
			s.product(fail, d, spec, x, want)
		}
	}
}

// sizes runs lengths that are no powers of two, over the group and over a coset, and as batches.
func (s *suite) sizes(fail failf) {
	for _, n := range s.others() {
		group, err := s.f.Cyclic(n)
		if err != nil {
			fail("n %d: %v", n, err)
			return
		}
		domains, bases := []domain{group, s.coset(group)}, []int{0, 4, 16}
		if n > 128 {
			domains, bases = domains[s.r.IntN(2):][:1], []int{0, 16}
		}
		x, want := make([]vector, len(domains)), make([]vector, len(domains))
		for i, d := range domains {
			x[i] = s.random(n)
			want[i] = s.values(d, x[i])
		}
		for _, c := range s.combinations(len(domains), len(algorithms), len(bases)) {
			if a, b := algorithms[c[1]], bases[c[2]]; a != field.Naive || n <= 32 {
				s.same(fail, domains[c[0]], field.Spec{Algorithm: a, Base: b, Workers: 1 + b%3, Grain: 1}, x[c[0]],
					want[c[0]])
			}
		}
		if n > 128 {
			continue
		}
		for i, d := range domains {
			s.product(fail, d, field.Spec{Base: 4, Order: field.Scheme}, x[i], want[i])
			s.same(fail, d, field.Spec{NoPlanner: true}, x[i], want[i])
			s.batch(fail, d, field.Spec{Batch: field.Batch{Count: 3, Stride: n + 2}})
			s.batch(fail, d, field.Spec{Batch: field.Batch{Count: 9, Stride: 12, Columns: true}, Workers: 2, Grain: 1})
		}
	}
}

// coset is d with a shift that is neither 0 nor 1, in fields that have one.
func (s *suite) coset(d domain) domain {
	d.shift = s.element()
	for again := true; again; {
		s.f.Random(d.shift, s.r)
		again = s.f.Equal(d.shift, s.element())
	}
	return d
}

// cyclic are a coset of n points, the negacyclic one, and one of another root.
func (s *suite) cyclic(fail failf, n int) (list []domain) {
	group, _ := s.f.Cyclic(n)
	list = append(list, s.coset(group))
	if d, err := s.f.Negacyclic(n); err == nil {
		list = append(list, d)
	}
	other, _ := s.f.Cyclic(n) // the inverse root
	if err := s.f.Inv(other.root, other.root); err != nil {
		fail("n %d: %v", n, err)
	}
	return append(list, other)
}

// subspaces are a coset of n points, and one of another basis of the same space, its vectors in another order with each
// added to the next.
func (s *suite) subspaces(n int) []domain {
	basis := s.basis.Slice(0, bits.Len(uint(n))-1)
	coset := domain{kind: affine, basis: basis, shift: s.f.At(s.random(1), 0)}
	other := domain{kind: affine, basis: s.clone(basis), shift: s.f.At(s.random(1), 0)}
	for i := range basis.N {
		s.f.Set(s.f.At(other.basis, i), s.f.At(basis, basis.N-1-i))
	}
	for i := 1; i < basis.N; i++ {
		at := s.f.At(other.basis, i)
		s.f.Add(at, at, s.f.At(other.basis, i-1))
	}
	return []domain{coset, other}
}

// domains runs cosets, negacyclic transforms, other roots, other bases, and both kinds of coefficients.
func (s *suite) domains(fail failf) {
	for _, n := range s.lengths(min(s.cfg.MaxN, 128)) {
		var list []domain
		if !s.affine {
			list = s.cyclic(fail, n)
		} else {
			list = s.subspaces(n)
		}
		x := s.random(n)
		want := make([]vector, len(list))
		for i, d := range list {
			want[i] = s.values(d, x)
		}
		if s.affine { // the same domains, for coefficients LCH
			for _, d := range list {
				list, want = append(list, d), append(want, s.valuesLCH(d, x))
			}
		}
		for _, c := range s.combinations(len(list), len(algorithms), len(s.cfg.Bases), len(orders)) {
			spec := field.Spec{Algorithm: algorithms[c[1]], Base: s.cfg.Bases[c[2]], Order: orders[c[3]],
				Workers: 1 + c[3], Grain: 1}
			if s.affine && c[0] >= len(list)/2 {
				spec.Coefficients = field.LCH
			}
			s.same(fail, list[c[0]], spec, x, want[c[0]])
			if spec.Order == field.Scheme {
				s.product(fail, list[c[0]], spec, x, want[c[0]])
			}
		}
	}
}

// batches runs rows and columns with gaps, in place and out of place, and looks at the gaps.
func (s *suite) batches(fail failf) {
	for _, n := range s.lengths(min(s.cfg.MaxN, 64)) {
		d, _ := s.domain(n)
		batches := []field.Batch{{Count: 1}, {Count: 3}, {Count: 3, Stride: n + 2}, {Count: 1, Columns: true},
			{Count: 1, Stride: 3, Columns: true},
			{Count: 11, Columns: true}, {Count: 9, Stride: 12, Columns: true}}
		workers := []int{1, 2, 4}
		for _, c := range s.combinations(len(batches), len(workers), len(orders)) {
			s.batch(fail, d, field.Spec{Batch: batches[c[0]], Workers: workers[c[1]], Order: orders[c[2]], Grain: 1,
				Base: 4})
		}
	}
}

func (s *suite) batch(fail failf, d domain, spec field.Spec) {
	t := s.plan(fail, d, spec)
	if t == nil {
		return
	}
	id := describe(d.Len(), spec)
	b, size, err := spec.Batch.Layout(d.Len())
	if err != nil {
		fail("%s: %v", id, err)
		return
	}
	at := func(t, i int) int {
		if b.Columns {
			return i*b.Stride + t
		}
		return t*b.Stride + i
	}
	perm := t.Permutation()
	src, gaps := s.random(size), s.random(size)
	want, inPlace := s.clone(gaps), s.clone(src)
	for k := range b.Count {
		x := s.f.New(d.Len())
		for i := range x.N {
			s.f.Set(s.f.At(x, i), s.f.At(src, at(k, i)))
		}
		values := s.permuted(s.values(d, x), perm)
		for i := range values.N {
			s.f.Set(s.f.At(want, at(k, i)), s.f.At(values, i))
			s.f.Set(s.f.At(inPlace, at(k, i)), s.f.At(values, i))
		}
	}
	dst, x := s.clone(gaps), s.clone(src)
	if err := t.Forward(background, dst, x); err != nil || !s.equal(dst, want) || !s.equal(x, src) {
		fail("%s: forward: error %v, differs at %d, source at %d", id, err, s.differs(dst, want), s.differs(x, src))
	}
	if err := t.Forward(background, x, x); err != nil || !s.equal(x, inPlace) {
		fail("%s: forward in place: error %v, differs at %d", id, err, s.differs(x, inPlace))
	}
	if err := t.Inverse(background, x, x); err != nil || !s.equal(x, src) {
		fail("%s: inverse in place: error %v, differs at %d", id, err, s.differs(x, src))
	}
}

// large compares schemes at lengths beyond the definition's reach, at random points.
func (s *suite) large(fail failf) {
	for _, n := range s.cfg.Large {
		d, err := s.domain(n)
		if err != nil {
			fail("n %d: %v", n, err)
			return
		}
		x := s.random(n)
		var first vector
		for _, a := range []field.Algorithm{field.SixStep, field.SixStepMerged, field.FourStep} {
			for _, spec := range []field.Spec{{}, {Workers: 2, Grain: 1}, {Base: 64}} {
				spec.Algorithm = a
				t := s.plan(fail, d, spec)
				if t == nil {
					return
				}
				y := s.f.New(n)
				if err := t.Forward(background, y, x); err != nil {
					fail("%s: %v", describe(n, spec), err)
				}
				if first.Buf == nil {
					first = s.clone(y)
					for range 10 * s.scale {
						j := s.r.IntN(n)
						v := s.element()
						s.f.Value(v, x, s.f.Point(d, j))
						if !s.f.Equal(v, s.f.At(y, j)) {
							fail("%s: value %d is wrong", describe(n, spec), j)
						}
					}
				}
				if !s.equal(y, first) {
					fail("%s: differs from the first scheme at %d", describe(n, spec), s.differs(y, first))
				}
				if err := t.Inverse(background, y, y); err != nil || !s.equal(y, x) {
					fail("%s: round trip: error %v, differs at %d", describe(n, spec), err, s.differs(y, x))
				}
			}
		}
	}
}

// arguments checks that mistakes are found and nothing is written.
func (s *suite) arguments(fail failf) {
	n := s.top(16)
	d, _ := s.domain(n)
	bad := func(what string, d domain, spec field.Spec, want error) {
		if t, err := s.f.Plan(d, spec); !errors.Is(err, want) || t != nil {
			fail("%s: plan %v, error %v, want %v", what, t, err, want)
		}
	}
	bad("no domain", domain{}, field.Spec{}, field.ErrSpec)
	bad("length 0", domain{kind: cyclic}, field.Spec{}, field.ErrLength)
	bad("negative length", domain{kind: cyclic, n: -1}, field.Spec{}, field.ErrLength)
	if d.kind == cyclic {
		s.badCyclic(bad, d)
	} else {
		s.badAffine(bad)
	}
	if m := s.others(); len(m) > 0 {
		other, _ := s.f.Cyclic(m[0])
		bad("bit-reversed order of a length that is no power of two", other, field.Spec{Order: field.BitReversed},
			field.ErrSpec)
	}
	for _, spec := range []field.Spec{{Order: 9}, {Algorithm: 99}, {Twiddles: 9}, {Base: 3}, {Base: 1}, {Base: -4},
		{Strip: 5}, {Strip: 1}, {Radix: 3}, {Radix: 1}, {Workers: -1}, {Grain: -1},
		{Cache: -1}, {MemoryLimit: -1}, {Batch: field.Batch{Count: -1}},
		{Batch: field.Batch{Count: 2, Stride: n - 1}}} {
		bad(fmt.Sprintf("%+v", spec), d, spec, field.ErrSpec)
	}
	bad("no memory", d, field.Spec{MemoryLimit: 1}, field.ErrMemory)
	bad("a batch beyond memory", d, field.Spec{Batch: field.Batch{Count: math.MaxInt, Stride: n}}, field.ErrMemory)

	for _, spec := range []field.Spec{{Base: 4}, {Algorithm: field.Naive}, {Batch: field.Batch{Count: 2}}} {
		t := s.plan(fail, d, spec)
		if t == nil {
			return
		}
		_, size, _ := spec.Batch.Layout(n)
		x := s.random(2 * size)
		before := s.clone(x)
		for _, call := range []struct {
			what     string
			dst, src vector
			want     error
		}{
			{"short destination", x.Slice(0, size-1), x.Slice(size, 2*size), field.ErrLength},
			{"long destination", x.Slice(0, size+1), x.Slice(size, 2*size), field.ErrLength},
			{"short source", x.Slice(0, size), x.Slice(size, 2*size-1), field.ErrLength},
			{"nil destination", vector{}, x.Slice(0, size), field.ErrLength},
			{"nil source", x.Slice(0, size), vector{}, field.ErrLength},
			{"nil both", vector{}, vector{}, field.ErrLength},
			{"overlap by one", x.Slice(0, size), x.Slice(size-1, 2*size-1), field.ErrOverlap},
			{"overlap but one", x.Slice(1, size+1), x.Slice(0, size), field.ErrOverlap},
		} {
			if call.want == field.ErrOverlap && size < 2 {
				continue
			}
			if err := t.Forward(background, call.dst, call.src); !errors.Is(err, call.want) {
				fail("%s: forward: error %v, want %v", call.what, err, call.want)
			}
			if err := t.Inverse(background, call.dst, call.src); !errors.Is(err, call.want) {
				fail("%s: inverse: error %v, want %v", call.what, err, call.want)
			}
		}
		if other := s.plan(fail, d, spec); other != nil {
			v, w := s.vec(fail, t), s.vec(fail, other)
			for what, err := range map[string]error{
				"load": t.Load(w, x.Slice(0, n)), "store": t.Store(x.Slice(0, n), w), "forward": t.ForwardVec(background, w),
				"inverse": t.InverseVec(background, nil),
				"product": t.MulVec(v, v, w), "destination": t.MulVec(w, v, v),
			} {
				if !errors.Is(err, field.ErrVec) {
					fail("%s with the vector of another plan: error %v, want %v", what, err, field.ErrVec)
				}
			}
			if err := t.Load(v, x.Slice(0, n+1)); !errors.Is(err, field.ErrLength) {
				fail("load of a long slice: error %v", err)
			}
			if err := t.Store(x.Slice(0, n+1), v); !errors.Is(err, field.ErrLength) {
				fail("store to a long slice: error %v", err)
			}
		}
		if !s.equal(x, before) {
			fail("a refused call wrote element %d", s.differs(x, before))
		}
	}
}

type badf func(what string, d domain, spec field.Spec, want error)

func (s *suite) badCyclic(bad badf, d domain) {
	n := d.n
	d.roots = false
	with := func(change func(d *domain)) domain {
		d := d
		change(&d)
		return d
	}
	bad("length 3", with(func(d *domain) { d.n = 3 }), field.Spec{}, field.ErrNoRoot)
	bad("root of another order", with(func(d *domain) { d.n = 2 * n }), field.Spec{}, field.ErrNoRoot)
	bad("root 0", with(func(d *domain) { d.root = nil }), field.Spec{}, field.ErrNoRoot)
	bad("shift 0", with(func(d *domain) { d.shift = nil }), field.Spec{}, field.ErrNotInvertible)
	shift := s.f.New(1)
	s.f.Set(s.f.At(shift, 0), d.shift)
	bad("a subspace of a field of another characteristic", domain{kind: affine, basis: shift}, field.Spec{},
		field.ErrSpec)
}

func (s *suite) badAffine(bad badf) {
	of := func(basis vector) domain { return domain{kind: affine, basis: basis} }
	b, twice := s.clone(s.basis.Slice(0, 3)), s.clone(s.basis.Slice(0, 2))
	s.f.Add(s.f.At(b, 2), s.f.At(b, 0), s.f.At(b, 1))
	s.f.Set(s.f.At(twice, 1), s.f.At(twice, 0))
	bad("dependent vectors", of(b), field.Spec{}, field.ErrSpec)
	bad("a vector twice", of(twice), field.Spec{}, field.ErrSpec)
	bad("a vector 0", of(s.f.New(1)), field.Spec{}, field.ErrSpec)
	bad("more vectors than an int has bits", of(s.f.New(64)), field.Spec{}, field.ErrLength)
}

// top is the longest length up to n.
func (s *suite) top(n int) int {
	l := s.lengths(n)
	return l[len(l)-1]
}

// context checks ended contexts before and during calls, and the count of steps.
func (s *suite) context(fail failf) {
	s.contextOf(fail, s.top(min(s.cfg.MaxN, 1024)))
	if n := s.composite(); n > 0 {
		s.contextOf(fail, n)
	}
}

func (s *suite) contextOf(fail failf, n int) {
	d, _ := s.domain(n)
	for _, spec := range []field.Spec{{Algorithm: field.SixStep, Base: 4}, {Algorithm: field.SixStepMerged, Base: 4},
		{Algorithm: field.FourStep, Base: 4},
		{Algorithm: field.FourStep, Base: 4, Order: field.Scheme}, {Base: 4, Workers: 3, Grain: 1},
		{Batch: field.Batch{Count: 40}}} {
		var cancel context.CancelFunc
		var ctx context.Context
		last, total, stopAt := 0, 0, -1
		spec.Progress = func(done, of int) {
			if done != last+1 || of < done {
				fail("%s: progress %d of %d after %d", describe(n, spec), done, of, last)
			}
			if last, total = done, of; done == stopAt {
				cancel()
			}
		}
		t := s.plan(fail, d, spec)
		if t == nil {
			return
		}
		_, size, _ := spec.Batch.Layout(n)
		x := s.random(size)
		src, dst := s.clone(x), s.random(size)
		before := s.clone(dst)
		ctx, cancel = context.WithCancel(background)
		cancel()
		for _, call := range []func(context.Context, vector, vector) error{t.Forward, t.Inverse} {
			last = 0
			if err := call(ctx, dst, src); !errors.Is(err, context.Canceled) || !s.equal(dst, before) || last != 0 {
				fail("%s: ended context: error %v, %d steps, destination written at %d", describe(n, spec), err, last,
					s.differs(dst, before))
			}
		}
		ctx, cancel = context.WithCancel(background)
		// One case takes one step, as do short transforms of a batch.
		steps := n > 4 && !s.affine && (spec.Batch.Count == 0 || n >= 256)
		if err := t.Forward(ctx, dst, src); err != nil || last != total || total < 2 && steps {
			fail("%s: error %v after %d steps of %d", describe(n, spec), err, last, total)
		}
		for _, stopAt = range []int{1, total / 2} {
			if stopAt < 1 || stopAt >= total {
				continue
			}
			last = 0
			ctx, cancel = context.WithCancel(background)
			if err := t.Forward(ctx, dst, src); !errors.Is(err, context.Canceled) || !s.equal(src, x) || last == total {
				fail("%s: stopped at step %d of %d: error %v, %d steps, source written at %d", describe(n, spec),
					stopAt, total, err, last, s.differs(src, x))
			}
		}
		last, stopAt = 0, -1
		if err := t.Forward(background, src, src); err != nil { // the plan survives
			fail("%s: after a stop: %v", describe(n, spec), err)
		}
		cancel()
	}
}

// shared runs one plan from several goroutines.
func (s *suite) shared(fail failf) {
	n := s.top(min(s.cfg.MaxN, 256))
	d, _ := s.domain(n)
	for _, a := range algorithms {
		t := s.plan(fail, d, field.Spec{Algorithm: a, Base: 4, Workers: 2, Grain: 1})
		if t == nil {
			return
		}
		var wg sync.WaitGroup
		errs := make([]error, 8)
		for i := range errs {
			x := s.random(n)
			want, dst := s.values(d, x), s.f.New(n)
			wg.Go(func() {
				defer func() {
					if v := recover(); v != nil {
						errs[i] = fmt.Errorf("panic: %v\n%s", v, debug.Stack())
					}
				}()
				for range 4 * s.scale {
					if err := t.Forward(background, dst, x); err != nil || !s.equal(dst, want) {
						errs[i] = fmt.Errorf("error %v, differs at %d", err, s.differs(dst, want))
					}
				}
			})
		}
		wg.Wait()
		if err := errors.Join(errs...); err != nil {
			fail("%v shared by goroutines: %v", a, err)
		}
	}
}

// copies checks that elements copied by assignment, which share what they point to, stay as they are, and that one
// element may stand at all places of a slice.
func (s *suite) copies(fail failf) {
	n := s.top(min(s.cfg.MaxN, 64))
	d, _ := s.domain(n)
	t := s.plan(fail, d, field.Spec{})
	if t == nil {
		return
	}
	v := s.vec(fail, t)
	if v == nil {
		return
	}
	x := s.random(n)
	same := s.f.New(n)
	for i := range n {
		s.f.Assign(same.Slice(i, n), x.Slice(0, 1))
	}
	for _, src := range []vector{x, same} {
		before := s.clone(src)
		want := s.values(d, before)
		for what, call := range map[string]func(y vector) error{
			"forward in place": func(y vector) error { return t.Forward(background, y, y) },
			"forward":          func(y vector) error { return t.Forward(background, y, src) },
			"store": func(y vector) error {
				return errors.Join(t.Load(v, src), t.ForwardVec(background, v), t.InverseVec(background, v),
					t.Store(y, v), t.Forward(background, y, y))
			},
		} {
			y := s.f.New(n)
			s.f.Assign(y, src)
			if err := call(y); err != nil || !s.equal(y, want) {
				fail("%s of copied elements: error %v, differs at %d", what, err, s.differs(y, want))
			}
			if !s.equal(src, before) {
				fail("%s of copied elements changes the original at %d", what, s.differs(src, before))
			}
			if err := t.Inverse(background, y, y); err != nil || !s.equal(y, before) {
				fail("%s and back of copied elements: error %v, differs at %d", what, err, s.differs(y, before))
			}
		}
	}
}

// allocations counts those of hot calls.
func (s *suite) allocations(fail failf) {
	if raceEnabled || s.cfg.MaxAllocs < 0 {
		return // the race detector empties pools at random
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a collection empties them too
	n := 256
	if s.scale >= testscale.Full {
		n = 1024
	}
	s.allocationsOf(fail, s.top(min(s.cfg.MaxN, n)))
	if n := s.composite(); n > 0 {
		s.allocationsOf(fail, n)
	}
}

func (s *suite) allocationsOf(fail failf, n int) {
	d, _ := s.domain(n)
	x := s.random(4 * n)
	y := s.random(4 * n)
	for _, a := range algorithms[1:] {
		for _, spec := range []field.Spec{{}, {Order: field.Scheme}, {Workers: 2, Grain: 1},
			{Batch: field.Batch{Count: 4}}, {Batch: field.Batch{Count: 4, Columns: true}, Workers: 2, Grain: 1}} {
			if a == field.Naive && n > 64 {
				continue
			}
			spec.Algorithm, spec.Base = a, 8
			t := s.plan(fail, d, spec)
			if t == nil {
				return
			}
			_, size, _ := spec.Batch.Layout(n)
			from, to := x.Slice(0, size), y.Slice(0, size)
			var err error
			percent := debug.SetGCPercent(-1) // cleanups of what the collector finds would count
			runs := 5
			if spec.Workers > 1 {
				runs = 20 // which of them comes first to a pool is chance
			}
			got := testing.AllocsPerRun(runs, func() {
				err = errors.Join(t.Forward(background, to, from), t.Inverse(background, to, to))
			})
			debug.SetGCPercent(percent)
			if err != nil || got > s.cfg.MaxAllocs {
				fail("%s: %v allocations in forward and inverse, want at most %v; error %v", describe(n, spec), got,
					s.cfg.MaxAllocs, err)
			}
		}
	}
}
