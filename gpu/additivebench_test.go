package gpu

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/binary"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/emulator"
	"github.com/galfft/fft/schemes"
	"github.com/stretchr/testify/require"
)

// BenchmarkAdditivePasses is the time of each pass of an additive transform, which stays on the device, and the layers
// of butterflies it does in a nanosecond for a vector: on a device that is no emulated one.
func BenchmarkAdditivePasses(b *testing.B) {
	emulator.Need(b)
	if emulator.Emulates() {
		b.Skip("times of the emulated device say nothing")
	}
	d := must(Open(0))
	defer func() { require.NoError(b, d.Close()) }()
	b.Run("32", func(b *testing.B) { benchAdditive[uint32](b, d, 32, 24, 26) })
	b.Run("64", func(b *testing.B) { benchAdditive[uint64](b, d, 64, 24, 26, 29) })
	b.Run("128", func(b *testing.B) { benchAdditive[[2]uint64](b, d, 128, 24) })
	b.Run("256", func(b *testing.B) { benchAdditive[[4]uint64](b, d, 256, 22) })
}

func benchAdditive[E binary.Elements](b *testing.B, d *Device, m int, logs ...int) {
	f := must(binary.New[E](m))
	g := must(Field(f, On(d)))
	for _, n := range logs {
		own := must(field.NewAffine(f, 1<<n))
		other := own
		other.Basis = slices.Clone(own.Basis)
		slices.Reverse(other.Basis)
		for _, c := range []struct {
			name string
			d    field.Affine[E]
		}{{"own", own}, {"any", other}} {
			var whole *additiveTransform
			_, err := schemes.BuildWhole[E](g, g.b, c.d, field.Spec{}, func(p *schemes.Points) (schemes.Whole, error) {
				t, err := newAdditiveTransform(g.b.(*additive), p, n, field.Monomial)
				whole = t
				return t, err
			})
			require.NoError(b, err)
			v := must(g.b.Make(1 << n))
			for k, direction := range []string{"forward", "inverse"} {
				b.Run(fmt.Sprintf("2^%d/%s/%s", n, c.name, direction), func(b *testing.B) {
					benchPass(b, whole, v, n, func() error { return whole.Run(b.Context(), v, field.Natural, k == 1) })
				})
			}
			for k, direction := range []string{"forward", "inverse"} {
				for i := range whole.basis.passes {
					b.Run(fmt.Sprintf("2^%d/%s/%s basis %d", n, c.name, direction, i), func(b *testing.B) {
						benchPass(b, whole, v, 0, func() error {
							return whole.basis.pass(g.b.(*additive).d.Stream(), v, &whole.basis.passes[i], k == 1)
						})
					})
				}
				for i := range len(whole.wides) + 1 {
					if c.name != "own" {
						break // factors are as many, and as wide
					}
					b.Run(fmt.Sprintf("2^%d/%s %d", n, direction, i), func(b *testing.B) {
						layers := whole.layers
						if i < len(whole.wides) {
							layers = whole.wides[i]
						}
						benchPass(b, whole, v, layers, func() error {
							return whole.pass(g.b.(*additive).d.Stream(), v, i, k == 1)
						})
					})
				}
			}
			require.NoError(b, g.b.(*additive).Release(v))
		}
	}
}

func benchPass(b *testing.B, t *additiveTransform, v bulks.View, layers int, pass func() error) {
	on, times := t.b, 20
	if t.n > 26 {
		times = 2
	}
	run := func() time.Duration {
		begin := time.Now()
		for range times {
			require.NoError(b, pass())
		}
		memory(v).Did(nil)
		require.NoError(b, on.Wait(b.Context(), v))
		return time.Since(begin) / time.Duration(times)
	}
	run()
	best := run()
	for b.Loop() {
		best = min(best, run())
	}
	b.ReportMetric(float64(best.Nanoseconds()), "ns/pass")
	if layers > 0 {
		b.ReportMetric(float64(v.N/2*layers)/float64(best.Nanoseconds()), "butterflies/ns")
	}
	b.ReportMetric(float64(2*v.N*on.size)/float64(best.Nanoseconds())/1e3, "TB/s")
	b.ReportMetric(0, "ns/op")
}
