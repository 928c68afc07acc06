package rs

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/galfft/fft/kernels/gf2"
)

// Locate returns which shards are wrong, in order, without a change of any: all that differ from those of the nearest
// word, if there are e of them, s are missing, and 2e + s is at most Parity(). Where it is more, the error is
// ErrBeyond, or others are blamed. Sums of symbols with random factors find a wrong shard, so that one in 2^32 is
// overlooked.
//
// The time is that of Verify, and about (k + m)·m products for each try.
func (p *Plan) Locate(ctx context.Context, shards [][]byte) ([]int, error) {
	if _, err := p.check(ctx, shards, true); err != nil {
		return nil, err
	}
	have := 0
	for _, s := range shards {
		if len(s) > 0 {
			have++
		}
	}
	if have < p.data {
		return nil, &TooFewError{Have: have, Want: p.data}
	}
	d := p.engine.dual()
	var known []uint64 // points that are missing, or wrong
	for i, s := range shards {
		if len(s) == 0 {
			known = append(known, d.points[i])
		}
	}
	var wrong []int
	for quiet := 0; quiet < 4/p.code.Unit(); quiet++ {
		s, err := d.syndromes(ctx, p, shards)
		if err != nil {
			return nil, err
		}
		// The difference with each of these factors is of a word without an error there.
		for _, x := range known {
			for j := range len(s) - 1 {
				s[j] = s[j+1] ^ d.field.product(x, s[j])
			}
			s = s[:len(s)-1]
		}
		list, length := recurrence(d.field, s)
		if length == 0 {
			continue
		}
		var found []int
		for i, x := range d.points {
			if len(shards[i]) > 0 && !slices.Contains(wrong, i) && vanishes(d.field, list, length, x) {
				found = append(found, i)
			}
		}
		if 2*length > len(s) || len(found) != length {
			return nil, fmt.Errorf("rs: %w: no word differs in at most %d of %d shards", ErrBeyond,
				(have-p.data)/2, have)
		}
		for _, i := range found {
			known = append(known, d.points[i])
		}
		wrong, quiet = append(wrong, found...), -1
	}
	slices.Sort(wrong)
	return wrong, nil
}

// Repair makes shards a word again, where Locate finds what is wrong: it writes the wrong shards, in place, and the
// missing ones, and returns which were wrong.
func (p *Plan) Repair(ctx context.Context, shards [][]byte) ([]int, error) {
	wrong, err := p.Locate(ctx, shards)
	if err != nil {
		return nil, err
	}
	rest := slices.Clone(shards)
	for _, i := range wrong {
		rest[i] = rest[i][:0]
	}
	if err := p.Reconstruct(ctx, rest); err != nil {
		return nil, err
	}
	copy(shards, rest)
	return wrong, nil
}

// dual says when symbols are a word: the sums of multipliers[i]·points[i]^j times symbol i are 0, for j below parity.
type dual struct {
	field               symbolField
	points, multipliers []uint64
	// symbol returns the sum of the symbols of a shard times random elements, which start anew at each call.
	combine func(shard []byte, random *rand.Rand) uint64
}

// syndromes returns these sums for a combination of all words with random factors.
func (d *dual) syndromes(ctx context.Context, p *Plan, shards [][]byte) ([]uint64, error) {
	s := make([]uint64, p.parity)
	one, two := rand.Uint64(), rand.Uint64()
	for i, shard := range shards {
		if err := ctx.Err(); err != nil {
			return nil, stopped(err)
		}
		if len(shard) == 0 {
			continue
		}
		x := d.field.product(d.combine(shard, rand.New(rand.NewPCG(one, two))), d.multipliers[i])
		for j := range s {
			if x == 0 {
				break
			}
			s[j] ^= x
			x = d.field.product(x, d.points[i])
		}
	}
	return s, nil
}

func (m *matrix) dual() *dual {
	d := &dual{field: byteField{}, combine: func(shard []byte, random *rand.Rand) (z uint64) {
		var word uint64
		for i, b := range shard {
			if word >>= 8; i%8 == 0 {
				word = random.Uint64()
			}
			z ^= uint64(products[byte(word)][b])
		}
		return z
	}}
	for i, x := range m.points {
		product := m.multipliers[i]
		for j, y := range m.points {
			if i != j {
				product = times(product, x^y)
			}
		}
		d.points, d.multipliers = append(d.points, uint64(x)), append(d.multipliers, uint64(over(1, product)))
	}
	return d
}

func (a *additive) dual() *dual {
	// Of all points those of parity that there never was are left out, and those behind the data are 0.
	l := &locator{lost: make([]byte, a.n)}
	for i := a.parity; i < a.m; i++ {
		l.lost[i] = 1
	}
	a.locators.solve(l)
	d := &dual{field: towerField(a.level), combine: a.combine}
	basis := chains[a.level]()
	for i := range a.data + a.parity {
		at := a.point(i)
		d.points = append(d.points, basis.of(0, at)[0])
		d.multipliers = append(d.multipliers, l.values[at][0])
	}
	return d
}

func (a *additive) combine(shard []byte, random *rand.Rand) (z uint64) {
	s := a.rooms.get()
	defer a.rooms.put(s)
	tile := gf2.Lanes << a.level
	s.more, s.shard = grown(s.more, max(tile, len(s.more))), grown(s.shard, max(tile, len(s.shard)))
	x, y := s.more[:tile], s.shard[:tile]
	for at := 0; at < len(shard); at += tile {
		clear(x)
		a.symbols.enter(&s.planes, x, shard[at:min(len(shard), at+tile)])
		for i := 0; i < tile; i += 8 {
			binary.LittleEndian.PutUint64(y[i:], random.Uint64())
		}
		gf2.Active().Mul[a.level](&x[0], &x[0], &y[0], 1)
		for i := range gf2.Lanes {
			z ^= gf2.Get(x, a.level, i)[0]
		}
	}
	return z
}
