package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/galfft/fft/internal/benchjson"
	"github.com/galfft/fft/internal/cpu"
	"github.com/galfft/fft/midint"
	"github.com/galfft/fft/midint/literal"
)

// errAbsent is why a column has no figure: it is a cell of the table, and no failure.
var errAbsent = errors.New("absent")

// midintLaunches is how many times a column with a device runs; the median counts. One that takes long runs until
// midintEnough or the time asked for is over, and leastLaunches times. On the host, what takes so long runs once.
const (
	midintLaunches = 50
	leastLaunches  = 5
	midintEnough   = 500 * time.Millisecond
)

// gmpName is the name of a column, and of what others are compared with.
const gmpName = "GMP"

// mostFurther is log2 of the bits of a batch for columns that are further tables.
const mostFurther = 28

// midintCase is an operation on batches. Columns share its operands, whose words are those of midintWords, and leave
// them as they are.
type midintCase struct {
	op            string
	bits, workers int
	again         bool // with other workers: what has none answered before
	x, y          *midint.Batch
	// known is the ns that GMP on all processors took for the result that others are compared with; else 0.
	known float64
}

// wide is how many widths of an operand the result has.
func (c *midintCase) wide() int {
	switch c.op {
	case "mulwide", "sqr", "cyclic32", "cyclic64":
		return 2
	}
	return 1
}

// midintCall is a case that a column has made ready.
type midintCall struct {
	device, residency, version string
	// run works once, and returns its ns by the column's own clock. Without one, median was measured elsewhere.
	run    func() (float64, error)
	median float64
	result func() ([]uint32, error) // of the last run; nil of a figure that is quoted
	close  func()                   // or nil
}

// midintColumn is one way to compute. open returns an error that wraps errAbsent where it has no figure for the case.
type midintColumn struct {
	name string
	open func(c *midintCase) (*midintCall, error)
	// further columns are in tables of their own, behind those of the others, with at most 2^mostFurther bits.
	further bool
}

// midintColumns are the columns of the tables, but for those of programs. Each is in a file of its own.
var midintColumns = []midintColumn{
	{"literal u64 Q=4 on a device", midintOnCard(64, 4, literalSteps), false},
	{"literal FFT p32 on a device", midintFFTOnCard(literal.PrimeField32(), true), false},
	{"literal FFT p64 on a device", midintFFTOnCard(literal.PrimeField64(), true), false},
	{"ours on a device", midintDevice, false},
	{gmpName, midintGMP, false},
	{"CGBN on an A100, quoted", midintQuoted(0), false},
	{"the authors' CUDA on an A100, quoted", midintQuoted(1), false},
	{"the authors' CUDA by FFT on an A100, quoted, not a product", midintQuoted(2), false},
	{"Futhark on an A100, quoted", midintQuoted(3), false},
	{"Futhark by FFT on an A100, quoted, not a product", midintQuoted(4), false},
	{"ours", midintOurs, true},
	{"ours, one program", midintCompiled, true},
	{"ours on a device, separate calls", midintCalls, true},
	{gmpName, midintGMP, true},
	{"literal", midintLiteral, true},
	{"literal FFT p32", midintFFT(literal.PrimeField32(), true), true},
	{"literal FFT p32, separate calls", midintFFT(literal.PrimeField32(), false), true},
	{"literal FFT p64", midintFFT(literal.PrimeField64(), true), true},
	{"literal FFT p64, separate calls", midintFFT(literal.PrimeField64(), false), true},
	{"literal FFT p32 on a device", midintFFTOnCard(literal.PrimeField32(), true), true},
	{"literal FFT p32 on a device, separate calls", midintFFTOnCard(literal.PrimeField32(), false), true},
	{"literal FFT p64 on a device", midintFFTOnCard(literal.PrimeField64(), true), true},
	{"literal FFT p64 on a device, separate calls", midintFFTOnCard(literal.PrimeField64(), false), true},
	{"literal u32 Q=1 on a device", midintOnCard(32, 1, literalSteps), true},
	{"literal u32 Q=2 on a device", midintOnCard(32, 2, literalSteps), true},
	{"literal u32 Q=4 on a device", midintOnCard(32, 4, literalSteps), true},
	{"literal u32 Q=8 on a device", midintOnCard(32, 8, literalSteps), true},
	{"literal u64 Q=1 on a device", midintOnCard(64, 1, literalSteps), true},
	{"literal u64 Q=2 on a device", midintOnCard(64, 2, literalSteps), true},
	{"literal u64 Q=4 on a device", midintOnCard(64, 4, literalSteps), true},
	{"literal u64 Q=8 on a device", midintOnCard(64, 8, literalSteps), true},
	{"literal u64 Q=4 on a device, separate calls", midintOnCard(64, 4, separateSteps), true},
	{"literal u32 Q=4 on a device, tiled", midintOnCard(32, 4, tiledSteps), true},
	{"literal u64 Q=4 on a device, tiled", midintOnCard(64, 4, tiledSteps), true},
}

// midintOps are the operations, those of the paper first. The cyclic ones are what its transforms compute modulo a
// prime, with halves of words for digits: not products.
var midintOps = []string{latency, "add", "sixadd", "mullow", "cyclic32", "cyclic64", "poly", "mulwide", "sqr", "copy"}

// paperOps is how many of them the paper has.
const paperOps = 7

// latency is no operation on batches: it has lines of its own.
const latency = "latency"

// midintLine is a cell.
type midintLine struct {
	Op        string  `json:"op"`
	Bits      int     `json:"bits"`
	Batch     int     `json:"batch"`
	Device    string  `json:"device,omitempty"`
	Residency string  `json:"residency,omitempty"`
	NsMedian  float64 `json:"ns_median,omitempty"`
	NsMin     float64 `json:"ns_min,omitempty"`
	Column    string  `json:"column"`
	Workers   int     `json:"workers"`
	Absent    string  `json:"absent,omitempty"`
	GBs       float64 `json:"gb_s,omitempty"`   // three arrays of operands' size over the time
	Gu32s     float64 `json:"gu32_s,omitempty"` // the paper's: 300·N·m·log2(m) over the time, four times for poly
	Reps      int     `json:"reps,omitempty"`
	Tier      string  `json:"tier"`
	Version   string  `json:"version,omitempty"`
	Go        string  `json:"go"`
	CPU       string  `json:"cpu"`
	Caches    string  `json:"caches"`
	Commit    string  `json:"commit"`
	Date      string  `json:"date"`
}

// rates sets the rates of the median.
func (l *midintLine) rates() {
	n, m := float64(l.Batch), float64(l.Bits)/32
	switch l.Op {
	case "mullow", "mulwide", "sqr", "cyclic32", "cyclic64":
		l.Gu32s = three(300 * n * m * math.Log2(m) / l.NsMedian)
	case "poly":
		l.Gu32s = three(4 * 300 * n * m * math.Log2(m) / l.NsMedian)
	case "copy":
		l.GBs = three(2 * n * float64(l.Bits) / 8 / l.NsMedian)
	default:
		l.GBs = three(3 * n * float64(l.Bits) / 8 / l.NsMedian)
	}
}

// three is x with three digits.
func three(x float64) float64 {
	if x == 0 {
		return 0
	}
	unit := math.Pow(10, math.Floor(math.Log10(math.Abs(x)))-2)
	return math.Round(x/unit) * unit
}

// runMidint measures each operation at each width by all columns, in turn, and prints lines or tables. batch 0 is as
// many integers as have 2^total bits.
func runMidint(w io.Writer, s *settings) error {
	columns := slices.Clone(midintColumns)
	for _, p := range s.peers {
		name, path, ok := strings.Cut(p, "=")
		if !ok {
			return fmt.Errorf("%w: -peer %q, want NAME=PATH", errUsage, p)
		}
		columns = append(columns, midintPeer(name, path))
	}
	for _, name := range []string{"CGBN", "the authors' CUDA"} {
		if !slices.ContainsFunc(columns, func(c midintColumn) bool { return c.name == name }) {
			columns = append(columns, midintNoPeer(name))
		}
	}
	if s.columns != nil {
		for _, name := range s.columns {
			if !slices.ContainsFunc(columns, func(c midintColumn) bool { return c.name == name }) {
				return fmt.Errorf("%w: column %q", errUsage, name)
			}
		}
		columns = slices.DeleteFunc(columns, func(c midintColumn) bool { return !slices.Contains(s.columns, c.name) })
	}
	further := func(c midintColumn) bool { return c.further }
	parts := [2][]midintColumn{slices.DeleteFunc(slices.Clone(columns), further),
		slices.DeleteFunc(columns, func(c midintColumn) bool { return !further(c) })}
	var all []midintLine
	for _, op := range s.ops {
		if !slices.Contains(midintOps, op) {
			return fmt.Errorf("%w: operation %q, want one of %q", errUsage, op, midintOps)
		}
		if op == latency {
			lines, err := midintLatency(s)
			if err == nil {
				err = printMidint(w, s, midintLatencyTable, op, lines)
			}
			if err != nil {
				return err
			}
			continue
		}
		for i, part := range parts {
			if i == 0 && strings.HasPrefix(op, "cyclic") || len(part) == 0 {
				continue // no column has them
			}
			total, name := s.total, op
			if i == 1 {
				total, name = min(total, mostFurther), op+", further columns"
			}
			var lines []midintLine
			for _, bits := range s.bits {
				list, err := midintRow(part, op, bits, total, s)
				if err != nil {
					return err
				}
				lines, all = append(lines, list...), append(all, list...)
				if s.form == jsonForm {
					if err := printMidint(w, s, midintTable, name, list); err != nil {
						return err
					}
				}
			}
			if s.form != jsonForm {
				if err := printMidint(w, s, midintTable, name, lines); err != nil {
					return err
				}
			}
		}
	}
	if s.form == jsonForm {
		return nil
	}
	return midintClaims(w, all)
}

// printMidint prints cells as lines, or as a table.
func printMidint(w io.Writer, s *settings, table func(io.Writer, string, []midintLine) error, name string,
	lines []midintLine) error {
	if s.form != jsonForm {
		return table(w, name, lines)
	}
	for _, l := range lines {
		if err := json.NewEncoder(w).Encode(l); err != nil {
			return err
		}
	}
	return nil
}

// newMidintLine is a cell without a time.
func newMidintLine(s *settings, op string, bits, n int, column string, workers int) midintLine {
	return midintLine{Op: op, Bits: bits, Batch: n, Column: column, Workers: workers, Tier: cpu.Active().String(),
		Go: runtime.Version(), CPU: benchjson.CPU(), Caches: benchjson.Caches(), Commit: s.commit,
		Date: benchjson.Now()}
}

// midintWords sets words to those of an operand, 0 for x and 1 for y, which are the same for all widths.
func midintWords(operand int, words []uint32) {
	const chunk = 1 << 20
	var all sync.WaitGroup
	for i, some := range slices.Collect(slices.Chunk(words, chunk)) {
		all.Go(func() {
			r := rand.New(rand.NewPCG(uint64(operand), uint64(i)))
			for j := range some {
				some[j] = r.Uint32()
			}
		})
	}
	all.Wait()
}

// midintRow is the cells of one operation and width. batch 0 is as many integers as have 2^total bits.
func midintRow(columns []midintColumn, op string, bits, total int, s *settings) (lines []midintLine, err error) {
	n := s.batch
	if n == 0 {
		n = max(1, 1<<total/bits)
	}
	c := midintCase{op: op, bits: bits}
	for i, z := range []**midint.Batch{&c.x, &c.y} {
		if *z, err = midint.NewBatch(bits, n); err != nil {
			return nil, err
		}
		midintWords(i, (*z).Words())
	}
	want, by, err := midintWant(&c)
	if err != nil {
		return nil, err
	}
	var calls []*midintCall
	defer func() {
		for _, call := range calls {
			if call != nil && call.close != nil {
				call.close()
			}
		}
	}()
	for i, workers := range s.workers {
		for _, column := range columns {
			with := c
			with.workers, with.again = workers, i > 0
			l := newMidintLine(s, op, bits, n, column.name, workers)
			call, err := column.open(&with)
			switch {
			case errors.Is(err, errAbsent):
				l.Absent = strings.TrimPrefix(err.Error(), errAbsent.Error()+": ")
			case err != nil:
				return nil, fmt.Errorf("%s, %s of %d bits: %w", column.name, op, bits, err)
			default:
				l.Device, l.Residency, l.Version = call.device, call.residency, call.version
			}
			calls, lines = append(calls, call), append(lines, l)
		}
	}
	if err := midintTimes(calls, lines, s.budget); err != nil {
		return nil, err
	}
	for i, call := range calls {
		if call == nil {
			continue
		}
		lines[i].rates()
		if call.result == nil {
			continue
		}
		got, err := call.result()
		if err != nil {
			return nil, err
		}
		if !slices.Equal(got, want) {
			return nil, fmt.Errorf("%s of %d integers of %d bits by %s is not what %s has", op, n, bits,
				lines[i].Column, by)
		}
	}
	return lines, nil
}

// midintTimes runs calls in turn until each had its time, and three times at least; those of a device midintLaunches
// times. The first is not counted, but where it took long.
func midintTimes(calls []*midintCall, lines []midintLine, budget time.Duration) error {
	times, spent := make([][]float64, len(calls)), make([]float64, len(calls))
	for round, more := 0, true; more; round++ {
		more = false
		for i, call := range calls {
			if call == nil || call.run == nil {
				continue
			}
			most := float64(min(budget, midintEnough))
			enough := len(times[i]) >= 3 && spent[i] > most || spent[i] > float64(midintEnough)
			if call.residency == "device" {
				enough = len(times[i]) == midintLaunches || len(times[i]) >= leastLaunches && spent[i] > most
			}
			if enough {
				continue
			}
			more = true
			ns, err := call.run()
			if err != nil {
				return fmt.Errorf("%s, %s of %d bits: %w", lines[i].Column, lines[i].Op, lines[i].Bits, err)
			}
			if round > 0 || call.residency != "device" && ns > float64(midintEnough) {
				times[i] = append(times[i], ns)
				spent[i] += ns
			}
		}
	}
	for i, call := range calls {
		switch {
		case call == nil:
		case call.run == nil:
			lines[i].NsMedian = call.median
			switch {
			case call.result != nil:
				lines[i].Reps = midintLaunches
			case call.residency == "host":
				lines[i].Reps = 1
			}
		default:
			slices.Sort(times[i])
			lines[i].NsMin, lines[i].NsMedian, lines[i].Reps = times[i][0], times[i][len(times[i])/2], len(times[i])
		}
	}
	return nil
}

// midintWant is the result by GMP, or by math/big where GMP is not there or has no such operation, and by which.
func midintWant(c *midintCase) (want []uint32, by string, err error) {
	z, err := midint.NewBatch(c.wide()*c.bits, c.x.Len())
	if err != nil {
		return nil, "", err
	}
	begun := time.Now()
	if gmpBatch(c, runtime.NumCPU(), z.Words()) {
		c.known = float64(time.Since(begun))
		return z.Words(), gmpName, nil
	}
	tasks, n := runtime.NumCPU(), c.x.Len()
	errs := make([]error, tasks)
	var all sync.WaitGroup
	for i := range tasks {
		all.Go(func() {
			for from, to := n*i/tasks, n*(i+1)/tasks; from < to && errs[i] == nil; from++ {
				errs[i] = midintOne(c, z, from)
			}
		})
	}
	all.Wait()
	return z.Words(), "math/big", errors.Join(errs...)
}

// midintOne sets one integer of z by math/big.
func midintOne(c *midintCase, z *midint.Batch, i int) error {
	of := func(words []uint32, m int) *midint.Batch {
		b, err := midint.NewBatch(32*m, 1)
		if err != nil {
			panic(err) // there are many of them in memory
		}
		copy(b.Words(), words[i*m:(i+1)*m])
		return b
	}
	m := c.bits / 32
	x, y, v := new(big.Int), new(big.Int), new(big.Int)
	if err := errors.Join(of(c.x.Words(), m).Ints([]*big.Int{x}), of(c.y.Words(), m).Ints([]*big.Int{y})); err != nil {
		return err
	}
	switch c.op {
	case "cyclic32":
		cyclicWant(literal.PrimeField32(), z.Words()[2*i*m:], c.x.Words()[i*m:(i+1)*m], c.y.Words()[i*m:(i+1)*m])
		return nil
	case "cyclic64":
		cyclicWant(literal.PrimeField64(), z.Words()[2*i*m:], c.x.Words()[i*m:(i+1)*m], c.y.Words()[i*m:(i+1)*m])
		return nil
	case "copy":
		v = x
	case "add":
		v.Add(x, y)
	case "sixadd":
		v.Add(v.Mul(x, big.NewInt(6)), new(big.Int).Mul(y, big.NewInt(10)))
	case "sqr":
		v.Mul(x, x)
	case "poly":
		t := new(big.Int)
		v.Add(v.Mul(x, x), y)
		v.Mul(v, t.Add(t.Mul(y, y), y))
		v.Add(v, t.Mul(x, y))
	default:
		v.Mul(x, y)
	}
	width := c.wide() * c.bits
	v.And(v, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(width)), big.NewInt(1)))
	to := of(z.Words(), width/32)
	if err := to.SetInts([]*big.Int{v}); err != nil {
		return err
	}
	copy(z.Words()[i*width/32:], to.Words())
	return nil
}

// midintTable prints an operation: a row for each width, a column for each way to compute and number of workers.
func midintTable(w io.Writer, op string, lines []midintLine) error {
	head, rows := []string{"bits", "batch"}, [][]string(nil)
	var notes []string
	for i, l := range lines {
		if i == 0 || lines[i-1].Bits != l.Bits {
			rows = append(rows, []string{fmt.Sprint(l.Bits), fmt.Sprint(l.Batch)})
		}
		if len(rows) == 1 {
			head = append(head, fmt.Sprintf("%s × %d", l.Column, l.Workers))
		}
		row := &rows[len(rows)-1]
		if l.Absent != "" {
			*row = append(*row, "–")
			if note := fmt.Sprintf("%s × %d: %s", l.Column, l.Workers, l.Absent); !slices.Contains(notes, note) {
				notes = append(notes, note)
			}
			continue
		}
		rate := fmt.Sprintf("%.4g GB/s", l.GBs)
		if l.Gu32s > 0 {
			rate = fmt.Sprintf("%.4g Gu32ops/s", l.Gu32s)
		}
		*row = append(*row, fmt.Sprintf("%.4g ms, %.3g M/s, %s", l.NsMedian/1e6, float64(l.Batch)/l.NsMedian*1e3, rate))
	}
	text := "\n" + op + "\n\n| " + strings.Join(head, " | ") + " |\n|" + strings.Repeat(" --- |", len(head)) + "\n"
	for _, row := range rows {
		text += "| " + strings.Join(row, " | ") + " |\n"
	}
	for _, note := range notes {
		text += "\n– " + note
	}
	_, err := fmt.Fprintln(w, text)
	return err
}

// midintLatencyTable prints what single threads wait for an operation.
func midintLatencyTable(w io.Writer, _ string, lines []midintLine) error {
	text := "\nlatency\n\n| operation | bits | ns |\n| --- | --- | --- |\n"
	for _, l := range lines {
		cell := fmt.Sprintf("%.4g", l.NsMedian)
		if l.Absent != "" {
			cell = "– " + l.Absent
		}
		text += fmt.Sprintf("| %s | %d | %s |\n", l.Op, l.Bits, cell)
	}
	_, err := fmt.Fprintln(w, text)
	return err
}
