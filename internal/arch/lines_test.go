package arch

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// columns is the width of lines of Go and Markdown; a tab counts four.
const columns = 120

// Lines of source and text keep to 120 columns. Text inside quotation marks does not count, as it is not always
// possible to break, nor does what examples print; tables, code and drawings in Markdown may be wider.
func TestLines(t *testing.T) {
	for _, name := range tracked(t) {
		switch {
		case strings.HasSuffix(name, ".go"):
			for _, line := range wideGo(source(t, name)) {
				t.Errorf("%s:%d: more than %d columns", name, line, columns)
			}
		case strings.HasSuffix(name, ".md") && !strings.HasPrefix(name, "bench/results"):
			for _, line := range wideMarkdown(source(t, name)) {
				t.Errorf("%s:%d: more than %d columns", name, line, columns)
			}
		}
	}
}

func TestWide(t *testing.T) {
	long := strings.Repeat("word ", 30)
	require.Equal(t, []int{2, 4}, wideGo("a\n"+long+"\n\tf(\""+long+"\")\n// "+long+"\n`\n"+long+"`\n\t// Output:\n\t// "+long+"\n"))
	require.Equal(t, []int{1, 6}, wideMarkdown(long+"\n| "+long+"|\n```text\n"+long+"\n```\n* "+long+"\n"))
}

var quoted = regexp.MustCompile("`[^`]*`|\"(?:\\\\.|[^\"\\\\])*\"|'(?:\\\\.|[^'\\\\])*'")

// wideGo lists the lines of Go source that are too wide.
func wideGo(text string) (lines []int) {
	raw, output := false, false
	for i, line := range strings.Split(text, "\n") {
		inside := raw
		comment := strings.HasPrefix(strings.TrimSpace(line), "//")
		output = comment && (output || strings.HasSuffix(line, "utput:"))
		code := line
		if !comment {
			code = quoted.ReplaceAllString(line, `""`)
			if strings.Count(code, "`")%2 == 1 {
				raw = !raw
			}
		}
		if !inside && !raw && !output && width(code) > columns {
			lines = append(lines, i+1)
		}
	}
	return lines
}

// wideMarkdown lists the lines of prose that are too wide.
func wideMarkdown(text string) (lines []int) {
	block := false
	for i, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			block = !block
		}
		table := strings.HasPrefix(strings.TrimSpace(line), "|")
		if !block && !table && strings.Contains(strings.TrimSpace(line), " ") && width(line) > columns {
			lines = append(lines, i+1)
		}
	}
	return lines
}

func width(line string) int {
	return utf8.RuneCountInString(strings.ReplaceAll(line, "\t", "    "))
}

func source(t *testing.T, name string) string {
	text, err := os.ReadFile(filepath.Join("..", "..", name))
	require.NoError(t, err)
	return string(text)
}

// tracked lists the files of the repository.
func tracked(t *testing.T) []string {
	var names []string
	root := filepath.Join("..", "..")
	if out, err := exec.Command("git", "-C", root, "-c", "safe.directory=*", "ls-files").Output(); err == nil {
		return strings.Fields(string(out))
	}
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			if path, err = filepath.Rel(root, path); err == nil {
				names = append(names, filepath.ToSlash(path))
			}
		}
		return err
	})
	require.NoError(t, err)
	return names
}
