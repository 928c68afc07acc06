package main

import (
	"bytes"
	_ "embed"
	"encoding/csv"
	"fmt"
	"io"
	"math/big"
	"math/rand/v2"
	"strconv"
	"time"
	"unsafe"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/internal/benchjson"
	"github.com/galfft/fft/internal/pin"
	"github.com/galfft/fft/kernels/digits"
)

//go:embed peers/gfpf.csv
var recordedCSV []byte

// recorded is one line of peers/gfpf.csv: the time of the published code on another machine, and how many times as fast
// we should be.
type recorded struct {
	field            string
	n                int
	ns, atLeast, aim float64
}

func recordedTimes() ([]recorded, error) {
	lines, err := csv.NewReader(bytes.NewReader(recordedCSV)).ReadAll()
	if err != nil {
		return nil, err
	}
	var list []recorded
	for _, l := range lines[1:] {
		p := recorded{field: l[0]}
		if p.n, err = strconv.Atoi(l[1]); err != nil {
			return nil, err
		}
		for i, x := range []*float64{&p.ns, &p.atLeast, &p.aim} {
			if *x, err = strconv.ParseFloat(l[2+i], 64); err != nil {
				return nil, err
			}
		}
		p.ns *= 1e6
		list = append(list, p)
	}
	return list, nil
}

// fermat prints what generalized Fermat primes take: transforms beside times of the published program that were
// recorded on another machine; operations on packed elements, beside math/big; and what a second worker brings.
func fermat(w io.Writer, budget time.Duration, commit string) error {
	list, err := recordedTimes()
	if err != nil {
		return err
	}
	fmt.Fprint(w, benchjson.Heading(commit))
	fmt.Fprintf(w, "\nforward transforms, natural order, one thread; recorded: BPAS on another machine, no comparison\n%-9s %8s %10s %10s %8s %8s %5s\n", "field",
		"n", "ours", "recorded", "times", "at least", "aim")
	for _, p := range list {
		ns, err := fermatTime(p, budget)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%-9s %8d %10s %10s %8.1f %8.0f %5.0f\n", p.field, p.n, nanos(ns), nanos(p.ns), p.ns/ns,
			p.atLeast, p.aim)
	}
	fmt.Fprintf(w, "\nin the first-level cache, ns an element: slices of packed elements and math/big's Mul and Mod; elements one by one; tiles\n%-9s %4s | %7s %7s %8s %9s | %8s %9s %6s | %6s %6s %8s %6s\n",
		"field", "k", "add", "sub", "mul", "math/big", "shift", "mul", "ratio", "add", "shift", "mul", "ratio")
	for _, run := range []func() error{
		func() error { return packed(w, gfpf.P1(), budget) }, func() error { return packed(w, gfpf.P2(), budget) },
		func() error { return packed(w, gfpf.P3(), budget) }, func() error { return packed(w, gfpf.P4(), budget) },
		func() error { return packed(w, gfpf.P5(), budget) }, func() error { return packed(w, gfpf.P6(), budget) },
		func() error { return packed(w, gfpf.P7(), budget) },
	} {
		if err := run(); err != nil {
			return err
		}
	}
	return nil
}

func fermatTime(p recorded, budget time.Duration) (float64, error) {
	switch p.field {
	case "gfpf:k4":
		return least(gfpf.K4(), p.n, fft.Natural, budget)
	case "gfpf:k8":
		return least(gfpf.K8(), p.n, fft.Natural, budget)
	case "gfpf:k16":
		return least(gfpf.K16(), p.n, fft.Natural, budget)
	case "gfpf:k32":
		return least(gfpf.K32(), p.n, fft.Natural, budget)
	}
	return 0, fmt.Errorf("peers/gfpf.csv: unknown field %q", p.field)
}

// packed times operations on slices of elements, and math/big's product and remainder.
func packed[E gfpf.Digits](w io.Writer, f *gfpf.Field[E], budget time.Duration) error {
	k := int(f.ShiftOrder() / 2)
	n := max(8, 512/k)
	v, rnd := [3][]E{}, rand.New(rand.NewPCG(1, 2))
	for i := range v {
		v[i] = make([]E, n)
		for j := range v[i] {
			f.Random(&v[i][j], rnd)
		}
	}
	z, x, y := v[0], v[1], v[2]
	a, b, c, p := make([]*big.Int, n), make([]*big.Int, n), new(big.Int), f.Characteristic()
	for i := range a {
		a[i], b[i] = f.Big(new(big.Int), &x[i]), f.Big(new(big.Int), &y[i])
	}
	var list []func() error
	add := func(do func()) {
		list = append(list, func() error {
			do()
			return nil
		})
	}
	add(func() { f.AddVec(z, x, y) })
	add(func() { f.SubVec(z, x, y) })
	add(func() { f.MulVec(z, x, y) })
	add(func() {
		for i := range a {
			c.Mod(c.Mul(a[i], b[i]), p)
		}
	})
	add(func() {
		for i := range z {
			f.Shift(&z[i], &x[i], uint64(k/2+1))
		}
	})
	add(func() {
		for i := range z {
			f.Mul(&z[i], &x[i], &y[i])
		}
	})
	set := digits.Active()
	if r := f.Radix(); set != nil && set.Multiplies(r, k) {
		s, m := digits.NewScratch(k), digits.Constants(r, k)
		tiles := n / 8
		var t [3][]uint64
		for i := range t {
			t[i] = make([]uint64, 8*k*tiles+8)
			t[i] = t[i][-uintptr(unsafe.Pointer(&t[i][0]))%64/8:]
			for j := range t[i] {
				t[i][j] = rnd.Uint64N(r)
			}
		}
		add(func() { set.Add(&t[0][0], &t[1][0], &t[2][0], r, k, tiles) })
		add(func() { set.Shift(&t[0][0], &t[1][0], r, k/2+1, k, tiles) })
		add(func() {
			for i := range tiles {
				set.Mul(&t[0][8*k*i], &t[1][8*k*i], &t[2][8*k*i], &s[0], &m[0], k, 1)
			}
		})
	}
	best, err := inTurn(budget, max(1, 4096/k/k), list...)
	if err != nil {
		return err
	}
	for i := range best {
		best[i] /= float64(n)
	}
	fmt.Fprintf(w, "%-9s %4d | %7.2f %7.2f %8.2f %9.2f | %8.2f %9.2f %6.3f |", f.Name(), k, best[0], best[1], best[2],
		best[3], best[4], best[5], best[4]/best[5])
	if len(best) > 6 {
		fmt.Fprintf(w, " %6.2f %6.2f %8.2f %6.3f", best[6], best[7], best[8], best[7]/best[8])
	}
	fmt.Fprintln(w)
	return nil
}

// secondWorker prints the times of one worker and of two, each on a CPU of its own.
func secondWorker(w io.Writer, budget time.Duration) error {
	fmt.Fprintf(w, "\ntwo pinned workers\n%-9s %8s %10s %10s %8s\n", "field", "n", "one", "two", "times")
	r, err := pin.New(2)
	if err != nil {
		return err
	}
	defer r.Close()
	var failed error
	err = r.Do(func() {
		for _, run := range []func() error{
			func() error { return speedup(w, gfpf.K4(), 1<<16, r, budget) },
			func() error { return speedup(w, gfpf.P3(), 1<<16, r, budget) },
			func() error { return speedup(w, gfpf.P3(), 1<<20, r, budget) },
			func() error { return speedup(w, gfpf.P4(), 1<<16, r, budget) },
			func() error { return speedup(w, gfpf.K32(), 1<<16, r, budget) },
		} {
			if failed == nil {
				failed = run()
			}
		}
	})
	if failed != nil {
		return failed
	}
	return err
}

func speedup[E gfpf.Digits](w io.Writer, f *gfpf.Field[E], n int, r *pin.Runner, budget time.Duration) error {
	one, err := fft.NewPlan[E](f, n)
	if err != nil {
		return err
	}
	two, err := fft.NewPlan[E](f, n, fft.WithWorkers(2), fft.WithRunner(r))
	if err != nil {
		return err
	}
	x, rnd := make([]E, n), rand.New(rand.NewPCG(1, 2))
	for i := range x {
		f.Random(&x[i], rnd)
	}
	best, err := inTurn(budget, 1, func() error { return one.Forward(x, x) }, func() error { return two.Forward(x, x) })
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%-9s %8d %10s %10s %8.2f\n", f.Name(), n, nanos(best[0]), nanos(best[1]), best[0]/best[1])
	return nil
}
