package tune

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/cpu"
	"github.com/galfft/fft/internal/erased"
	"github.com/galfft/fft/internal/rings"
	"github.com/galfft/fft/internal/tuning"
	"github.com/galfft/fft/poly"
)

// shorter are the lengths of the shorter operand at which the schoolbook is set against transforms. As transforms come
// in powers of two, both win by turns over a range of them.
var shorter = []int{4, 6, 8, 10, 12, 14, 16, 20, 24, 28, 32, 40, 48, 56, 64}

// longer is how many times as long the other operand is.
var longer = []int{1, 8}

// product makes products of a by b coefficients, by the schoolbook and by transforms; own says which of both the ring
// takes by itself.
type product func(ctx context.Context, a, b int) (schoolbook, transforms subject, own bool, err error)

// Rings makes rings over a field, for [MeasureErased].
type Rings func(opts ...fft.Option) (rings.Ring, error)

// ringsOf returns what makes rings over f.
func ringsOf[E any](f field.Field[E]) Rings {
	return func(opts ...fft.Option) (rings.Ring, error) { return poly.NewErased(f, opts...) }
}

// productsOf returns what makes products over f.
func productsOf(f *erased.Field, of Rings) product {
	return func(ctx context.Context, a, b int) (x, y subject, own bool, err error) {
		r, err := of(fft.WithTuning(nil))
		if err != nil {
			return x, y, false, err
		}
		report, err := r.Products(ctx, a, b)
		if err != nil {
			return x, y, false, err
		}
		u, v, z := f.Make(a), f.Make(b), f.Make(a+b-1)
		if err := fill(ctx, f, u); err != nil {
			return x, y, false, err
		}
		if err := fill(ctx, f, v); err != nil {
			return x, y, false, err
		}
		side := func(r rings.Ring) subject {
			return subject{run: func(ctx context.Context) error { return r.MulTo(ctx, z, u, v) }}
		}
		return side(r.WithSchoolbook(b)), side(r.WithSchoolbook(b - 1)), report.Products == field.AutoProducts, nil
	}
}

// fill sets x to elements of no pattern: sums of 1 and of x[i−1] times one that grows. It looks at ctx:
// products of elements of thousands of bits add up.
func fill(ctx context.Context, f *erased.Field, x bulks.View) error {
	const look = 64
	one, by := f.Zero(), f.Zero()
	f.One(one)
	f.One(by)
	for i := range x.N {
		if i%look == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		f.Add(by, by, one)
		z := f.At(x, i)
		f.Set(z, by)
		if i > 0 {
			f.Mul(z, f.At(x, i-1), by)
			f.Add(z, z, one)
		}
	}
	return nil
}

// match is one size of work measured in two ways: that for sizes up to a crossover, and that for those above.
type match struct {
	n            int
	own          bool // by itself the work goes the way below
	below, above time.Duration
}

// lost is the logarithm of what the work takes by one of the ways, over the time of the faster one.
func (m match) lost(below bool) float64 {
	took := m.above
	if below {
		took = m.below
	}
	return math.Log(float64(took) / float64(min(m.below, m.above)))
}

// leastLoss returns the crossover of those in places that loses least over all matches, with what it and their own ways
// lose, as means.
func leastLoss(list []match, places []int) (at int, best, own float64) {
	for _, c := range list {
		own += c.lost(c.own)
	}
	best = math.Inf(1)
	for _, most := range places {
		sum := 0.0
		for _, c := range list {
			sum += c.lost(c.n <= most)
		}
		if sum < best {
			best, at = sum, most
		}
	}
	count := float64(len(list))
	return at, best / count, own / count
}

// crossover measures products. The crossover is the one that loses least over all lengths,
// where that is less than the ring's own loses; nil where there was no time.
func (m *meter) crossover() (*tuning.ProductLine, error) {
	var list []match
	for i, n := range shorter {
		for _, by := range longer {
			x, y, own, err := m.products(m.ctx, by*n, n)
			if err != nil {
				return nil, err
			}
			c := match{n: n, own: own}
			if c.below, c.above, err = m.compare(x, y, m.o.Effort.slot()); err != nil {
				return nil, err
			}
			list = append(list, c)
		}
		m.progress(float64(i+1) / float64(len(shorter)))
		if m.over() {
			return nil, nil
		}
	}
	line := &tuning.ProductLine{Key: tuning.ProductKey{Field: m.name, Tier: cpu.Active()}, Note: "the default is best"}
	at, best, own := leastLoss(list, append([]int{shorter[0] - 1}, shorter...))
	if own-best > gain {
		line.Tuned.Schoolbook = at
		line.Note = fmt.Sprintf("%.1f %% over the faster way, the default %.1f %%", 100*math.Expm1(best),
			100*math.Expm1(own))
	}
	return line, nil
}

// gain is the part of the time, as a mean over all products, by which a crossover must be faster.
const gain = 0.01
