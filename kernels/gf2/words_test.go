package gf2

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/internal/testscale"
)

// shortRests are those that kernels for short ones take.
var shortRests = []uint64{0x1b, 1, 0x1f, 0x10}

// wordRests are moduli x^64 + rest and x^128 + rest: short ones, and others that no field has but the arithmetic takes.
var wordRests = []uint64{0x1b, 0x87, 1<<63 | 1, 1<<64 - 1}

func wordElement(r *rand.Rand, f int) Element {
	x := random(r, 4)
	if f == 0 {
		x[1] = 0
	}
	return x
}

// Products are those of the definition: bit by bit, with x^64 or x^128 replaced by the rest.
func TestWordProduct(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 7))
	for f := range 2 {
		for range 50 * testscale.Of(t) {
			x, y, rest := wordElement(r, f), wordElement(r, f), wordRests[r.IntN(len(wordRests))]
			var want Element
			for i := 64<<f - 1; i >= 0; i-- {
				top := want[f] >> 63
				if f == 1 {
					want[1] = want[1]<<1 | want[0]>>63
				}
				want[0] = want[0]<<1 ^ top*rest
				if y[i/64]>>(i%64)&1 == 1 {
					want = Plus(want, x)
				}
			}
			require.Equal(t, want, WordProduct(f, x, y, rest))
		}
	}
}

// The second word of Rest is the quotient: its product by the modulus has nothing in common with x^128 above x^64.
func TestRest(t *testing.T) {
	for _, rest := range wordRests {
		mu := Rest(rest)[1]
		hi, _ := clmul(mu, rest)
		require.Zero(t, hi^mu^rest)
	}
}

// wordKernel is one of Words as a name, and a call with arguments that it draws.
type wordKernel struct {
	name string
	// do runs the kernel of s on memory of the sizes that it asks room for, which begins with random bytes.
	do func(s *Words, f int, r *rand.Rand, room func(n int) *byte)
}

// wordKernels are those that s has for field f.
func wordKernels(s *Words, f int) (list []wordKernel) {
	pass := func(name string, l int, of func(s *Words) *[2][2]wordLayersKernel) {
		list = append(list, wordKernel{name, func(s *Words, f int, r *rand.Rand, room func(n int) *byte) {
			n, blocks, at := s.Vector*(1+r.IntN(3)), 1+r.IntN(5), r.IntN(20)
			stride := n + s.Vector*r.IntN(2)
			v := room(((blocks<<l)-1)*stride + n)
			modulus, base, delta := rest(s, r, room), room(StepBytes(f)), room(5*StepBytes(f))
			if shape := r.IntN(3); shape > 0 { // a first block
				list := bytesAt(base, 0, 3*8<<f)
				clear(list[:8<<f<<l>>1])
				if shape == 2 {
					clear(list)
					list[16<<f] = 1
				}
			}
			shift(f, base, 1, modulus)
			shift(f, delta, 5, modulus)
			of(s)[f][l-1](v, blocks, stride, n, base, delta, modulus, at)
		}})
	}
	tail := func(name string, of func(s *Words) *[2]wordTailKernel) {
		list = append(list, wordKernel{name, func(s *Words, f int, r *rand.Rand, room func(n int) *byte) {
			pairs := 1 + r.IntN(5)
			modulus, lanes := rest(s, r, room), room(s.LanesBytes(f))
			base, delta := room(StepBytes(f)), room(5*StepBytes(f))
			if f == 1 {
				shifted(bytesAt(lanes, 0, s.LanesBytes(f)), modulus)
			}
			shift(f, base, 1, modulus)
			shift(f, delta, 5, modulus)
			of(s)[f](room(2*pairs*s.Vector), pairs, lanes, base, delta, modulus, r.IntN(20))
		}})
	}
	last := func(name string, of func(s *Words) wordTailKernel) {
		list = append(list, wordKernel{name, func(s *Words, _ int, r *rand.Rand, room func(n int) *byte) {
			groups := 1 + r.IntN(5)
			modulus, lanes, base, delta := rest(s, r, room), room(LastBytes), room(StepBytes(1)), room(5*StepBytes(1))
			shifted(bytesAt(lanes, 0, LastBytes), modulus)
			shift(1, base, 1, modulus)
			shift(1, delta, 5, modulus)
			of(s)(room(4*groups*s.Vector), groups, lanes, base, delta, modulus, r.IntN(20))
		}})
	}
	for l := 1; l <= 2; l++ {
		pass(fmt.Sprintf("radix%dWords", 1<<l), l, func(s *Words) *[2][2]wordLayersKernel { return &s.Layers })
		pass(fmt.Sprintf("radix%dTWords", 1<<l), l, func(s *Words) *[2][2]wordLayersKernel { return &s.LayersT })
	}
	tail("tailWords", func(s *Words) *[2]wordTailKernel { return &s.Tail })
	tail("tailTWords", func(s *Words) *[2]wordTailKernel { return &s.TailT })
	if f == 1 && s.Last != nil {
		last("lastWords", func(s *Words) wordTailKernel { return s.Last })
		last("lastTWords", func(s *Words) wordTailKernel { return s.LastT })
	}
	if f == 1 && s.Stream != nil {
		list = append(list, wordKernel{"streamWords", func(s *Words, _ int, r *rand.Rand, room func(n int) *byte) {
			n := s.Vector * (1 + r.IntN(4))
			z, x, w, modulus := room(n), room(n), room(n), rest(s, r, room)
			if list := make([]byte, n+s.Vector); uintptr(unsafe.Pointer(z))%uintptr(s.Vector) != 0 {
				own := &list[int(-uintptr(unsafe.Pointer(&list[0]))&uintptr(s.Vector-1))]
				s.Stream(own, x, w, n, modulus)
				copy(bytesAt(z, 0, n), bytesAt(own, 0, n))
				return
			}
			s.Stream(z, x, w, n, modulus)
		}})
	}
	if f == 0 && s.TimesFold != nil {
		timesFold := func(name string, of func(s *Words) wordTimesFoldKernel) {
			list = append(list, wordKernel{name, func(s *Words, _ int, r *rand.Rand, room func(n int) *byte) {
				count, n, step := 1+r.IntN(3), s.Vector*(1+r.IntN(2)), 8*r.IntN(3)
				eighth := count + r.IntN(2)
				last := 7*eighth + count - 1 // of the rows
				to, from := n+s.Vector*r.IntN(3), n+s.Vector*r.IntN(3)
				x := room(last*from + n)
				z := x
				if r.IntN(2) == 0 {
					z = room(last*to + n)
				} else {
					to = from
				}
				w := room((last-4*eighth)*step + 8)
				half := w
				if r.IntN(2) == 0 {
					half = room((last-4*eighth)*step + 8)
				}
				of(s)(z, x, count, eighth, n, to, from, w, half, step, rest(s, r, room))
			}})
		}
		timesFold("timesFoldWords", func(s *Words) wordTimesFoldKernel { return s.TimesFold })
		timesFold("timesFoldTWords", func(s *Words) wordTimesFoldKernel { return s.TimesFoldT })
	}
	return append(list,
		wordKernel{"timesWords", func(s *Words, f int, r *rand.Rand, room func(n int) *byte) {
			n, rows := s.Vector*(1+r.IntN(3)), 1+r.IntN(4)
			stride := n + s.Vector*r.IntN(2)
			s.Times[f](room((rows-1)*stride+n), rows, stride, n, room(rows*8<<f), rest(s, r, room))
		}},
		wordKernel{"mulWords", func(s *Words, f int, r *rand.Rand, room func(n int) *byte) {
			n, shift := s.Vector*(1+r.IntN(4)), r.IntN(max(1, s.Turns(f)-1))
			x := room(n)
			z := x
			if r.IntN(2) == 0 {
				z = room(n)
			}
			s.Mul[f](z, x, room((n-s.Vector)>>shift+s.Vector), n, shift, rest(s, r, room))
		}})
}

// shift makes n lists of constants those that kernels take: those of two words have their products by x^64 behind them.
func shift(f int, p *byte, n int, modulus *byte) {
	for i := range n * f {
		shifted(bytesAt(p, i*StepBytes(f), StepBytes(f)), modulus)
	}
}

// shifted sets the second half of elements of two words to the products of those in the first half by x^64.
func shifted(list []byte, modulus *byte) {
	half := len(list) / 2
	from, to := wordsAt{p: &list[0], f: 1}, wordsAt{p: &list[half], f: 1}
	for i := range half / 16 {
		to.put(i, WordProduct(1, from.get(i), Element{0, 1}, restOf(modulus)))
	}
}

func rest(s *Words, r *rand.Rand, room func(n int) *byte) *byte {
	p, list := room(8*RestWords), wordRests
	if s.Form == shortForm {
		list = shortRests
	}
	for i, w := range Rest(list[r.IntN(len(list))]) {
		binary.LittleEndian.PutUint64(bytesAt(p, 8*i, 8), w)
	}
	return p
}

// Kernels for words do what those in Go do, to what they are given and to nothing beside it.
func TestKernels(t *testing.T) {
	for _, s := range presentWords() {
		slow := GenericWords(s.Vector)
		slow.Form = s.Form
		for f := range 2 {
			for _, k := range wordKernels(s, f) {
				t.Run(k.name+fmt.Sprint(64<<f)+suffix(s, f), func(t *testing.T) {
					for i := range 8 * testscale.Of(t) {
						var both [2][][]byte
						for j, s := range []*Words{s, slow} {
							r := rand.New(rand.NewPCG(uint64(i), uint64(f)))
							k.do(s, f, r, func(n int) *byte {
								x := draw(r, n+128)
								both[j] = append(both[j], x)
								return &x[64]
							})
						}
						require.Equal(t, both[1], both[0])
					}
				})
			}
		}
	}
}

// shortForm is that of kernels for short rests.
const shortForm = "VPCLMULQDQ, GFNI, AVX-512"

// suffix ends the names of kernels for field f.
func suffix(s *Words, f int) string {
	if s.Form == shortForm && f == 0 {
		return "GFNI512"
	}
	return map[int]string{16: "PCLMUL", 32: "VPCLMUL", 64: "VPCLMUL512"}[s.Vector]
}

// Kernels for short rests serve what they are for, and nothing else.
func TestShortRests(t *testing.T) {
	s := &Words{short: &Words{}}
	for _, rest := range append(shortRests, 1<<4, 1<<5-1) {
		list := Rest(rest)
		require.Same(t, s.short, s.For(64, &list))
		require.Same(t, s, s.For(128, &list))
	}
	for _, rest := range []uint64{1 << 5, 0x87, 1 << 63} {
		list := Rest(rest)
		require.Same(t, s, s.For(64, &list))
	}
	none := &Words{}
	require.Same(t, none, none.For(64, &[RestWords]uint64{0x1b}))
}

// Kernels read and write nothing outside of what they are given: pages beside it are not theirs.
func TestWordFences(t *testing.T) {
	for _, s := range presentWords() {
		for f := range 2 {
			for _, k := range wordKernels(s, f) {
				for i := range 4 * testscale.Of(t) {
					r := rand.New(rand.NewPCG(uint64(i), uint64(f)))
					k.do(s, f, r, func(n int) *byte {
						x := fenced(t, n, i%2 == 0)
						copy(x, draw(r, n))
						return &x[0]
					})
				}
			}
		}
	}
}

// The kernels in Go are what Words says: layers pair by pair, and what undoes them does.
func TestGenericWords(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for _, vector := range []int{16, 32, 64} {
		s := GenericWords(vector)
		for f := range 2 {
			// A tail is layers of blocks of 2·Count elements: a product of block b of the layer l has the constant
			// low(l, b mod 2^l) + base(l).
			size, turns := 2*s.Count(f), s.Turns(f)
			lanes, base := draw(r, s.LanesBytes(f)), draw(r, StepBytes(f))
			low := make([][]Element, turns)
			for l := range low {
				for i := range 1 << l {
					low[l] = append(low[l], wordElement(r, f))
					for lane := i; lane < s.Count(f); lane += 1 << l {
						wordsAt{p: &lanes[0], f: f}.put(l*s.Count(f)+lane, low[l][i])
					}
				}
			}
			v, modulus := draw(r, 2*vector), rest(s, r, func(n int) *byte { return &make([]byte, n)[0] })
			before, want := slices.Clone(v), slices.Clone(v)
			a := wordsAt{&want[0], f, restOf(modulus)}
			for l := range turns {
				h := size >> (l + 1)
				for i := range size {
					if i/h%2 == 0 {
						a.butterfly(i, i+h, Plus(low[l][i/(2*h)], wordsAt{p: &base[0], f: f}.get(l)), false)
					}
				}
			}
			s.Tail[f](&v[0], 1, &lanes[0], &base[0], nil, modulus, 0)
			require.Equal(t, want, v)
			s.TailT[f](&v[0], 1, &lanes[0], &base[0], nil, modulus, 0)
			require.Equal(t, before, v)
			if f == 1 && s.Last != nil {
				lastConforms(t, s, r, modulus)
			}
			for l := range 2 {
				v = draw(r, 3*vector<<(l+1))
				before = slices.Clone(v)
				delta := draw(r, 3*StepBytes(f))
				for _, do := range []wordLayersKernel{s.Layers[f][l], s.LayersT[f][l]} {
					do(&v[0], 3, vector, vector, &slices.Clone(base)[0], &delta[0], modulus, 4)
				}
				require.Equal(t, before, v)
			}
		}
	}
}

// lastConforms shows that Last does to blocks of four elements what layers do to one with constants of its own, and
// that LastT undoes it.
func lastConforms(t *testing.T, s *Words, r *rand.Rand, modulus *byte) {
	const groups, at = 3, 4
	v, lanes, base, delta := draw(r, groups*256), draw(r, LastBytes), draw(r, StepBytes(1)), draw(r, 3*StepBytes(1))
	before, want, constants := slices.Clone(v), slices.Clone(v), slices.Clone(base)
	list, part := wordsAt{p: &constants[0], f: 1}, wordsAt{p: &lanes[0], f: 1}
	for g := range groups {
		if g > 0 {
			step(1, &constants[0], &delta[0], at+g-1)
		}
		for b := range 4 {
			x := wordsAt{&want[64*(4*g+b)], 1, restOf(modulus)}
			for i, pairs := range [][][2]int{{{0, 2}, {1, 3}}, {{0, 1}}, {{2, 3}}} {
				for _, p := range pairs {
					x.butterfly(p[0], p[1], Plus(list.get(i), part.get(4*i+b)), false)
				}
			}
		}
	}
	s.Last(&v[0], groups, &lanes[0], &base[0], &delta[0], modulus, at)
	require.Equal(t, want, v)
	s.LastT(&v[0], groups, &lanes[0], &base[0], &delta[0], modulus, at)
	require.Equal(t, before, v)
}
