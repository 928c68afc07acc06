package readme

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// listed are the figures and tables with measurements of the theses and the slides, by the document that has the list.
var listed = map[string][]string{
	"papers.md": {"figure 3.2", "figure 4.1", "figure 7.6", "figure 7.7", "figure 7.8", "figure 7.9", "figure 7.10",
		"figure 7.11", "figure 7.12", "figure 7.13", "figure 7.14", "figure 7.15", "figure 7.16", "figure 7.17",
		"figure 7.18", "figure 7.19", "figure 7.20", "figure 7.21", "figure 7.22", "table 7.1", "table 7.2",
		"table 7.3", "table 7.4", "table 7.5", "additive, Algorithm 4.2", "additive, chapter 8, slices",
		"additive, chapter 8, processor", "additive, section 4.2"},
	"gfpf.md": {"table 3.1", "figures 4.7–4.13", "algorithms 4.9, 4.10", "figures 5.1, 5.2", "figure 6.1", "tables 7.1–7.5",
		"figures 7.1, 7.2", "algorithm 4.6", "table A.1", "slides, arithmetic", "slides, P3", "slides, P4",
		"slides, throughput", "slides, examples"},
}

// Each of them has a row with a command that is there, a file that is there, and a verdict.
func TestLists(t *testing.T) {
	for name, want := range listed {
		text, err := os.ReadFile(filepath.Join(root, "docs", name))
		require.NoError(t, err)
		rows, err := listRows(string(text))
		require.NoError(t, err, name)
		var got []string
		for _, r := range rows {
			got = append(got, r[0])
			require.NoError(t, checkRow(r, root), "%s: %s", name, r[0])
		}
		require.Equal(t, want, got, name)
	}
}

// listRows returns the cells of the rows in the section "The list".
func listRows(text string) (rows [][]string, err error) {
	_, text, ok := strings.Cut(text, "\n## The list\n")
	if !ok {
		return nil, fmt.Errorf("no section The list")
	}
	text, _, _ = strings.Cut(text, "\n## ")
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| ---") || strings.HasPrefix(line, "| of the ") {
			continue
		}
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if len(cells) != 5 {
			return nil, fmt.Errorf("%q has %d cells, want 5", line, len(cells))
		}
		rows = append(rows, cells)
	}
	return rows, nil
}

var (
	verdict    = regexp.MustCompile(`^(holds|does not hold|cannot be compared: .{4})`)
	ofPapers   = regexp.MustCompile("^`go run -C bench (?:-tags gmp )?\\./((?:gpu)?papers) run (\\w+)`$")
	ofBench    = regexp.MustCompile("^`go run -C bench \\. (\\w+)(?: (results/\\S+) .*)?`$")
	ofTests    = regexp.MustCompile("^`go test (-C bench )?((?:\\S+ )+?)?-run (\\w+)`$")
	ofMeasures = regexp.MustCompile("^`go test -run '\\^\\$' -bench (\\w+) (\\S+)`$")
)

// checkRow is the first thing wrong in the row of a list.
func checkRow(cells []string, root string) error {
	if !verdict.MatchString(cells[4]) {
		return fmt.Errorf("verdict %q, want holds, does not hold, or cannot be compared: and why", cells[4])
	}
	links := link.FindAllStringSubmatch(cells[3], -1)
	if len(links) == 0 {
		return fmt.Errorf("no file in %q", cells[3])
	}
	for _, m := range links {
		if _, err := os.Stat(filepath.Join(root, "docs", m[1])); err != nil {
			return err
		}
	}
	command := cells[2]
	if m := ofPapers.FindStringSubmatch(command); m != nil {
		if err := mentions(filepath.Join(root, "bench", m[1], "main.go"), fmt.Sprintf("\t{%q, ", m[2])); err != nil {
			return err
		}
		return mentions(filepath.Join(root, "docs", links[0][1]), fmt.Sprintf(`"experiment":%q,`, m[2]))
	}
	if m := ofBench.FindStringSubmatch(command); m != nil {
		if m[2] != "" {
			if _, err := os.Stat(filepath.Join(root, "bench", m[2])); err != nil {
				return err
			}
		}
		return mentions(filepath.Join(root, "bench/commands.go"), fmt.Sprintf("\t{%q, ", m[1]))
	}
	if m := ofMeasures.FindStringSubmatch(command); m != nil {
		if err := function(filepath.Join(root, m[2]), "Benchmark"+m[1]); err != nil {
			return err
		}
		return mentions(filepath.Join(root, "docs", links[0][1]), "Benchmark"+m[1])
	}
	if m := ofTests.FindStringSubmatch(command); m != nil {
		for _, dir := range strings.Fields(m[2]) {
			if m[1] != "" {
				dir = filepath.Join("bench", dir)
			}
			if err := function(filepath.Join(root, dir), m[3]); err != nil {
				return err
			}
		}
		return nil
	}
	return fmt.Errorf("command %s is none that the list knows", command)
}

func mentions(file, text string) error {
	got, err := os.ReadFile(file)
	if err == nil && !strings.Contains(string(got), text) {
		err = fmt.Errorf("%s has no %s", file, text)
	}
	return err
}

// function finds a function in the tests of a directory.
func function(dir, name string) error {
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		return err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if strings.Contains(string(text), "\nfunc "+name+"(") {
			return nil
		}
	}
	return fmt.Errorf("%s has no function %s", dir, name)
}

// Rows with a command, a file or a verdict that is not there are found.
func TestListsFindWhatIsMissing(t *testing.T) {
	lines := "[x](../bench/results/2026-11-23-6b9f548-papers.jsonl)" // of b4, not of b1
	good := []string{"figure 7.7", "x", "`go run -C bench ./papers run b4`", lines, "holds"}
	require.NoError(t, checkRow(good, root))
	for _, c := range []struct {
		cell int
		text string
	}{
		{2, "`go run -C bench ./papers run b99`"}, {2, "`go run -C bench . nothing`"}, {2, "–"},
		{2, "`go run -C bench . draw results/none.txt x`"}, {2, "`go test ./crt ./nowhere -run TestSlides`"},
		{2, "`go test ./crt -run TestNothing`"}, {2, "`go test -run '^$' -bench Nothing ./gpu`"},
		{2, "`go test -run '^$' -bench Thesis ./gpu`"}, // the file has no such lines
		{2, "`go test -C bench ./papers -run TestNothing`"}, {2, "`go run -C bench ./papers run b1`"}, {3, "none"}, {3, "[x](none.md)"}, {4, ""}, {4, "perhaps"},
		{4, "cannot be compared"}, {4, "cannot be compared: "},
	} {
		bad := append([]string(nil), good...)
		bad[c.cell] = c.text
		require.Error(t, checkRow(bad, root), c.text)
	}
	for _, command := range []string{"`go run -C bench . contest`", "`go test . ./crt -run TestSlides`",
		"`go test -C bench ./papers -run TestCounts`"} {
		row := append([]string(nil), good...)
		row[2] = command
		require.NoError(t, checkRow(row, root), command)
	}
	_, err := listRows("# no list\n")
	require.Error(t, err)
	_, err = listRows("\n## The list\n\n| figure 1 | x | y |\n")
	require.Error(t, err)
}
