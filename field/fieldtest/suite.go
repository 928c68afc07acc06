package fieldtest

import (
	"bytes"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"github.com/galfft/fft/field"
)

// suite holds what the checks of one field share. Its helpers use the element methods alone, but for the
// codec, which makes equality strict and values printable.
type suite[E any] struct {
	f      field.Field[E]
	cfg    Config[E]
	scale  int
	random func(z *E, r *rand.Rand)
	codec  field.Codec[E] // nil where there is none
	affine bool           // passes under test are those of affine domains
}

func newSuite[E any](f field.Field[E], cfg Config[E], scale int) *suite[E] {
	s := &suite[E]{f: f, cfg: cfg, scale: scale, random: cfg.Random}
	s.codec, _ = f.(field.Codec[E])
	if s.random == nil {
		if g, ok := f.(field.Sampler[E]); ok {
			s.random = g.Random
		} else {
			s.random = s.build
		}
	}
	return s
}

func (s *suite[E]) checks() []check {
	optional := []check{
		{"Roots", offered(s.f, s.roots)},
		{"Info", offered(s.f, s.info)},
		{"Codec", offered(s.f, s.encoding)},
		{"Sampler", offered(s.f, s.sampler)},
		{"Shifter", offered(s.f, s.shifter)},
		{"Butterflies", offered(s.f, s.butterflies)},
		{"Vectors", offered(s.f, s.vectors)},
		{"Planner", offered(s.f, s.planner)},
		{"RangeChecker", offered(s.f, s.ranges)},
		{"ContextRoots", offered(s.f, s.lateRoots)},
		{"Subspaces", offered(s.f, s.subspace)},
		{"Convolver", offered(s.f, s.convolver)},
	}
	return append([]check{
		{"Axioms", s.axioms},
		{"Zero", s.zero},
		{"Aliasing", s.aliasing},
		{"Independence", s.independence},
		{"Inverse", s.inverse},
		{"Equal", s.equal},
		{"Concurrency", func(r *rand.Rand) error { return s.concurrency(r, optional) }},
	}, optional...)
}

// New elements, each in memory of its own.

func (s *suite[E]) one() *E          { z := new(E); s.f.One(z); return z }
func (s *suite[E]) copy(x *E) *E     { z := new(E); s.f.Set(z, x); return z }
func (s *suite[E]) add(x, y *E) *E   { z := new(E); s.f.Add(z, x, y); return z }
func (s *suite[E]) sub(x, y *E) *E   { z := new(E); s.f.Sub(z, x, y); return z }
func (s *suite[E]) neg(x *E) *E      { z := new(E); s.f.Neg(z, x); return z }
func (s *suite[E]) mul(x, y *E) *E   { z := new(E); s.f.Mul(z, x, y); return z }
func (s *suite[E]) isZero(x *E) bool { return s.f.Equal(x, new(E)) }

func (s *suite[E]) pow(x *E, e uint64) *E {
	z := new(E)
	field.Pow(s.f, z, x, new(big.Int).SetUint64(e))
	return z
}

func (s *suite[E]) draw(r *rand.Rand) *E {
	z := new(E)
	s.random(z, r)
	return z
}

// build is the sampler of fields without one: z = cz + b with random bits b, where c is 2 or an edge value, and
// a square every 16 bits, so that values of 1000 bits come about.
func (s *suite[E]) build(z *E, r *rand.Rand) {
	one := s.one()
	factors := []*E{s.add(one, one)}
	for i := range s.cfg.Edge {
		factors = append(factors, &s.cfg.Edge[i])
	}
	factors = slices.DeleteFunc(factors, s.isZero)
	s.f.Set(z, new(E))
	for i := range 96 {
		if len(factors) > 0 {
			s.f.Mul(z, z, factors[r.IntN(len(factors))])
		}
		if r.IntN(2) == 1 {
			s.f.Add(z, z, one)
		}
		if i%16 == 0 {
			s.f.Mul(z, z, z)
		}
	}
}

// values returns the edge values and k random ones: a 0 that was never written, a 0 that was, 1, −1, 2, 1/2
// where there is one, Config.Edge, limits of words and the random ones.
func (s *suite[E]) values(r *rand.Rand, k int) []*E {
	one := s.one()
	two := s.add(one, one)
	v := []*E{new(E), s.sub(one, one), one, s.neg(one), two}
	if half := new(E); s.f.Inv(half, two) == nil {
		v = append(v, half)
	}
	for i := range s.cfg.Edge {
		v = append(v, s.copy(&s.cfg.Edge[i]))
	}
	v = append(v, s.limits(r, 8)...)
	for range k {
		v = append(v, s.draw(r))
	}
	return v
}

// limits returns at most k values next to the limits of words and digits, of 32, 52 and 64 bits.
func (s *suite[E]) limits(r *rand.Rand, k int) (v []*E) {
	if s.codec == nil {
		return nil
	}
	for i := range 8*s.codec.Size() + 1 {
		if i == 0 || i%32 != 0 && i%52 != 0 {
			continue
		}
		x := new(big.Int).Lsh(big.NewInt(1), uint(i))
		for _, d := range []int64{-1, 1} {
			if z := new(E); s.codec.SetBig(z, x) == nil {
				v = append(v, z)
			}
			x.Add(x, big.NewInt(d))
		}
	}
	r.Shuffle(len(v), func(i, j int) { v[i], v[j] = v[j], v[i] })
	return v[:min(k, len(v))]
}

// same reports whether x = y and, where there is a codec, that both have one encoding.
func (s *suite[E]) same(x, y *E) bool {
	if !s.f.Equal(x, y) {
		return false
	}
	if s.codec == nil || bytes.Equal(memory(x), memory(y)) { // the same bits have one encoding
		return true
	}
	n := s.codec.Size()
	b := make([]byte, 2*n)
	s.codec.PutBytes(b[:n], x)
	s.codec.PutBytes(b[n:], y)
	return bytes.Equal(b[:n], b[n:])
}

// invalid returns an element with all bits set where that is no element: where its encoding, if it has one at all, is
// that of another.
func (s *suite[E]) invalid() (x E, ok bool) {
	if s.codec == nil || !flat(reflect.TypeFor[E]()) {
		return x, false
	}
	b := memory(&x)
	for i := range b {
		b[i] = 0xff
	}
	code, back := make([]byte, s.codec.Size()), new(E)
	err := guarded(func() error {
		s.codec.PutBytes(code, &x)
		return s.codec.SetBytes(back, code)
	})
	return x, err != nil || !bytes.Equal(b, memory(back))
}

// flat reports whether values of t are words and nothing else.
func flat(t reflect.Type) bool {
	for t.Kind() == reflect.Array {
		t = t.Elem()
	}
	return t.Kind() >= reflect.Int && t.Kind() <= reflect.Uintptr
}

// memory returns the bytes of x in memory, pointers and not what they point to.
func memory[E any](x *E) []byte { return unsafe.Slice((*byte)(unsafe.Pointer(x)), unsafe.Sizeof(*x)) }

// show returns x for a message.
func (s *suite[E]) show(x *E) string {
	if s.codec != nil {
		return string(s.codec.AppendText(nil, x))
	}
	return fmt.Sprintf("%v", *x)
}

// law reports an error unless left = right; args are the values that the law was tried with.
func (s *suite[E]) law(name string, left, right *E, args ...*E) error {
	if s.same(left, right) {
		return nil
	}
	msg := fmt.Sprintf("%s fails: %s and %s", name, s.show(left), s.show(right))
	if len(args) > 0 {
		list := make([]string, len(args))
		for i, x := range args {
			list[i] = s.show(x)
		}
		msg += " for " + strings.Join(list, ", ")
	}
	return fmt.Errorf("%s", msg)
}

// witness keeps the value of an element through copies made by three different methods, so that it survives
// one of them sharing memory with its operand.
type witness[E any] struct{ set, sum, product *E }

func (s *suite[E]) witness(x *E) witness[E] {
	return witness[E]{s.copy(x), s.add(x, new(E)), s.mul(x, s.one())}
}

// kept reports an error unless x is what it was when w was taken.
func (s *suite[E]) kept(what string, x *E, w witness[E]) error {
	for _, y := range []*E{w.set, w.sum, w.product} {
		if !s.same(x, y) {
			return fmt.Errorf("%s changed from %s to %s", what, s.show(y), s.show(x))
		}
	}
	return nil
}

// wrongError returns an error unless err is want in the sense of errors.Is.
func wrongError(what string, err, want error) error {
	switch {
	case err == nil:
		return fmt.Errorf("%s: no error, want %q", what, want)
	case !errors.Is(err, want):
		return fmt.Errorf("%s: error %q, which is not %q", what, err, want)
	}
	return nil
}
