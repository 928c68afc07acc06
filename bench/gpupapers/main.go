// Command gpupapers runs the experiments on GPUs of D. Mohajerani's thesis (2016) and of its slides, on a card of now:
//
//	go run -C bench ./gpupapers run all          # prints a JSON object a line
//	go run -C bench ./gpupapers run ops shares
//	go run -C bench ./gpupapers tables FILE      # prints the tables of docs/gpu.md
//
// Kernels that only measure are in experiments.cu, and the library has none of them. Times are medians of groups of
// calls between two events. Values are compared with those of the processor before a line is printed.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/galfft/fft/internal/benchjson"
)

// experiment is one of the texts, and says where they have it.
type experiment struct {
	name, of, what string
	run            func(s *session) error
}

var experiments = []experiment{
	{"ops", "figures 4.7–4.13", "sums, differences, shifts and products, on both layouts", operations},
	{"threads", "algorithms 4.9, 4.10", "products by k threads an element beside those by one", threads},
	{"permute", "figures 5.1, 5.2", "stride permutations, by one block and by several, beside a copy", permutations},
	{"shares", "figure 6.1", "a transform of K^4 points by part", shares},
	{"everyk", "every k", "transforms and vectors with k chosen at run time, k = 2 … 128", everyK},
	{"rates", "slides, throughput", "integer arithmetic and copies of the card", rates},
	{"rivals", "chapter 7", "transforms modulo small primes: without tables, with tables, Stockham's", rivals},
}

func main() {
	if err := command(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "gpupapers:", err)
		os.Exit(1)
	}
}

var errUsage = errors.New("want run EXPERIMENT… or tables FILE, with all or some of " + names())

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
		flags.DurationVar(&s.budget, "time", 30*time.Millisecond, "time for each measurement")
		flags.IntVar(&s.most, "max", 20, "log2 of the longest vector")
		commit := flags.String("commit", benchjson.Commit(), "revision to record")
		if err := flags.Parse(args[1:]); err != nil {
			return err
		}
		return run(&s, w, *commit, flags.Args())
	case "tables":
		if err := flags.Parse(args[1:]); err != nil {
			return err
		}
		if flags.NArg() == 1 {
			lines, err := readLines(flags.Arg(0))
			if err != nil {
				return err
			}
			for _, t := range tables(lines) {
				fmt.Fprintf(w, "%s\n\n%s\n", t.name, t.text)
			}
			return nil
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
	if err := s.open(w, commit); err != nil {
		return err
	}
	var failed []error
	for _, e := range chosen {
		s.experiment = e.name
		if err := e.run(s); err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", e.name, err))
		}
	}
	return errors.Join(append(failed, s.close())...)
}
