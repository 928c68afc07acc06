// Command _gen writes the assembly of the packages of kernels.
//
//	go run -C kernels/_gen .           # into the packages
//	go run -C kernels/_gen . -o dir    # into packages in dir
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"go/format"
	"log"
	"maps"
	"math/bits"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/printer"
)

func main() {
	log.SetFlags(0)
	out := flag.String("o", "..", "write packages into `dir`")
	flag.Parse()
	dir := func(name string) string {
		d := filepath.Join(*out, name)
		if err := os.MkdirAll(d, 0o777); err != nil {
			log.Fatal(err)
		}
		return d
	}
	word := dir("word")
	for _, f := range files {
		if err := f.write(word); err != nil {
			log.Fatalf("%s: %v", f.name, err)
		}
	}
	for name, write := range map[string]func(dir string) error{
		"word": writeNEON, "digits": writeDigits, "rns": writeRNS, "limb": writeLimb, "mulx": writeMULX,
		"rate": writeRate, "gf2": func(dir string) error {
			return errors.Join(writeGF2(dir), writeNEONWords(dir), writeNEONPlanes(dir))
		}, "linear": writeLinear,
		"clmul": writeCLMUL, "batch": writeBatch,
	} {
		if err := write(dir(name)); err != nil {
			log.Fatalf("%s: %v", name, err)
		}
	}
}

// file is the assembly of one kind of vectors: a file for each arithmetic, and one for moves.
type file struct {
	name        string
	bytes, word int
	levels      int // layers of the longest pass
	avx512      bool
	suffix      string
	form        string
	arithmetics map[string]func(g *machine) arithmetic
}

var files = []file{
	{"avx512x64", 64, 8, 4, true, "AVX512", "AVX-512", map[string]func(g *machine) arithmetic{
		"ifma50":     func(g *machine) arithmetic { return &ifma50{machine: g} },
		"double50":   func(g *machine) arithmetic { return &double50{machine: g} },
		"shoup62":    func(g *machine) arithmetic { return &shoup62{words64{machine: g}} },
		"shoup63":    func(g *machine) arithmetic { return &shoup63{words64{machine: g}} },
		"mont64":     func(g *machine) arithmetic { return &mont64{words64{machine: g}} },
		"goldilocks": func(g *machine) arithmetic { return &goldilocks{words64: words64{machine: g}} },
	}},
	{"avx2x64", 32, 8, 2, false, "AVX2", "AVX2", map[string]func(g *machine) arithmetic{
		"double50":   func(g *machine) arithmetic { return &double50{machine: g} },
		"shoup62":    func(g *machine) arithmetic { return &shoup62{words64{machine: g}} },
		"shoup63":    func(g *machine) arithmetic { return &shoup63{words64{machine: g}} },
		"mont64":     func(g *machine) arithmetic { return &mont64{words64{machine: g}} },
		"goldilocks": func(g *machine) arithmetic { return &goldilocks{words64: words64{machine: g}} },
	}},
	{"avx2x32", 32, 4, 2, false, "AVX2", "AVX2", map[string]func(g *machine) arithmetic{
		"shoup31": func(g *machine) arithmetic { return &shoup31{machine: g} },
		"shoup30": func(g *machine) arithmetic { return &shoup30{shoup31{machine: g}} },
		"mont32":  func(g *machine) arithmetic { return &mont32{machine: g} },
	}},
	{"avx512x32", 64, 4, 4, true, "AVX512", "AVX-512", map[string]func(g *machine) arithmetic{
		"shoup31": func(g *machine) arithmetic { return &shoup31{machine: g} },
		"shoup30": func(g *machine) arithmetic { return &shoup30{shoup31{machine: g}} },
		"mont32":  func(g *machine) arithmetic { return &mont32{machine: g} },
	}},
}

func (f *file) write(dir string) error {
	for _, name := range sortedKeys(f.arithmetics) {
		g := f.machine()
		title := name + f.suffix
		for levels := 1; levels <= f.layers(name); levels++ {
			for _, k := range passes {
				g.pass(f.arithmetics[name](g), title, levels, k)
			}
		}
		for _, size := range f.tails() {
			narrow := g.ofBytes(size * f.word / 2)
			for _, t := range tails {
				narrow.tail(f.arithmetics[name](narrow), title, t)
			}
		}
		if f.square(name) {
			for _, t := range tails {
				g.squareTail(f.arithmetics[name](g), title, t)
			}
		}
		for inner := 0; f.avx512 && inner <= g.innerLayers(); inner++ {
			for _, t := range tails {
				g.narrow(f.arithmetics[name](g), title, inner, t)
			}
		}
		g.scale(f.arithmetics[name], title)
		if f.word == 8 {
			g.twist(f.arithmetics[name](g), title)
		}
		switch a := f.arithmetics[name](g).(type) {
		case *ifma50:
			g.rings(a, title)
		case *double50:
			if !f.avx512 {
				g.ringData()
				g.doubleRings(a, title)
			}
		}
		g.pointwise(f.arithmetics[name], title)
		g.odd(f.arithmetics[name], title)
		if err := f.save(g, dir, name); err != nil {
			return err
		}
	}
	g := f.machine()
	g.moves(f.suffix)
	if err := f.save(g, dir, fmt.Sprint("moves", 8*f.word)); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "z"+f.name+"sets_amd64.go"), f.sets("amd64", sortedKeys(f.arithmetics)), 0o666)
}

// layers returns those of the longest pass of an arithmetic: that of doubles has few constants and temporaries, which
// leaves registers of AVX2 for one layer more.
func (f *file) layers(name string) int {
	if name == "double50" && !f.avx512 {
		return 3
	}
	return f.levels
}

// fewProducts reports whether an arithmetic has few products in DFTs of short odd lengths.
func (f *file) fewProducts(name string) bool { return f.avx512 && name != "double50" }

// machine begins a file with what is in memory for its functions.
func (f *file) machine() *machine {
	g := newMachine(f.bytes, f.word, f.avx512)
	g.ConstraintExpr("amd64,!purego")
	g.constants()
	for _, size := range f.tails() {
		g.ofBytes(size * f.word / 2).shuffles()
	}
	return g
}

// save writes the functions of g to a file and their declarations to another.
func (f *file) save(g *machine, dir, name string) error {
	asm, stubs, err := g.print("word")
	if err != nil {
		return err
	}
	return writeFiles(filepath.Join(dir, "z"+strings.ToLower(f.suffix)+name), asm, stubs)
}

// print returns the assembly and the declarations of all functions.
func (g *machine) print(pkg string) (asm, stubs []byte, err error) {
	file, err := g.Result()
	if err != nil {
		return nil, nil, err
	}
	for _, f := range file.Functions() {
		g.rename(f)
		g.forget(f)
	}
	if err := pass.Compile.Execute(file); err != nil {
		return nil, nil, err
	}
	text := g.macros(file.Functions())
	for _, f := range file.Functions() {
		g.comment(f)
	}
	cfg := printer.Config{Argv: []string{"go run -C kernels/_gen"}, Name: "avo", Pkg: pkg}
	if asm, err = printer.NewGoAsm(cfg).Print(file); err == nil {
		stubs, err = printer.NewStubs(cfg).Print(file)
	}
	if r := upper.Find(asm); r != nil && !g.avx512 {
		return nil, nil, fmt.Errorf("register %s: the 16 of AVX2 do not suffice", r)
	}
	include := []byte("#include \"textflag.h\"\n") // which macros follow
	asm = bytes.Replace(asm, include, append(include, append(text, g.text...)...), 1)
	return asm, declaration.ReplaceAllFunc(stubs, grouped), err
}

var declaration = regexp.MustCompile(`(?m)^func \w+\([^)]*`)

// grouped names the type of parameters in a row once, where avo names it for each.
func grouped(declaration []byte) []byte {
	params := strings.Split(string(declaration), ", ")
	for i, p := range params[:len(params)-1] {
		kind := p[strings.LastIndex(p, " "):]
		if strings.HasSuffix(params[i+1], kind) {
			params[i] = strings.TrimSuffix(p, kind)
		}
	}
	return []byte(strings.Join(params, ", "))
}

// wrap breaks text into the lines of a comment.
func wrap(text string) []string {
	var lines []string
	for _, word := range strings.Fields(text) {
		last := len(lines) - 1
		if last >= 0 && utf8.RuneCountInString(lines[last]+" "+word) <= columns {
			lines[last] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return lines
}

// columns is what a line of 120 has for the text of a comment.
const columns = 120 - len("// ")

func writeFiles(name string, asm, stubs []byte) error {
	if err := os.WriteFile(name+"_amd64.s", asm, 0o666); err != nil {
		return err
	}
	return os.WriteFile(name+"_amd64.go", stubs, 0o666)
}

// upper matches the registers that only AVX-512 has; avo does not keep other code from them.
var upper = regexp.MustCompile(`\b[XY](1[6-9]|2[0-9]|3[01])\b`)

// sets declares a Set for each of the arithmetics in names.
func (f *file) sets(arch string, names []string) []byte {
	var b bytes.Buffer
	b.WriteString("// Code generated by kernels/_gen; DO NOT EDIT.\n\n")
	fmt.Fprintf(&b, "//go:build %s && !purego\n\npackage word\n\n", arch)
	lanes, list := f.bytes/f.word, kernels
	if arch == "amd64" {
		list = append(slices.Clip(list), "Odd")
		if f.word == 8 {
			list = append(list, "Twist")
		}
	}
	for _, name := range names {
		fmt.Fprintf(&b, "var %s%s = Set[uint%d]{\n", name, f.suffix, 8*f.word)
		fmt.Fprintf(&b, "Form: %q, Lanes: %d, Mod: %sMod, Moves: &moves%d%s,\n", f.form, lanes, name, 8*f.word, f.suffix)
		fmt.Fprintf(&b, "MaxLayers: %d,\n", f.layers(name))
		for _, k := range passes {
			fmt.Fprintf(&b, "Layers%s: [5]Pass[uint%d]{\n", k.suffix(), 8*f.word)
			for l := 1; l <= f.layers(name); l++ {
				fmt.Fprintf(&b, "%d: %s%sRadix%d%s,\n", l, name, f.suffix, 1<<l, k.suffix())
			}
			fmt.Fprintf(&b, "},\n")
		}
		if arch == "amd64" {
			fmt.Fprintf(&b, "Into: true,\n")
			g := f.machine()
			if front := g.front(f.arithmetics[name](g)); front > 0 {
				fmt.Fprintf(&b, "Front: %d,\n", front)
			}
		}
		if name == "double50" {
			fmt.Fprintf(&b, "Opens: true,\n")
		}
		if f.avx512 {
			fmt.Fprintf(&b, "AnyWidth: true,\n")
		}
		if name == "ifma50" || name == "double50" && !f.avx512 {
			fmt.Fprintf(&b, "Rings: %s%sRings,\n", name, f.suffix)
		}
		if f.fewProducts(name) {
			fmt.Fprintf(&b, "OddSums: %d,\n", 2*mostSums+1)
		}
		fmt.Fprintf(&b, "TailLayers: %d,\n", f.levels)
		fmt.Fprintf(&b, "Tails: []Tails[uint%d]{\n", 8*f.word)
		sizes := f.tails()
		if f.square(name) {
			sizes = append([]int{squareSize}, sizes...)
		}
		for _, size := range sizes {
			fmt.Fprintf(&b, "{%d", size)
			for _, t := range tails {
				fmt.Fprintf(&b, ", %s", t.name(name+f.suffix, size))
			}
			fmt.Fprintf(&b, "},\n")
		}
		fmt.Fprintf(&b, "},\n")
		if f.avx512 {
			fmt.Fprintf(&b, "Narrow: []Narrow[uint%d]{\n", 8*f.word)
			for inner := range bits.Len(uint(lanes)) - 1 {
				fmt.Fprintf(&b, "{%s, %s},\n", narrowName(name+f.suffix, inner, tails[0]),
					narrowName(name+f.suffix, inner, tails[1]))
			}
			fmt.Fprintf(&b, "},\n")
		}
		for _, k := range list {
			fmt.Fprintf(&b, "%[1]s: %[2]s%[3]s%[1]s,\n", k, name, f.suffix)
		}
		fmt.Fprintf(&b, "}\n\n")
	}
	var swaps string
	for _, n := range f.swaps() {
		swaps += fmt.Sprintf("{%d, %s}, ", n, swapName(f.word, n, 1, f.suffix))
	}
	var columns string
	if f.suffix != "NEON" { // which has none
		for _, k := range columnCounts(lanes) {
			columns += fmt.Sprintf("{%d, %s, %s},\n", k, columnsName("split", f.word, k, f.suffix),
				columnsName("join", f.word, k, f.suffix))
		}
		for _, k := range otherCounts {
			columns += fmt.Sprintf("{%d, %s, %s},\n", k, columnsName("split", f.word, k, "AVX2"),
				columnsName("join", f.word, k, "AVX2"))
		}
		columns = fmt.Sprintf("Columns: []Columns[uint%d]{\n%s},\n", 8*f.word, columns)
	}
	if f.avx512 {
		units := ""
		for unit := 2; unit < lanes; unit *= 2 {
			units += fmt.Sprintf("{%d, %s}, ", lanes/unit, swapName(f.word, lanes/unit, unit, f.suffix))
		}
		columns += fmt.Sprintf("AnyWidth: true,\nRowSwaps: []Swap[uint%d]{%s},\n", 8*f.word, units)
	}
	if f.suffix != "NEON" {
		runs := ""
		for run := 2; run <= lanes; run *= 2 {
			runs += fmt.Sprintf("{%d, %s},\n", run, swapRowsName(f.word, run, f.suffix))
		}
		columns += fmt.Sprintf("SwapRows: []RowSwap[uint%d]{\n%s},\n", 8*f.word, runs)
	}
	fmt.Fprintf(&b, "var moves%[1]d%[2]s = Moves[uint%[1]d]{\n"+
		"Swaps: []Swap[uint%[1]d]{%[3]s},\nTranspose: transpose%[1]d%[2]s, CopyRows: copyRows%[1]d%[2]s,\n%[5]s"+
		"MaxStep: %[4]d, Max: max%[1]d%[2]s,\n}\n", 8*f.word, f.suffix, swaps, maxVectors*lanes, columns)
	text, err := format.Source(b.Bytes())
	if err != nil {
		log.Fatal(err)
	}
	return text
}

// tails lists the sizes of the blocks of tails, largest first: two vectors, or eight words in general registers;
// AVX-512 has narrower vectors for less.
func (f *file) tails() []int {
	sizes := []int{max(8, 2*f.bytes/f.word)}
	if f.avx512 {
		for s := sizes[0] / 2; s >= 8; s /= 2 {
			sizes = append(sizes, s)
		}
	}
	return sizes
}

// square reports whether an arithmetic has a square tail, for which it needs few registers.
func (f *file) square(name string) bool { return name == "double50" && !f.avx512 }

// swaps lists the sizes of the tiles of swaps, largest first. NEON has those that words of either size share.
func (f *file) swaps() []int {
	if f.suffix == "NEON" {
		return []int{neonTile}
	}
	return swapTiles(f.bytes/f.word, f.word)
}

var kernels = []string{"Scale", "ScaleRows", "Product", "Reduce", "Add", "Sub", "MulAdd"}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
