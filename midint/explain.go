package midint

import "fmt"

// Explain says how the engine multiplies integers of so many bits: on a device, where that has a method Explain of its
// own, what it answers. It is empty for engines that are nil or the zero value, and widths that are none.
func (e *Engine) Explain(bits int) string {
	if e == nil || e.loops.Workers == 0 || checkSize(bits, 0) != nil {
		return ""
	}
	if e.device != nil {
		if d, ok := e.device.(interface{ Explain(bits int) string }); ok {
			return d.Explain(bits)
		}
		return fmt.Sprintf("products of %d bits on a device", bits)
	}
	words := bits / wordBits
	f := newForm(productSet(words), words, 0)
	by := func(most int) string {
		switch {
		case f.set != nil && f.levels > 0:
			return fmt.Sprintf("tiles of %d in limbs of %d bits, Karatsuba's to %d limbs", lanes, f.bits, f.base)
		case f.set != nil:
			return fmt.Sprintf("tiles of %d in limbs of %d bits", lanes, f.bits)
		case machineWords(words) <= most:
			return "products of words"
		}
		return "math/big"
	}
	return fmt.Sprintf("products of %d bits: whole by %s, low halves by %s", bits, by(mostWide), by(mostLow))
}
