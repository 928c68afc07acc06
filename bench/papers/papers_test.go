package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
)

var update = flag.Bool("update", false, "write docs/papers.md and its drawings from the newest lines")

// Every experiment but the one that runs valgrind prints lines, of which drawings and tables are made.
func TestExperiments(t *testing.T) {
	var b bytes.Buffer
	for _, e := range experiments {
		if e.name == "b10" {
			continue // needs valgrind, and a minute; TestCounts has its parts
		}
		before := b.Len()
		if err := command([]string{"run", "-time", "0s", "-max", "8", "-commit", "test", e.name}, &b); err != nil {
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
	for _, s := range []string{"b2\n", "b3-order\n", "b4\n", "b9\n", "b11\n"} {
		if !strings.Contains(text.String(), "\n"+s) {
			t.Errorf("no table %s", s)
		}
	}
}

// The literal schemes that are timed compute what the definition says, by the loops of dispatch as well.
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
	w, p := levels(d), new(uint32)
	for name, do := range map[string]func(x []uint32){
		"concrete":       func(x []uint32) { concrete(f, x, w, p) },
		"type parameter": func(x []uint32) { parameter(f, x, w, p) },
		"interface":      func(x []uint32) { dynamic(f, x, w, p) },
	} {
		x := make([]uint32, 64)
		for i := range x {
			x[field.Rev(i, 6)] = d.x[i]
		}
		do(x)
		if fmt.Sprint(x) != fmt.Sprint(want) {
			t.Errorf("%s: %v, want %v", name, x, want)
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
		nil, {"run"}, {"run", "b5"}, {"run", "b1", "b99"}, {"run", "all", "b1"}, {"charts", "x"}, {"tables"},
		{"tables", "none.jsonl"}, {"charts", "none.jsonl", "x"},
		{"transform", "-scheme", "none"}, {"transform", "-n", "3000000000"}, {"other"},
	} {
		if err := command(args, &bytes.Buffer{}); err == nil {
			t.Errorf("%q passed", args)
		}
	}
}

// docs/papers.md has the tables of the newest lines, and docs/papers its drawings; -update writes them.
func TestDocument(t *testing.T) {
	found, err := filepath.Glob("../results/*-papers.jsonl")
	if err != nil || len(found) == 0 {
		t.Fatalf("no lines in results: %v", err)
	}
	file := found[len(found)-1]
	all, err := readLines(file)
	if err != nil {
		t.Fatal(err)
	}
	const document, drawings = "../../docs/papers.md", "../../docs/papers"
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Base(file)
	source := table{"source", fmt.Sprintf("Lines: [%s](../bench/results/%s),\ncommit %s, %s, %s, %s.\n", name, name,
		all[0].Commit, all[0].Date, all[0].CPU, all[0].Go)}
	got := string(text)
	for _, b := range append(report(all), source) {
		block := regexp.MustCompile(`(?s)<!-- ` + b.name + ` -->\n.*?<!-- end -->`)
		if !block.MatchString(got) {
			t.Errorf("%s has no place for %s", document, b.name)
		}
		got = block.ReplaceAllLiteralString(got, "<!-- "+b.name+" -->\n\n"+b.text+"\n<!-- end -->")
	}
	if *update {
		if err := os.WriteFile(document, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := charts(file, drawings); err != nil {
			t.Fatal(err)
		}
	} else if got != string(text) {
		t.Errorf("%s has other tables than %s: go test -C bench ./papers -run Document -update", document, file)
	}
	for _, d := range draw(all) {
		if svg, err := os.ReadFile(filepath.Join(drawings, d.name+".svg")); err != nil || !bytes.Equal(svg, d.svg) {
			t.Errorf("%s/%s.svg is not what the lines give: %v", drawings, d.name, err)
		}
		if !strings.Contains(got, "papers/"+d.name+".svg") {
			t.Errorf("%s does not show %s", document, d.name)
		}
	}
}
