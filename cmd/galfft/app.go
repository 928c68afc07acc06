package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/benchjson"
	"github.com/galfft/fft/internal/cpu"
	"github.com/galfft/fft/internal/names"
	"github.com/galfft/fft/internal/verbs"
	"github.com/galfft/fft/rs"
)

// Exit codes.
const (
	exitOK     = 0
	exitFailed = 1 // a check failed, or the work could not be done
	exitUsage  = 2 // the command line makes no sense
)

// app is the command with its surroundings.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	terminal       bool // stderr is one: people want to see progress
	pace           pace // of progress
	width          int  // columns of stdout; 0 where it is no terminal
	lookup         func(name string) (names.Entry, error)
}

// usageError is a mistake in the command line.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// run executes a command line and returns its exit code.
func (a *app) run(ctx context.Context, args []string) int {
	started := false
	root := a.root()
	root.SetArgs(args)
	root.PersistentPreRunE = func(*cobra.Command, []string) error {
		err := cpu.Err()
		started = err == nil
		return err
	}
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		return exitOK
	}
	if ctx.Err() != nil {
		err = errors.New("cancelled")
	}
	if result := outcome(0); errors.As(err, &result) {
		return int(result)
	}
	a.notef("%s", message(err))
	var usage usageError
	if !started || errors.As(err, &usage) || errors.Is(err, field.ErrSpec) {
		fmt.Fprintf(a.stderr, "%s --help tells more\n", cmd.CommandPath())
		return exitUsage
	}
	if errors.Is(err, rs.ErrBeyond) {
		return exitBeyond
	}
	return exitFailed
}

// message is the text of an error without the packages' names in it, as there is one command, without the word for
// parameters of plans, which are flags here, and without the names of functions that read numbers.
func message(err error) string {
	text := strings.ReplaceAll(": "+err.Error(), ": "+field.ErrSpec.Error()+": ", ": ")
	for _, name := range []string{"galfft", "fft", "poly", "crt", "cpu", "dist", "gmp", "gpu", "intmul", "literal", "midint", "mpi", "nccl", "pin",
		"plot", "rs", "shards", "tune", "tuning", "vecfile"} {
		text = strings.ReplaceAll(text, ": "+name+": ", ": ")
	}
	if number := (*strconv.NumError)(nil); errors.As(err, &number) {
		text = strings.Replace(text, number.Error(), "no whole number that it takes", 1)
	}
	return strings.TrimPrefix(text, ": ")
}

// notef writes a line for people.
func (a *app) notef(format string, args ...any) {
	fmt.Fprintf(a.stderr, "galfft: "+format+"\n", args...)
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:     "galfft",
		Version: fmt.Sprintf("%s, %s, commit %s", version(), runtime.Version(), benchjson.Commit()),
		Short:   "Fast Fourier transforms over finite fields",
		Long: `Galfft transforms vectors over finite fields and multiplies polynomials, exactly, and keeps files by Reed–Solomon codes.

Text files hold coefficients separated by white space, low degree first; # starts a comment. They are decimal, and
hexadecimal over binary fields. Binary files hold whole bytes a coefficient, as few as hold any, little-endian. Data
goes to standard output, everything else to standard error. The exit code is 0 for success, 1 for a failed check or a
run-time error, 2 for a mistake in the command line. Of check and reconstruct it is also 3 for what can be repaired, and
4 for what cannot.`,
		Example: `  galfft info                                             # the fields and the machine
  galfft primes --bits 62 --adicity 24                    # primes for transforms of 2^24 points
  galfft mul --field goldilocks a.txt b.txt               # the product of two polynomials
  galfft run --field p62 --op forward x.txt               # the transform of a vector
  galfft verify --field p62 --n 2^0..2^16                 # does it compute right here?
  galfft bench --field p62 --op forward --n 2^10..2^20    # how fast?
  galfft bench --json | galfft plot                       # a picture of it
  galfft tune --field p62 --n 2^10..2^20                  # and faster, on this machine
  galfft encode --data 10 --parity 4 --out shards FILE    # any 10 of 14 shards are the file`,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	// No template of cobra's is set: with one the linker keeps every exported method, a tenth of the program.
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.AddCommand(a.info(), a.mul(), a.transform(), a.verify(), a.bench(), a.tune(), a.plot(), a.primes(),
		a.midint(), a.huge(), a.encode(), a.reconstruct(), a.check())
	strict(root)
	return root
}

// strict makes cobra's own commands refuse words they do not know; left alone they print help and succeed.
func strict(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	asIs := func(*cobra.Command, []string) {} // in place of root's: nothing is computed
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "help":
			cmd.PersistentPreRun = asIs
			cmd.Args = func(_ *cobra.Command, args []string) error {
				if _, rest, err := root.Find(args); err != nil || len(rest) > 0 {
					return usagef("unknown help topic %q", strings.Join(args, " "))
				}
				return nil
			}
		case "completion":
			cmd.PersistentPreRun = asIs
			// Cobra checks the arguments of commands that run.
			cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		}
	}
}

// open returns the field of a name.
func (a *app) open(ctx context.Context, name string) (verbs.Field, error) {
	if name == "" {
		return nil, usagef("no field: want --field NAME, galfft info lists the names")
	}
	e, err := a.lookup(name)
	if err != nil {
		return nil, usageError{err}
	}
	f, err := opened(ctx, e)
	if err != nil && ctx.Err() == nil {
		return nil, usageError{fmt.Errorf("field %s: %w", name, err)}
	}
	return f, err
}

// opened is the field of an entry, or the end of the context: to prove that 8192 bits are a prime takes math/big a
// second, and nothing stops it.
func opened(ctx context.Context, e names.Entry) (verbs.Field, error) {
	var f verbs.Field
	done := make(chan error, 1)
	go func() {
		var err error
		f, err = e.Open()
		done <- err
	}()
	select {
	case err := <-done:
		return f, err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
