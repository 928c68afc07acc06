package midint

import (
	"context"
	"fmt"
)

// deviceSteps are the steps of a program for a device.
func (p *Program) deviceSteps() (steps [][4]int) {
	for _, s := range p.steps {
		op := map[exprOp]int{exprAdd: deviceOps[opAdd], exprSub: deviceOps[opSub], exprOperand: deviceCopy}[s.op]
		if s.op == exprMul || s.op == exprSqr {
			op = deviceOps[opMul]
		}
		steps = append(steps, [4]int{op, s.z, s.x, s.y})
	}
	return steps
}

// deviceCopy is x, as an operation of a device.
const deviceCopy = 4

// programDevice is a device that runs steps without copies between them, as package gpu does. A step is an operation of
// Compute and the places of z, x and y, those of operands first; ExplainProgram says how they run.
type programDevice interface {
	Program(ctx context.Context, steps [][4]int, z []uint32, operands [][]uint32, bits int) error
	ExplainProgram(steps [][4]int, bits int) string
}

// onDevice runs steps on a device: all in a call where it has one for that, else by calls one by one, with values here.
func (p *Program) onDevice(ctx context.Context, r *programRun) error {
	if d, ok := p.engine.device.(programDevice); ok {
		for i, x := range r.operands[:p.operands] {
			r.rows[i] = x.words
		}
		return d.Program(ctx, p.device, r.z.words, r.rows[:p.operands], p.bits)
	}
	n := r.z.n
	r.words = resize(r.words, p.slots*n*p.words)
	at := func(place int) []uint32 {
		if place < p.operands {
			return r.operands[place].words
		}
		first := (place - p.operands) * n * p.words
		return r.words[first : first+n*p.words]
	}
	last := 0
	for _, s := range p.device {
		if err := p.engine.device.Compute(ctx, s[0], at(s[1]), at(s[2]), at(s[3]), p.bits); err != nil {
			return err
		}
		last = s[1]
	}
	copy(r.z.words, at(last))
	return nil
}

// explainDevice says how a device runs the steps.
func (p *Program) explainDevice() string {
	if d, ok := p.engine.device.(programDevice); ok {
		return d.ExplainProgram(p.device, p.bits)
	}
	return fmt.Sprintf("%d launches, with copies", len(p.device))
}
