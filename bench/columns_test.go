package main

import (
	"bytes"
	"regexp"
	"testing"
)

// A field has a table for each number of workers of batches, and of extensions, with a line for each length.
func TestColumns(t *testing.T) {
	var b bytes.Buffer
	if err := columns(&b, &settings{least: 4, most: 6, filter: "p62", budget: 1, commit: "c", counts: columnCounts,
		workers: []int{1, 2}}); err != nil {
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

// Numbers of columns and workers are lists of numbers above 0.
func TestNumbers(t *testing.T) {
	list := []int{9}
	if err := numbers(&list)("3,17"); err != nil || len(list) != 2 || list[0] != 3 || list[1] != 17 {
		t.Errorf("3,17: %v, %v", list, err)
	}
	for _, text := range []string{"", "0", "-1", "2,", "x"} {
		if err := numbers(&list)(text); err == nil {
			t.Errorf("%q is a list", text)
		}
	}
}
