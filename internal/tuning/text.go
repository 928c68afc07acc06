package tuning

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/cpu"
)

// most is the size of the largest file that is read: 20000 lines.
const most = 4 << 20

// errLine is an ErrTuning with its place; line 0 is the file as a whole.
func errLine(file string, line int, err error) error {
	if line > 0 {
		file = fmt.Sprintf("%s:%d", file, line)
	}
	return fmt.Errorf("tuning: %w: %s: %w", field.ErrTuning, file, err)
}

// intro stands in front of every file.
var intro = []string{
	"Choices that galfft tune measured. Plans load this file: docs/tuning.md in galfft's repository.",
	"What stands before => is the key, what comes after it the choice; auto and 0 leave it to the plan.",
	"Lines may be removed. GALFFT_TUNE=off makes programs go without the file.",
}

const (
	first = "galfft-tuning " // and the number of the format
	last  = "end"
)

// head is the lines of the header.
func (h *Header) head() []struct {
	name  string
	value *string
} {
	name := "cpu"
	if h.Family {
		name = "family"
	}
	return []struct {
		name  string
		value *string
	}{{name, &h.CPU}, {"features", &h.Features}, {"tiers", &h.Tiers}, {"go", &h.Go}, {"module", &h.Module}}
}

// Text is the file of t: the same text for the same table.
func (t *Table) Text() []byte {
	var b []byte
	b = fmt.Appendf(b, "%s%d\n", first, Format)
	for _, line := range intro {
		b = fmt.Appendf(b, "# %s\n", line)
	}
	for _, p := range t.Header.head() {
		b = fmt.Appendln(b, p.name, *p.value)
	}
	var k Key
	for i, l := range t.Lines() {
		if i == 0 || l.Key.Form != k.Form || l.Key.Field != k.Field || l.Key.Tier != k.Tier {
			b = append(b, '\n')
		}
		k = l.Key
		b = fmt.Appendln(b, l)
	}
	for i, l := range t.Products() {
		if i == 0 {
			b = append(b, '\n')
		}
		b = fmt.Appendln(b, l)
	}
	for i, l := range t.Devices() {
		if i == 0 {
			b = append(b, '\n')
		}
		b = fmt.Appendln(b, l)
	}
	return append(b, "\n"+last+"\n"...)
}

// String is the line as it stands in a file.
func (l Line) String() string {
	k, v := l.Key, l.Tuned
	s := fmt.Sprintf("transform n=%d order=%v workers=%d batch=%t bytes=%d tier=%v form=%q field=%q => "+
		"scheme=%v base=%d strip=%d radix=%d twiddles=%v tasks=%d", k.N, k.Order, k.Workers, k.Batch, k.Bytes, k.Tier, k.Form,
		k.Field, v.Algorithm, v.Base, v.Strip, v.Radix, v.Twiddles, v.Tasks)
	if l.Note != "" {
		s += " # " + l.Note
	}
	return s
}

// String is the line as it stands in a file.
func (l ProductLine) String() string {
	s := fmt.Sprintf("product field=%q tier=%v => schoolbook=%d", l.Key.Field, l.Key.Tier, l.Tuned.Schoolbook)
	if l.Note != "" {
		s += " # " + l.Note
	}
	return s
}

// String is the line as it stands in a file.
func (l DeviceLine) String() string {
	s := fmt.Sprintf("device field=%q device=%q tier=%v => from=%d", l.Key.Field, l.Key.Device, l.Key.Tier, l.Tuned.From)
	if l.Tuned.Threads > 0 {
		s += fmt.Sprintf(" threads=%d", l.Tuned.Threads)
	}
	if l.Note != "" {
		s += " # " + l.Note
	}
	return s
}

// Parse reads the text of a file for the machine of here; file is its name, for errors and reports.
func Parse(file string, text []byte, here Header) (*Table, error) {
	t := newTable(Header{})
	if len(text) > most {
		return nil, errLine(file, 0, fmt.Errorf("%d bytes, want at most %d", len(text), most))
	}
	number, heading, ended := 0, 0, false
	for line := range strings.Lines(string(text)) {
		number++
		line, whole := strings.CutSuffix(line, "\n")
		bad := func(format string, args ...any) (*Table, error) {
			return nil, errLine(file, number, fmt.Errorf(format, args...))
		}
		switch {
		case !whole:
			return bad("cut off: the line does not end")
		case number == 1:
			if format, ok := strings.CutPrefix(line, first); ok && format != strconv.Itoa(Format) {
				return bad("format %.20q, want %d, that of this version: remove the file and measure again", format, Format)
			}
			if line != first+strconv.Itoa(Format) {
				return bad("%.80q, want %q: the file is no table", line, first+strconv.Itoa(Format))
			}
			continue
		case line == "" || line[0] == '#':
			continue
		case ended:
			return bad("%.80q after the end", line)
		case line == last:
			ended = true
			continue
		}
		if want := t.Header.head(); heading < len(want) {
			name, value, _ := strings.Cut(line, " ")
			if heading == 0 && name == "family" {
				t.Header.Family, want = true, (&Header{Family: true}).head()
			}
			if name != want[heading].name {
				return bad("%.80q, want a line of the header that starts with %q", line, want[heading].name)
			}
			*t.Header.head()[heading].value = value
			if heading++; heading == len(want) {
				if err := t.Header.foreign(here); err != nil {
					return nil, errLine(file, 0, err)
				}
			}
			continue
		}
		if err := t.parse(line, fmt.Sprintf("%s:%d", file, number)); err != nil {
			return bad("%w", err)
		}
	}
	switch {
	case number == 0:
		return nil, errLine(file, 0, errors.New("the file is empty"))
	case heading < len(t.Header.head()) || !ended:
		return nil, errLine(file, number, fmt.Errorf("cut off: want %q in the last line", last))
	}
	return t, nil
}

// parse adds a line, which is one where it is the String of what it says; source is its place.
func (t *Table) parse(line, source string) error {
	kind, rest, _ := strings.Cut(line, " ")
	w := &words{rest: " " + rest}
	switch kind {
	case "transform":
		l, err := w.transform(line)
		if err != nil {
			return err
		}
		if _, twice := t.lines[l.Key]; twice {
			return errTwice
		}
		l.Tuned.Source = source
		t.Add(l)
	case "product":
		l, err := w.product(line)
		if err != nil {
			return err
		}
		if _, twice := t.products[l.Key]; twice {
			return errTwice
		}
		l.Tuned.Source = source
		t.AddProducts(l)
	case "device":
		l, err := w.device(line)
		if err != nil {
			return err
		}
		if _, twice := t.devices[l.Key]; twice {
			return errTwice
		}
		l.Tuned.Source = source
		t.AddDevice(l)
	default:
		return fmt.Errorf("%.80q, want a line that starts with transform, product or device", line)
	}
	return nil
}

var errTwice = errors.New("a second line for this key")

// words are those of a line that are not read yet, each with a blank before it. After an error nothing is read.
type words struct {
	rest string
	err  error
}

// word reads a word that starts with name=, and sets a value by what follows.
func (w *words) word(name string, set func(v string) error) {
	if w.err != nil {
		return
	}
	v, ok := strings.CutPrefix(w.rest, " "+name+"=")
	if !ok {
		w.err = fmt.Errorf("%.80q, want %s= here", strings.TrimPrefix(w.rest, " "), name)
		return
	}
	end := strings.IndexByte(v, ' ')
	if end < 0 {
		end = len(v)
	}
	if strings.HasPrefix(v, `"`) {
		if quoted, bad := strconv.QuotedPrefix(v); bad == nil {
			end = len(quoted)
		}
	}
	v, w.rest = v[:end], v[end:]
	if bad := set(v); bad != nil {
		w.err = fmt.Errorf("%s=%.80s: %w", name, v, bad)
	}
}

func (w *words) number(name string, z *int, least, most int) {
	w.word(name, func(v string) (err error) {
		if *z, err = strconv.Atoi(v); err == nil && *z < least {
			err = fmt.Errorf("want at least %d", least)
		}
		if err == nil && *z > most {
			err = fmt.Errorf("want at most %d", most)
		}
		return err
	})
}

func (w *words) quoted(name string, z *string) {
	w.word(name, func(v string) (err error) { *z, err = strconv.Unquote(v); return err })
}

func (w *words) tier(z *cpu.Tier) {
	w.word("tier", func(v string) (err error) { *z, err = cpu.Parse(v); return err })
}

// arrow is what stands between the key and the choice.
func (w *words) arrow() {
	if w.err != nil {
		return
	}
	rest, ok := strings.CutPrefix(w.rest, " =>")
	if !ok {
		w.err = fmt.Errorf("%.80q, want => here", w.rest)
	}
	w.rest = rest
}

// note is the rest.
func (w *words) note() string {
	note, _ := strings.CutPrefix(w.rest, " # ")
	return note
}

func (w *words) transform(line string) (l Line, err error) {
	k, v := &l.Key, &l.Tuned
	w.number("n", &k.N, 1, math.MaxInt)
	w.word("order", func(v string) (err error) { k.Order, err = field.ParseOrder(v); return err })
	w.number("workers", &k.Workers, 1, math.MaxInt)
	w.word("batch", func(v string) (err error) { k.Batch, err = strconv.ParseBool(v); return err })
	w.number("bytes", &k.Bytes, 0, math.MaxInt)
	w.tier(&k.Tier)
	w.quoted("form", &k.Form)
	w.quoted("field", &k.Field)
	w.arrow()
	w.word("scheme", func(s string) (err error) { v.Algorithm, err = field.ParseAlgorithm(s); return err })
	w.number("base", &v.Base, 0, math.MaxInt)
	w.number("strip", &v.Strip, 0, math.MaxInt)
	w.number("radix", &v.Radix, 0, math.MaxInt)
	w.word("twiddles", func(s string) (err error) { v.Twiddles, err = field.ParseTwiddles(s); return err })
	w.number("tasks", &v.Tasks, 0, math.MaxInt)
	if w.err != nil {
		return l, w.err
	}
	l.Note = w.note()
	if err := same(l, line); err != nil {
		return l, err
	}
	if v.Tasks > k.Workers {
		return l, fmt.Errorf("tasks=%d, want at most the workers, %d", v.Tasks, k.Workers)
	}
	return l, v.Check()
}

// mostSchoolbook bounds crossovers, far above those of any field: a wrong digit must not make a product take hours.
const mostSchoolbook = 1 << 10

func (w *words) product(line string) (l ProductLine, err error) {
	w.quoted("field", &l.Key.Field)
	w.tier(&l.Key.Tier)
	w.arrow()
	w.number("schoolbook", &l.Tuned.Schoolbook, 0, mostSchoolbook)
	if w.err != nil {
		return l, w.err
	}
	l.Note = w.note()
	return l, same(l, line)
}

func (w *words) device(line string) (l DeviceLine, err error) {
	w.quoted("field", &l.Key.Field)
	w.quoted("device", &l.Key.Device)
	w.tier(&l.Key.Tier)
	w.arrow()
	w.number("from", &l.Tuned.From, 1, math.MaxInt)
	if w.err == nil && strings.HasPrefix(w.rest, " threads=") {
		w.number("threads", &l.Tuned.Threads, 1, 1024)
	}
	if w.err != nil {
		return l, w.err
	}
	l.Note = w.note()
	if t := l.Tuned.Threads; t > 0 && (t < 32 || t&(t-1) != 0) {
		return l, fmt.Errorf("threads=%d, want a power of two from 32 to 1024", t)
	}
	return l, same(l, line)
}

// same is an error where a line is not written as l is.
func same(l fmt.Stringer, line string) error {
	if l.String() != line {
		return fmt.Errorf("not in the form that is written, want %s", l)
	}
	return nil
}

// Read reads a file for the machine of here. What is no regular file is none: a pipe would make programs wait.
func Read(file string, here Header) (*Table, error) {
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() {
		return nil, errLine(file, 0, errors.New("not a regular file"))
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, errLine(file, 0, err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return nil, errLine(file, 0, err)
	}
	return Parse(file, text, here)
}
