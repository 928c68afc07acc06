package testfields

import (
	"fmt"

	"github.com/galfft/fft/field"
)

// tileField is the field of tiles: eight independent lanes, 1 in every one.
type tileField struct {
	one, r2 Tile // 2^260 and 2^520 mod q in every lane
	unit    Tile // the number 1 in every lane
}

func newTileField() *tileField {
	return &tileField{one: spread(&tileR1), r2: spread(&tileR2), unit: spread(&[4]uint64{1})}
}

func (f *tileField) Set(z, x *Tile)        { *z = *x }
func (f *tileField) Neg(z, x *Tile)        { f.Sub(z, &Tile{}, x) }
func (f *tileField) Mul(z, x, y *Tile)     { z.mul(x, y) }
func (f *tileField) One(z *Tile)           { *z = f.one }
func (f *tileField) Equal(x, y *Tile) bool { return *x == *y }

func (f *tileField) Add(z, x, y *Tile) {
	for l := range field.Lanes {
		z.put(l, x[0][l]+y[0][l], x[1][l]+y[1][l], x[2][l]+y[2][l], x[3][l]+y[3][l], x[4][l]+y[4][l])
	}
}

func (f *tileField) Sub(z, x, y *Tile) {
	for l := range field.Lanes {
		z.put(l, x[0][l]-y[0][l]+d0, x[1][l]-y[1][l]+d1, x[2][l]-y[2][l]+d2, x[3][l]-y[3][l]+d3, x[4][l]-y[4][l]+d4)
	}
}

// Inv inverts lane by lane; a tile with 0 in any lane is not invertible.
func (f *tileField) Inv(z, x *Tile) error {
	var a [field.Lanes][4]uint64
	f.store(&a, x)
	for l := range a {
		if a[l] == ([4]uint64{}) {
			return fmt.Errorf("testfields: %w: 0 in lane %d of a tile", field.ErrNotInvertible, l)
		}
		invWords(&a[l], &a[l])
	}
	f.load(z, &a)
	return nil
}

// load sets the lanes of z to the elements of a.
func (f *tileField) load(z *Tile, a *[field.Lanes][4]uint64) {
	for l := range a {
		z.set(l, &a[l])
	}
	z.mul(z, &f.r2)
}

// store sets a to the elements in the lanes of x.
func (f *tileField) store(a *[field.Lanes][4]uint64, x *Tile) {
	var t Tile
	t.mul(x, &f.unit)
	t.store(a)
}
