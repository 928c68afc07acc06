package literal

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/testscale"
)

// The paper's test of 16 points: two vectors, their transforms and their convolution.
var (
	paperA = []uint32{11400, 28374, 23152, 9576, 29511, 20787, 13067, 14015, 0, 0, 0, 0, 0, 0, 0, 0}
	paperB = []uint32{30268, 20788, 8033, 15446, 26275, 11619, 2494, 7016, 0, 0, 0, 0, 0, 0, 0, 0}

	paperDFTA = []uint32{149882, 2275842870, 1182190460, 2383281722, 1032368839, 2591113531, 1041148619, 1666456763,
		4378, 379675358, 2299045438, 2902395118, 2188866018, 1972597972, 1919993985, 1934855231}
	paperDFTB = []uint32{121939, 1466303512, 2586179827, 2215991939, 1959268324, 3184250004, 1699548738, 3026849220,
		12201, 3020035466, 549183621, 389018726, 1262049181, 799363395, 1607554732, 2004557247}
	paperC = []uint32{345055200, 1095807432, 1382179648, 1175142886, 2016084656, 2555168834, 2179032777, 1990011337,
		1860865174, 1389799087, 942120918, 778961552, 341270975, 126631482, 98329240, 0}
)

func TestPaperVectors(t *testing.T) {
	for _, q := range []int{2, 4, 8, 16} {
		f, err := NewFFT(PrimeField32(), 16, q)
		require.NoError(t, err)
		x, z := append([]uint32(nil), paperA...), make([]uint32, 16)
		require.NoError(t, f.Forward(x))
		require.Equal(t, paperDFTA, x)
		require.NoError(t, f.Inverse(x))
		require.Equal(t, paperA, x)
		copy(x, paperB)
		require.NoError(t, f.Forward(x))
		require.Equal(t, paperDFTB, x)
		require.NoError(t, f.CyclicModP(z, paperA, paperB))
		require.Equal(t, paperC, z)
	}
}

// Transforms and cyclic convolutions are their definitions, at every length and number of points a thread.
func TestFFT(t *testing.T) {
	fftOf(t, PrimeField32())
	fftOf(t, PrimeField64())
}

func fftOf[W Word](t *testing.T, f Field[W]) {
	r := rand.New(rand.NewPCG(3, uint64(f.P)))
	for m := 2; m <= 128; m *= 2 {
		for q := 2; q <= min(m, maxQ); q *= 2 {
			fft, err := NewFFT(f, m, q)
			require.NoError(t, err)
			const vectors = 2
			a, b, z := make([]W, vectors*m), make([]W, vectors*m), make([]W, vectors*m)
			for i := range a {
				a[i], b[i] = f.Norm(W(r.Uint64())), f.P-1
				if i >= m {
					b[i] = f.Norm(W(r.Uint64()))
				}
			}
			x := append([]W(nil), a...)
			require.NoError(t, fft.Forward(x))
			for i := range x {
				var want W
				for j := range m {
					want = f.Add(want, f.Mul(a[i/m*m+j], fft.powers[i%m*j%m]))
				}
				require.Equal(t, want, x[i], "M %d, Q %d, value %d", m, q, i)
			}
			require.NoError(t, fft.Inverse(x))
			require.Equal(t, a, x)
			require.NoError(t, fft.CyclicModP(z, a, b))
			require.Equal(t, cyclic(f, a, b, m), z)
			require.NoError(t, fft.CyclicModP(a, a, b))
			require.Equal(t, z, a)
		}
	}
}

// cyclic is the definition.
func cyclic[W Word](f Field[W], a, b []W, m int) []W {
	z := make([]W, len(a))
	for from := 0; from < len(a); from += m {
		for i := range m {
			for j := range m {
				at := from + (i+j)%m
				z[at] = f.Add(z[at], f.Mul(a[from+i], b[from+j]))
			}
		}
	}
	return z
}

// integer is the value of digits, and toDigits goes back, modulo what they hold.
func integer[W Word](x []W, width int) *big.Int {
	z := new(big.Int)
	for i := len(x) - 1; i >= 0; i-- {
		z.Lsh(z, uint(width)).Add(z, new(big.Int).SetUint64(uint64(x[i])))
	}
	return z
}

func toDigits[W Word](v *big.Int, width, count int) []W {
	z, rest := make([]W, count), new(big.Int).Set(v)
	mask := new(big.Int).SetUint64(uint64(1)<<width - 1)
	for i := range z {
		z[i] = W(new(big.Int).And(rest, mask).Uint64())
		rest.Rsh(rest, uint(width))
	}
	return z
}

// Products and polynomials are exact wherever Check lets them, with all digits at the bound too, for each prime.
func TestDigits(t *testing.T) {
	digitsOf(t, PrimeField32())
	digitsOf(t, PrimeField64())
}

func digitsOf[W Word](t *testing.T, f Field[W]) {
	r := rand.New(rand.NewPCG(4, uint64(f.P)))
	half := wordBits[W]() / 2
	for _, m := range []int{2, 4, 8, 64, 256} {
		for q := 2; q <= min(m, maxQ); q *= 2 {
			fft, err := NewFFT(f, m, q)
			require.NoError(t, err)
			for _, count := range []int{1, 2, 3, m/2 - 1, m / 2, m/2 + 1} {
				for _, width := range []int{1, 2, half / 2, half - 6, half - 5, half - 3, half - 2, half - 1} {
					d := Digits{count, width}
					if fft.Check(d) != nil {
						continue
					}
					products(t, fft, d, r)
				}
			}
		}
	}
}

// products compares with math/big: digits that are all ones, one carry through all, and random ones.
func products[W Word](t *testing.T, f *FFT[W], d Digits, r *rand.Rand) {
	n := 3 + testscale.Of(t)
	ones := W(1)<<d.Bits - 1
	a, b := make([]W, n*d.Count), make([]W, n*d.Count)
	for i := range a {
		a[i], b[i] = W(r.Uint64())&ones, W(r.Uint64())&ones
		switch i / d.Count {
		case 0:
			a[i], b[i] = ones, ones
		case 1:
			a[i], b[i] = ones, 0
			if i%d.Count == 0 {
				b[i] = 1
			}
		}
	}
	wide, low, poly := make([]W, 2*len(a)), make([]W, len(a)), append([]W(nil), a...)
	sum := append([]W(nil), b...)
	require.NoError(t, f.Add(sum, a, sum, d))
	require.NoError(t, f.Mul(wide, a, b, d))
	require.NoError(t, f.Mul(low, a, b, d))
	require.NoError(t, f.Poly(poly, poly, b, d))
	for i := range n {
		from, to := i*d.Count, (i+1)*d.Count
		x, y := integer(a[from:to], d.Bits), integer(b[from:to], d.Bits)
		xy, where := new(big.Int).Mul(x, y), fmt.Sprintf("M %d, Q %d, %+v, integer %d", f.m, f.q, d, i)
		require.Equal(t, toDigits[W](xy, d.Bits, 2*d.Count), wide[2*from:2*to], where)
		require.Equal(t, toDigits[W](xy, d.Bits, d.Count), low[from:to], where)
		require.Equal(t, toDigits[W](new(big.Int).Add(x, y), d.Bits, d.Count), sum[from:to], where)
		u, v := new(big.Int).Mul(x, x), new(big.Int).Mul(y, y)
		u.Add(u, y).Mul(u, v.Add(v, y)).Add(u, xy)
		require.Equal(t, toDigits[W](u, d.Bits, d.Count), poly[from:to], where)
	}
}

// The paper's own digits overflow: modulo 3·2^30 + 1 three digits of 15 bits are exact and four are not, and modulo
// 29·2^57 + 1 three of 30 bits and none of 31. Check refuses the first that is wrong, and not the one before.
func TestOverflow(t *testing.T) {
	require.Equal(t, 4, firstWrong(t, PrimeField32(), 15))
	require.Equal(t, 1, firstWrong(t, PrimeField64(), 31))
	require.Equal(t, 4, firstWrong(t, PrimeField64(), 30))
}

// firstWrong is the least number of digits of ones whose cyclic convolution, though no index wraps, is not theirs.
func firstWrong[W Word](t *testing.T, f Field[W], width int) int {
	fft, err := NewFFT(f, 64, 2)
	require.NoError(t, err)
	for count := 1; ; count++ {
		a, z := make([]W, 64), make([]W, 64)
		for i := range count {
			a[i] = W(1)<<width - 1
		}
		require.NoError(t, fft.CyclicModP(z, a, a))
		value := integer(a, width)
		d := Digits{count, width}
		err := fft.Check(d)
		if value.Mul(value, value).Cmp(integer(z, width)) == 0 {
			require.NoError(t, err, "%+v", d)
			continue
		}
		var bound *BoundError
		require.ErrorAs(t, err, &bound)
		require.Equal(t, BoundError{d, 64, uint64(f.P)}, *bound)
		require.ErrorIs(t, err, field.ErrRange)
		require.ErrorIs(t, fft.Mul(z[:2*count], a[:count], a[:count], d), field.ErrRange)
		return count
	}
}

// One digit more than half of the points and a half wraps, as all of the paper's do: low digits get what is above.
func TestWrap(t *testing.T) {
	f, err := NewFFT(PrimeField32(), 8, 2)
	require.NoError(t, err)
	require.NoError(t, f.Check(Digits{4, 10}))
	var bound *BoundError
	require.ErrorAs(t, f.Check(Digits{5, 10}), &bound)
	a, z := []uint32{0, 0, 0, 0, 1, 0, 0, 0}, make([]uint32, 8)
	require.NoError(t, f.CyclicModP(z, a, a)) // x⁴·x⁴ is 1 modulo x⁸ − 1
	require.EqualValues(t, 1, z[0])
}

// As printed, the carry into a digit of ones alone leaves 2^15 there; with the mask it is 0, and the carry goes on.
func TestPrintedCarry(t *testing.T) {
	f, err := NewFFT(PrimeField32(), 4, 2)
	require.NoError(t, err)
	const ones = 1<<15 - 1
	d := Digits{2, 15}
	x, y := []uint32{ones, ones, ones, 0}, []uint32{1, 0, 0, 0}
	require.Equal(t, []uint32{0, 1 << 15, 1 << 15, 1}, f.sum(x, y, d, false))
	require.Equal(t, []uint32{0, 0, 0, 1}, f.sum(x, y, d, true))
}

// Bad shapes, lengths and values are errors, and write nothing.
func TestFFTErrors(t *testing.T) {
	for _, c := range [][2]int{{0, 2}, {-4, 2}, {12, 4}, {16, 1}, {16, 3}, {64, 32}, {2, 4}, {4096, 2}} {
		_, err := NewFFT(PrimeField64(), c[0], c[1])
		require.ErrorIs(t, err, field.ErrSpec, "%v", c)
	}
	_, err := NewFFT(Field[uint32]{17, 1, 4, 3}, 32, 2)
	require.ErrorIs(t, err, field.ErrNoRoot)
	f, err := NewFFT(PrimeField32(), 8, 2)
	require.NoError(t, err)
	x, z := make([]uint32, 8), []uint32{9, 9, 9, 9, 9, 9, 9, 9}
	require.ErrorIs(t, f.Forward(x[:7]), field.ErrLength)
	require.ErrorIs(t, f.CyclicModP(z, x, x[:0]), field.ErrLength)
	x[3] = f.field.P
	require.ErrorIs(t, f.Inverse(x), field.ErrRange)
	require.ErrorIs(t, f.CyclicModP(z, z, x), field.ErrRange)
	for _, d := range []Digits{{0, 5}, {2, 0}, {2, 16}, {-1, 5}} {
		require.ErrorIs(t, f.Mul(z, x, x, d), field.ErrSpec, "%+v", d)
	}
	require.ErrorIs(t, f.Check(Digits{4, 1}), field.ErrSpec) // three digits leave two points
	require.ErrorIs(t, f.Check(Digits{1 << 62 >> 32, 1}), field.ErrRange)
	d := Digits{4, 10}
	require.ErrorIs(t, f.Mul(z[:7], z[:4], z[:4], d), field.ErrLength)
	require.ErrorIs(t, f.Mul(z[:6], z[:3], z[:3], d), field.ErrLength)
	require.ErrorIs(t, f.Mul(z, z[:4], z, d), field.ErrLength)
	require.ErrorIs(t, f.Poly(z, x[4:], z[:4], d), field.ErrLength)
	require.ErrorIs(t, f.Mul(z, x[:4], x[4:], d), field.ErrRange)
	require.ErrorIs(t, f.Add(z[:4], x[:4], x[4:], d), field.ErrRange)
	require.Equal(t, []uint32{9, 9, 9, 9, 9, 9, 9, 9}, z)
}
