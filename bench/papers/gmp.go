//go:build cgo && gmp

package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/galfft/fft/bench/mpz"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/bigprime/gmp"
	integers "github.com/galfft/fft/field/literal"
)

// parallelGMP (B-5) runs the three schemes over the prime of B-4 by GMP, with one worker and more: with a call of C for
// each product, and with an integer of ncw/gmp for each element. Lengths end where memory does.
func parallelGMP(s *session) error {
	return s.pinned(s.mostWorkers(), func() error {
		packed, err := gmp.Of(bigprime.P2())
		if err != nil {
			return err
		}
		if err := fitting(lengths(s, packed, 2, 2, min(22, s.most), s.workers, false)); err != nil {
			return err
		}
		single, err := integers.NCW(bigprime.P2())
		if err != nil {
			return err
		}
		return fitting(lengths(s, single, 2, 2, min(s.mostNCW, s.most), s.workers, false))
	})
}

// fitting says of an error that memory ended the lengths, which is none.
func fitting(err error) error {
	if errors.Is(err, field.ErrMemory) {
		fmt.Fprintf(os.Stderr, "papers: longer ones do not fit: %v\n", err)
		return nil
	}
	return err
}

// arithmetics (B-7) runs each of the three schemes over that prime by all arithmetics: in machine words, by GMP and by
// math/big, beside the thesis' C program.
func arithmetics(s *session) error {
	words := bigprime.P2()
	packed, err := gmp.Of(words)
	if err != nil {
		return err
	}
	single, err := integers.NCW(words)
	if err != nil {
		return err
	}
	slow, err := integers.Big(words)
	if err != nil {
		return err
	}
	return s.pinned(1, func() error {
		for e := max(4, s.least&^1); e <= min(20, s.most); e += 2 {
			if !s.takes(e) {
				continue
			}
			var all []contender
			for _, add := range []func() error{
				func() error { return literalForms(s, &all, words, 1<<e) },
				func() error { return literalForms(s, &all, packed, 1<<e) },
				func() error { return literalForms(s, &all, slow, 1<<e) },
				func() error { return literalForms(s, &all, single, 1<<e) },
				func() error { return batchedForms(s, &all, words, 1<<e) },
				func() error { return batchedForms(s, &all, packed, 1<<e) },
			} {
				if err := add(); err != nil {
					return err
				}
			}
			if err := besideC(s, all, words, 1<<e); err != nil {
				return err
			}
		}
		return nil
	})
}

// literalForms adds the schemes over f, with all base cases for up to 2^12 points, and of 32 for more.
func literalForms[E any](s *session, all *[]contender, f rooted[E], n int) error {
	t, err := newData(f, n)
	if err != nil {
		return err
	}
	for _, a := range literals {
		for _, base := range s.kernels {
			if base > n || n > 1<<12 && base != 32 {
				continue
			}
			c, err := t.forward(s, a.String(), literalOf(a, base, 1))
			if err != nil {
				return err
			}
			*all = append(*all, c)
		}
	}
	return nil
}

// batchedForms adds the schemes as they are for use, which give f whole rows.
func batchedForms[E any](s *session, all *[]contender, f rooted[E], n int) error {
	t, err := newData(f, n)
	if err != nil {
		return err
	}
	for _, a := range literals {
		c, err := t.forward(s, a.String(), form{Spec: field.Spec{Algorithm: a}})
		if err != nil {
			return err
		}
		*all = append(*all, c)
	}
	return nil
}

// besideC measures the contenders, and after them the C program's schemes, which take sorted input.
func besideC(s *session, all []contender, f *bigprime.Field[[2]uint64], n int) error {
	t, err := newData(f, n)
	if err != nil {
		return err
	}
	for _, a := range literals {
		c := mpz.New(f.Order(), f.Big(nil, &t.d.Root), n, a)
		defer c.Close()
		for i := range t.x {
			c.Load(i, f.Big(nil, &t.x[i]))
		}
		l := line{Field: "c:" + f.Name(), Contender: a.String(), What: "forward", N: n, Base: 2}
		all = append(all, contender{line: l, run: func() error { c.Forward(); return nil }})
	}
	return s.measure(all...)
}
