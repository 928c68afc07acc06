package main

import (
	"errors"
	"fmt"
	"io"
	"math/big"
	"math/rand/v2"
	"slices"
	"time"
	"unsafe"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/internal/benchjson"
	"github.com/galfft/fft/internal/pin"
)

// bigPrimes prints what primes of several words take: transforms beside gnark-crypto's, with one worker and with two;
// and products of vectors of packed elements.
func bigPrimes(w io.Writer, budget time.Duration, commit string, most int) error {
	fmt.Fprint(w, benchjson.Heading(commit))
	fmt.Fprintf(w, "\nforward transforms, natural order in and bit-reversed out, one worker; and two pinned ones beside gnark-crypto with two tasks\n%-10s %8s %10s %10s %6s | %10s %6s %10s %6s\n",
		"field", "n", "ours", "gnark", "ratio", "two", "times", "gnark", "ratio")
	r, err := pin.New(2)
	if err != nil {
		return err
	}
	defer r.Close()
	var failed error
	err = r.Do(func() { failed = curves(w, r, budget, most) })
	if failed != nil {
		return failed
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "\nns an element, packed elements in the first-level cache\n%6s", "bits")
	for _, kind := range []string{"Montgomery", "plain"} {
		fmt.Fprintf(w, " %10s", kind)
		if withGMP {
			fmt.Fprintf(w, " %10s %6s", "GMP", "ratio")
		}
	}
	fmt.Fprintln(w)
	return pinned(func() error {
		for _, do := range []func() error{
			func() error { return productTime(w, bigprime.P2(), budget) },
			func() error { return productTime(w, bigprime.BN254(), budget) },
			func() error { return productOfBits[[4]uint64](w, 256, budget) },
			func() error { return productOfBits[[8]uint64](w, 512, budget) },
			func() error { return productOfBits[[16]uint64](w, 1024, budget) },
			func() error { return productOfBits[[32]uint64](w, 2048, budget) },
			func() error { return productOfBits[[64]uint64](w, 4096, budget) },
		} {
			if err := do(); err != nil {
				return err
			}
		}
		return nil
	})
}

func curves(w io.Writer, r *pin.Runner, budget time.Duration, most int) error {
	for _, log := range []int{12, 16, 20} {
		if log > most {
			continue
		}
		n := 1 << log
		if err := beside(w, bigprime.BN254(), n, r, budget, gnarkBN254); err != nil {
			return err
		}
		if err := beside(w, bigprime.BLS12381(), n, r, budget, gnarkBLS12381); err != nil {
			return err
		}
	}
	for _, log := range []int{16, 18} {
		if log > most {
			continue
		}
		if err := beside(w, bigprime.P2(), 1<<log, r, budget, nil); err != nil {
			return err
		}
	}
	return nil
}

// beside times transforms of length n beside those of a peer, which may be nil.
func beside[E bigprime.Words](w io.Writer, f *bigprime.Field[E], n int, r *pin.Runner, budget time.Duration,
	gnark func(n, tasks int) peer[E]) error {
	opts := []fft.Option{fft.WithOrder(fft.BitReversed)}
	var peers [2]peer[E]
	for i := range peers {
		if gnark != nil {
			peers[i] = gnark(n, i+1)
		}
	}
	if gnark != nil {
		opts = append(opts, fft.WithRoot(peers[0].root))
	}
	one, err := fft.NewPlan[E](f, n, opts...)
	if err != nil {
		return err
	}
	two, err := fft.NewPlan[E](f, n, append(opts, fft.WithWorkers(2), fft.WithRunner(r))...)
	if err != nil {
		return err
	}
	x, rnd := make([]E, n), rand.New(rand.NewPCG(1, uint64(n)))
	for i := range x {
		f.Random(&x[i], rnd)
	}
	do := []func() error{func() error { return one.Forward(x, x) }, func() error { return two.Forward(x, x) }}
	if gnark != nil {
		for _, p := range peers {
			p.load(x)
			p.forward()
		}
		y := slices.Clone(x)
		if err := one.Forward(y, y); err != nil {
			return err
		}
		if !slices.Equal(y, peers[0].values()) || !slices.Equal(y, peers[1].values()) {
			return fmt.Errorf("%s, length %d: the values are not those of gnark-crypto", f.Name(), n)
		}
		for _, p := range peers {
			do = append(do, func() error {
				p.forward()
				return nil
			})
		}
	}
	t, err := inTurn(budget, 1, do...)
	if err != nil {
		return err
	}
	if gnark == nil {
		fmt.Fprintf(w, "%-10s %8d %10s %10s %6s | %10s %6.2f\n", f.Name(), n, nanos(t[0]), "", "", nanos(t[1]), t[0]/t[1])
		return nil
	}
	fmt.Fprintf(w, "%-10s %8d %10s %10s %6.3f | %10s %6.2f %10s %6.3f\n", f.Name(), n, nanos(t[0]), nanos(t[2]),
		t[0]/t[2], nanos(t[1]), t[0]/t[1], nanos(t[3]), t[1]/t[3])
	return nil
}

// productOfBits is productTime for the largest prime of so many bits.
func productOfBits[E bigprime.Words](w io.Writer, bits int, budget time.Duration) error {
	p := new(big.Int).Lsh(big.NewInt(1), uint(bits))
	for p.Sub(p, big.NewInt(1)); !p.ProbablyPrime(0); p.Sub(p, big.NewInt(2)) {
	}
	f, err := bigprime.New[E](p)
	if err != nil {
		return err
	}
	return productTime(w, f, budget)
}

func productTime[E bigprime.Words](w io.Writer, f *bigprime.Field[E], budget time.Duration) error {
	var e E
	n := max(8, 1<<9/len(e))
	v, rnd := [3][]E{}, rand.New(rand.NewPCG(1, 2))
	for i := range v {
		v[i] = make([]E, n)
		for j := range v[i] {
			f.Random(&v[i][j], rnd)
		}
	}
	ours := []func() error{
		func() error { return f.MulMontgomery(v[0], v[1], v[2]) },
		func() error {
			f.MulVec(v[0], v[1], v[2])
			return nil
		},
	}
	do, z := ours, make([]E, n)
	for i, product := range gmpProducts(f) {
		peer := func() error {
			product(wordsOf(z), wordsOf(v[1]), wordsOf(v[2]))
			return nil
		}
		if err := errors.Join(ours[i](), peer()); err != nil {
			return err
		}
		if !slices.Equal(wordsOf(v[0]), wordsOf(z)) {
			return fmt.Errorf("products modulo %s are not those of GMP", f.Name())
		}
		do = append(do, peer)
	}
	t, err := inTurn(budget, max(1, 1<<12/len(e)/len(e)), do...)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%6d", f.Characteristic().BitLen())
	for i := range ours {
		fmt.Fprintf(w, " %10.2f", t[i]/float64(n))
		if len(t) > len(ours) {
			peer := t[len(ours)+i]
			fmt.Fprintf(w, " %10.2f %6.3f", peer/float64(n), t[i]/peer)
		}
	}
	fmt.Fprintln(w)
	return nil
}

// wordsOf are the words of elements.
func wordsOf[E bigprime.Words](x []E) []uint64 {
	var e E
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(x))), len(x)*len(e))
}
