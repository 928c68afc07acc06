// Command papers runs the experiments of the thesis "A Generic Implementation of FFTs for the BPAS Library" (C.
// Costello, 2020) with its schemes in their literal form and with the transforms that are for use, and draws them.
//
//	go run -C bench ./papers run b1 [b2 …]      # prints a JSON object a line
//	go run -C bench -tags gmp ./papers run all
//	go run -C bench -tags gmp ./papers run -workers 16 -peer covanov=PATH b3 b4 b5
//	go run -C bench ./papers charts FILE DIR    # draws the lines of FILE into DIR
//	go run -C bench ./papers tables FILE        # prints the tables of docs/papers.md
//
// All contenders of one length run in turn, on pinned threads, and each line has the least time of many. Tables are
// made before, and timed apart. Forward times are of natural order on both sides, every permutation included.
//
// A rival is a program that was built elsewhere and speaks the protocol of bench/peers/peer.h; it gets the environment
// variable THREADS, the number of workers. Its values are compared with ours before it is timed.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math/bits"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/galfft/fft/field/bigprime/gmp"
	"github.com/galfft/fft/internal/benchjson"
)

// experiment is one of the thesis, by the name that it has in our specification of it.
type experiment struct {
	name, figure, what string
	run                func(s *session) error
}

// experiments lists what there is. B-5 and B-7 take cgo, libgmp and the build tag gmp.
var experiments = []experiment{
	{"b1", "3.2", "transposes: plain, blocked, recursive", transposes},
	{"b2", "4.1", "twiddles by tables and by powers", twiddles},
	{"b3", "7.6", "the three schemes over small primes, serial", serial},
	{"b4", "7.7-7.9", "the three schemes over a prime of 127 bits, one worker and more", parallel},
	{"b5", "7.10-7.12", "the same by GMP", parallelGMP},
	{"b6", "7.13-7.15", "ways to call the operations of a field", dispatch},
	{"b7", "7.16-7.18", "the three schemes over it by machine words, GMP and math/big", arithmetics},
	{"b8", "7.19-7.20", "generalized Fermat primes: split by 2 and by 2k, serial", fermat},
	{"b9", "7.21-7.22", "the same with workers", fermatParallel},
	{"b10", "tables 7.3-7.5", "instructions and misses of caches, by cachegrind on plain Go", counters},
	{"b11", "", "base cases of the transforms that are for use", bases},
	{"parts", "", "the three schemes by part: permutations, base cases, twiddles, butterflies", parts},
	{"mont", "", "Montgomery's form beside Shoup's products and doubles, on every tier", montgomery},
	{"pairs", "4, 8", "products of pairs of GF(2^64): Algorithm 4.2, slices", pairs},
	{"additive", "8", "additive FFTs of GF(2^64) over any basis", additives},
	{"longest", "8", "the same of 2^28 and 2^30 points, what is for use alone", longest},
	{"phases", "4.2", "the literal additive FFT by phase, with workers", phases},
	{"variants", "", "the ways to transpose and to pre-shuffle, in whole transforms", variants},
}

func main() {
	if err := command(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "papers:", err)
		os.Exit(1)
	}
}

var errUsage = errors.New("want run EXPERIMENT…, charts FILE DIR, tables FILE, or transform, with one of " + names())

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
	switch verb := args[0]; verb {
	case "run":
		s := session{kernels: kernels, workers: []int{1, 2}}
		flags.DurationVar(&s.budget, "time", 100*time.Millisecond, "time for each contender at each length")
		flags.IntVar(&s.rounds, "rounds", 4, "samples of each contender at least")
		flags.DurationVar(&s.limit, "limit", 0, "time of its samples after which a contender needs no more; 0: none")
		flags.IntVar(&s.least, "min", 0, "log2 of the shortest length")
		flags.IntVar(&s.most, "max", 22, "log2 of the longest length")
		flags.Func("lengths", "log2 of the lengths, of those that an experiment has, as 12,20; by default all", s.setLengths)
		flags.IntVar(&s.mostNCW, "ncw", 12, "log2 of the longest length with an integer of GMP for each element, in b5")
		flags.Func("workers", "workers, each on a processor of its own: 16 for 1, 2, 4, … 16, or a list as 1,16 or 16, of one;"+
			" by default 2", s.setWorkers)
		flags.Func("bases", "base cases of literal schemes, as 2,8,32; by default all", s.setKernels)
		flags.Func("peer", "NAME=PATH, a rival of b3, b8 and b9; may be given again", s.addPeer)
		flags.StringVar(&s.commit, "commit", benchjson.Commit(), "revision to record")
		if err := flags.Parse(args[1:]); err != nil {
			return err
		}
		if s.rounds < 1 || s.limit < 0 {
			return fmt.Errorf("%d rounds, limit %v: %w", s.rounds, s.limit, errUsage)
		}
		return run(w, flags.Args(), s)
	case "charts", "tables":
		if err := flags.Parse(args[1:]); err != nil {
			return err
		}
		if verb == "charts" && flags.NArg() == 2 {
			return charts(flags.Arg(0), flags.Arg(1))
		}
		if verb == "tables" && flags.NArg() == 1 {
			return tables(w, flags.Arg(0))
		}
	case "transform": // what b10 runs in cachegrind
		scheme, n, times := flags.String("scheme", shipped, "shipped, or the literal form of a scheme"),
			flags.Int("n", 1<<12, "length"), flags.Int("times", 1, "how often")
		if err := flags.Parse(args[1:]); err != nil {
			return err
		}
		return transform(*scheme, *n, *times)
	}
	return errUsage
}

// setLengths reads logarithms of lengths.
func (s *session) setLengths(list string) error {
	s.only = nil
	for text := range strings.SplitSeq(list, ",") {
		e, err := strconv.Atoi(text)
		if err != nil || e < 0 || e >= bits.UintSize {
			return fmt.Errorf("length 2^%s, want logarithms as 12,20", text)
		}
		s.only = append(s.only, e)
	}
	return nil
}

// takes reports whether length 2^e is one of those to run, where a list says which.
func (s *session) takes(e int) bool { return s.only == nil || slices.Contains(s.only, e) }

// setWorkers reads the numbers of workers, or the greatest of powers of two, which no comma follows.
func (s *session) setWorkers(text string) error {
	s.workers = nil
	list, one := strings.CutSuffix(text, ",")
	for text := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || len(s.workers) > 0 && n <= s.mostWorkers() {
			return fmt.Errorf("workers %q, want a number, or some in ascending order", list)
		}
		s.workers = append(s.workers, n)
	}
	if most := s.workers[0]; len(s.workers) == 1 && !one {
		s.workers = nil
		for n := 1; n < most; n *= 2 {
			s.workers = append(s.workers, n)
		}
		s.workers = append(s.workers, most)
	}
	return nil
}

// setKernels reads base cases.
func (s *session) setKernels(list string) error {
	s.kernels = nil
	for text := range strings.SplitSeq(list, ",") {
		base, err := strconv.Atoi(text)
		if err != nil || !slices.Contains(kernels, base) {
			return fmt.Errorf("base case %q, want some of %v", text, kernels)
		}
		s.kernels = append(s.kernels, base)
	}
	return nil
}

// run runs the experiments in turn, and goes on where one fails: the error has all that failed.
func run(w io.Writer, which []string, common session) error {
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
	var failed []error
	for _, e := range chosen {
		s := common
		s.w, s.experiment = w, e.name
		err := e.run(&s)
		if all && errors.Is(err, gmp.ErrUnavailable) { // the others are there
			fmt.Fprintf(os.Stderr, "papers: %s: %v\n", e.name, err)
			err = nil
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", e.name, err))
		}
	}
	return errors.Join(failed...)
}
