package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/galfft/fft/field"
)

// peer is a rival's program, and the name that lines give it.
type peer struct{ name, path string }

// addPeer reads NAME=PATH.
func (s *session) addPeer(text string) error {
	name, path, ok := strings.Cut(text, "=")
	if !ok || name == "" || path == "" || name == shipped {
		return fmt.Errorf("rival %q, want NAME=PATH", text)
	}
	s.peers = append(s.peers, peer{name, path})
	return nil
}

// texts is a field whose elements have decimal texts.
type texts[E any] interface {
	rooted[E]
	field.Codec[E]
}

// rivals starts the programs that have the transform of t, in natural order on both sides, and compares their values
// with ours. end ends them.
func (t *data[E]) rivals(s *session, workers int) (list []contender, end func(), err error) {
	var running []*rival
	end = func() {
		for _, r := range running {
			r.close()
		}
	}
	f, ok := t.f.(texts[E])
	if !ok {
		return nil, end, nil
	}
	for _, p := range s.peers {
		r, err := startRival(p, workers)
		if err != nil {
			end()
			return nil, nil, fmt.Errorf("%s: %w", p.name, err)
		}
		running = append(running, r)
		has, err := opened(r, f, t)
		if err == nil && has {
			err = compared(r, f, t)
		}
		if err != nil {
			end()
			return nil, nil, fmt.Errorf("%s, %s of %d points: %w", p.name, f.Name(), t.d.N, err)
		}
		if has {
			l := line{Field: f.Name(), Contender: p.name, What: "forward", N: t.d.N, Workers: workers, Peer: true}
			list = append(list, contender{line: l, own: r.runs})
		}
	}
	return list, end, nil
}

// rival is a program that runs.
type rival struct {
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
}

func startRival(p peer, workers int) (*rival, error) {
	c := exec.Command(p.path)
	c.Stderr, c.Env = os.Stderr, append(os.Environ(), "THREADS="+strconv.Itoa(workers))
	in, err := c.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return nil, err
	}
	// A process has the processors of the thread that begins it, and this one may be pinned to one of them.
	started := make(chan error)
	go func() { started <- c.Start() }()
	return &rival{c, in, bufio.NewReader(out)}, <-started
}

func (r *rival) close() { _ = errors.Join(r.in.Close(), r.command.Wait()) }

func (r *rival) ask(command string) (string, error) {
	if _, err := io.WriteString(r.in, command+"\n"); err != nil {
		return "", err
	}
	answer, err := r.out.ReadString('\n')
	return strings.TrimSpace(answer), err
}

// opened asks for the transform, and reports whether r has it.
func opened[E any](r *rival, f texts[E], t *data[E]) (bool, error) {
	answer, err := r.ask(fmt.Sprintf("open transform %v %d %s", f.Characteristic(), t.d.N, f.AppendText(nil, &t.d.Root)))
	if err != nil || answer == "no" || strings.HasPrefix(answer, "no ") {
		return false, err
	}
	if !strings.HasPrefix(answer, "ok ") {
		return false, fmt.Errorf("it answers %q, want ok and its name, or no", answer)
	}
	return true, nil
}

// compared runs both sides once.
func compared[E any](r *rival, f texts[E], t *data[E]) error {
	ours, err := t.transform(form{})
	if err != nil {
		return err
	}
	if err := ours.Forward(context.Background(), t.y, t.x); err != nil {
		return err
	}
	text := []byte("load")
	for i := range t.x {
		text = f.AppendText(append(text, ' '), &t.x[i])
	}
	if _, err := r.ask(string(text)); err != nil {
		return err
	}
	if _, err := r.ask("run 0"); err != nil {
		return err
	}
	values, err := r.ask("values")
	if err != nil {
		return err
	}
	list := strings.Fields(values)
	if len(list) != t.d.N {
		return fmt.Errorf("%d values, want %d", len(list), t.d.N)
	}
	for i, v := range list {
		if want := string(f.AppendText(nil, &t.y[i])); v != want {
			return fmt.Errorf("value %d is %.40s, want %.40s", i, v, want)
		}
	}
	return nil
}

// runs is the sample of a contender: the least time of one run, so many times.
func (r *rival) runs(runs int) (time.Duration, error) {
	const turn = 10 * time.Millisecond
	answer, err := r.ask(fmt.Sprintf("run %d", turn))
	if err != nil {
		return 0, err
	}
	ns, err := strconv.ParseFloat(answer, 64)
	if err != nil || ns <= 0 {
		return 0, fmt.Errorf("a rival answers %.40q, want its time", answer)
	}
	return time.Duration(ns * float64(runs)), nil
}
