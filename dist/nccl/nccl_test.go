package nccl

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft"
	"github.com/galfft/fft/dist"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/gpu"
	"github.com/galfft/fft/internal/devices"
	"github.com/galfft/fft/internal/emulator"
	"github.com/galfft/fft/internal/erased"
	"github.com/galfft/fft/internal/names"
	"github.com/galfft/fft/internal/verbs"
)

// The tests start this program again, with the variable that says what a rank does.
const ranksVariable = "GALFFT_NCCL_TEST"

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	if do := ranks[os.Getenv(ranksVariable)]; do != nil {
		if err := rank(do); err != nil {
			fmt.Println(err)
			return 3
		}
		return 0
	}
	emulated := os.Getenv(emulator.Variable) == ""
	if emulated {
		os.Setenv("EMULATE_DEVICES", "4")
		dir, err := os.MkdirTemp("", "galfft-nccl-")
		if err != nil {
			fmt.Println(err)
			return 1
		}
		defer os.RemoveAll(dir)
		lib := filepath.Join(dir, "libnccl.so.2")
		if os.Getenv(emulator.Switch) == "off" {
			skipped = "no emulated driver"
		} else if out, err := exec.Command("gcc", "-shared", "-fPIC", "-O2", "-o", lib, "testdata/nccl.c", "-ldl", "-lpthread",
			"-lrt").CombinedOutput(); err != nil {
			skipped = fmt.Sprintf("no emulated NCCL: %v %s", err, out)
		}
		os.Setenv(variable, lib)
	}
	return emulator.Main(m)
}

var skipped string

// need skips a test where there is no emulated device, or no emulated NCCL.
func need(t testing.TB) {
	t.Helper()
	emulator.Need(t)
	if skipped != "" {
		t.Skip(skipped)
	}
}

// rank is a process of a job.
func rank(do func(ctx context.Context, g dist.Group, d *gpu.Device) error) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	list, err := gpu.Devices()
	if err != nil {
		return err
	}
	number, err := strconv.Atoi(os.Getenv("RANK"))
	if err != nil {
		return err
	}
	d, err := gpu.Open(number % len(list))
	if err != nil {
		return err
	}
	g, err := Start(ctx, d)
	if err != nil {
		return err
	}
	if os.Getenv("EMULATE_NCCL_STUCK") != "" {
		g.(*member).patience = 300 * time.Millisecond
	}
	err = do(ctx, g, d)
	return errors.Join(err, g.Close(), d.Close())
}

// killSelf ends this process as a crash of its machine would: nothing more of it runs.
func killSelf() error {
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		return err
	}
	return self.Kill()
}

var ranks = map[string]func(ctx context.Context, g dist.Group, d *gpu.Device) error{
	"values": values,
	"kill": func(ctx context.Context, g dist.Group, d *gpu.Device) error {
		return fault(ctx, g, d, killSelf)
	},
	"kill inside": func(ctx context.Context, g dist.Group, d *gpu.Device) error {
		return inside(ctx, g, d, killSelf)
	},
	"measure": func(ctx context.Context, g dist.Group, d *gpu.Device) error {
		if err := measure(ctx, fmt.Sprintf("a process for each of %d cards", g.Size()), g, d); err != nil {
			return err
		}
		return nil
	},
	"leave": func(ctx context.Context, g dist.Group, d *gpu.Device) error {
		return fault(ctx, g, d, func() error { return nil })
	},
}

// fault has the last rank do something while the others transform.
func fault(ctx context.Context, g dist.Group, d *gpu.Device, do func() error) error {
	if err := compare(ctx, g, d, "goldilocks", 1<<8); err != nil {
		return err
	}
	if g.Rank() == g.Size()-1 {
		return do()
	}
	start := time.Now()
	err := compare(ctx, g, d, "goldilocks", 1<<8)
	if !errors.Is(err, dist.ErrRank) || time.Since(start) > 10*time.Second {
		return fmt.Errorf("rank %d: %w after %v, want ErrRank", g.Rank(), err, time.Since(start))
	}
	return nil
}

// inside has the last rank do something while the others are in an exchange.
func inside(ctx context.Context, g dist.Group, d *gpu.Device, do func() error) error {
	on, err := gpu.Field(smallprime.Goldilocks(), gpu.On(d))
	if err != nil {
		return err
	}
	b := on.Bulk()
	x, err1 := b.Make(64)
	y, err2 := b.Make(64)
	if err := errors.Join(err1, err2, g.Exchange(ctx, b, x, y)); err != nil {
		return err
	}
	if g.Rank() == g.Size()-1 {
		time.Sleep(100 * time.Millisecond)
		return do()
	}
	start := time.Now()
	if err := g.Exchange(ctx, b, x, y); !errors.Is(err, dist.ErrRank) {
		return fmt.Errorf("rank %d: %w, want ErrRank", g.Rank(), err)
	}
	err = g.Close()
	if took := time.Since(start); took > 10*time.Second {
		return fmt.Errorf("rank %d: %v until the end", g.Rank(), took)
	}
	return err
}

// values compares transforms with those of one plan on the processor.
func values(ctx context.Context, g dist.Group, d *gpu.Device) error {
	return errors.Join(
		compare(ctx, g, d, "goldilocks", long(16, 1<<8, 1<<13)...),
		compare(ctx, g, d, "babybear", long(1<<9)...),
		compare(ctx, g, d, "gfpf:P3", 1<<8, 1<<10),
		additive(ctx, g, d),
	)
}

// long is lengths, and on real devices a longer one.
func long(lengths ...int) []int {
	if os.Getenv("EMULATE_DEVICES") == "" {
		lengths = append(lengths, 1<<20)
	}
	return lengths
}

func compare(ctx context.Context, g dist.Group, d *gpu.Device, name string, lengths ...int) error {
	f, on, err := hidden(name, d)
	if err != nil {
		return err
	}
	for i, n := range lengths {
		err := compareOne(ctx, g, f, on, n, dist.Blocks{Values: i == 0}, fft.WithOrder(fft.Order(i%2)),
			fft.WithNegacyclic())
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// hidden is a field and the same on a device, whose type of elements this package is not compiled for.
func hidden(name string, d *gpu.Device) (f, on *erased.Field, err error) {
	entry, err := names.Lookup(name)
	if err != nil {
		return nil, nil, err
	}
	of, err := entry.Open()
	if err != nil {
		return nil, nil, err
	}
	f = verbs.Elements(of)
	there, _, err := devices.Field(f.Field(), gpu.On(d))
	if err != nil {
		return nil, nil, err
	}
	return f, f.Over(there), nil
}

// compareOne compares a transform of random coefficients, and its inverse, over a field that is f on a device.
func compareOne(ctx context.Context, g dist.Group, f, on *erased.Field, n int, b dist.Blocks,
	opts ...fft.Option) error {
	r := rand.New(rand.NewPCG(uint64(n), 1))
	x, want := f.Make(n), f.Make(n)
	for i := range n {
		f.Random(f.At(x, i), r)
	}
	p, err := f.Plan(ctx, n, opts...)
	if err != nil {
		return err
	}
	if err := p.Forward(ctx, want, x); err != nil {
		return err
	}
	q, err := dist.NewErased(ctx, g, on, n, b, opts...)
	if err != nil {
		return err
	}
	src, dst, part := f.Make(q.Size()), f.Make(q.Size()), f.Make(q.Size())
	me := g.Rank()
	if err := errors.Join(q.Cut(src, x, q.Coefficients(me)), q.Cut(part, want, q.Values(me))); err != nil {
		return err
	}
	if err := q.Forward(ctx, dst, src); err != nil {
		return err
	}
	if !equal(f, dst, part) {
		return fmt.Errorf("length %d: values of rank %d are wrong", n, me)
	}
	if err := q.Inverse(ctx, dst, dst); err != nil {
		return err
	}
	if !equal(f, dst, src) {
		return fmt.Errorf("length %d: coefficients of rank %d are wrong", n, me)
	}
	return nil
}

func equal(f *erased.Field, x, y bulks.View) bool {
	for i := range x.N {
		if !f.Equal(f.At(x, i), f.At(y, i)) {
			return false
		}
	}
	return x.N == y.N
}

// devicesOf opens as many devices, where there are so many.
func devicesOf(t testing.TB, n int) []*gpu.Device {
	t.Helper()
	need(t)
	list, err := gpu.Devices()
	require.NoError(t, err)
	if len(list) < n {
		t.Skipf("this machine has %d devices, want %d", len(list), n)
	}
	var devices []*gpu.Device
	for i := range n {
		d, err := gpu.Open(i)
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, d.Close()) })
		devices = append(devices, d)
	}
	return devices
}

// Several devices of one process.
func TestLocal(t *testing.T) {
	for _, n := range []int{1, 2, 4} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			devices := devicesOf(t, n)
			ends, err := Local(t.Context(), devices...)
			require.NoError(t, err)
			t.Log(ends[0])
			require.NoError(t, dist.Run(ends, func(g dist.Group) error {
				return values(t.Context(), g, devices[g.Rank()])
			}))
			require.Zero(t, communicators(t))
		})
	}
}

// No communicator is left, whatever happened.
func communicators(t *testing.T) int {
	l, err := load()
	require.NoError(t, err)
	if !emulator.Emulates() {
		return 0
	}
	return emulated(t, l.file)
}

// Without NCCL devices copy from each other.
func TestPeers(t *testing.T) {
	for _, n := range []int{1, 2, 4} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			devices := devicesOf(t, n)
			ends := peers(t, devices)
			require.NoError(t, dist.Run(ends, func(g dist.Group) error {
				return values(t.Context(), g, devices[g.Rank()])
			}))
		})
	}
}

func peers(t testing.TB, devices []*gpu.Device) []dist.Group {
	ends, err := localOf(context.Background(), devices, errors.New("a reason"))
	require.NoError(t, err)
	require.Contains(t, fmt.Sprint(ends[0]), "a reason")
	return ends
}

// A rank that is cancelled, or leaves, is an error of all, and after the first the group goes on.
func TestFaults(t *testing.T) {
	for _, n := range []int{2, 4} {
		t.Run(fmt.Sprint(n), func(t *testing.T) { faults(t, devicesOf(t, n)) })
	}
}

func faults(t *testing.T, devices []*gpu.Device) {
	ends, err := Local(t.Context(), devices...)
	require.NoError(t, err)
	f := smallprime.Goldilocks()
	require.NoError(t, dist.Run(ends, func(g dist.Group) error {
		on, err := gpu.Field(f, gpu.On(devices[g.Rank()]))
		if err != nil {
			return err
		}
		b := on.Bulk()
		x, err1 := b.Make(64)
		y, err2 := b.Make(64)
		if err := errors.Join(err1, err2); err != nil {
			return err
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		if g.Rank() == 0 { // it waits inside the exchange
			time.AfterFunc(20*time.Millisecond, cancel)
			if err := g.Exchange(ctx, b, x, y); !errors.Is(err, context.Canceled) {
				return fmt.Errorf("cancelled: %w", err)
			}
		} else {
			for m := g.(*member); !m.alarm.raised(m.round + 1); { // by rank 0, in this exchange
				time.Sleep(time.Millisecond)
			}
			if err := g.Exchange(t.Context(), b, x, y); !errors.Is(err, context.Canceled) {
				return fmt.Errorf("beside one cancelled: %w", err)
			}
		}
		limit := 1 << 30
		if g.Rank() == 1 {
			limit = 1 << 10
		}
		_, err = dist.NewPlan(t.Context(), g, on, 1<<12, dist.Blocks{}, fft.WithMemoryLimit(limit))
		if !errors.Is(err, field.ErrMemory) {
			return fmt.Errorf("short of memory: %w", err)
		}
		if err := compare(t.Context(), g, devices[g.Rank()], "goldilocks", 64); err != nil {
			return err
		}
		if g.Rank() == 1 {
			return nil // and closes its end
		}
		if err := g.Exchange(t.Context(), b, x, y); !errors.Is(err, dist.ErrRank) {
			return fmt.Errorf("alone: %w", err)
		}
		return nil
	}))
	require.Zero(t, communicators(t))
}

// A rank that is through and closes its end is no failure of the exchange that others are about to return from.
func TestLastExchange(t *testing.T) {
	devices := devicesOf(t, 2)
	for range 4 {
		ends, err := Local(t.Context(), devices...)
		require.NoError(t, err)
		require.NoError(t, dist.Run(ends, func(g dist.Group) error {
			on, err := gpu.Field(smallprime.Goldilocks(), gpu.On(devices[g.Rank()]))
			if err != nil {
				return err
			}
			b := on.Bulk()
			x, err1 := b.Make(64)
			y, err2 := b.Make(64)
			return errors.Join(err1, err2, g.Exchange(t.Context(), b, x, y))
		}))
	}
}

// An operand of a wrong length is an error of all, and the group goes on.
func TestUnequal(t *testing.T) {
	devices := devicesOf(t, 2)
	ends, err := Local(t.Context(), devices...)
	require.NoError(t, err)
	require.NoError(t, dist.Run(ends, func(g dist.Group) error {
		on, err := gpu.Field(smallprime.Goldilocks(), gpu.On(devices[g.Rank()]))
		if err != nil {
			return err
		}
		b := on.Bulk()
		x, err1 := b.Make(64)
		y, err2 := b.Make(64 >> g.Rank())
		if err := errors.Join(err1, err2); err != nil {
			return err
		}
		if err := g.Exchange(t.Context(), b, x, y); !errors.Is(err, field.ErrLength) {
			return fmt.Errorf("unequal: %w", err)
		}
		return g.Exchange(t.Context(), b, x.Slice(0, 32), y.Slice(0, 32))
	}))
}

// inSteps is a rank that exchanges short vectors in steps too.
type inSteps struct{ *member }

func (s inSteps) Steps(int) int { return 4 * s.Size() }

// Transforms whose exchange has steps, beside the rows, have the values of one plan.
func TestSteps(t *testing.T) {
	for _, n := range []int{2, 4} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			devices := devicesOf(t, n)
			ends, err := Local(t.Context(), devices...)
			require.NoError(t, err)
			for i, g := range ends {
				ends[i] = inSteps{g.(*member)}
			}
			require.NoError(t, dist.Run(ends, func(g dist.Group) error {
				return errors.Join(
					compare(t.Context(), g, devices[g.Rank()], "goldilocks", 1<<13, 1<<13),
					compare(t.Context(), g, devices[g.Rank()], "babybear", 1<<13),
					compare(t.Context(), g, devices[g.Rank()], "gfpf:P3", 1<<9, 1<<9))
			}))
			require.Zero(t, communicators(t))
		})
	}
}

// Real devices have the values of one plan over all fields of kernels, and over digits by the steps of long vectors.
func TestFields(t *testing.T) {
	if emulator.Emulates() {
		t.Skip("for real devices: emulated ones take minutes, and package gpu has ranks of each field")
	}
	for _, n := range []int{2, 4} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			devices := devicesOf(t, n)
			ends, err := Local(t.Context(), devices...)
			require.NoError(t, err)
			require.NoError(t, dist.Run(ends, func(g dist.Group) error {
				ctx, d := t.Context(), devices[g.Rank()]
				f, on, err := hidden("gfpf:P3", d)
				if err != nil {
					return err
				}
				return errors.Join(
					compare(ctx, g, d, "p30", 1<<12, 1<<16),
					compare(ctx, g, d, "babybear", 1<<12, 1<<16),
					compare(ctx, g, d, "koalabear", 1<<12, 1<<16),
					compare(ctx, g, d, "p32", 1<<12, 1<<16),
					compare(ctx, g, d, "p50", 1<<12, 1<<16),
					compare(ctx, g, d, "p62", 1<<12, 1<<16),
					compare(ctx, g, d, "p63", 1<<12, 1<<16),
					compare(ctx, g, d, "p64", 1<<12, 1<<16),
					compare(ctx, g, d, "gfpf:P1", 1<<12, 1<<15),
					compare(ctx, g, d, "gfpf:P2", 1<<12, 1<<15),
					compare(ctx, g, d, "gfpf:P4", 1<<12, 1<<15),
					compare(ctx, g, d, "gfpf:P5", 1<<10, 1<<12),
					compare(ctx, g, d, "gfpf:P6", 1<<10, 1<<11),
					compare(ctx, g, d, "gfpf:P7", 1<<8, 1<<10),
					compareOne(ctx, g, f, on, n<<21, dist.Blocks{}, fft.WithOrder(fft.BitReversed),
						fft.WithNegacyclic(), fft.WithWorkers(8)))
			}))
		})
	}
}

// A step that fails on one rank is an error of all, and the group goes on.
func TestStepFails(t *testing.T) {
	devices := devicesOf(t, 2)
	ends, err := Local(t.Context(), devices...)
	require.NoError(t, err)
	require.NoError(t, dist.Run(ends, func(g dist.Group) error {
		on, err := gpu.Field(smallprime.Goldilocks(), gpu.On(devices[g.Rank()]))
		if err != nil {
			return err
		}
		b := on.Bulk()
		x, err1 := b.Make(64)
		y, err2 := b.Make(64)
		if err := errors.Join(err1, err2); err != nil {
			return err
		}
		s := g.(dist.Stepper)
		err = s.ExchangeSteps(t.Context(), b, x, y, dist.Chunks{Order: []int{0, 1, 2, 3}}, nil, func(chunk int) error {
			if g.Rank() == 1 && chunk == 1 {
				return field.ErrMemory
			}
			return nil
		})
		if !errors.Is(err, field.ErrMemory) {
			return fmt.Errorf("rank %d: %w, want ErrMemory", g.Rank(), err)
		}
		two := dist.Chunks{Order: []int{1, 0}}
		return s.ExchangeSteps(t.Context(), b, x, y, two, func(int) error { return nil }, nil)
	}))
	require.Zero(t, communicators(t))
}

// Processes, one for each device, or several on one that NCCL takes for those of several hosts.
func TestProcesses(t *testing.T) {
	for _, size := range []int{1, 2, 4} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			need(t)
			for _, code := range job(t, "values", size) {
				require.Zero(t, code)
			}
		})
	}
}

// A rank that is killed, or closes its end, is an error of the others.
func TestLost(t *testing.T) {
	need(t)
	size := 2
	if !emulator.Emulates() {
		list, err := gpu.Devices()
		require.NoError(t, err)
		size = min(max(size, len(list)), 4)
	}
	for _, what := range []string{"kill", "kill inside", "leave"} {
		for _, code := range job(t, what, size)[:size-1] {
			require.Zero(t, code, what)
		}
	}
}

// Nor does a call of NCCL keep a rank that does not return.
func TestStuck(t *testing.T) {
	need(t)
	if !emulator.Emulates() {
		t.Skip("for the emulated NCCL")
	}
	t.Setenv("EMULATE_NCCL_STUCK", "1")
	require.Zero(t, job(t, "kill inside", 2)[0])
}

// job starts ranks and waits for their codes.
func job(t *testing.T, what string, size int) []int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	port := l.Addr().(*net.TCPAddr).Port
	require.NoError(t, l.Close())
	codes, outs := make([]int, size), make([][]byte, size)
	var all sync.WaitGroup
	for r := range size {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.timeout=2m")
		cmd.Env = append(os.Environ(), ranksVariable+"="+what, fmt.Sprintf("RANK=%d", r), fmt.Sprintf("WORLD_SIZE=%d", size),
			"MASTER_ADDR=127.0.0.1", fmt.Sprintf("MASTER_PORT=%d", port))
		list, err := gpu.Devices()
		require.NoError(t, err)
		if len(list) < size {
			cmd.Env = append(cmd.Env, fmt.Sprintf("NCCL_HOSTID=galfft%d", r), "NCCL_SOCKET_IFNAME=lo", "NCCL_IB_DISABLE=1")
		}
		all.Go(func() {
			outs[r], _ = cmd.CombinedOutput()
			codes[r] = cmd.ProcessState.ExitCode()
		})
	}
	all.Wait()
	for r, out := range outs {
		if len(out) > 0 {
			t.Logf("rank %d: %s", r, out)
		}
	}
	return codes
}

// Variables of launchers.
func TestLaunched(t *testing.T) {
	all := []string{"RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT", "TORCHELASTIC_USE_AGENT_STORE", "SLURM_PROCID",
		"SLURM_NTASKS", "SLURM_JOB_NODELIST", "SLURM_JOB_ID"}
	for _, c := range []struct {
		values []string // of all, in order
		want   place
		bad    bool
	}{
		{values: make([]string, 9), bad: true},
		{values: []string{"1", "4", "host", "29500", "", "", "", "", ""}, want: place{"torchrun", 1, 4, "host:29500"}},
		{values: []string{"1", "4", "::1", "29500", "True", "", "", "", ""}, want: place{"torchrun", 1, 4, "[::1]:29501"}},
		{values: []string{"4", "4", "host", "29500", "", "", "", "", ""}, bad: true},
		{values: []string{"x", "4", "host", "29500", "", "", "", "", ""}, bad: true},
		{values: []string{"0", "1", "host", "", "", "", "", "", ""}, bad: true},
		{values: []string{"0", "1", "host", "65535", "", "", "", "", ""}, bad: true},
		{values: []string{"", "", "", "", "", "0", "2", "a[13-15,7],b", "100007"}, want: place{"Slurm", 0, 2, "a13:20007"}},
		{values: []string{"", "", "", "", "", "1", "2", "a,b[1-2]", "5"}, want: place{"Slurm", 1, 2, "a:20005"}},
		{values: []string{"", "", "", "", "", "0", "1", "one", "5"}, want: place{"Slurm", 0, 1, "one:20005"}},
	} {
		for i, name := range all {
			t.Setenv(name, c.values[i])
		}
		p, err := launched()
		if c.bad {
			require.ErrorIs(t, err, ErrUnavailable, "%q", c.values)
			continue
		}
		require.NoError(t, err, "%q", c.values)
		require.Equal(t, c.want, p)
	}
}

// The variable that keeps multicast off is there for C.
func TestVariable(t *testing.T) {
	need(t)
	if runtime.GOOS != "linux" {
		t.Skip("there is no NCCL for this system")
	}
	_, err := Available()
	require.NoError(t, err)
	require.Equal(t, "0", getenv(t, "NCCL_NVLS_ENABLE"))
}
