package fieldtest

import (
	"testing"

	"github.com/galfft/fft/field/bulks"
)

// intoTable is a table whose tails leave their operand as it is.
type intoTable struct {
	*lazyTable[words]
	into func(t bulks.Table, dst, src words, p bulks.Pass) bool
}

func (t *intoTable) Pass(v bulks.View, p bulks.Pass, r bulks.Rows) {
	if by, ok := p.By.(*intoTable); ok {
		p.By = by.lazyTable
	}
	t.lazyTable.Pass(v, p, r)
}

func (t *intoTable) PassInto(dst, src bulks.View, p bulks.Pass) bool {
	return t.into(t, bulks.SliceOf[uint64](dst), bulks.SliceOf[uint64](src), p)
}

// copied is a sound PassInto.
func copied(t bulks.Table, dst, src words, p bulks.Pass) bool {
	copy(dst, src)
	t.Pass(bulks.ViewOf(dst), p, bulks.Rows{Blocks: 1, Half: 1, Width: 1, Stride: 1})
	return true
}

// refused is one that serves nothing.
func refused(bulks.Table, words, words, bulks.Pass) bool { return false }

// newInto is words whose tables have an into.
func newInto(into func(t bulks.Table, dst, src words, p bulks.Pass) bool) *lazy[words] {
	return lazyWords(func(b *lazy[words]) {
		table := b.table
		b.table = func(w words, share bulks.Share) (bulks.Table, error) {
			t, err := table(w, share)
			return &intoTable{t.(*lazyTable[words]), into}, err
		}
	})
}

func TestSoundInto(t *testing.T) {
	RunBulk(t, mersenne, newInto(copied), Config[uint64]{})
	RunBulk(t, mersenne, newInto(refused), Config[uint64]{Seed: 1})
}

// TestBrokenInto tries tails that do not leave their operand as it is, or do not what they say.
func TestBrokenInto(t *testing.T) {
	for name, into := range map[string]func(t bulks.Table, dst, src words, p bulks.Pass) bool{
		"the operand goes through the pass as well": func(t bulks.Table, dst, src words, p bulks.Pass) bool {
			return copied(t, dst, src, p) && copied(t, src, src, p)
		},
		"nothing is done": func(bulks.Table, words, words, bulks.Pass) bool { return true },
		"it is done, and said not to be": func(t bulks.Table, dst, src words, p bulks.Pass) bool {
			return !copied(t, dst, src, p)
		},
		"the place is lost": func(t bulks.Table, dst, src words, p bulks.Pass) bool {
			p.Off = 0
			return copied(t, dst, src, p)
		},
		"values stay wide": func(t bulks.Table, dst, src words, p bulks.Pass) bool {
			p.How = 0
			return copied(t, dst, src, p)
		},
		"the last element stays": func(t bulks.Table, dst, src words, p bulks.Pass) bool {
			last := dst[len(dst)-1]
			copied(t, dst, src, p)
			dst[len(dst)-1] = last
			return true
		},
	} {
		t.Run(name, func(t *testing.T) {
			requireBroken(t, newBulkSuite(mersenne, newInto(into), Config[uint64]{}, 1).checks(), "Into")
		})
	}
}
