package shards

import (
	"fmt"
	"io/fs"
	"math/bits"
	"os"
	"path/filepath"
	"runtime"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/memory"
	"github.com/galfft/fft/rs"
)

// Option is a parameter of a call; a bad one is field.ErrSpec.
type Option func(*config)

type config struct {
	code     rs.Code
	workers  int
	memory   int64
	files    int
	progress func(done, total int64)
	note     func(text string)
	disk     *disk
	cached   bool // all is written by way of the system's cache
}

const (
	defaultMemory = 256 << 20
	fewFiles      = 256 // where the system does not tell
	mostFiles     = 1 << 16
	mostBlock     = 64 << 10 // of bytes: what one bad bit costs
	leastBlock    = lineSize
	stripesAtOnce = 2 // one is read or written, and one encoded
)

// WithCode sets the code of shards that are made; the default is rs.Auto.
func WithCode(c rs.Code) Option { return func(o *config) { o.code = c } }

// WithWorkers lets a call encode, rebuild and write shards on up to n goroutines where that pays; 0 stands for
// runtime.GOMAXPROCS(0). The default is 1, beside one that reads and one that hashes. No data depends on it, but where
// memory is short blocks may, for up to 4.
func WithWorkers(n int) Option {
	if n == 0 {
		n = runtime.GOMAXPROCS(0)
	}
	return func(o *config) { o.workers = n }
}

// WithMemoryLimit sets the bytes that encoding may take, by the length of blocks; the default is 256 MiB. Who reads the
// shards takes about as many.
func WithMemoryLimit(bytes int) Option { return func(o *config) { o.memory = int64(bytes) } }

// WithFiles sets the most files that shards are written to, and that are open at once; the default, and 0, is half of
// what the system lets a process have open. Where there are more shards, several share a file, and are lost together.
func WithFiles(n int) Option { return func(o *config) { o.files = n } }

// WithProgress sets what hears how many bytes of data are done, of how many; -1 is a total that nobody knows. It is
// called by one goroutine at a time.
func WithProgress(f func(done, total int64)) Option { return func(o *config) { o.progress = f } }

// WithNotes sets what hears of files that are left out of an archive, and of modes and times that cannot be restored.
func WithNotes(f func(text string)) Option { return func(o *config) { o.note = f } }

func configure(opts []Option) (*config, error) {
	c := &config{workers: 1, memory: defaultMemory, disk: &disk{sync: (*os.File).Sync}}
	for _, o := range opts {
		if o == nil {
			return nil, errSpec("option nil")
		}
		o(c)
	}
	if c.workers < 0 || c.files < 0 || c.memory < 1 {
		return nil, errSpec("%d workers, %d files, %d bytes of memory: want none negative, and memory", c.workers,
			c.files, c.memory)
	}
	if c.files == 0 {
		c.files = max(1, openFiles()/2)
	}
	if c.progress == nil {
		c.progress = func(int64, int64) {}
	}
	if c.note == nil {
		c.note = func(string) {}
	}
	return c, nil
}

// plan makes that of a header.
func (c *config) plan(h *header) (*rs.Plan, error) {
	return rs.New(h.data, h.parity, rs.WithCode(h.code), rs.WithWorkers(c.workers))
}

// fewWorkers keep up with a disk: blocks are made shorter only for as many.
const fewWorkers = 4

// affordable is an error where no blocks are short enough for the memory, of codes whose plans take much of it. Numbers
// that no code serves are not looked at.
func (c *config) affordable(h header) error {
	const few, most = 1 << 16, 1 << 30
	if h.code != rs.Auto && h.code < rs.Additive32 || min(h.data, h.parity) < 0 || max(h.data, 2*h.parity) > most ||
		h.shards() <= few {
		return nil
	}
	h.group, h.block = h.grouped(c.files), leastBlock
	if need := h.memory(min(c.workers, fewWorkers)); need > min(c.memory/4*3, int64(memory.Limit())) {
		return h.tooLittle(c.memory, need)
	}
	return nil
}

// grouped is the shards of each file where there are no more than so many.
func (h *header) grouped(files int) int { return (h.shards() + files - 1) / files }

func (h *header) tooLittle(memory, need int64) error {
	return fmt.Errorf("shards: %w: %d shards in %d bytes, want %d", field.ErrMemory, h.shards(), memory, need/3*4+4)
}

// fit chooses how many shards are in a file, how long blocks are, and how many workers there is memory for. A quarter
// of the memory is for what is counted nowhere.
func (c *config) fit(h *header) error {
	h.group = h.grouped(c.files)
	for h.block = mostBlock; ; h.block /= 2 {
		least := min(c.workers, fewWorkers)
		for workers := c.workers; workers >= least; workers-- {
			if h.memory(workers) <= c.memory/4*3 {
				c.workers = workers
				return nil
			}
		}
		if h.block == leastBlock {
			return h.tooLittle(c.memory, h.memory(least))
		}
	}
}

// memory is about what a call takes: stripes, and what the plan of a code of many shards has for each point and each
// strip of its blocks (docs/rs.md has the points).
func (h *header) memory(workers int) int64 {
	need := stripesAtOnce * h.stripeBytes()
	if h.shards() > 256 {
		const pointBytes, stripBytes = 256, 2048
		leastStrip := max(256, lineSize*int64(h.code.Unit()))
		rounded := func(n int64) int64 { return 1 << bits.Len64(uint64(max(n, 1)-1)) }
		strips := min(int64(max(1, workers)), int64(h.block+stripBytes-1)/stripBytes)
		width := max(leastStrip, min(int64(h.block), stripBytes))
		need += rounded(rounded(int64(h.parity))+int64(h.data)) * (pointBytes + 2*strips*width)
	}
	return need
}

// name is that of a file. Names are for people: headers say which shards a file has.
func (h *header) name(file int) string {
	digits := max(3, len(fmt.Sprint(h.shards()-1)))
	first, count := h.span(file)
	if h.group == 1 {
		return fmt.Sprintf("%0*d%s", digits, first, suffix)
	}
	return fmt.Sprintf("%0*d-%0*d%s", digits, first, digits, first+count-1, suffix)
}

const suffix = ".shard"

// inside is an error where a directory to be made would be part of what it is made of.
func inside(dir, root string, info fs.FileInfo) error {
	parent, err := filepath.Abs(filepath.Dir(filepath.Clean(dir)))
	if err == nil {
		parent, err = filepath.EvalSymlinks(parent)
	}
	if err != nil {
		return failed(ErrWrite, err)
	}
	for {
		if same(parent, info) {
			return errSpec("%s is inside %s, which it is made of", dir, root)
		}
		up := filepath.Dir(parent)
		if up == parent {
			return nil
		}
		parent = up
	}
}
