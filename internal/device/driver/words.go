package driver

import (
	"cmp"
	"sync"
	"sync/atomic"
	"unsafe"
)

// words are those that streams write for Event.Poll: 64 to a piece of pinned memory, each in a line of the cache of its
// own. Nobody gets one again that a stream was to write, as a write that nobody waits for may come late.
type words struct {
	mu     sync.Mutex
	pieces [][]byte
	used   int // of the last piece
	idle   []*atomic.Uint32
	none   bool
}

const lineBytes, pieceBytes = 64, 4096

// take is a word that is 0, or nil where there is no memory or the driver cannot write it.
func (w *words) take(d *Device) *atomic.Uint32 {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.none || d.library.address[cuStreamWriteValue] == 0 {
		return nil
	}
	if n := len(w.idle); n > 0 {
		word := w.idle[n-1]
		w.idle = w.idle[:n-1]
		return word
	}
	if len(w.pieces) == 0 || w.used == pieceBytes {
		piece, err := d.Pinned(pieceBytes)
		if err != nil {
			w.none = true
			return nil
		}
		clear(piece)
		w.pieces, w.used = append(w.pieces, piece), 0
	}
	word := (*atomic.Uint32)(unsafe.Pointer(&w.pieces[len(w.pieces)-1][w.used]))
	w.used += lineBytes
	return word
}

// put is for a word that no stream was to write; nil is none.
func (w *words) put(word *atomic.Uint32) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if word != nil && !w.none {
		w.idle = append(w.idle, word)
	}
}

func (w *words) free(d *Device) (err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, piece := range w.pieces {
		err = cmp.Or(err, d.ReleasePinned(piece))
	}
	w.pieces, w.idle, w.none = nil, nil, true
	return err
}
