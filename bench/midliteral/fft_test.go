package midliteral

import (
	"encoding/binary"
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/device"
	"github.com/galfft/fft/midint/literal"
)

// Every kernel of transforms computes what package literal does, word for word: for each prime and number of points a
// thread, for less than a warp, for several and for a whole block, and for digits of each length that is exact.
func TestFFT(t *testing.T) {
	k := open(t)
	t.Run("p32", func(t *testing.T) { fftOf(t, k, literal.PrimeField32()) })
	t.Run("p64", func(t *testing.T) { fftOf(t, k, literal.PrimeField64()) })
	for _, name := range k.text.Kernels() {
		for _, of := range []string{"literal_cyclic", "literal_fft"} {
			require.True(t, !strings.HasPrefix(name, of) || k.all[name] != nil, "%s did not run", name)
			if strings.HasPrefix(name, of) {
				t.Logf("%s ran", name)
			}
		}
	}
}

func fftOf[W literal.Word](t *testing.T, k *Kernels, f literal.Field[W]) {
	r := rand.New(rand.NewPCG(8, uint64(f.P)))
	bits := int(unsafe.Sizeof(W(0))) * 8
	ran := map[string]int{}
	for q := 2; q <= 16; q *= 2 {
		for _, m := range []int{q, 2 * q, 8 * q, 128 * q, 1024 * q} {
			if m > 2048 {
				continue
			}
			host, err := literal.NewFFT(f, m, q)
			require.NoError(t, err)
			on, err := NewFFT(k, f, m, q)
			require.NoError(t, err)
			cyclicOf(t, k, host, on, r)
			for _, count := range []int{1, 2, 3, m/2 - 1, m / 2} {
				for _, width := range []int{1, bits/4 - 1, bits/2 - 7, bits/2 - 4, bits/2 - 2, bits/2 - 1} {
					d := literal.Digits{Count: count, Bits: width}
					if (m == 2048 && (count != m/2 || width > bits/4)) || on.Check(d) != nil ||
						testing.Short() && (count < m/2 || width == 1) {
						continue
					}
					digitsOf(t, k, host, on, d, r)
					ran[fmt.Sprint("Q = ", q)]++
				}
			}
			require.NoError(t, on.Close())
		}
	}
	require.Len(t, ran, 4)
}

// cyclicOf compares convolutions of halves of words: ones alone, and random ones.
func cyclicOf[W literal.Word](t *testing.T, k *Kernels, host *literal.FFT[W], on *FFT[W], r *rand.Rand) {
	const n = 3
	a, b, want := digits[W](r, n, on.m, 4*on.word()), digits[W](r, n, on.m, 4*on.word()), make([]W, n*on.m)
	if on.m == 2 && on.word() == 8 { // 29·2^57 and four times that, for which quotients are guessed too high
		copy(a, []W{1<<32 - 1, 29<<28 - 1<<32 + 1, 29<<28 - 1<<32 + 1, 1<<32 - 1})
		copy(b, []W{1 << 29, 0, 0, 1 << 31})
	}
	require.NoError(t, host.CyclicModP(want, a, b))
	z, x, y := made(t, k, n*on.m*on.word(), nil), made(t, k, 0, narrow(a)), made(t, k, 0, narrow(b))
	z.Did(on.CyclicModP(k.d.Stream(), z.At, x.At, y.At, n))
	require.Equal(t, want, wide[W](fetched(t, k, z, n*on.m*on.word()), on.word()), "M %d, Q %d", on.m, on.q)
	release(t, z, x, y)
}

// digitsOf compares products, sums and polynomials of digits, in new memory and in that of an operand.
func digitsOf[W literal.Word](t *testing.T, k *Kernels, host *literal.FFT[W], on *FFT[W], d literal.Digits,
	r *rand.Rand) {
	const n = 4
	a, b := digits[W](r, n, d.Count, d.Bits), digits[W](r, n, d.Count, d.Bits)
	half := on.word() / 2
	for i, c := range []struct {
		out  int
		host func(z, a, b []W, d literal.Digits) error
		on   func(z, x, y uint64) error
	}{
		{1, host.Mul, func(z, x, y uint64) error { return on.Mul(k.d.Stream(), z, x, y, d, n, false) }},
		{2, host.Mul, func(z, x, y uint64) error { return on.Mul(k.d.Stream(), z, x, y, d, n, true) }},
		{1, host.Add, func(z, x, y uint64) error { return on.Add(k.d.Stream(), z, x, y, d, n) }},
		{1, host.Poly, func(z, x, y uint64) error { return on.Poly(k.d.Stream(), z, x, y, d, n) }},
	} {
		want := make([]W, c.out*len(a))
		require.NoError(t, c.host(want, a, b, d))
		z, x, y := made(t, k, len(want)*half, nil), made(t, k, 0, narrow(a)), made(t, k, 0, narrow(b))
		where := fmt.Sprintf("operation %d, M %d, Q %d, %+v", i, on.m, on.q, d)
		z.Did(c.on(z.At, x.At, y.At))
		require.Equal(t, want, wide[W](fetched(t, k, z, len(want)*half), half), where)
		if c.out == 1 {
			for _, to := range []*device.Memory{x, y} {
				before := fetched(t, k, to, len(want)*half)
				to.Did(c.on(to.At, x.At, y.At))
				require.Equal(t, want, wide[W](fetched(t, k, to, len(want)*half), half), "%s in place", where)
				require.NoError(t, k.d.CopyIn(to.At, unsafe.Pointer(unsafe.SliceData(before)), len(want)*half))
			}
		}
		release(t, z, x, y)
	}
}

// digits are those of n integers: all ones, one, a carry through all with ones, and random ones.
func digits[W literal.Word](r *rand.Rand, n, count, bits int) []W {
	x := make([]W, n*count)
	ones := W(1)<<bits - 1
	first := r.IntN(3)
	for i := range x {
		switch (i/count + first) % 4 {
		case 0:
			x[i] = ones
		case 1:
			if i%count == 0 {
				x[i] = 1
			}
		default:
			x[i] = W(r.Uint64()) & ones
		}
	}
	return x
}

// narrow is x in halves of words.
func narrow[W literal.Word](x []W) []byte {
	var b []byte
	for _, v := range x {
		if unsafe.Sizeof(v) == 4 {
			b = binary.LittleEndian.AppendUint16(b, uint16(v))
		} else {
			b = binary.LittleEndian.AppendUint32(b, uint32(uint64(v)))
		}
	}
	return b
}

// wide is values of so many bytes each.
func wide[W literal.Word](b []byte, each int) []W {
	x := make([]W, len(b)/each)
	for i := range b {
		x[i/each] |= W(b[i]) << (8 * (i % each))
	}
	return x
}

// guard is bytes behind all memory, which nothing is to write.
const guard = 64

// made is memory on the device with bytes, or with so many that are poisoned.
func made(t *testing.T, k *Kernels, bytes int, from []byte) *device.Memory {
	from = append([]byte(nil), from...)
	for len(from) < bytes || len(from)%guard != 0 || len(from) == 0 {
		from = append(from, 0xa5)
	}
	for range guard {
		from = append(from, 0xa5)
	}
	m, err := k.d.Make(len(from))
	require.NoError(t, err)
	require.NoError(t, k.d.CopyIn(m.At, unsafe.Pointer(unsafe.SliceData(from)), len(from)))
	return m
}

// fetched is so many bytes of memory, behind which nothing was written.
func fetched(t *testing.T, k *Kernels, m *device.Memory, bytes int) []byte {
	require.NoError(t, k.d.Wait(t.Context(), m))
	b := make([]byte, bytes+guard)
	require.NoError(t, k.d.CopyOut(unsafe.Pointer(unsafe.SliceData(b)), m.At, len(b)))
	for _, v := range b[bytes:] {
		require.EqualValues(t, 0xa5, v, "written behind the result")
	}
	return b[:bytes]
}

func release(t *testing.T, list ...*device.Memory) {
	for _, m := range list {
		require.NoError(t, m.Release())
	}
}

// Digits of integers are those of math/big, and integers come back from them.
func TestCut(t *testing.T) {
	k := open(t)
	cutOf(t, k, literal.PrimeField32())
	cutOf(t, k, literal.PrimeField64())
}

func cutOf[W literal.Word](t *testing.T, k *Kernels, f literal.Field[W]) {
	on, err := NewFFT(k, f, 16, 4)
	require.NoError(t, err)
	r := rand.New(rand.NewPCG(9, 35))
	const n = 5
	for _, words := range []int{1, 2, 7} {
		for width := 1; width < 4*on.word(); width++ {
			d := literal.Digits{Count: (32*words + width - 1) / width, Bits: width}
			var text []byte
			var want []W
			for range n {
				v := new(big.Int)
				for i := range words {
					w := r.Uint32() | uint32(r.IntN(2))*(1<<32-1)
					text = binary.LittleEndian.AppendUint32(text, w)
					v.Add(v, new(big.Int).Lsh(new(big.Int).SetUint64(uint64(w)), uint(32*i)))
				}
				for range d.Count {
					want = append(want, W(new(big.Int).And(v, big.NewInt(1<<width-1)).Uint64()))
					v.Rsh(v, uint(width))
				}
			}
			half := on.word() / 2
			z, x, back := made(t, k, len(want)*half, nil), made(t, k, 0, text), made(t, k, len(text), nil)
			z.Did(on.Cut(k.d.Stream(), z.At, x.At, d, words, n))
			require.Equal(t, want, wide[W](fetched(t, k, z, len(want)*half), half), "%d words, %+v", words, d)
			back.Did(on.Join(k.d.Stream(), back.At, z.At, d, words, n))
			require.Equal(t, text, fetched(t, k, back, len(text)), "%d words, %+v", words, d)
			release(t, z, x, back)
		}
	}
	require.NoError(t, on.Close())
}

// What package literal refuses is refused here with the same errors; so are other primes, blocks that the device has no
// shared memory for, and digits that are not those of so many words. Nothing is launched then.
func TestFFTErrors(t *testing.T) {
	k := open(t)
	for _, c := range [][2]int{{0, 2}, {12, 4}, {16, 1}, {64, 32}, {4096, 2}} {
		_, err := NewFFT(k, literal.PrimeField64(), c[0], c[1])
		require.ErrorIs(t, err, field.ErrSpec, "%v", c)
	}
	_, err := NewFFT(k, literal.Field[uint32]{P: 998244353, K: 119, N: 23, G: 3}, 16, 2)
	require.ErrorIs(t, err, field.ErrSpec)
	_, err = NewFFT(k, literal.Field[uint64]{P: 3<<30 + 1, K: 3, N: 30, G: 13}, 16, 2)
	require.ErrorIs(t, err, field.ErrSpec)
	on, err := NewFFT(k, literal.PrimeField32(), 16, 4)
	require.NoError(t, err)
	s, d := k.d.Stream(), literal.Digits{Count: 4, Bits: 14}
	require.ErrorIs(t, on.CyclicModP(s, 0, 0, 0, 0), field.ErrLength)
	require.ErrorIs(t, on.Mul(s, 0, 0, 0, d, -1, true), field.ErrLength)
	require.ErrorIs(t, on.Cut(s, 0, 0, d, 1, 5), field.ErrLength)
	require.ErrorIs(t, on.Cut(s, 0, 0, d, 2, 5), field.ErrLength)
	require.ErrorIs(t, on.Cut(s, 0, 0, literal.Digits{Count: 2, Bits: 16}, 1, 5), field.ErrSpec)
	require.ErrorIs(t, on.Join(s, 0, 0, d, 0, 5), field.ErrLength)
	require.ErrorIs(t, on.Join(s, 0, 0, literal.Digits{Bits: 3}, 1, 5), field.ErrSpec)
	for _, c := range []struct {
		d    literal.Digits
		want error
	}{
		{literal.Digits{Count: 9, Bits: 7}, field.ErrRange}, {literal.Digits{Count: 4, Bits: 15}, field.ErrRange},
		{literal.Digits{Count: 4, Bits: 16}, field.ErrSpec}, {literal.Digits{Count: 0, Bits: 7}, field.ErrSpec},
		{literal.Digits{Count: 8, Bits: 1}, nil},
	} {
		require.Equal(t, c.want == nil, on.Check(c.d) == nil, "%+v", c)
		if c.want == nil {
			continue
		}
		require.ErrorIs(t, on.Mul(s, 0, 0, 0, c.d, 1, false), c.want, "%+v", c)
		require.ErrorIs(t, on.Add(s, 0, 0, 0, c.d, 1), c.want, "%+v", c)
		require.ErrorIs(t, on.Poly(s, 0, 0, 0, c.d, 1), c.want, "%+v", c)
	}
	var bound *literal.BoundError
	require.ErrorAs(t, on.Poly(s, 0, 0, 0, literal.Digits{Count: 4, Bits: 15}, 1), &bound)
	require.NoError(t, on.Close())
	require.NoError(t, on.Close())
}
