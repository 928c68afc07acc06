package bulks

import "math/bits"

// Plain is Slices for elements without pointers: rows move with copy, whole cache lines at a time.
type Plain[E any] struct{ Slices[E] }

func (f *Plain[E]) Pack(v, a View)   { copy(SliceOf[E](v), SliceOf[E](a)) }
func (f *Plain[E]) Unpack(a, v View) { copy(SliceOf[E](a), SliceOf[E](v)) }

func (f *Plain[E]) Copy(to, from View, c Copy) {
	dst, src := SliceOf[E](to), SliceOf[E](from)
	switch {
	case c.Add:
		f.Slices.Copy(to, from, c)
	case c.ColPerm == nil && !c.Transpose && c.Width == 1 && c.RowPerm != nil:
		gather(dst, src, c.RowPerm[:c.Rows], c.Dst, c.Src)
	case c.ColPerm == nil && !c.Transpose && c.Width < 8: // a call of copy would take longer
		for i := range c.Rows {
			d, s := dst[i*c.Dst:][:c.Width], src[c.From(i, 0):][:c.Width]
			for j := range d {
				d[j] = s[j]
			}
		}
	case c.ColPerm == nil && !c.Transpose:
		for i := range c.Rows {
			copy(dst[i*c.Dst:][:c.Width], src[c.From(i, 0):])
		}
	case c.Transpose:
		f.transpose(dst, src, c)
	default:
		f.Slices.Copy(to, from, c)
	}
}

// gather copies elements at multiples of s to multiples of d.
func gather[E any](dst, src []E, from []int32, d, s int) {
	if d == 1 && s == 1 {
		dst = dst[:len(from)]
		for i, at := range from {
			dst[i] = src[at]
		}
		return
	}
	for i, at := range from {
		dst[i*d] = src[int(at)*s]
	}
}

// transpose reads up to eight rows of the source side by side, so that it fills whole cache lines of dst.
func (f *Plain[E]) transpose(dst, src []E, c Copy) {
	place := func(i int) int {
		if c.RowPerm != nil {
			return int(c.RowPerm[i])
		}
		return i
	}
	for j := 0; j < c.Width; j += 8 {
		var start [8]int // of the source rows of columns j, j + 1, …
		s := start[:min(8, c.Width-j)]
		for k := range s {
			s[k] = (&Copy{Src: c.Src, Transpose: true, ColPerm: c.ColPerm}).From(0, j+k)
		}
		switch len(s) {
		case 8:
		case 3: // powers of two times three
			s0, s1, s2 := s[0], s[1], s[2]
			for i := range c.Rows {
				p, d := place(i), dst[i*c.Dst+j:][:3]
				d[0], d[1], d[2] = src[s0+p], src[s1+p], src[s2+p]
			}
			return
		default:
			for i := range c.Rows {
				p, d := place(i), dst[i*c.Dst+j:]
				for k, at := range s {
					d[k] = src[at+p]
				}
			}
			return
		}
		s0, s1, s2, s3, s4, s5, s6, s7 := s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]
		for i := range c.Rows {
			p, d := place(i), dst[i*c.Dst+j:][:8]
			d[0], d[1], d[2], d[3] = src[s0+p], src[s1+p], src[s2+p], src[s3+p]
			d[4], d[5], d[6], d[7] = src[s4+p], src[s5+p], src[s6+p], src[s7+p]
		}
	}
}

// rev3 is the reversal of three bits.
var rev3 = [8]int{0, 4, 2, 6, 1, 5, 3, 7}

// Reorder swaps blocks of 8 × 8 elements: those with the top bits a, the middle m and the low bits c go to the
// top rev(c), the middle rev(m) and the low rev(a), so that both sides are whole cache lines.
func (f *Plain[E]) Reorder(of View, _, part, parts int) {
	n := of.N
	k := bits.Len(uint(n)) - 1
	if k < 6 {
		f.Slices.Reorder(of, 1, part, parts)
		return
	}
	v := SliceOf[E](of)
	row := n / 8
	for m := part; m < n/64; m += parts {
		r := Rev(m, k-6)
		if m > r {
			continue
		}
		for a := range 8 {
			x, to := v[a*row+8*m:][:8], 8*r+rev3[a]
			for c := range 8 {
				y := &v[rev3[c]*row+to]
				if m < r || a*row+8*m+c < rev3[c]*row+to {
					x[c], *y = *y, x[c]
				}
			}
		}
	}
}
