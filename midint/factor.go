package midint

// factored is an expression with the same values and fewer products, where a sum has terms with a common factor, as
// x·y + x·z is x·(y + z); else it is x itself. Integers modulo 2^n are a commutative ring, so that this changes no bit.
func factored(x *Expr) *Expr {
	for {
		products, operations := weigh(x)
		best := (*Expr)(nil)
		for _, candidate := range x.variants() {
			p, o := weigh(candidate)
			if o <= mostOperations && (p < products || p == products && best != nil && o < operations) {
				best, products, operations = candidate, p, o
			}
		}
		if best == nil {
			return x
		}
		x = best
	}
}

// weigh is the products and all operations of an expression, of which equal ones count once.
func weigh(x *Expr) (products, operations int) {
	f := flatten{known: map[node]int{}}
	if _, err := f.add(x, 0, 1); err != nil {
		return mostOperations + 1, mostOperations + 1
	}
	for _, n := range f.nodes {
		switch n.op {
		case exprMul, exprSqr:
			products++
			operations++
		case exprAdd, exprSub:
			operations++
		}
	}
	return products, operations
}

// variants are x with one of its sums factored, in each way.
func (x *Expr) variants() (list []*Expr) {
	if x == nil || x.op == exprOperand {
		return nil
	}
	for _, a := range x.a.variants() {
		list = append(list, &Expr{op: x.op, a: a, b: x.b})
	}
	if x.op == exprSqr {
		return list
	}
	for _, b := range x.b.variants() {
		list = append(list, &Expr{op: x.op, a: x.a, b: b})
	}
	if x.op != exprAdd && x.op != exprSub {
		return list
	}
	for _, by := range x.a.factors(nil) {
		p, ok := x.a.over(by)
		q, also := x.b.over(by)
		if !ok || !also {
			continue
		}
		if sum := p.join(q, x.op); sum.rest != nil && sum.ones == 0 {
			list = append(list, by.Times(sum.rest))
		}
	}
	return list
}

// factors appends what a product, a square or each term of a sum has as factors.
func (x *Expr) factors(list []*Expr) []*Expr {
	switch x.op {
	case exprSqr:
		return x.a.factors(append(list, x.a))
	case exprMul:
		return x.b.factors(x.a.factors(append(list, x.a, x.b)))
	case exprAdd, exprSub:
		return x.a.factors(list)
	}
	return append(list, x)
}

// quotient is rest + ones; a nil rest is 0.
type quotient struct {
	rest *Expr
	ones int
}

// over is x divided by a factor, where it shows that it has it.
func (x *Expr) over(by *Expr) (quotient, bool) {
	switch {
	case x.same(by):
		return quotient{ones: 1}, true
	case x.op == exprSqr:
		q, ok := x.a.over(by)
		return q.times(x.a), ok
	case x.op == exprMul:
		if q, ok := x.a.over(by); ok {
			return q.times(x.b), true
		}
		q, ok := x.b.over(by)
		return q.times(x.a), ok
	case x.op == exprAdd || x.op == exprSub:
		p, ok := x.a.over(by)
		if !ok {
			return p, false
		}
		q, ok := x.b.over(by)
		return p.join(q, x.op), ok
	}
	return quotient{}, false
}

// times is a quotient times y: one or more of y is a sum, which no longer has ones.
func (q quotient) times(y *Expr) quotient {
	var r quotient
	if q.rest != nil {
		r.rest = q.rest.Times(y)
	}
	for range q.ones {
		r = r.join(quotient{rest: y}, exprAdd)
	}
	for range -q.ones {
		r = r.join(quotient{rest: y}, exprSub)
	}
	return r
}

// join is the sum or the difference of two quotients. It is without a rest where that would be a negative one alone.
func (q quotient) join(r quotient, op exprOp) quotient {
	ones := q.ones + r.ones
	if op == exprSub {
		ones = q.ones - r.ones
	}
	switch {
	case r.rest == nil:
		return quotient{q.rest, ones}
	case q.rest != nil:
		return quotient{&Expr{op: op, a: q.rest, b: r.rest}, ones}
	case op == exprAdd:
		return quotient{r.rest, ones}
	}
	return quotient{&Expr{op: exprNone}, ones} // Compile takes none of these
}

// same reports whether two expressions are the same tree.
func (x *Expr) same(y *Expr) bool {
	if x == y || x == nil || y == nil {
		return x == y
	}
	return x.op == y.op && x.operand == y.operand && x.a.same(y.a) && x.b.same(y.b)
}
