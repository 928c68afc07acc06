package main

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/galfft/fft/internal/svg"
)

// Lines that bench/gpu.sh prints: the head of the file, BenchmarkThesis and BenchmarkContest of package gpu.
var (
	gpuHead      = regexp.MustCompile(`^(\S+), (commit \S+)$`)
	wholeLine    = regexp.MustCompile(`^gfpf:(P\d) 2\^(\d+): whole (\S+), `)
	thesisLine   = regexp.MustCompile(`^gfpf:(P\d) 2\^(\d+): thesis, (planes|elements) (\S+) ms`)
	fairLine     = regexp.MustCompile(`^gfpf:P3 2\^(\d+): \d+ x (\d+) bits: project .* ms, (\S+)$`)
	unfairsLine  = regexp.MustCompile(`^gfpf:P3 2\^(\d+): .*Benchmark 2 \S+ ms, (\S+) .*Benchmark 1 \S+ ms, (\S+)$`)
	thesisLogs   = []int{8, 12, 16, 20}                     // of the lengths in tables 7.1 to 7.5
	thesisP3     = []float64{0.038, 0.384, 22.414, 468.464} // ms, GTX 760M
	thesisRatios = []float64{57.7, 14.1, 0.888, 0.535}      // Benchmark 1 there, the best rival
)

// drawGPU draws the lines of bench/gpu.sh beside figures of the thesis of D. Mohajerani: time per point of transforms
// and of its structure, or with contest what small primes take as a multiple of one large prime's time, for P3.
func drawGPU(text, plot string, contest bool) error {
	raw, err := os.ReadFile(text)
	if err != nil {
		return err
	}
	var c svg.Chart
	add := func(name string, dashed bool, log int, value float64) {
		c.Add(name, dashed, svg.Point{N: float64(uint64(1) << log), Value: value})
	}
	head, scanner := "", bufio.NewScanner(bytes.NewReader(raw))
	var wrong error
	number := func(text string) float64 {
		x, err := strconv.ParseFloat(text, 64)
		wrong = cmp.Or(wrong, err)
		return x
	}
	perPoint := func(name string, log, ms string) {
		n := int(number(log))
		add(name, false, n, number(ms)*1e6/float64(uint64(1)<<n))
	}
	ratio := func(name, log, x string) { add(name, false, int(number(log)), number(x)) }
	for scanner.Scan() {
		line := scanner.Text()
		if m := gpuHead.FindStringSubmatch(line); m != nil && head == "" {
			head = m[2] + ", " + m[1]
		} else if m := wholeLine.FindStringSubmatch(line); m != nil && !contest {
			perPoint(m[1], m[2], m[3])
		} else if m := thesisLine.FindStringSubmatch(line); m != nil && !contest {
			perPoint(m[1]+", structure, "+m[3], m[2], m[4])
		} else if m := fairLine.FindStringSubmatch(line); m != nil && contest {
			ratio("fair, primes of "+m[2]+" bits", m[1], m[3])
		} else if m := unfairsLine.FindStringSubmatch(line); m != nil && contest {
			ratio("Benchmark 1", m[1], m[3])
			ratio("Benchmark 2", m[1], m[2])
		}
	}
	if wrong != nil {
		return fmt.Errorf("%s: %w", text, wrong)
	}
	if head == "" || len(c.Lines) == 0 {
		return fmt.Errorf("%s is not what bench/gpu.sh prints", text)
	}
	card := strings.TrimSpace(strings.SplitN(string(raw), "\n", 3)[1])
	card, _, _ = strings.Cut(card, ",")
	for i, log := range thesisLogs {
		if contest {
			add("thesis, GTX 760M, Benchmark 1", true, log, thesisRatios[i])
		} else {
			add("P3, thesis, GTX 760M", true, log, thesisP3[i]*1e6/float64(uint64(1)<<log))
		}
	}
	if c.Title, c.Y = card+": r^k + 1, and the thesis' structure", "ns a point, "+head; contest {
		c.Title, c.Y = card+": small primes over one large, P3", "times of the large prime's, "+head
	}
	return os.WriteFile(plot, c.Render(), 0o666)
}
