//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/galfft/fft/internal/names"
	"github.com/galfft/fft/internal/tuning"
	"github.com/galfft/fft/internal/verbs"
)

// pipe makes a pipe in the directory of s.
func (s *session) pipe(name string) {
	s.t.Helper()
	if err := syscall.Mkfifo(s.path(name), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// whenWaiting runs a command line, ends its context when it waits, as far as one can say, and wants it to end.
func (s *session) whenWaiting(line string) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), 20*time.Millisecond)
	defer cancel()
	ended := make(chan string, 1)
	go func() {
		code, _, stderr := s.runContext(ctx, strings.Fields(line)...)
		if code != exitFailed {
			stderr = "succeeds"
		}
		ended <- stderr
	}()
	select {
	case stderr := <-ended:
		if stderr != "galfft: cancelled\n" {
			s.t.Errorf("galfft %s: %q", line, stderr)
		}
	case <-time.After(time.Minute):
		s.t.Fatalf("galfft %s waits on", line)
	}
}

// Commands that wait at a pipe end with their context: for its other end, for what comes out of it, and for room in it.
func TestPipes(t *testing.T) {
	s := newSession(t, map[string]string{"a": strings.Repeat("1 ", 1<<15), "lines": plotLine})
	s.pipe("in")
	s.pipe("out")
	verbs := []string{"run --field p62 in", "mul --field p62 a in", "mul --field p62 in a --format binary", "plot in",
		"run --field p62 a -o out", "mul --field p62 a a -o out", "plot lines -o out",
		"encode --data 2 --parity 1 --out none in", "reconstruct --out out set"}
	s.expect("encode --data 2 --parity 1 --out set a", exitOK, "", "")
	for _, line := range verbs { // nobody has the other end
		s.whenWaiting(line)
	}
	s.expect("run --field p62 -o in in", exitUsage, "", "in is an input as well")
	for _, name := range []string{"in", "out"} { // somebody has, and does nothing
		f, err := os.OpenFile(name, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if err := f.SetWriteDeadline(time.Now()); err != nil { // of a pipe that is full
			t.Fatal(err)
		}
		if name == "out" {
			fill(t, f)
		}
	}
	for _, line := range verbs {
		s.whenWaiting(line)
	}
}

// fill writes to a pipe until there is no more room.
func fill(t *testing.T, f *os.File) {
	t.Helper()
	raw, err := f.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	for size := 1 << 12; size > 0; {
		var failed error
		if err := raw.Control(func(fd uintptr) { _, failed = syscall.Write(int(fd), make([]byte, size)) }); err != nil {
			t.Fatal(err)
		}
		switch failed {
		case nil:
		case syscall.EAGAIN:
			size /= 2
		default:
			t.Fatal(failed)
		}
	}
}

// What goes through pipes is what goes through files.
func TestThroughPipes(t *testing.T) {
	s := newSession(t, map[string]string{"a": strings.Repeat("1 ", 1<<15)})
	s.pipe("in")
	s.pipe("out")
	_, want, _ := s.run("run", "--field", "p62", "a")
	go func() {
		if err := os.WriteFile("in", []byte(s.read("a")), 0); err != nil {
			t.Error(err)
		}
	}()
	got := make(chan []byte)
	go func() {
		b, err := os.ReadFile("out")
		if err != nil {
			t.Error(err)
		}
		got <- b
	}()
	s.expect("run --field p62 in -o out", exitOK, "", "")
	if string(<-got) != want {
		t.Error("what came out of the pipe is not the transform")
	}
}

// A write that waits fails after the end of its context, and one that has room still goes through.
func TestPatientWriter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		var b bytes.Buffer
		w := patientWriter{ctx, &b}
		if n, err := w.Write([]byte("a")); n != 1 || err != nil {
			t.Errorf("wrote %d bytes, error %v", n, err)
		}
		r, full := io.Pipe()
		defer r.Close()
		time.AfterFunc(time.Hour, cancel)
		start := time.Now()
		if n, err := (patientWriter{ctx, full}).Write([]byte("a")); n != 0 || err != context.Canceled {
			t.Errorf("wrote %d bytes, error %v", n, err)
		}
		if took := time.Since(start); took != time.Hour+moment {
			t.Errorf("ended after %v", took)
		}
		if n, err := w.Write([]byte("b")); n != 1 || err != nil || b.String() != "ab" {
			t.Errorf("after the end: wrote %d bytes, error %v, %q", n, err, b.String())
		}
	})
}

// One signal ends the program that waits for a pipe, at room in its standard output as well.
func TestSignal(t *testing.T) {
	const variable = "GALFFT_TEST_COMMAND"
	if line := os.Getenv(variable); line != "" {
		os.Args = append([]string{"galfft"}, strings.Fields(line)...)
		main()
	}
	s := newSession(t, map[string]string{"a": strings.Repeat("1 ", 1<<15)})
	s.pipe("pipe")
	for _, line := range []string{"run --field p62 a", "primes --count 9223372036854775807", "plot pipe"} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestSignal$")
		cmd.Env = append(os.Environ(), variable+"="+line)
		stdout, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(line, "pipe") {
			w, err := os.OpenFile("pipe", os.O_WRONLY, 0) // waits for the reader
			if err != nil {
				t.Fatal(err)
			}
			defer w.Close()
		} else if _, err := stdout.Read(make([]byte, 1)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(100 * time.Millisecond) // it waits by now, as far as one can say
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		kill := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
		if err := cmd.Wait(); cmd.ProcessState.ExitCode() != exitFailed {
			t.Errorf("galfft %s: %v", line, err)
		}
		kill.Stop()
	}
}

// A field whose opening takes long, such as one of a prime of thousands of bits, keeps no command from its end.
func TestOpeningStops(t *testing.T) {
	s := newSession(t, map[string]string{"a": "1", "lines": plotLine +
		strings.NewReplacer("p62", "machine", "forward", "copy").Replace(plotLine) +
		strings.NewReplacer("p62", "machine", "forward", "multiply").Replace(plotLine)})
	for _, line := range []string{"run --field slow a", "mul --field slow a a", "info --field slow", "tune --field slow --n 4",
		"verify --field slow --n 4", "bench --field slow --n 4", "plot --kind roofline lines"} {
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan struct{})
		s.app.lookup = func(name string) (names.Entry, error) {
			return names.Entry{Name: name, Open: func() (verbs.Field, error) {
				stop()
				<-ended
				return nil, errors.New("too late")
			}}, nil
		}
		code, _, stderr := s.runContext(ctx, strings.Fields(line)...)
		close(ended)
		if code != exitFailed || stderr != "galfft: cancelled\n" {
			t.Errorf("galfft %s: exit code %d, stderr %q", line, code, stderr)
		}
	}
}

// A pipe for a file of tuned values is an error, and nothing waits for it.
func TestTunedPipe(t *testing.T) {
	s := newSession(t, nil)
	s.pipe("tuned")
	if _, err := tuning.Read("tuned", tuning.Here()); err == nil || !strings.Contains(err.Error(), "tuned: not a regular file") {
		t.Errorf("error %v", err)
	}
	s.expect("tune --field p62 --n 4 -o tuned", exitFailed, "", "tuned: not a regular file")
}
