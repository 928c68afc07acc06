package fieldtest

import (
	"cmp"
	"fmt"
	"math/rand/v2"
)

// zero checks that the zero value of E is 0, as an operand never written too.
func (s *suite) zero(r *rand.Rand) error {
	one := s.one()
	written := s.sub(one, one)
	if !s.f.Equal(s.f.New(), s.f.New()) || !s.f.Equal(s.f.New(), written) || !s.f.Equal(written, s.f.New()) {
		return fmt.Errorf("the zero value of E is not equal to 1 − 1 = %s", s.show(written))
	}
	for _, o := range s.ops() {
		for _, x := range s.values(r, 4) {
			for _, c := range []struct {
				pattern            string
				x, y, wantX, wantY element
			}{
				{"(0, y)", s.f.New(), x, written, x},
				{"(x, 0)", x, s.f.New(), x, written},
				{"(0, 0)", s.f.New(), s.f.New(), written, written},
			} {
				z, want := s.f.New(), s.draw(r)
				o.do(z, c.x, c.y)
				o.do(want, c.wantX, c.wantY)
				err := cmp.Or(
					s.law(o.name+c.pattern+" with zero values of E = the same with 1 − 1", z, want, c.x, c.y),
					s.law("the operand remains 0 in "+o.name+c.pattern, c.x, c.wantX),
					s.law("the operand remains 0 in "+o.name+c.pattern, c.y, c.wantY),
				)
				if err != nil {
					return err
				}
			}
		}
		z, want := s.f.New(), s.copy(written)
		o.do(z, z, z)
		o.do(want, want, want)
		if err := s.law(o.name+" in place on the zero value of E = the same on 1 − 1", z, want); err != nil {
			return err
		}
	}
	return nil
}

// aliasing checks every method with a destination among its operands.
func (s *suite) aliasing(r *rand.Rand) error { return s.aliases(r, s.ops()) }

// aliases checks that each op gives one result whichever of z, x and y are one element, and that operands
// are not changed otherwise.
func (s *suite) aliases(r *rand.Rand, ops []op) error {
	v := s.values(r, 4*s.scale)
	for _, o := range ops {
		others := v
		if o.operands < 2 {
			others = v[:1]
		}
		for _, x := range v {
			for _, y := range others {
				if err := s.alias(o, x, y, s.draw(r)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// alias tries o with copies of x and y; dirt is what the destination holds before.
func (s *suite) alias(o op, x, y, dirt element) error {
	want, wantXX := s.f.New(), s.f.New()
	o.do(want, s.copy(x), s.copy(y))
	o.do(wantXX, s.copy(x), s.copy(x))
	for _, c := range []struct {
		pattern string
		z, x, y int // numbers of the elements that take part, which start as x, y, dirt
	}{
		{"z, x, y", 2, 0, 1}, {"x, x, y", 0, 0, 1}, {"y, x, y", 1, 0, 1}, {"z, x, x", 2, 0, 0}, {"x, x, x", 0, 0, 0},
	} {
		e := [3]element{s.copy(x), s.copy(y), s.copy(dirt)}
		after := [3]element{x, y, dirt}
		after[c.z] = want
		if c.x == c.y {
			after[c.z] = wantXX
		}
		o.do(e[c.z], e[c.x], e[c.y])
		for i := range e {
			if !s.same(e[i], after[i]) {
				return fmt.Errorf("%s(%s) with x = %s, y = %s: %c is %s, want %s",
					o.name, c.pattern, s.show(x), s.show(y), "xyz"[i], s.show(e[i]), s.show(after[i]))
			}
		}
	}
	return nil
}

// independence checks that results own their memory: changing one in place leaves the operands, and changing
// an operand leaves the result.
func (s *suite) independence(r *rand.Rand) error {
	v := s.values(r, 2*s.scale)
	for _, o := range s.ops() {
		for i, x := range v {
			for _, y := range []element{v[0], v[2], v[(i+1)%len(v)]} { // 0, 1 and another
				if err := s.apart(o, s.add(x, s.f.New()), s.add(y, s.f.New())); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// apart computes z = o(x, y), changes x, y and z in place one after the other, and looks whether the two others
// stay. It changes x and y.
func (s *suite) apart(o op, x, y element) error {
	z := s.f.New()
	o.do(z, x, y)
	wx, wy, wz := s.witness(x), s.witness(y), s.witness(z)
	s.f.Swap(x, y)
	if err := cmp.Or(s.kept("x", y, wx), s.kept("y", x, wy)); err != nil {
		return fmt.Errorf("x and y swapped by value: %w", err)
	}
	e, one := [3]element{y, x, z}, s.one()
	for i := range e {
		w := [3]witness{s.witness(e[0]), s.witness(e[1]), s.witness(e[2])}
		for _, change := range s.ops() {
			change.do(e[i], e[i], one)
			for j := range e {
				if j == i {
					continue
				}
				if err := s.kept(string("xyz"[j]), e[j], w[j]); err != nil {
					return fmt.Errorf("after %s(z, x, y), then %s in place on %c: %w", o.name, change.name, "xyz"[i],
						err)
				}
			}
		}
	}
	again := s.f.New()
	o.do(again, wx.set, wy.set)
	return s.kept("the result of "+o.name, again, wz)
}
