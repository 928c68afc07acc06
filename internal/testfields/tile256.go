package testfields

import (
	"fmt"
	"math/big"

	"github.com/galfft/fft/field"
)

// Tile256 is the prime field of [Word256] with a working form of tiles. An element is four little-endian
// words that hold x itself, below q, so that a slice of residues is a valid vector.
type Tile256 struct {
	encoding[[4]uint64]
	lanes *tileField
}

// NewTile256 returns the field.
func NewTile256() *Tile256 {
	return &Tile256{
		encoding[[4]uint64]{
			name: "tile256",
			p:    modulus256(),
			put:  wordsOfBig,
			get:  func(z *big.Int, x *[4]uint64) { bigOfWords(z, x) },
		},
		newTileField(),
	}
}

func (f *Tile256) Set(z, x *[4]uint64)        { *z = *x }
func (f *Tile256) Add(z, x, y *[4]uint64)     { addWords(z, x, y) }
func (f *Tile256) Sub(z, x, y *[4]uint64)     { subWords(z, x, y) }
func (f *Tile256) Neg(z, x *[4]uint64)        { subWords(z, &[4]uint64{}, x) }
func (f *Tile256) One(z *[4]uint64)           { *z = [4]uint64{1} }
func (f *Tile256) Equal(x, y *[4]uint64) bool { return *x == *y }

// Mul takes two Montgomery products, the second by 2^512, because elements are plain.
func (f *Tile256) Mul(z, x, y *[4]uint64) {
	var t [4]uint64
	mulMont(&t, x, y)
	mulMont(z, &t, &mont2)
}

func (f *Tile256) Inv(z, x *[4]uint64) error {
	if *x == ([4]uint64{}) {
		return fmt.Errorf("testfields: %w: 0", field.ErrNotInvertible)
	}
	invWords(z, x)
	return nil
}

// invWords sets z = 1/x for x ≠ 0.
func invWords(z, x *[4]uint64) {
	mulMont(z, x, &mont2)
	invMont(z, z)
	mulMont(z, z, &[4]uint64{1})
}

// RootOfUnity sets z to a root of order n, for every n that divides q − 1.
func (f *Tile256) RootOfUnity(z *[4]uint64, n uint64) error {
	w, err := rootOfUnity(f.p, n)
	if err != nil {
		return err
	}
	f.put(z, w)
	return nil
}

// Tile returns the field of tiles with its vectors, slices of tiles.
func (f *Tile256) Tile() field.Bulk[Tile, []Tile] {
	return field.Plain[Tile]{Slices: field.Slices[Tile]{Field: f.lanes}}
}

// LoadTile sets z to the first eight elements of a.
func (f *Tile256) LoadTile(z *Tile, a [][4]uint64) { f.lanes.load(z, (*[field.Lanes][4]uint64)(a)) }

// StoreTile sets the first eight elements of a to those of x, canonical.
func (f *Tile256) StoreTile(a [][4]uint64, x *Tile) { f.lanes.store((*[field.Lanes][4]uint64)(a), x) }

// Transpose sets lane i of dst[j] to lane j of src[i].
func (f *Tile256) Transpose(dst, src *[field.Lanes]*Tile) {
	for j, d := range dst {
		for i, s := range src {
			for k := range d {
				d[k][i] = s[k][j]
			}
		}
	}
}
