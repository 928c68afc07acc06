package limb

import (
	"math"
	"math/big"

	"github.com/galfft/fft/internal/arith"
)

// The order of constants is that of kernels/_gen: a head, and tiles of L vectors in which each lane has a number.
const (
	headInverse = iota // −1/p modulo 2^52, a factor
	headMask           // 2^52 − 1
	headRatio          // 2^(52+e+down)/p, see leading, a factor
	headUp
	headPower // 2^up, a factor
	headDown
	headLimbs // L
	headMore  // 1 where Product has more to do, to reach its weight
	headWords
)

// head returns the words before the tiles: kernels with loops also have p there.
func head(L int) int {
	if isUnrolled(L) {
		return headWords
	}
	return headWords + (mostLimbs+lanes-1)/lanes*lanes
}

// Tiles of constants.
const (
	tileModulus = iota // lanes: p, R − p, Np, and p as a factor
	tileOffsets        // p, 2p, 4p, … in two tiles
	tileFactors = 3    // multipliers, see Constants
	lanePlain   = lanes - 1
	offsets     = maxLog + 1
)

const maxLog = 10 // of what Wide is at most

// parts returns in how many parts of how many limbs a number is multiplied: x = Σ x_j·2^(52·rounds·j), and the
// multiplier w has w_j = 2^(52·rounds·(j+1))·w modulo p, so that Σ x_j·w_j needs so many rounds of Montgomery's
// reduction for wx. That leaves less than (parts + 1)p.
func parts(L int) (parts, rounds int) {
	most := 4
	if isUnrolled(L) {
		most = 5
	}
	rounds = (L + most - 1) / most
	return (L + rounds - 1) / rounds, rounds
}

// isUnrolled reports whether kernels have no loops over limbs: those of 2 to 10 words, 768 and 1024 bits.
func isUnrolled(L int) bool { return L <= mostFolded || L == 15 || L == 20 }

// mostFolded is the largest L whose Product folds; beyond, it is made of two other products.
const mostFolded = 13

// leading returns what finds quotients: of a number x of L limbs, below 2^52·2^e for 2^e = 2^(52(L−1)−up), the leading
// word is u = ⌊x/2^e⌋, and u·ratio/2^(52+down) is x/p, or less by at most 2^−40 besides what is cut off.
func leading(p *big.Int, L int) (up, down uint, ratio *big.Int) {
	top := p.BitLen() - Bits*(L-1) // bits of p in its last limb
	up = uint(max(0, Bits-maxLog-top))
	down = uint(top) + up - 1
	return up, down, new(big.Int).Div(power(Bits*L-int(up)+int(down)), p)
}

func power(e int) *big.Int { return new(big.Int).Lsh(big.NewInt(1), uint(e)) }

// Wide returns the largest weight that kernels modulo p take, which is between 16 and 1024.
func Wide(p *big.Int) int {
	L := Limbs(p.BitLen())
	w := new(big.Int).Div(power(Bits*L), p)
	s, t := parts(L)
	// A product has limbs up to 2(s + 1)t·2^52, and what is taken from an offset; so many fit in 2^62.
	most := 1 << maxLog
	if isUnrolled(L) {
		most = min(most, 1<<10/(2*(s+1)*t+2)*(s+1))
	}
	if w.IsInt64() {
		most = int(min(int64(most), w.Int64()))
	}
	return most
}

// Constants returns what kernels modulo the odd number p read.
func (s *Set) Constants(p *big.Int) []uint64 {
	L := Limbs(p.BitLen())
	n, t := parts(L)
	R := power(Bits * L)
	folds := 0
	if s.folds {
		folds = L + 2
	}
	z := arith.Aligned(head(L) + lanes*L*(tileFactors+n+(folds+lanes-1)/lanes))
	up, down, ratio := leading(p, L)
	var more uint64
	switch {
	case !s.folds && p.BitLen() > Bits*L-maxLog-2: // xy/R + p may be above R
		more = 1
	case s.folds && p.BitLen() < Bits*(L-1)+6: // p may be below 2^(52(L−1))·2L, which bounds limbs of xy
		more = 1
	}
	copy(z, []uint64{s.factor(-arith.Newton(p.Uint64()) & (1<<Bits - 1)), 1<<Bits - 1, s.factor(ratio.Uint64()),
		uint64(up), s.factor(1 << up), uint64(down), uint64(L), more})
	put := func(tile, lane int, x *big.Int) { setLimbs(z[head(L)+lanes*L*tile+lane:], x, L) }
	putFactor := func(tile, lane int, x *big.Int) {
		put(tile, lane, x)
		for i := range L {
			w := &z[head(L)+lanes*(L*tile+i)+lane]
			*w = s.factor(*w)
		}
	}
	if !isUnrolled(L) {
		for i := range L {
			setLimbs(z[headWords+i:], new(big.Int).Rsh(p, uint(Bits*i)), 1)
		}
	}
	put(tileModulus, 0, p)
	putFactor(tileModulus, 1, new(big.Int).Sub(R, p))
	put(tileModulus, 2, new(big.Int).Mul(p, big.NewInt(int64(n+1))))
	putFactor(tileModulus, 3, p)
	for k := 0; k < offsets && 1<<k <= Wide(p); k++ {
		put(tileOffsets+k/lanes, k%lanes, new(big.Int).Lsh(p, uint(k)))
	}
	residue := func(e int) *big.Int { x := power(e); return x.Mod(x, p) }
	// Multipliers by 2^(52t), 2^(104t), … make the parts of others, and the last one is R.
	for lane := range lanes {
		e := Bits * t * (lane + 1)
		if lane == lanePlain {
			e = Bits * L
		}
		for j := range n {
			putFactor(tileFactors+j, lane, residue(e+Bits*t*(j+1)))
		}
	}
	for k := range folds { // for limbs L − 2, L − 1, … of a product, and one round
		putFactor(tileFactors+n+k/lanes, k%lanes, residue(Bits*(L-1+k)))
	}
	return z
}

// factor returns a limb as kernels multiply by it.
func (s *Set) factor(limb uint64) uint64 {
	if s.doubles {
		return math.Float64bits(float64(limb))
	}
	return limb
}

// setLimbs sets every eighth word of z to a limb of x.
func setLimbs(z []uint64, x *big.Int, L int) {
	rest, mask, w := new(big.Int).Set(x), big.NewInt(1<<Bits-1), new(big.Int)
	for i := range L {
		z[lanes*i] = w.And(rest, mask).Uint64()
		rest.Rsh(rest, Bits)
	}
}
