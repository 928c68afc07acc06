package fieldtest

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
)

// odd checks DFTs of odd lengths of which the field has roots, on rows of all widths from 1 to 40, after a pass that
// leaves wide values.
func (s *bulkSuite) odd(r *rand.Rand) error {
	if s.passes.Odd == 0 {
		return errNotOffered
	}
	p := s.pool(r)
	for _, n := range []int{3, 5, 7, 9, 11, 13, 15, 17, s.passes.Odd} {
		if n > s.passes.Odd {
			continue
		}
		w, err := s.rootHalves(n, p.fill(r, r.IntN(3)))
		if errors.Is(err, field.ErrNoRoot) {
			continue
		} else if err != nil {
			return err
		}
		v := s.alloc(len(w))
		s.b.Pack(v, w.view())
		s.b.Reduce(v)
		t, err := s.made(r, v)
		if err != nil {
			return fmt.Errorf("table of %d multipliers: %w", len(w), err)
		}
		for range 8 * s.scale {
			width := 1 + r.IntN(40)
			stride := width + r.IntN(2)*r.IntN(9)
			v := s.vector(r, p, (n-1)*stride+width)
			l := layer{r.IntN(len(w)), bulks.Rows{Blocks: 1, Half: 1, Width: width, Stride: stride}}
			l.pass(t, v.view, 1, bulks.Pass{})
			s.layers(1, v.part, w, l)
			t.Pass(v.view, bulks.Pass{How: bulks.Odd}, bulks.Rows{Blocks: 1, Half: n, Width: width, Stride: stride})
			s.oddRows(v.part, w, n, width, stride)
			if err := s.holds(v); err != nil {
				return fmt.Errorf("DFT_%d of %d columns, stride %d: %w", n, width, stride, err)
			}
			if err := s.oddInto(r, p, t, w, n, width); err != nil {
				return fmt.Errorf("OddInto, DFT_%d of %d columns: %w", n, width, err)
			}
		}
	}
	return nil
}

// oddInto checks DFT_n from place to place, where t has it.
func (s *bulkSuite) oddInto(r *rand.Rand, p pool, made bulks.Table, w elements, n, width int) error {
	t, ok := made.(bulks.Into)
	if !ok {
		return nil
	}
	dst, src := s.vector(r, p, n*width), s.vector(r, p, n*width)
	if t.OddInto(dst.view, src.view, n, width) {
		for i := range dst.part {
			s.f.Set(dst.part[i], src.part[i])
		}
		s.oddRows(dst.part, w, n, width, width)
	}
	return cmp.Or(s.holds(dst), s.holds(src))
}

// rootHalves returns 1, the multipliers of DFT_n and last.
func (s *bulkSuite) rootHalves(n int, last elements) (elements, error) {
	f, h := s.f, n/2
	root, half := f.New(), f.New()
	if s.has.rooted == nil {
		return nil, field.ErrNoRoot
	}
	if err := s.has.rooted.RootOfUnity(root, uint64(n)); err != nil {
		return nil, err
	}
	powers := f.Make(n)
	f.One(powers[0])
	for i := 1; i < n; i++ {
		f.Mul(powers[i], powers[i-1], root)
	}
	f.Add(half, powers[0], powers[0])
	if err := f.Inv(half, half); err != nil {
		return nil, err
	}
	w := f.Make(1 + 2*h*h + len(last))
	f.One(w[0])
	z := w[1:]
	for k := 1; k <= h; k++ {
		for _, join := range []func(z, x, y element){f.Add, f.Sub} {
			for j := 1; j <= h; j++ {
				join(z[0], powers[j*k%n], powers[(n-j*k%n)%n])
				f.Mul(z[0], z[0], half)
				z = z[1:]
			}
		}
	}
	for i := range last {
		f.Set(z[i], last[i])
	}
	return w, nil
}

// oddRows is such a DFT by its definition.
func (s *bulkSuite) oddRows(v, w elements, n, width, stride int) {
	f, h := s.f, n/2
	x, y := s.f.Make(n), s.f.Make(n)
	for c := range width {
		at := func(i int) element { return v[i*stride+c] }
		for i := range x {
			f.Set(x[i], at(i))
		}
		for j := 1; j <= h; j++ {
			f.Add(y[j], x[j], x[n-j])
			f.Sub(y[n-j], x[j], x[n-j])
			f.Add(at(0), at(0), y[j])
		}
		for k := 1; k <= h; k++ {
			c, s := w[1+2*h*(k-1):], w[1+2*h*(k-1)+h:]
			even, odd, term := f.New(), f.New(), f.New()
			f.Set(even, x[0])
			for j := 1; j <= h; j++ {
				f.Mul(term, y[j], c[j-1])
				f.Add(even, even, term)
				f.Mul(term, y[n-j], s[j-1])
				f.Add(odd, odd, term)
			}
			f.Add(at(k), even, odd)
			f.Sub(at(n-k), even, odd)
		}
	}
}
