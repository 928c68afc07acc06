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
type Basis struct {
	f       bulks.Bulk
	folder  bulks.Folder // f; or nil
	n       int
	one     bulks.Table
	steps   []step
	scratch *cases.Scratch
}

// step is folds, and a product before them.
type step struct {
	into, from bulks.Table // powers of c_k, and of 1/c_k; nil: it is 1
	k          int
	folds      []bulks.Fold
}

// chunk is how many elements a sum takes at a time.
const chunk = 1 << 12

// blocks are the bytes of parts that caches of the second and of the first level hold: folds inside them are done part
// by part.
var blocks = []int{1 << 19, 1 << 15}

// New returns the change for an affine domain.
func New(b *cases.Build, d engine.Domain) (*Basis, error) {
	m := bits.Len(uint(d.N)) - 1
	c := &Basis{f: b.F, n: d.N, scratch: b.Scratch}
	c.folder, _ = b.F.(bulks.Folder)
	table := func(k, n int, inverse bool) (bulks.Table, error) {
		_, one, err := d.Powers(k, 1, false)
		if err != nil || one && n > 1 {
			return nil, err
		}
		if err := b.Take(float64(n), float64(n)); err != nil {
			return nil, err
		}
		v, _, err := d.Powers(k, n, inverse)
		if err != nil {
			return nil, err
		}
		return b.F.Table(v, bulks.Alone)
	}
	var err error
	if m > 0 && c.folder == nil {
		c.one, err = table(0, 1, false)
	}
	plain := true
	for k := 0; k < m && err == nil; k++ {
		s := step{k: k}
		for run := d.N >> k; run > 2; run /= 2 {
			s.folds = append(s.folds, bulks.Fold{Run: run << k, Shift: run << k / 4})
		}
		if s.into, err = table(k, d.N>>k, false); err == nil {
			s.from, err = table(k, d.N>>k, true)
		}
		plain = plain && s.into == nil
		c.steps = append(c.steps, s)
	}
	if plain {
		c.steps = []step{{folds: expansions(nil, m, 1)}}
	}
	return c, err
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
	for _, s := range c.steps {
		c.scale(v, s.into, s.k, width)
		c.run(w, v, s.folds, width, blocks, false)
	}
}

func (c *Basis) Leave(w *engine.Watch, v engine.View, width int) {
	for _, s := range slices.Backward(c.steps) {
		c.run(w, v, s.folds, width, blocks, true)
		c.scale(v, s.from, s.k, width)
	}
}

// scale multiplies coefficient i of the parts by power i of a factor.
func (c *Basis) scale(v engine.View, t bulks.Table, k, width int) {
	if t != nil {
		t.Scale(v, 0, c.n>>k, width<<k, width<<k)
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
	for _, s := range c.steps {
		for _, t := range []bulks.Table{s.into, s.from} {
			if t != nil {
				n += t.Bytes()
			}
		}
	}
	return n
}

func (c *Basis) Scratch(width int) int {
	if c.folder != nil {
		return 0
	}
	return c.f.Bytes(2 * min(chunk, max(1, c.n/2*width)))
}
