// Galfft transforms vectors over finite fields and multiplies polynomials, checks itself and measures itself.
//
//	galfft mul --field goldilocks a.txt b.txt    # the product of the polynomials in two files
//	galfft verify --field p62 --n 2^16           # checks transforms on random input
//	galfft bench                                 # a default set of measurements
//	galfft help
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"golang.org/x/term"

	"github.com/galfft/fft/internal/memory"
	"github.com/galfft/fft/internal/names"
)

func main() {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as under nohup, where the work goes on
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	// What reading left behind is collected before it costs more than there is.
	debug.SetMemoryLimit(int64(memory.Limit()))
	width, _, _ := term.GetSize(int(os.Stdout.Fd())) // 0 where it is no terminal
	a := app{
		stdin:    os.Stdin,
		stdout:   patientWriter{ctx, os.Stdout},
		stderr:   patientWriter{ctx, os.Stderr},
		terminal: term.IsTerminal(int(os.Stderr.Fd())),
		pace:     pace{after: time.Second, every: 100 * time.Millisecond},
		width:    width,
		lookup:   names.Lookup,
	}
	os.Exit(a.run(ctx, os.Args[1:]))
}
