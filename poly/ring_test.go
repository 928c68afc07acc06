package poly_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/testfields"
	"github.com/galfft/fft/poly"
)

func TestOptions(t *testing.T) {
	w := uint64(1)
	require.NoError(t, p998.RootOfUnity(&w, 8))
	for name, o := range map[string]fft.Option{
		"order": fft.WithOrder(fft.BitReversed), "scheme order": fft.WithOrder(fft.Scheme),
		"rows":    fft.WithBatch(fft.Rows(2, 0)),
		"columns": fft.WithBatch(fft.Columns(3, 5)), "root": fft.WithRoot(w), "coset": fft.WithCoset(uint64(3)),
		"coset 0":              fft.WithCoset(uint64(0)),
		"root of another type": fft.WithRoot(uint32(1)),
		"negacyclic":           fft.WithNegacyclic(), "nil": nil, "base": fft.WithBase(3),
		"scheme": fft.WithAlgorithm(99), "products": fft.WithProducts(3),
	} {
		_, err := poly.New(p998, fft.WithWorkers(2), o)
		require.ErrorIs(t, err, field.ErrSpec, name)
		require.ErrorContains(t, err, "poly: ", name)
		_, err = poly.New(rootless[uint64]{p998}, o)
		require.ErrorIs(t, err, field.ErrSpec, "%s, field without roots", name)
	}
	_, err := poly.New[uint64](nil)
	require.ErrorIs(t, err, field.ErrSpec)

	a, b := random(p998, rng(1), 300), random(p998, rng(2), 200)
	want := naive(p998, a, b)
	for name, o := range map[string]fft.Option{
		"workers": fft.WithWorkers(3), "scheme": fft.WithAlgorithm(fft.SixStep), "naive": fft.WithAlgorithm(fft.Naive),
		"base": fft.WithBase(4), "strip": fft.WithStrip(2), "natural": fft.WithOrder(fft.Natural),
		"batch of one": fft.WithBatch(fft.Columns(1, 7)),
		"native":       fft.WithProducts(fft.NativeProducts),
		"no planner":   fft.WithoutPlanner(), "limit": fft.WithMemoryLimit(1 << 20),
	} {
		r, err := poly.New(p998, o)
		require.NoError(t, err, name)
		c, err := r.Mul(ctx, a, b)
		require.NoError(t, err, name)
		require.Equal(t, want, c, name)
		v, err := r.Evaluate(ctx, a, 16)
		require.NoError(t, err, name)
		require.Equal(t, horner(p998, a, 16), v, name)
	}
}

func TestFields(t *testing.T) {
	t.Run("P1", func(t *testing.T) { someField(t, smallprime.P1(), 300) })
	t.Run("P62", func(t *testing.T) { someField(t, smallprime.P62(), 300) })
	t.Run("P64", func(t *testing.T) { someField(t, smallprime.P64(), 300) })
	t.Run("Goldilocks", func(t *testing.T) { someField(t, smallprime.Goldilocks(), 300) })
	for _, p := range rootlessPrimes {
		t.Run(fmt.Sprint(p), func(t *testing.T) { someField(t, prime64(p), 300) })
	}
	t.Run("Mersenne31", func(t *testing.T) { someField(t, smallprime.Mersenne31(), 300) })
	t.Run("Word256", func(t *testing.T) { someField(t, testfields.NewWord256(), 100) })
	t.Run("Plain256", func(t *testing.T) { someField(t, testfields.NewPlain256(), 100) })
	t.Run("secp256k1", func(t *testing.T) { someField(t, bigprime.Secp256k1(), 100) })
	t.Run("Fermat", func(t *testing.T) { someField(t, testfields.NewFermat(), 200) })
	t.Run("BigInt", func(t *testing.T) {
		f, err := testfields.NewBigInt(smallprime.P30().Characteristic())
		require.NoError(t, err)
		someField(t, f, 80)
	})
}

// products is how many random products a field takes.
func products() int {
	if raceEnabled {
		return 3
	}
	return 12
}

// someField checks products of up to 4·most coefficients.
func someField[E any](t *testing.T, f field.Field[E], most int) {
	r := must(poly.New(f))
	g := rng(most)
	for i := range products() {
		a, b := random(f, g, 1+g.IntN(most<<(i%3))), random(f, g, 1+g.IntN(most))
		if len(a) < len(b) {
			a, b = b, a
		}
		want := naive(f, a, b)
		for name, r := range crossovers(r) {
			c, err := r.Mul(ctx, a, b)
			require.NoError(t, err)
			require.True(t, equal(f, want, c), "%s, %d by %d", name, len(a), len(b))
			c, err = r.Middle(ctx, a, b)
			require.NoError(t, err)
			require.True(t, equal(f, want[len(b)-1:len(a)], c), "%s, middle of %d by %d", name, len(a), len(b))
			c, err = r.Negacyclic(ctx, a, b, 64)
			require.NoError(t, err)
			require.True(t, equal(f, modulo(f, want, 64, true), c), "%s, %d by %d modulo x^64 + 1", name, len(a),
				len(b))
		}
	}
}

func TestNoRoot(t *testing.T) {
	r := must(poly.New(p257)).WithSchoolbook(20)
	a := make([]uint64, 200)
	b := make([]uint64, 400)
	for _, c := range []struct {
		name, text string
		do         func() error
	}{
		{"Mul", "length 512 needs order 512, and the field has powers of two up to 256",
			func() error { _, err := r.Mul(ctx, a, b); return err }},
		{"MulTo", "length 512", func() error { return r.MulTo(ctx, make([]uint64, 599), a, b) }},
		{"Square", "length 512", func() error { _, err := r.Square(ctx, a); return err }},
		{"Middle", "length 512", func() error { _, err := r.Middle(ctx, b, a); return err }},
		{"Cyclic", "length 512", func() error { _, err := r.Cyclic(ctx, a, b, 512); return err }},
		{"Negacyclic", "negacyclic transform of length 256 needs order 512",
			func() error { _, err := r.Negacyclic(ctx, a, a, 256); return err }},
		{"Evaluate", "length 1024", func() error { _, err := r.Evaluate(ctx, a, 1024); return err }},
		{"Interpolate", "length 512", func() error { _, err := r.Interpolate(ctx, make([]uint64, 512)); return err }},
		{"Prepare", "length 512", func() error { _, err := r.Prepare(ctx, a, 350); return err }},
	} {
		err := c.do()
		require.ErrorIs(t, err, field.ErrNoRoot, c.name)
		require.ErrorContains(t, err, c.text, c.name)
	}

	// Small products need no root at all.
	s := must(poly.New(rootless[uint64]{p998})).WithSchoolbook(20)
	x, y := random(p998, rng(1), 1000), random(p998, rng(2), 20)
	want := naive(p998, x, y)
	c, err := s.Mul(ctx, x, y)
	require.NoError(t, err)
	require.Equal(t, want, c)
	c, err = s.Middle(ctx, x, y)
	require.NoError(t, err)
	require.Equal(t, want[19:1000], c)
	c, err = s.Negacyclic(ctx, x, x, 16)
	require.NoError(t, err)
	require.Equal(t, modulo(p998, naive(p998, x, x), 16, true), c)
	o, err := s.Prepare(ctx, x, 1019)
	require.NoError(t, err)
	c, err = s.MulOperand(ctx, y, o)
	require.NoError(t, err)
	require.Equal(t, want, c)
	_, err = s.Mul(ctx, x, x)
	require.ErrorIs(t, err, field.ErrNoRoot)
	require.ErrorContains(t, err, "gives no roots")
}

func TestMemory(t *testing.T) {
	r := must(poly.New(p998, fft.WithMemoryLimit(1<<12)))
	_, err := r.Mul(ctx, make([]uint64, 1000), make([]uint64, 1000))
	require.ErrorIs(t, err, field.ErrMemory)
	r = must(poly.New(p998))
	const huge = int(^uint(0) >> 2)
	_, err = r.Cyclic(ctx, []uint64{1}, []uint64{2}, huge)
	require.ErrorIs(t, err, field.ErrMemory)
	_, err = r.Negacyclic(ctx, []uint64{1}, []uint64{2}, huge)
	require.ErrorIs(t, err, field.ErrMemory)
	_, err = r.Prepare(ctx, make([]uint64, 100), huge)
	require.ErrorIs(t, err, field.ErrMemory)
	_, err = r.Evaluate(ctx, []uint64{1}, huge/2+1)
	require.ErrorIs(t, err, field.ErrNoRoot)
}

// untouched runs a method that must fail, and checks that the destination keeps its values.
func untouched(t *testing.T, want error, dst []uint64, do func(dst []uint64) error) {
	t.Helper()
	before := clone(p998, dst)
	require.ErrorIs(t, do(dst), want)
	require.Equal(t, before, dst)
}

func TestErrors(t *testing.T) {
	for _, schoolbook := range []int{0, 1000} {
		r := must(poly.New(p998)).WithSchoolbook(schoolbook)
		a, b := random(p998, rng(1), 30), random(p998, rng(2), 20)
		o, err := r.Prepare(ctx, a, 49)
		require.NoError(t, err)
		p, err := r.Prepare(ctx, b, 49)
		require.NoError(t, err)
		for name, op := range map[string]struct {
			n  int
			do func(dst []uint64) error
		}{
			"MulTo":         {49, func(dst []uint64) error { return r.MulTo(ctx, dst, a, b) }},
			"SquareTo":      {59, func(dst []uint64) error { return r.SquareTo(ctx, dst, a) }},
			"MiddleTo":      {11, func(dst []uint64) error { return r.MiddleTo(ctx, dst, a, b) }},
			"MulOperandTo":  {49, func(dst []uint64) error { return r.MulOperandTo(ctx, dst, b, o) }},
			"MulOperandsTo": {49, func(dst []uint64) error { return r.MulOperandsTo(ctx, dst, o, p) }},
		} {
			t.Run(fmt.Sprint(name, schoolbook), func(t *testing.T) {
				for _, n := range []int{0, op.n - 1, op.n + 1} {
					untouched(t, field.ErrLength, random(p998, rng(3), n), op.do)
				}
				require.NoError(t, op.do(make([]uint64, op.n)))
			})
		}
		require.ErrorIs(t, r.CyclicTo(ctx, nil, a, b), field.ErrLength)
		for _, n := range []int{0, -1, math.MinInt} {
			_, err = r.Cyclic(ctx, a, b, n)
			require.ErrorIs(t, err, field.ErrLength)
			_, err = r.Negacyclic(ctx, a, b, n)
			require.ErrorIs(t, err, field.ErrLength)
			_, err = r.Evaluate(ctx, a, n)
			require.ErrorIs(t, err, field.ErrLength)
			_, err = r.Prepare(ctx, a, n)
			require.ErrorIs(t, err, field.ErrLength)
		}
		_, err = r.Evaluate(ctx, a, 24)
		require.ErrorIs(t, err, field.ErrNoRoot)
		_, err = r.Interpolate(ctx, nil)
		require.ErrorIs(t, err, field.ErrLength)
		for _, l := range [][2]int{{5, 6}, {5, 0}, {0, 0}} {
			_, err = r.Middle(ctx, a[:l[0]], b[:l[1]])
			require.ErrorIs(t, err, field.ErrLength)
			untouched(t, field.ErrLength, make([]uint64, 1),
				func(dst []uint64) error { return r.MiddleTo(ctx, dst, a[:l[0]], b[:l[1]]) })
		}
		_, err = r.MulOperand(ctx, a, o)
		require.ErrorIs(t, err, field.ErrLength)
		_, err = r.Prepare(ctx, a, 29)
		require.ErrorIs(t, err, field.ErrLength)
	}
}

func TestOverlap(t *testing.T) {
	for _, schoolbook := range []int{0, 1000} {
		r := must(poly.New(p998)).WithSchoolbook(schoolbook)
		m := random(p998, rng(1), 100)
		for i, s := range [][3][2]int{ // dst, a and b as from, to
			{{0, 39}, {0, 20}, {50, 70}}, {{0, 39}, {50, 70}, {38, 58}}, {{19, 58}, {0, 20}, {60, 80}},
			{{10, 49}, {20, 40}, {60, 80}},
			{{20, 59}, {0, 20}, {58, 78}},
		} {
			dst, a, b := m[s[0][0]:s[0][1]], m[s[1][0]:s[1][1]], m[s[2][0]:s[2][1]]
			untouched(t, field.ErrOverlap, dst, func(dst []uint64) error { return r.MulTo(ctx, dst, a, b) })
			untouched(t, field.ErrOverlap, dst, func(dst []uint64) error { return r.CyclicTo(ctx, dst, a, b) })
			untouched(t, field.ErrOverlap, dst, func(dst []uint64) error { return r.NegacyclicTo(ctx, dst, a, b) })
			untouched(t, field.ErrOverlap, dst, func(dst []uint64) error { return r.SquareTo(ctx, dst, dst[:20]) })
			untouched(t, field.ErrOverlap, dst[:39-len(b)+1],
				func(dst []uint64) error { return r.MiddleTo(ctx, dst, m[s[0][0]:s[0][1]], b) })
			o, err := r.Prepare(ctx, b, 39)
			require.NoError(t, err)
			if i != 1 && i != 4 {
				untouched(t, field.ErrOverlap, dst, func(dst []uint64) error { return r.MulOperandTo(ctx, dst, a, o) })
			}
		}
		// Neighbours do not overlap, and sources may.
		require.NoError(t, r.MulTo(ctx, m[20:59], m[:20], m[59:79]))
		require.NoError(t, r.MulTo(ctx, m[:39], m[50:70], m[60:80]))
		// Nothing overlaps with what is empty.
		require.NoError(t, r.MulTo(ctx, m[10:10], m[:20], nil))
		require.NoError(t, r.CyclicTo(ctx, m[:20], m[10:10], m[20:40]))
	}
}

func TestNil(t *testing.T) {
	r := must(poly.New(p998))
	a := []uint64{1, 2, 3}
	for _, r := range crossovers(r) {
		for _, x := range [][2][]uint64{{nil, a}, {a, nil}, {nil, nil}, {{}, a}} {
			c, err := r.Mul(ctx, x[0], x[1])
			require.NoError(t, err)
			require.Empty(t, c)
			require.NoError(t, r.MulTo(ctx, nil, x[0], x[1]))
			c, err = r.Cyclic(ctx, x[0], x[1], 4)
			require.NoError(t, err)
			require.Equal(t, []uint64{0, 0, 0, 0}, c)
		}
		c, err := r.Square(ctx, nil)
		require.NoError(t, err)
		require.Empty(t, c)
		c, err = r.Evaluate(ctx, nil, 2)
		require.NoError(t, err)
		require.Equal(t, []uint64{0, 0}, c)
		dst := []uint64{7, 7}
		require.NoError(t, r.NegacyclicTo(ctx, dst, nil, nil))
		require.Equal(t, []uint64{0, 0}, dst)
		_, err = r.MulOperand(ctx, a, nil)
		require.ErrorIs(t, err, field.ErrVec)
		_, err = r.MulOperand(ctx, a, new(poly.Operand[uint64]))
		require.ErrorIs(t, err, field.ErrVec)
		o, err := r.Prepare(ctx, nil, 0)
		require.NoError(t, err)
		require.Zero(t, o.Len())
		_, err = r.MulOperands(ctx, o, nil)
		require.ErrorIs(t, err, field.ErrVec)
		_, err = r.MulOperands(ctx, nil, o)
		require.ErrorIs(t, err, field.ErrVec)
		c, err = r.MulOperand(ctx, a, o)
		require.NoError(t, err)
		require.Empty(t, c)
	}
}

// countdown is a context that ends when it has been asked that often.
type countdown struct {
	context.Context
	mu   sync.Mutex
	left int
}

func (c *countdown) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

func TestCancelled(t *testing.T) {
	ended, cancel := context.WithCancel(ctx)
	cancel()
	a, b := random(p998, rng(1), 3000), random(p998, rng(2), 1000)
	for name, r := range crossovers(must(poly.New(p998))) {
		o, err := r.Prepare(ctx, b, 3999)
		require.NoError(t, err)
		for op, do := range map[string]func(ctx context.Context) ([]uint64, error){
			"Mul":         func(ctx context.Context) ([]uint64, error) { return r.Mul(ctx, a, b) },
			"parted Mul":  func(ctx context.Context) ([]uint64, error) { return r.Mul(ctx, a, a[:2000]) },
			"short Mul":   func(ctx context.Context) ([]uint64, error) { return r.Mul(ctx, a, b[:3]) },
			"Square":      func(ctx context.Context) ([]uint64, error) { return r.Square(ctx, b) },
			"Middle":      func(ctx context.Context) ([]uint64, error) { return r.Middle(ctx, a, b) },
			"Cyclic":      func(ctx context.Context) ([]uint64, error) { return r.Cyclic(ctx, a, b, 1024) },
			"Negacyclic":  func(ctx context.Context) ([]uint64, error) { return r.Negacyclic(ctx, a, b, 1000) },
			"Evaluate":    func(ctx context.Context) ([]uint64, error) { return r.Evaluate(ctx, a, 1024) },
			"Interpolate": func(ctx context.Context) ([]uint64, error) { return r.Interpolate(ctx, a[:1024]) },
			"MulOperand":  func(ctx context.Context) ([]uint64, error) { return r.MulOperand(ctx, a, o) },
			"MulOperands": func(ctx context.Context) ([]uint64, error) { return r.MulOperands(ctx, o, o) },
			"Prepare": func(ctx context.Context) ([]uint64, error) {
				_, err := r.Prepare(ctx, a, 5000)
				return nil, err
			},
		} {
			c, err := do(ended)
			require.ErrorIs(t, err, context.Canceled, "%s, %s", name, op)
			require.Nil(t, c)
			// Later, wherever it is asked next.
			for left := 1; ; left *= 3 {
				_, err := do(&countdown{Context: ctx, left: left})
				if err == nil {
					break
				}
				require.ErrorIs(t, err, context.Canceled, "%s, %s, asked %d times", name, op, left)
			}
		}
		dst := random(p998, rng(3), 3999)
		untouched(t, context.Canceled, dst, func(dst []uint64) error { return r.MulTo(ended, dst, a, b) })
	}
}

// The schoolbook asks its context once in about 500 products, however long its rows are.
func TestSchoolbookAsks(t *testing.T) {
	for _, l := range [][2]int{{2, 30000}, {200, 300}, {245, 245}} {
		r := must(poly.New(p998)).WithSchoolbook(1000)
		c := &countdown{Context: ctx, left: 1 << 30}
		_, err := r.Mul(c, make([]uint64, l[0]), make([]uint64, l[1]))
		require.NoError(t, err)
		asked := 1<<30 - c.left
		require.Greater(t, asked, l[0]*l[1]/1100, "%v", l)
		require.Less(t, asked, l[0]*l[1]/400, "%v", l)
	}
}

func TestAllocs(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector empties pools at random, so that allocations are not counted")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a collection empties them too
	t.Run("element methods", func(t *testing.T) { allocs(t, must(poly.New(p998)), p998) })
	t.Run("P62", func(t *testing.T) { allocs(t, must(poly.New(smallprime.P62())), smallprime.P62()) })
	t.Run("through primes", func(t *testing.T) {
		allocs(t, must(poly.New(smallprime.Mersenne31())),
			smallprime.Mersenne31())
	})
	t.Run("tiles", func(t *testing.T) {
		allocs(t, must(poly.New(testfields.NewPlain256())), field.Field[[4]uint64](testfields.NewPlain256()))
	})
	t.Run("two workers", func(t *testing.T) {
		allocs(t, must(poly.New(p998, fft.WithWorkers(2), fft.WithGrain(16))),
			p998)
	})
}

func allocs[E any](t *testing.T, r *poly.Ring[E], f field.Field[E]) {
	for _, l := range [][2]int{{5, 5}, {30, 3}, {100, 100}, {129, 128}, {3000, 100}, {2500, 2500}} {
		a, b := random(f, rng(l[0]), l[0]), random(f, rng(l[1], 1), l[1])
		dst := make([]E, l[0]+l[1]-1)
		o, err := r.Prepare(ctx, a, len(dst))
		require.NoError(t, err)
		p, err := r.Prepare(ctx, b, len(dst))
		require.NoError(t, err)
		for name, do := range map[string]func() error{
			"MulTo":         func() error { return r.MulTo(ctx, dst, a, b) },
			"SquareTo":      func() error { return r.SquareTo(ctx, dst[:2*len(b)-1], b) },
			"MiddleTo":      func() error { return r.MiddleTo(ctx, dst[:len(a)-len(b)+1], a, b) },
			"CyclicTo 64":   func() error { return r.CyclicTo(ctx, dst[:min(64, len(dst))], a, b) },
			"CyclicTo 100":  func() error { return r.CyclicTo(ctx, dst[:min(100, len(dst))], a, b) },
			"NegacyclicTo":  func() error { return r.NegacyclicTo(ctx, dst[:min(64, len(dst))], a, b) },
			"MulOperandTo":  func() error { return r.MulOperandTo(ctx, dst, b, o) },
			"MulOperandsTo": func() error { return r.MulOperandsTo(ctx, dst, p, o) },
		} {
			require.NoError(t, do())
			require.Zero(t, testing.AllocsPerRun(10, func() { _ = do() }), "%s of %d by %d", name, l[0], l[1])
		}
	}
}

func TestConcurrent(t *testing.T) {
	r := must(poly.New(p998, fft.WithWorkers(2), fft.WithGrain(64)))
	a, b := random(p998, rng(1), 700), random(p998, rng(2), 90)
	o, err := r.Prepare(ctx, a, 2000)
	require.NoError(t, err)
	ab := naive(p998, a, b)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range 6 {
				x, y := a[:100+50*((i+j)%13)], b[:1+7*((i*j)%13)]
				want := naive(p998, x, y)
				c, err := r.Mul(ctx, x, y)
				if err != nil || !equal(p998, want, c) {
					t.Errorf("product of %d by %d: %v", len(x), len(y), err)
				}
				c, err = r.WithSchoolbook(j).Cyclic(ctx, x, y, 64)
				if err != nil || !equal(p998, modulo(p998, want, 64, false), c) {
					t.Errorf("cyclic product of %d by %d: %v", len(x), len(y), err)
				}
				c, err = r.MulOperand(ctx, b, o)
				if err != nil || !equal(p998, ab, c) {
					t.Errorf("product with a prepared operand: %v", err)
				}
			}
		})
	}
	wg.Wait()
}

// slowRoot holds up whoever asks for the root of one order.
type slowRoot struct {
	word
	n             uint64
	asked, resume chan struct{}
	once          *sync.Once
}

func (f slowRoot) RootOfUnity(z *uint64, n uint64) error {
	if n == f.n {
		f.once.Do(func() {
			close(f.asked)
			<-f.resume
		})
	}
	return f.word.RootOfUnity(z, n)
}

// While the plan of one length is in the making, others are used and made.
func TestPlansDoNotWait(t *testing.T) {
	f := slowRoot{p998, 1024, make(chan struct{}), make(chan struct{}), new(sync.Once)}
	r := must(poly.New(f))
	done := make(chan error)
	go func() {
		_, err := r.Mul(ctx, make([]uint64, 500), make([]uint64, 500))
		done <- err
	}()
	<-f.asked
	_, err := r.Mul(ctx, make([]uint64, 50), make([]uint64, 50))
	require.NoError(t, err)
	_, err = r.Square(ctx, make([]uint64, 1000))
	require.NoError(t, err)
	close(f.resume)
	require.NoError(t, <-done)
}

func TestOperands(t *testing.T) {
	r := must(poly.New(p998))
	a, b := random(p998, rng(1), 100), random(p998, rng(2), 90)
	o, err := r.Prepare(ctx, a, 189)
	require.NoError(t, err)
	require.Equal(t, 100, o.Len())
	a0 := clone(p998, a)
	clear(a) // is not kept
	for l := range 91 {
		c, err := r.MulOperand(ctx, b[:l], o)
		require.NoError(t, err)
		require.Equal(t, naive(p998, a0, b[:l]), c, "%d", l)
	}
	p, err := r.Prepare(ctx, b, 189)
	require.NoError(t, err)
	c, err := r.MulOperands(ctx, o, p)
	require.NoError(t, err)
	require.Equal(t, naive(p998, a0, b), c)

	q, err := r.Prepare(ctx, b, 1000)
	require.NoError(t, err)
	_, err = r.MulOperands(ctx, o, q)
	require.ErrorIs(t, err, field.ErrLength)
	_, err = r.MulOperands(ctx, o, o) // 199 coefficients
	require.ErrorIs(t, err, field.ErrLength)
	s, err := r.Prepare(ctx, b, 188)
	require.NoError(t, err)
	for _, xy := range [][2]*poly.Operand[uint64]{{o, s}, {s, o}} { // 189 coefficients
		_, err = r.MulOperands(ctx, xy[0], xy[1])
		require.ErrorIs(t, err, field.ErrLength)
	}
	_, err = must(poly.New(p998)).MulOperand(ctx, b, o)
	require.ErrorIs(t, err, field.ErrVec)
	_, err = r.WithSchoolbook(3).MulOperands(ctx, o, p)
	require.ErrorIs(t, err, field.ErrVec)
	require.False(t, errors.Is(err, field.ErrLength))
}

// A nil context is an error, whatever path the product takes.
func TestNilContext(t *testing.T) {
	r := must(poly.New(p998))
	var none context.Context
	a := make([]uint64, 100)
	for name, call := range map[string]func() error{
		"mul":     func() error { _, err := r.Mul(none, a, a[:90]); return err },
		"cyclic":  func() error { _, err := r.Cyclic(none, a, a, 64); return err },
		"middle":  func() error { _, err := r.Middle(none, a, a[:50]); return err },
		"prepare": func() error { _, err := r.Prepare(none, a, 256); return err },
	} {
		require.ErrorIs(t, call(), field.ErrSpec, name)
	}
	_, err := r.Cyclic(ctx, a, a, -1)
	require.ErrorContains(t, err, "x^-1")
}
