package gpu

import (
	"context"
	"fmt"
	"os"
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

// sweep prints times of transforms of count times 2^n elements: forward and inverse, bit-reversed, and forward, natural.
func sweep[E any](b *testing.B, f field.Rooted[E], n, count, from, to int) {
	g, err := Field(f)
	if err != nil {
		b.Skip(err)
	}
	for tile := from; tile <= to; tile++ {
		wantTile = tile
		t := planOf(b, g, n)
		v, err := g.b.Make(count << n)
		if err != nil {
			b.Fatal(err)
		}
		time := func(o field.Order, inverse bool) float64 {
			return measured(b, t.b.d, func() error { return t.Run(context.Background(), v, o, inverse) })
		}
		fmt.Printf("%s 2^%d x %d tile %d: %.4f %.4f natural %.4f ms, %v\n", g.Name(), n, count, tile,
			time(field.BitReversed, false), time(field.BitReversed, true), time(field.Natural, false), t.passes)
		g.b.Release(v)
		t.tables[0].release()
		t.tables[1].release()
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

// BenchmarkTiles prints the time of transforms for each size of tiles. GALFFT_TILES="p62 24 1 10 12" has one field,
// length and count, and the sizes from the first to the last; all by default.
func BenchmarkTiles(b *testing.B) {
	emulator.Need(b)
	all := []struct {
		name string
		logs []int
	}{{"goldilocks", []int{12, 16, 20, 22, 24}}, {"p62", []int{16, 22, 24}}, {"p64", []int{20}},
		{"babybear", []int{16, 20, 22, 24}}, {"p30", []int{24}}}
	var name string
	var n, count, from, to int
	if k, _ := fmt.Sscan(os.Getenv("GALFFT_TILES"), &name, &n, &count, &from, &to); k == 5 {
		tiles(b, name, n, count, from, to)
		return
	}
	for _, f := range all {
		for _, n := range f.logs {
			tiles(b, f.name, n, 1, 9, maxTile)
		}
	}
	tiles(b, "p62", 12, 4096, 9, maxTile)
}

func tiles(b *testing.B, name string, n, count, from, to int) {
	switch name {
	case "goldilocks":
		sweep(b, smallprime.Goldilocks(), n, count, from, to)
	case "p62":
		sweep(b, smallprime.P62(), n, count, from, to)
	case "p64":
		sweep(b, smallprime.P64(), n, count, from, to)
	case "babybear":
		sweep(b, smallprime.BabyBear(), n, count, from, to)
	case "p30":
		sweep(b, smallprime.P30(), n, count, from, to)
	}
}
