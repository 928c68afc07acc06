package benchjson

import (
	"cmp"
	"slices"
)

// Sample is the mean time of Ops operations in a row.
type Sample struct {
	Ops int
	Ns  float64 // of one operation
}

// Samples are those of one operation, at least one.
type Samples []Sample

func (s Samples) sorted() Samples {
	return slices.SortedFunc(slices.Values(s), func(a, b Sample) int { return cmp.Compare(a.Ns, b.Ns) })
}

// Min is the least time of one operation in ns.
func (s Samples) Min() float64 { return s.sorted()[0].Ns }

// Median is the middle time of one operation in ns, the mean of the two in the middle where they are even.
func (s Samples) Median() float64 {
	t := s.sorted()
	return (t[len(t)/2].Ns + t[(len(t)-1)/2].Ns) / 2
}

// Spread is by how much the times of the middle half of the samples differ, in parts of the median; 0 of one sample.
func (s Samples) Spread() float64 {
	t := s.sorted()
	return (t[(3*len(t)-1)/4].Ns - t[len(t)/4].Ns) / s.Median()
}
