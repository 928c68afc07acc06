package bigprime

import (
	"math/bits"
	"unsafe"

	"github.com/galfft/fft/field/bulks"
)

// moves moves packed elements.
type moves interface {
	copy(dst, src []uint64, c bulks.Copy)
	reorder(v []uint64, part, parts int)
}

// arrays is moves of one of the types of Words, by loops that the compiler makes for each: these take a third of the
// time of loops over words.
type arrays[E Words] struct{}

func (arrays[E]) of(v []uint64) []E {
	var e E
	return unsafe.Slice((*E)(unsafe.Pointer(unsafe.SliceData(v))), len(v)/len(e))
}

func (a arrays[E]) copy(to, from []uint64, c bulks.Copy) {
	dst, src := a.of(to), a.of(from)
	step := 1
	if c.Transpose {
		step = c.Src
	}
	rows := bulks.Copy{Src: c.Src, Transpose: c.Transpose, RowPerm: c.RowPerm}
	for i := range c.Rows {
		d, s := dst[i*c.Dst:][:c.Width], src[rows.From(i, 0):]
		switch {
		case c.ColPerm != nil:
			for j := range d {
				d[j] = s[int(c.ColPerm[j])*step]
			}
		case step != 1:
			for j := range d {
				d[j] = s[j*step]
			}
		default:
			copy(d, s)
		}
	}
}

// rev3 is the reversal of three bits.
var rev3 = [8]int{0, 4, 2, 6, 1, 5, 3, 7}

// reorder swaps blocks of 8 × 8 elements, as bulks.Plain does: those with the top bits a, the middle m and the low bits
// c go to the top rev(c), the middle rev(m) and the low rev(a), so that runs of eight stay together in cache.
func (a arrays[E]) reorder(words []uint64, part, parts int) {
	v := a.of(words)
	n := len(v)
	k := bits.Len(uint(n)) - 1
	if k < 6 {
		for i := part; i < n; i += parts {
			if j := bulks.Rev(i, k); i < j {
				v[i], v[j] = v[j], v[i]
			}
		}
		return
	}
	row := n / 8
	for m := part; m < n/64; m += parts {
		r := bulks.Rev(m, k-6)
		if m > r {
			continue
		}
		for top := range 8 {
			x, to := v[top*row+8*m:][:8], 8*r+rev3[top]
			for low := range x {
				at := rev3[low]*row + to
				if m < r || top*row+8*m+low < at {
					x[low], v[at] = v[at], x[low]
				}
			}
		}
	}
}

func newMoves(w int) moves {
	switch w {
	case 2:
		return arrays[[2]uint64]{}
	case 3:
		return arrays[[3]uint64]{}
	case 4:
		return arrays[[4]uint64]{}
	case 5:
		return arrays[[5]uint64]{}
	case 6:
		return arrays[[6]uint64]{}
	case 8:
		return arrays[[8]uint64]{}
	case 10:
		return arrays[[10]uint64]{}
	case 12:
		return arrays[[12]uint64]{}
	case 16:
		return arrays[[16]uint64]{}
	case 20:
		return arrays[[20]uint64]{}
	case 24:
		return arrays[[24]uint64]{}
	case 32:
		return arrays[[32]uint64]{}
	case 48:
		return arrays[[48]uint64]{}
	case 64:
		return arrays[[64]uint64]{}
	case 96:
		return arrays[[96]uint64]{}
	}
	return arrays[[most]uint64]{}
}
