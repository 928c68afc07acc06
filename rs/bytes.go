package rs

// polynomial is the modulus of GF(2^8) of the matrix codes: x^8 + x^4 + x^3 + x^2 + 1.
const polynomial = 0x11d

// logarithms and powers are to the base x, which generates all units. powers goes round twice.
var logarithms, powers = func() (log [256]int, power [510]byte) {
	x := 1
	for i := range 255 {
		log[x], power[i], power[i+255] = i, byte(x), byte(x)
		if x <<= 1; x > 255 {
			x ^= polynomial
		}
	}
	return log, power
}()

func times(x, y byte) byte {
	if x == 0 || y == 0 {
		return 0
	}
	return powers[logarithms[x]+logarithms[y]]
}

// over returns x/y, for y that is not 0.
func over(x, y byte) byte {
	if x == 0 {
		return 0
	}
	return powers[255+logarithms[x]-logarithms[y]]
}

// products has those of all pairs.
var products = func() *[256][256]byte {
	z := new([256][256]byte)
	for x := range z {
		for y := range z[x] {
			z[x][y] = times(byte(x), byte(y))
		}
	}
	return z
}()
