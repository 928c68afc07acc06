package plot

import (
	"errors"
	"fmt"
	"math"

	"github.com/galfft/fft/internal/benchjson"
	"github.com/galfft/fft/internal/svg"
)

// wordBytes is the size of the words that products are counted in, of 64 bits.
const wordBytes = 8

// roofline draws what transforms reach, in products of words a nanosecond, over the products that there are for each
// byte of a vector read once and written once. A butterfly over b bits counts (b/64)², the least that the product of
// two elements takes by the definition, and nothing for its reduction. The roof is what the machine's memory brings, or
// its multiplier does, whichever is less.
func roofline(all []Line, bits func(field string) (int, error)) (Picture, error) {
	lines, err := of(all, "transforms of two points or more on a processor", func(l *Line) bool {
		return isTransform(l) && l.Backend != "gpu"
	})
	if err != nil {
		return nil, err
	}
	for _, l := range lines {
		if l.Workers != lines[0].Workers || l.Tier != lines[0].Tier {
			return nil, fmt.Errorf("plot: %s has %d workers, tier %s, and %s %d, %s: a roofline is of one choice", l.at,
				l.Workers, l.Tier, lines[0].at, lines[0].Workers, lines[0].Tier)
		}
	}
	memory, multiplier, err := roofs(all, &lines[0])
	if err != nil {
		return nil, err
	}
	sizes := map[string]int{}
	for _, l := range lines {
		if sizes[l.Field] > 0 {
			continue
		}
		if sizes[l.Field], err = bits(l.Field); err != nil {
			return nil, fmt.Errorf("plot: %s: %w", l.at, err)
		}
	}
	name, common := names(lines, "n", "peer")
	c := svg.Chart{Title: "Roofline", X: "products for each byte of a vector, read once and written once", Foot: foot(lines),
		Y: with("products of words of 64 bits a ns; a butterfly over b bits is (b/64)²", common)}
	c = chart(c, lines, name, func(l *Line) svg.Point {
		b := sizes[l.Field]
		products := l.butterflies() * math.Pow(float64(b)/64, 2)
		bytes := 2 * elementBytes(b) * float64(l.N) * float64(l.Batch)
		return svg.Point{N: products / bytes, Value: products / l.NsMin}
	})
	least, most := math.Inf(1), 0.0
	for _, l := range c.Lines {
		least, most = min(least, l.Points[0].N), max(most, l.Points[len(l.Points)-1].N)
	}
	roof := svg.Line{Name: fmt.Sprintf("roof: %.3g GB/s, %.3g products a ns", memory, multiplier), Dashed: true}
	for _, x := range []float64{least, max(least, min(multiplier/memory, most)), most} {
		roof.Points = append(roof.Points, svg.Point{N: x, Value: min(memory*x, multiplier)})
	}
	c.Lines = append(c.Lines, roof)
	return c, nil
}

// elementBytes is what an element of that many bits takes: four bytes, or words.
func elementBytes(bits int) float64 {
	if bits <= 32 {
		return 4
	}
	return wordBytes * math.Ceil(float64(bits)/64)
}

// roofs is what the machine does with as many workers as l has: bytes and products of words a nanosecond. Of copies
// the longest vector counts, which fits no cache.
func roofs(all []Line, l *Line) (memory, multiplier float64, err error) {
	longest := 0
	for _, m := range all {
		if m.Field != benchjson.Machine || m.Backend == "gpu" || m.Workers != l.Workers || m.Tier != l.Tier {
			continue
		}
		switch rate := 1 / m.NsMin; {
		case m.Op == benchjson.Multiply:
			multiplier = max(multiplier, rate*math.Pow(float64(m.N)/64, 2))
		case m.Op == benchjson.Copy && m.N >= longest:
			longest, memory = m.N, 2*wordBytes*rate
		}
	}
	if memory == 0 || multiplier == 0 {
		return 0, 0, errors.New("plot: no line tells what the machine does, want those of galfft bench --machine with the " +
			"same --workers and --tier")
	}
	return memory, multiplier, nil
}
