package intmul

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/arith"
	"github.com/galfft/fft/internal/memory"
	"github.com/galfft/fft/internal/par"
	"github.com/galfft/fft/internal/residues"
	"github.com/galfft/fft/kernels/rns"
)

// engine makes products of one shape.
type engine struct {
	shape
	a       *Arithmetic
	digits  *residues.Digits
	images  []*image
	workers int // at a time
	loops   par.Loops[task]
	inside  bool // the workers of a transform share it; otherwise they share the primes
	tables  int  // bytes
	rooms   memory.Shelf[*room]
}

// image is what belongs to one prime. Engines of one length share those of their primes, as digits and the number of
// primes change nothing in them.
type image struct {
	imageKey
	f     *smallprime.Field64
	parts []field.Transform[uint64] // of x^n − 1, or of x^(2n/3) + 1 and x^(n/3) + 1
	whole []convolver               // parts; nil where they offer none
	// halves is 1/2 in every place, for join.
	halves []uint64
	tables int // bytes
}

// convolver is what transforms of working forms that are slices offer: products in fewer passes over memory than two
// transforms, products of values and an inverse take.
type convolver interface {
	// Convolve sets x to the product of the polynomials whose a and b coefficients x and y begin with; y then has
	// anything. For b < 0, y has the values of the second one, and keeps them. y may be x.
	Convolve(ctx context.Context, x, y []uint64, a, b int) error
	// Convolves reports whether it can.
	Convolves() bool
}

// imageKey is what images depend on.
type imageKey struct {
	p, n    uint64
	parts   bool // two transforms
	short   bool // with short tables
	workers int  // of transforms
}

// entry is an engine that is there, or in the making.
type entry struct {
	making chan struct{} // holds one token
	e      *engine
	used   int
}

// room is the memory of a product: a row of residues for each prime, and one of the second factor for each task.
type room struct {
	rows   [][]uint64
	others [][]uint64
}

// Above tablesKept bytes of tables of a shape, transforms do with short ones, which make them slower by a tenth; so do
// those that the memory limit leaves no room for. Of all shapes so many bytes of long tables are kept as conversions
// and quotients of one length take, and at most half of the limit.
const (
	tablesKept = 64 << 20
	tablesAll  = 160 << 20
	longTable  = 1 << 20
)

// tableBytes is the memory of tables of a shape: a factor is two words, and a root of odd order takes as many again.
func (s shape) tableBytes() int {
	if s.truncated() {
		return 32 * s.primes * s.n
	}
	return 16 * s.primes * s.n
}

// row is the length of the rows of a room, which have whole blocks.
func (s shape) row() int { return (s.n + rns.Block - 1) / rns.Block * rns.Block }

// roomBytes is the memory of a product, with rows of so many second factors.
func (s shape) roomBytes(others int) int { return 8 * (s.primes + others) * (s.row() + 8) }

// Rooms of at most together bytes have the second factor modulo all primes, so that its digits are cut out once.
const together = 32 << 20

// others is the number of rows for the second factor of a product, where so many tasks have one each at least.
func (s shape) others(tasks, limit int) int {
	if bytes := s.roomBytes(s.primes); s.size > rns.Limb && bytes <= min(together, limit-s.tableBytes()) {
		return s.primes
	}
	return tasks
}

// engine returns that of a shape. When ctx ends, its error is returned.
func (a *Arithmetic) engine(ctx context.Context, s shape) (*engine, error) {
	a.mu.Lock()
	e := a.engines[s]
	if e == nil {
		e = &entry{making: make(chan struct{}, 1)}
		a.engines[s] = e
	}
	a.used++
	e.used = a.used
	made := e.e
	a.mu.Unlock()
	if made != nil {
		return made, nil
	}
	select {
	case e.making <- struct{}{}:
	case <-ctx.Done():
		return nil, stopped(ctx)
	}
	defer func() { <-e.making }()
	a.mu.Lock()
	made = e.e
	a.mu.Unlock()
	if made != nil {
		return made, nil
	}
	made, err := a.newEngine(ctx, s)
	if err != nil {
		return nil, err
	}
	a.mu.Lock()
	e.e = made
	a.forget(s)
	a.mu.Unlock()
	return made, nil
}

// forget drops engines with long tables but that of s, those first that were used last long ago, until what is left is
// below tablesAll, and images that no engine has.
func (a *Arithmetic) forget(s shape) {
	var made []shape
	for of, e := range a.engines {
		if e.e != nil {
			made = append(made, of)
		}
	}
	slices.SortFunc(made, func(x, y shape) int {
		return cmp.Compare(a.engines[y].used, a.engines[x].used)
	})
	sum, kept := 0, map[imageKey]*image{}
	for _, of := range made {
		e, more := a.engines[of].e, 0
		for _, m := range e.images {
			if kept[m.imageKey] == nil {
				more += m.tables
			}
		}
		if of != s && more >= longTable && sum+more > min(tablesAll, a.limit/2) {
			delete(a.engines, of)
			continue
		}
		sum += more
		for _, m := range e.images {
			kept[m.imageKey] = m
		}
	}
	a.images = kept
}

// tableLimit is the bytes that tables of a shape may take, if transforms are not to do with short ones.
func (a *Arithmetic) tableLimit(s shape) int { return min(tablesKept, a.limit-s.roomBytes(1)) }

// bare returns an engine without images.
func (a *Arithmetic) bare(s shape, d *residues.Digits, workers int) *engine {
	return &engine{shape: s, a: a, digits: d, workers: workers,
		loops: par.Loops[task]{Workers: workers, Grain: a.grain, Runner: a.runner}}
}

// A product has so many phases, whose tasks processors wake up for, that each worker but the first costs perWorker
// nanoseconds. So a product of t nanoseconds takes t/w + w·perWorker by w workers, which is least for w² = t/perWorker.
// Four pay for all products that have as many tasks.
const (
	fewWorkers = 4
	perWorker  = 24e3
	perCost    = .3 // nanoseconds of the unit of shapes, with IFMA
)

// workersOf is the number of workers for products of a shape: a power of two, or all where they are fewer. Cores of an
// Emerald Rapids, 16 of them, were slower than two at 10^6 bits before.
func (a *Arithmetic) workersOf(s shape) int {
	if a.grain > 0 {
		return a.workers
	}
	most := math.Sqrt(perCost * s.cost() / perWorker)
	return min(a.workers, max(fewWorkers, 1<<max(0, math.Ilogb(most))))
}

func (a *Arithmetic) newEngine(ctx context.Context, s shape) (*engine, error) {
	list := primes().primes[:s.primes]
	d, err := residues.NewDigits(ctx, list, s.size)
	if err != nil {
		return nil, err
	}
	e := a.bare(s, d, a.workersOf(s))
	workers := e.workers
	for i, p := range list {
		m, err := a.image(ctx, p, s, workers)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			if e.inside = workers < 2 || m.parts[0].Report().Workers == workers; !e.inside {
				workers = 1
			}
		}
		e.tables += m.tables
		e.images = append(e.images, m)
	}
	return e, nil
}

// image returns that of a prime for a shape. Several calls may make it at a time, of which all return one.
func (a *Arithmetic) image(ctx context.Context, p uint64, s shape, workers int) (*image, error) {
	key := imageKey{p: p, n: uint64(s.n), parts: s.truncated(), short: s.tableBytes() > a.tableLimit(s),
		workers: workers}
	a.mu.Lock()
	m := a.images[key]
	a.mu.Unlock()
	if m != nil {
		return m, nil
	}
	m, err := a.newImage(ctx, key, s, workers)
	if err != nil {
		return nil, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if made := a.images[key]; made != nil {
		return made, nil
	}
	a.images[key] = m
	return m, nil
}

func (a *Arithmetic) newImage(ctx context.Context, key imageKey, s shape, workers int) (*image, error) {
	m, spec := &image{imageKey: key}, a.spec(ctx, workers, key.short)
	lengths, domain := []int{s.n}, field.NewCyclic[uint64]
	if s.truncated() {
		lengths, domain = []int{s.n / 3 * 2, s.n / 3}, field.NewNegacyclic[uint64]
		m.halves = slices.Repeat([]uint64{key.p>>1 + 1}, min(folded, s.n/3))
	}
	var err error
	if m.f, err = smallprime.New64(key.p); err != nil {
		return nil, err
	}
	for _, n := range lengths {
		d, err := domain(m.f, n)
		if err != nil {
			return nil, err
		}
		t, err := m.f.Plan(d, spec)
		if err != nil {
			return nil, err
		}
		r := t.Report()
		if r.Workers < workers {
			spec.Workers = 1
		}
		m.tables += r.Tables
		m.parts = append(m.parts, t)
		if w, ok := t.(convolver); ok && w.Convolves() {
			m.whole = append(m.whole, w)
		}
	}
	return m, nil
}

// spec is that of transforms, with short tables or long ones.
func (a *Arithmetic) spec(ctx context.Context, workers int, short bool) field.Spec {
	s := field.Spec{Order: field.Scheme, Unchecked: true, Workers: workers, Runner: a.runner, Context: ctx,
		MemoryLimit: a.limit}
	if short {
		s.Algorithm, s.Twiddles = field.FourStep, field.TwoLevel
	}
	return s
}

// tasks is the number of primes at a time.
func (e *engine) tasks() int {
	if e.inside {
		return 1
	}
	const ns = 8 // of three transforms, for a coefficient
	return par.Tasks(min(e.workers, e.primes), 0, e.n*e.primes, ns)
}

// room returns the memory of a product, with rows of so many second factors.
func (e *engine) room(others int) *room {
	r, ok := e.rooms.Get(memory.Any[*room])
	if !ok {
		r = new(room)
	}
	for len(r.rows) < e.primes {
		r.rows = append(r.rows, e.newRow())
	}
	for len(r.others) < others {
		r.others = append(r.others, e.newRow())
	}
	return r
}

// newRow returns a row, which has a line more than its elements, so that rows are in different sets of the caches.
func (e *engine) newRow() []uint64 { return arith.Aligned(e.row() + 8)[:e.row()] }

// check is the error of a call that does not fit in memory.
func (e *engine) check(others int) error {
	if bytes := e.roomBytes(others) + e.tables; bytes > e.a.limit {
		return e.a.tooLarge(fmt.Sprintf("a product of %d bits", e.size*e.n), bytes)
	}
	return nil
}

// task is the state of a loop.
type task struct {
	e     *engine
	ctx   context.Context
	prime int
	count int
	row   []uint64
	words []uint64
	rows  [][]uint64

	thirds func(m *image, low, high, top []uint64)

	mu     sync.Mutex
	places []int    // of words where parts end
	rests  []uint64 // what parts leave above these, side by side

	do   func(i, other int) error // for a prime
	free []int                    // numbers of second factors
	err  error
}

// each runs do for every prime, some at a time where workers share them; other tells those apart that run at once.
func (e *engine) each(do func(i, other int) error) error {
	tasks := e.tasks()
	if tasks == 1 {
		for i := range e.primes {
			if err := do(i, 0); err != nil {
				return err
			}
		}
		return nil
	}
	loops := par.Loops[task]{Workers: tasks, Grain: 1, Runner: e.a.runner}
	l := loops.Get()
	s := &l.State
	for i := range tasks {
		s.free = append(s.free, i)
	}
	s.do = do
	loops.Run(l, e.primes, 1, 1, 1, func(s *task, from, to int) {
		s.mu.Lock()
		other := s.free[len(s.free)-1]
		s.free = s.free[:len(s.free)-1]
		err := s.err
		s.mu.Unlock()
		for i := from; i < to && err == nil; i++ {
			err = s.do(i, other)
		}
		s.mu.Lock()
		s.free = append(s.free, other)
		s.err = cmp.Or(s.err, err)
		s.mu.Unlock()
	})
	return s.err
}

// glance is the number of coefficients between two looks at a context.
const glance = 1 << 13

// loadAll sets rows to the values of the number of words a modulo each prime.
func (e *engine) loadAll(ctx context.Context, rows [][]uint64, a []uint64) error {
	count, err := e.cut(ctx, rows, a)
	if err != nil {
		return err
	}
	return e.each(func(i, _ int) error { return e.forward(ctx, i, rows[i], count) })
}

// cut sets rows to the digits of a modulo each prime, and returns their number: others may follow.
func (e *engine) cut(ctx context.Context, rows [][]uint64, a []uint64) (count int, err error) {
	count = min(e.digits.Count(len(a)), e.n)
	l := e.loops.Get()
	s := &l.State
	s.e, s.ctx, s.rows, s.words = e, ctx, rows[:e.primes], a
	e.loops.Run(l, count, 1, float64(e.primes)*e.digits.SplitCost(), rns.Block, func(s *task, from, to int) {
		for ; from < to && s.ctx.Err() == nil; from += glance {
			s.e.digits.SplitAll(s.rows, from, min(to, from+glance), s.words)
		}
	})
	e.loops.Put(l)
	return count, stopped(ctx)
}

// split sets row to as many digits of a, modulo prime i.
func (e *engine) split(ctx context.Context, i int, row, a []uint64) error {
	count := len(row)
	if !e.inside {
		for from := 0; from < count; from += glance {
			if err := stopped(ctx); err != nil {
				return err
			}
			e.digits.Split(i, row[from:min(count, from+glance)], from, a)
		}
		return nil
	}
	l := e.loops.Get()
	s := &l.State
	s.e, s.ctx, s.prime, s.row, s.words = e, ctx, i, row, a
	e.loops.Run(l, count, 1, e.digits.SplitCost(), rns.Block, func(s *task, from, to int) {
		for ; from < to && s.ctx.Err() == nil; from += glance {
			s.e.digits.Split(s.prime, s.row[from:min(to, from+glance)], from, s.words)
		}
	})
	e.loops.Put(l)
	return stopped(ctx)
}

// forward takes count coefficients to values. Behind them there may be anything.
func (e *engine) forward(ctx context.Context, i int, row []uint64, count int) error {
	m, n := e.images[i], e.n/3
	if !e.truncated() {
		clear(row[count:e.n])
		return m.parts[0].Forward(ctx, row[:e.n], row[:e.n])
	}
	a, b := e.fold(i, row, count)
	clear(row[a : 2*n])
	clear(row[2*n+b : 3*n])
	if err := m.parts[0].Forward(ctx, row[:2*n], row[:2*n]); err != nil {
		return err
	}
	return m.parts[1].Forward(ctx, row[2*n:3*n], row[2*n:3*n])
}

// fold takes count coefficients to a and b of the parts. Behind them there is anything.
func (e *engine) fold(i int, row []uint64, count int) (a, b int) {
	n := e.n / 3
	if count <= 2*n {
		e.thirds(i, row, count, (*image).foldTwo)
		return count, min(count, n)
	}
	clear(row[count:e.n])
	e.thirds(i, row, e.n, (*image).fold)
	return 2 * n, n
}

// thirds has fold or join take the three parts of a row of count coefficients, without what is behind them in the
// second part.
func (e *engine) thirds(i int, row []uint64, count int, do func(m *image, low, high, top []uint64)) {
	n := e.n / 3
	if !e.inside {
		do(e.images[i], row[:min(count, n)], row[n:max(n, min(count, 2*n))], row[2*n:3*n])
		return
	}
	l := e.loops.Get()
	s := &l.State
	s.e, s.prime, s.row, s.count, s.thirds = e, i, row, count, do
	const ns = 1 // of four or five operations
	e.loops.Run(l, min(count, n), 1, ns, rns.Block, func(s *task, from, to int) {
		n := s.e.n / 3
		second := s.row[n+from : max(n+from, min(s.count, n+to))]
		s.thirds(s.e.images[s.prime], s.row[from:to], second, s.row[2*n+from:2*n+to])
	})
	e.loops.Put(l)
}

// folded is the number of coefficients of a part that fold and join take at a time, so that they stay in the cache.
const folded = 1 << 9

// fold takes a polynomial of three parts to those modulo x^2n + 1, in low and high, and modulo x^n + 1, in top, where
// x^2n is 1.
func (m *image) fold(low, high, top []uint64) {
	for len(low) > 0 {
		k := min(folded, len(low))
		l, h, t := low[:k], high[:k], top[:k]
		m.f.SubVec(l, l, t)
		m.f.AddVec(t, t, t)
		m.f.SubVec(t, t, h)
		m.f.AddVec(t, t, l) // l − h + t
		low, high, top = low[k:], high[k:], top[k:]
	}
}

// foldTwo is fold where the third part is 0, and the second one behind its end: anything stands there.
func (m *image) foldTwo(low, high, top []uint64) {
	k := len(high)
	m.f.SubVec(top[:k], low[:k], high)
	copy(top[k:len(low)], low[k:])
}

// join is the inverse of fold: u + (x^2n + 1)·(v − u)/2, where u is low and high, v top, and x^2n is 1 in v − u.
func (m *image) join(low, high, top []uint64) {
	for len(low) > 0 {
		k := min(folded, len(low))
		l, h, t := low[:k], high[:k], top[:k]
		m.f.SubVec(t, t, l)
		m.f.AddVec(t, t, h)
		m.f.MulVec(t, t, m.halves[:k])
		m.f.AddVec(l, l, t)
		low, high, top = low[k:], high[k:], top[k:]
	}
}

// inverse takes values to coefficients.
func (e *engine) inverse(ctx context.Context, i int, row []uint64) error {
	m := e.images[i]
	if !e.truncated() {
		return m.parts[0].Inverse(ctx, row[:e.n], row[:e.n])
	}
	n := e.n / 3
	if err := m.parts[0].Inverse(ctx, row[:2*n], row[:2*n]); err != nil {
		return err
	}
	if err := m.parts[1].Inverse(ctx, row[2*n:3*n], row[2*n:3*n]); err != nil {
		return err
	}
	e.thirds(i, row, e.n, (*image).join)
	return nil
}

// times sets x to the products of x and y, value by value.
func (e *engine) times(i int, x, y []uint64) {
	f := e.images[i].f
	if !e.inside {
		f.MulVec(x[:e.n], x[:e.n], y[:e.n])
		return
	}
	l := e.loops.Get()
	s := &l.State
	s.e, s.prime, s.row, s.words = e, i, x, y
	e.loops.Run(l, e.n, 1, 1, rns.Block, func(s *task, from, to int) {
		s.e.images[s.prime].f.MulVec(s.row[from:to], s.row[from:to], s.words[from:to])
	})
	e.loops.Put(l)
}

// carry sets z to the sum of the coefficients at their places, modulo radix^len(z).
func (e *engine) carry(ctx context.Context, z []uint64, rows [][]uint64) error {
	count := min(e.digits.Count(len(z)), e.n)
	l := e.loops.Get()
	defer e.loops.Put(l)
	s := &l.State
	s.e, s.ctx, s.words, s.rows = e, ctx, z, rows
	e.loops.Run(l, count, 1, e.digits.CarryCost(), 8*rns.Block, func(s *task, from, to int) {
		rest := make([]uint64, s.e.digits.Rest())
		for ; from < to && s.ctx.Err() == nil; from += glance {
			at := s.e.add(s.words, rest, s.rows, from, min(to, from+glance))
			s.mu.Lock()
			s.places, s.rests = append(s.places, at), append(s.rests, rest...)
			s.mu.Unlock()
		}
	})
	if err := stopped(ctx); err != nil {
		return err
	}
	end, rest := 0, e.digits.Rest()
	for _, at := range s.places {
		end = max(end, at)
	}
	clear(z[min(len(z), end):])
	for i, at := range s.places {
		if at < len(z) {
			e.radix.addTo(z[at:], s.rests[i*rest:][:rest])
		}
	}
	return nil
}

// add adds up coefficients of z, as residues.Digits.Carry does.
func (e *engine) add(z, rest []uint64, rows [][]uint64, from, to int) (at int) {
	if e.side == plus {
		e.lift(rows, from, to)
	}
	if e.radix == decimal {
		return e.digits.CarryRadix(z, rest, rows, from, to, ten)
	}
	return e.digits.Carry(z, rest, rows, from, to)
}

// multiply sets z to x·y, modulo radix^len(z). Where the context may end and z is long, carries look at the context,
// and leave anything in z; otherwise no error follows once z is written, and z may be x or y.
func (e *engine) multiply(ctx context.Context, z, x, y []uint64) error {
	others := 0
	if !same(x, y) {
		others = e.others(e.tasks(), e.a.limit)
	}
	if err := e.check(others); err != nil {
		return err
	}
	r := e.room(others)
	defer e.rooms.Put(r)
	count, err := e.cut(ctx, r.rows, x)
	if err != nil {
		return err
	}
	second := 0
	if others == e.primes {
		if second, err = e.cut(ctx, r.others, y); err != nil {
			return err
		}
	}
	err = e.each(func(i, other int) error {
		row, by, second := r.rows[i], r.rows[i], second
		switch others {
		case 0:
			second = count
		case e.primes:
			by = r.others[i]
		default:
			by, second = r.others[other], min(e.digits.Count(len(y)), e.n)
			if err := e.split(ctx, i, by[:second], y); err != nil {
				return err
			}
		}
		return e.product(ctx, i, row, by, count, second)
	})
	if err != nil {
		return err
	}
	return e.finish(ctx, z, r)
}

// transformed is the count of coefficients of a factor that is there by its values.
const transformed = -1

// product sets x to its product with y modulo prime i. They have a and b coefficients; y may be x, or transformed, and
// otherwise there is anything in it then.
func (e *engine) product(ctx context.Context, i int, x, y []uint64, a, b int) error {
	m, n := e.images[i], e.n/3
	square := &x[0] == &y[0]
	switch {
	case len(m.whole) == 0:
		if err := e.forward(ctx, i, x, a); err != nil {
			return err
		}
		if !square && b != transformed {
			if err := e.forward(ctx, i, y, b); err != nil {
				return err
			}
		}
		e.times(i, x, y)
		return e.inverse(ctx, i, x)
	case !e.truncated():
		return m.whole[0].Convolve(ctx, x[:e.n], y[:e.n], a, b)
	}
	long, short := e.fold(i, x, a)
	others, other := long, short
	switch {
	case b == transformed:
		others, other = b, b
	case !square:
		others, other = e.fold(i, y, b)
	}
	if err := m.whole[0].Convolve(ctx, x[:2*n], y[:2*n], long, others); err != nil {
		return err
	}
	if err := m.whole[1].Convolve(ctx, x[2*n:3*n], y[2*n:3*n], short, other); err != nil {
		return err
	}
	e.thirds(i, x, e.n, (*image).join)
	return nil
}

// direct is the number of words up to which carries do not look at a context.
const direct = 1 << 22

// goesOn reports whether carries of so many words do not look at the context: it cannot end, or they are through soon.
func goesOn(ctx context.Context, n int) bool { return n <= direct || ctx.Done() == nil }

// finish is carry, for z as multiply has it.
func (e *engine) finish(ctx context.Context, z []uint64, r *room) error {
	if err := stopped(ctx); err != nil {
		return err
	}
	if goesOn(ctx, len(z)) {
		ctx = context.WithoutCancel(ctx)
	}
	return e.carry(ctx, z, r.rows)
}

// same reports whether x and y are one slice.
func same(x, y []uint64) bool { return len(x) == len(y) && len(x) > 0 && &x[0] == &y[0] }
