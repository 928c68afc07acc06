// Package additive changes between the bases of polynomials over affine domains: powers of x, which callers have, and
// the basis of Lin, Chung and Han, which layers take. It is for packages of this module, and does not check what it
// gets.
package additive

import (
	"math/bits"
	"slices"

	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine"
	"github.com/galfft/fft/schemes/internal/cases"
)

// Basis changes coefficients in place. For each vector k of the basis of the domain in turn it scales x by c_k, which
// makes the vector 1, and expands at x² + x, where the parts are polynomials in x² + x over what is left of the basis
// (S. Gao, T. Mateer, IEEE Trans. Inform. Theory 56 (2010), with the first vector first, so that nothing is reordered).
// Where all c_k are 1, W_k is x^(2^k) + x for each power k of two, and m vectors are the k first ones and, over
// polynomials in W_k, the m − k others: expansions at W_k of the greatest such k < m take fewer sums (S.-J. Lin,
// T. Y. Al-Naffouri, Y. S. Han, IEEE Trans. Inform. Theory 62 (2016)). Values have one range in fields of
// characteristic 2.
//
// A fold of runs of 2^(b+1) elements joins elements whose numbers differ in bits b and b − 1, and a scale is one of
// each bit, so that parts of different levels k that have no bit in common may change places. Long vectors take some
// levels k0, k0 + 1, … together, for cuts at bits q1 < q2 < …: of level k0 + t first everything that is in bits from
// the last q + t on, then what is left in bits from the cut before it on, and so on down. The lowest bits are in blocks
// that stay in cache, all others in strips, which are copied to where they stay there.
type Basis struct {
	f      bulks.Bulk
	folder bulks.Spanner // f; or nil
	adds   bool          // copies of f do
	n      int
	one    bulks.Table
	stages []stage
	skew   *skew // in place of the stages, with layers; nil: there is none
	// blocks are the bytes of parts that caches of the second and of the first level hold: folds inside them are done
	// part by part. Strips have as many as strip at most.
	blocks  []int
	strip   int
	window  int // the elements of windows of visits; 0: there are none
	scratch *cases.Scratch
}

// stage is what is done to blocks of so many elements, 0 for all of them; where row is not 0 to strips of all rows of
// so many elements of a block, and ops count rows; where wide has a run, that fold alone, by parts of runs. Neither
// strips, blocks nor parts depend on each other.
type stage struct {
	block, row int
	wide       bulks.Fold
	list
	visits []visit // the list in the order of memory: of strips of one polynomial; nil: there is no other
}

// list is what is done one after the other: folds, and where one has no run a product.
type list struct {
	folds    []bulks.Fold
	products []product
}

// product multiplies every so many elements by powers of a factor, each for run of them.
type product struct {
	into, from bulks.Table // powers of the factor, and of its inverse
	every, run int
}

func (l *list) fold(folds ...bulks.Fold) {
	l.folds, l.products = append(l.folds, folds...), append(l.products, make([]product, len(folds))...)
}

// sums reports whether there are folds alone.
func (l list) sums() bool {
	return !slices.ContainsFunc(l.folds, func(f bulks.Fold) bool { return f.Run == 0 })
}

func (l list) slice(from, to int) list { return list{l.folds[from:to], l.products[from:to]} }

// chunk is how many elements a sum takes at a time.
const chunk = 1 << 12

// Rows of a strip have at least so many bytes and a tile; with products, those of vectors that leave the caches those
// of short: a strip has more rows then, so that walks over memory are fewer. Strips grow to the bytes of narrow, and
// those of vectors that leave the caches to these of wide; where rows are many they have more. Where there are folds
// alone rows are the farthest apart, each on pages of its own: they grow to a page, as long as strips take half of
// their bytes at most.
const least, short, narrow, wide, page = 256, 128, 1 << 16, 1 << 18, 1 << 12

// hold sets the bytes of blocks and strips for a first-level cache of so many elements, 0 where nobody said how many.
func (c *Basis) hold(elements int) {
	first := 1 << 15
	if elements > 0 {
		first = max(1<<9, c.f.Bytes(elements))
	}
	c.blocks, c.strip = []int{16 * first, first}, 32*first
	if c.folder != nil {
		c.strip = max(c.strip, 8*max(least, c.f.Bytes(c.folder.Tile())))
	}
}

// walk is what a walk over a vector costs, in products of all its elements: an estimate.
const walk = 5

// few rows are folded in place by a worker that is alone: so few passes over the vector take less than copies do.
const few = 64

// New returns the change for an affine domain.
func New(b *cases.Build, d engine.Domain) (*Basis, error) {
	c, l, err := begin(b, d)
	if err != nil {
		return nil, err
	}
	m := len(l.one)
	block := c.cut(m)
	if !slices.Contains(l.one, false) {
		c.split(expansions(nil, m, 1), block)
		if block < m {
			c.skew = c.newSkew(m)
		}
		return c, nil
	}
	return c, c.build(l, m, block)
}

// begin returns a change without stages, and what makes its levels.
func begin(b *cases.Build, d engine.Domain) (*Basis, *levels, error) {
	m := bits.Len(uint(d.N)) - 1
	c := &Basis{f: b.F, n: d.N, scratch: b.Scratch}
	c.folder, _ = b.F.(bulks.Spanner)
	c.adds = b.T.Adds
	c.hold(b.S.Cache)
	one := make([]bool, m) // whether c_k is
	for k := range one {
		var err error
		if _, one[k], err = d.Powers(k, 0, 1, false); err != nil {
			return nil, nil, err
		}
	}
	if m > 0 && c.folder == nil && !c.adds {
		v, _, err := d.Powers(0, 0, 1, false)
		if err != nil {
			return nil, nil, err
		}
		if c.one, err = b.F.Table(v, bulks.Alone); err != nil {
			return nil, nil, err
		}
	}
	return c, &levels{b, d, one}, nil
}

// split makes the stages of folds alone: those that follow each other inside blocks of 2^block elements, or inside
// strips of half the bytes that they may have, are a stage.
func (c *Basis) split(list []bulks.Fold, block int) {
	kind := func(f bulks.Fold) (s stage) {
		switch {
		case f.Run <= 1<<block:
			s.block = 1 << block
		case c.fits(2*c.n/f.Shift, least):
			s.row = f.Shift
		default:
			s.wide = f
		}
		return s
	}
	for len(list) > 0 {
		s, n := kind(list[0]), 1
		for ; n < len(list) && s.wide.Run == 0; n++ {
			next := kind(list[n])
			if next.wide.Run > 0 || next.block != s.block {
				break
			}
			s.row = min(s.row, next.row)
		}
		unit := max(1, s.row)
		for _, f := range list[:n] {
			s.fold(bulks.Fold{Run: f.Run / unit, Shift: f.Shift / unit})
		}
		c.stages = append(c.stages, s)
		list = list[n:]
	}
}

// fits reports whether strips of so many rows of at least so many bytes have the bytes that they may.
func (c *Basis) fits(rows, bytes int) bool {
	return max(bytes, c.f.Bytes(c.folder.Tile()))*rows <= c.strip
}

// shortest is the least bytes of rows with products.
func (c *Basis) shortest() int {
	if c.long() {
		return short
	}
	return least
}

// cut returns the bits of a block. Strips and wide folds are for a folder: without one all is a block.
func (c *Basis) cut(m int) int {
	block := m
	for c.folder != nil && block > 0 && c.f.Bytes(1<<block) > c.blocks[0] {
		block--
	}
	return block
}

// bands is levels from some k to next, and where the bits from k on are cut for the first of them.
type bands struct {
	next int
	rows bool // the lowest bits are in strips
	cuts []int
}

// plan returns which levels go together, by k, for blocks of 2^block elements of 2^m: those that take the fewest walks
// and products.
func (c *Basis) plan(m, block int) []bands {
	high, low := 1, 0 // bits of the rows of a strip, and of the elements of one
	for c.fits(2<<high, c.shortest()) {
		high++
	}
	for 1<<low < c.folder.Tile() || c.f.Bytes(1<<low) < c.shortest() {
		low++
	}
	list, costs := make([]bands, m+1), make([]int, m+1)
	for k := m - 1; k >= 0; k-- {
		if m-k <= high && k >= low {
			list[k], costs[k] = bands{next: m, rows: true}, walk+m-k
			continue
		}
		for n := 1; n < min(high, m-k); n++ {
			g := bands{next: k + n}
			q := block - n
			if strips := k + high - n; k >= low && strips > q {
				g.rows, q = true, strips
			}
			if q <= k || q < low {
				break
			}
			for g.cuts = []int{q}; m-q > high; g.cuts = append(g.cuts, q) {
				q += high - n
			}
			if cost := (len(g.cuts)+1)*(walk+n) + costs[k+n]; costs[k] == 0 || cost < costs[k] {
				list[k], costs[k] = g, cost
			}
		}
	}
	return list
}

// build makes the stages for blocks of 2^block elements.
func (c *Basis) build(l *levels, m, block int) error {
	list := []bands{{next: m}}
	if block < m && c.folder != nil {
		if c.long() { // a second-level cache, all of it: fewer walks, and products, win more than it loses
			c.strip *= 2
		}
		list = c.plan(m, block)
	}
	for k := 0; k < m; k = list[k].next {
		g, some, high := list[k], list[k].next-k, m
		for i := len(g.cuts); i >= 0; i-- {
			var s stage
			low := k
			if i > 0 {
				low = g.cuts[i-1]
			}
			if i > 0 || g.rows {
				s.row = 1 << low
			}
			if i < len(g.cuts) {
				s.block = 1 << (high + some)
			}
			for t := range some {
				from, to := k+t, m
				if i > 0 {
					from = low + t
				}
				if i < len(g.cuts) {
					to = high + t
				}
				if err := l.add(&s, k+t, from, to); err != nil {
					return err
				}
			}
			if c.folder != nil {
				c.setVisits(&s)
			}
			c.stages, high = append(c.stages, s), low
		}
	}
	return nil
}

// levels makes what a basis does.
type levels struct {
	b   *cases.Build
	d   engine.Domain
	one []bool // whether c_k is 1
}

// add adds level k in the bits from low to high, but the last: the product, and the folds whose lower bit is there.
func (l *levels) add(s *stage, k, low, high int) error {
	unit := max(1, s.row)
	if !l.one[k] && low < high {
		o := product{every: 1 << high / unit, run: 1 << low / unit}
		var err error
		if o.into, err = l.powers(k, low-k, 1<<(high-low), false); err == nil {
			o.from, err = l.powers(k, low-k, 1<<(high-low), true)
		}
		if err != nil {
			return err
		}
		s.folds, s.products = append(s.folds, bulks.Fold{}), append(s.products, o)
	}
	for run := min(2<<high, l.d.N); run > 2<<low; run /= 2 {
		s.fold(bulks.Fold{Run: run / unit, Shift: run / 4 / unit})
	}
	return nil
}

// powers makes the table of those of c_k^(2^squares), or of their inverses.
func (l *levels) powers(k, squares, n int, inverse bool) (bulks.Table, error) {
	if err := l.b.Take(float64(n), float64(n)); err != nil {
		return nil, err
	}
	v, _, err := l.d.Powers(k, squares, n, inverse)
	if err != nil {
		return nil, err
	}
	return l.b.F.Table(v, bulks.Alone)
}

// expansions appends the folds that change polynomials of 2^m coefficients, rows of width elements, where all c_k are
// 1.
func expansions(list []bulks.Fold, m, width int) []bulks.Fold {
	if m < 2 {
		return list
	}
	k := 1
	for 2*k < m {
		k *= 2
	}
	for i := m; i > k; i-- {
		list = append(list, bulks.Fold{Run: width << i, Shift: width << (i - k - 1)})
	}
	return expansions(expansions(list, k, width), m-k, width<<k)
}

// Enter takes N rows of width elements from coefficients of powers of x to those that layers take, and Leave takes them
// back. Rows behind the head, a power of two of them, are 0 before and after Enter, and are not touched. Where w stops
// them the rows are unspecified.
func (c *Basis) Enter(w *engine.Watch, v engine.View, head, width int) {
	c.change(w, v, head, width, false)
}

func (c *Basis) Leave(w *engine.Watch, v engine.View, width int) { c.change(w, v, c.n, width, true) }

// change goes stage by stage. A polynomial that is 0 behind its head has the same in all that is left of it: folds of
// longer runs add zeros, and factors of it are 1 where their powers are the same for all of the head.
func (c *Basis) change(w *engine.Watch, v engine.View, head, width int, back bool) {
	v = v.Slice(0, head*width)
	for i := range c.stages {
		if back {
			i = len(c.stages) - 1 - i
		}
		s := &c.stages[i]
		if c.inPlace(s) {
			if !w.Stopped() {
				c.fold(w, v, s.folds, s.row*width, back)
			}
			continue
		}
		for step := 0; step < c.steps(s, width) && !w.Stopped(); step++ {
			c.step(w, v, s, step, width, back)
		}
	}
}

// Phases is Enter, or back Leave, of the output of a call, with its head.
func (c *Basis) Phases(call *engine.Call, back bool) (list []engine.Phase) {
	out := func() engine.View {
		if call.Head == 0 {
			return call.Out
		}
		return call.Out.Slice(0, call.Head)
	}
	for i := range c.stages {
		s := &c.stages[i]
		if call.Tasks < 2 && c.inPlace(s) {
			list = append(list, engine.Phase{Steps: 1, Do: func(int, int) {
				c.fold(&call.Watch, out(), s.folds, s.row, back)
			}})
			continue
		}
		list = append(list, engine.Phase{Steps: c.steps(s, 1), Do: func(step, _ int) {
			c.step(&call.Watch, out(), s, step, 1, back)
		}})
	}
	if back {
		slices.Reverse(list)
	}
	return list
}

// inPlace reports whether one worker does the folds of strips without copies.
func (c *Basis) inPlace(s *stage) bool { return s.row > 0 && c.size(s)/s.row <= few && s.sums() }

// size is the elements of a block of a stage.
func (c *Basis) size(s *stage) int {
	if s.block > 0 {
		return s.block
	}
	return c.n
}

// steps is the parts of a stage.
func (c *Basis) steps(s *stage, width int) int {
	switch {
	case s.wide.Run > 0:
		return c.n / s.wide.Run * max(1, s.wide.Run/2*width/c.part(s, width)-1)
	case s.row > 0:
		return c.n / c.size(s) * (s.row * width / c.side(s, width)) / c.together(s, width)
	}
	return c.n / c.size(s)
}

// part is how many elements of a half a step of a wide fold takes.
func (c *Basis) part(s *stage, width int) int {
	n := s.wide.Run / 2 * width
	for n%2 == 0 && n/2 >= 2*s.wide.Shift*width && c.f.Bytes(n) > c.blocks[0]/4 {
		n /= 2
	}
	return n
}

// step does a part of one, or undoes it, as far as v goes.
func (c *Basis) step(w *engine.Watch, v engine.View, s *stage, step, width int, back bool) {
	switch {
	case s.wide.Run > 0:
		c.widely(w, v, s, step, width, back)
		return
	case s.row == 0:
		size := c.size(s) * width
		if step*size >= v.N {
			return
		}
		part := v.Slice(step*size, min((step+1)*size, v.N))
		if s.visits == nil || width > 1 || part.N != c.size(s) {
			c.run(w, part, 0, s.list, width, c.blocks, back)
			return
		}
		if r := c.scratch.Get(w, c.longest(width, 1)); r != nil {
			c.visit(w, part, r.V, s, 1, back)
			c.scratch.Put(r)
		}
		return
	}
	c.strips(w, v, s, step, width, back, nil)
}

// together is how many strips are a step. They are neighbours, and take turns in one place of the caches.
func (c *Basis) together(s *stage, width int) int {
	const most, fewest = 8, 64 // strips, and steps
	strips, n := s.row*width/c.side(s, width), 1
	if !c.long() {
		return n
	}
	for n < most && strips%(2*n) == 0 && c.n/c.size(s)*strips/(2*n) >= fewest {
		n *= 2
	}
	return n
}

// strips does a part of a stage of strips, or undoes it; with the first layers, unless l is nil.
func (c *Basis) strips(w *engine.Watch, v engine.View, s *stage, step, width int, back bool, l Layers) {
	row, count, side, some := s.row*width, c.size(s)/s.row, c.side(s, width), c.together(s, width)
	each := row / side / some // steps of a block
	at := step/each*count*row + step%each*some*side
	if count = min(count, v.N/row); count < 2 || at >= v.N {
		return
	}
	r := c.scratch.Get(w, max(count*side, c.longest(width, 1))) // one that serves all stages
	if r == nil {
		return
	}
	part, rows := r.V.Slice(0, count*side), v.Slice(at, v.N)
	in := bulks.Copy{Rows: count, Width: side, Dst: side, Src: row}
	out := bulks.Copy{Rows: count, Width: side, Dst: row, Src: side}
	c.f.Copy(part, rows, in)
	for i := 1; ; i++ {
		if l != nil && back {
			l.Upper(w, part, count, side, true)
		}
		if s.visits == nil || width > 1 || count != c.size(s)/s.row {
			c.run(w, part, 0, s.list, side, c.blocks, back)
		} else {
			c.visit(w, part, r.V.Slice(count*side, r.V.N), s, side, back)
		}
		if l != nil && !back {
			l.Upper(w, part, count, side, false)
		}
		if i == some || w.Stopped() {
			break
		}
		next := rows.Slice(side, rows.N)
		if !c.folder.Swap(part, rows, next, out) {
			c.f.Copy(rows, part, out)
			c.f.Copy(part, next, in)
		}
		rows = next
	}
	c.f.Copy(rows, part, out)
	c.scratch.Put(r)
}

// widely does a part of a wide fold. The last one of a run goes with the first, which has to be over before it begins.
func (c *Basis) widely(w *engine.Watch, v engine.View, s *stage, step, width int, back bool) {
	run, shift, part := s.wide.Run*width, s.wide.Shift*width, c.part(s, width)
	each := c.steps(s, width) / (c.n / s.wide.Run)
	if step/each*run >= v.N || run > v.N {
		return
	}
	one, first := v.Slice(step/each*run, (step/each+1)*run), step%each*part
	c.folder.FoldPart(one, shift, first, first+part, back)
	if last := run/2 - part; first == 0 && last > 0 && !w.Stopped() {
		c.folder.FoldPart(one, shift, last, run/2, back)
	}
}

// side returns how many elements of each row are in a strip.
func (c *Basis) side(s *stage, width int) int {
	n, row, count, most, bytes := 1, s.row*width, c.size(s)/s.row, narrow, c.shortest()
	switch {
	case s.sums():
		most, bytes = min(c.strip/2, max(narrow, count*page)), least
	case c.long():
		most = wide
	}
	for row%(2*n) == 0 && (n < c.folder.Tile() || c.f.Bytes(n) < bytes || c.f.Bytes(2*n*count) <= most) {
		n *= 2
	}
	return n
}

// run does what is in l to rows of width elements, the first of which is row at, or undoes it. What is inside parts
// goes part by part: a product is inside any.
func (c *Basis) run(w *engine.Watch, v engine.View, at int, l list, width int, parts []int, back bool) {
	part := v.N
	for len(parts) > 0 && part/width%2 == 0 && c.f.Bytes(part) > parts[0] {
		part /= 2
	}
	rows := part / width
	for len(l.folds) > 0 && !w.Stopped() {
		var group list
		var inside bool
		group, l, inside = l.group(back, func(f bulks.Fold) bool { return f.Run <= rows })
		if !inside || len(parts) == 0 {
			c.all(w, v, at, group, width, back)
			continue
		}
		for i := 0; i < v.N && !w.Stopped(); i += part {
			c.run(w, v.Slice(i, i+part), at+i/width, group, width, parts[1:], back)
		}
	}
}

// group takes those at the beginning, or back at the end, that are all so or are all not so, and says which.
func (l list) group(back bool, so func(f bulks.Fold) bool) (group, rest list, first bool) {
	n, end := 1, len(l.folds)
	is := func(i int) bool {
		if back {
			i = end - 1 - i
		}
		return so(l.folds[i])
	}
	for first = is(0); n < end && is(n) == first; {
		n++
	}
	if back {
		return l.slice(end-n, end), l.slice(0, end-n), first
	}
	return l.slice(0, n), l.slice(n, end), first
}

// all does what is in l to all rows at once.
func (c *Basis) all(w *engine.Watch, v engine.View, at int, l list, width int, back bool) {
	for len(l.folds) > 0 && !w.Stopped() {
		var group list
		var folds bool
		group, l, folds = l.group(back, func(f bulks.Fold) bool { return f.Run > 0 })
		if folds {
			c.fold(w, v, group.folds, width, back)
			continue
		}
		for i := range group.products {
			if back {
				i = len(group.products) - 1 - i
			}
			c.times(w, v, at, &group.products[i], width, back)
		}
	}
}

// times multiplies rows, the first of which is row at.
func (c *Basis) times(w *engine.Watch, v engine.View, at int, p *product, width int, back bool) {
	t := p.into
	if back {
		t = p.from
	}
	size := min(p.every*width, v.N)
	run := min(p.run*width, size)
	first := at % p.every / p.run
	if first == 0 && run == size {
		return // by 1
	}
	for i := 0; i < v.N && !w.Stopped(); i += size {
		t.Scale(v.Slice(i, i+size), first, size/run, run, run)
	}
}

// fold does folds of rows of width elements, but those of runs that are longer than v: they are folds of a polynomial
// that is 0 behind v.
func (c *Basis) fold(w *engine.Watch, v engine.View, list []bulks.Fold, width int, back bool) {
	longer := func(f bulks.Fold) bool { return f.Run*width > v.N }
	for i := slices.IndexFunc(list, longer); i >= 0; i = slices.IndexFunc(list, longer) {
		c.folds(w, v, list[:i], width, back)
		list = list[i+1:]
	}
	c.folds(w, v, list, width, back)
}

func (c *Basis) folds(w *engine.Watch, v engine.View, list []bulks.Fold, width int, back bool) {
	if c.folder != nil {
		c.folder.Fold(v, list, width, back)
		return
	}
	for i := range list {
		f := list[i]
		if back {
			f = list[len(list)-1-i]
		}
		c.sums(w, v, f.Run*width, f.Shift*width, back)
	}
}

// sums is a fold made of sums of rows, or of butterflies by 1.
func (c *Basis) sums(w *engine.Watch, v engine.View, run, shift int, back bool) {
	add := func(v engine.View, to, from, n int) {
		c.f.Copy(v.Slice(to, to+n), v.Slice(from, from+n), bulks.Copy{Rows: 1, Width: n, Add: true})
	}
	if !c.adds {
		r := c.scratch.Get(w, 2*min(chunk, run/2-shift))
		if r == nil {
			return
		}
		defer c.scratch.Put(r)
		add = func(v engine.View, to, from, n int) { c.add(v, to, from, n, r.V) }
	}
	half := run / 2
	for at := 0; at < v.N && !w.Stopped(); at += run {
		one := v.Slice(at, at+run)
		if !back {
			add(one, half, run-shift, shift)
		}
		add(one, shift, half, half-shift)
		if back {
			add(one, half, run-shift, shift)
		}
	}
}

// add adds the n elements at from to those at to: a butterfly by 1, of which the other half is not used.
func (c *Basis) add(v engine.View, to, from, n int, x engine.View) {
	for i := 0; i < n; i += chunk {
		size := min(chunk, n-i)
		pair := bulks.Copy{Rows: 2, Width: size, Dst: size, Src: from - to}
		c.f.Copy(x, v.Slice(to+i, from+i+size), pair)
		c.one.Pass(x, bulks.Pass{Layers: 1}, bulks.NewRows(1, 1, size, size))
		c.f.Copy(v.Slice(to+i, to+i+size), x, bulks.Copy{Rows: 1, Width: size})
	}
}

// Passes says what Enter does.
func (c *Basis) Passes() []string { return []string{"change of basis"} }

// Bytes is the memory of the tables, and Scratch that of one call of so many tasks.
func (c *Basis) Bytes() (n int) {
	if c.one != nil {
		n = c.one.Bytes()
	}
	for _, s := range c.stages {
		n += s.bytes()
	}
	return n
}

// bytes is the memory of the tables.
func (l list) bytes() (n int) {
	for _, o := range l.products {
		if o.into != nil {
			n += o.into.Bytes() + o.from.Bytes()
		}
	}
	return n
}

func (c *Basis) Scratch(width, tasks int) (n int) {
	if c.folder == nil {
		if c.adds {
			return 0
		}
		return tasks * c.f.Bytes(2*min(chunk, max(1, c.n/2*width)))
	}
	if n = c.longest(width, tasks); n > 0 {
		n = c.f.Bytes(n)
	}
	if c.skew != nil && tasks < 2 && width == 1 {
		n += c.f.Bytes(c.skew.room())
	}
	return tasks * n
}

// longest is the elements of the longest strip that is copied.
func (c *Basis) longest(width, tasks int) (n int) {
	for i := range c.stages {
		if s := &c.stages[i]; s.row > 0 && (tasks > 1 || !c.inPlace(s)) {
			n = max(n, c.size(s)/s.row*c.side(s, width))
		}
	}
	return n + c.window
}
