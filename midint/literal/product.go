package literal

// accumulator is a column of a product: two words and a carry, which is enough for 2^32 products.
type accumulator[W Word] struct {
	low, high W
	carry     uint32
}

// add adds a·b. The high word of a product and the carry of the low one are below 2^w together, so that at most one
// carry leaves.
func (x *accumulator[W]) add(a, b W) {
	high, low := product(a, b)
	before := x.high
	x.low += low
	if x.low < low {
		high++
	}
	if x.high += high; x.high < before {
		x.carry++
	}
}

// convolution is columns k, …, k + q − 1 of a·b: first the products with a[0], …, a[k], q for each, and then the
// triangle of those that are left. seen gets each pair; nil is nobody.
func convolution[W Word](a, b []W, k, q int, seen func(i, j int)) []accumulator[W] {
	columns := make([]accumulator[W], q)
	add := func(c, i, j int) {
		columns[c].add(a[i], b[j])
		if seen != nil {
			seen(i, j)
		}
	}
	for i := 0; i <= k; i++ {
		for c := range q {
			add(c, i, k-i+c)
		}
	}
	for d := 1; d < q; d++ {
		for j := 0; j < q-d; j++ {
			add(j+d, k+d, j)
		}
	}
	return columns
}

// combine is the words of q columns, and two for what is above them.
func combine[W Word](columns []accumulator[W]) []W {
	q := len(columns)
	out := make([]W, q+2)
	out[0] = columns[0].low
	high, carry := columns[0].high, columns[0].carry
	for i := 1; i < q; i++ {
		x := columns[i]
		out[i] = x.low + high
		if out[i] < x.low {
			carry++
		}
		high = x.high + W(carry)
		carry = x.carry
		if high < x.high {
			carry++
		}
	}
	out[q], out[q+1] = high, W(carry)
	return out
}

// runs are the first columns of the two runs of a thread, of t·2q threads' m columns: one from below and one from
// above, so that all threads have the same number of products.
func runs(t, q, m int) (lower, upper int) { return q * t, m - q*(t+1) }

// publish puts the words of a run into the two summands: the columns' own where they are, and the two above them into
// the run that follows. Those above the highest run are dropped.
func publish[W Word](low, high, words []W, k, q, m int) {
	copy(low[k:k+q], words[:q])
	if k+q < m {
		copy(high[k+q:k+q+2], words[q:])
	}
	if k == 0 {
		clear(high[:2])
	}
	clear(high[k+2 : k+q])
}

// Mul sets the integers of z to the low M words of those of a·b: the paper's 1-Mul, by all products of words. A thread
// has two runs of Q words each. z may be a or b.
func Mul[W Word](z, a, b []W, s Shape) error {
	if err := s.check(2, len(z), len(a), len(b)); err != nil {
		return err
	}
	grid(z, a, b, s, 2*s.Q, func(of block[W], x, y []W) []W { return of.product(x, y, s.Q) })
	return nil
}

// Poly sets the integers of z to those of (a·a + b)·(b·b + b) + a·b modulo 2^n, by four products as those of Mul and
// three sums in one kernel: the paper's Poly. z may be a or b. Errors are those of Mul.
func Poly[W Word](z, a, b []W, s Shape) error {
	if err := s.check(2, len(z), len(a), len(b)); err != nil {
		return err
	}
	grid(z, a, b, s, 2*s.Q, func(of block[W], x, y []W) []W {
		first := of.add(of.product(x, x, s.Q), y, false)
		second := of.add(of.product(y, y, s.Q), y, false)
		return of.add(of.product(first, second, s.Q), of.product(x, y, s.Q), false)
	})
	return nil
}

// product is x·y in registers, by two runs of q words a thread.
func (b block[W]) product(x, y []W, q int) []W {
	low, high := make([]W, len(x)), make([]W, len(x))
	m, each := b.lifted, b.lifted/(2*q) // words and threads of an integer
	for t := range b.threads {
		from := t / each * m
		to := from + m
		lower, upper := runs(t%each, q, m)
		for _, k := range []int{lower, upper} {
			words := combine(convolution(x[from:to], y[from:to], k, q, nil))
			publish(low[from:to], high[from:to], words, k, q, m)
		}
	}
	return b.add(low, high, false)
}

// Tiled is Mul by a grid of tiles of Q times Q products: the paper's example of how not to do it, whose threads add
// to columns that they share, here with carries. Q may be 1.
func Tiled[W Word](z, a, b []W, s Shape) error {
	if err := s.check(1, len(z), len(a), len(b)); err != nil {
		return err
	}
	grid(z, a, b, s, s.Q, func(of block[W], x, y []W) []W {
		out := make([]W, len(x))
		for from := 0; from < len(x); from += of.lifted {
			tiled(out[from:from+of.lifted], x[from:], y[from:], s.Q)
		}
		return out
	})
	return nil
}

// tiled is one integer. A tile sums its columns in shared memory first, and adds them to those of all tiles then.
func tiled[W Word](z, a, b []W, q int) {
	m := len(z)
	columns := make([][3]W, m+2)
	for i := 0; i < m; i += q {
		for j := 0; i+j < m; j += q {
			shared := make([]accumulator[W], 2*q-1)
			for r := range q {
				for c := range q {
					shared[r+c].add(a[i+r], b[j+c])
				}
			}
			for c, x := range shared {
				if i+j+c < m {
					addWords(columns[i+j+c][:], x.low, x.high, W(x.carry))
				}
			}
		}
	}
	carry := make([]W, 3) // of the columns below
	for i := range z {
		addWords(carry, columns[i][0], columns[i][1], columns[i][2])
		z[i] = carry[0]
		carry[0], carry[1], carry[2] = carry[1], carry[2], 0
	}
}

// addWords adds three words to x.
func addWords[W Word](x []W, words ...W) {
	var carry W
	for i, w := range words {
		s := x[i] + w
		out := W(0)
		if s < w {
			out = 1
		}
		if s += carry; s < carry {
			out = 1
		}
		x[i], carry = s, out
	}
}
