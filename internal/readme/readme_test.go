package readme

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
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
	require.Equal(t, "p62 2^12 linearity ok …\nx …\n12 ns of\n", mask("p62 2^12 linearity ok 1.5 µs\nx 3 s\n12 ns of\n"))
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

	const line = `{"field":"p62","op":"forward","n":1024,"batch":1,"scheme":"auto","literal":false,"base":0,"tier":"go","backend":"cpu","device":"","residency":"host","workers":1,"order":"natural","ns_min":%s,"ns_median":9000,"reps":11,"go":"go1.26","cpu":"A processor","commit":"0123456789","date":"%s"}` + "\n"
	write := func(name, s string) { require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(s), 0o666)) }
	write("a.jsonl", fmt.Sprintf(line, "5120", "2026-01-02")+fmt.Sprintf(line, "4000", "2025-01-02"))
	s, err = speed(dir)
	require.NoError(t, err)
	require.Contains(t, s, "| forward | p62 | 1024 | 1 | go | 5.12 µs | 1 ns | 0123456, 2026-01-02 |\n")
	require.NotContains(t, s, "2025")

	write("b.jsonl", `{"field":"p62","op":"forward","n":1024,"peer":"other"}`)
	again, err := speed(dir)
	require.NoError(t, err)
	require.Equal(t, s, again)
	write("b.jsonl", `{"field"`)
	_, err = speed(dir)
	require.ErrorContains(t, err, "b.jsonl")
}
