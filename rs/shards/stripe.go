package shards

import (
	"context"
	"encoding/binary"
	"hash/crc32"
	"sync"
)

// stripe is the blocks of all shards that are encoded together. Those of a file are one piece of memory, as they stand
// in the file: its blocks, and then their sums.
type stripe struct {
	h      *header
	number int64
	size   int      // bytes of a block
	length int64    // of the data that was read to be encoded
	rooms  [][]byte // of the files
	shards [][]byte // blocks, in rooms; empty where they are lost
	sent   int      // blocks of data that were written as they were read
	wrong  []int    // shards whose blocks are to be written again; those of a file that is there twice need not be lost

	hashing sync.WaitGroup // of what its data was before
}

// lineSize is that of the processor's cache: blocks begin at multiples where they have multiples.
const lineSize = 64

// stripeBytes is the memory of a stripe.
func (h *header) stripeBytes() int64 {
	const header = 24 // of a slice, on 64 bits
	n := int64(h.shards())
	return n*int64(h.block+sumSize+header) + int64(h.files())*(lineSize+header)
}

func newStripe(h *header) *stripe {
	st := &stripe{h: h, rooms: make([][]byte, h.files()), shards: make([][]byte, h.shards())}
	room := func(count int) int { return (count*(h.block+sumSize) + lineSize - 1) &^ (lineSize - 1) }
	all := make([]byte, len(st.rooms)*room(h.group))
	for i := range st.rooms {
		at := i * room(h.group)
		st.rooms[i] = all[at : at+room(h.group) : at+room(h.group)]
	}
	return st
}

// shape says which stripe it is, and lays out blocks of so many bytes, none of which is lost.
func (st *stripe) shape(number int64, size int) {
	st.number, st.size = number, size
	for i := range st.shards {
		st.shards[i] = st.block(i)
	}
}

// block is where the block of a shard stands.
func (st *stripe) block(shard int) []byte {
	at := shard % st.h.group * st.size
	return st.rooms[shard/st.h.group][at : at+st.size : at+st.size]
}

// lose makes a block one that is missing, with its room.
func (st *stripe) lose(shard int) { st.shards[shard] = st.block(shard)[:0] }

// piece is the part of the room of a file that stands in it.
func (st *stripe) piece(file int) []byte {
	_, count := st.h.span(file)
	return st.rooms[file][:count*(st.size+sumSize)]
}

// sum is the CRC-32C of a block behind its place, so that a good block at another place is a bad one.
func (st *stripe) sum(shard int) uint32 {
	var place [12]byte
	binary.LittleEndian.PutUint32(place[:], uint32(shard))
	binary.LittleEndian.PutUint64(place[4:], uint64(st.number))
	return crc32.Update(crc32.Checksum(place[:], castagnoli), castagnoli, st.block(shard))
}

// sumAt is where the sum of a block stands.
func (st *stripe) sumAt(shard int) []byte {
	file := shard / st.h.group
	first, count := st.h.span(file)
	at := count*st.size + (shard-first)*sumSize
	return st.rooms[file][at : at+sumSize]
}

func (st *stripe) seal(shard int) { binary.LittleEndian.PutUint32(st.sumAt(shard), st.sum(shard)) }

func (st *stripe) good(shard int) bool {
	return binary.LittleEndian.Uint32(st.sumAt(shard)) == st.sum(shard)
}

// data calls do for the blocks of data, as far as they have so many bytes, until it fails.
func (st *stripe) data(length int64, do func(b []byte) error) error {
	for i := 0; i < st.h.data && length > 0; i++ {
		b := st.shards[i]
		b = b[:min(int64(len(b)), length)]
		length -= int64(len(b))
		if err := do(b); err != nil {
			return err
		}
	}
	return nil
}

// shorten lays out the data of the last stripe, of which there are so many bytes, in blocks that are as short as can
// be. Zeros stand behind it.
func (st *stripe) shorten(rest int64) {
	long := stripe{h: st.h, size: st.size, rooms: st.rooms}
	st.size = st.h.share(rest)
	from, to := int64(long.size), int64(st.size)
	// Bytes go to where those before them do not come from.
	for i := st.h.data - 1; i >= 0; i-- {
		first := int64(i) * to
		b := st.block(i)
		clear(b[max(0, min(to, rest-first)):])
		for end := min(first+to, rest); end > first; {
			begin := max(first, (end-1)/from*from)
			source := long.block(int(begin / from))
			copy(b[begin-first:end-first], source[begin%from:])
			end = begin
		}
	}
	st.shape(st.number, st.size)
}

// ahead fills stripes in a goroutine of its own, while those before are used, until fill says that there are no more
// or something fails. It returns when both have ended.
func ahead(ctx context.Context, stripes []*stripe, fill func(*stripe) (more bool, err error),
	use func(*stripe) error) error {
	free, full := make(chan *stripe, len(stripes)), make(chan *stripe, len(stripes))
	for _, st := range stripes {
		free <- st
	}
	end := make(chan struct{})
	var filling error
	go func() {
		defer close(full)
		for number := int64(0); ; number++ {
			var st *stripe
			select {
			case st = <-free:
			case <-end:
				return
			}
			st.number = number
			more, err := fill(st)
			if err != nil {
				filling = err
				return
			}
			if !more {
				return
			}
			full <- st
		}
	}()
	var using error
	for st := range full {
		if using == nil {
			if using = ctx.Err(); using != nil {
				using = stopped(using)
			} else {
				using = use(st)
			}
			if using != nil {
				close(end)
			}
		}
		free <- st
	}
	if using == nil && filling != nil && ctx.Err() != nil { // which a read may have failed for
		return stopped(ctx.Err())
	}
	if using == nil {
		using = filling
	}
	return using
}
