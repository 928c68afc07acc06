package mulx

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// BenchmarkKernels prints the time of an operation for each number, in the first-level cache: with factors of one row,
// and of numbers one at a time.
func BenchmarkKernels(b *testing.B) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, k := range []int{2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64, 96, 128} {
		for _, p := range moduli(rnd, k)[1:3] { // full, and not
			a := New(p)
			if a == nil {
				b.Skip("the processor has no MULX, ADCX and ADOX, or they are not to be used")
			}
			n := max(2, 256/k)
			x, y, w := draw(rnd, p, n), draw(rnd, p, n), draw(rnd, p, n)
			for _, op := range []struct {
				name string
				do   func()
			}{
				{"times", func() { a.Times(x, x, w, Rows{n, 1, n, 0}) }},
				{"pairs", func() { a.Times(x, x, w, Rows{1, n, 1, 1}) }},
				{"cross", func() { a.Cross(x, y, Rows{n, 1, n, 0}) }},
			} {
				b.Run(fmt.Sprintf("words=%d/full=%t/%s", k, a.full, op.name), func(b *testing.B) {
					for b.Loop() {
						op.do()
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/number")
				})
			}
		}
	}
}
