package fieldtest

import (
	"fmt"
	"math/rand/v2"

	"github.com/galfft/fft/field/bulks"
)

// make checks that new vectors are 0, also after others of their size were in use, and their sizes.
func (s *bulkSuite) make(r *rand.Rand) error {
	p, last := s.pool(r), 0
	for _, n := range []int{0, 1, 2, 7, 8, 9, 64, 65, 200} {
		for range 2 {
			v, a := s.alloc(n), p.fill(r, n)
			s.b.Unpack(a.view(), v)
			if err := s.agree(s.f.Make(n), a); err != nil {
				return fmt.Errorf("new vector of %d: %w", n, err)
			}
			s.b.Pack(v, p.fill(r, n).view())
		}
		b := s.b.Bytes(n)
		if b < last || n > 0 && b == 0 {
			return fmt.Errorf("a vector of %d takes %d bytes, a shorter one %d", n, b, last)
		}
		last = b
	}
	return nil
}

// slice checks that views, and views of views, share memory with their vector.
func (s *bulkSuite) slice(r *rand.Rand) error {
	p := s.pool(r)
	for range 40 * s.scale {
		n := 1 + r.IntN(80)
		v := s.vector(r, p, n)
		i, j := between(r, n)
		k, l := between(r, j-i)
		view := v.view.Slice(i, j).Slice(k, l)
		got := s.f.Make(l - k)
		s.b.Unpack(got.view(), view)
		if err := s.agree(v.part[i+k:i+l], got); err != nil {
			return fmt.Errorf("elements %d to %d, of them %d to %d: %w", i, j, k, l, err)
		}
		a := p.fill(r, l-k)
		s.b.Pack(view, a.view())
		for m := range a {
			s.f.Set(v.part[i+k+m], a[m])
		}
		if err := s.holds(v); err != nil {
			return fmt.Errorf("after a change through the view of elements %d to %d, of them %d to %d: %w", i, j, k, l,
				err)
		}
	}
	return nil
}

// between returns 0 ≤ i ≤ j ≤ n.
func between(r *rand.Rand, n int) (i, j int) {
	i, j = r.IntN(n+1), r.IntN(n+1)
	return min(i, j), max(i, j)
}

// pack checks that a vector and the slices that it was packed from and unpacked to are apart, and that Reduce
// and Unpack keep the values of a wide vector.
func (s *bulkSuite) pack(r *rand.Rand) error {
	p := s.pool(r)
	for n := range 40 {
		v := s.vector(r, p, n)
		a := s.clone(v.part)
		s.b.Pack(v.view, a.view())
		s.stir(a)
		if err := s.holds(v); err != nil {
			return fmt.Errorf("after a change of the slice that Pack read: %w", err)
		}
		s.b.Unpack(a.view(), v.view)
		if err := s.agree(v.part, a); err != nil {
			return fmt.Errorf("Unpack of %d: %w", n, err)
		}
		s.stir(a)
		if err := s.holds(v); err != nil {
			return fmt.Errorf("after a change of the slice that Unpack wrote: %w", err)
		}
		if n < 2 {
			continue
		}
		if err := s.widen(r, p, v); err != nil {
			return err
		}
		s.b.Reduce(v.view)
		if err := s.holds(v); err != nil {
			return fmt.Errorf("after Reduce of %d: %w", n, err)
		}
	}
	return nil
}

// stir adds 1 to elements in place.
func (s *bulkSuite) stir(a elements) {
	one := s.one()
	for i := range a {
		s.f.Add(a[i], a[i], one)
	}
}

// widen takes v, of at least two elements, through a pass that leaves wide values.
func (s *bulkSuite) widen(r *rand.Rand, p pool, v *vector) error {
	w, t, err := s.multipliers(r, p, 1)
	if err != nil {
		return err
	}
	h := len(v.part) / 2
	l := layer{0, bulks.Rows{Blocks: 1, Half: 1, Width: h, Stride: h}}
	l.pass(t, v.view, 1, bulks.Pass{})
	s.radix2(v.part, w, l)
	return s.holds(v)
}

// inPlace checks bulks that take slices of elements for vectors: passes work on them without Pack, and Reduce or
// Unpack in place make them canonical. Those that are Canonical need neither.
func (s *bulkSuite) inPlace(r *rand.Rand) error {
	if !s.b.Traits().InPlace {
		return errNotOffered
	}
	p := s.pool(r)
	for n := range 40 {
		a := p.fill(r, n)
		v := a.view()
		type step struct {
			name string
			do   func()
		}
		list := []step{{"Reduce", func() { s.b.Reduce(v) }}, {"Unpack", func() { s.b.Unpack(v, v) }}}
		if s.b.Traits().Canonical {
			list = append(list, step{"a pass", func() {}})
		}
		for _, finish := range list {
			want := &vector{whole: v, view: v, want: s.clone(a)}
			want.part = want.want
			if err := s.agree(want.want, a); err != nil {
				return err
			}
			if n > 1 {
				if err := s.narrowPass(r, p, want); err != nil {
					return err
				}
				if err := s.widen(r, p, want); err != nil {
					return err
				}
			}
			finish.do()
			if err := s.agree(want.want, a); err != nil {
				return fmt.Errorf("%s in place of %d: %w", finish.name, n, err)
			}
			s.b.Pack(v, v)
			s.b.Unpack(v, v)
			if err := s.agree(want.want, a); err != nil {
				return fmt.Errorf("Pack, then Unpack in place of %d: %w", n, err)
			}
		}
	}
	return nil
}

// narrowPass takes v, of at least two narrow elements, through a pass that asks for narrow values.
func (s *bulkSuite) narrowPass(r *rand.Rand, p pool, v *vector) error {
	w, t, err := s.multipliers(r, p, 1)
	if err != nil {
		return err
	}
	h := len(v.part) / 2
	l := layer{0, bulks.Rows{Blocks: 1, Half: 1, Width: h, Stride: h}}
	l.pass(t, v.view, 1, bulks.Pass{How: bulks.Transposed})
	s.radix2T(v.part, w, l)
	return s.holds(v)
}

// bytes checks that the bytes of a part of a vector, copied, are its elements, and nothing of what is around them.
func (s *bulkSuite) bytes(r *rand.Rand) error {
	if _, ok := s.b.Memory(s.alloc(0)); !ok {
		return errNotOffered
	}
	p, tile := s.pool(r), bulks.Lanes
	if of, ok := s.b.(bulks.Spanner); ok {
		tile = max(tile, of.Tile())
	}
	for range 8 * s.scale {
		n := tile * r.IntN(6)
		i, j := between(r, n/tile)
		i, j = i*tile, j*tile
		from, to := s.whole(r, p, n), s.whole(r, p, n)
		b, ok := s.b.Memory(from.view.Slice(i, j))
		c, same := s.b.Memory(to.view.Slice(i, j))
		if !ok || !same || len(b) != len(c) {
			return fmt.Errorf("elements %d to %d of %d are %d and %d bytes of memory, %t, %t", i, j, n, len(b), len(c), ok,
				same)
		}
		copy(c, b)
		for k := i; k < j; k++ {
			s.f.Set(to.part[k], from.part[k])
		}
		if err := s.holds(to); err != nil {
			return fmt.Errorf("after the bytes of elements %d to %d of %d were copied: %w", i, j, n, err)
		}
	}
	return nil
}

// whole makes a vector of n elements of the pool, with nothing around them.
func (s *bulkSuite) whole(r *rand.Rand, p pool, n int) *vector {
	v := &vector{whole: s.alloc(n), want: p.fill(r, n)}
	s.b.Pack(v.whole, v.want.view())
	v.view, v.part = v.whole, v.want
	return v
}
