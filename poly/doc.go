// Package poly multiplies polynomials over any field that has the roots of unity for it, and over every prime of up to
// 8192 bits without them, and evaluates and interpolates them at roots of unity.
//
// A polynomial is the slice of its coefficients, low degree first:
//
//	a = a[0] + a[1]·x + … + a[n−1]·x^(n−1),  n = len(a)
//
// Lengths are formal: coefficients of 0 at the top are neither looked for nor cut off, so that a product of
// slices that are not empty has len(a) + len(b) − 1 coefficients, whatever their values. A slice of length 0
// (nil is one) is the zero polynomial, and a product with it has length 0.
//
// # Use
//
// A [Ring] is made once for a field and shared between goroutines. It makes plans of package fft as lengths
// come along and keeps them:
//
//	r, err := poly.New(f)
//	c, err := r.Mul(ctx, a, b)
//
// [Ring.Mul], [Ring.Square] and [Ring.Middle] multiply polynomials; [Ring.Cyclic] and [Ring.Negacyclic]
// multiply modulo x^n − 1 and x^n + 1; [Ring.Evaluate] and [Ring.Interpolate] go to values at all n-th roots of unity
// and back; [Ring.Prepare] transforms once an operand of many products; [LDE] extends values to more points, and
// [Prefix] computes the first values alone. Methods whose names end in To write to the caller's slice and allocate
// nothing once warm. [Mul] and [Square] serve a single product.
//
// # Lengths
//
// Transforms have powers of two for lengths, so a field needs a root of unity of order n, where n is the power of two
// from len(a) + len(b) − 1 on. Operands of unlike lengths need less: the longer one is cut into blocks, and n is a
// power of two from 2·min(len(a), len(b)) − 1 on. Products a little longer than a power of two make do with that one;
// those of up to 13/8 of one take two or three transforms whose lengths add up to as much, instead of one of twice the
// length. Products with at most a few dozen coefficients in the shorter operand are done by the schoolbook and need no
// root at all.
//
// # Ways
//
// Where the field lacks the root for a length, and is a field.Convolver, as all primes of packages smallprime and
// bigprime are, products go through other primes: over the integers, by transforms modulo each and the Chinese
// remainder theorem. For primes of a word that takes two to five times the time of transforms over the field itself.
// For large ones it may take less, and a field.Convolver says so; then products go this way although the field
// has the roots. The option fft.WithProducts takes fft.NativeProducts, transforms over the field, or fft.CRTProducts,
// other primes, in place of that choice. For other fields a missing root is field.ErrNoRoot, with the order needed and
// the orders that the field has, and fft.CRTProducts is field.ErrSpec in New. No choice of these changes a result, and
// [Ring.Explain] and [Ring.Products] tell which is made and why.
//
// # Errors
//
// Coefficients that are no canonical elements, such as words from p on, are field.ErrRange with the operand and the
// index (see fft.WithoutRangeCheck). Wrong lengths are field.ErrLength, a destination that shares memory with an
// operand is field.ErrOverlap, a result that cannot fit in memory is field.ErrMemory. They are found before anything is
// written. Long work stops when its context ends, with an error that wraps the context's; a destination is unspecified
// after that.
// Operands are never modified.
package poly
