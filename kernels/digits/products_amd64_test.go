//go:build amd64 && !purego

package digits

import (
	"fmt"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/galfft/fft/internal/arith"

	"github.com/galfft/fft/internal/cpu"
	"github.com/galfft/fft/internal/testscale"
)

func init() {
	parts = []check{
		{"mulByIFMA", checkMulBy},
		{"valuesIFMA", checkValues},
		{"coefficientsIFMA", func(t *testing.T, o oracle, rnd *rand.Rand) { checkCoefficients(t, o, rnd, false) }},
		{"coefficientsByIFMA", func(t *testing.T, o oracle, rnd *rand.Rand) { checkCoefficients(t, o, rnd, true) }},
		{"recombineIFMA", checkRecombine},
	}
}

// checkMulBy takes limbs of the factor as limbsIFMA is to leave them.
func checkMulBy(t *testing.T, o oracle, rnd *rand.Rand) {
	if o.r.Uint64() < leastProduct {
		return
	}
	x, ex := o.tiles(rnd)
	y := o.element(rnd)
	f, scratch, m := NewFactors(o.k), NewScratch(o.k), Constants(o.r.Uint64(), o.k)
	for i, d := range y {
		low, high := d&(1<<26-1), d>>26
		f[24*i+5], f[24*i+8+5], f[24*i+16+5] = low, high, low+high
	}
	mulByIFMA(&x[0], &x[0], &f[5], &scratch[0], &m[0], o.k, count)
	o.holds(t, fmt.Sprintf("by %x", y), x, ex, ex, func(x, _ *big.Int) *big.Int { return product(x, o.number(y)) })
}

const mask52 = 1<<52 - 1

// number draws from [0, n·p), with any bits above 52.
func (p modulus) number(rnd *rand.Rand, n uint64) uint64 {
	x := rnd.Uint64N(n * uint64(p))
	if rnd.IntN(4) == 0 {
		x = []uint64{0, n*uint64(p) - 1}[rnd.IntN(2)]
	}
	return x | rnd.Uint64()<<52
}

// is reports whether the low bits of x are a number below n·p that is y modulo p.
func (p modulus) is(x, n, y uint64) bool {
	x &= mask52
	return x < n*uint64(p) && x%uint64(p) == y
}

func reversed(i, k int) int { return int(bits.Reverse64(uint64(i)) >> (65 - bits.Len(uint(k)))) }

func checkValues(t *testing.T, o oracle, rnd *rand.Rand) {
	if o.k < 16 {
		return
	}
	x, ex := o.tiles(rnd)
	z, m := make([]uint64, 8*o.k), Constants(o.r.Uint64(), o.k)
	for j, p := range moduli {
		valuesIFMA(&z[0], &x[0], &m[primeAt(j, o.k)], o.k)
		psi := p.root(uint64(2 * o.k))
		for i := range o.k {
			at := p.pow(psi, uint64(2*reversed(i, o.k)+1))
			for l := range 8 {
				var y uint64
				for n := o.k - 1; n >= 0; n-- {
					y = (p.mul(y, at) + ex[l][n]%uint64(p)) % uint64(p)
				}
				if !p.is(z[8*i+l], 16, y) {
					t.Fatalf("k = %d, value %d of %x modulo %d: %d, want %d", o.k, i, ex[l], p, z[8*i+l]&mask52, y)
				}
			}
		}
	}
}

func checkCoefficients(t *testing.T, o oracle, rnd *rand.Rand, by bool) {
	if o.k < 16 {
		return
	}
	m, lane := Constants(o.r.Uint64(), o.k), rnd.IntN(8)
	x, y, z := make([]uint64, 8*o.k), make([]uint64, 8*o.k), make([]uint64, 8*o.k)
	for j, p := range moduli {
		for i := range x {
			x[i], y[i] = p.number(rnd, 16), p.number(rnd, 16)
		}
		if rnd.IntN(2) == 0 { // products that reduce to 1, the least there is, and largest ones
			for i := range x {
				if rnd.IntN(2) == 0 {
					x[i], y[i] = 1<<52-(49+rnd.Uint64N(15))*uint64(p), 1
				} else {
					x[i], y[i] = 16*uint64(p)-1, 16*uint64(p)-1-rnd.Uint64N(8)
				}
			}
		}
		if by {
			coefficientsByIFMA(&z[0], &x[0], &y[lane], &m[primeAt(j, o.k)], o.k)
		} else {
			coefficientsIFMA(&z[0], &x[0], &y[0], &m[primeAt(j, o.k)], o.k)
		}
		back, scale := p.inv(p.pow(p.root(uint64(2*o.k)), 2)), p.inv(p.pow(2, 52))
		for n := range o.k {
			for l := range 8 {
				var c uint64
				for i := range o.k {
					v := y[8*i+l]
					if by {
						v = y[8*i+lane]
					}
					v = p.mul(x[8*i+l]&mask52%uint64(p), v&mask52%uint64(p))
					c = (c + p.mul(v, p.pow(back, uint64(reversed(i, o.k)*n)))) % uint64(p)
				}
				if c = p.mul(c, scale); !p.is(z[8*n+l], 48, c) {
					t.Fatalf("k = %d, coefficient %d modulo %d: %d, want %d", o.k, n, p, z[8*n+l]&mask52, c)
				}
			}
		}
	}
}

// checkRecombine takes coefficients of up to k·r² in absolute value; in some lanes few are not 0, so that borrows go on
// through digits.
func checkRecombine(t *testing.T, o oracle, rnd *rand.Rand) {
	if o.k < 16 || o.r.Uint64() < leastProduct {
		return
	}
	bound := new(big.Int).Mul(o.r, o.r)
	bound.Mul(bound, big.NewInt(int64(o.k)))
	s, z, m, want := make([]uint64, 3*8*o.k), make([]uint64, 8*o.k), Constants(o.r.Uint64(), o.k), make([][]uint64, 8)
	for l := range 8 {
		sum, few := new(big.Int), rnd.IntN(2) == 0
		for n := o.k - 1; n >= 0; n-- {
			c := new(big.Int).Set(bound)
			switch kind := rnd.IntN(4); {
			case few && rnd.IntN(o.k) > 0:
				c.SetInt64(0)
			case few && kind > 0:
				c.SetInt64(int64(kind))
			case kind > 0:
				c.Mul(bound, new(big.Int).SetUint64(rnd.Uint64())).Rsh(c, 64)
			}
			if rnd.IntN(2) == 0 {
				c.Neg(c)
			}
			sum.Mul(sum, o.r).Add(sum, c)
			for j, p := range moduli {
				y := new(big.Int).Mod(c, p.big()).Uint64()
				y = p.mul(p.mul(y, p.pow(p.root(uint64(2*o.k)), uint64(n))), p.mul(uint64(o.k), p.inv(p.pow(2, 52))))
				s[8*(j*o.k+n)+l] = y + uint64(rnd.IntN(48))*uint64(p) | rnd.Uint64()<<52
			}
		}
		want[l] = o.digits(sum)
	}
	recombineIFMA(&z[0], &s[0], &m[0], o.k)
	o.holds(t, "coefficients", z, want, want, func(x, _ *big.Int) *big.Int { return x })
}

// products are both ways to multiply, for every number of digits that they serve.
var products = []struct {
	name    string
	least   int
	mul     func(z, x, y, scratch, m *uint64, k, n int)
	factors func(f, y, m *uint64, k int)
	mulBy   func(z, x, f, scratch, m *uint64, k, n int)
}{
	{"digits", 2, mulIFMA, func(f, y, _ *uint64, k int) { limbsIFMA(f, y, k) }, mulByIFMA},
	{"residues", 16, mulResidues, factorResidues, mulByResidues},
}

func TestProducts(t *testing.T) {
	if cpu.Active() != cpu.IFMA {
		t.Skip("this processor has no multiplications of 52 bits: ", cpu.Active())
	}
	for _, p := range products {
		s := setIFMA
		s.Mul, s.Factors, s.MulBy = p.mul, p.factors, p.mulBy
		t.Run(p.name, func(t *testing.T) {
			for _, x := range radices {
				if x.k < p.least {
					continue
				}
				rnd := rand.New(rand.NewPCG(x.r, uint64(x.k)))
				for range max(4, 200*testscale.Of(t)/x.k) {
					newOracle(x.r, x.k).mul(t, &s, rnd)
					newOracle(x.r, x.k).mulBy(t, &s, rnd)
				}
			}
		})
	}
}

// BenchmarkProducts prints the time of both products for one element: of two tiles, and of a tile and one prepared
// element.
func BenchmarkProducts(b *testing.B) {
	if cpu.Active() != cpu.IFMA {
		b.Skip("this processor has no multiplications of 52 bits: ", cpu.Active())
	}
	for k := 8; k <= 128; k *= 2 {
		const r = 1<<63 + 1<<34
		v, f, scratch, m := arith.Aligned(3*lanes*k), NewFactors(k), NewScratch(k), Constants(r, k)
		for i := range v {
			v[i] = rand.Uint64N(r)
		}
		x, y, z := &v[0], &v[lanes*k], &v[2*lanes*k]
		for _, p := range products {
			if k < p.least {
				continue
			}
			p.factors(&f[0], y, &m[0], k)
			for name, call := range map[string]func(){
				"mul":   func() { p.mul(z, x, y, &scratch[0], &m[0], k, 1) },
				"mulBy": func() { p.mulBy(z, x, &f[0], &scratch[0], &m[0], k, 1) },
			} {
				b.Run(fmt.Sprintf("k=%d/%s/%s", k, p.name, name), func(b *testing.B) {
					for b.Loop() {
						call()
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*lanes), "ns/element")
				})
			}
		}
	}
}
