package fieldtest

// op is an element method as a function of two operands, total and the same for all. Methods of fewer
// operands leave x or y aside; 1/0 is 0.
type op[E any] struct {
	name     string
	operands int
	do       func(z, x, y *E)
}

func (s *suite[E]) ops() []op[E] {
	f := s.f
	return []op[E]{
		{"Set", 1, func(z, x, _ *E) { f.Set(z, x) }},
		{"One", 0, func(z, _, _ *E) { f.One(z) }},
		{"Neg", 1, func(z, x, _ *E) { f.Neg(z, x) }},
		{"Inv", 1, func(z, x, _ *E) {
			if f.Inv(z, x) != nil {
				f.Set(z, new(E))
			}
		}},
		{"Add", 2, f.Add},
		{"Sub", 2, f.Sub},
		{"Mul", 2, f.Mul},
	}
}
