package smallprime

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/galfft/fft/field"
)

// BenchmarkPrimeWorkers sets workers against one, for long prime lengths by roots of the field and by its convolutions.
func BenchmarkPrimeWorkers(b *testing.B) {
	for _, c := range []struct {
		n int
		p uint64
	}{{99991, 4611685210134675457}, {20011, 4611685977562218497}, {40009, 4611685941612380161},
		{5003, 4611686014741086209}, {10007, 4611686013292019713}, {65537, 1<<64 - 1<<32 + 1},
		{5003, 2*5003 + 1}, {10061, 2*10061 + 1}, {100043, 2*100043 + 1}} {
		if (c.p-1)%uint64(c.n) != 0 {
			continue
		}
		f, err := New64(c.p)
		if err != nil {
			b.Fatal(err)
		}
		d, err := field.NewCyclic[uint64](f, c.n)
		if err != nil {
			b.Fatal(err)
		}
		x, r := make([]uint64, c.n), rand.New(rand.NewPCG(1, 1))
		for i := range x {
			f.Random(&x[i], r)
		}
		for _, workers := range []int{1, 2} {
			t, err := f.Plan(d, field.Spec{Workers: workers})
			if err != nil {
				b.Fatal(err)
			}
			b.Run(fmt.Sprintf("%s/%d/workers=%d", f.Name(), c.n, workers), func(b *testing.B) {
				for b.Loop() {
					if err := t.Forward(b.Context(), x, x); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(t.Report().Workers), "tasks")
			})
		}
	}
}
