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

// All rows have about areaBytes, which stay in a cache, but a row has no more than widest, and no less than narrowest:
// shards are far apart, and each page of them takes time. Passes go depth first, so that all but the first and last
// ones find their rows in a cache anyway.
const areaBytes, narrowest, widest = 1 << 20, 1 << 9, 1 << 10

func newLeopard(c Code, data, parity int) *leopard {
	a := newPoints(c, data, parity)
	l := &leopard{additive: a, set: linear.Active()}
	l.kernels = &l.set.Symbols[a.level]
	l.step, l.stream = linear.Step<<a.level, streamBytes
	l.maps = newElementMaps(a.level, l.set)
	for i, points := range []int{a.m, a.n} {
		l.transform[i] = cutLayers(bits.Len(uint(points))-1, l.kernels.Most)
	}
	basis := chains[a.level]()
	l.table = make([]byte, max(1, a.n/2)*l.maps.size)
	for b := range a.n / 2 {
		l.maps.of(l.table[b*l.maps.size:], basis.of(1, b))
	}
	return l
}

// cutLayers cuts layers into as few passes as there may be, of which the last ones are the longest.
func cutLayers(layers, most int) (list []pass) {
	for passes := (layers + most - 1) / most; passes > 0; passes-- {
		count := layers / passes
		list = append(list, pass{layers - 1, count})
		layers -= count
	}
	return list
}

func (l *leopard) strip(rebuild bool) int {
	rows := l.m
	if rebuild {
		rows = l.n
	}
	return max(narrowest, min(widest, areaBytes/rows)) &^ (l.step - 1)
}

// apart is between the end of a row and the next one, so that rows which are a power of two apart do not all want the
// same places of a cache.
const apart = 64

// leopardCall is the bytes of rows that a kernel takes at once: assembly cannot be preempted.
const leopardCall = 1 << 16

// run does a pass to rows from row at of v on, in blocks of 2^layers times part rows. Shards are those from at on.
func (l *leopard) run(do linear.Pass, s *places, v []byte, shards []*byte, at, layers, part, blocks, block int) {
	most := max(1, leopardCall>>layers/s.width)
	for i := 0; i < part; i += most {
		count := min(most, part-i)
		var list **byte
		if shards != nil {
			list = &shards[at+i]
		}
		do(&v[(at+i)*s.stride], s.stride, list, part, count, blocks, s.width, &l.table[0], block)
	}
}

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

// layers transforms so many blocks of rows from row at on, which is point at: those in which something is needed.
// Results are in out, which are shards, or in the area where that is nil.
func (l *leopard) layers(s *places, passes []pass, out []*byte, at, blocks int, needed func(from, to int) bool) {
	p, last := passes[0], len(passes) == 1
	size, part := 2<<p.top, 2<<p.top>>p.count
	shards := out
	if !last {
		shards = nil
	}
	for end := at + blocks*size; at < end; {
		if !needed(at, at+size) {
			at += size
			continue
		}
		block, n := at/size, 1
		if last {
			n = l.alike(s, p, shards, at, block, (end-at)/size, needed)
		}
		do := l.kernels.Layers[l.kind(block, n, p.count, shards)][p.count-1]
		if shards != nil && s.stream {
			do = l.kernels.Stream[p.count-1]
		}
		l.run(do, s, s.work, shards, at, p.count, part, n, block)
		if !last {
			l.layers(s, passes[1:], out, at, 1<<p.count, needed)
		}
		at += n * size
	}
}

// undo undoes the layers of so many blocks of rows from row at on, which is point first + at. They are in in, which
// are shards, or in z where that is nil. Those of blocks in which there is nothing become 0.
func (l *leopard) undo(s *places, z []byte, passes []pass, in []*byte, first, at, blocks int,
	some func(from, to int) bool) {
	p, last := passes[0], len(passes) == 1
	size, part := 2<<p.top, 2<<p.top>>p.count
	shards := in
	if !last {
		shards = nil
	}
	for end := at + blocks*size; at < end; {
		if !some(at, at+size) {
			clear(z[at*s.stride : (at+size)*s.stride])
			at += size
			continue
		}
		block, n := (first+at)/size, 1
		if last {
			n = l.alike(s, p, shards, at, block, (end-at)/size, some)
		} else {
			l.undo(s, z, passes[1:], in, first, at, 1<<p.count, some)
		}
		kind := l.kind(block, n, p.count, shards)
		l.run(l.kernels.LayersT[kind][p.count-1], s, z, shards, at, p.count, part, n, block)
		at += n * size
	}
}

// undoAndAdd undoes the layers of all points from first on, whose rows are shards, and adds what it gets to that of the
// points before.
func (l *leopard) undoAndAdd(s *places, passes []pass, first int, some func(from, to int) bool) {
	if len(passes) == 1 {
		l.undo(s, s.more, passes, s.in, first, 0, 1, some)
		gf2.Active().Add(&s.work[0], &s.more[0], l.m*s.stride/gf2.Lanes)
		return
	}
	p := passes[0]
	l.undo(s, s.more, passes[1:], s.in, first, 0, 1<<p.count, some)
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
	var parts int // of the first pass
	if len(passes) > 1 {
		parts = 1 << passes[0].count
	}
	for first := 0; first < l.data; first += l.m {
		count := min(l.m, l.data-first)
		if !l.read(j, s, first, count, from, to) {
			continue
		}
		some := func(from, _ int) bool { return from < count }
		switch {
		case turns:
			l.undo(s, s.work, passes[1:], s.in, l.m, 0, parts, some)
		case begun:
			s.more = grown(s.more, l.m*s.stride)
			l.undoAndAdd(s, passes, l.m+first, some)
		default:
			l.undo(s, s.work, passes, s.in, l.m+first, 0, 1, some)
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
		p := passes[0]
		l.run(l.kernels.Turn[p.count-1], s, s.work, nil, 0, p.count, l.m>>p.count, 1, 1)
		l.layers(s, passes[1:], s.out, 0, parts, needed)
	} else {
		l.layers(s, passes, s.out, 0, 1, needed)
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

// times sets rows to the images of others by a constant for each.
func (l *leopard) times(do func(z, x **byte, count, n int, m *byte), z, x []*byte, width int, maps []byte) {
	most := max(1, callBytes/width)
	count := len(maps) / l.maps.size
	for i := 0; i < count; i += most {
		do(&z[i], &x[i], min(most, count-i), width, &maps[i*l.maps.size])
	}
}

// rebuildRows is additive.rebuild for bytes that are whole steps, or fewer than a step.
func (l *leopard) rebuildRows(j *job, s *places, from, to int) {
	l.begin(s, to-from, max(len(j.have), len(j.lost)))
	s.work = grown(s.work, l.n*s.stride)
	direct := to-from == s.width
	s.in, s.out = s.in[:0], s.out[:0]
	for k, i := range j.have {
		row := j.shards[i][from:]
		if !direct {
			row = s.copy(k)
			copy(row, j.shards[i][from:to])
			l.enter(row, to-from)
		}
		s.in, s.out = append(s.in, &row[0]), append(s.out, &s.work[l.point(i)*s.stride])
	}
	there := j.locator.there
	s.in = s.ahead(s.in)
	l.times(l.kernels.Enter, s.out, s.in, s.width, j.enter)
	for i := range l.n {
		if there[i] == there[i+1] {
			clear(s.work[i*s.stride : (i+1)*s.stride])
		}
	}
	passes := l.transform[1]
	l.undo(s, s.work, passes, nil, 0, 0, 1, func(from, to int) bool { return there[from] != there[to] })
	most := max(1, callBytes/s.width)
	for i := 0; i < l.n; i += most {
		l.set.Gather(&s.work[0], s.stride, i, min(most, l.n-i), l.n, s.width)
	}
	needed := j.locator.needed
	l.layers(s, passes, nil, 0, 1, func(from, to int) bool { return needed[from] != needed[to] })
	s.in, s.out = s.in[:0], s.out[:0]
	for k, i := range j.lost {
		row := j.made[k][from:]
		if !direct {
			row = s.copy(k)
		}
		s.in, s.out = append(s.in, &s.work[l.point(i)*s.stride]), append(s.out, &row[0])
	}
	s.out = s.ahead(s.out)
	l.times(l.kernels.Leave, s.out, s.in, s.width, j.leave)
	if direct {
		return
	}
	for k := range j.lost {
		row := s.copy(k)
		l.leave(row, to-from)
		copy(j.made[k][from:to], row)
	}
}
