package bulks

// Rings is a table that multiplies what layers leave before the last ones: rows that are polynomials modulo X^n − c.
type Rings interface {
	// Ring is n, the elements of a row; 0: there are no such products.
	Ring() int
	// MulRings sets the rows of x, an even number of them, to n times their products with those of y, which is what the
	// layers that are left out would do: pair i modulo X^n − w and X^n + w, w being multiplier off+i. y may be x. Wide
	// to narrow.
	MulRings(x, y View, off int)
}
