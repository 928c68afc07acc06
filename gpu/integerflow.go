package gpu

// flow is the steps of a program by what they compute: the sum of products and values. Sums that are used once are part
// of what they are added to, and so are products that are used once by a sum, as many as a kernel takes.
type flow struct {
	operands int
	parts    []flowPart // in an order in which each is computed after what it takes; the last is the result
}

// flowPart is Σ x·y + Σ ±w. Values are operands from 0 on, and behind them parts.
type flowPart struct {
	products [][2]int
	sums     []flowSum
}

type flowSum struct {
	value   int
	negated bool
}

// flowOf is the flow of steps that valuesOf has accepted, where a part has so many products at most.
func flowOf(steps [][4]int, operands, most int) flow {
	f := flowing{operands: operands, steps: steps, at: map[int]int{}, most: most}
	for i := range operands {
		f.at[i] = i
	}
	for i, s := range steps {
		n := flowNode{op: s[0], x: f.at[s[2]], y: f.at[s[3]]}
		if n.op == integersCopy {
			n.y = -1
		}
		f.nodes = append(f.nodes, n)
		f.at[s[1]] = operands + i
	}
	root := f.at[steps[len(steps)-1][1]]
	f.count(root)
	f.nodes[root-operands].uses = 2 // it is a part of its own
	f.known = map[int]int{}
	f.part(root)
	return flow{operands, f.parts}
}

// flowing is what flowOf has so far.
type flowing struct {
	operands, most int
	steps          [][4]int
	at             map[int]int // values by places
	nodes          []flowNode
	known          map[int]int // parts by nodes
	parts          []flowPart
}

type flowNode struct {
	op, x, y, uses int
}

// count sets how often values are used on the way to one.
func (f *flowing) count(v int) {
	if v < f.operands {
		return
	}
	n := &f.nodes[v-f.operands]
	if n.uses++; n.uses > 1 {
		return
	}
	f.count(n.x)
	if n.y >= 0 {
		f.count(n.y)
	}
}

// part is the value of a node, as a part of its own where it is none yet.
func (f *flowing) part(v int) int {
	if v < f.operands {
		return v
	}
	if p, ok := f.known[v]; ok {
		return p
	}
	var p flowPart
	f.sum(&p, v, false, true)
	f.parts = append(f.parts, p)
	f.known[v] = f.operands + len(f.parts) - 1
	return f.known[v]
}

// sum adds a value to a part, or takes it away: itself where it is used elsewhere too, else what it is the sum of.
func (f *flowing) sum(p *flowPart, v int, negated, whole bool) {
	if v >= f.operands && (whole || f.nodes[v-f.operands].uses == 1) {
		n := f.nodes[v-f.operands]
		switch {
		case n.op != integersMul:
			f.sum(p, n.x, negated, false)
			if n.y >= 0 {
				f.sum(p, n.y, negated != (n.op == integersSub), false)
			}
			return
		case !negated && len(p.products) < f.most:
			p.products = append(p.products, [2]int{}) // its place is taken before parts of its factors have some
			at := len(p.products) - 1
			x, y := f.part(n.x), f.part(n.y)
			p.products[at] = [2]int{x, y}
			return
		}
	}
	p.sums = append(p.sums, flowSum{f.part(v), negated})
}
