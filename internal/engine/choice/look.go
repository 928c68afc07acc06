package choice

import "github.com/galfft/fft/field/bulks"

// look is about how many nanoseconds of work there are between two looks at a context. Times of a butterfly are rough:
// they may be a third of what it takes.
const look = 1e6

// late reports whether count transforms of n points are too much for a step: several times the work between two looks.
func late(t bulks.Traits, count, n int) bool {
	const looks = 4
	return float64(count*n*log(n))/2*t.Butterfly > looks*look
}

// Between is how many elements, of so many ns each, are worked on between two looks at a context: whole chunks, at
// least one, and at most most elements.
func Between(ns float64, chunk, most int) int {
	return max(1, int(min(float64(most), look/ns))/chunk) * chunk
}

// Look is the most columns that a pass which leaves top parts takes between two looks, up to width: a power of two
// where that is one.
func (p *Passes) Look(top, width int) int {
	for width > 1 && float64(width*top*log(top))/2*p.butterfly > look {
		width = (width + 1) / 2
	}
	return width
}
