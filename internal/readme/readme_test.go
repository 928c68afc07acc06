package readme

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write README.md")

const root = "../.."

func TestREADME(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("the commands of README.md need a shell: ", err)
	}
	uses(t, "cmd/galfft", "examples/hello")
	dir, err := filepath.Abs(root)
	require.NoError(t, err)
	want, err := (&generator{dir, t.TempDir()}).generate()
	require.NoError(t, err)
	name := filepath.Join(root, "README.md")
	if *update {
		require.NoError(t, os.WriteFile(name, want, 0o666))
	}
	got, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got), "README.md is stale: go test ./internal/readme -update")
}

// uses reads the files of commands, so that go test takes no cached result after one of them has changed.
func uses(t *testing.T, dirs ...string) {
	for _, dir := range dirs {
		files, err := filepath.Glob(filepath.Join(root, dir, "*.go"))
		require.NoError(t, err)
		require.NotEmpty(t, files)
		for _, name := range files {
			_, err := os.ReadFile(name)
			require.NoError(t, err)
		}
	}
}

func TestMask(t *testing.T) {
	require.Equal(t, "p62 2^12 linearity ok …\nx …\n12 ns of\n",
		mask("p62 2^12 linearity ok 1.5 µs\nx 3 s\n12 ns of\n"))
	require.Equal(t, `{"n":4,"ns_min":…,"go":"…"}`, mask(`{"n":4,"ns_min":1.25e+06,"go":"go1.26"}`))
}

// Commands that end otherwise than the text says are errors, and so are files and functions that are gone.
func TestGeneratorFails(t *testing.T) {
	g := &generator{root, t.TempDir()}
	for _, command := range []string{"exit 1", "nosuchcommand"} {
		_, err := g.console(command)
		require.ErrorContains(t, err, "want 0")
	}
	_, err := g.fails(2, "exit 1")
	require.ErrorContains(t, err, "exit code 1, want 2")
	_, err = g.code("examples/none.go")
	require.Error(t, err)
	_, err = g.body("examples/hello/main.go", "none")
	require.ErrorContains(t, err, "no function none")
	s, err := g.fails(3, "echo out; echo err >&2; exit 3")
	require.NoError(t, err)
	require.Equal(t, "```console\n$ echo out; echo err >&2; exit 3\nout\nerr\n```", s)
}

func TestSpeed(t *testing.T) {
	dir := t.TempDir()
	s, err := speed(dir)
	require.NoError(t, err)
	require.Empty(t, s)

	const line = `{"field":"p62","op":"forward","n":1024,"batch":1,"scheme":"auto","ran":"depth-first","base":0,"tier":"go","backend":"cpu","device":"","residency":"host","workers":1,"order":"natural","ns_min":%s,"ns_median":9000,"reps":11,"go":"go1.26","cpu":"A processor","commit":"0123456789","date":"%s"}` + "\n"
	write := func(name, s string) { require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(s), 0o666)) }
	write("a.jsonl", fmt.Sprintf(line, "5120", "2026-01-02")+fmt.Sprintf(line, "4000", "2025-01-02"))
	s, err = speed(dir)
	require.NoError(t, err)
	require.Contains(t, s, "one A processor,")
	require.Contains(t, s, "\n| p62 | 5.12 µs | | | | go | 0123456, 2026-01-02 |\n")
	require.NotContains(t, s, "2025")

	write("b.jsonl", `{"field":"p62","op":"forward","n":1024,"peer":"other"}`)
	again, err := speed(dir)
	require.NoError(t, err)
	require.Equal(t, s, again)
	write("b.jsonl", `{"field"`)
	_, err = speed(dir)
	require.ErrorContains(t, err, "b.jsonl")

	// Other fields, lengths, orders and workers are left out, and lines of other processors than the latest.
	var all strings.Builder
	for _, name := range []string{"p30", "p31", "p62", "p63", "gfpf:k8"} {
		for k := range 24 {
			l := fmt.Sprintf(line, "5", "2026-01-03")
			l = strings.NewReplacer("p62", name, ":1024", fmt.Sprintf(":%d", 1<<k)).Replace(l)
			for _, r := range []*strings.Replacer{
				strings.NewReplacer(),
				strings.NewReplacer("natural", "bitrev", ":5,", ":4,"),
				strings.NewReplacer(`"workers":1`, `"workers":2`, ":5,", ":4,"),
				strings.NewReplacer("A processor", "Another", "2026-01-03", "2026-01-02", "p30", "p50"),
				strings.NewReplacer("forward", "polymul", ":5,", ":9,"),
			} {
				all.WriteString(r.Replace(l))
			}
		}
	}
	write("b.jsonl", all.String())
	s, err = speed(dir)
	require.NoError(t, err)
	_, rows, _ := strings.Cut(s, " |\n| p30")
	require.Equal(t, " | 5 ns | 5 ns | 5 ns | 9 ns | go | 0123456, 2026-01-03 |\n"+
		"| p62 | 5 ns | 5 ns | 5 ns | 9 ns | go | 0123456, 2026-01-03 |\n"+
		"| gfpf:k8 | 5 ns | 5 ns | 5 ns | 9 ns | go | 0123456, 2026-01-03 |\n", rows)
	require.LessOrEqual(t, len(speedFields), 15, "rows of the README")
}

// Word primes of every class of arithmetic are among the fields of the table of times, and it says with what they were
// measured; the table of fields has no ticks.
func TestTables(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "README.md"))
	require.NoError(t, err)
	_, times, ok := strings.Cut(string(text), "\n## Speed\n")
	require.True(t, ok)
	times, _, _ = strings.Cut(times, "\n## ")
	rows := 0
	for l := range strings.Lines(times) {
		if strings.HasPrefix(l, "| ") && !strings.HasPrefix(l, "| ---") {
			rows++
		}
	}
	require.Equal(t, 1+len(speedFields), rows)
	require.Regexp(t, `, on one \S.*, by `, times)
	require.Contains(t, times, " | tier | ")
	require.NotContains(t, string(text), "✓")
}
