package main

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"math/bits"

	"github.com/galfft/fft/field"
	gf2 "github.com/galfft/fft/field/binary"
	"github.com/galfft/fft/poly"
)

const (
	registers = 4 // columns of the trace
	blowup    = 8 // cosets of the extension
)

var f = func() *gf2.Field[uint64] {
	f, err := gf2.New[uint64](64)
	if err != nil {
		panic(err) // there is one of every degree
	}
	return f
}()

// trace runs the machine: (a, b, c, d) → (ab + c, b + a², c + d, ad + 1).
func trace(rows int) []uint64 {
	t := make([]uint64, rows*registers)
	copy(t, []uint64{2, 3, 5, 7})
	for i := registers; i < len(t); i += registers {
		old, z := t[i-registers:i], t[i:i+registers]
		f.Mul(&z[0], &old[0], &old[1])
		f.Square(&z[1], &old[0])
		f.Mul(&z[3], &old[0], &old[3])
		z[0], z[1], z[2], z[3] = z[0]^old[2], z[1]^old[1], old[2]^old[3], z[3]^1
	}
	return t
}

// extend takes the columns from the first vectors of the field's basis to three more. The first rows are the trace.
func extend(ctx context.Context, t []uint64) ([]uint64, error) {
	rows, shift := len(t)/registers, uint64(0)
	l, err := poly.NewLDE(f, rows, blowup, registers, &shift)
	if err != nil {
		return nil, err
	}
	table := make([]uint64, blowup*len(t))
	return table, l.ExtendTo(ctx, table, t)
}

// test reports whether the columns are polynomials of degree below their length over blowup. It is wrong about a table
// with a probability of about 2^−40, and never about an extension.
//
// It takes a random combination of the columns, and folds it: f(x) is f_0(s(x)) + x·f_1(s(x)) with s(x) = x² + b·x,
// for b the first vector of the subspace, and f_0, f_1 of half the degree; the values of f at x and x + b are those of
// f_0 and f_1 at s(x), and f_0 + α·f_1 is left over the image of the subspace, for a random α. After as many folds as
// the degree has bits a constant is left, at each of the cosets.
//
// Each random element comes from a hash of what it is used on. Protocols hash trees over the values, and a verifier
// asks for few of them; this is the same test by somebody who has all.
func test(ctx context.Context, table []uint64) (bool, error) {
	n := len(table) / registers
	basis := make([]uint64, bits.Len(uint(n))-1)
	if err := f.Subspace(basis); err != nil {
		return false, err
	}
	sum := make([]uint64, n)
	random := draw(table, registers)
	for i := range sum {
		for c, r := range random {
			var p uint64
			f.Mul(&p, &r, &table[i*registers+c])
			sum[i] ^= p
		}
	}
	for len(sum) > blowup {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		if err := fold(sum, basis, draw(sum, 1)[0]); err != nil {
			return false, err
		}
		sum, basis = sum[:len(sum)/2], basis[:len(basis)-1]
	}
	for _, v := range sum {
		if v != sum[0] {
			return false, nil
		}
	}
	return true, nil
}

// fold writes f_0 + α·f_1 to the first half of the values v, and the basis of the points s(x) to that of the basis.
func fold(v, basis []uint64, alpha uint64) error {
	b, inverse := basis[0], uint64(0)
	if err := f.Inv(&inverse, &b); err != nil {
		return err
	}
	d := field.Affine[uint64]{Basis: basis[1:]}
	for i := range len(v) / 2 {
		var x, high uint64
		d.Point(f, &x, i)
		high = v[2*i] ^ v[2*i+1]
		f.Mul(&high, &high, &inverse)
		x ^= alpha
		f.Mul(&high, &high, &x)
		v[i] = v[2*i] ^ high
	}
	for i, y := range basis[1:] {
		var square uint64
		f.Square(&square, &y)
		f.Mul(&y, &y, &b)
		basis[i] = square ^ y
	}
	return nil
}

// draw returns elements from a hash of v.
func draw(v []uint64, count int) []uint64 {
	h := sha256.New()
	b := make([]byte, 0, 1<<12)
	for len(v) > 0 {
		b = b[:0]
		for _, x := range v[:min(len(v), cap(b)/8)] {
			b = binary.LittleEndian.AppendUint64(b, x)
		}
		h.Write(b)
		v = v[len(b)/8:]
	}
	digest := h.Sum(nil)
	out := make([]uint64, count)
	for i := range out {
		out[i] = binary.LittleEndian.Uint64(digest[8*i:])
	}
	return out
}
