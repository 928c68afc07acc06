package fieldtest

import (
	"fmt"
	"math/rand/v2"
)

func (s *suite) mulAdd(z, x, y element) {
	t := s.f.New()
	s.f.Mul(t, x, y)
	s.f.Add(z, z, t)
}

// vectors checks whole slices against element methods, for lengths 0 to 33 and some more, with every aliasing
// that is allowed, and looks that nothing around the slices is written.
func (s *suite) vectors(r *rand.Rand, f vectors) error {
	p := s.pool(r)
	for n := range 34 + 2 {
		if n >= 34 {
			n = []int{100, 257}[n-34]
		}
		for _, o := range []struct {
			name  string
			slice func(z, x, y elements)
			do    func(z, x, y element)
		}{{"AddVec", f.AddVec, s.f.Add}, {"SubVec", f.SubVec, s.f.Sub}, {"MulVec", f.MulVec, s.f.Mul},
			{"MulAddVec", f.MulAddVec, s.mulAdd}} {
			for _, c := range [][3]int{{2, 0, 1}, {0, 0, 1}, {1, 0, 1}, {2, 0, 0}, {0, 0, 0}} {
				lo := r.IntN(4)
				got := [3]elements{p.fill(r, n+8), p.fill(r, n+8), p.fill(r, n+8)}
				want := [3]elements{s.clone(got[0]), s.clone(got[1]), s.clone(got[2])}
				part := func(v elements) elements { return v[lo : lo+n] }
				o.slice(part(got[c[0]]), part(got[c[1]]), part(got[c[2]]))
				for i := range n {
					o.do(part(want[c[0]])[i], part(want[c[1]])[i], part(want[c[2]])[i])
				}
				for i := range got {
					if err := s.agree(want[i], got[i]); err != nil {
						return fmt.Errorf("%s of %d elements from index %d on, as slices (%c, %c, %c): %c: %w",
							o.name, n, lo, "xyz"[c[0]], "xyz"[c[1]], "xyz"[c[2]], "xyz"[i], err)
					}
				}
			}
		}
	}
	return nil
}
