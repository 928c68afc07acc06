package main

import (
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/bench/registercache/forms"
	"github.com/galfft/fft/internal/emulator"
)

func TestMain(m *testing.M) { os.Exit(emulator.Main(m, "bench/registercache")) }

// Every experiment compares all values with the processor's, and prints lines.
func TestExperiments(t *testing.T) {
	emulator.Need(t)
	var b bytes.Buffer
	require.NoError(t, command([]string{"run", "-time", "0s", "-values", "5000", "-most", "10", "-bits", "160",
		"-checked", "67", "-points", "7", "-commit", "test", "all"}, &b))
	for _, e := range experiments {
		require.GreaterOrEqual(t, strings.Count(b.String(), `"experiment":"`+e.name+`"`), 4, e.name)
	}
}

// The kernels are those that forms writes, and their PTX was compiled from them.
func TestSources(t *testing.T) {
	text, err := forms.Source()
	require.NoError(t, err)
	kept, err := os.ReadFile("registercache.cu")
	require.NoError(t, err)
	require.True(t, text == string(kept), "go run -C bench ./registercache/_gen")
	ptx, err := source()
	require.NoError(t, err)
	headers, err := filepath.Glob("../../kernels/cuda/*.cuh")
	require.NoError(t, err)
	h := sha256.New()
	for _, name := range append([]string{"registercache.cu"}, headers...) {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		fmt.Fprintf(h, "%s %d\n%s", filepath.Base(name), len(text), text)
	}
	require.Contains(t, ptx, fmt.Sprintf("\n// Sources: %x\n", h.Sum(nil)), "go run ./kernels/cuda/_gen")
}

var update = flag.Bool("update", false, "write the tables of docs/registercache.md from the newest lines")

// docs/registercache.md has the tables of the newest lines, but for experiments that did not run, and names their file;
// -update writes them.
func TestDocument(t *testing.T) {
	files, err := filepath.Glob("../results/*-registercache.jsonl")
	require.NoError(t, err)
	if len(files) == 0 {
		t.Skip("no card has run it yet")
	}
	newest := files[len(files)-1]
	lines, err := readLines(newest)
	require.NoError(t, err)
	const document = "../../docs/registercache.md"
	text, err := os.ReadFile(document)
	require.NoError(t, err)
	got, last := string(text), lines[len(lines)-1]
	name := filepath.Base(newest)
	blocks := append(tables(lines), table{"source", fmt.Sprintf(
		"[%s](../bench/results/%s),\ncommit %s, %s, on one %s beside an\n%s.\n", name, name, last.Commit, last.Date, last.Device,
		last.CPU)})
	for _, b := range blocks {
		place := regexp.MustCompile(`(?s)<!-- ` + b.name + ` -->\n.*?<!-- end -->`)
		require.Regexp(t, place, got, b.name)
		got = place.ReplaceAllLiteralString(got, "<!-- "+b.name+" -->\n\n"+b.text+"\n<!-- end -->")
	}
	if *update {
		require.NoError(t, os.WriteFile(document, []byte(got), 0o666))
	}
	require.Equal(t, got, string(text), "go -C bench test ./registercache -run TestDocument -update")
}
