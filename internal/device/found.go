package device

import (
	"unsafe"

	"github.com/galfft/fft/internal/device/driver"
)

// Found is the address of a word that is 0, for a kernel which comes next to set where it finds something in m. The
// word is the vector's own.
func (d *Device) Found(m *Memory) (at uint64, err error) {
	if m.found == nil {
		if m.found, err = d.Make(8); err != nil {
			return 0, err
		}
	}
	if err := d.enter(); err != nil {
		return 0, err
	}
	defer d.leave()
	return m.found.At, d.stream.Fill(driver.Pointer(m.found.At), 0, 8)
}

// Found reports whether the word of the last Device.Found has been set, once m has been waited for.
func (m *Memory) Found() (bool, error) {
	var word uint64
	err := m.d.CopyOut(unsafe.Pointer(&word), m.found.At, 8)
	return word != 0, err
}
