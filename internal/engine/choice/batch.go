package choice

import "github.com/galfft/fft/field"

// Side is how a batch by columns goes: Group columns in a step, side by side on rows of as many elements, or Gathered,
// each as a vector. Fewer than Least columns, left over in the last step, are gathered.
type Side struct {
	Group, Least int
	Gathered     bool
}

// Line is how many columns a step takes at least: their elements in one row fill a line of cache, and a vector of the
// processor.
func Line(t field.Traits, bytes int) int {
	const least, line = 8, 64 // a tile; bytes
	if HighRadix(t) {
		return max(least, line/max(1, bytes))
	}
	return least
}

// SideBySide chooses for count columns of n points, of elements of so many bytes, shared by so many tasks. bench
// columns has the times.
func SideBySide(t field.Traits, bytes, n, count, tasks int) Side {
	const (
		elements = 1 << 15 // of a step, with element methods and on tiles
		second   = 1 << 19 // bytes of a step of words
		most     = 1 << 20 // bytes above which passes over columns leave the second-level cache: copies take less
	)
	line := Line(t, bytes)
	s, limit, wide := Side{Group: min(line, count)}, elements, 8*line
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
