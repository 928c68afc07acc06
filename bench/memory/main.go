// Command memory prints the memory of its process, as Linux has it, for products of two integers.
//
//	go run -C bench ./memory -bits 100000000 -limit 48000000
//
// It is a program of its own, as others of bench have tables and libraries in memory before they begin.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/galfft/fft/internal/benchjson"
	"github.com/galfft/fft/intmul"
)

// line is the memory of a process that multiplies two integers of bits, in bytes for each bit of their product:
// with operands, after one product, and after all.
type line struct {
	Op       string  `json:"op"`
	Bits     int     `json:"bits"`
	Limit    int     `json:"limit"` // of WithMemoryLimit; 0: none
	Min      int64   `json:"ns_min"`
	Reps     int     `json:"reps"`
	Operands float64 `json:"operands_bytes_per_bit"`
	First    float64 `json:"first_bytes_per_bit"`
	Peak     float64 `json:"peak_bytes_per_bit"`
	Explain  string  `json:"explain"`
	Go       string  `json:"go"`
	CPU      string  `json:"cpu"`
	Commit   string  `json:"commit"`
	Date     string  `json:"date"`
}

func main() {
	count := flag.Int("bits", 1e8, "bits of each factor")
	limit := flag.Int("limit", 0, "bytes of the memory limit, beside factors and product; 0 is none")
	reps := flag.Int("reps", 3, "products")
	commit := flag.String("commit", benchjson.Commit(), "commit that is measured")
	flag.Parse()
	if err := run(os.Stdout, line{Op: "mul", Bits: *count, Limit: *limit, Reps: *reps, Commit: *commit}); err != nil {
		fmt.Fprintln(os.Stderr, "memory:", err)
		os.Exit(1)
	}
}

// run completes a line and prints it. Each product is checked modulo 2^61 − 1.
func run(w io.Writer, l line) error {
	if l.Bits < 1 || l.Reps < 1 {
		return fmt.Errorf("%d bits and %d products, want one at least", l.Bits, l.Reps)
	}
	a, err := intmul.New(intmul.WithMemoryLimit(l.Limit))
	if err != nil {
		return err
	}
	n := (l.Bits + 63) / 64
	x, y, z := random(n, 1), random(n, 2), new(big.Int)
	var explain strings.Builder
	if err := a.Explain(&explain, 64*n, 64*n); err != nil {
		return err
	}
	l.Explain = strings.TrimSpace(explain.String())
	if l.Operands, err = l.peak(); err != nil {
		return err
	}
	want := mersenne(x, y)
	for i := range l.Reps {
		start := time.Now()
		if err := a.Mul(context.Background(), z, x, y); err != nil {
			return err
		}
		if took := time.Since(start).Nanoseconds(); i == 0 || took < l.Min {
			l.Min = took
		}
		if i == 0 {
			if l.First, err = l.peak(); err != nil {
				return err
			}
		}
		if mersenne(z) != want {
			return fmt.Errorf("a product of %d bits is wrong", l.Bits)
		}
	}
	if l.Peak, err = l.peak(); err != nil {
		return err
	}
	l.Go, l.CPU, l.Date = runtime.Version(), benchjson.CPU(), benchjson.Now()
	return json.NewEncoder(w).Encode(l)
}

// random returns an integer of so many words.
func random(words int, seed uint64) *big.Int {
	r, list := rand.New(rand.NewPCG(seed, uint64(words))), make([]big.Word, words)
	for i := range list {
		list[i] = big.Word(r.Uint64())
	}
	list[words-1] |= 1
	return new(big.Int).SetBits(list)
}

// peak is peakOf this process, in bytes for each bit of the product.
func (l line) peak() (float64, error) {
	kib, err := peakOf("/proc/self/status")
	return float64(kib<<10) / float64(2*l.Bits), err
}

// peakOf is the most memory that a process has had, in KiB, of its status.
func peakOf(status string) (kib int, err error) {
	text, err := os.ReadFile(status)
	if err != nil {
		return 0, err
	}
	_, after, _ := strings.Cut(string(text), "VmHWM:")
	if _, err := fmt.Sscanf(after, "%d kB", &kib); err != nil {
		return 0, fmt.Errorf("%s has no peak: %w", status, err)
	}
	return kib, nil
}

// mersenne is the product of integers modulo 2^61 − 1.
func mersenne(list ...*big.Int) uint64 {
	const p = 1<<61 - 1
	product := uint64(1)
	for _, x := range list {
		r := uint64(0)
		for i := len(x.Bits()) - 1; i >= 0; i-- {
			_, r = bits.Div64(r, uint64(x.Bits()[i]), p)
		}
		high, low := bits.Mul64(product, r)
		_, product = bits.Div64(high, low, p)
	}
	return product
}
