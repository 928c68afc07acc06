package rns

import (
	"fmt"
	"testing"
)

// BenchmarkKernels prints times of a row, for numbers of 5 and 25 limbs and 11 and 52 primes.
func BenchmarkKernels(b *testing.B) {
	s := Active()
	if s == nil {
		b.Skip("no kernels")
	}
	const p = 1<<50 - 27
	x, c := make([]uint64, 80*Block), make([]uint64, 80)
	z := make([]uint64, 30*Block)
	row := func(i int) *uint64 { return &x[i*Block] }
	for _, size := range [][3]int{{5, 4, 11}, {25, 20, 52}} {
		limbs, words, primes := size[0], size[1], size[2]
		splits := Splits(words, limbs)
		joins, _ := Joins(words)
		for _, k := range []struct {
			name string
			do   func()
		}{
			{"Dot", func() { s.Dot(row(79), row(0), &c[0], Constants(p), limbs) }},
			{"Limb", func() { s.Limb(row(79), row(78), row(0), &c[0], primes) }},
			{"Clear", func() { s.Clear(row(79), row(78), row(0), &c[0], Constants(p), primes) }},
			{"Quotient", func() { s.Quotient(row(79), row(0), &c[0], primes) }},
			{"Scale", func() { s.Scale(row(0), row(0), Multiplier(3, p), Block, 4) }},
			{"Split", func() { s.Split(row(0), &z[0], &splits[0], words, limbs) }},
			{"Join", func() { s.Join(&z[0], row(0), &c[0], &joins[0], words, limbs) }},
		} {
			b.Run(fmt.Sprintf("%s/%d limbs", k.name, limbs), func(b *testing.B) {
				for b.Loop() {
					k.do()
				}
			})
		}
	}
}
