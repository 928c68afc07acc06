// Package svg draws measurements: lines over the length of a transform, and tables of coloured cells, as SVG and as
// text for terminals. The same data give the same bytes. Colours follow the reader's choice of a light or a dark page;
// series differ in marks as well as in colours, and cells show their values.
package svg

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"unicode/utf8"
)

// style has eight colours of series (a, b, … for lines, and their marks) and nine shades of cells (s0 to s8), on light
// pages and on dark ones.
const style = `<style>
text{font:12px sans-serif;fill:#1b1f24}.title{font-weight:bold;font-size:14px}.bg{fill:#fff}.grid{stroke:#d8dee4;fill:none}
.line{fill:none;stroke-width:2}.a{stroke:#0757b8}.b{stroke:#c2410c}.c{stroke:#12724a}.d{stroke:#8a2fb0}.e{stroke:#a16207}.f{stroke:#0e7490}.g{stroke:#be123c}.h{stroke:#57606a}
.mark{stroke-width:1.5;fill:#fff}
.s0{fill:#f1f6fc}.s1{fill:#dbe9f8}.s2{fill:#c3daf3}.s3{fill:#a9caed}.s4{fill:#8fb8e6}.s5{fill:#f6d9a8}.s6{fill:#f0bd79}.s7{fill:#e89c59}.s8{fill:#dd7a45}.cell{text-anchor:middle}.best{font-weight:bold}
@media (prefers-color-scheme:dark){text{fill:#e6edf3}.bg{fill:#0d1117}.grid{stroke:#30363d}
.a{stroke:#6cb0ff}.b{stroke:#ff9657}.c{stroke:#4ccb8f}.d{stroke:#d292f5}.e{stroke:#e3b341}.f{stroke:#4fd1e0}.g{stroke:#ff7b93}.h{stroke:#a5b0bb}
.mark{fill:#0d1117}
.s0{fill:#10233b}.s1{fill:#123050}.s2{fill:#153d66}.s3{fill:#184b7d}.s4{fill:#1c5a95}.s5{fill:#5a4418}.s6{fill:#70501a}.s7{fill:#875a1c}.s8{fill:#9c5a22}}
</style>
`

type drawing struct{ bytes.Buffer }

// begin opens a drawing with its title and, below it, y: what values are. It is as wide as these and the foot need, and
// width at least; the foot, where there is one, has its place below height.
func begin(title, y, foot string, width, height float64) *drawing {
	d := new(drawing)
	width = math.Ceil(max(width, 2*margin+boldWidth(title), 2*margin+widest(y, foot)))
	if foot != "" {
		height += row
	}
	d.printf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" width="%[1]g" height="%[2]g" role="img"><title>`,
		width, height)
	d.escape(title)
	d.printf("</title>\n%s<rect class=\"bg\" width=\"100%%\" height=\"100%%\"/>\n", style)
	d.text(margin, 24, "title", title)
	d.text(margin, 41, "", y)
	if foot != "" {
		d.text(margin, height-8, "", foot)
	}
	return d
}

const margin = 16.0

// textWidth is about what a line of text takes, in sans-serif fonts that are wide; boldWidth is that of a title.
// Readers have fonts of their own, so that nobody knows more.
func textWidth(s string) float64 { return 12 * 0.65 * float64(utf8.RuneCountInString(s)) }
func boldWidth(s string) float64 { return 14 * 0.75 * float64(utf8.RuneCountInString(s)) }

// widest is the width of the widest text.
func widest(texts ...string) (w float64) {
	for _, s := range texts {
		w = max(w, textWidth(s))
	}
	return w
}

func (d *drawing) end() []byte {
	d.printf("</svg>\n")
	return d.Bytes()
}

func (d *drawing) printf(format string, args ...any) { fmt.Fprintf(d, format, args...) }

// escape never fails: a Buffer takes everything.
func (d *drawing) escape(s string) { _ = xml.EscapeText(d, []byte(s)) }

func (d *drawing) text(x, y float64, class, s string) {
	d.printf(`<text x="%.1f" y="%.1f" class="%s">`, x, y, class)
	d.escape(s)
	d.printf("</text>\n")
}

// anchored is text that ends or has its middle at x.
func (d *drawing) anchored(x, y float64, anchor, s string) {
	d.printf(`<text x="%.1f" y="%.1f" text-anchor="%s">`, x, y, anchor)
	d.escape(s)
	d.printf("</text>\n")
}

// Power writes powers of two above 64 as such.
func Power(n int) string {
	if n > 64 && n&(n-1) == 0 {
		return "2^" + strconv.Itoa(bits.Len(uint(n))-1)
	}
	return strconv.Itoa(n)
}

// number is v with three digits that count.
func number(v float64) string {
	if v == 0 || math.Abs(v) >= 100 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'f', max(0, 2-int(math.Floor(math.Log10(math.Abs(v))))), 64)
}
