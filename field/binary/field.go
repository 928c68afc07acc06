package binary

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"unsafe"

	"github.com/galfft/fft/field"
)

// Field is GF(2^m) in one of its bases: see the package comment. It implements field.Rooted,
// field.Subspaces, field.Vectors, field.RangeChecker, field.Info, field.Codec and field.Sampler. Elements passed to its
// methods must be canonical, that is, below 2^m. It is immutable and safe for concurrent use.
//
// Nil and the zero Field are no fields. Methods that return an error return field.ErrSpec for the zero Field and for
// nil elements; all others may panic on these, and every method may on a nil pointer.
type Field[E Elements] struct{ core core }

// New returns GF(2^m) by powers of x modulo [DefaultModulus], with elements of type E: the shortest that has m bits,
// which [Size] tells, or Number. The error is field.ErrModulus for all other m and E.
func New[E Elements](m int) (*Field[E], error) {
	p, err := DefaultModulus(m)
	if err != nil {
		return nil, err
	}
	return ofModulus[E](p)
}

// NewModulus returns the field by powers of x modulo p, an integer of m + 1 bits whose bit i is the coefficient of x^i,
// such as 0x11B for x^8 + x^4 + x^3 + x + 1. The error is field.ErrModulus where p is nil or no irreducible polynomial
// of degree 2 to 2048, or E is not for its degree, as for [New].
func NewModulus[E Elements](p *big.Int) (*Field[E], error) {
	if p == nil || p.Sign() < 0 {
		return nil, fmt.Errorf("fft: %w: %v, want an irreducible polynomial over GF(2)", field.ErrModulus, p)
	}
	if _, err := wordsOf[E](p.BitLen() - 1); err != nil {
		return nil, err
	}
	if !Irreducible(p) {
		return nil, fmt.Errorf("fft: %w: %s is reducible over GF(2), want an irreducible polynomial", field.ErrModulus,
			modulusText(p))
	}
	return ofModulus[E](p)
}

// ofModulus returns the field modulo an irreducible polynomial.
func ofModulus[E Elements](p *big.Int) (*Field[E], error) {
	w, err := wordsOf[E](p.BitLen() - 1)
	if err != nil {
		return nil, err
	}
	c := newModulus(setWords(make([]uint64, p.BitLen()/64+1), p))
	return newField[E](c, c.m, w, nameOf(p)), nil
}

// NewTower returns the tower of m = 8, 16, 32, 64 or 128 bits, with elements of type E as for [New]: GF(2) extended by
// X_0, X_1, … with X_0² = X_0 + 1 and X_k² = X_(k−1)·X_k + 1, where bit i stands for the product of the X_k for the
// bits k of i. Binius and Plonky3 have the same. The error is field.ErrModulus for all other m and E.
func NewTower[E Elements](m int) (*Field[E], error) {
	if m < leastTower || m > mostTower || m&(m-1) != 0 {
		return nil, fmt.Errorf("fft: %w: a tower of %d bits, want 8, 16, 32, 64 or 128", field.ErrModulus, m)
	}
	w, err := wordsOf[E](m)
	if err != nil {
		return nil, err
	}
	return newField[E](newTower(m), m, w, fmt.Sprint(TowerPrefix, m)), nil
}

func newField[E Elements](a arithmetic, m, w int, name string) *Field[E] {
	f, k := new(Field[E]), array
	switch {
	case isNumber[E]():
		k = number
	case unsafe.Sizeof(*new(E)) <= 8:
		k = scalar
	}
	f.core.init(a, m, w, k, name)
	return f
}

// Check is a field.ErrSpec for nil and the zero Field.
func (f *Field[E]) Check() error {
	if f == nil {
		return errNil
	}
	return f.core.check()
}

// Name returns the name of a preset, gf2:m for default moduli, gf2:m:modulus for others, or tower:m.
func (f *Field[E]) Name() string { return f.core.name }

// Characteristic returns 2.
func (f *Field[E]) Characteristic() *big.Int { return big.NewInt(2) }

// Order returns 2^m.
func (f *Field[E]) Order() *big.Int { return new(big.Int).Lsh(big.NewInt(1), uint(f.Degree())) }

// Degree returns m. It panics for the zero Field.
func (f *Field[E]) Degree() int {
	if err := f.core.check(); err != nil {
		panic(err)
	}
	return f.core.m
}

// Modulus returns the polynomial of [NewModulus], a fresh value, and nil for towers.
func (f *Field[E]) Modulus() *big.Int {
	if f.core.of2 == nil {
		return nil
	}
	return f.core.of2.integer()
}

// Set sets z = x.
func (f *Field[E]) Set(z, x *E) {
	if f.core.kind == number {
		to, from := (*Number)(unsafe.Pointer(z)), (*Number)(unsafe.Pointer(x))
		*to = append((*to)[:0], *from...) // whatever it is
		return
	}
	*z = *x
}

// Add sets z = x + y.
func (f *Field[E]) Add(z, x, y *E) {
	if f.core.kind == scalar {
		store(z, load(x)^load(y))
		return
	}
	a, b := wordsIn(f, x, nil), wordsIn(f, y, nil)
	for i, to := 0, roomOf(f, z, nil); i < len(to); i++ {
		to[i] = a[i] ^ b[i]
	}
}

// Sub sets z = x − y, which is x + y.
func (f *Field[E]) Sub(z, x, y *E) { f.Add(z, x, y) }

// Neg sets z = −x, which is x.
func (f *Field[E]) Neg(z, x *E) {
	if f.core.kind != number {
		*z = *x
		return
	}
	copy(roomOf(f, z, nil), wordsIn(f, x, nil))
}

// Mul sets z = xy.
func (f *Field[E]) Mul(z, x, y *E) {
	if f.core.kind == scalar {
		store(z, f.core.mul1(load(x), load(y)))
		return
	}
	a, b := wordsIn(f, x, nil), wordsIn(f, y, nil)
	f.core.mul(roomOf(f, z, nil), a, b)
}

// Square sets z = x².
func (f *Field[E]) Square(z, x *E) {
	if f.core.kind == scalar {
		store(z, f.core.square1(load(x)))
		return
	}
	a := wordsIn(f, x, nil)
	f.core.square(roomOf(f, z, nil), a)
}

// Inv sets z = 1/x. It fails with field.ErrNotInvertible where x = 0 and leaves z.
func (f *Field[E]) Inv(z, x *E) error {
	if err := f.core.operands(z == nil || x == nil); err != nil {
		return err
	}
	var t, u [1]uint64
	a := wordsIn(f, x, &t)
	if isZero(a) {
		return fmt.Errorf("fft: %w: 0 of %s", field.ErrNotInvertible, f.core.name)
	}
	f.core.invert(roomOf(f, z, &u), a)
	putBack(f, z, &u)
	return nil
}

// One sets z = 1.
func (f *Field[E]) One(z *E) {
	var t [1]uint64
	w := roomOf(f, z, &t)
	clear(w)
	w[0] = 1
	putBack(f, z, &t)
}

// Equal reports whether x = y.
func (f *Field[E]) Equal(x, y *E) bool {
	var t, u [1]uint64
	return fits(f, x) && fits(f, y) && compare(wordsIn(f, x, &t), wordsIn(f, y, &u)) == 0
}

// fits reports whether x has as many words as elements have.
func fits[E Elements](f *Field[E], x *E) bool {
	if f.core.kind != number {
		return true
	}
	n := len(*(*Number)(unsafe.Pointer(x)))
	return n == 0 || n == f.core.w
}

// Random sets z to an element drawn uniformly. It panics where r is nil.
func (f *Field[E]) Random(z *E, r *rand.Rand) {
	var t [1]uint64
	f.core.random(roomOf(f, z, &t), r)
	putBack(f, z, &t)
}

// Trace returns the trace of x over GF(2), the sum of its m conjugates x^(2^i), which is 0 or 1.
func (f *Field[E]) Trace(x *E) uint {
	var t [1]uint64
	return f.core.traceOf(wordsIn(f, x, &t))
}

// HalfTrace sets z to the sum of x^(4^i) for i = 0 to (m − 1)/2: for odd m, z² + z is x plus the trace of x. The error
// is field.ErrSpec for even m, and z stays.
func (f *Field[E]) HalfTrace(z, x *E) error {
	if err := f.core.operands(z == nil || x == nil); err != nil {
		return err
	}
	if f.core.m%2 == 0 {
		return fmt.Errorf("fft: %w: half-trace of %s, want an odd degree", field.ErrSpec, f.core.name)
	}
	var t [1]uint64
	var sum, power [most]uint64
	copy(power[:], wordsIn(f, x, &t))
	for range (f.core.m + 1) / 2 {
		xor(sum[:f.core.w], power[:f.core.w])
		f.core.square(power[:f.core.w], power[:f.core.w])
		f.core.square(power[:f.core.w], power[:f.core.w])
	}
	setWordsOf(f, z, sum[:f.core.w])
	return nil
}

// SolveQuadratic sets z to the smaller, as an integer, of the solutions of z² + z = y, which differ by 1. It reports
// whether there are some: where the trace of y is 1 there are none, and z stays. The first call takes time m³/64.
func (f *Field[E]) SolveQuadratic(z, y *E) bool {
	var t [1]uint64
	var root [most]uint64
	w := wordsIn(f, y, &t)
	if f.core.traceOf(w) == 1 {
		return false
	}
	f.core.quadratic().solve(root[:f.core.w], w)
	setWordsOf(f, z, root[:f.core.w])
	return true
}
