package nccl

import (
	"context"

	"github.com/galfft/fft/dist"
	"github.com/galfft/fft/field/bulks"
)

// spread gives all ranks the id that rank 0 has, in an exchange of the group beneath.
func spread(ctx context.Context, g dist.Group, id uniqueID) (uniqueID, error) {
	if t, ok := g.(*star); ok {
		return t.spread(ctx, id)
	}
	n := len(id.Word)
	sent, got := make([]uint64, n*g.Size()), make([]uint64, n*g.Size())
	for r := range g.Size() {
		copy(sent[r*n:], id.Word[:])
	}
	err := g.Exchange(ctx, words{}, bulks.View{Buf: got, N: len(got)}, bulks.View{Buf: sent, N: len(sent)})
	copy(id.Word[:], got)
	return id, err
}

// words is as much of a bulk of words as groups move by.
type words struct{ bulks.Bulk }

func (words) Make(n int) (bulks.View, error) { return bulks.View{Buf: make([]uint64, n), N: n}, nil }

func (words) Memory(v bulks.View) ([]byte, bool) { return bytesOf(wordsOf(v)), true }

func (words) Copy(dst, src bulks.View, c bulks.Copy) {
	to, from := wordsOf(dst), wordsOf(src)
	for r := range c.Rows {
		copy(to[r*c.Dst:][:c.Width], from[r*c.Src:])
	}
}

func wordsOf(v bulks.View) []uint64 { return v.Buf.([]uint64)[v.Off:][:v.N] }
