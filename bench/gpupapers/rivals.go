package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"unsafe"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/arith"
	"github.com/galfft/fft/internal/device"
)

// rivals are transforms modulo small primes as the theses' rivals have them: a kernel for each layer of radix 2.
func rivals(s *session) error {
	var errs []error
	for _, n := range []int{10, 16, 20} {
		if n <= s.most {
			errs = append(errs, rivalsOf[uint64](s, smallprime.P62(), smallprime.P62().Modulus(), n),
				rivalsOf[uint32](s, smallprime.P30(), uint64(smallprime.P30().Modulus()), n))
		}
	}
	return errors.Join(errs...)
}

// wordField is a field of words.
type wordField[W any] interface {
	field.Rooted[W]
	field.Info
	Random(z *W, r *rand.Rand)
}

func rivalsOf[W uint32 | uint64](s *session, f wordField[W], p uint64, log int) error {
	n, size := 1<<log, int(unsafe.Sizeof(W(0)))
	r := rand.New(rand.NewPCG(7, uint64(n)))
	x, want := make([]W, n), make([]W, n)
	for i := range x {
		if f.Random(&x[i], r); i < 256 {
			x[i] = []W{0, 1, W(p - 1)}[r.IntN(3)]
		}
	}
	plan, err := fft.NewPlan[W](f, n)
	if err != nil {
		return err
	}
	if err := plan.Forward(want, x); err != nil {
		return err
	}
	var w W
	if err := f.RootOfUnity(&w, uint64(n)); err != nil {
		return err
	}
	one := W(arith.Pow(2, uint64(8*size), p)) // 2^b
	table, list := make([]W, n/2), make([]W, log+1)
	table[0], list[log], list[0] = one, one, W(arith.Mul(uint64(w), uint64(one), p))
	for i := 1; i < n/2; i++ {
		table[i] = W(arith.Mul(uint64(table[i-1]), uint64(w), p))
	}
	square := uint64(w)
	for i := 1; i < log; i++ {
		square = arith.Mul(square, square, p)
		list[i] = W(arith.Mul(square, uint64(one), p))
	}
	var m []*device.Memory
	for _, a := range [][]W{x, make([]W, n), make([]W, n), table, list} {
		v, err := s.memory((len(a)*size + 7) / 8)
		if err == nil {
			err = put(s, v, a)
		}
		if err != nil {
			return err
		}
		m = append(m, v)
	}
	in, a, b := m[0], m[1], m[2]
	inverse := arith.Newton(p)
	for _, kind := range []struct {
		name, kernel string
		by           *device.Memory
	}{
		{"Cooley–Tukey, no table", "powers%d", m[4]},
		{"Cooley–Tukey, table", "tables%d", m[3]},
		{"Cooley–Tukey, table read-only", "tables%d_ro", m[3]},
		{"Stockham, table", "stockham%d", m[3]},
		{"Stockham, table read-only", "stockham%d_ro", m[3]},
	} {
		var calls []call
		var failed error
		add := func(name string, threads int, args ...uint64) kernel {
			block := min(256, threads)
			k := kernel{name, [2]int{(threads + block - 1) / block, 1}, block, 0}
			c, err := s.launch(k, args...)
			failed = errors.Join(failed, err)
			calls = append(calls, c)
			return k
		}
		var k kernel
		out, name := a, fmt.Sprintf(kind.kernel, 8*size)
		if kind.name[0] == 'S' {
			from, to := in, a
			for layer := range log {
				k = add(name, n/2, to.At, from.At, uint64(log), uint64(layer), kind.by.At, p, inverse)
				out = to
				if from, to = to, b; out == b {
					to = a
				}
			}
		} else {
			add(fmt.Sprint("scatter", 8*size), n, a.At, in.At, uint64(log))
			for layer := range log {
				k = add(name, n/2, a.At, uint64(log), uint64(layer), kind.by.At, p, inverse)
			}
		}
		if failed != nil {
			return failed
		}
		for _, c := range calls {
			if err := c(); err != nil {
				return err
			}
		}
		got := make([]W, n)
		if err := get(s, got, out); err != nil {
			return err
		}
		for i := range got {
			if got[i] != want[i] {
				return fmt.Errorf("%s, %s, 2^%d points: value %d is not the processor's", f.Name(), kind.name, log, i)
			}
		}
		// Each layer reads and writes the vector.
		bytes := 2 * size * n * log
		l := line{Field: f.Name(), N: n, Case: kind.name, Launches: len(calls)}
		if err := s.report(l, &k, bytes, calls...); err != nil {
			return err
		}
	}
	return release(m)
}
