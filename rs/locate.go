package rs

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/galfft/fft/kernels/gf2"
)

// Locate returns which shards are wrong, in order, without a change of any. These are all that differ from those of the
// nearest word, if there are e of them, s are missing, and 2e + s is at most Parity(). Where there are more, it goes by
// parts of the columns, and by each column at last, which is a symbol of each shard: then it returns those that are
// wrong in any, which may be more. Where a column has more wrong symbols, the error is ErrBeyond, or others are blamed.
// Sums of symbols with random factors find a wrong shard, so that one in 2^31 is overlooked.
//
// The time is that of Verify, and about (k + m)·m products, for each part that is tried.
func (p *Plan) Locate(ctx context.Context, shards [][]byte) ([]int, error) {
	parts, err := p.locate(ctx, shards)
	if err != nil {
		return nil, err
	}
	return union(parts), nil
}

// union is the shards that are wrong in any part.
func union(parts []damaged) (all []int) {
	for _, d := range parts {
		all = append(all, d.wrong...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Repair makes shards a word again, where Locate finds what is wrong: it writes the wrong shards, in place, where they
// are wrong, and the missing ones, and returns which were wrong.
func (p *Plan) Repair(ctx context.Context, shards [][]byte) ([]int, error) {
	parts, err := p.locate(ctx, shards)
	if err != nil {
		return nil, err
	}
	size, _ := p.check(ctx, shards, true)
	whole := slices.Clone(shards)
	for i, s := range whole {
		if len(s) > 0 {
			continue
		}
		if whole[i] = s[:cap(s)]; cap(s) < size {
			whole[i] = make([]byte, size)
		}
		whole[i] = whole[i][:size]
	}
	unit := p.code.Unit()
	room := make([]byte, len(shards)*unit)
	rest := make([][]byte, len(shards))
	made := make([]bool, len(shards))
	for _, d := range parts {
		for i, s := range shards {
			made[i] = len(s) == 0
		}
		for _, i := range d.wrong {
			made[i] = true
		}
		for i, s := range whole {
			if d.column < 0 {
				rest[i] = s[d.from:d.to:d.to]
			} else {
				rest[i] = room[i*unit : (i+1)*unit : (i+1)*unit]
				d.symbol(rest[i], s, unit, false)
			}
			if made[i] {
				rest[i] = rest[i][:0]
			}
		}
		if err := p.Reconstruct(ctx, rest); err != nil {
			return nil, err
		}
		for i, s := range whole {
			if d.column >= 0 && made[i] {
				d.symbol(s, rest[i], unit, true)
			}
		}
	}
	copy(shards, whole)
	return union(parts), nil
}

// damaged is bytes from to to of all shards, or of the block there one symbol, and which shards are wrong there.
type damaged struct {
	from, to, column int // column is −1 for all
	wrong            []int
}

// symbol copies the bytes of a symbol of a shard x to z, or back.
func (d *damaged) symbol(z, x []byte, unit int, back bool) {
	apart := (d.to - d.from) / unit
	for b := range unit {
		one, at := b, d.from+d.column+b*apart
		if back {
			one, at = at, one
		}
		z[one] = x[at]
	}
}

// blockBytes is those of a shard whose symbols lie among each other.
func (p *Plan) blockBytes() int {
	switch unit := p.code.Unit(); unit {
	case 1:
		return 1
	case 2:
		return 2 * leopardBlock
	default:
		return gf2.Lanes * unit
	}
}

// locate returns all parts with what is wrong in each.
func (p *Plan) locate(ctx context.Context, shards [][]byte) ([]damaged, error) {
	size, err := p.check(ctx, shards, true)
	if err != nil {
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
	return p.locateIn(ctx, shards, damaged{0, size, -1, nil}, nil)
}

// locateIn appends to list what is wrong in a part.
func (p *Plan) locateIn(ctx context.Context, shards [][]byte, d damaged, list []damaged) ([]damaged, error) {
	part, unit := make([][]byte, len(shards)), p.code.Unit()
	for i, s := range shards {
		switch {
		case len(s) == 0:
		case d.column < 0:
			part[i] = s[d.from:d.to]
		default:
			part[i] = make([]byte, unit)
			d.symbol(part[i], s, unit, false)
		}
	}
	wrong, err := p.dual().locate(ctx, p, part)
	if err == nil {
		d.wrong = wrong
		return append(list, d), nil
	}
	block, size := p.blockBytes(), d.to-d.from
	if !errors.Is(err, ErrBeyond) || size == unit || d.column >= 0 {
		return nil, err
	}
	if size <= block {
		for c := range size / unit {
			if list, err = p.locateIn(ctx, shards, damaged{d.from, d.to, c, nil}, list); err != nil {
				return nil, err
			}
		}
		return list, nil
	}
	middle := d.from + max(1, size/block/2)*block
	if list, err = p.locateIn(ctx, shards, damaged{d.from, middle, -1, nil}, list); err != nil {
		return nil, err
	}
	return p.locateIn(ctx, shards, damaged{middle, d.to, -1, nil}, list)
}

// dual says when symbols are a word: the sums of multipliers[i]·points[i]^j times symbol i are 0, for j below parity.
type dual struct {
	field interface {
		symbolField
		symbolVectors
	}
	points, multipliers []uint64
	// enter returns the symbols of bytes of a shard, which it may keep in room.
	enter func(room *[]byte, shard []byte) []byte
	// folding makes long shards short before; nil where nothing does.
	folding *folding
}

// combineBytes of shards are combined at once: a multiple of what shards are cut into. missed is the bits of factors,
// all of which a wrong shard has to meet to be missed.
const combineBytes, missed = 1 << 12, 32

// combined returns sums of the symbols of each shard times random factors, which are the same for all shards.
func (d *dual) combined(ctx context.Context, shards [][]byte, sums int) ([][]uint64, error) {
	z := make([][]uint64, sums)
	for k := range z {
		z[k] = make([]uint64, len(shards))
	}
	size := 0
	for _, s := range shards {
		size = max(size, len(s))
	}
	random := rand.NewChaCha8(seed())
	factors := make([][]byte, sums)
	var room, product []byte
	var folds *folder
	if d.folding != nil && size >= foldBytes {
		folds = d.folding.folder()
	}
	for from := 0; from < size; from += combineBytes {
		to := min(size, from+combineBytes)
		n, folded := 2*combineBytes, folds != nil && to-from == foldBytes // symbols may take more than the bytes
		if folded {
			n = foldSum
			folds.draw(random)
		}
		for k := range factors {
			factors[k] = grown(factors[k], n)
			_, _ = random.Read(factors[k])
		}
		for i, s := range shards {
			if len(s) == 0 {
				continue
			}
			if err := ctx.Err(); err != nil {
				return nil, stopped(err)
			}
			var x []byte
			if folded {
				x = folds.run(s[from:to])
			} else {
				x = d.enter(&room, s[from:to])
			}
			product = grown(product, len(x))
			for k := range sums {
				d.field.multiply(product, x, factors[k][:len(x)])
				z[k][i] ^= d.field.sum(product)
			}
		}
	}
	return z, nil
}

func seed() (z [32]byte) {
	for i := range z {
		z[i] = byte(rand.Uint32())
	}
	return z
}

// locate returns which of the shards that are not empty are wrong.
func (d *dual) locate(ctx context.Context, p *Plan, shards [][]byte) (wrong []int, err error) {
	s := search{dual: d, ctx: ctx, limit: p.parity}
	n := d.field.bytes(len(shards))
	s.points, s.multipliers, s.word = make([]byte, n), make([]byte, n), make([]byte, n)
	s.step, s.sum = make([]byte, n), make([]byte, n)
	for i := range shards {
		d.field.put(s.points, i, d.points[i])
		d.field.put(s.multipliers, i, d.multipliers[i])
	}
	known := make([]bool, len(shards))
	for i, shard := range shards {
		if len(shard) == 0 {
			known[i] = true
			s.leave(i)
		}
	}
	most := s.limit
	words, err := d.combined(ctx, shards, max(1, missed/8/p.code.Unit()))
	for k := 0; k < len(words) && err == nil; {
		clear(s.word)
		for i, x := range words[k] {
			d.field.put(s.word, i, x)
		}
		d.field.multiply(s.word, s.word, s.multipliers)
		var found []int
		if found, err = s.differing(known); len(found) == 0 {
			k++
		}
		for _, i := range found {
			known[i] = true
			s.leave(i)
		}
		// As many wrong ones as the code tells from others, and no more that come up one after the other: what is left
		// of the sums would prove little.
		if wrong = append(wrong, found...); err == nil && 2*len(wrong) > most {
			err = errBeyond()
		}
	}
	if err != nil {
		return nil, err
	}
	slices.Sort(wrong)
	return wrong, nil
}

// search is for what is wrong in a word. Of all places that are known the multipliers are 0: those of others hold the
// difference of their points with these, so that limit sums are 0 of a word that is right elsewhere.
type search struct {
	*dual
	ctx                       context.Context
	limit                     int
	points, multipliers, word []byte
	step, sum                 []byte // room
}

// leave leaves out a place.
func (s *search) leave(i int) {
	s.field.fill(s.step, s.dual.points[i])
	xor(s.step, s.points)
	s.field.multiply(s.multipliers, s.multipliers, s.step)
	s.limit--
}

// next returns a sum of the word, and goes on to the one that follows.
func (s *search) next() uint64 {
	copy(s.sum, s.word)
	z := s.field.sum(s.sum)
	s.field.multiply(s.word, s.word, s.points)
	return z
}

// differing returns places that are wrong. There are none where all sums are 0.
func (s *search) differing(known []bool) ([]int, error) {
	const more = 16 // sums that confirm a recurrence before its places are looked for
	r := newRecurrence(s.field)
	try := 0
	for j := range s.limit {
		if err := s.ctx.Err(); err != nil {
			return nil, stopped(err)
		}
		r.add(s.next())
		if try = max(try, 2*r.length+more); r.length == 0 || j+1 < min(try, s.limit) {
			continue
		}
		if 2*r.length <= s.limit {
			if found := s.roots(r, known); len(found) == r.length {
				return found, nil
			}
		}
		try = 2 * (j + 1)
	}
	if r.length > 0 {
		return nil, errBeyond()
	}
	return nil, nil
}

func errBeyond() error { return fmt.Errorf("rs: %w: no word is so near", ErrBeyond) }

// roots returns the places that the recurrence is about.
func (s *search) roots(r *recurring, known []bool) (found []int) {
	z := s.sum
	clear(z)
	for i := range r.length + 1 {
		s.field.multiply(z, z, s.points)
		if i < len(r.list) {
			s.field.fill(s.step, r.list[i])
			xor(z, s.step)
		}
	}
	for i := range known {
		if !known[i] && s.field.get(z, i) == 0 {
			found = append(found, i)
		}
	}
	return found
}

func (m *matrix) dual() *dual {
	d := &dual{field: byteField{}, enter: func(_ *[]byte, shard []byte) []byte { return shard }}
	set := m.encoder.set
	d.folding = &folding{set: set, unit: 1, enter: func(z, sum []byte) { copy(z, sum) },
		of: func(z []byte, x gf2.Element) { copy(z[:set.Size], m.maps[int(x[0])*set.Size:]) }}
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
	d := &dual{field: towerField(a.level), enter: a.tiles}
	basis := chains[a.level]()
	for i := range a.data + a.parity {
		at := a.point(i)
		d.points = append(d.points, basis.of(0, at)[0])
		d.multipliers = append(d.multipliers, l.values[at][0])
	}
	return d
}

func (l *leopard) dual() *dual {
	d := l.additive.dual()
	d.folding = &folding{set: l.set, unit: 1 << l.level, of: l.maps.of, enter: func(z, sum []byte) {
		s := l.rooms.get()
		defer l.rooms.put(s)
		l.symbols.into.run(&s.planes, z, sum, l.level, len(sum)>>l.level)
	}}
	return d
}

// tiles sets room to those of a part of a shard, with zeros behind.
func (a *additive) tiles(room *[]byte, shard []byte) []byte {
	s := a.rooms.get()
	defer a.rooms.put(s)
	*room = grown(*room, a.width(0, len(shard)))
	clear((*room)[len(*room)-gf2.Lanes<<a.symbols.level:])
	a.symbols.enter(&s.planes, *room, shard)
	return *room
}
