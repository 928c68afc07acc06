package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// remove removes files.
func (s *session) remove(names ...string) {
	s.t.Helper()
	for _, name := range names {
		if err := os.Remove(s.path(name)); err != nil {
			s.t.Error(err)
		}
	}
}

// A file comes back from what is left of its shards, and the exit code says how much that is.
func TestShards(t *testing.T) {
	text := strings.Repeat("some text, ", 1000)
	s := newSession(t, map[string]string{"a": text})
	s.expect("encode --data 4 --parity 2 --out set a", exitOK, "", "")
	const about = ": a file of 11000 bytes, 4 + 2 shards, vandermonde\n"
	s.expect("check set", exitOK, "intact"+about, "")
	s.expect("encode --data 4 --parity 2 --out set a", exitFailed, "", "the target exists")

	s.remove("set/001.shard")
	if err := os.Truncate("set/002.shard", 2000); err != nil {
		t.Error(err)
	}
	missing := "001.shard: shard 1: missing\n"
	cut := filepath.Join("set", "002.shard") + ": shard 2: truncated, bad blocks: 2\n"
	s.expect("check set", exitRepairable, missing+cut+"repairable"+about, "")
	s.expect("reconstruct --out b set", exitOK, "", "")
	if got := s.read("b"); got != text {
		t.Errorf("%d bytes, want those of before", len(got))
	}
	s.expect("reconstruct --out b set", exitFailed, "", "the target exists")
	s.expect("reconstruct --out - set", exitOK, text, "")
	s.expect("check --repair set", exitRepairable, missing+cut+"repaired"+about, "")
	s.expect("check --repair set", exitOK, "intact"+about, "")

	s.remove("set/000.shard", "set/003.shard", "set/005.shard")
	for _, line := range []string{"reconstruct --out c set", "reconstruct --out - set"} {
		s.expect(line, exitBeyond, "", "galfft: damage beyond repair: a stripe has 3 good blocks, want 4; 000.shard: shard 0: missing; ")
	}
	code, stdout, _ := s.run("check", "--json", "set")
	var r checkReport
	if err := json.Unmarshal([]byte(stdout), &r); err != nil || code != exitBeyond || r.State != "beyond repair" ||
		r.Bytes != 11000 || len(r.Findings) != 3 || r.Findings[1].First != 3 {
		t.Errorf("exit code %d, %s, %v", code, stdout, err)
	}
	s.expect("check --repair set", exitBeyond, strings.Join([]string{missingShard(0), missingShard(3), missingShard(5)}, "")+
		"beyond repair"+about, "")
	s.expect("check .", exitBeyond, "", "damage beyond repair: 0 shards are there")
	s.expect("check nowhere", exitFailed, "", "reading failed")
	if got := strings.Join(s.files(), " "); got != "a b set" {
		t.Errorf("files %s, want a b set", got)
	}
}

func missingShard(i int) string {
	return strings.Replace("00#.shard: shard #: missing\n", "#", string(rune('0'+i)), 2)
}

// Streams and directories go the same way, through several directories.
func TestShardsOf(t *testing.T) {
	s := newSession(t, nil)
	s.stdin = strings.NewReader("from a pipe")
	s.expect("encode --data 3 --parity 2 --memory 1MiB --code leopard16 --out set -", exitOK, "", "")
	for _, dir := range []string{"one", "two", "tree", "tree/empty"} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Error(err)
		}
	}
	for _, move := range [][2]string{{"set/000.shard", "one/000.shard"}, {"set/001.shard", "two/001.shard"},
		{"set/004.shard", "two/renamed.shard"}} {
		if err := os.Rename(move[0], move[1]); err != nil {
			t.Error(err)
		}
	}
	s.expect("reconstruct --out - one two", exitOK, "from a pipe", "")
	s.expect("reconstruct --out - two", exitBeyond, "", "a stripe has 2 good blocks, want 3")

	when := time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)
	if err := os.Chtimes("tree/empty", when, when); err != nil {
		t.Error(err)
	}
	s.expect("encode --data 3 --parity 2 --out tree.shards tree", exitOK, "", "")
	s.remove("tree.shards/000.shard")
	s.expect("reconstruct --out again tree.shards", exitOK, "", "")
	if info, err := os.Stat("again/empty"); err != nil || !info.ModTime().Equal(when) {
		t.Errorf("%v, %v, want a directory of %v", info, err, when)
	}
}
