package residues

import (
	"context"
	"math/bits"
	"sync"

	"github.com/galfft/fft/internal/arith"
	"github.com/galfft/fft/kernels/rns"
)

// Digits takes long numbers to residues and back: as digits of so many bits, cut out of the words of a number where
// they are needed, modulo one prime at a time; and as sums of digits, which are added up with their carries. It is
// immutable and safe for concurrent use.
type Digits struct {
	size    int              // bits of a digit
	width   int              // words of a digit
	numbers []*Numbers       // one prime each
	places  [][]uint64       // by kernels: for each prime the place values of limbs, lifted; nil: without
	windows [][8]*[17]uint64 // for rns.Set.Cut: of limbs, from each byte of a word on
	system  *System
	garner  []shoup   // of two and three primes
	rooms   sync.Pool // *digitsRoom
}

// digitsRoom is what moves need.
type digitsRoom struct {
	project []*ProjectorRoom
	system  *SystemRoom
	words   []uint64   // of a chunk of digits, or limbs of a block
	row     []uint64   // of a block
	rows    [][]uint64 // one
	numbers []uint64   // rows of words of coefficients
	sum     []uint64   // of coefficients that overlap
}

// NewDigits returns that of digits of so many bits, at least 1, for the primes, whose product is above the greatest sum
// of a product, which Least tells. When ctx ends, its error is returned.
func NewDigits(ctx context.Context, primes []uint64, size int) (*Digits, error) {
	system, err := NewSystem(ctx, primes)
	if err != nil {
		return nil, err
	}
	d := &Digits{size: size, width: (size + 63) / 64, system: system, garner: newGarner(primes)}
	for i := range primes {
		n := NewNumbers(primes[i:i+1], d.width, size)
		d.numbers = append(d.numbers, n)
		if n.vectors != nil {
			d.places = append(d.places, n.vectors.places[0])
		}
	}
	if len(d.places) < len(primes) || system.set == nil {
		d.places = nil
	}
	for at := 0; at < size; at += rns.Limb {
		var list [8]*[17]uint64
		for i := range list {
			list[i] = rns.Windows(8*i+at, size, min(rns.Limb, size-at))
		}
		d.windows = append(d.windows, list)
	}
	d.rooms.New = func() any {
		r := &digitsRoom{system: system.NewRoom(), row: make([]uint64, rns.Block), rows: make([][]uint64, 1),
			words:   make([]uint64, max(chunk*d.width, rns.Limbs(size)*rns.Block)),
			numbers: make([]uint64, rns.Block*system.Words()), sum: make([]uint64, size+d.Rest())}
		for _, n := range d.numbers {
			r.project = append(r.project, n.NewRoom())
		}
		return r
	}
	return d, nil
}

// Count is the number of digits of so many words.
func (d *Digits) Count(words int) int { return (64*words + d.size - 1) / d.size }

// Rest is the number of words that Carry leaves.
func (d *Digits) Rest() int { return d.system.Words() + 2 }

// SplitCost and CarryCost are about how many nanoseconds a digit takes.
func (d *Digits) SplitCost() float64 { return float64(d.width + 1) }

// CarryCost is SplitCost of Carry.
func (d *Digits) CarryCost() float64 { return d.system.Cost() }

// Split sets z to the residues modulo prime i of the digits from, from + 1, … of the number of words a, low first.
// Beyond its end there are zeros.
func (d *Digits) Split(i int, z []uint64, from int, a []uint64) {
	if inside := max(0, d.Count(len(a))-from); inside < len(z) {
		clear(z[inside:])
		z = z[:inside]
	}
	switch {
	case d.numbers[i].below:
		d.window(z, 0, d.size, from, a)
	case d.places != nil:
		d.limbs(i, z, from, a)
	default:
		d.plain(i, z, from, a)
	}
}

// window sets z to so many bits, at most 64, of the digits from, from + 1, … of a, from limb w on.
func (d *Digits) window(z []uint64, w, size, from int, a []uint64) {
	if set := rns.Active(); set != nil && size <= rns.Limb && from%8 == 0 {
		x := from / 8 * d.size // eight digits begin with a byte
		c, most := d.windows[w][x%8], 8*(len(a)-x/8)
		if rest := most - int(c[7]) - 8; rest >= 0 && len(z) >= 8 {
			n := min(len(z)/8, rest/d.size+1)
			set.Cut(&z[0], &a[x/8], c, d.size, n)
			z, from = z[8*n:], from+8*n
		}
	}
	d.cut(z, from*d.size+w*rns.Limb, size, a)
}

// cut sets z to windows of a, each of so many bits, at most 64, from bit at on, which are as far apart as digits.
func (d *Digits) cut(z []uint64, at, size int, a []uint64) {
	mask := ^uint64(0) >> (64 - size)
	j := 0
	for ; j < len(z) && at/64+1 < len(a); j++ {
		w := a[at/64:][:2]
		shift := at % 64
		z[j] = (w[0]>>shift | w[1]<<1<<(63-shift)) & mask
		at += d.size
	}
	for ; j < len(z); j++ {
		z[j] = bitsAt(a, at) & mask
		at += d.size
	}
}

// Shares reports whether SplitAll takes less time than Split for each prime.
func (d *Digits) Shares() bool { return d.places != nil && !d.numbers[0].below }

// SplitAll sets z[i][j] to the residue modulo prime i of digit j of a, for from ≤ j < to. Each digit is cut out once.
func (d *Digits) SplitAll(z [][]uint64, from, to int, a []uint64) {
	if !d.Shares() {
		for i, row := range z {
			d.Split(i, row[from:to], from, a)
		}
		return
	}
	room := d.rooms.Get().(*digitsRoom)
	end := max(from, min(to, d.Count(len(a))))
	for _, row := range z {
		clear(row[end:to])
	}
	for ; from < end; from += rns.Block {
		count := min(rns.Block, end-from)
		d.cutLimbs(room, from, count, a)
		for i, row := range z {
			d.dot(room, i, row[from:from+count])
		}
	}
	d.rooms.Put(room)
}

// limbs is Split by kernels, over limbs that are cut out of the number as they stand in it.
func (d *Digits) limbs(i int, z []uint64, from int, a []uint64) {
	room := d.rooms.Get().(*digitsRoom)
	for len(z) > 0 {
		count := min(rns.Block, len(z))
		d.cutLimbs(room, from, count, a)
		d.dot(room, i, z[:count])
		z, from = z[count:], from+count
	}
	d.rooms.Put(room)
}

// cutLimbs sets the words of the room to the limbs of a block of count digits.
func (d *Digits) cutLimbs(room *digitsRoom, from, count int, a []uint64) {
	for w := range d.places[0] {
		d.window(room.words[w*rns.Block:][:count], w, min(rns.Limb, d.size-w*rns.Limb), from, a)
	}
}

// dot sets z, of a block at most, to the residues modulo prime i of the limbs in the room.
func (d *Digits) dot(room *digitsRoom, i int, z []uint64) {
	v := d.numbers[i].vectors
	to := z
	if len(z) < rns.Block {
		to = room.row
	}
	v.set.Dot(&to[0], &room.words[0], &v.places[0][0], v.primes[0], len(v.places[0]))
	if len(z) < rns.Block {
		copy(z, to)
	}
}

// plain is Split without kernels.
func (d *Digits) plain(i int, z []uint64, from int, a []uint64) {
	room := d.rooms.Get().(*digitsRoom)
	for len(z) > 0 {
		count := min(chunk, len(z))
		words := room.words[:count*d.width]
		for j := range words {
			k, w := from+j/d.width, j%d.width
			words[j] = bitsAt(a, k*d.size+64*w)
			if rest := d.size - 64*w; rest < 64 {
				words[j] &= 1<<rest - 1
			}
		}
		room.rows[0] = z[:count]
		d.numbers[i].Residues(room.project[i], room.rows, 0, words)
		z, from = z[count:], from+count
	}
	room.rows[0] = nil
	d.rooms.Put(room)
}

// carried is the number of coefficients that are added up at a time: they begin and end with a word.
const carried = 2 * rns.Block

// Carry adds up c_j·2^(size·j), from ≤ j < to, over the coefficients with residues r[i][j] modulo prime i, which are
// not negative: it sets the words of z that are below the place of coefficient to, as far as z goes, and leaves in rest
// what is above them. It returns the place of rest. from is a multiple of 64, so that it begins with a word, and rows
// have whole blocks of any words below the primes.
func (d *Digits) Carry(z, rest []uint64, r [][]uint64, from, to int) (at int) {
	room := d.rooms.Get().(*digitsRoom)
	sum := room.sum // size words and what is above
	at = from / carried * d.size
	clear(sum)
	for ; from < to; from += carried {
		end := min(to, from+carried)
		for j, bit := from, 0; j < end; j += rns.Block {
			n := min(rns.Block, end-j)
			bit = d.add(sum, d.rows(room, r, j, n), n, bit)
		}
		whole := d.size
		if end-from < carried {
			whole = (end - from) * d.size / 64
		}
		if at < len(z) {
			copy(z[at:], sum[:whole])
		}
		at += whole
		clear(sum[copy(sum, sum[whole:whole+len(rest)]):])
	}
	copy(rest, sum)
	d.rooms.Put(room)
	return at
}

// rows returns the words of n coefficients from from on: row t of a block has their words t.
func (d *Digits) rows(room *digitsRoom, r [][]uint64, from, n int) []uint64 {
	switch {
	case d.system.set != nil:
		return d.system.rows64(room.system, r, from, n)
	case len(r) == 2:
		d.two(room.numbers, r, from, n)
	case len(r) == 3:
		d.three(room.numbers, r, from, n)
	default:
		d.system.Combine(context.Background(), room.system, r, from, from+n)
		for j := range n {
			for t, w := range d.system.Integer(room.system, j) {
				room.numbers[t*rns.Block+j] = w
			}
		}
	}
	return room.numbers
}

// add adds n numbers with words in rows to sum, the first one at bit and each size bits above the one before, and
// returns the place of the next. Without kernels it goes over two to four rows at a time.
func (d *Digits) add(sum, rows []uint64, n, bit int) int {
	words, set := d.system.Words(), d.system.set
	if set != nil && words < len(set.Add) && set.Add[words] != nil {
		_ = sum[(bit+(n-1)*d.size)/64+words]
		set.Add[words](&sum[0], &rows[0], n, bit, d.size, len(sum))
		return bit + n*d.size
	}
	size := uint(d.size)
	for left, at := d.system.Words(), bit; left > 0; {
		k := 4
		switch {
		case left <= 4:
			k = left
		case left < 7: // not one alone at the end
			k = 3
		}
		switch k {
		case 1:
			addNumbers1(sum, rows, n, at, size)
		case 2:
			addNumbers2(sum, rows, n, at, size)
		case 3:
			addNumbers3(sum, rows, n, at, size)
		default:
			addNumbers4(sum, rows, n, at, size)
		}
		left, at = left-k, at+64*k
		if left > 0 {
			rows = rows[k*rns.Block:]
		}
	}
	return bit + n*d.size
}

// addNumbers2 is add for two rows. Words that later numbers reach stay in registers.
func addNumbers2(sum, rows []uint64, n, bit int, size uint) {
	at, shift := bit/64, uint(bit%64)
	x, y := rows[:n], rows[rns.Block:][:n]
	a, b, c := sum[at], sum[at+1], sum[at+2]
	var carry uint64
	for j, x := range x {
		y, left, right := y[j], shift&63, (63-shift)&63
		a, carry = bits.Add64(a, x<<left, 0)
		b, carry = bits.Add64(b, y<<left|x>>1>>right, carry)
		if c, carry = bits.Add64(c, y>>1>>right, carry); carry > 0 {
			ripple(sum[at+3:])
		}
		for shift += size; shift >= 64; shift -= 64 {
			sum[at], a, b, c = a, b, c, sum[at+3]
			at++
		}
	}
	sum[at], sum[at+1], sum[at+2] = a, b, c
}

// addNumbers3 is addNumbers2 for three rows.
func addNumbers3(sum, rows []uint64, n, bit int, size uint) {
	at, shift := bit/64, uint(bit%64)
	x, y, z := rows[:n], rows[rns.Block:][:n], rows[2*rns.Block:][:n]
	a, b, c, d := sum[at], sum[at+1], sum[at+2], sum[at+3]
	var carry uint64
	for j, x := range x {
		y, z, left, right := y[j], z[j], shift&63, (63-shift)&63
		a, carry = bits.Add64(a, x<<left, 0)
		b, carry = bits.Add64(b, y<<left|x>>1>>right, carry)
		c, carry = bits.Add64(c, z<<left|y>>1>>right, carry)
		if d, carry = bits.Add64(d, z>>1>>right, carry); carry > 0 {
			ripple(sum[at+4:])
		}
		for shift += size; shift >= 64; shift -= 64 {
			sum[at], a, b, c, d = a, b, c, d, sum[at+4]
			at++
		}
	}
	sum[at], sum[at+1], sum[at+2], sum[at+3] = a, b, c, d
}

// addNumbers4 is addNumbers2 for four rows.
func addNumbers4(sum, rows []uint64, n, bit int, size uint) {
	at, shift := bit/64, uint(bit%64)
	x, y, z, u := rows[:n], rows[rns.Block:][:n], rows[2*rns.Block:][:n], rows[3*rns.Block:][:n]
	a, b, c, d, e := sum[at], sum[at+1], sum[at+2], sum[at+3], sum[at+4]
	var carry uint64
	for j, x := range x {
		y, z, u, left, right := y[j], z[j], u[j], shift&63, (63-shift)&63
		a, carry = bits.Add64(a, x<<left, 0)
		b, carry = bits.Add64(b, y<<left|x>>1>>right, carry)
		c, carry = bits.Add64(c, z<<left|y>>1>>right, carry)
		d, carry = bits.Add64(d, u<<left|z>>1>>right, carry)
		if e, carry = bits.Add64(e, u>>1>>right, carry); carry > 0 {
			ripple(sum[at+5:])
		}
		for shift += size; shift >= 64; shift -= 64 {
			sum[at], a, b, c, d, e = a, b, c, d, e, sum[at+5]
			at++
		}
	}
	sum[at], sum[at+1], sum[at+2], sum[at+3], sum[at+4] = a, b, c, d, e
}

// addNumbers1 is addNumbers2 for one row, which long products have only behind others.
func addNumbers1(sum, rows []uint64, n, bit int, size uint) {
	for _, x := range rows[:n] {
		z, left := sum[bit/64:], uint(bit%64)
		var carry uint64
		z[0], carry = bits.Add64(z[0], x<<left, 0)
		if z[1], carry = bits.Add64(z[1], x>>1>>(63-left), carry); carry > 0 {
			ripple(z[2:])
		}
		bit += int(size)
	}
}

// ripple adds 1 to z.
func ripple(z []uint64) {
	for i := range z {
		if z[i]++; z[i] > 0 {
			return
		}
	}
}

// shoup is a constant w below a prime p < 2^63, with ⌊2^64·w/p⌋.
type shoup struct{ w, q, p uint64 }

func newShoup(w, p uint64) shoup {
	q, _ := bits.Div64(w, 0, p)
	return shoup{w, q, p}
}

// times returns w·x modulo p, below p, for any x.
func (f *shoup) times(x uint64) uint64 {
	q, _ := bits.Mul64(x, f.q)
	x = x*f.w - q*f.p
	return min(x, x-f.p)
}

// two sets rows z to n coefficients by Garner's algorithm: r₀ + p₀·d, where d = (r₁ − r₀)/p₀ modulo p₁.
func (d *Digits) two(z []uint64, r [][]uint64, from, n int) {
	m := d.system.Moduli
	p, q, inverse := m[0].P, m[1].P, d.garner[0]
	x, y := r[0][from:][:n], r[1][from:][:n]
	for j, v := range x {
		// r₀ is below p₀, and p₀ below 2p₁.
		h, l := bits.Mul64(p, inverse.times(y[j]+2*q-v))
		l, carry := bits.Add64(l, v, 0)
		z[j], z[rns.Block+j] = l, h+carry
	}
}

// three is two for three primes: r₀ + p₀·(d₁ + p₁·d₂), where d₂ = ((r₂ − r₀)/p₀ − d₁)/p₁ modulo p₂.
func (d *Digits) three(z []uint64, r [][]uint64, from, n int) {
	m := d.system.Moduli
	p0, p1, p2 := m[0].P, m[1].P, m[2].P
	f1, f2, f3 := d.garner[0], d.garner[1], d.garner[2]
	x, y, w := r[0][from:][:n], r[1][from:][:n], r[2][from:][:n]
	for j, v := range x {
		d1 := f1.times(y[j] + 2*p1 - v)
		d2 := f2.times(w[j]+2*p2-v) + p2 - f3.times(d1)
		d2 = min(d2, d2-p2)
		h, l := bits.Mul64(p1, d2)
		l, carry := bits.Add64(l, d1, 0)
		h += carry
		h0, l0 := bits.Mul64(p0, l)
		h1, l1 := bits.Mul64(p0, h)
		l0, carry = bits.Add64(l0, v, 0)
		l1, carry = bits.Add64(l1, h0, carry)
		z[j], z[rns.Block+j], z[2*rns.Block+j] = l0, l1, h1+carry
	}
}

// newGarner returns the constants of two and three.
func newGarner(primes []uint64) (f []shoup) {
	if len(primes) > 3 || len(primes) < 2 {
		return nil
	}
	p0, p1 := primes[0], primes[1]
	f = append(f, newShoup(arith.Inverse(p0%p1, p1), p1))
	if len(primes) == 3 {
		p2 := primes[2]
		second := arith.Inverse(p1%p2, p2)
		f = append(f, newShoup(arith.Mul(arith.Inverse(p0%p2, p2), second, p2), p2), newShoup(second, p2))
	}
	return f
}

// AddTo adds x to z, without what is beyond the end of z.
func AddTo(z, x []uint64) {
	var carry uint64
	for i := range z {
		var v uint64
		if i < len(x) {
			v = x[i]
		} else if carry == 0 {
			return
		}
		z[i], carry = bits.Add64(z[i], v, carry)
	}
}

// bitsAt returns the 64 bits of x from bit at on; beyond its end there are zeros.
func bitsAt(x []uint64, at int) uint64 {
	w, shift := at/64, at%64
	if w >= len(x) {
		return 0
	}
	v := x[w] >> shift
	if w+1 < len(x) {
		v |= x[w+1] << 1 << (63 - shift)
	}
	return v
}
