package shards

import (
	"bufio"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"github.com/galfft/fft/internal/par"
	"github.com/galfft/fft/rs"
)

// Encode reads src to its end and makes a directory dir with its shards, so many of data and of parity. The directory
// appears when it is complete, and must not be there before, which is ErrExists. ErrRead is an error of src and
// ErrWrite one of the system, and both keep it. A Read of src that is under way when ctx ends is waited for.
func Encode(ctx context.Context, src io.Reader, dir string, data, parity int, opts ...Option) error {
	if src == nil {
		return errSpec("the source is nil")
	}
	c, err := prepared(ctx, opts)
	if err != nil {
		return err
	}
	return c.encode(ctx, src, -1, dir, header{kind: Stream, data: data, parity: parity})
}

// EncodeFile is Encode of what is at path. Of a file it keeps mode and time, and of a directory an archive of all that
// is in it: names, modes, times, links and empty directories. What is neither file, directory nor link is left out, for
// which there are notes. Owners are not kept, and files of several names are there several times. A file that changes
// while it is read is ErrRead. A read that waits, as of a pipe, ends with ctx; to open a pipe waits for its writer.
func EncodeFile(ctx context.Context, path, dir string, data, parity int, opts ...Option) error {
	c, err := prepared(ctx, opts)
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return failed(ErrRead, err)
	}
	h := header{kind: Stream, data: data, parity: parity}
	if info.IsDir() {
		if err := inside(dir, path, info); err != nil {
			return err
		}
		h.kind = Directory
		return c.archived(ctx, path, func(r io.Reader, total int64) error {
			return c.encode(ctx, r, total, dir, h)
		})
	}
	f, err := openInput(ctx, path)
	if err != nil {
		return failed(ErrRead, err)
	}
	defer f.Close()
	total := int64(-1)
	if info.Mode().IsRegular() {
		h.kind, total = File, info.Size()
		h.setInfo(info)
	}
	return c.encode(ctx, f, total, dir, h)
}

func prepared(ctx context.Context, opts []Option) (*config, error) {
	if ctx == nil {
		return nil, errSpec("the context is nil")
	}
	c, err := configure(opts)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, stopped(err)
	}
	return c, nil
}

var errChanged = errors.New("the file changes")

// encoder is a call of Encode.
type encoder struct {
	*config
	h      header
	plan   *rs.Plan
	src    *bufio.Reader
	hash   hash.Hash
	hashes *behind[*stripe]
	begins *behind[written]
	length int64 // read
	ended  bool
	total  int64
	files  []*file
	size   int64     // of each file, if that is known
	direct []*direct // of the files of each writer, or none
	alone  bool      // one processor does all

	closing sync.WaitGroup
}

func (c *config) encode(ctx context.Context, src io.Reader, total int64, dir string, h header) error {
	h.code = c.code
	if err := c.affordable(h); err != nil {
		return err
	}
	plan, err := c.plan(&h)
	if err != nil {
		return err
	}
	h.code = plan.Code()
	workers := c.workers
	if err := c.fit(&h); err != nil {
		return err
	}
	if c.workers != workers {
		if plan, err = c.plan(&h); err != nil {
			return err
		}
	}
	if err := vacant(dir); err != nil {
		return err
	}
	e := &encoder{config: c, h: h, plan: plan, src: bufio.NewReaderSize(src, mostBlock), hash: sha256.New(),
		total: total, alone: runtime.GOMAXPROCS(0) == 1}
	if total >= 0 {
		sized := h
		sized.length = total
		e.size = sized.bytes(h.group)
	}
	work := aside(dir)
	if err := c.disk.mkdir(work); err != nil {
		return failed(ErrWrite, err)
	}
	if err := e.write(ctx, work); err != nil {
		for _, f := range e.files {
			_ = f.Close()
		}
		c.disk.removeAll(work)
		return err
	}
	if err := c.disk.appear(work, filepath.Clean(dir)); err != nil {
		c.disk.removeAll(work)
		return err
	}
	return nil
}

// write makes the files.
func (e *encoder) write(ctx context.Context, dir string) error {
	defer e.closing.Wait()
	defer e.closeDirect()
	atOnce := stripesAtOnce
	if e.alone {
		atOnce = 1
	}
	var stripes []*stripe
	for range atOnce {
		stripes = append(stripes, newStripe(&e.h))
	}
	e.hashes = newBehind(stripesAtOnce, e.hashData)
	e.begins = newBehind(mostBegins, e.begin)
	fill := func(st *stripe) (bool, error) { return e.fill(ctx, st, dir) }
	err := ahead(ctx, stripes, fill, func(st *stripe) error { return e.add(ctx, st, dir) })
	e.hashes.end()
	e.begins.end()
	if err == nil {
		err = e.create(dir, false) // of no data
	}
	if err != nil {
		return err
	}
	if e.h.kind == File && e.length != e.total {
		return failed(ErrRead, fmt.Errorf("%d bytes, want the %d that were there before: %w", e.length, e.total, errChanged))
	}
	e.h.length = e.length
	e.hash.Sum(e.h.digest[:0])
	if err := e.writeHeaders(ctx); err != nil {
		return err
	}
	e.closeDirect()
	if err := e.disk.finishAll(ctx, e.files); ctx.Err() != nil {
		return stopped(ctx.Err())
	} else if err != nil {
		return failed(ErrWrite, err)
	}
	if err := e.disk.syncDir(dir); err != nil {
		return failed(ErrWrite, err)
	}
	return nil
}

// writeHeaders writes those of all files.
func (e *encoder) writeHeaders(ctx context.Context) error {
	for task, d := range e.direct {
		from, _ := par.Share(task, len(e.direct), len(e.files))
		err := d.finish(ctx, func(i int) []byte {
			e.h.first = from + i
			return e.h.put()
		})
		if ctx.Err() != nil {
			return stopped(ctx.Err())
		}
		if err != nil {
			return failed(ErrWrite, err)
		}
	}
	if e.direct != nil {
		return nil
	}
	for i, f := range e.files {
		if err := ctx.Err(); err != nil {
			return stopped(err)
		}
		first, count := e.h.span(i)
		e.h.first = first
		b := e.h.put()
		_, err := f.WriteAt(b, 0)
		if err == nil {
			_, err = f.WriteAt(b, e.h.bytes(count)-headerSize)
		}
		if err != nil {
			return failed(ErrWrite, err)
		}
	}
	return nil
}

// create makes the files, unless they are there: when data is read and hashed already, as that takes time. Where more
// than one stripe is to be written, and its blocks are not short, they are written around the cache.
func (e *encoder) create(dir string, long bool) error {
	if len(e.files) > 0 {
		return nil
	}
	for i := range e.h.files() {
		f, err := e.disk.create(filepath.Join(dir, e.h.name(i)))
		if err != nil {
			return failed(ErrWrite, err)
		}
		e.files = append(e.files, f)
	}
	if long {
		e.around()
	}
	return nil
}

// fill reads the data of a stripe.
func (e *encoder) fill(ctx context.Context, st *stripe, dir string) (more bool, err error) {
	if e.ended {
		return false, nil
	}
	st.hashing.Wait()
	st.shape(st.number, e.h.block)
	st.length, st.sent = 0, 0
	// One processor does what there is to do with a block while it is in the cache.
	early := e.alone && e.h.kind == File && e.h.group == 1 && e.total-e.length >= int64(e.h.data)*int64(e.h.block)
	if early {
		if err := e.create(dir, true); err != nil {
			return false, err
		}
	}
	for i := 0; i < e.h.data && !e.ended; i++ {
		n, err := e.read(st.shards[i])
		if err != nil {
			return false, failed(ErrRead, err)
		}
		st.length += int64(n)
		if e.alone {
			_, _ = e.hash.Write(st.shards[i][:n])
		}
		if early && n == e.h.block {
			if err := ctx.Err(); err != nil {
				return false, stopped(err)
			}
			if err := e.writePiece(st, i); err != nil {
				return false, failed(ErrWrite, err)
			}
			st.sent++
		}
	}
	e.length += st.length
	if e.ended && st.length > 0 {
		st.shorten(st.length)
	}
	if st.length == 0 {
		return false, nil
	}
	if !e.alone {
		st.hashing.Add(1)
		e.hashes.give(st)
	}
	return true, nil
}

// hashData adds the data of a stripe to the sum of the file. It is the longest thing that one goroutine does.
func (e *encoder) hashData(st *stripe) {
	defer st.hashing.Done()
	_ = st.data(st.length, func(b []byte) error {
		_, err := e.hash.Write(b)
		return err
	})
}

// read fills b unless the source ends. Its end is no error that another could be taken for.
func (e *encoder) read(b []byte) (n int, err error) {
	for n < len(b) {
		m, err := e.src.Read(b[n:])
		n += m
		if err == io.EOF {
			e.ended = true
			return n, nil
		}
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// add encodes a stripe and writes its blocks.
func (e *encoder) add(ctx context.Context, st *stripe, dir string) error {
	if err := e.create(dir, st.length == int64(e.h.data)*int64(e.h.block)); err != nil {
		return err
	}
	if err := e.plan.Encode(ctx, st.shards); err != nil {
		return err
	}
	if err := e.writeBlocks(ctx, st); err != nil {
		return err
	}
	if e.direct == nil {
		e.begins.give(written{st.number, st.size})
	}
	done := int64(e.h.data) * int64(e.h.block) * (st.number + 1)
	if e.total >= 0 {
		done = min(done, e.total)
	}
	e.progress(done, e.total)
	return nil
}

// written is a stripe whose blocks of so many bytes are written.
type written struct {
	number int64
	size   int
}

// mostBegins is how many stripes are written at most that nobody has asked the system to bring to the disk.
const mostBegins = 4

// begin asks for it, which waits where the disk has much to do.
func (e *encoder) begin(w written) {
	for i, f := range e.files {
		_, count := e.h.span(i)
		f.begin(e.h.offset(count, w.number), int64(count*(w.size+sumSize)))
	}
}

// writersAtOnce is how many goroutines write: more of them wait for each other in the system.
const writersAtOnce = 2

func (e *encoder) writers() int { return min(max(1, e.workers), writersAtOnce, e.h.files()) }

// writeBlocks writes the blocks of a stripe that were not written early to the files, of which each writer has a part.
func (e *encoder) writeBlocks(ctx context.Context, st *stripe) error {
	tasks := e.writers()
	errs := make([]error, tasks)
	par.Fork.Run(tasks, func(task int) {
		from, to := par.Share(task, tasks, len(e.files))
		for i := max(from, st.sent); i < to && errs[task] == nil; i++ {
			if errs[task] = ctx.Err(); errs[task] == nil {
				errs[task] = e.writePiece(st, i)
			}
		}
		if errs[task] == nil && e.direct != nil {
			errs[task] = e.direct[task].submit()
		}
	})
	for _, err := range errs {
		if err != nil && err == ctx.Err() {
			return stopped(err)
		}
		if err != nil {
			return failed(ErrWrite, err)
		}
	}
	return nil
}

// writePiece writes the blocks of a stripe to a file.
func (e *encoder) writePiece(st *stripe, file int) error {
	first, count := e.h.span(file)
	for shard := first; shard < first+count; shard++ {
		st.seal(shard)
	}
	for task, d := range e.direct {
		if from, to := par.Share(task, len(e.direct), len(e.files)); from <= file && file < to {
			return d.append(file-from, st.piece(file), e.size)
		}
	}
	_, err := e.files[file].WriteAt(st.piece(file), e.h.offset(count, st.number))
	return err
}
