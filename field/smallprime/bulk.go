package smallprime

import "github.com/galfft/fft/field"

// form is the working form and its arithmetic in words, for reports.
type form string

func (f form) Form() string { return string(f) }

// bulk returns the arithmetic for the modulus of f.
func (f *Field32) bulk() field.Bulk[uint32, []uint32] {
	p, plain := f.m.p, field.Plain[uint32]{Slices: field.Slices[uint32]{Field: f}}
	if p < 1<<31 {
		return &shoup31Bulk{plain, "uint32, p < 2^31: Shoup products, values in [0, 2p)", newShoup31(p), f.mod}
	}
	return &strict32Bulk{plain, "uint32, p < 2^32: Shoup products, values in [0, p)", newStrict32(p), f.mod}
}

// bulk returns the arithmetic for the modulus of f.
func (f *Field64) bulk() field.Bulk[uint64, []uint64] {
	p, plain := f.m.p, field.Plain[uint64]{Slices: field.Slices[uint64]{Field: f}}
	switch {
	case p < 1<<50: // a class of its own where products of 52 bits exist
		return &shoup62Bulk{plain, "uint64, p < 2^50: Shoup products, values in [0, 4p)", newShoup62(p), f.m}
	case p < 1<<62:
		return &shoup62Bulk{plain, "uint64, p < 2^62: Shoup products, values in [0, 4p)", newShoup62(p), f.m}
	case p < 1<<63:
		return &shoup63Bulk{plain, "uint64, p < 2^63: Shoup products, values in [0, 2p)", newShoup63(p), f.m}
	}
	return &mont64Bulk{plain, "uint64, p < 2^64: Montgomery products, values in [0, p)", newMont64(p), f.m}
}
