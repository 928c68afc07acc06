package gpu

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/galfft/fft/internal/device"
)

// multiplier is a kind of products over binary fields.
type multiplier string

// Multipliers, by the names that Explain has.
const (
	sliced      multiplier = "sliced"       // a bit of 32 elements in a word
	slicedTower multiplier = "sliced tower" // the same in the tower
	holes       multiplier = "holes"        // integers with holes, modulo one polynomial
	whole       multiplier = "whole"        // the same for any exponents, a thread for an element
	groups      multiplier = "groups"       // and for any modulus, by several threads
	bitwise     multiplier = "bitwise"      // and reduced bit by bit
	mapped      multiplier = "mapped"       // whole, by way of the default basis
)

// way is a multiplier with its kernel, and what it does in 10^9 products a second.
type way struct {
	by   multiplier
	f    *device.Function
	rate float64 // 0 where nobody has measured it
}

// rates are of devices from a compute capability on: of multipliers, by the bits of elements that fill their words, in
// 10^9 products a second. They are lines of BenchmarkGF2, of which a test compares them with a raw file.
type rates struct {
	major, minor int
	g            map[multiplier]map[int]float64
}

// measuredRates is the table of devices, later ones first. Older ones than the last, which nobody has measured, have
// its rates.
var measuredRates = []rates{
	{9, 0, map[multiplier]map[int]float64{ // NVIDIA H100 80GB HBM3
		sliced:      {32: 234.65, 64: 99.67},
		slicedTower: {8: 849.48, 16: 438.57, 32: 234.14, 64: 95.95},
		holes:       {128: 36.19, 256: 12.50},
		whole:       {32: 206.03, 64: 87.65, 96: 47.37, 128: 34.87, 160: 23.97, 192: 18.68, 224: 14.56, 256: 12.39},
		mapped:      {8: 203.37, 16: 160.41, 32: 111.96, 64: 44.11, 128: 11.18},
		groups: {8: 76.95, 16: 76.98, 32: 74.85, 64: 40.99, 128: 17.52, 256: 6.35, 384: 3.33, 512: 2.01,
			1024: 0.56, 2048: 0.15},
		bitwise: {8: 63.79, 16: 36.99, 32: 13.85, 64: 5.45, 128: 1.62},
	}},
}

// rateOf is that of the least measured number of bits that m bits fit in, 0 for none.
func (r *rates) rateOf(by multiplier, m int) float64 {
	least := 0
	for bits := range r.g[by] {
		if bits >= m && (least == 0 || bits < least) {
			least = bits
		}
	}
	return r.g[by][least]
}

// ratesOf chooses the row of a device.
func ratesOf(major, minor int) *rates {
	for i := range measuredRates {
		if r := &measuredRates[i]; cmp.Or(cmp.Compare(major, r.major), cmp.Compare(minor, r.minor)) >= 0 {
			return r
		}
	}
	return &measuredRates[len(measuredRates)-1]
}

// setWays lists the ways of products, the fastest first.
func (b *gf2) setWays(r *rates) {
	b.ways = nil
	add := func(by multiplier, module, name string) {
		b.ways = append(b.ways, way{by, b.d.Function(module, name, 0), r.rateOf(by, b.m)})
	}
	if b.straight.kernel != "" {
		add(b.straight.by, "gf2", b.straight.kernel)
	}
	if b.whole {
		add(whole, "gf2", fmt.Sprint("gf2_whole_product_", (b.m+31)/32))
	}
	if b.standard != nil {
		add(mapped, "gf2maps", fmt.Sprint("gf2_way_", 8*b.size))
	}
	if b.modulus != nil {
		by := groups
		if b.dense != nil {
			by = bitwise
		}
		add(by, "gf2", fmt.Sprint("gf2_product_", groupWords(b.m)))
	}
	slices.SortStableFunc(b.ways, func(v, w way) int { return cmp.Compare(w.rate, v.rate) })
}

// String is the multiplier with its rate.
func (w way) String() string {
	if w.rate == 0 {
		return string(w.by) + " (not measured)"
	}
	return fmt.Sprintf("%s (%.3g G/s)", w.by, w.rate)
}

// Explain says how products over a binary field on a device go, and how else they could: the multiplier that was
// measured to be the fastest on such a device comes first. Rates are of long vectors, in 10^9 products a second, for as
// many bits as fill the words of an element. It is empty for other fields.
func (f *DeviceField[E]) Explain() string {
	if f.Check() != nil {
		return ""
	}
	b, ok := f.v.(*gf2)
	if !ok {
		return ""
	}
	var all []string
	for _, w := range b.ways {
		all = append(all, w.String())
	}
	s := fmt.Sprintf("products of %s on %s: %s", f.Name(), b.d.Info().Name, all[0])
	if len(all) > 1 {
		s += "; else " + strings.Join(all[1:], ", ")
	}
	return s
}
