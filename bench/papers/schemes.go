package main

import (
	"fmt"
	"math/bits"
	"unsafe"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/schemes/literal"
)

// transposes (B-1) runs the three ways to transpose over words, square matrices and those of two rows or columns,
// beside a plain copy, and beside the transpose of bulks.Plain.
func transposes(s *session) error {
	f := smallprime.Goldilocks()
	words := &bulks.Plain[uint64]{Slices: bulks.Slices[uint64]{Field: f}}
	ways := []string{"plain", "blocked", "recursive"}
	return s.pinned(1, func() error {
		for e := max(10, s.least&^1); e <= min(24, s.most+2); e += 2 {
			if !s.takes(e) {
				continue
			}
			n := 1 << e
			src, dst := make([]uint64, n), make([]uint64, n)
			for _, rows := range []int{1 << (e / 2), 2, n / 2} {
				l := line{Field: "uint64", What: "transpose", N: n, Rows: rows}
				var all []contender
				for i, name := range ways {
					l.Contender = name
					all = append(all, contender{line: l, run: func() error {
						return literal.Transpose(f, dst, src, rows, n/rows, literal.Transposition(i))
					}})
				}
				l.Contender = shipped
				all = append(all, contender{line: l, run: func() error {
					words.Copy(bulks.ViewOf(dst), bulks.ViewOf(src), bulks.Copy{Rows: n / rows, Width: rows, Dst: rows,
						Src: n / rows, Transpose: true})
					return nil
				}})
				l.Contender = "copy"
				all = append(all, contender{line: l, run: func() error { copy(dst, src); return nil }})
				if err := s.measure(all...); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// twiddles (B-2) runs the four-step with factors from tables and with factors that are powers, computed as they are
// used.
func twiddles(s *session) error {
	f := smallprime.P1()
	return s.pinned(1, func() error {
		for e := max(6, s.least&^1); e <= min(20, s.most); e += 2 {
			if !s.takes(e) {
				continue
			}
			t, err := newData(f, 1<<e)
			if err != nil {
				return err
			}
			var all, plans []contender
			for _, base := range kernels[2:] {
				for i, name := range []string{"offline", "online"} {
					spec := literalOf(field.FourStep, base, 1)
					spec.literal.Online = i == 1
					c, err := t.forward(s, name, spec)
					if err != nil {
						return err
					}
					all, plans = append(all, c), append(plans, t.planned(name, spec))
				}
			}
			if err := s.measure(all...); err != nil {
				return err
			}
			if err := s.measure(plans...); err != nil {
				return err
			}
		}
		return nil
	})
}

// serial (B-3) runs the three schemes with all base cases over the two small primes of the thesis.
func serial(s *session) error {
	return s.pinned(1, func() error {
		// 20 is its 2-adicity
		if err := lengths(s, smallprime.P1(), 1, 1, min(20, s.most), []int{1}, true); err != nil {
			return err
		}
		return lengths(s, smallprime.Covanov(), 1, 1, min(22, s.most), []int{1}, true)
	})
}

// parallel (B-4) runs them over the thesis' prime of 127 bits, element by element, with one worker and more.
func parallel(s *session) error {
	return s.pinned(s.mostWorkers(), func() error {
		return lengths(s, bigprime.P2(), 2, 2, min(20, s.most), s.workers, false)
	})
}

// lengths runs the three schemes with all base cases, and what is for use, at lengths 2^from, 2^(from+step), …; with
// parts the pre-shuffle alone, the making of plans, and rivals, as well.
func lengths[E any](s *session, f rooted[E], from, step, to int, workers []int, parts bool) error {
	for e := from; e <= to; e += step {
		if e < s.least || !s.takes(e) {
			continue
		}
		n := 1 << e
		t, err := newData(f, n)
		if err != nil {
			return err
		}
		var all []contender
		add := func(name string, spec func(workers int) form) error {
			for _, w := range workers {
				c, err := t.forward(s, name, spec(w))
				if err != nil {
					return err
				}
				all = append(all, c)
			}
			return nil
		}
		if err := add(shipped, func(w int) form { return form{Spec: field.Spec{Workers: w}} }); err != nil {
			return err
		}
		for _, base := range s.kernels {
			if base > n {
				continue
			}
			for _, a := range literals {
				if err := add(a.String(), func(w int) form { return literalOf(a, base, w) }); err != nil {
					return err
				}
			}
			if parts {
				l := line{Field: f.Name(), Contender: "literal", What: "preshuffle", N: n, Base: base}
				all = append(all, contender{line: l,
					run: func() error { return literal.Preshuffle(t.f, t.y, t.x, base) }})
			}
		}
		end := func() {}
		if parts {
			var rivals []contender
			if rivals, end, err = t.rivals(s, 1); err != nil {
				return err
			}
			all = append(all, rivals...)
		}
		err = s.measure(all...)
		end()
		if err != nil {
			return err
		}
		if parts {
			if err := s.measure(t.planned(shipped, form{}), t.planned("literal",
				literalOf(field.FourStep, min(n, 32), 1))); err != nil {
				return err
			}
		}
	}
	return nil
}

// fermat (B-8) runs the schemes over generalized Fermat primes r^k + 1 at K² and K³ points, K = 2k: split by 2, with
// products at every level, and as they are for use, split by K. fermatParallel (B-9) is the same with workers.
func fermat(s *session) error { return s.pinned(1, func() error { return fermats(s, 1) }) }

func fermatParallel(s *session) error {
	return s.pinned(s.mostWorkers(), func() error { return fermats(s, s.mostWorkers()) })
}

// fermats runs the fields of the thesis, and those that have come since; one more is a line.
func fermats(s *session, workers int) error {
	for _, f := range []func() error{
		func() error { return squareAndCube(s, gfpf.K4(), 8, workers) },
		func() error { return squareAndCube(s, gfpf.K8(), 16, workers) },
		func() error { return squareAndCube(s, gfpf.K16(), 32, workers) },
		func() error { return squareAndCube(s, gfpf.K32(), 64, workers) },
		func() error { return squareAndCube(s, gfpf.P1(), 4, workers) },
		func() error { return squareAndCube(s, gfpf.P2(), 8, workers) },
		func() error { return squareAndCube(s, gfpf.P3(), 16, workers) },
		func() error { return squareAndCube(s, gfpf.P4(), 32, workers) },
		func() error { return squareAndCube(s, gfpf.P5(), 64, workers) },
	} {
		if err := f(); err != nil {
			return err
		}
	}
	return nil
}

func squareAndCube[E any](s *session, f rooted[E], k, workers int) error {
	for _, n := range []int{k * k, k * k * k} {
		if n > 1<<s.most || n < 1<<s.least || !s.takes(bits.Len(uint(n))-1) {
			continue
		}
		t, err := newData(f, n)
		if err != nil {
			return err
		}
		c, err := t.forward(s, shipped, form{Spec: field.Spec{Workers: workers}})
		if err != nil {
			return err
		}
		all := []contender{c}
		for _, a := range literals {
			c, err := t.forward(s, a.String(), literalOf(a, k, workers))
			if err != nil {
				return err
			}
			all = append(all, c)
		}
		rivals, end, err := t.rivals(s, workers)
		if err != nil {
			return err
		}
		err = s.measure(append(all, rivals...)...)
		end()
		if err != nil {
			return err
		}
	}
	return nil
}

// bases (B-11) runs what is for use with all base cases that it takes, and with the plan's own choice, over every named
// field that has transforms of powers of two.
func bases(s *session) error {
	return s.pinned(1, func() error {
		for _, f := range swept {
			if err := f(s); err != nil {
				return err
			}
		}
		return nil
	})
}

// swept are the fields of bases; a new one is a line.
var swept = []func(s *session) error{
	func(s *session) error { return sweep(s, smallprime.P1(), 2) },
	func(s *session) error { return sweep(s, smallprime.P30(), 2) },
	func(s *session) error { return sweep(s, smallprime.P998244353(), 2) },
	func(s *session) error { return sweep(s, smallprime.BabyBear(), 2) },
	func(s *session) error { return sweep(s, smallprime.KoalaBear(), 2) },
	func(s *session) error { return sweep(s, smallprime.P32(), 2) },
	func(s *session) error { return sweep(s, smallprime.P50(), 2) },
	func(s *session) error { return sweep(s, smallprime.Covanov(), 2) },
	func(s *session) error { return sweep(s, smallprime.P62(), 2) },
	func(s *session) error { return sweep(s, smallprime.P63(), 2) },
	func(s *session) error { return sweep(s, smallprime.P64(), 2) },
	func(s *session) error { return sweep(s, smallprime.Goldilocks(), 2) },
	func(s *session) error { return sweep(s, gfpf.P1(), 8) },
	func(s *session) error { return sweep(s, gfpf.P2(), 8) },
	func(s *session) error { return sweep(s, gfpf.P3(), 8) },
	func(s *session) error { return sweep(s, gfpf.P4(), 8) },
	func(s *session) error { return sweep(s, gfpf.P5(), 8) },
	func(s *session) error { return sweep(s, gfpf.P6(), 8) },
	func(s *session) error { return sweep(s, gfpf.P7(), 8) },
	func(s *session) error { return sweep(s, gfpf.K4(), 8) },
	func(s *session) error { return sweep(s, gfpf.K8(), 8) },
	func(s *session) error { return sweep(s, gfpf.K16(), 8) },
	func(s *session) error { return sweep(s, gfpf.K32(), 8) },
	func(s *session) error { return sweep(s, bigprime.P2(), 2) },
	func(s *session) error { return sweep(s, bigprime.BN254(), 2) },
	func(s *session) error { return sweep(s, bigprime.BLS12381(), 2) },
	func(s *session) error { return sweep(s, bigprime.BLS12377(), 2) },
	func(s *session) error { return sweep(s, bigprime.Stark252(), 2) },
	func(s *session) error { return sweep(s, bigprime.Pallas(), 2) },
	func(s *session) error { return sweep(s, bigprime.Vesta(), 2) },
}

// mostSwept is the bytes of the longest vector of bases.
const mostSwept = 1 << 27

// sweep takes base cases from the least on.
func sweep[E any](s *session, f rooted[E], least int) error {
	var x E
	for e := max(4, s.least&^1); e <= min(20, s.most) && int(unsafe.Sizeof(x)) <= mostSwept>>e; e += 2 {
		if !s.takes(e) {
			continue
		}
		t, err := newData(f, 1<<e)
		if err != nil {
			return err
		}
		var all []contender
		for base := 0; base <= 1<<e; base = max(least, 2*base) {
			c, err := t.forward(s, shipped, form{Spec: field.Spec{Base: base}})
			if err != nil {
				return fmt.Errorf("%s, length 2^%d, base %d: %w", f.Name(), e, base, err)
			}
			all = append(all, c)
		}
		if err := s.measure(all...); err != nil {
			return err
		}
	}
	return nil
}
