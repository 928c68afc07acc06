// Command bench compares transforms with those of peers in one process: the same field, root, input and output
// order, one pinned thread, plans and tables made beforehand, the two in turn, the minimum of many. Both
// outputs are compared, value by value, before a figure is printed: one JSON object a line.
//
//	go run -C bench . [-min 10] [-max 20] [-time 500ms] [-commit REV]
//	go run -C bench . -with PROGRAM # the same with a peer in another language, made from a file of bench/peers
//	go run -C bench . -ratios # what natural order, the inverse, cosets, products and short transforms in batches cost
//	go run -C bench . -gfpf # generalized Fermat primes, beside published times and math/big
//	go run -C bench . -big # primes of several words, beside gnark-crypto
//	go run -C bench . -cores # 1, 2, 4, … workers
//	go run -C bench . -simulate [-phases] # how far the sharing among up to 64 workers goes, by times on one processor
//	go run -C bench . -contest # one transform modulo a large prime beside those modulo small ones
//	go run -C bench . -draw FILE -plot OUT # a picture, in SVG, of what -contest printed into a file, or bench/gpu.sh
//
// Peers are required by this module alone; users of the library never see them.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/benchjson"
	"github.com/galfft/fft/internal/cpu"
	"github.com/galfft/fft/internal/pin"
)

// result is one comparison of forward transforms, natural order in, bit-reversed order out.
type result struct {
	Field       string  `json:"field"`
	Op          string  `json:"op"`
	N           int     `json:"n"`
	Order       string  `json:"order"`
	Tier        string  `json:"tier"`
	NsMin       float64 `json:"ns_min"`
	Peer        string  `json:"peer"`
	PeerVersion string  `json:"peer_version"`
	PeerNsMin   float64 `json:"peer_ns_min"`
	Ratio       float64 `json:"ratio"` // ns_min / peer_ns_min
	Reps        int     `json:"reps"`
	Go          string  `json:"go"`
	CPU         string  `json:"cpu"`
	Features    string  `json:"features"`
	Caches      string  `json:"caches"`
	Commit      string  `json:"commit"`
	Date        string  `json:"date"`
}

// peer is a transform of another library over the field of ours: load and values convert canonical residues.
type peer[E any] struct {
	name    string // of its module; "" is gnark-crypto
	root    E
	shift   *E // of the points; nil is 1
	load    func(x []E)
	forward func()
	values  func() []E
}

func main() {
	least, most := flag.Int("min", 10, "log2 of the shortest length"), flag.Int("max", 20, "log2 of the longest length")
	budget := flag.Duration("time", 500*time.Millisecond, "time for each comparison")
	parts := flag.Bool("ratios", false, "print what orders, directions, domains, batches and products cost instead")
	large := flag.Bool("gfpf", false, "print times of generalized Fermat primes beside published ones instead")
	duel := flag.Bool("contest", false, "compare one transform modulo a prime r^k + 1 with those modulo small primes instead")
	many := flag.Bool("cores", false, "print times with 1, 2, 4, … workers, up to the processors, instead")
	simulated := flag.Bool("simulate", false, "print how far the sharing among workers goes, by times on one, instead")
	phases := flag.Bool("phases", false, "with -simulate: list the phases")
	wake := flag.Duration("wake", 3*time.Microsecond, "with -simulate: what a worker takes to wake")
	filter := flag.String("case", "", "with -cores and -simulate: only what has `text` in its name")
	multi := flag.Bool("big", false, "print times of primes of several words beside gnark-crypto's instead")
	var with []string
	flag.Func("with", "compare with the `program` of a peer instead, made from a file of peers; may be given again", func(path string) error {
		with = append(with, path)
		return nil
	})
	draw := flag.String("draw", "", "draw the contest whose lines are in a `file`, into that of -plot, instead")
	plot := flag.String("plot", "", "SVG `file` to draw into")
	commit := flag.String("commit", benchjson.Commit(), "revision to record")
	flag.Parse()
	do := func() error { return run(*least, *most, *budget, *commit) }
	if *parts {
		do = func() error { return pinned(func() error { return ratios(os.Stdout, *budget, *commit) }) }
	}
	if *large {
		do = func() error {
			if err := pinned(func() error { return fermat(os.Stdout, *budget, *commit) }); err != nil {
				return err
			}
			return secondWorker(os.Stdout, *budget)
		}
	}
	if *many {
		do = func() error {
			return cores(os.Stdout, coreCases(*most, *filter), powers(runtime.NumCPU()), *budget, *commit)
		}
	}
	if *simulated {
		do = func() error {
			return pinned(func() error {
				return simulate(os.Stdout, coreCases(*most, *filter), powers(64)[1:], *wake, *budget, *phases)
			})
		}
	}
	if *multi {
		do = func() error { return bigPrimes(os.Stdout, *budget, *commit, *most) }
	}
	if *duel {
		do = func() error { return runContest(os.Stdout, *budget, *commit, *most) }
	}
	if with != nil {
		do = func() error {
			return pinned(func() error { return programs(os.Stdout, with, *least, *most, *budget, *commit) })
		}
	}
	if *draw != "" {
		do = func() error {
			switch {
			case *plot == "":
				return errors.New("-draw without -plot, want a file to draw into")
			case strings.HasSuffix(*draw, "-gpu-times.txt"):
				return drawGPU(*draw, *plot, *duel)
			}
			return drawContest(*draw, *plot)
		}
	}
	if err := do(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(least, most int, budget time.Duration, commit string) error {
	if least < 1 || most < least || most > 24 {
		return fmt.Errorf("lengths 2^%d to 2^%d, want 1 ≤ min ≤ max ≤ 24", least, most)
	}
	return pinned(func() error {
		for k := least; k <= most; k++ {
			for _, compare := range []func(n int, budget time.Duration) (result, error){
				func(n int, budget time.Duration) (result, error) {
					return compare(smallprime.BabyBear(), n, budget, gnarkBabyBear(n))
				},
				func(n int, budget time.Duration) (result, error) {
					return compare(smallprime.KoalaBear(), n, budget, gnarkKoalaBear(n))
				},
				func(n int, budget time.Duration) (result, error) {
					return compare(smallprime.Goldilocks(), n, budget, gnarkGoldilocks(n))
				},
				compareLattigo,
			} {
				res, err := compare(1<<k, budget)
				if err != nil {
					return err
				}
				res.Commit = commit
				if err := json.NewEncoder(os.Stdout).Encode(res); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// pinned runs f on a thread pinned to a CPU.
func pinned(f func() error) error {
	r, err := pin.New(1)
	if err != nil {
		return err
	}
	defer r.Close()
	var failed error
	if err := r.Do(func() { failed = f() }); err != nil {
		return err
	}
	return failed
}

// ours is a field of this library as a comparison needs it.
type ours[E any] interface {
	field.Rooted[E]
	field.Info
	field.Sampler[E]
}

func compare[E comparable](f ours[E], n int, budget time.Duration, p peer[E]) (result, error) {
	name := p.name
	if name == "" {
		name = gnark
	}
	res := result{Field: f.Name(), Op: "forward", N: n, Order: fft.BitReversed.String(), Tier: cpu.Active().String(),
		Peer: name, PeerVersion: version(name),
		Go: runtime.Version(), CPU: benchjson.CPU(), Features: benchjson.Features(), Caches: benchjson.Caches(),
		Date: time.Now().UTC().Format(time.DateOnly)}
	opts := []fft.Option{fft.WithOrder(fft.BitReversed), fft.WithRoot(p.root)}
	if p.shift != nil {
		opts = append(opts, fft.WithCoset(*p.shift))
	}
	plan, err := fft.NewPlan[E](f, n, opts...)
	if err != nil {
		return res, err
	}
	x, rng := make([]E, n), rand.New(rand.NewPCG(1, uint64(n)))
	for i := range x {
		f.Random(&x[i], rng)
	}
	y := slices.Clone(x)
	p.load(x)
	p.forward()
	if err := plan.Forward(y, y); err != nil {
		return res, err
	}
	if !slices.Equal(y, p.values()) {
		return res, fmt.Errorf("%s, length %d: the values are not those of %s", res.Field, n, name)
	}
	res.NsMin, res.PeerNsMin = math.Inf(1), math.Inf(1)
	for end := time.Now().Add(budget); res.Reps < 11 || time.Now().Before(end); res.Reps++ {
		start := time.Now()
		if err := plan.Forward(y, y); err != nil {
			return res, err
		}
		middle := time.Now()
		p.forward()
		res.PeerNsMin = min(res.PeerNsMin, float64(time.Since(middle)))
		res.NsMin = min(res.NsMin, float64(middle.Sub(start)))
	}
	res.Ratio = math.Round(1000*res.NsMin/res.PeerNsMin) / 1000
	return res, nil
}

// version is the version of a module that this program was built with.
func version(module string) string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Path == module {
				return m.Version
			}
		}
	}
	return "unknown"
}
