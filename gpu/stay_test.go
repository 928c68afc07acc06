package gpu

import (
	"context"
	"errors"
	"runtime"
	"runtime/metrics"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft"
	"github.com/galfft/fft/dist"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/binary"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/device"
	"github.com/galfft/fft/internal/emulator"
)

// Memory stays until the last launch that has its address, though nobody has the vector, table, plan or field any more:
// each launch here comes after everything has been collected that the garbage collector may take, and all cleanups have
// run. The emulated device ends the process where a kernel reads what is gone.
func TestMemoryStays(t *testing.T) {
	emulator.Long(t)
	collecting(t)
	t.Run("goldilocks", func(t *testing.T) { fieldStays(t, smallprime.Goldilocks()) })
	t.Run("babybear", func(t *testing.T) { fieldStays(t, smallprime.BabyBear()) })
	t.Run("P1", func(t *testing.T) { fieldStays(t, gfpf.P1()) })
	t.Run("gf2", func(t *testing.T) {
		fieldStays(t, must(binary.New[uint64](64)))
		binaryStays[uint64](t, 64)
		binaryStays[binary.Number](t, 160)
	})
	t.Run("convolution", convolutionStays)
	t.Run("integers", integersStay)
	t.Run("work", workStays)
}

// collecting has each launch wait until all garbage is collected and all cleanups have run.
func collecting(t *testing.T) {
	var before func(string)
	before = device.Watch(func(kernel string) {
		if before != nil {
			before(kernel)
		}
		runtime.GC() // twice, as a sync.Pool keeps what it has for the first one
		runtime.GC()
		samples := []metrics.Sample{{Name: "/gc/cleanups/queued:cleanups"}, {Name: "/gc/cleanups/executed:cleanups"}}
		for {
			if metrics.Read(samples); samples[1].Value.Uint64() >= samples[0].Value.Uint64() {
				return
			}
			time.Sleep(10 * time.Microsecond)
		}
	})
	t.Cleanup(func() { device.Watch(before) })
}

// fieldStays has operations of a field that are the last use of all that they take.
func fieldStays[E any](t *testing.T, host field.Rooted[E]) {
	open := func() *DeviceField[E] { return opened(t, host, 0) }
	vectors := func(f *DeviceField[E]) (z, x, y field.Vec) {
		return must(f.NewVec(16)), must(f.NewVec(16)), must(f.NewVec(16))
	}
	plan := func() (p *fft.Plan[E], z, x, y field.Vec) {
		p = must(fft.NewPlan[E](open(), 16))
		return p, must(p.NewVec()), must(p.NewVec()), must(p.NewVec())
	}
	ctx := context.Background()
	for _, last := range []func() error{
		func() error { z, x, y := vectors(open()); return MulVec(z, x, y) },
		func() error { z, x, y := vectors(open()); return SubVec(z, x, y) },
		func() error { z, x, _ := vectors(open()); return allowed(ShiftVec(z, x, 3)) },
		func() error { z, x, _ := vectors(open()); return allowed(InvVec(z, x)) },
		func() error { z, x, _ := vectors(open()); return allowed(SquareVec(z, x)) },
		func() error { _, z, x, y := plan(); return MulVec(z, x, y) },
		func() error { p, z, x, y := plan(); return p.MulVec(z, x, y) },
		func() error { _, z, x, y := plan(); return InverseMulVec(ctx, z, x, y) },
		func() error { _, z, x, _ := plan(); return allowed(ResizeVec(z, x)) },
		func() error { p, z, _, _ := plan(); return p.ForwardVec(ctx, z) },
		func() error { p, z, _, _ := plan(); return p.InverseVec(ctx, z) },
		func() error { p, _, _, _ := plan(); x := make([]E, 16); return p.Forward(x, x) },
		func() error {
			p := must(fft.NewPlan[E](open(), 16, fft.WithBatch(fft.Batch{Count: 2, Columns: true})))
			x := make([]E, 32)
			return p.Forward(x, x)
		},
		func() error { return ranked(open()) },
	} {
		require.NoError(t, last())
	}
	b := open().b
	if b.Traits().Affine {
		return
	}
	rows := bulks.Rows{Blocks: 1, Half: 1, Width: 1, Stride: 1}
	v := must(b.Make(16))
	must(b.Table(v, bulks.Alone)).Pass(v.Slice(0, 2), bulks.Pass{}, rows)
	must(b.Table(v, bulks.Alone)).Scale(v.Slice(0, 2), 0, 2, 1, 1)
	b.Copy(must(b.Make(16)), must(b.Make(16)), bulks.Copy{Rows: 4, Width: 4, Dst: 4, Src: 4})
	b.VecMul(must(b.Make(16)), must(b.Make(16)), must(b.Make(16)))
	b.Reorder(must(b.Make(16)), 1, 0, 1)
	require.NoError(t, b.Wait(ctx, v))
}

// allowed is no error where a field has no such operation.
func allowed(err error) error {
	if errors.Is(err, field.ErrSpec) || errors.Is(err, field.ErrVec) {
		return nil
	}
	return err
}

// ranked transforms on two ranks, forth and back.
func ranked[E any](f *DeviceField[E]) error {
	ctx := context.Background()
	ends, err := dist.Local(2)
	if err != nil {
		return err
	}
	var opts []fft.Option
	if f.b.Traits().Affine {
		opts = append(opts, fft.WithCoefficients(fft.LCH))
	}
	return dist.Run(ends, func(g dist.Group) error {
		for _, inverse := range []bool{false, true} {
			p, err := dist.NewPlan(ctx, g, f, 1<<4, dist.Blocks{}, opts...)
			if err != nil {
				return err
			}
			v, err := p.NewVec()
			if err != nil {
				return err
			}
			run := p.ForwardVec
			if inverse {
				run = p.InverseVec
			}
			if err := run(ctx, v); err != nil {
				return err
			}
		}
		return nil
	})
}

// binaryStays has conversions between bases.
func binaryStays[E binary.Elements](t *testing.T, m int) {
	f := opened(t, must(binary.New[E](m)), 0)
	convert := func() (c *Conversion[E], z, x field.Vec) {
		return must(NewConversion(f, f)), must(f.NewVec(16)), must(f.NewVec(16))
	}
	c, z, x := convert()
	require.NoError(t, c.MapVec(z, x))
	c, z, x = convert()
	require.NoError(t, c.Inverse().MapVec(z, x))
}

func convolutionStays(t *testing.T) {
	ctx := context.Background()
	made := func() (c field.Convolution[uint32], z, x, y field.Vec) {
		c = must(opened(t, smallprime.Mersenne31(), 0).Convolution(64, false, field.Spec{MemoryLimit: 1 << 30}))
		return c, must(c.NewVec()), must(c.NewVec()), must(c.NewVec())
	}
	for _, last := range []func() error{
		func() error { c, z, x, y := made(); return c.MulVec(z, x, y) },
		func() error { _, z, x, y := made(); return InverseMulVec(ctx, z, x, y) },
		func() error { c, z, _, _ := made(); return c.ForwardVec(ctx, z) },
		func() error { c, z, _, _ := made(); return c.Load(z, make([]uint32, 64)) },
		func() error { c, z, _, _ := made(); return c.Store(make([]uint32, 64), z) },
		func() error {
			c, _, x, y := made()
			a := make([]uint32, 16)
			return c.(field.Multiplier[uint32]).Multiply(ctx, make([]uint32, 31), 0, a, a[:8], x, y)
		},
	} {
		require.NoError(t, last())
	}
}

func integersStay(t *testing.T) {
	const count = 3
	ctx := context.Background()
	for _, bits := range []int{64, 4096, 1 << 17} {
		made := func() (g *Integers, z, x, y field.Vec) {
			g = integersOn(t)
			n := count * bits / 32
			return g, must(g.NewVec(n)), must(g.NewVec(n)), must(g.NewVec(n))
		}
		words := func() []uint32 { return make([]uint32, count*bits/32) }
		product := [][4]int{{integersMul, 2, 0, 1}, {integersAdd, 3, 2, 0}}
		for _, last := range []func() error{
			func() error { g, z, x, y := made(); return g.ComputeVec(ctx, integersMul, z, x, y, bits) },
			func() error { g, z, x, _ := made(); return g.ComputeVec(ctx, integersMul, z, z, x, bits) },
			func() error { g, z, x, y := made(); return g.ComputeVec(ctx, integersAdd, z, x, y, bits) },
			func() error { g, z, x, y := made(); return g.ProgramVec(ctx, product, z, []field.Vec{x, y}, bits) },
			func() error { return integersOn(t).Compute(ctx, integersMul, words(), words(), words(), bits) },
			func() error { return integersOn(t).Compare(ctx, make([]int8, count), words(), words(), bits) },
			func() error { return integersOn(t).Program(ctx, product, words(), [][]uint32{words(), words()}, bits) },
		} {
			require.NoError(t, last())
		}
	}
}

// addition is a work that adds a vector of its own.
type addition struct {
	b  *words
	by bulks.View
}

func (a *addition) Start(_ context.Context, s *device.Stream, c device.Call) error {
	return a.b.do(s, adding, bulks.View{Buf: c.Memory, N: 16}, bulks.View{Buf: c.Memory, N: 16}, a.by, 0)
}

// workStays has a call that is no graph, as it is said to be long, be the last use of its work.
func workStays(t *testing.T) {
	b := opened(t, smallprime.Goldilocks(), 0).b.(*words)
	v := must(b.Make(16))
	work := &addition{b, must(b.Make(16))}
	require.NoError(t, b.d.Run(context.Background(), work, device.Call{Memory: memory(v), N: 2 << 20}))
	require.NoError(t, b.Wait(context.Background(), v))
}
