package main

import (
	"bytes"
	"regexp"
	"testing"
)

// A field has a table for each number of workers of batches, and of extensions, with a line for each length.
func TestColumns(t *testing.T) {
	var b bytes.Buffer
	if err := columns(&b, 4, 6, "p62", 1, "c"); err != nil {
		t.Fatal(err)
	}
	for pattern, want := range map[string]int{
		`(?m)^p62, workers 1$`: 1, `(?m)^p62, workers 2$`: 1, `(?m)^p62, workers [12], extensions$`: 2,
		`(?m)^2\^[46] ( +\d+\.\d\d \d+\.\d\d){9}$`: 4, `(?m)^2\^[46] ( +\d+\.\d\d){9}$`: 4,
	} {
		if got := len(regexp.MustCompile(pattern).FindAll(b.Bytes(), -1)); got != want {
			t.Errorf("%d times %s, want %d:\n%s", got, pattern, want, b.String())
		}
	}
}
