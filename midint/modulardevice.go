package midint

import "context"

// modularDevice is a device that multiplies modulo odd moduli as well, as package gpu does: one modulus for all
// integers or one for each, of at most ModularBits bits, with operands below them. Exp takes the lowest digits of
// exponents, of window bits each. z may be an operand.
type modularDevice interface {
	ModularBits() int
	MulMod(ctx context.Context, z, x, y, moduli []uint32, bits int) error
	Exp(ctx context.Context, z, x, y, moduli []uint32, bits, exponentBits, window, digits int) error
}

// modular computes a call on a device.
func (s *state) modular(d modularDevice) error {
	if s.x.n == 0 {
		return nil
	}
	if s.op == opMulMod {
		return d.MulMod(s.ctx, s.z.words, s.x.words, s.y.words, s.moduli.m.words, s.x.bits)
	}
	l := s.ladder
	if l.digits == 0 { // of exponents that are 0
		l = ladder{1, 1}
	}
	return d.Exp(s.ctx, s.z.words, s.x.words, s.y.words, s.moduli.m.words, s.x.bits, s.y.bits, l.window, l.digits)
}
