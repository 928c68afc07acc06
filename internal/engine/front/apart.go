package front

import (
	"context"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/engine"
)

// apart is a transform of elements that hold pointers. Callers copy such elements by assignment, as slices.Clone does,
// so that what an element of dst points to may belong to others too: results are fresh elements.
type apart[E any] struct{ *transform[E] }

func (t apart[E]) Forward(ctx context.Context, dst, src []E) error {
	return t.run(ctx, dst, src, false)
}

func (t apart[E]) Inverse(ctx context.Context, dst, src []E) error {
	return t.run(ctx, dst, src, true)
}

func (t apart[E]) run(ctx context.Context, dst, src []E, inverse bool) error {
	if err := engine.CheckCall(ctx, dst, src, t.length); err != nil {
		return err
	}
	results := make([]E, t.length)
	if err := t.transform.run(ctx, results, src, inverse); err != nil {
		return err
	}
	t.move(dst, results)
	return nil
}

func (t apart[E]) Store(a []E, v field.Vec) error { return t.StoreContext(context.Background(), a, v) }

func (t apart[E]) StoreContext(ctx context.Context, a []E, v field.Vec) error {
	results := make([]E, len(a))
	if err := t.transform.StoreContext(ctx, results, v); err != nil {
		return err
	}
	if len(a) == t.length {
		t.move(a, results)
	} else {
		copy(a, results)
	}
	return nil
}

// move sets what the layout covers of dst, and leaves its gaps.
func (t apart[E]) move(dst, src []E) {
	b := t.batch
	rows, width := b.Count, t.n
	if b.Columns {
		rows, width = t.n, b.Count
	}
	for i := range rows {
		copy(dst[i*b.Stride:][:width], src[i*b.Stride:])
	}
}
