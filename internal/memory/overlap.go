package memory

import "unsafe"

// Overlap reports whether a and b share memory, and the distance of their starts in bytes, a's less b's.
func Overlap[E any](a, b []E) (shared bool, distance int) {
	if len(a) == 0 || len(b) == 0 {
		return false, 0
	}
	size := unsafe.Sizeof(a[0])
	x, y := uintptr(unsafe.Pointer(&a[0])), uintptr(unsafe.Pointer(&b[0]))
	return x < y+uintptr(len(b))*size && y < x+uintptr(len(a))*size, int(x) - int(y)
}
