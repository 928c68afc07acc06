package word

// Turn copies column i of src to row i of dst, for i < rows: words of a row of dst touch, and rows are d words apart;
// those of a column of src are s words apart, and columns touch. Or, where there are more rows than words in them, rows
// of src to columns of dst. It reports whether it has done it, as kernels take just so many columns: those that touch,
// or vectors of them. m may be nil.
func (m *Moves[W]) Turn(lanes int, dst, src []W, rows, width, d, s int) bool {
	if m == nil {
		return false
	}
	count, n, to, between := rows, width, d, s // columns of src to rows of dst
	join := rows > width
	if join {
		count, n, to, between = width, rows, s, d
	}
	var k *Columns[W]
	for i := range m.Columns {
		if of := &m.Columns[i]; count%of.Count == 0 && (of.Count == lanes || of.Count == count) {
			k = of
		}
	}
	if k == nil || count == 0 || n < lanes || k.Count != lanes && between != count {
		return false
	}
	whole := n &^ (lanes - 1)
	_, _ = dst[(rows-1)*d+width-1], src[(width-1)*s+rows-1]
	most := MaxWords / k.Count &^ (lanes - 1)
	for i := 0; i < count; i += k.Count {
		for j := 0; j < whole; j += most {
			words := min(most, whole-j)
			if join {
				k.Join(&src[i*to+j], &dst[j*between+i], words, to, between)
			} else {
				k.Split(&dst[i*to+j], &src[j*between+i], words, to, between)
			}
		}
	}
	for j := whole; j < n; j++ {
		for i := range count {
			if join {
				dst[j*between+i] = src[i*to+j]
			} else {
				dst[i*to+j] = src[j*between+i]
			}
		}
	}
	return true
}
