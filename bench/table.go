package main

import (
	"bytes"
	_ "embed"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strconv"
	"time"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/benchjson"
	"github.com/galfft/fft/internal/cpu"
)

//go:embed peers/targets.csv
var targetsCSV []byte

// target is one line of peers/targets.csv.
type target struct {
	field, order, peer string
	log2n              int
	ns, atMost, aim    float64
}

func targets() ([]target, error) {
	lines, err := csv.NewReader(bytes.NewReader(targetsCSV)).ReadAll()
	if err != nil {
		return nil, err
	}
	var list []target
	for _, l := range lines[1:] {
		t := target{field: l[0], order: l[1], peer: l[3]}
		if t.log2n, err = strconv.Atoi(l[2]); err != nil {
			return nil, err
		}
		for i, x := range []*float64{&t.ns, &t.atMost, &t.aim} {
			if *x, err = strconv.ParseFloat(l[4+i], 64); err != nil {
				return nil, err
			}
		}
		list = append(list, t)
	}
	return list, nil
}

// recordedBabyBear is the time of gnark-crypto's BabyBear transform of 2^20 points on the machine of peers/cpu.csv.
const recordedBabyBear = 0.922e6

// table prints our times beside those recorded of peers, raw and scaled by gnark-crypto now over gnark-crypto then.
func table(w io.Writer, budget time.Duration, commit string) error {
	list, err := targets()
	if err != nil {
		return err
	}
	scale, err := printScale(w, budget, commit)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "\n%-10s %-7s %4s  %10s  %-15s %10s %10s  %6s %6s %8s %6s\n", "field", "order", "n", "ours", "peer",
		"recorded", "scaled", "ratio", "raw", "at most", "aim")
	for _, t := range list {
		ns, err := ownTime(t, budget)
		if err != nil {
			return err
		}
		ratio := ns / (t.ns * scale)
		fmt.Fprintf(w, "%-10s %-7s 2^%-2d  %10s  %-15s %10s %10s  %6.3f %6.3f %8.3f %6.3f\n",
			t.field, t.order, t.log2n, nanos(ns), t.peer, nanos(t.ns), nanos(t.ns*scale), ratio, ns/t.ns, t.atMost,
			t.aim)
	}
	return nil
}

// printScale heads a table with the machine, and returns the scale of recorded times: gnark-crypto now over
// gnark-crypto then.
func printScale(w io.Writer, budget time.Duration, commit string) (float64, error) {
	now, err := compare(smallprime.BabyBear(), 1<<20, 4*budget, gnarkBabyBear(1<<20))
	if err != nil {
		return 0, err
	}
	scale := now.PeerNsMin / recordedBabyBear
	fmt.Fprintf(w, "%s, %s, kernels %v, commit %s, %s\n", benchjson.CPU(), now.Go, cpu.Active(), commit, now.Date)
	fmt.Fprintf(w, "gnark-crypto %s, BabyBear, 2^20: %s now, %s recorded: scale %.3f", now.PeerVersion,
		nanos(now.PeerNsMin), nanos(recordedBabyBear), scale)
	if scale < 0.9 || scale > 1.1 {
		fmt.Fprint(w, ", outside 0.9 … 1.1: not the machine of the recorded figures, ratios are no comparison")
	}
	fmt.Fprintln(w)
	return scale, nil
}

// ownTime is the least time of one of our forward transforms.
func ownTime(t target, budget time.Duration) (float64, error) {
	order, err := field.ParseOrder(t.order)
	if err != nil {
		return 0, err
	}
	n := 1 << t.log2n
	switch t.field {
	case "babybear":
		return least(smallprime.BabyBear(), n, order, budget)
	case "p30":
		return least(smallprime.P30(), n, order, budget)
	case "p50":
		return least(smallprime.P50(), n, order, budget)
	case "p62":
		return least(smallprime.P62(), n, order, budget)
	case "p63":
		return least(smallprime.P63(), n, order, budget)
	case "p64":
		return least(smallprime.P64(), n, order, budget)
	case "goldilocks":
		return least(smallprime.Goldilocks(), n, order, budget)
	case "covanov":
		return least(smallprime.Covanov(), n, order, budget)
	case "P1":
		return least(smallprime.P1(), n, order, budget)
	}
	return 0, fmt.Errorf("peers/targets.csv: unknown field %q", t.field)
}

func least[E any](f ours[E], n int, order fft.Order, budget time.Duration) (float64, error) {
	plan, err := fft.NewPlan[E](f, n, fft.WithOrder(order))
	if err != nil {
		return 0, err
	}
	x, rng := make([]E, n), rand.New(rand.NewPCG(1, uint64(n)))
	for i := range x {
		f.Random(&x[i], rng)
	}
	best := math.Inf(1)
	calls := max(1, 1<<12/n)
	for end, reps := time.Now().Add(budget), 0; reps < 11 || time.Now().Before(end); reps++ {
		start := time.Now()
		for range calls {
			if err := plan.Forward(x, x); err != nil {
				return 0, err
			}
		}
		best = min(best, float64(time.Since(start))/float64(calls))
	}
	return best, nil
}

var units = []struct {
	of   float64 // ns
	name string
}{{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}, {1, "ns"}}

// nanos writes a time with three digits and its unit.
func nanos(ns float64) string {
	for _, u := range units {
		if ns >= u.of {
			return fmt.Sprintf("%.3g %s", ns/u.of, u.name)
		}
	}
	return fmt.Sprintf("%.3g ns", ns)
}
