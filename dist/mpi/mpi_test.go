package mpi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft"
	"github.com/galfft/fft/dist"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/binary"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/smallprime"
)

// The tests start this program again by launchers, with the variable that says what a rank does.
const variable = "GALFFT_MPI_TEST"

var noContext context.Context

func TestMain(m *testing.M) {
	do := ranks[os.Getenv(variable)]
	if do == nil {
		os.Exit(m.Run())
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	w, err := Start(ctx)
	if err != nil {
		fmt.Println(err)
		os.Exit(3)
	}
	err = w.Agree(ctx, 0, do(ctx, w))
	if w.rank == 0 && err == nil {
		fmt.Println("well:", w.Library())
	}
	if err != nil {
		fmt.Println(err)
	}
	if bad := w.Close(); bad != nil || err != nil {
		os.Exit(4)
	}
	os.Exit(0)
}

// killSelf ends this process as a crash of its machine would: nothing more of it runs.
func killSelf() error {
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		return err
	}
	return self.Kill()
}

// ranks is what ranks do, by name.
var ranks = map[string]func(ctx context.Context, w *World) error{
	"values":   values,
	"measure":  measure,
	"memory":   occupied,
	"pieces":   pieces,
	"faults":   faults,
	"disagree": disagree,
	"cancel":   cancelled,
	"handlers": func(context.Context, *World) error { return faulting() },
	"kill": func(ctx context.Context, w *World) error {
		if w.rank == w.size-1 {
			return killSelf()
		}
		return w.Agree(ctx, 0, nil)
	},
	"panic": func(ctx context.Context, w *World) error {
		if w.rank == w.size-1 {
			panic("a rank")
		}
		return w.Agree(ctx, 0, nil)
	},
}

// values compares transforms with those of one plan, which each rank makes for itself.
func values(ctx context.Context, w *World) error {
	numbers, err := bigprime.Open(bigprime.BN254().Order())
	if err != nil {
		return err
	}
	return errors.Join(
		compare(ctx, w, smallprime.Goldilocks(), 16, 1<<6, 1<<12),
		compare(ctx, w, smallprime.BabyBear(), 16, 1<<11),
		compare(ctx, w, bigprime.BN254(), 16, 1<<6, 1<<10),
		compare(ctx, w, gfpf.P2(), 16, 1<<10),
		compare[bigprime.Number](ctx, w, numbers, 1<<8),
		compareBy(ctx, w, binary.GHASH(), []fft.Option{fft.WithCoefficients(fft.LCH)}, 1<<4, 1<<10),
		compareBy(ctx, w, binary.GHASH(), nil, 1<<6, 1<<11, 1<<13), // of powers of x
	)
}

func compare[E any](ctx context.Context, w *World, f field.Rooted[E], lengths ...int) error {
	for i, n := range lengths {
		opts := []fft.Option{fft.WithOrder(fft.Order(i % 2)), fft.WithNegacyclic()}
		if err := compareBy(ctx, w, f, opts, n); err != nil {
			return err
		}
	}
	return nil
}

func compareBy[E any](ctx context.Context, w *World, f field.Field[E], opts []fft.Option, lengths ...int) error {
	for i, n := range lengths {
		r := rand.New(rand.NewPCG(uint64(n), 1))
		x, want := make([]E, n), make([]E, n)
		for i := range x {
			f.(field.Sampler[E]).Random(&x[i], r)
		}
		p, err := fft.NewPlan(f, n, opts...)
		if err != nil {
			return err
		}
		if err := p.Forward(want, x); err != nil {
			return err
		}
		q, err := dist.NewPlan(ctx, w, f, n, dist.Blocks{Values: i == 0}, opts...)
		if err != nil {
			return err
		}
		src, dst, part := make([]E, q.Size()), make([]E, q.Size()), make([]E, q.Size())
		if err := errors.Join(q.Cut(src, x, q.Coefficients(w.rank)), q.Cut(part, want, q.Values(w.rank))); err != nil {
			return err
		}
		if err := q.Forward(ctx, dst, src); err != nil {
			return err
		}
		for i := range dst {
			if !f.Equal(&dst[i], &part[i]) {
				return fmt.Errorf("%T, length %d: value %d of rank %d is wrong", f, n, i, w.rank)
			}
		}
		if err := q.Inverse(ctx, dst, dst); err != nil {
			return err
		}
		for i := range dst {
			if !f.Equal(&dst[i], &src[i]) {
				return fmt.Errorf("%T, length %d: coefficient %d of rank %d is wrong", f, n, i, w.rank)
			}
		}
	}
	return nil
}

// pieces is an exchange of more than a call can count.
func pieces(ctx context.Context, w *World) error {
	w.most = 100
	const n = 16 * 37
	send, recv := make([]uint64, n*w.size), make([]uint64, n*w.size)
	for i := range send {
		send[i] = uint64(w.rank*len(send) + i)
	}
	if err := w.Exchange(ctx, &bulks.Plain[uint64]{}, bulks.ViewOf(recv), bulks.ViewOf(send)); err != nil {
		return err
	}
	for i, x := range recv {
		if x != uint64(i/n*len(send)+w.rank*n+i%n) {
			return fmt.Errorf("word %d of rank %d is %d", i, w.rank, x)
		}
	}
	return nil
}

// is an error that is not the one wanted.
func is(err, want error) error {
	if errors.Is(err, want) {
		return nil
	}
	return fmt.Errorf("error %v, want %v", err, want)
}

// faults is errors that all ranks return, and that the world survives.
func faults(ctx context.Context, w *World) error {
	last := w.rank == w.size-1
	var mine error
	if last {
		mine = field.ErrMemory
	}
	ended, cancel := context.WithCancel(ctx)
	if last {
		cancel()
	}
	defer cancel()
	f := smallprime.Goldilocks()
	n := 64
	if last {
		n = 128
	}
	_, differ := dist.NewPlan(ctx, w, f, n, dist.Blocks{})
	if w.size == 1 {
		differ = dist.ErrDisagree
	}
	_, stopped := dist.NewPlan(ended, w, f, 64, dist.Blocks{})
	_, short := dist.NewPlan(ctx, w, f, 1<<20, dist.Blocks{}, fft.WithMemoryLimit(1<<(40-30*min(1, w.rank+1))))
	x, y := bulks.ViewOf(make([]string, w.size)), bulks.ViewOf(make([]string, w.size))
	err := errors.Join(is(w.Agree(ctx, 7, mine), field.ErrMemory), is(differ, dist.ErrDisagree),
		is(stopped, context.Canceled), is(short, field.ErrMemory),
		is(w.Exchange(ctx, &bulks.Slices[string]{}, x, y), field.ErrSpec),
		is(w.Agree(noContext, 0, nil), field.ErrSpec))
	var of *dist.RankError
	if !errors.As(stopped, &of) || of.Rank != w.size-1 {
		err = errors.Join(err, fmt.Errorf("%v is not of the last rank", stopped))
	}
	_, again := Start(ctx)
	return errors.Join(err, is(again, field.ErrSpec), compare(ctx, w, f, 1<<6))
}

// disagree ends all ranks with one code.
func disagree(ctx context.Context, w *World) error { return w.Agree(ctx, uint64(w.rank), nil) }

// cancelled waits for a rank that comes late, under a context that has ended meanwhile.
func cancelled(ctx context.Context, w *World) error {
	waiting, cancel := context.WithCancel(ctx)
	if w.rank == w.size-1 {
		time.Sleep(50 * time.Millisecond)
	} else {
		cancel()
	}
	defer cancel()
	return w.Agree(waiting, 0, nil)
}

// faulting sees that a fault is a panic of Go, after all that libraries do to signals.
func faulting() (err error) {
	defer func() {
		if v := recover(); v == nil || !strings.Contains(fmt.Sprint(v), "nil pointer") {
			err = fmt.Errorf("recovered %v", v)
		}
	}()
	var p *[1 << 10]int
	p[7]++
	return errors.New("a fault went by")
}

// launcher of a test, with the libraries that go with it.
type command struct {
	name string
	args []string
	lib  string
}

var commands = []command{
	{"mpiexec.mpich", nil, "libmpich.so.12"},
	{"mpiexec.openmpi", []string{"--allow-run-as-root", "--oversubscribe", "--bind-to", "none"}, "libmpi.so.40"},
}

// launch starts n ranks that do something, and returns the launcher's code and what they have said.
func (c command) launch(t *testing.T, n int, do string, env ...string) (code int, said string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	args := append(append([]string(nil), c.args...), "-n", strconv.Itoa(n), os.Args[0])
	cmd := exec.CommandContext(ctx, c.name, args...)
	cmd.Env = append(append(os.Environ(), variable+"="+do, "GALFFT_EMULATOR=off"), env...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.WaitDelay = 10 * time.Second
	err := cmd.Run()
	require.NoError(t, ctx.Err(), "%s hangs in %s: %s", c.name, do, &out)
	if e := (*exec.ExitError)(nil); err != nil && !errors.As(err, &e) {
		require.NoError(t, err)
	}
	return cmd.ProcessState.ExitCode(), out.String()
}

// each runs a test with every launcher.
func each(t *testing.T, f func(t *testing.T, c command)) {
	for _, c := range commands {
		t.Run(c.name, func(t *testing.T) {
			if _, err := exec.LookPath(c.name); err != nil {
				t.Skipf("no %s: install mpich and openmpi-bin", c.name)
			}
			f(t, c)
		})
	}
}

// Values of 1, 2 and 4 processes are those of one plan.
func TestValues(t *testing.T) {
	each(t, func(t *testing.T, c command) {
		for _, n := range []int{1, 2, 4} {
			code, said := c.launch(t, n, "values")
			require.Zero(t, code, said)
			require.Contains(t, said, "well: ")
		}
		code, said := c.launch(t, 2, "pieces")
		require.Zero(t, code, said)
	})
}

// Errors of one rank are those of all, the job goes on, and faults are Go's.
func TestFaults(t *testing.T) {
	each(t, func(t *testing.T, c command) {
		for do, n := range map[string]int{"faults": 2, "cancel": 2, "handlers": 1} {
			code, said := c.launch(t, n, do, "UCX_HANDLE_ERRORS=bt") // which takes the handlers of faults
			require.Zero(t, code, said)
		}
		code, said := c.launch(t, 2, "disagree")
		require.Equal(t, 4, code, said)
		require.Equal(t, 2, strings.Count(said, ": ranks disagree"), said)
	})
}

// A rank that is killed or panics ends the job.
func TestLost(t *testing.T) {
	each(t, func(t *testing.T, c command) {
		for _, do := range []string{"kill", "panic"} {
			code, said := c.launch(t, 2, do)
			require.NotZero(t, code, said)
			require.NotContains(t, said, "well: ")
		}
	})
}

// The library of another launcher, which would make each process a world of its own, is found out.
func TestOtherLibrary(t *testing.T) {
	each(t, func(t *testing.T, c command) {
		other := commands[0].lib
		if c.lib == other {
			other = commands[1].lib
		}
		if _, err := open(other); err != nil {
			t.Skip("there is no other library: ", err)
		}
		code, said := c.launch(t, 2, "values", "GALFFT_MPI="+other)
		require.NotZero(t, code)
		require.Contains(t, said, ErrUnavailable.Error())
	})
}

// A library with the ABI of MPI 5, made of MPICH's.
func TestStandard(t *testing.T) {
	c := commands[0]
	if _, err := exec.LookPath(c.name); err != nil {
		t.Skipf("no %s: install mpich", c.name)
	}
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("no gcc to compile the library with")
	}
	lib := filepath.Join(t.TempDir(), "libmpi_abi.so.0")
	out, err := exec.Command("gcc", "-shared", "-fPIC", "-o", lib, "testdata/abi.c",
		"-l:libmpich.so.12").CombinedOutput()
	require.NoError(t, err, "%s", out)
	code, said := c.launch(t, 2, "values", "GALFFT_MPI="+lib)
	require.Zero(t, code, said)
	require.Contains(t, said, "ABI of MPI 5")
}

// Without a launcher, or a library, the error says so.
func TestUnavailable(t *testing.T) {
	for _, name := range []string{"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"} {
		t.Setenv(name, "") // as if it were not set
	}
	_, err := Start(t.Context())
	require.ErrorIs(t, err, ErrUnavailable)
	require.ErrorContains(t, err, "mpiexec")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = Start(ended)
	require.ErrorIs(t, err, context.Canceled)
	_, err = load([]string{"libnone.so"})
	require.ErrorIs(t, err, ErrUnavailable)
	if runtime.GOOS == "linux" {
		require.ErrorContains(t, err, "libnone.so")
	}
	t.Setenv("PMI_SIZE", "3")
	t.Setenv("MPI_LOCALNRANKS", "2")
	l := launched()
	require.Equal(t, []any{"PMI", 3, 2}, []any{l.name, l.size, l.local})
	t.Setenv("OMPI_COMM_WORLD_SIZE", "5")
	require.Equal(t, "libmpi.so.40", launched().files[0])
}
