// Package benchjson is the form in which measurements are kept: one JSON object a line, or the lines that
// benchstat reads.
package benchjson

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"runtime"
	"strings"
)

// Line is one measurement. Its keys and their order are fixed: results are compared over years.
type Line struct {
	Field    string `json:"field"`
	Op       string `json:"op"`
	N        int    `json:"n"`        // length of a transform, coefficients of an operand, elements of a vector
	Batch    int    `json:"batch"`    // transforms in one call
	Scheme   string `json:"scheme"`   // as asked for
	Ran      string `json:"ran"`      // the scheme that ran, of a single transform; "" of other operations
	Products string `json:"products"` // how polynomials were multiplied: native, crt; "" of other operations
	// Subspace, of transforms over affine domains: own or given, and ", shifted" behind it where there is a shift.
	// Coefficients is their basis of polynomials: monomial or lch.
	Subspace     string  `json:"subspace,omitempty"`
	Coefficients string  `json:"coefficients,omitempty"`
	Base         int     `json:"base"`            // as asked for; 0 is the plan's choice
	Tier         string  `json:"tier"`            // the instruction set of the kernels; generic is plain Go, as was go before
	Backend      string  `json:"backend"`         // what ran transforms: cpu, or gpu where one at least was on a device
	Device       string  `json:"device"`          // its name; "" of the processor
	Driver       string  `json:"driver"`          // the version of CUDA that its driver serves; "" of the processor
	Residency    string  `json:"residency"`       // where the operands lie before and after: host or device
	Group        string  `json:"group,omitempty"` // of ranks, as --group has it, of mpi with their number
	Workers      int     `json:"workers"`
	Order        string  `json:"order"`
	NsMin        float64 `json:"ns_min"` // of one operation
	NsMedian     float64 `json:"ns_median"`
	Reps         int     `json:"reps"` // samples behind the two figures
	Go           string  `json:"go"`
	CPU          string  `json:"cpu"`
	Features     string  `json:"features"` // of the processor: what kernels ask for, of which the tier may take less
	Caches       string  `json:"caches"`   // for data, with their sizes; "" where the system does not tell
	Commit       string  `json:"commit"`
	Date         string  `json:"date"` // with the time of day; the day alone until 2026-11-23
}

// WriteJSON writes l as one line, its times to a picosecond, to a femtosecond below a nanosecond, and to a thousandth
// of that below a picosecond, as devices have rates.
func (l Line) WriteJSON(w io.Writer) error {
	l.NsMin, l.NsMedian = round(l.NsMin), round(l.NsMedian)
	return json.NewEncoder(w).Encode(l)
}

func round(ns float64) float64 {
	switch {
	case ns < 1e-3:
		return math.Round(ns*1e9) / 1e9
	case ns < 1:
		return math.Round(ns*1e6) / 1e6
	}
	return math.Round(ns*1000) / 1000
}

// WriteHeader writes the configuration lines that stand before the results of one run.
func (l Line) WriteHeader(w io.Writer) error {
	_, err := fmt.Fprintf(w, "goos: %s\ngoarch: %s\npkg: github.com/galfft/fft\ncpu: %s\ncommit: %s\ndate: %s\n",
		runtime.GOOS, runtime.GOARCH, l.CPU, l.Commit, l.Date)
	return err
}

// WriteDevice writes the configuration lines of the device that results behind them ran on.
func (l Line) WriteDevice(w io.Writer) error {
	_, err := fmt.Fprintf(w, "device: %s\ndriver: %s\n", l.Device, l.Driver)
	return err
}

// benchLines is the number of results for one name: benchstat compares from six on.
const benchLines = 10

// WriteBench writes the samples under l's name.
func (l Line) WriteBench(w io.Writer, samples []Sample) error {
	return WriteSamples(w, l.Name(), samples)
}

// WriteSamples writes samples as at most ten results of one name, each the mean of samples that follow each other and
// their minimum.
func WriteSamples(w io.Writer, name string, samples []Sample) error {
	for i := range min(benchLines, len(samples)) {
		from, to := i*len(samples)/benchLines, (i+1)*len(samples)/benchLines
		if len(samples) < benchLines {
			from, to = i, i+1
		}
		ops, sum, least := 0, 0.0, math.Inf(1)
		for _, s := range samples[from:to] {
			ops += s.Ops
			sum += s.Ns * float64(s.Ops)
			least = min(least, s.Ns)
		}
		if _, err := fmt.Fprintf(w, "%s %d %.6g ns/op %.6g min-ns/op\n", name, ops, sum/float64(ops),
			least); err != nil {
			return err
		}
	}
	return nil
}

// Name is the benchmark's name with its keys: scheme is the one that ran, where there is one; products, subspace,
// coefficients, base, batch and backend appear where they are not the default.
func (l Line) Name() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Benchmark%s%s/field=%s/scheme=%s/n=%d", strings.ToUpper(l.Op[:1]), l.Op[1:], l.Field,
		cmp.Or(l.Ran, l.Scheme), l.N)
	if l.Products == "crt" {
		b.WriteString("/products=crt")
	}
	if l.Subspace != "" {
		fmt.Fprintf(&b, "/subspace=%s/coefficients=%s", strings.ReplaceAll(l.Subspace, ", ", "-"), l.Coefficients)
	}
	if l.Base != 0 {
		fmt.Fprintf(&b, "/base=%d", l.Base)
	}
	if l.Batch != 1 {
		fmt.Fprintf(&b, "/batch=%d", l.Batch)
	}
	fmt.Fprintf(&b, "/tier=%s/workers=%d/order=%s", l.Tier, l.Workers, l.Order)
	if l.Backend != "cpu" {
		fmt.Fprintf(&b, "/backend=%s/residency=%s", l.Backend, l.Residency)
	}
	return b.String()
}

// Machine stands in place of a field in lines of what the processor or a device itself does: Copy, the time of a word
// of 64 bits in a vector of n words that is copied; Multiply, the time of a product of two numbers of n bits, with both
// halves of it; and of devices MultiplyAdd32 and MultiplyAdd64, the time of ax + b modulo 2^n.
const (
	Machine       = "machine"
	Copy          = "copy"
	Multiply      = "multiply"
	MultiplyAdd32 = "mad32"
	MultiplyAdd64 = "mad64"
)
