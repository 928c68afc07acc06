package midint

import "context"

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

// onDevice runs steps on a device, as calls one by one, with values here.
func (p *Program) onDevice(ctx context.Context, r *programRun) error {
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
