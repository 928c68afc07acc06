package engine

import (
	"bytes"
	"context"
	"encoding/binary"

	"github.com/galfft/fft/field/bulks"
)

// Header is a scheme of an affine domain whose forward transforms take less where polynomials end in zeros. They read
// the first Head coefficients of a [Call] then, and write all values.
type Header interface {
	// Least is the shortest head of the columns of rows of width elements, a power of two up to N; N: there is none.
	Least(width int) int
}

// Head returns the head of polynomials of n rows of v, a vector of f: the least of n, n/2, … that is at least least and
// behind which all bytes are 0, which are elements that are. It looks at what it leaves out, and at little else, until
// ctx ends; where it cannot look the head is all.
func Head(ctx context.Context, f bulks.Bulk, v View, n, least int) int {
	if least == n {
		return n
	}
	b, ok := f.Memory(v)
	if !ok || len(b)%n != 0 {
		return n
	}
	row := len(b) / n
	for n > least && n%2 == 0 && zero(ctx, b[n/2*row:n*row]) {
		n /= 2
	}
	return n
}

// zero reports whether all bytes are 0.
func zero(ctx context.Context, b []byte) bool {
	const word, most = 8, 1 << 20 // bytes between two looks at ctx
	if len(b) < word {
		return len(bytes.Trim(b, "\x00")) == 0
	}
	if binary.NativeEndian.Uint64(b) != 0 {
		return false
	}
	for len(b) > word { // the first word is 0: is each byte the one a word before it?
		n := min(len(b)-word, most)
		if ctx.Err() != nil || !bytes.Equal(b[:n], b[word:word+n]) {
			return false
		}
		b = b[n:]
	}
	return true
}

// head sets that of a forward call, before its first phase.
func (t *transform) head(ctx context.Context, c *Call, f bulks.Bulk, v View, inverse bool) {
	c.Head = 0
	if !inverse && t.least > 0 {
		c.Head = Head(ctx, f, v, t.n, t.least)
	}
}
