package bulks

// Copy describes a move of Rows × Width elements: element j of row i of the destination, at i·Dst + j, comes
// from row P(i) and column Q(j) of the source, at P(i)·Src + Q(j), or at Q(j)·Src + P(i) with Transpose. P is
// RowPerm and Q is ColPerm; nil means the identity. With Transpose, RowPerm is its own inverse. Elements are added to
// those of the destination with Add, which is asked for where Traits.Adds says so. With Elements, which is asked for
// where Traits.Turns says so, both are slices of canonical elements, with Transpose and nothing else. From panics for a
// nil Copy.
type Copy struct {
	Rows, Width, Dst, Src    int
	Transpose, Add, Elements bool
	RowPerm, ColPerm         []int32
}

// From returns the index in the source of element j of row i of the destination.
func (c *Copy) From(i, j int) int {
	if c.RowPerm != nil {
		i = int(c.RowPerm[i])
	}
	if c.ColPerm != nil {
		j = int(c.ColPerm[j])
	}
	if c.Transpose {
		i, j = j, i
	}
	return i*c.Src + j
}
