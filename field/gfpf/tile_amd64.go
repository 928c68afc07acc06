//go:build amd64 && !purego

package gfpf

import (
	"fmt"
	"math/big"
	"sync"
	"unsafe"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/kernels/digits"
)

// tileDigits is the types of tiles: digit i of eight elements in row i.
type tileDigits interface {
	[2][field.Lanes]uint64 | [4][field.Lanes]uint64 | [8][field.Lanes]uint64 | [16][field.Lanes]uint64 |
		[32][field.Lanes]uint64 | [64][field.Lanes]uint64 | [128][field.Lanes]uint64
}

// first returns the address of the words of a tile, and rows a slice over them.
func first[P tileDigits](x *P) *uint64 { return (*uint64)(unsafe.Pointer(x)) }

func rows[P tileDigits](x *P) [][field.Lanes]uint64 {
	return unsafe.Slice((*[field.Lanes]uint64)(unsafe.Pointer(x)), len(*x))
}

// tileField is the field of tiles, lane by lane, on kernels; where they have no products, those are of elements.
type tileField[P tileDigits] struct {
	*ring
	set       *digits.Set
	product   bool     // by kernels
	constants []uint64 // of products
	scratch   *sync.Pool
}

func newTileField[P tileDigits](f *ring, set *digits.Set) *tileField[P] {
	t := &tileField[P]{ring: f, set: set, product: set.Mul != nil && f.r >= digits.LeastProduct}
	if t.product {
		t.constants = digits.Constants(f.r, f.k)
	}
	t.scratch = &sync.Pool{New: func() any { return &scratch{&digits.NewScratch(f.k)[0], make([]uint64, f.k)} }}
	return t
}

// scratch is memory for products of tiles.
type scratch struct {
	p *uint64
	e []uint64 // an element
}

func (f *tileField[P]) Set(z, x *P) { *z = *x }

func (f *tileField[P]) Add(z, x, y *P) { f.set.Add(first(z), first(x), first(y), f.r, f.k, 1) }
func (f *tileField[P]) Sub(z, x, y *P) { f.set.Sub(first(z), first(x), first(y), f.r, f.k, 1) }

var zeroTile [most][field.Lanes]uint64

func (f *tileField[P]) Neg(z, x *P) { f.set.Sub(first(z), &zeroTile[0][0], first(x), f.r, f.k, 1) }

func (f *tileField[P]) Mul(z, x, y *P) { f.mulTiles(first(z), first(x), first(y), 1) }

// mulTiles sets n tiles z to xy.
func (f *tileField[P]) mulTiles(z, x, y *uint64, n int) {
	if !f.product {
		size := 8 * f.k
		zs, xs, ys := unsafe.Slice(z, n*size), unsafe.Slice(x, n*size), unsafe.Slice(y, n*size)
		for i := range n {
			f.mulLanes(zs[i*size:], xs[i*size:], ys[i*size:])
		}
		return
	}
	s := f.scratch.Get().(*scratch)
	limit := digits.Tiles(f.k)
	for i := 0; i < n; i += limit {
		f.set.Mul(f.tile(z, i), f.tile(x, i), f.tile(y, i), s.p, &f.constants[0], f.k, min(n-i, limit))
	}
	f.scratch.Put(s)
}

// tile returns the address of tile i of those from p on.
func (f *tileField[P]) tile(p *uint64, i int) *uint64 {
	return (*uint64)(unsafe.Add(unsafe.Pointer(p), i*field.Lanes*8*f.k))
}

// mulLanes sets the tile z to xy by products of elements.
func (f *tileField[P]) mulLanes(z, x, y []uint64) {
	var a, b, c [most]uint64
	for l := range field.Lanes {
		for i := range f.k {
			a[i], b[i] = x[8*i+l], y[8*i+l]
		}
		f.mul(c[:f.k], a[:f.k], b[:f.k])
		for i := range f.k {
			z[8*i+l] = c[i]
		}
	}
}

// Inv inverts lane by lane; a tile with 0 in any lane is not invertible.
func (f *tileField[P]) Inv(z, x *P) error {
	var t P
	in, out := rows(x), rows(&t)
	p := modulus(f.r, f.k)
	d := make([]uint64, f.k)
	for l := range field.Lanes {
		for i := range d {
			d[i] = in[i][l]
		}
		e := f.toBig(new(big.Int), d)
		if e.Sign() == 0 {
			return fmt.Errorf("fft: %w: 0 in lane %d of a tile", field.ErrNotInvertible, l)
		}
		f.fromBig(d, e.ModInverse(e, p))
		for i := range d {
			out[i][l] = d[i]
		}
	}
	*z = t
	return nil
}

func (f *tileField[P]) One(z *P) {
	var t P
	for l := range field.Lanes {
		rows(&t)[0][l] = 1
	}
	*z = t
}

func (f *tileField[P]) Equal(x, y *P) bool { return *x == *y }

func (f *tileField[P]) ShiftOrder() uint64 { return uint64(2 * f.k) }

func (f *tileField[P]) Shift(z, x *P, s uint64) {
	n := int(s % uint64(2*f.k))
	if z != x {
		f.set.Shift(first(z), first(x), f.r, n, f.k, 1)
		return
	}
	c := f.scratch.Get().(*scratch)
	t := (*P)(unsafe.Pointer(c.p))
	*t = *x
	f.set.Shift(first(z), first(t), f.r, n, f.k, 1)
	f.scratch.Put(c)
}

// tileBulk is vectors of tiles.
type tileBulk[P tileDigits] struct {
	field.Plain[P]
	f *tileField[P]
}

func newTileBulk[P tileDigits](f *tileField[P]) *tileBulk[P] {
	return &tileBulk[P]{field.Plain[P]{Slices: field.Slices[P]{Field: f}}, f}
}

func (b *tileBulk[P]) VecMul(z, x, y []P, n int) {
	if n > 0 {
		b.f.mulTiles(first(&z[:n][0]), first(&x[:n][0]), first(&y[:n][0]), n)
	}
}

func (b *tileBulk[P]) Table(w []P) (field.Table[[]P], error) {
	t, err := b.Plain.Table(w)
	if err != nil {
		return nil, err
	}
	_, all := t.(field.Elementwise[P]).Elements()
	same := make([]bool, len(w))
	for i := range w {
		same[i] = uniform(&w[i])
	}
	return &tileTable[P]{t, b.f, all, field.ShiftPowers(b.f, w), same}, nil
}

// uniform reports whether all lanes of x are one element.
func uniform[P tileDigits](x *P) bool {
	for _, row := range rows(x) {
		for _, d := range row {
			if d != row[0] {
				return false
			}
		}
	}
	return true
}

// tileTable multiplies rows by kernels.
type tileTable[P tileDigits] struct {
	field.Table[[]P]
	f     *tileField[P]
	w     []P
	power []int32 // the exponents of powers of r, others −1
	same  []bool  // all lanes are one element
}

func (t *tileTable[P]) Elements() (field.Field[P], []P) { return t.f, t.w }

func (t *tileTable[P]) Bytes() int { return t.Table.Bytes() + 5*len(t.w) }

func (t *tileTable[P]) Scale(v []P, off, n, width, stride int) {
	for r := 0; r < n; r++ {
		w := off + r
		switch row := v[r*stride:][:width]; {
		case width == 0 || t.power[w] >= 0:
			t.Table.Scale(row, w, 1, width, width)
		case t.same[w] && t.f.product:
			t.f.mulBy(row, &t.w[w])
		case width == 1 && stride == 1: // with those that follow
			run := 1
			for r+run < n && t.power[w+run] < 0 && !t.same[w+run] {
				run++
			}
			t.f.mulTiles(first(&v[r]), first(&v[r]), first(&t.w[w]), run)
			r += run - 1
		default:
			for i := range row {
				t.f.Mul(&row[i], &row[i], &t.w[w])
			}
		}
	}
}

// mulBy multiplies tiles by the element that is in all lanes of w.
func (f *tileField[P]) mulBy(v []P, w *P) {
	s := f.scratch.Get().(*scratch)
	for i, row := range rows(w) {
		s.e[i] = row[0]
	}
	for limit := digits.Tiles(f.k); len(v) > 0; v = v[min(len(v), limit):] {
		f.set.MulBy(first(&v[0]), first(&v[0]), &s.e[0], s.p, &f.constants[0], f.k, min(len(v), limit))
	}
	f.scratch.Put(s)
}
