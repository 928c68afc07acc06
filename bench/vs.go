package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"math/bits"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/benchjson"
	"github.com/galfft/fft/internal/cpu"
	"github.com/galfft/fft/poly"
)

// rival is an operation of ours beside that of a Go library, in this process.
type rival struct {
	peer, field, op, order string
	// prepare makes both for one input of length n, and checks that they give the same.
	prepare func(n int) (ours, theirs func() error, err error)
}

// rivals lists what can be compared: a new peer is a line.
func rivals() []rival {
	return []rival{
		transforms(smallprime.BabyBear(), gnark, gnarkBabyBear),
		transforms(smallprime.KoalaBear(), gnark, gnarkKoalaBear),
		transforms(smallprime.Goldilocks(), gnark, gnarkGoldilocks),
		transforms(bigprime.BN254(), gnark, func(n int) peer[[4]uint64] { return gnarkBN254(n, 1) }),
		transforms(bigprime.BLS12381(), gnark, func(n int) peer[[4]uint64] { return gnarkBLS12381(n, 1) }),
		besideLattigo(),
		products(smallprime.P62()),
		products(smallprime.P64()),
	}
}

func transforms[E comparable](f ours[E], name string, other func(n int) peer[E]) rival {
	return rival{name, f.Name(), "forward", fft.BitReversed.String(), func(n int) (a, b func() error, err error) {
		return both(f, n, other(n))
	}}
}

func both[E comparable](f ours[E], n int, p peer[E]) (a, b func() error, err error) {
	a, err = beforehand(f, n, p)
	return a, func() error { p.forward(); return nil }, err
}

func besideLattigo() rival {
	r := rival{peer: lattigo, op: "forward", order: fft.BitReversed.String()}
	f, err := prime60()
	if err == nil {
		r.field = f.Name()
	}
	r.prepare = func(n int) (a, b func() error, _ error) {
		if err != nil {
			return nil, nil, err
		}
		p, err := lattigoNTT(f, n)
		if err != nil {
			return nil, nil, err
		}
		return both(f, n, p)
	}
	return r
}

// short is the name of a peer without the rest of its path.
func short(peer string) string {
	parts := strings.Split(peer, "/")
	return parts[min(2, len(parts)-1)]
}

// products is a product of two polynomials of n coefficients, beside one of integers of math/big.
func products(f *smallprime.Field64) rival {
	return rival{"math/big", f.Name(), "polymul", "", func(n int) (a, b func() error, err error) {
		r, err := poly.New(f)
		if err != nil {
			return nil, nil, err
		}
		v := random(f, 2*n)
		x, y, z := v[:n], v[n:], make([]uint64, 2*n-1)
		a = func() error { return r.MulTo(context.Background(), z, x, y) }
		if err := a(); err != nil {
			return nil, nil, err
		}
		w := make([]uint64, 2*n-1)
		k := newKronecker(f.Modulus())
		b = func() error { k.multiply(w, x, y); return nil }
		if err := b(); err != nil {
			return nil, nil, err
		}
		if !slices.Equal(z, w) {
			return nil, nil, fmt.Errorf("%s, length %d: the product is not that of math/big", f.Name(), n)
		}
		return a, b, nil
	}}
}

// kronecker multiplies polynomials as integers, with three words for each coefficient of the product: n(p−1)² < 2^192.
type kronecker struct {
	p       uint64
	words   [2][]big.Word
	x, y, z big.Int
}

const slot = 3

func newKronecker(p uint64) *kronecker { return &kronecker{p: p} }

func (k *kronecker) multiply(z, x, y []uint64) {
	for i, v := range [][]uint64{x, y} {
		if len(k.words[i]) != slot*len(v) {
			k.words[i] = make([]big.Word, slot*len(v))
		}
		for j, c := range v {
			k.words[i][slot*j] = big.Word(c)
		}
	}
	k.z.Mul(k.x.SetBits(k.words[0]), k.y.SetBits(k.words[1]))
	digits := k.z.Bits()
	for i := range z {
		rest := uint64(0)
		for j := slot*(i+1) - 1; j >= slot*i; j-- {
			if j < len(digits) {
				_, rest = bits.Div64(rest, uint64(digits[j]), k.p)
			}
		}
		z[i] = rest
	}
}

// among are the rivals of peers with a text in their names, or of all, over fields with another in theirs.
func among(list []rival, peer, field string) []rival {
	return slices.DeleteFunc(list, func(r rival) bool {
		return peer != "all" && !strings.Contains(r.peer, peer) || !strings.Contains(r.field, field)
	})
}

type form int

const (
	tableForm form = iota
	jsonForm
	benchForm
)

const rivalRow = "%-26s %-10s %-6s %-14s %10s %10s %7s %10s %10s %7s %7s\n"

// runRivals compares for lengths from 2^least to 2^most, and prints in a form.
func runRivals(w io.Writer, as form, list []rival, least, most int, budget time.Duration, commit string) error {
	switch {
	case least < 1 || most < least || most > 24:
		return fmt.Errorf("lengths 2^%d to 2^%d, want 1 ≤ min ≤ max ≤ 24", least, most)
	case len(list) == 0:
		var all []string
		for _, r := range rivals() {
			all = append(all, fmt.Sprintf("%s for %s of %s", r.peer, r.op, r.field))
		}
		return fmt.Errorf("no such peer and field, want one of %q", all)
	}
	date := benchjson.Now()
	var err error
	switch as {
	case tableForm:
		fmt.Fprint(w, benchjson.Heading(commit))
		_, err = fmt.Fprintf(w, rivalRow, "field", "op", "n", "peer", "ours", "median", "spread", "peer's", "median",
			"spread", "ratio")
	case benchForm:
		err = benchjson.Line{CPU: benchjson.CPU(), Commit: commit, Date: date}.WriteHeader(w)
	}
	if err != nil {
		return err
	}
	for _, r := range list {
		for log := least; log <= most; log++ {
			a, b, err := r.prepare(1 << log)
			if err != nil {
				return fmt.Errorf("%s: %w", r.peer, err)
			}
			x, y, err := duel(a, b, budget)
			if err != nil {
				return err
			}
			res := result{Field: r.field, Op: r.op, N: 1 << log, Order: r.order, Tier: cpu.Active().String(),
				NsMin: x.Min(), Peer: r.peer, PeerVersion: version(r.peer), PeerNsMin: y.Min(),
				Ratio: math.Round(1000*x.Min()/y.Min()) / 1000, Reps: len(x), Go: runtime.Version(),
				CPU: benchjson.CPU(), Features: benchjson.Features(), Caches: benchjson.Caches(), Commit: commit,
				Date: date}
			if err := res.write(w, as, x, y); err != nil {
				return err
			}
		}
	}
	return nil
}

// duel runs both in turn, in samples of at least a tenth of a millisecond.
func duel(ours, theirs func() error, budget time.Duration) (x, y benchjson.Samples, err error) {
	for end, round := time.Now().Add(budget), 0; round < 12 || time.Now().Before(end); round++ {
		for _, side := range []struct {
			run func() error
			m   *benchjson.Samples
		}{{ours, &x}, {theirs, &y}} {
			runs := 1
			if len(*side.m) > 0 {
				runs = max(1, int(1e5/(*side.m)[0].Ns))
			}
			start := time.Now()
			for range runs {
				err = errors.Join(err, side.run())
			}
			ns := float64(time.Since(start)) / float64(runs)
			*side.m = append(*side.m, benchjson.Sample{Ops: runs, Ns: ns})
		}
		if err != nil {
			return x, y, err
		}
	}
	x, y = x[1:], y[1:] // the first warm up
	return x, y, nil
}

// write writes what was measured of both sides.
func (r *result) write(w io.Writer, as form, x, y benchjson.Samples) (err error) {
	switch as {
	case jsonForm:
		return json.NewEncoder(w).Encode(r)
	case benchForm:
		name := func(lib string) string {
			return fmt.Sprintf("Benchmark%s%s/field=%s/n=%d/lib=%s", strings.ToUpper(r.Op[:1]), r.Op[1:], r.Field, r.N,
				lib)
		}
		return errors.Join(benchjson.WriteSamples(w, name("galfft"), x),
			benchjson.WriteSamples(w, name(short(r.Peer)), y))
	}
	percent := func(m benchjson.Samples) string { return fmt.Sprintf("%.1f %%", 100*m.Spread()) }
	length := fmt.Sprintf("2^%d", bits.Len(uint(r.N))-1)
	_, err = fmt.Fprintf(w, rivalRow, r.Field, r.Op, length, short(r.Peer), nanos(x.Min()), nanos(x.Median()),
		percent(x), nanos(y.Min()), nanos(y.Median()), percent(y), fmt.Sprintf("%.3f", r.Ratio))
	return err
}
