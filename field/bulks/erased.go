package bulks

import (
	"math/bits"
	"unsafe"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/pointer"
)

// rows is a field for code that is compiled once: P points to its elements. What takes slices of these is behind
// functions, nil where the field has not got it.
type rows[P any] struct {
	pointer.Type[P]
	f           pointer.Field[P]
	butterflies func(x, y P, n int, w P, transposed bool)
	add         func(z, x P, n int)
	sums        func(v View, w P, l Rows, back bool) // a pass of an affine domain
}

// butterfliesOf are those of field.Butterflies, or their transposes.
func butterfliesOf[E any](f field.Field[E]) func(x, y *E, n int, w *E, transposed bool) {
	b, ok := f.(field.Butterflies[E])
	if !ok {
		return nil
	}
	return func(x, y *E, n int, w *E, transposed bool) {
		if xs, ys := unsafe.Slice(x, n), unsafe.Slice(y, n); transposed {
			b.ButterfliesT(xs, ys, w)
		} else {
			b.Butterflies(xs, ys, w)
		}
	}
}

// addOf is AddVec of field.Vectors.
func addOf[E any](f field.Field[E]) func(z, x *E, n int) {
	v, ok := f.(field.Vectors[E])
	if !ok {
		return nil
	}
	return func(z, x *E, n int) {
		zs := unsafe.Slice(z, n)
		v.AddVec(zs, zs, unsafe.Slice(x, n))
	}
}

// sumsOf is a pass of an affine domain by rows and blocks.
func sumsOf[E any](s *Sums[E]) func(of View, w *E, l Rows, back bool) {
	if s == nil {
		return nil
	}
	return func(of View, w *E, l Rows, back bool) {
		v, ws := SliceOf[E](of), unsafe.Slice(w, l.Blocks)
		if half, ok := l.Contiguous(); ok {
			s.Blocks(v[:2*half*l.Blocks], ws, half, back)
			return
		}
		for b := range l.Blocks {
			for j := range l.Half {
				at := (2*l.Half*b + j) * l.Stride
				s.Row(v[at:][:l.Width], v[at+l.Half*l.Stride:][:l.Width], &ws[b], back)
			}
		}
	}
}

// at is where element i of v lies, for elements of size bytes. It panics where v is a view of something else.
func at[P any](v View, size, i int) unsafe.Pointer {
	return unsafe.Add(pointer.Raw(v.Buf.(P)), (v.Off+i)*size)
}

// spans returns the part of v that rows of width elements span, stride apart. It panics where they are not in v.
func spans(v View, rows, stride, width int) View {
	high, last := bits.Mul(uint(rows-1), uint(stride))
	if high != 0 || last > uint(v.N) {
		v.outside((rows-1)*stride, (rows-1)*stride+width)
	}
	return v.Slice(0, int(last)+width)
}

// as is p as a pointer to an element.
func as[P any](p unsafe.Pointer) P { return *(*P)(unsafe.Pointer(&p)) }

func pack[P any](f pointer.Field[P], size int, v, a View) {
	if a.N == 0 {
		return
	}
	z, x := at[P](v.Slice(0, a.N), size, 0), at[P](a, size, 0)
	if z == x {
		return
	}
	for i := range a.N {
		f.Set(as[P](unsafe.Add(z, i*size)), as[P](unsafe.Add(x, i*size)))
	}
}

func vecMul[P any](f pointer.Field[P], size int, to, by, other View) {
	if to.N == 0 {
		return
	}
	z, x, y := at[P](to, size, 0), at[P](by.Slice(0, to.N), size, 0), at[P](other.Slice(0, to.N), size, 0)
	for i := range to.N {
		at := i * size
		f.Mul(as[P](unsafe.Add(z, at)), as[P](unsafe.Add(x, at)), as[P](unsafe.Add(y, at)))
	}
}

// copyRows is Copy of a bulk. Rows are added at once, where add is not nil, and plain elements are copied as they are.
func copyRows[P any](f pointer.Field[P], add func(z, x P, n int), size int, plain bool, to, from View, c Copy) {
	if c.Rows == 0 || c.Width == 0 {
		return
	}
	spans(to, c.Rows, c.Dst, c.Width)
	step, whole := 1, c.Add && add != nil && !c.Transpose && c.ColPerm == nil
	if c.Transpose {
		step = c.Src
	}
	dst, src := at[P](to, size, 0), at[P](from, size, 0)
	for i := range c.Rows {
		first := (&Copy{Src: c.Src, Transpose: c.Transpose, RowPerm: c.RowPerm}).From(i, 0)
		d := unsafe.Add(dst, i*c.Dst*size)
		if whole {
			from.Slice(first, first+c.Width)
			add(as[P](d), as[P](unsafe.Add(src, first*size)), c.Width)
			continue
		}
		for j := range c.Width {
			at := j
			if c.ColPerm != nil {
				at = int(c.ColPerm[j])
			}
			if at = first + at*step; uint(at) >= uint(from.N) {
				from.outside(at, at+1)
			}
			p, q := unsafe.Add(d, j*size), unsafe.Add(src, at*size)
			switch {
			case c.Add:
				f.Add(as[P](p), as[P](p), as[P](q))
			case plain:
				pointer.Move(p, q, size)
			default:
				f.Set(as[P](p), as[P](q))
			}
		}
	}
}

// erased is a Slices of one type for all elements.
type erased struct {
	check   func() error
	traits  Traits
	make    func(n int) View
	pack    func(v, a View)
	vecMul  func(to, by, other View)
	copy    func(to, from View, c Copy)
	reorder func(of View, part, parts int)
	table   func(w View) Table
	bytes   int
	memory  func(v View) ([]byte, bool)
}

func newErased[P any](r *rows[P], check func() error, t Traits) *erased {
	f, size := r.f, r.Size
	return &erased{
		check: check, traits: t, bytes: size,
		make:   func(n int) View { return View{Buf: r.Make(n), N: n} },
		pack:   func(v, a View) { pack(f, size, v, a) },
		vecMul: func(to, by, other View) { vecMul(f, size, to, by, other) },
		copy:   func(to, from View, c Copy) { copyRows(f, r.add, size, r.Plain, to, from, c) },
		reorder: func(of View, part, parts int) {
			k := bits.Len(uint(of.N)) - 1
			for i := part; i < of.N; i += parts {
				if j := Rev(i, k); i < j {
					r.Swap(as[P](at[P](of, size, i)), as[P](at[P](of, size, j)))
				}
			}
		},
		table:  func(w View) Table { return newSlicesTable(r, w, t.Affine) },
		memory: func(v View) ([]byte, bool) { return flat[P](size, r.Plain, v) },
	}
}

func (e *erased) Check() error                        { return e.check() }
func (e *erased) Traits() Traits                      { return e.traits }
func (e *erased) Make(n int) (View, error)            { return e.make(n), nil }
func (e *erased) Bytes(n int) int                     { return n * e.bytes }
func (e *erased) Pack(v, a View)                      { e.pack(v, a) }
func (e *erased) Unpack(a, v View)                    { e.pack(a, v) }
func (e *erased) Reduce(View)                         {}
func (e *erased) VecMul(to, by, other View)           { e.vecMul(to, by, other) }
func (e *erased) Copy(to, from View, c Copy)          { e.copy(to, from, c) }
func (e *erased) Reorder(of View, _, part, parts int) { e.reorder(of, part, parts) }
func (e *erased) Memory(v View) ([]byte, bool)        { return e.memory(v) }

func (e *erased) Table(w View, _ Share) (Table, error) {
	if err := e.check(); err != nil {
		return nil, err
	}
	return e.table(w), nil
}
