package main

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// progress shows on one line how far the work is: for people only, and only when it takes long.
type progress struct {
	mu    sync.Mutex
	w     io.Writer // nil shows nothing
	next  time.Time // when to show something again
	width int       // of the line that stands there
}

const (
	progressAfter = time.Second
	progressEvery = 100 * time.Millisecond
)

func (a *app) progress() *progress {
	p := &progress{next: time.Now().Add(progressAfter)}
	if a.terminal {
		p.w = a.stderr
	}
	return p
}

// show replaces the line.
func (p *progress) show(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if p.w == nil || now.Before(p.next) {
		return
	}
	p.next = now.Add(progressEvery)
	p.write(fmt.Sprintf(format, args...))
}

// clear removes the line.
func (p *progress) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.width > 0 {
		p.write("")
		fmt.Fprint(p.w, "\r")
	}
}

func (p *progress) write(line string) {
	fmt.Fprintf(p.w, "\r%s%s", line, strings.Repeat(" ", max(0, p.width-len(line))))
	p.width = len(line)
}

// steps is a plan's progress function for one stage of the work.
func (p *progress) steps(stage string) func(done, total int) {
	return func(done, total int) { p.show("%s: %d %%", stage, 100*done/max(1, total)) }
}

// reader shows how much was read.
func (p *progress) reader(name string, r io.Reader) io.Reader { return &countingReader{p, name, r, 0} }

type countingReader struct {
	p    *progress
	name string
	r    io.Reader
	n    int64
}

func (c *countingReader) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.n += int64(n)
	c.p.show("%s: %d MB", c.name, c.n>>20)
	return n, err
}
