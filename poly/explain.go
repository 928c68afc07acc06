package poly

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/galfft/fft/field"
)

// Explain writes, for people, how r multiplies polynomials of a and b coefficients, and which plans r remembers, those
// of its other calls among them. It makes the plans for that product, as the product would; errors are those of
// [Ring.Mul], and the writer's.
func (r *Ring[E]) Explain(ctx context.Context, w io.Writer, a, b int) error {
	return r.core().explain(ctx, w, a, b)
}

func (r *ring) explain(ctx context.Context, w io.Writer, a, b int) error {
	if err := r.check(); err != nil {
		return err
	}
	if w == nil {
		return fmt.Errorf("poly: %w: the writer is nil", field.ErrSpec)
	}
	if err := r.lengths(ctx, a, b); err != nil {
		return err
	}
	if a < b {
		a, b = b, a
	}
	name := fmt.Sprintf("%T", r.elements.f)
	if i, ok := r.elements.f.(field.Info); ok {
		name = i.Name()
	}
	var s strings.Builder
	fmt.Fprintf(&s, "%s: product of %d by %d coefficients\n", name, a, b)
	how, err := r.way(ctx, a, b)
	if err != nil {
		return err
	}
	switch {
	case b == 0:
		fmt.Fprintf(&s, "way      none: the product is empty\n")
	case how.parts.count > 0:
		var factors []string
		for _, t := range how.parts.parts[:how.parts.count] {
			factors = append(factors, fmt.Sprintf("(x^%d + 1)", t.plan.Report().N))
		}
		fmt.Fprintf(&s, "way      modulo %s, of degree at least the product's %d coefficients\n",
			strings.Join(factors, ""), a+b-1)
		for _, t := range how.parts.parts[:how.parts.count] {
			t.explain(&s)
		}
		r.tuned(&s)
	case how.t == nil:
		fmt.Fprintf(&s, "way      schoolbook, which serves up to %d coefficients in the shorter operand\n",
			r.schoolbook)
		r.tuned(&s)
	default:
		n := how.t.plan.Report().N
		switch blocks := (a + n - b) / (n - b + 1); {
		case a+b-1 <= n:
			fmt.Fprintf(&s, "way      modulo x^%d - 1\n", n)
		case wraps(n, a+b-1, r.schoolbook):
			fmt.Fprintf(&s, "way      modulo x^%d - 1, and %d coefficients by the schoolbook\n", n, a+b-1-n)
		default:
			fmt.Fprintf(&s, "way      %d blocks, each modulo x^%d - 1\n", blocks, n)
		}
		how.t.explain(&s)
		r.tuned(&s)
	}
	fmt.Fprintf(&s, "plans    %s\n", r.plans.kept())
	_, err = io.WriteString(w, s.String())
	return err
}

// Products returns the report of the longest transform by which r multiplies polynomials of a and b coefficients. Its
// Products is NativeProducts or CRTProducts, and ProductsReason why; AutoProducts where no transform is needed. It
// makes the plans for that, and has the errors of [Ring.Explain].
func (r *Ring[E]) Products(ctx context.Context, a, b int) (field.Report, error) {
	return r.core().ways(ctx, a, b)
}

func (r *ring) ways(ctx context.Context, a, b int) (field.Report, error) {
	if err := r.lengths(ctx, a, b); err != nil {
		return field.Report{}, err
	}
	how, err := r.way(ctx, max(a, b), min(a, b))
	if err != nil {
		return field.Report{}, err
	}
	t := how.t
	if how.parts.count > 0 {
		t = how.parts.parts[0]
	}
	if t == nil {
		return field.Report{ProductsReason: "by the schoolbook"}, nil
	}
	return t.plan.Report(), nil
}

// lengths checks the arguments of questions about products of a and b coefficients.
func (r *ring) lengths(ctx context.Context, a, b int) error {
	if err := r.check(); err != nil {
		return err
	}
	if a < 0 || b < 0 {
		return fmt.Errorf("poly: %w: product of %d by %d coefficients, want none negative", field.ErrLength, a, b)
	}
	if err := stopped(ctx); err != nil {
		return err
	}
	return r.elements.fits(productLen(a, b))
}

// tuned writes where the crossover stands that was measured on this machine.
func (r *ring) tuned(w io.Writer) {
	if r.source != "" {
		fmt.Fprintf(w, "tuned    %s: the schoolbook up to %d coefficients\n", r.source, r.schoolbook)
	}
}

// explain writes about the transforms.
func (t *transform) explain(w io.Writer) {
	r := t.plan.Report()
	fmt.Fprintf(w, "length   %d: %s\n", r.N, r.Form)
	fmt.Fprintf(w, "products %v: %s\n", r.Products, r.ProductsReason)
}
