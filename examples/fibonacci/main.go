// Command fibonacci prints a Fibonacci number in full and proves its digits.
//
//	go run github.com/galfft/fft/examples/fibonacci -n 1000000
//
// It computes in radix 10^19 (intmul.Decimal), so that the digits that it prints are those that it computed with. Then
// it reads the text that it is about to print, digit by digit, modulo 2^61 − 1 and modulo a prime of 64 bits, and
// compares with F(n) modulo these, which it computes by themselves. A number that is wrong passes with a probability of
// about 2^−125. Digits go to standard output, times to standard error.
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
	flags := flag.NewFlagSet("fibonacci", flag.ContinueOnError)
	flags.SetOutput(stderr)
	n := flags.Uint64("n", 1000000, "print F(`N`)")
	workers := flags.Int("workers", 0, "number of goroutines; 0 is one for each processor")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return exitOK
	} else if err != nil {
		return exitUsage
	}
	if *workers < 0 || flags.NArg() > 0 {
		fmt.Fprintf(stderr, "fibonacci: -workers %d %q: want no negative number of workers, and no arguments\n", *workers,
			flags.Args())
		return exitUsage
	}
	if err := show(ctx, *n, *workers, stdout, stderr); err != nil {
		fmt.Fprintln(stderr, "fibonacci:", err)
		return exitFailed
	}
	return exitOK
}

// show computes, proves and prints F(n).
func show(ctx context.Context, n uint64, workers int, stdout, stderr io.Writer) error {
	start := time.Now()
	a, err := intmul.New(intmul.WithWorkers(workers))
	if err != nil {
		return err
	}
	f, err := fibonacci(ctx, a, n)
	if err != nil {
		return err
	}
	text := f.Append(nil)
	fmt.Fprintf(stderr, "%d digits computed in %v\n", len(text), time.Since(start).Round(time.Millisecond))
	start = time.Now()
	if err := prove(ctx, text, n); err != nil {
		return err
	}
	fmt.Fprintf(stderr, "proved in %v\n", time.Since(start).Round(time.Millisecond))
	_, err = stdout.Write(append(text, '\n'))
	return err
}
