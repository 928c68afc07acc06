package gpu

import (
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field/binary"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/testscale"
	"github.com/stretchr/testify/require"
)

// someGF2 is the vectors of a field whose elements are bytes here, whatever their type is.
type someGF2 struct {
	f    *binary.Field[binary.Number]
	b    *gf2
	size int
}

func newSomeGF2(t testing.TB, d *Device, f *binary.Field[binary.Number]) someGF2 {
	size, err := binary.Size(f.Degree())
	require.NoError(t, err)
	b, err := newGF2(d.room(), f.Degree(), f.Modulus(), size, pointer[byte])
	require.NoError(t, err)
	return someGF2{f, b, size}
}

func (s someGF2) bytes(x []binary.Number) []byte {
	b := make([]byte, len(x)*s.size)
	for i, e := range x {
		for j, w := range e {
			for k := 0; k < 8 && 8*j+k < s.size; k++ {
				b[i*s.size+8*j+k] = byte(w >> (8 * k))
			}
		}
	}
	return b
}

func (s someGF2) vector(t testing.TB, x []binary.Number) bulks.View {
	v, err := s.b.Make(len(x))
	require.NoError(t, err)
	b := s.bytes(x)
	s.b.Pack(v, bulks.View{Buf: unsafe.SliceData(b), N: len(x)})
	require.NoError(t, s.b.Wait(t.Context(), v))
	return v
}

// operands returns n pairs: zero, one, all ones, single bits and random elements by each other.
func (s someGF2) operands(r *rand.Rand, n int) (x, y []binary.Number) {
	m := s.f.Degree()
	ones := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(m)), big.NewInt(1))
	edges := []*big.Int{new(big.Int), big.NewInt(1), ones, new(big.Int).Lsh(big.NewInt(1), uint(m-1))}
	element := func(edge int) (e binary.Number) {
		e = make(binary.Number, (m+63)/64)
		switch v := new(big.Int); {
		case edge < 0:
			s.f.Random(&e, r)
			return e
		case edge < len(edges):
			v = edges[edge]
			fallthrough
		default:
			if edge >= len(edges) {
				v.SetBit(v, r.IntN(m), 1)
			}
			for i := range m {
				e[i/64] |= uint64(v.Bit(i)) << (i % 64)
			}
		}
		return e
	}
	for i := range n {
		a, b := r.IntN(8)-2, r.IntN(8)-2
		if i < 25 { // all pairs of edges, and each by a single bit
			a, b = i/5, i%5
		}
		x, y = append(x, element(a)), append(y, element(b))
	}
	return x, y
}

// likeProcessor compares all operations on n elements with those of package binary.
func likeProcessor(t *testing.T, d *Device, f *binary.Field[binary.Number], n int) {
	s := newSomeGF2(t, d, f)
	r := rand.New(rand.NewPCG(7, uint64(f.Degree())))
	x, y := s.operands(r, n)
	for name, op := range map[string]struct {
		of       operation
		elements func(z, x, y *binary.Number)
	}{
		"sum":     {adding, f.Add},
		"product": {multiplying, f.Mul},
		"square":  {squaring, func(z, x, _ *binary.Number) { f.Square(z, x) }},
		"inverse": {inverting, func(z, x, _ *binary.Number) {
			if f.Inv(z, x) != nil { // of 0
				*z = make(binary.Number, len(*x))
			}
		}},
	} {
		want := make([]binary.Number, n)
		for i := range want {
			op.elements(&want[i], &x[i], &y[i])
		}
		for same := range 3 { // z is one of its own, x or y
			a, b := s.vector(t, x), s.vector(t, y)
			z := s.vector(t, make([]binary.Number, n))
			switch {
			case same == 1:
				z = a
			case same == 2 && (op.of == adding || op.of == multiplying):
				z = b
			}
			require.NoError(t, s.b.do(d.room().Stream(), op.of, z, a, b, 0))
			memory(z).Did(nil)
			all := make([]byte, s.b.Bytes(n))
			v := bulks.View{Buf: memory(z), N: len(all) / s.size} // what is behind the elements too
			s.b.Unpack(bulks.View{Buf: unsafe.SliceData(all), N: v.N}, v)
			require.NoError(t, s.b.Wait(t.Context(), z))
			expected := s.bytes(want)
			for i := range n {
				require.Equal(t, expected[i*s.size:][:s.size], all[i*s.size:][:s.size],
					"%s of %s: %d of %x and %x, z is %d", name, f.Name(), i, x[i], y[i], same)
			}
			require.Zero(t, slices.Max(all[n*s.size:]), "%s of %s", name, f.Name())
			for _, v := range []bulks.View{a, b, z} {
				require.NoError(t, s.b.Release(v))
			}
		}
	}
}

// Towers, and bases of which the default one of their degree serves.
func TestGF2Bases(t *testing.T) {
	d := alone(t)
	for _, f := range gf2Fields(t, "", "8 16 32 64 128",
		"1f 11d 14d 174c5 1e040020d 12881000000200841 13101001000000008800400081 polyval") {
		likeProcessor(t, d, f, 60)
	}
}

// Every operation is that of the processor, bit for bit: on straight-line code, and for any degree.
func TestGF2(t *testing.T) {
	d := alone(t)
	degrees := []int{2, 3, 4, 5, 8, 9, 16, 31, 32, 33, 63, 64, 65, 80, 95, 96, 112, 127, 128, 129, 144, 160, 176, 192,
		208, 224, 240, 255, 256, 257, 272, 288, 304, 320, 336, 352, 368, 384, 512, 1023, 1024, 2048}
	r := rand.New(rand.NewPCG(1, 37))
	for range 3 * testscale.Of(t) {
		degrees = append(degrees, 2+r.IntN(600))
	}
	for _, m := range degrees {
		f, err := binary.New[binary.Number](m)
		require.NoError(t, err)
		n := 150
		if m > 512 { // which take the host long
			n = 28
		} else if m > 64 {
			n = 40
		}
		t.Run(f.Name(), func(t *testing.T) { likeProcessor(t, d, f, n) })
	}
}

// Moduli that no straight-line code is for, and that have many terms or high ones.
func TestGF2Moduli(t *testing.T) {
	d := alone(t)
	for _, hex := range []string{"7", "13", "11d", "1002d", "100400007", "19", "1f", "11b"} {
		p, ok := new(big.Int).SetString(hex, 16)
		require.True(t, ok)
		if !binary.Irreducible(p) {
			continue
		}
		f, err := binary.NewModulus[binary.Number](p)
		require.NoError(t, err)
		likeProcessor(t, d, f, 60)
	}
	for _, p := range binary.Presets() {
		f, err := binary.NewModulus[binary.Number](p.Modulus())
		require.NoError(t, err)
		likeProcessor(t, d, f, 30)
	}
}

// BenchmarkGF2 prints the products that a device does in a second, on vectors that are there: see docs/gpu.md.
func BenchmarkGF2(b *testing.B) {
	realDevice(b)
	d := must(first.Get())
	for _, f := range gf2Fields(b, "32 64 128 256 8 16 31 63 80 95 96 112 127 160 192 224 320 352 368 384 512 1024 2048",
		"8 16 32 64 128", "14d 174c5 1e040020d 12881000000200841 polyval") {
		m := f.Degree()
		s := newSomeGF2(b, (*Device)(d), f)
		n := 1 << 24
		if s.size > 64 {
			n = 1 << 30 / s.size
		}
		x, y := must(s.b.Make(n)), must(s.b.Make(n))
		z := must(s.b.Make(n))
		r := rand.New(rand.NewPCG(1, 2))
		some := make([]binary.Number, 1<<16)
		for i := range some {
			f.Random(&some[i], r)
		}
		bytes := s.bytes(some)
		for i := 0; i < n; i += len(some) {
			for _, v := range []bulks.View{x, y} {
				at := memory(v).At + uint64(i*s.size)
				if err := memory(v).CopyIn(at, unsafe.Pointer(&bytes[0]), min(len(some), n-i)*s.size); err != nil {
					b.Fatal(err)
				}
			}
		}
		kernels := map[string]operation{"product": multiplying}
		if m == 32 || m == 128 || m == 160 {
			kernels["sum"] = adding
		}
		if m >= 31 && m <= 512 {
			kernels["square"] = squaring
		}
		if m >= 31 && m <= 256 { // above, one takes a second
			kernels["inverse"] = inverting
		}
		for name, of := range kernels {
			ms := measured(b, d, func() error { return s.b.do(d.Stream(), of, z, x, y, 0) })
			rate := float64(n) / ms / 1e6
			vectors := 3
			if of == squaring || of == inverting {
				vectors = 2
			}
			fmt.Printf("%s %s of 2^%d: %.4f ms, %.2f G/s, %.2f TB/s\n", f.Name(), name, log2(n), ms, rate,
				float64(vectors*n*s.size)/ms/1e9)
		}
		for _, w := range s.b.ways {
			ms := measured(b, d, func() error { return s.b.multiply(d.Stream(), w, z, x, y) })
			fmt.Printf("%s product by %s of 2^%d: %.4f ms, %.2f G/s\n", f.Name(), w.by, log2(n), ms, float64(n)/ms/1e6)
		}
		for _, v := range []bulks.View{x, y, z} {
			s.b.Release(v)
		}
	}
}

// Operations on vectors without a plan allocate nothing, whatever kernels they take.
func TestGF2Allocates(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	defer noCleanups()() // which allocate
	d := alone(t)
	for _, m := range []int{16, 32, 64, 128, 160, 352} { // groups, slices of both kinds, straight code, whole elements
		f, err := binary.New[binary.Number](m)
		require.NoError(t, err)
		g, err := Field(f, On(d))
		require.NoError(t, err)
		x, err := g.NewVec(3)
		require.NoError(t, err)
		for name, call := range map[string]func() error{
			"sum":     func() error { return AddVec(x, x, x) },
			"product": func() error { return MulVec(x, x, x) },
			"square":  func() error { return SquareVec(x, x) },
			"inverse": func() error { return InvVec(x, x) },
		} {
			for range 3 {
				require.NoError(t, call(), name)
			}
			require.Zero(t, testing.AllocsPerRun(50, func() { _ = call() }), "%s of %s", name, f.Name())
		}
		require.NoError(t, x.Close())
	}
}

// All multipliers have the values of the processor.
func TestGF2Multipliers(t *testing.T) {
	d := alone(t)
	for _, f := range gf2Fields(t, "4 8 16 32 45 64 100 128 160 256", "8 16 32 64 128",
		"14d 174c5 1e040020d 12881000000200841 13101001000000008800400081 polyval") {
		s := newSomeGF2(t, d, f)
		m := f.Degree()
		x, y := s.operands(rand.New(rand.NewPCG(9, uint64(m))), 40)
		want := make([]binary.Number, len(x))
		for i := range x {
			f.Mul(&want[i], &x[i], &y[i])
		}
		for _, w := range s.b.ways {
			s.multiplies(t, w, x, y, want)
		}
	}
}

// multiplies compares the products by a multiplier with those that are wanted.
func (s someGF2) multiplies(t *testing.T, w way, x, y, want []binary.Number) {
	for same := range 3 { // z is one of its own, x or y
		z, u, v := s.vector(t, make([]binary.Number, len(x))), s.vector(t, x), s.vector(t, y)
		to := []bulks.View{z, u, v}[same]
		require.NoError(t, s.b.multiply(s.b.d.Stream(), w, to, u, v))
		require.Equal(t, s.bytes(want), s.bytesOf(t, to), "%s of %s, z is %d", w.by, s.f.Name(), same)
		for _, v := range []bulks.View{z, u, v} {
			require.NoError(t, s.b.Release(v))
		}
	}
}

// bytesOf waits for a vector and returns its elements.
func (s someGF2) bytesOf(t *testing.T, v bulks.View) []byte {
	memory(v).Did(nil)
	b := make([]byte, v.N*s.size)
	s.b.Unpack(bulks.View{Buf: unsafe.SliceData(b), N: v.N}, v)
	require.NoError(t, s.b.Wait(t.Context(), v))
	return b
}

// gf2Fields are fields by their degrees, towers by theirs, and moduli, as words or by their names.
func gf2Fields(t testing.TB, degrees, towers, moduli string) (list []*binary.Field[binary.Number]) {
	add := func(f *binary.Field[binary.Number], err error) {
		require.NoError(t, err)
		list = append(list, f)
	}
	for _, s := range strings.Fields(degrees) {
		add(binary.New[binary.Number](must(strconv.Atoi(s))))
	}
	for _, s := range strings.Fields(towers) {
		add(binary.NewTower[binary.Number](must(strconv.Atoi(s))))
	}
	for _, s := range strings.Fields(moduli) {
		p, ok := new(big.Int).SetString(s, 16)
		for _, preset := range binary.Presets() {
			if preset.Name == s {
				p, ok = preset.Modulus(), true
			}
		}
		require.True(t, ok, s)
		add(binary.NewModulus[binary.Number](p))
	}
	return list
}

// Warm transforms over affine domains allocate nothing either, whatever the basis and the coefficients.
func TestAdditiveAllocates(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	defer noCleanups()()
	g := must(Field(must(binary.New[uint64](64)), On(alone(t))))
	for _, opts := range [][]fft.Option{nil, {fft.WithCoefficients(fft.LCH)},
		{fft.WithSubspace[uint64](8, 9, 2, 7, 16)}} {
		p := must(fft.NewPlan(g, 1<<5, opts...))
		v := must(p.NewVec())
		call := func() { require.NoError(t, errors.Join(p.ForwardVec(t.Context(), v), p.InverseVec(t.Context(), v))) }
		for range 3 {
			call()
		}
		require.Zero(t, testing.AllocsPerRun(20, call))
		require.NoError(t, v.Close())
	}
}
