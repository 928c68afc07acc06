// Command pi prints digits of π and proves them.
//
//	go run github.com/galfft/fft/examples/pi -digits 1000000
//
// It sums the series of D. V. and G. V. Chudnovsky (1988) by binary splitting, with products, a root and a quotient of
// package intmul. Then it proves each step modulo 2^61 − 1 and modulo a prime of 64 bits: the sum by its terms, one
// after the other, the root and the quotient by their definitions, and the digits by reading the text that it is about
// to print. A number that is wrong passes with a probability of about 2^−125. Digits go to standard output, times to
// standard error.
//
// The exit status is 0 where the digits are proved, 1 where they are not or the work cannot be done or is interrupted,
// and 2 for bad arguments.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"time"

	"github.com/galfft/fft/intmul"
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
	flags := flag.NewFlagSet("pi", flag.ContinueOnError)
	flags.SetOutput(stderr)
	digits := flags.Int("digits", 1000000, "print `N` digits after the point")
	workers := flags.Int("workers", 0, "number of goroutines; 0 is one for each processor")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return exitOK
	} else if err != nil {
		return exitUsage
	}
	if *digits < 1 || *digits > mostDigits || *workers < 0 || flags.NArg() > 0 {
		fmt.Fprintf(stderr, "pi: -digits %d -workers %d %q: want 1 ≤ N ≤ %d, no negative number of workers, and no arguments\n",
			*digits, *workers, flags.Args(), mostDigits)
		return exitUsage
	}
	if err := show(ctx, *digits, *workers, stdout, stderr); err != nil {
		fmt.Fprintln(stderr, "pi:", err)
		return exitFailed
	}
	return exitOK
}

// collect is the garbage between collections, in percent of what is in use.
const collect = 50

// show computes, proves and prints π.
func show(ctx context.Context, digits, workers int, stdout, stderr io.Writer) error {
	// Collections are cheap, as vectors have no pointers, and memory that is used again costs less than fresh one.
	defer debug.SetGCPercent(debug.SetGCPercent(collect))
	start := time.Now()
	a, err := intmul.New(intmul.WithWorkers(workers))
	if err != nil {
		return err
	}
	p, err := compute(ctx, a, digits)
	if err != nil {
		return err
	}
	text, err := a.Append(ctx, nil, p.digits, 10)
	if err != nil {
		return err
	}
	fmt.Fprintf(stderr, "%d digits computed in %v\n", digits, time.Since(start).Round(time.Millisecond))
	start = time.Now()
	if err := p.prove(ctx, text); err != nil {
		return err
	}
	fmt.Fprintf(stderr, "proved in %v\n", time.Since(start).Round(time.Millisecond))
	_, err = fmt.Fprintf(stdout, "%s.%s\n", text[:1], text[1:])
	return err
}
