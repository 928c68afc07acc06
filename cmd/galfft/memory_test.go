//go:build linux

package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/galfft/fft/internal/testscale"
)

// commandLine names the words of the command that a process of TestPeakMemory runs.
const commandLine = "GALFFT_TEST_COMMAND"

// The most memory of the processes that encode ten times --memory, restore it, and repair it with losses, as the system
// counts it, is less than --memory; where that is less than 64 MiB, above what a process takes that encodes nothing.
func TestPeakMemory(t *testing.T) {
	if line := os.Getenv(commandLine); line != "" {
		os.Args = append([]string{"galfft"}, strings.Fields(line)...)
		main()
	}
	if raceEnabled {
		t.Skip("the race detector takes several times the memory")
	}
	limit, full := 16<<20, testscale.Of(t) >= testscale.Full
	if full {
		limit = 64 << 20
	}
	dir := t.TempDir()
	t.Chdir(dir)
	encode := fmt.Sprintf("encode --data 200 --parity 20 --memory %d --out ", limit)
	least := peak(t, encode+"none -", strings.NewReader(""), exitOK)
	if full {
		least = 0
	}
	run := func(command string, stdin io.Reader, code int) {
		t.Helper()
		if more := peak(t, command, stdin, code) - least; more >= limit {
			t.Errorf("%s: %d bytes beside %d, want less than %d", command, more, least, limit)
		}
	}
	run(encode+"set -", io.LimitReader(rand.NewChaCha8([32]byte{}), 10*int64(limit)), exitOK)
	for i := range 20 {
		if err := os.Remove(filepath.Join(dir, "set", fmt.Sprintf("%03d.shard", 7*i))); err != nil {
			t.Fatal(err)
		}
	}
	run("reconstruct --out again set", nil, exitOK)
	run("check --repair set", nil, exitRepairable)
}

// peak runs a command as a process, and returns the bytes that it had in memory at most. Rusage would tell those of
// this process, where it had more before the other one began.
func peak(t *testing.T, command string, stdin io.Reader, code int) (most int) {
	t.Helper()
	c := exec.Command(os.Args[0], "-test.run=^TestPeakMemory$")
	c.Env = append(os.Environ(), commandLine+"="+command, "GALFFT_EMULATOR=off")
	var text strings.Builder
	c.Stdin, c.Stdout, c.Stderr = stdin, &text, &text
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = c.Wait()
	}()
	for {
		b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", c.Process.Pid))
		if _, after, ok := strings.Cut(string(b), "VmHWM:"); ok {
			var kib int
			if _, err := fmt.Sscan(after, &kib); err != nil {
				t.Fatal(err)
			}
			most = kib << 10
		}
		select {
		case <-ended:
			if got := c.ProcessState.ExitCode(); got != code || most == 0 {
				t.Fatalf("%s: exit code %d, want %d; %d bytes: %s", command, got, code, most, text.String())
			}
			return most
		case <-time.After(time.Millisecond):
		}
	}
}
