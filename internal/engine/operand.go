package engine

import (
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

// Began ends a call that has begun work on the vector: it waits for that work, but for vectors of queues, of which it
// returns what has failed so far.
func (o Operand) Began() error { return o.vec.plan.began(o.vec, nil) }
