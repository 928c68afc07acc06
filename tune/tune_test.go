package tune

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/erased"
	"github.com/galfft/fft/internal/nils"
)

// A table has a line for each length, which plans then follow, for every kind of field.
func TestMeasure(t *testing.T) {
	t.Run("word", func(t *testing.T) { testMeasure(t, smallprime.P62(), Estimate) })
	t.Run("gfpf", func(t *testing.T) { testMeasure(t, gfpf.P2(), Estimate) })
	t.Run("big", func(t *testing.T) { testMeasure(t, bigprime.BN254(), Thorough) })
	t.Run("own", func(t *testing.T) {
		testMeasure(t, struct{ field.Rooted[uint64] }{smallprime.P62()}, Exhaustive)
	})
}

func testMeasure[E any](t *testing.T, f field.Field[E], effort Effort) {
	e := erased.Of(f)
	shares := []float64{}
	clock := time.Time{} // that figures mean nothing by, and come soon
	tick := func() time.Time { clock = clock.Add(10 * time.Millisecond); return clock }
	o := Options{Lengths: []int{1, 8, 64}, Effort: effort, Workers: 2, Order: fft.Scheme, Products: true,
		Progress: func(share float64, n int) { shares = append(shares, share) }}
	tab, err := measure(context.Background(), o,
		subjects{tick, plans(e), field.TuningName(f), productsOf(e, ringsOf(f))})
	require.NoError(t, err)
	require.Equal(t, 4, tab.Len())
	require.IsNonDecreasing(t, shares)
	require.Zero(t, shares[0])
	_, ok := tab.TunedProducts(field.TuningName(f))
	require.True(t, ok)
	for _, line := range tab.Lines()[:3] {
		n := map[bool]int{true: 1}[strings.HasPrefix(line, "transform n=1 ")]
		if strings.HasPrefix(line, "transform n=8 ") {
			n = 8
		}
		if n == 0 {
			n = 64
		}
		p, err := fft.NewPlan(f, n, fft.WithTuning(tab), fft.WithWorkers(2), fft.WithOrder(fft.Scheme))
		require.NoError(t, err)
		require.Contains(t, p.Report().Reason, "tuned: ")
	}
}

// machine is one on which each scheme takes a time, with its own clock; the default is depth-first. The schoolbook
// takes the square of its length, transforms 21 times the length, and the ring prefers transforms from own on.
type machine struct {
	clock time.Time
	own   int
	takes map[field.Algorithm]time.Duration
	made  func(a field.Algorithm) // is told of plans
	ran   int                     // plans that ran
}

func (m *machine) now() time.Time { return m.clock }

func (m *machine) plan(ctx context.Context, n int, opts ...fft.Option) (subject, error) {
	p, err := fft.NewPlanContext(ctx, smallprime.P62(), n, opts...)
	if err != nil {
		return subject{}, err
	}
	r := p.Report()
	if _, ok := m.takes[r.Algorithm]; !ok {
		return subject{}, errors.New("boom")
	}
	if m.made != nil {
		m.made(r.Algorithm)
	}
	first := true
	return subject{func(ctx context.Context) error {
		if first {
			m.ran++
		}
		first = false
		m.clock = m.clock.Add(m.takes[r.Algorithm])
		return ctx.Err()
	}, r, nil}, nil
}

func (m *machine) product(_ context.Context, _, b int) (schoolbook, transforms subject, own bool, err error) {
	side := func(took int) subject {
		return subject{run: func(ctx context.Context) error {
			m.clock = m.clock.Add(time.Duration(took) * time.Microsecond)
			return ctx.Err()
		}}
	}
	return side(b * b), side(21 * b), b <= m.own, nil
}

func (m *machine) measure(ctx context.Context, o Options) (*Table, error) {
	return measure(ctx, o, subjects{m.now, m.plan, "F", m.product})
}

// What is faster wins, what is as fast does not, and what has no memory is left out.
func TestChoice(t *testing.T) {
	const slow, quick = 600 * time.Microsecond, 150 * time.Microsecond
	all := func(d time.Duration) map[field.Algorithm]time.Duration {
		return map[field.Algorithm]time.Duration{field.DepthFirst: d, field.SixStep: d, field.SixStepMerged: d,
			field.FourStep: d}
	}
	o := Options{Lengths: []int{256}}
	takes := all(slow)
	takes[field.FourStep] = quick
	m := &machine{takes: takes}
	tab, err := m.measure(context.Background(), o)
	require.NoError(t, err)
	require.Len(t, tab.Lines(), 1)
	require.Equal(t, 4, m.ran, "the default is one of the schemes, and others do not run at this length")
	require.Contains(t, tab.Lines()[0], "transform n=256 order=natural workers=1 batch=false bytes=8 ")
	require.Contains(t, tab.Lines()[0], "=> scheme=fourstep base=0 strip=0 radix=0 twiddles=auto tasks=0 # ")
	require.Contains(t, tab.Lines()[0], "# 150µs, the default 600µs")

	takes = all(slow)
	takes[field.DepthFirst] = quick
	tab, err = (&machine{takes: takes}).measure(context.Background(), o)
	require.NoError(t, err)
	require.Contains(t, tab.Lines()[0], "=> scheme=auto base=0 strip=0 radix=0 twiddles=auto tasks=0 # the default is fastest")

	// What was faster by chance is not in the end.
	takes = all(slow)
	takes[field.FourStep] = quick
	m = &machine{takes: takes, made: func(a field.Algorithm) {
		if a == field.SixStep { // which comes after it
			takes[field.FourStep] = slow
		}
	}}
	tab, err = m.measure(context.Background(), o)
	require.NoError(t, err)
	require.Contains(t, tab.Lines()[0], "=> scheme=auto base=0 strip=0 radix=0 twiddles=auto tasks=0 # the default is fastest")

	require.False(t, faster(100, 98))
	require.True(t, faster(100, 96))
	require.Equal(t, 1240*time.Microsecond, rounded(1238400))
}

// The crossover is where transforms are faster, unless the ring's own is about as good.
func TestCrossover(t *testing.T) {
	ctx, o := context.Background(), Options{Products: true}
	for own, want := range map[int]string{
		8:  "=> schoolbook=20 # 0.0 % over the faster way, the default ",
		20: "=> schoolbook=0 # the default is best",
		23: "=> schoolbook=0 # the default is best",
		48: "=> schoolbook=20 # 0.0 % over the faster way, the default ",
	} {
		tab, err := (&machine{own: own}).measure(ctx, o)
		require.NoError(t, err)
		require.Len(t, tab.Lines(), 1)
		require.Contains(t, tab.Lines()[0], `product field="F" tier=`)
		require.Contains(t, tab.Lines()[0], want)
		line, ok := tab.TunedProducts("F")
		require.True(t, ok)
		require.Equal(t, strings.Contains(want, "20"), line.Schoolbook == 20)
	}
	o.TimeLimit = time.Nanosecond
	tab, err := (&machine{}).measure(ctx, o)
	require.NoError(t, err)
	require.Zero(t, tab.Len())

	// A field without roots has no crossover.
	_, err = Measure(ctx, struct{ field.Field[uint64] }{smallprime.P62()}, Options{Products: true})
	require.ErrorIs(t, err, field.ErrNoRoot)
	require.ErrorContains(t, err, "tune: products: ")
}

// What ends a measurement leaves what was found before it.
func TestStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	const d = time.Millisecond
	takes := map[field.Algorithm]time.Duration{field.DepthFirst: d, field.SixStep: d, field.SixStepMerged: d,
		field.FourStep: d}
	o := Options{Lengths: []int{4, 8, 16}, Progress: func(_ float64, n int) {
		if n == 8 {
			cancel()
		}
	}}
	tab, err := (&machine{takes: takes}).measure(ctx, o)
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorContains(t, err, "tune: length 8: stopped")
	require.Equal(t, 1, tab.Len())

	// A time limit is no error.
	o = Options{Lengths: []int{4, 8, 16}, TimeLimit: time.Nanosecond}
	tab, err = (&machine{takes: takes}).measure(context.Background(), o)
	require.NoError(t, err)
	require.Zero(t, tab.Len())

	// A length without roots is one.
	tab, err = Measure(context.Background(), smallprime.P62(), Options{Lengths: []int{4, 1 << 30}})
	require.ErrorIs(t, err, field.ErrNoRoot)
	require.Equal(t, 1, tab.Len())

	// So is a plan that fails, and a field whose transforms are its own.
	delete(takes, field.FourStep)
	_, err = (&machine{takes: takes}).measure(context.Background(), Options{Lengths: []int{64}})
	require.ErrorContains(t, err, "tune: length 64: boom")
	_, err = measure(context.Background(), Options{Lengths: []int{64}}, subjects{now: time.Now,
		plan: func(context.Context, int, ...fft.Option) (subject, error) { return subject{}, nil }})
	require.ErrorIs(t, err, field.ErrSpec)
	require.ErrorContains(t, err, "asks for no tuned values")
}

func TestEffort(t *testing.T) {
	for _, e := range []Effort{Estimate, Thorough, Exhaustive} {
		got, err := ParseEffort(e.String())
		require.NoError(t, err)
		require.Equal(t, e, got)
		require.Positive(t, e.slot())
	}
	require.Equal(t, "#9", Effort(9).String())
}

func TestFiles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tuning.txt")
	a, err := Measure(context.Background(), smallprime.P62(), Options{Lengths: []int{4}})
	require.NoError(t, err)
	b, err := Measure(context.Background(), smallprime.P62(), Options{Lengths: []int{4, 8}})
	require.NoError(t, err)
	require.NoError(t, a.Save(file))
	require.NoError(t, b.Save(file))
	c, err := Load(file)
	require.NoError(t, err)
	require.Equal(t, b.Lines(), c.Lines())
	a.Merge(b)
	require.Equal(t, b.Lines(), a.Lines())
	require.NoError(t, os.WriteFile(file, []byte("x\n"), 0o666))
	_, err = Load(file)
	require.ErrorIs(t, err, field.ErrTuning)
	require.ErrorIs(t, a.Save(file), field.ErrTuning)
	t.Setenv("GALFFT_TUNE", "some/file")
	path, err := Path()
	require.NoError(t, err)
	require.Equal(t, "some/file", path)
}

func TestNils(t *testing.T) {
	ctx := context.Background()
	f := smallprime.P62()
	o := Options{Lengths: []int{4}}
	file := filepath.Join(t.TempDir(), "f")
	bad := func(o Options) func() error { return func() error { _, err := Measure(ctx, f, o); return err } }
	var none *Table
	on := func(int) (field.Field[uint64], error) { return f, nil }
	none0 := func(int) (field.Field[uint64], error) { return new(smallprime.Field64), nil }
	var noContext context.Context
	nils.Run(t, nils.Table{
		"Measure": {nils.Is(field.ErrSpec,
			func() error { _, err := Measure(noContext, f, o); return err },
			func() error { _, err := Measure[uint64](ctx, nil, o); return err },
			func() error { _, err := Measure(ctx, new(smallprime.Field64), o); return err },
			bad(Options{}), bad(Options{Lengths: o.Lengths, Effort: 9}), bad(Options{Lengths: o.Lengths, Workers: -1}),
			bad(Options{Lengths: o.Lengths, Batch: -1}), bad(Options{Lengths: o.Lengths, TimeLimit: -1}),
			bad(Options{Lengths: o.Lengths, Order: 9}),
		), nils.Is(field.ErrLength, bad(Options{Lengths: []int{0}}))},
		"MeasureDevice": {nils.Is(field.ErrSpec,
			func() error { _, err := MeasureDevice(noContext, f, f, "", o); return err },
			func() error { _, err := MeasureDevice[uint64](ctx, nil, f, "", o); return err },
			func() error { _, err := MeasureDevice[uint64](ctx, f, nil, "", o); return err },
			func() error { _, err := MeasureDevice(ctx, f, f, "", Options{}); return err },
		)},
		"MeasureThreads": {nils.Is(field.ErrSpec,
			func() error { _, err := MeasureThreads(noContext, on, o); return err },
			func() error { _, err := MeasureThreads[uint64](ctx, nil, o); return err },
			func() error { _, err := MeasureThreads(ctx, none0, o); return err },
			func() error { _, err := MeasureThreads(ctx, on, Options{}); return err },
		)},
		"MeasureErased": {nils.Is(field.ErrSpec,
			func() error { _, err := MeasureErased(noContext, erased.Of(f), nil, o); return err },
			func() error { _, err := MeasureErased(ctx, erased.Of[uint64](nil), nil, o); return err },
		)},
		"MeasureDeviceErased": {nils.Is(field.ErrSpec, func() error {
			_, err := MeasureDeviceErased(ctx, erased.Of(f), erased.Of[uint64](nil), "", o)
			return err
		})},
		"MeasureThreadsErased": {nils.Is(field.ErrSpec,
			func() error { _, err := MeasureThreadsErased(ctx, nil, o); return err })},
		"Table.TunedDevice": {nils.Quiet(func() { none.TunedDevice("", ""); new(Table).TunedDevice("", "") })},
		"Load":              {nils.Is(field.ErrTuning, func() error { _, err := Load(""); return err })},
		"Path":              {nils.Quiet(func() { _, _ = Path() })},
		"ParseEffort":       {nils.Is(field.ErrSpec, func() error { _, err := ParseEffort(""); return err })},
		"Effort.String":     {nils.Quiet(func() { _ = Effort(0).String() })},
		"Table.Save": {nils.Is(nil, func() error { return none.Save(file) }, func() error { return new(Table).Save(file) }),
			nils.Is(field.ErrTuning, func() error { return none.Save(filepath.Join(file, "x")) })},
		"Table.Merge": {nils.Quiet(func() { new(Table).Merge(nil) }, func() { new(Table).Merge(new(Table)) }),
			nils.Panics(func() { none.Merge(nil) })},
		"Table.TunedProducts": {nils.Quiet(func() { none.TunedProducts(""); new(Table).TunedProducts("") })},
		"Table.Len":           {nils.Quiet(func() { none.Len(); new(Table).Len() })},
		"Table.Lines":         {nils.Quiet(func() { none.Lines(); new(Table).Lines() })},
		"Table.Tuned": {nils.Quiet(func() {
			fft.Must(fft.NewPlan(f, 8, fft.WithTuning(none)))
			fft.Must(fft.NewPlan(f, 8, fft.WithTuning(new(Table))))
		})},
	})
}

// looks is a context that counts how often it was asked.
type looks struct {
	context.Context
	n int
}

func (l *looks) Err() error { l.n++; return l.Context.Err() }

// Elements are made with looks at the context between them, whose end is the error.
func TestFill(t *testing.T) {
	l := &looks{Context: context.Background()}
	f := erased.Of(smallprime.P62())
	require.NoError(t, fill(l, f, f.Make(1000)))
	require.Equal(t, 16, l.n)
	ctx, cancel := context.WithCancel(l.Context)
	cancel()
	require.ErrorIs(t, fill(ctx, f, f.Make(1)), context.Canceled)
}
