package fieldtest

// op is an element method as a function of two operands, total and the same for all. Methods of fewer
// operands leave x or y aside; 1/0 is 0.
type op struct {
	name     string
	operands int
	do       func(z, x, y element)
}

func (s *suite) ops() []op {
	f := s.f
	return []op{
		{"Set", 1, func(z, x, _ element) { f.Set(z, x) }},
		{"One", 0, func(z, _, _ element) { f.One(z) }},
		{"Neg", 1, func(z, x, _ element) { f.Neg(z, x) }},
		{"Inv", 1, func(z, x, _ element) {
			if f.Inv(z, x) != nil {
				f.Set(z, s.f.New())
			}
		}},
		{"Add", 2, f.Add},
		{"Sub", 2, f.Sub},
		{"Mul", 2, f.Mul},
	}
}
