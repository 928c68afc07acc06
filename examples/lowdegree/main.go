// Command lowdegree shows what a proof system over a binary field does with the trace of a computation: it extends the
// columns to eight cosets, and tests that a table of values is such an extension.
//
//	go run github.com/galfft/fft/examples/lowdegree -rows 65536
//	go run github.com/galfft/fft/examples/lowdegree -rows 65536 -corrupt 1234
//
// The trace is of a machine with four registers in GF(2^64). Its columns are values of polynomials of degree below the
// number of rows on a subspace, and go to a subspace eight times as large. The test draws its random elements from a
// hash of the table. What it finds goes to standard output, times to standard error.
//
// The exit status is 0 where the test accepts, 1 where it refuses or the work cannot be done or is interrupted, and 2
// for bad arguments.
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
	flags := flag.NewFlagSet("lowdegree", flag.ContinueOnError)
	flags.SetOutput(stderr)
	rows := flags.Int("rows", 1<<16, "the trace has `N` rows, a power of two")
	corrupt := flags.Int("corrupt", -1, "change value `I` of the extended table; -1 changes none")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return exitOK
	} else if err != nil {
		return exitUsage
	}
	if n := *rows; n < 2 || n > 1<<24 || n&(n-1) != 0 || *corrupt < -1 || *corrupt >= n*registers*blowup ||
		flags.NArg() > 0 {
		fmt.Fprintf(stderr, "lowdegree: -rows %d -corrupt %d %q: want a power of two from 2 to 2^24, one of the %d values "+
			"a row of the trace has, and no arguments\n", n, *corrupt, flags.Args(), registers*blowup)
		return exitUsage
	}
	fail := func(err error) int {
		fmt.Fprintln(stderr, "lowdegree:", err)
		return exitFailed
	}
	start := time.Now()
	table, err := extend(ctx, trace(*rows))
	if err != nil {
		return fail(err)
	}
	fmt.Fprintf(stderr, "computed and extended in %v\n", time.Since(start).Round(time.Millisecond))
	if *corrupt >= 0 {
		table[*corrupt] ^= 1
	}
	start = time.Now()
	low, err := test(ctx, table)
	if err != nil {
		return fail(err)
	}
	fmt.Fprintf(stderr, "tested in %v\n", time.Since(start).Round(time.Millisecond))
	if !low {
		fmt.Fprintf(stdout, "refused: the %d columns of %d values are no polynomials of degree below %d\n", registers,
			*rows*blowup, *rows)
		return exitFailed
	}
	fmt.Fprintf(stdout, "accepted: %d columns of %d values are polynomials of degree below %d\n", registers,
		*rows*blowup, *rows)
	return exitOK
}
