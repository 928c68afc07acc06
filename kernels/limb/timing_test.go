package limb

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/galfft/fft/internal/arith"
)

func least(f func()) float64 {
	best := time.Hour
	for range 2000 {
		t := time.Now()
		for range 16 {
			f()
		}
		if d := time.Since(t); d < best {
			best = d
		}
	}
	return float64(best.Nanoseconds()) / 16
}

func TestTiming(t *testing.T) {
	sizes := []int{2, 3, 4, 5, 6, 7, 8, 10, 13}
	if s := os.Getenv("SIZES"); s != "" {
		sizes = nil
		for _, f := range strings.Split(s, ",") {
			var n int
			fmt.Sscan(f, &n)
			sizes = append(sizes, n)
		}
	}
	for _, L := range sizes {
		s := Active(L)
		p := new(big.Int).Sub(power(Bits*L-6), big.NewInt(1))
		m, scratch := Constants(p), NewScratch(L)
		n := max(1, 80/L)
		tile := lanes * L
		v, w := arith.Aligned(3*n*tile), arith.Aligned(n*tile*s.Factor)
		for i := range v {
			v[i] = rand.Uint64() >> 13
		}
		for i := range w {
			w[i] = rand.Uint64() >> 13
		}
		x, y, z := &v[0], &v[n*tile], &v[2*n*tile]
		fmt.Printf("L=%-4d", L)
		for _, k := range []struct {
			name string
			call func()
		}{
			{"Radix2", func() { s.Radix2(x, y, &w[0], &m[0], &scratch[0], n, false) }},
			{"R2red", func() { s.Radix2(x, y, &w[0], &m[0], &scratch[0], n, true) }},
			{"Radix2T", func() { s.Radix2T(x, y, &w[0], &m[0], &scratch[0], 0, n, false) }},
			{"MulBy", func() { s.MulBy(z, x, &w[0], &m[0], &scratch[0], n) }},
			{"Mul", func() { s.Mul(z, x, &w[0], &m[0], &scratch[0], n) }},
			{"Mont", func() { s.Montgomery(z, x, y, &m[0], &scratch[0], n) }},
			{"Prod", func() { s.Product(z, x, y, &m[0], &scratch[0], n) }},
			{"Reduce", func() { s.Reduce(z, x, &m[0], &scratch[0], n) }},
			{"Lower", func() { s.Lower(z, x, &m[0], &scratch[0], n) }},
			{"Add", func() { s.Add(z, x, y, &m[0], n) }},
			{"Split", func() { s.Split(z, x, &m[0], L, 0, n) }},
			{"Join", func() { s.Join(z, x, &m[0], &scratch[0], L*Bits/64, n) }},
		} {
			fmt.Printf(" %s %.2f", k.name, least(k.call)/float64(n*lanes))
		}
		fmt.Println()
	}
}
