package gpu

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/gpu/internal/driver"
	"github.com/galfft/fft/internal/emulator"
	"github.com/galfft/fft/schemes"
)

// measured is the median time of a call, in milliseconds, of groups of calls between two events.
func measured(t testing.TB, d *Device, call func() error) float64 {
	start, err := d.d.NewEvent()
	if err != nil {
		t.Fatal(err)
	}
	end, err := d.d.NewEvent()
	if err != nil {
		t.Fatal(err)
	}
	group := func(calls int) float64 {
		err := start.Record(d.stream)
		for range calls {
			if err == nil {
				err = call()
			}
		}
		if err == nil {
			err = end.Record(d.stream)
		}
		if err == nil {
			err = end.Wait()
		}
		ms, e := driver.Milliseconds(start, end)
		if err != nil || e != nil {
			t.Fatal(err, e)
		}
		return ms / float64(calls)
	}
	calls := max(3, min(200, int(5/group(3))))
	var all []float64
	for range 7 {
		all = append(all, group(calls))
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// sweep prints times of transforms of count times 2^n elements, for tiles of all sizes.
func sweep[E any](b *testing.B, f field.Rooted[E], logs []int, count int) {
	g, err := Field(f)
	if err != nil {
		b.Skip(err)
	}
	d := g.b.(*words).d
	for _, n := range logs {
		for tile := 9; tile <= maxTile; tile++ {
			wantTile = tile
			line := fmt.Sprintf("%s 2^%d x %d tile %d:", g.Name(), n, count, tile)
			t := planOf(b, g, n)
			v, err := g.b.Make(count << n)
			if err != nil {
				b.Fatal(err)
			}
			for _, inverse := range []bool{false, true} {
				ms := measured(b, d, func() error { return t.Run(context.Background(), v, field.BitReversed, inverse) })
				line += fmt.Sprintf(" %.4f", ms)
			}
			ms := measured(b, d, func() error { return t.Run(context.Background(), v, field.Natural, false) })
			line += fmt.Sprintf(" natural %.4f ms, %v", ms, t.passes)
			fmt.Println(line)
			g.b.Release(v)
			t.tables[0].release()
			t.tables[1].release()
		}
	}
}

func planOf[E any](b *testing.B, g *DeviceField[E], n int) (t *wordTransform) {
	d, err := field.Cyclic[E](g, 1<<n)
	if err != nil {
		b.Fatal(err)
	}
	_, err = schemes.BuildWhole[E](g, g.b, d, field.Spec{}, func(p *schemes.Points) (schemes.Whole, error) {
		var err error
		t, err = newWordTransform(g.b.(*words), p, n)
		return t, err
	})
	if err != nil {
		b.Fatal(err)
	}
	return t
}

func BenchmarkTiles(b *testing.B) {
	emulator.Need(b)
	sweep[uint64](b, smallprime.Goldilocks(), []int{12, 16, 20, 22, 24}, 1)
	sweep[uint64](b, smallprime.P62(), []int{16, 22, 24}, 1)
	sweep[uint64](b, smallprime.P62(), []int{12}, 4096)
	sweep[uint64](b, smallprime.P64(), []int{20}, 1)
	sweep[uint32](b, smallprime.BabyBear(), []int{16, 20, 22, 24}, 1)
	sweep[uint32](b, smallprime.P30(), []int{24}, 1)
}
