package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"
)

// openInput opens a file for reading, or standard input for "-". Reads fail when ctx ends, even one that waits, as for
// the other end of a pipe: what is no regular file is opened and read beside.
func (a *app) openInput(ctx context.Context, name string) (io.ReadCloser, error) {
	open := func() (io.ReadCloser, error) { return os.Open(name) }
	if name == "-" {
		stdin := io.NopCloser(a.stdin)
		open = func() (io.ReadCloser, error) { return stdin, nil }
	} else if info, err := os.Stat(name); err != nil || info.Mode().IsRegular() || info.IsDir() {
		f, err := open()
		if err != nil {
			return nil, err
		}
		return input{contextReader{ctx, f}, f.Close}, nil
	}
	r, w := io.Pipe()
	go func() { // ends when there is no more to read, or when its next piece finds r closed
		f, err := open()
		if err == nil {
			_, err = io.Copy(w, f)
			err = errors.Join(err, f.Close())
		}
		w.CloseWithError(err)
	}()
	stop := context.AfterFunc(ctx, func() { w.CloseWithError(ctx.Err()) })
	return input{r, func() error { stop(); return r.Close() }}, nil
}

// input is a reader with a way to close what is behind it.
type input struct {
	io.Reader
	close func() error
}

func (i input) Close() error { return i.close() }

// inputName is the name of an input in messages.
func inputName(name string) string {
	if name == "-" {
		return "stdin"
	}
	return name
}

type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (r contextReader) Read(b []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(b)
}

type contextWriter struct {
	ctx context.Context
	w   io.Writer
}

func (w contextWriter) Write(b []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.w.Write(b)
}

// patientWriter writes to what may wait for somebody else, as a pipe that is full. When ctx ends, a write has a moment
// left, which is enough where there is room; one that still waits then goes on alone, and fails here.
type patientWriter struct {
	ctx context.Context
	w   io.Writer
}

// moment is how long a write may take after the end of its context.
const moment = 50 * time.Millisecond

func (w patientWriter) Write(b []byte) (int, error) {
	type result struct {
		n   int
		err error
	}
	done := make(chan result, 1)
	own := bytes.Clone(b) // for the one that goes on alone
	go func() {
		n, err := w.w.Write(own)
		done <- result{n, err}
	}()
	select {
	case r := <-done:
		return r.n, r.err
	case <-w.ctx.Done():
	}
	select {
	case r := <-done:
		return r.n, r.err
	case <-time.After(moment):
		return 0, w.ctx.Err()
	}
}

// openPipe opens what is no regular file for writing, which may wait for a reader, until ctx ends.
func openPipe(ctx context.Context, name string) (*os.File, error) {
	type result struct {
		f   *os.File
		err error
	}
	done := make(chan result)
	go func() {
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		select {
		case done <- result{f, err}:
		case <-ctx.Done():
			if err == nil {
				_ = f.Close()
			}
		}
	}()
	select {
	case r := <-done:
		return r.f, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// apart is an error where the output is one of the inputs: it would take the place of what it is made of.
func apart(output string, inputs []string) error {
	if output == "" || output == "-" {
		return nil
	}
	out, err := os.Stat(output)
	if err != nil || out.Mode()&fs.ModeCharDevice != 0 { // of a terminal, both ends may be wanted
		return nil
	}
	for _, name := range inputs {
		if in, err := os.Stat(name); name != "-" && err == nil && os.SameFile(in, out) {
			return usagef("--output %s is an input as well, want another file", output)
		}
	}
	return nil
}

// output is where a result goes: standard output, or a file that appears under its name when it is complete.
type output struct {
	io.Writer
	file  *os.File // nil for standard output
	name  string   // that was asked for; empty for standard output
	final string   // the name to appear under; empty where file is written directly
}

// Write writes to what is behind o. Errors name the file that was asked for, and not the one that takes its place so
// far.
func (o *output) Write(b []byte) (int, error) {
	n, err := o.Writer.Write(b)
	return n, o.named(err)
}

// named is err with the name that was asked for.
func (o *output) named(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case o.name == "":
		return err
	case errors.As(err, &path):
		return fmt.Errorf("%s %s: %w", path.Op, o.name, path.Err)
	case errors.As(err, &link):
		return fmt.Errorf("%s %s: %w", link.Op, o.name, link.Err)
	}
	return err
}

// create opens the output, before the work, so that nothing is computed that cannot be kept. The name is empty
// or "-" for standard output. A file that stands there already keeps its content until commit.
func (a *app) create(ctx context.Context, name string) (*output, error) {
	if name == "" || name == "-" {
		return &output{Writer: contextWriter{ctx, a.stdout}}, nil
	}
	final := name
	mode := fs.FileMode(0) // of the file that stands there
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if to, err := os.Readlink(name); err == nil {
			return nil, fmt.Errorf("%s is a link to %s, which does not exist, want a file or a name that is free",
				name, to)
		}
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, fmt.Errorf("%s is a directory, want a file", name)
	case !info.Mode().IsRegular(): // a device or a pipe: nothing stands there that could be lost
		f, err := openPipe(ctx, name) // the name itself: links to pipes lead to no path
		return &output{contextWriter{ctx, patientWriter{ctx, f}}, f, name, ""}, err
	default:
		if final, err = filepath.EvalSymlinks(name); err != nil { // the file changes, not the link to it
			return nil, err
		}
		mode = info.Mode().Perm()
	}
	temporary := filepath.Join(filepath.Dir(final), fmt.Sprintf(".%s.%x", filepath.Base(final), rand.Uint64()))
	f, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	o := &output{contextWriter{ctx, f}, f, name, final}
	if err != nil {
		return nil, o.named(err)
	}
	if mode != 0 {
		if err := f.Chmod(mode); err != nil {
			o.discard()
			return nil, o.named(err)
		}
	}
	return o, nil
}

// commit makes the file appear.
func (o *output) commit() error {
	if o.file == nil {
		return nil
	}
	err := o.file.Close()
	if err == nil && o.final != "" {
		err = os.Rename(o.file.Name(), o.final)
	}
	if err != nil {
		return o.named(err)
	}
	o.file = nil
	return nil
}

// discard forgets an output that was not committed.
func (o *output) discard() {
	if o.file == nil {
		return
	}
	_ = o.file.Close()
	if o.final != "" {
		_ = os.Remove(o.file.Name())
	}
}
