package binary

import (
	"math/big"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/stretchr/testify/require"
)

// modulo is x modulo p, by the definition.
func modulo(x, p *big.Int) *big.Int {
	x = new(big.Int).Set(x)
	for x.BitLen() >= p.BitLen() {
		x.Xor(x, new(big.Int).Lsh(p, uint(x.BitLen()-p.BitLen())))
	}
	return x
}

// times is xy modulo p, by the definition.
func times(x, y, p *big.Int) *big.Int {
	z := new(big.Int)
	for i := range y.BitLen() {
		if y.Bit(i) == 1 {
			z.Xor(z, new(big.Int).Lsh(x, uint(i)))
		}
	}
	return modulo(z, p)
}

// Words with all places of the holes filled, and random ones, have the products of the definition.
func TestProduct(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	words := []uint64{0, 1, 1 << 63, 1<<64 - 1, fifth, fifth << 1, fifth << 2, fifth << 3, last}
	for range 200 {
		words = append(words, r.Uint64())
	}
	for _, x := range words {
		for _, y := range words {
			var hi, lo uint64
			for i := range 64 {
				if y>>i&1 == 1 {
					lo ^= x << i
					hi ^= x >> (64 - i)
				}
			}
			gotHi, gotLo := clmul(x, y)
			require.Equal(t, [2]uint64{hi, lo}, [2]uint64{gotHi, gotLo}, "%x·%x", x, y)
		}
		hi, lo := clmul(x, x)
		require.Equal(t, [2]uint64{hi, lo}, [2]uint64{spread(x >> 32), spread(x)})
	}
	for n := 1; n <= most; n++ {
		x, y, want, got := make([]uint64, n), make([]uint64, n), make([]uint64, 2*n), make([]uint64, 2*n)
		for i := range x {
			x[i], y[i] = r.Uint64(), r.Uint64()
			got[2*i] = 7 // dirt
		}
		schoolbook(want, x, y)
		product(got, x, y, make([]uint64, roomOfProduct))
		require.Equal(t, want, got, "%d words", n)
	}
}

// Products, squares and inverses of all degrees are those of the definition, by folds and by Barrett's method, and with
// dirt in the destination.
func TestDegrees(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for m := leastDegree; m <= mostDegree; m++ {
		if m > 300 && m%61 != 0 && m%64 != 0 && m != mostDegree-1 {
			continue
		}
		f := must(New[Number](m))
		dense := must(New[Number](m)) // the same modulus by Barrett's method
		dense.core.of2.setBarrett()
		dense.core.arithmetic = dense.core.of2
		p := f.Modulus()
		var x, y, z Number
		for i := range 3 {
			f.Random(&x, r)
			f.Random(&y, r)
			if i == 0 {
				for j := range m {
					x[j/64] |= 1 << (j % 64)
				}
				copy(y, x)
			}
			a, b := f.Big(nil, &x), f.Big(nil, &y)
			for _, f := range []*Field[Number]{f, dense} {
				f.Random(&z, r)
				f.Mul(&z, &x, &y)
				require.Zero(t, f.Big(nil, &z).Cmp(times(a, b, p)), "%d: %x·%x", m, x, y)
				f.Square(&z, &x)
				require.Zero(t, f.Big(nil, &z).Cmp(times(a, a, p)), "%d: %x²", m, x)
			}
			if i == 2 && !isZero(x) {
				require.NoError(t, f.Inv(&z, &x))
				f.Mul(&z, &z, &x)
				require.Equal(t, f.core.unit(0), []uint64(z), "%d: 1/%x", m, x)
			}
		}
	}
}

// In elements with more words than the modulus products clear those on top.
func TestSpareWords(t *testing.T) {
	f := must(New[[8]uint64](400))
	x, z := [8]uint64{3, 6: 5}, [8]uint64{7: 9}
	f.Mul(&z, &x, &x)
	require.Zero(t, z[7])
	z[7] = 9
	f.Square(&z, &x)
	require.Zero(t, z[7])
	require.Equal(t, 1, f.FirstInvalid([][8]uint64{x, {7: 1}}))
	require.Equal(t, 0, f.FirstInvalid([][8]uint64{{6: 1 << 16}}))
}

// All irreducible moduli of up to eight bits, and the towers: the table of products is that of the definition, which is
// associative and distributive therefore, and inverses, squares, traces and solutions are those of the table.
func TestExhaustive(t *testing.T) {
	fields := 0
	for p := 4; p < 512; p++ {
		f, err := NewModulus[uint8](big.NewInt(int64(p)))
		if !Irreducible(big.NewInt(int64(p))) {
			require.ErrorIs(t, err, field.ErrModulus)
			continue
		}
		require.NoError(t, err)
		fields++
		exhaustive(t, f)
	}
	require.Equal(t, 1+2+3+6+9+18+30, fields)
	exhaustive(t, must(NewTower[uint8](8)))
}

func exhaustive(t *testing.T, f *Field[uint8]) {
	n := 1 << f.core.m
	product := make([][256]uint8, n)
	for i := range n {
		for j := range n {
			x, y := uint8(i), uint8(j)
			f.Mul(&product[i][j], &x, &y)
			if f.core.of2 == nil {
				continue
			}
			p, want := int(f.Modulus().Int64()), 0
			for k := range f.core.m {
				want ^= i << k & -(j >> k & 1)
			}
			for k := f.core.m - 1; k >= 0; k-- {
				want ^= p << k & -(want >> (k + f.core.m) & 1)
			}
			if want != int(product[i][j]) {
				t.Fatalf("%s: %x·%x is %x, want %x", f.core.name, i, j, product[i][j], want)
			}
		}
	}
	if f.core.of2 == nil {
		for i := range n { // of a tower there is no other definition here: the laws
			for j := range n {
				ok := product[i][j] == product[j][i]
				for k := 1; k < n; k *= 2 {
					ok = ok && product[product[i][j]][k] == product[i][product[j][k]] &&
						product[i][j^k] == product[i][j]^product[i][k]
				}
				if !ok {
					t.Fatalf("%s: the laws fail for %x and %x", f.core.name, i, j)
				}
			}
		}
	}
	for i := range n {
		x, z := uint8(i), uint8(0)
		f.Square(&z, &x)
		require.Equal(t, product[i][i], z)
		if i == 0 {
			require.ErrorIs(t, f.Inv(&z, &x), field.ErrNotInvertible)
		} else {
			require.NoError(t, f.Inv(&z, &x))
			require.Equal(t, uint8(1), product[i][z])
		}
		trace, power := uint8(0), x
		for range f.core.m {
			trace ^= power
			power = product[power][power]
		}
		require.Equal(t, uint(trace), f.Trace(&x), "%s: trace of %x", f.core.name, x)
		solutions := []uint8(nil)
		for s := range n {
			if product[s][s]^uint8(s) == x {
				solutions = append(solutions, uint8(s))
			}
		}
		z = 99
		if f.SolveQuadratic(&z, &x) {
			require.Equal(t, solutions[0], z)
		} else {
			require.Empty(t, solutions)
			require.Equal(t, uint8(99), z)
		}
		half, power := uint8(0), x
		for range (f.core.m + 1) / 2 {
			half ^= power
			power = product[power][power]
			power = product[power][power]
		}
		if err := f.HalfTrace(&z, &x); f.core.m%2 == 0 {
			require.ErrorIs(t, err, field.ErrSpec)
		} else {
			require.NoError(t, err)
			require.Equal(t, half, z)
			require.Equal(t, product[half][half]^half, x^trace)
		}
	}
}

// The tower is what its definition says: X_0² = X_0 + 1, X_k² = X_(k−1)·X_k + 1, and basis elements are products of
// generators.
func TestTower(t *testing.T) {
	f := must(NewTower[Number](128))
	r := rand.New(rand.NewPCG(5, 6))
	unit := func(i int) *Number { x := Number(f.core.unit(i)); return &x }
	for k := range 7 {
		var square, want Number
		f.Square(&square, unit(1<<k))
		if k == 0 {
			f.Add(&want, unit(1), unit(0))
		} else {
			f.Mul(&want, unit(1<<(k-1)), unit(1<<k))
			f.Add(&want, &want, unit(0))
		}
		require.Equal(t, want, square, "%d", k)
	}
	for i := range 128 {
		product := *unit(0)
		for k := range 7 {
			if i>>k&1 == 1 {
				f.Mul(&product, &product, unit(1<<k))
			}
		}
		require.Equal(t, *unit(i), product)
	}
	g := must(NewTower[uint64](64))
	for m := leastTower; m <= 64; m *= 2 { // each field is in the next
		sub := must(NewTower[Number](m))
		for range 20 {
			x, y := r.Uint64()>>(64-m), r.Uint64()>>(64-m)
			var z uint64
			g.Mul(&z, &x, &y)
			a, b, c := Number{x}, Number{y}, Number{}
			sub.Mul(&c, &a, &b)
			require.Equal(t, Number{z}, c)
			a, b = Number{x, 0}, Number{y, 0}
			f.Mul(&c, &a, &b)
			require.Equal(t, Number{z, 0}, c)
		}
	}
	for range 100 {
		var x, y Number
		f.Random(&x, r)
		f.Square(&y, &x)
		var z Number
		f.Mul(&z, &x, &x)
		require.Equal(t, z, y)
	}
	for _, m := range []int{0, 4, 24, 256, -8} {
		_, err := NewTower[Number](m)
		require.ErrorIs(t, err, field.ErrModulus)
	}
	_, err := NewTower[uint8](16)
	require.ErrorIs(t, err, field.ErrModulus)
}

// Traces and solutions of degrees beyond the exhaustive ones.
func TestQuadratic(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	fields := []*Field[Number]{must(NewTower[Number](16)), must(NewTower[Number](32)), must(NewTower[Number](64)),
		must(NewTower[Number](128)), must(NewModulus[Number](POLYVAL().Modulus()))}
	for _, m := range []int{9, 31, 63, 64, 65, 95, 127, 128, 163, 176, 233, 409, 512} {
		fields = append(fields, must(New[Number](m)))
	}
	for _, f := range fields {
		for range 20 {
			var x, y, z, t2 Number
			f.Random(&x, r)
			var trace, power Number
			f.Set(&power, &x)
			for range f.core.m {
				f.Add(&trace, &trace, &power)
				f.Square(&power, &power)
			}
			require.Equal(t, uint64(f.Trace(&x)), trace[0], f.core.name)
			if f.SolveQuadratic(&z, &x) {
				require.Zero(t, f.Trace(&x))
				f.Square(&y, &z)
				f.Add(&y, &y, &z)
				require.Equal(t, x, y)
				require.Zero(t, z[0]&1)
			} else {
				require.Equal(t, uint(1), f.Trace(&x))
			}
			if f.core.m%2 == 1 {
				require.NoError(t, f.HalfTrace(&t2, &x))
				f.Square(&y, &t2)
				f.Add(&y, &y, &t2)
				y[0] ^= uint64(f.Trace(&x))
				require.Equal(t, x, y)
			}
		}
	}
}

// Cantor's chain, its span, and the units behind it.
func TestSubspace(t *testing.T) {
	f := must(New[uint64](64))
	b := make([]uint64, 64)
	require.NoError(t, f.Subspace(b))
	for i, want := range map[int]uint64{
		0: 1, 1: 0x19c9369f278adc02, 2: 0xa181e7d66f5ff794, 3: 0x5db84357ce785d08, 4: 0xb973d466f5c9d0ca,
		5: 0x521ac889831a075e, 6: 0x033ce8beddc8a656, 7: 0xb5846c4e07b91010, 8: 0x4087b8cbb37a32ec,
		15: 0xa2a113500b4b4f5a, 16: 0xe96f9805d6ce0bb0, 31: 0xb66864e6ec14b4d2, 32: 0xed57ce778f0d6244,
		63: 0x9dc338f8399031b4,
	} {
		require.Equal(t, want, b[i], "%d", i)
	}
	for _, c := range []struct{ m, chain int }{{64, 64}, {176, 16}, {95, 1}, {96, 32}, {7, 1}, {2, 2}, {128, 128}} {
		f := must(New[Number](c.m))
		b := make([]Number, c.m)
		require.NoError(t, f.Subspace(b))
		e := newEchelon(c.m)
		for i, v := range b {
			if i > 0 && i < c.chain {
				var z Number
				f.Square(&z, &v)
				f.Add(&z, &z, &v)
				require.Equal(t, b[i-1], z, "%d: %d", c.m, i)
				require.Zero(t, v[0]&1)
			}
			var ones int
			for _, w := range v {
				ones += bits.OnesCount64(w)
			}
			require.True(t, i == 0 || i < c.chain || ones == 1, "%d: %d", c.m, i)
			require.True(t, e.insert(append([]uint64(nil), v...)), "%d: %d", c.m, i)
		}
		// The first 2^j vectors of the chain span a subfield.
		for n := 1; n <= c.chain; n *= 2 {
			for _, v := range b[:n] {
				var z Number
				f.Set(&z, &v)
				for range n {
					f.Square(&z, &z)
				}
				require.Equal(t, v, z)
			}
		}
		require.ErrorIs(t, f.Subspace(make([]Number, c.m+1)), field.ErrLength)
		_, err := field.NewAffine[Number](f, 3)
		require.ErrorIs(t, err, field.ErrLength)
		if c.m < 60 {
			_, err = field.NewAffine[Number](f, 2<<c.m)
			require.ErrorIs(t, err, field.ErrLength)
		}
	}
	d, err := field.NewAffine[uint64](f, 8)
	require.NoError(t, err)
	require.Equal(t, field.Affine[uint64]{Basis: b[:3]}, d)
}

// Vectors are what elements do, in place too.
func TestVectors(t *testing.T) {
	vectors(t, AES())
	vectors(t, must(New[uint64](64)))
	vectors(t, must(New[Number](95)))
}

func vectors[E Elements](t *testing.T, f *Field[E]) {
	r := rand.New(rand.NewPCG(9, 10))
	const n = 100
	x, y, z := make([]E, n), make([]E, n), make([]E, n)
	for i := range x {
		f.Random(&x[i], r)
		f.Random(&y[i], r)
		f.Random(&z[i], r)
	}
	check := func(what string, got func(z, x, y []E), want func(z, x, y *E)) {
		to, expected := make([]E, n), make([]E, n)
		for i := range z {
			f.Set(&to[i], &z[i])
			f.Set(&expected[i], &z[i])
			want(&expected[i], &x[i], &y[i])
		}
		got(to, x, y)
		for i := range to {
			require.True(t, f.Equal(&to[i], &expected[i]), "%s of %s, %d", what, f.core.name, i)
		}
	}
	check("sum", f.AddVec, f.Add)
	check("difference", f.SubVec, f.Sub)
	check("product", f.MulVec, f.Mul)
	check("sum of products", f.MulAddVec, func(z, x, y *E) {
		var p E
		f.Mul(&p, x, y)
		f.Add(z, z, &p)
	})
}
