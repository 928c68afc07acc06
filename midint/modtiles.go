package midint

import (
	"context"
	"math/big"

	"github.com/galfft/fft/internal/arith"
)

// spareBits is how many bits limbs have above those of a modulus: values below 2m are factors, and R is above 4m.
const spareBits = 2

// perModulus is the vectors of limbs of a tile of moduli.
const perModulus = 3

// limbs is the limbs of a value.
func (f *form) limbs() int { return f.base << f.levels }

// makeTiles has the constants of each tile, with limbs of zeros where integers are none: those are 0 modulo 0.
func (r *Moduli) makeTiles() {
	f := r.form
	n := f.limbs()
	tiles := (r.m.n + lanes - 1) / lanes
	r.tiles = arith.Aligned(tiles * perModulus * lanes * n)
	length := uint(f.bits * n)
	modulus := new(big.Int).Lsh(big.NewInt(1), length)
	for i := range tiles * lanes {
		if i >= r.m.n && r.m.n > 1 {
			break
		}
		k := machineWords(r.m.each())
		w := make([]big.Word, k)
		widen(w, r.of(i))
		m := new(big.Int).SetBits(w)
		square := new(big.Int).Lsh(big.NewInt(1), 2*length)
		square.Mod(square, m)
		inverse := negativeInverse(m, modulus)
		to := r.tiles[i/lanes*perModulus*lanes*n+i%lanes:]
		for j, v := range []*big.Int{inverse, m, square} {
			spread(to[j*lanes*n:], v, f.bits)
		}
	}
}

// negativeInverse is −1/m modulo a power of two, by Newton's steps of doubling length.
func negativeInverse(m, modulus *big.Int) *big.Int {
	mask := new(big.Int).Sub(modulus, big.NewInt(1))
	v, t, two := new(big.Int).Set(m), new(big.Int), big.NewInt(2) // right in three bits
	for b := 3; b < modulus.BitLen(); b *= 2 {
		t.Mul(v, m)
		t.Sub(two, t)
		v.Mul(v, t)
		v.And(v, mask)
	}
	return v.Sub(modulus, v)
}

// spread sets one lane of limbs of b bits to an integer.
func spread(to []uint64, v *big.Int, b int) {
	mask := new(big.Int).SetUint64(uint64(1)<<b - 1)
	rest, w := new(big.Int).Set(v), new(big.Int)
	for i := 0; rest.Sign() != 0; i += lanes {
		to[i] = w.And(rest, mask).Uint64()
		rest.Rsh(rest, uint(b))
	}
}

// residues multiplies eight integers modulo eight moduli.
type residues struct {
	ctx              context.Context
	f                *form
	n, stride        int // limbs of a value, and words from one to the next, which Load fills
	inverse, m       []uint64
	places           []uint64
	z, q, t, scratch []uint64
	pad              []uint32
	padZ             []uint32
	climb            climb
}

func (r *residues) at(i int) []uint64 { return r.places[i*r.stride : (i+1)*r.stride] }

// set has room for a table of so many values and those behind it.
func (r *residues) set(s *state, table int) {
	f := s.moduli.form
	r.ctx = s.ctx
	if places := table + placesBehind; r.f != f || len(r.places) < places*r.stride {
		r.f, r.n = f, f.limbs()
		r.stride = lanes * (r.n + lanes)
		r.places = arith.Aligned(places * r.stride)
		v := lanes * r.n
		r.z, r.q = arith.Aligned(2*v+lanes), arith.Aligned(2*v+lanes)
		r.t, r.scratch = arith.Aligned(2*v+lanes), arith.Aligned(4*v+lanes*lanes)
		r.pad, r.padZ = make([]uint32, lanes*f.words), make([]uint32, lanes*(f.words+1))
	}
	for i := range lanes { // of a place that another table has had
		r.at(table + placeUnit)[i] = 1
	}
	clear(r.at(table + placeUnit)[lanes:])
}

// product is x·y/R, below 2m for factors below 2m: t = x·y + m·(x·y·(−1/m) mod R) is a multiple of R. The lower half of
// that sum is 0 or R, and its highest limb tells which.
func (r *residues) product(z, x, y int) {
	f, n := r.f, r.n
	f.wide(r.z, r.at(x), r.at(y), r.scratch, n)
	f.set.Carry(&r.z[0], f.bits, n+1)
	f.short(r.q, r.z, r.inverse, r.scratch, n)
	f.set.Carry(&r.q[0], f.bits, n)
	mask, top := uint64(1)<<f.bits-1, lanes*(n-1)
	for i := range lanes {
		r.q[top+i] &= mask
	}
	f.wide(r.t, r.q, r.m, r.scratch, n)
	f.set.Carry(&r.t[0], f.bits, n+1)
	to := r.at(z)
	f.set.Add(&to[0], &r.z[lanes*n], &r.t[lanes*n], n)
	for i := range lanes {
		to[i] += (r.z[top+i] + r.t[top+i] + 1) >> f.bits
	}
	f.set.Carry(&to[0], f.bits, n)
}

func (r *residues) gather(z int, digits *[lanes]int) {
	to := r.at(z)
	for l, d := range digits {
		from := r.at(d)
		for i := l; i < lanes*r.n; i += lanes {
			to[i] = from[i]
		}
	}
}

func (r *residues) stopped() bool { return r.ctx.Err() != nil }

// load sets a place to at most eight integers.
func (r *residues) load(place int, x []uint32) {
	f := r.f
	if len(x) < len(r.pad) {
		clear(r.pad[copy(r.pad, x):])
		x = r.pad
	}
	const bytes = wordBits / 8
	to := r.at(place)
	groups := f.groups(f.words)
	f.set.Load(&to[0], &x[0], f.constants, bytes*f.words, bytes*f.words, groups)
	if r.n > lanes*groups {
		clear(to[lanes*lanes*groups : lanes*r.n])
	}
}

// store sets at most eight integers, of which i is the first of a call, to those of a place less m where they reach it.
func (r *residues) store(s *state, place, i, count int) {
	const bytes = wordBits / 8
	f, long := r.f, r.f.words+1
	from := r.at(place)
	groups := f.groups(long)
	if r.n < lanes*groups {
		clear(from[lanes*r.n : min(len(from), lanes*lanes*groups)])
	}
	f.set.Store(&r.padZ[0], &from[0], f.constants, bytes*long, bytes*long, groups)
	for l := range count {
		v, m := r.padZ[l*long:(l+1)*long], s.moduli.of(i+l)
		if v[f.words] != 0 || compare(v[:f.words], m) >= 0 {
			sub(s.z.of(i+l), v[:f.words], m)
		} else {
			copy(s.z.of(i+l), v[:f.words])
		}
	}
}

// modular computes integers from, …, to − 1 of a call by tiles. from is a multiple of eight.
func (r *residues) modular(s *state, from, to int) {
	table := 1 << s.ladder.window
	r.set(s, table)
	x, square, power := table+placeX, table+placeSquare, table+placePower
	each := lanes * r.n
	for ; from < to && s.ctx.Err() == nil; from += lanes {
		end := min(from+lanes, to)
		constants := s.moduli.tiles
		if s.moduli.m.n > 1 {
			constants = constants[from/lanes*perModulus*each:]
		}
		r.inverse, r.m = constants[:each], constants[each:2*each]
		copy(r.at(square), constants[2*each:3*each])
		r.load(x, s.x.span(from, end))
		if s.op == opMulMod {
			r.load(power, s.y.span(from, end))
			r.product(x, x, square)
			r.product(power, x, power)
		} else {
			for l := range r.climb.exponents {
				r.climb.exponents[l] = s.exponent(min(from+l, end-1))
			}
			s.ladder.run(r, &r.climb)
			if s.ctx.Err() != nil {
				break
			}
		}
		r.store(s, power, from, end-from)
	}
	r.ctx, r.climb = nil, climb{}
}

// modular computes integers from, …, to − 1 of a call.
func (r *room) modular(s *state, from, to int) {
	if s.moduli.form != nil {
		r.tiles.modular(s, from, to)
	} else {
		r.residue.modular(s, from, to)
	}
}
