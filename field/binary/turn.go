package binary

import (
	"github.com/galfft/fft/field/bulks"
	kernels "github.com/galfft/fft/kernels/word"
)

// turn is a copy of elements between columns and rows, as they lie in memory, in the order in which they stand there.
// Kernels take words of 32 and 64 bits, as many columns as fill vectors.
func turn[E Elements](to, from bulks.View, c bulks.Copy) {
	if c.Rows == 0 || c.Width == 0 {
		return
	}
	dst, src := bulks.SliceOf[E](to), bulks.SliceOf[E](from)
	done := 0 // columns
	switch dst := any(dst).(type) {
	case []uint32:
		done = turnWords(kernels.Shoup30(), dst, any(src).([]uint32), c)
	case []uint64:
		done = turnWords(kernels.Shoup62(), dst, any(src).([]uint64), c)
	}
	if join := c.Rows > c.Width; join {
		for i := range c.Rows {
			row := dst[i*c.Dst:][:c.Width]
			for j := done; j < len(row); j++ {
				row[j] = src[j*c.Src+i]
			}
		}
		return
	}
	for j := range c.Width {
		column := src[j*c.Src:][:c.Rows]
		for i := done; i < len(column); i++ {
			dst[i*c.Dst+j] = column[i]
		}
	}
}

// turnWords returns how many columns kernels have turned, from the first one on. set is nil where there are none.
func turnWords[W uint32 | uint64](set *kernels.Set[W], dst, src []W, c bulks.Copy) int {
	if set == nil {
		return 0
	}
	rows, width := c.Rows, c.Width
	columns := &rows
	if rows > width {
		columns = &width
	}
	for _, count := range [2]int{*columns, *columns &^ (set.Lanes - 1)} {
		if *columns = count; count > 0 && set.Moves.Turn(set.Lanes, dst, src, rows, width, c.Dst, c.Src) {
			return count
		}
	}
	return 0
}

// turns reports whether c is what turn does.
func turns(c bulks.Copy) bool { return c.Transpose && !c.Add && c.RowPerm == nil && c.ColPerm == nil }

// Copy turns elements too.
func (b *bulk) Copy(dst, src bulks.View, c bulks.Copy) {
	if c.Elements {
		b.turn(dst, src, c)
		return
	}
	b.planes.Copy(dst, src, c)
}

// turnElements turns those of 64 or 128 bits.
func (w *words) turnElements(dst, src bulks.View, c bulks.Copy) {
	if w.f == 0 {
		turn[uint64](dst, src, c)
		return
	}
	turn[[2]uint64](dst, src, c)
}
