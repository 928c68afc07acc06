package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// The picture of docs/rs.md is that of the file which the page names; what is no such file is an error.
func TestDrawRS(t *testing.T) {
	page, err := os.ReadFile("../docs/rs.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(regexp.MustCompile(`results/\S*-rs\.txt`).Find(page))
	plot := filepath.Join(t.TempDir(), "rs.svg")
	if err := drawRS(text, plot); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(plot)
	if err != nil {
		t.Fatal(err)
	}
	if want, err := os.ReadFile("../docs/rs.svg"); err != nil || !bytes.Equal(got, want) {
		t.Errorf("docs/rs.svg is not that of %s, %v", text, err)
	}
	if drawRS("main.go", plot) == nil || drawRS("none", plot) == nil {
		t.Error("what is no such file was drawn")
	}
}
