package bigprime

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/internal/testscale"
	"github.com/galfft/fft/kernels/mulx"
)

// moduli returns odd numbers of elements of w words, at the ends of their lengths and of words, and random ones: most
// of the arithmetic does not ask for primes.
func moduli(rnd *rand.Rand, w int) (list []*big.Int) {
	one := big.NewInt(1)
	power := func(e int) *big.Int { return new(big.Int).Lsh(one, uint(e)) }
	least := leastBits
	if i := slices.Index(sizes[:], w); i > 0 {
		least = 64*sizes[i-1] + 1
	}
	for _, e := range []int{least - 1, 64*w - 64, 64*w - 1} {
		list = append(list, new(big.Int).Add(power(e), one))
	}
	for _, e := range []int{64*w - 1, 64 * w} {
		list = append(list, new(big.Int).Sub(power(e), one))
	}
	random := randomBits(rnd, 64*w)
	random.SetBit(random, 0, 1)
	random.SetBit(random, 64*w-1-rnd.IntN(64), 1)
	return append(list, random)
}

func randomBits(rnd *rand.Rand, n int) *big.Int {
	x := new(big.Int)
	for range (n + 63) / 64 {
		x.Lsh(x, 64).Or(x, new(big.Int).SetUint64(rnd.Uint64()))
	}
	return x.Rsh(x, uint(-n)%64)
}

// elements returns n numbers below p, of which many are at the ends: 0, 1, p − 1, p − 2, and those of limbs of 52 and
// of 64 bits that are all ones or begin one.
func elements(rnd *rand.Rand, p *big.Int, n int) []*big.Int {
	one := big.NewInt(1)
	list := []*big.Int{new(big.Int), one, new(big.Int).Sub(p, one), new(big.Int).Sub(p, big.NewInt(2))}
	for _, limb := range []int{52, 64} {
		for range 3 {
			x := new(big.Int).Lsh(one, uint(limb*(1+rnd.IntN(1+p.BitLen()/limb))))
			list = append(list, x, new(big.Int).Add(x, one), new(big.Int).Sub(x, one))
		}
	}
	for len(list) < n {
		list = append(list, randomBits(rnd, p.BitLen()))
	}
	for _, x := range list {
		x.Mod(x, p)
	}
	rnd.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list[:n]
}

// paths returns the arithmetic by kernels, where there are some, and in Go.
func paths(p *big.Int, w int) map[string]*modulus {
	inGo := newModulus(p, w)
	all := map[string]*modulus{"Go": &inGo}
	if inGo.kernels != nil {
		byKernels := inGo
		inGo.kernels = nil
		all["MULX"] = &byKernels
	}
	return all
}

// All arithmetic of all sizes is that of math/big, by every path: a thousand products each.
func TestArithmetic(t *testing.T) {
	for _, w := range sizes {
		rnd := rand.New(rand.NewPCG(5, uint64(w)))
		for _, p := range moduli(rnd, w) {
			for name, f := range paths(p, w) {
				t.Run(fmt.Sprintf("words=%d/%s", w, name), func(t *testing.T) { arithmetic(t, f, rnd) })
			}
		}
	}
}

func arithmetic(t *testing.T, f *modulus, rnd *rand.Rand) {
	n := 170 * testscale.Of(t) // for each of six moduli
	var a, b []uint64
	xs, ys := elements(rnd, f.n, n), elements(rnd, f.n, n)
	for i := range xs {
		a, b = append(a, wordsOf(xs[i], f.w)...), append(b, wordsOf(ys[i], f.w)...)
	}
	inverse := new(big.Int).ModInverse(new(big.Int).Lsh(big.NewInt(1), uint(64*f.w)), f.n)
	at := func(v []uint64, i int) []uint64 { return v[i*f.w:][:f.w] }
	// check runs op on copies of a and b, and compares both with what they should be.
	check := func(name string, op func(x, y []uint64), do func(x, y *big.Int) (a, b *big.Int)) {
		x, y := slices.Clone(a), slices.Clone(b)
		op(x, y)
		for i := range xs {
			wantX, wantY := do(xs[i], ys[i])
			if got := setBig(new(big.Int), at(x, i)); got.Cmp(wantX.Mod(wantX, f.n)) != 0 {
				require.Fail(t, name, "modulo %v of %v and %v: %v, want %v", f.n, xs[i], ys[i], got, wantX)
			}
			if got := setBig(new(big.Int), at(y, i)); got.Cmp(wantY.Mod(wantY, f.n)) != 0 {
				require.Fail(t, name, "modulo %v of %v and %v: second %v, want %v", f.n, xs[i], ys[i], got, wantY)
			}
		}
	}
	each := func(op func(x, y []uint64)) func(x, y []uint64) {
		return func(x, y []uint64) {
			for i := range xs {
				op(at(x, i), at(y, i))
			}
		}
	}
	mul := func(x, y *big.Int) *big.Int { return new(big.Int).Mul(x, y) }
	sum := func(x, y *big.Int) *big.Int { return new(big.Int).Add(x, y) }
	difference := func(x, y *big.Int) *big.Int { return new(big.Int).Sub(x, y) }
	mont := func(x, y *big.Int) *big.Int { z := mul(x, y); return z.Mod(z, f.n).Mul(z, inverse) }
	first := func(op func(x, y *big.Int) *big.Int) func(x, y *big.Int) (a, b *big.Int) {
		return func(x, y *big.Int) (a, b *big.Int) { return op(x, y), new(big.Int).Set(y) }
	}
	check("products", each(func(x, y []uint64) { f.mul(x, x, y) }), first(mul))
	check("products of vectors", func(x, y []uint64) { f.products(x, x, y) }, first(mul))
	check("Montgomery's products", each(func(x, y []uint64) { f.mont(x, x, y) }), first(mont))
	check("squares", each(func(x, _ []uint64) { f.mont(x, x, x) }),
		first(func(x, _ *big.Int) *big.Int { return mont(x, x) }))
	check("sums", each(func(x, y []uint64) { f.add(x, x, y) }), first(sum))
	check("differences", each(func(x, y []uint64) { f.sub(x, x, y) }), first(difference))
	check("negatives", each(func(x, _ []uint64) { f.neg(x, x) }),
		first(func(x, _ *big.Int) *big.Int { return new(big.Int).Neg(x) }))
	check("sums and products", func(x, y []uint64) { f.mulAdd(x, x, y) },
		first(func(x, y *big.Int) *big.Int { return sum(x, mul(x, y)) }))
	check("both", func(x, y []uint64) { f.cross(x, y, row(n)) },
		func(x, y *big.Int) (a, b *big.Int) { return sum(x, y), difference(x, y) })
	w := elements(rnd, f.n, n)[0]
	factor := wordsOf(w, f.w)
	check("butterflies", func(x, y []uint64) { f.down(x, y, factor, row(n)) }, func(x, y *big.Int) (a, b *big.Int) {
		y = mont(y, w)
		return sum(x, y), difference(x, y)
	})
	check("transposed butterflies", func(x, y []uint64) { f.up(x, y, factor, row(n)) },
		func(x, y *big.Int) (a, b *big.Int) { return sum(x, y), mont(difference(x, y), w) })
}

func wordsOf(x *big.Int, w int) []uint64 {
	z := make([]uint64, w)
	setWords(z, x)
	return z
}

// Rows that do not touch leave what is between them, by every path.
func TestRows(t *testing.T) {
	rnd := rand.New(rand.NewPCG(6, 7))
	for _, w := range []int{2, 3, 4, 8, 12} {
		p := moduli(rnd, w)[4]
		all := paths(p, w)
		r := mulx.Rows{N: 3, Count: 4, Step: 5, Factor: 2}
		vector := func(n int) (v []uint64) {
			for _, x := range elements(rnd, p, n) {
				v = append(v, wordsOf(x, w)...)
			}
			return v
		}
		x, y, factors := vector(20), vector(20), vector(8)
		for name, f := range all {
			for op, do := range map[string]func(x, y []uint64, r mulx.Rows){
				"times": func(x, y []uint64, r mulx.Rows) { f.times(x, y, factors, r) }, "cross": f.cross,
				"down": func(x, y []uint64, r mulx.Rows) { f.down(x, y, factors, r) },
				"up":   func(x, y []uint64, r mulx.Rows) { f.up(x, y, factors, r) },
			} {
				gotX, gotY := slices.Clone(x), slices.Clone(y)
				do(gotX, gotY, r)
				wantX, wantY := slices.Clone(x), slices.Clone(y)
				for i := range r.Count {
					for j := range r.N {
						at := (i*r.Step + j) * w
						one := mulx.Rows{N: 1, Count: 1, Step: 1}
						u, v, by := wantX[at:at+w], wantY[at:at+w], factors[i*r.Factor*w:]
						switch op {
						case "times":
							all["Go"].mont(u, v, by)
						case "cross":
							all["Go"].cross(u, v, one)
						case "down":
							all["Go"].down(u, v, by, one)
						case "up":
							all["Go"].up(u, v, by, one)
						}
					}
				}
				require.Equal(t, wantX, gotX, "%s, %s, %d words", name, op, w)
				require.Equal(t, wantY, gotY, "%s, %s, %d words", name, op, w)
			}
		}
	}
}
