// Command _gen writes the passes of field/smallprime, one text for all its arithmetics.
//
//	go run -C _gen .           # into the package
//	go run -C _gen . -o dir
package main

import (
	"bytes"
	_ "embed"
	"flag"
	"fmt"
	"go/format"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"
)

// class is one arithmetic of the package.
type class struct {
	Name    string // of the type, whose methods word32.go explains
	Word    string // an element of a vector
	Modulus string // the type with mul, for products of two variables
	Lazy    bool   // wide values are not narrow
	Strict  bool   // all values are canonical
	Ranges  string // of values, in words
	// Butterfly is about what a sum, a difference and a product take, in ns (BenchmarkPasses).
	Butterfly string
}

var classes = []class{
	{"shoup30", "uint32", "modulus32", true, false, "wide values are in [0, 4p), narrow ones in [0, 2p)", "1.2"},
	{"shoup31", "uint32", "modulus32", false, false, "wide and narrow values are in [0, 2p)", "1.4"},
	{"strict32", "uint32", "modulus32", false, true, "all values are canonical", "1.6"},
	{"mont32", "uint32", "modulus32", false, true, "all values are canonical", "1.6"},
	{"shoup50", "uint64", "modulus", true, false, "wide values are in [0, 4p), narrow ones in [0, 2p)", "1.6"},
	{"double50", "uint64", "modulus", true, false, "wide values are in [0, 4p), narrow ones in [0, 2p)", "3"},
	{"shoup62", "uint64", "modulus", true, false, "wide values are in [0, 4p), narrow ones in [0, 2p)", "1.6"},
	{"shoup63", "uint64", "modulus", false, false, "wide and narrow values are in [0, 2p)", "2"},
	{"mont64", "uint64", "modulus", false, true, "all values are canonical", "3"},
	{"solinas64", "uint64", "modulus", true, false, "wide values are any words, narrow ones are canonical", "3"},
}

//go:embed passes.tmpl
var passes string

func main() {
	log.SetFlags(0)
	out := flag.String("o", "..", "write files into `dir`")
	flag.Parse()
	for _, c := range classes {
		text, err := c.text()
		if err != nil {
			log.Fatalf("%s: %v", c.Name, err)
		}
		if err := os.WriteFile(filepath.Join(*out, "z"+c.Name+".go"), text, 0o666); err != nil {
			log.Fatal(err)
		}
	}
}

// text returns the file of c.
func (c class) text() ([]byte, error) {
	t, err := template.New("passes").Funcs(template.FuncMap{
		"load": c.load, "store": c.store, "loads": c.loads, "list": list,
		"radix2": c.radix2, "radix4": c.radix4, "tail": c.tail,
		"transposes": func() []string { return []string{"", "T"} },
	}).Parse(passes)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := t.Execute(&b, c); err != nil {
		return nil, err
	}
	return format.Source(b.Bytes())
}

// load and store convert between elements of a vector and registers.
func (c class) load(x ...string) string  { return c.convert("uint64", x) }
func (c class) store(x ...string) string { return c.convert(c.Word, x) }

func (c class) convert(to string, x []string) string {
	if to == c.Word && to == "uint64" {
		return strings.Join(x, ", ")
	}
	return to + "(" + strings.Join(x, "), "+to+"(") + ")"
}

// list names elements i of the vector v; loads loads them.
func list(v string, i []int) string            { return strings.Join(elements(v, i), ", ") }
func (c class) loads(v string, i []int) string { return c.load(elements(v, i)...) }

func elements(v string, i []int) []string {
	x := make([]string, len(i))
	for k := range i {
		x[k] = fmt.Sprintf("%s[%d]", v, i[k])
	}
	return x
}

// radix2 works on x0, x1. A multiplier is a pair, or "1". T is "T" for the transpose.
func (c class) radix2(T, w string) string { return c.cross(T, "x0", "x1", w) }

// radix4 works on x0, x1, x2, x3.
func (c class) radix4(T, w, w0, w1 string) string {
	layers := []string{c.cross(T, "x0", "x2", w), c.cross(T, "x1", "x3", w), c.cross(T, "x0", "x1", w0),
		c.cross(T, "x2", "x3", w1)}
	if T != "" {
		slices.Reverse(layers)
	}
	return strings.Join(layers, "\n")
}

func (c class) cross(T, x, y, w string) string {
	switch {
	case w != "1":
		return fmt.Sprintf("%[1]s, %[2]s = m.cross%[3]s(%[1]s, %[2]s, %[4]s)", x, y, T, w)
	case c.Lazy:
		return fmt.Sprintf("%[1]s, %[2]s = m.plain%[3]s(%[1]s, %[2]s)", x, y, T)
	default:
		return fmt.Sprintf("%[1]s, %[2]s = m.plain(%[1]s, %[2]s)", x, y)
	}
}

// quad is a radix-4 butterfly on elements I of a block of 16.
type quad struct {
	Assign    string
	I         []int
	W, W0, W1 string
}

// tail lists the butterflies of a block. Columns share the multipliers of the block; row k has its own.
func (c class) tail(T string) []quad {
	var q []quad
	for j := range 4 {
		q = append(q, quad{"=", []int{j, j + 4, j + 8, j + 12}, "w, q", "w0, q0", "w1, q1"})
	}
	for k := range 4 {
		pair := func(layer string, i int) string {
			return c.load(fmt.Sprintf("w%s[%d]", layer, i), fmt.Sprintf("q%s[%d]", layer, i))
		}
		q = append(q, quad{"=", []int{4 * k, 4*k + 1, 4*k + 2, 4*k + 3}, pair("4", k), pair("8", 2*k),
			pair("8", 2*k+1)})
	}
	if T != "" {
		slices.Reverse(q)
	}
	q[0].Assign = ":="
	return q
}
