package literal

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/galfft/fft/field"
)

// FFT has the paper's transforms modulo a prime and what they multiply. A block of M/Q threads has one integer, or one
// vector, of M values. It is safe for concurrent use.
type FFT[W Word] struct {
	field            Field[W]
	m, q             int
	powers, inverses []W
	inverse          W // 1/M
}

// maxThreads is the most threads of a block.
const maxThreads = 1024

// NewFFT returns transforms of m points over a field, with q points a thread. m is a power of two, q is one from 2 to
// 16, and m/q is from 1 to 1024, or the error is field.ErrSpec. A field without a root of that order is
// field.ErrNoRoot.
func NewFFT[W Word](f Field[W], m, q int) (*FFT[W], error) {
	if m < 1 || bits.OnesCount(uint(m)) != 1 || q < 2 || q > maxQ || bits.OnesCount(uint(q)) != 1 || m < q ||
		m/q > maxThreads {
		return nil, fmt.Errorf("literal: %w: %d points, %d of a thread, want powers of two, from 2 to %d of a thread, and "+
			"at most %d threads", field.ErrSpec, m, q, maxQ, maxThreads)
	}
	t := &FFT[W]{field: f, m: m, q: q}
	var err error
	t.powers, t.inverses, t.inverse, err = f.Roots(m)
	if err != nil {
		return nil, err
	}
	return t, nil
}

// vectors is what is wrong with slices that are to have one length, a multiple of M, and values below the prime.
func (t *FFT[W]) vectors(result []W, operands ...[]W) error {
	if t == nil || t.m == 0 {
		return fmt.Errorf("literal: %w: transforms that are nil or the zero value", field.ErrSpec)
	}
	for _, x := range operands {
		if len(x) != len(result) || len(x)%t.m != 0 {
			return fmt.Errorf("literal: %w: vectors of %d and %d values, want one multiple of %d", field.ErrLength,
				len(result), len(x), t.m)
		}
		if i := slices.IndexFunc(x, func(v W) bool { return v >= t.field.P }); i >= 0 {
			return fmt.Errorf("literal: %w: value %d, want all below %d", field.ErrRange, i, t.field.P)
		}
	}
	return nil
}

// Forward transforms each M values of x in place, in natural order before and after: Σ x_i·ω^(ij) for the root ω of
// order M that Field.Roots has.
func (t *FFT[W]) Forward(x []W) error {
	if err := t.vectors(x, x); err != nil {
		return err
	}
	for v := range slices.Chunk(x, t.m) {
		t.transform(v, t.powers)
	}
	return nil
}

// Inverse is the inverse of Forward, in place.
func (t *FFT[W]) Inverse(x []W) error {
	if err := t.vectors(x, x); err != nil {
		return err
	}
	for v := range slices.Chunk(x, t.m) {
		t.back(v)
	}
	return nil
}

// CyclicModP sets each M values of z to Σ a_i·b_j modulo the prime, for i + j = k modulo M. That is not a product of
// integers: values wrap at the prime, and indices at M. z may be a or b.
func (t *FFT[W]) CyclicModP(z, a, b []W) error {
	if err := t.vectors(z, a, b); err != nil {
		return err
	}
	x, y := make([]W, t.m), make([]W, t.m)
	for from := 0; from < len(z); from += t.m {
		copy(x, a[from:])
		copy(y, b[from:])
		t.cyclic(x, y)
		copy(z[from:from+t.m], x)
	}
	return nil
}

// cyclic sets x to the cyclic convolution of x and y, and y to its transform.
func (t *FFT[W]) cyclic(x, y []W) {
	t.transform(x, t.powers)
	t.transform(y, t.powers)
	for i := range x {
		x[i] = t.field.Mul(x[i], y[i])
	}
	t.back(x)
}

// back is the inverse of a transform.
func (t *FFT[W]) back(x []W) {
	t.transform(x, t.inverses)
	for i := range x {
		x[i] = t.field.Mul(x[i], t.inverse)
	}
}

// transform is Cooley and Tukey's by layers of two, behind a permutation to bit-reversed order; the end of each loop
// over threads is a barrier.
func (t *FFT[W]) transform(x, roots []W) {
	permute(x)
	threads := t.m / t.q
	for layer := 1; 1<<layer <= t.m; layer++ {
		half, step := 1<<(layer-1), t.m>>layer
		for v := range t.q / 2 {
			for thread := range threads {
				at := thread + v*threads
				j := at & (half - 1)
				i := at>>(layer-1)<<layer + j
				tau := t.field.Mul(roots[step*j], x[i+half])
				x[i], x[i+half] = t.field.Add(x[i], tau), t.field.Sub(x[i], tau)
			}
		}
	}
}

// permute swaps each value with that at the reversed index.
func permute[W Word](x []W) {
	shift := bits.UintSize - bits.Len(uint(len(x))) + 1
	for i := range x {
		if j := int(bits.Reverse(uint(i)) >> shift); j > i {
			x[i], x[j] = x[j], x[i]
		}
	}
}
