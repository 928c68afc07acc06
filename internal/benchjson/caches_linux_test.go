package benchjson

import (
	"os"
	"path/filepath"
	"testing"
)

func TestCaches(t *testing.T) {
	dir := t.TempDir()
	for i, c := range [][3]string{{"Data", "1", "48K"}, {"Instruction", "1", "32K"}, {"Unified", "2", "2048K"}} {
		index := filepath.Join(dir, "index"+string(rune('0'+i)))
		if err := os.Mkdir(index, 0o777); err != nil {
			t.Fatal(err)
		}
		for j, key := range []string{"type", "level", "size"} {
			if err := os.WriteFile(filepath.Join(index, key), []byte(c[j]+"\n"), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got, want := cachesIn(dir), "L1 48K, L2 2048K"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if err := os.Remove(filepath.Join(dir, "index2", "size")); err != nil {
		t.Fatal(err)
	}
	if got := cachesIn(dir) + cachesIn(filepath.Join(dir, "none")); got != "" {
		t.Errorf("got %q of a system that does not tell", got)
	}
}
