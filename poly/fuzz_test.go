package poly_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/poly"
)

func FuzzMul(f *testing.F) {
	f.Add([]byte{1, 2, 3}, []byte{4, 5}, uint8(0))
	f.Add([]byte{}, []byte{9}, uint8(1))
	f.Add(make([]byte, 130), []byte{200, 100, 7, 9, 1, 255}, uint8(3))
	rings := map[int]*poly.Ring[uint64]{}
	for _, n := range []int{0, 1, 2, 5, 16, 1000} {
		rings[n] = must(poly.New(p257)).WithSchoolbook(n)
	}
	f.Fuzz(func(t *testing.T, x, y []byte, n uint8) {
		if len(x) > 2000 || len(y) > 2000 {
			return
		}
		r, ok := rings[int(n)]
		if !ok {
			r = rings[5]
		}
		a, b := elements(x), elements(y)
		got, err := r.Mul(ctx, a, b)
		if min(len(a), len(b)) > 128 && err != nil {
			require.ErrorIs(t, err, field.ErrNoRoot)
			return
		}
		require.NoError(t, err)
		require.True(t, equal(p257, naive(p257, a, b), got), "%d by %d", len(a), len(b))
	})
}

// Products over primes that have few roots of unity, or none, go through other primes.
func FuzzThrough(f *testing.F) {
	f.Add([]byte{1, 2, 3}, []byte{4, 5}, uint8(0), uint8(0))
	f.Add(make([]byte, 130), []byte{200, 100, 7, 9, 1, 255}, uint8(3), uint8(3))
	f.Add(bytes.Repeat([]byte{255}, 300), bytes.Repeat([]byte{255}, 200), uint8(4), uint8(2))
	var fields []*smallprime.Field64
	var rings []*poly.Ring[uint64]
	for _, p := range rootlessPrimes {
		fields = append(fields, prime64(p))
		rings = append(rings, must(poly.New(fields[len(fields)-1])))
	}
	f.Fuzz(func(t *testing.T, x, y []byte, which, schoolbook uint8) {
		if len(x) > 2000 || len(y) > 2000 {
			return
		}
		i := int(which) % len(fields)
		f, r := fields[i], rings[i].WithSchoolbook(int(schoolbook))
		spread := func(x []byte) []uint64 { // over all of the field, from −1 down
			a := make([]uint64, len(x))
			for i, v := range x {
				a[i] = f.Modulus() - 1 - (f.Modulus()-1)/255*uint64(255-v)
			}
			return a
		}
		a, b := spread(x), spread(y)
		want := naive(f, a, b)
		got, err := r.Mul(ctx, a, b)
		require.NoError(t, err)
		require.True(t, equal(f, want, got), "%d by %d modulo %d", len(a), len(b), f.Modulus())
		if len(a) > 0 && len(b) > 0 {
			got, err = r.Negacyclic(ctx, a, b, 128)
			require.NoError(t, err)
			require.True(t, equal(f, modulo(f, want, 128, true), got), "%d by %d modulo %d and x^128 + 1", len(a),
				len(b), f.Modulus())
		}
	})
}

// Products over a large prime without roots of unity.
func FuzzThroughLarge(f *testing.F) {
	f.Add([]byte{1, 2, 3}, []byte{4, 5}, uint8(0))
	f.Add(bytes.Repeat([]byte{255}, 300), bytes.Repeat([]byte{255}, 200), uint8(2))
	secp256k1 := bigprime.Secp256k1()
	r := must(poly.New(secp256k1))
	spread := func(x []byte) [][4]uint64 { // elements of bytes that are all the same, 0 and −1
		a := make([][4]uint64, len(x))
		for i, v := range x {
			for j := range a[i] {
				a[i][j] = uint64(v) * 0x0101010101010101
			}
			if v == 255 {
				secp256k1.One(&a[i])
				secp256k1.Neg(&a[i], &a[i])
			}
		}
		return a
	}
	f.Fuzz(func(t *testing.T, x, y []byte, schoolbook uint8) {
		if len(x) > 500 || len(y) > 500 {
			return
		}
		r, a, b := r.WithSchoolbook(int(schoolbook)), spread(x), spread(y)
		want := naive(secp256k1, a, b)
		got, err := r.Mul(ctx, a, b)
		require.NoError(t, err)
		require.True(t, equal(secp256k1, want, got), "%d by %d", len(a), len(b))
		if len(a) > 0 && len(b) > 0 {
			got, err = r.Negacyclic(ctx, a, b, 64)
			require.NoError(t, err)
			require.True(t, equal(secp256k1, modulo(secp256k1, want, 64, true), got), "%d by %d modulo x^64 + 1", len(a),
				len(b))
		}
	})
}

func FuzzMiddle(f *testing.F) {
	f.Add([]byte{1, 2, 3}, []byte{4, 5}, uint8(0))
	f.Add([]byte{1}, []byte{9, 8}, uint8(1))
	f.Add(make([]byte, 130), []byte{200, 100, 7, 9, 1, 255}, uint8(5))
	r := must(poly.New(p257))
	f.Fuzz(func(t *testing.T, x, y []byte, n uint8) {
		if len(x) > 2000 || len(y) > 2000 {
			return
		}
		a, b := elements(x), elements(y)
		got, err := r.WithSchoolbook(int(n)).Middle(ctx, a, b)
		if len(b) == 0 || len(a) < len(b) {
			require.ErrorIs(t, err, field.ErrLength)
			return
		}
		if len(a) > 256 && len(b) > 128 && err != nil {
			require.ErrorIs(t, err, field.ErrNoRoot)
			return
		}
		require.NoError(t, err)
		require.True(t, equal(p257, naive(p257, a, b)[len(b)-1:len(a)], got), "%d by %d", len(a), len(b))
	})
}

func elements(b []byte) []uint64 {
	a := make([]uint64, len(b))
	for i, x := range b {
		a[i] = uint64(x) + uint64(x)/255 // 0 and 256 both occur
	}
	return a
}

func FuzzCyclic(f *testing.F) {
	f.Add([]byte{1, 2, 3}, []byte{4, 5}, uint8(0), uint16(3))
	f.Add([]byte{1}, []byte{}, uint8(1), uint16(0))
	f.Add(make([]byte, 130), []byte{200, 100, 7, 9, 1, 255}, uint8(5), uint16(64))
	r := must(poly.New(p257))
	f.Fuzz(func(t *testing.T, x, y []byte, schoolbook uint8, exponent uint16) {
		n := int(exponent)
		if len(x) > 2000 || len(y) > 2000 {
			return
		}
		a, b, r := elements(x), elements(y), r.WithSchoolbook(int(schoolbook))
		for _, minus := range []bool{false, true} {
			op := r.Cyclic
			if minus {
				op = r.Negacyclic
			}
			got, err := op(ctx, a, b, n)
			if n == 0 {
				require.ErrorIs(t, err, field.ErrLength)
				continue
			}
			if n > 128 && min(len(a), len(b)) > 64 && err != nil {
				require.ErrorIs(t, err, field.ErrNoRoot)
				continue
			}
			require.NoError(t, err)
			require.True(t, equal(p257, modulo(p257, naive(p257, a, b), n, minus), got), "%d by %d, exponent %d",
				len(a), len(b), n)
		}
	})
}

func FuzzEvaluate(f *testing.F) {
	f.Add([]byte{1, 2, 3}, uint16(4))
	f.Add([]byte{}, uint16(1))
	f.Add(make([]byte, 300), uint16(256))
	f.Add([]byte{5}, uint16(512))
	r := must(poly.New(p257))
	f.Fuzz(func(t *testing.T, x []byte, points uint16) {
		a, n := elements(x), int(points)
		v, err := r.Evaluate(ctx, a, n)
		switch {
		case n == 0:
			require.ErrorIs(t, err, field.ErrLength)
			_, err = r.Interpolate(ctx, make([]uint64, n))
			require.ErrorIs(t, err, field.ErrLength)
			return
		case 256%n != 0: // the orders of roots divide 257 − 1
			require.ErrorIs(t, err, field.ErrNoRoot)
			_, err = r.Interpolate(ctx, make([]uint64, n))
			require.ErrorIs(t, err, field.ErrNoRoot)
			return
		}
		require.NoError(t, err)
		require.True(t, equal(p257, horner(p257, a, n), v))
		c, err := r.Interpolate(ctx, v)
		require.NoError(t, err)
		require.True(t, equal(p257, modulo(p257, a, n, false), c))
	})
}

func FuzzOperand(f *testing.F) {
	f.Add([]byte{1, 2, 3}, []byte{4, 5}, uint8(0), uint16(4))
	f.Add([]byte{}, []byte{9}, uint8(1), uint16(0))
	f.Add(make([]byte, 120), []byte{200, 100, 7, 9, 1, 255}, uint8(2), uint16(129))
	r := must(poly.New(p257))
	f.Fuzz(func(t *testing.T, x, y []byte, schoolbook uint8, most uint16) {
		if len(x) > 500 || len(y) > 500 {
			return
		}
		a, b, n, r := elements(x), elements(y), int(most), r.WithSchoolbook(int(schoolbook))
		o, err := r.Prepare(ctx, a, n)
		if n < len(a) {
			require.ErrorIs(t, err, field.ErrLength)
			return
		}
		if n > 256 && err != nil {
			require.ErrorIs(t, err, field.ErrNoRoot)
			return
		}
		require.NoError(t, err)
		want := naive(p257, a, b)
		got, err := r.MulOperand(ctx, b, o)
		if len(want) > n {
			require.ErrorIs(t, err, field.ErrLength)
			return
		}
		require.NoError(t, err)
		require.True(t, equal(p257, want, got), "%d by %d", len(a), len(b))
	})
}
