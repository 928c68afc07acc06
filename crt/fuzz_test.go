package crt_test

import (
	"encoding/binary"
	"math/big"
	"slices"
	"testing"

	"github.com/galfft/fft/crt"
)

// FuzzGarner takes one integer to its residues modulo primes that the input chooses, and back.
func FuzzGarner(f *testing.F) {
	f.Add([]byte{0, 1, 2}, []byte{}, false)
	f.Add([]byte{3, 200, 7, 90}, []byte{255, 255, 255, 255, 255, 255, 255, 255, 255}, true)
	f.Add([]byte{254, 255}, slices.Repeat([]byte{171}, 300), true)
	var primes []uint64
	for _, bits := range []int{7, 16, 32, 63} {
		p, err := crt.Primes(f.Context(), bits, 1, 30)
		if err != nil {
			f.Fatal(err)
		}
		primes = append(primes, p...)
	}
	f.Fuzz(func(t *testing.T, choice, value []byte, negative bool) {
		var chosen []uint64
		for _, c := range choice {
			if p := primes[int(c)%len(primes)]; !slices.Contains(chosen, p) {
				chosen = append(chosen, p)
			}
		}
		s, err := crt.New(t.Context(), chosen)
		if err != nil {
			if len(chosen) > 0 {
				t.Fatal(err)
			}
			return
		}
		x := new(big.Int).SetBytes(value)
		if negative {
			x.Neg(x)
		}
		r, got := must(s.NewResidues(1)), []*big.Int{new(big.Int)}
		if err := s.Residues(t.Context(), r, []*big.Int{x}); err != nil {
			t.Fatal(err)
		}
		for i, p := range chosen {
			if want := new(big.Int).Mod(x, new(big.Int).SetUint64(p)); want.Uint64() != r[i][0] {
				t.Fatalf("%v mod %d = %d, want %v", x, p, r[i][0], want)
			}
		}
		if err := s.Garner(t.Context(), got, r); err != nil {
			t.Fatal(err)
		}
		if want := new(big.Int).Mod(x, s.Modulus()); want.Cmp(got[0]) != 0 {
			t.Fatalf("%v modulo %v = %v, want %v", x, chosen, got[0], want)
		}
		if err := s.GarnerSymmetric(t.Context(), got, r); err != nil {
			t.Fatal(err)
		}
		if want := symmetric(x, s.Modulus()); want.Cmp(got[0]) != 0 {
			t.Fatalf("%v modulo %v = %v, want %v", x, chosen, got[0], want)
		}
	})
}

// FuzzNew takes any words for primes.
func FuzzNew(f *testing.F) {
	f.Add(binary.LittleEndian.AppendUint64(nil, 1<<63-25))
	f.Fuzz(func(t *testing.T, b []byte) {
		var primes []uint64
		want := len(b) >= 8
		for ; len(b) >= 8; b = b[8:] {
			p := binary.LittleEndian.Uint64(b)
			want = want && p < 1<<63 && p != 2 && new(big.Int).SetUint64(p).ProbablyPrime(20) &&
				!slices.Contains(primes, p)
			primes = append(primes, p)
		}
		if _, err := crt.New(t.Context(), primes); (err == nil) != want {
			t.Fatalf("%d: %v", primes, err)
		}
	})
}

// FuzzMul cuts the input into two polynomials: coefficients of size bytes and a sign.
func FuzzMul(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7, 8, 9}, uint8(1), uint8(3))
	f.Add(slices.Repeat([]byte{255}, 300), uint8(40), uint8(9))
	f.Fuzz(func(t *testing.T, data []byte, size, split uint8) {
		var all []*big.Int
		for chunk := range slices.Chunk(data[:min(len(data), 300)], max(1, int(size))) {
			x := new(big.Int).SetBytes(chunk[1:])
			if chunk[0]%2 == 1 {
				x.Neg(x)
			}
			all = append(all, x)
		}
		k := min(int(split), len(all))
		a, b := all[:k], all[k:]
		c, err := crt.Mul(t.Context(), a, b)
		if err != nil {
			t.Fatal(err)
		}
		requireInts(t, schoolbook(a, b), c, "product")
	})
}
