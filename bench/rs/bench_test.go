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

// BenchmarkTurns times both libraries in turns, on one goroutine, and reports the least time of each and ours over
// theirs: go -C bench/rs test -run '^$' -bench Turns -benchtime 200x -commit $(git rev-parse --short HEAD)
//
// GALFFT_CPU=avx2 is for both.
func BenchmarkTurns(b *testing.B) {
	heading()
	for _, w := range []struct {
		code               rs.Code
		data, parity, size int
	}{{rs.Vandermonde, 10, 4, 8 << 10}, {rs.Vandermonde, 10, 4, 1 << 20}, {rs.Leopard8, 128, 128, 8 << 10},
		{rs.Leopard16, 1000, 200, 1 << 10}, {rs.Leopard16, 1024, 1024, 4 << 10}, {rs.Leopard16, 1024, 1024, 64 << 10},
		{rs.Leopard16, 32768, 32768, 1 << 10}} {
		var option reedsolomon.Option
		for _, c := range same {
			if c.code == w.code {
				option = c.option
			}
		}
		for _, rebuild := range []bool{false, true} {
			what := map[bool]string{false: "encode", true: "rebuild"}[rebuild]
			b.Run(fmt.Sprintf("%s/%v/%d+%d×%d", what, w.code, w.data, w.parity, w.size), func(b *testing.B) {
				options := append(lowered(), option, reedsolomon.WithMaxGoroutines(1))
				theirs, err := reedsolomon.New(w.data, w.parity, options...)
				if err != nil {
					b.Fatal(err)
				}
				plan, err := rs.New(w.data, w.parity, rs.WithCode(w.code))
				if err != nil {
					b.Fatal(err)
				}
				r := rand.New(rand.NewPCG(1, 2))
				shards := make([][]byte, w.data+w.parity)
				for i := range shards {
					shards[i] = make([]byte, w.size)
					for j := range shards[i] {
						shards[i][j] = byte(r.Uint32())
					}
				}
				least := [2]time.Duration{1 << 62, 1 << 62}
				for i := 0; b.Loop(); i++ {
					for k, c := range []coder{ours{plan}, theirs} {
						for j := range shards {
							if rebuild && j < w.parity { // all that may be lost
								shards[j] = shards[j][:0]
							}
						}
						do := c.Encode
						if rebuild {
							do = c.Reconstruct
						}
						start := time.Now()
						if err := do(shards); err != nil {
							b.Fatal(err)
						}
						least[k] = min(least[k], time.Since(start))
					}
				}
				b.ReportMetric(float64(least[0])/1e3, "ours-µs")
				b.ReportMetric(float64(least[1])/1e3, "theirs-µs")
				b.ReportMetric(float64(least[0])/float64(least[1]), "ours/theirs")
			})
		}
	}
}
