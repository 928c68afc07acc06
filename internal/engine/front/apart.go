package front

import (
	"context"
	"reflect"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
)

// Callers copy elements that hold pointers by assignment, as slices.Clone does, so that what an element of dst points
// to may belong to others too: results of such elements are fresh elements. dst and results are slices.

// fresh returns n new elements of the type of those of dst, and their view.
func fresh(dst any, n int) (results reflect.Value, v bulks.View) {
	results = reflect.MakeSlice(reflect.TypeOf(dst), n, n)
	if n > 0 {
		v = bulks.View{Buf: results.Index(0).Addr().Interface(), N: n}
	}
	return results, v
}

// runApart is run with fresh results for dst.
func runApart(c *core, ctx context.Context, dst any, src bulks.View, inverse bool) error {
	results, v := fresh(dst, c.length)
	if err := run(c, ctx, v, src, false, inverse); err != nil {
		return err
	}
	move(c, reflect.ValueOf(dst), results)
	return nil
}

// storeApart is Store to n fresh elements for those of dst.
func storeApart(c *core, ctx context.Context, dst any, n int, v field.Vec) error {
	results, a := fresh(dst, n)
	if err := c.t.Store(ctx, a, v); err != nil {
		return err
	}
	if n == c.length {
		move(c, reflect.ValueOf(dst), results)
	} else {
		reflect.Copy(reflect.ValueOf(dst), results)
	}
	return nil
}

// move sets what the layout covers of dst, and leaves its gaps.
func move(c *core, dst, src reflect.Value) {
	b := c.batch
	rows, width := b.Count, c.n
	if b.Columns {
		rows, width = c.n, b.Count
	}
	for i := range rows {
		at := i * b.Stride
		reflect.Copy(dst.Slice(at, at+width), src.Slice(at, at+width))
	}
}
