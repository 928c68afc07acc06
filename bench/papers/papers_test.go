package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bigprime/gmp"
	"github.com/galfft/fft/field/smallprime"
)

var update = flag.Bool("update", false, "write docs/papers.md and its drawings from the newest lines")

// Every experiment but the one that runs valgrind prints lines, of which drawings and tables are made.
func TestExperiments(t *testing.T) {
	var b bytes.Buffer
	for _, e := range experiments {
		if e.name == "b10" || e.name == "longest" {
			continue // needs valgrind and a minute, or gigabytes: TestCounts and TestLongest have parts
		}
		before := b.Len()
		err := command([]string{"run", "-time", "0s", "-rounds", "1", "-max", "8", "-commit", "test", e.name}, &b)
		if (e.name == "b5" || e.name == "b7") && !gmp.Available {
			if !errors.Is(err, gmp.ErrUnavailable) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: %v, want one line that GMP is missing", e.name, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(b.Bytes()[before:], []byte(`"experiment":"`+e.name+`"`)); n < 3 {
			t.Errorf("%s: %d lines", e.name, n)
		}
	}
	dir := t.TempDir()
	lines := filepath.Join(dir, "lines.jsonl")
	if err := os.WriteFile(lines, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := command([]string{"charts", lines, dir}, nil); err != nil {
		t.Fatal(err)
	}
	drawings, err := filepath.Glob(filepath.Join(dir, "*.svg"))
	if err != nil || len(drawings) < 20 {
		t.Errorf("%d drawings, %v", len(drawings), err)
	}
	var text bytes.Buffer
	if err := command([]string{"tables", lines}, &text); err != nil {
		t.Fatal(err)
	}
	tables := []string{"b2\n", "b3-order\n", "b4\n", "b9\n", "b11\n", "parts\n", "mont\n", "variants\n",
		"pairs\n", "additive\n", "phases\n"}
	if gmp.Available {
		tables = append(tables, "b5\n", "b7\n", "b7-bases\n")
	}
	for _, s := range tables {
		if !strings.Contains(text.String(), "\n"+s) {
			t.Errorf("no table %s", s)
		}
	}
}

// Samples end after so many rounds, and where a limit is set at the latest when they took so long together: the first
// run of a long one is a sample, too.
func TestLimit(t *testing.T) {
	for _, c := range []struct {
		each, limit time.Duration
		want        int
	}{{10 * time.Millisecond, 0, 4}, {10 * time.Millisecond, 25 * time.Millisecond, 3},
		{10 * time.Millisecond, time.Second, 4}, {time.Second, time.Millisecond, 1}, {time.Second, 0, 4}} {
		var b bytes.Buffer
		s := &session{w: &b, rounds: 4, limit: c.limit}
		if err := s.measure(contender{own: func(runs int) (time.Duration, error) {
			return time.Duration(runs) * c.each, nil
		}}); err != nil {
			t.Fatal(err)
		}
		if want := fmt.Sprintf(`"samples":%d,`, c.want); !strings.Contains(b.String(), want) {
			t.Errorf("runs of %v, limit %v: %s, want %s", c.each, c.limit, b.String(), want)
		}
	}
}

// wholeLines fails where what is written at once does not end with a line.
type wholeLines struct {
	t *testing.T
	bytes.Buffer
}

func (w *wholeLines) Write(b []byte) (int, error) {
	if !bytes.HasSuffix(b, []byte("\n")) {
		w.t.Errorf("%q is no whole line", b)
	}
	return w.Buffer.Write(b)
}

// Lines are written whole, and one that a kill left half is no reason to refuse the others.
func TestKilled(t *testing.T) {
	w := wholeLines{t: t}
	if err := command([]string{"run", "-time", "0s", "-max", "8", "-commit", "test", "b1"}, &w); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "lines.jsonl")
	count := bytes.Count(w.Bytes(), []byte("\n"))
	if err := os.WriteFile(file, w.Bytes()[:w.Len()-9], 0o666); err != nil {
		t.Fatal(err)
	}
	if all, err := readLines(file); err != nil || len(all) != count-1 {
		t.Errorf("%d lines of %d, the last one half; error %v", len(all), count, err)
	}
}

// The literal schemes that are timed compute what the definition says, by each way to call.
func TestLoops(t *testing.T) {
	f := smallprime.P1()
	d, err := newData(f, 64)
	if err != nil {
		t.Fatal(err)
	}
	s := &session{}
	c, err := d.forward(s, shipped, form{Spec: field.Spec{Algorithm: field.Naive}})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.run(); err != nil {
		t.Fatal(err)
	}
	want := append([]uint32(nil), d.y...)
	calls := newCalls(d)
	for _, w := range callWays(f) {
		for _, a := range literals {
			for _, base := range kernels {
				clear(d.y)
				calls.run(w, a, base)
				if fmt.Sprint(d.y) != fmt.Sprint(want) {
					t.Errorf("%s, %v, base %d: %v, want %v", w.name, a, base, d.y, want)
				}
			}
		}
	}
}

func TestCounts(t *testing.T) {
	c, err := parseCounts(`==1== I   refs:      9,747,963
==1== I1  misses:       13,769
==1== LLi misses:        2,881
==1== D   refs:      4,020,200  (2,578,150 rd + 1,442,050 wr)
==1== D1  misses:       17,312  (12,627 rd + 4,685 wr)
==1== LLd misses:        8,447  ( 4,697 rd + 3,750 wr)
==1== D1  miss rate:       0.4%
==1== LL refs:          31,081
==1== LL misses:        11,328
`)
	if want := (counts{9747963, 4020200, 13769, 17312, 11328}); err != nil || c != want {
		t.Errorf("%+v, %v; want %+v", c, err, want)
	}
	if _, err := parseCounts("==1== I refs: 1"); err == nil {
		t.Error("a part of a summary passed")
	}
	for _, scheme := range append(names3(), shipped) {
		if err := command([]string{"transform", "-scheme", scheme, "-n", "64", "-times", "2"}, nil); err != nil {
			t.Error(err)
		}
	}
}

func TestRefuses(t *testing.T) {
	for _, args := range [][]string{
		nil, {"run"}, {"run", "b1", "b99"}, {"run", "-workers", "0", "b4"}, {"run", "-rounds", "0", "b4"},
		{"run", "-workers", "4,2", "b4"}, {"run", "-limit", "-1s", "b4"},
		{"run", "-bases", "2,3", "b4"}, {"run", "-peer", "x", "b3"}, {"run", "-peer", "x=", "b3"},
		{"run", "-peer", shipped + "=y", "b3"}, {"run", "-max", "4", "-peer", "x=/nonexistent", "b3"}, {"run", "all", "b1"}, {"charts", "x"}, {"tables"},
		{"tables", "none.jsonl"}, {"charts", "none.jsonl", "x"},
		{"transform", "-scheme", "none"}, {"transform", "-n", "3000000000"}, {"other"},
	} {
		if err := command(args, &bytes.Buffer{}); err == nil {
			t.Errorf("%q passed", args)
		}
	}
}

// recorded returns the lines of results, of each experiment those of the file that was begun last, and says where they
// are.
func recorded(t *testing.T) (all []line, sources string) {
	files, err := filepath.Glob("../results/*-papers.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no lines in results: %v", err)
	}
	byFile := map[string][]line{}
	for _, name := range files {
		if byFile[name], err = readLines(name); err != nil || len(byFile[name]) == 0 {
			t.Fatalf("%s: %d lines, %v", name, len(byFile[name]), err)
		}
	}
	slices.SortStableFunc(files, func(a, b string) int { return strings.Compare(byFile[a][0].Date, byFile[b][0].Date) })
	file := map[string]string{} // of an experiment
	for _, name := range files {
		lines := byFile[name]
		for _, l := range lines {
			file[l.Experiment] = filepath.Base(name)
		}
		all = append(slices.DeleteFunc(all, func(l line) bool { return file[l.Experiment] == filepath.Base(name) }),
			lines...)
	}
	for _, name := range slices.Compact(values(all, func(l line) string { return file[l.Experiment] })) {
		var of []string
		var last line
		for _, e := range experiments {
			if file[e.name] == name {
				of, last = append(of, strings.Replace(e.name, "b", "B-", 1)), results(all).of(e.name, "")[0]
			}
		}
		sources += fmt.Sprintf("* [%s](../bench/results/%s):\n  %s;\n  commit %s, %s, %s, %s.\n", name, name,
			strings.Join(of, ", "), last.Commit[:7], last.Date[:len(time.DateOnly)], last.CPU, last.Go)
	}
	return all, sources
}

// Every named field of README.md with transforms of powers of two has lines of base cases.
func TestSwept(t *testing.T) {
	all, _ := recorded(t)
	lines := results(all).of("b11", "")
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("(?m)^\\| `([^`]+)` \\|.* 2-adicity (at least )?[0-9]+ \\|$").FindAllStringSubmatch(string(text), -1)
	if len(named) < 30 {
		t.Fatalf("README.md has %d fields", len(named))
	}
	for _, m := range named {
		if !slices.ContainsFunc(lines, func(l line) bool { return l.Field == m[1] }) {
			t.Errorf("%s has no lines", m[1])
		}
	}
}

// docs/papers.md has the tables of the newest lines and shows their drawings, which are in docs/papers, and no others;
// -update writes them.
func TestDocument(t *testing.T) {
	all, sources := recorded(t)
	const document, drawings = "../../docs/papers.md", "../../docs/papers"
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	if err := readRecorded(); err != nil {
		t.Fatal(err)
	}
	blocks := append(report(all), table{"source", sources})
	drawn, shown := map[string][]byte{}, map[string]string{} // by file, and by experiment
	for _, d := range draw(all) {
		name, _, _ := strings.Cut(d.name, "-")
		drawn[d.name+".svg"] = d.svg
		shown[name] += fmt.Sprintf("![](papers/%s.svg)\n", d.name)
	}
	for name, list := range shown {
		blocks = append(blocks, table{name + "-drawings", list})
	}
	got := string(text)
	for _, b := range blocks {
		block := regexp.MustCompile(`(?s)<!-- ` + b.name + ` -->\n.*?<!-- end -->`)
		if !block.MatchString(got) {
			t.Errorf("%s has no place for %s", document, b.name)
		}
		got = block.ReplaceAllLiteralString(got, "<!-- "+b.name+" -->\n\n"+b.text+"\n<!-- end -->")
	}
	if *update {
		if err := os.RemoveAll(drawings); err != nil {
			t.Fatal(err)
		}
		if err := paint(all, drawings); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(document, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if got != string(text) {
		t.Errorf("%s has other tables than the lines: go test -C bench ./papers -run Document -update", document)
	}
	there, err := os.ReadDir(drawings)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range there {
		svg, err := os.ReadFile(filepath.Join(drawings, f.Name()))
		if want, ok := drawn[f.Name()]; err != nil || !ok || !bytes.Equal(svg, want) {
			t.Errorf("%s/%s is not what the lines give: %v", drawings, f.Name(), err)
		}
		delete(drawn, f.Name())
	}
	for name := range drawn {
		t.Errorf("%s/%s is missing", drawings, name)
	}
}
