package bulks

import (
	"unsafe"

	"github.com/galfft/fft/internal/pointer"
)

// Memory is that of slices of elements without pointers.
func (f *Slices[E]) Memory(v View) ([]byte, bool) {
	t := pointer.Of[E]()
	return flat(&t, v)
}

func flat[P any](t *pointer.Type[P], v View) ([]byte, bool) {
	if !t.Plain || v.N == 0 {
		return nil, t.Plain
	}
	return unsafe.Slice((*byte)(at[P](v, t.Size, 0)), v.N*t.Size), true
}
