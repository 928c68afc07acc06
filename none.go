package fft

import (
	"context"
	"fmt"

	"github.com/galfft/fft/field"
)

var errNone = fmt.Errorf("fft: %w: a plan that is nil or zero, want one of NewPlan", ErrSpec)

// none is the transform of plans that are none.
type none[E any] struct{}

func (*none[E]) Forward(context.Context, []E, []E) error      { return errNone }
func (*none[E]) Inverse(context.Context, []E, []E) error      { return errNone }
func (*none[E]) NewVec() (field.Vec, error)                   { return nil, errNone }
func (*none[E]) Load(field.Vec, []E) error                    { return errNone }
func (*none[E]) Store([]E, field.Vec) error                   { return errNone }
func (*none[E]) ForwardVec(context.Context, field.Vec) error  { return errNone }
func (*none[E]) InverseVec(context.Context, field.Vec) error  { return errNone }
func (*none[E]) MulVec(field.Vec, field.Vec, field.Vec) error { return errNone }
func (*none[E]) Permutation() []int                           { return nil }
func (*none[E]) Report() field.Report                         { return field.Report{} }
