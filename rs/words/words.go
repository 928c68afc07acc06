package words

import (
	"context"
	"fmt"
	"slices"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/poly"
	"github.com/galfft/fft/rs"
)

// Code is a code whose symbols are elements of a field with roots of unity, as proofs have it: symbol i of a word of
// n is the value at shift·w^i of a polynomial of degree below k, w the field's RootOfUnity(n). Symbols i·n/k are the
// data. So the values that poly.LDE makes of k others are a word. A code is immutable and safe for concurrent use.
type Code[E any] struct {
	field     field.Field[E]
	n         int
	data, all *fft.Plan[E] // of k points and of n
	ring      *poly.Ring[E]
	roots     []E // the points
}

// New returns the code of words of n symbols with k of data over f, where n is a multiple of k, or the error is
// rs.ErrCounts. The options go to all plans; order and coset are set here. Errors are field.ErrSpec where shift is nil
// or the field has subspaces of its own in place of roots, and those of fft.NewPlan.
func New[E any](f field.Field[E], k, n int, shift *E, opts ...fft.Option) (*Code[E], error) {
	if k < 1 || n < k || n%k != 0 {
		return nil, fmt.Errorf("words: %w: %d of data in a word of %d, want a divisor", rs.ErrCounts, k, n)
	}
	if shift == nil {
		return nil, fmt.Errorf("words: %w: shift nil, want an element", field.ErrSpec)
	}
	ring, err := poly.New(f, opts...)
	if err != nil {
		return nil, fmt.Errorf("words: %w", err)
	}
	if _, ok := f.(field.Subspaces[E]); ok {
		return nil, fmt.Errorf("words: %w: a field of subspaces, want one of roots of unity", field.ErrSpec)
	}
	var s E
	f.Set(&s, shift)
	w := &Code[E]{field: f, n: n, ring: ring, roots: make([]E, n)}
	opts = append(slices.Clip(opts), fft.WithOrder(fft.Natural), fft.WithCoset(s))
	if w.all, err = fft.NewPlan(f, n, opts...); err != nil {
		return nil, fmt.Errorf("words: %w", err)
	}
	w.roots[0] = s
	if n > 1 { // the points are the values of x
		var zero E
		f.Set(&w.roots[0], &zero)
		f.One(&w.roots[1])
		if err := w.all.Forward(w.roots, w.roots); err != nil {
			return nil, fmt.Errorf("words: points: %w", err)
		}
	}
	if k > 1 { // the data has the points of w^(n/k), which may be another root than the field's of that order
		var root E
		if err := f.Inv(&root, &s); err != nil {
			return nil, fmt.Errorf("words: shift: %w", err)
		}
		f.Mul(&root, &root, &w.roots[n/k])
		opts = append(opts, fft.WithRoot(root))
	}
	if w.data, err = fft.NewPlan(f, k, opts...); err != nil {
		return nil, fmt.Errorf("words: data: %w", err)
	}
	return w, nil
}

// Size returns the symbols of a word, and how many of them are data. They are 0 of nil and the zero value.
func (w *Code[E]) Size() (word, data int) {
	if w == nil || w.all == nil {
		return 0, 0
	}
	return w.n, w.data.Len()
}

// check is for a word of a call.
func (w *Code[E]) check(ctx context.Context, n int) (apart int, err error) {
	size, data := w.Size()
	if size == 0 || ctx == nil {
		return 0, fmt.Errorf("words: %w: the code is nil or the zero value, or the context is nil", field.ErrSpec)
	}
	if n != size {
		return 0, fmt.Errorf("words: word: %w", &field.LengthError{What: "symbols", Want: size, Got: n})
	}
	return size / data, nil
}

// Encode sets the other symbols of word, of n, to those that go with its data. Data that is not canonical is
// field.ErrRange.
func (w *Code[E]) Encode(ctx context.Context, word []E) error {
	apart, err := w.check(ctx, len(word))
	if err != nil {
		return err
	}
	z := make([]E, w.n)
	data := z[:w.n/apart]
	for i := range data {
		data[i] = word[i*apart]
	}
	if err := w.data.InverseContext(ctx, data, data); err != nil {
		return fmt.Errorf("words: data: %w", err)
	}
	if err := w.all.ForwardContext(ctx, z, z); err != nil {
		return fmt.Errorf("words: %w", err)
	}
	copy(word, z)
	return nil
}

// Verify reports whether word, of n symbols, is one: values of a polynomial of degree below k.
func (w *Code[E]) Verify(ctx context.Context, word []E) (bool, error) {
	apart, err := w.check(ctx, len(word))
	if err != nil {
		return false, err
	}
	z := make([]E, w.n)
	if err := w.all.InverseContext(ctx, z, word); err != nil {
		return false, fmt.Errorf("words: %w", err)
	}
	var zero E
	for i := w.n / apart; i < w.n; i++ {
		if !w.field.Equal(&z[i], &zero) {
			return false, nil
		}
	}
	return true, nil
}

// Reconstruct sets the symbols of word that are missing, of which the elements of missing are true, to those that go
// with the others. There must be as many of these as there is data, or the error is rs.ErrTooFew. Symbols are
// canonical. Nothing is written where there is an error.
func (w *Code[E]) Reconstruct(ctx context.Context, word []E, missing []bool) error {
	apart, err := w.check(ctx, len(word))
	if err != nil {
		return err
	}
	if len(missing) != w.n {
		return fmt.Errorf("words: missing: %w", &field.LengthError{What: "symbols", Want: w.n, Got: len(missing)})
	}
	var points []E
	for i, lost := range missing {
		if lost {
			points = append(points, w.roots[i])
		}
	}
	if have, data := w.n-len(points), w.n/apart; have < data {
		return &rs.TooFewError{Have: have, Want: data}
	}
	if len(points) == 0 {
		return nil
	}
	// L vanishes at what is missing, where the derivative of f·L is f·L′: the degree of f·L is below n.
	vanishing, err := w.vanishing(ctx, points)
	if err != nil {
		return err
	}
	l, slopes, z := make([]E, w.n), make([]E, w.n), make([]E, w.n)
	copy(l, vanishing)
	copy(slopes, vanishing)
	if err := w.derive(ctx, slopes); err != nil {
		return err
	}
	if err := w.all.ForwardContext(ctx, l, l); err != nil {
		return fmt.Errorf("words: %w", err)
	}
	if err := w.all.ForwardContext(ctx, slopes, slopes); err != nil {
		return fmt.Errorf("words: %w", err)
	}
	for i, lost := range missing {
		if err := look(ctx, i); err != nil {
			return err
		}
		if !lost {
			w.field.Mul(&z[i], &word[i], &l[i])
		}
	}
	if err := w.all.InverseContext(ctx, z, z); err != nil {
		return fmt.Errorf("words: %w", err)
	}
	if err := w.derive(ctx, z); err != nil {
		return err
	}
	if err := w.all.ForwardContext(ctx, z, z); err != nil {
		return fmt.Errorf("words: %w", err)
	}
	for i, lost := range missing {
		if err := look(ctx, i); err != nil {
			return err
		}
		if !lost {
			continue
		}
		if err := w.field.Inv(&slopes[i], &slopes[i]); err != nil {
			return fmt.Errorf("words: points: %w", err)
		}
	}
	for i, lost := range missing {
		if err := look(ctx, i); err != nil {
			return err
		}
		if lost {
			w.field.Mul(&z[i], &z[i], &slopes[i])
		}
	}
	for i, lost := range missing {
		if lost {
			w.field.Set(&word[i], &z[i])
		}
	}
	return nil
}

// derive sets coefficients to those of the derivative.
func (w *Code[E]) derive(ctx context.Context, z []E) error {
	var i, one, zero E
	w.field.One(&one)
	for j := 1; j < len(z); j++ {
		if err := look(ctx, j-1); err != nil {
			return err
		}
		w.field.Add(&i, &i, &one)
		w.field.Mul(&z[j-1], &z[j], &i)
	}
	w.field.Set(&z[len(z)-1], &zero)
	return nil
}

// look looks at the context in some steps of a loop.
func look(ctx context.Context, i int) error {
	if i%64 != 0 {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("words: stopped: %w", err)
	}
	return nil
}

// vanishing returns the product of x − p for all points p.
func (w *Code[E]) vanishing(ctx context.Context, points []E) ([]E, error) {
	if n := len(points); n > 1 {
		a, err := w.vanishing(ctx, points[:n/2])
		if err != nil {
			return nil, err
		}
		b, err := w.vanishing(ctx, points[n/2:])
		if err != nil {
			return nil, err
		}
		z, err := w.ring.Mul(ctx, a, b)
		if err != nil {
			return nil, fmt.Errorf("words: points: %w", err)
		}
		return z, nil
	}
	z := make([]E, 2)
	w.field.Neg(&z[0], &points[0])
	w.field.One(&z[1])
	return z, nil
}
