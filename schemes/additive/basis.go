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
// levels k0, k0 + 1, … together, for a cut at bit q: of level k0 + t first everything that is in bits from q + t on, in
// strips, which are copied to where they stay in cache, and then what is left, in blocks that stay there as well.
type Basis struct {
	f       bulks.Bulk
	folder  bulks.Spanner // f; or nil
	n       int
	one     bulks.Table
	stages  []stage
	scratch *cases.Scratch
}

// stage is what is done to blocks of so many elements, one after the other; where row is not 0 to strips of all rows of
// so many elements, and ops count rows.
type stage struct {
	block, row int
	ops        []op
}

// op is folds, or a product of every so many elements by powers of a factor, each for run of them.
type op struct {
	into, from bulks.Table // powers of the factor, and of its inverse; nil: op is folds
	every, run int
	folds      []bulks.Fold
}

// chunk is how many elements a sum takes at a time.
const chunk = 1 << 12

// blocks are the bytes of parts that caches of the second and of the first level hold: folds inside them are done part
// by part.
var blocks = []int{1 << 19, 1 << 15}

// Levels go together, together of them at most; a strip has at least so many elements side by side, and so many bytes
// at most.
const together, least, strip = 4, 64, 1 << 20

// New returns the change for an affine domain.
func New(b *cases.Build, d engine.Domain) (*Basis, error) {
	m := bits.Len(uint(d.N)) - 1
	c := &Basis{f: b.F, n: d.N, scratch: b.Scratch}
	c.folder, _ = b.F.(bulks.Spanner)
	one := make([]bool, m) // whether c_k is
	for k := range one {
		var err error
		if _, one[k], err = d.Powers(k, 0, 1, false); err != nil {
			return nil, err
		}
	}
	if m > 0 && c.folder == nil {
		v, _, err := d.Powers(0, 0, 1, false)
		if err != nil {
			return nil, err
		}
		if c.one, err = b.F.Table(v, bulks.Alone); err != nil {
			return nil, err
		}
	}
	if !slices.Contains(one, false) {
		c.stages = []stage{{block: d.N, ops: []op{{folds: expansions(nil, m, 1)}}}}
		return c, nil
	}
	block, some := c.cut(m)
	return c, c.build(&levels{b, d, one}, m, block, some)
}

// cut returns the bits of a block, and how many levels go together; 0: all do, in one block.
func (c *Basis) cut(m int) (block, some int) {
	block = m
	for block > 0 && c.f.Bytes(1<<block) > blocks[0] {
		block--
	}
	if block == m || c.folder == nil {
		return m, 0
	}
	for some = together; some > 1 && c.f.Bytes(least<<(m-block+some)) > strip; {
		some--
	}
	return block, some
}

// build makes the stages for blocks of 2^block elements and so many levels at a time.
func (c *Basis) build(l *levels, m, block, some int) error {
	add := func(s stage, err error) error {
		c.stages = append(c.stages, s)
		return err
	}
	if some == 0 {
		return add(l.stage(stage{block: c.n}, 0, m))
	}
	k, q := 0, block-some
	for ; k < q; k += some {
		strips, inside := stage{row: 1 << q}, stage{block: 1 << block}
		for t := range min(some, m-k) {
			if err := l.add(&strips, k+t, q+t, m); err != nil {
				return err
			}
			if err := l.add(&inside, k+t, k+t, q+t); err != nil {
				return err
			}
		}
		c.stages = append(c.stages, strips, inside)
	}
	return add(l.stage(stage{row: 1 << q}, k, m))
}

// levels makes what a basis does.
type levels struct {
	b   *cases.Build
	d   engine.Domain
	one []bool // whether c_k is 1
}

// stage adds the levels from one on to s.
func (l *levels) stage(s stage, from, to int) (stage, error) {
	for k := from; k < to; k++ {
		if err := l.add(&s, k, k, to); err != nil {
			return s, err
		}
	}
	return s, nil
}

// add adds level k in the bits from low to high, but the last: the product, and the folds whose lower bit is there.
func (l *levels) add(s *stage, k, low, high int) error {
	unit := max(1, s.row)
	if !l.one[k] && low < high {
		o := op{every: 1 << high / unit, run: 1 << low / unit}
		var err error
		if o.into, err = l.powers(k, low-k, 1<<(high-low), false); err == nil {
			o.from, err = l.powers(k, low-k, 1<<(high-low), true)
		}
		if err != nil {
			return err
		}
		s.ops = append(s.ops, o)
	}
	var list []bulks.Fold
	for run := min(2<<high, l.d.N); run > 2<<low; run /= 2 {
		list = append(list, bulks.Fold{Run: run / unit, Shift: run / 4 / unit})
	}
	if len(list) > 0 {
		s.ops = append(s.ops, op{folds: list})
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
// back. Where w stops them the rows are unspecified.
func (c *Basis) Enter(w *engine.Watch, v engine.View, width int) {
	for i := range c.stages {
		c.stage(w, v, &c.stages[i], width, false)
	}
}

func (c *Basis) Leave(w *engine.Watch, v engine.View, width int) {
	for i := range slices.Backward(c.stages) {
		c.stage(w, v, &c.stages[i], width, true)
	}
}

// stage does one, or undoes it.
func (c *Basis) stage(w *engine.Watch, v engine.View, s *stage, width int, back bool) {
	if s.row == 0 {
		size := s.block * width
		for i := 0; i < v.N && !w.Stopped(); i += size {
			c.ops(w, v.Slice(i, i+size), s.ops, width, back)
		}
		return
	}
	row, count, side := s.row*width, c.n/s.row, c.side(s, width)
	r := c.scratch.Get(w, count*side)
	if r == nil {
		return
	}
	part := r.V.Slice(0, count*side)
	for i := 0; i < row && !w.Stopped(); i += side {
		rows := v.Slice(i, v.N)
		c.f.Copy(part, rows, bulks.Copy{Rows: count, Width: side, Dst: side, Src: row})
		c.ops(w, part, s.ops, side, back)
		c.f.Copy(rows, part, bulks.Copy{Rows: count, Width: side, Dst: row, Src: side})
	}
	c.scratch.Put(r)
}

// side returns how many elements of each row are in a strip.
func (c *Basis) side(s *stage, width int) int {
	n := least
	for s.row*width%(2*n) == 0 && c.f.Bytes(2*n*c.n/s.row) <= strip/2 {
		n *= 2
	}
	return n
}

// ops does what is in list to rows of width elements, or undoes it.
func (c *Basis) ops(w *engine.Watch, v engine.View, list []op, width int, back bool) {
	for i := range list {
		o := &list[i]
		if back {
			o = &list[len(list)-1-i]
		}
		if o.into == nil {
			c.run(w, v, o.folds, width, blocks, back)
			continue
		}
		t := o.into
		if back {
			t = o.from
		}
		run, every := o.run*width, o.every*width
		for at := 0; at < v.N && !w.Stopped(); at += every {
			t.Scale(v.Slice(at, at+every), 0, every/run, run, run)
		}
	}
}

// run does folds of rows of width elements, those inside parts part by part.
func (c *Basis) run(w *engine.Watch, v engine.View, list []bulks.Fold, width int, parts []int, back bool) {
	if len(parts) == 0 {
		c.fold(w, v, list, width, back)
		return
	}
	part := v.N
	for part/width%2 == 0 && c.f.Bytes(part) > parts[0] {
		part /= 2
	}
	for len(list) > 0 && !w.Stopped() {
		group, inside := c.group(list, part/width, back)
		if back {
			list = list[:len(list)-len(group)]
		} else {
			list = list[len(group):]
		}
		if !inside {
			c.fold(w, v, group, width, back)
			continue
		}
		for i := 0; i < v.N && !w.Stopped(); i += part {
			c.run(w, v.Slice(i, i+part), group, width, parts[1:], back)
		}
	}
}

// group returns the folds with which the list begins, or ends, that are all inside parts of so many rows or all not.
func (c *Basis) group(list []bulks.Fold, rows int, back bool) (group []bulks.Fold, inside bool) {
	in := func(i int) bool {
		if back {
			i = len(list) - 1 - i
		}
		return list[i].Run <= rows
	}
	n := 1
	for n < len(list) && in(n) == in(0) {
		n++
	}
	if back {
		return list[len(list)-n:], in(0)
	}
	return list[:n], in(0)
}

// fold does folds of rows of width elements.
func (c *Basis) fold(w *engine.Watch, v engine.View, list []bulks.Fold, width int, back bool) {
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

// sums is a fold made of butterflies by 1.
func (c *Basis) sums(w *engine.Watch, v engine.View, run, shift int, back bool) {
	half := run / 2
	r := c.scratch.Get(w, 2*min(chunk, half-shift))
	if r == nil {
		return
	}
	for at := 0; at < v.N && !w.Stopped(); at += run {
		one := v.Slice(at, at+run)
		if !back {
			c.add(one, half, run-shift, shift, r.V)
		}
		c.add(one, shift, half, half-shift, r.V)
		if back {
			c.add(one, half, run-shift, shift, r.V)
		}
	}
	c.scratch.Put(r)
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

// Bytes is the memory of the tables, and Scratch that of one call.
func (c *Basis) Bytes() (n int) {
	if c.one != nil {
		n = c.one.Bytes()
	}
	for _, s := range c.stages {
		for _, o := range s.ops {
			if o.into != nil {
				n += o.into.Bytes() + o.from.Bytes()
			}
		}
	}
	return n
}

func (c *Basis) Scratch(width int) (n int) {
	if c.folder == nil {
		return c.f.Bytes(2 * min(chunk, max(1, c.n/2*width)))
	}
	for i := range c.stages {
		if s := &c.stages[i]; s.row > 0 {
			n = max(n, c.f.Bytes(c.n/s.row*c.side(s, width)))
		}
	}
	return n
}
