package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestMul(t *testing.T) {
	s := newSession(t, map[string]string{"a": "1 1", "b": "1 2 # comment\n\t3", "empty": "# nothing", "max": "16",
		"ones": strings.Repeat("1 ", 40)})
	s.expect("mul --field 998244353 a b", exitOK, "1\n3\n5\n3\n", "")
	s.expect("mul --field prime:0x11 max b", exitOK, "16\n15\n14\n", "")
	s.expect("mul --field prime:4294967311 a b", exitOK, "1\n3\n5\n3\n", "")
	s.expect("mul --field mersenne31 a b", exitOK, "1\n3\n5\n3\n", "") // small products need no root
	s.expect("mul --field p62 a empty", exitOK, "", "")
	s.expect("mul --field p62 --json a b", exitOK, `{"field":"p62","n":4,"values":["1","3","5","3"]}`+"\n", "")
	s.expect("mul --field p62 --n 3 b b", exitOK, "1\n4\n10\n12\n9\n", "")
	s.expect("mul --field p62 --workers 1 a a", exitOK, "1\n2\n1\n", "")
	s.expect("mul --field prime:2^61-1 a a", exitOK, "1\n2\n1\n", "")
	s.expect("mul --field prime:17 --cyclic 2^1 a b", exitOK, "6\n6\n", "")
	s.expect("mul --field prime:17 --negacyclic 2 a b", exitOK, "13\n0\n", "")
	s.expect("mul --field prime:17 --negacyclic 3 a b", exitOK, "15\n3\n5\n", "")
	s.expect("mul --field prime:17 --n 2 --cyclic 2 a empty", exitFailed, "", "empty:1:10: wrong length")
	s.expect("mul --field prime:17 --cyclic 3 a empty", exitOK, "0\n0\n0\n", "")
	for line, note := range map[string]string{
		"--field secp256k1":                    "products crt: the field has no roots of order 64",
		"--field bn254 --products crt":         "products crt: asked for",
		"--field goldilocks --products crt":    "products crt: asked for",
		"--field goldilocks --products native": "",
		"--field prime:2^61-1 --products auto": "products crt: the field has no roots of order 64",
	} {
		code, stdout, stderr := s.run(strings.Fields("mul ones ones " + line)...)
		if sum := strings.Fields(stdout); code != exitOK || len(sum) != 79 || sum[39] != "40" ||
			!strings.Contains(stderr, note) || note == "" && stderr != "" {
			t.Errorf("mul %s: exit code %d, %d coefficients, stderr %q, want %q", line, code, len(sum), stderr, note)
		}
	}
	s.expect("mul --field gfpf:k4 --products crt a a", exitUsage, "", "no convolutions through other primes")
	s.expect("mul --field secp256k1 --products native ones ones", exitFailed, "", "no root of unity of that order")
	for _, line := range []string{"mul --field goldilocks - b", "mul --field goldilocks b -"} {
		s.stdin = strings.NewReader("1\n1\n")
		s.expect(line, exitOK, "1\n3\n5\n3\n", "")
	}
}

// Errors of the content name the place.
func TestBadFiles(t *testing.T) {
	s := newSession(t, map[string]string{
		"ok": "1 2", "big": "1\n 17", "word": "1 two", "three": "1 2 3", "half.bin": "\x01\x00\x00",
		"big.bin": "\x01\x11",
	})
	for line, says := range map[string]string{
		"mul --field prime:17 ok big":                        "big:2:2: element 1: value out of range: \"17\", want 0 to p−1 for p = 17",
		"mul --field prime:17 word ok":                       `word:1:3: element 1: not a number of decimal digits: "two"`,
		"mul --field prime:17 --n 3 three ok":                "ok:1:4: wrong length: the file ends after 2 elements, want 3",
		"mul --field prime:17 --n 2 ok three":                "three:1:5: element 2: wrong length: the file goes on, want 2 elements",
		"mul --field prime:17 ok missing":                    "open missing: no such file",
		"run --field prime:257 --format binary half.bin":     "half.bin: byte 2: element 1: wrong length: the file ends after 1 of its 2 bytes",
		"run --field prime:17 --format binary big.bin":       "big.bin: byte 1: element 1: value out of range: 17",
		"run --field prime:17 --format binary --n 4 big.bin": "big.bin: byte 1: element 1: ",
		"run --field prime:17 three":                         "three: no root of unity of that order: order 3 does not divide p−1 for p = 17, whose 2-adicity is 4; the nearest that do: 2 and 4",
		"run --field mersenne31 --n 4 -":                     "stdin: no root of unity of that order: order 4 does not divide p−1 for p = 2147483647, whose 2-adicity is 1; the nearest that do: 3 and 6",
		"run --field prime:17 -o gone/x ok":                  "open gone/x: no such file",
		"run --field prime:17 -o . ok":                       ". is a directory, want a file",
	} {
		s.stdin = strings.NewReader("1 2 3 4")
		code, stdout, stderr := s.run(strings.Fields(line)...)
		if code != exitFailed || stdout != "" || !strings.HasPrefix(stderr, "galfft: "+says) &&
			!strings.Contains(stderr, says) {
			t.Errorf("galfft %s: exit code %d, stdout %q, stderr %q, want %d, none and %q", line, code, stdout, stderr,
				exitFailed, says)
		}
	}
	s.stdin = strings.NewReader("")
	s.expect("run --field p62 -", exitFailed, "", "stdin: wrong length: transform length 0, want at least 1")
}

func TestRun(t *testing.T) {
	s := newSession(t, map[string]string{"x": "0 1 0 0"})
	s.expect("run --field prime:17 x", exitOK, "1\n13\n16\n4\n", "")
	s.expect("run --field prime:17 --op forward --order bitrev x", exitOK, "1\n16\n13\n4\n", "")
	s.expect("run --field prime:17 --op coset --shift 2 x", exitOK, "2\n9\n15\n8\n", "")
	s.expect("run --field prime:17 --op negacyclic x", exitOK, "9\n15\n8\n2\n", "")
	s.expect("run --field prime:17 --op forward --base 2^1 x", exitOK, "1\n13\n16\n4\n", "")
	for _, op := range []string{"coset --shift 2", "negacyclic"} {
		_, stdout, _ := s.run(strings.Fields("run --field prime:17 x --op " + op)...)
		s.stdin = strings.NewReader(stdout)
		s.expect("run --field prime:17 - --op inverse-"+op, exitOK, "0\n1\n0\n0\n", "")
	}
	s.expect("run --field prime:17 --json --n 2^2 x", exitOK,
		`{"field":"prime:17","n":4,"values":["1","13","16","4"]}`+"\n", "")
	for _, scheme := range []string{"auto", "naive", "sixstep", "sixstep-merged", "fourstep"} {
		for _, order := range []string{"natural", "bitrev", "scheme"} {
			options := " --field p62 --base 2 --workers 2 --scheme " + scheme + " --order " + order
			code, stdout, _ := s.run(strings.Fields("run --op forward x" + options)...)
			if code != exitOK {
				t.Errorf("forward%s: exit code %d", options, code)
			}
			s.stdin = strings.NewReader(stdout)
			s.expect("run --op inverse -"+options, exitOK, "0\n1\n0\n0\n", "")
		}
	}
}

// Binary files go through -o and come back.
func TestBinary(t *testing.T) {
	s := newSession(t, map[string]string{"x": "\x01\x00\x00\x01"})
	s.expect("run --field prime:257 --op forward --format binary -o y x", exitOK, "", "")
	if got := s.read("y"); got != "\x00\x00\x02\x00" { // 1 + 256, 1 − 256
		t.Errorf("got %q", got)
	}
	s.expect("run --field prime:257 --op inverse --format binary -o - y", exitOK, "\x01\x00\x00\x01", "")
	if got := s.files(); !slices.Equal(got, []string{"x", "y"}) {
		t.Errorf("got the files %q", got)
	}
}

// A file changes only when a run succeeds, and keeps its mode and its links.
func TestOutput(t *testing.T) {
	s := newSession(t, map[string]string{"a": "1 1", "bad": "x", "out": "precious"})
	s.expect("mul --field p62 a bad -o out", exitFailed, "", "bad:1:1")
	if got := s.read("out"); got != "precious" {
		t.Errorf("a failed run left %q", got)
	}
	for _, line := range []string{"mul --field p62 a bad -o bad", "mul --field p62 bad a -o ./bad", "run --field p62 bad -o bad",
		"plot bad -o bad"} { // an input would be lost
		s.expect(line, exitUsage, "", "bad is an input as well, want another file")
	}
	s.expect("mul --field p62 a a -o b", exitOK, "", "")
	if got := s.read("b"); got != "1\n2\n1\n" {
		t.Errorf("got %q", got)
	}
	if runtime.GOOS != "windows" {
		if err := os.Symlink("out", s.path("link")); err != nil {
			t.Fatal(err)
		}
		s.expect("mul --field p62 b b --output link", exitOK, "", "")
		if got := s.read("out"); got != "1\n4\n6\n4\n1\n" {
			t.Errorf("through a link: got %q", got)
		}
		if info, err := os.Stat(s.path("out")); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("the mode became %v (error %v)", info.Mode(), err)
		}
		s.expect("mul --field p62 a a -o "+os.DevNull, exitOK, "", "")
		if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
			t.Errorf("%s was replaced", os.DevNull)
		}
		if err := os.Symlink("gone", s.path("loose")); err != nil {
			t.Fatal(err)
		}
		s.expect("mul --field p62 a a -o loose", exitFailed, "", "loose is a link to gone, which does not exist")
		if to, err := os.Readlink(s.path("loose")); to != "gone" {
			t.Errorf("the link that leads nowhere leads to %q (error %v)", to, err)
		}
		if got := s.files(); !slices.Equal(got, []string{"a", "b", "bad", "link", "loose", "out"}) {
			t.Errorf("got the files %q", got)
		}
	}
}

// Errors of a file name the one that was asked for, not the one that takes its place until it is complete.
func TestOutputErrors(t *testing.T) {
	s := newSession(t, nil)
	o, err := s.app.create(t.Context(), "out")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(s.path("out"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := o.commit(); err == nil || !strings.HasPrefix(err.Error(), "rename out: ") {
		t.Errorf("commit: error %v", err)
	}
	if _, err := o.Write([]byte("1")); err == nil || !strings.HasPrefix(err.Error(), "write out: ") { // it is closed
		t.Errorf("write: error %v", err)
	}
	o.discard()
	if got := s.files(); !slices.Equal(got, []string{"out"}) {
		t.Errorf("got the files %q", got)
	}
}

// A pipe without an end fills no more than the memory there is.
func TestEndless(t *testing.T) {
	s := newSession(t, nil)
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(1 << 20))
	long := strings.Repeat("1\n", 1<<20)
	s.stdin = strings.NewReader(long)
	s.expect("run --field goldilocks -", exitFailed, "",
		"stdin:32769:1: element 32768: not enough memory for 32769 elements")
	s.stdin = strings.NewReader(long)
	s.expect("run --field goldilocks --n 2^20 -", exitFailed, "", "--n N takes a file of N elements")
}

// A link to a pipe stays, and the result goes through it.
func TestOutputPipe(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs /proc")
	}
	s := newSession(t, map[string]string{"a": "1 1"})
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := os.Symlink(fmt.Sprintf("/proc/self/fd/%d", w.Fd()), s.path("link")); err != nil {
		t.Fatal(err)
	}
	s.expect("mul --field p62 a a -o link", exitOK, "", "")
	w.Close()
	if got, err := io.ReadAll(r); string(got) != "1\n2\n1\n" || err != nil {
		t.Errorf("got %q (error %v)", got, err)
	}
	if info, err := os.Lstat(s.path("link")); err != nil || info.Mode().Type() != os.ModeSymlink {
		t.Errorf("the link was replaced (error %v)", err)
	}
}

// A standard output that cannot be written is a failure.
func TestClosedOutput(t *testing.T) {
	s := newSession(t, map[string]string{"a": "1 1"})
	for _, line := range []string{"mul --field p62 a a", "mul --field p62 --json a a", "info",
		"verify --field p62 --n 2", "bench --field p62 --n 2 --op add --reps 1 --time 1us --seed 1"} {
		var stderr strings.Builder
		a := app{stdin: s.stdin, stdout: closedFile{}, stderr: &stderr, lookup: s.app.lookup}
		if code := a.run(t.Context(), strings.Fields(line)); code != exitFailed ||
			!strings.Contains(stderr.String(), "closed") {
			t.Errorf("galfft %s: exit code %d, stderr %q", line, code, stderr.String())
		}
	}
}

type closedFile struct{}

func (closedFile) Write([]byte) (int, error) { return 0, errors.New("closed") }

// A cancelled run ends at once, even while it waits for standard input, and leaves nothing behind.
func TestCancel(t *testing.T) {
	s := newSession(t, map[string]string{"a": "1 1", "out": "precious"})
	r, w := io.Pipe()
	defer w.Close()
	for _, line := range []string{
		"mul --field p62 a - -o out", "run --field p62 -", "verify --field p62 --n 2^20",
		"bench --field p62 --op forward --n 2^4 --time 1h",
		"bench --field p62 --op forward --scheme naive --n 2^18 --reps 1",
		"primes --bits 64 --adicity 0 --count 1000000000",
	} {
		s.stdin = r
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		start := time.Now()
		code, _, stderr := s.runContext(ctx, strings.Fields(line)...)
		cancel()
		if code != exitFailed || !strings.Contains(stderr, "galfft: cancelled\n") {
			t.Errorf("galfft %s: exit code %d, stderr %q", line, code, stderr)
		}
		if took := time.Since(start); took > time.Minute { // package internal/late counts what is done before the end
			t.Errorf("galfft %s: ended %v after it began", line, took)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, line := range []string{"info --field gfpf:P3", "info --field gfpf:P3 --n 2^20", "verify", "primes"} {
		code, stdout, stderr := s.runContext(ended, strings.Fields(line)...)
		if code != exitFailed || strings.Contains(stdout, "form") || stderr != "galfft: cancelled\n" {
			t.Errorf("galfft %s: exit code %d, stdout %q, stderr %q", line, code, stdout, stderr)
		}
	}
	if got := s.read("out"); got != "precious" {
		t.Errorf("a cancelled run left %q", got)
	}
	if got := s.files(); !slices.Equal(got, []string{"a", "out"}) {
		t.Errorf("got the files %q", got)
	}
}

// Long files stop being read and written between two blocks.
func TestContextFiles(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r, w := contextReader{ctx, strings.NewReader("abc")}, contextWriter{ctx, io.Discard}
	if _, err := r.Read(make([]byte, 1)); err != nil {
		t.Error(err)
	}
	if _, err := w.Write([]byte("a")); err != nil {
		t.Error(err)
	}
	cancel()
	if n, err := r.Read(make([]byte, 1)); n != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("read %d bytes with error %v", n, err)
	}
	if n, err := w.Write([]byte("a")); n != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("wrote %d bytes with error %v", n, err)
	}
}
