package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
)

// counts is what cachegrind says of one transform: instructions, data that they read or write, and misses of its
// simulated caches, the first-level ones of instructions and of data and the last-level one.
type counts struct {
	Instructions int `json:"instructions"`
	Data         int `json:"data"`
	MissesI1     int `json:"misses_i1"`
	MissesD1     int `json:"misses_d1"`
	MissesLL     int `json:"misses_ll"`
}

const counterBase = 32 // of the thesis' tables

// counted are settings of Go's runtime under valgrind, which on a Zen 5 ends in some of its runs without the second
// one.
const counted = "asyncpreemptoff=1,cpu.rdtscp=off"

// counters (B-10) counts for each scheme, with base cases of 32 points over the thesis' small prime, and for what is
// for use. Valgrind does not run AVX-512, so that the program is built anew in plain Go. The counts of one transform
// are a difference: so many transforms in one run, and more in another.
func counters(s *session) error {
	const few = 2
	valgrind, err := exec.LookPath("valgrind")
	if err != nil {
		return fmt.Errorf("cachegrind: %w", err)
	}
	dir, err := os.MkdirTemp("", "papers")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "papers")
	if out, err := exec.Command("go", "build", "-tags", "purego", "-o", program,
		"github.com/galfft/fft/bench/papers").CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	for e := 10; e <= min(16, s.most); e += 3 {
		many := few + max(4, 1<<18>>e)
		for _, scheme := range append([]string{shipped}, names3()...) {
			var c [2]counts
			for i, times := range []int{few, many} {
				cmd := exec.Command(valgrind, "--tool=cachegrind", "--cache-sim=yes", "--cachegrind-out-file=/dev/null",
					program, "transform", "-scheme", scheme, "-n", strconv.Itoa(1<<e), "-times", strconv.Itoa(times))
				cmd.Env = append(os.Environ(), "GOGC=off", "GOMAXPROCS=1", "GODEBUG="+counted)
				out, err := cmd.CombinedOutput()
				if err != nil {
					return fmt.Errorf("%w: %s", err, out)
				}
				if c[i], err = parseCounts(string(out)); err != nil {
					return err
				}
			}
			each := func(get func(c counts) int) int { return (get(c[1]) - get(c[0])) / (many - few) }
			if err := s.print(line{Field: smallprime.P1().Name(), Contender: scheme, What: "forward", N: 1 << e,
				Base: counterBase * boolean(scheme != shipped), Tier: "generic", Counts: &counts{
					each(func(c counts) int { return c.Instructions }), each(func(c counts) int { return c.Data }),
					each(func(c counts) int { return c.MissesI1 }),
					each(func(c counts) int { return c.MissesD1 }), each(func(c counts) int { return c.MissesLL }),
				}}); err != nil {
				return err
			}
		}
	}
	return nil
}

func names3() (list []string) {
	for _, a := range literals {
		list = append(list, a.String())
	}
	return list
}

var summary = regexp.MustCompile(`(?m)(I\s+refs|D\s+refs|I1\s+misses|D1\s+misses|LL misses):\s+([\d,]+)`)

func parseCounts(s string) (c counts, err error) {
	found := 0
	for _, m := range summary.FindAllStringSubmatch(s, -1) {
		n, err := strconv.Atoi(strings.ReplaceAll(m[2], ",", ""))
		if err != nil {
			return c, err
		}
		found++
		switch strings.Join(strings.Fields(m[1]), " ") {
		case "I refs":
			c.Instructions = n
		case "D refs":
			c.Data = n
		case "I1 misses":
			c.MissesI1 = n
		case "D1 misses":
			c.MissesD1 = n
		case "LL misses":
			c.MissesLL = n
		}
	}
	if found != 5 {
		return c, errors.New("no summary of cachegrind in " + s)
	}
	return c, nil
}

// transform is one process of counters.
func transform(scheme string, n, times int) error {
	var spec form
	if scheme != shipped {
		a, err := field.ParseAlgorithm(scheme)
		if err != nil {
			return err
		}
		spec = literalOf(a, counterBase, 1)
	}
	t, err := newData(smallprime.P1(), n)
	if err != nil {
		return err
	}
	c, err := t.forward(&session{}, scheme, spec)
	if err != nil {
		return err
	}
	for range times {
		if err := c.run(); err != nil {
			return err
		}
	}
	return nil
}
