package rns

import (
	"fmt"
	"testing"
	"time"

	"github.com/galfft/fft/internal/cpu"
)

// BenchmarkKernels prints the least times of a row on every tier, in turn, for numbers of 5 and 25 limbs and 11 and 52
// primes.
func BenchmarkKernels(b *testing.B) {
	sets := map[cpu.Tier]*Set{}
	for _, tier := range cpu.Present() {
		undo, err := cpu.Use(tier)
		if err != nil {
			b.Fatal(err)
		}
		if s := Active(); s != nil {
			sets[tier] = s
		}
		undo()
	}
	const p = 1<<50 - 27
	x, c := make([]uint64, 80*Block), make([]uint64, 80)
	z := make([]uint64, 30*Block)
	row := func(i int) *uint64 { return &x[i*Block] }
	m, w := Constants(p), Multiplier(3, p)
	for _, size := range [][3]int{{5, 4, 11}, {25, 20, 52}} {
		limbs, words, primes := size[0], size[1], size[2]
		splits := Splits(words, limbs)
		joins, _ := Joins(words)
		for _, k := range []struct {
			name string
			do   func(s *Set)
		}{
			{"Dot", func(s *Set) { s.Dot(row(79), row(0), &c[0], m, limbs) }},
			{"Limb", func(s *Set) { s.Limb(row(79), row(78), row(0), &c[0], primes) }},
			{"Clear", func(s *Set) { s.Clear(row(79), row(78), row(0), &c[0], m, primes) }},
			{"Quotient", func(s *Set) { s.Quotient(row(79), row(0), &c[0], primes, 0) }},
			{"Scale", func(s *Set) { s.Scale(row(0), row(0), w, Block, 4) }},
			{"Split", func(s *Set) { s.Split(row(0), &z[0], &splits[0], words, limbs) }},
			{"Join", func(s *Set) { s.Join(&z[0], row(0), &c[0], &joins[0], words, limbs) }},
		} {
			b.Run(fmt.Sprintf("%s/%d limbs", k.name, limbs), func(b *testing.B) {
				const calls = 100
				least := map[cpu.Tier]time.Duration{}
				for b.Loop() {
					for tier, s := range sets {
						start := time.Now()
						for range calls {
							k.do(s)
						}
						if t := time.Since(start); least[tier] == 0 || t < least[tier] {
							least[tier] = t
						}
					}
				}
				for tier, t := range least {
					b.ReportMetric(float64(t.Nanoseconds())/calls, "ns/"+tier.String())
				}
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}
