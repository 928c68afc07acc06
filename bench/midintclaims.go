package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
)

// midintFigures are times of columns, by operation, column and width, in ns for 2^32 bits of operands in all; and what
// the library says of its products on a device, by width.
type midintFigures struct {
	ns    map[[2]string]map[int]float64
	bits  map[[2]string]map[int]float64 // of all operands of a time: the longest batch counts
	kinds map[int]string
}

func newMidintFigures(lines []midintLine) *midintFigures {
	f := &midintFigures{map[[2]string]map[int]float64{}, map[[2]string]map[int]float64{}, map[int]string{}}
	for _, l := range lines {
		key, all := [2]string{l.Op, l.Column}, float64(l.Bits)*float64(l.Batch)
		if l.NsMedian == 0 || all <= f.bits[key][l.Bits] {
			continue
		}
		if f.ns[key] == nil {
			f.ns[key], f.bits[key] = map[int]float64{}, map[int]float64{}
		}
		f.ns[key][l.Bits], f.bits[key][l.Bits] = l.NsMedian*(1<<32)/all, all
		if l.Column == oursOnCard && l.Op == "mullow" {
			f.kinds[l.Bits] = l.Version
		}
	}
	return f
}

// Columns of claims.
const (
	oursOnCard    = "ours on a device"
	classicalCard = "literal u64 Q=4 on a device"
	transform32   = "literal FFT p32 on a device"
	transform64   = "literal FFT p64 on a device"
	separately    = ", separate calls"
)

// midintWidths are those of the paper.
var midintWidths = []int{1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15, 1 << 16, 1 << 17, 1 << 18}

// side is a column's figures of an operation; of several columns the least counts. Where they have none, those of
// quoted do, which a ratio says.
type side struct {
	op      string
	columns []string
	quoted  string
}

func (f *midintFigures) time(s side, bits int) float64 {
	least := math.Inf(1)
	for _, c := range s.columns {
		if ns := f.ns[[2]string{s.op, c}][bits]; ns > 0 {
			least = min(least, ns)
		}
	}
	if math.IsInf(least, 1) {
		return 0
	}
	return least
}

// orQuoted is time, or that of the quoted column, and whether it is this.
func (f *midintFigures) orQuoted(s side, bits int) (ns float64, quoted bool) {
	if ns := f.time(s, bits); ns > 0 || s.quoted == "" {
		return ns, false
	}
	return f.time(side{op: s.op, columns: []string{s.quoted}}, bits), true
}

// ratio says whether the first takes at least so many times as long as the second at all widths from one on to another,
// or for any at one of them, and how many times at each that both have.
func (f *midintFigures) ratio(slow, fast side, from, to int, least float64, any bool) string {
	var text []string
	holds := !any
	for _, bits := range midintWidths {
		a, quotedA := f.orQuoted(slow, bits)
		b, quotedB := f.orQuoted(fast, bits)
		if bits < from || bits > to || a == 0 || b == 0 {
			continue
		}
		note := ""
		if quotedA || quotedB {
			note = ", quoted"
		}
		text = append(text, fmt.Sprintf("%.3g (2^%d%s)", a/b, int(math.Log2(float64(bits))), note))
		if any {
			holds = holds || a/b >= least
		} else {
			holds = holds && a/b >= least
		}
	}
	switch {
	case len(text) == 0:
		return "open: no figures"
	case holds:
		return "holds: " + strings.Join(text, ", ")
	}
	return "does not hold: " + strings.Join(text, ", ")
}

// crossover is the first width from which on the second column is faster than the first.
func (f *midintFigures) crossover(first, second side) string {
	at := 0
	for _, bits := range midintWidths {
		a, b := f.time(first, bits), f.time(second, bits)
		switch {
		case b == 0:
		case a == 0 || b < a:
			if at == 0 {
				at = bits
			}
		default:
			at = 0
		}
	}
	if at == 0 {
		return "none to 2^18 bits"
	}
	return fmt.Sprintf("at 2^%d bits", int(math.Log2(float64(at))))
}

// kind is the first width at which the library's low products are of a kind.
func (f *midintFigures) kind(name string) string {
	for _, bits := range midintWidths {
		if strings.Contains(f.kinds[bits], "low halves by "+name) {
			return fmt.Sprintf("%s from 2^%d bits on", name, int(math.Log2(float64(bits))))
		}
	}
	return "no " + name
}

// longest is the greatest width that a side has a figure for.
func (f *midintFigures) longest(s side) string {
	for i := len(midintWidths) - 1; i >= 0; i-- {
		if f.time(s, midintWidths[i]) > 0 {
			return fmt.Sprintf("2^%d", int(math.Log2(float64(midintWidths[i]))))
		}
	}
	return "none"
}

// midintClaims prints each claim of the paper with what the lines say of it: of the paper's kernels, and of ours.
func midintClaims(w io.Writer, lines []midintLine) error {
	f := newMidintFigures(lines)
	const quoted = "CGBN on an A100, quoted"
	of := func(op string, columns ...string) side { return side{op: op, columns: columns} }
	cgbn := func(op string) side { return side{op, []string{"CGBN"}, quoted} }
	best := []string{classicalCard, "literal u32 Q=1 on a device", "literal u32 Q=2 on a device",
		"literal u32 Q=4 on a device", "literal u32 Q=8 on a device", "literal u64 Q=2 on a device",
		"literal u64 Q=8 on a device"}
	ours, transforms := []string{oursOnCard}, []string{transform32, transform64}
	both := func(slow side, from, to int, least float64, any bool, fast []string) [2]string {
		return [2]string{f.ratio(slow, of(slow.op, fast...), from, to, least, any),
			f.ratio(slow, of(slow.op, ours...), from, to, least, any)}
	}
	classical := []string{classicalCard}
	noProduct := func(op, column string) string {
		return f.crossover(of("mullow", best...), of(op, column))
	}
	rows := []struct {
		claim string
		says  [2]string
	}{
		{"classical products beat CGBN from 2^15 to 2^18 bits",
			both(cgbn("mullow"), 1<<15, 1<<18, 1, false, classical)},
		{"they are alike below: at least .8 of its rate",
			both(cgbn("mullow"), 1<<11, 1<<14, .8, false, classical)},
		{"by up to 4.5 times to 2^17 bits", both(cgbn("mullow"), 1<<15, 1<<17, 4.5, true, classical)},
		{"the polynomial by up to 21 times", both(cgbn("poly"), 1<<15, 1<<17, 21, true, classical)},
		{"transforms beat the best classical products 2.6 times at 2^17 bits",
			both(of("mullow", best...), 1<<17, 1<<17, 2.6, false, transforms)},
		{"and 6.3 times at 2^18", both(of("mullow", best...), 1<<18, 1<<18, 6.3, false, transforms)},
		{"the polynomial 3 times at 2^17", both(of("poly", classical...), 1<<17, 1<<17, 3, false, transforms)},
		{"and 6.3 times at 2^18", both(of("poly", classical...), 1<<18, 1<<18, 6.3, false, transforms)},
		{"as high as 5 times", both(of("mullow", best...), 1<<11, 1<<18, 5, true, transforms)},
		{"160 times CGBN at 2^18 bits", both(cgbn("mullow"), 1<<18, 1<<18, 160, false, transforms)},
		{"the crossover to transforms is at about 2^15 bits",
			[2]string{"exact products " + f.crossover(of("mullow", best...), of("mullow", transforms...)) +
				"; what is no product, p32 " + noProduct("cyclic32", transform32) + ", p64 " +
				noProduct("cyclic64", transform64),
				f.kind("transforms") + ", " + f.kind("tensor cores")}},
		{"transforms beat classical products inside one block", both(of("mullow", best...), 1<<11, 1<<18, 1, true, transforms)},
		{"integers have up to 2^18 bits in one block",
			[2]string{"classical to " + f.longest(of("mullow", best...)) + ", exact by p32 to " +
				f.longest(of("mullow", transform32)) + ", by p64 to " + f.longest(of("mullow", transform64)),
				"to " + f.longest(of("mullow", ours...)) + " and above"}},
		{"the prime of 32 bits is faster than that of 64",
			[2]string{"products " + f.ratio(of("mullow", transform64), of("mullow", transform32), 1<<11, 1<<18, 1, false) +
				"; at as many digits of half a word, no products: " + f.ratio(of("cyclic64", transform64),
				of("cyclic32", transform32), 1<<11, 1<<18, 1, false), "–"}},
		{"the polynomial in one launch beats separate ones",
			[2]string{"classical " + f.ratio(of("poly", classicalCard+separately), of("poly", classicalCard), 1<<11, 1<<18, 1,
				false) + "; p32 " + f.ratio(of("poly", transform32+separately), of("poly", transform32), 1<<11, 1<<18, 1, false) +
				"; p64 " + f.ratio(of("poly", transform64+separately), of("poly", transform64), 1<<11, 1<<18, 1, false),
				f.ratio(of("poly", oursOnCard+separately), of("poly", ours...), 1<<11, 1<<18, 1, false)}},
		{"six sums take at most 1.66 of one to 2^17 bits: a sum takes .6 of them", [2]string{
			f.ratio(of("add", classicalCard), of("sixadd", classicalCard), 1<<11, 1<<17, 1/1.66, false),
			f.ratio(of("add", ours...), of("sixadd", ours...), 1<<11, 1<<17, 1/1.66, false)}},
		{"sums are 2 to 4 times as fast as CGBN's above 2^14 bits",
			both(cgbn("add"), 1<<15, 1<<18, 2, false, classical)},
		{"CGBN's polynomial takes at most four products to 2^15 bits: one takes .25 of it", [2]string{
			f.ratio(cgbn("mullow"), cgbn("poly"), 1<<11, 1<<15, .25, false),
			f.ratio(of("mullow", ours...), of("poly", ours...), 1<<11, 1<<15, .25, false)}},
		{"Futhark is slower as a thread has one word: so is Q = 1 beside Q = 4, in words of 32 bits", [2]string{
			f.ratio(of("add", "literal u32 Q=1 on a device"), of("add", "literal u32 Q=4 on a device"), 1<<11, 1<<18, 1,
				false), "–"}},
	}
	text := "\nclaims, with times over times; quoted ones ran on an A100\n\n| claim | the paper's kernels here | ours |\n" +
		"| --- | --- | --- |\n"
	for _, r := range rows {
		text += fmt.Sprintf("| %s | %s | %s |\n", r.claim, r.says[0], r.says[1])
	}
	_, err := fmt.Fprintln(w, text)
	return err
}

// claimsOf prints the claims by the lines of a file.
func claimsOf(w io.Writer, name string) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	var lines []midintLine
	for d := json.NewDecoder(file); ; {
		var l midintLine
		if err := d.Decode(&l); errors.Is(err, io.EOF) {
			return midintClaims(w, lines)
		} else if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		lines = append(lines, l)
	}
}
