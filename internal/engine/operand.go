package engine

import (
	"context"
	"fmt"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
)

// Operand is what a vector in working form is: the bulk whose it is, its elements, and the transform that made it.
type Operand struct {
	Bulk bulks.Bulk
	View View
	vec  *vec
}

// OperandOf is that of a vector that a transform of this package has made, and that is not closed; others are
// field.ErrVec.
func OperandOf(x field.Vec) (Operand, error) {
	v, ok := x.(*vec)
	if !ok || v == nil || v.plan == nil {
		return Operand{}, fmt.Errorf("fft: %w: no plan has made it, or it is closed", field.ErrVec)
	}
	return Operand{v.plan.f, v.v, v}, nil
}

// Fellow reports whether one transform has made both.
func (o Operand) Fellow(p Operand) bool { return o.vec.plan == p.vec.plan }

// Points is the length of a transform; the vector has those of a batch one after the other.
func (o Operand) Points() int { return o.vec.plan.n }

// InverseMul sets o to the inverse transforms of the products of the values x and y, which its plan has made too, and
// returns as InverseVec does. It is field.ErrVec where the plan is not of a Whole on a device.
func (o Operand) InverseMul(ctx context.Context, x, y Operand) error {
	t := o.vec.plan
	s, ok := t.scheme.(single)
	if !ok || t.device == nil {
		return fmt.Errorf("fft: %w: its plan is no transform on a device", field.ErrVec)
	}
	if err := checkContext(ctx); err != nil {
		return err
	}
	err := inverseMul(ctx, t.f, s.Whole, o.vec, x.View, y.View)
	if o.vec.ahead {
		return err
	}
	if w := t.wait(ctx, o.View); err == nil {
		err = w
	}
	return err
}

// Began ends a call that has begun work on the vector: it waits for that work, but for vectors of queues, of which it
// returns what has failed so far.
func (o Operand) Began() error { return o.vec.plan.began(o.vec, nil) }
