// Command bench compares transforms and products with those of peers: the same field, root, input and output order, one
// pinned thread, plans and tables made beforehand, the sides in turn, the minimum of many. Outputs are compared, value
// by value, before a figure is printed. It also has measurements of this library alone that go together with them:
//
//	go run -C bench . # lists the commands
//	go run -C bench . peers -min 10 -max 20
//
// Peers are required by this module alone; users of the library never see them.
package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bigprime"
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
	if err := execute(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// run prints comparisons of forward transforms with libraries in Go, one JSON object a line.
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
				func(n int, budget time.Duration) (result, error) {
					return compare(bigprime.BN254(), n, budget, gnarkBN254(n, 1))
				},
				func(n int, budget time.Duration) (result, error) {
					return compare(bigprime.BLS12381(), n, budget, gnarkBLS12381(n, 1))
				},
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
	name := cmp.Or(p.name, gnark)
	res := result{Field: f.Name(), Op: "forward", N: n, Order: fft.BitReversed.String(), Tier: cpu.Active().String(),
		Peer: name, PeerVersion: version(name),
		Go: runtime.Version(), CPU: benchjson.CPU(), Features: benchjson.Features(), Caches: benchjson.Caches(),
		Date: benchjson.Now()}
	forward, err := beforehand(f, n, p)
	if err != nil {
		return res, err
	}
	res.NsMin, res.PeerNsMin = math.Inf(1), math.Inf(1)
	for end := time.Now().Add(budget); res.Reps < 11 || time.Now().Before(end); res.Reps++ {
		start := time.Now()
		if err := forward(); err != nil {
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

// beforehand makes our transform, and checks that its values are those of p.
func beforehand[E comparable](f ours[E], n int, p peer[E]) (forward func() error, err error) {
	opts := []fft.Option{fft.WithOrder(fft.BitReversed), fft.WithRoot(p.root)}
	if p.shift != nil {
		opts = append(opts, fft.WithCoset(*p.shift))
	}
	plan, err := fft.NewPlan[E](f, n, opts...)
	if err != nil {
		return nil, err
	}
	x := random(f, n)
	y := slices.Clone(x)
	p.load(x)
	p.forward()
	if err := plan.Forward(y, y); err != nil {
		return nil, err
	}
	if !slices.Equal(y, p.values()) {
		return nil, fmt.Errorf("%s, length %d: the values are not those of %s", f.Name(), n, cmp.Or(p.name, gnark))
	}
	return func() error { return plan.Forward(y, y) }, nil
}

// version is the version of a module that this program was built with, or of Go for its own packages.
func version(module string) string {
	if !strings.Contains(module, ".") {
		return runtime.Version()
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Path == module {
				return m.Version
			}
		}
	}
	return "unknown"
}
