package rs

import (
	"bytes"
	"math/bits"
	"sync/atomic"
	"unsafe"

	"github.com/galfft/fft/kernels/gf2"
	"github.com/galfft/fft/kernels/linear"
)

// leopard is the engine of Leopard's codes: that of additive, on symbols as shards have them. Products by constants
// are linear maps of symbols. The first pass reads shards and the last one writes them.
type leopard struct {
	*additive
	set       *linear.Set
	kernels   *linear.Symbols
	step      int    // bytes of rows are a multiple of it
	stream    int    // bytes of words whose parity goes around the caches
	table     []byte // constants by block
	maps      elementMaps
	transform [2][]pass // of m and of n points
	places    pool[places]
}

// places is the rows of a strip.
type places struct {
	width      int  // bytes of a row
	stride     int  // and how far rows are apart
	stream     bool // parity goes around the caches
	work, more []byte
	in, out    []*byte
	copies     []byte // of shards that cannot be read or written as they are
	zero       []byte // a row of zeros
	waste      []byte // a row that nobody wants
}

// forget drops what points to shards.
func (s *places) forget() {
	clear(s.in)
	clear(s.out)
}

// All rows have about areaBytes, which stay in a cache, but a row has no more than widest, and always as much to be
// encoded and no less than thinnest to be rebuilt: shards are far apart, and each page of them takes time. Passes go
// depth first, so that all but the first and last ones find their rows in a cache anyway.
const areaBytes, thinnest, widest = 1 << 20, 1 << 8, 1 << 10

func newLeopard(c Code, data, parity int) *leopard {
	a := newPoints(c, data, parity)
	l := &leopard{additive: a, set: linear.Active()}
	l.kernels = &l.set.Symbols[a.level]
	l.step, l.stream = linear.Step<<a.level, streamBytes
	l.maps = newElementMaps(a.level, l.set)
	for i, points := range []int{a.m, a.n} {
		l.transform[i] = cutLayers(bits.Len(uint(points))-1, l.kernels.Most, i == 0 && data <= a.m)
	}
	basis := chains[a.level]()
	l.table = make([]byte, max(1, a.n/2)*l.maps.size)
	for b := range a.n / 2 {
		l.maps.of(l.table[b*l.maps.size:], basis.of(1, b))
	}
	return l
}

// cutLayers cuts layers into as few passes as there may be, of which the last ones are the longest, or the first ones
// where they turn: then there are fewer shards beside each other in the last pass. Shards tend to begin at pages, so
// that their columns want the same few lines of L1, of which a processor has 12 or so.
func cutLayers(layers, most int, turn bool) (list []pass) {
	for passes := (layers + most - 1) / most; passes > 0; passes-- {
		count := layers / passes
		if turn {
			count = (layers + passes - 1) / passes
		}
		list = append(list, pass{layers - 1, count})
		layers -= count
	}
	return list
}

func (l *leopard) strip(rebuild bool) int {
	width := widest
	if rebuild {
		width = max(thinnest, min(widest, areaBytes/l.n))
	}
	return width &^ (l.step - 1)
}

// apart is between the end of a row and the next one, so that rows which are a power of two apart do not all want the
// same places of a cache.
const apart = 64

// leopardCall is the bytes of rows that a kernel takes at once: assembly cannot be preempted.
const leopardCall = 1 << 16

// run does a pass to rows from row at of v on, in blocks of 2^layers times part rows. Shards are those from at on.
func (l *leopard) run(do linear.Pass, s *places, v []byte, shards []*byte, at, layers, part, blocks, block int) {
	l.some(do, s, v, shards, at, layers, part, 0, part, blocks, block)
}

// some is run for rows from to to of each part.
func (l *leopard) some(do linear.Pass, s *places, v []byte, shards []*byte, at, layers, part, from, to, blocks,
	block int) {
	most := max(1, leopardCall>>layers/s.width)
	for i := from; i < to; i += most {
		count := min(most, to-i)
		var list **byte
		if shards != nil {
			list = &shards[at+i]
		}
		do(&v[(at+i)*s.stride], s.stride, list, part, count, blocks, s.width, &l.table[0], block)
	}
}

// stays reports whether so many rows stay in a cache.
func (s *places) stays(rows int) bool { return rows*s.width <= areaBytes }

// kind is that of count layers of some blocks.
func (l *leopard) kind(block, blocks, count int, shards []*byte) linear.Kind {
	switch {
	case shards != nil:
		return linear.Edge
	case block == 0 && blocks == 1:
		return linear.First
	case (block+blocks)<<(count-1) <= 1<<7:
		return linear.Low // these are in GF(2^8), where low bytes are
	}
	return linear.Any
}

// alike is how many blocks of the last pass, of count from row at on, a kernel takes at once: those that are to be done
// and have the kind of the first one.
func (l *leopard) alike(s *places, p pass, shards []*byte, at, block, count int, some func(from, to int) bool) int {
	size := 2 << p.top
	count = min(count, max(1, leopardCall/(size*s.width)))
	kind, n := l.kind(block, 1, p.count, shards), 1
	for n < count && some(at+n*size, at+(n+1)*size) && l.kind(block, n+1, p.count, shards) == kind {
		n++
	}
	return n
}

// edge does something to so many rows from row at on before layers are undone, or when they are done.
type edge func(s *places, at, rows int)

// layers transforms so many blocks of rows from row at on, which is point at: those in which something is needed.
// Results are in out, which are shards, or in the area where that is nil.
func (l *leopard) layers(s *places, passes []pass, out []*byte, at, blocks int, needed func(from, to int) bool,
	leave edge) {
	p, last := passes[0], len(passes) == 1
	size := 2 << p.top
	for end := at + blocks*size; at < end; {
		switch {
		case !needed(at, at+size):
			at += size
		case last:
			n := l.alike(s, p, out, at, at/size, (end-at)/size, needed)
			do := l.kernels.Layers[l.kind(at/size, n, p.count, out)][p.count-1]
			if out != nil && s.stream {
				do = l.kernels.Stream[p.count-1]
			}
			l.run(do, s, s.work, out, at, p.count, size>>p.count, n, at/size)
			if leave != nil {
				leave(s, at, n*size)
			}
			at += n * size
		default:
			l.layersOf(s, passes, out, at, needed, leave)
			at += size
		}
	}
}

// layersOf is layers of a block that more than one pass does.
func (l *leopard) layersOf(s *places, passes []pass, out []*byte, at int, needed func(from, to int) bool, leave edge) {
	p, q := passes[0], passes[1]
	size, part := 2<<p.top, 2<<p.top>>p.count
	do := l.kernels.Layers[l.kind(at/size, 1, p.count, nil)][p.count-1]
	if len(passes) == 2 || s.stays(part) {
		l.run(do, s, s.work, nil, at, p.count, part, 1, at/size)
		l.layers(s, passes[1:], out, at, 1<<p.count, needed, leave)
		return
	}
	l.both(s, p, q, func(from, to int) {
		for i := range 1 << q.count {
			i *= part >> q.count
			l.some(do, s, s.work, nil, at, p.count, part, i+from, i+to, 1, at/size)
		}
		for a := at; a < at+size; a += part {
			if needed(a, a+part) {
				do := l.kernels.Layers[l.kind(a/part, 1, q.count, nil)][q.count-1]
				l.some(do, s, s.work, nil, a, q.count, part>>q.count, from, to, 1, a/part)
			}
		}
	})
	for a := at; a < at+size; a += part {
		if needed(a, a+part) {
			l.layers(s, passes[2:], out, a, 1<<q.count, needed, leave)
		}
	}
}

// both has two passes of rows that no cache keeps done one after the other, some rows of each part at a time.
func (l *leopard) both(s *places, p, q pass, do func(from, to int)) {
	part := 2 << q.top >> q.count
	most := max(1, areaBytes/4/s.width>>(p.count+q.count))
	for i := 0; i < part; i += most {
		do(i, min(i+most, part))
	}
}

// undo undoes the layers of so many blocks of rows from row at on, which is point first + at. They are in in, which
// are shards, or in z where that is nil. Those of blocks in which there is nothing become 0.
func (l *leopard) undo(s *places, z []byte, passes []pass, in []*byte, first, at, blocks int,
	some func(from, to int) bool, enter edge) {
	p, last := passes[0], len(passes) == 1
	size := 2 << p.top
	for end := at + blocks*size; at < end; {
		switch {
		case !some(at, at+size):
			clear(z[at*s.stride : (at+size)*s.stride])
			at += size
		case last:
			block := (first + at) / size
			n := l.alike(s, p, in, at, block, (end-at)/size, some)
			if enter != nil {
				enter(s, at, n*size)
			}
			do := l.kernels.LayersT[l.kind(block, n, p.count, in)][p.count-1]
			l.run(do, s, z, in, at, p.count, size>>p.count, n, block)
			at += n * size
		default:
			l.undoOf(s, z, passes, in, first, at, some, enter)
			at += size
		}
	}
}

// undoOf is undo of a block that more than one pass does.
func (l *leopard) undoOf(s *places, z []byte, passes []pass, in []*byte, first, at int, some func(from, to int) bool,
	enter edge) {
	p, q := passes[0], passes[1]
	size, part := 2<<p.top, 2<<p.top>>p.count
	block := (first + at) / size
	do := l.kernels.LayersT[l.kind(block, 1, p.count, nil)][p.count-1]
	if len(passes) == 2 || s.stays(part) {
		l.undo(s, z, passes[1:], in, first, at, 1<<p.count, some, enter)
		l.run(do, s, z, nil, at, p.count, part, 1, block)
		return
	}
	for a := at; a < at+size; a += part {
		if some(a, a+part) {
			l.undo(s, z, passes[2:], in, first, a, 1<<q.count, some, enter)
		} else {
			clear(z[a*s.stride : (a+part)*s.stride])
		}
	}
	l.both(s, p, q, func(from, to int) {
		for a := at; a < at+size; a += part {
			if some(a, a+part) {
				do := l.kernels.LayersT[l.kind((first+a)/part, 1, q.count, nil)][q.count-1]
				l.some(do, s, z, nil, a, q.count, part>>q.count, from, to, 1, (first+a)/part)
			}
		}
		for i := range 1 << q.count {
			i *= part >> q.count
			l.some(do, s, z, nil, at, p.count, part, i+from, i+to, 1, block)
		}
	})
}

// undoAndAdd undoes the layers of all points from first on, whose rows are shards, and adds what it gets to that of the
// points before.
func (l *leopard) undoAndAdd(s *places, passes []pass, first int, some func(from, to int) bool) {
	if len(passes) == 1 {
		l.undo(s, s.more, passes, s.in, first, 0, 1, some, nil)
		gf2.Active().Add(&s.work[0], &s.more[0], l.m*s.stride/gf2.Lanes)
		return
	}
	p := passes[0]
	l.undo(s, s.more, passes[1:], s.in, first, 0, 1<<p.count, some, nil)
	part := l.m >> p.count
	most := max(1, leopardCall>>p.count/s.width)
	for i := 0; i < part; i += most {
		l.kernels.SumsT[p.count-1](&s.work[i*s.stride], &s.more[i*s.stride], s.stride, part, min(most, part-i), s.width,
			&l.table[0], first/l.m)
	}
}

func (l *leopard) encode(j *job, from, to int) {
	s := l.places.get()
	defer l.places.put(s)
	defer s.forget()
	if l.m == 1 {
		l.sum(j, s, from, to)
		return
	}
	if whole := (to - from) &^ (l.step - 1); whole > 0 {
		l.encodeRows(j, s, from, from+whole)
		from += whole
	}
	if from < to && atomic.LoadUint32(&j.differs) == 0 {
		l.encodeRows(j, s, from, to)
	}
}

// begin makes room for rows of so many bytes of shards, and for copies.
func (l *leopard) begin(s *places, size, copies int) {
	if width := (size + l.step - 1) &^ (l.step - 1); width != s.width {
		s.width, s.stride = width, width+apart
		s.zero, s.waste = make([]byte, width), make([]byte, width)
	}
	s.copies = grown(s.copies, copies*s.width)
}

// ahead appends what is behind a list of shards.
func (s *places) ahead(list []*byte) []*byte {
	for range 1 << linear.Layers {
		list = append(list, &s.zero[0])
	}
	return list
}

func (s *places) copy(i int) []byte { return s.copies[i*s.width : (i+1)*s.width] }

// encodeRows does bytes that are whole steps, or fewer than a step.
func (l *leopard) encodeRows(j *job, s *places, from, to int) {
	l.begin(s, to-from, max(l.parity, min(l.m, l.data)))
	s.work = grown(s.work, l.m*s.stride)
	passes, begun := l.transform[0], false
	turns := l.data <= l.m && len(passes) > 1
	inner := 1 // the first pass, with the one before, is that which turns
	if len(passes) > 2 && !s.stays(l.m>>passes[0].count) {
		inner = 2
	}
	size := 2 << passes[min(inner, len(passes)-1)].top
	for first := 0; first < l.data; first += l.m {
		count := min(l.m, l.data-first)
		if !l.read(j, s, first, count, from, to) {
			continue
		}
		some := func(from, _ int) bool { return from < count }
		switch {
		case turns:
			l.undo(s, s.work, passes[inner:], s.in, l.m, 0, l.m/size, some, nil)
		case begun:
			s.more = grown(s.more, l.m*s.stride)
			l.undoAndAdd(s, passes, l.m+first, some)
		default:
			l.undo(s, s.work, passes, s.in, l.m+first, 0, 1, some, nil)
		}
		begun = true
	}
	if !begun {
		return
	}
	direct := j.sink == write && to-from == s.width
	s.out = s.out[:0]
	s.stream = direct && j.size >= l.stream/(l.data+l.parity)
	for i := range l.m {
		switch {
		case i >= l.parity:
			s.out = append(s.out, &s.waste[0])
		case direct:
			s.out = append(s.out, &j.shards[l.data+i][from])
		default:
			s.out = append(s.out, &s.copy(i)[0])
		}
	}
	for _, z := range s.out {
		s.stream = s.stream && uintptr(unsafe.Pointer(z))%linear.Step == 0
	}
	s.out = s.ahead(s.out)
	needed := func(from, _ int) bool { return from < l.parity }
	if turns {
		l.turn(s, passes[:inner])
		l.layers(s, passes[inner:], s.out, 0, l.m/size, needed, nil)
	} else {
		l.layers(s, passes, s.out, 0, 1, needed, nil)
	}
	if direct {
		return
	}
	for i, z := range j.shards[l.data:] {
		if !l.sunk(j, z[from:to], s.copy(i)) {
			return
		}
	}
}

// turn undoes the last layers of one block of data, and does the first ones of parity, with those around them where
// there are two passes.
func (l *leopard) turn(s *places, passes []pass) {
	p := passes[0]
	part, do := l.m>>p.count, l.kernels.Turn[p.count-1]
	if len(passes) == 1 {
		l.run(do, s, s.work, nil, 0, p.count, part, 1, 1)
		return
	}
	q := passes[1]
	around := func(kernels *[linear.Kinds][linear.Layers]linear.Pass, first, from, to int) {
		for at := 0; at < l.m; at += part {
			block := (first + at) / part
			l.some(kernels[l.kind(block, 1, q.count, nil)][q.count-1], s, s.work, nil, at, q.count, part>>q.count,
				from, to, 1, block)
		}
	}
	l.both(s, p, q, func(from, to int) {
		around(&l.kernels.LayersT, l.m, from, to)
		for i := 0; i < part; i += part >> q.count {
			l.some(do, s, s.work, nil, 0, p.count, part, i+from, i+to, 1, 1)
		}
		around(&l.kernels.Layers, 0, from, to)
	})
}

// streamBytes is from which size on words are in no cache anyway when somebody reads them again.
const streamBytes = 1 << 26

// sunk does with the row of a shard what is to be done, and reports whether it is not wrong.
func (l *leopard) sunk(j *job, z, row []byte) bool {
	l.leave(row, len(z))
	row = row[:len(z)]
	switch {
	case j.sink == write:
		copy(z, row)
	case j.sink == add:
		xor(z, row)
	case !bytes.Equal(z, row):
		atomic.StoreUint32(&j.differs, 1)
		return false
	}
	return true
}

// read points to the rows of count shards of data from first on. It reports whether there is anything to do.
func (l *leopard) read(j *job, s *places, first, count, from, to int) bool {
	s.in = s.in[:0]
	some := j.fresh == nil
	for i := range l.m {
		row := s.zero
		switch {
		case i >= count || j.fresh != nil && len(j.fresh[first+i]) == 0:
		case j.fresh == nil && to-from == s.width:
			row = j.shards[first+i][from:]
		default:
			row, some = s.copy(i), true
			l.change(j, row[:to-from], first+i, from, to)
			l.enter(row, to-from)
		}
		s.in = append(s.in, &row[0])
	}
	s.in = s.ahead(s.in)
	return some
}

// change sets row to a shard of data, or to how it changes.
func (l *leopard) change(j *job, row []byte, shard, from, to int) {
	old := j.shards[shard]
	if j.fresh == nil {
		copy(row, old[from:to])
		return
	}
	copy(row, j.fresh[shard][from:to])
	if len(old) > 0 { // none stands for zeros
		xor(row, old[from:to])
	}
}

// enter moves what is behind the last whole block of size bytes of a shard to where a block has it, among zeros, and
// leave moves it back.
func (l *leopard) enter(row []byte, size int) {
	clear(row[size:])
	if at, n := l.rest(size); n > 0 {
		copy(row[at+leopardBlock:], row[at+n:at+2*n])
		clear(row[at+n : at+leopardBlock])
	}
}

func (l *leopard) leave(row []byte, size int) {
	if at, n := l.rest(size); n > 0 {
		copy(row[at+n:], row[at+leopardBlock:][:n])
	}
}

// leopardBlock is the symbols of a block of two bytes each.
const leopardBlock = 32

// rest is where the last block begins, and its symbols, if it is not whole and has more than one byte of each.
func (l *leopard) rest(size int) (at, n int) {
	if l.level == 0 {
		return size, 0
	}
	at = size &^ (2*leopardBlock - 1)
	return at, (size - at) / 2
}

// sum makes the parity of a code that has one point for it: it is the sum of the data.
func (l *leopard) sum(j *job, s *places, from, to int) {
	l.begin(s, to-from, 2)
	z, row := s.copy(0)[:to-from], s.copy(1)[:to-from]
	clear(z)
	for i := range l.data {
		if j.fresh == nil || len(j.fresh[i]) > 0 {
			l.change(j, row, i, from, to)
			xor(z, row)
		}
	}
	parity := j.shards[l.data][from:to]
	switch {
	case j.sink == write:
		copy(parity, z)
	case j.sink == add:
		xor(parity, z)
	case !bytes.Equal(parity, z):
		atomic.StoreUint32(&j.differs, 1)
	}
}

// prepare makes constants of what the shards are multiplied by, beside the locator.
func (l *leopard) prepare(r *rebuild) {
	l.additive.prepare(r)
	r.enter, r.leave = grown(r.enter, len(r.have)*l.maps.size), grown(r.leave, len(r.lost)*l.maps.size)
	for k, i := range r.have {
		l.maps.of(r.enter[k*l.maps.size:], r.locator.values[l.point(i)])
	}
	for k, i := range r.lost {
		l.maps.of(r.leave[k*l.maps.size:], r.locator.inverses[l.point(i)])
	}
}

func (l *leopard) rebuild(j *job, from, to int) {
	s := l.places.get()
	defer l.places.put(s)
	defer s.forget()
	if whole := (to - from) &^ (l.step - 1); whole > 0 {
		l.rebuildRows(j, s, from, from+whole)
		from += whole
	}
	if from < to {
		l.rebuildRows(j, s, from, to)
	}
}

// times sets rows to the images of others by a constant for each. Pointers stand behind the rows, as for shards.
func (l *leopard) times(do func(z, x **byte, count, n int, m *byte), s *places, maps []byte) {
	s.in, s.out = append(s.in, &s.zero[0]), append(s.out, &s.zero[0])
	most := max(1, callBytes/s.width)
	count := len(maps) / l.maps.size
	for i := 0; i < count; i += most {
		do(&s.out[i], &s.in[i], min(most, count-i), s.width, &maps[i*l.maps.size])
	}
}

// ranges calls do for those of a list of shards whose points are from from to to: elements first to end of it. counts
// has, for each point, how many of the list come before it, and the list has data first.
func (l *leopard) ranges(counts []int32, from, to int, do func(first, end int)) {
	if from < l.m {
		data, end := int(counts[l.n]-counts[l.m]), min(to, l.m)
		do(data+int(counts[from]), data+int(counts[end]))
		from = end
	}
	if from < to {
		do(int(counts[from]-counts[l.m]), int(counts[to]-counts[l.m]))
	}
}

// rebuildRows is additive.rebuild for bytes that are whole steps, or fewer than a step.
func (l *leopard) rebuildRows(j *job, s *places, from, to int) {
	l.begin(s, to-from, max(len(j.have), len(j.lost)))
	s.work = grown(s.work, l.n*s.stride)
	direct := to-from == s.width
	if !direct {
		for k, i := range j.have {
			row := s.copy(k)
			copy(row, j.shards[i][from:to])
			l.enter(row, to-from)
		}
	}
	there, needed := j.locator.there, j.locator.needed
	enter := func(s *places, at, rows int) {
		for i := at; i < at+rows; i++ {
			if there[i] == there[i+1] {
				clear(s.work[i*s.stride : (i+1)*s.stride])
			}
		}
		l.ranges(there, at, at+rows, func(first, end int) {
			s.in, s.out = s.in[:0], s.out[:0]
			for k, i := range j.have[first:end] {
				row := j.shards[i][from:]
				if !direct {
					row = s.copy(first + k)
				}
				s.in, s.out = append(s.in, &row[0]), append(s.out, &s.work[l.point(i)*s.stride])
			}
			l.times(l.kernels.Enter, s, j.enter[first*l.maps.size:end*l.maps.size])
		})
	}
	passes := l.transform[1]
	l.undo(s, s.work, passes, nil, 0, 0, 1, func(from, to int) bool { return there[from] != there[to] }, enter)
	most := max(1, callBytes/s.width)
	for i := 0; i < l.n; i += most {
		l.set.Gather(&s.work[0], s.stride, i, min(most, l.n-i), l.n, s.width)
	}
	leave := func(s *places, at, rows int) {
		l.ranges(needed, at, at+rows, func(first, end int) {
			s.in, s.out = s.in[:0], s.out[:0]
			for k, i := range j.lost[first:end] {
				row := j.made[first+k][from:]
				if !direct {
					row = s.copy(first + k)
				}
				s.in, s.out = append(s.in, &s.work[l.point(i)*s.stride]), append(s.out, &row[0])
			}
			l.times(l.kernels.Leave, s, j.leave[first*l.maps.size:end*l.maps.size])
		})
	}
	l.layers(s, passes, nil, 0, 1, func(from, to int) bool { return needed[from] != needed[to] }, leave)
	if direct {
		return
	}
	for k := range j.lost {
		row := s.copy(k)
		l.leave(row, to-from)
		copy(j.made[k][from:to], row)
	}
}
