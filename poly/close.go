package poly

import (
	"cmp"

	"github.com/galfft/fft"
)

// Close gives back the values of the operand, which is none of any ring from then on. On a device they hold memory that
// the garbage collector returns late. No product with the operand may run. A second call does nothing. Errors are those
// of a device.
func (o *Operand[E]) Close() error {
	if o == nil {
		return nil
	}
	v := o.operand.v
	o.operand = operand{}
	return closeAll(v[:]...)
}

// release keeps w for the next product, or gives its vectors back where there is none.
func (w *work) release() {
	if w.t.of.single {
		_ = closeAll(w.x, w.y) // nothing runs on them any more that could fail
		return
	}
	w.t.keep(w)
}

// closeAll closes vectors, of which some may be nil.
func closeAll(list ...fft.Vec) (err error) {
	for _, v := range list {
		if v != nil {
			err = cmp.Or(err, v.Close())
		}
	}
	return err
}
