package rs

import (
	"sync"

	"github.com/galfft/fft/kernels/gf2"
)

// locator is of a pattern of losses. L is the polynomial that vanishes at the points that are lost.
type locator struct {
	lost             []byte        // 1 where a point is lost
	needed, there    []int32       // how many points before this one are to be made, and have something
	sums             []uint64      // room
	values, inverses []gf2.Element // L where nothing is lost; 1/L′ where something is
}

// locators computes L by logarithms. L at point x is the product of x + y over the y that are lost, other than x: its
// logarithm is a convolution over the group of indices, where x + y has the index x xor y. Walsh–Hadamard transforms
// make it a product.
type locators struct {
	level, n int
	field    *logs
	once     sync.Once
	spectrum []uint64 // of the logarithms of points, divided by n
}

func (l *locators) init(level, n int) { l.level, l.n, l.field = level, n, &fields[level] }

func (l *locators) solve(s *locator) {
	l.once.Do(l.prepare)
	order := l.field.order
	s.sums = s.sums[:0]
	for _, x := range s.lost {
		s.sums = append(s.sums, uint64(x))
	}
	walsh(s.sums, order)
	for i, x := range s.sums {
		s.sums[i] = x * l.spectrum[i] % order
	}
	walsh(s.sums, order)
	if len(s.values) < l.n {
		s.values, s.inverses = make([]gf2.Element, l.n), make([]gf2.Element, l.n)
	}
	for i, x := range s.sums {
		if s.lost[i] != 0 {
			s.inverses[i] = l.field.power((order - x) % order)
		} else {
			s.values[i] = l.field.power(x)
		}
	}
}

func (l *locators) prepare() {
	f := l.field
	f.once.Do(f.make)
	l.spectrum = make([]uint64, l.n)
	c := chains[l.level]()
	for i := 1; i < l.n; i++ {
		l.spectrum[i] = f.log(c.of(0, i))
	}
	walsh(l.spectrum, f.order)
	// 1/n, for the transform back: 2^(bits of the field) is 1.
	inverse := uint64(1)
	for n := l.n; n > 1; n /= 2 {
		inverse = inverse * ((f.order + 1) / 2) % f.order
	}
	for i, x := range l.spectrum {
		l.spectrum[i] = x * inverse % f.order
	}
}

// walsh takes pairs of numbers below order to their sums and differences, for each bit of the index.
func walsh(x []uint64, order uint64) {
	for half := 1; half < len(x); half *= 2 {
		for at := 0; at < len(x); at += 2 * half {
			a, b := x[at:at+half], x[at+half:at+2*half]
			for i := range a {
				u, v := a[i], b[i]
				s, d := u+v, u-v
				if s >= order {
					s -= order
				}
				if u < v {
					d += order
				}
				a[i], b[i] = s, d
			}
		}
	}
}

// logs has logarithms of units of a field of package gf2 to the base of a generator.
type logs struct {
	level   int
	order   uint64 // of the generator
	once    sync.Once
	base    gf2.Element
	log16   []uint16      // of elements below 2^16, of level 2 to the base of the norm of the generator
	low     []gf2.Element // powers 0, 1, …
	high    []gf2.Element // powers 0, 2^16, …
	circles map[uint64]uint64
}

var fields = [3]logs{{level: 0, order: 1<<8 - 1}, {level: 1, order: 1<<16 - 1}, {level: 2, order: 1<<32 - 1}}

func (f *logs) make() {
	f.base = gf2.Element{2}
	for !f.generates(f.base) {
		f.base[0]++
	}
	f.low = f.powersOf(f.base, int(min(f.order, 1<<16)))
	if f.level < 2 {
		f.log16 = logsOf(f.low)
		return
	}
	f.high = f.powersOf(f.raised(f.base, 1<<16), 1<<16)
	// x^65537 is in GF(2^16), and x^65535 has an order that divides 65537.
	f.log16 = logsOf(f.powersOf(f.raised(f.base, 65537), 65535))
	f.circles = make(map[uint64]uint64, 65537)
	for i, x := range f.powersOf(f.raised(f.base, 65535), 65537) {
		f.circles[x[0]] = uint64(i)
	}
}

func logsOf(powers []gf2.Element) []uint16 {
	z := make([]uint16, len(powers)+1)
	for i, x := range powers {
		z[x[0]] = uint16(i)
	}
	return z
}

func (f *logs) generates(x gf2.Element) bool {
	for _, p := range []uint64{3, 5, 17, 257, 65537} {
		if f.order%p == 0 && f.raised(x, f.order/p) == (gf2.Element{1}) {
			return false
		}
	}
	return true
}

func (f *logs) powersOf(x gf2.Element, n int) []gf2.Element {
	z := []gf2.Element{{1}}
	for len(z) < n {
		z = append(z, gf2.Product(f.level, z[len(z)-1], x))
	}
	return z
}

func (f *logs) raised(x gf2.Element, e uint64) gf2.Element {
	z := gf2.Element{1}
	for ; e > 0; e >>= 1 {
		if e&1 != 0 {
			z = gf2.Product(f.level, z, x)
		}
		x = gf2.Product(f.level, x, x)
	}
	return z
}

// log returns that of x, which is not 0.
func (f *logs) log(x gf2.Element) uint64 {
	if f.level < 2 {
		return uint64(f.log16[x[0]])
	}
	other := f.raised(x, 1<<16)
	norm := gf2.Product(2, x, other)
	a := uint64(f.log16[norm[0]]) // modulo 65535
	// x^65535 = other/x = other²/norm
	circle := gf2.Product(2, gf2.Product(2, other, other), f.raised(norm, 65534))
	b := f.circles[circle[0]] // modulo 65537, and 65535 is −2 there
	return a + 65535*((b+65537-a%65537)%65537*32768%65537)
}

// power returns that of the generator.
func (f *logs) power(e uint64) gf2.Element {
	if f.level < 2 {
		return f.low[e]
	}
	return gf2.Product(2, f.low[e&0xffff], f.high[e>>16])
}
