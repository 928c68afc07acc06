package fieldtest

import (
	"math/big"
	"math/rand/v2"
	"strconv"

	"github.com/galfft/fft/field"
)

// bytewise is GF(2^8), polynomials over GF(2) modulo x^8 + x^4 + x^3 + x^2 + 1, of which x generates the
// units: an extension, where 2 = 0 and every byte is an element.
type bytewise struct{}

func (bytewise) Set(z, x *uint8)        { *z = *x }
func (bytewise) Add(z, x, y *uint8)     { *z = *x ^ *y }
func (bytewise) Sub(z, x, y *uint8)     { *z = *x ^ *y }
func (bytewise) Neg(z, x *uint8)        { *z = *x }
func (bytewise) One(z *uint8)           { *z = 1 }
func (bytewise) Equal(x, y *uint8) bool { return *x == *y }

func (bytewise) Mul(z, x, y *uint8) {
	var t uint8
	for i := 7; i >= 0; i-- {
		t = t<<1 ^ t>>7*0x1d ^ *x*(*y>>i&1)
	}
	*z = t
}

func (f bytewise) Inv(z, x *uint8) error {
	if *x == 0 {
		return field.ErrNotInvertible
	}
	field.Pow(f, z, x, big.NewInt(254))
	return nil
}

func (f bytewise) RootOfUnity(z *uint8, n uint64) error {
	if n == 0 || 255%n != 0 {
		return field.ErrNoRoot
	}
	x := uint8(2)
	field.Pow(f, z, &x, new(big.Int).SetUint64(255/n))
	return nil
}

func (bytewise) Name() string             { return "bytewise" }
func (bytewise) Characteristic() *big.Int { return big.NewInt(2) }
func (bytewise) Order() *big.Int          { return big.NewInt(256) }

func (bytewise) Size() int                            { return 1 }
func (bytewise) PutBytes(b []byte, x *uint8)          { b[0] = *x }
func (bytewise) AppendText(b []byte, x *uint8) []byte { return strconv.AppendUint(b, uint64(*x), 16) }
func (bytewise) Big(z *big.Int, x *uint8) *big.Int {
	if z == nil {
		z = new(big.Int)
	}
	return z.SetUint64(uint64(*x))
}

func (bytewise) SetBytes(z *uint8, b []byte) error {
	if len(b) != 1 {
		return field.ErrLength
	}
	*z = b[0]
	return nil
}

func (bytewise) SetText(z *uint8, s []byte) error {
	x, err := strconv.ParseUint(string(s), 16, 8)
	if err != nil {
		return field.ErrRange
	}
	*z = uint8(x)
	return nil
}

func (bytewise) SetBig(z *uint8, x *big.Int) error {
	if x == nil || x.Sign() < 0 || x.BitLen() > 8 {
		return field.ErrRange
	}
	*z = uint8(x.Uint64())
	return nil
}

func (bytewise) Random(z *uint8, r *rand.Rand) { *z = uint8(r.Uint32()) }
