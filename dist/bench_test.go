package dist_test

import (
	"fmt"
	"testing"

	"github.com/galfft/fft"
	"github.com/galfft/fft/dist"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/smallprime"
)

// One plan with two workers, and two ranks with a worker each, on vectors in working form. The iterations alternate,
// so that other work on the machine meets both: go test -run '^$' -bench Local -benchtime 20x ./dist
func BenchmarkLocal(b *testing.B) {
	b.Run("goldilocks/2^22", func(b *testing.B) { benchLocal(b, smallprime.Goldilocks(), 1<<22) })
	b.Run("bn254/2^20", func(b *testing.B) { benchLocal(b, bigprime.BN254(), 1<<20) })
}

func benchLocal[E any](b *testing.B, f field.Rooted[E], n int) {
	const size = 2
	p, err := fft.NewPlan(f, n, fft.WithWorkers(size))
	if err != nil {
		b.Fatal(err)
	}
	v, err := p.NewVec()
	if err != nil {
		b.Fatal(err)
	}
	ends, err := dist.Local(size)
	if err != nil {
		b.Fatal(err)
	}
	var one, several float64 // least ns
	least := func(t *float64, do func() error) error {
		before := b.Elapsed()
		err := do()
		if ns := float64((b.Elapsed() - before).Nanoseconds()); *t == 0 || ns < *t {
			*t = ns
		}
		return err
	}
	err = dist.Run(ends, func(g dist.Group) error {
		q, err := dist.NewPlan(bg, g, f, n, dist.Blocks{})
		if err != nil {
			return err
		}
		w, err := q.NewVec()
		if err != nil {
			return err
		}
		for i := -2; i < b.N; i++ {
			if g.Rank() == 0 {
				if i == 0 {
					b.ResetTimer()
					one, several = 0, 0
				}
				if err := least(&one, func() error { return p.ForwardVec(bg, v) }); err != nil {
					return err
				}
			}
			if err := g.Agree(bg, 0, nil); err != nil { // both begin
				return err
			}
			forward := func() error { return q.ForwardVec(bg, w) }
			if g.Rank() == 0 {
				err = least(&several, forward)
			} else {
				err = forward()
			}
			if err != nil {
				return err
			}
		}
		if g.Rank() == 0 {
			r := q.Report()
			b.ReportMetric(float64(r.Vector+r.Tables+r.Scratch)/float64(r.Vector), "memory/part")
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(one/1e6, "ms(plan)")
	b.ReportMetric(several/1e6, fmt.Sprintf("ms(local:%d)", size))
	b.ReportMetric(several/one, "ratio")
}
