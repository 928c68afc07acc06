package fieldtest

import (
	"cmp"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/galfft/fft/field/bulks"
)

// folds checks those of a bulk, forward and back, of elements and of rows of them, on vectors that begin anywhere.
func (s *bulkSuite) folds(r *rand.Rand) error {
	b, ok := s.b.(bulks.Spanner)
	if !ok {
		return errNotOffered
	}
	p := s.pool(r)
	for range 40 * s.scale {
		width := one(r, []int{1, 1, 1, 3, 64})
		list := foldList(r, 2+r.IntN(one(r, []int{3, 8})))
		run := 0
		for _, f := range list {
			run = max(run, f.Run)
		}
		v := s.vectorAt(r, p, one(r, []int{0, 0, r.IntN(70)}), run*width*(1+r.IntN(3)))
		back := r.IntN(2) == 1
		b.Fold(v.view, list, width, back)
		for i := range list {
			f := list[i]
			if back {
				f = list[len(list)-1-i]
			}
			s.fold(v.part, bulks.Fold{Run: f.Run * width, Shift: f.Shift * width}, back)
		}
		if err := s.holds(v); err != nil {
			return fmt.Errorf("folds %v of rows of %d elements, back %v: %w", list, width, back, err)
		}
	}
	return nil
}

// addRows checks copies that add rows of one vector, in either order.
func (s *bulkSuite) addRows(r *rand.Rand) error {
	if !s.b.Traits().Adds {
		return errNotOffered
	}
	p := s.pool(r)
	for range 20 * s.scale {
		n, gap := r.IntN(70), r.IntN(5)
		to := r.IntN(5)
		from := to + n + gap
		v := s.vector(r, p, from+n+r.IntN(5))
		if r.IntN(2) == 1 {
			to, from = from, to
		}
		s.b.Copy(v.view.Slice(to, to+n), v.view.Slice(from, from+n), bulks.Copy{Rows: 1, Width: n, Add: true})
		for i := range n {
			s.f.Add(v.part[to+i], v.part[to+i], v.part[from+i])
		}
		if err := s.holds(v); err != nil {
			return fmt.Errorf("a row of %d elements from %d added at %d: %w", n, from, to, err)
		}
	}
	return nil
}

// foldParts checks parts of a fold of one run, in any order.
func (s *bulkSuite) foldParts(r *rand.Rand) error {
	b, ok := s.b.(bulks.Spanner)
	if !ok {
		return errNotOffered
	}
	p := s.pool(r)
	for range 20 * s.scale {
		half, width := 2<<r.IntN(9), one(r, []int{1, 1, 3})
		shift := width << r.IntN(bits.Len(uint(half))-1)
		half *= width
		v := s.vectorAt(r, p, one(r, []int{0, 0, r.IntN(70)}), 2*half)
		back := r.IntN(2) == 1
		part := max(2*shift, one(r, []int{2 * b.Tile(), 2 * b.Tile(), 1 + r.IntN(half)}))
		cuts := []int{0}
		for half-cuts[len(cuts)-1] >= 2*part {
			cuts = append(cuts, cuts[len(cuts)-1]+part)
		}
		order := r.Perm(len(cuts))
		if first, last := slices.Index(order, 0), slices.Index(order, len(cuts)-1); back && first > last {
			order[first], order[last] = order[last], order[first]
		}
		for _, i := range order {
			b.FoldPart(v.view, shift, cuts[i], append(cuts, half)[i+1], back)
		}
		s.fold(v.part, bulks.Fold{Run: 2 * half, Shift: shift}, back)
		if err := s.holds(v); err != nil {
			return fmt.Errorf("parts of %d of a fold of %d elements by %d, back %v: %w", part, 2*half, shift, back, err)
		}
	}
	return nil
}

// scaleFolds checks products with two folds behind them, of rows that stay where they are and of others.
func (s *bulkSuite) scaleFolds(r *rand.Rand) error {
	b, ok := s.b.(bulks.Spanner)
	if !ok || b.Scales() == 0 {
		return errNotOffered
	}
	p, line := s.pool(r), b.Scales()
	for range 20 * s.scale {
		c := bulks.Scaled{Rows: 8 * (1 + r.IntN(3)), Twice: r.IntN(2) == 1}
		w, t, err := s.multipliers(r, p, c.Rows+r.IntN(3))
		if err != nil {
			return err
		}
		c.Width = line * (1 + r.IntN(2))
		c.From, c.To = c.Width+line*r.IntN(2), c.Width+line*r.IntN(2)
		v := s.vectorAt(r, p, r.IntN(5), (c.Rows-1)*c.From+c.Width)
		z, back := v, r.IntN(2) == 1
		if r.IntN(2) == 1 {
			c.To = c.From
		} else {
			z = s.vectorAt(r, p, r.IntN(5), (c.Rows-1)*c.To+c.Width)
		}
		b.ScaleFold(t, z.view, v.view, c, back)
		s.move(z.part, v.part, bulks.Copy{Rows: c.Rows, Width: c.Width, Dst: c.To, Src: c.From})
		s.scaleFold(z.part, w, c, back)
		if err := cmp.Or(s.holds(z), s.holds(v)); err != nil {
			return fmt.Errorf("ScaleFold %+v, back %t: %w", c, back, err)
		}
	}
	return nil
}

// scaleFold is bulks.Spanner's by its definition, of rows that are there.
func (s *bulkSuite) scaleFold(z, w elements, c bulks.Scaled, back bool) {
	scale := func() {
		for i := range c.Rows {
			at := i
			if c.Twice {
				at %= c.Rows / 2
			}
			s.scaleRows(z[i*c.To:][:c.Width], w, at, 1, c.Width, c.Width)
		}
	}
	fold := func(at, run int) {
		half := run / 2
		for j := range half {
			if !back {
				j = half - 1 - j
			}
			for i := range c.Width {
				to := z[(at+j+run/4)*c.To+i]
				s.f.Add(to, to, z[(at+half+j)*c.To+i])
			}
		}
	}
	if !back {
		scale()
		fold(0, c.Rows)
	}
	fold(0, c.Rows/2)
	fold(c.Rows/2, c.Rows/2)
	if back {
		fold(0, c.Rows)
		scale()
	}
}

// foldPart is bulks.Spanner's by its definition.
func (s *suite) foldPart(v elements, shift, from, to int, back bool) {
	half := len(v) / 2
	add := func(i int) { s.f.Add(v[i], v[i], v[half+i-shift]) }
	top := func() {
		for i := range shift {
			add(half + i)
		}
	}
	if from == 0 && !back {
		top()
	}
	for i := max(from, shift); i < to; i++ {
		add(i)
	}
	if to == half && back {
		top()
	}
}

// foldList draws folds of runs of 2^m rows at most: any ones, those of changes of basis, or both.
func foldList(r *rand.Rand, m int) (list []bulks.Fold) {
	for range 1 + r.IntN(3) {
		switch k := 2 + r.IntN(m-1); r.IntN(4) {
		case 0:
			for ; k > 1; k-- {
				list = append(list, bulks.Fold{Run: 1 << k, Shift: 1 << (k - 2)})
			}
		case 1:
			for u := 1 << m / 16; u > 0 && len(list) < 8; u /= 4 {
				list = append(list, bulks.Fold{Run: 16 * u, Shift: 2 * u}, bulks.Fold{Run: 8 * u, Shift: u},
					bulks.Fold{Run: 4 * u, Shift: u}, bulks.Fold{Run: 16 * u, Shift: 4 * u})
			}
		}
		k := 2 + r.IntN(m-1)
		list = append(list, bulks.Fold{Run: 1 << k, Shift: 1 << r.IntN(k-1)})
	}
	return list
}

// fold is one by its definition.
func (s *suite) fold(v elements, f bulks.Fold, back bool) {
	half := f.Run / 2
	for at := 0; at < len(v); at += f.Run {
		for j := range half {
			if !back {
				j = half - 1 - j
			}
			s.f.Add(v[at+j+f.Shift], v[at+j+f.Shift], v[at+half+j])
		}
	}
}

// spans checks the passes of tables that are made of what multipliers are sums of.
func (s *bulkSuite) spans(r *rand.Rand) error {
	b, ok := s.b.(bulks.Spanner)
	if !ok {
		return errNotOffered
	}
	p, kinds := s.pool(r), s.kinds()
	for range 8 * s.scale {
		layers := 1 + r.IntN(longTail)
		w, t, err := s.spanned(r, p, b, layers)
		if err != nil {
			return err
		}
		for range 12 {
			kind := one(r, kinds)
			first := layers - kind.layers
			if first < 0 {
				continue
			}
			if !kind.tail {
				first = r.IntN(first + 1)
			}
			block := r.IntN(1 << first)
			count, half, width := 1+r.IntN(min(8, 1<<first-block)), 1, 1
			if !kind.tail {
				half, width = 1+r.IntN(3), one(r, []int{1, 5, 64, 128})
			}
			l := newLayer(1<<first+block, count, half, width, width)
			if kind.tail {
				l = layer{l.Off, bulks.Rows{Blocks: count, Half: 1, Width: 1, Stride: 1}}
			}
			v := s.vectorAt(r, p, one(r, []int{0, 0, r.IntN(70)}), (l.Blocks*l.Half<<kind.layers)*l.Stride)
			kind.run(t, v.view, l)
			kind.def(kind.layers, v.part, w, l)
			if err := s.holds(v); err != nil {
				return fmt.Errorf("%s of %d layers of %d, by a span, %+v: %w", kind.name, kind.layers, layers, l, err)
			}
		}
	}
	return nil
}

// spanned draws what multipliers are sums of, and returns them all, in the order of their places, beside a table.
func (s *bulkSuite) spanned(r *rand.Rand, p pool, b bulks.Spanner, layers int) (elements, bulks.Table, error) {
	of := p.fill(r, layers*(layers+1)/2)
	g := s.alloc(len(of))
	s.b.Pack(g, of.view())
	t, err := b.Span(g, layers)
	if err != nil {
		return nil, nil, fmt.Errorf("span of %d layers: %w", layers, err)
	}
	s.b.Pack(g, p.fill(r, len(of)).view()) // the table does not keep it
	w := s.f.Make(1 << layers)
	for l := range layers {
		first := l * (l + 1) / 2
		for b := range 1 << l {
			s.f.Set(w[1<<l+b], of[first])
			for j := range l {
				if b>>j&1 == 1 {
					s.f.Add(w[1<<l+b], w[1<<l+b], of[first+1+j])
				}
			}
		}
	}
	return w, t, nil
}

// vectorAt makes a view of n elements, with as many before and up to 70 behind it.
func (s *bulkSuite) vectorAt(r *rand.Rand, p pool, before, n int) *vector {
	all := before + n + r.IntN(70)
	v := &vector{whole: s.alloc(all), want: p.fill(r, all)}
	s.b.Pack(v.whole, v.want.view())
	v.view, v.part = v.whole.Slice(before, before+n), v.want[before:before+n]
	return v
}
