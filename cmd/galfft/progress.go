package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
)

// progress shows on one line how far the work of a command is, as a bar over all of its parts: for people only, and
// only when it takes long.
type progress struct {
	mu    sync.Mutex
	w     io.Writer     // nil shows nothing
	next  time.Time     // when to show something again
	every time.Duration // between two times
	parts int           // of the work, which count alike
	part  int           // that runs
	share float64       // of it that is done
	note  string        // what it does
	since time.Time     // when it began with that
	shown bool          // the line was shown at least once
	width int           // of the line that stands there
}

// pace says how long work takes that shows progress, and how often that is shown.
type pace struct{ after, every time.Duration }

const barWidth = 30

func (a *app) progress(parts int) *progress {
	p := &progress{next: time.Now().Add(a.pace.after), every: a.pace.every, parts: parts}
	if a.terminal {
		p.w = a.stderr
	}
	return p
}

// at tells how much of the part that runs is done.
func (p *progress) at(share float64, note string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.share = max(p.share, min(1, share)) // never back
	now := time.Now()
	if note != p.note {
		p.note, p.since = note, now
	}
	p.drawAt(now, note)
}

// drawAt draws the line with a note, where it is time to.
func (p *progress) drawAt(now time.Time, note string) {
	if p.w != nil && !now.Before(p.next) {
		p.next = now.Add(p.every)
		p.draw(note)
	}
}

// wait goes on to draw the line, with the seconds that have passed since the last news, for work that does not tell how
// far it is. It ends with over.
func (p *progress) wait() (over func()) {
	if p.w == nil {
		return func() {}
	}
	end, ended := make(chan struct{}), make(chan struct{})
	ticker := time.NewTicker(max(p.every, time.Millisecond))
	go func() {
		defer close(ended)
		defer ticker.Stop()
		for {
			select {
			case <-end:
				return
			case now := <-ticker.C:
				p.mu.Lock()
				if p.note != "" {
					p.drawAt(now, fmt.Sprintf("%s, %d s", p.note, int(now.Sub(p.since).Seconds())))
				}
				p.mu.Unlock()
			}
		}
	}()
	return func() {
		close(end)
		<-ended
	}
}

// over ends a part.
func (p *progress) over() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.part, p.share, p.note = p.part+1, 0, ""
}

// hide removes the line until there is news.
func (p *progress) hide() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.width > 0 {
		p.write("")
		fmt.Fprint(p.w, "\r")
	}
}

// finish ends a bar that was shown at 100 %.
func (p *progress) finish() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		p.part, p.share, p.note = p.parts, 0, ""
		p.draw("")
		fmt.Fprintln(p.w)
		p.w, p.width, p.shown = nil, 0, false
	}
}

func (p *progress) draw(note string) {
	done := 1.0
	if p.part < p.parts { // what is not over is not at its end
		done = min(0.99, (float64(p.part)+p.share)/float64(p.parts))
	}
	full := int(done * barWidth)
	bar := strings.Repeat("#", full) + strings.Repeat(" ", barWidth-full)
	p.write(strings.TrimRight(fmt.Sprintf("[%s] %3d %%  %s", bar, int(100*done), note), " "))
	p.shown = true
}

func (p *progress) write(line string) {
	width := len([]rune(line))
	fmt.Fprintf(p.w, "\r%s%s", line, strings.Repeat(" ", max(0, p.width-width)))
	p.width = width
}

// calls is a progress function for so many calls that have one each: of plans, or one for a measurement.
func (p *progress) calls(n int, note string) func(done, total int) {
	over := 0
	return func(done, total int) {
		p.at((float64(over)+float64(done)/float64(max(1, total)))/float64(n), note)
		if done == total {
			over++
		}
	}
}

// flow is a progress function for bytes of a total, or of nobody knows how many where that is negative: with their
// rate, and the time that is left of the part that runs. Bytes that begin again are the next part.
func (p *progress) flow() func(done, total int64) {
	start, last := time.Now(), int64(0)
	return func(done, total int64) {
		if done < last {
			p.over()
			start = time.Now()
		}
		last = done
		rate := float64(done) / max(time.Since(start).Seconds(), 1e-3)
		note, share := fmt.Sprintf("%d MB, %.0f MB/s", done>>20, rate/(1<<20)), 0.0
		if total > 0 {
			share = float64(done) / float64(total)
			note += fmt.Sprintf(", %.0f s left", float64(total-done)/max(rate, 1))
		}
		p.at(share, note)
	}
}

// reader is a part that reads r, of which size is unknown where it is 0.
func (p *progress) reader(name string, r io.Reader, size int64) io.Reader {
	return &countingReader{p: p, name: name, r: r, size: size}
}

type countingReader struct {
	p       *progress
	name    string
	r       io.Reader
	n, size int64
	over    bool
}

func (c *countingReader) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.n += int64(n)
	share := 0.0
	if c.size > 0 {
		share = float64(c.n) / float64(c.size)
	}
	c.p.at(share, fmt.Sprintf("%s: %d MB", c.name, c.n>>20))
	if err == io.EOF && !c.over {
		c.over = true
		c.p.over()
	}
	return n, err
}

// fileSize is the size of a file, or 0 where it is none that has one, as a pipe.
func fileSize(name string) int64 {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return 0
	}
	return info.Size()
}
