package bigprime

import (
	"bytes"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/stretchr/testify/require"
)

func TestCodecErrors(t *testing.T) {
	f := BN254()
	z := [4]uint64{1, 2, 3, 4}
	before := z
	p := f.Characteristic()
	b := p.FillBytes(make([]byte, f.Size()))
	require.ErrorIs(t, f.SetBigEndian(&z, b), field.ErrRange)
	require.ErrorIs(t, f.SetBigEndian(&z, b[1:]), field.ErrLength)
	slices.Reverse(b)
	require.ErrorIs(t, f.SetBytes(&z, b), field.ErrRange)
	require.ErrorIs(t, f.SetBytes(&z, b[1:]), field.ErrLength)
	require.ErrorIs(t, f.SetBytes(&z, bytes.Repeat([]byte{0xff}, f.Size())), field.ErrRange)
	require.ErrorIs(t, f.SetBig(&z, p), field.ErrRange)
	require.ErrorIs(t, f.SetBig(&z, big.NewInt(-1)), field.ErrRange)
	for _, s := range []string{"", "-1", "+1", "1_0", "0x1", p.String(), strings.Repeat("9", 1<<20)} {
		require.ErrorIs(t, f.SetText(&z, []byte(s)), field.ErrRange, "%.20q", s)
	}
	require.Equal(t, before, z)
}

// Bytes of both orders are the number, and come back.
func TestBigEndian(t *testing.T) {
	f, rnd := BLS12377(), rand.New(rand.NewPCG(1, 2))
	for _, x := range elements(rnd, f.Characteristic(), 50) {
		var z, y [4]uint64
		require.NoError(t, f.SetBig(&z, x))
		want := x.FillBytes(make([]byte, f.Size()))
		b := bytes.Repeat([]byte{7}, f.Size()+1)
		f.PutBigEndian(b, &z)
		require.Equal(t, append(want, 7), b)
		require.NoError(t, f.SetBigEndian(&y, b[:f.Size()]))
		require.Equal(t, z, y)
	}
}

// Montgomery's form is x·2^256 mod p; it comes back, and what is not below p is refused.
func TestMontgomery(t *testing.T) {
	f, rnd := Secp256k1(), rand.New(rand.NewPCG(1, 2))
	list := elements(rnd, f.Characteristic(), 50)
	x, m, back := make([][4]uint64, len(list)), make([][4]uint64, len(list)), make([][4]uint64, len(list))
	for i := range list {
		require.NoError(t, f.SetBig(&x[i], list[i]))
	}
	require.NoError(t, f.Montgomery(m, x))
	for i := range list {
		want := new(big.Int).Lsh(list[i], 256)
		require.Zero(t, want.Mod(want, f.Characteristic()).Cmp(f.Big(nil, &m[i])))
	}
	require.NoError(t, f.SetMontgomery(back, m))
	require.Equal(t, x, back)
	require.NoError(t, f.Montgomery(x, x))
	require.Equal(t, m, x)
	copy(m[7][:], f.prime.p)
	var err *field.RangeError
	require.ErrorAs(t, f.SetMontgomery(x, m), &err)
	require.Equal(t, 7, err.Index)
	require.ErrorIs(t, f.SetMontgomery(x[1:], m), field.ErrLength)
	require.ErrorIs(t, f.Montgomery(x[1:], m), field.ErrLength)
}

// FirstInvalid finds the first number that is not below p, whichever word says so.
func TestFirstInvalid(t *testing.T) {
	f := BN254()
	p := [4]uint64(f.prime.p)
	x := make([][4]uint64, 10)
	require.Equal(t, -1, f.FirstInvalid(x))
	for i := range x {
		x[i] = p
		x[i][0]--
	}
	require.Equal(t, -1, f.FirstInvalid(x))
	for word := range p {
		y := slices.Clone(x)
		y[9], y[4+word] = p, p
		y[4+word][word]++
		require.Equal(t, 4+word, f.FirstInvalid(y))
	}
}

// FuzzDecode decodes bytes and text, and encodes what was accepted.
func FuzzDecode(f *testing.F) {
	open := []*Field[[4]uint64]{BN254(), Secp256k1()}
	f.Add([]byte("17"))
	f.Add(bytes.Repeat([]byte{0xff}, 32))
	f.Add([]byte(open[0].Characteristic().String()))
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, f := range open {
			var z [4]uint64
			for name, codec := range map[string]struct {
				set func() error
				get func() []byte
			}{
				"little-endian": {func() error { return f.SetBytes(&z, b) },
					func() []byte { c := make([]byte, f.Size()); f.PutBytes(c, &z); return c }},
				"big-endian": {func() error { return f.SetBigEndian(&z, b) },
					func() []byte { c := make([]byte, f.Size()); f.PutBigEndian(c, &z); return c }},
				"text": {func() error { return f.SetText(&z, b) },
					func() []byte { return f.AppendText(nil, &z) }},
			} {
				z = [4]uint64{}
				if codec.set() != nil {
					require.Zero(t, z, name)
					continue
				}
				want := b
				if name == "text" { // without leading zeros
					if want = bytes.TrimLeft(b, "0"); len(want) == 0 {
						want = []byte("0")
					}
				}
				require.Equal(t, want, codec.get(), name)
				require.True(t, f.prime.valid(z[:]))
			}
		}
	})
}

// FuzzOpen opens fields of any number, and computes in those that there are.
func FuzzOpen(f *testing.F) {
	for _, p := range Presets() {
		f.Add(p.Prime().Bytes())
	}
	f.Add([]byte{1})
	f.Fuzz(func(t *testing.T, b []byte) {
		p := new(big.Int).SetBytes(b[:min(len(b), 40)])
		f, err := Open(p)
		if err != nil {
			require.ErrorIs(t, err, field.ErrModulus)
			return
		}
		var x, y, one Number
		f.Random(&x, rand.New(rand.NewPCG(1, 2)))
		if err := f.Inv(&y, &x); err != nil {
			require.ErrorIs(t, err, field.ErrNotInvertible)
			return
		}
		f.Mul(&y, &y, &x)
		f.One(&one)
		require.True(t, f.Equal(&one, &y))
	})
}
