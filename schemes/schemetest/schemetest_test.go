package schemetest

import (
	"context"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/testfields"
	"github.com/galfft/fft/schemes"
)

func TestSound(t *testing.T) {
	Run(t, testfields.NewFermat(), Config[uint32]{MaxN: 256, Large: []int{1 << 14}})
}

// broken wraps a sound transform and spoils one thing.
type broken struct {
	field.Transform[uint32]
	d     field.Domain[uint32]
	s     field.Spec
	spoil spoiler
}

type spoiler struct {
	forward, inverse func(b *broken, ctx context.Context, dst, src []uint32) error
	permutation      func(p []int)
	vec              func(v field.Vec) field.Vec
	planned          func(d *field.Domain[uint32], s *field.Spec)
}

// cyclicOf changes a cyclic domain.
func cyclicOf(change func(d *field.Cyclic[uint32])) func(d *field.Domain[uint32], s *field.Spec) {
	return func(d *field.Domain[uint32], _ *field.Spec) {
		c := (*d).(field.Cyclic[uint32])
		change(&c)
		*d = c
	}
}

func (b *broken) Forward(ctx context.Context, dst, src []uint32) error {
	if b.spoil.forward != nil {
		return b.spoil.forward(b, ctx, dst, src)
	}
	return b.Transform.Forward(ctx, dst, src)
}

func (b *broken) Inverse(ctx context.Context, dst, src []uint32) error {
	if b.spoil.inverse != nil {
		return b.spoil.inverse(b, ctx, dst, src)
	}
	return b.Transform.Inverse(ctx, dst, src)
}

func (b *broken) Permutation() []int {
	p := b.Transform.Permutation()
	if b.spoil.permutation != nil {
		b.spoil.permutation(p)
	}
	return p
}

func (b *broken) MulVec(z, x, y field.Vec) error {
	if b.spoil.vec != nil {
		y = b.spoil.vec(x)
	}
	return b.Transform.MulVec(z, x, y)
}

var sink []byte

// Every spoiled transform must fail the check that it is named after.
func TestBroken(t *testing.T) {
	for _, c := range []struct {
		name, check string
		spoil       spoiler
	}{
		{"one value off by one", "definition", spoiler{forward: func(b *broken, ctx context.Context, dst,
			src []uint32) error {
			err := b.Transform.Forward(ctx, dst, src)
			if err == nil && len(dst) == 64 {
				dst[63] = (dst[63] + 1) % 65537
			}
			return err
		}}},
		{"wrong at one base case and worker count", "definition",
			spoiler{forward: func(b *broken, ctx context.Context, dst, src []uint32) error {
				err := b.Transform.Forward(ctx, dst, src)
				if err == nil && b.s.Base == 16 && b.s.Workers == 3 && b.s.Order == field.BitReversed {
					dst[0] ^= 1
				}
				return err
			}}},
		{"source spoiled", "definition", spoiler{forward: func(b *broken, ctx context.Context, dst,
			src []uint32) error {
			err := b.Transform.Forward(ctx, dst, src)
			if err == nil && &dst[0] != &src[0] {
				src[0] ^= 1
			}
			return err
		}}},
		{"inverse without scaling", "definition", spoiler{inverse: func(b *broken, ctx context.Context, dst,
			src []uint32) error {
			err := b.Transform.Inverse(ctx, dst, src)
			for i := range dst {
				dst[i] = uint32(uint64(dst[i]) * uint64(b.d.Len()) % 65537)
			}
			return err
		}}},
		{"wrong permutation", "definition", spoiler{permutation: func(p []int) {
			p[0], p[len(p)-1] = p[len(p)-1],
				p[0]
		}}},
		{"no permutation", "definition", spoiler{permutation: func(p []int) { p[0] = p[len(p)-1] }}},
		{"product of one factor", "definition", spoiler{vec: func(v field.Vec) field.Vec { return nil }}},
		{"shift ignored", "domains", spoiler{planned: cyclicOf(func(d *field.Cyclic[uint32]) { d.Shift = 1 })}},
		{"root ignored", "domains", spoiler{planned: cyclicOf(func(d *field.Cyclic[uint32]) {
			sound, _ := field.NewCyclic[uint32](testfields.NewFermat(), d.N)
			d.Root = sound.Root
		})}},
		{"stride ignored", "batches", spoiler{planned: func(d *field.Domain[uint32],
			s *field.Spec) {
			s.Batch.Stride = 0
		}}},
		{"gaps written", "batches", spoiler{forward: func(b *broken, ctx context.Context, dst, src []uint32) error {
			err := b.Transform.Forward(ctx, dst, src)
			if s := b.s.Batch; err == nil && s.Stride > s.Count && s.Columns && len(dst) > s.Count {
				dst[s.Count] = 0
			}
			return err
		}}},
		{"wrong above 8192", "large", spoiler{forward: func(b *broken, ctx context.Context, dst, src []uint32) error {
			err := b.Transform.Forward(ctx, dst, src)
			if len(dst) > 8192 {
				clear(dst)
			}
			return err
		}}},
		{"length unchecked", "arguments", spoiler{forward: func(b *broken, ctx context.Context, dst,
			src []uint32) error {
			n := min(len(dst), len(src))
			if n == 0 {
				return nil
			}
			return b.Transform.Forward(ctx, dst[:n], src[:n])
		}}},
		{"parameters unchecked", "arguments", spoiler{planned: func(d *field.Domain[uint32],
			s *field.Spec) {
			s.Base = 0
		}}},
		{"memory unchecked", "arguments", spoiler{planned: func(d *field.Domain[uint32],
			s *field.Spec) {
			s.MemoryLimit = 0
		}}},
		{"context ignored", "context", spoiler{forward: func(b *broken, ctx context.Context, dst, src []uint32) error {
			return b.Transform.Forward(context.Background(), dst, src)
		}}},
		{"progress ignored", "context", spoiler{planned: func(d *field.Domain[uint32],
			s *field.Spec) {
			s.Progress = nil
		}}},
		{"allocation", "allocations", spoiler{forward: func(b *broken, ctx context.Context, dst, src []uint32) error {
			sink = make([]byte, 1)
			return b.Transform.Forward(ctx, dst, src)
		}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if raceEnabled && c.check == "allocations" {
				t.Skip("the race detector empties pools at random, so that allocations are not counted")
			}
			f := testfields.NewFermat()
			s := newSuite[uint32](f, Config[uint32]{MaxN: 64, Large: []int{1 << 14},
				New: func(d field.Domain[uint32], s field.Spec) (field.Transform[uint32], error) {
					b := &broken{d: d, s: s, spoil: c.spoil}
					if c.spoil.planned != nil {
						c.spoil.planned(&d, &s)
					}
					sound, err := schemes.New[uint32](f, d, s)
					if err != nil {
						return nil, err
					}
					b.Transform = sound
					return b, nil
				}}, 1)
			failures := 0
			for _, check := range checks {
				if check.name == c.check {
					check.run(s, func(string, ...any) { failures++ })
				}
			}
			if failures == 0 {
				t.Errorf("check %s passes", c.check)
			}
		})
	}
}

// A plan whose calls share state must fail when several goroutines use it.
func TestBrokenShared(t *testing.T) {
	if raceEnabled {
		t.Skip("the broken plan races on purpose, and the detector would report that instead of the wrong values")
	}
	f := testfields.NewFermat()
	s := newSuite[uint32](f, Config[uint32]{MaxN: 256, New: func(d field.Domain[uint32],
		s field.Spec) (field.Transform[uint32], error) {
		sound, err := schemes.New[uint32](f, d, s)
		if err != nil {
			return nil, err
		}
		scratch := make([]uint32, d.Len())
		return &broken{Transform: sound, d: d, spoil: spoiler{forward: func(b *broken, ctx context.Context, dst,
			src []uint32) error {
			copy(scratch, src)
			for range 10 { // let another call come in between
				runtime.Gosched()
			}
			err := b.Transform.Forward(ctx, scratch, scratch)
			copy(dst, scratch)
			return err
		}}}, nil
	}}, 1)
	failures := 0
	for range 50 {
		s.shared(func(string, ...any) { failures++ })
		if failures > 0 {
			return
		}
	}
	t.Error("check shared passes")
}

// shy is a field whose product panics now and then.
type shy struct {
	*smallprime.Field64
	count *atomic.Int64
}

func (f shy) Mul(z, x, y *uint64) {
	if f.count.Add(1)%10007 == 0 {
		panic("a product of one's own")
	}
	f.Field64.Mul(z, x, y)
}

// A panic in a method of the field fails the checks, and does not end the process.
func TestPanics(t *testing.T) {
	const variable = "SCHEMETEST_PANIC"
	if os.Getenv(variable) != "" {
		f := shy{smallprime.P62(), new(atomic.Int64)}
		Run(t, field.ElementsOnly[uint64](f), Config[uint64]{MaxN: 64, Random: f.Random})
		return
	}
	exe, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(exe, "-test.run=^TestPanics$", "-test.v")
	cmd.Env = append(os.Environ(), variable+"=1")
	out, err := cmd.CombinedOutput()
	require.Error(t, err)
	for _, want := range []string{"--- FAIL: TestPanics/definition ", "panic: a product of one's own",
		"--- FAIL: TestPanics/shared "} {
		require.Contains(t, string(out), want)
	}
}

// affineSpoiler spoils transforms over affine domains.
type affineSpoiler struct {
	field.Transform[uint8]
	change func(x []uint8)
}

func (t affineSpoiler) Forward(ctx context.Context, dst, src []uint8) error {
	err := t.Transform.Forward(ctx, dst, src)
	if err == nil {
		t.change(dst)
	}
	return err
}

// The suite tells transforms over affine domains from others.
func TestBrokenAffine(t *testing.T) {
	basis := []uint8{1, 2, 4, 8, 16, 32, 64, 128}
	for what, c := range map[string]struct {
		check string
		new   func(d field.Affine[uint8], s field.Spec) (field.Transform[uint8], error)
	}{
		"shift ignored": {"domains", func(d field.Affine[uint8], s field.Spec) (field.Transform[uint8], error) {
			return schemes.New(testfields.Binary8{}, field.Domain[uint8](field.Affine[uint8]{Basis: d.Basis}), s)
		}},
		"basis ignored": {"domains", func(d field.Affine[uint8], s field.Spec) (field.Transform[uint8], error) {
			own := field.Affine[uint8]{Basis: basis[:len(d.Basis)], Shift: d.Shift}
			return schemes.New(testfields.Binary8{}, field.Domain[uint8](own), s)
		}},
		"coefficients ignored": {"domains", func(d field.Affine[uint8], s field.Spec) (field.Transform[uint8], error) {
			s.Coefficients = field.Monomial
			return schemes.New(testfields.Binary8{}, field.Domain[uint8](d), s)
		}},
		"points in another order": {"definition", func(d field.Affine[uint8], s field.Spec) (field.Transform[uint8], error) {
			sound, err := schemes.New(testfields.Binary8{}, field.Domain[uint8](d), s)
			return affineSpoiler{sound, slices.Reverse[[]uint8]}, err
		}},
	} {
		t.Run(what, func(t *testing.T) {
			cfg := Config[uint8]{Basis: basis, MaxN: 32, New: func(d field.Domain[uint8],
				s field.Spec) (field.Transform[uint8], error) {
				if a, ok := d.(field.Affine[uint8]); ok {
					return c.new(a, s)
				}
				return schemes.New(testfields.Binary8{}, d, s)
			}}
			s := newSuite[uint8](testfields.Binary8{}, cfg, 1)
			failed := false
			for _, check := range checks {
				if check.name == c.check {
					check.run(s, func(string, ...any) { failed = true })
				}
			}
			require.True(t, failed)
		})
	}
}
