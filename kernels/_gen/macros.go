package main

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/reg"
)

// What a kernel does many times, as a butterfly, stands in the assembly as a macro: a line that names the registers.
// The arithmetic is written once for each way in which results share the registers of operands.

// operation is instructions of a function that may become a macro.
type operation struct {
	name    string
	in, out []note
	formula []string // of out
}

// mark is the comment at both ends of an operation, until macros removes it.
const mark = "operation"

const macroHead = `
// Macros whose names differ in the number alone do the same, and share registers in other ways. w is a multiplier and
// q its companion; w2, q2 and ph are the high halves of w, q and p; p2 is 2p and minus 2^52 − p; mask is 2^52 − 1, low
// and eps are 2^32 − 1, and part is half of each lane of 64 bits; s and d are results, and t1, t2, … hold what goes
// between.
`

// operate has the instructions of f become a macro. in are operands by name, and formula are what f returns.
func (g *machine) operate(name string, in []note, formula []string, f func() []vec) []vec {
	g.Comment(mark)
	out := f()
	g.Comment(mark)
	op := operation{name: name, in: in, formula: formula}
	for i, x := range out {
		op.out = append(op.out, note{[]string{"s", "d"}[i], x})
	}
	g.operations[g.name] = append(g.operations[g.name], op)
	return out
}

// cross joins x and y with t, by a method of arithmetic; formulas are those of its results.
func (g *machine) cross(name, s, d string, f func(x, y vec, t pair) (s, d vec), x, y vec, t pair) (vec, vec) {
	in := append([]note{{"x", x}, {"y", y}}, t.notes()...)
	z := g.operate(name, in, []string{s, d}, func() []vec {
		s, d := f(x, y, t)
		return []vec{s, d}
	})
	return z[0], z[1]
}

// value makes a value of x, by a method of arithmetic.
func (g *machine) value(name, s string, f func(x vec) vec, x vec, t pair) vec {
	in := append([]note{{"x", x}}, t.notes()...)
	return g.operate(name, in, []string{s}, func() []vec { return []vec{f(x)} })[0]
}

func (t pair) notes() (list []note) {
	for _, n := range []struct {
		name string
		v    vec
	}{{"w", t.w}, {"q", t.q}, {"w2", t.w2}, {"q2", t.q2}} {
		if n.v != nil {
			list = append(list, note{n.name, n.v})
		}
	}
	return list
}

// macro is one way to do an operation.
type macro struct {
	name, comment, params string
	body                  []string
	places                []place
}

// place is where a macro stands: a range of nodes, with the registers that it names.
type place struct {
	f        *ir.Function
	from, to int
	args     string
}

// macros has operations of all functions become macros where that makes the file shorter, and returns their text.
func (g *machine) macros(functions []*ir.Function) []byte {
	var list []*macro
	for _, f := range functions {
		for _, o := range g.open(f) {
			m, p := g.macro(f, o.operation, f.Nodes[o.from:o.to])
			p.f, p.from, p.to = f, o.from, o.to
			same := slices.IndexFunc(list, func(k *macro) bool {
				return k.name == m.name && k.params == m.params && slices.Equal(k.body, m.body)
			})
			if same < 0 {
				same = len(list)
				list = append(list, m)
			}
			list[same].places = append(list[same].places, p)
		}
	}
	if len(list) == 0 {
		return nil
	}
	text := bytes.NewBufferString(macroHead)
	number := map[string]int{}
	short := map[*ir.Function][]place{}
	for _, m := range list {
		if lines := len(m.body) * len(m.places); lines <= len(m.body)+len(m.places)+3 {
			continue
		}
		number[m.name]++
		name := m.name + strconv.Itoa(number[m.name])
		fmt.Fprintf(text, "\n// %s %s\n#define %s(%s) \\\n\t%s\n", name, m.comment, name, m.params,
			strings.Join(m.body, "; \\\n\t"))
		for _, p := range m.places {
			p.args = name + "(" + p.args + ")"
			short[p.f] = append(short[p.f], p)
		}
	}
	for f, places := range short {
		slices.SortFunc(places, func(a, b place) int { return b.from - a.from })
		for _, p := range places {
			f.Nodes = slices.Replace(f.Nodes, p.from, p.to, ir.Node(&ir.Instruction{Opcode: p.args}))
		}
	}
	return text.Bytes()
}

// open removes the marks of f and returns its operations with the nodes between them.
func (g *machine) open(f *ir.Function) (list []struct {
	operation
	from, to int
}) {
	var nodes []ir.Node
	var bounds []int
	for _, n := range f.Nodes {
		if c, ok := n.(*ir.Comment); ok && len(c.Lines) == 1 && c.Lines[0] == mark {
			bounds = append(bounds, len(nodes))
		} else {
			nodes = append(nodes, n)
		}
	}
	f.Nodes = nodes
	for i, o := range g.operations[f.Name] {
		list = append(list, struct {
			operation
			from, to int
		}{o, bounds[2*i], bounds[2*i+1]})
	}
	return list
}

var vectorOrMask = regexp.MustCompile(`\b[XYZK][0-9]+\b`)

// macro returns the macro that does o by nodes of f, and its arguments there.
func (g *machine) macro(f *ir.Function, o operation, nodes []ir.Node) (*macro, place) {
	var lines []string
	used := map[string]bool{}
	var order []string
	for _, n := range nodes {
		i := n.(*ir.Instruction)
		var ops []string
		for _, op := range i.Operands {
			ops = append(ops, op.Asm())
		}
		line := i.OpcodeWithSuffixes() + " " + strings.Join(ops, ", ")
		for _, r := range vectorOrMask.FindAllString(line, -1) {
			if !used[r] {
				used[r] = true
				order = append(order, r)
			}
		}
		lines = append(lines, line)
	}
	names := map[string]string{}
	var params, args []string
	name := func(n, r string) {
		if used[r] && names[r] == "" {
			names[r] = n
			params, args = append(params, n), append(args, r)
		}
	}
	asm := func(r reg.Register) string {
		if v, ok := r.(vec); ok && g.renamed[f.Name][v] != nil {
			r = g.renamed[f.Name][v]
		}
		return f.Allocation.LookupRegister(r).Asm()
	}
	for _, n := range o.in {
		name(n.name, asm(n.reg))
	}
	for _, n := range g.noted[f.Name] {
		name(n.name, asm(n.reg))
	}
	for _, n := range o.out {
		name(n.name, asm(n.reg))
	}
	fixed := len(params)
	for _, r := range order {
		name(fmt.Sprint("t", len(params)-fixed+1), r)
	}
	m := &macro{name: o.name, params: strings.Join(params, ", ")}
	for _, l := range lines {
		m.body = append(m.body, vectorOrMask.ReplaceAllStringFunc(l, func(r string) string { return names[r] }))
	}
	var results []string
	for i, n := range o.out {
		results = append(results, names[asm(n.reg)]+" to "+o.formula[i])
	}
	m.comment = "sets " + strings.Join(results, " and ") + "."
	return m, place{args: strings.Join(args, ", ")}
}
