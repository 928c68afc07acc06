package gpu

import (
	"cmp"
	"context"
	"fmt"
	"unsafe"

	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/arith"
	"github.com/galfft/fft/internal/device"
	"github.com/galfft/fft/internal/engine/choice"
)

// longPrimes are those of transforms of more than 2^mostShortPass points, as midpass.cu has them, and shortPrimes those
// of others, smaller ones first.
var (
	shortPrimes = [3]uint64{880803841, 897581057, 998244353}
	longPrimes  = [3]uint64{469762049, 1811939329, 2013265921}
)

const (
	leastPass     = 13 // binary logarithm of the points of a transform
	mostShortPass = 23
	mostPass      = 26
	passPiece     = 1 << 11 // words of a result that a block puts together
	passThreads   = 256
	passRoom      = 4368
	passBytes     = 1 << 30 // of the points of the integers that go through all passes together
)

// integerPasses are the transforms of one length, modulo three primes.
type integerPasses struct {
	lg          int
	t           [3]*wordTransform
	first, join *device.Function
	at          device.Memory // an address alone, for views
}

// passLength is the binary logarithm of the points for integers of m words.
func passLength(m int) int { return max(leastPass, lengthFor(m)) }

// passShape is how many of n integers of m words go through the passes together, the bytes of their points modulo a
// prime, and those of all that they work in.
func (g *Integers) passShape(n, m, out int, square bool) (some, each, bytes int) {
	one := 8 << passLength(m)
	some = min(n, max(1, g.passMost/(3*one)))
	if square {
		one /= 2
	}
	each = one * some
	return some, each, 3*each + aligned(4*some*passBlocks(out))
}

// passBlocks is the pieces of a result of so many words.
func passBlocks(out int) int { return (out + passPiece - 1) / passPiece }

// needPasses has the transforms of 2^lg points on the device.
func (g *Integers) needPasses(lg int) (*integerPasses, error) {
	if p := g.passes[lg]; p != nil {
		return p, nil
	}
	p, err := g.makePasses(lg, lg > mostShortPass)
	if err == nil {
		g.passes[lg] = p
	}
	return p, err
}

// makePasses makes transforms modulo the long primes or the others.
func (g *Integers) makePasses(lg int, long bool) (*integerPasses, error) {
	p, primes, suffix := &integerPasses{lg: lg}, shortPrimes, ""
	if long {
		primes, suffix = longPrimes, "_long"
	}
	for k, prime := range primes {
		var err error
		if p.t[k], err = g.newPass(prime, lg); err != nil {
			return nil, err
		}
	}
	g.find(kernel{&p.first, "midpass", fmt.Sprint("midpass_first_", p.t[0].passes[0].layers, suffix), 0},
		kernel{&p.join, "midpass", "midpass_join" + suffix, 0})
	return p, nil
}

// newPass makes the transform of 2^lg points modulo a prime, which is not of a field's plan.
func (g *Integers) newPass(prime uint64, lg int) (*wordTransform, error) {
	v, err := newWords(g.d, prime, 4, nil)
	if err != nil {
		return nil, err
	}
	b := v.(*words)
	all, _ := b.divide(lg)
	t := &wordTransform{b: b, n: lg, passes: tilePasses(all, b.lineColumns()),
		scale: arith.Inverse(uint64(1)<<lg%prime, prime)}
	root := rootOfTwo(prime, 1<<lg)
	for i, r := range [...]uint64{root, power(root, prime-2, prime)} {
		if t.tables[i], err = g.passTable(t, r); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// passTable makes the multipliers of powers of a root: see newTable.
func (g *Integers) passTable(t *wordTransform, root uint64) (*device.Memory, error) {
	p := &tableParts{b: t.b, low: t.n / 2, entries: t.entries()}
	defer p.drop()
	for i, part := range [...]struct {
		to            **device.Memory
		shift, layers int
	}{{&p.lows, 0, p.low}, {&p.highs, p.low, t.n - 1 - p.low}} {
		list := make([]uint32, 1<<part.layers)
		for u := range list {
			list[u] = uint32(power(root, uint64(reversal(u<<part.shift, t.n)), t.b.p))
		}
		m, err := g.d.Make(4 * len(list))
		if err != nil {
			return nil, err
		}
		*part.to = m
		if err := g.d.CopyIn(m.At, unsafe.Pointer(unsafe.SliceData(list)), 4*len(list)); err != nil {
			return nil, fmt.Errorf("gpu: part %d of a table: %w", i, err)
		}
	}
	m, err := g.d.Make(t.b.multiplier * p.entries)
	if err != nil {
		return nil, err
	}
	m.Did(p.fill(m, m.Stream()))
	return m, cmp.Or(g.d.Wait(context.Background(), m))
}

// multiplyPasses starts products by transforms in passes, a part of the integers after the other, in memory for what
// passShape says.
func (g *Integers) multiplyPasses(s *device.Stream, z, x, y, work uint64, n, m, out int) error {
	p, err := g.needPasses(passLength(m))
	if err != nil {
		return err
	}
	some, each, bytes := g.passShape(n, m, out, x == y)
	for first := 0; first < n; first += some {
		if left := n - first; left < some {
			some = left
			_, each, bytes = g.passShape(some, m, out, x == y)
		}
		at := func(base uint64, words int) uint64 { return base + uint64(4*first*words) }
		run := passRun{g, p, s, work, some, m, out, each, work + uint64(bytes-aligned(4*some*passBlocks(out)))}
		if err := run.start(at(z, out), at(x, m), at(y, m)); err != nil {
			return err
		}
	}
	return nil
}

// passRun is the products of n integers that go through the passes together.
type passRun struct {
	g         *Integers
	p         *integerPasses
	s         *device.Stream
	work      uint64
	n, m, out int
	each      int    // bytes of points modulo a prime: those of x, and behind them those of y
	states    uint64 // of blocks that put words together
}

func (r *passRun) start(z, x, y uint64) error {
	square := x == y
	if err := r.first(x, y); err != nil {
		return err
	}
	for k, t := range r.p.t {
		if err := r.transform(t, r.work+uint64(k*r.each), square); err != nil {
			return err
		}
	}
	blocks := passBlocks(r.out)
	err := r.g.d.Launch(r.s, r.p.join, [2]int{r.n * blocks, 1}, passThreads, passRoom, r.work, z, uint64(r.each/4),
		uint64(r.p.lg), uint64(r.out), uint64(blocks), r.states)
	if err != nil {
		return err
	}
	return r.g.carryLong(r.s, z, r.states, r.n, r.out)
}

// isLongSum reports whether sums of integers of m words go by blocks that have carries put in later.
func isLongSum(op, m int) bool {
	return op < integersSixAdd && m > mostFlatWords
}

// sumLong starts a sum of integers too long for a warp to look for the carry that it begins with.
func (g *Integers) sumLong(s *device.Stream, op int, z, x, y, states uint64, n, m int) error {
	blocks := passBlocks(m)
	err := g.d.Launch(s, g.longSum, [2]int{n * blocks, 1}, passThreads, passRoom, z, x, y, uint64(m), uint64(blocks),
		uint64(op), states)
	if err != nil {
		return err
	}
	return g.carryLong(s, z, states, n, m)
}

// carryLong puts carries between blocks in.
func (g *Integers) carryLong(s *device.Stream, z, states uint64, n, out int) error {
	blocks := passBlocks(out)
	if blocks == 1 {
		return nil
	}
	return g.d.Each(s, g.carry, n*blocks, z, states, uint64(n), uint64(out), uint64(blocks))
}

// first starts the first pass of all transforms.
func (r *passRun) first(x, y uint64) error {
	t, p, factors := &r.p.t, r.p.t[0].passes[0], 2
	if x == y {
		factors = 1
	}
	points := r.n << r.p.lg
	return r.g.d.Launch(r.s, r.p.first, [2]int{points >> p.size * 3 * factors, 1}, 1<<(p.size-eachThread),
		tileBytes(p.size, 4), x, y, r.work, t[0].tables[0].At, t[1].tables[0].At, t[2].tables[0].At, uint64(r.m),
		uint64(p.stride), uint64(r.each/4), uint64(points), uint64(factors))
}

// transform sets points of x to the product modulo a prime, from the second pass on.
func (r *passRun) transform(t *wordTransform, at uint64, square bool) error {
	r.p.at.At = at
	v := bulks.View{Buf: &r.p.at, N: r.each / 4}
	for i, p := range t.passes[1:] {
		flags := uint64(0)
		if i+2 == len(t.passes) {
			flags = flagCanonical
		}
		if err := t.pass(r.s, false, v, factors{}, p, flags); err != nil {
			return err
		}
	}
	by := factors{at, at}
	if !square {
		v.N /= 2
		by[1] += uint64(4 * v.N)
	}
	return t.inverse(context.Background(), r.s, v, t.passes, by, false)
}

// passLaunches is how many launches products of few integers take.
func passLaunches(m, out int) int {
	n := 2 + 3*(2*len(choice.Divided(passLength(m)))-1) // the first passes, all others, and the words
	if passBlocks(out) > 1 {
		n++
	}
	return n
}
