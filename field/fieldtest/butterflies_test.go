package fieldtest

import (
	"testing"

	"github.com/galfft/fft/field"
)

// rowed is a field with rows of butterflies that can be replaced.
type rowed struct {
	*word
	down, up func(x, y []uint64, w *uint64)
}

func (f *rowed) Butterflies(x, y []uint64, w *uint64)  { f.down(x, y, w) }
func (f *rowed) ButterfliesT(x, y []uint64, w *uint64) { f.up(x, y, w) }

func newRowed(change func(f *rowed)) *rowed {
	f := &rowed{word: mersenne}
	f.down = func(x, y []uint64, w *uint64) {
		for i := range x {
			var d uint64
			f.Mul(&d, &y[i], w)
			f.Sub(&y[i], &x[i], &d)
			f.Add(&x[i], &x[i], &d)
		}
	}
	f.up = func(x, y []uint64, w *uint64) {
		for i := range x {
			var d uint64
			f.Sub(&d, &x[i], &y[i])
			f.Add(&x[i], &x[i], &y[i])
			f.Mul(&y[i], &d, w)
		}
	}
	change(f)
	return f
}

func TestButterflies(t *testing.T) {
	Run(t, newRowed(func(*rowed) {}), Config[uint64]{})
	for name, change := range map[string]func(f *rowed){
		"the transpose multiplies first": func(f *rowed) { f.up = f.down },
		"whole groups of eight": func(f *rowed) {
			down := f.down
			f.down = func(x, y []uint64, w *uint64) { down(x[:len(x)&^7], y, w) }
		},
		"the multiplier is scratch": func(f *rowed) {
			down := f.down
			f.down = func(x, y []uint64, w *uint64) {
				down(x, y, w)
				*w = 0
			}
		},
		"rows of 33 are exchanged": func(f *rowed) {
			up := f.up
			f.up = func(x, y []uint64, w *uint64) {
				if len(x) == 33 {
					x[0], y[0] = y[0], x[0]
				}
				up(x, y, w)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newRowed(change)
			requireBroken(t, newSuite(field.Field[uint64](f), Config[uint64]{}, 1).checks(), "Butterflies")
		})
	}
}
