package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// The pictures of docs/gpu.md are those of the file which the page names; what is no such file is an error.
func TestDrawGPU(t *testing.T) {
	page, err := os.ReadFile("../docs/gpu.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(regexp.MustCompile(`results/\S*-gpu-times\.txt`).Find(page))
	for name, contest := range map[string]bool{"gpu-thesis.svg": false, "gpu-contest.svg": true} {
		plot := filepath.Join(t.TempDir(), name)
		if err := drawGPU(text, plot, contest); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(plot)
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(filepath.Join("../docs", name))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("docs/%s is not that of %s, %v", name, text, err)
		}
		if drawGPU("main.go", plot, contest) == nil {
			t.Error("main.go was drawn")
		}
	}
	if drawGPU("none", filepath.Join(t.TempDir(), "x"), false) == nil {
		t.Error("no file was drawn")
	}
}
