package fieldtest

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"

	"github.com/galfft/fft/field"
)

// encoding checks that bytes, text and big.Int are three forms of one canonical number, that decoders accept
// nothing else, and that the number of a prime field is the residue.
func (s *suite) encoding(r *rand.Rand, c codec) error {
	info := s.has.info
	var order *big.Int // nil when it is not known
	if info != nil {
		order = info.Order()
		if want := (new(big.Int).Sub(order, big.NewInt(1)).BitLen() + 7) / 8; c.Size() != want {
			return fmt.Errorf("size is %d bytes, want %d for order %v", c.Size(), want, order)
		}
	}
	v := s.values(r, 32*s.scale)
	for _, x := range v {
		if err := cmp.Or(s.encoders(c, x), s.decoders(c, x, s.draw(r))); err != nil {
			return err
		}
	}
	if err := cmp.Or(s.badBytes(r, c, order), s.badText(r, c, order), s.badBig(r, c, order)); err != nil {
		return err
	}
	if info == nil || info.Characteristic().Cmp(order) != 0 {
		return nil
	}
	return s.residues(r, c, order, v)
}

func (s *suite) encode(x element) []byte {
	b := make([]byte, s.codec.Size())
	s.codec.PutBytes(b, x)
	return b
}

// encoders checks that all forms of x are one number, and that nothing around them is written.
func (s *suite) encoders(c codec, x element) error {
	w := s.witness(x)
	n := c.Size()
	number := new(big.Int)
	if got := c.Big(number, x); got != number {
		return errors.New("Big returns another big.Int than it was given")
	}
	want := new(big.Int).Set(number)
	number.Add(number, big.NewInt(1)).Neg(number)
	if err := s.kept("x, after a change of what Big returned,", x, w); err != nil {
		return err
	}
	if got := c.Big(number, x); got.Cmp(want) != 0 {
		return fmt.Errorf("Big of %s gives %v into a used big.Int, %v before", s.show(x), got, want)
	}
	if want.Sign() < 0 || want.BitLen() > 8*n {
		return fmt.Errorf("Big gives %v, want a number of %d bytes", want, n)
	}
	base := s.base
	little := want.FillBytes(make([]byte, n))
	slices.Reverse(little)
	for _, dirt := range []byte{0, 0xff} {
		b := bytes.Repeat([]byte{dirt}, n+3)
		c.PutBytes(b, x)
		if !bytes.Equal(b[:n], little) {
			return fmt.Errorf("PutBytes of %v gives % x, want % x", want, b[:n], little)
		}
		if !bytes.Equal(b[n:], bytes.Repeat([]byte{dirt}, 3)) {
			return fmt.Errorf("PutBytes of %v writes more than %d bytes", want, n)
		}
	}
	if n > 0 && !panics(func() { c.PutBytes(make([]byte, n-1, n), x) }) {
		return fmt.Errorf("PutBytes into %d bytes does not panic, want %d bytes", n-1, n)
	}
	if got := c.AppendText([]byte("x = "), x); string(got) != "x = "+want.Text(base) {
		return fmt.Errorf("AppendText to %q gives %q, want %q", "x = ", got, "x = "+want.Text(base))
	}
	var fresh *big.Int
	if panics(func() { fresh = c.Big(nil, x) }) || fresh == nil || fresh.Cmp(want) != 0 {
		return fmt.Errorf("Big into nil panics or gives %v, want a fresh %v", fresh, want)
	}
	return s.kept("x, after it was encoded,", x, w)
}

func panics(f func()) (yes bool) {
	defer func() { yes = recover() != nil }()
	f()
	return false
}

// decoders checks that x comes back from each of its forms, into a z that holds dirt, and that z keeps
// nothing of them.
func (s *suite) decoders(c codec, x, dirt element) error {
	b, text, number := s.encode(x), c.AppendText(nil, x), c.Big(new(big.Int), x)
	b0, text0, number0 := slices.Clone(b), slices.Clone(text), new(big.Int).Set(number)
	for _, d := range []struct {
		name string
		do   func(z element) error
	}{
		{"SetBytes", func(z element) error { return c.SetBytes(z, b) }},
		{"SetText", func(z element) error { return c.SetText(z, text) }},
		{"SetBig", func(z element) error { return c.SetBig(z, number) }},
	} {
		z := s.copy(dirt)
		if err := d.do(z); err != nil {
			return fmt.Errorf("%s of %v: %w", d.name, number, err)
		}
		if err := s.law(d.name+" undoes the encoding", z, x); err != nil {
			return err
		}
		if !bytes.Equal(b, b0) || !bytes.Equal(text, text0) || number.Cmp(number0) != 0 {
			return fmt.Errorf("%s of %v changes what it reads", d.name, number0)
		}
		w := s.witness(z)
		clear(b)
		clear(text)
		number.Add(number, big.NewInt(1)).Neg(number)
		if err := s.kept("z, after a change of what "+d.name+" read,", z, w); err != nil {
			return err
		}
		copy(b, b0)
		copy(text, text0)
		number.Set(number0)
	}
	return nil
}

// rejected checks that an error is the right one and that z stayed.
func (s *suite) rejected(what string, err, want error, z element, w witness) error {
	return cmp.Or(wrongError(what, err, want), s.kept("z, after "+what+" was rejected,", z, w))
}

func (s *suite) badBytes(r *rand.Rand, c codec, order *big.Int) error {
	z := s.draw(r)
	w := s.witness(z)
	n := c.Size()
	for _, m := range []int{0, 1, n - 1, n + 1, 2 * n, n + 64} {
		if m < 0 || m == n {
			continue
		}
		if err := s.rejected(fmt.Sprintf("SetBytes of %d bytes", m), c.SetBytes(z, make([]byte, m)), field.ErrLength,
			z, w); err != nil {
			return err
		}
	}
	for _, x := range s.tooBig(r, order) {
		if x.BitLen() > 8*n {
			continue
		}
		b := x.FillBytes(make([]byte, n))
		slices.Reverse(b)
		if err := s.rejected(fmt.Sprintf("SetBytes of %v", x), c.SetBytes(z, b), field.ErrRange, z, w); err != nil {
			return err
		}
	}
	b := bytes.Repeat([]byte{0xff}, n)
	err := c.SetBytes(z, b)
	if err == nil && bytes.Equal(s.encode(z), b) && (order == nil || order.BitLen() > 8*n) {
		return nil // every number of that size is canonical
	}
	return s.rejected("SetBytes of bytes 0xff", err, field.ErrRange, z, w)
}

func (s *suite) badText(r *rand.Rand, c codec, order *big.Int) error {
	z, base := s.draw(r), s.base
	w := s.witness(z)
	texts := []string{
		"", " ", "-", "+", "-0", "-1", "+0", "+1", " 1", "1 ", "\t1", "1\n", "x1", "1x", "0x1", "1_0", "1.0",
		"1g1", "1,0", "1-1", "/", ":", "1:", "\x001", "1\x00", "\xff", "\u0661", "\uff11", "g", "@", "`", "G",
	}
	if base == 10 {
		texts = append(texts, "0b1", "1e1", "a", "F")
	}
	for _, x := range s.tooBig(r, order) {
		texts = append(texts, x.Text(base), "000"+x.Text(base))
	}
	for _, t := range texts {
		if err := s.rejected(fmt.Sprintf("SetText of %q", t), c.SetText(z, []byte(t)), field.ErrRange, z,
			w); err != nil {
			return err
		}
	}
	return nil
}

func (s *suite) badBig(r *rand.Rand, c codec, order *big.Int) error {
	z := s.draw(r)
	w := s.witness(z)
	bad := s.tooBig(r, order)
	for _, x := range append([]*big.Int{big.NewInt(1)}, bad...) {
		bad = append(bad, new(big.Int).Neg(x))
	}
	for _, x := range bad {
		if err := s.rejected(fmt.Sprintf("SetBig of %v", x), c.SetBig(z, x), field.ErrRange, z, w); err != nil {
			return err
		}
	}
	var err error
	if panics(func() { err = c.SetBig(z, nil) }) {
		return errors.New("SetBig of nil panics")
	}
	return s.rejected("SetBig of nil", err, field.ErrRange, z, w)
}

// tooBig returns numbers from the order on, or nothing when it is not known.
func (s *suite) tooBig(r *rand.Rand, order *big.Int) []*big.Int {
	if order == nil {
		return nil
	}
	one := big.NewInt(1)
	list := []*big.Int{order, new(big.Int).Add(order, one), new(big.Int).Add(order, new(big.Int).SetUint64(r.Uint64()))}
	for k := order.BitLen(); k <= order.BitLen()+130; k++ { // where digits are cut off, 0, 1 or −1 is left
		p := new(big.Int).Lsh(one, uint(k))
		list = append(list, p, new(big.Int).Add(p, one), new(big.Int).Sub(p, one))
	}
	return slices.DeleteFunc(list, func(x *big.Int) bool { return x.Cmp(order) < 0 })
}

// residues checks that Big maps the operations of the prime field to those of integers modulo p, and that
// SetBig is its inverse.
func (s *suite) residues(r *rand.Rand, c codec, p *big.Int, v []element) error {
	residue := func(x element) *big.Int { return c.Big(new(big.Int), x) }
	agree := func(what string, x element, want *big.Int) error {
		if got := residue(x); got.Cmp(want.Mod(want, p)) != 0 {
			return fmt.Errorf("%s is %v, want %v modulo %v", what, got, want, p)
		}
		return nil
	}
	if err := agree("1", s.one(), big.NewInt(1)); err != nil {
		return err
	}
	for _, x := range v {
		a := residue(x)
		if err := agree(fmt.Sprintf("−%v", a), s.neg(x), new(big.Int).Neg(a)); err != nil {
			return err
		}
		for _, y := range v {
			b := residue(y)
			err := cmp.Or(
				agree(fmt.Sprintf("%v + %v", a, b), s.add(x, y), new(big.Int).Add(a, b)),
				agree(fmt.Sprintf("%v − %v", a, b), s.sub(x, y), new(big.Int).Sub(a, b)),
				agree(fmt.Sprintf("%v·%v", a, b), s.mul(x, y), new(big.Int).Mul(a, b)),
			)
			if err != nil {
				return err
			}
		}
	}
	for range 100 * s.scale {
		a, z := new(big.Int).Mod(residue(s.draw(r)), p), s.draw(r)
		if err := c.SetBig(z, a); err != nil {
			return fmt.Errorf("SetBig of %v: %w", a, err)
		}
		if err := cmp.Or(agree("SetBig, then Big,", z, a), s.law("SetBig of a = a·1", z,
			s.times(s.one(), a))); err != nil {
			return err
		}
	}
	return nil
}
