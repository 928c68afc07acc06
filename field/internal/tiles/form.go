package tiles

import (
	"math/bits"
	"sync"
	"unsafe"

	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/arith"
	"github.com/galfft/fft/kernels/digits"
	"github.com/galfft/fft/kernels/word"
)

// Form is how the vectors of a field lie: packed numbers of Words words, and tiles of Rows rows. Its methods are safe
// for concurrent use.
type Form struct {
	Words, Rows int
	convert     Converter // nil where rows are words
	set         *digits.Set
	moves       *word.Moves[uint64]
	side        int       // of the squares of words that moves transposes
	scratch     sync.Pool // *scratch
}

// Converter turns n tiles whose rows are the words of canonical numbers into tiles for kernels, and back. z and x do
// not overlap. Join writes to scratch, of the kind that Scratch makes.
type Converter interface {
	Split(z, x []uint64, n int)
	Join(z, x, scratch []uint64, n int)
	Scratch() []uint64
}

// scratch is memory for one operation, which would escape as local variables.
type scratch struct {
	from, to [Lanes]int32
	words    []uint64 // batch tiles of words
	tile     []uint64
	work     []uint64 // of the converter
}

// batch is how many tiles a Converter gets at a time.
const batch = 8

// NewForm returns a form whose moves are kernels, with those of set. Without a set it has no vectors in tiles.
func NewForm(words, rows int, c Converter, set *digits.Set) *Form {
	f := &Form{Words: words, Rows: rows, convert: c, set: set}
	if set != nil {
		w := word.Shoup62() // whose moves serve every word
		f.moves, f.side = w.Moves, w.Lanes
	}
	f.scratch.New = func() any {
		s := &scratch{tile: New(Lanes, rows).W}
		if c != nil {
			s.words, s.work = New(batch*Lanes, words).W, c.Scratch()
		}
		return s
	}
	return f
}

// The methods of bulks.Bulk that move numbers:

func (f *Form) Make(n int) (bulks.View, error) {
	return bulks.View{Buf: (*tile)(unsafe.SliceData(New(n, f.Rows).W)), N: n}, nil
}

func (f *Form) Bytes(n int) int { return 8 * f.Rows * ((n + Lanes - 1) / Lanes * Lanes) }

func (f *Form) Memory(v bulks.View) ([]byte, bool) { return arith.Bytes(f.Vector(v).W), true }

func (f *Form) Pack(v, a bulks.View) { f.Copy(v, a, bulks.Copy{Rows: 1, Width: a.N}) }

func (f *Form) Unpack(a, v bulks.View) { f.Copy(a, v, bulks.Copy{Rows: 1, Width: v.N}) }

// Copy moves whole tiles by kernels wherever both sides allow it.
func (f *Form) Copy(dst, src bulks.View, c bulks.Copy) { f.Move(f.Vector(dst), f.Vector(src), c) }

func (f *Form) Reorder(v bulks.View, _, part, parts int) {
	x, length := f.Vector(v), bits.Len(uint(v.N-1))
	for i := part; i < v.N; i += parts {
		if j := bulks.Rev(i, length); i < j {
			f.swap(x, i, j)
		}
	}
}

// swap exchanges the numbers i and j of v.
func (f *Form) swap(v Vector, i, j int) {
	n := f.size(v)
	x, step := v.Place(i, n)
	y, _ := v.Place(j, n)
	for d := 0; d < n*step; d += step {
		v.W[x+d], v.W[y+d] = v.W[y+d], v.W[x+d]
	}
}

// Slice returns the numbers i to j−1.
func (f *Form) Slice(v Vector, i, j int) Vector { return v.Slice(i, j, f.size(v)) }

// Tile returns the words from tile i of w on.
func (f *Form) Tile(w []uint64, i int) []uint64 { return w[Lanes*f.Rows*i:] }

// size is the words of a number of v.
func (f *Form) size(v Vector) int {
	if v.Tiled {
		return f.Rows
	}
	return f.Words
}

// Above returns the least i for which x[i] > bound, and −1 where there is none.
func (f *Form) Above(x []uint64, bound uint64) int { return f.moves.Above(x, bound) }
