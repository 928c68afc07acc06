package main

import (
	"context"
	"errors"
	"fmt"
	"math/bits"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/internal/device"
)

// shares are the parts of a transform of K^4 points, K = 2k, in the structure of the thesis: six steps, with a kernel
// for each stride permutation, for each multiplication by twiddle factors, and for each layer of the DFTs of K points
// one of products by powers of r and one of sums and differences. After a permutation comes a copy, as there.
func shares(s *session) error {
	return errors.Join(sharesOf(newDigits(s, gfpf.P3())), sharesOf(newDigits(s, gfpf.P4())))
}

// The parts, in the order of the slides' picture.
const (
	twiddles = iota
	permutes
	turns
	sums
	copies
	reversals
	parts
)

var partNames = [parts]string{"twiddle products", "permutations", "shifts", "sums and differences", "copies",
	"order of each K points"}

// sixSteps is a transform as calls.
type sixSteps struct {
	all  []call
	part [parts][]call
}

func sharesOf[E gfpf.Digits](g *digits[E]) error {
	log := bits.Len(uint(g.k)) // of K
	levels := 4
	for levels > 2 && levels*log > g.s.most {
		levels--
	}
	n := 1 << (levels * log)
	x := g.samples(n, 6)
	p, err := fft.NewPlan(g.f, n)
	if err != nil {
		return err
	}
	want := make([]E, n)
	if err := p.ForwardContext(context.Background(), want, x); err != nil {
		return err
	}
	for _, layout := range layouts {
		v, err := vectors(g, layout, x, nil)
		if err != nil {
			return err
		}
		table, err := g.table(n, layout)
		if err != nil {
			return err
		}
		t, err := g.sixSteps(v[1], v[0], table, levels, layout)
		if err != nil {
			return err
		}
		for _, c := range t.all {
			if err := c(); err != nil {
				return err
			}
		}
		if err := g.same("transform", v[1], want, layout); err != nil {
			return err
		}
		l := line{Field: g.f.Name(), N: n, Layout: layout, Case: "all", Launches: len(t.all)}
		if err := g.s.report(l, nil, 0, t.all...); err != nil {
			return err
		}
		for i, list := range t.part {
			l.Case, l.Launches = partNames[i], len(list)
			if err := g.s.report(l, nil, 0, list...); err != nil {
				return err
			}
		}
		if err := errors.Join(release(v), table.Release()); err != nil {
			return err
		}
	}
	return nil
}

// table is w^0, w^1, … up to N/K of them.
func (g *digits[E]) table(n int, layout string) (*device.Memory, error) {
	var w E
	if err := g.f.RootOfUnity(&w, uint64(n)); err != nil {
		return nil, err
	}
	list := make([]E, n/(2*g.k))
	g.f.One(&list[0])
	for i := 1; i < len(list); i++ {
		g.f.Mul(&list[i], &list[i-1], &w)
	}
	return g.put(list, layout)
}

// unit is the odd number for which w^(n/K) = r^unit.
func (g *digits[E]) unit(n int) (uint64, error) {
	var one, w, r E
	g.f.One(&one)
	if err := g.f.RootOfUnity(&w, uint64(n)); err != nil {
		return 0, err
	}
	field.PowUint(g.f, &w, &w, uint64(n/(2*g.k)))
	for u := uint64(1); u < uint64(2*g.k); u += 2 {
		if g.f.Shift(&r, &one, u); r == w {
			return u, nil
		}
	}
	return 0, fmt.Errorf("%s has a root of order %d that no power of r belongs to", g.f.Name(), n)
}

// sixSteps are the calls of a transform of x, whose values are in x in the end; y is for copies.
func (g *digits[E]) sixSteps(x, y, table *device.Memory, levels int, layout string) (*sixSteps, error) {
	log := bits.Len(uint(g.k))
	n := 1 << (levels * log)
	unit, err := g.unit(n)
	if err != nil {
		return nil, err
	}
	t := &sixSteps{}
	var failed error
	add := func(part int, k kernel, args ...uint64) {
		c, err := g.s.launch(k, args...)
		if err != nil {
			failed = err
			return
		}
		t.part[part], t.all = append(t.part[part], c), append(t.all, c)
	}
	pitch := uint64(n)
	permuted := func(rows, columns int) {
		k := kernel{fmt.Sprint("move", g.k), [2]int{n / 256, 1}, 256, 0}
		args := []uint64{y.At, x.At, pitch, uint64(rows), uint64(columns)}
		if layout == planes {
			tiles := 1 << (rows + columns - 2*log)
			grid := [2]int{n >> (rows + columns) * tiles, g.k}
			k = kernel{fmt.Sprint("permute", g.k), grid, 256, 8 << log * (1<<log + 1)}
			args = append(args, uint64(tiles))
		}
		add(permutes, k, args...)
		c := g.s.copied(x, y, 8*g.k*n)
		t.part[copies], t.all = append(t.part[copies], c), append(t.all, c)
	}
	transformed := func() {
		for layer := range log {
			if layer > 0 {
				add(turns, g.each("turn", layout, n/2, threadsOf, 1), x.At, pitch, uint64(layer), unit, g.radix[0])
			}
			add(sums, g.each("butterflies", layout, n/2, threadsOf, 0), x.At, pitch, uint64(layer), g.radix[0])
		}
		add(reversals, g.each("reverse", layout, n/2, threadsOf, 0), x.At, pitch)
	}
	for s := range levels - 1 {
		permuted((levels-s-1)*log, log)
	}
	transformed()
	for s := levels - 2; s >= 0; s-- {
		rest := (levels - s - 1) * log
		args := append([]uint64{x.At, pitch, uint64(n), uint64(rest + log), uint64(rest), uint64(s * log), unit,
			table.At, uint64(n / (2 * g.k))}, g.radix...)
		add(twiddles, g.each("twiddle", layout, n, threadsOf, 2), args...)
		permuted(log, rest)
		transformed()
		permuted(rest, log)
	}
	return t, failed
}
