package bulks

import (
	"unsafe"

	"github.com/galfft/fft/internal/pointer"
)

// Memory is that of slices of elements without pointers.
func (f *Slices[E]) Memory(v View) ([]byte, bool) {
	return flat[*E](sizeOf[E](), pointer.Plain[E](), v)
}

func flat[P any](size int, plain bool, v View) ([]byte, bool) {
	if !plain || v.N == 0 {
		return nil, plain
	}
	return unsafe.Slice((*byte)(at[P](v, size, 0)), v.N*size), true
}
