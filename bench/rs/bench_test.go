package rs

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/galfft/fft/internal/pin"
	"github.com/galfft/fft/kernels/linear"
	"github.com/galfft/fft/rs"
	"github.com/klauspost/reedsolomon"
)

// lowered keeps theirs to what ours may take: GALFFT_CPU=avx2 is for both.
func lowered() []reedsolomon.Option {
	if os.Getenv("GALFFT_CPU") != "avx2" {
		return nil
	}
	return []reedsolomon.Option{reedsolomon.WithGFNI(false), reedsolomon.WithAVXGFNI(false),
		reedsolomon.WithAVX512(false)}
}

var commit = flag.String("commit", "unknown", "what the heading of results says")

// heading says what results are of.
var heading = sync.OnceFunc(func() {
	machine := runtime.GOARCH
	if info, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		if _, after, ok := strings.Cut(string(info), "model name\t: "); ok {
			machine, _, _ = strings.Cut(after, "\n")
		}
	}
	fmt.Printf("# %s, %s, kernels %s, commit %s, klauspost/reedsolomon v1.14.2, one goroutine, least times in turns\n",
		time.Now().UTC().Format(time.DateOnly), machine, linear.Active().Form, *commit)
})

// word is the shape of words that are timed.
type word struct {
	code               rs.Code
	data, parity, size int
}

func (w word) String() string { return fmt.Sprintf("%v/%d+%d×%d", w.code, w.data, w.parity, w.size) }

// shards has random ones.
func (w word) shards() [][]byte {
	r := rand.NewChaCha8([32]byte{1})
	shards := make([][]byte, w.data+w.parity)
	for i := range shards {
		shards[i] = make([]byte, w.size)
		_, _ = r.Read(shards[i])
	}
	return shards
}

// theirs is the plan of klauspost/reedsolomon.
func (w word) theirs(b *testing.B, more ...reedsolomon.Option) reedsolomon.Encoder {
	options := append(append(lowered(), reedsolomon.WithMaxGoroutines(1)), more...)
	for _, c := range same {
		if c.code == w.code {
			options = append(options, c.option)
		}
	}
	e, err := reedsolomon.New(w.data, w.parity, options...)
	if err != nil {
		b.Fatal(err)
	}
	return e
}

func (w word) ours(b *testing.B, options ...rs.Option) *rs.Plan {
	p, err := rs.New(w.data, w.parity, append(options, rs.WithCode(w.code))...)
	if err != nil {
		b.Fatal(err)
	}
	return p
}

// lose empties all shards that may be lost, from one on.
func (w word) lose(shards [][]byte, from int) {
	for i := range w.parity {
		j := (from + i) % len(shards)
		shards[j] = shards[j][:0]
	}
}

var words = []word{{rs.Vandermonde, 10, 4, 8 << 10}, {rs.Vandermonde, 10, 4, 1 << 20}, {rs.Leopard8, 128, 128, 8 << 10},
	{rs.Leopard16, 1000, 200, 1 << 10}, {rs.Leopard16, 1024, 1024, 4 << 10}, {rs.Leopard16, 1024, 1024, 64 << 10},
	{rs.Leopard16, 32768, 32768, 1 << 10}}

// least is the least time of each of those that run in turns.
type least []time.Duration

func (l least) of(b *testing.B, k int, do func() error) {
	start := time.Now()
	if err := do(); err != nil {
		b.Fatal(err)
	}
	if took := time.Since(start); l[k] == 0 || took < l[k] {
		l[k] = took
	}
}

func (l least) report(b *testing.B, names ...string) {
	for k, name := range names {
		b.ReportMetric(float64(l[k])/1e3, name+"-µs")
	}
	b.ReportMetric(float64(l[0])/float64(l[1]), names[0]+"/"+names[1])
}

// BenchmarkTurns times both libraries in turns, on one goroutine, and reports the least time of each and ours over
// theirs: go -C bench/rs test -run '^$' -bench Turns -benchtime 200x -commit $(git rev-parse --short HEAD)
//
// All that may be lost is lost: a rebuild knows the pattern from the call before, and one of another pattern does not.
//
// GALFFT_CPU=avx2 is for both.
func BenchmarkTurns(b *testing.B) {
	heading()
	for _, w := range words {
		for _, what := range []string{"encode", "rebuild", "another"} {
			b.Run(what+"/"+w.String(), func(b *testing.B) {
				theirs, plan := w.theirs(b, reedsolomon.WithInversionCache(what != "another")), w.ours(b)
				shards, l, from := w.shards(), make(least, 2), 0
				if err := theirs.Encode(shards); err != nil {
					b.Fatal(err)
				}
				for b.Loop() {
					for k, c := range []coder{ours{plan}, theirs} {
						do := c.Encode
						if what != "encode" {
							do = c.Reconstruct
							w.lose(shards, from)
						}
						l.of(b, k, func() error { return do(shards) })
					}
					if what == "another" {
						from = (from + 1) % w.data
					}
				}
				l.report(b, "ours", "theirs")
			})
		}
	}
}

// BenchmarkWorkers times 1, 2, 4, … workers in turns, each pinned to a processor, and reports the least time of all
// over that of one. All results are compared.
func BenchmarkWorkers(b *testing.B) {
	heading()
	w := word{rs.Leopard16, 1024, 1024, 64 << 10}
	for _, rebuild := range []bool{false, true} {
		b.Run(map[bool]string{false: "encode/", true: "rebuild/"}[rebuild]+w.String(), func(b *testing.B) {
			var runners []*pin.Runner
			var plans []*rs.Plan
			for n := 1; n <= runtime.NumCPU(); n *= 2 {
				r, err := pin.New(n)
				if err != nil {
					b.Fatal(err)
				}
				defer r.Close()
				runners, plans = append(runners, r), append(plans, w.ours(b, rs.WithWorkers(n), rs.WithRunner(r)))
			}
			shards, l := w.shards(), make(least, len(plans))
			if err := plans[0].Encode(b.Context(), shards); err != nil {
				b.Fatal(err)
			}
			whole := clone(shards)
			for b.Loop() {
				for k, p := range plans {
					do := p.Encode
					if rebuild {
						w.lose(shards, 0)
						do = p.Reconstruct
					}
					if err := runners[k].Do(func() {
						for range 3 { // the first ones wake the workers
							if rebuild {
								w.lose(shards, 0)
							}
							l.of(b, k, func() error { return do(b.Context(), shards) })
						}
					}); err != nil {
						b.Fatal(err)
					}
					if !equal(shards, whole) {
						b.Fatalf("the results of %d workers are not those of one", 1<<k)
					}
				}
			}
			for k := range plans {
				b.ReportMetric(float64(l[k])/1e3, fmt.Sprintf("%d-µs", 1<<k))
				b.ReportMetric(float64(l[0])/float64(l[k]), fmt.Sprintf("1/%d", 1<<k))
			}
		})
	}
}

// BenchmarkLocate times a repair of wrong shards at unknown places, and a rebuild of the same shards as losses and of
// all that may be lost.
func BenchmarkLocate(b *testing.B) {
	heading()
	const wrong = 100
	w := word{rs.Leopard16, 1024, 1024, 4 << 10}
	b.Run(fmt.Sprintf("%d/%v", wrong, w), func(b *testing.B) {
		plan, rebuilds := w.ours(b), w.ours(b)
		shards, l := w.shards(), make(least, 3)
		if err := plan.Encode(b.Context(), shards); err != nil {
			b.Fatal(err)
		}
		whole, r := clone(shards), rand.New(rand.NewPCG(1, 2))
		for b.Loop() {
			some := r.Perm(len(shards))[:wrong]
			for _, i := range some {
				for j := range shards[i] {
					shards[i][j] = byte(r.Uint32())
				}
			}
			l.of(b, 0, func() error { _, err := plan.Repair(b.Context(), shards); return err })
			if !equal(shards, whole) {
				b.Fatal("the repair is not what there was")
			}
			for _, i := range some {
				shards[i] = shards[i][:0]
			}
			l.of(b, 1, func() error { return rebuilds.Reconstruct(b.Context(), shards) })
			w.lose(shards, 0)
			l.of(b, 2, func() error { return rebuilds.Reconstruct(b.Context(), shards) })
		}
		l.report(b, "repair", "rebuild", "rebuild-of-all")
	})
}
