package fft

import (
	"context"
	"errors"

	"github.com/galfft/fft/field"
)

// NewConvolution plans products of polynomials modulo x^n − 1, or modulo x^n + 1 with [WithNegacyclic], in vectors in
// working form. It is the plan of length n, in the order that is cheapest, where f has the roots of unity for that;
// where it has not, and n is a power of two, it is what a field offers in their place (field.Convolver): over the
// integers, through several primes. Report tells which. WithOrder has no effect, and over other primes WithProgress and
// WithoutPlanner have none either.
//
// Errors are those of [NewPlanContext]; ErrNoRoot stands where f offers nothing in place of roots.
func NewConvolution[E any](ctx context.Context, f field.Field[E], n int, opts ...Option) (Convolution[E], error) {
	opts = append(opts[:len(opts):len(opts)], WithOrder(Scheme))
	p, err := NewPlanContext(ctx, f, n, opts...)
	if err == nil {
		return p, nil
	}
	c := collect(opts)
	by, ok := f.(field.Convolver[E])
	if !ok || !errors.Is(err, ErrNoRoot) || c.root != nil || c.shift != nil || n&(n-1) != 0 {
		return nil, err
	}
	c.spec.Context = ctx
	return by.Convolution(n, c.negacyclic, c.spec)
}
