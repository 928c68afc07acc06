package shards

import (
	"context"

	"github.com/galfft/fft/internal/par"
)

// page is what files are written by around the cache: where it goes to, where it comes from and its length are
// multiples.
const page = 4 << 10

// direct appends to files around the system's cache, which has no use of what nobody reads soon: there is no copy of it
// to make and none to write later. A file is a row of pages. Bytes behind its last whole page wait for those that
// follow, and its first page, which has the header, is kept until the header is known.
type direct struct {
	*queue
	files []*file
	ends  []int64 // of each, where the next piece goes
	sizes []int64 // of each, as the system has it
	heads []byte  // a page of each
	tails []byte  // a page of each
}

// newDirect is for files that are empty and get pieces of so many bytes. Where the system does not do it, or does not
// for these files, there is an error, and they are as they were.
func newDirect(files []*file, slots, piece int) (d *direct, err error) {
	d = &direct{files: files, ends: make([]int64, len(files)), sizes: make([]int64, len(files)),
		heads: make([]byte, len(files)*page), tails: make([]byte, len(files)*page)}
	if d.queue, err = newQueue(slots, directRoom(piece)); err != nil {
		return nil, err
	}
	for i, f := range files {
		d.ends[i] = headerSize
		f.fd = int(f.Fd())
		if err = f.around(true); err != nil {
			d.close()
			return nil, err
		}
	}
	return d, nil
}

// directRoom is the memory that a piece is written from, with what waited for it.
func directRoom(piece int) int { return (piece+page-1)/page*page + page }

// append writes b behind what was written to file i, of which there will be about so many bytes. The first piece of a
// file is no shorter than a page.
func (d *direct) append(i int, b []byte, size int64) error {
	f, tail := d.files[i], d.tails[i*page:(i+1)*page]
	if err := f.d.step("write", f.Name()); err != nil {
		return err
	}
	slot, room, err := d.take()
	if err != nil {
		return err
	}
	kept := int(d.ends[i] % page)
	at := d.ends[i] - int64(kept)
	copy(room, tail[:kept])
	n := kept + copy(room[kept:], b)
	whole := n / page * page
	copy(tail, room[whole:n])
	d.ends[i] += int64(len(b))
	if at == 0 {
		copy(d.heads[i*page:(i+1)*page], room[:page])
	}
	if whole == 0 {
		d.give(slot)
		return nil
	}
	if err := d.grow(i, max(at+int64(whole), size)); err != nil {
		return err
	}
	return d.write(slot, f, whole, at)
}

// grow makes a file as long as what is about to be written to it, or longer: the system waits for writes that do so.
func (d *direct) grow(i int, size int64) error {
	if size <= d.sizes[i] {
		return nil
	}
	d.sizes[i] = max(size, 2*d.sizes[i])
	return d.files[i].Truncate(d.sizes[i])
}

// finish writes the header of each file, at its begin and behind all, and makes it as long as it is. What is left of
// the last page is written in the ordinary way: the system would have to read a page to make it shorter.
func (d *direct) finish(ctx context.Context, header func(i int) []byte) error {
	if err := d.wait(); err != nil { // for the first pages, which are written again
		return err
	}
	for i, f := range d.files {
		if err := ctx.Err(); err != nil {
			return err
		}
		b := header(i)
		if err := d.append(i, b, 0); err != nil {
			return err
		}
		if err := f.d.step("write", f.Name()); err != nil {
			return err
		}
		slot, room, err := d.take()
		if err != nil {
			return err
		}
		copy(room, b)
		copy(room[len(b):page], d.heads[i*page+len(b):])
		if err := d.write(slot, f, page, 0); err != nil {
			return err
		}
	}
	if err := d.wait(); err != nil {
		return err
	}
	for i, f := range d.files {
		if err := f.around(false); err != nil {
			return err
		}
		rest := d.ends[i] % page
		if d.sizes[i] != d.ends[i] {
			if err := f.Truncate(d.ends[i] - rest); err != nil {
				return err
			}
		}
		if _, err := f.WriteAt(d.tails[i*page:][:rest], d.ends[i]-rest); err != nil {
			return err
		}
	}
	return nil
}

const (
	leastDirect = 4 * page // a block: less is not worth the pages that a file takes
	leastSlots  = 16
	mostSlots   = 256 // blocks that are on their way to the disk
)

// around has files written around the cache, unless they are written in the ordinary way, as where the system does not
// do it.
func (e *encoder) around() {
	tasks, slots := e.writers(), e.slots()
	if slots == 0 || e.cached {
		return
	}
	for task := range tasks {
		from, to := par.Share(task, tasks, len(e.files))
		d, err := newDirect(e.files[from:to], slots/tasks, e.h.block+sumSize)
		if err != nil {
			for _, f := range e.files {
				_ = f.around(false)
			}
			e.closeDirect()
			return
		}
		e.direct = append(e.direct, d)
	}
}

// slots is how many blocks are on their way to the disk at once, or 0 where blocks are short, several shards share a
// file or there is no memory for more.
func (e *encoder) slots() int {
	const share = 16 // of the memory
	n := int(min(mostSlots, e.memory/share/int64(directRoom(e.h.block+sumSize))))
	if n < leastSlots*e.writers() || e.h.group > 1 || e.h.block < leastDirect ||
		e.h.memory(e.workers)+e.h.directBytes(n) > e.memory/4*3 {
		return 0
	}
	return n
}

// directBytes is the memory of all files that are written around the cache.
func (h *header) directBytes(slots int) int64 {
	const file, slot = 2*page + 24, 128
	return int64(slots)*int64(directRoom(h.block+sumSize)+slot) + int64(h.files())*file
}

// closeDirect begins to give back what is written around the cache with, which the system takes tens of milliseconds
// for.
func (e *encoder) closeDirect() {
	for _, d := range e.direct {
		e.closing.Go(d.close)
	}
	e.direct = nil
}
