package dist

import (
	"context"
	"unsafe"

	"github.com/galfft/fft/field/bulks"
)

// Share is Exchange for words on the host, of any group: it sets part f of recv, for every rank f, to part Rank() of
// what rank f sends. Slices are of one length on all ranks, a multiple of Size, and do not overlap. Errors are those of
// Exchange; no group, and no context, are ErrSpec.
func Share(ctx context.Context, g Group, recv, send []uint64) error {
	switch {
	case nothing(g):
		return errGroup
	case ctx == nil:
		return errContext
	}
	return g.Exchange(ctx, words{}, bulks.View{Buf: recv, N: len(recv)}, bulks.View{Buf: send, N: len(send)})
}

// words is as much of a bulk of words as groups move by.
type words struct{ bulks.Bulk }

func (words) Make(n int) (bulks.View, error) { return bulks.View{Buf: make([]uint64, n), N: n}, nil }

func (words) Memory(v bulks.View) ([]byte, bool) {
	w := wordsOf(v)
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(w))), 8*len(w)), true
}

func (words) Copy(dst, src bulks.View, c bulks.Copy) {
	to, from := wordsOf(dst), wordsOf(src)
	for r := range c.Rows {
		copy(to[r*c.Dst:][:c.Width], from[r*c.Src:])
	}
}

func wordsOf(v bulks.View) []uint64 { return v.Buf.([]uint64)[v.Off:][:v.N] }
