//go:build amd64 && !purego

package mulx

import (
	"unsafe"

	"github.com/galfft/fft/internal/cpu"
)

func active() bool { return cpu.MULX() }

func (a *Arithmetic) times(z, x, w *uint64, r Rows) {
	m, size := &a.m[0], 8*a.words
	skip, step := (r.Step-r.N)*size, r.Factor*size
	switch a.words {
	case 2:
		if a.full {
			times2Full(z, x, w, m, r.N, r.Count, skip, step)
		} else {
			times2(z, x, w, m, r.N, r.Count, skip, step)
		}
	case 3:
		if a.full {
			times3Full(z, x, w, m, r.N, r.Count, skip, step)
		} else {
			times3(z, x, w, m, r.N, r.Count, skip, step)
		}
	case 4:
		if a.full {
			times4Full(z, x, w, m, r.N, r.Count, skip, step)
		} else {
			times4(z, x, w, m, r.N, r.Count, skip, step)
		}
	case 5:
		if a.full {
			times5Full(z, x, w, m, r.N, r.Count, skip, step)
		} else {
			times5(z, x, w, m, r.N, r.Count, skip, step)
		}
	case 6:
		if a.full {
			times6Full(z, x, w, m, r.N, r.Count, skip, step)
		} else {
			times6(z, x, w, m, r.N, r.Count, skip, step)
		}
	case 8:
		if a.full {
			times8Full(z, x, w, m, r.N, r.Count, skip, step)
		} else {
			times8(z, x, w, m, r.N, r.Count, skip, step)
		}
	case 10:
		if a.full {
			times10Full(z, x, w, m, r.N, r.Count, skip, step)
		} else {
			times10(z, x, w, m, r.N, r.Count, skip, step)
		}
	default:
		var t [most + 1]uint64
		for i := range r.Count { // no pointer behind the last number: it may be the last of its allocation
			for j := range r.N {
				at := i*r.Step + j
				timesLoop(a.next(z, at), a.next(x, at), a.next(w, i*r.Factor), m, &t[0], a.words)
			}
		}
	}
}

func (a *Arithmetic) cross(x, y *uint64, r Rows) {
	m, skip := &a.m[0], (r.Step-r.N)*8*a.words
	switch a.words {
	case 2:
		cross2(x, y, m, r.N, r.Count, skip)
	case 3:
		cross3(x, y, m, r.N, r.Count, skip)
	case 4:
		cross4(x, y, m, r.N, r.Count, skip)
	case 5:
		cross5(x, y, m, r.N, r.Count, skip)
	case 6:
		cross6(x, y, m, r.N, r.Count, skip)
	case 8:
		cross8(x, y, m, r.N, r.Count, skip)
	case 10:
		cross10(x, y, m, r.N, r.Count, skip)
	default:
		for i := range r.Count {
			crossLoop(a.next(x, i*r.Step), a.next(y, i*r.Step), m, a.words, r.N)
		}
	}
}

// next returns the place n numbers behind p, where there is one.
func (a *Arithmetic) next(p *uint64, n int) *uint64 {
	return (*uint64)(unsafe.Add(unsafe.Pointer(p), 8*a.words*n))
}
