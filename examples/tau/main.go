// Command tau computes Ramanujan's τ(n) exactly for all n ≤ N and proves the table to itself.
//
//	go run github.com/galfft/fft/examples/tau -n 1048576
//
// τ(n) is the coefficient of qⁿ in q·Π(1 − q^k)²⁴. The 24th power is taken by FFT products modulo primes of 62 bits,
// and the integers come from the residues at the end. Then every value is checked against others and against
// congruences. Some values and the result of each check go to standard output, times to standard error.
//
// The exit status is 0 where all checks hold, 1 where one fails or the work cannot be done or is interrupted, and 2
// for bad arguments.
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/big"
	"os"
	"os/signal"
	"time"
)

const (
	exitOK = iota
	exitFailed
	exitUsage
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	status := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(status)
}

// run is the command without the process.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("tau", flag.ContinueOnError)
	flags.SetOutput(stderr)
	n := flags.Int("n", 1<<20, "compute τ(1), …, τ(`N`)")
	workers := flags.Int("workers", 0, "number of goroutines; 0 is one for each processor")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return exitOK
	} else if err != nil {
		return exitUsage
	}
	if *n < 1 || *workers < 0 || flags.NArg() > 0 {
		fmt.Fprintf(stderr, "tau: -n %d -workers %d %q: want N ≥ 1, no negative number of workers, and no arguments\n",
			*n, *workers, flags.Args())
		return exitUsage
	}
	start := time.Now()
	t, err := tau(ctx, *n, *workers)
	if err != nil {
		fmt.Fprintln(stderr, "tau:", err)
		return exitFailed
	}
	fmt.Fprintf(stderr, "computed in %v\n", time.Since(start).Round(time.Millisecond))
	out := bufio.NewWriter(stdout)
	show(out, t)
	start = time.Now()
	err = prove(ctx, out, t)
	if e := out.Flush(); err == nil {
		err = e
	}
	if err != nil {
		fmt.Fprintln(stderr, "tau:", err)
		return exitFailed
	}
	fmt.Fprintf(stderr, "checked in %v\n", time.Since(start).Round(time.Millisecond))
	return exitOK
}

// show prints the first values, those at powers of ten, and the last.
func show(w io.Writer, t []*big.Int) {
	last := len(t) - 1
	for n := 1; n <= min(10, last); n++ {
		fmt.Fprintf(w, "τ(%d) = %v\n", n, t[n])
	}
	for n := 100; n < last; n *= 10 {
		fmt.Fprintf(w, "τ(%d) = %v\n", n, t[n])
	}
	if last > 10 {
		fmt.Fprintf(w, "τ(%d) = %v\n", last, t[last])
	}
}

// errWrong says that a check failed.
var errWrong = errors.New("the table is wrong")

// prove runs all checks and prints a line for each, with the number of cases found true.
func prove(ctx context.Context, w io.Writer, tau []*big.Int) error {
	t, failed := newTable(tau), false
	for _, c := range checks {
		count, err := c.run(ctx, t)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			fmt.Fprintf(w, "FAIL  %9d  %s: %v\n", count, c.name, err)
			failed = true
			continue
		}
		fmt.Fprintf(w, "ok    %9d  %s\n", count, c.name)
	}
	if failed {
		return errWrong
	}
	return nil
}
