package main

import (
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"time"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/binary"
)

// What the processor does of the same: products and transforms of the library, and products of other libraries.

// core is by one thread, and cores by all.
func core(s *session) error  { return s.onProcessor(1) }
func cores(s *session) error { return s.onProcessor(runtime.GOMAXPROCS(0)) }

// sampled are the times of five runs in ms. Of a call that takes longer than s.long it is one.
func (s *session) sampled(run func() (time.Duration, error)) (list []float64, err error) {
	for len(list) < runs {
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
	l.Samples = len(list)
	l.Ms, l.Deviation = spread(list)
	return s.print(l)
}

// onProcessor is products in all fields of figures 8.1 to 8.3, by a pair of vectors of 2^16 elements, with the other
// libraries' by one thread.
func (s *session) onProcessor(threads int) error {
	n := 1 << min(16, s.most)
	for _, bits := range degrees(s.bits) {
		var err error
		switch {
		case bits%32 != 0 && bits > shortBits: // takes as long as the next multiple of 32
		case bits == 32:
			err = ours[uint32](s, bits, n, threads)
		case bits == 64:
			err = ours[uint64](s, bits, n, threads)
		case bits == 128:
			err = ours[[2]uint64](s, bits, n, threads)
		case bits == 256:
			err = ours[[4]uint64](s, bits, n, threads)
		default:
			err = ours[binary.Number](s, bits, n, threads)
		}
		if threads == 1 {
			err = errors.Join(err, s.peers(bits, n))
		}
		if err != nil {
			return err
		}
	}
	return nil
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
	if err := run(); err != nil { // makes pages
		return err
	}
	list, err := s.sampled(timedCall(run))
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
	for i := range p.x {
		p.x[i] = r.Uint64()
	}
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

// fftCore and fftCores are our transforms over a random basis and shift by one thread and by all.
func fftCore(s *session) error  { return s.fftOnProcessor(1) }
func fftCores(s *session) error { return s.fftOnProcessor(runtime.GOMAXPROCS(0)) }

func (s *session) fftOnProcessor(threads int) error {
	for _, m := range s.sizes() {
		if err := s.ourTransforms(m, threads); err != nil {
			return fmt.Errorf("2^%d points: %w", m, err)
		}
	}
	return nil
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
	for i := range want {
		if got[i] != want[i] {
			return fmt.Errorf("value %d, %s, is %#x, want %#x", i, name, got[i], want[i])
		}
	}
	return nil
}
