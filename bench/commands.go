package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/galfft/fft/internal/benchjson"
)

// settings are what flags of commands set.
type settings struct {
	least, most     int // log2 of lengths
	budget, wake    time.Duration
	limit           time.Duration
	phases, contest bool
	filter, commit  string
	counts, workers []int
	form            form
	operands        []string

	// of midint; no columns are all
	bits                []int
	ops, peers, columns []string
	batch, total        int
}

// options are the flags that there are; each command says which of them it takes.
var options = map[string]func(f *flag.FlagSet, s *settings){
	"min": func(f *flag.FlagSet, s *settings) { f.IntVar(&s.least, "min", 10, "log2 of the shortest length") },
	"max": func(f *flag.FlagSet, s *settings) { f.IntVar(&s.most, "max", 20, "log2 of the longest length") },
	"time": func(f *flag.FlagSet, s *settings) {
		f.DurationVar(&s.budget, "time", 500*time.Millisecond, "time for each comparison")
	},
	"commit": func(f *flag.FlagSet, s *settings) {
		f.StringVar(&s.commit, "commit", benchjson.Commit(), "revision to record")
	},
	"case": func(f *flag.FlagSet, s *settings) {
		f.StringVar(&s.filter, "case", "", "only cases with `text` in their names")
	},
	"counts": func(f *flag.FlagSet, s *settings) {
		s.counts = columnCounts
		f.Func("counts", "numbers of columns, with commas between (default those of records)", numbers(&s.counts))
	},
	"workers": func(f *flag.FlagSet, s *settings) {
		s.workers = []int{1, 2}
		f.Func("workers", "numbers of workers, with commas between (default 1,2)", numbers(&s.workers))
	},
	"pinned": func(f *flag.FlagSet, s *settings) {
		s.workers = powers(runtime.NumCPU())
		f.Func("pinned", "numbers of workers, with commas between (default powers of two up to the processors)",
			numbers(&s.workers))
	},
	"phases": func(f *flag.FlagSet, s *settings) { f.BoolVar(&s.phases, "phases", false, "list the phases") },
	"wake": func(f *flag.FlagSet, s *settings) {
		f.DurationVar(&s.wake, "wake", 3*time.Microsecond, "what a worker takes to wake")
	},
	"limit": func(f *flag.FlagSet, s *settings) {
		f.DurationVar(&s.limit, "limit", 20*time.Second, "time for tuning one field and length")
	},
	"json": func(f *flag.FlagSet, s *settings) {
		f.BoolFunc("json", "lines of JSON in place of a table", func(string) error { s.form = jsonForm; return nil })
	},
	"benchfmt": func(f *flag.FlagSet, s *settings) {
		f.BoolFunc("benchfmt", "the format of Go's benchmarks in place of a table, for benchstat -col /lib",
			func(string) error { s.form = benchForm; return nil })
	},
	"bits": func(f *flag.FlagSet, s *settings) {
		s.bits = []int{1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15, 1 << 16, 1 << 17, 1 << 18}
		f.Func("bits", "widths, with commas between (default 2^11 to 2^18)", numbers(&s.bits))
	},
	"batch": func(f *flag.FlagSet, s *settings) {
		f.IntVar(&s.batch, "batch", 0, "integers of a batch, in place of -total")
	},
	"total": func(f *flag.FlagSet, s *settings) {
		f.IntVar(&s.total, "total", 32, "log2 of the bits of a batch")
	},
	"ops": func(f *flag.FlagSet, s *settings) {
		s.ops = midintOps[:paperOps]
		f.Func("ops", "operations, with commas between (default those of the paper)", func(text string) error {
			s.ops = strings.Split(text, ",")
			return nil
		})
	},
	"peer": func(f *flag.FlagSet, s *settings) {
		f.Func("peer", "`NAME=PATH` of a program that computes the same, once for each", func(text string) error {
			s.peers = append(s.peers, text)
			return nil
		})
	},
	"column": func(f *flag.FlagSet, s *settings) {
		f.Func("column", "`NAME` of a column, once for each (default all)", func(text string) error {
			s.columns = append(s.columns, text)
			return nil
		})
	},
	"contest": func(f *flag.FlagSet, s *settings) {
		f.BoolVar(&s.contest, "contest", false, "of a GPU, the contest in place of times")
	},
}

// numbers sets list to numbers above 0 in a text.
func numbers(list *[]int) func(text string) error {
	return func(text string) error {
		*list = nil
		for one := range strings.SplitSeq(text, ",") {
			n, err := strconv.Atoi(one)
			if err == nil && n < 1 {
				err = fmt.Errorf("%d, want at least 1", n)
			}
			if err != nil {
				return err
			}
			*list = append(*list, n)
		}
		return nil
	}
}

// command is one of bench. Operands are as usage shows them; with an ellipsis there is one or more.
type command struct {
	name, operands, flags, about string
	run                          func(s *settings) error
}

func (c *command) usage() string {
	text := c.name
	for name := range strings.FieldsSeq(c.flags) {
		text += " [-" + name + "]"
	}
	if c.operands != "" {
		text += " " + c.operands
	}
	return text
}

var commands = []command{
	{"peers", "", "min max time commit", "transforms beside gnark-crypto's and lattigo's, in lines of JSON",
		func(s *settings) error { return run(s.least, s.most, s.budget, s.commit) }},
	{"vs", "PEER", "min max time commit case json benchfmt",
		"the same and products, with the libraries that have a text in their names or all, as a table with the spread",
		func(s *settings) error {
			return pinned(func() error {
				return runRivals(os.Stdout, s.form, among(rivals(), s.operands[0], s.filter), s.least, s.most, s.budget,
					s.commit)
			})
		}},
	{"programs", "PROGRAM…", "min max time commit case",
		"transforms, and products of polynomials and integers, beside those of programs made from files of peers",
		func(s *settings) error {
			return pinned(func() error {
				return programs(os.Stdout, s.operands, s.filter, s.least, s.most, s.budget, s.commit)
			})
		}},
	{"integers", "", "min max time commit",
		"products of integers of 2^min to 2^max words beside math/big's, bigfft's and, with the tag gmp, GMP's",
		func(s *settings) error {
			return pinned(func() error { return integers(os.Stdout, s.least, s.most, s.budget, s.commit) })
		}},
	{"midint", "", "bits batch total ops column peer workers time json commit",
		"batches of midsize integers: the tables of arXiv:2405.14642, with all operands and results compared",
		func(s *settings) error { return runMidint(os.Stdout, s) }},
	{"claims", "FILE", "", "what lines of midint say of each claim of arXiv:2405.14642",
		func(s *settings) error { return claimsOf(os.Stdout, s.operands[0]) }},
	{"huge", "PROGRAM…", "min max time commit",
		"products, squares, quotients, roots and decimal digits of integers of 10^min to 10^max bits beside those of programs",
		func(s *settings) error {
			return pinned(func() error { return huge(os.Stdout, s.operands, s.least, s.most, s.budget, s.commit) })
		}},
	{"hugebits", "PROGRAM…", "min max time commit",
		"products of integers of 2^min to 2^max bits beside those of programs, for the plot",
		func(s *settings) error {
			return pinned(func() error { return hugeBits(os.Stdout, s.operands, s.least, s.most, s.budget, s.commit) })
		}},
	{"big", "", "max time commit", "primes of several words, beside gnark-crypto and, with the tag gmp, GMP",
		func(s *settings) error { return bigPrimes(os.Stdout, s.budget, s.commit, s.most) }},
	{"gf2", "", "min max time commit case workers",
		"transforms over binary fields, over their own subspaces and any, in lines of JSON",
		func(s *settings) error {
			for _, workers := range s.workers {
				if err := gf2Pinned(os.Stdout, s, workers); err != nil {
					return err
				}
			}
			return nil
		}},
	{"gfpf", "", "time commit", "generalized Fermat primes, beside recorded times and math/big",
		func(s *settings) error {
			if err := pinned(func() error { return fermat(os.Stdout, s.budget, s.commit) }); err != nil {
				return err
			}
			return secondWorker(os.Stdout, s.budget)
		}},
	{"ratios", "", "time commit", "what natural order, the inverse, cosets, short transforms in batches and products cost",
		func(s *settings) error { return pinned(func() error { return ratios(os.Stdout, s.budget, s.commit) }) }},
	{"columns", "", "min max time commit case counts workers",
		"batches by columns beside rows, and extensions of columns beside one by one",
		func(s *settings) error {
			return columns(os.Stdout, s)
		}},
	{"late", "", "max commit case",
		"how long functions with a context work on after its end, at most, for 2^max points of a word",
		func(s *settings) error {
			return pinned(func() error { return lateness(os.Stdout, s.most, s.filter, s.commit) })
		}},
	{"cores", "", "max time commit case pinned",
		"1, 2, 4, … workers, up to the processors, and what the machine gives them, in lines of JSON",
		func(s *settings) error {
			return cores(os.Stdout, sharedCases(s.most, s.filter), s.workers, s.budget, s.commit)
		}},
	{"simulate", "", "max time case phases wake",
		"how far the sharing among up to 64 workers goes, by times on one processor",
		func(s *settings) error {
			return pinned(func() error {
				return simulate(os.Stdout, coreCases(s.most, s.filter), powers(64)[1:], s.wake, s.budget, s.phases)
			})
		}},
	{"ranks", "", "max time commit",
		"a model of ranks beside those of this machine, of 2^max points, and what it says of 2^36",
		func(s *settings) error { return reckonRanks(os.Stdout, s.most, s.budget, s.commit) }},
	{"tuned", "", "max time commit case limit", "tuned plans beside default ones, in lines of JSON",
		func(s *settings) error {
			return pinned(func() error {
				return runTuned(os.Stdout, tunedCases(s.most, s.filter), s.limit, s.budget, s.commit)
			})
		}},
	{"builtin", "FILE", "max limit", "the tuned values of this processor's family, to be built in",
		func(s *settings) error {
			return builtIn(s.operands[0], os.Stderr, builtInTuners(), builtInLengths(s.most), s.limit)
		}},
	{"contest", "", "max time commit", "one transform modulo a large prime beside those modulo small ones",
		func(s *settings) error { return runContest(os.Stdout, s.budget, s.commit, s.most) }},
	{"draw", "FILE OUT", "contest", "draws a file of contest, of midint, of hugebits, of bench/gpu.sh or of bench/rs in SVG",
		func(s *settings) error {
			if strings.HasSuffix(s.operands[0], "-midint.jsonl") {
				return drawMidint(s.operands[0], s.operands[1])
			}
			if strings.HasSuffix(s.operands[0], "-huge-bits.jsonl") || strings.HasSuffix(s.operands[0], "-huge.jsonl") {
				return drawHuge(s.operands[0], s.operands[1])
			}
			if strings.HasSuffix(s.operands[0], "-rs.txt") {
				if strings.HasSuffix(s.operands[1], "workers.svg") {
					return drawRSWorkers(s.operands[0], s.operands[1])
				}
				return drawRS(s.operands[0], s.operands[1])
			}
			if strings.HasSuffix(s.operands[0], "-gpu-times.txt") {
				return drawGPU(s.operands[0], s.operands[1], s.contest)
			}
			return drawContest(s.operands[0], s.operands[1])
		}},
}

var errUsage = errors.New("wrong usage")

// execute runs the command of the arguments.
func execute(args []string) error {
	for i := range commands {
		if c := &commands[i]; len(args) > 0 && c.name == args[0] {
			s, err := c.parse(args[1:])
			if errors.Is(err, flag.ErrHelp) {
				return nil
			}
			if err != nil {
				return err
			}
			return c.run(s)
		}
	}
	usage(os.Stderr)
	return fmt.Errorf("%w: %q, want one of the commands", errUsage, args)
}

// parse reads the flags and the operands of the command.
func (c *command) parse(args []string) (*settings, error) {
	var s settings
	f := flag.NewFlagSet(c.name, flag.ContinueOnError)
	f.Usage = func() {
		fmt.Fprintf(os.Stderr, "bench %s: %s\n", c.usage(), c.about)
		f.PrintDefaults()
	}
	for name := range strings.FieldsSeq(c.flags) {
		options[name](f, &s)
	}
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	s.operands = f.Args()
	want := len(strings.Fields(c.operands))
	if n := len(s.operands); n < want || n > want && !strings.HasSuffix(c.operands, "…") {
		return nil, fmt.Errorf("%w: bench %s has operands %q, want: %s", errUsage, c.name, s.operands, c.usage())
	}
	return &s, nil
}

func usage(w io.Writer) {
	fmt.Fprintln(w, "bench COMMAND; bench COMMAND -h lists its flags:")
	for i := range commands {
		fmt.Fprintf(w, "  %s\n    \t%s\n", commands[i].usage(), commands[i].about)
	}
}
