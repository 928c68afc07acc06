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

	"github.com/galfft/fft/internal/emulator"
)

func TestMain(m *testing.M) { os.Exit(emulator.Main(m, "bench/gpupapers")) }

// Every experiment compares values with the processor's, and prints lines.
func TestExperiments(t *testing.T) {
	emulator.Need(t)
	most := "10"
	if !emulator.Emulates() {
		most = "20"
	}
	var b bytes.Buffer
	require.NoError(t, command([]string{"run", "-time", "0s", "-max", most, "-commit", "test", "all"}, &b))
	if emulator.Emulates() { // matrices of several tiles
		require.NoError(t, command([]string{"run", "-time", "0s", "-max", "12", "-commit", "test", "permute"}, &b))
	}
	for _, e := range experiments {
		require.Greater(t, strings.Count(b.String(), `"experiment":"`+e.name+`"`), 4, e.name)
	}
}

// The PTX that is kept was compiled from the sources that are kept.
func TestSources(t *testing.T) {
	text, err := source()
	require.NoError(t, err)
	headers, err := filepath.Glob("../../kernels/cuda/*.cuh")
	require.NoError(t, err)
	h := sha256.New()
	for _, name := range append([]string{"experiments.cu"}, headers...) {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		fmt.Fprintf(h, "%s %d\n%s", filepath.Base(name), len(text), text)
	}
	require.Contains(t, text, fmt.Sprintf("\n// Sources: %x\n", h.Sum(nil)), "go run ./kernels/cuda/_gen")
	const f = ".visible .entry f(\n.param .u64 p\n)\n{\n.reg .b64 %rd<2>;\nld.param.u64 %rd1, [p];\n@%p1 bra $L;\n$L:\n" +
		"ret;\n\n}\n"
	require.Equal(t, 3, instructions(f, "f"))
}

var update = flag.Bool("update", false, "write the tables of docs/gpu.md from the newest lines")

// docs/gpu.md has the tables of the newest lines, and names their file; -update writes them.
func TestDocument(t *testing.T) {
	files, err := filepath.Glob("../results/*-gpupapers.jsonl")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	newest := files[len(files)-1]
	lines, err := readLines(newest)
	require.NoError(t, err)
	const document = "../../docs/gpu.md"
	text, err := os.ReadFile(document)
	require.NoError(t, err)
	got, last := string(text), lines[len(lines)-1]
	name := filepath.Base(newest)
	blocks := append(tables(lines), table{"gpupapers", fmt.Sprintf("[%s](../bench/results/%s),\ncommit %s, %s, on one %s.\n",
		name, name, last.Commit, last.Date, last.Device)})
	require.Len(t, blocks, len(experiments)+1)
	for _, b := range blocks {
		place := regexp.MustCompile(`(?s)<!-- ` + b.name + ` -->\n.*?<!-- end -->`)
		require.Regexp(t, place, got, b.name)
		got = place.ReplaceAllLiteralString(got, "<!-- "+b.name+" -->\n\n"+b.text+"\n<!-- end -->")
	}
	if *update {
		require.NoError(t, os.WriteFile(document, []byte(got), 0o666))
		return
	}
	require.True(t, got == string(text), "docs/gpu.md has other tables: go test -C bench ./gpupapers -run Document -update")
}
