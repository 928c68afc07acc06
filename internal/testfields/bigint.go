package testfields

import (
	"fmt"
	"math/big"

	"github.com/galfft/fft/field"
)

// BigInt is the field of integers modulo a prime, on math/big. It has element methods and roots alone, of
// every order that divides p − 1.
type BigInt struct{ encoding[Int] }

// Int is an element of BigInt. It holds a pointer, so it is copied with Set; the zero value is 0.
type Int struct{ v *big.Int }

// NewBigInt returns the field modulo p, which it copies, or ErrModulus when p is not a prime.
func NewBigInt(p *big.Int) (*BigInt, error) {
	if !p.ProbablyPrime(20) {
		return nil, fmt.Errorf("testfields: %w: %v, want a prime", field.ErrModulus, p)
	}
	return &BigInt{encoding[Int]{
		name: "bigint",
		p:    new(big.Int).Set(p),
		put:  func(z *Int, x *big.Int) { z.write().Set(x) },
		get:  func(z *big.Int, x *Int) { z.Set(x.read()) },
	}}, nil
}

var bigZero = new(big.Int) // what a nil pointer stands for; never written

func (x *Int) read() *big.Int {
	if x.v == nil {
		return bigZero
	}
	return x.v
}

// write returns z's own integer, made on first use.
func (z *Int) write() *big.Int {
	if z.v == nil {
		z.v = new(big.Int)
	}
	return z.v
}

func (f *BigInt) Set(z, x *Int)        { z.write().Set(x.read()) }
func (f *BigInt) Add(z, x, y *Int)     { d := z.write(); d.Mod(d.Add(x.read(), y.read()), f.p) }
func (f *BigInt) Sub(z, x, y *Int)     { d := z.write(); d.Mod(d.Sub(x.read(), y.read()), f.p) }
func (f *BigInt) Neg(z, x *Int)        { d := z.write(); d.Mod(d.Neg(x.read()), f.p) }
func (f *BigInt) Mul(z, x, y *Int)     { d := z.write(); d.Mod(d.Mul(x.read(), y.read()), f.p) }
func (f *BigInt) One(z *Int)           { z.write().SetInt64(1) }
func (f *BigInt) Equal(x, y *Int) bool { return x.read().Cmp(y.read()) == 0 }

func (f *BigInt) Inv(z, x *Int) error {
	if x.read().Sign() == 0 {
		return fmt.Errorf("testfields: %w: 0", field.ErrNotInvertible)
	}
	d := z.write()
	d.ModInverse(x.read(), f.p)
	return nil
}

// RootOfUnity sets z to a root of order n, for every n that divides p − 1.
func (f *BigInt) RootOfUnity(z *Int, n uint64) error {
	w, err := rootOfUnity(f.p, n)
	if err != nil {
		return err
	}
	z.write().Set(w)
	return nil
}
