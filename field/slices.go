package field

import (
	"math/bits"
	"sync"
	"unsafe"
)

// Slices is the complete fallback: Bulk[E, []E] from element methods alone, for every E. A field whose
// working form is the slice embeds it and overrides what it does faster. The zero Slices has no field:
// its Table and Check are ErrSpec, and methods that compute panic.
type Slices[E any] struct{ Field[E] }

// Check is that of the field.
func (f Slices[E]) Check() error { return Check(f.Field) }

func (f Slices[E]) Make(n int) []E { return make([]E, n) }
func (f Slices[E]) VecBytes(n int) int {
	var e E
	return n * int(unsafe.Sizeof(e))
}
func (f Slices[E]) Slice(v []E, i, j int) []E { return v[i:j] }
func (f Slices[E]) Alias(a []E) ([]E, bool)   { return a, true }
func (f Slices[E]) Pack(v, a []E)             { f.set(v, a) }
func (f Slices[E]) Unpack(a, v []E)           { f.set(a, v) }
func (f Slices[E]) Reduce(v []E)              {}
func (f Slices[E]) Table(w []E) (Table[[]E], error) {
	if err := f.Check(); err != nil {
		return nil, err
	}
	return newSlicesTable(f.Field, w), nil
}

// RangeChecker is the field, where it is one, or nil.
func (f Slices[E]) RangeChecker() RangeChecker[E] {
	c, _ := f.Field.(RangeChecker[E])
	return c
}

func (f Slices[E]) set(z, x []E) {
	if len(x) > 0 && &z[0] != &x[0] {
		for i := range x {
			f.Set(&z[i], &x[i])
		}
	}
}

func (f Slices[E]) VecMul(z, x, y []E, n int) {
	for i := range n {
		f.Mul(&z[i], &x[i], &y[i])
	}
}

func (f Slices[E]) Copy(dst, src []E, c Copy) {
	step := 1
	if c.Transpose {
		step = c.Src
	}
	for i := range c.Rows {
		d, s := dst[i*c.Dst:][:c.Width], src[(&Copy{Src: c.Src, Transpose: c.Transpose, RowPerm: c.RowPerm}).From(i, 0):]
		for j := range d {
			at := j
			if c.ColPerm != nil {
				at = int(c.ColPerm[j])
			}
			f.Set(&d[j], &s[at*step])
		}
	}
}

// Reorder swaps by value: each element keeps one owner, so that pointers inside stay unshared.
func (f Slices[E]) Reorder(v []E, n, part, parts int) {
	k := bits.Len(uint(n)) - 1
	for i := part; i < n; i += parts {
		if j := Rev(i, k); i < j {
			v[i], v[j] = v[j], v[i]
		}
	}
}

// Rev returns the reversal of the low k bits of i, which has no others.
func Rev(i, k int) int { return int(bits.Reverse64(uint64(i)) >> (64 - uint(k))) }

// slicesTable multiplies element by element, and replaces products by powers of the root of a [Shifter], and skips those by
// 1: they count where elements are large.
type slicesTable[E any] struct {
	f     Field[E]
	g     Shifter[E] // f, or nil
	w     []E
	power []int32    // ShiftPowers
	temp  *sync.Pool // *E: a local element would escape through the interface, one allocation for each pass
}

func newSlicesTable[E any](f Field[E], w []E) *slicesTable[E] {
	t := &slicesTable[E]{f: f, w: make([]E, len(w)), power: ShiftPowers(f, w), temp: &sync.Pool{New: func() any { return new(E) }}}
	t.g, _ = f.(Shifter[E])
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

func (t *slicesTable[E]) Elements() (Field[E], []E) { return t.f, t.w }

func (t *slicesTable[E]) Bytes() int { return Slices[E]{}.VecBytes(len(t.w)) + 4*len(t.power) }

func (t *slicesTable[E]) Radix2(v []E, l Layer) {
	f, d := t.f, t.temp.Get().(*E)
	for b := range l.Blocks {
		for j := range l.Half {
			r := (2*l.Half*b + j) * l.Stride
			x, y := v[r:][:l.Width], v[r+l.Half*l.Stride:][:l.Width]
			if t.power[l.Off+b] == 0 {
				for i := range x {
					f.Sub(d, &x[i], &y[i])
					f.Add(&x[i], &x[i], &y[i])
					y[i], *d = *d, y[i]
				}
				continue
			}
			for i := range x {
				t.mul(d, &y[i], l.Off+b)
				f.Sub(&y[i], &x[i], d)
				f.Add(&x[i], &x[i], d)
			}
		}
	}
	t.temp.Put(d)
}

func (t *slicesTable[E]) Radix2T(v []E, l Layer) {
	f, d := t.f, t.temp.Get().(*E)
	for b := range l.Blocks {
		for j := range l.Half {
			r := (2*l.Half*b + j) * l.Stride
			x, y := v[r:][:l.Width], v[r+l.Half*l.Stride:][:l.Width]
			if t.power[l.Off+b] == 0 {
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
				t.mul(&y[i], d, l.Off+b)
			}
		}
	}
	t.temp.Put(d)
}

func (t *slicesTable[E]) Scale(v []E, off, rows, width, stride int) {
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
