// Command registercache runs the experiments of M. Hamilis' thesis (Parallel Additive Fast Fourier Transform
// Algorithms, 2016) on a card of now: the register cache beside shared memory, for stencils, products of polynomials
// over GF(2) and products over GF(2^n). docs/registercache.md has its tables.
//
//	go run -C bench ./registercache run all         # prints a JSON object a line
//	go run -C bench ./registercache run stencil ring
//	go run -C bench ./registercache run -peer NTL=PROGRAM peers
//	go run -C bench ./registercache counts FILE     # what Nsight Compute counted, as such lines
//	go run -C bench ./registercache tables FILE…     # prints the tables of docs/registercache.md
//	go run -C bench ./registercache plots DIR FILE…  # writes its plots
//
// Package exchange is the method, forms has its tables of reads and the kernels, which registercache/_gen writes.
// Values are compared with the processor's before a line is printed. Times are means of five runs without the best and
// the worst; three are enough of such that take more than 100 ms and are within a hundredth of each other.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/galfft/fft/internal/benchjson"
)

// experiment is one of the thesis, and says where it has it.
type experiment struct {
	name, of string
	card     bool // it needs one
	run      func(s *session) error
}

// They run in this order: the last ones are left out where time is short.
var experiments = []experiment{
	{"exchange", "section 5.2", false, exchanges},
	{"stencil", "figures 5.2, 5.3", true, stencils},
	{"ring", "table 6.1", true, rings},
	{"convert", "section 7.2", true, conversions},
	{"natural", "chapter 8", true, naturals},
	{"fft", "chapter 7, figures 8.4, 8.5", true, transforms},
	{"field", "figures 8.1–8.3", true, fields},
	{"core", "figures 8.1–8.3", false, core},
	{"peers", "figures 8.1–8.3", false, peers},
	{"cores", "figures 8.1–8.3", false, cores},
	{"fftcore", "figures 8.4, 8.5", false, fftCore},
	{"fftcores", "figures 8.4, 8.5", false, fftCores},
}

func main() {
	if err := command(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "registercache:", err)
		os.Exit(1)
	}
}

var errUsage = errors.New("want run with all or some of " + names() + ", counts FILE, tables FILE… or plots DIR FILE…")

func names() string {
	var list []string
	for _, e := range experiments {
		list = append(list, e.name)
	}
	return strings.Join(list, " ")
}

func command(args []string, w io.Writer) error {
	if len(args) == 0 {
		return errUsage
	}
	flags := flag.NewFlagSet(args[0], flag.ContinueOnError)
	switch args[0] {
	case "run":
		var s session
		flags.DurationVar(&s.budget, "time", 5*time.Millisecond, "time for each run of a measurement")
		flags.IntVar(&s.values, "values", 1<<27, "of stencils")
		flags.IntVar(&s.most, "most", 28, "log2 of the most pairs")
		flags.IntVar(&s.bits, "bits", 2048, "of the largest field")
		flags.IntVar(&s.points, "points", 29, "log2 of the points of the longest transform")
		flags.DurationVar(&s.long, "long", time.Second, "runs on the processor that take longer are one, not five")
		flags.Func("peer", "NAME=PROGRAM, another library's products by the protocol of bench/peers/binary.h", s.addPeer)
		flags.IntVar(&s.checked, "checked", 1<<13+3, "products of which all are compared, for each kernel and size")
		flags.DurationVar(&s.limit, "limit", 0, "time of the program: what does not fit is listed; 0 for none")
		commit := flags.String("commit", benchjson.Commit(), "revision to record")
		if err := flags.Parse(args[1:]); err != nil {
			return err
		}
		return run(&s, w, *commit, flags.Args())
	case "counts", "tables", "plots":
		if err := flags.Parse(args[1:]); err != nil {
			return err
		}
		if least := map[string]int{"plots": 2}[args[0]]; flags.NArg() >= max(1, least) {
			return written(w, args[0], flags.Args())
		}
	}
	return errUsage
}

// run runs experiments in turn, and goes on where one fails: the error has all that failed.
func run(s *session, w io.Writer, commit string, which []string) error {
	all := slices.Equal(which, []string{"all"})
	var chosen []experiment
	for _, e := range experiments {
		if all || slices.Contains(which, e.name) {
			chosen = append(chosen, e)
		}
	}
	if len(chosen) == 0 || !all && len(chosen) != len(which) {
		return fmt.Errorf("experiments %q: %w", which, errUsage)
	}
	card := slices.ContainsFunc(chosen, func(e experiment) bool { return e.card })
	if err := s.open(w, commit, card); err != nil {
		return err
	}
	var failed []error
	for _, e := range chosen {
		s.experiment = e.name
		begin := time.Now()
		err := e.run(s)
		took := time.Since(begin)
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", e.name, err))
			err = s.missing("what it has no lines of", err.Error())
		}
		failed = append(failed, err, s.print(line{Experiment: "seconds", Form: e.name, Ms: 1000 * took.Seconds()}))
		fmt.Fprintf(os.Stderr, "%s: %.1f s\n", e.name, took.Seconds())
	}
	return errors.Join(append(failed, s.close())...)
}

// written is what is made of lines: counts, tables or plots.
func written(w io.Writer, command string, args []string) error {
	if command == "counts" {
		return counts(w, args[0])
	}
	dir := ""
	if command == "plots" {
		dir, args = args[0], args[1:]
	}
	lines, err := readLines(args...)
	if err != nil {
		return err
	}
	if command == "tables" {
		for _, t := range tables(lines) {
			fmt.Fprintf(w, "%s\n\n%s\n", t.name, t.text)
		}
		return nil
	}
	for _, p := range plots(lines) {
		if err := os.WriteFile(filepath.Join(dir, p.name), p.chart.Render(), 0o666); err != nil {
			return err
		}
	}
	return nil
}
