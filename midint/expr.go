package midint

import (
	"fmt"

	"github.com/galfft/fft/field"
)

// Expr is an expression over operands: a tree of sums, differences, products and squares. It never changes. A nil one,
// or one with a nil part, is refused by Compile.
type Expr struct {
	op      exprOp
	a, b    *Expr
	operand int
}

type exprOp int

const (
	exprNone exprOp = iota
	exprOperand
	exprAdd
	exprSub
	exprMul
	exprSqr
)

// Operand is operand i of an expression, i from 0 to 7.
func Operand(i int) *Expr { return &Expr{op: exprOperand, operand: i} }

// Plus is x + y.
func (x *Expr) Plus(y *Expr) *Expr { return &Expr{op: exprAdd, a: x, b: y} }

// Minus is x − y.
func (x *Expr) Minus(y *Expr) *Expr { return &Expr{op: exprSub, a: x, b: y} }

// Times is x·y.
func (x *Expr) Times(y *Expr) *Expr { return &Expr{op: exprMul, a: x, b: y} }

// Squared is x².
func (x *Expr) Squared() *Expr { return &Expr{op: exprSqr, a: x} }

const (
	mostOperands   = 8
	mostOperations = 16
)

// node is a part of an expression, after its operands.
type node struct {
	op      exprOp
	a, b    int // nodes
	operand int
	uses    int
	bits    int64 // the absolute value is below 2^bits
	signed  bool  // it may be negative
}

// flatten lists the parts of an expression, each one once, and the number of operands.
type flatten struct {
	nodes      []node
	known      map[node]int
	operations int
	operands   int
}

// mostBits is what bounds stop at: no memory has a batch of longer ones.
const mostBits = int64(1) << 40

func (f *flatten) add(x *Expr, depth int, bits int64) (int, error) {
	if x == nil || x.op == exprNone || depth > mostOperations {
		return 0, fmt.Errorf("midint: %w: an expression that is nil, or of more than %d operations", field.ErrSpec,
			mostOperations)
	}
	n := node{op: x.op, operand: x.operand}
	if x.op == exprOperand {
		if x.operand < 0 || x.operand >= mostOperands {
			return 0, fmt.Errorf("midint: %w: operand %d, want 0 to %d", field.ErrSpec, x.operand, mostOperands-1)
		}
		f.operands = max(f.operands, x.operand+1)
	} else {
		if f.operations++; f.operations > mostOperations {
			return 0, fmt.Errorf("midint: %w: more than %d operations", field.ErrSpec, mostOperations)
		}
		var err error
		if n.a, err = f.add(x.a, depth+1, bits); err != nil {
			return 0, err
		}
		n.b = n.a
		if x.op != exprSqr {
			if n.b, err = f.add(x.b, depth+1, bits); err != nil {
				return 0, err
			}
		}
		if x.op == exprMul && n.a == n.b {
			n.op = exprSqr
		}
	}
	if i, ok := f.known[n]; ok {
		return i, nil
	}
	i := len(f.nodes)
	f.known[n] = i
	f.nodes = append(f.nodes, f.bound(n, bits))
	if n.op != exprOperand {
		f.nodes[n.a].uses++
		if n.op != exprSqr {
			f.nodes[n.b].uses++
		}
	}
	return i, nil
}

// bound sets what a part is below, for operands of so many bits.
func (f *flatten) bound(n node, bits int64) node {
	if n.op == exprOperand {
		n.bits = bits
		return n
	}
	a, b := f.nodes[n.a], f.nodes[n.b]
	switch n.op {
	case exprSub:
		n.bits, n.signed = max(a.bits, b.bits), true
		if a.signed || b.signed {
			n.bits++
		}
	case exprAdd:
		n.bits, n.signed = max(a.bits, b.bits)+1, a.signed || b.signed
	case exprSqr:
		n.bits = 2 * a.bits
	default:
		n.bits, n.signed = a.bits+b.bits, a.signed || b.signed
	}
	n.bits = min(n.bits, mostBits)
	return n
}
