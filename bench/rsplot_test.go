package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// The pictures of docs/rs.md are those of the file which the page names; what is no such file is an error.
func TestDrawRS(t *testing.T) {
	page, err := os.ReadFile("../docs/rs.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(regexp.MustCompile(`results/\S*-rs\.txt`).Find(page))
	for name, draw := range map[string]func(text, plot string) error{"rs.svg": drawRS, "rs-workers.svg": drawRSWorkers} {
		plot := filepath.Join(t.TempDir(), name)
		if err := draw(text, plot); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(plot)
		if err != nil {
			t.Fatal(err)
		}
		if want, err := os.ReadFile("../docs/" + name); err != nil || !bytes.Equal(got, want) {
			t.Errorf("docs/%s is not that of %s, %v", name, text, err)
		}
		if draw("main.go", plot) == nil || draw("none", plot) == nil {
			t.Error("what is no such file was drawn")
		}
	}
}
