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

	"github.com/galfft/fft/field"
)

// suite holds what the checks of one field share. Its helpers use the element methods alone, but for the
// codec, which makes equality strict and values printable.
type suite struct {
	f      door
	has    offers
	edge   elements // Config.Edge
	orders []uint64 // Config.RootOrders
	scale  int
	random func(z element, r *rand.Rand)
	codec  codec // nil where there is none
	base   int   // of its text
	affine bool  // passes under test are those of affine domains
}

func newSuite[E any](f field.Field[E], cfg Config[E], scale int) *suite {
	s := &suite{orders: cfg.RootOrders, scale: scale, base: field.TextBaseOf(f)}
	s.f, s.has = newDoor(f)
	s.codec, s.edge = s.has.codec, s.f.Make(len(cfg.Edge))
	for i := range cfg.Edge {
		s.f.Assign(s.edge[i], &cfg.Edge[i])
	}
	switch {
	case cfg.Random != nil:
		s.random = func(z element, r *rand.Rand) { cfg.Random(z.(*E), r) }
	case s.has.sampler != nil:
		s.random = s.has.sampler.Random
	default:
		s.random = s.build
	}
	return s
}

func (s *suite) checks() []check {
	optional := []check{
		{"Roots", offered(s.has.rooted, s.roots)},
		{"Info", offered(s.has.info, s.info)},
		{"Codec", offered(s.has.codec, s.encoding)},
		{"Sampler", offered(s.has.sampler, s.sampler)},
		{"Shifter", offered(s.has.shifter, s.shifter)},
		{"Butterflies", offered(s.has.butterflies, s.butterflies)},
		{"Vectors", offered(s.has.vectors, s.vectors)},
		{"Planner", offered(s.has.planner, s.planner)},
		{"RangeChecker", offered(s.has.rangeChecker, s.ranges)},
		{"ContextRoots", offered(s.has.contextRoots, s.lateRoots)},
		{"Subspaces", offered(s.has.subspaces, s.subspace)},
		{"Convolver", offered(s.has.convolver, s.convolver)},
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

func (s *suite) one() element             { z := s.f.New(); s.f.One(z); return z }
func (s *suite) copy(x element) element   { z := s.f.New(); s.f.Set(z, x); return z }
func (s *suite) add(x, y element) element { z := s.f.New(); s.f.Add(z, x, y); return z }
func (s *suite) sub(x, y element) element { z := s.f.New(); s.f.Sub(z, x, y); return z }
func (s *suite) neg(x element) element    { z := s.f.New(); s.f.Neg(z, x); return z }
func (s *suite) mul(x, y element) element { z := s.f.New(); s.f.Mul(z, x, y); return z }
func (s *suite) isZero(x element) bool    { return s.f.Equal(x, s.f.New()) }

func (s *suite) pow(x element, e uint64) element {
	z := s.f.New()
	s.f.Pow(z, x, new(big.Int).SetUint64(e))
	return z
}

func (s *suite) draw(r *rand.Rand) element {
	z := s.f.New()
	s.random(z, r)
	return z
}

// build is the sampler of fields without one: z = cz + b with random bits b, where c is 2 or an edge value, and
// a square every 16 bits, so that values of 1000 bits come about.
func (s *suite) build(z element, r *rand.Rand) {
	one := s.one()
	factors := []element{s.add(one, one)}
	for i := range s.edge {
		factors = append(factors, s.edge[i])
	}
	factors = slices.DeleteFunc(factors, s.isZero)
	s.f.Set(z, s.f.New())
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
func (s *suite) values(r *rand.Rand, k int) []element {
	one := s.one()
	two := s.add(one, one)
	v := []element{s.f.New(), s.sub(one, one), one, s.neg(one), two}
	if half := s.f.New(); s.f.Inv(half, two) == nil {
		v = append(v, half)
	}
	for i := range s.edge {
		v = append(v, s.copy(s.edge[i]))
	}
	v = append(v, s.limits(r, 8)...)
	for range k {
		v = append(v, s.draw(r))
	}
	return v
}

// limits returns at most k values next to the limits of words and digits, of 32, 52 and 64 bits.
func (s *suite) limits(r *rand.Rand, k int) (v []element) {
	if s.codec == nil {
		return nil
	}
	for i := range 8*s.codec.Size() + 1 {
		if i == 0 || i%32 != 0 && i%52 != 0 {
			continue
		}
		x := new(big.Int).Lsh(big.NewInt(1), uint(i))
		for _, d := range []int64{-1, 1} {
			if z := s.f.New(); s.codec.SetBig(z, x) == nil {
				v = append(v, z)
			}
			x.Add(x, big.NewInt(d))
		}
	}
	r.Shuffle(len(v), func(i, j int) { v[i], v[j] = v[j], v[i] })
	return v[:min(k, len(v))]
}

// same reports whether x = y and, where there is a codec, that both have one encoding.
func (s *suite) same(x, y element) bool {
	if s.f.Bits(x, y) { // the same bits have one encoding
		return true
	}
	if !s.f.Equal(x, y) {
		return false
	}
	if s.codec == nil {
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
func (s *suite) invalid() (x element, ok bool) {
	x = s.f.New()
	if s.codec == nil || !flat(reflect.TypeOf(x).Elem()) {
		return x, false
	}
	b := s.f.Memory(x)
	for i := range b {
		b[i] = 0xff
	}
	code, back := make([]byte, s.codec.Size()), s.f.New()
	err := guarded(func() error {
		s.codec.PutBytes(code, x)
		return s.codec.SetBytes(back, code)
	})
	return x, err != nil || !bytes.Equal(b, s.f.Memory(back))
}

// flat reports whether values of t are words and nothing else.
func flat(t reflect.Type) bool {
	for t.Kind() == reflect.Array {
		t = t.Elem()
	}
	return t.Kind() >= reflect.Int && t.Kind() <= reflect.Uintptr
}

// show returns x for a message.
func (s *suite) show(x element) string {
	if s.codec != nil {
		return string(s.codec.AppendText(nil, x))
	}
	return fmt.Sprintf("%v", reflect.ValueOf(x).Elem())
}

// law reports an error unless left = right; args are the values that the law was tried with.
func (s *suite) law(name string, left, right element, args ...element) error {
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
type witness struct{ set, sum, product element }

func (s *suite) witness(x element) witness {
	return witness{s.copy(x), s.add(x, s.f.New()), s.mul(x, s.one())}
}

// kept reports an error unless x is what it was when w was taken.
func (s *suite) kept(what string, x element, w witness) error {
	for _, y := range []element{w.set, w.sum, w.product} {
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
