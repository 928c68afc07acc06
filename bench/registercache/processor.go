package main

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"slices"
	"time"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/binary"
)

// What the processor does of the same: products and transforms of the library, and products of other libraries.

// core is by one thread, and cores by all.
func core(s *session) error  { return s.onProcessor(1) }
func cores(s *session) error { return s.onProcessor(runtime.GOMAXPROCS(0)) }

// sampled are the times of runs in ms. Of a call that takes longer than s.long it is one.
func (s *session) sampled(run func() (time.Duration, error)) (list []float64, err error) {
	for !enough(list) {
		took, err := run()
		if err != nil {
			return nil, err
		}
		list = append(list, float64(took.Nanoseconds())/1e6)
		if len(list) == 1 && took > s.long {
			break
		}
	}
	return list, nil
}

// timedCall is a call and what it takes.
func timedCall(do func() error) func() (time.Duration, error) {
	return func() (time.Duration, error) {
		begin := time.Now()
		err := do()
		return time.Since(begin), err
	}
}

// printed prints a line of such times.
func (s *session) printed(l line, list []float64) error {
	l.took(list)
	return s.print(l)
}

// multiplesFirst are degrees in the order of the processor's products, which may have no time for the last ones.
func (s *session) multiplesFirst() []int {
	list := degrees(s.bits)
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(min(a%32, 1), min(b%32, 1)) })
	return list
}

// processorPairs is the pairs of a processor's products.
const processorPairs = 16 // log2

// onProcessor is products in all fields of figures 8.1 to 8.3.
func (s *session) onProcessor(threads int) error {
	n := 1 << min(processorPairs, s.most)
	return steps(s, s.multiplesFirst(), alike, func(bits int) error {
		switch bits {
		case 32:
			return ours[uint32](s, bits, n, threads)
		case 64:
			return ours[uint64](s, bits, n, threads)
		case 128:
			return ours[[2]uint64](s, bits, n, threads)
		case 256:
			return ours[[4]uint64](s, bits, n, threads)
		}
		return ours[binary.Number](s, bits, n, threads)
	})
}

func ours[E binary.Elements](s *session, bits, n, threads int) error {
	f, err := binary.New[E](bits)
	if err != nil {
		return err
	}
	x, y, z := make([]E, n), make([]E, n), make([]E, n)
	r := rand.New(rand.NewPCG(4, uint64(bits)))
	for i := range x {
		f.Random(&x[i], r)
		f.Random(&y[i], r)
	}
	v := field.VectorsOf[E](f)
	run := func() error { v.MulVec(z, x, y); return nil }
	if threads > 1 {
		run = func() error {
			apart(n, func(from, to int) { v.MulVec(z[from:to], x[from:to], y[from:to]) })
			return nil
		}
	}
	list, err := s.sampled(timedCall(run))
	if err == nil && list[0] < longRun { // the first one made pages
		list, err = s.sampled(timedCall(run))
	}
	if err != nil {
		return err
	}
	return s.printed(line{Form: "ours", Bits: bits, N: n, Threads: threads}, list)
}

// space is the field of 2^64 elements, and 2^m points of it: a random basis and a shift.
type space struct {
	f     *binary.Field[uint64]
	basis []uint64
	shift uint64
	x     []uint64 // random coefficients
}

func newSpace(m int) (*space, error) {
	f, err := binary.New[uint64](64)
	if err != nil {
		return nil, err
	}
	r := rand.New(rand.NewPCG(6, uint64(m)))
	p := &space{f: f, basis: make([]uint64, m), x: make([]uint64, 1<<m)}
	for !independent(p.basis) {
		for j := range p.basis {
			p.basis[j] = r.Uint64()
		}
	}
	p.shift = r.Uint64()
	const block = 1 << 16 // has numbers of its own
	apart((len(p.x)+block-1)/block, func(from, to int) {
		for b := from; b < to; b++ {
			r := rand.New(rand.NewPCG(uint64(m), uint64(b)))
			for i := b * block; i < min((b+1)*block, len(p.x)); i++ {
				p.x[i] = r.Uint64()
			}
		}
	})
	return p, nil
}

// independent reports whether no sum of some of the vectors is 0.
func independent(basis []uint64) bool {
	var by [64]uint64 // reduced ones, by their highest bits
	for _, v := range basis {
		for v != 0 && by[bits.Len64(v)-1] != 0 {
			v ^= by[bits.Len64(v)-1]
		}
		if v == 0 {
			return false
		}
		by[bits.Len64(v)-1] = v
	}
	return true
}

// options of plans over the space.
func (p *space) options(more ...fft.Option) []fft.Option {
	return append(more, fft.WithSubspace(p.basis...), fft.WithCoset(p.shift))
}

// sizes are the lengths of transforms, by powers of two.
func (s *session) sizes() (list []int) {
	for m := min(10, s.points); ; m = min(m+2, s.points) {
		if list = append(list, m); m == s.points {
			return list
		}
	}
}

// eachSize is a part for each length, which takes a little more than its points say.
func (s *session) eachSize(do func(m int) error) error {
	return steps(s, s.sizes(), func(m int) float64 { return math.Exp2(1.05 * float64(m)) }, func(m int) error {
		if err := do(m); err != nil {
			return fmt.Errorf("2^%d points: %w", m, err)
		}
		return nil
	})
}

// fftCore and fftCores are our transforms over a random basis and shift by one thread and by all.
func fftCore(s *session) error  { return s.fftOnProcessor(1) }
func fftCores(s *session) error { return s.fftOnProcessor(runtime.GOMAXPROCS(0)) }

func (s *session) fftOnProcessor(threads int) error {
	return s.eachSize(func(m int) error { return s.ourTransforms(m, threads) })
}

func (s *session) ourTransforms(m, threads int) error {
	space, err := newSpace(m)
	if err != nil {
		return err
	}
	n := 1 << m
	p, err := fft.NewPlan(space.f, n, space.options(fft.WithWorkers(threads))...)
	if err != nil {
		return err
	}
	y, got := make([]uint64, n), make([]uint64, n)
	clear(y) // makes pages
	clear(got)
	l := line{Form: "ours", Bits: 64, N: n, Threads: threads}
	for _, inverse := range []bool{false, true} {
		call := func() error { return p.Forward(y, space.x) }
		if inverse {
			l.Form, call = "ours, inverse", func() error { return p.Inverse(got, y) }
		}
		list, err := s.sampled(timedCall(call))
		if err == nil {
			err = s.printed(l, list)
		}
		if err != nil {
			return err
		}
	}
	return equal(got, space.x, "after a transform and its inverse")
}

// equal says where got is not what is wanted.
func equal(got, want []uint64, name string) error {
	parts := make([]error, runtime.GOMAXPROCS(0))
	apart(len(parts), func(part, _ int) {
		from, to := len(want)*part/len(parts), len(want)*(part+1)/len(parts)
		for i := from; i < to; i++ {
			if got[i] != want[i] {
				parts[part] = fmt.Errorf("value %d, %s, is %#x, want %#x", i, name, got[i], want[i])
				return
			}
		}
	})
	return cmp.Or(parts...)
}
