package names

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/binary"
	"github.com/galfft/fft/internal/integer"
	"github.com/galfft/fft/internal/verbs"
)

// openGF2 returns the field of m or m:modulus. Elements of up to 32 bits, and those of more than 128, are of one type,
// because each type of elements takes time to compile.
func openGF2(text string) (verbs.Field, error) {
	degree, modulus, given := strings.Cut(text, ":")
	m, err := strconv.Atoi(degree)
	p, ok := integer.Parse(modulus)
	if err != nil || given && (!ok || p.BitLen()-1 != m) {
		return nil, fmt.Errorf("galfft: %w: %.60q, want m or m:modulus behind %s, 2 ≤ m ≤ 2048, and the modulus as an "+
			"integer of m + 1 bits: hexadecimal after 0x, or as 2^8+2^4+2^3+2^1+2^0", field.ErrModulus, text, binary.Prefix)
	}
	if !given {
		if p, err = binary.DefaultModulus(m); err != nil {
			return nil, err
		}
	}
	return openBinary(p)
}

func openBinary(p *big.Int) (verbs.Field, error) {
	switch m := p.BitLen() - 1; {
	case m <= 8:
		return ofBinary(binary.NewModulus[uint8](p))
	case m <= 16:
		return ofBinary(binary.NewModulus[uint16](p))
	case m <= 32:
		return ofBinary(binary.NewModulus[uint32](p))
	case m <= 64:
		return ofBinary(binary.NewModulus[uint64](p))
	case m <= 128:
		return ofBinary(binary.NewModulus[[2]uint64](p))
	}
	return ofBinary(binary.NewModulus[binary.Number](p))
}

// openTower returns the tower of as many bits as text says.
func openTower(text string) (verbs.Field, error) {
	m, err := strconv.Atoi(text)
	if err != nil {
		return nil, fmt.Errorf("galfft: %w: %.60q, want 8, 16, 32, 64 or 128 behind %s", field.ErrModulus, text,
			binary.TowerPrefix)
	}
	switch {
	case m <= 8:
		return ofBinary(binary.NewTower[uint8](m))
	case m <= 16:
		return ofBinary(binary.NewTower[uint16](m))
	case m <= 32:
		return ofBinary(binary.NewTower[uint32](m))
	case m <= 64:
		return ofBinary(binary.NewTower[uint64](m))
	}
	return ofBinary(binary.NewTower[[2]uint64](m))
}

func ofBinary[E binary.Elements](f *binary.Field[E], err error) (verbs.Field, error) {
	if err != nil {
		return nil, err
	}
	return verbs.Of(f), nil
}

// preset opens a modulus of package binary by its name.
func preset(name string) func() (verbs.Field, error) {
	return func() (verbs.Field, error) {
		for _, p := range binary.Presets() {
			if p.Name == name {
				return openBinary(p.Modulus())
			}
		}
		return nil, fmt.Errorf("galfft: %w %q", ErrUnknown, name)
	}
}
