package bulks

import (
	"sync"
	"unsafe"

	"github.com/galfft/fft/internal/pointer"
)

// slicesTable multiplies element by element, or row by row where the field has [field.Butterflies], and replaces
// products by powers of the root of a [field.Shifter], and skips those by 1: they count where elements are large.
type slicesTable struct {
	bytes int
	pass  func(v View, p Pass, r Rows)
	scale func(of View, off, rows, width, stride int)
}

func (t *slicesTable) Bytes() int                  { return t.bytes }
func (t *slicesTable) Pass(v View, p Pass, r Rows) { t.pass(v, p, r) }
func (t *slicesTable) Scale(of View, off, rows, width, stride int) {
	t.scale(of, off, rows, width, stride)
}

// multipliers are those of a slicesTable.
type multipliers[P any] struct {
	*rows[P]
	g     pointer.Shifter[P] // f, or nil
	cheap bool               // a product takes less than the two calls that it would save
	w     unsafe.Pointer
	power []int32    // ShiftPowers
	temp  *sync.Pool // P: a local element would escape through the interface, one allocation for each pass
}

// newSlicesTable makes the table of w, whose passes are those of affine domains where affine says so: (x, y) = (x + wy,
// x + (w + 1)y).
func newSlicesTable[P any](r *rows[P], w View, affine bool) *slicesTable {
	const few = 8 // bytes
	first := r.Make(w.N)
	t := &multipliers[P]{rows: r, cheap: r.Size <= few, w: pointer.Raw(first), power: shiftPowers(r.f, &r.Type, w),
		temp: &sync.Pool{New: func() any { return r.Make(1) }}}
	t.g, _ = r.f.(pointer.Shifter[P])
	pack(r.f, r.Size, View{Buf: first, N: w.N}, w)
	return &slicesTable{
		bytes: r.Size*w.N + 4*len(t.power),
		pass: func(v View, p Pass, l Rows) {
			if l.Blocks*l.Half*l.Width == 0 {
				return
			}
			all := spans(v, 2*l.Half*l.Blocks, l.Stride, l.Width)
			if _ = t.power[p.Off:][:l.Blocks]; t.sums != nil {
				t.sums(v, as[P](unsafe.Add(t.w, p.Off*r.Size)), l, p.Has(Transposed))
				return
			}
			first, half, d := at[P](all, r.Size, 0), l.Half*l.Stride*r.Size, t.temp.Get().(P)
			for b := range l.Blocks {
				e, w := t.power[p.Off+b], as[P](unsafe.Add(t.w, (p.Off+b)*r.Size))
				whole := !affine && t.butterflies != nil && (e < 0 || e == 0 && t.cheap)
				for j := range l.Half {
					x := unsafe.Add(first, (2*l.Half*b+j)*l.Stride*r.Size)
					if y := unsafe.Add(x, half); whole {
						t.butterflies(as[P](x), as[P](y), l.Width, w, p.Has(Transposed))
					} else {
						pass(t, x, y, l.Width, w, e, d, affine, p.Has(Transposed))
					}
				}
			}
			t.temp.Put(d)
		},
		scale: func(of View, off, rows, width, stride int) {
			if rows == 0 || width == 0 {
				return
			}
			x := at[P](spans(of, rows, stride, width), r.Size, 0)
			for i := range rows {
				if t.power[off+i] != 0 {
					times(t, unsafe.Add(x, i*stride*r.Size), width, off+i)
				}
			}
		},
	}
}

// times multiplies the row at x by w[at].
func times[P any](t *multipliers[P], x unsafe.Pointer, n, at int) {
	w, e := as[P](unsafe.Add(t.w, at*t.Size)), t.power[at]
	for i := range n {
		if z := as[P](unsafe.Add(x, i*t.Size)); e > 0 {
			t.g.Shift(z, z, uint64(e))
		} else {
			t.f.Mul(z, z, w)
		}
	}
}

// pass does n butterflies of the rows at x0 and y0 with w, which is power e of g. d is scratch.
func pass[P any](t *multipliers[P], x0, y0 unsafe.Pointer, n int, w P, e int32, d P, affine, transposed bool) {
	f, size, raw := t.f, t.Size, pointer.Raw(d)
	for i := range n {
		p, q := unsafe.Add(x0, i*size), unsafe.Add(y0, i*size)
		x, y := as[P](p), as[P](q)
		switch {
		case affine && transposed: // undoes a layer
			f.Add(y, y, x)
			f.Mul(d, y, w)
			f.Add(x, x, d)
		case affine:
			f.Mul(d, y, w)
			f.Add(x, x, d)
			f.Add(y, y, x)
		case e == 0:
			f.Sub(d, x, y)
			f.Add(x, x, y)
			if t.Plain {
				pointer.Move(q, raw, size)
			} else {
				t.Swap(y, d)
			}
		case transposed:
			f.Sub(d, x, y)
			f.Add(x, x, y)
			if e > 0 {
				t.g.Shift(y, d, uint64(e))
			} else {
				f.Mul(y, d, w)
			}
		default:
			if e > 0 {
				t.g.Shift(d, y, uint64(e))
			} else {
				f.Mul(d, y, w)
			}
			f.Sub(y, x, d)
			f.Add(x, x, d)
		}
	}
}
