package mpi

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"reflect"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/galfft/fft/dist"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
)

// World is all processes of the job, each of which is a rank: a dist.Group. Nil and the zero World are none: methods
// that return an error return field.ErrSpec, and the others zero values.
type World struct {
	l          *library
	rank, size int
	most       int  // words of a block that one call exchanges: the library counts in 32 bits
	crowded    bool // there are more ranks on this host than processors
	work       chan func()
	mu         sync.Mutex // of closed
	closed     bool
}

var _ dist.Group = (*World)(nil)

const (
	initLimit = time.Minute
	grace     = 10 * time.Second // for others to come, where a context has ended, and for the end of the job
	failed    = 1                // the code of a job that ends here
)

var started atomic.Bool

// Start opens the library and makes this process a rank of the job. All processes of the job call it, once. Where ctx
// ends before all have come, or after a minute, it ends the job: MPI does not let a process go that waits there.
//
// Errors are ErrUnavailable, where no launcher has started this process or no library is found, and where the library
// is not the launcher's, so that every process would be alone; ErrCall; and field.ErrSpec for a second call.
func Start(ctx context.Context) (*World, error) {
	if ctx == nil {
		return nil, fmt.Errorf("mpi: %w: the context is nil", field.ErrSpec)
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("mpi: not started: %w", err)
	}
	by := launched()
	if by.name == "" {
		return nil, fmt.Errorf("mpi: %w: want mpiexec, mpirun or srun to start this program: none of "+
			"OMPI_COMM_WORLD_SIZE, PMI_SIZE and PMIX_RANK is set", ErrUnavailable)
	}
	if !started.CompareAndSwap(false, true) {
		return nil, fmt.Errorf("mpi: %w: it was started before", field.ErrSpec)
	}
	w := &World{work: make(chan func()), most: math.MaxInt32}
	go func() { // the thread of all calls, never given back
		runtime.LockOSThread()
		for f := range w.work {
			f()
		}
	}()
	begun := make(chan struct{})
	defer close(begun)
	go watch(ctx, begun, initLimit)
	var err error
	w.do(func() { err = w.start(by) })
	if err != nil {
		return nil, err
	}
	return w, nil
}

// watch ends the process, and by its launcher the job, where it is not over in time.
func watch(ctx context.Context, over <-chan struct{}, limit time.Duration) {
	select {
	case <-over:
	case <-ctx.Done():
		os.Exit(failed)
	case <-time.After(limit):
		os.Exit(failed)
	}
}

// do runs f on the thread of MPI.
func (w *World) do(f func()) {
	done := make(chan struct{})
	w.work <- func() { f(); close(done) }
	<-done
}

func (w *World) start(by launcher) (err error) {
	before := handling() // some are taken when the library is loaded
	if os.Getenv("UCX_HANDLE_ERRORS") == "" {
		_ = os.Setenv("UCX_HANDLE_ERRORS", "none")
	}
	if w.l, err = load(by.files); err != nil {
		repair(before)
		return err
	}
	l := w.l
	err = l.call(initThread, 0, 0, l.funneled, address(&l.x))
	repair(before)
	if err != nil {
		return err
	}
	for _, c := range []uintptr{l.world, l.self} {
		if err := l.call(setErrhandler, c, l.returns); err != nil {
			return err
		}
	}
	if err := l.call(commRank, l.world, address(&l.x)); err != nil {
		return err
	}
	if err := l.call(commSize, l.world, address(&l.y)); err != nil {
		return err
	}
	w.rank, w.size = int(l.x), int(l.y)
	if by.size > 0 && by.size != w.size {
		return fmt.Errorf("mpi: %w: the launcher (%s) has started %d processes, and %s (%s) sees %d: it is another "+
			"library than the launcher's", ErrUnavailable, by.name, by.size, l.version, l.file, w.size)
	}
	ranks := by.local
	if ranks == 0 {
		ranks = w.size
	}
	w.crowded = ranks > runtime.NumCPU()
	return nil
}

func (w *World) none() bool { return w == nil || w.l == nil }

var errNone = fmt.Errorf("mpi: %w: a world that is nil or zero, want one of Start", field.ErrSpec)

// Rank is the number of this process.
func (w *World) Rank() int {
	if w.none() {
		return 0
	}
	return w.rank
}

// Size is the number of processes.
func (w *World) Size() int {
	if w.none() {
		return 0
	}
	return w.size
}

// Library says which library was found: its version, its file and its ABI.
func (w *World) Library() string {
	if w.none() {
		return ""
	}
	return fmt.Sprintf("%s (%s, ABI of %s)", w.l.version, w.l.file, w.l.name)
}

// String is Library, for Explain of plans.
func (w *World) String() string { return w.Library() }

// begin is the error of a call that cannot be.
func (w *World) begin(ctx context.Context) error {
	if w.none() {
		return errNone
	}
	if ctx == nil {
		return fmt.Errorf("mpi: %w: the context is nil", field.ErrSpec)
	}
	if w.closed {
		return &dist.RankError{Rank: w.rank, Err: dist.ErrRank}
	}
	return nil
}

// Agree is that of dist.Group. Of an error of another rank it knows the kind alone: see dist.Severity.
func (w *World) Agree(ctx context.Context, key uint64, err error) error {
	w.lock()
	defer w.unlock()
	if bad := w.begin(ctx); bad != nil {
		return bad
	}
	mine := [3]uint64{0, key, ^key}
	if s := dist.Severity(err); s > 0 {
		mine = [3]uint64{uint64(s)<<32 | uint64(math.MaxInt32-w.rank)}
	}
	all, bad := w.greatest(ctx, mine)
	switch {
	case bad != nil:
		return bad
	case all[0] > 0:
		rank := math.MaxInt32 - int(all[0]&math.MaxInt32)
		if rank == w.rank {
			var of *dist.RankError
			if errors.As(err, &of) {
				return err
			}
			return &dist.RankError{Rank: rank, Err: err}
		}
		return dist.OfSeverity(rank, int(all[0]>>32))
	case all[1] == ^all[2]:
		return nil
	}
	mine = [3]uint64{}
	if key != all[1] {
		mine[0] = uint64(math.MaxInt32 - w.rank)
	}
	if all, bad = w.greatest(ctx, mine); bad != nil {
		return bad
	}
	return &dist.RankError{Rank: math.MaxInt32 - int(all[0]), Err: dist.ErrDisagree}
}

// greatest is the greatest words of all ranks.
func (w *World) greatest(ctx context.Context, mine [3]uint64) ([3]uint64, error) {
	l := w.l
	l.in = mine
	err := w.collective(ctx, iallreduce, address(&l.in), address(&l.out), uintptr(len(mine)), l.words, l.max, l.world)
	return l.out, err
}

// Exchange is that of dist.Group, for a bulk whose vectors are memory without pointers; others are field.ErrSpec.
func (w *World) Exchange(ctx context.Context, b bulks.Bulk, recv, send bulks.View) error {
	w.lock()
	defer w.unlock()
	if bad := w.begin(ctx); bad != nil {
		return bad
	}
	_, ok := b.Memory(send.Slice(0, 0))
	switch {
	case !ok:
		return &dist.RankError{Rank: w.rank, Err: fmt.Errorf("mpi: %w: vectors of %T are not memory without pointers",
			field.ErrSpec, b)}
	case send.N != recv.N || send.N%w.size != 0:
		return &dist.RankError{Rank: w.rank, Err: &field.LengthError{What: "recv", Want: send.N, Got: recv.N}}
	}
	n := send.N / w.size
	if n%bulks.Lanes == 0 && reflect.TypeOf(recv.Buf) == reflect.TypeOf(send.Buf) {
		return w.exchange(ctx, b, recv, send)
	}
	// Parts begin inside tiles, or one side is a slice of the caller and the other is not: by way of vectors.
	step := (n + bulks.Lanes - 1) / bulks.Lanes * bulks.Lanes
	var v [2]bulks.View
	for i := range v {
		var err error
		if v[i], err = b.Make(w.size * step); err != nil {
			w.Abort(failed) // the others are in the call
		}
	}
	rows := bulks.Copy{Rows: w.size, Width: n, Dst: step, Src: n}
	b.Copy(v[0], send, rows)
	if err := w.exchange(ctx, b, v[1], v[0]); err != nil {
		return err
	}
	rows.Dst, rows.Src = n, step
	b.Copy(recv, v[1], rows)
	return nil
}

// exchange moves parts that are whole tiles, and so whole words.
func (w *World) exchange(ctx context.Context, b bulks.Bulk, recv, send bulks.View) error {
	to, _ := b.Memory(recv)
	from, _ := b.Memory(send)
	if len(from) == 0 {
		return nil
	}
	advise(to)
	advise(from)
	words := len(from) / 8 / w.size
	if words <= w.most {
		return w.alltoall(ctx, to, from, words)
	}
	// In pieces, which lie apart.
	piece := min(w.most, 1<<20)
	out, in := make([]byte, 8*piece*w.size), make([]byte, 8*piece*w.size)
	for at := 0; at < words; at += piece {
		n := 8 * min(piece, words-at)
		for r := range w.size {
			copy(out[r*n:][:n], from[8*(r*words+at):])
		}
		if err := w.alltoall(ctx, in, out, n/8); err != nil {
			return err
		}
		for r := range w.size {
			copy(to[8*(r*words+at):][:n], in[r*n:])
		}
	}
	return nil
}

func (w *World) alltoall(ctx context.Context, to, from []byte, words int) error {
	n := uintptr(words)
	err := w.collective(ctx, ialltoall, address(&from[0]), n, w.l.words, address(&to[0]), n, w.l.words, w.l.world)
	runtime.KeepAlive(from)
	runtime.KeepAlive(to)
	return err
}

// collective begins a call of all ranks and waits for its end. Who has begun cannot leave: where ctx ends, the others
// have some time to come before the job ends.
func (w *World) collective(ctx context.Context, f function, args ...uintptr) error {
	var err error
	w.do(func() {
		l := w.l
		if err = l.call(f, append(args, address(&l.request))...); err != nil {
			return
		}
		var last time.Time
		for turn := 0; ; turn++ {
			if err = l.call(test, address(&l.request), address(&l.x), address(&l.status)); err != nil || l.x != 0 {
				return
			}
			if w.crowded && turn > 20 {
				pause(20 * time.Microsecond)
			}
			if turn%256 != 255 || ctx.Err() == nil {
				continue
			}
			if now := time.Now(); last.IsZero() {
				last = now.Add(grace)
			} else if now.After(last) {
				w.abort(failed)
			}
		}
	})
	if err != nil {
		w.Abort(failed) // the others wait
	}
	return err
}

// Abort ends all processes of the job with a code, this one too.
func (w *World) Abort(code int) {
	if w.none() {
		return
	}
	go w.do(func() { w.abort(code) })
	time.Sleep(grace / 2)
	os.Exit(code)
}

// abort is Abort on the thread of MPI.
func (w *World) abort(code int) {
	invoke(w.l.f[abort], w.l.world, uintptr(code))
	os.Exit(code)
}

// Close leaves the job, which waits until all ranks do. Where they do not within ten seconds, the job ends. Closing
// twice does nothing.
func (w *World) Close() error {
	if w.none() {
		return errNone
	}
	w.lock()
	defer w.unlock()
	if w.closed {
		return nil
	}
	w.closed = true
	over := make(chan struct{})
	defer close(over)
	go watch(context.Background(), over, grace)
	var err error
	w.do(func() { err = w.l.call(finalize) })
	return err
}

func (w *World) lock() {
	if !w.none() {
		w.mu.Lock()
	}
}

func (w *World) unlock() {
	if !w.none() {
		w.mu.Unlock()
	}
}
