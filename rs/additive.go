package rs

import (
	"bytes"
	"math/bits"
	"sync/atomic"

	"github.com/galfft/fft/kernels/gf2"
)

// additive is the engine of codes of many shards. Symbols are values at points of a [chain]: parity i at point i, data
// j at point m + j, where m is parity rounded up to a power of two. They are those of a polynomial that is 0 at the
// points behind the data, and whose degree is below n − m, where n is the number of all points, a power of two. So the
// transforms of the m points with parity and of each m points of data behind add up to 0.
//
// Shards are columns of tiles of package gf2, and rows of what is transformed.
type additive struct {
	data, parity int
	level        int // of the field that has the points
	m, n         int // the points of parity, and all
	columns      int // bytes of a row, whole tiles
	symbols      symbols
	passes       [2][]pass // of transforms of m and of n points
	constants    constants
	locators     locators
	rooms        pool[space]
}

// space is the rows of a strip, and a shard.
type space struct {
	rows, more, shard []byte
	factor            [16]byte // prepared
	planes            planes
}

// pass is layers of a transform, from that of pairs that are 2^top apart on.
type pass struct{ top, count int }

const (
	rowTiles  = 8       // of a row: kernels prepare their constants once for it
	callBytes = 1 << 14 // of a row that a kernel takes at once: assembly cannot be preempted
)

func newAdditive(c Code, data, parity int) *additive {
	a := newPoints(c, data, parity)
	for i, points := range []int{a.m, a.n} {
		a.passes[i] = a.passesOf(bits.Len(uint(points)) - 1)
	}
	a.constants = newConstants(chains[a.level](), a.n)
	return a
}

// newPoints returns an engine that has no transform yet.
func newPoints(c Code, data, parity int) *additive {
	m := rounded(parity)
	a := &additive{data: data, parity: parity, level: c.level(), m: m, n: rounded(m + data)}
	a.columns = rowTiles * gf2.Lanes << a.level
	a.symbols = symbolsOf(bits.Len(uint(c.Unit())) - 1)
	a.locators.init(a.level, a.n)
	return a
}

// passesOf cuts layers into passes, as many at a time as there are kernels for.
func (a *additive) passesOf(layers int) (list []pass) {
	set := gf2.Active()
	for top := layers - 1; top >= 0; {
		count := min(3, top+1)
		for k := a.levelOf(a.n>>(top+1)-1, count); count > set.MaxLayers[k]; k = a.levelOf(a.n>>(top+1)-1, count) {
			count--
		}
		list = append(list, pass{top, count})
		top -= count
	}
	return list
}

// levelOf is that of the constants of count layers that begin with block b.
func (a *additive) levelOf(b, count int) int { return constantLevel((b+1)<<(count-1) - 1) }

func (a *additive) strip(bool) int { return a.columns }

func (a *additive) least() int { return max(leastBytes, gf2.Lanes<<a.symbols.level) }

// leastBytes of a row are enough that kernels do not take longer for its constants.
const leastBytes = 256

// forward transforms rows that are size points from first on, in place: the blocks in which something is needed.
func (a *additive) forward(rows []byte, width int, passes []pass, first, size int, needed func(from, to int) bool) {
	if len(passes) == 0 || !needed(first, first+size) {
		return
	}
	p := passes[0]
	part := size >> p.count
	w, k := a.constants.of(first>>(p.top+1), p.count)
	layers := gf2.Active().Layers[k][p.count-1]
	for at := 0; at < part*width; at += callBytes {
		layers(&rows[at], part*width, min(callBytes, part*width-at), w)
	}
	for i := range 1 << p.count {
		a.forward(rows[i*part*width:], width, passes[1:], first+i*part, part, needed)
	}
}

// inverse undoes forward. The rows from end on are 0.
func (a *additive) inverse(rows []byte, width int, passes []pass, first, size, end int) {
	if len(passes) == 0 || end <= 0 {
		return
	}
	p := passes[0]
	part := size >> p.count
	for i := range 1 << p.count {
		a.inverse(rows[i*part*width:], width, passes[1:], first+i*part, part, end-i*part)
	}
	w, k := a.constants.of(first>>(p.top+1), p.count)
	layers := gf2.Active().LayersT[k][p.count-1]
	for at := 0; at < part*width; at += callBytes {
		layers(&rows[at], part*width, min(callBytes, part*width-at), w)
	}
}

// grown returns n bytes.
func grown(b []byte, n int) []byte {
	if cap(b) < n {
		return make([]byte, n)
	}
	return b[:n]
}

// width is the bytes of a row for a strip.
func (a *additive) width(from, to int) int {
	tile := gf2.Lanes << a.symbols.level
	return (to - from + tile - 1) / tile * tile
}

func (a *additive) encode(j *job, from, to int) {
	s := a.rooms.get()
	defer a.rooms.put(s)
	width := a.width(from, to)
	s.shard, s.rows, s.more = grown(s.shard, a.columns), grown(s.rows, a.m*width), grown(s.more, a.m*width)
	rows, any := s.rows, false
	for first := 0; first < a.data; first += a.m {
		count := min(a.m, a.data-first)
		if !a.load(j, s, rows, width, first, count, from, to) {
			continue
		}
		a.inverse(rows, width, a.passes[0], a.m+first, a.m, count)
		if any {
			gf2.Active().Add(&s.rows[0], &rows[0], a.m*width/gf2.Lanes)
		}
		any, rows = true, s.more
	}
	if !any {
		return
	}
	a.forward(s.rows, width, a.passes[0], 0, a.m, func(from, _ int) bool { return from < a.parity })
	for i, z := range j.shards[a.data:] {
		row := s.rows[i*width : (i+1)*width]
		if j.sink == write {
			a.symbols.leave(&s.planes, z[from:to], row)
			continue
		}
		shard := s.shard[:to-from]
		a.symbols.leave(&s.planes, shard, row)
		if j.sink == add {
			xor(z[from:to], shard)
		} else if !bytes.Equal(shard, z[from:to]) {
			atomic.StoreUint32(&j.differs, 1)
			return
		}
	}
}

// load sets rows to count shards of data from first on, and those behind to 0. It reports whether there is anything to
// do.
func (a *additive) load(j *job, s *space, rows []byte, width, first, count, from, to int) bool {
	some := j.fresh == nil
	for i := 0; !some && i < count; i++ {
		some = len(j.fresh[first+i]) > 0
	}
	if !some {
		return false
	}
	for i := range count {
		row := rows[i*width : (i+1)*width]
		old := j.shards[first+i]
		switch {
		case j.fresh == nil:
			a.symbols.enter(&s.planes, row, old[from:to])
		case len(j.fresh[first+i]) == 0:
			clear(row)
		default:
			change := s.shard[:to-from]
			copy(change, j.fresh[first+i][from:to])
			if len(old) > 0 { // none stands for zeros
				xor(change, old[from:to])
			}
			a.symbols.enter(&s.planes, row, change)
		}
	}
	clear(rows[count*width:])
	return true
}

// point is the index of that of a shard.
func (a *additive) point(shard int) int {
	if shard < a.data {
		return a.m + shard
	}
	return shard - a.data
}

func (a *additive) prepare(r *rebuild) {
	if r.locator == nil {
		r.locator = new(locator)
	}
	l := r.locator
	l.lost = grown(l.lost, a.n)
	// Whatever is not known to be there is lost: parity that there never was, and what nobody wants.
	for i := range l.lost {
		l.lost[i] = 0
		if i < a.m+a.data {
			l.lost[i] = 1
		}
	}
	for _, i := range r.have {
		l.lost[a.point(i)] = 0
	}
	l.needed = l.needed[:0]
	for range a.n + 1 {
		l.needed = append(l.needed, 0)
	}
	l.there = append(l.there[:0], l.needed...)
	for _, i := range r.lost {
		l.needed[a.point(i)+1] = 1
	}
	for _, i := range r.have {
		l.there[a.point(i)+1] = 1
	}
	for i := range a.n {
		l.needed[i+1] += l.needed[i]
		l.there[i+1] += l.there[i]
	}
	a.locators.solve(l)
}

// rebuild takes f·L, where f is the polynomial of the word and L vanishes at what is lost: its values are known, as L
// is 0 where f is not. Its derivative is f·L′ there, and the degree of f·L is below n.
func (a *additive) rebuild(j *job, from, to int) {
	s := a.rooms.get()
	defer a.rooms.put(s)
	set, width := gf2.Active(), a.width(from, to)
	s.rows = grown(s.rows, a.n*width)
	s.more = grown(s.more, a.columns)
	rows, product := s.rows, s.more[:width]
	clear(rows)
	groups, step := width/(gf2.Lanes<<a.level), gf2.Lanes<<a.level
	w := s.factor[:]
	multiply := func(z, x []byte, by gf2.Element) {
		gf2.Prepare(w, a.level, by)
		set.AddTimes[a.level](&z[0], &x[0], groups, step, &w[0])
	}
	for _, i := range j.have {
		at := a.point(i)
		a.symbols.enter(&s.planes, product, j.shards[i][from:to])
		multiply(rows[at*width:(at+1)*width], product, j.locator.values[at])
	}
	passes := a.passes[1]
	a.inverse(rows, width, passes, 0, a.n, a.m+a.data)
	for i := 1; i < a.n; i++ {
		half := i & -i
		set.Add(&rows[(i-half)*width], &rows[i*width], half*width/gf2.Lanes)
	}
	needed := j.locator.needed
	a.forward(rows, width, passes, 0, a.n, func(from, to int) bool { return needed[from] != needed[to] })
	for k, i := range j.lost {
		at := a.point(i)
		clear(product)
		multiply(product, rows[at*width:(at+1)*width], j.locator.inverses[at])
		a.symbols.leave(&s.planes, j.made[k][from:to], product)
	}
}
