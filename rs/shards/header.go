package shards

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"hash/crc32"
	"io/fs"
	"math"
	"time"

	"github.com/galfft/fft/rs"
)

// Kind is what a set of shards is made of.
type Kind uint8

const (
	Stream    Kind = iota // bytes that came from somewhere
	File                  // a file, whose mode and time are kept
	Directory             // a directory, as an archive of package archive/tar
	kinds
)

var kindNames = [kinds]string{"stream", "file", "directory"}

// String returns stream, file or directory.
func (k Kind) String() string {
	if k >= kinds {
		return "unknown"
	}
	return kindNames[k]
}

const (
	magic      = "\x89galfft\n" // what takes it for text damages it
	version    = 1
	headerSize = 128
	sumSize    = 4
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// header is that of a file of shards. But for first, those of a set are equal.
type header struct {
	kind         Kind
	code         rs.Code
	data, parity int
	first        int // shard of the file
	group        int // shards of each file but the last
	block        int // bytes, in all stripes but the last
	length       int64
	digest       [sha256.Size]byte
	seconds      int64 // of the time of a file
	nanoseconds  uint32
	mode         uint32 // of a file, as of Unix
}

// put makes the bytes of h. Numbers are little-endian.
func (h *header) put() []byte {
	b := make([]byte, headerSize)
	le := binary.LittleEndian
	copy(b, magic)
	le.PutUint32(b[8:], version)
	b[12], b[13] = byte(h.kind), byte(8*h.code.Unit())
	copy(b[16:32], h.code.String())
	for i, x := range []int{h.data, h.parity, h.first, h.group, h.block} {
		le.PutUint32(b[32+4*i:], uint32(x))
	}
	le.PutUint32(b[52:], h.mode)
	le.PutUint64(b[56:], uint64(h.length))
	copy(b[64:], h.digest[:])
	le.PutUint64(b[96:], uint64(h.seconds))
	le.PutUint32(b[104:], h.nanoseconds)
	le.PutUint32(b[124:], crc32.Checksum(b[:124], castagnoli))
	return b
}

// parse is the inverse of put. Its errors are ErrHeader and ErrVersion, and whatever the bytes are, all that is
// computed from what it returns fits in an int64.
func parse(b []byte) (h header, err error) {
	le := binary.LittleEndian
	if len(b) < headerSize || string(b[:8]) != magic {
		return h, ErrHeader
	}
	b = b[:headerSize]
	if le.Uint32(b[8:]) != version {
		return h, ErrVersion
	}
	if le.Uint32(b[124:]) != crc32.Checksum(b[:124], castagnoli) {
		return h, ErrHeader
	}
	name, _, _ := bytes.Cut(b[16:32], []byte{0})
	code, err := rs.ParseCode(string(name))
	if err != nil || code == rs.Auto {
		return h, ErrHeader
	}
	h = header{kind: Kind(b[12]), code: code, mode: le.Uint32(b[52:]), seconds: int64(le.Uint64(b[96:])),
		nanoseconds: le.Uint32(b[104:])}
	copy(h.digest[:], b[64:])
	const most = 1 << 30 // of all these
	for i, to := range []*int{&h.data, &h.parity, &h.first, &h.group, &h.block} {
		x := le.Uint32(b[32+4*i:])
		if x > most {
			return header{}, ErrHeader
		}
		*to = int(x)
	}
	length := le.Uint64(b[56:])
	h.length = int64(length & math.MaxInt64)
	ok := h.kind < kinds && int(b[13]) == 8*code.Unit() && h.data > 0 && h.data <= most-h.parity && h.group > 0 &&
		h.group <= h.shards() && h.first < h.shards() && h.first%h.group == 0 && h.block > 0 &&
		h.block%code.Unit() == 0 && length <= 1<<60 && h.nanoseconds < 1e9
	// No file is longer than fits.
	if !ok || float64(h.group)*float64(h.block+sumSize)*(float64(h.length)/float64(h.data)/float64(h.block)+1) > 1<<61 {
		return header{}, ErrHeader
	}
	return h, nil
}

// key is what headers of a set share.
func (h header) key() header {
	h.first = 0
	return h
}

func (h *header) shards() int { return h.data + h.parity }

// files is their number.
func (h *header) files() int { return (h.shards() + h.group - 1) / h.group }

// span is the first shard of a file, and how many it has.
func (h *header) span(file int) (first, count int) {
	first = file * h.group
	return first, min(h.group, h.shards()-first)
}

// stripes is how many there are, and last the bytes of a block of the last one.
func (h *header) stripes() (n int64, last int) {
	whole := int64(h.data) * int64(h.block)
	n, rest := h.length/whole, h.length%whole
	if rest == 0 {
		return n, h.block
	}
	return n + 1, h.share(rest)
}

// share is the bytes of a block that are enough for the data of a stripe that is not full: as few as there can be.
func (h *header) share(rest int64) int {
	unit := int64(h.code.Unit())
	one := (rest + int64(h.data) - 1) / int64(h.data)
	return int((one + unit - 1) / unit * unit)
}

// size is the bytes of a block of a stripe.
func (h *header) size(stripe int64) int {
	n, last := h.stripes()
	if stripe == n-1 {
		return last
	}
	return h.block
}

// offset is where a stripe begins in a file of so many shards.
func (h *header) offset(count int, stripe int64) int64 {
	return headerSize + int64(count)*int64(h.block+sumSize)*stripe
}

// bytes is the length of a file of so many shards.
func (h *header) bytes(count int) int64 {
	n, last := h.stripes()
	if n == 0 {
		return 2 * headerSize
	}
	return h.offset(count, n-1) + int64(count)*int64(last+sumSize) + headerSize
}

func (h *header) modified() time.Time { return time.Unix(h.seconds, int64(h.nanoseconds)) }

// setInfo keeps mode and time of a file.
func (h *header) setInfo(info fs.FileInfo) {
	h.mode = unixMode(info.Mode())
	h.seconds, h.nanoseconds = info.ModTime().Unix(), uint32(info.ModTime().Nanosecond())
}

// unixMode is the bits of a mode that are kept: permissions, and setuid, setgid and sticky as Unix has them.
func unixMode(m fs.FileMode) uint32 {
	bits := uint32(m.Perm())
	for i, b := range specialModes {
		if m&b != 0 {
			bits |= 1 << (9 + i)
		}
	}
	return bits
}

// goMode is the inverse of unixMode.
func goMode(bits uint32) fs.FileMode {
	m := fs.FileMode(bits) & fs.ModePerm
	for i, b := range specialModes {
		if bits>>(9+i)&1 != 0 {
			m |= b
		}
	}
	return m
}

var specialModes = [3]fs.FileMode{fs.ModeSticky, fs.ModeSetgid, fs.ModeSetuid}
