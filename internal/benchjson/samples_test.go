package benchjson

import (
	"slices"
	"testing"
)

func TestSamples(t *testing.T) {
	for _, c := range []struct {
		ns             []float64
		median, spread float64
	}{{[]float64{7}, 7, 0}, {[]float64{3, 1, 2}, 2, 1}, {[]float64{4, 1, 2, 3}, 2.5, 0.4},
		{[]float64{4, 13, 5, 7, 1, 90, 0, 13}, 6, 1.5}} {
		var s Samples
		for _, x := range c.ns {
			s = append(s, Sample{Ops: 1, Ns: x})
		}
		if s.Min() != slices.Min(c.ns) || s.Median() != c.median || s.Spread() != c.spread {
			t.Errorf("%v: least %v, median %v, spread %v, want %v, %v, %v", c.ns, s.Min(), s.Median(), s.Spread(),
				slices.Min(c.ns), c.median, c.spread)
		}
		if s[0].Ns != c.ns[0] {
			t.Errorf("%v was sorted", c.ns)
		}
	}
}
