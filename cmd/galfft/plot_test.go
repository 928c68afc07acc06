package main

import (
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const plotLine = `{"field":"p62","op":"forward","n":16,"ns_min":64,"cpu":"A"}` + "\n"

// Plot draws what bench wrote: for terminals, to standard output, or to a file that appears when it is complete.
func TestPlot(t *testing.T) {
	s := newSession(t, map[string]string{"old.svg": "old"})
	code, lines, _ := s.run(strings.Fields("bench --field p62 --op forward --n 2^3..2^4 --reps 1 --time 1us --json")...)
	if code != exitOK {
		t.Fatal("bench fails")
	}
	s.stdin = strings.NewReader(lines)
	if code, stdout, stderr := s.run("plot"); code != exitOK || !strings.HasPrefix(stdout, "Time per butterfly\n") ||
		!strings.Contains(stdout, "\na  p62\n") {
		t.Errorf("plot: exit code %d, stdout %s, stderr %s", code, stdout, stderr)
	}
	for _, width := range []int{0, 100} { // of no terminal, and of one
		s.app.width = width
		s.stdin = strings.NewReader(lines)
		want := "+" + strings.Repeat("-", cmp.Or(width, 80)-16) + "\n"
		if _, stdout, _ := s.run("plot"); !strings.Contains(stdout, want) {
			t.Errorf("width %d: %s", width, stdout)
		}
	}
	if err := os.WriteFile("lines", []byte(lines), 0o666); err != nil {
		t.Fatal(err)
	}
	_, svg, _ := s.run("plot", "-o", "-", "lines", "--where", "field=p62")
	s.expect("plot lines -o old.svg", exitOK, "", "")
	if got := s.read("old.svg"); got != svg || !strings.HasPrefix(got, "<svg ") {
		t.Errorf("got %s, want %s", got, svg)
	}
}

// What the machine does, and transforms below it, make a roofline.
func TestRoofline(t *testing.T) {
	s := newSession(t, nil)
	code, lines, stderr := s.run(strings.Fields("bench --machine --n 2^4 --reps 1 --time 1us --json")...)
	if code != exitOK || strings.Count(lines, `"field":"machine"`) != 2 {
		t.Fatalf("exit code %d, lines %s, stderr %s", code, lines, stderr)
	}
	_, more, _ := s.run(strings.Fields("bench --field p62 --op forward --n 2^3..2^4 --reps 1 --time 1us --json")...)
	s.stdin = strings.NewReader(lines + more)
	code, stdout, stderr := s.run("plot", "--kind", "roofline")
	if code != exitOK || !strings.Contains(stdout, "\na  p62\nb  roof: ") {
		t.Errorf("exit code %d, stdout %s, stderr %s", code, stdout, stderr)
	}
	s.expect("bench --machine --op add", exitUsage, "", "--machine takes no --field and no --op")
	s.expect("bench --machine --field p62", exitUsage, "", "--machine takes no --field and no --op")
	s.expect("bench --machine --order bitrev", exitUsage, "", "operation copy takes no order")
}

func TestPlotFails(t *testing.T) {
	s := newSession(t, map[string]string{"old.svg": "old", "a": plotLine, "b": strings.Replace(plotLine, `"A"`, `"B"`, 1),
		"c": plotLine + "{\n", "d": plotLine + `{"machine":1}`, "e": "",
		"f": plotLine + strings.NewReplacer("p62", "machine", "forward", "copy").Replace(plotLine) +
			strings.NewReplacer("p62", "machine", "forward", "multiply").Replace(plotLine)})
	s.expect("plot none", exitFailed, "", "no such file")
	s.expect("plot -o old.svg e", exitFailed, "", "galfft: e has no lines, want what galfft bench --json writes")
	s.expect("plot -o old.svg", exitFailed, "", "stdin has no lines")
	s.expect("plot -o old.svg a b", exitFailed, "", `b, line 1 is of a machine with "B", and a, line 1 with "A"`)
	s.expect("plot -o old.svg c", exitFailed, "", "c, line 2: not whole, or no JSON object")
	s.expect("plot -o old.svg d", exitFailed, "", `d, line 2: a key "machine", which no measurement has`)
	s.expect("plot -o old.svg a --kind pie", exitUsage, "", `want one of ["times"`)
	s.expect("plot -o old.svg a --where field", exitUsage, "", `--where "field": want KEY=VALUE`)
	s.expect("plot -o old.svg a --where field=p50", exitUsage, "", `no line has field=p50, lines have ["p62"]`)
	s.expect("plot -o old.svg a --where x=1", exitUsage, "", `lines are not chosen by "x"`)
	s.expect("plot -o . a", exitFailed, "", "is a directory")
	if code, stdout, _ := s.run("plot", "--kind", "roofline", "f"); code != exitOK || !strings.HasPrefix(stdout, "Roofline\n") {
		t.Errorf("roofline: exit code %d, stdout %s", code, stdout)
	}
	other := strings.Replace(plotLine, "p62", "q", 1)
	s.stdin = strings.NewReader(other + s.read("f"))
	s.expect("plot --kind roofline", exitFailed, "", `stdin, line 1: unknown field "q"`)
	if s.read("old.svg") != "old" || len(s.files()) != 7 {
		t.Errorf("a file was changed: %q", s.files())
	}
}

// The pictures of the documents are those that the commands of docs/plots.md draw.
func TestPictures(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(root, "docs", "plots.md"))
	if err != nil {
		t.Fatal(err)
	}
	s := newSession(t, nil)
	commands := regexp.MustCompile(`(?m)^galfft (plot .*)-o docs/(\S+\.svg)(( .*)?)$`).FindAllStringSubmatch(string(page), -1)
	if len(commands) < 2 {
		t.Fatalf("docs/plots.md has %d commands that draw", len(commands))
	}
	for _, c := range commands {
		args := strings.Fields(c[1] + c[3])
		for i, a := range args {
			if strings.HasPrefix(a, "bench/results/") {
				args[i] = filepath.Join(root, filepath.FromSlash(a))
			}
		}
		code, got, stderr := s.run(append(args, "-o", "-")...)
		want, err := os.ReadFile(filepath.Join(root, "docs", c[2]))
		if code != exitOK || err != nil || got != string(want) {
			t.Errorf("%s: exit code %d, %s%v: docs/%s is not what the command draws", c[0], code, stderr, err, c[2])
		}
	}
}
