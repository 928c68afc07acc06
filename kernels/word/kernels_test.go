package word

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/galfft/fft/internal/arith"
	"github.com/galfft/fft/internal/cpu"
	"github.com/galfft/fft/internal/factor"
	"github.com/galfft/fft/internal/testscale"
	"github.com/stretchr/testify/require"
)

// arithmetic is one of the package with its range of moduli and, as multiples of p, of values.
type arithmetic struct {
	name         string
	bits         int // p < 2^bits
	wide, narrow uint64
	companion    func(w, p uint64) (first, second uint64) // the pair of w
	only         uint64                                   // the one modulus; 0: any odd one
}

func shoup(word uint) func(w, p uint64) (uint64, uint64) {
	return func(w, p uint64) (uint64, uint64) {
		if word == 64 {
			q, _ := bits.Div64(w, 0, p)
			return w, q
		}
		q, _ := bits.Div64(w>>(64-word), w<<word, p)
		return w, q
	}
}

func montgomery(w, p uint64) (uint64, uint64) {
	_, r := bits.Div64(w%p, 0, p)
	return r, r * arith.Newton(p)
}

func montgomery32(w, p uint64) (uint64, uint64) {
	r := w << 32 % p
	return r, r * arith.Newton(p) % (1 << 32)
}

// doubles is the pair of double50: w between −p/2 and p/2, and w/p.
func doubles(w, p uint64) (uint64, uint64) {
	x := float64(w)
	if w > p/2 {
		x -= float64(p)
	}
	return math.Float64bits(x), math.Float64bits(x / float64(p))
}

const solinas = 1<<64 - 1<<32 + 1

var (
	arithmetics32 = []arithmetic{
		{"shoup30", 30, 4, 2, shoup(32), 0}, {"shoup31", 31, 2, 2, shoup(32), 0}, {"mont32", 32, 1, 1, montgomery32, 0},
	}
	arithmetics64 = []arithmetic{
		{"ifma50", 50, 4, 2, shoup(52), 0}, {"double50", 50, 4, 2, doubles, 0},
		{"shoup62", 62, 4, 2, shoup(64), 0}, {"shoup63", 63, 2, 2, shoup(64), 0},
		{"mont64", 64, 1, 1, montgomery, 0}, {"goldilocks", 64, 0, 1, montgomery, solinas},
	}
)

// limits returns the largest wide and narrow value; 0 times p stands for any word.
func (a *arithmetic) limits(p uint64) (wide, narrow uint64) { return a.wide*p - 1, a.narrow*p - 1 }

// moduli are the primes at both ends of the class, whatever their 2-adicity, and odd numbers between.
func (a *arithmetic) moduli() []uint64 {
	if a.only != 0 {
		return []uint64{a.only}
	}
	largest := map[int]uint64{
		30: 1<<30 - 35, 31: 1<<31 - 1, 32: 1<<32 - 5, 50: 1<<50 - 27, 62: 1<<62 - 57, 63: 1<<63 - 25, 64: 1<<64 - 59,
	}
	top := uint64(1) << (a.bits - 1)
	return []uint64{3, 5, 97, 1<<(a.bits/2) - 1, top + 1, top + top/2 + 5, top + (top - top/16) + 1, largest[a.bits]}
}

// subject is a set of kernels under test with tables of multipliers for one modulus. wi are the multipliers by value.
type subject[W uint32 | uint64] struct {
	a       *arithmetic
	s       *Set[W]
	p       uint64
	r       *rand.Rand
	m       []W
	w, q    []W
	wi      []uint64
	problem func(format string, args ...any)
}

func newSubject[W uint32 | uint64](a *arithmetic, s *Set[W], p uint64, r *rand.Rand, count int) *subject[W] {
	t := &subject[W]{a: a, s: s, p: p, r: r, m: s.Mod(p)}
	for range count {
		t.multiplier(t.value(p - 1))
	}
	return t
}

func (t *subject[W]) multiplier(w uint64) {
	x, y := t.a.companion(w, t.p)
	t.w, t.q, t.wi = append(t.w, W(x)), append(t.q, W(y)), append(t.wi, w)
}

// value returns a number up to limit, which is often at an end, near a multiple of p, or at a carry.
func (t *subject[W]) value(limit uint64) uint64 {
	x := t.r.Uint64()
	switch t.r.IntN(4) {
	case 0:
		x = uint64(t.r.IntN(3))
	case 1:
		x = t.p*uint64(t.r.IntN(5)) + uint64(t.r.IntN(5)) - 2
	case 2:
		x = 1<<[]int{31, 32, 51, 52, 62, 63}[t.r.IntN(6)] + uint64(t.r.IntN(3)) - 1
	}
	if limit == 1<<64-1 {
		return x
	}
	return x % (limit + 1)
}

func (t *subject[W]) vector(n int, limit uint64) []W {
	v := make([]W, n)
	for i := range v {
		v[i] = W(t.value(limit))
	}
	return v
}

func (t *subject[W]) mul(x, y uint64) uint64 {
	h, l := bits.Mul64(x%t.p, y%t.p)
	_, r := bits.Div64(h, l, t.p)
	return r
}

func (t *subject[W]) add(x, y uint64) uint64 {
	s, c := bits.Add64(x, y, 0)
	if c == 1 || s >= t.p {
		s -= t.p
	}
	return s
}

// canonical returns v mod p.
func (t *subject[W]) canonical(v []W) []uint64 {
	z := make([]uint64, len(v))
	for i := range v {
		z[i] = uint64(v[i]) % t.p
	}
	return z
}

// cross is the butterfly, or its transpose, on canonical values.
func (t *subject[W]) cross(x, y *uint64, w uint64, transpose bool) {
	a, b := *x, *y
	if !transpose {
		b = t.mul(b, w)
	}
	*x, *y = t.add(a, b), t.add(a, (t.p-b)%t.p)
	if transpose {
		*y = t.mul(*y, w)
	}
}

// compare checks that got holds want and nothing above limit.
func (t *subject[W]) compare(what string, got []W, want []uint64, limit uint64) {
	for i := range got {
		if uint64(got[i]) > limit || uint64(got[i])%t.p != want[i] {
			t.problem("p = %d, %s: word %d is %d, want %d modulo p and at most %d", t.p, what, i, got[i], want[i], limit)
			return
		}
	}
}

// shape is the arguments of a pass.
type shape struct{ off, blocks, dist, rows, width, stride, layers int }

// layers is the definition of a pass.
func (t *subject[W]) layers(v []uint64, s shape, transpose bool) {
	for l := range s.layers {
		k := l
		if transpose {
			k = s.layers - 1 - l
		}
		half := 1 << (s.layers - 1 - k)
		for b := range s.blocks {
			for i := range 1 << s.layers {
				if i&half != 0 {
					continue
				}
				w := t.wi[(s.off+b)<<k+i/(2*half)]
				for r := range s.rows {
					for c := range s.width {
						at := b*s.dist<<s.layers + i*s.dist + r*s.stride + c
						t.cross(&v[at], &v[at+half*s.dist], w, transpose)
					}
				}
			}
		}
	}
}

// layersOf checks a kernel of layers on random shapes, where the first multiplier is 1 or any, and transposes also with
// a product at the end.
func (t *subject[W]) layersOf(what string, k Pass[W], layers int, transpose bool) {
	for _, first := range []bool{false, true} {
		if first {
			x, y := t.a.companion(1, t.p)
			t.w[0], t.q[0], t.wi[0] = W(x), W(y), 1
		}
		for _, how := range t.forms() {
			if first {
				how |= One
			}
			t.pass(fmt.Sprintf("%s, how %b", what, how), k, layers, transpose, how, false)
			if transpose && how&Leave == 0 {
				t.pass(fmt.Sprintf("%s, how %b, and a product", what, how), k, layers, transpose, how, true)
			}
		}
	}
}

// forms lists the ways in which kernels take and leave values.
func (t *subject[W]) forms() []uint8 {
	if !t.s.Opens {
		return []uint8{0}
	}
	return []uint8{0, Open, Leave, Open | Leave}
}

// open makes of a word of doubles what a kernel with Leave leaves, and shut makes a word of that.
func (t *subject[W]) open(x W, transpose bool) W {
	return W(math.Float64bits(float64(x) - float64(t.middle(transpose))))
}

func (t *subject[W]) shut(x W, transpose bool) W {
	return W(int64(math.Float64frombits(uint64(x)))) + W(t.middle(transpose))
}

func (t *subject[W]) middle(transpose bool) uint64 {
	if transpose {
		return t.p
	}
	return 2 * t.p
}

func (t *subject[W]) pass(what string, k Pass[W], layers int, transpose bool, how uint8, final bool) {
	wide, narrow := t.a.limits(t.p)
	in, out := wide, wide
	if transpose {
		in, out = narrow, narrow
	}
	var c *W
	var by uint64
	if final {
		by, out = t.value(t.p-1), t.p-1
		x, y := t.a.companion(by, t.p)
		c = &[]W{W(x), W(y)}[0]
	}
	for range 4 {
		s := shape{
			off: 1 + t.r.IntN(3), blocks: 1 + t.r.IntN(3), rows: 1 + t.r.IntN(3),
			width: t.s.Lanes * (1 + t.r.IntN(2)), layers: layers,
		}
		if how&One != 0 {
			s.off = 0
		}
		s.stride = s.width + t.r.IntN(2)*t.r.IntN(5)
		s.dist = s.rows*s.stride + t.r.IntN(2)*t.r.IntN(5)
		v := t.vector(1+s.blocks*s.dist<<layers, in)[1:] // of any alignment
		want := t.canonical(v)
		t.layers(want, s, transpose)
		touched := make([]bool, len(v))
		for i := range len(v) / s.dist {
			for r := range s.rows {
				for j := range s.width {
					at := i*s.dist + r*s.stride + j
					touched[at] = true
					if final {
						want[at] = t.mul(want[at], by)
					}
				}
			}
		}
		if how&Open != 0 {
			for i := range v {
				v[i] = t.open(v[i], transpose)
			}
		}
		before := append([]W(nil), v...)
		k(&v[0], &t.w[0], &t.q[0], &t.m[0], c, s.off, s.blocks, s.dist, s.rows, s.width, s.stride, how)
		if t.s.Into && !transpose {
			t.into(fmt.Sprintf("%s %+v", what, s), before, v, func(src, dst *W) {
				k(src, &t.w[0], &t.q[0], &t.m[0], dst, s.off, s.blocks, s.dist, s.rows, s.width, s.stride, how)
			})
		}
		var got []W
		var expect []uint64
		for i := range v {
			if touched[i] {
				if how&Leave != 0 {
					v[i] = t.shut(v[i], transpose)
				}
				got, expect = append(got, v[i]), append(expect, want[i])
			} else if v[i] != before[i] {
				t.problem("p = %d, %s %+v: word %d between the rows was written", t.p, what, s, i)
			}
		}
		t.compare(fmt.Sprintf("%s %+v", what, s), got, expect, out)
	}
}

// into checks that do, which sets dst and leaves src as it is, stores at dst what it made of v in place.
func (t *subject[W]) into(what string, v, want []W, do func(src, dst *W)) {
	src, dst := slices.Clone(v), slices.Clone(v)
	do(&src[0], &dst[0])
	for i := range v {
		if src[i] != v[i] || dst[i] != want[i] {
			t.problem("p = %d, %s, into another vector: word %d is %d of %d, want %d of %d", t.p, what, i, dst[i], src[i],
				want[i], v[i])
			return
		}
	}
}

// tail checks a kernel of the last layers, in blocks of one transform and of several, with wide and canonical values.
func (t *subject[W]) tail(what string, k Tail[W], size int, transpose bool) {
	for _, each := range []bool{false, true} {
		for _, how := range t.forms() {
			t.tails(fmt.Sprintf("%s, separate %t, how %b", what, each, how), k, size, transpose, how, each)
			if how |= Canonical; !transpose && how&Leave == 0 {
				t.tails(fmt.Sprintf("%s, separate %t, how %b", what, each, how), k, size, transpose, how, each)
			}
		}
	}
	if t.s.Front > 0 && size == t.s.Tails[0].Size && !transpose {
		for _, how := range []uint8{Front, Front | Canonical} {
			t.front(fmt.Sprintf("%s, how %b", what, how), k, size, how)
			x, y := t.a.companion(1, t.p)
			t.w[0], t.q[0], t.wi[0] = W(x), W(y), 1
			t.front(fmt.Sprintf("%s, how %b", what, how|One), k, size, how|One)
		}
	}
	w, q, wi := t.w, t.q, t.wi
	zero := make([]W, len(w)) // so that wide values come to the end as they are
	t.w, t.q, t.wi = zero, zero, make([]uint64, len(w))
	if !transpose {
		t.tails(what+", multipliers 0", k, size, transpose, Canonical, false)
	}
	t.w, t.q, t.wi = w, q, wi
}

func (t *subject[W]) tails(what string, k Tail[W], size int, transpose bool, how uint8, each bool) {
	wide, narrow := t.a.limits(t.p)
	in, out := wide, wide
	if transpose {
		in, out = narrow, narrow
	}
	if how&Canonical != 0 {
		out = t.p - 1
	}
	step := 1
	if each {
		step = 0
	}
	layers := bits.Len(uint(size)) - 1
	for range 4 {
		off, count := t.r.IntN(3), 1+t.r.IntN(9)
		v := t.vector(1+count*size, in)[1:]
		want := t.canonical(v)
		for b := range count {
			s := shape{off: off + b*step, blocks: 1, dist: 1, rows: 1, width: 1, stride: 1, layers: layers}
			t.layers(want[b*size:][:size], s, transpose)
		}
		for i := range v {
			if how&Open != 0 {
				v[i] = t.open(v[i], transpose)
			}
		}
		k(&v[0], &t.w[0], &t.q[0], &t.m[0], off, step, count, how)
		for i := range v {
			if how&Leave != 0 {
				v[i] = t.shut(v[i], transpose)
			}
		}
		t.compare(fmt.Sprintf("%s off %d, %d blocks", what, off, count), v, want, out)
	}
}

// front checks a kernel of the last layers that does others before, which join blocks; with One, the multiplier of the
// first is 1.
func (t *subject[W]) front(what string, k Tail[W], size int, how uint8) {
	wide, _ := t.a.limits(t.p)
	out := wide
	if how&Canonical != 0 {
		out = t.p - 1
	}
	off, count := t.r.IntN(2), 1+t.r.IntN(2)
	if how&One != 0 {
		off = 0
	}
	layers, several := bits.Len(uint(size))-1, 1<<t.s.Front
	v := t.vector(1+count*several*size+1, wide)
	between := []W{v[0], v[len(v)-1]}
	want := t.canonical(v[1 : len(v)-1])
	t.layers(want, shape{off: off, blocks: count, dist: size, rows: 1, width: size, stride: size, layers: t.s.Front},
		false)
	t.layers(want, shape{off: off * several, blocks: count * several, dist: 1, rows: 1, width: 1, stride: 1,
		layers: layers}, false)
	k(&v[1], &t.w[0], &t.q[0], &t.m[0], off*several, 1, count*several, how)
	what = fmt.Sprintf("%s off %d, %d blocks", what, off, count)
	t.compare(what, v[1:len(v)-1], want, out)
	t.untouched(what, []W{v[0], v[len(v)-1]}, between)
}

// scale checks products by multipliers, one for each word or for each row.
func (t *subject[W]) scale(rows bool) {
	wide, narrow := t.a.limits(t.p)
	count, width, stride := t.s.Lanes*(1+t.r.IntN(3)), 1, 1
	if rows {
		count, width = 1+t.r.IntN(4), t.width()
		stride = width + t.r.IntN(3)
	}
	v := t.vector(1+count*stride, wide)[1:]
	between := slices.Clone(v)
	got, want := []W(nil), []uint64(nil)
	for r := range count {
		for c := range width {
			want = append(want, t.mul(uint64(v[r*stride+c]), t.wi[1+r]))
		}
	}
	if rows {
		t.s.ScaleRows(&v[0], &t.w[1], &t.q[1], &t.m[0], count, width, stride)
	} else {
		t.s.Scale(&v[0], &t.w[1], &t.q[1], &t.m[0], count)
	}
	for r := range count {
		got = append(got, v[r*stride:][:width]...)
		copy(between[r*stride:], v[r*stride:][:width])
	}
	t.compare("scale", got, want, narrow)
	t.untouched("scale", v, between)
}

// rings checks products of polynomials modulo X^n − w and X^n + w, or squares, from place 1 on: of any coefficients, or
// of all[0] by all[1] alone.
func (t *subject[W]) rings(square bool, all []uint64, how uint8) {
	const pairs = 8
	wide, narrow := t.a.limits(t.p)
	n := t.s.Lanes
	x := t.vector(2*pairs*n, wide)
	if all != nil {
		x = slices.Repeat([]W{W(all[0])}, len(x))
	}
	y := x
	if !square {
		if y = t.vector(len(x), wide); all != nil {
			y = slices.Repeat([]W{W(all[1])}, len(x))
		}
	}
	want := make([]uint64, len(x))
	for at := 0; at < len(x); at += n {
		w := t.wi[1+at/(2*n)]
		if at/n%2 == 1 {
			w = t.p - w
		}
		for i := range n {
			for j := range n {
				v := t.mul(t.mul(uint64(x[at+i]), uint64(y[at+j])), uint64(n))
				if i+j >= n {
					v = t.mul(v, w)
				}
				k := at + (i+j)%n
				want[k] = (want[k] + v) % t.p
			}
		}
	}
	if how&Open != 0 {
		for i := range x {
			if x[i] = t.open(x[i], false); !square {
				y[i] = t.open(y[i], false)
			}
		}
	}
	kept := slices.Clone(y)
	t.s.Rings(&x[0], &y[0], &t.w[1], &t.q[1], &t.m[0], 0, 1, how)
	t.s.Rings(&x[2*n], &y[2*n], &t.w[0], &t.q[0], &t.m[0], 2, pairs-1, how)
	if how&Leave != 0 {
		for i := range x {
			x[i] = t.shut(x[i], true)
		}
	}
	t.compare(fmt.Sprintf("rings, how %b", how), x, want, narrow)
	if !square {
		t.untouched("rings", y, kept)
	}
}

// width is one that ScaleRows and Odd take, up to two vectors.
func (t *subject[W]) width() int {
	if t.s.AnyWidth {
		return 1 + t.r.IntN(2*t.s.Lanes)
	}
	return t.s.Lanes * (1 + t.r.IntN(2))
}

// untouched checks words besides those that a kernel was to write, which want has from got.
func (t *subject[W]) untouched(what string, got, want []W) {
	if !slices.Equal(got, want) {
		t.problem("p = %d, %s: words besides have changed", t.p, what)
	}
}

// odd checks DFT_n for all n up to 17, on whole vectors of columns and, where kernels take them, others: with the
// multipliers of several roots, and where kernels do not count on it, with any. One root would let companions pass that
// are wrong by one, which few values find.
func (t *subject[W]) odd() {
	for n := 3; n <= 17; n += 2 {
		width := t.s.Lanes
		if t.s.AnyWidth {
			width += t.r.IntN(t.s.Lanes)
		}
		roots := 8
		if n == 7 {
			roots = 64 // one multiplier alone is a sum of sums
		}
		for range roots {
			t.rooted(n).oddOf(n, width, true)
		}
		if t.s.OddSums == 0 || !t.countsOn(n) {
			t.oddOf(n, width, false)
		}
	}
}

// countsOn reports whether kernels that have OddSums may count on what the multipliers of DFT_n have in common.
func (t *subject[W]) countsOn(n int) bool {
	switch n {
	case 3, 5, 15:
		return true
	case 9:
		return t.a.only == 0
	case 17:
		return t.a.only != 0
	}
	return t.a.only == 0 && !slices.Contains([]string{"ifma50", "shoup30", "shoup31"}, t.a.name)
}

// rooted is a subject of a prime below 2^bits that is 1 modulo n, one of the least or of the greatest, with the
// multipliers of DFT_n, or t where its modulus is the only one and has no such root.
func (t *subject[W]) rooted(n int) *subject[W] {
	m, h := uint64(n), n/2
	p, step := t.a.only, 2*m
	if p == 0 {
		most := ^uint64(0) >> (64 - t.a.bits)
		if p = most/step*step + 1 - step*uint64(50+t.r.IntN(50)); t.r.IntN(3) == 0 {
			p = 1 + step*uint64(1+t.r.IntN(50))
		}
		for p>>(t.a.bits-1)>>1 != 0 || !factor.IsPrime(p) {
			p += step
		}
	}
	x := &subject[W]{a: t.a, s: t.s, p: p, r: t.r, m: t.s.Mod(p), problem: t.problem}
	if (p-1)%m != 0 {
		return t
	}
	power := func(w, e uint64) uint64 {
		z := uint64(1)
		for ; e > 0; e, w = e/2, x.mul(w, w) {
			if e%2 == 1 {
				z = x.mul(z, w)
			}
		}
		return z
	}
	w := uint64(1)
	for g := 2 + t.r.Uint64N(100); !x.hasOrder(w, n); g++ {
		w = power(g, (p-1)/m)
	}
	half := p/2 + 1
	for k := 1; k <= h; k++ {
		for _, sign := range []uint64{1, p - 1} {
			for j := 1; j <= h; j++ {
				x.multiplier(x.mul(half, x.add(power(w, uint64(j*k%n)), x.mul(sign, power(w, uint64(n-j*k%n))))))
			}
		}
	}
	return x
}

func (t *subject[W]) hasOrder(w uint64, n int) bool {
	x := w
	for i := 1; i < n; i++ {
		if x == 1 {
			return false
		}
		x = t.mul(x, w)
	}
	return x == 1
}

// oddOf checks DFT_n with the first multipliers. The greatest values come often, and where factors may be any, the
// greatest of these.
func (t *subject[W]) oddOf(n, width int, fixed bool) {
	wide, _ := t.a.limits(t.p)
	h, stride := n/2, width+t.r.IntN(3)
	v := t.vector(n*stride, wide)
	z := v
	if t.r.IntN(2) == 0 {
		z = t.vector(n*stride, wide)
	}
	w, q, wi := slices.Clone(t.w[:2*h*h]), slices.Clone(t.q[:2*h*h]), slices.Clone(t.wi[:2*h*h])
	if t.r.IntN(3) == 0 {
		for i := range v {
			v[i] = W(wide)
		}
	}
	if !fixed && t.r.IntN(3) == 0 {
		x, y := t.a.companion(t.p-1, t.p)
		for i := range w {
			w[i], q[i], wi[i] = W(x), W(y), t.p-1
		}
	}
	want, kept, between := t.canonical(v), slices.Clone(v), slices.Clone(z)
	if &z[0] == &v[0] {
		between = kept
	}
	for c := range width {
		at := func(i int) *uint64 { return &want[i*stride+c] }
		x := make([]uint64, n)
		for i := range x {
			x[i] = *at(i)
		}
		for i := 1; i < n; i++ {
			*at(0) = t.add(*at(0), x[i])
		}
		for k := 1; k <= h; k++ {
			even, odd := x[0], uint64(0)
			for j := 1; j <= h; j++ {
				f := 2*h*(k-1) + j - 1
				even = t.add(even, t.mul(t.add(x[j], x[n-j]), wi[f]))
				odd = t.add(odd, t.mul(t.add(x[j], (t.p-x[n-j])%t.p), wi[f+h]))
			}
			*at(k), *at(n - k) = t.add(even, odd), t.add(even, (t.p-odd)%t.p)
		}
	}
	s := make([]W, 2*n*t.s.Lanes)
	t.s.Odd(&z[0], &v[0], &w[0], &q[0], &t.m[0], &s[0], h, width, stride)
	var got []W
	var values []uint64
	for r := range n {
		got, values = append(got, z[r*stride:][:width]...), append(values, want[r*stride:][:width]...)
		copy(between[r*stride:], z[r*stride:][:width])
	}
	t.compare(fmt.Sprintf("DFT_%d of %d columns", n, width), got, values, wide)
	t.untouched("DFT", z, between)
	t.untouched("DFT from", v, kept)
}

// twist checks products by two multipliers on the way from rows to rows, and what is between those.
func (t *subject[W]) twist() {
	wide, narrow := t.a.limits(t.p)
	rows, width := 1+t.r.IntN(4), t.s.Lanes*(1+t.r.IntN(2))
	s, d, next := width+t.r.IntN(3), width+t.r.IntN(3), t.r.IntN(9)
	v, z := t.vector(1+rows*s, wide)[1:], t.vector(1+rows*d, wide)[1:]
	was, before := slices.Clone(v), slices.Clone(z)
	w, q := make([]W, rows*width), make([]W, rows*width)
	var want []uint64
	for r := range rows {
		for c := range width {
			i := t.r.IntN(len(t.wi))
			w[r*width+c], q[r*width+c] = t.w[i], t.q[i]
			want = append(want, t.mul(t.mul(uint64(v[r*s+c]), t.wi[i]), t.wi[1+r]))
		}
	}
	t.s.Twist(&z[0], &v[0], &v[0], &w[0], &q[0], &t.w[1], &t.q[1], &t.m[0], rows, width, d, s, next)
	var got []W
	for r := range rows {
		got = append(got, z[r*d:][:width]...)
		copy(before[r*d:][:width], z[r*d:])
	}
	t.compare("twist", got, want, narrow)
	if !slices.Equal(v, was) || !slices.Equal(z, before) {
		t.problem("p = %d, twist: it writes what is not in its rows", t.p)
	}
	t.s.Twist(&v[0], &v[0], &z[0], &w[0], &q[0], &t.w[1], &t.q[1], &t.m[0], rows, width, s, s, next)
	got = got[:0]
	for r := range rows {
		got = append(got, v[r*s:][:width]...)
	}
	t.compare("twist in place", got, want, narrow)
}

func (t *subject[W]) product() {
	wide, narrow := t.a.limits(t.p)
	n := t.s.Lanes * (1 + t.r.IntN(3))
	x, y, z := t.vector(1+n, wide)[1:], t.vector(n, wide), make([]W, n)
	want := make([]uint64, n)
	for i := range want {
		want[i] = t.mul(uint64(x[i]), uint64(y[i]))
	}
	t.s.Product(&z[0], &x[0], &y[0], &t.m[0], n)
	t.compare("product", z, want, narrow)
	t.s.Product(&x[0], &x[0], &y[0], &t.m[0], n)
	t.compare("product in place", x, want, narrow)
}

func (t *subject[W]) reduce() {
	wide, _ := t.a.limits(t.p)
	n := t.s.Lanes * (1 + t.r.IntN(3))
	x, z := t.vector(1+n, wide)[1:], make([]W, n)
	t.s.Reduce(&z[0], &x[0], &t.m[0], n)
	t.compare("reduce", z, t.canonical(x), t.p-1)
}

func (t *subject[W]) canonicalOp(what string, k func(z, x, y, m *W, n int), f func(z, x, y uint64) uint64) {
	n := t.s.Lanes * (1 + t.r.IntN(3))
	x, y, z := t.vector(1+n, t.p-1)[1:], t.vector(n, t.p-1), t.vector(n, t.p-1)
	want := make([]uint64, n)
	for i := range want {
		want[i] = f(uint64(z[i]), uint64(x[i]), uint64(y[i]))
	}
	k(&z[0], &x[0], &y[0], &t.m[0], n)
	t.compare(what, z, want, t.p-1)
}

// kernels lists the checks of all kernels of a set by name.
func (t *subject[W]) kernels() map[string]func() {
	all := map[string]func(){
		"Scale": func() { t.scale(false) }, "ScaleRows": func() { t.scale(true) }, "Product": t.product, "Reduce": t.reduce,
		"Add": func() { t.canonicalOp("Add", t.s.Add, func(_, x, y uint64) uint64 { return t.add(x, y) }) },
		"Sub": func() { t.canonicalOp("Sub", t.s.Sub, func(_, x, y uint64) uint64 { return t.add(x, (t.p-y)%t.p) }) },
		"MulAdd": func() {
			t.canonicalOp("MulAdd", t.s.MulAdd, func(z, x, y uint64) uint64 { return t.add(z, t.mul(x, y)) })
		},
	}
	if t.s.Twist != nil {
		all["Twist"] = t.twist
	}
	if t.s.Odd != nil {
		all["Odd"] = t.odd
	}
	if t.s.Rings != nil {
		all["Rings"] = func() {
			wide, _ := t.a.limits(t.p)
			for _, how := range t.forms() {
				t.rings(false, nil, how)
				t.rings(true, nil, how)
				t.rings(true, []uint64{wide, wide}, how)
				for _, x := range []uint64{0, wide} { // the sums that are farthest from 0, for doubles
					for _, y := range []uint64{0, wide / 2, wide/2 - t.p/8, wide/2 + t.p/8, wide} {
						t.rings(false, []uint64{x, y}, how)
					}
				}
			}
		}
	}
	for k := 1; k <= t.s.MaxLayers; k++ {
		name := fmt.Sprintf("Radix%d", 1<<k)
		all[name] = func() { t.layersOf(name, t.s.Layers[k], k, false) }
		all[name+"T"] = func() { t.layersOf(name+"T", t.s.LayersT[k], k, true) }
	}
	for width := 2; width < t.s.Lanes && len(t.s.Narrow) > 0; width++ {
		name := fmt.Sprint("Narrow", width)
		all[name] = func() { t.narrow(name, width, false) }
		all[name+"T"] = func() { t.narrow(name+"T", width, true) }
	}
	for _, k := range t.s.Tails {
		name := fmt.Sprintf("Tail%d", k.Size)
		all[name] = func() { t.tail(name, k.Tail, k.Size, false) }
		all[name+"T"] = func() { t.tail(name+"T", k.T, k.Size, true) }
	}
	return all
}

// multipliers is how many a check uses at most.
const multipliers = 12 * 32

// TestKernels compares every kernel of every tier with its definition. Names of tests are those of kernels, so that
// kernels/_gen/mutate can tell which fail.
func TestKernels(t *testing.T) {
	for _, tier := range cpu.Present() {
		t.Run(tier.String(), func(t *testing.T) {
			undo, err := cpu.Use(tier)
			require.NoError(t, err)
			defer undo()
			ran := 0
			for i, s := range []*Set[uint32]{Shoup30(), Shoup31(), Montgomery32()} {
				ran += testSet(t, &arithmetics32[i], s)
			}
			for i, s := range []*Set[uint64]{IFMA50(), Double50(), Shoup62(), Shoup63(), Montgomery64(), Goldilocks()} {
				ran += testSet(t, &arithmetics64[i], s)
			}
			require.Equal(t, tier != cpu.Generic, ran > 0, "sets of kernels that ran")
		})
	}
}

func testSet[W uint32 | uint64](t *testing.T, a *arithmetic, s *Set[W]) int {
	if s == nil {
		return 0
	}
	t.Run(a.name, func(t *testing.T) {
		for name := range newSubject(a, s, a.moduli()[0], rand.New(rand.NewPCG(1, 2)), 1).kernels() {
			t.Run(name, func(t *testing.T) {
				for _, p := range a.moduli() {
					for seed := range 3 * uint64(testscale.Of(t)) {
						x := newSubject(a, s, p, rand.New(rand.NewPCG(seed, p)), multipliers)
						x.problem = t.Fatalf
						x.kernels()[name]()
					}
				}
			})
		}
		testMoves(t, s.Moves, s.Lanes)
	})
	return 1
}

// testMoves checks the kernels that move words.
func testMoves[W uint32 | uint64](t *testing.T, m *Moves[W], lanes int) {
	r := rand.New(rand.NewPCG(1, 2))
	fill := func(n int) []W {
		v := make([]W, n)
		for i := range v {
			v[i] = W(i + 1)
		}
		return v
	}
	for i, s := range m.RowSwaps {
		require.Equal(t, lanes, s.Tile<<(i+1))
		t.Run(fmt.Sprint("RowSwap", s.Tile), func(t *testing.T) { testRowSwap(t, s, fill, 2<<i) })
	}
	for _, s := range m.SwapRows {
		t.Run(fmt.Sprint("SwapRows", s.Run), func(t *testing.T) {
			for width := s.Run; width <= 2*s.Run; width++ {
				v := fill(6*width + 3)
				want := append([]W(nil), v...)
				list := [2 * (2 + SwapsAhead)]int{0, 3 * width, 2 * width, 2 * width}
				for k := range width {
					want[k], want[3*width+k] = v[3*width+k], v[k]
				}
				s.Do(&v[0], &v[0], &list[0], 2, width-s.Run)
				require.Equal(t, want, v)
			}
		})
	}
	for _, s := range m.Swaps {
		t.Run(fmt.Sprint("Swap", s.Tile), func(t *testing.T) {
			n := s.Tile
			rev := func(i int) int { return int(bits.Reverse64(uint64(i)) >> (64 - bits.Len(uint(n-1)))) }
			for _, at := range []int{0, n, n + 3} {
				d := 3 * n
				v := fill(d * n)
				want := append([]W(nil), v...)
				for i := range n {
					for j := range n {
						want[at+rev(j)*d+rev(i)] = v[i*d+j]
						want[rev(j)*d+rev(i)] = v[at+i*d+j]
					}
				}
				list := [2 * (1 + SwapsAhead)]int{0, at}
				s.Do(&v[0], &v[0], &list[0], 1, d)
				require.Equal(t, want, v)
			}
		})
	}
	places := func(n, limit int) []int32 {
		list := make([]int32, n)
		for i, p := range r.Perm(limit)[:n] {
			list[i] = int32(p)
		}
		return list
	}
	t.Run("Transpose", func(t *testing.T) {
		for _, count := range []int{lanes, 3 * lanes} {
			s, d := count+5, lanes+3
			from, to := places(lanes, lanes+2), places(count, count+2)
			src, dst := fill(s*(lanes+2)), make([]W, d*(count+2))
			want := make([]W, len(dst))
			for i := range count {
				for j := range lanes {
					want[int(to[i])*d+j] = src[int(from[j])*s+i]
				}
			}
			m.Transpose(&dst[0], &src[0], &from[0], &to[0], count, d, s)
			require.Equal(t, want, dst)
		}
	})
	t.Run("Columns", func(t *testing.T) {
		var counts []int
		for _, c := range m.Columns {
			counts = append(counts, c.Count)
			for _, n := range []int{lanes, 3 * lanes} {
				d, s := n+3, c.Count
				if c.Count == lanes {
					s += 5
				}
				columns, rows := fill((n-1)*s+c.Count), make([]W, (c.Count-1)*d+n)
				want := make([]W, len(rows))
				for i := range n {
					for j := range c.Count {
						want[j*d+i] = columns[i*s+j]
					}
				}
				c.Split(&rows[0], &columns[0], n, d, s)
				require.Equal(t, want, rows)
				back := fill(len(columns))
				between := append([]W(nil), back...)
				for i := range n {
					copy(between[i*s:], columns[i*s:][:c.Count])
				}
				c.Join(&rows[0], &back[0], n, d, s)
				require.Equal(t, between, back)
			}
		}
		if len(counts) > 0 {
			require.Subset(t, counts, []int{2, 3, 4, 5, 6, 7, lanes})
		}
	})
	t.Run("Max", func(t *testing.T) {
		require.Zero(t, m.MaxStep%lanes)
		for _, n := range []int{m.MaxStep, 3 * m.MaxStep} {
			for at := range n {
				for _, top := range []W{^W(0), ^W(0) >> 1, 1 << (bits.Len64(uint64(^W(0))) - 1), 7} {
					x := make([]W, n)
					for i := range x {
						x[i] = W(r.Uint64()) % min(top, 1<<20)
					}
					x[at] = top
					require.Equal(t, top, m.Max(&x[0], n), "at %d of %d", at, n)
				}
			}
		}
	})
	t.Run("Above", func(t *testing.T) {
		for _, n := range []int{0, 1, m.MaxStep - 1, m.MaxStep, m.MaxStep + 1, MaxWords + m.MaxStep + 1} {
			x := make([]W, n)
			for i := range x {
				x[i] = 7
			}
			for _, m := range []*Moves[W]{m, nil} {
				require.Equal(t, -1, m.Above(x, 7))
				for _, at := range []int{0, 1, n / 2, MaxWords - 1, MaxWords, n - 2, n - 1} {
					if at < 0 || at >= n {
						continue
					}
					x[at] = ^W(0)
					require.Equal(t, at, m.Above(x, 7), "%d of %d", at, n)
					x[n-1] = ^W(0)
					require.Equal(t, at, m.Above(x, 7), "%d of %d, and the last", at, n)
					x[at], x[n-1] = 7, 7
				}
			}
			if n > 0 {
				require.Zero(t, m.Above(x, 6))
			}
		}
	})
	t.Run("CopyRows", func(t *testing.T) {
		widths := []int{lanes, 2 * lanes}
		if m.AnyWidth {
			for width := 1; width < 3*lanes; width++ {
				widths = append(widths, width)
			}
		}
		for _, width := range widths {
			const rows = 5
			s, d := width+3, width+1
			from := places(rows, rows+2)
			src, dst := fill(s*(rows+2)), make([]W, d*rows)
			want := make([]W, len(dst))
			for i := range rows {
				copy(want[i*d:][:width], src[int(from[i])*s:])
			}
			m.CopyRows(&dst[0], &src[0], &from[0], rows, width, d, s)
			require.Equal(t, want, dst)
		}
	})
}

// testRowSwap compares an exchange of tiles of elements of so many words with its definition.
func testRowSwap[W uint32 | uint64](t *testing.T, s Swap[W], fill func(n int) []W, words int) {
	n := s.Tile
	rev := func(i int) int { return int(bits.Reverse64(uint64(i)) >> (64 - bits.Len(uint(n-1)))) }
	for _, at := range []int{0, n * words, n*words + 3} { // one tile, one beside it, and one at any place
		d := 3 * n * words
		v := fill(d * n)
		want := append([]W(nil), v...)
		for i := range n {
			for j := range n {
				for k := range words {
					want[at+rev(j)*d+rev(i)*words+k] = v[i*d+j*words+k]
					want[rev(j)*d+rev(i)*words+k] = v[at+i*d+j*words+k]
				}
			}
		}
		list := [2 * (1 + SwapsAhead)]int{0, at}
		s.Do(&v[0], &v[0], &list[0], 1, d)
		require.Equal(t, want, v)
	}
}

// FuzzKernels compares kernels with their definition for any odd modulus.
func FuzzKernels(f *testing.F) {
	f.Add(uint64(1<<50-27), uint64(1), uint8(4))
	f.Add(uint64(solinas), uint64(2), uint8(8))
	f.Fuzz(func(t *testing.T, p, seed uint64, which uint8) {
		if cpu.Active() == cpu.Generic {
			t.Skip("no kernels on the generic tier")
		}
		if i := int(which) % 9; i < 3 {
			fuzzSet(t, &arithmetics32[i], []*Set[uint32]{Shoup30(), Shoup31(), Montgomery32()}[i], p, seed)
		} else {
			sets := []*Set[uint64]{IFMA50(), Double50(), Shoup62(), Shoup63(), Montgomery64(), Goldilocks()}
			fuzzSet(t, &arithmetics64[i-3], sets[i-3], p, seed)
		}
	})
}

func fuzzSet[W uint32 | uint64](t *testing.T, a *arithmetic, s *Set[W], p, seed uint64) {
	if s == nil {
		t.Skip("this tier has no kernels of ", a.name)
	}
	p = p>>(64-a.bits) | 1
	if p == 1 {
		p = 3
	}
	if a.only != 0 {
		p = a.only
	}
	x := newSubject(a, s, p, rand.New(rand.NewPCG(seed, p)), multipliers)
	x.problem = t.Fatalf
	for _, check := range x.kernels() {
		check()
	}
}
