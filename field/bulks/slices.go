package bulks

import (
	"math/bits"
	"sync"
	"unsafe"

	"github.com/galfft/fft/field"
)

// Slices is the complete fallback: a [Bulk] whose vectors are slices of E, from element methods alone, for every E. A
// field whose working form is the slice embeds it and overrides what it does faster. The zero Slices has no field:
// its Table is ErrSpec, and methods that compute panic.
type Slices[E any] struct {
	Field field.Field[E]
	// Affine says that passes are for affine domains, of a field of characteristic 2.
	Affine bool
}

// Check is that of the field.
func (f *Slices[E]) Check() error { return field.Check(f.Field) }

// Traits describes element methods.
func (f *Slices[E]) Traits() Traits {
	t := Traits{InPlace: true, Single: true, Affine: f.Affine, Adds: f.Affine, Form: "slices of elements, element methods"}
	if g, ok := f.Field.(field.Shifter[E]); ok {
		t.ShiftOrder = g.ShiftOrder()
	}
	words := float64(f.Bytes(1)) / 8
	t.Butterfly = 10 + 2*words*words
	return t
}

func (f *Slices[E]) Make(n int) (View, error) { return ViewOf(make([]E, n)), nil }
func (f *Slices[E]) Bytes(n int) int          { return n * sizeOf[E]() }
func (f *Slices[E]) Unpack(a, v View)         { f.Pack(a, v) }
func (f *Slices[E]) Reduce(View)              {}
func (f *Slices[E]) Table(w View, _ Share) (Table, error) {
	if err := f.Check(); err != nil {
		return nil, err
	}
	t := newSlicesTable(f.Field, SliceOf[E](w))
	t.affine = f.Affine
	return t, nil
}

func sizeOf[E any]() int {
	var e E
	return int(unsafe.Sizeof(e))
}

func (f *Slices[E]) Pack(v, a View) {
	z, x := SliceOf[E](v), SliceOf[E](a)
	if len(x) > 0 && &z[0] != &x[0] {
		for i := range x {
			f.Field.Set(&z[i], &x[i])
		}
	}
}

func (f *Slices[E]) VecMul(to, by, other View) {
	z, x, y := SliceOf[E](to), SliceOf[E](by), SliceOf[E](other)
	for i := range z {
		f.Field.Mul(&z[i], &x[i], &y[i])
	}
}

func (f *Slices[E]) Copy(to, from View, c Copy) {
	dst, src := SliceOf[E](to), SliceOf[E](from)
	step := 1
	if c.Transpose {
		step = c.Src
	}
	var whole field.Vectors[E] // where rows are added at once
	if c.Add && !c.Transpose && c.ColPerm == nil {
		whole, _ = f.Field.(field.Vectors[E])
	}
	for i := range c.Rows {
		d, s := dst[i*c.Dst:][:c.Width], src[(&Copy{Src: c.Src, Transpose: c.Transpose, RowPerm: c.RowPerm}).From(i,
			0):]
		if whole != nil {
			whole.AddVec(d, d, s[:c.Width])
			continue
		}
		for j := range d {
			at := j
			if c.ColPerm != nil {
				at = int(c.ColPerm[j])
			}
			if x := &s[at*step]; c.Add {
				f.Field.Add(&d[j], &d[j], x)
			} else {
				f.Field.Set(&d[j], x)
			}
		}
	}
}

// Reorder swaps by value: each element keeps one owner, so that pointers inside stay unshared.
func (f *Slices[E]) Reorder(of View, _, part, parts int) {
	v, n := SliceOf[E](of), of.N
	k := bits.Len(uint(n)) - 1
	for i := part; i < n; i += parts {
		if j := Rev(i, k); i < j {
			v[i], v[j] = v[j], v[i]
		}
	}
}

// Rev returns the reversal of the low k bits of i, which has no others.
func Rev(i, k int) int { return int(bits.Reverse64(uint64(i)) >> (64 - uint(k))) }

// slicesTable multiplies element by element, or row by row where the field has [field.Butterflies], and replaces
// products by powers of the root of a [field.Shifter], and skips those by 1: they count where elements are large.
type slicesTable[E any] struct {
	f     field.Field[E]
	g     field.Shifter[E]     // f, or nil
	rows  field.Butterflies[E] // f, or nil
	cheap bool                 // a product takes less than the two calls that it would save
	// passes are those of affine domains: (x, y) = (x + wy, x + (w + 1)y)
	affine bool
	w      []E
	power  []int32    // ShiftPowers
	temp   *sync.Pool // *E: a local element would escape through the interface, one allocation for each pass
}

func newSlicesTable[E any](f field.Field[E], w []E) *slicesTable[E] {
	t := &slicesTable[E]{f: f, w: make([]E, len(w)), power: ShiftPowers(f, w),
		temp: &sync.Pool{New: func() any { return new(E) }}}
	t.g, _ = f.(field.Shifter[E])
	t.rows, _ = f.(field.Butterflies[E])
	const few = 8 // bytes
	t.cheap = sizeOf[E]() <= few
	for i := range w {
		f.Set(&t.w[i], &w[i])
	}
	return t
}

// mul sets z = x·w[i].
func (t *slicesTable[E]) mul(z, x *E, i int) {
	if e := t.power[i]; e > 0 {
		t.g.Shift(z, x, uint64(e))
	} else {
		t.f.Mul(z, x, &t.w[i])
	}
}

func (t *slicesTable[E]) Bytes() int { return sizeOf[E]()*len(t.w) + 4*len(t.power) }

func (t *slicesTable[E]) Pass(v View, p Pass, r Rows) {
	switch {
	case t.affine:
		t.sums(v, p.Off, r, p.Has(Transposed))
	case p.Has(Transposed):
		t.radix2T(v, p.Off, r)
	default:
		t.radix2(v, p.Off, r)
	}
}

// sums is the pass of a layer of an affine domain, or its transpose, which undoes it.
func (t *slicesTable[E]) sums(of View, off int, l Rows, transposed bool) {
	v, f, d := SliceOf[E](of), t.f, t.temp.Get().(*E)
	for b := range l.Blocks {
		for j := range l.Half {
			r := (2*l.Half*b + j) * l.Stride
			x, y := v[r:][:l.Width], v[r+l.Half*l.Stride:][:l.Width]
			for i := range x {
				if transposed {
					f.Add(&y[i], &y[i], &x[i])
				}
				t.mul(d, &y[i], off+b)
				f.Add(&x[i], &x[i], d)
				if !transposed {
					f.Add(&y[i], &y[i], &x[i])
				}
			}
		}
	}
	t.temp.Put(d)
}

func (t *slicesTable[E]) radix2(of View, off int, l Rows) {
	v, f, d := SliceOf[E](of), t.f, t.temp.Get().(*E)
	for b := range l.Blocks {
		for j := range l.Half {
			r := (2*l.Half*b + j) * l.Stride
			x, y := v[r:][:l.Width], v[r+l.Half*l.Stride:][:l.Width]
			switch e := t.power[off+b]; {
			case t.rows != nil && (e < 0 || e == 0 && t.cheap):
				t.rows.Butterflies(x, y, &t.w[off+b])
				continue
			case e == 0:
				for i := range x {
					f.Sub(d, &x[i], &y[i])
					f.Add(&x[i], &x[i], &y[i])
					y[i], *d = *d, y[i]
				}
				continue
			}
			for i := range x {
				t.mul(d, &y[i], off+b)
				f.Sub(&y[i], &x[i], d)
				f.Add(&x[i], &x[i], d)
			}
		}
	}
	t.temp.Put(d)
}

func (t *slicesTable[E]) radix2T(of View, off int, l Rows) {
	v, f, d := SliceOf[E](of), t.f, t.temp.Get().(*E)
	for b := range l.Blocks {
		for j := range l.Half {
			r := (2*l.Half*b + j) * l.Stride
			x, y := v[r:][:l.Width], v[r+l.Half*l.Stride:][:l.Width]
			switch e := t.power[off+b]; {
			case t.rows != nil && (e < 0 || e == 0 && t.cheap):
				t.rows.ButterfliesT(x, y, &t.w[off+b])
				continue
			case e == 0:
				for i := range x {
					f.Sub(d, &x[i], &y[i])
					f.Add(&x[i], &x[i], &y[i])
					y[i], *d = *d, y[i]
				}
				continue
			}
			for i := range x {
				f.Sub(d, &x[i], &y[i])
				f.Add(&x[i], &x[i], &y[i])
				t.mul(&y[i], d, off+b)
			}
		}
	}
	t.temp.Put(d)
}

func (t *slicesTable[E]) Scale(of View, off, rows, width, stride int) {
	v := SliceOf[E](of)
	for r := range rows {
		if t.power[off+r] == 0 {
			continue
		}
		x := v[r*stride:][:width]
		for i := range x {
			t.mul(&x[i], &x[i], off+r)
		}
	}
}
