package fieldtest

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"strconv"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
)

// word is a prime field of one word that offers everything: the sound field that the broken ones are made of.
type word struct {
	p, generator, shiftOrder uint64
}

var (
	goldilocks = &word{p: 1<<64 - 1<<32 + 1, generator: 7, shiftOrder: 192}
	mersenne   = &word{p: 1<<61 - 1, generator: 37, shiftOrder: 61}
)

func (f *word) Set(z, x *uint64)        { *z = *x }
func (f *word) Sub(z, x, y *uint64)     { d, b := bits.Sub64(*x, *y, 0); *z = d + b*f.p }
func (f *word) Neg(z, x *uint64)        { f.Sub(z, new(uint64), x) }
func (f *word) Mul(z, x, y *uint64)     { h, l := bits.Mul64(*x, *y); *z = bits.Rem64(h, l, f.p) }
func (f *word) One(z *uint64)           { *z = 1 }
func (f *word) Equal(x, y *uint64) bool { return *x == *y }

func (f *word) Add(z, x, y *uint64) {
	s, c := bits.Add64(*x, *y, 0)
	if c == 1 || s >= f.p {
		s -= f.p
	}
	*z = s
}

func (f *word) Inv(z, x *uint64) error {
	if *x == 0 {
		return field.ErrNotInvertible
	}
	field.Pow(f, z, x, new(big.Int).SetUint64(f.p-2))
	return nil
}

func (f *word) RootOfUnity(z *uint64, n uint64) error {
	if n == 0 || (f.p-1)%n != 0 {
		return fmt.Errorf("%w: %d", field.ErrNoRoot, n)
	}
	field.Pow(f, z, &f.generator, new(big.Int).SetUint64((f.p-1)/n))
	return nil
}

func (f *word) Name() string             { return "word" }
func (f *word) Characteristic() *big.Int { return new(big.Int).SetUint64(f.p) }
func (f *word) Order() *big.Int          { return new(big.Int).SetUint64(f.p) }

func (f *word) Size() int                    { return 8 }
func (f *word) PutBytes(b []byte, x *uint64) { binary.LittleEndian.PutUint64(b, *x) }

func (f *word) SetBytes(z *uint64, b []byte) error {
	if len(b) != 8 {
		return field.ErrLength
	}
	return f.put(z, binary.LittleEndian.Uint64(b))
}

func (f *word) AppendText(b []byte, x *uint64) []byte { return strconv.AppendUint(b, *x, 10) }

func (f *word) SetText(z *uint64, s []byte) error {
	x, err := strconv.ParseUint(string(s), 10, 64)
	if err != nil {
		return field.ErrRange
	}
	return f.put(z, x)
}

func (f *word) SetBig(z *uint64, x *big.Int) error {
	if x == nil || !x.IsUint64() {
		return field.ErrRange
	}
	return f.put(z, x.Uint64())
}

func (f *word) put(z *uint64, x uint64) error {
	if x >= f.p {
		return field.ErrRange
	}
	*z = x
	return nil
}

func (f *word) Big(z *big.Int, x *uint64) *big.Int {
	if z == nil {
		z = new(big.Int)
	}
	return z.SetUint64(*x)
}

func (f *word) Random(z *uint64, r *rand.Rand) {
	for *z = r.Uint64(); *z >= f.p; {
		*z = r.Uint64()
	}
}

func (f *word) ShiftOrder() uint64 { return f.shiftOrder }

func (f *word) Shift(z, x *uint64, s uint64) {
	two, g := uint64(2), uint64(0)
	field.Pow(f, &g, &two, new(big.Int).SetUint64(s%f.shiftOrder))
	f.Mul(z, x, &g)
}

func (f *word) AddVec(z, x, y []uint64) { each(f.Add, z, x, y) }
func (f *word) SubVec(z, x, y []uint64) { each(f.Sub, z, x, y) }
func (f *word) MulVec(z, x, y []uint64) { each(f.Mul, z, x, y) }

func (f *word) MulAddVec(z, x, y []uint64) {
	each(func(z, x, y *uint64) {
		var t uint64
		f.Mul(&t, x, y)
		f.Add(z, z, &t)
	}, z, x, y)
}

func each(do func(z, x, y *uint64), z, x, y []uint64) {
	for i := range z {
		do(&z[i], &x[i], &y[i])
	}
}

func (f *word) Plan(d field.Domain[uint64], s field.Spec) (field.Transform[uint64], error) {
	return &sums{f: f, d: d, order: s.Order}, nil
}

// sums is a transform by its definition. Only Forward and Inverse are there.
type sums struct {
	field.Transform[uint64]
	f     *word
	d     field.Domain[uint64]
	order field.Order
}

func (t *sums) Forward(_ context.Context, dst, src []uint64) error {
	y := make([]uint64, t.d.Len())
	for j := range y {
		for i, x := range src {
			w := t.point(i, j)
			t.f.Mul(&w, &w, &x)
			t.f.Add(&y[t.at(j)], &y[t.at(j)], &w)
		}
	}
	copy(dst, y)
	return nil
}

func (t *sums) Inverse(_ context.Context, dst, src []uint64) error {
	x := make([]uint64, t.d.Len())
	for i := range x {
		for j := range src {
			w := t.point(i, j)
			_ = t.f.Inv(&w, &w)
			t.f.Mul(&w, &w, &src[t.at(j)])
			t.f.Add(&x[i], &x[i], &w)
		}
		n := uint64(t.d.Len())
		_ = t.f.Inv(&n, &n)
		t.f.Mul(&x[i], &x[i], &n)
	}
	copy(dst, x)
	return nil
}

// point returns the power i of point j.
func (t *sums) point(i, j int) (w uint64) {
	t.d.Point(t.f, &w, j)
	field.Pow(t.f, &w, &w, big.NewInt(int64(i)))
	return w
}

func (t *sums) at(j int) int {
	if t.order == field.BitReversed {
		return bulks.Rev(j, bits.Len(uint(t.d.Len()))-1)
	}
	return j
}
