package choice

import (
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
)

// Wrapped reports whether a batch is more than its one transform.
func Wrapped(b field.Batch) bool { return b.Count > 1 || b.Columns && b.Stride > 1 }

// Workers divides the workers: a batch of at least as many steps runs one step in each task, a smaller one its steps
// one after the other, each transform in parallel. Columns are taken line at a time, or all beside each other: then
// the workers share all steps.
func Workers(s field.Spec, b field.Batch, line int, beside bool) (inner, outer field.Spec) {
	inner, outer = s, s
	if !Wrapped(b) {
		return inner, outer
	}
	steps := b.Count
	if b.Columns {
		steps = (b.Count + line - 1) / line
	}
	inner.Progress = nil
	if beside || steps >= s.Workers {
		inner.Workers = 1
	} else {
		outer.Workers = 1
	}
	return inner, outer
}

// Groups is how a batch goes: in Steps of Group transforms. By columns they are taken side by side, on rows of as many
// elements, or Gathered, each as a vector; fewer than Least columns, left over in the last step, are gathered.
type Groups struct {
	Steps, Group, Least int
	Gathered            bool
}

// OfBatch chooses for a batch of transforms of n points, of elements of so many bytes, shared by so many tasks. columns
// says that the scheme takes columns side by side, and now that it takes vectors one after the other at once.
func OfBatch(t bulks.Traits, bytes, n int, b field.Batch, tasks int, columns, now bool) (g Groups) {
	const cache = 1 << 12 // elements that a step takes, at most, where it takes several transforms
	switch {
	case b.Columns && columns:
		g = SideBySide(t, bytes, n, b.Count, tasks)
	case b.Columns:
		g = Groups{Group: min(Line(t, bytes), b.Count), Gathered: true}
	case now && b.Stride == n:
		g.Group = max(1, min(cache/n, b.Count/tasks))
	default:
		g.Group = 1
	}
	const looks = 4 // no more than so many times the work between two of them
	for g.Group > max(1, t.Columns) && float64(g.Group*n*log(n))/2*t.Butterfly > looks*look {
		g.Group /= 2
	}
	g.Least = min(g.Least, g.Group)
	g.Steps = (b.Count + g.Group - 1) / g.Group
	return g
}

// Beside reports whether all columns of a batch are transformed at once, where they stand, as rows that touch: no copy
// is needed, whatever the distance between the elements of a column. Such a transform leaves memory as often as one of
// all elements; in natural order rows change places besides, which pays where they are long and the copies of others
// leave the cache.
func Beside(t bulks.Traits, bytes, n int, b field.Batch, s field.Spec) bool {
	const (
		long = 1 << 9  // bytes of a row
		big  = 1 << 22 // bytes of a batch
	)
	if !b.Columns || b.Stride != b.Count || b.Count < Line(t, bytes) || !t.InPlace || t.Affine || !HighRadix(t) ||
		n < 2 || n&(n-1) != 0 || s.Algorithm != field.Auto && s.Algorithm != field.DepthFirst {
		return false
	}
	return s.Order != field.Natural || b.Count*bytes >= long && n*b.Count*bytes >= big
}

// Line is how many columns a step takes at least: their elements in one row fill a line of cache, and a vector of the
// processor.
func Line(t bulks.Traits, bytes int) int {
	const least, line = 8, 64 // a tile; bytes
	if HighRadix(t) {
		return max(least, line/max(1, bytes))
	}
	return least
}

// SideBySide chooses groups for count columns of n points, of elements of so many bytes, shared by so many tasks. bench
// columns has the times.
func SideBySide(t bulks.Traits, bytes, n, count, tasks int) Groups {
	const (
		elements = 1 << 15 // of a step, with element methods and on tiles
		second   = 1 << 19 // bytes of a step of words
		most     = 1 << 20 // bytes above which passes over columns leave the second-level cache: copies take less
	)
	line := Line(t, bytes)
	s, limit, wide := Groups{Group: min(line, count)}, elements, 8*line
	if HighRadix(t) {
		s.Least = line
		if count < line || line*n*bytes > most {
			s.Gathered = true
			return s
		}
		limit, wide = second/bytes, 4*line
	}
	for 2*s.Group*n <= limit && s.Group < wide && 2*s.Group*tasks <= count {
		s.Group *= 2
	}
	return s
}
