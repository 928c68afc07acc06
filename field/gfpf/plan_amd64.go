//go:build amd64 && !purego

package gfpf

import (
	"sync"
	"unsafe"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/kernels/digits"
	"github.com/galfft/fft/kernels/word"
	"github.com/galfft/fft/schemes"
)

// Plan makes the transform over d as s asks: on tiles of eight elements where there are kernels for them and k is 4, 8
// or 16, and element by element elsewhere. Each further k costs whoever builds this package several seconds.
func (f *Field[E]) Plan(d field.Domain[E], s field.Spec) (field.Transform[E], error) {
	if set := digits.Active(); set != nil {
		switch f := any(f).(type) {
		case *Field[[4]uint64]:
			return retype[E](planTiles[[4]uint64, [4][field.Lanes]uint64](f, set, any(d).(field.Domain[[4]uint64]), s))
		case *Field[[8]uint64]:
			return retype[E](planTiles[[8]uint64, [8][field.Lanes]uint64](f, set, any(d).(field.Domain[[8]uint64]), s))
		case *Field[[16]uint64]:
			return retype[E](planTiles[[16]uint64, [16][field.Lanes]uint64](f, set, any(d).(field.Domain[[16]uint64]), s))
		}
	}
	return schemes.Build(field.Plain[E]{Slices: field.Slices[E]{Field: f}}, d, s)
}

// retype gives a transform of elements F, which are E, their other name.
func retype[E, F Digits](t field.Transform[F], err error) (field.Transform[E], error) {
	if err != nil {
		return nil, err
	}
	return any(t).(field.Transform[E]), nil
}

func planTiles[E Digits, P tileDigits](f *Field[E], set *digits.Set, d field.Domain[E], s field.Spec) (field.Transform[E], error) {
	t := &tiled[E, P]{Field: f, tile: newTileBulk(newTileField[P](&f.ring, set)), set: set}
	t.lists = sync.Pool{New: func() any { return new(lists) }}
	if w := word.Shoup62(); w != nil && w.Lanes == field.Lanes {
		t.moves = w.Moves
	}
	return schemes.BuildTiled(t, d, s)
}

// tiled is a field with its tiles.
type tiled[E Digits, P tileDigits] struct {
	*Field[E]
	tile  *tileBulk[P]
	set   *digits.Set
	moves *word.Moves[uint64] // transposes of 8 × 8 words; nil: none
	lists sync.Pool           // *lists
}

// lists are the places of tiles in a transpose, which would escape as local variables.
type lists struct{ from, to [field.Lanes]int32 }

func (t *tiled[E, P]) Tile() field.Bulk[P, []P] { return t.tile }

// Form says what the kernels use.
func (t *tiled[E, P]) Form() string { return t.set.Form }

// inOrder are the places of rows, and of columns, in their order.
var inOrder = func() (p [most]int32) {
	for i := range p {
		p[i] = int32(i)
	}
	return p
}()

// LoadTile sets z to the first eight elements of a.
func (t *tiled[E, P]) LoadTile(z *P, a []E) {
	a = a[:field.Lanes]
	if t.moves != nil && t.k%field.Lanes == 0 {
		t.moves.Transpose(first(z), &words(&a[0])[0], &inOrder[0], &inOrder[0], t.k, field.Lanes, t.k)
		return
	}
	r := rows(z)
	for l := range a {
		for i, d := range words(&a[l]) {
			r[i][l] = d
		}
	}
}

// StoreTile sets the first eight elements of a to those of x, which tiles hold canonical.
func (t *tiled[E, P]) StoreTile(a []E, x *P) {
	a = a[:field.Lanes]
	r := rows(x)
	if t.moves != nil && t.k%field.Lanes == 0 {
		for i := 0; i < t.k; i += field.Lanes {
			t.moves.Transpose(&words(&a[0])[i], &r[i][0], &inOrder[0], &inOrder[0], field.Lanes, t.k, field.Lanes)
		}
		return
	}
	for l := range a {
		for i := range words(&a[l]) {
			words(&a[l])[i] = r[i][l]
		}
	}
}

// Transpose sets lane i of dst[j] to lane j of src[i], digit by digit.
func (t *tiled[E, P]) Transpose(dst, src *[field.Lanes]*P) {
	if t.moves == nil {
		for j := range dst {
			d := rows(dst[j])
			for i := range src {
				for c, row := range rows(src[i]) {
					d[c][i] = row[j]
				}
			}
		}
		return
	}
	l := t.lists.Get().(*lists)
	places(&l.from, src)
	places(&l.to, dst)
	d, s := rows(dst[0]), rows(src[0])
	for c := range d {
		t.moves.Transpose(&d[c][0], &s[c][0], &l.from[0], &l.to[0], field.Lanes, 1, 1)
	}
	t.lists.Put(l)
}

// places lists how many words the tiles are behind the first one.
func places[P tileDigits](list *[field.Lanes]int32, tiles *[field.Lanes]*P) {
	base := uintptr(unsafe.Pointer(tiles[0]))
	for i, t := range tiles {
		list[i] = int32(int(uintptr(unsafe.Pointer(t))-base) / 8)
	}
}
